"""The ladder of cell sizes: what a step is, which of them a board can take, and what room it takes there."""

from collections.abc import Iterator
from typing import NamedTuple

from noughts.drawing.forms import column_name
from noughts.drawing.scene import Scene


class Step(NamedTuple):
    """``across`` columns and ``down`` lines from one cell to the next, which is ``wide`` x ``high``.

    Signs of ``padded`` cells stand in the columns between them.
    """

    across: int
    down: int
    wide: int
    high: int
    padded: bool = False

    @property
    def is_ruled(self) -> bool:
        """Whether there is room for lines between the cells."""
        return self.across > self.wide and self.down > self.high


LETTERS, SPACED, RULED = Step(2, 1, 1, 1, True), Step(3, 1, 3, 1), Step(4, 2, 3, 1)
SQUARES = Step(6, 3, 5, 3, True)
"""The smallest steps, whose marks are letters, and that of squares without lines between them."""

LADDER = (
    LETTERS,
    SPACED,
    RULED,
    SQUARES,
    Step(6, 4, 5, 3, True),
    Step(8, 4, 7, 3),
    Step(10, 5, 9, 4),
    Step(12, 6, 11, 5),
    Step(14, 7, 13, 6),
    Step(16, 8, 15, 7),
    Step(20, 10, 19, 9),
    Step(24, 12, 23, 11),
    Step(28, 14, 27, 13),
    Step(32, 16, 31, 15),
    Step(40, 20, 39, 19),
)

LATTICE_FROM = 9
"""From so many columns on marks stand on crossings."""

FIELD_GAP, FIELD_BAR = 3, 1
"""Columns and lines between fields."""


def is_lattice(scene: Scene) -> bool:
    """Whether a board is drawn as lines on whose crossings marks stand: from nine columns on."""
    layout = scene.layout
    return (
        layout.planes == 1
        and layout.columns >= LATTICE_FROM
        and not (layout.gravity or layout.tiles or layout.hex or any(layout.fields))
    )


def steps_of(scene: Scene, *, unicode: bool, named: bool = True) -> Iterator[Step]:
    """Those that a board can take, the largest first; *named* if its columns have their names."""
    layout = scene.layout
    plain = layout.planes == 1 and not (layout.gravity or layout.tiles or layout.hex or any(layout.fields))
    name = len(column_name(scene, layout.columns - 1)) if named else 0
    for each in reversed(LADDER):
        step = _widened(each, scene, name) if each in (LETTERS, SPACED, RULED) else each
        if step.high == SQUARES.high and step.wide == SQUARES.wide and (step == SQUARES) != plain:
            continue
        if step.high > 1 and scene.content > step.wide - 2:
            continue
        if unicode or step.high % 2:
            yield step


def _widened(step: Step, scene: Scene, name: int) -> Step:
    """A step of letters with room for the widest mark, and where cells have signs, for names of columns.

    Rows of hexagons stand half a cell apart.
    """
    more = scene.content - 1
    across = step.across + more
    if not step.padded:
        across = max(across, name + 1)
    if scene.layout.hex:
        across += across % 2
    return step._replace(across=across, wide=step.wide + more)


def is_named(step: Step, column: int, name: str) -> bool:
    """Whether there is room for the *name* of a column; of long ones every second or third has it."""
    return column % (len(name) // step.across + 1) == 0


def slant_of(scene: Scene, step: Step) -> int:
    """The columns by which each row stands to the right of the one above: half a hexagon."""
    return step.across // 2 if scene.layout.hex else 0


def bar_of(step: Step) -> tuple[int, int]:
    """The columns and lines by which the next field stands farther away than the next cell."""
    return FIELD_GAP - (step.across - step.wide), FIELD_BAR - (step.down - step.high)


def past_edge(scene: Scene, step: Step) -> int:
    """The lines kept above and below the cells of a plane: for the edges of hexagons, or where edges meet.

    There the lines of a board run on; a lattice of larger cells has room for that in the cells at its edge.
    """
    if scene.layout.hex:
        return int(step.is_ruled)
    return int(scene.joined[0] and step.is_ruled and (step.high == 1 or not is_lattice(scene)))


def extent_of(scene: Scene, step: Step, rows: range, columns: range) -> tuple[int, int]:
    """The columns and lines from the first to the last of some cells of a plane."""
    down, across = scene.layout.fields
    wide = (len(columns) - 1) * step.across + step.wide + slant_of(scene, step) * (len(rows) - 1)
    high = (len(rows) - 1) * step.down + step.high
    if across and down:
        wide += (columns[-1] // across - columns[0] // across) * bar_of(step)[0]
        high += (rows[-1] // down - rows[0] // down) * bar_of(step)[1]
    return wide, high


def before_cells(scene: Scene, step: Step, *, named: bool) -> int:
    """The columns left of the first cell: the numbers of rows, signs, a wall, the side of a hexagon."""
    pad = after_cells(scene, step)
    if not (named and scene.has_letter_names):
        return pad
    return max(pad, len(str(scene.layout.rows)) + gap_before(scene, step))


def gap_before(scene: Scene, step: Step) -> int:
    """The columns between the numbers of rows and the first cells; the corners of a field stand in one."""
    has_corners = scene.layout.owned and step.across > LETTERS.across
    return 2 if step.across > RULED.across or _is_framed(scene, step) or has_corners else 1


def after_cells(scene: Scene, step: Step) -> int:
    """The columns right of the last cell: signs, a wall, the side of a hexagon, lines that run on."""
    return int(step.padded or scene.layout.gravity or scene.joined[1] or _is_framed(scene, step))


def _is_framed(scene: Scene, step: Step) -> bool:
    return scene.layout.hex and step.is_ruled
