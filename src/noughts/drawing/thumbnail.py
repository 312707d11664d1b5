"""A small picture of a board for a list of games: no coordinates, no signs, cut where there is no room."""

from collections.abc import Mapping, Sequence
from itertools import product

from noughts.drawing.canvas import Canvas, Span, in_ascii
from noughts.drawing.forms import Form
from noughts.drawing.pane import Pane
from noughts.drawing.scene import Scene
from noughts.drawing.view import View
from noughts.games.base import Game

PLANE_GAP = 2
"""Columns between planes that stand side by side; between rows of them there is one line."""


def draw_thumbnail(game: Game, *, width: int, height: int, unicode: bool = True) -> Sequence[Sequence[Span]]:
    """A picture of *game* in at most *height* lines of at most *width* columns.

    Of a large board its middle is shown, of one where marks fall its lowest rows, of one with depth as
    many planes as fit. Where not one cell fits, there are no lines. With *unicode* false all characters
    are ASCII.

    >>> from noughts import new_game
    >>> game = new_game()
    >>> game.play((1, 1))
    >>> ["".join(span.text for span in line) for line in draw_thumbnail(game, width=9, height=3)]
    ['· · ·', '· X ·', '· · ·']
    """
    scene = Scene(game, View(), bare=True)
    layout, fields = scene.layout, scene.layout.fields
    form = Form(scene.content, content=scene.content, gap=int(not any(fields)))
    rows, columns = form.most(scene, width, height, aligned=True)
    if not (rows and columns):
        return []
    top = layout.rows - rows if layout.gravity else (layout.rows - rows) // 2
    left = (layout.columns - columns) // 2
    if any(fields):  # cut at the lines
        top, left = top - top % fields[0], left - left % fields[1]
    wide = form.across(scene).extent(columns, aligned=True) + PLANE_GAP
    high = form.down(scene).extent(rows, aligned=True) + 1
    canvas = Canvas()
    for plane, (x, y) in _planes(game, (width + PLANE_GAP) // wide, (height + 1) // high).items():
        shown = range(top, top + rows), range(left, left + columns)
        Pane(scene, form, canvas, x * wide, y * high, plane, *shown).draw()
    return canvas.spans() if unicode else in_ascii(canvas.spans())


def _planes(game: Game, across: int, down: int) -> Mapping[int, tuple[int, int]]:
    """Which planes are shown, and where: the lowest ones where marks fall from plane to plane."""
    layout, in_a_row = game.layout, game.shape[-3] if len(game.shape) > 2 else 1
    rows = layout.planes // in_a_row
    across, down = min(across, in_a_row), min(down, rows)
    left = in_a_row - across if layout.drops and len(game.shape) == 3 else 0
    top = rows - down if layout.drops else 0
    return {(top + y) * in_a_row + left + x: (x, y) for y, x in product(range(down), range(across))}
