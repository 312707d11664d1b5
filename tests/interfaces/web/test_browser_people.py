"""Tournaments of people in real browsers: by touch on phones, with a projector, to the end."""

import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

from noughts.arena.people.words import words_of
from tests.arena.people.signing import Signer
from tests.interfaces.harness import SAY
from tests.interfaces.web.conftest import OPERATOR, OPERATOR_ENTROPY
from tests.interfaces.web.overlaps import overlaps
from tests.interfaces.web.test_browser_key import type_words
from tests.interfaces.web.test_browser_pages import violations
from tests.interfaces.web.visiting import Visitors, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

PHONE = (390, 844)


class Cup:
    """A tournament with its organiser's page, a projector, and the phones of its players by name."""

    def __init__(self, visitors: Visitors, system: str, **fields: str) -> None:
        self.visitors = visitors
        self.organiser = visitors.visit("/t/new")
        self.organiser.wait_for_function("document.title !== 'noughts'")
        self.organiser.select_option("#new-system", system)
        self.organiser.select_option("#new-game", "tictactoe")
        for id_, value in fields.items():
            field = self.organiser.locator(f"#new-{id_}")
            field.select_option(value) if id_ == "odd" else field.fill(value)
        self.organiser.click("form[data-act=new] button.primary")
        self.organiser.wait_for_url("**/organiser")
        self.path = self.organiser.url.removeprefix(visitors.address).removesuffix("/organiser")
        self.screen = visitors.visit(f"{self.path}/screen", size=(1920, 1080))
        self.phones: dict[str, Page] = {}

    def enter(self, name: str, language: str = "en", *, dark: bool = False) -> None:
        phone = self.visitors.visit(self.path, language, PHONE, dark=dark, touch=True)
        phone.wait_for_selector("#name:enabled")
        phone.fill("#name", name)
        phone.tap("form[data-act=enter] button")
        phone.wait_for_selector("#own-name", state="attached")
        self.phones[name] = phone

    def win(self, winner: str, loser: str) -> None:
        """Let both players go to the board, by touch, and *loser* resign after the first move."""
        pages = [self.phones[winner], self.phones[loser]]
        for page in pages:
            page.tap("[data-act=seat]")
            page.wait_for_selector("[data-key=web-resign]")
        mover = next(page for page in pages if SAY[lang(page)]("your-turn") in page.inner_text("h1"))
        mover.tap("[role=gridcell][data-index='4']")
        for page in pages:
            page.wait_for_selector("[role=gridcell][data-index='4'] .mark")
        self.phones[loser].tap("[data-key=web-resign]")
        self.phones[loser].tap("[data-key=web-resign-yes]")
        for page in pages:
            page.wait_for_selector("[data-key=web-replay]")
            assert page.locator(".publish").count() == 0  # a first name is for the class alone
            page.tap("#people-back a")
            page.wait_for_selector("#people-content")

    def check(self) -> None:
        """Check the words and the widths of all phones and the projector, and the roles of two pages."""
        axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        *others, dark = self.phones.values()
        for page in (*others, dark, self.screen):
            assert not re.search(r"\b(people|web)-[a-z]", page.inner_text("body"))
            size = page.viewport_size
            assert size is not None
            assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
            if page not in others:
                page.evaluate(axe)
                assert violations(page) == []


def lang(page: "Page") -> str:
    return str(page.get_attribute("html", "lang"))


