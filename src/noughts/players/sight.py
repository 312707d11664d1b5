"""Which moves a player that does not search looks at: all of a small board, part of a large one."""

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.games.base import Game, Move, Placement
from noughts.games.moves import cells_of
from noughts.games.rules import Rules
from noughts.search.handling import handled_rules

SMALL_CELLS = 361
"""Boards up to 19x19 are looked at whole."""

NEAR = 2
NEAR_MARKS = 16
"""On larger ones: the cells so near, in all directions, to so many of the latest marks."""

MAX_NEAR_LINES = 20_000
"""How many cells and directions are looked at for where to move."""

MAX_RUNS = 50_000
"""How many marks and directions are looked at for where a line may be completed."""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "vanish", "players"))
"""The facts under which a game ends where lines are completed, and a mark may go on any open cell."""


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

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._cells = list(game.cells)
        self._geometry = geometry = rules.geometry
        self._steps = [*geometry.steps, *(tuple(-by for by in step) for step in geometry.steps)]
        latest = _marked_in_order(game)[::-1]
        self._finishing = dict.fromkeys(self._all_finishing(latest[: MAX_RUNS // len(self._steps) or 1]))
        cells = dict.fromkeys(islice(self._near(latest), max(1, MAX_NEAR_LINES // len(geometry.steps))))
        self.moves = self._as_moves([*self._finishing, *cells, *self._elsewhere()])

    def endings(self, made: Move | None = None) -> list[Move]:
        cells = dict.fromkeys(self._finishing)
        if made is not None and (self._rules.wild or self._rules.notakto):
            # Only where marks are shared can a move prepare a line for the other side.
            cell = self._cell_of(made)
            self._cells[cell] = self._mark_on(cell)
            cells.update(dict.fromkeys(self._beside(cell)))
            self._cells[cell] = None
        return self._as_moves(cells)

    def may_end(self, move: Move) -> bool:
        return self._rules.k == 1 or self._cell_of(move) in self._finishing

    def _cell_of(self, move: Move) -> int:
        return index_of(self._game.shape, cells_of(move)[0])

    def _as_moves(self, cells: Iterable[int]) -> list[Move]:
        rules, found = self._rules, filter(self._is_open, dict.fromkeys(cells))
        open_cells = [coordinate_of(self._game.shape, cell) for cell in found]
        if rules.wild:
            return [Placement(cell, mark) for cell in open_cells for mark in rules.marks]
        return list(open_cells)

    def _is_open(self, cell: int) -> bool:
        if self._mark_on(cell) is not None:
            return False
        below = cell + self._geometry.strides[0]
        return not self._rules.gravity or below >= len(self._cells) or self._mark_on(below) is not None

    def _mark_on(self, cell: int) -> str | None:
        """What stands there now: the game may have been played on since it was looked at."""
        return self._game[coordinate_of(self._game.shape, cell)]

    def _near(self, latest: list[int]) -> Iterator[int]:
        """Open cells near the *latest* marks, the middle before all where there are none."""
        if not latest:
            yield index_of(self._game.shape, [side // 2 for side in self._game.shape])
        for cell in latest[:NEAR_MARKS]:
            for step in self._steps:
                yield from filter(self._is_open, self._geometry.ray(cell, step, NEAR))

    def _elsewhere(self) -> list[int]:
        """A few cells far from each other: near the marks every move may lose, or none be open."""
        game, cells = self._game, self._cells
        if self._rules.gravity:
            moves = game.legal_moves()
            return [index_of(game.shape, move) for move in (moves[len(moves) // 2], moves[0], moves[-1])]
        # To list all moves would take longer than all the rest.
        return [cells.index(None), len(cells) - 1 - cells[::-1].index(None)]

    def _all_finishing(self, marked: list[int]) -> Iterator[int]:
        for cell in marked:
            yield from self._beside(cell)

    def _beside(self, cell: int) -> Iterator[int]:
        """The cells at the ends of the rows through the mark on *cell* that lack to k such marks."""
        mark, k = self._cells[cell], self._geometry.k
        for step in self._steps:
            same = self._run(cell, step, mark)
            for beside in self._geometry.ray(cell, step, same + 1)[same:]:
                if self._cells[beside] is None:
                    back = tuple(-by for by in step)
                    if self._run(beside, back, mark) + self._run(beside, step, mark) >= k - 1:
                        yield beside

    def _run(self, cell: int, step: Coordinate, mark: str | None) -> int:
        """How many of *mark* follow each other from *cell* on; k are enough."""
        ray = self._geometry.ray(cell, step, self._geometry.k)
        return sum(1 for _ in takewhile(lambda other: self._cells[other] == mark, ray))


def look_at(game: Game) -> Sight:
    """The moves of *game* worth looking at."""
    rules = handled_rules(game, HANDLED)
    return Sight(game) if rules is None or len(game.cells) <= SMALL_CELLS else NearSight(game, rules)


def _marked_in_order(game: Game) -> list[int]:
    """The cells with marks: those that were set up, then those placed, oldest first."""
    marked = dict.fromkeys(index for index, mark in enumerate(game.cells) if mark is not None)
    for move in game.moves:
        cell = index_of(game.shape, cells_of(move)[0])
        if cell in marked:  # where marks vanish some have left
            del marked[cell]
            marked[cell] = None
    return list(marked)
