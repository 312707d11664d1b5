"""A game as lines of text, for terminals, pipes, logs and screen readers."""

from collections.abc import Sequence

from noughts.drawing.canvas import Span
from noughts.drawing.compact import draw_compact
from noughts.drawing.hexagons import draw_hexagons
from noughts.drawing.large import can_be_large, draw_large, draw_tiles
from noughts.drawing.scene import Scene
from noughts.drawing.signs import signs_for
from noughts.drawing.view import View, view_of
from noughts.games.base import Game

LEAST_WIDTH = 10
"""Columns in which every game of the catalogue can be drawn."""


def draw_text(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> list[str]:
    r"""The board of *game* as lines of at most *width* columns, without blanks at their ends.

    A small flat board is drawn large, others have compact cells, with the numbers of the cells counted
    from *first*, or with letters and numbers outside. The last move stands in brackets, the winning
    cells between stars. Below :data:`LEAST_WIDTH` columns the narrowest form is drawn, fitting or not.
    With *unicode* false all characters are ASCII. A *view* replaces what is said about single cells.

    >>> from noughts import new_game
    >>> game = new_game("3x2:2,gravity")
    >>> game.play((1, 1))
    >>> print("\n".join(draw_text(game, unicode=False)))
      1  2  3
    |         |
    |   [X]   |
    +---------+
    """
    spans = draw_spans(game, width=width, unicode=unicode, first=first, view=view)
    return ["".join(span.text for span in line) for line in spans]


def draw_spans(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> Sequence[Sequence[Span]]:
    """The lines of :func:`draw_text` in runs of one kind, for an interface that colours them."""
    scene = Scene(game, view or view_of(game, first), signs_for(unicode=unicode), first)
    canvas = None
    if scene.layout.tiles:
        canvas = draw_tiles(scene, width)
    elif scene.layout.hex:
        canvas = draw_hexagons(scene, width)
    elif can_be_large(scene):
        canvas = draw_large(scene, width)
    return (canvas or draw_compact(scene, width)).spans()