def test_arena_is_played_on_phones(visitors: Visitors) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    cup = Cup(visitors, "arena", minutes="10", odd="level:1")
    for name, language, dark in (("Ada", "en", False), ("Виктория", "ru", False), ("小明", "zh-Hans", True)):
        cup.enter(name, language, dark=dark)
    wait_for(cup.screen, "小明", ".wnames")
    cup.organiser.click("[data-act=start]")
    odd = cup.phones["小明"]
    wait_for(odd, SAY["zh-Hans"]("people-you-wait-arena"), "h1")
    assert SAY["zh-Hans"]("people-how-odd-arena-computer") in odd.inner_text("[role=status]:visible")
    assert "。 " not in odd.inner_text("#people-content").replace("\n", "")
    cup.check()
    cup.win("Виктория", "Ada")
    for name, language in (("小明", "zh-Hans"), ("Виктория", "ru")):
        # A player who has just played waits, or plays again.
        cup.phones[name].wait_for_selector("[data-act=seat], .seatcard")
        assert SAY[language]("people-time-left") in cup.phones[name].inner_text("#people-content")
    wait_for(cup.screen, "1 : 0", ".wpairs")
    cup.screen.set_viewport_size({"width": 1280, "height": 800})  # a small projector
    cut = "[...document.querySelectorAll('.wpairs td')].filter((cell) => cell.scrollWidth > cell.clientWidth)"
    assert cup.screen.evaluate(f"{cut}.map((cell) => cell.innerText)") == []
    wait_for(cup.screen, "Виктория\n2", ".wstand")
    cup.check()
    assert overlaps(cup.phones["Виктория"], (320,)) == {}
    cup.organiser.click("[data-act=end]")
    cup.organiser.click("#people-yes")
    for page in (*cup.phones.values(), cup.screen):
        page.wait_for_selector(".podium .step-1:has-text('Виктория')")
    cup.check()


def test_knockout_is_played_to_its_end(visitors: Visitors) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    cup = Cup(visitors, "knockout")
    for name in ("Ada", "Bob", "Eve"):
        cup.enter(name, dark=name == "Eve")
    cup.organiser.click("[data-act=start]")
    say = SAY["en"]
    heads = {}
    for name, phone in cup.phones.items():
        phone.wait_for_selector(".seatcard")
        heads[name] = phone.inner_text("#card-head")
    (free,) = [name for name, head in heads.items() if head == say("people-you-pass-knockout")]
    assert say("people-how-odd-knockout") in cup.phones[free].inner_text("#people-margin")
    assert cup.phones[free].locator(".seatcard .glyph, .tableno").count() == 0  # no board to look for
    assert not cup.phones[free].is_visible("[data-act=rest]")
    wait_for(cup.screen, say("people-free-pass"), ".wpairs")
    cup.check()
    winner, loser = sorted(set(heads) - {free})
    cup.win(winner, loser)
    wait_for(cup.phones[loser], say("people-knocked-out-now"), "#people-content")
    assert not cup.phones[loser].is_visible("[data-act=leave]")
    cup.organiser.click("[data-act=start]:enabled")
    wait_for(cup.phones[loser], say("people-knocked-out", round=1), "h1")
    cup.check()
    for name in (winner, free):
        cup.phones[name].wait_for_selector("[data-act=seat]")
    cup.win(free, winner)
    for page in (*cup.phones.values(), cup.screen):
        page.wait_for_selector(f".podium .step-1:has-text('{free}')")
        page.wait_for_selector(f".podium .step-2:has-text('{winner}')")
    rows: Any = cup.phones[loser].locator(".finalt tbody tr").all_inner_texts()
    assert [row.split()[:2] for row in rows] == [["1", free], ["2", winner], ["3", loser]]
    cup.check()
    assert overlaps(cup.phones[loser], (320,)) == {}


def test_phones_come_back_after_a_lost_network(visitors: Visitors) -> None:
    """One phone misses the start of the round, and the other one a move."""
    cup = Cup(visitors, "swiss", rounds="1")
    for name in ("Ada", "Bob"):
        cup.enter(name)
    ada, bob = cup.phones.values()
    ada.context.set_offline(True)
    cup.organiser.click("[data-act=start]")
    bob.tap("[data-act=seat]")
    bob.wait_for_selector("[data-key=web-resign]")
    ada.context.set_offline(False)
    ada.tap("[data-act=seat]")
    ada.wait_for_selector("[data-key=web-resign]")
    mover, other = (ada, bob) if SAY["en"]("your-turn") in ada.inner_text("h1") else (bob, ada)
    other.context.set_offline(True)
    wait_for(other, SAY["en"]("web-offline"), "h1")
    mover.tap("[role=gridcell][data-index='4']")
    mover.wait_for_selector("[role=gridcell][data-index='4'] .mark")
    other.context.set_offline(False)
    other.wait_for_selector("[role=gridcell][data-index='4'] .mark")
    other.tap("[data-key=web-resign]")
    other.tap("[data-key=web-resign-yes]")
    winner = "Ada" if mover is ada else "Bob"
    cup.screen.wait_for_selector(f".podium .step-1:has-text('{winner}')")


