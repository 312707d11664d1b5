"""Whether a game can still be won, by what stands on the board: the shortest proof of a draw."""

from collections.abc import Iterator, Sequence

from noughts.core.geometry import Geometry, coordinates
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.search.space import MAX_CELLS

MOST_DIMENSIONS = 4
"""Boards of more have so many rows that to look through them takes seconds."""


def is_dead(game: Game) -> bool:
    """Whether nobody can complete a line any more, however it goes on, so that *game* will be a draw.

    It is found in k in a row where marks stay, but not of every game: where marks fall or longer lines do
    not count, a line may be out of reach although its cells are free. On boards of more than 4,096 cells or
    four dimensions, elsewhere, and after the end it is not found.

    >>> from noughts import TicTacToe
    >>> from noughts.games.notation import parse_position
    >>> [is_dead(parse_position(TicTacToe(), text)) for text in ("XOX/XOO/O.X", "XOX/XO./O.X")]
    [True, False]
    """
    if not isinstance(game, KInARow) or game.is_over or game.rules.vanish:
        return False
    if len(game.cells) > MAX_CELLS or len(game.shape) > MOST_DIMENSIONS:
        return False
    left, k = _marks_left(game), game.rules.k
    return not any(_can_be_filled(row, k, mark, count) for row in _rows(game) for mark, count in left.items())


def _rows(game: KInARow) -> Iterator[Sequence[str | None]]:
    """What stands on each row of cells, from edge to edge or once around, that a line has room on."""
    shape, k, wrap = game.rules.shape, game.rules.k, game.rules.wrap
    geometry, borne = Geometry(shape, k, wrap), dict(zip(coordinates(shape), game.cells, strict=True))
    for step in geometry.steps:
        seen = set()
        for cell in borne:
            if cell in seen:
                continue
            row = [cell, *geometry.walk(cell, step)]
            seen.update(row)
            if len(row) >= k:
                marks = [borne[one] for one in row]
                yield [*marks, *marks[: k - 1]] if wrap else marks


def _can_be_filled(row: Sequence[str | None], k: int, mark: str, left: int) -> bool:
    """Whether some *k* neighbours of *row* bear *mark* or nothing, and *left* more of it fill them."""
    free = foreign = 0
    for end, borne in enumerate(row, 1):
        free += borne is None
        foreign += borne not in (None, mark)
        if end > k:
            gone = row[end - k - 1]
            free -= gone is None
            foreign -= gone not in (None, mark)
        if end >= k and not foreign and 0 < free <= left:
            return True
    return False


def _marks_left(game: KInARow) -> dict[str, int]:
    """How many more of each mark can be placed."""
    free, rules = game.cells.count(None), game.rules
    if rules.wild or rules.notakto:
        return dict.fromkeys(rules.placed, free)
    count, turn = len(game.sides), game.sides.index(game.turn)
    return {
        side: (free + count - 1 - (place - turn) % count) // count for place, side in enumerate(game.sides)
    }
