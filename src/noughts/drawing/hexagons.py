"""Boards of hexagons on the console: as in a window that is as high as they are."""

from dataclasses import replace

from noughts.drawing.canvas import Canvas
from noughts.drawing.forms import Form, flat_forms
from noughts.drawing.large import is_small
from noughts.drawing.pane import Pane
from noughts.drawing.scene import Scene


def draw_hexagons(scene: Scene, width: int) -> Canvas:
    """The board in the best form that *width* has room for, in parts below each other if there is none.

    Cells carry their labels if they are called by them, else letters and numbers stand outside. Small
    boards have lines between the cells.
    """
    layout = scene.layout
    plain = scene if scene.has_worths else _without_labels(scene)
    for labelled in (scene, plain) if scene.is_numbered else (plain,):
        forms = _forms(labelled)
        for form in forms:
            if form.extent(labelled, layout.rows, layout.columns) <= width:
                return _drawn(labelled, form, layout.rows, layout.columns)
    rows, columns = forms[-1].most(plain, width, layout.rows * 2)
    return _drawn(plain, forms[-1], max(1, rows), max(1, columns))


def _without_labels(scene: Scene) -> Scene:
    return Scene(scene.game, replace(scene.view, labels={}), scene.signs, scene.first)


def _forms(scene: Scene) -> list[Form]:
    is_named = scene.has_letters_outside or not scene.view.labels
    forms = [form for form in flat_forms(scene) if form.coordinates is is_named]
    return [form for form in forms if is_small(scene.layout) or not form.ruled]


def _drawn(scene: Scene, form: Form, rows: int, columns: int) -> Canvas:
    """Parts of at most so many *rows* and *columns* of cells, about as wide as one another."""
    layout, canvas = scene.layout, Canvas()
    columns = -(-layout.columns // -(-layout.columns // columns))
    for top in range(0, layout.rows, rows):
        for left in range(0, layout.columns, columns):
            pane = Pane(scene, form, canvas, 0, canvas.height and canvas.height + 1)
            pane.draw(0, range(layout.rows)[top : top + rows], range(layout.columns)[left : left + columns])
    return canvas
