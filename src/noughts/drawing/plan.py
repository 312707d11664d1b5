"""Where the cells of a board stand in a window: all of them at the largest step of the ladder that fits."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isqrt, prod
from typing import NamedTuple

from noughts.drawing.forms import column_name
from noughts.drawing.ladder import (
    Step,
    after_cells,
    bar_of,
    before_cells,
    extent_of,
    is_lattice,
    past_edge,
    slant_of,
    steps_of,
)
from noughts.drawing.scene import Scene
from noughts.games.layout import plane_label

FREE_FROM = 19
"""From so many lines on one of them stays free above the board."""

BLOCK_GAP, MOST_BLOCKS = 3, 3
"""Columns between blocks of layers, and lines; so many stand side by side."""


class Hidden(NamedTuple):
    """How much lies outside a window on each side."""

    above: int = 0
    below: int = 0
    left: int = 0
    right: int = 0


NOTHING = Hidden()


class Note(NamedTuple):
    """What is told at a place of a picture."""

    x: int
    y: int
    text: str


@dataclass(frozen=True)
class Around:
    """What stands around cells.

    These are the ``names`` of rows and columns, a ``holder`` of marks that fall, ``labels`` of planes.
    """

    names: bool = True
    holder: bool = True
    labels: bool = True


class Places(NamedTuple):
    """Where planes stand: the column and row of each that is shown, and the columns between two.

    ``block`` are the columns and rows of planes that make a block, 0 where there are none. How many are not
    shown, ``beyond`` says.
    """

    of: Mapping[int, tuple[int, int]]
    gap: int = 0
    block: tuple[int, int] = (0, 0)
    beyond: Hidden = NOTHING


@dataclass(frozen=True)
class Plan:
    """Where the cells of a board stand at one step.

    ``corners`` are the first cells of the planes that are shown, ``rows`` and ``columns`` those of them.
    ``numbered`` planes have the numbers of rows on their left, ``lettered`` ones the names of columns. The
    picture is ``width`` columns wide; with ``notes`` of what is not shown it reaches to the column ``reach``.
    """

    scene: Scene
    step: Step
    around: Around
    corners: Mapping[int, tuple[int, int]]
    width: int
    height: int
    numbered: frozenset[int]
    lettered: frozenset[int]
    rows: range
    columns: range
    beyond: Hidden = NOTHING
    notes: tuple[Note, ...] = ()
    reach: int = 0

    @property
    def hidden(self) -> Hidden:
        """How many rows and columns of each plane are not shown."""
        layout, rows, columns = self.scene.layout, self.rows, self.columns
        return Hidden(rows.start, layout.rows - rows.stop, columns.start, layout.columns - columns.stop)

    @cached_property
    def _known(self) -> dict[int, tuple[int, int]]:
        """The corners of cells, each of which is asked for several times."""
        return {}

    @cached_property
    def cells(self) -> Iterable[int]:
        """The flat indexes of the cells that are shown."""
        layout = self.scene.layout
        if not any(self.hidden) and not any(self.beyond):
            return range(len(self.scene.cells))
        return [
            layout.index(plane, row, column)
            for plane in self.corners
            for row in self.rows
            for column in self.columns
        ]

    @cached_property
    def is_lattice(self) -> bool:
        """Whether marks stand on the crossings of lines."""
        return is_lattice(self.scene)

    def at(self, plane: int, row: int, column: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        x, y = self.corners[plane]
        down, across = self.scene.layout.fields
        top, left = self.rows.start, self.columns.start
        x += (column - left) * self.step.across + (row - top) * slant_of(self.scene, self.step)
        y += (row - top) * self.step.down
        if across and down:
            x += (column // across - left // across) * bar_of(self.step)[0]
            y += (row // down - top // down) * bar_of(self.step)[1]
        return x, y

    def place(self, index: int) -> tuple[int, int]:
        """The upper left corner of the cell with the flat *index*."""
        if (known := self._known.get(index)) is None:
            known = self._known[index] = self.at(*self.scene.layout.place(index))
        return known


def plan_of(scene: Scene, width: int, height: int, *, unicode: bool) -> Plan | None:
    """The largest step at which all of a board fits; None for none.

    What cells are called by comes before size, and before what holds marks that fall.
    """
    layout = scene.layout
    height -= height >= FREE_FROM
    shown = range(layout.rows), range(layout.columns)
    for around in ways_around(scene)[:2]:
        for step in steps_of(scene, unicode=unicode, named=around.names):
            wide, high = extent_of(scene, step, *shown)
            if wide > width or high > height:
                continue  # not one plane fits, whatever stands around its cells
            for places in _places(scene, step):
                plan = lay_out(scene, step, places, around, *shown)
                if plan.width <= width and plan.height <= height:
                    return plan
    return None


def ways_around(scene: Scene) -> list[Around]:
    """What can stand around cells, the best first."""
    fewer = [Around(holder=False)] if scene.layout.gravity else []
    return [Around(), *fewer, Around(names=False, holder=False)]


def _places(scene: Scene, step: Step) -> Iterator[Places]:
    """The ways in which all planes can stand beside each other and below."""
    upper, planes, gap = scene.game.shape[:-2], scene.layout.planes, gap_of(scene, step)
    if len(upper) <= 1:
        for across in (planes, isqrt(planes - 1) + 1):
            yield Places({plane: (plane % across, plane // across) for plane in range(planes)}, gap)
        return
    rows, columns = upper[-2:]
    for across in (MOST_BLOCKS, 1) if planes > rows * columns else (1,):
        yield Places(in_blocks(range(planes), rows, columns, across), gap, (columns, rows))


def in_blocks(planes: range, rows: int, columns: int, across: int) -> Mapping[int, tuple[int, int]]:
    """The column and row of *planes*, in blocks of so many *rows* and *columns*, *across* blocks in a row."""
    found = {}
    for number, plane in enumerate(planes):
        block, place = divmod(number, rows * columns)
        found[plane] = (
            block % across * columns + place % columns,
            block // across * rows + place // columns,
        )
    return found


def gap_of(scene: Scene, step: Step) -> int:
    """The columns between planes, whose names must not run into one another."""
    upper, layout = scene.game.shape[:-2], scene.layout
    gap = (3 if step.down == 1 else 5) if len(upper) < 3 else 2 if step.down == 1 else 1
    wide, _ = extent_of(scene, step, range(layout.rows), range(layout.columns))
    return max(gap, len(plane_label(upper, layout.planes - 1)) + 1 - wide)


def lay_out(scene: Scene, step: Step, places: Places, around: Around, rows: range, columns: range) -> Plan:
    """The plan of those *rows* and *columns* of the planes in *places*."""
    layout = scene.layout
    wide, high = extent_of(scene, step, rows, columns)
    label, over = label_lines(scene, around), past_edge(scene, step)
    left, after = before_cells(scene, step, named=around.names), after_cells(scene, step)
    top = label + over + (layout.gravity and around.names)
    below = foot_lines(scene, around)
    across, down = places.block
    corners = {
        plane: (
            left + x * (wide + places.gap) + (x // across * (BLOCK_GAP - places.gap) if across else 0),
            top + y * (high + label + 1 + 2 * over) + (y // down if down else 0),
        )
        for plane, (x, y) in places.of.items()
    }
    numbered = frozenset(plane for plane, (x, _) in places.of.items() if x == 0)
    lowest = {x: plane for plane, (x, _) in sorted(places.of.items(), key=lambda item: item[1][1])}
    lettered = frozenset(lowest.values())
    right = max(x for x, _ in corners.values()) + wide + after
    if layout.hex and around.names:  # the names of columns stand where the next row would
        right = max(right, left + wide + slant_of(scene, step) + len(column_name(scene, columns[-1])))
    if label:
        right = max(right, *(x + label_end(scene, step, plane) for plane, (x, _) in corners.items()))
    bottom = max(y for _, y in corners.values()) + high + over + below
    return Plan(
        scene,
        step,
        around,
        corners,
        right,
        bottom,
        numbered if around.names else frozenset(),
        lettered if around.names else frozenset(),
        rows,
        columns,
        places.beyond,
        reach=right,
    )


def label_end(scene: Scene, step: Step, plane: int) -> int:
    """The columns from the first cell of a plane to the end of its name, with the sign of the cursor."""
    return step.wide // 2 + len(plane_label(scene.game.shape[:-2], plane)) + 1


def label_lines(scene: Scene, around: Around) -> int:
    """The lines that the names of planes take above each."""
    return int(around.labels and prod(scene.game.shape[:-2]) > 1)


def foot_lines(scene: Scene, around: Around) -> int:
    """The lines below the last cells: the names of columns, or what marks fall on."""
    return int(around.holder if scene.layout.gravity else around.names)
