"""Questions to the exact search and those beside it, as values: each knows how it is asked and remembered."""

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
    """Whether side number ``attacker`` wins within ``left`` plies.

    Or, if it is about ``lines``, whether the other side can stop all of them.
    """

    attacker: int
    left: int = NO_LIMIT
    lines: bool = False

    def after_move(self) -> "ExactQuestion":
        """The same of the position one ply later."""
        return self if self.left == NO_LIMIT else replace(self, left=self.left - 1)

    def search_question(self) -> SearchQuestion:
        """What is told of it while it is open."""
        depth = 0 if self.left == NO_LIMIT else self.left
        return SearchQuestion("stops" if self.lines else "wins", self.attacker, depth)

    @property
    def is_divided(self) -> bool:
        """Whether it is divided where it is too much for a worker; else one goes on with it."""
        return True

    def runners(self, count: int) -> "Sequence[ExactQuestion]":
        """What *count* workers race for, if it is not divided among the moves."""
        return ()

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

    def shared_results(self, search: ExactSearch) -> "array[int]":
        """What others who work on it may make use of, of what *search* has found."""
        return blocking_of(search).news() if self.lines else array("q")

    def learn(self, search: ExactSearch, results: "array[int]") -> None:
        """Let *search* make use of what others have *found*."""
        if self.lines:
            blocking_of(search).learn(results)


@dataclass(frozen=True, slots=True)
class Attack(ExactQuestion):
    """Whether an attack of side number ``attacker`` is found to win: no says nothing.

    It is a race: each runner tries moves that look alike in the order of a ``seed``, and learns the wins of
    the others. Which runner comes in first, and so the move and the nodes, hangs on who was quicker.
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
        """It is: of a race one has to come in, whoever is to move."""
        return True

    def ask(self, search: ExactSearch, game: Game, budget: int | None = None) -> tuple[bool, Move | None]:
        attacking = attacking_of(search)
        if self.seed is not None and not attacking.nodes:  # who has begun goes on
            attacking.use_seed(self.seed)
        wins = attacking.finds_win(game, self.attacker, search.effort, budget)
        return wins, search.move_of(2 * attacking.best) if attacking.best >= 0 else None

    def recall(self, search: ExactSearch, game: Game) -> bool | None:
        """Nothing: to ask with few nodes tells."""
        return None

    def keep(self, search: ExactSearch, game: Game, answer: bool, best: Move | None, work: int) -> None:
        """Nothing: the win is among those that were found."""

    def shared_results(self, search: ExactSearch) -> "array[int]":
        return attacking_of(search).wins()

    def learn(self, search: ExactSearch, results: "array[int]") -> None:
        attacking_of(search).learn(results)


def attacking_of(search: ExactSearch) -> AttackSearch:
    """The search for attacks that *search* asks, which has one."""
    assert search.attacking is not None  # noqa: S101 - who has none asks for no attacks
    return search.attacking


def blocking_of(search: ExactSearch) -> BlockingSearch:
    """The search about lines that *search* asks, which has one."""
    assert search.blocking is not None  # noqa: S101 - who has none asks nothing about lines
    return search.blocking


class Divider(Protocol):
    """Divides questions among workers."""

    def ask(self, game: Game, question: ExactQuestion, budget: int) -> tuple[bool, Move | None] | None:
        """The answer to *question* about *game* and the move that decides; None if it is not divided."""
