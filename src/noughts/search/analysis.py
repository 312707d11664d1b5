"""The data that all searches share: limits, progress and analyses."""

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
"""The number of nodes between two checks of the stop signal.

A move of some games takes a tenth of a millisecond.
"""

REPORTED = 1024
"""The number of nodes between two progress reports."""


def never() -> bool:
    """Return False: the default stop signal, which never stops a search."""
    return False


class LimitReachedError(Exception):
    """A limit or the stop signal ended the search. The game is back in its first state.

    The attributes hold partial results. ``value`` is the proved value of the position, if there is one, and
    ``best`` a move that keeps it. If only ``cannot_lose`` is known, ``best`` is a move that does not lose.
    ``cannot_win`` and ``cannot_lose`` are true if they are proved for the side to move.
    """

    value: int | None = None
    best: Move | None = None
    cannot_win = False
    cannot_lose = False


class BudgetReachedError(LimitReachedError):
    """The budget of one question is used up. A larger budget may answer it."""


class DepthReachedError(LimitReachedError):
    """The search may not or cannot look further ahead. More nodes would not help."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The resources that a search may use; None means no limit.

    ``seconds`` are wall time, ``nodes`` are moves tried, and ``depth`` is in plies. Only nodes and depth give
    the same answer on every machine. ``stop`` returns True as soon as the answer is wanted. It is called
    regularly, and may be called from any thread. ``now`` is the clock that measures the seconds.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: Callable[[], bool] = field(default=never, repr=False, compare=False)
    now: Callable[[], float] = field(default=monotonic, repr=False, compare=False)

    def __post_init__(self) -> None:
        limits = [most for most in (self.seconds, self.nodes, self.depth) if most is not None]
        # NaN fails this test too. A search limited by it would never end.
        if not all(most >= 0 for most in limits):
            raise ValueError("a limit is 0 or more")

    def started(self, now: Callable[[], float] | None = None) -> Self:
        """Return this limit, counted from now: ``stop`` also returns True when the seconds are over.

        *now* returns the time in seconds. The caller that starts a limit measures its time, and searches only
        call ``stop``. A limit that is started again ends no later.
        """
        if self.seconds is None:
            return self
        clock = now or self.now
        end, stop = clock() + self.seconds, self.stop
        return replace(self, stop=lambda: stop() or clock() >= end)


def own_moves(plies: int, game: Game) -> int:
    """Count the moves that the side to move makes in the next *plies* of *game*. Each mark is a move.

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
    """The value of one legal move for the side that makes it.

    ``value`` is 1, 0 or -1, and None if it is not proved. ``plies`` are counted from before the move to the
    end of the game. They are None for a draw and if the distance is not proved.
    """

    move: Move
    value: int | None = None
    plies: int | None = None

    @property
    def rank(self) -> tuple[int, float]:
        """The sort key of the move: the quickest win is greatest, then a draw, unknown, the longest defence.

        A win of unknown length counts as the longest. A loss of unknown length counts as longer than one
        within two plies, which is always known, and as shorter than any other.
        """
        order = {1: 3, 0: 2, None: 1, -1: 0}[self.value]
        unknown = sys.maxsize if self.value == 1 else 2.5
        return order, -(self.value or 0) * (self.plies or unknown)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The value of a position for the side to move, and its best moves.

    ``value`` is 1 for a win, 0 for a draw and -1 for a loss. It is None if a limit ended the search first.
    ``plies`` is the length of the quickest win against the longest defence. It is None for a draw and if it
    is not proved. ``best`` is one of the best moves; if a value is proved, it keeps that value. ``pv`` is the
    principal variation that starts with ``best``. ``moves`` has the value of each legal move in their order,
    if the caller requested it.

    ``score`` compares positions of unknown value: more is better, 0 is even, and the unit depends on the
    search. ``nodes`` is the number of moves tried. ``cannot_lose`` and ``cannot_win`` are true if a position
    of unknown value is proved to be no loss or no win. ``is_told`` is true if the value comes from a
    certificate and not from a search.
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
        """Return the values of the moves, best first, as an HTML table for notebooks.

        Without values of moves, the table has the principal variation alone.
        """
        from noughts.drawing.svg_document import escaped

        rows: list[tuple[object, ...]] = [("move", "value", "plies")]
        rows += [(known.move, known.value, known.plies or "") for known in self.ranked]
        if len(rows) == 1:
            rows.append((self.pv or self.best or "", self.value, self.plies or ""))
        cells = [["?" if part is None else escaped(str(part)) for part in row] for row in rows]
        lines = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in cells)
        return f"<table>{lines}</table>"

    @property
    def ranked(self) -> tuple[MoveValue, ...]:
        """The moves from the best to the worst, with ``best`` before its equals."""
        return tuple(
            sorted(self.moves, key=lambda known: (known.rank, known.move == self.best), reverse=True)
        )

    @property
    def is_proved(self) -> bool:
        """True if ``value`` is exact, not cut short by a limit."""
        return self.value is not None

    @property
    def is_complete(self) -> bool:
        """True if a best move is known, and all the values that the caller requested."""
        moves_known = all(known.value is not None for known in self.moves)
        return self.is_proved and moves_known and self.best is not None


