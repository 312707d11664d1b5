"""Puzzles in the full screen: solving, wrong moves, hints, solutions and saved progress."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from noughts.errors import IllegalMove
from noughts.games.moves import parts_of
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.solving_page import SolvingPage
from noughts.interfaces.tui.widgets.keys import KEYS
from noughts.puzzles.puzzle import Puzzle, is_forced_pass
from noughts.puzzles.shipped import all_puzzles, games_with_puzzles, puzzles_of
from noughts.workers.messages import TaskFailure, TaskResult
from tests.interfaces.harness import SAY, squeezed
from tests.interfaces.tui.screens import SIZES, open_app, press, settle, spoken, text_of
from tests.interfaces.tui.table import SlowThinker, assert_fits
from tests.puzzles.test_attempt import SLOWER
from tests.running import run

LONG = next(puzzle for puzzle in puzzles_of("connect4") if len(puzzle.solution()) == 3)
OTHER_WAY = next(puzzle for puzzle in all_puzzles() if puzzle.position == SLOWER.position)


WINDOWS = list(zip([*SIZES.values(), (16, 3), (80, 8)], [*LANGUAGES, "ru"], strict=True))
"""The sizes of windows, each with a language."""


def ten() -> list[Puzzle]:
    """Ten puzzles of ten games, the longest of each."""
    longest = [max(puzzles_of(game), key=lambda one: len(one.line.split())) for game in games_with_puzzles()]
    return longest[:10]


def page_of(app: NoughtsApp) -> SolvingPage:
    page = app.screen
    assert isinstance(page, SolvingPage)
    return page


async def open_puzzle(app: NoughtsApp, puzzle: Puzzle) -> SolvingPage:
    app.push_screen(SolvingPage(puzzle, puzzles_of(puzzle.game), app))
    await settle(app)
    return page_of(app)


def text_above(app: NoughtsApp) -> str:
    """Return the text above the board."""
    page = page_of(app)
    assert page.session.message is not None
    sentence = page.session.message(page.wording)
    assert squeezed(sentence) in squeezed("".join(text_of(app)))
    return sentence


async def try_move(app: NoughtsApp, page: SolvingPage, move: Any) -> None:
    """Enter all parts of *move*: cells by their names, texts by their keys."""
    for part in parts_of(move):
        if isinstance(part, str):
            question = page.session.question
            assert question is not None
            key = next(key for key, (label, _) in question.answers.items() if label == part)
            await press(app, key)
        else:
            await press(app, "g", *page.session.names.cell(part), "enter", "enter")
    await settle(app)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ten()[::2], ids=lambda one: f"{one.game}-{one.id}")
def test_puzzle_is_solved_with_keys(puzzle: Puzzle) -> None:
    async def go() -> None:
        async with open_app() as (app, _):
            page = await open_puzzle(app, puzzle)
            game = puzzle.start()
            for move in puzzle.moves():
                if game.turn == puzzle.side and not is_forced_pass(game):
                    await try_move(app, page, move)
                    assert_fits(app)
                game.play(move)
            ending = "wins" if puzzle.kind == "win" else "does not lose"
            assert text_above(app) == f"Solved: {puzzle.side} {ending}."
            assert app.preferences.solved == (puzzle.id,)

    run(go())


Doing = Callable[[NoughtsApp, SolvingPage], Awaitable[None]]


def with_puzzle(puzzle: Puzzle, do: Doing, **around: Any) -> None:
    """Run a test on the page of *puzzle*."""

    async def go() -> None:
        async with open_app(**around) as (app, _):
            await do(app, await open_puzzle(app, puzzle))

    run(go())


def wrong_move(puzzle: Puzzle) -> Any:
    return next(move for move in puzzle.start().legal_moves() if move != puzzle.moves()[0])


def test_wrong_move_can_be_followed_by_another() -> None:
    first = puzzles_of("tictactoe")[0]

    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        assert page.session.cell_pointed_at(page.session.cursor) is not None  # Enter tries a move.
        for move in (wrong_move(first), first.moves()[0]):
            await try_move(app, page, move)
            assert not page.session.parts
        assert page.session.game.cells != first.start().cells

    with_puzzle(first, do)


def test_cursor_stays_after_a_right_move() -> None:
    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        before = page.session.cursor % 7
        column = int(LONG.solution()[0]) - 1
        await try_move(app, page, LONG.moves()[0])
        assert page.session.cursor % 7 == column != before
        await press(app, "u")
        assert page.session.cursor % 7 == before

    with_puzzle(LONG, do)


@pytest.mark.slow
def test_footer_keeps_the_key_to_leave() -> None:
    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        async for say in spoken(app):
            assert KEYS["leave-puzzle"].shown(say) in text_of(app)[-1]

    with_puzzle(LONG, do, size=(60, 20))


@pytest.mark.slow
def test_wrong_move_is_taken_back_and_refuted() -> None:
    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        await try_move(app, page, wrong_move(LONG))
        assert "answers with" in text_above(app)
        assert page.session.game.cells == LONG.start().cells
        await press(app, "1", "1", "1")  # Digits choose columns.
        assert page.session.message is not None

    with_puzzle(LONG, do)


@pytest.mark.slow
def test_other_winning_move_is_judged_in_worker() -> None:
    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        await press(app, "5", "1")
        assert text_above(app).startswith("Right.")
        await press(app, "s")
        assert text_above(app).startswith("Solution:")

    with_puzzle(OTHER_WAY, do)


@pytest.mark.slow
def test_moves_wait_during_judging() -> None:
    thinker = SlowThinker()

    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        await try_move(app, page, wrong_move(LONG))
        assert text_above(app) == SAY["en"]("searching")
        await try_move(app, page, LONG.moves()[0])
        assert len(thinker.waiting) == 1
        assert page.session.game.cells == LONG.start().cells
        thinker.last.tell(TaskFailure("gone"))
        await settle(app)
        assert text_above(app) != SAY["en"]("searching")
        await try_move(app, page, wrong_move(LONG))
        thinker.last.answer()
        await settle(app)
        assert "answers with" in text_above(app)  # An immediate win takes no search time.
        await try_move(app, page, wrong_move(LONG))
        thinker.last.tell(TaskResult(IllegalMove((0, 0), ())))
        await settle(app)
        assert page.session.game.cells == LONG.start().cells
        await try_move(app, page, wrong_move(LONG))
        await press(app, "n")
        assert thinker.last.is_stopped

    with_puzzle(LONG, do, thinker=thinker)


@pytest.mark.slow
def test_hint_skips_refuted_moves() -> None:
    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        game, best = page.session.game, page._attempt.best
        for move in game.legal_moves():
            if move != best:
                await try_move(app, page, move)
        await press(app, "question_mark")
        assert text_above(app) == SAY["en"]("look-only")

    with_puzzle(LONG, do)


def test_hints_show_area_then_move() -> None:
    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        await press(app, "question_mark")
        assert text_above(app).startswith("Look at")
        await press(app, "question_mark")
        assert text_above(app) == f"Hint: column {LONG.solution()[0]}."
        assert any("<" in line for line in text_of(app))

    with_puzzle(LONG, do)


def test_solution_is_followed_by_next_puzzle() -> None:
    async def do(app: NoughtsApp, page: SolvingPage) -> None:
        await press(app, "s")
        assert text_above(app) == f"Solution: columns {LONG.line}"
        assert page.session.game.winner == LONG.side
        await press(app, "s", "question_mark", "1")
        assert text_above(app) == f"Solution: columns {LONG.line}"
        assert app.preferences.solved == ()
        await press(app, "u")
        assert page.session.game.cells == LONG.start().cells
        await press(app, "s", "enter")
        assert page.session.game.cells != LONG.start().cells
        assert page.session.message is None

    with_puzzle(LONG, do)


@pytest.mark.slow
def test_solved_puzzle_is_not_repeated() -> None:
    reversi = puzzles_of("reversi")[0]

    async def go() -> None:
        async with open_app(preferences=Preferences(solved=(reversi.id,))) as (app, _):
            app.push_screen(SolvingPage(LONG, (LONG, reversi), app))
            await settle(app)
            await press(app, "n")
            assert page_of(app).session.latest.name == reversi.start().name  # All other puzzles are solved.
            await try_move(app, page_of(app), reversi.moves()[0])
            assert_fits(app)

    run(go())


def test_gallery_opens_puzzles_of_the_chosen_game() -> None:
    async def go() -> None:
        async with open_app(preferences=Preferences(game="connect4")) as (app, _):
            await press(app, "p")
            assert page_of(app).session.latest.name == LONG.start().name
            await press(app, "q")
            assert not isinstance(app.screen, SolvingPage)
        async with open_app(preferences=Preferences(game="fifteen")) as (app, _):
            await press(app, "p")
            assert isinstance(app.screen, SolvingPage)
            await press(app, "escape")
            assert not isinstance(app.screen, SolvingPage)

    run(go())


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), WINDOWS)
def test_puzzles_fit_every_window_in_every_language(language: str, size: tuple[int, int]) -> None:
    async def go() -> None:
        async with open_app(size, language) as (app, _):
            fitting = [LONG, puzzles_of("wild")[0], puzzles_of("qubic")[0]]
            del fitting[WINDOWS.index((size, language)) % len(fitting)]  # Two puzzles in each window.
            for puzzle in fitting:
                page = await open_puzzle(app, puzzle)
                assert_fits(app)
                for key in ("question_mark", "question_mark", "enter", "f1", "escape", "s"):
                    await press(app, key)
                    assert_fits(app)
                    if page.session.question is not None:  # The key chooses the mark.
                        await press(app, "escape")
                assert page._is_shown
                await press(app, "q")

    run(go())
