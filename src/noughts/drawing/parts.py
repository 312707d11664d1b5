"""As much of a board as fits where not all of it does: some layers, or some rows and columns of one."""

from collections.abc import Iterator
from dataclasses import replace

from noughts.drawing import signs
from noughts.drawing.forms import column_name
from noughts.drawing.ladder import Step, after_cells, bar_of, before_cells, extent_of, slant_of, steps_of
from noughts.drawing.plan import (
    BLOCK_GAP,
    Around,
    Hidden,
    Note,
    Places,
    Plan,
    foot_lines,
    gap_of,
    in_blocks,
    label_end,
    label_lines,
    lay_out,
    ways_around,
)
from noughts.drawing.scene import Scene

MARGIN = 2
"""So many cells stay in sight on each side of the cursor."""

MIN_SHOWN = 3
"""Rows and columns of which a part of a board has at least so many beside what they are called."""

MIN_TOLD, MIN_COUNTED = 16, 32
"""Columns of a window from which on it is told that more lies outside, and how much."""


def plan_of_part(
    scene: Scene, width: int, height: int, focus: int | None, origin: tuple[int, int]
) -> Plan | None:
    """As much of a board as fits with the cell *focus*: of one plane from the row and column of *origin* on.

    None where not one cell fits.
    """
    layout, ways = scene.layout, [*ways_around(scene)]
    plane, row, column = layout.place(min(scene.view.last, default=0) if focus is None else focus)
    if layout.planes > 1:
        for around in ways:
            if plan := _layers(scene, width, height, plane, around):
                return plan
        ways.append(replace(ways[-1], labels=False))
    for around in ways:
        best: tuple[int, int] = 0, 0
        name = len(column_name(scene, layout.columns - 1)) if around.names else 0
        for step in _steps(scene, around):
            if name >= step.across:
                continue  # of what is scrolled each column has its name
            found = _most_cells(scene, step, width, height, plane, around)
            if found[0] * found[1] > best[0] * best[1]:
                best, taken = found, step
        least = 1 if around == ways[-1] else MIN_SHOWN
        if best[0] < min(least, layout.rows) or best[1] < min(least, layout.columns):
            continue
        top = scrolled(origin[0], best[0], layout.rows, None if focus is None else row)
        left = scrolled(origin[1], best[1], layout.columns, None if focus is None else column)
        shown = range(top, top + best[0]), range(left, left + best[1])
        beyond = Hidden(left=plane, right=layout.planes - 1 - plane)
        plan = lay_out(scene, taken, Places({plane: (0, 0)}, beyond=beyond), around, *shown)
        return _noted(plan, width)
    return None


