"""Cells of several lines, in which marks are drawn."""

from noughts.drawing.canvas import Box, Canvas
from noughts.drawing.scene import Scene
from noughts.drawing.signs import CLOSED, DRAWN, FORBIDDEN, HERE, LEFT, OPEN, RIGHT, around, pointer, threats
from noughts.games.layout import Layout

MOST_ROWS, MOST_COLUMNS = 5, 5
"""Boards up to this size are drawn large."""


def is_small(layout: Layout) -> bool:
    """Whether a board is flat and has few enough rows and columns to be drawn large."""
    return layout.planes == 1 and layout.rows <= MOST_ROWS and layout.columns <= MOST_COLUMNS


def draw_cell(canvas: Canvas, scene: Scene, index: int, mark: str | None, box: Box) -> None:
    """Draw the cell of *index*, with *mark*, where *box* says."""
    x, y, wide, high = box
    codes, last, winning = scene.view.codes(index), index in scene.view.last, index in scene.winning
    shape = DRAWN.get((mark or "", high), ())
    for line, text in enumerate(shape, y):
        canvas.write(x + (wide - high) // 2, line, text, mark or "", last or winning)
    text, role = mark or _label(scene, index), scene.role(index, mark)
    if "open" in codes or "closed" in codes:
        text, role = OPEN if "open" in codes else CLOSED, ""
    elif shape:
        text = ""
    middle = y + high // 2
    text = text[:wide]
    canvas.write(x + (wide - len(text) + 1) // 2, middle, text, role, bool(role) and (last or winning))
    highlight = pointer(codes)
    if highlight == "hint" and mark is None and scene.view.worth(index):
        highlight = ""  # it stands close around the label
    left, right = around(highlight=highlight, last=False, winning=False, threats=threats(codes))
    canvas.write(x + 1, middle, left, strong=True)
    canvas.write(x + wide - 2, middle, right, strong=True)
    for column, signs in ((x + 1, "****" * winning), (x, HERE * last)):
        for number, sign in enumerate(signs):
            right_end, bottom = 2 * x + wide - 1 - column, y + high - 1
            canvas.write((column, right_end)[number % 2], (y, bottom)[number // 2], sign, strong=True)


def _label(scene: Scene, index: int) -> str:
    """The label of an empty cell; a draw in a ring, what a hint points to between its signs."""
    view = scene.view
    codes, worth = view.codes(index), view.worth(index)
    text = FORBIDDEN if "forbidden" in codes else view.labels.get(index, "")
    if worth and "hint" in codes:
        return LEFT["hint"] + text + RIGHT["hint"]
    return f"({text})" if worth == "draw" else text