def test_corrected_round_moves_players_to_other_games(visitors: Visitors) -> None:
    cup = Cup(visitors, "swiss")
    cup.enter("Ada")
    for name in ("Bob", "Eve", "Lin"):
        visitors.post(f"/api/tournaments{cup.path.removeprefix('/t')}/entries", {"name": name})

    def correct(key: str, number: int, result: str) -> None:
        cup.organiser.locator(f"[data-key={key}] select").nth(number).select_option(result)
        wait_for(cup.organiser, SAY["en"]("people-correct-running"), "#people-consequence")
        cup.organiser.click("#people-yes")
        cup.organiser.wait_for_selector(f"[data-key={key}] select[data-before='{result}'] >> nth={number}")

    cup.organiser.click("[data-act=start]:enabled")
    cup.organiser.wait_for_selector("[data-key=tables]")
    for number in (0, 1):
        correct("tables", number, "1-0")
    cup.organiser.click("[data-act=start]:enabled")
    cup.organiser.wait_for_selector("[data-key=earlier]")
    ada = cup.phones["Ada"]
    ada.wait_for_selector("#people-content:has-text('Round 2')")
    ada.tap("[data-act=seat]")
    ada.wait_for_selector("[role=gridcell]")
    cup.organiser.locator("[data-key=earlier] select").nth(0).select_option("draw")
    wait_for(cup.organiser, SAY["en"]("people-correct-pairs"), "#people-consequence")
    cup.organiser.click("#people-yes")
    wait_for(ada, SAY["en"]("web-no-room"), "h1")
    ada.tap("#people-back a")
    ada.wait_for_selector("#people-content")


def test_leaving_is_asked_first(visitors: Visitors) -> None:
    cup = Cup(visitors, "swiss")
    cup.enter("Ada")
    phone = cup.phones["Ada"]
    phone.tap("[data-act=leave]")
    phone.tap("#people-no")
    assert phone.is_visible("[data-act=leave]")
    phone.tap("[data-act=leave]")
    phone.tap("#people-yes")
    wait_for(phone, SAY["en"]("people-you-are-out"), "h1")


@pytest.mark.parametrize("language", SAY)
def test_stranger_finds_a_public_tournament(visitors: Visitors, language: str) -> None:
    titles = {name: f"{name} {language}" for name in ("Open cup", "Closed cup")}
    for name, title in titles.items():
        organiser = visitors.visit("/t/new", language)
        organiser.wait_for_function("document.title !== 'noughts'")
        organiser.fill("#new-title", title)
        organiser.set_checked("#new-public", name == "Open cup")
        organiser.click("form[data-act=new] button.primary")
        organiser.wait_for_url("**/organiser")
    page = visitors.visit("/", language, PHONE, touch=True)
    page.tap("a[href='/tournaments']")
    row = page.locator("#tournament-content tr", has_text=titles["Open cup"])
    assert SAY[language]("people-list-open") in row.inner_text()
    assert titles["Closed cup"] not in page.inner_text("body")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    row.locator("a").tap()
    page.wait_for_selector("#name:enabled")


def as_operator(visitors: Visitors) -> "Page":
    """Return a phone that is signed in with the key of the operator."""
    with urlopen(f"{visitors.address}/api/identities/nonce", timeout=20) as answer:
        nonce = json.load(answer)["nonce"]
    device, name, label = Signer(9), "Orla", "Test"
    facts = (nonce, name, OPERATOR.key, device.key, label)
    signed, own = (one.sign("register", *facts, origin=visitors.address) for one in (OPERATOR, device))
    first = {"key": device.key, "label": label, "signature": own}
    body = {"name": name, "key": OPERATOR.key, "device": first, "nonce": nonce, "signature": signed}
    visitors.post("/api/identities", body)
    phone = visitors.visit("/key", size=PHONE, touch=True)
    type_words(phone, " ".join(words_of(OPERATOR_ENTROPY, "en")))
    return phone


