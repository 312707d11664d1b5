"""The review in the full screen: it fills in from the end and shows better lines."""

import re

import pytest

from noughts.interfaces.presenting.tasks import review_game
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.review import ReviewPage
from noughts.search.analysis import Progress
from noughts.search.explain.review import Review
from noughts.workers.messages import TaskContext, TaskFailure, TaskResult
from tests.interfaces.harness import SAY, squeezed
from tests.interfaces.tui.screens import EVERY, SIZES, click_text, open_app, press, seen, settle
from tests.interfaces.tui.table import DRAW, WIN, SlowThinker, Waiting, page_of, plan_of, sidebar_of
from tests.running import run

pytestmark = pytest.mark.slow

SAYS = SAY["en"]

MOVES = "325189674"
"""Moves 2, 5 and 6 are mistakes, and move 7 wins later than possible."""


def review_of(app: NoughtsApp) -> ReviewPage:
    """Return the open review."""
    assert isinstance(app.screen, ReviewPage)
    return app.screen


def messages(question: Waiting) -> list[Progress | TaskResult]:
    """Return all messages of a task: its progress, then its answer."""
    received: list[Progress | TaskResult] = []
    answer = TaskResult(
        review_game(TaskContext({}, received.append, lambda: False, apart=0.0), *question.arguments)
    )
    return [*received, answer]


def test_review_opens_at_the_decisive_turning_point() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *MOVES, "v")
            page, chosen = review_of(app), []
            for _ in range(4):
                chosen += [
                    move.ply
                    for move in page._texts.review.moves
                    if page._texts.sentence(SAYS, move)[:30] in " ".join(seen(app).split())
                ]
                await press(app, "t")
            assert chosen == [6, 2, 5, 6]
            assert "7 X c2 ?!" in seen(app)

    run(test())


@pytest.mark.parametrize(("size", "language"), EVERY)
def test_review_fills_in_during_the_search(language: str, size: tuple[int, int]) -> None:
    thinker, say = SlowThinker(), SAY[language]

    async def test() -> None:
        async with open_app(size, language, plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *MOVES, "v", "left", "down", "]", "t")
            page, question = review_of(app), thinker.last
            assert (page._move, page._chosen) == (None, 9)
            page._is_moved = False  # These keys have nothing to choose yet; the following ones have.
            chosen = []
            *reports, answer = messages(question)
            for progress in reports:
                question.thought.deliver(progress)
                await settle(app)
                chosen.append(page._chosen)
                if size != SIZES["narrow"] or len(chosen) < 2:
                    assert squeezed(say("progress-reviewing", done=len(chosen), of=10)) in squeezed(seen(app))
            # At first the last move is known, then a missed win, then the decisive move.
            assert chosen == [9, 9, 9, 7, 6, 6, 6, 6, 6, 6]
            question.thought.deliver(answer)
            await settle(app)
            assert squeezed(say("progress-reviewing", done=10, of=10)) not in squeezed(seen(app))
            assert page._chosen == 6

    run(test())


def test_chosen_move_stays_while_review_fills_in() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *MOVES, "v")
            page, question = review_of(app), thinker.last
            reports = messages(question)
            question.thought.deliver(reports[2])
            await settle(app)
            await press(app, "left", "left", "left")
            assert page._chosen == 8  # Nothing is known about earlier moves.
            question.thought.deliver(reports[-1])
            await settle(app)
            assert page._chosen == 8

    run(test())


def test_review_is_searched_once() -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            page = page_of(app)
            await press(app, *MOVES, "v", "escape")
            assert thinker.last.is_stopped
            thinker.last.answer_late()
            await settle(app)
            assert app.screen is page
            assert not page.session.is_looking_back
            await press(app, "v")
            thinker.last.answer()
            await settle(app)
            shown = seen(app)
            await press(app, "escape", "v")
            assert seen(app) == shown
            assert len(thinker.waiting) == 2
            await press(app, "escape", "n", *WIN, "v")
            assert len(thinker.waiting) == 3  # The third task is about another game.

    run(test())


@pytest.mark.parametrize("key", ["f1", "L", "ctrl+p"])
def test_review_fills_in_under_help_and_lists(key: str) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *MOVES, "v", key)
            over = app.screen
            thinker.last.thought.deliver(messages(thinker.last)[-1])
            await settle(app)
            assert app.screen is over
            await press(app, "escape")
            assert review_of(app)._chosen == 6
            assert SAYS("better-line") in seen(app)

    run(test())


@pytest.mark.parametrize("keys", ["n", "[[b"])
def test_review_needs_a_match_on_the_table(keys: str) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *WIN, "v", "escape", *keys)
            question = thinker.waiting[0]
            assert question.is_stopped
            question.answer_late()
            await settle(app)
            assert app.screen is page_of(app)
            game = "2" if keys == "n" else "1"
            assert any(line.startswith(SAYS("series-game", number=game)) for line in sidebar_of(app))

    run(test())


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_failed_review_shows_its_reason(size: tuple[int, int]) -> None:
    thinker = SlowThinker()

    async def test() -> None:
        async with open_app((100, 30), plan=plan_of(), thinker=thinker) as (app, _):
            await press(app, *WIN, "v")
            thinker.last.thought.deliver(TaskFailure("gone"))
            await settle(app)
            assert squeezed(SAYS("thinking-gone")) in squeezed(seen(app))
            assert not review_of(app)._texts.review.moves

    run(test())


# Better lines


@pytest.mark.parametrize("width", [60, 100])
def test_better_line_can_be_stepped_through(width: int) -> None:
    async def test() -> None:
        async with open_app((width, 30), plan=plan_of()) as (app, _):
            await press(app, *MOVES, "v")
            page = review_of(app)
            reports: Review = page._texts.review
            line = reports.moves[5].line
            assert len(line) == 4

            def stands() -> list[object]:
                return list(page._position()[0].moves)

            played = list(page_of(app).session.latest.moves)
            assert stands() == played[:6]
            for step in range(1, 5):
                await press(app, "]" if step % 2 else "right")
                assert stands() == [*played[:5], *line[:step]]
                assert f">{page._texts.line(reports.moves[5])[step - 1]}<" in seen(app)
                assert re.search("a +b +c\n", seen(app))  # The board is visible.
            await press(app, "]")  # The line ends there.
            assert stands() == [*played[:5], *line]
            await press(app, "[", "left")
            assert stands() == [*played[:5], *line[:2]]
            await click_text(app, "  ".join(page._texts.line(reports.moves[5])[2:]))
            assert stands() == [*played[:5], *line[:3]]
            await press(app, "[", "[", "[", "[")
            assert stands() == played[:6]
            await press(app, "]", "t")
            assert (page._chosen, page._step) == (2, 0)

    run(test())


def test_best_move_has_no_better_line() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *MOVES, "v", "down", "down", "]", "right")
            page = review_of(app)
            assert (page._chosen, page._step) == (9, 0)
            assert SAYS("key-line-on") not in seen(app)

    run(test())


def test_review_without_mistakes() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *DRAW, "v")
            assert review_of(app)._chosen == 9
            assert SAYS("review-nothing") in seen(app)
            assert SAYS("key-turning-point") not in seen(app)
            await press(app, "t")
            assert review_of(app)._chosen == 9

    run(test())


def test_board_shows_the_better_move() -> None:
    async def test() -> None:
        async with open_app((100, 30), plan=plan_of()) as (app, _):
            await press(app, *MOVES, "v")
            game, view, focus = review_of(app)._position()
            assert (game.ply, view.highlights, focus) == (6, {6: "hint"}, 6)
            assert sorted(view.last) == [8]

    run(test())
