"""The fifteen puzzle: one player slides numbered tiles into order."""

from collections.abc import Sequence
from random import Random

from noughts.core.board import Coordinate
from noughts.games.base import Annotations, Message, Move, Outcome, Termination
from noughts.games.layout import Layout
from noughts.games.notation import check_no_extra, format_position, refuse_position
from noughts.games.pure import PureGame

Tiles = tuple[int, ...]
"""The number on each cell in index order, 0 for the gap."""

WAYS = {(1, 0): "down", (-1, 0): "up", (0, 1): "right", (0, -1): "left"}
"""The name of each direction, by its step in rows and columns."""

SOLVED: Tiles = (*range(1, 16), 0)


class Fifteen(PureGame[Tiles]):
    """Tiles 1 to 15 on a 4x4 board with one gap. A move is the cell of the tile that slides into it.

    The start comes from *chance* and can always be solved.

    >>> len(Fifteen(Random(1)).legal_moves()) in (2, 3, 4)
    True
    """

    NAME = "fifteen"
    SHAPE = (4, 4)
    SIDES = ("X",)
    can_repeat = True
    facts = frozenset(("sliding-tiles",))
    terminations = (Termination.SOLVED,)
    layout = Layout(1, 4, 4, tiles=True)
    __slots__ = ()

    def __init__(self, chance: Random | None = None, *, sides: Sequence[str] = ()) -> None:
        super().__init__(_shuffled(chance or Random(0)), sides=sides)
        self.start = format_position(self)

    def end_text(self, outcome: Outcome) -> Message:
        return Message("solved", {"count": self.ply})

    def annotations(self) -> Annotations:
        """Return the direction in which each tile can slide, and the tiles on their own cells."""
        gap = divmod(self.state.index(0), 4)
        codes: dict[Coordinate, tuple[str, ...]] = {}
        for move in self.legal_moves():
            down, right = gap[0] - move[0], gap[1] - move[1]
            codes[move] = (f"slides:{WAYS[down, right]}",)
        for index, tile in enumerate(self.state):
            if tile == index + 1:
                cell = divmod(index, 4)
                codes[cell] = (*codes.get(cell, ()), "home")
        return Annotations(codes)

    def mark_of(self, move: Move) -> str | None:
        return None

    def last_cells(self) -> tuple[Coordinate, ...]:
        """Return the cell of the last tile that slid: the former gap."""
        return (divmod(self._states[-2].index(0), 4),) if self._made else ()

    def find_moves(self, state: Tiles) -> Sequence[Move]:
        row, column = divmod(state.index(0), 4)
        near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [cell for cell in near if 0 <= cell[0] < 4 and 0 <= cell[1] < 4]

    def after(self, state: Tiles, move: Move) -> Tiles:
        tiles = list(state)
        gap, tile = state.index(0), move[0] * 4 + move[1]
        tiles[gap], tiles[tile] = tiles[tile], 0
        return tuple(tiles)

    def find_outcome(self, state: Tiles) -> Outcome | None:
        return Outcome(self.SIDES[0], (), Termination.SOLVED) if state == SOLVED else None

    def cells_of(self, state: Tiles) -> tuple[str | None, ...]:
        return tuple(str(tile) if tile else None for tile in state)

    def side_of(self, state: Tiles) -> int:
        return 0

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> Tiles:
        known: list[str | None] = [None, *map(str, SOLVED[:-1])]
        tiles = tuple(known.index(cell) if cell in known else -1 for cell in cells)
        if sorted(tiles) != sorted(SOLVED):
            refuse_position(",".join(map(str, cells)), "tiles")
        if side not in (None, *self.SIDES):
            refuse_position(side, "unknown-side", allowed=self.SIDES)
        check_no_extra(extra)
        if not is_solvable(tiles):
            refuse_position(",".join(map(str, tiles)), "unsolvable")
        return tiles

    def weight(self, move: Move) -> int:
        """Return the number of steps by which the tile comes nearer to its place: 1 or -1."""
        tile = self.state[move[0] * 4 + move[1]] - 1
        gap = divmod(self.state.index(0), 4)
        goal = divmod(tile, 4)
        return _distance(move, goal) - _distance(gap, goal)


def _distance(one: Sequence[int], two: Sequence[int]) -> int:
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def is_solvable(tiles: Tiles) -> bool:
    """Return True if slides can bring *tiles* into order (Johnson and Story 1879).

    Each slide is one transposition and moves the gap one step, so the parity of the permutation must be that
    of the gap's distance from its place.
    """
    inversions = sum(
        one > two for place, one in enumerate(tiles) for two in tiles[place + 1 :] if one and two
    )
    return (inversions + tiles.index(0) // 4 + 1) % 2 == 0


def _shuffled(chance: Random) -> Tiles:
    tiles = list(SOLVED)
    while True:
        chance.shuffle(tiles)
        if tuple(tiles) != SOLVED and is_solvable(tuple(tiles)):
            return tuple(tiles)
