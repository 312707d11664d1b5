"""Reviews in the browser: turning points and better lines, by touch and by keyboard."""

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from tests.interfaces.web.overlaps import FEW, NARROWEST, overlaps
from tests.interfaces.web.test_browser_pages import violations
from tests.interfaces.web.visiting import DESK, PHONE, Visitors, say, wait_for
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

LOST = "1 2 4 3 5 7 9"
"""O loses with the second move. X misses a win with the fifth and wins with the seventh."""


CHANGES = """() => {
  const pieces = document.querySelector(".chart .through").getAttribute("d").split("M").slice(1);
  const ends = pieces.map(piece => piece.split(/[L ]/).map(Number));
  return ends.filter(([, before, , after]) => before !== after).map(([, , x]) => Math.round(x));
}"""
"""The points at which the line of the chart changes its level."""


def review_of(visitors: Visitors, moves: str = LOST, query: str = "") -> "Page":
    game = visitors.table("tictactoe", moves).state["game_id"]
    return visitors.visit(f"/g/{game}{query}")


def marks(page: "Page") -> int:
    return page.locator("[role=gridcell] .mark").count()


def test_review_opens_at_deciding_move(visitors: Visitors) -> None:
    page = review_of(visitors)
    page.click("[data-key=web-review]")
    wait_for(page, "Move 2: b3")
    wait_for(page, "Better: b2", "#status p")
    page.wait_for_selector(".over .hintring")  # the cell of the better move
    page.wait_for_selector(".points .open")
    points = page.locator(".points li")
    assert [point.split("\n")[0] for point in points.all_inner_texts()] == [
        "Move 2: b3, better b2",
        "Move 5: b2, better a1",
    ]
    assert page.locator(".points .flag").all_inner_texts() == ["?", "?!"]
    assert "X wins by move 7" in say(page, ".points .open")
    assert "a draw" in say(page, ".points .open")
    assert page.locator(".accuracy li b").all_inner_texts() == ["100 %", "0 %"]
    assert page.locator(".turning-point").count() == 1
    rings = "all => all.map(one => Math.round(one.cx.baseVal.value))"
    assert page.evaluate(CHANGES) == page.eval_on_selector_all(".turning-point", rings)
    assert page.locator("[data-key=web-review]").count() == 0
    page.reload()
    wait_for(page, "Move 2: b3")
    page.wait_for_selector(".points .open")


def test_touch_steps_through_better_line(visitors: Visitors) -> None:
    page = review_of(visitors, query="?review")
    page.wait_for_selector(".points .line button")
    steps = page.locator(".points .line button")
    assert steps.count() == 8  # to the end of the game
    steps.nth(0).click()
    wait_for(page, "With b2: step 1 of 8")
    assert (marks(page), page.locator(".over .hintring").count()) == (2, 0)
    page.locator(".points .line button").nth(7).click()
    wait_for(page, "step 8 of 8")
    assert marks(page) == 9
    page.click("[data-key=turn-5]")
    wait_for(page, "Move 5: b2")
    page.click("[data-key=line-1]")
    wait_for(page, "With a1: step 1 of 1")
    assert page.locator(".strike").count() == 1  # the better line wins


def test_better_line_is_near_board_on_phone(visitors: Visitors) -> None:
    game = visitors.table("tictactoe", LOST).state["game_id"]
    page = visitors.visit(f"/g/{game}?review", size=PHONE)
    wait_for(page, "Move 2: b3")
    page.click("[data-key=near-3]")
    wait_for(page, "With b2: step 3 of 8")
    assert page.locator(".points .line").is_hidden()
    places = ("#board", ".chart", "[data-key=near-3]")
    board, chart, step = (page.locator(selector).bounding_box() for selector in places)
    assert step is not None
    assert chart is not None
    assert board is not None
    assert 0 <= board["y"] < chart["y"] < step["y"] < PHONE[1]  # visible without scrolling


def test_review_sentence_names_column(visitors: Visitors) -> None:
    game = visitors.table("4x4:3,gravity", "1 2 1 2 1").state["game_id"]
    page = visitors.visit(f"/g/{game}?review")
    page.wait_for_selector(".points .open")
    assert "Move 1: column 1, better column" in say(page, ".points .open")


@pytest.mark.parametrize("language", [weekly("en"), "ru", "zh-Hans", weekly("zh-Hant")])
def test_review_words_are_not_cut(visitors: Visitors, language: str) -> None:
    game = visitors.table("tictactoe", LOST).state["game_id"]
    page = visitors.visit(f"/g/{game}?review", language, PHONE)
    page.wait_for_selector(".points .open")
    widths = NARROWEST if language == "ru" else FEW
    assert overlaps(page, widths) == {}
    page.keyboard.press("]")
    page.wait_for_selector("[data-key=near-1][aria-pressed=true]")
    assert overlaps(page, FEW) == {}


@pytest.mark.parametrize(("size", "dark"), [weekly(PHONE, False), (DESK, True)])
def test_review_passes_axe(visitors: Visitors, size: tuple[int, int], dark: bool) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    game = visitors.table("tictactoe", LOST).state["game_id"]
    page = visitors.visit(f"/g/{game}?review", size=size, dark=dark)
    page.wait_for_selector(".points .open")
    page.evaluate(axe)
    assert violations(page) == []


def test_review_by_keyboard(visitors: Visitors) -> None:
    page = review_of(visitors, query="?review")
    wait_for(page, "Move 2: b3")
    page.keyboard.press("t")
    wait_for(page, "Move 5: b2")
    page.keyboard.press("t")
    wait_for(page, "Move 2: b3")
    page.keyboard.press("]")
    page.keyboard.press("]")
    wait_for(page, "step 2 of 8")
    page.keyboard.press("[")
    wait_for(page, "step 1 of 8")
    page.keyboard.press("ArrowRight")
    wait_for(page, "Move 3: a2")
    page.keyboard.press("]")
    wait_for(page, "Move 4: c3")


@pytest.mark.parametrize("moves", ["5 1 3 7 4 6 2 8 9", "1 2 5"])
def test_review_keeps_ply_of_reader(visitors: Visitors, moves: str) -> None:
    table = visitors.table("tictactoe", moves)
    if table.state["phase"] == "playing":
        table.command(type="resign")
    page = visitors.visit(f"/g/{table.state['game_id']}?ply=1&review")
    page.wait_for_selector(".accuracy, .points, #margin .fact:nth-of-type(2)")
    wait_for(page, "Move 1:")
    assert "ply=1" in page.url


def test_review_language_changes_immediately(visitors: Visitors) -> None:
    page = review_of(visitors, query="?review")
    wait_for(page, "Move 2: b3")
    page.click("#languages summary")
    page.click("#languages a[hreflang=ru]")
    wait_for(page, "Ход 2: b3")
    wait_for(page, "X выигрывает к ходу 7", ".points .open")
