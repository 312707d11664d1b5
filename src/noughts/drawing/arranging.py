"""Where the planes of a board with depth stand: side by side, in rows, in a grid."""

from dataclasses import dataclass

from noughts.drawing.canvas import Canvas
from noughts.drawing.forms import Form
from noughts.drawing.pane import Pane
from noughts.drawing.scene import Scene
from noughts.games.layout import plane_label

GAPS = (4, 2, 1)
"""Columns between planes, the best first."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The corner of each plane, as its column and line, and the width of all."""

    corners: tuple[tuple[int, int], ...]
    width: int

    def draw(self, scene: Scene, form: Form, canvas: Canvas, left: int = 0) -> list[Pane]:
        """Draw all planes, each below its label, *left* columns further to the right."""
        panes = []
        for plane, (x, y) in enumerate(self.corners):
            label = write_label(scene, form, canvas, left + x, y, plane)
            panes.append(Pane(scene, form, canvas, left + x, y + label, plane))
            panes[-1].draw()
        return panes


def write_label(scene: Scene, form: Form, canvas: Canvas, x: int, y: int, plane: int) -> int:
    """Write the number of a *plane* above its first column; how many lines that takes."""
    label = plane_label(scene.game.shape[:-2], plane)
    canvas.write(x + form.across(scene).before + form.end, y, label)
    return int(bool(label))


def arrange(scene: Scene, form: Form, width: int) -> Arrangement | None:
    """How all planes, each with its label above, fit in so many columns; None where they do not."""
    planes, upper = scene.layout.planes, scene.game.shape[:-2]
    across, down = form.across(scene), form.down(scene)
    wide, high = form.extent(scene, down.size, across.size), down.extent(down.size)
    if widest_label := plane_label(upper, planes - 1):
        wide, high = max(wide, across.before + form.end + len(widest_label)), high + 1
    if wide > width:
        return None
    # Planes that belong together stand in rows about as long as one another, as many as are needed.
    size, most = upper[-1] if upper else 1, (width + GAPS[-1]) // (wide + GAPS[-1])
    rows = -(-size // most)
    in_a_row = -(-size // rows)
    gap = next(gap for gap in GAPS if in_a_row * (wide + gap) - gap <= width)
    high += not scene.layout.drops  # a line is kept for a floor anyway
    places = ((plane // size * rows, *divmod(plane % size, in_a_row)) for plane in range(planes))
    corners = tuple((x * (wide + gap), (top + y) * high) for top, y, x in places)
    return Arrangement(corners, in_a_row * (wide + gap) - gap)
