"""Where the planes of a board with depth stand: on a stair, side by side, in rows, in a grid."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from operator import mul

from noughts.drawing.forms import Form
from noughts.drawing.scene import Scene
from noughts.games.layout import plane_label

STAIR_GAPS = (3, 2)
LEVEL_GAPS = (4, 2, 1)
"""Columns between planes, the best first."""

STAIR_STEP = 2
"""Lines from one step of the stair to the next."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The corner of each plane, as its number, column and line; the width of all; the labels of planes."""

    corners: tuple[tuple[int, int, int], ...]
    width: int
    labels: Mapping[int, str] = field(default_factory=dict)


def arrangements(scene: Scene, form: Form, width: int, height: int) -> Iterator[Arrangement]:
    """The ways in which all planes, each with its label above, fit in the window, the best first."""
    planes = scene.layout.planes
    across, down = form.across(scene), form.down(scene)
    widest_label = plane_label(scene.game.shape[:-2], planes - 1)
    wide = max(across.extent(across.size), form.end + len(widest_label))
    high = 1 + down.extent(down.size)
    if wide > width or high > height or planes * down.size > width * height:
        return
    labels = {plane: plane_label(scene.game.shape[:-2], plane) for plane in range(planes)}
    if len(scene.game.shape) == 3:
        for gap in STAIR_GAPS:
            if planes * (wide + gap) - gap <= width and high + (planes - 1) * STAIR_STEP <= height:
                steps = ((plane, plane * (wide + gap), plane * STAIR_STEP) for plane in range(planes))
                yield Arrangement(tuple(steps), planes * (wide + gap) - gap, labels)
    for in_a_row, gap, blank in _rows_of_planes(scene, wide, width):
        rows = -(-planes // in_a_row)
        if rows * (high + blank) - blank <= height:
            corners = (
                (plane, plane % in_a_row * (wide + gap), plane // in_a_row * (high + blank))
                for plane in range(planes)
            )
            yield Arrangement(tuple(corners), in_a_row * (wide + gap) - gap, labels)


def _rows_of_planes(scene: Scene, wide: int, width: int) -> Iterator[tuple[int, int, int]]:
    """How many planes stand in a row, how far apart, and the blank lines between rows, the best first."""
    planes = scene.layout.planes
    upper = scene.game.shape[:-2]
    counts = list(accumulate(reversed(upper), mul))
    if len(upper) == 1:
        # Rows about as long as one another, as many as are needed.
        most = max(1, (width + LEVEL_GAPS[-1]) // (wide + LEVEL_GAPS[-1]))
        counts = [planes, -(-planes // -(-planes // most))]
    for in_a_row in counts:
        for gap in LEVEL_GAPS:
            if in_a_row * (wide + gap) - gap <= width:
                for blank in (1, 0):
                    yield in_a_row, gap, blank
                break
