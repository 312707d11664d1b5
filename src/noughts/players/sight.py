"""Which moves a player that does not search looks at: all of a small board, part of a large one."""

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from noughts.core.board import Coordinate, coordinate_of
from noughts.core.geometry import Geometry
from noughts.games.base import Game, Move, Placement
from noughts.games.kinarow import KInARow

SMALL_CELLS = 361
"""Boards up to 19x19 are looked at whole."""

NEAR = 2
NEAR_MARKS = 16
"""On larger ones: the cells so near, in all directions, to so many of the latest marks."""

MAX_NEAR_LINES = 20_000
"""How many cells and directions are looked at for where to move."""

MAX_RUNS = 50_000
"""How many marks and directions are looked at for where a line may be completed."""


class Sight:
    """The moves of *game* worth looking at: here all of them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.moves = list(game.legal_moves())

    def endings(self, made: Move | None = None) -> list[Move]:
        """The moves that may end the game now, or after *made* was played on it."""
        return list(self._game.legal_moves())

    def may_end(self, move: Move) -> bool:
        """Whether *move* may end the game."""
        return True


class NearSight(Sight):
    """A bounded part of a large board of k in a row: near the latest marks, or the middle.

    Whatever completes a line of two cells or more lies beside a mark of that line, so no such move is
    missed where there are not very many marks.
    """

    def __init__(self, game: KInARow) -> None:
        self._game: KInARow = game
        self._geometry = Geometry(game.rules.shape, game.rules.k, game.rules.wrap)
        self._marks = _marks_in_order(game)
        steps = self._geometry.steps
        self._steps = [*steps, *(tuple(-by for by in step) for step in steps)]
        latest = list(self._marks)[::-1]
        self._finishing = dict.fromkeys(self._all_finishing(latest[: MAX_RUNS // len(self._steps) or 1]))
        cells = dict.fromkeys(islice(self._near(latest), max(1, MAX_NEAR_LINES // len(steps))))
        self.moves = self._as_moves([*self._finishing, *cells, *self._elsewhere()])

    def endings(self, made: Move | None = None) -> list[Move]:
        cells = dict.fromkeys(self._finishing)
        if made is not None and (self._game.rules.wild or self._game.rules.notakto):
            # Only where marks are shared can a move prepare a line for the other side.
            cell = made.coordinate if isinstance(made, Placement) else made
            self._marks[cell] = self._game[cell] or ""
            cells.update(dict.fromkeys(self._beside(cell)))
            del self._marks[cell]
        return self._as_moves(cells)

    def may_end(self, move: Move) -> bool:
        cell = move.coordinate if isinstance(move, Placement) else move
        return self._game.rules.k == 1 or cell in self._finishing

    def _as_moves(self, cells: Iterable[Coordinate]) -> list[Move]:
        open_cells = [cell for cell in dict.fromkeys(cells) if self._is_open(cell)]
        if self._game.rules.wild:
            return [Placement(cell, mark) for cell in open_cells for mark in self._game.rules.marks]
        return list(open_cells)

    def _is_open(self, cell: Coordinate) -> bool:
        game = self._game
        if game[cell] is not None:
            return False
        below = (cell[0] + 1, *cell[1:])
        return not game.rules.gravity or below[0] == game.shape[0] or game[below] is not None

    def _near(self, latest: list[Coordinate]) -> Iterator[Coordinate]:
        """Open cells near the *latest* marks, the middle before all where there are none."""
        if not latest:
            yield tuple(side // 2 for side in self._game.shape)
        for cell in latest[:NEAR_MARKS]:
            for step in self._steps:
                yield from filter(self._is_open, islice(self._geometry.walk(cell, step), NEAR))

    def _elsewhere(self) -> list[Coordinate]:
        """A few cells far from each other: near the marks every move may lose, or none be open."""
        game = self._game
        if game.rules.gravity:
            moves = game.legal_moves()
            return [moves[len(moves) // 2], moves[0], moves[-1]]
        cells = game.cells  # to list all moves would take longer than all the rest
        ends = (cells.index(None), len(cells) - 1 - cells[::-1].index(None))
        return [coordinate_of(game.shape, index) for index in ends]

    def _all_finishing(self, marked: list[Coordinate]) -> Iterator[Coordinate]:
        for cell in marked:
            yield from self._beside(cell)

    def _beside(self, cell: Coordinate) -> Iterator[Coordinate]:
        """The cells at the ends of the rows through the mark on *cell* that lack to k such marks."""
        mark, k = self._marks[cell], self._geometry.k
        for step in self._steps:
            same = self._run(cell, step, mark)
            for beside in islice(self._geometry.walk(cell, step), same, same + 1):
                if beside not in self._marks:
                    back = tuple(-by for by in step)
                    if self._run(beside, back, mark) + self._run(beside, step, mark) >= k - 1:
                        yield beside

    def _run(self, cell: Coordinate, step: Coordinate, mark: str) -> int:
        """How many of *mark* follow each other from *cell* on; k are enough."""
        walk = islice(self._geometry.walk(cell, step), self._geometry.k)
        return sum(1 for _ in takewhile(lambda other: self._marks.get(other) == mark, walk))


def look_at(game: Game) -> Sight:
    """The moves of *game* worth looking at."""
    if isinstance(game, KInARow) and len(game.cells) > SMALL_CELLS:
        return NearSight(game)
    return Sight(game)


def _marks_in_order(game: KInARow) -> dict[Coordinate, str]:
    """What stands where: the marks that were set up, then those placed, oldest first."""
    marks = {
        coordinate_of(game.shape, index): mark for index, mark in enumerate(game.cells) if mark is not None
    }
    for move in game.moves:
        cell = move.coordinate if isinstance(move, Placement) else move
        if cell in marks:  # where marks vanish some have left
            marks[cell] = marks.pop(cell)
    return marks
