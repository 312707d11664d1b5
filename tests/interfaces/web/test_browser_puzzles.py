"""Puzzles in the browser: solved by touch and by keyboard, with hints and stored progress.

Each run solves half of them by touch and half by keyboard. The weekly run solves all of them both ways.
"""

from typing import TYPE_CHECKING

import pytest

from noughts.core.board import index_of
from noughts.games.moves import parts_of
from noughts.games.notation import format_move
from noughts.puzzles.puzzle import Puzzle, is_forced_pass
from noughts.puzzles.shipped import all_puzzles, games_with_puzzles, puzzles_of
from tests.interfaces.harness import SAY
from tests.interfaces.web.test_browser_whole_games import phone_at, press, tap
from tests.interfaces.web.visiting import Visitors, hold_first, say, wait_for
from tests.weekly import each_week_all

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.slow

LONG = next(puzzle for puzzle in puzzles_of("connect4") if len(puzzle.solution()) == 3)


def ten(*, flat: bool) -> list[Puzzle]:
    """Return ten puzzles of as many games as possible, the longest of each first."""
    found: list[Puzzle] = []
    for game in games_with_puzzles():
        ordered = sorted(puzzles_of(game), key=lambda one: (-len(one.line.split()), one.id))
        if not flat or ordered[0].start().layout.planes == 1:
            found += ordered[:2]
    firsts, seconds = found[::2], found[1::2]
    return (firsts + seconds)[:10]


@pytest.mark.parametrize("puzzle", each_week_all(ten(flat=True), 5), ids=lambda one: f"{one.game}-{one.id}")
def test_puzzles_are_solved_by_touch(visitors: Visitors, puzzle: Puzzle) -> None:
    page = phone_at(visitors, f"/puzzle/{puzzle.id}")
    solve(page, puzzle, tap)


@pytest.mark.parametrize(
    "puzzle", each_week_all(ten(flat=False)[::-1], 5), ids=lambda one: f"{one.game}-{one.id}"
)
def test_puzzles_are_solved_by_keyboard(visitors: Visitors, puzzle: Puzzle) -> None:
    page = visitors.visit(f"/puzzle/{puzzle.id}")
    page.wait_for_selector(".bar")
    page.focus("[role=gridcell][tabindex='0']")
    solve(page, puzzle, press)


def solve(page: "Page", puzzle: Puzzle, say_part: object) -> None:
    """Make the moves of the solution, each after the response to the last one."""
    page.wait_for_selector(".bar")
    game, made = puzzle.start(), 0
    for move in puzzle.moves():
        if game.turn == puzzle.side and not is_forced_pass(game):
            for part in parts_of(move):
                say_part(page, game, part)  # type: ignore[operator]
            made += 1
            wait_for_ring(page, made)
        game.play(move)
    wait_for(page, "Solved.")
    assert page.evaluate("localStorage.getItem('noughts-puzzles')") == str(puzzle.id)


def wait_for_ring(page: "Page", made: int) -> None:
    """Wait until a number of moves are marked as made."""
    page.wait_for_function("made => document.querySelectorAll('.dots i.d').length === made", arg=made)


