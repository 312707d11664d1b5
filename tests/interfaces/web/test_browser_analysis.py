"""The analysis page, on which both sides of any position can be played."""

import json
from typing import Any

import pytest
from playwright.sync_api import Request

from noughts.core.board import index_of
from tests.interfaces.harness import EN
from tests.interfaces.web.visiting import PHONE, Visitors, wait_for

pytestmark = pytest.mark.slow

CORNER = "/analysis?game=tictactoe&moves=5,2"


def test_address_moves_get_usual_spelling(visitors: Visitors) -> None:
    page = visitors.visit("/analysis?game=qubic&moves=1a4")
    page.wait_for_selector(".tree a")
    page.click(f'[data-index="{index_of((4, 4, 4), (1, 1, 1))}"]')
    page.wait_for_selector('[data-key="line-1,22"]')
    assert page.locator(".tree a").all_inner_texts() == ["1\n1a4", "2\n2b3"]
    assert page.url.endswith("moves=1,22")


def test_analysis_shows_variations(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    wait_for(page, "X to move")
    page.click('[role=gridcell][data-index="0"]')
    wait_for(page, "O to move")
    page.click('[role=gridcell][data-index="8"]')
    wait_for(page, "X to move")
    page.click("[data-key=web-one-back]")
    page.click("[data-key=web-one-back]")
    wait_for(page, "X to move")
    assert page.locator(".mark").count() == 2
    page.click('[role=gridcell][data-index="7"]')
    page.wait_for_selector(".tree .var")
    assert page.url.endswith("moves=5,2,8")
    page.goto(f"{visitors.address}/puzzles")
    page.go_back()  # with all variations
    page.wait_for_selector(".tree .var")
    assert page.url.endswith("moves=5,2,8")
    page.click("[data-key=web-promote-line]")
    page.wait_for_selector("[data-key='line-5,2,1'] >> nth=0")
    assert page.locator(".var [data-key='line-5,2,1']").count() == 1
    page.click("[data-key='line-5,2,1']")
    page.click("[data-key=web-delete-line]")
    page.wait_for_selector(".tree .var", state="detached")
    assert page.url.endswith("moves=5,2")
    assert page.locator(".line-moves a").count() == 3


def test_legend_counts_moves_of_mover(visitors: Visitors) -> None:
    page = visitors.visit(CORNER, size=PHONE)
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val.vwin")
    page.wait_for_selector(".key dd")
    assert page.locator(".key dd").all_inner_texts() == ["X wins in 3 moves", "a draw"]
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val", state="detached")
    assert page.locator(".key").count() == 0


def test_no_ghost_mark_covers_value(visitors: Visitors) -> None:
    page = visitors.visit("/analysis?game=3x3:3,gravity")
    page.wait_for_selector("[role=gridcell]")
    page.hover(".drop >> nth=1")
    page.wait_for_selector(".ghost use", state="attached")
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val")
    page.hover(".drop >> nth=2")
    page.wait_for_selector(".drop.on >> nth=0")
    assert (page.locator(".ghost use").count(), page.locator(".ghost .dash").count()) == (0, 1)


def test_passed_positions_are_not_analysed(visitors: Visitors) -> None:
    page = visitors.visit("/analysis?game=tictactoe&moves=5,1,9,3,2")
    page.wait_for_selector("[role=gridcell]")
    query: list[str] = []

    def note(request: Request) -> None:
        if "/api/analyse" in request.url:
            query.append(request.post_data or "")

    page.on("request", note)
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)  # a slow machine may take its time
    for ply in (4, 3, 2):
        page.keyboard.press("[")
        page.wait_for_selector(f"text={ply} of 5")
    page.clock.run_for(1000)
    page.wait_for_selector(".val")
    page.clock.resume()  # all pages of this browser share the clock
    assert [len(json.loads(body)["moves"]) for body in query] == [5, 2]


