"""The part of a large k-in-a-row board that is considered: the cells near the latest marks."""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from noughts.core.board import Coordinate, index_of
from noughts.games.base import Game
from noughts.games.moves import cells_of
from noughts.games.rules import Rules

NEAR = 2
NEAR_MARKS = 16
"""The considered cells are at most NEAR steps, in any direction, from one of the latest NEAR_MARKS marks."""

MAX_NEAR_LINES = 20_000
"""Maximum of cells times directions in the search for moves."""

MAX_RUNS = 50_000
"""Maximum of marks times directions in the search for lines that can be completed."""


class NearbyCells:
    """The cells of *game* that are near its marks, in its current position.

    A cell that completes a line of at least two cells is next to a mark of that line. So such cells are
    missed only if the board has very many marks.
    """

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._cells = list(game.cells)
        self._geometry = geometry = rules.geometry
        self._steps = [*geometry.steps, *(tuple(-by for by in step) for step in geometry.steps)]
        self._latest = _marked_in_order(game)[::-1]
        self._lacking: dict[str | None, dict[int, None]] = {}
        for cell in self._latest[: MAX_RUNS // len(self._steps) or 1]:
            self._lacking.setdefault(self._cells[cell], {}).update(
                dict.fromkeys(self._completing_cells(cell))
            )

    def lacking(self, mark: str, made: tuple[int, str] | None = None) -> Sequence[int]:
        """Return the cells on which one more *mark* may complete a line.

        *made* is a move to include: a cell and its mark.
        """
        if self._geometry.k == 1:
            return self.cells()
        cells = self._lacking.get(mark, {})
        if made is not None and made[1] == mark:
            self._cells[made[0]] = mark
            cells = {**cells, **dict.fromkeys(self._completing_cells(made[0]))}
            self._cells[made[0]] = None
        return list(cells)

    def cells(self) -> list[int]:
        """Return the open cells to consider: those that may complete lines, those near marks, and others."""
        completing = [cell for cells in self._lacking.values() for cell in cells]
        near = dict.fromkeys(islice(self._near_cells(), max(1, MAX_NEAR_LINES // len(self._geometry.steps))))
        return list(filter(self._is_open, dict.fromkeys((*completing, *near, *self._distant_cells()))))

    def _is_open(self, cell: int) -> bool:
        if self._cells[cell] is not None:
            return False
        below = cell + self._geometry.strides[0]
        return not self._rules.gravity or below >= len(self._cells) or self._cells[below] is not None

    def _near_cells(self) -> Iterator[int]:
        """Yield the open cells near the latest marks. On an empty board, the middle comes first."""
        if not self._latest:
            yield index_of(self._game.shape, [side // 2 for side in self._game.shape])
        for cell in self._latest[:NEAR_MARKS]:
            for step in self._steps:
                yield from filter(self._is_open, self._geometry.ray(cell, step, NEAR))

    def _distant_cells(self) -> list[int]:
        """Return a few cells far from each other.

        They are needed because near the marks all moves may lose, or no cell may be open.
        """
        game, cells = self._game, self._cells
        if self._rules.gravity:
            moves = game.legal_moves()
            return [index_of(game.shape, move) for move in (moves[len(moves) // 2], moves[0], moves[-1])]
        # Listing all moves would take longer than all the rest.
        return [cells.index(None), len(cells) - 1 - cells[::-1].index(None)]

    def _completing_cells(self, cell: int) -> Iterator[int]:
        """Yield the cells at the ends of rows through the mark on *cell* that complete k such marks."""
        mark, k = self._cells[cell], self._geometry.k
        for step in self._steps:
            same = self._run(cell, step, mark)
            for beside in self._geometry.ray(cell, step, same + 1)[same:]:
                if self._cells[beside] is None:
                    back = tuple(-by for by in step)
                    if self._run(beside, back, mark) + self._run(beside, step, mark) >= k - 1:
                        yield beside

    def _run(self, cell: int, step: Coordinate, mark: str | None) -> int:
        """Return the length of the row of *mark* after *cell* in direction *step*, at most k."""
        ray = self._geometry.ray(cell, step, self._geometry.k)
        return sum(1 for _ in takewhile(lambda other: self._cells[other] == mark, ray))


def _marked_in_order(game: Game) -> list[int]:
    """Return the cells with marks: those of the set-up position, then the placed ones, oldest first."""
    marked = dict.fromkeys(index for index, mark in enumerate(game.cells) if mark is not None)
    for move in game.moves:
        cell = index_of(game.shape, cells_of(move)[0])
        if cell in marked:  # if marks vanish, some are gone
            del marked[cell]
            marked[cell] = None
    return list(marked)