def test_title_is_reported_and_changed_by_touch(visitors: Visitors) -> None:
    settings = {"title": "A rude title", "game": "tictactoe", "visibility": "public"}
    path = visitors.post("/api/tournaments", settings)["link"]
    phone = as_operator(visitors)
    phone.goto(visitors.address + path)
    phone.tap(f"a[href='{path}/report']")
    phone.tap("#report button[type=submit]")
    wait_for(phone, SAY["en"]("report-sent"), "#report-about")
    phone.goto(f"{visitors.address}/operator")
    phone.tap("label:has(input[value=retitle])")
    phone.fill("#title", "A kind title")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    phone.tap("#decide button[type=submit]")
    wait_for(phone, SAY["en"]("operator-none"), ".status")
    phone.goto(f"{visitors.address}/tournaments")
    assert "A kind title" in phone.inner_text("#tournament-content")


def test_organiser_gives_a_player_a_new_link(visitors: Visitors) -> None:
    cup, say = Cup(visitors, "swiss"), SAY["en"]
    for name in ("Ada", "Bob"):
        cup.enter(name)
    cup.organiser.click("[data-act=start]:enabled")
    lost = cup.phones["Ada"]
    lost.tap("[data-act=seat]")
    lost.wait_for_selector("[data-key=web-resign]")
    cup.organiser.click("[data-act=new-link][data-name=Ada]")
    assert say("people-new-link-about") in cup.organiser.inner_text("#people-ask")
    cup.organiser.click("#people-yes")
    cup.organiser.wait_for_selector("#people-handed:visible")
    wait_for(cup.organiser, say("people-link-of", name="Ada"), "#people-handed")
    cup.organiser.locator("#people-link-qr").evaluate("(picture) => picture.decode()")
    link = cup.organiser.input_value("#people-link")
    assert link.startswith(f"{visitors.address}{cup.path}#")
    assert overlaps(cup.organiser, (320, 1280)) == {}
    other = visitors.visit(link.removeprefix(visitors.address), size=PHONE, touch=True)
    wait_for(other, say("people-against", name="Bob"), ".seatcard")
    other.tap("[data-act=seat]")
    other.wait_for_selector("[data-key=web-resign]")
    lost.wait_for_selector("[data-key=web-resign]", state="detached")  # It watches now.
    lost.goto(f"{visitors.address}{cup.path}")
    lost.wait_for_selector("#people-content")
    assert lost.locator(".seatcard").count() == 0
    cup.organiser.click("[data-act=hide-link]")
    assert cup.organiser.input_value("#people-link") == ""
    cup.organiser.fill("#late", "Eve")
    cup.organiser.click("form[data-act=late] button")
    wait_for(cup.organiser, say("people-link-of", name="Eve"), "#people-handed")


def test_long_names_are_whole_on_the_projector(visitors: Visitors) -> None:
    cup = Cup(visitors, "swiss")
    for name in ("Maximiliane Charlotte", "Александр Невский"):
        cup.enter(name)
    cup.organiser.click("[data-act=start]:enabled")
    cut = """[...document.querySelectorAll('.wpairs .name, .cut')].filter((name) =>
        name.scrollWidth > name.clientWidth || name.scrollHeight > 1.2 * name.clientHeight)"""
    for size in ((1920, 1080), (1280, 800)):
        cup.screen.set_viewport_size({"width": size[0], "height": size[1]})
        cup.screen.wait_for_selector(".wplayers")
        assert cup.screen.locator(".wpairs .name").count() == 2
        assert cup.screen.evaluate(f"{cut}.map((name) => name.innerText)") == []
    cup.organiser.click("[data-act=end]")
    cup.organiser.click("#people-yes")
    cup.organiser.wait_for_selector("#people-content:not(:has([data-act=new-link]))")
    assert cup.organiser.locator("[data-act=correct] option").first.inner_text() == "–"


def test_right_to_left_name_stays_beside_its_mark(visitors: Visitors) -> None:
    name = "\u05e2\u05d3\u05d4"
    cup = Cup(visitors, "swiss")
    for one in (name, "Ada"):
        cup.enter(one)
    cup.organiser.click("[data-act=start]")
    phone = cup.phones["Ada"]
    phone.wait_for_selector("[data-act=seat]")
    left = """(named, name) => named.filter((one) => one.textContent === name).map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().left - one.getBoundingClientRect().left;
    })"""
    for page in (phone, cup.organiser):
        page.locator("[dir=auto]", has_text=name).first.wait_for()
        gaps = page.eval_on_selector_all("[dir=auto]", left, name)
        assert gaps
        assert max(gaps) < 20  # the padding
