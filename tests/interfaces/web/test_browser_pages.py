"""Every page in every language, light and dark, on a phone and on a desk."""

from importlib.resources import files
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from noughts.games.samples import PLAYED
from noughts.interfaces.i18n import LANGUAGES
from tests.interfaces.web.visiting import DESK, PHONE, Visitors, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOARDS = ("gomoku", "qubic", "connect4", "4d", "ultimate", "reversi", "5x5")
"""Games whose boards are drawn each in a way of its own."""


def open_all(visitors: Visitors, page: "Page") -> Any:
    """The pages one after another, each when it has filled itself in."""
    waiting = visitors.post("/api/rooms", {"game": "qubic", "opponent": "friend", "name": "Ada"})["room"]
    over = visitors.table("tictactoe", "5 1 3 2 7")
    paths = {
        "/": ".pick",
        f"/r/{waiting}": ".ready .pic",
        f"/r/{over.room}": ".strike",
        f"/g/{over.state['game_id']}?ply=3": ".steps",
        "/history": "tbody tr",
        "/scores": "tbody tr",
        "/r/nobodyknows": "#below form",
        "/nothing": ".plain",
    }
    paths |= {f"/r/{visitors.table(game, PLAYED[game]).room}": "[role=grid]" for game in BOARDS}
    for path, selector in paths.items():
        page.goto(visitors.address + path)
        page.wait_for_selector(selector)
        yield path


@pytest.mark.parametrize(("language", "dark"), [*product(LANGUAGES, (False,)), ("en", True)])
def test_no_page_is_wider_than_a_phone_and_all_are_in_one_language(
    visitors: Visitors, language: str, dark: bool
) -> None:
    page = visitors.visit("/nothing", language, PHONE, dark=dark)
    for path in open_all(visitors, page):
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0], path
        assert page.get_attribute("html", "lang") == language
        text = page.inner_text("body")
        assert "web-" not in text, path
        assert "{" not in text.replace("{{", ""), path


@pytest.mark.parametrize(("size", "dark"), [(PHONE, True), (DESK, False)])
def test_axe_finds_nothing(visitors: Visitors, size: tuple[int, int], dark: bool) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    page = visitors.visit("/nothing", size=size, dark=dark)
    for path in open_all(visitors, page):
        page.evaluate(axe)  # not as a script of the page: its content policy forbids that
        answer = page.evaluate("axe.run()")
        assert len(answer["passes"]) > 15, path
        found = answer["violations"]
        told = [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found]
        assert told == [], path


def test_cells_are_as_large_as_a_finger(visitors: Visitors) -> None:
    page = visitors.visit("/nothing", size=PHONE)
    for game in (*BOARDS, "tictactoe", "wild", "three", "fifteen"):
        page.goto(f"{visitors.address}/r/{visitors.table(game).room}")
        page.wait_for_selector("[role=gridcell]")
        box = page.locator("[role=gridcell] .hit").first.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, game


def test_a_large_board_scrolls_inside_and_shows_the_last_move(visitors: Visitors) -> None:
    page = visitors.visit(f"/r/{visitors.table('19x19:5', '361').room}", size=PHONE)
    page.wait_for_selector(".overview .view")
    seen = page.evaluate(
        """() => {
          const cell = document.querySelector('[data-index="360"] .hit').getBoundingClientRect();
          const box = document.querySelector(".scroll").getBoundingClientRect();
          const isAcross = cell.left >= box.left && cell.right <= box.right;
          return isAcross && cell.top >= box.top && cell.bottom <= box.bottom;
        }"""
    )
    assert seen


def test_a_cube_turns_to_the_layer_that_is_looked_at(visitors: Visitors) -> None:
    page = visitors.visit(f"/r/{visitors.table('qubic', '1').room}", size=PHONE)
    wait_for(page, "1", ".tabs [aria-pressed=true]")
    page.click("[data-key=plane-2]")
    page.wait_for_selector('[data-index="32"]')
    assert page.locator("[role=gridcell]").count() == 16
    page.focus('[role=gridcell][data-index="35"]')
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('[data-index="48"]:focus')
    assert page.get_attribute(":focus", "aria-label") == "49, empty"
    page.click("[data-key=web-lines]")
    page.wait_for_selector(".aim", state="attached")
    assert "lines go through cell 49" in page.inner_text(".note")
