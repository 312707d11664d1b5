"""Shortest solutions of games for one player, by iterative deepening A* (Korf 1985).

The search tries all solutions of at most n moves, then longer ones. It abandons a line as soon as a lower
bound of the moves still needed shows that the line is too long. The fifteen puzzle has such a bound and a
search of its own (``sliding.py``). For other games the only bound is that an unfinished game needs a move.
"""

from collections.abc import Sequence
from contextlib import suppress

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Analysis, Effort, Limit, LimitReachedError, MoveValue, Report, no_report
from noughts.search.background_compile import MachineSelector
from noughts.search.exact.sliding import SlidingSearch, slide
from noughts.search.numba_backend import Machine

SLIDING = frozenset(("sliding-tiles",))
"""The fact of the fifteen puzzle, which has a search of its own."""

Way = tuple[Move, ...]
"""The moves that solve a puzzle."""


class PuzzleSearch:
    """Finds shortest solutions of games for one player.

    *report* is called with the progress. *machine* runs the kernels, by default the best that is ready.

    >>> from noughts import new_game
    >>> puzzle = new_game("fifteen").at([*map(str, range(1, 13)), "13", None, "14", "15"])
    >>> PuzzleSearch().solve(puzzle).pv
    ((3, 2), (3, 3))
    """

    def __init__(self, report: Report = no_report, machine: Machine | None = None) -> None:
        self._report = report
        self._select_machine = MachineSelector(slide, machine=machine)

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find a shortest solution: ``value`` is 1, ``plies`` its length, and ``pv`` its moves.

        ``value`` is 0 if there is no solution, and None if *limit* ended the search first. The depth of
        *limit* is the largest number of moves. *game* is left unchanged. Raises
        :class:`~noughts.errors.UnsupportedRules` for games of other than one side.
        """
        return self._search(game, limit, each=False)

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find a shortest solution, and the length of the shortest one that starts with each legal move."""
        return self._search(game, limit, each=True)

    def _search(self, game: Game, limit: Limit, *, each: bool) -> Analysis:
        if len(game.sides) != 1:
            raise UnsupportedRules("puzzle", game.name, "not-one-side")
        if game.outcome is not None:
            return Analysis(1, 0, None, 0) if game.winner else Analysis(0, None, None, 0)
        effort = Effort(limit.started(), self._report)
        is_known = game.facts <= SLIDING
        ways = (
            SlidingSearch(game, effort, self._select_machine, self._report)
            if is_known
            else _Moves(game, effort)
        )
        deepening = _Deepening(ways, game.legal_moves())
        with suppress(LimitReachedError):
            deepening.run(limit.depth, each=each)
        return deepening.analysis(effort.nodes)


class _Moves:
    """Searches for solutions of any game, by the contract of games alone."""

    least = 1
    """A lower bound of the moves needed."""
    step = 1
    """All solutions differ in length by multiples of this."""
    detour = None
    """The extra length of the best solution after a wrong first move; None if it varies."""

    def __init__(self, game: Game, effort: Effort) -> None:
        self._game, self._effort = game.copy(), effort

    def begin(self, move: Move, max_moves: int) -> Way | None:
        """Find a solution that starts with *move*.

        Return () if no solution is so short, and None if there is none of any length. A position is not tried
        again with as many moves left, or fewer. Raises :class:`LimitReachedError`.
        """
        game, was_cut = self._game, False
        line: list[Move] = []
        searched: dict[object, int] = {}
        path = [[move]]
        while path:
            if not path[-1]:
                path.pop()
                if line:
                    line.pop()
                    game.undo()
                continue
            move = path[-1].pop()
            self._effort.add()
            game.play(move)
            line.append(move)
            left = max_moves - len(line)
            moves: list[Move] = []
            if game.outcome is not None:
                if game.winner is not None:
                    for _ in line:
                        game.undo()
                    return tuple(line)
            elif not left:
                was_cut = True
            elif searched.get(key := game.key(), 0) < left:
                searched[key] = left
                moves = list(reversed(game.legal_moves()))
            path.append(moves)
        return () if was_cut else None


_Ways = SlidingSearch | _Moves


class _Deepening:
    """Searches for longer and longer solutions, and keeps its results when a limit ends it."""

    def __init__(self, ways: _Ways, moves: Sequence[Move]) -> None:
        self._ways = ways
        self._values = {move: MoveValue(move) for move in moves}
        self._shortest: Way = ()

    def run(self, max_depth: int | None, *, each: bool) -> None:
        """Search until there is a solution or, with *each*, until the value of every move is known."""
        moves, detour = self._ways.least, self._ways.detour
        while max_depth is None or moves <= max_depth:
            for move in self._unknown():
                way = self._ways.begin(move, moves)
                if way is None:
                    self._values[move] = MoveValue(move, 0)
                elif way:
                    self._values[move] = MoveValue(move, 1, len(way))
                    self._shortest = self._shortest or way
                if self._shortest and not each:
                    return
            if self._shortest and detour is not None:
                plies = len(self._shortest) + detour
                self._values.update((move, MoveValue(move, 1, plies)) for move in self._unknown())
            if not self._unknown():
                return
            moves += self._ways.step

    def _unknown(self) -> list[Move]:
        return [move for move, result in self._values.items() if result.value is None]

    def analysis(self, nodes: int) -> Analysis:
        """Return the analysis after *nodes* nodes."""
        values = tuple(self._values.values())
        if self._shortest:
            return Analysis(1, len(self._shortest), self._shortest[0], nodes, self._shortest, values)
        if self._unknown():
            return Analysis(None, None, None, nodes, (), values)
        return Analysis(0, None, next(iter(self._values), None), nodes, (), values)