def test_analysis_shows_lines_through_cell(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    page.click("[data-key=web-lines]")
    wait_for(page, EN("web-lines-about"), "#panel")
    page.hover('[role=gridcell][data-index="0"]')
    wait_for(page, EN.plural("lines-through", 3, cell="a3", side="X", open=2), "#panel")
    assert page.locator(".board .bead").count() == 4


BEHIND = """() => {
  const [beads, values] = [".bead", ".val"].map(kind => [...document.querySelectorAll(`.board ${kind}`)]);
  const isBefore = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  return [beads.length, beads.every(bead => values.every(value => isBefore(bead, value)))];
}"""


def test_values_are_drawn_over_lines(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val")
    page.click("[data-key=web-lines]")
    page.hover('[role=gridcell][data-index="0"]')
    page.wait_for_selector(".board .bead", state="attached")
    assert page.evaluate(BEHIND) == [4, True]
    assert page.locator(".board path.aim").count() == 1  # around the value, not over it


def test_analysis_works_by_keyboard(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    page.focus('[role=gridcell][tabindex="0"]')
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    wait_for(page, "O to move")
    page.keyboard.press("[")
    wait_for(page, "X to move")
    page.keyboard.press("]")
    wait_for(page, "O to move")


def test_escape_focuses_board(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "1 4 2 5 3")
    at_board = "() => document.activeElement?.getAttribute('role')"
    for path, elsewhere in (
        (CORNER, "[data-key=web-values]"),
        (f"/g/{table.state['game_id']}", "[data-key=web-explore]"),
        (f"{table.state['link']}?ply=2", "#bar button"),
        ("/puzzle/1", "[data-key=web-puzzle-show]"),
    ):
        page = visitors.visit(path)
        page.focus(elsewhere)
        page.keyboard.press("Escape")
        assert page.evaluate(at_board) == "gridcell", path
    page.focus("#code")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.id") == "code"


def test_analysed_position_can_be_played_on(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    page.select_option("#against", "level:1")
    page.click("[data-key=web-play-here]")
    page.wait_for_url("**/r/*")
    page.wait_for_selector('[data-index="4"] .mark.x')
    page.wait_for_selector('[data-index="1"] .mark.o')
    page.click('[role=gridcell][data-index="0"]')
    page.wait_for_selector('[data-index="0"] .mark.x')


def test_play_on_at_shared_device(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    page.select_option("#against", "here")
    page.click("[data-key=web-play-here]")
    page.wait_for_url("**/r/*")
    for cell, mark in ((0, "x"), (8, "o")):
        page.click(f'[role=gridcell][data-index="{cell}"]')
        page.wait_for_selector(f'[data-index="{cell}"] .mark.{mark}')


def test_play_on_offers_suitable_computers(visitors: Visitors) -> None:
    for game, is_offered in (("tictactoe", True), ("gomoku", False)):
        page = visitors.visit(f"/analysis?game={game}")
        page.wait_for_selector("#against option", state="attached")
        assert page.locator("#against option[value='level:10']").count() == 1
        assert bool(page.locator("#against option[value=perfect]").count()) is is_offered


def test_declining_computer_is_not_offered_again(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    page.select_option("#against", "perfect")
    result = '{"error": {"code": "unsupported-rules", "sentence": "It is too large."}}'
    held: list[Any] = []
    page.route("**/api/rooms?**", lambda route: held.append(route))
    page.click("[data-key=web-play-here]")
    wait_for(page, EN("web-looks-closer"), ".play-on .fact")
    page.click("[data-key=web-play-here]")  # no repeated request
    held.pop().fulfill(status=422, body=result)
    wait_for(page, "It is too large.", ".play-on .error-text")
    assert not held
    assert page.input_value("#against") == "level:10"
    assert page.locator("#against option[value=perfect]").count() == 0


def test_replay_opens_analysis_at_any_ply(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "1 4 2 5 3")
    page = visitors.visit(f"/g/{table.state['game_id']}?ply=4")
    page.click("[data-key=web-explore]")
    page.wait_for_url("**/analysis?**")
    wait_for(page, "X to move")
    assert page.locator(".mark").count() == 4


def test_finished_room_opens_analysis(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "1 4 2 5 3")
    page = visitors.visit(table.state["link"], size=PHONE)
    page.click("#bar [data-key=web-explore]")
    page.wait_for_url("**/analysis?**")
    page.wait_for_selector("#bar [data-key=web-delete-line]")
    assert page.locator(".mark").count() == 5
    below = "() => innerHeight - document.querySelector('#bar').getBoundingClientRect().bottom"
    assert page.evaluate(below) == 0  # the actions stay near the thumb


def test_solved_puzzle_opens_analysis(visitors: Visitors) -> None:
    page = visitors.visit("/puzzle/1")
    page.wait_for_selector("[data-key=web-puzzle-show]")
    assert page.locator("[data-key=web-explore]").count() == 0
    marks = page.locator(".mark").count()
    page.click("[data-key=web-puzzle-show]")
    page.click("[data-key=web-explore]")
    page.wait_for_url("**/analysis?**")
    page.wait_for_selector(".play-on")
    assert page.locator(".mark").count() == marks


def test_analysis_explains_illegal_moves(visitors: Visitors) -> None:
    page = visitors.visit("/analysis?game=tictactoe&moves=5,2&position=nothing")
    page.wait_for_selector("#panel a")
    visitors.wrong.clear()  # the browser reports status 422


def test_chosen_level_is_described(visitors: Visitors) -> None:
    page = visitors.visit("/")
    page.click("#options summary")
    page.select_option("#level", "level:1")
    wait_for(page, "misses most one-move wins", "#level-about")
    page.select_option("#level", "random")
    wait_for(page, "random legal move", "#level-about")


def test_link_is_copied_without_clipboard(visitors: Visitors) -> None:
    page = visitors.visit(CORNER)
    wait_for(page, "X to move")
    page.evaluate(
        """() => {
          navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"));
          document.addEventListener("copy", () => (window.copied = getSelection().toString()));
        }"""
    )
    page.click("[data-key=web-copy-link]")
    wait_for(page, EN("web-copied"), "#bar")
    assert page.evaluate("copied") == page.url
