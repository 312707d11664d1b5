"""The forms in which the cells of a plane are written as lines, and the room that each takes."""

from dataclasses import dataclass, replace

from noughts.drawing.scene import Scene
from noughts.games.layout import Layout
from noughts.games.notation import column_letters

MAX_ROWS, MAX_COLUMNS = 5, 5
"""Boards up to this size are drawn large."""

DRAWN_SIZES = ((5, 11), (3, 7))
"""Lines and columns of a drawn cell."""

MAX_LINES = 15
"""Lines that the drawn cells of a board take on the console."""

TILE_SIZES = ((3, 6), (1, 2))
"""Lines of a tile, and columns besides those of its number."""

HEXAGON = (5, 3)
"""Columns between the sides of a large hexagon, and the lines in which it is as wide as they are apart."""


def is_small(layout: Layout) -> bool:
    """Whether a board is flat and has few enough rows and columns to be drawn large."""
    return layout.planes == 1 and layout.rows <= MAX_ROWS and layout.columns <= MAX_COLUMNS


@dataclass(frozen=True, slots=True)
class Side:
    """The rows or the columns of a plane, in characters.

    ``cell`` characters a cell, ``gap`` between two, ``bar`` more between fields of ``field`` cells;
    ``before`` the first cell and ``after`` the last stands what belongs to the frame.
    """

    size: int
    cell: int
    gap: int = 0
    field: int = 0
    bar: int = 0
    before: int = 0
    after: int = 0

    def start(self, first: int, number: int) -> int:
        """Where the cell *number* begins if *first* is the first one shown."""
        bars = number // self.field - first // self.field if self.field else 0
        return self.before + (number - first) * (self.cell + self.gap) + bars * self.bar

    def extent(self, count: int, *, aligned: bool = False) -> int:
        """How many characters *count* cells take at most: wherever they begin, or *aligned* with a field."""
        bars = 0
        if self.field:
            before = 0 if aligned else self.field - 1  # cells of the same field to the left of the first
            bars = min((before + count - 1) // self.field, (self.size - 1) // self.field)
        return self.before + count * (self.cell + self.gap) - self.gap + bars * self.bar + self.after

    def most(self, room: int, *, aligned: bool = False) -> int:
        """How many cells fit in *room*; 0 where not even one does."""
        count = max(0, min(self.size, room // self.cell))
        while count and self.extent(count, aligned=aligned) > room:
            count -= 1
        return count


@dataclass(frozen=True, slots=True)
class Form:
    """How cells are written: ``high`` lines of ``wide`` columns, a mark in ``content`` of them.

    ``drawn`` cells have drawn marks; ``ruled`` ones have lines between them, ``framed`` ones around them
    too: on a board of hexagons, which are ``wide`` columns wide between their sides. ``tight`` neighbours
    share the column between them for their signs. With ``coordinates`` the numbers of rows and the letters
    or numbers of columns stand outside. ``counted`` rows begin with the number of their first cell; in
    ``labelled`` cells labels end where marks do. A ``gap`` is between cells that have no room for signs.
    """

    wide: int
    high: int = 1
    content: int = 1
    drawn: bool = False
    ruled: bool = False
    framed: bool = False
    tight: bool = False
    coordinates: bool = False
    counted: bool = False
    labelled: bool = False
    gap: int = 0

    @property
    def end(self) -> int:
        """Where in a cell the last character of its mark stands."""
        if self.labelled:
            return self.wide - 2
        return self.wide - 1 if self.tight else (self.wide + self.content) // 2 - 1

    def margin(self, scene: Scene) -> int:
        """How many columns the numbers of the rows take."""
        if self.counted:
            return len(scene.number(len(scene.cells) - 1)) + 1
        if not (self.coordinates and scene.has_letter_names):
            return 0
        return len(str(scene.layout.rows)) + (2 if self.drawn else 1)

    def slant(self, scene: Scene) -> int:
        """How many columns each row stands to the right of the one above: half a hexagon."""
        return (self.wide + self.ruled + self.gap) // 2 if scene.layout.hex else 0

    def extent(self, scene: Scene, rows: int, columns: int) -> int:
        """How many columns of characters so many rows and columns of cells take."""
        return self.across(scene).extent(columns) + self.slant(scene) * (rows - 1)

    def most(self, scene: Scene, width: int, height: int, *, aligned: bool = False) -> tuple[int, int]:
        """How many rows and columns of cells fit, as :meth:`Side.most` says."""
        across, slant = self.across(scene), self.slant(scene)
        rows = self.down(scene).most(height, aligned=aligned)
        if slant:  # all columns fit, or the slant takes half of the room that columns share with it
            room = max(0, (width - across.extent(1)) // 2, width - across.extent(across.size))
            rows = min(rows, 1 + room // slant)
        return rows, across.most(width - slant * max(0, rows - 1), aligned=aligned)

    def across(self, scene: Scene) -> Side:
        """The columns of a plane."""
        layout = scene.layout
        frame = int(self.framed) + int(layout.gravity)
        after = self.tight + frame
        if layout.hex and self.coordinates:  # the names of the columns stand half a cell further to the right
            name = len(column_name(scene, layout.columns - 1))
            after = max(after, self.slant(scene) + self.end - (name - 1) // 2 + name - self.wide)
        return Side(
            layout.columns,
            self.wide,
            gap=self.gap + self.ruled,
            field=layout.fields[1],
            bar=1 + self.tight,
            before=self.margin(scene) + frame,
            after=after,
        )

    def down(self, scene: Scene) -> Side:
        """The rows of a plane, without the label it may have above."""
        layout = scene.layout
        numbered = self.coordinates and layout.gravity
        named = self.coordinates and not layout.gravity
        floor = layout.gravity or layout.drops
        return Side(
            layout.rows,
            self.high,
            gap=self.slant(scene) - self.high if self.ruled and layout.hex else int(self.ruled),
            field=layout.fields[0],
            bar=1,
            before=int(self.framed) + int(numbered) + int(layout.owned),
            after=int(self.framed) + int(floor) + named * (2 if self.drawn else 1),
        )


def column_name(scene: Scene, column: int) -> str:
    """What stands outside for a column: its letters, or the number that a player types."""
    if scene.layout.gravity:
        return str(column + 1)
    return column_letters(column) if scene.has_letter_names else scene.number(column)


def spacious_forms(scene: Scene) -> list[Form]:
    """The forms of small flat boards and of the puzzle, the largest first."""
    layout, content, small = scene.layout, scene.content, is_small(scene.layout)
    if layout.planes > 1 or not (small or layout.ruled or layout.hex):
        return []
    if layout.tiles:
        return [Form(content + room, high, content, ruled=True, framed=True) for high, room in TILE_SIZES]
    if layout.gravity or any(layout.fields):
        return []
    if layout.hex:
        least = max(content + 2, scene.widest_label + 1) // 2 * 2 + 1  # a hexagon has a middle
        sizes = [HEXAGON, (least, 1)] if HEXAGON[0] > least else [(least, 1)]
        return [Form(wide, high, content, ruled=True, framed=True) for wide, high in sizes]
    drawn = [Form(wide, high, drawn=True, ruled=True) for high, wide in DRAWN_SIZES if small]
    return [*drawn, Form(max(content + 2, scene.widest_label + 1), content=content, ruled=True)]


def console_forms(scene: Scene) -> list[Form]:
    """The forms of a board on the console, the best first: small boards are drawn large.

    Cells are called by their labels if there is room, else by what stands outside.
    """
    layout = scene.layout
    forms = [] if layout.hex and not is_small(layout) else spacious_forms(scene)
    if layout.tiles:
        forms = [replace(forms[-1], coordinates=True)]
    elif not layout.hex:
        forms = [form for form in forms if form.drawn and form.high * layout.rows <= MAX_LINES]
    outside = {"coordinates" if scene.has_letters or layout.gravity else "counted": True}
    if scene.has_worths:
        for room in (2, 1):
            labelled, _ = _compact(scene, scene.digits + room - 1)
            forms += _named(scene, replace(labelled, labelled=True), **outside)
    elif scene.is_numbered:
        labelled, _ = _compact(scene, scene.digits)
        labelled = replace(labelled, labelled=True)
        if layout.planes > 1 and scene.has_letter_names:  # places are told besides numbers
            forms.append(replace(labelled, coordinates=True))
        forms.append(labelled)
    return [*forms, *_named(scene, *_compact(scene, 0), **outside)]


def _compact(scene: Scene, labels: int) -> tuple[Form, Form]:
    """Cells with room for marks and for *labels* columns; the same with neighbours that share their signs."""
    content = scene.content
    even = _even if scene.layout.hex else int
    wide = even(max(content, labels) + 1)
    return Form(even(max(content + 2, labels + 1)), content=content), Form(wide, content=wide - 1, tight=True)


def _named(scene: Scene, *forms: Form, **outside: bool) -> list[Form]:
    """Those of *forms* that have room for the names of columns, with what stands *outside*."""
    head = len(column_name(scene, scene.layout.columns - 1)) if "coordinates" in outside else 1
    even = _even if scene.layout.hex else int
    return [
        replace(form, wide=form.wide if form.tight else even(max(form.wide, head + 1)), **outside)
        for form in forms
        if not form.tight or head <= form.content
    ]


def _even(width: int) -> int:
    """*width*, or one more: rows of hexagons stand half a cell apart."""
    return width + width % 2
