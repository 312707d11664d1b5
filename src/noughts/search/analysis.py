"""Limit in, Analysis out: the shape that all searchers share."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Self

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.rules import Rules

POLL = 16
"""Nodes between two looks at the stop signal: a move of some games takes a tenth of a millisecond."""

REPORTED = 1024
"""Nodes between two reports."""


def never() -> bool:
    """The stop signal that does not come."""
    return False


class LimitReachedError(Exception):
    """A limit or the stop signal ended the search; the game is back where it was.

    ``value`` is what the position is proved to be worth all the same, with ``best``, a move that keeps a win,
    or one that does not lose where ``cannot_lose`` is all that is known; ``cannot_win`` and ``cannot_lose``
    what the side to move is proved not to do.
    """

    value: int | None = None
    best: Move | None = None
    cannot_win = False
    cannot_lose = False


class BudgetReachedError(LimitReachedError):
    """Only the budget of one question is used up; with a greater one it may be answered."""


class DepthReachedError(LimitReachedError):
    """Nodes would not help: the search must not or cannot look further ahead."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a search may use; None: as much as it likes.

    ``seconds`` of wall time, ``nodes`` moves tried, ``depth`` plies. Only nodes and depth give the
    same answer on every machine. ``stop`` is true as soon as the answer is wanted; it may be called from
    any thread and is asked now and then. ``now`` is the clock that measures the seconds.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: Callable[[], bool] = field(default=never, repr=False, compare=False)
    now: Callable[[], float] = field(default=monotonic, repr=False, compare=False)

    def __post_init__(self) -> None:
        given = [most for most in (self.seconds, self.nodes, self.depth) if most is not None]
        if not all(most >= 0 for most in given):  # not a number is neither more nor less, and would never end
            raise ValueError("a limit is 0 or more")

    def started(self, now: Callable[[], float] | None = None) -> Self:
        """The same limit from this moment on: ``stop`` is true also when the seconds are over.

        *now* tells the time in seconds. Who starts a limit measures it; searches only ask ``stop``. A limit
        that is started again ends no later.
        """
        if self.seconds is None:
            return self
        clock = now or self.now
        end, stop = clock() + self.seconds, self.stop
        return replace(self, stop=lambda: stop() or clock() >= end)


def own_moves(plies: int, game: Game) -> int:
    """How many of the next *plies* of *game* the side to move makes. Each mark is a move.

    >>> from noughts import new_game
    >>> [own_moves(5, new_game(name)) for name in ("tictactoe", "three", "fifteen", "6x6:4,place=2")]
    [3, 2, 5, 3]
    """
    rules = game.rules
    if rules is None or rules.place == 1:
        return -(-plies // len(game.sides))
    marks = len(game.cells) - game.cells.count(None)
    side = rules.side_at(marks)
    return sum(rules.side_at(marks + ply) == side for ply in range(plies))


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What one legal move is worth to the side that makes it.

    ``value`` is 1, 0, -1 or None where it is not proved; ``plies`` are counted from before the move to
    the end and None for a draw and where the distance is not proved.
    """

    move: Move
    value: int | None = None
    plies: int | None = None

    @property
    def rank(self) -> tuple[int, float]:
        """Greater is better: the quickest win, a draw, what is not known, the longest defence.

        A win of unknown length counts as the longest. A loss of unknown length counts as longer than one
        within two plies, which is always known, and as shorter than any other.
        """
        order = {1: 3, 0: 2, None: 1, -1: 0}[self.value]
        unknown = sys.maxsize if self.value == 1 else 2.5
        return order, -(self.value or 0) * (self.plies or unknown)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a position is worth to the side to move.

    ``value`` is 1 for a win, 0 for a draw, -1 for a loss, None where a limit ended the search first.
    ``plies`` is the length of the quickest win against the longest defence, None for a draw and where it
    is not proved. ``best`` is one of the best moves, where a value is proved one that keeps it; ``pv`` is
    the principal variation that begins with it. ``moves`` has the value of each legal move in their order,
    where that was asked. ``score`` compares positions where no value is known: more is better, 0 is even;
    its unit is the searcher's. ``nodes`` are the moves tried. ``cannot_lose`` and ``cannot_win`` say of a
    position of unknown value that it is proved to be no loss, or no win. ``is_told`` says that no search
    found the value: it stands in a certificate that is kept.
    """

    value: int | None
    plies: int | None
    best: Move | None
    nodes: int
    pv: tuple[Move, ...] = ()
    moves: tuple[MoveValue, ...] = ()
    score: int | None = None
    cannot_lose: bool = False
    cannot_win: bool = False
    is_told: bool = False

    def _repr_html_(self) -> str:
        """What is known of the moves, or of the best line alone, as a table for notebooks; the best first."""
        from noughts.drawing.svg_document import escaped

        rows: list[tuple[object, ...]] = [("move", "value", "plies")]
        rows += [(known.move, known.value, known.plies or "") for known in self.ranked]
        if len(rows) == 1:
            rows.append((self.pv or self.best or "", self.value, self.plies or ""))
        told = [["?" if part is None else escaped(str(part)) for part in row] for row in rows]
        lines = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in told)
        return f"<table>{lines}</table>"

    @property
    def ranked(self) -> tuple[MoveValue, ...]:
        """The moves from the best to the worst, ``best`` before those that are as good."""
        return tuple(
            sorted(self.moves, key=lambda known: (known.rank, known.move == self.best), reverse=True)
        )

    @property
    def is_proved(self) -> bool:
        """Whether ``value`` is exact, not cut short by a limit."""
        return self.value is not None

    @property
    def is_complete(self) -> bool:
        """Whether a best move is known, and all the values that were asked about."""
        moves_known = all(known.value is not None for known in self.moves)
        return self.is_proved and moves_known and self.best is not None


