"""Games in which things slide into a gap: what can slide, and how often until a cell is the gap."""

from noughts.core.board import Coordinate, index_of
from noughts.drawing.steps import step
from noughts.games.base import Game

OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}


def slides_in(game: Game) -> dict[str, Coordinate]:
    """The cells from which something slides into a gap, by the direction it slides in; mostly none.

    Where there are any, arrows slide and there is no cursor.
    """
    found = (
        (code.removeprefix("slides:"), cell)
        for cell, codes in game.annotations().cells.items()
        for code in codes
        if code.startswith("slides:")
    )
    return dict(found)


def is_sliding(game: Game) -> bool:
    """Whether it is a game of sliding, also once it is over."""
    return game.layout.tiles and (game.is_over or bool(slides_in(game)))


def slides_to(game: Game, index: int) -> tuple[str, int]:
    """In which direction to slide, and how often, until a cell is the gap; 0 where that cannot be."""
    for direction, cell in slides_in(game).items() if is_sliding(game) else ():
        back, here = OPPOSITE[direction], index_of(game.shape, cell)
        for times in range(1, len(game.cells)):
            if here == index:
                return direction, times
            before, here = here, step(game.layout, game.shape, here, back)
            if before == here:
                break
    return "", 0
