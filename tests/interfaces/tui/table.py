"""Helpers for a game: plans, thinkers that wait, and the model behind the screen."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import Any

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Begins, Score, recount
from noughts.arena.store.store import Store
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.game_plan import HUMAN, GamePlan
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.presenting.tasks import choose
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.text import display_width
from noughts.workers.messages import (
    PendingResult,
    Task,
    TaskContext,
    TaskFailure,
    TaskResult,
    TaskWorker,
    run_task,
)
from tests.interfaces.harness import SAY, squeezed
from tests.interfaces.tui.screens import press, settle, text_of
from tests.stand_ins import ThinkingHere

NAMES = ("Ada", "Wei", "Жанна", "小林")

WIN = "14253"
"""X has row 3, the uppermost."""

DRAW = "519328467"


def plan_of(
    game: str = "tictactoe",
    *who: str,
    names: Sequence[str] | None = None,
    begins: Begins = Begins.ALTERNATE,
    clock: Clock = UNTIMED,
    first: int = 1,
    is_series: bool | None = None,
) -> GamePlan:
    """Return a plan to play *game*; *who* plays it, by default people."""
    sides = new_game(game).sides
    seated = [*who, *[HUMAN] * len(sides)][: len(sides)]
    if names is None:
        names = [NAMES[place] if name == HUMAN else name for place, name in enumerate(seated)]
    is_series = len(sides) > 1 if is_series is None else is_series
    return GamePlan(game, seated, list(names), is_series, begins, seed=7, first=first, clock=clock)


AGAINST_RULE = plan_of("tictactoe", "human", "rule")
RULE = player_called(SAY["en"], "rule", "rule")
"""A game against a computer, and the computer's name in English."""


def page_of(app: NoughtsApp) -> GamePage:
    """Return the open game page, even if another screen covers it."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, GamePage))


def board_of(app: NoughtsApp) -> str:
    """Return the marks of the viewed position, with ``.`` for an empty cell."""
    return marks_of(page_of(app).session.game)


def marks_of(game: Game) -> str:
    """Return the marks of *game*, with ``.`` for an empty cell."""
    return "".join(cell or "." for cell in game.cells)


def left_of(app: NoughtsApp) -> str:
    """Return the text left of the sidebar, without blanks and line ends."""
    return squeezed("".join(lines_left_of(app)))


def lines_left_of(app: NoughtsApp) -> list[str]:
    """Return the lines left of the sidebar."""
    return [left for left, _ in _parts(app)]


def _parts(app: NoughtsApp) -> list[tuple[str, str]]:
    """Return the lines, each divided at the edge of the sidebar."""
    room = app.size.width - page_of(app).panels.arrangement.sidebar
    cuts = [(line, bisect_right(list(accumulate(map(display_width, line))), room)) for line in text_of(app)]
    return [(line[:cut], line[cut:]) for line, cut in cuts]


def sidebar_of(app: NoughtsApp) -> list[str]:
    """Return the lines of the sidebar."""
    return [right.lstrip("│").strip() for _, right in _parts(app)]


def tells(app: NoughtsApp, sentence: str) -> bool:
    """Return True if *sentence* is above or below the board, however it is wrapped."""
    return squeezed(sentence) in left_of(app)


def message_of(app: NoughtsApp) -> str:
    """Return the message of the page, after a check that it is visible."""
    message = page_of(app).session.message
    assert message is not None
    assert tells(app, message(page_of(app).wording))
    return message(page_of(app).wording)


async def make_a_move(app: Any) -> None:
    """Place a mark at the cursor, or make the first legal move if that is impossible."""
    page = page_of(app)
    playing = page.session
    if playing.is_over:
        return
    before = playing.match.version
    await press(app, "enter")
    if page.session.question is not None:
        await press(app, "x")
    if playing.match.version == before:
        move = playing.latest.legal_moves()[0]
        await press(app, "g", *playing.names.move(move), "enter", "enter")
        if page.session.question is not None:
            await press(app, "x")


async def tick(app: NoughtsApp) -> None:
    """Check the clocks, which happens several times a second."""
    page_of(app).turns.look_at_clocks()
    await settle(app)


# Invariants


def assert_fits(app: NoughtsApp) -> None:
    """Check that every line has the width of the window, and that the lines fill it."""
    lines = text_of(app)
    width, height = app.screen.size
    assert len(lines) == height, lines
    assert {display_width(line) for line in lines} <= {width}, "\n".join(lines)


def assert_is_model(app: NoughtsApp, store: Store) -> None:
    """Check that the table matches its stored events, and that the scores are a recount."""
    playing = page_of(app).session
    sitting = playing.table
    match = sitting.match
    assert isinstance(sitting, LocalTable)
    assert match is not None
    if sitting.number is None:
        assert match.version == 0 or sitting.store is None
    else:
        replayed = store.load(sitting.number).replay()
        assert facts_of(replayed) == facts_of(match)
    if playing.trial is None:
        assert playing.match is match
        past = match.game.copy()
        while past.ply > playing.game.ply:
            past.undo()
        assert (past.cells, past.turn) == (playing.game.cells, playing.game.turn)
    assert 0 <= playing.cursor < len(match.game.cells)
    if sitting.store is None:
        results = sitting.series.results
    elif sitting.series_number is not None:
        results = sitting_results(store, sitting)
    else:  # Other games may have been played before these and since.
        results = sitting.series.results
        assert all(result in store.results() for result in results)
    assert sitting.series.scores() == recount(results, map(Score, sitting.series.players))


def sitting_results(store: Store, sitting: Any) -> list[Any]:
    """Return the stored results of the series of *sitting*."""
    results = [stored.result for stored in store.games(sitting.series_number)]
    return [result for result in results if result is not None]


def facts_of(match: Any) -> Mapping[str, Any]:
    """Return all public facts about a match."""
    game = match.game
    return {
        "cells": tuple(game.cells),
        "moves": tuple(game.moves),
        "turn": match.turn,
        "outcome": match.outcome,
        "version": match.version,
        "offer": match.offer,
    }


# Thinkers that answer on request


@dataclass
class Waiting:
    """A task without an answer."""

    task: Task
    arguments: tuple[Any, ...]
    thought: PendingResult
    tell: Callable[[Any], None]

    @property
    def is_stopped(self) -> bool:
        """True if the caller dropped the task."""
        return self.thought._is_stopped

    def work(self) -> TaskResult | TaskFailure:
        """Return the result of the task."""
        desk = TaskContext({}, lambda progress: None, lambda: True)
        return run_task(desk, lambda at: self.task(at, *self.arguments))

    def answer(self) -> None:
        """Answer now, as a thinker does; a dropped task sends nothing."""
        self.thought.deliver(self.work())

    def answer_late(self) -> None:
        """Send the answer as if it had been on its way when the task was dropped."""
        self.tell(self.work())


class SlowThinker(TaskWorker):
    """A thinker that stores its tasks; with *answers_moves* it answers computers' moves at once."""

    def __init__(self, *, answers_moves: bool = False) -> None:
        self.waiting: list[Waiting] = []
        self.is_closed = False
        self._here = ThinkingHere()
        self._answers_moves = answers_moves

    def ask(self, task: Task, *arguments: Any, on_message: Any, patience: float = inf) -> PendingResult:
        if self._answers_moves and task is choose:
            return self._here.ask(task, *arguments, on_message=on_message, patience=patience)
        thought = PendingResult(on_message)
        self.waiting.append(Waiting(task, arguments, thought, on_message))
        return thought

    def close(self) -> None:
        self.is_closed = True

    @property
    def last(self) -> Waiting:
        """The latest task."""
        return self.waiting[-1]
