"""Large boards of k in a row, of which a part is looked at: the cells near the latest marks."""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from noughts.core.board import Coordinate, index_of
from noughts.games.base import Game
from noughts.games.moves import cells_of
from noughts.games.rules import Rules

NEAR = 2
NEAR_MARKS = 16
"""The cells so near, in all directions, to so many of the latest marks are looked at."""

MAX_NEAR_LINES = 20_000
"""How many cells and directions are looked at for where to move."""

MAX_RUNS = 50_000
"""How many marks and directions are looked at for where a line may be completed."""


class NearbyCells:
    """The cells of *game* that are near its marks, as it stands when this is made.

    Whatever completes a line of two cells or more lies beside a mark of that line, so no such cell is missed
    where there are not very many marks.
    """

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._cells = list(game.cells)
        self._geometry = geometry = rules.geometry
        self._steps = [*geometry.steps, *(tuple(-by for by in step) for step in geometry.steps)]
        self._latest = _marked_in_order(game)[::-1]
        self._lacking: dict[str | None, dict[int, None]] = {}
        for cell in self._latest[: MAX_RUNS // len(self._steps) or 1]:
            self._lacking.setdefault(self._cells[cell], {}).update(dict.fromkeys(self._beside(cell)))

    def lacking(self, mark: str, made: tuple[int, str] | None = None) -> Sequence[int]:
        """The cells on which one more *mark* may complete a line, also with the cell and mark just *made*."""
        if self._geometry.k == 1:
            return self.cells()
        cells = self._lacking.get(mark, {})
        if made is not None and made[1] == mark:
            self._cells[made[0]] = mark
            cells = {**cells, **dict.fromkeys(self._beside(made[0]))}
            self._cells[made[0]] = None
        return list(cells)

    def cells(self) -> list[int]:
        """The open cells worth looking at: where lines may be completed, near the marks, and elsewhere."""
        completing = [cell for cells in self._lacking.values() for cell in cells]
        near = dict.fromkeys(islice(self._near(), max(1, MAX_NEAR_LINES // len(self._geometry.steps))))
        return list(filter(self._is_open, dict.fromkeys((*completing, *near, *self._elsewhere()))))

    def _is_open(self, cell: int) -> bool:
        if self._cells[cell] is not None:
            return False
        below = cell + self._geometry.strides[0]
        return not self._rules.gravity or below >= len(self._cells) or self._cells[below] is not None

    def _near(self) -> Iterator[int]:
        """Open cells near the latest marks, the middle before all where there are none."""
        if not self._latest:
            yield index_of(self._game.shape, [side // 2 for side in self._game.shape])
        for cell in self._latest[:NEAR_MARKS]:
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


def _marked_in_order(game: Game) -> list[int]:
    """The cells with marks: those that were set up, then those placed, oldest first."""
    marked = dict.fromkeys(index for index, mark in enumerate(game.cells) if mark is not None)
    for move in game.moves:
        cell = index_of(game.shape, cells_of(move)[0])
        if cell in marked:  # where marks vanish some have left
            del marked[cell]
            marked[cell] = None
    return list(marked)
