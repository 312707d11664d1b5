"""Malicious input is rejected with a sentence or shown as plain text."""

import json
import unicodedata
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from noughts.errors import NameRefused
from noughts.games.catalogue import BY_NAME
from noughts.text import check_name
from tests.interfaces.web.conftest import serving
from tests.interfaces.web.visiting import PHONE, Visitors, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

TAGS = (
    "img src=x",
    "svg",
    "body",
    "iframe",
    "video src=x",
    "details open",
    "input autofocus",
    "marquee",
    "a",
    "p",
)
EVENTS = ("onerror", "onload", "onclick", "onfocus", "ontoggle")

PIECES = Path(__file__).with_name("hostile.txt").read_text(encoding="utf-8").splitlines()

UNSEEN = [
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    0x61C,
    0xFEFF,
    0xAD,
    0,
    8,
    9,
    10,
    13,
    27,
    0x85,
]
"""Characters that reorder text, have no width or end a line."""


def hostile() -> list[str]:
    """Return different texts of every kind."""
    events = [f"<{tag} {event}=hacked()>" for tag in TAGS for event in EVENTS]
    unseen = [f"a{chr(code)}b" for code in UNSEEN]
    endless = ["x" * 41, "<" * 1000, "囧" * 21, "e\u0301" * 300, "\ud800", "\ue000"]
    return [*dict.fromkeys([*PIECES, *events, *unseen, *endless])]


HOSTILE = hostile()
PATHS = ("/r/{}", "/?lang={}", "/g/1?ply={}", "/{}", "/history?before={}")
WORST = (
    "<img src=x onerror=hacked()>",
    "\"'><svg onload=hacked()>",
    "javascript:hacked()",
    "{{hacked()}}",
    "\u202ehacked",
)
"""Addresses with hostile paths."""

SURVIVES = """() => {
  const named = "img, iframe, object, embed, base, marquee, math, main script, main style";
  const listens = one => one.getAttributeNames().some(name => name.startsWith("on"));
  const listening = [...document.querySelectorAll("*")].filter(listens);
  const linked = [...document.querySelectorAll("a[href]")].filter(one => one.origin !== location.origin);
  const strange = document.querySelectorAll(named).length + listening.length + linked.length;
  return [strange, typeof hacked, document.documentElement.scrollWidth];
}"""


@pytest.fixture(scope="module")
def apart(chromium: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server whose history no other test changes."""
    with serving(tmp_path_factory.mktemp("hostile")) as data:
        yield data


@pytest.fixture
def strangers(chromium: "Browser", apart: str) -> Iterator[Visitors]:
    visiting = Visitors(chromium, apart)
    yield visiting
    visiting.leave()


def kept(text: str) -> str | None:
    """Return *text* as the accepted name, or None."""
    try:
        return check_name(text)
    except NameRefused:
        return None


def refusal(visitors: Visitors, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
    """Return the status and the error of a rejected request."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    try:
        urllib.request.urlopen(urllib.request.Request(visitors.address + path, data, headers), timeout=20)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)["error"]
    raise AssertionError(f"{path} {body} is not refused")


def check(page: "Page") -> None:
    """Check that hostile input is plain text, and that the page is as wide as the phone."""
    assert page.evaluate(SURVIVES) == [0, "undefined", PHONE[0]], page.url


def test_hostile_texts_are_numerous() -> None:
    assert len(HOSTILE) >= 200
    assert len([text for text in HOSTILE if kept(text)]) >= 150


def test_hostile_names_are_rejected_or_plain_text(strangers: Visitors) -> None:
    names = [name for name in dict.fromkeys(map(kept, HOSTILE)) if name is not None]
    for text in HOSTILE:
        if kept(text) is None:
            status, error = refusal(strangers, "/api/rooms", {"game": "tictactoe", "name": text})
            assert status in (400, 422), text
            assert error["sentence"]
    half = len(names) // 2
    pairs = [*zip(names[:half], names[half:], strict=False)]  # neighbours may differ in case only
    for pair in pairs:
        strangers.table("tictactoe", names=pair).command(type="resign")
    seated = {name for pair in pairs for name in pair}

    page = strangers.visit("/scores", size=PHONE)
    page.wait_for_selector("tbody th")
    scored = page.locator("tbody th").all_text_contents()  # names that differ in case only are one player
    assert {name.casefold() for name in scored} == {name.casefold() for name in seated}
    check(page)
    page.goto(strangers.address + "/history")
    while page.wait_for_selector("tbody tr") and (older := page.query_selector("[data-key=web-older]")):
        count = page.locator("tbody tr").count()
        older.click()
        page.wait_for_function("count => document.querySelectorAll('tbody tr').length > count", arg=count)
    assert {*page.locator("tbody .name:not(.main)").all_text_contents()} == seated
    check(page)

    worst = ("W" * 40, "مرحبا بالعالم")
    for pair in (worst, ("<img src=x onerror=hacked()>", "${hacked()}"), ("{player}", "囧" * 20)):
        table = strangers.table("tictactoe", "5 1 3 2", names=pair)
        page.goto(f"{strangers.address}/r/{table.room}")
        wait_for(page, pair[0][:12])  # headings cut long names
        check(page)
        table.command(type="move", move="7")
        wait_for(page, pair[0][:12])  # headings cut long names
        page.goto(f"{strangers.address}/g/{table.state['game_id']}")
        wait_for(page, pair[0][:12])  # headings cut long names
        check(page)


def test_hostile_game_descriptions_are_rejected(strangers: Visitors) -> None:
    for text in HOSTILE:
        sendable = text.encode("utf-8", "replace").decode()
        if sendable in BY_NAME or not text.strip():
            continue
        status, error = refusal(strangers, f"/api/rules?game={quote(sendable)}")
        assert status == 422, text
        assert error["sentence"]
        assert len(error["sentence"]) < 1000
    page = strangers.visit(size=PHONE)
    page.goto(strangers.address + "/build")
    for text in ("<img src=x onerror=hacked()>", "${hacked()}", "W" * 400, "__proto__"):
        page.fill("#own", text)
        page.wait_for_function(
            "text => document.getElementById('spec-error').textContent.includes(text)", arg=text[:20]
        )
        check(page)


def test_hostile_addresses_are_harmless(strangers: Visitors) -> None:
    for text in HOSTILE:
        part = quote(unicodedata.normalize("NFC", text).encode("utf-8", "replace"), safe="")
        if text.strip("./\\") == text:
            assert refusal(strangers, f"/api/rooms/{part}")[0] == 404, text
        assert refusal(strangers, "/api/join", {"code": text[:20], "name": "Ada"})[0] in (400, 404, 422), text
        assert refusal(strangers, f"/api/games?before={part}")[0] == 422, text
    page = strangers.visit(size=PHONE)
    for path, text in zip(PATHS, WORST, strict=True):
        page.goto(strangers.address + path.format(quote(text, safe="")))
        page.wait_for_selector(".pick, .plain, #panel .code, tbody tr, #panel a, .empty")
        check(page)
