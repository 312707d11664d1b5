"""What a worker is given and what it gives back: a question about a position, and the answer.

A worker keeps the search of the rules it was asked about last, with all that it remembers.
"""

import threading
from contextlib import suppress
from dataclasses import dataclass, replace

from noughts.core.board import index_of
from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, Limit, LimitReachedError
from noughts.search.blocking.search import BlockingSearch
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import MANY

TASK_SECONDS = 20.0
"""A task ends after so long with what is known: who asked may be gone."""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether side number ``attacker`` wins within ``left`` plies.

    Or, if it is about ``lines``, whether the other side can stop all of them.
    """

    attacker: int
    left: int = MANY
    lines: bool = False

    def after_move(self) -> "Question":
        """The same of the position one ply later."""
        return self if self.left == MANY else replace(self, left=self.left - 1)

    @property
    def depth(self) -> int:
        """The plies within which, 0 for at all."""
        return 0 if self.left == MANY else self.left

    def wants_yes(self, search: ExactSearch, game: Game) -> bool:
        """Whether the answer that the side to move in *game* wants is yes."""
        return (search.rules.marks.index(game.turn) == self.attacker) != self.lines

    def at_end(self, search: ExactSearch, game: Game) -> bool | None:
        """The answer where *game* has ended.

        None where the other side has a line: whether that one could stop all of the attacker's is not known.
        """
        wins = game.winner == search.rules.marks[self.attacker]
        if not self.lines:
            return wins
        return not wins if wins or game.winner is None else None

    def ask(self, search: ExactSearch, game: Game, budget: int | None = None) -> tuple[bool, Move | None]:
        """The answer of *search* about *game*, and the move that decides, if one stands out.

        Raises :class:`~noughts.search.analysis.LimitReachedError`.
        """
        if not self.lines:
            search.set_up(game)
            return search.wins(self.attacker, self.left, budget), search.best_move()
        blocking = blocking_of(search)
        holds = blocking.holds(game, self.attacker, search.effort, budget)
        reply = blocking.reply if holds else -1
        return holds, search.move_of(2 * reply) if reply >= 0 else None

    def recall(self, search: ExactSearch, game: Game) -> bool | None:
        """What *search* remembers of the answer, None for nothing."""
        if not self.lines:
            search.set_up(game)
            return search.recall(self.attacker, self.left)
        with suppress(LimitReachedError):
            return blocking_of(search).holds(game, self.attacker, Effort(), 0)
        return None

    def keep(self, search: ExactSearch, game: Game, answer: bool, best: Move | None, work: int) -> None:
        """Let *search* remember the *answer*, which took others *work* nodes, and the move that decides."""
        if self.lines:
            reply = -1 if best is None else index_of(game.shape, best)
            blocking_of(search).keep(game, self.attacker, answer, reply, work)
        else:
            search.set_up(game)
            search.keep(self.attacker, self.left, answer, work)

    def tried(self, search: ExactSearch) -> list[Move]:
        """The moves of the position that *search* was asked about last, in vain, as it tries them."""
        if self.lines:
            return [search.move_of(2 * cell) for cell in blocking_of(search).tried()]
        return search.tried()


def blocking_of(search: ExactSearch) -> BlockingSearch:
    """The search about lines that *search* asks, which has one."""
    assert search.blocking is not None  # noqa: S101 - who has none asks nothing about lines
    return search.blocking


@dataclass(frozen=True, slots=True)
class Task:
    """A question about *game*, for which there are so many ``nodes`` and bytes, None for the usual."""

    game: Game
    question: Question
    nodes: int
    max_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a task: the ``answer``, None where it was cut short, the deciding move, and the nodes."""

    answer: bool | None
    best: Move | None
    nodes: int


_kept = threading.local()
"""The search of this thread."""


def work_on(task: Task) -> Done:
    """Work on *task*; the same task may be worked on again, by whomever."""
    search = _search_for(task)
    search.effort = effort = Effort(Limit(nodes=task.nodes, seconds=TASK_SECONDS).started())
    try:
        answer, best = task.question.ask(search, task.game)
    except LimitReachedError:
        return Done(None, None, effort.nodes)
    return Done(answer, best, effort.nodes)


def _search_for(task: Task) -> ExactSearch:
    rules, about = task.game.rules, getattr(_kept, "about", None)
    assert rules is not None  # noqa: S101 - nobody divides what the exact search does not answer
    if about != (rules, task.max_bytes):
        _kept.search = search = ExactSearch(rules)
        if task.max_bytes is not None:
            search.limit_memory(task.max_bytes)
        _kept.about = rules, task.max_bytes
    found: ExactSearch = _kept.search
    return found
