"""The ladder of cell sizes: a board in a window takes the largest step whose whole picture fits."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import NamedTuple

from noughts.drawing.forms import column_name
from noughts.drawing.scene import Scene
from noughts.games.layout import plane_label


class Step(NamedTuple):
    """``across`` columns and ``down`` lines from one cell to the next, which is ``wide`` x ``high``."""

    across: int
    down: int
    wide: int
    high: int

    @property
    def is_ruled(self) -> bool:
        """Whether there is room for lines between the cells."""
        return self.across > self.wide and self.down > self.high


LETTERS, SPACED, SQUARES = Step(2, 1, 1, 1), Step(3, 1, 3, 1), Step(6, 3, 5, 3)
"""The smallest steps, and that of squares without lines between them."""

LADDER = (
    LETTERS,
    SPACED,
    Step(4, 2, 3, 1),
    SQUARES,
    Step(6, 4, 5, 3),
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

FREE_FROM = 19
"""From so many lines on one of them stays free above the board."""

FIELD_GAP, FIELD_BAR = 3, 1
"""Columns and lines between fields."""

BLOCK_GAP, MOST_BLOCKS = 3, 3
"""Columns and lines between blocks of layers; so many stand side by side."""


MARGIN = 2
"""So many cells stay in sight on each side of the cursor."""

MIN_SHOWN, MIN_COUNTED = 3, 32
"""Rows and columns of which a part of a board has at least so many; columns of a window from which on it is
told how many rows lie outside."""


@dataclass(frozen=True)
class Plan:
    """Where the cells of a board stand at one step; ``corners`` are the first cells of the planes.

    ``numbered`` planes have the numbers of rows on their left, ``lettered`` ones the names of columns.
    """

    scene: Scene
    step: Step
    corners: tuple[tuple[int, int], ...]
    width: int
    height: int
    numbered: frozenset[int]
    lettered: frozenset[int]
    rows: range
    columns: range
    """Those that are shown; all of them, or of a lattice that is too large for its window a part."""

    @property
    def cells(self) -> Iterable[int]:
        """The flat indexes of the cells that are shown."""
        layout, rows, columns = self.scene.layout, self.rows, self.columns
        if (len(rows), len(columns)) == (layout.rows, layout.columns):
            return range(len(self.scene.cells))
        return [layout.index(0, row, column) for row in rows for column in columns]

    @cached_property
    def is_lattice(self) -> bool:
        """Whether marks stand on the crossings of lines."""
        return is_lattice(self.scene)

    def at(self, plane: int, row: int, column: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        x, y = self.corners[plane]
        down, across = self.scene.layout.fields
        row, column = row - self.rows.start, column - self.columns.start  # fields are never shown in part
        x += column * self.step.across + (column // across * bar_of(self.step)[0] if across else 0)
        y += row * self.step.down + (row // down * bar_of(self.step)[1] if down else 0)
        return x, y

    def place(self, index: int) -> tuple[int, int]:
        """The upper left corner of the cell with the flat *index*."""
        return self.at(*self.scene.layout.place(index))


def is_lattice(scene: Scene) -> bool:
    """Whether a board is drawn as lines on whose crossings marks stand: from nine columns on."""
    layout = scene.layout
    return (
        layout.planes == 1
        and layout.columns >= LATTICE_FROM
        and not (layout.gravity or layout.tiles or any(layout.fields))
    )


def bar_of(step: Step) -> tuple[int, int]:
    """The columns and lines by which the next field stands farther away than the next cell."""
    return FIELD_GAP - (step.across - step.wide), FIELD_BAR - (step.down - step.high)


def pad_of(step: Step) -> int:
    """The columns beside cells that are kept for signs: where cells have no room for them."""
    return int(step.wide in (LETTERS.wide, SQUARES.wide))


def past_edge(scene: Scene, step: Step) -> int:
    """The lines kept above and below a board whose upper and lower edge meet: its lines run on there.

    A lattice of larger cells has room for that in the cells at its edge.
    """
    return int(scene.joined[0] and step.is_ruled and (step.high == 1 or not is_lattice(scene)))


def plan_of(scene: Scene, width: int, height: int, *, unicode: bool) -> Plan | None:
    """The largest step at which all of a board fits, what its cells are called by included; None for none."""
    layout = scene.layout
    if layout.hex:
        return None
    height -= height >= FREE_FROM
    for step in _steps(scene, unicode=unicode):
        for places in _places(scene, step):
            plan = _plan(scene, step, places)
            if plan.width <= width and plan.height <= height:
                return plan
    return None


def _steps(scene: Scene, *, unicode: bool) -> Iterator[Step]:
    """Those that a board can take, the largest first."""
    layout = scene.layout
    plain = layout.planes == 1 and not (layout.gravity or layout.tiles or any(layout.fields))
    name = len(column_name(scene, layout.columns - 1))
    for step in reversed(LADDER):
        if step.high == SQUARES.high and step.wide == SQUARES.wide and (step == SQUARES) != plain:
            continue
        if scene.content > max(1, step.wide - 2) or name >= step.across:
            continue
        if unicode or step.high % 2:
            yield step


class Places(NamedTuple):
    """Where planes stand: the column and row of each, and the columns and lines between two."""

    of: tuple[tuple[int, int], ...]
    gap: int
    blocks: int = 0
    """How many columns of planes make a block; 0 where there are none."""
    high: int = 0


def _places(scene: Scene, step: Step) -> Iterator[Places]:
    """The ways in which planes can stand beside each other and below."""
    upper = scene.game.shape[:-2]
    gap = 3 if step.down == 1 else 5
    if len(upper) <= 1:
        planes = scene.layout.planes
        yield Places(tuple((plane, 0) for plane in range(planes)), gap)
        across = isqrt(planes - 1) + 1
        yield Places(tuple((plane % across, plane // across) for plane in range(planes)), gap)
    elif len(upper) == 2:
        rows, columns = upper
        yield Places(tuple((x, y) for y in range(rows) for x in range(columns)), gap)
    elif len(upper) == 3:
        blocks, rows, columns = upper
        for across in (MOST_BLOCKS, 1):
            yield Places(
                tuple(
                    (block % across * columns + x, block // across * rows + y)
                    for block in range(blocks)
                    for y in range(rows)
                    for x in range(columns)
                ),
                2 if step.down == 1 else 1,
                columns,
                rows,
            )


def _plan(scene: Scene, step: Step, places: Places) -> Plan:
    layout, pad = scene.layout, pad_of(step)
    wide, high = plane_extent(scene, step)
    label = int(layout.planes > 1)
    left = margin_of(scene, step)
    wall, over = int(layout.gravity), past_edge(scene, step)
    top = wall + label + over
    corners = []
    for x, y in places.of:
        block_x, block_y = (x // places.blocks, y // places.high) if places.blocks else (0, 0)
        corners.append(
            (
                left + x * (wide + places.gap) + block_x * (BLOCK_GAP - places.gap),
                top + y * (high + label + 1 + 2 * over) + block_y,
            )
        )
    last_row = max(y for _, y in places.of)
    numbered = frozenset(plane for plane, (x, _) in enumerate(places.of) if x == 0)
    lettered = frozenset(plane for plane, (_, y) in enumerate(places.of) if y == last_row)
    right = max(x for x, _ in corners) + wide + max(pad, wall, int(scene.joined[1]))
    if label:
        name = len(plane_label(scene.game.shape[:-2], layout.planes - 1))
        right = max(right, corners[-1][0] + step.wide // 2 + name + 1)
    bottom = max(y for _, y in corners) + high + over + 1
    shown = range(layout.rows), range(layout.columns)
    return Plan(scene, step, tuple(corners), right, bottom, numbered, lettered, *shown)


def plan_of_part(
    scene: Scene, width: int, height: int, focus: tuple[int, int] | None, origin: tuple[int, int]
) -> Plan | None:
    """As much of a lattice as fits at the smallest step: from *origin* on, with *focus*, its row and column.

    To its right there is room to say how many rows lie outside. None for other boards, and where fewer than
    :data:`MIN_SHOWN` rows or columns would be seen.
    """
    layout = scene.layout
    if layout.hex or not is_lattice(scene) or not (steps := [*_steps(scene, unicode=True)]):
        return None
    step = steps[-1]
    if step.down > 1:  # names of columns take three letters
        return None
    left, after = margin_of(scene, step), max(pad_of(step), int(scene.joined[1])) + len(" ^")
    after += len(f" {layout.rows}") * (width >= MIN_COUNTED)
    rows = min(layout.rows, height - 1)
    columns = min(layout.columns, (width - left - after - step.wide) // step.across + 1)
    if rows < min(MIN_SHOWN, layout.rows) or columns < min(MIN_SHOWN, layout.columns):
        return None
    top = scrolled(origin[0], rows, layout.rows, focus and focus[0])
    first = scrolled(origin[1], columns, layout.columns, focus and focus[1])
    right = left + (columns - 1) * step.across + step.wide + after
    shown = range(top, top + rows), range(first, first + columns)
    return Plan(scene, step, ((left, 0),), right, rows + 1, frozenset((0,)), frozenset((0,)), *shown)


def scrolled(first: int, count: int, size: int, focus: int | None) -> int:
    """The first visible of *size* cells: *first*, if *focus* is among *count* from there with its margin."""
    if focus is not None:
        margin = min(MARGIN, (count - 1) // 2)
        first = min(max(first, focus + margin + 1 - count), focus - margin)
    return max(0, min(first, size - count))


def plane_extent(scene: Scene, step: Step) -> tuple[int, int]:
    """The columns and lines from the first to the last cell of a plane."""
    layout = scene.layout
    down, across = layout.fields
    wide = (layout.columns - 1) * step.across + step.wide
    high = (layout.rows - 1) * step.down + step.high
    if across and down:
        wide += (layout.columns - 1) // across * bar_of(step)[0]
        high += (layout.rows - 1) // down * bar_of(step)[1]
    return wide, high


def margin_of(scene: Scene, step: Step) -> int:
    """The columns left of the first cell: the numbers of rows, signs, a wall."""
    pad = max(pad_of(step), int(scene.layout.gravity or scene.joined[1]))
    if not scene.has_letter_names:
        return pad
    return max(pad, len(str(scene.layout.rows)) + (2 if step.across > 4 else 1))
