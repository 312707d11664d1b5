"""Where the planes of a board with depth stand: on a stair, side by side, in rows, in a grid."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

from noughts.drawing.canvas import Canvas
from noughts.drawing.forms import Form
from noughts.drawing.pane import Pane
from noughts.drawing.scene import Scene
from noughts.games.layout import plane_label

STAIR_GAPS = (3, 2)
LEVEL_GAPS = (4, 2, 1)
"""Columns between planes, the best first."""

STAIR_STEP = 2
"""Lines from one step of the stair to the next."""


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


def arrangements(
    scene: Scene, form: Form, width: int, height: float, *, stairs: bool = True
) -> Iterator[Arrangement]:
    """The ways in which all planes, each with its label above, fit in the window, the best first."""
    planes, upper = scene.layout.planes, scene.game.shape[:-2]
    across, down = form.across(scene), form.down(scene)
    label = plane_label(upper, planes - 1)
    wide = max(
        form.extent(scene, down.size, across.size), (across.before + form.end + len(label)) * bool(label)
    )
    high = bool(label) + down.extent(down.size)
    if wide > width or high > height or planes * down.size > width * height:
        return
    if len(upper) == 1 and stairs:
        for gap in STAIR_GAPS:
            if planes * (wide + gap) - gap <= width and high + (planes - 1) * STAIR_STEP <= height:
                steps = ((plane * (wide + gap), plane * STAIR_STEP) for plane in range(planes))
                yield Arrangement(tuple(steps), planes * (wide + gap) - gap)
    for size in accumulate(reversed(upper or (1,)), mul):
        # Planes that belong together stand in rows about as long as one another, as many as are needed.
        most = (width + LEVEL_GAPS[-1]) // (wide + LEVEL_GAPS[-1])
        if size > most and size != upper[-1]:
            break
        rows = -(-size // most)
        in_a_row = -(-size // rows)
        gap = next(gap for gap in LEVEL_GAPS if in_a_row * (wide + gap) - gap <= width)
        for blank in (0,) if scene.layout.drops else (1, 0):  # a line is kept for a floor anyway
            if planes // size * rows * (high + blank) - blank <= height:
                places = ((plane // size * rows, *divmod(plane % size, in_a_row)) for plane in range(planes))
                corners = ((x * (wide + gap), (top + y) * (high + blank)) for top, y, x in places)
                yield Arrangement(tuple(corners), in_a_row * (wide + gap) - gap)
