"""Questions to the exact search and its companions, as values with a common interface."""

from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from noughts.core.board import index_of
from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, LimitReachedError, SearchQuestion
from noughts.search.dfpn.search import AttackSearch
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT
from noughts.search.maker_breaker.search import BlockingSearch


@dataclass(frozen=True, slots=True)
class ExactQuestion:
    """The question whether side number ``attacker`` wins within ``left`` plies.

    A question about ``lines`` is whether the other side can stop all of them.
    """

    attacker: int
    left: int = NO_LIMIT
    lines: bool = False

    def after_move(self) -> "ExactQuestion":
        """Return the same question about the position one ply later."""
        return self if self.left == NO_LIMIT else replace(self, left=self.left - 1)

    def search_question(self) -> SearchQuestion:
        """Return the question as it is reported while it is open."""
        depth = 0 if self.left == NO_LIMIT else self.left
        return SearchQuestion("stops" if self.lines else "wins", self.attacker, depth)

    @property
    def is_divided(self) -> bool:
        """True if the question is divided when it is too much for one worker.

        Otherwise the worker continues with it.
        """
        return True

    def runners(self, count: int) -> "Sequence[ExactQuestion]":
        """Return the questions for *count* workers that race, if it is not divided among the moves."""
        return ()

    def wants_yes(self, search: ExactSearch, game: Game) -> bool:
        """Return True if the side to move in *game* wants the answer yes."""
        return (search.rules.marks.index(game.turn) == self.attacker) != self.lines

    def at_end(self, search: ExactSearch, game: Game) -> bool | None:
        """Return the answer for a finished *game*.

        Return None if the other side has a line: it is not known whether that side could stop all of the
        attacker's.
        """
        wins = game.winner == search.rules.marks[self.attacker]
        if not self.lines:
            return wins
        return not wins if wins or game.winner is None else None

    def ask(self, search: ExactSearch, game: Game, budget: int | None = None) -> tuple[bool, Move | None]:
        """Return the answer of *search* about *game*, and the deciding move, if it is known.

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
        """Return the answer that *search* has stored, None if there is none."""
        if not self.lines:
            search.set_up(game)
            return search.recall(self.attacker, self.left)
        with suppress(LimitReachedError):
            return blocking_of(search).holds(game, self.attacker, Effort(), 0)
        return None

    def store_answer(
        self, search: ExactSearch, game: Game, answer: bool, best: Move | None, work: int
    ) -> None:
        """Store the *answer* in *search*, with the deciding move. Workers found it with *work* nodes."""
        if self.lines:
            reply = -1 if best is None else index_of(game.shape, best)
            blocking_of(search).store_answer(game, self.attacker, answer, reply, work)
        else:
            search.set_up(game)
            search.store_answer(self.attacker, self.left, answer, work)

    def move_order(self, search: ExactSearch) -> list[Move]:
        """Return the moves of the last position that *search* could not answer, in the order tried."""
        if self.lines:
            return [search.move_of(2 * cell) for cell in blocking_of(search).move_order()]
        return search.move_order()

    def shared_results(self, search: ExactSearch) -> "array[int]":
        """Return the results of *search* that other workers can reuse."""
        return blocking_of(search).news() if self.lines else array("q")

    def learn(self, search: ExactSearch, results: "array[int]") -> None:
        """Add the *results* of other workers to *search*."""
        if self.lines:
            blocking_of(search).learn(results)


@dataclass(frozen=True, slots=True)
class Attack(ExactQuestion):
    """The question whether an attack of side number ``attacker`` is found to win.

    The answer no proves nothing. The question is a race. Each runner breaks ties between moves by its
    ``seed``, and learns the wins of the others. The winner of the race, and so the move and the nodes,
    depends on the speed of the workers.
    """

    seed: int | None = None

    def search_question(self) -> SearchQuestion:
        return SearchQuestion("attacks", self.attacker, numbers=(1, 1))

    @property
    def is_divided(self) -> bool:
        return self.seed is None

    def runners(self, count: int) -> Sequence[ExactQuestion]:
        return [replace(self, seed=seed) for seed in range(count)]

    def wants_yes(self, search: ExactSearch, game: Game) -> bool:
        """Return True: one runner must succeed, whichever side is to move."""
        return True

    def ask(self, search: ExactSearch, game: Game, budget: int | None = None) -> tuple[bool, Move | None]:
        attacking = attacking_of(search)
        if self.seed is not None and not attacking.nodes:  # A runner keeps the seed with which it started.
            attacking.use_seed(self.seed)
        wins = attacking.finds_win(game, self.attacker, search.effort, budget)
        return wins, search.move_of(2 * attacking.best) if attacking.best >= 0 else None

    def recall(self, search: ExactSearch, game: Game) -> bool | None:
        """Return None: a search with few nodes gives the answer."""
        return None

    def store_answer(
        self, search: ExactSearch, game: Game, answer: bool, best: Move | None, work: int
    ) -> None:
        """Do nothing: the win is among the shared results."""

    def shared_results(self, search: ExactSearch) -> "array[int]":
        return attacking_of(search).wins()

    def learn(self, search: ExactSearch, results: "array[int]") -> None:
        attacking_of(search).learn(results)


def attacking_of(search: ExactSearch) -> AttackSearch:
    """Return the search for attacks of *search*, which must have one."""
    assert search.attacking is not None  # noqa: S101 - who has none asks for no attacks
    return search.attacking


def blocking_of(search: ExactSearch) -> BlockingSearch:
    """Return the search about lines of *search*, which must have one."""
    assert search.blocking is not None  # noqa: S101 - who has none asks nothing about lines
    return search.blocking


class Divider(Protocol):
    """Divides questions among workers."""

    def ask(self, game: Game, question: ExactQuestion, budget: int) -> tuple[bool, Move | None] | None:
        """Return the answer to *question* about *game* and the deciding move; None if it is not divided."""
