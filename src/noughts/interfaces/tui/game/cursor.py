"""Moves of the cursor or, in sliding games, of the tiles."""

from collections.abc import Iterable

from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.drawing.steps import step
from noughts.games.base import Game
from noughts.games.moves import Part
from noughts.interfaces.presenting.move_builder import cell_pointed_at, next_parts

OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}


def middle_of(game: Game) -> int:
    """Return the middle cell of the middle layer."""
    layout, plane = game.layout, 0
    for size in game.shape[:-2]:
        plane = plane * size + (size - 1) // 2
    return layout.index(plane, layout.rows // 2, layout.columns // 2)


def moved(game: Game, cursor: int, direction: str) -> int:
    """Return the next cell or plane from *cursor* in *direction*.

    Directions are left, right, up, down, next-plane and previous-plane.
    """
    return step(game.layout, game.shape, cursor, direction, _comes_back(game, direction))


def _comes_back(game: Game, direction: str) -> bool:
    """Return True if leaving the board in *direction* leads to its other side."""
    joined = game.rules.geometry.joined if game.rules is not None else (False,)
    return all(joined) or (len(joined) == 2 and joined[direction in ("left", "right")])


def resting_cell(game: Game, cursor: int, parts: tuple[Part, ...]) -> int:
    """Return the cell where the cursor comes to rest after the *parts* of a move.

    If marks fall, it is the landing cell in the column of *cursor*. On a board of fields it is the nearest
    cell of an open field. On other boards it is *cursor*.
    """
    if is_sliding(game) and None in game.cells:
        return game.cells.index(None)
    if not (game.layout.has_columns or (game.layout.owned and not game.is_over)):
        return cursor
    following = next_parts(game.legal_moves(), parts)
    cell = cell_pointed_at(game, following, coordinate_of(game.shape, cursor))
    if game.layout.has_columns:
        return cursor if cell is None else index_of(game.shape, cell)
    if cell is not None:
        return cursor
    return nearest(game, cursor, following.cells)


def nearest(game: Game, cursor: int, cells: Iterable[Coordinate]) -> int:
    """Return the one of *cells* that is nearest to *cursor*."""
    place = game.layout.place
    here, indexes = place(cursor), (index_of(game.shape, cell) for cell in cells)
    return min(
        indexes, key=lambda index: (sum(abs(a - b) for a, b in zip(place(index), here, strict=True)), index)
    )


def slides_in(game: Game) -> dict[str, Coordinate]:
    """Return the cells that can slide into a gap, by the direction of the slide.

    If there are any, arrow keys slide tiles and there is no cursor.
    """
    return {direction: cell for cell, direction in game.annotations().with_word("slides")}


def is_sliding(game: Game) -> bool:
    """Return True if *game* is a sliding game, running or finished."""
    return game.layout.tiles and (game.is_over or bool(slides_in(game)))


def slides_to(game: Game, index: int) -> tuple[str, int]:
    """Return the direction and the number of slides until the cell *index* is the gap.

    The number is 0 if that is impossible.
    """
    for direction, cell in slides_in(game).items() if is_sliding(game) else ():
        back, here = OPPOSITE[direction], index_of(game.shape, cell)
        for times in range(1, len(game.cells)):
            if here == index:
                return direction, times
            before, here = here, step(game.layout, game.shape, here, back)
            if before == here:
                break
    return "", 0