def plan_of_picture(scene: Scene, width: int, height: int, *, unicode: bool) -> Plan | None:
    """A flat board without names at the largest step that fits, else its middle or its lowest rows."""
    layout, around = scene.layout, Around(names=False, labels=False)
    edge = int(layout.gravity or scene.joined[1])
    steps = list(steps_of(scene, unicode=unicode, named=False))
    for step in steps:
        plan = lay_out(scene, step, Places({0: (0, 0)}), around, range(layout.rows), range(layout.columns))
        if (
            plan.width - 2 * (before_cells(scene, step, named=False) - edge) <= width
            and plan.height <= height
        ):
            return replace(plan, corners={0: (edge, plan.corners[0][1])})
    step = steps[-1]
    rows = min(layout.rows, height - foot_lines(scene, around))
    columns = min(layout.columns, (width - 2 * edge - step.wide) // step.across + 1)
    if rows < 1 or columns < 1:
        return None
    top = layout.rows - rows if layout.gravity else (layout.rows - rows) // 2
    left = (layout.columns - columns) // 2
    shown = range(top, top + rows), range(left, left + columns)
    return replace(lay_out(scene, step, Places({0: (0, 0)}), around, *shown), corners={0: (edge, 0)})


def _steps(scene: Scene, around: Around) -> list[Step]:
    """Those of one line a cell, the largest first."""
    return [step for step in steps_of(scene, unicode=True, named=around.names) if step.down == 1]


# Whole layers


def _layers(scene: Scene, width: int, height: int, plane: int, around: Around) -> Plan | None:
    """As many layers as fit around the one of *plane*; None where not one does."""
    layout, best = scene.layout, None
    for step in _steps(scene, around):
        places = _places_around(scene, step, width, height, plane, around)
        if places is not None and (best is None or len(places.of) > len(best[1].of)):
            best = step, places
    if best is None:
        return None
    plan = lay_out(scene, *best, around, range(layout.rows), range(layout.columns))
    return _noted(plan, width)


def _places_around(
    scene: Scene, step: Step, width: int, height: int, plane: int, around: Around
) -> Places | None:
    """Where as many layers as fit stand; of four dimensions and more whole blocks, if one fits."""
    layout, upper, gap = scene.layout, scene.game.shape[:-2], gap_of(scene, step)
    wide, high = extent_of(scene, step, range(layout.rows), range(layout.columns))
    width -= max(0, label_end(scene, step, layout.planes - 1) - wide)  # of the last in a row
    high += label_lines(scene, around) + 1
    width -= before_cells(scene, step, named=around.names) + after_cells(scene, step)
    height -= foot_lines(scene, around) - 1
    across, down = (width + gap) // (wide + gap), height // high
    if across < 1 or down < 1:
        return None
    if len(upper) == 1:
        first, count = around_one(plane, across * down, layout.planes)
        of = {first + n: (n % across, n // across) for n in range(count)}
        return Places(of, gap, beyond=Hidden(left=first, right=layout.planes - first - count))
    rows, columns = upper[-2:]
    size, block = rows * columns, columns * (wide + gap) - gap
    across_blocks, down_blocks = (width + BLOCK_GAP) // (block + BLOCK_GAP), (height + 1) // (rows * high + 1)
    if across_blocks and down_blocks:
        first, count = around_one(plane // size, across_blocks * down_blocks, layout.planes // size)
        shown = range(first * size, (first + count) * size)
        beyond = Hidden(left=shown.start, right=layout.planes - shown.stop)
        return Places(in_blocks(shown, rows, columns, across_blocks), gap, (columns, rows), beyond)
    lines = layout.planes // columns  # of layers, in all blocks
    top, down = around_one(plane // columns, down, lines)
    left, across = around_one(plane % columns, across, columns)
    of = {(top + y) * columns + left + x: (x, y) for y in range(down) for x in range(across)}
    return Places(of, gap, beyond=Hidden(top, lines - top - down, left, columns - left - across))


def around_one(number: int, count: int, size: int) -> tuple[int, int]:
    """The first of at most *count* of *size* things around the one of *number*, and how many they are.

    >>> around_one(4, 3, 9), around_one(8, 3, 9), around_one(0, 5, 2)
    ((3, 3), (6, 3), (0, 2))
    """
    count = min(count, size)
    return max(0, min(number - count // 2, size - count)), count


# Some rows and columns


def _most_cells(
    scene: Scene, step: Step, width: int, height: int, plane: int, around: Around
) -> tuple[int, int]:
    """How many rows and columns of a *plane* fit, with what is told beside them of the others."""
    layout, slant, left = scene.layout, slant_of(scene, step), before_cells(scene, step, named=around.names)
    if label_lines(scene, around) and left + label_end(scene, step, plane) > width:
        return 0, 0
    height -= label_lines(scene, around) + foot_lines(scene, around) + (layout.gravity and around.names)
    width -= left + _room_after(scene, step, around, width)
    bars = bar_of(step) if all(layout.fields) else (0, 0)
    rows = _fitting(layout.rows, height, step.down, step.high, layout.fields[0], bars[1])
    if slant:  # all columns fit, or the slant takes half of the room that columns share with it
        room = max(0, (width - step.wide) // 2, width - (layout.columns - 1) * step.across - step.wide)
        rows = min(rows, 1 + room // slant)
    width -= slant * max(0, rows - 1)
    return rows, _fitting(layout.columns, width, step.across, step.wide, layout.fields[1], bars[0])


def _room_after(scene: Scene, step: Step, around: Around, width: int) -> int:
    """The columns kept right of the last cells: for signs, a wall, and for what is told there."""
    layout = scene.layout
    after = after_cells(scene, step)
    if layout.hex and around.names:
        after = max(after, slant_of(scene, step) + len(column_name(scene, layout.columns - 1)))
    if width < MIN_TOLD or not around.names:
        return after
    return after + len(" ▲") + len(f" {max(layout.rows, layout.columns)}") * (width >= MIN_COUNTED)


def _fitting(size: int, room: int, pitch: int, cell: int, field: int, bar: int) -> int:
    """How many of *size* cells fit in *room* wherever they begin, a *bar* more between two fields."""
    count = max(0, min(size, (room - cell) // pitch + 1))
    while bar and count:
        bars = min((field + count - 2) // field, (size - 1) // field)
        if (count - 1) * pitch + cell + bars * bar <= room:
            break
        count -= 1
    return count


def scrolled(first: int, count: int, size: int, focus: int | None) -> int:
    """The first visible of *size* cells: *first*, if *focus* is among *count* from there with its margin."""
    if focus is not None:
        margin = min(MARGIN, (count - 1) // 2)
        first = min(max(first, focus + margin + 1 - count), focus - margin)
    return max(0, min(first, size - count))


# What is told of what is not shown


def _noted(plan: Plan, width: int) -> Plan:
    """*plan* with how much lies outside, where there is room for that in *width* columns."""
    notes = [*_notes_of_layers(plan, width)]
    if any(plan.hidden) and width >= MIN_TOLD and plan.around.names:
        notes += _notes_of_cells(plan, is_counted=width >= MIN_COUNTED)
    reach = max([plan.width, *(note.x + len(note.text) for note in notes)])
    return replace(plan, notes=tuple(notes), reach=reach)


def _notes_of_layers(plan: Plan, width: int) -> Iterator[Note]:
    """How many layers lie outside, behind the last name in the first line of names."""
    upper_line = min(y for _, y in plan.corners.values())
    plane, (x, y) = [(plane, place) for plane, place in plan.corners.items() if place[1] == upper_line][-1]
    x += label_end(plan.scene, plan.step, plane) + 1
    above, below, left, right = plan.beyond
    counts = zip(signs.MORE, (left, right, above, below), strict=True)
    told = [(sign, count) for sign, count in counts if count]
    texts = " ".join(f"{sign} {count}" for sign, count in told), "".join(sign for sign, _ in told)
    fits = [text for text in texts if x + len(text) <= width]
    if told and fits and plan.around.labels:
        yield Note(x, y - 1, fits[0])


def _notes_of_cells(plan: Plan, *, is_counted: bool) -> Iterator[Note]:
    """How many rows and columns lie outside: beside the outer rows, and in the line of the names."""
    scene, step, hidden = plan.scene, plan.step, plan.hidden
    (plane,), (row, last), column = plan.corners, (plan.rows[0], plan.rows[-1]), plan.columns[-1]
    after = step.wide + after_cells(scene, step) + 1
    (upper, y), (lower, bottom) = (plan.at(plane, each, column) for each in (row, last))
    names = 0 if scene.layout.gravity else bottom + 1
    places = ((0, names), (plan.width + 1, names), (upper + after, y), (lower + after, bottom))
    counts = (hidden.left, hidden.right, hidden.above, hidden.below)
    for sign, count, (x, line) in zip(signs.MORE, counts, places, strict=True):
        text = f"{sign} {count}"
        is_whole = is_counted and (x or len(text) < plan.corners[plane][0])
        if count:
            yield Note(x, line, text if is_whole else sign)
