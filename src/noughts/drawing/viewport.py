"""The places of the cells in a text board: of all cells if they fit, else of some.

A window of the full screen uses the largest size of cells that fits. The console uses as many lines as a
board needs. A thumbnail shows a board without names.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import isqrt, prod
from typing import NamedTuple

from noughts.drawing import signs
from noughts.drawing.cell_sizes import (
    CLOSE,
    DRAWN,
    LETTERS,
    RULED,
    SPACED,
    CellSize,
    bar_of,
    extent_of,
    gap_before,
    is_lattice,
    past_edge,
    room_beside,
    sizes_of,
    slant_of,
    widened,
)
from noughts.drawing.scene import Scene, column_name, has_letters_outside, is_lettered, is_small
from noughts.drawing.tilings import HEXAGONS, tiling_of
from noughts.games.layout import plane_label

FREE_FROM = 19
"""The height of a window, in lines, from which one line above the board is free."""

BLOCK_GAP, MAX_BLOCKS = 3, 3
"""The number of columns between blocks of layers, and the maximum number of blocks side by side."""

MIN_GAP = 2
"""The number of columns between planes in thumbnails, and in boards of five axes and more with small cells.
"""

MARGIN = 2
"""The cells on each side of the cursor that stay in sight."""

MIN_SHOWN = 3
"""The minimum number of rows and columns that a part of a board has beside their names."""

MIN_NOTED, MIN_COUNTED = 16, 32
"""The widths of a window, in columns, from which it shows that more is outside, and how much."""

MAX_DRAWN_LINES = 15
"""The maximum height, in lines, of the cells that the console draws."""

INDENT = 3
"""The number of columns left of a board that the console draws large, if there is room."""


class Hidden(NamedTuple):
    """The numbers of rows and columns outside a window on each side."""

    above: int = 0
    below: int = 0
    left: int = 0
    right: int = 0


NOTHING = Hidden()


class Note(NamedTuple):
    """A text at a place of a picture."""

    x: int
    y: int
    text: str


@dataclass(frozen=True)
class Around:
    """The surroundings of the cells.

    ``names`` are those of rows and columns, ``holder`` the walls and floor for falling marks, ``labels`` the
    names of planes. ``counted`` rows begin with the number of their first cell. In ``numbered`` cells of one
    line, labels end in the column of the marks. ``dotted`` boards, those of the console, have dots in empty
    cells and no lattice.
    """

    names: bool = True
    holder: bool = True
    labels: bool = True
    counted: bool = False
    numbered: bool = False
    dotted: bool = False


class Places(NamedTuple):
    """The column and row of each visible plane, and the columns between two planes.

    ``block`` is the size of a block in columns and rows of planes, 0 without blocks. ``beyond`` counts the
    hidden planes.
    """

    of: Mapping[int, tuple[int, int]]
    gap: int = 0
    block: tuple[int, int] = (0, 0)
    beyond: Hidden = NOTHING


FIRST = (0, 0)
"""The place of a single plane."""


@dataclass(frozen=True)
class Viewport:
    """The places of the cells of a board at one size.

    ``corners`` are the first cells of the visible planes, ``rows`` and ``columns`` the visible ones of each
    plane. ``numbered`` planes have the numbers of rows on their left, ``lettered`` ones the names of columns.
    The picture is ``width`` columns wide; with its ``notes`` about hidden parts it extends to the column
    ``reach``.
    """

    scene: Scene
    size: CellSize
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
        """The numbers of hidden rows and columns of each plane."""
        layout, rows, columns = self.scene.layout, self.rows, self.columns
        return Hidden(rows.start, layout.rows - rows.stop, columns.start, layout.columns - columns.stop)

    @cached_property
    def places(self) -> Mapping[int, tuple[int, int]]:
        """The upper left corners of the visible cells, by flat index."""
        size, layout, first = self.size, self.scene.layout, self.rows[0]
        slant, (down, across), bars = slant_of(self.scene, size), layout.fields, bar_of(size)
        rights = _starts(self.columns, size.across, across, bars[0])
        lows = _starts(self.rows, size.down, down, bars[1])
        places = {}
        for plane, (x, y) in self.corners.items():
            for row, low in zip(self.rows, lows, strict=True):
                start, line = x + (row - first) * slant, y + low
                for index, right in enumerate(rights, layout.index(plane, row, self.columns[0])):
                    places[index] = start + right, line
        return places

    @cached_property
    def is_lattice(self) -> bool:
        """True if marks are on the crossings of lines."""
        return is_lattice(self.scene) and not self.around.dotted

    def at(self, plane: int, row: int, column: int) -> tuple[int, int]:
        """Return the upper left corner of a visible cell."""
        return self.places[self.scene.layout.index(plane, row, column)]

    @cached_property
    def middle(self) -> tuple[int, int]:
        """The column and line of the mark, or of its middle, in a cell."""
        return self.size.wide - 2 if self.around.numbered else self.size.wide // 2, self.size.high // 2


def _starts(cells: range, pitch: int, field: int, bar: int) -> list[int]:
    """Return the distances of rows or columns from the first of them, with a *bar* more between fields."""
    first, field = cells[0], field or cells.stop
    return [(cell - first) * pitch + (cell // field - first // field) * bar for cell in cells]


def viewport_of(
    scene: Scene, width: int, height: int, *, unicode: bool, focus: int | None, origin: tuple[int, int]
) -> Viewport | None:
    """Return a board in a window at the largest size that fits, else a part of it.

    Names of cells are more important than size, and size more than walls and floors. A part shows the cell
    *focus*, or the rows and columns of one plane from *origin* on. Return None if not one cell fits.
    """
    sizes = (
        (size, around)
        for around in _ways_around(scene)[:2]
        for size in sizes_of(scene, unicode=unicode, named=around.names)
    )
    whole = _first_that_fits(scene, sizes, _places, width, height - (height >= FREE_FROM))
    return whole or _part_of(scene, width, height, focus, origin)


def _first_that_fits(
    scene: Scene,
    ways: Iterable[tuple[CellSize, Around]],
    places_of: Callable[[Scene, CellSize], Iterator[Places]],
    width: int,
    height: int,
) -> Viewport | None:
    """Return the whole board in the first of *ways* in which it fits; None if it fits in none."""
    shown = _all_cells(scene)
    for size, around in ways:
        wide, high = extent_of(scene, size, *shown)
        if wide > width or high > height:
            continue  # Not one plane fits, whatever is around its cells.
        for places in places_of(scene, size):
            whole = lay_out(scene, size, places, around, *shown)
            if whole.width <= width and whole.height <= height:
                return whole
    return None


def _all_cells(scene: Scene) -> tuple[range, range]:
    return range(scene.layout.rows), range(scene.layout.columns)


def _ways_around(scene: Scene) -> list[Around]:
    """Return the possible surroundings of the cells, the best first."""
    fewer = [Around(holder=False)] if scene.layout.gravity else []
    return [Around(), *fewer, Around(names=False, holder=False)]


def _places(scene: Scene, size: CellSize) -> Iterator[Places]:
    """Yield the arrangements of all planes side by side and one below another."""
    upper, planes, gap = scene.game.shape[:-2], scene.layout.planes, gap_of(scene, size)
    if len(upper) <= 1:
        for across in (planes, isqrt(planes - 1) + 1):
            yield Places({plane: (plane % across, plane // across) for plane in range(planes)}, gap)
        return
    rows, columns = upper[-2:]
    for across in (MAX_BLOCKS, 1) if planes > rows * columns else (1,):
        yield Places(_in_blocks(range(planes), rows, columns, across), gap, (columns, rows))


def _in_blocks(planes: range, rows: int, columns: int, across: int) -> Mapping[int, tuple[int, int]]:
    """Return the places of *planes* in blocks of *rows* and *columns*, *across* blocks in a row."""
    places = {}
    for number, plane in enumerate(planes):
        block, place = divmod(number, rows * columns)
        places[plane] = (
            block % across * columns + place % columns,
            block // across * rows + place // columns,
        )
    return places


def gap_of(scene: Scene, size: CellSize) -> int:
    """Return the number of columns between planes, so that their names do not run into one another."""
    upper, layout = scene.game.shape[:-2], scene.layout
    if scene.bare and size.down == 1:
        return MIN_GAP
    gap = (3 if size.down == 1 else 5) if len(upper) < 3 else MIN_GAP if size.down == 1 else 1
    wide, _ = extent_of(scene, size, *_all_cells(scene))
    return max(gap, len(plane_label(upper, layout.planes - 1)) + 1 - wide)


def lay_out(
    scene: Scene, size: CellSize, places: Places, around: Around, rows: range, columns: range
) -> Viewport:
    """Return the viewport of those *rows* and *columns* of the planes in *places*."""
    layout = scene.layout
    wide, high = extent_of(scene, size, rows, columns)
    label, over = label_lines(scene, around), past_edge(scene, size)
    left, after = _before_cells(scene, size, around), room_beside(scene, size)
    top = label + over + (layout.gravity and around.names)
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
    right = max(x for x, _ in corners.values()) + wide + after
    if (slant := slant_of(scene, size)) and around.names:  # Columns are named in the place of the next row.
        right = max(right, left + wide + slant + len(column_name(scene, columns[-1])))
    if label:
        right = max(right, *(x + label_end(scene, size, plane) for plane, (x, _) in corners.items()))
    bottom = max(y for _, y in corners.values()) + high + over + _foot_lines(scene, around)
    return Viewport(
        scene,
        size,
        around,
        corners,
        right,
        bottom,
        numbered if around.names else frozenset(),
        frozenset(lowest.values()) if around.names and not around.counted else frozenset(),
        rows,
        columns,
        places.beyond,
        reach=right,
    )


def _before_cells(scene: Scene, size: CellSize, around: Around) -> int:
    """Return the number of columns left of the first cell.

    They are for the names of rows, signs, a wall, or the side of a hexagon.
    """
    pad = room_beside(scene, size)
    if around.counted:
        return max(pad, len(scene.number(len(scene.cells) - 1)) + gap_before(scene, size))
    if not (around.names and scene.has_letter_names):
        return pad
    return max(pad, len(str(scene.layout.rows)) + gap_before(scene, size))


def label_end(scene: Scene, size: CellSize, plane: int) -> int:
    """Return the number of columns from the first cell of a plane to the end of its name.

    The name includes the cursor's sign.
    """
    return size.wide // 2 + len(plane_label(scene.game.shape[:-2], plane)) + 1


def label_lines(scene: Scene, around: Around) -> int:
    """Return the number of lines that the names of planes take above each plane."""
    return int(around.labels and prod(scene.game.shape[:-2]) > 1)


def _foot_lines(scene: Scene, around: Around) -> int:
    """Return the number of lines below the last cells: the names of columns, or the floor."""
    return int(around.holder if scene.layout.gravity else around.names and not around.counted)


# Console, which has enough lines


def viewports_of_lines(scene: Scene, width: int) -> list[Viewport]:
    """Return a board in lines of *width* columns: whole, or in parts one below another."""
    ways = list(_console_ways(scene))
    whole = _first_that_fits(scene, ways, _rows_of_planes, width, sys.maxsize)
    if whole is None:
        return _bands(scene, *ways[-1 if tiling_of(scene.layout).slant else -2], width)
    if whole.size not in DRAWN:
        return [whole]
    indent = min(INDENT, width - whole.width)
    return [replace(whole, corners={0: (whole.corners[0][0] + indent, whole.corners[0][1])})]


def _console_ways(scene: Scene) -> Iterator[tuple[CellSize, Around]]:
    """Yield the sizes of a board on the console with their surroundings, the best first.

    Small boards are drawn large. Cells have labels if there is room, else names outside. If cells show
    values, the names are those that the interface uses.
    """
    layout, small = scene.layout, is_small(scene.layout)
    named = has_letters_outside(scene.game) if scene.has_worths else is_lettered(scene.game)
    outside = Around(dotted=True, counted=not (named or layout.gravity))
    inside = Around(dotted=True, names=False, numbered=True)
    if small and layout.is_plain:
        for size in reversed(DRAWN):
            if size.high * layout.rows <= MAX_DRAWN_LINES:
                yield size, Around(dotted=True, names=False)
    name = len(column_name(scene, layout.columns - 1)) if named or layout.gravity else 0
    if layout.tiles:
        yield widened(RULED, scene, name), outside
    elif tiling_of(layout) is HEXAGONS and small and not scene.has_worths:
        yield widened(RULED, scene, label=scene.digits), Around(dotted=True, names=False)
    if scene.has_worths:
        for room in (1, 0):
            yield widened(SPACED, scene, name, scene.digits + room), replace(outside, numbered=True)
    elif not (layout.gravity or layout.tiles or has_letters_outside(scene.game)):
        labelled = widened(SPACED, scene, label=scene.digits)
        if layout.planes > 1 and scene.has_letter_names:
            yield labelled, replace(inside, names=True)
        yield labelled, inside
    yield widened(SPACED, scene, name), outside
    yield widened(LETTERS, scene), outside


def _rows_of_planes(scene: Scene, size: CellSize) -> Iterator[Places]:
    """Yield the planes of the last upper axis in one row, in two, and so on until each has its own."""
    planes, upper = range(scene.layout.planes), scene.game.shape[:-2]
    last, gap = upper[-1] if upper else 1, gap_of(scene, size)
    for across in sorted({-(-last // rows) for rows in range(1, last + 1)}, reverse=True):
        rows = -(-last // across)
        places = {
            plane: (plane % last % across, plane // last * rows + plane % last // across) for plane in planes
        }
        yield Places(places, gap)


def _bands(scene: Scene, size: CellSize, around: Around, width: int) -> list[Viewport]:
    """Return the board in parts of as many columns as fit, of nearly equal width."""
    layout = scene.layout
    rows, columns = (max(1, count) for count in _cells_in(scene, size, width, sys.maxsize, around))
    if any(layout.fields):
        columns = columns - columns % layout.fields[1] or columns
    else:
        columns = -(-layout.columns // -(-layout.columns // columns))
    parts = product(range(layout.planes), range(0, layout.rows, rows), range(0, layout.columns, columns))
    all_rows, all_columns = _all_cells(scene)
    return [
        lay_out(
            scene, size, Places({plane: (0, 0)}), around, all_rows[top:][:rows], all_columns[left:][:columns]
        )
        for plane, top, left in parts
    ]


# Thumbnails


def viewport_of_thumbnail(scene: Scene, width: int, height: int, *, unicode: bool) -> Viewport | None:
    """Return a board without names at the largest size that fits, else a part of it.

    The part is the middle, or the lowest rows if marks fall. If a board with depth does not fit, as many
    planes as possible are shown, the lowest ones if marks fall.
    """
    layout, around, fields = scene.layout, Around(names=False, labels=False), scene.layout.fields
    sizes = [*sizes_of(scene, unicode=unicode, named=False), *([CLOSE] if any(fields) else [])]
    if whole := _first_that_fits(scene, ((size, around) for size in sizes), _places, width, height):
        return whole
    plane = layout.planes - 1 if scene.game.layout.drops else 0
    if layout.planes > 1 and (layers := _layers(scene, width, height, plane, around)):
        return layers
    size = sizes[-1]
    rows, columns = _cells_in(scene, size, width, height, around)
    if rows < 1 or columns < 1:
        return None
    top = layout.rows - rows if layout.gravity else (layout.rows - rows) // 2
    left = (layout.columns - columns) // 2
    if any(fields):  # Cut at the edges of fields.
        top, left = top - top % fields[0], left - left % fields[1]
    shown = range(top, top + rows), range(left, left + columns)
    return lay_out(scene, size, Places({plane: FIRST}), around, *shown)


# Parts of a board in a window


def _part_of(
    scene: Scene, width: int, height: int, focus: int | None, origin: tuple[int, int]
) -> Viewport | None:
    """Return some layers, or some rows and columns of one; None if not one cell fits."""
    layout, ways = scene.layout, _ways_around(scene)
    plane, row, column = layout.place(min(scene.view.last, default=0) if focus is None else focus)
    if layout.planes > 1:
        for around in ways:
            if layers := _layers(scene, width, height, plane, around):
                return layers
        ways.append(replace(ways[-1], labels=False))
    for around in ways:
        best: tuple[int, int] = 0, 0
        name = len(column_name(scene, layout.columns - 1)) if around.names else 0
        for size in _letter_sizes(scene, around):
            if name >= size.across:
                continue  # In a scrolled board each column has its name.
            if label_lines(scene, around) and (
                _before_cells(scene, size, around) + label_end(scene, size, plane) > width
            ):
                continue
            room = _room_for_notes(scene, around, width)
            count = _cells_in(scene, size, width - room, height, around)
            if count[0] * count[1] > best[0] * best[1]:
                best, taken = count, size
        least = 1 if around == ways[-1] else MIN_SHOWN
        if best[0] < min(least, layout.rows) or best[1] < min(least, layout.columns):
            continue
        top = scrolled(origin[0], best[0], layout.rows, None if focus is None else row)
        left = scrolled(origin[1], best[1], layout.columns, None if focus is None else column)
        shown = range(top, top + best[0]), range(left, left + best[1])
        beyond = Hidden(left=plane, right=layout.planes - 1 - plane)
        return _noted(lay_out(scene, taken, Places({plane: FIRST}, beyond=beyond), around, *shown), width)
    return None


def _letter_sizes(scene: Scene, around: Around) -> list[CellSize]:
    """Return the sizes with cells of one line, the largest first."""
    return [size for size in sizes_of(scene, unicode=True, named=around.names) if size.down == 1]


# Whole layers


def _layers(scene: Scene, width: int, height: int, plane: int, around: Around) -> Viewport | None:
    """Return as many layers as fit around *plane*; None if not one fits."""
    best: tuple[CellSize, Places] | None = None
    for size in _letter_sizes(scene, around):
        places = _places_around(scene, size, width, height, plane, around)
        if places is not None and (best is None or len(places.of) > len(best[1].of)):
            best = size, places
    return None if best is None else _noted(lay_out(scene, *best, around, *_all_cells(scene)), width)


def _places_around(
    scene: Scene, size: CellSize, width: int, height: int, plane: int, around: Around
) -> Places | None:
    """Return the places of the layers that fit.

    With four dimensions or more these are whole blocks, if one fits.
    """
    layout, upper, gap = scene.layout, scene.game.shape[:-2], gap_of(scene, size)
    wide, high = extent_of(scene, size, *_all_cells(scene))
    # The name of the last plane in a row may be wider than the plane.
    width -= max(0, label_end(scene, size, layout.planes - 1) - wide)
    high += label_lines(scene, around) + 1
    width -= _before_cells(scene, size, around) + room_beside(scene, size)
    height -= _foot_lines(scene, around) - 1
    across, down = (width + gap) // (wide + gap), height // high
    if across < 1 or down < 1:
        return None
    if len(upper) == 1:
        first, count = around_one(plane, across * down, layout.planes)
        of = {first + n: (n % across, n // across) for n in range(count)}
        return Places(of, gap, beyond=Hidden(left=first, right=layout.planes - first - count))
    rows, columns = upper[-2:]
    block_size, block = rows * columns, columns * (wide + gap) - gap
    across_blocks, down_blocks = (width + BLOCK_GAP) // (block + BLOCK_GAP), (height + 1) // (rows * high + 1)
    if across_blocks and down_blocks:
        first, count = around_one(
            plane // block_size, across_blocks * down_blocks, layout.planes // block_size
        )
        shown = range(first * block_size, (first + count) * block_size)
        beyond = Hidden(left=shown.start, right=layout.planes - shown.stop)
        return Places(_in_blocks(shown, rows, columns, across_blocks), gap, (columns, rows), beyond)
    lines = layout.planes // columns  # The number of lines of layers in all blocks.
    top, down = around_one(plane // columns, down, lines)
    left, across = around_one(plane % columns, across, columns)
    of = {(top + y) * columns + left + x: (x, y) for y in range(down) for x in range(across)}
    return Places(of, gap, beyond=Hidden(top, lines - top - down, left, columns - left - across))


def around_one(number: int, count: int, size: int) -> tuple[int, int]:
    """Return the range of at most *count* indexes below *size* around *number*: its start and length.

    >>> around_one(4, 3, 9), around_one(8, 3, 9), around_one(0, 5, 2)
    ((3, 3), (6, 3), (0, 2))
    """
    count = min(count, size)
    return max(0, min(number - count // 2, size - count)), count


# Rows and columns


def _cells_in(scene: Scene, size: CellSize, width: int, height: int, around: Around) -> tuple[int, int]:
    """Return how many rows and columns of a plane fit."""
    layout, slant = scene.layout, slant_of(scene, size)
    height -= label_lines(scene, around) + _foot_lines(scene, around) + (layout.gravity and around.names)
    after = room_beside(scene, size)
    if slant and around.names:
        after = max(after, slant + len(column_name(scene, layout.columns - 1)))
    width -= _before_cells(scene, size, around) + after
    bars = bar_of(size) if all(layout.fields) else (0, 0)
    rows = _fitting(layout.rows, height, size.down, size.high, layout.fields[0], bars[1])
    if slant:  # All columns fit, or the slant takes half of the room that it shares with them.
        room = max(0, (width - size.wide) // 2, width - (layout.columns - 1) * size.across - size.wide)
        rows = min(rows, 1 + room // slant)
    width -= slant * max(0, rows - 1)
    return rows, _fitting(layout.columns, width, size.across, size.wide, layout.fields[1], bars[0])


def _room_for_notes(scene: Scene, around: Around, width: int) -> int:
    """Return the number of columns right of the last cells for notes about hidden parts."""
    if width < MIN_NOTED or not around.names:
        return 0
    count = f" {max(scene.layout.rows, scene.layout.columns)}"
    return len(" ▲") + len(count) * (width >= MIN_COUNTED)


def _fitting(size: int, room: int, pitch: int, cell: int, field: int, bar: int) -> int:
    """Return the number of *size* cells that fit in *room*, with a *bar* more between fields."""
    count = max(0, min(size, (room - cell) // pitch + 1))
    while bar and count:
        bars = min((field + count - 2) // field, (size - 1) // field)
        if (count - 1) * pitch + cell + bars * bar <= room:
            break
        count -= 1
    return count


def scrolled(first: int, count: int, size: int, focus: int | None) -> int:
    """Return the first of *count* visible cells among *size*.

    It is *first*, moved if needed so that *focus* is visible with a margin.
    """
    if focus is not None:
        margin = min(MARGIN, (count - 1) // 2)
        first = min(max(first, focus + margin + 1 - count), focus - margin)
    return max(0, min(first, size - count))


# Notes about hidden parts


def _noted(viewport: Viewport, width: int) -> Viewport:
    """Return *viewport* with notes about hidden parts, if *width* has room for them."""
    notes = [*_notes_of_layers(viewport, width)]
    if any(viewport.hidden) and width >= MIN_NOTED and viewport.around.names:
        notes += _notes_of_cells(viewport, is_counted=width >= MIN_COUNTED)
    reach = max([viewport.width, *(note.x + len(note.text) for note in notes)])
    return replace(viewport, notes=tuple(notes), reach=reach)


def _notes_of_layers(part: Viewport, width: int) -> Iterator[Note]:
    """Yield a note about hidden layers, behind the last name in the first line of names."""
    upper_line = min(y for _, y in part.corners.values())
    plane, (x, y) = [(plane, place) for plane, place in part.corners.items() if place[1] == upper_line][-1]
    x += label_end(part.scene, part.size, plane) + 1
    above, below, left, right = part.beyond
    counts = [each for each in zip(signs.MORE, (left, right, above, below), strict=True) if each[1]]
    texts = " ".join(f"{sign} {count}" for sign, count in counts), "".join(sign for sign, _ in counts)
    fits = [text for text in texts if x + len(text) <= width]
    if counts and fits and part.around.labels:
        yield Note(x, y - 1, fits[0])


def _notes_of_cells(part: Viewport, *, is_counted: bool) -> Iterator[Note]:
    """Yield notes about hidden rows and columns, beside the outer rows and in the line of names."""
    scene, size, hidden = part.scene, part.size, part.hidden
    (plane,), (row, last), column = part.corners, (part.rows[0], part.rows[-1]), part.columns[-1]
    after = size.wide + room_beside(scene, size) + 1
    (upper, y), (lower, bottom) = (part.at(plane, each, column) for each in (row, last))
    names = 0 if scene.layout.gravity else bottom + 1
    places = ((0, names), (part.width + 1, names), (upper + after, y), (lower + after, bottom))
    counts = (hidden.left, hidden.right, hidden.above, hidden.below)
    for sign, count, (x, line) in zip(signs.MORE, counts, places, strict=True):
        text = f"{sign} {count}"
        is_whole = is_counted and (x or len(text) < part.corners[plane][0])
        if count:
            yield Note(x, line, text if is_whole else sign)