def test_wrong_move_is_refuted_and_removed(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.wait_for_selector(".bar")
    game = LONG.start()
    wrong = next(move for move in game.legal_moves() if move != LONG.moves()[0])
    page.click(f'[data-index="{index_of(game.shape, wrong)}"]')
    wait_for(page, "The move is taken back.", "#status p")
    assert "answers with" in say(page, "#status p")
    assert page.locator(".dots i.d").count() == 0
    assert page.locator("[role=gridcell] .mark").count() == sum(cell is not None for cell in game.cells)
    with page.expect_request("**/hint*") as body:
        page.click("[data-key=web-hint]")
    assert (body.value.post_data_json or {})["refuted"] == [format_move(game, wrong)]


def test_hints_lead_to_solution(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.click("[data-key=web-hint]")
    wait_for(page, "Look at", "#status p")
    page.click("[data-key=web-hint]")
    wait_for(page, f"Hint: column {LONG.solution()[0]}.", "#status p")
    page.click("[data-key=web-puzzle-show]")
    wait_for(page, f"Solution: columns {LONG.line}", "#status p")
    page.wait_for_selector(".strike")
    assert page.evaluate("document.activeElement.dataset.key") == "web-puzzle-next"
    assert page.evaluate("localStorage.getItem('noughts-puzzles')") is None
    page.click("[data-key=web-puzzle-over]")
    wait_for(page, "Play the move", "#status p")
    assert page.locator(".strike").count() == 0


def let_go(page: "Page", held: "list[Route]") -> None:
    with page.expect_response(held[0].request.url):
        held[0].continue_()


def test_solution_can_be_requested_during_hint(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.wait_for_selector(".bar")
    held = hold_first(page, "**/hint*")
    with page.expect_request("**/hint*"):
        page.click("[data-key=web-hint]")
    page.click("[data-key=web-puzzle-show]")
    page.click("[data-key=web-puzzle-show]")
    held[0].continue_()
    wait_for(page, f"Solution: columns {LONG.line}", "#status p")


def test_restart_drops_pending_response(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.wait_for_selector(".bar")
    held = hold_first(page, "**/hint*")
    with page.expect_request("**/hint*"):
        page.click("[data-key=web-hint]")
    page.click("[data-key=web-puzzle-over]")
    let_go(page, held)
    wait_for(page, "Play the move", "#status p")
    page.click("[data-key=web-hint]")
    wait_for(page, "Look at", "#status p")  # the first hint again


def speak_russian(page: "Page", asked: str) -> None:
    """Change the language, which sends a request for *asked*."""
    page.click("#languages summary")
    with page.expect_request(asked):
        page.click("#languages a[hreflang=ru]")


def cell_of_move(number: int) -> str:
    """Return the cell of move *number* of the long puzzle, counted from 0 for both sides."""
    game = LONG.start()
    return f'[role=gridcell][data-index="{index_of(game.shape, LONG.moves()[number])}"]'


def test_restart_does_not_wait_for_response(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.wait_for_selector(".bar")
    held = hold_first(page, "**/hint*")
    page.click("[data-key=web-hint]")
    page.click("[data-key=web-puzzle-over]")
    page.click("[data-key=web-puzzle-show]")
    wait_for(page, f"Solution: columns {LONG.line}", "#status p")
    page.click("[data-key=web-puzzle-over]")
    let_go(page, held)
    wait_for(page, "Play the move", "#status p")


def test_language_change_keeps_moves_and_restart(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.wait_for_selector(".bar")
    page.click(cell_of_move(0))
    wait_for_ring(page, 1)
    held = hold_first(page, "**/tries*")
    speak_russian(page, "**/tries*")
    page.click(cell_of_move(2))
    wait_for_ring(page, 2)
    let_go(page, held)
    page.wait_for_function("document.documentElement.lang === 'ru'")
    wait_for_ring(page, 2)
    page.unroute("**/tries*")
    page.click("[data-key=web-puzzle-over]")
    wait_for_ring(page, 0)


def test_language_change_keeps_solution_hidden(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.click("[data-key=web-puzzle-show]")
    page.wait_for_selector(".strike")
    held = hold_first(page, "**/solution*")
    speak_russian(page, "**/solution*")
    page.click("[data-key=web-puzzle-over]")
    let_go(page, held)
    wait_for(page, SAY["ru"]("web-puzzle-choose"), "#margin")
    assert page.locator(".strike").count() == 0
    page.click(cell_of_move(0))
    wait_for_ring(page, 1)


def test_next_puzzle_is_unsolved_in_same_game(visitors: Visitors) -> None:
    page = visitors.visit("/puzzles")
    others = [puzzle.id for puzzle in puzzles_of("connect4") if puzzle.grade == 1]
    page.evaluate("ids => localStorage.setItem('noughts-puzzles', ids.join(' '))", others)
    page.reload()
    page.click("[data-key=solve-connect4]")
    page.wait_for_url("**/puzzle/*")
    first = int(page.url.rpartition("/")[2])
    assert first == next(puzzle.id for puzzle in puzzles_of("connect4", 2))
    page.click("[data-key=web-puzzle-next]")
    page.wait_for_url(lambda url: not url.endswith(f"/{first}"))
    page.wait_for_selector(".bar")
    assert int(page.url.rpartition("/")[2]) == puzzles_of("connect4", 2)[1].id


def test_puzzle_list_links_daily_puzzle(visitors: Visitors) -> None:
    page = visitors.visit("/")
    page.click(".nav > a[href='/puzzles']")
    page.wait_for_selector(".puzzle-rows")
    assert page.locator(".puzzle-rows > li").count() == len(games_with_puzzles())
    assert page.locator(".puzzle-rows > li > span > .pic").count() == len(games_with_puzzles())
    rows = page.inner_text(".puzzle-rows")
    assert "next: easy, to win" in rows
    assert "next: easy, not to lose" in rows
    page.click("[data-key=daily]")
    page.wait_for_selector(".bar")
    assert "Puzzle of the day" in page.inner_text("#margin")


def test_language_changes_during_puzzle(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{LONG.id}")
    page.wait_for_selector(".bar")
    game = LONG.start()
    page.click(f'[data-index="{index_of(game.shape, LONG.moves()[0])}"]')
    wait_for_ring(page, 1)
    page.click("#languages summary")
    page.click("#languages a[hreflang=ru]")
    wait_for(page, "Верно.", "#status p")
    assert page.locator(".dots i.d").count() == 1
    assert say(page, "#languages .spoken") == "Русский"  # which marks the list of puzzles as current


def test_missing_puzzle_is_reported(visitors: Visitors) -> None:
    page = visitors.visit(f"/puzzle/{len(all_puzzles()) + 1}")
    wait_for(page, "There is no such puzzle")
    page.click("#panel a")
    page.wait_for_selector(".puzzle-rows")