UNKNOWN = Analysis(None, None, None, 0)
"""The analysis of a position that has not been searched."""


def handled_rules(game: Game, handled: frozenset[str]) -> Rules | None:
    """Return the rules of *game* if it is k in a row and all its facts are *handled*, else None.

    Code that relies on rules lists the facts that it handles, and declines games that have others.

    >>> from noughts import new_game
    >>> handled_rules(new_game("misere"), frozenset(("misere",))) is None
    False
    >>> [handled_rules(new_game(name), frozenset(("misere",))) for name in ("wild", "reversi")]
    [None, None]
    """
    return game.rules if game.facts <= handled else None


def moves_of(game: Game) -> Sequence[Move]:
    """Return the legal moves of a *game* that is not over.

    Raises :class:`~noughts.errors.UnsupportedRules` if there are none: the value of such a position is
    undefined.
    """
    moves = game.legal_moves()
    if not moves:
        raise UnsupportedRules("search", game.name, "no-moves")
    return moves


def value_of_end(game: Game) -> int:
    """Return the value of a finished game for the side to move: 1, 0 or -1."""
    if game.winner is None:
        return 0
    return 1 if game.winner == game.turn else -1


def analysis_of_end(game: Game) -> Analysis:
    """Return the analysis of a finished game."""
    value = value_of_end(game)
    return Analysis(value, 0 if value else None, None, 0)


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """The question that a search is working on.

    ``kind`` is ``wins`` if side number ``side`` is to win, and ``stops`` if the other side is to stop it.
    ``depth`` is the limit in plies, 0 for none. If ``kind`` is ``attacks``, the search looks for an attack
    that wins. Its ``numbers`` are proof numbers: the least number of positions that must be won to prove the
    attack, and refuted to refute it.
    """

    kind: str
    side: int
    depth: int = 0
    numbers: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search.

    ``stage`` is one of:

    - ``searching``;
    - ``unproved``: a player that proves its moves has to play without a proof;
    - ``late``: a player's move is overdue, and it is about to forfeit;
    - ``reviewing``: many positions are searched. ``done`` of ``of`` are finished, and ``result`` is
      the result so far.

    ``nodes`` is the number of moves tried and ``depth`` the plies looked ahead. ``best`` is the best move so
    far, None if it is not known yet. ``pv`` is the principal variation that starts with it, if the search
    reports one. ``score`` is that of :class:`Analysis`. ``question`` is the open question, if there are
    several, and ``table_bytes`` the size of the transposition table.
    """

    stage: str
    nodes: int = 0
    depth: int = 0
    best: Move | None = None
    pv: tuple[Move, ...] = ()
    score: int | None = None
    done: int = 0
    of: int = 0
    result: object = None
    question: SearchQuestion | None = None
    table_bytes: int = 0


Report = Callable[[Progress], None]
"""A progress callback. It is called in the thread of the search and should be quick."""


def no_report(progress: Progress) -> None:
    """Ignore the *progress*."""


class Effort:
    """The nodes that one question has used, and the limits that apply to it.

    ``nodes`` is the number of moves tried, ``worker_nodes`` the share of it that workers tried, and
    ``question`` the question that is searched. If ``wants_plies`` is false, a question may end as if out of
    budget as soon as the value is known. *limit* must be started. *report* is called now and then.
    """

    def __init__(self, limit: Limit = Limit(), report: Report = no_report) -> None:
        self.nodes = self.worker_nodes = 0
        self.question: SearchQuestion | None = None
        self.wants_plies = True
        self.max_nodes, self.max_depth, self.stop = limit.nodes, limit.depth, limit.stop
        self._report = report

    def add(self) -> None:
        """Count a move before it is tried.

        Raises :class:`LimitReachedError` if the limit does not allow it.
        """
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise LimitReachedError
        self.nodes += 1
        if self.nodes % POLL == 0:
            if self.nodes % REPORTED == 0:
                self._report(Progress("searching", self.nodes))
            if self.stop():
                raise LimitReachedError

    def report(self, table_bytes: int) -> None:
        """Report the progress, with a table of *table_bytes* bytes."""
        self._report(Progress("searching", self.nodes, question=self.question, table_bytes=table_bytes))

    def left(self, most: int) -> int:
        """Return the number of nodes that may still be made, at most *most*."""
        return most if self.max_nodes is None else min(most, self.max_nodes - self.nodes)

    def is_over(self) -> bool:
        """Return True if nothing more may be tried."""
        return self.left(1) <= 0 or self.stop()

    @contextmanager
    def within(self, budget: int | None) -> Iterator[None]:
        """Allow no more than *budget* nodes inside the ``with`` block.

        Raises :class:`BudgetReachedError` when they are used up.
        """
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