UNKNOWN = Analysis(None, None, None, 0)
"""What is known of a position that nobody has looked at."""


def handled_rules(game: Game, handled: frozenset[str]) -> Rules | None:
    """The rules of *game* if it is one of k in a row whose facts are all *handled*; else None.

    Who relies on rules says which facts it handles, and answers for no game that has others.

    >>> from noughts import new_game
    >>> handled_rules(new_game("misere"), frozenset(("misere",))) is None
    False
    >>> [handled_rules(new_game(name), frozenset(("misere",))) for name in ("wild", "reversi")]
    [None, None]
    """
    return game.rules if game.facts <= handled else None


def moves_of(game: Game) -> Sequence[Move]:
    """The legal moves of a *game* that goes on.

    Raises :class:`~noughts.errors.UnsupportedRules` where there are none: what that is worth nobody has said.
    """
    moves = game.legal_moves()
    if not moves:
        raise UnsupportedRules("search", game.name, "no-moves")
    return moves


def value_of_end(game: Game) -> int:
    """1, 0 or -1 for the side that would be to move in a game that has ended."""
    if game.winner is None:
        return 0
    return 1 if game.winner == game.turn else -1


def analysis_of_end(game: Game) -> Analysis:
    """What is known of a game that has ended."""
    value = value_of_end(game)
    return Analysis(value, 0 if value else None, None, 0)


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """What a search is asking: whether side number ``side`` ``wins``, or whether the other one ``stops`` it.

    ``depth`` are the plies within which, 0 for at all. If it ``attacks``, an attack is looked for that wins,
    and ``numbers`` are its proof numbers: how many positions must be won at least to prove that it does, and
    refuted to refute it.
    """

    kind: str
    side: int
    depth: int = 0
    numbers: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """What a search has found so far.

    ``stage`` is ``searching``; ``unproved``, where a player that proves its moves has to do without;
    ``late``, where its move is overdue, and it is about to forfeit; or ``reviewing``, where many positions
    are searched: ``done`` of them ``of`` how many, and what was ``found`` so far. ``nodes`` are the moves
    tried and ``depth`` the plies looked ahead; ``best`` is the best move so far, None where that is not known
    yet, and ``pv`` the principal variation that begins with it, as far as it is told. ``score`` is the
    searcher's own, as in :class:`Analysis`. ``asked`` is the question that is open, where there are several,
    and ``table_bytes`` the size of the table of its answers.
    """

    stage: str
    nodes: int = 0
    depth: int = 0
    best: Move | None = None
    pv: tuple[Move, ...] = ()
    score: int | None = None
    done: int = 0
    of: int = 0
    found: object = None
    question: SearchQuestion | None = None
    table_bytes: int = 0


Report = Callable[[Progress], None]
"""Who is told of progress. It is called in the thread of the search and should be quick."""


def no_report(progress: Progress) -> None:
    """Nobody is told."""


class Effort:
    """What one question has cost so far, and may cost: all that searches need of a limit.

    ``nodes`` are the moves tried, ``elsewhere`` those of them that others tried, ``asked`` is what for.
    Unless it ``wants_plies``, a question may end as if out of budget as soon as the value is known.
    *limit* has been started; *report* is told now and then.
    """

    def __init__(self, limit: Limit = Limit(), report: Report = no_report) -> None:
        self.nodes = self.worker_nodes = 0
        self.question: SearchQuestion | None = None
        self.wants_plies = True
        self.max_nodes, self.max_depth, self.stop = limit.nodes, limit.depth, limit.stop
        self._report = report

    def add(self) -> None:
        """Count a move about to be tried, or raise :class:`LimitReachedError` where that is one too many."""
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise LimitReachedError
        self.nodes += 1
        if self.nodes % POLL == 0:
            if self.nodes % REPORTED == 0:
                self._report(Progress("searching", self.nodes))
            if self.stop():
                raise LimitReachedError

    def report(self, table_bytes: int) -> None:
        """Report how far it is, with a table of answers of so many bytes."""
        self._report(Progress("searching", self.nodes, question=self.question, table_bytes=table_bytes))

    def left(self, most: int) -> int:
        """How many nodes may still be made, *most* or fewer."""
        return most if self.max_nodes is None else min(most, self.max_nodes - self.nodes)

    def is_over(self) -> bool:
        """Whether nothing more may be tried."""
        return self.left(1) <= 0 or self.stop()

    @contextmanager
    def within(self, budget: int | None) -> Iterator[None]:
        """No more than *budget* nodes until this is left; :class:`BudgetReachedError` says they were all."""
        whole = self.max_nodes
        if budget is not None:
            self.max_nodes = self.nodes + budget if whole is None else min(whole, self.nodes + budget)
        try:
            yield
        except DepthReachedError:
            raise
        except LimitReachedError:
            self.max_nodes = whole
            if self.is_over():
                raise
            raise BudgetReachedError from None
        finally:
            self.max_nodes = whole
