"""A game as text: all of it as lines, as much as fits in a window of a terminal, or a small picture of it.

Lines are for terminals, pipes, logs and screen readers. A window shows the best form that fits, or as much of
it as there is room for. Small pictures stand in lists of games: no coordinates, no signs, cut where there is
no room.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from noughts.drawing.arranging import arrange, write_label
from noughts.drawing.canvas import Box, Canvas, Span, in_ascii
from noughts.drawing.forms import Form, console_forms, spacious_forms
from noughts.drawing.ground import Behind
from noughts.drawing.pane import Pane
from noughts.drawing.parts import plan_of_part, plan_of_picture
from noughts.drawing.plan import NOTHING, Hidden, plan_of
from noughts.drawing.plate import Plate
from noughts.drawing.scene import Scene, has_letters_outside
from noughts.drawing.view import View, view_of
from noughts.games.base import Game, check_game

MIN_WIDTH = 10
"""Columns in which every game of the catalogue can be drawn."""

INDENT = 3
"""Columns left of a board that is drawn large, where there is room."""


def draw_text(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> list[str]:
    r"""The board of *game* as lines of at most *width* columns, without blanks at their ends.

    A small flat board is drawn large, others have compact cells, with the numbers of the cells counted
    from *first*, or with letters and numbers outside. The last move stands in brackets, the winning
    cells between stars. Below :data:`MIN_WIDTH` columns the narrowest form is drawn, fitting or not.
    With *unicode* false all characters are ASCII. A *view* replaces what is said about single cells.
    Every game can be drawn so; what is no :class:`~noughts.games.base.Game` raises ``TypeError``.

    >>> from noughts import new_game
    >>> game = new_game("3x2:2,gravity")
    >>> game.play((1, 1))
    >>> print("\n".join(draw_text(game, unicode=False)))
      1  2  3
    |         |
    |   [X]   |
    +---------+
    """
    check_game(game)
    spans = draw_spans(game, width=width, unicode=unicode, first=first, view=view)
    return ["".join(span.text for span in line) for line in spans]


def draw_spans(
    game: Game, *, width: int = 79, unicode: bool = True, first: int = 1, view: View | None = None
) -> Sequence[Sequence[Span]]:
    """The lines of :func:`draw_text` in runs of one kind, for an interface that colours them."""
    view = view or view_of(game, first, labels=not has_letters_outside(game))
    scene, canvas = Scene(game, view, first), Canvas()
    # Where cells carry no numbers they are called by what stands outside; what they are worth is always told.
    unlabelled = scene if scene.has_worths else Scene(game, replace(view, labels={}), first)
    forms = console_forms(scene)
    for form in forms:
        shown = scene if form.labelled or form.ruled else unlabelled
        if whole := arrange(shown, form, width):
            whole.draw(shown, form, canvas, min(INDENT, width - whole.width) if form.drawn else 0)
            break
    else:
        compact = [form for form in forms if not (form.labelled or form.ruled)]
        _draw_parts(unlabelled, compact[-1] if scene.layout.hex else compact[0], canvas, width)
    return canvas.spans() if unicode else in_ascii(canvas.spans())


def _draw_parts(scene: Scene, form: Form, canvas: Canvas, width: int) -> None:
    """The board in parts of as many columns as fit, about as wide as one another, one below another."""
    layout = scene.layout
    rows, columns = (max(1, count) for count in form.most(scene, width, sys.maxsize))
    if any(layout.fields):
        whole = form.most(scene, width, sys.maxsize, aligned=True)[1]
        columns = whole - whole % layout.fields[1] or columns
    else:
        columns = -(-layout.columns // -(-layout.columns // columns))
    for plane, top, left in product(
        range(layout.planes), range(0, layout.rows, rows), range(0, layout.columns, columns)
    ):
        y = canvas.height and canvas.height + 1
        y += write_label(scene, form, canvas, 0, y, plane)
        shown = range(layout.rows)[top : top + rows], range(layout.columns)[left : left + columns]
        Pane(scene, form, canvas, 0, y, plane, *shown).draw()


# In a window


@dataclass(frozen=True, slots=True)
class Window:
    """A board, or the part of it that fits, with where each cell stands.

    ``boxes`` are those of the visible cells by flat index. ``hidden`` are the rows and columns of the planes
    that lie outside, ``beyond`` the planes. ``origin`` is the first visible row and column of cells; give it
    back for the next drawing, so that the board does not jump.
    """

    rows: Sequence[Sequence[Span]] = ()
    boxes: Mapping[int, Box] = field(default_factory=dict)
    hidden: Hidden = NOTHING
    beyond: Hidden = NOTHING
    origin: tuple[int, int] = (0, 0)
    heads: Mapping[int, Box] = field(default_factory=dict)
    """Where the names of the columns stand above cells, by the uppermost visible cell of the column."""
    width: int = 0
    """The columns of characters that the picture takes, whatever its cells show at the moment."""
    reach: int = 0
    """The columns up to the end of what is told beside it of what lies outside."""
    behind: tuple[Behind, ...] = ()
    """What lies behind characters, the lower before the upper."""
    is_named: bool = False
    """Whether the numbers of rows and the letters or numbers of columns stand around the cells."""

    @property
    def is_whole(self) -> bool:
        """Whether all cells of all planes are in sight."""
        return not (any(self.hidden) or any(self.beyond))

    @property
    def height(self) -> int:
        """How many lines are drawn."""
        return len(self.rows)

    def cell_at(self, x: int, y: int) -> int | None:
        """The flat index of the cell at column *x* of line *y*; None where there is none.

        Where marks fall, the number above a column stands for its uppermost visible cell.
        """
        for places in (self.boxes, self.heads):
            for index, box in places.items():
                if box.x <= x < box.x + box.width and box.y <= y < box.y + box.height:
                    return index
        return None


def draw_window(
    game: Game,
    view: View | None = None,
    *,
    width: int,
    height: int,
    unicode: bool = True,
    first: int = 1,
    focus: int | None = None,
    origin: tuple[int, int] = (0, 0),
    shaded: bool = True,
    coloured: bool = True,
) -> Window:
    """The board of *game* in at most *height* lines of at most *width* columns.

    Boards are drawn as large as there is room. Of boards with depth that do not fit, as many whole planes are
    shown as do, around that of the cell with the flat index *focus*; others are scrolled so that this cell is
    in sight, with two cells around it where the board goes on, and otherwise stay at *origin*. Empty cells
    carry the labels of *view*, none if there is no view. Cells are numbered from *first*.

    With *unicode* false all characters are ASCII, with *shaded* false nothing is told by what lies behind
    characters, and with *coloured* false nothing by the colours of pens. Where not one cell fits, nothing is
    drawn.
    """
    view = view_of(game, first, labels=False) if view is None else view
    scene = Scene(game, view, first)
    plan = plan_of(scene, width, height, unicode=unicode) or plan_of_part(scene, width, height, focus, origin)
    if plan is None:
        return Window()
    plate = Plate(scene, plan, Canvas(), unicode=unicode, shaded=shaded, coloured=coloured)
    plate.draw()
    rows = plate.canvas.spans()
    return Window(
        rows if unicode else in_ascii(rows),
        plate.boxes(),
        plan.hidden,
        plan.beyond,
        (plan.rows.start, plan.columns.start),
        heads=plate.heads(),
        width=plan.width,
        reach=plan.reach,
        behind=tuple(plate.behind),
        is_named=plan.around.names and not scene.layout.drops,
    )


# In lists of games

PLANE_GAP = 2
"""Columns between planes that stand side by side; between rows of them there is one line."""


def draw_thumbnail(game: Game, *, width: int, height: int, unicode: bool = True) -> Sequence[Sequence[Span]]:
    """A picture of *game* in at most *height* lines of at most *width* columns.

    Boards stand in it at the largest step of the ladder that fits. Of a large board its middle is shown, of
    one where marks fall its lowest rows, of one with depth as many planes as fit. Where not one cell fits,
    there are no lines. With *unicode* false all characters are ASCII.

    >>> from noughts import new_game
    >>> game = new_game()
    >>> game.play((1, 1))
    >>> ["".join(span.text for span in line) for line in draw_thumbnail(game, width=5, height=3)]
    ['· · ·', '· X ·', '· · ·']
    """
    scene = Scene(game, View(), bare=True)
    canvas = Canvas()
    if scene.layout.planes > 1 or scene.layout.tiles or scene.layout.hex or any(scene.layout.fields):
        _draw_closely(scene, canvas, width, height)
    elif plan := plan_of_picture(scene, width, height, unicode=unicode):
        Plate(scene, plan, canvas, unicode=unicode, shaded=False, coloured=True).draw()
    return canvas.spans() if unicode else in_ascii(canvas.spans())


def _draw_closely(scene: Scene, canvas: Canvas, width: int, height: int) -> None:
    """A picture of a board whose cells stand closer to one another than at any step."""
    layout, fields = scene.layout, scene.layout.fields
    form = Form(scene.content, content=scene.content, gap=int(not any(fields)))
    whole = (layout.rows, layout.columns)
    ruled = [form for form in spacious_forms(scene) if not form.drawn and not layout.hex]
    form = next((form for form in ruled if form.most(scene, width, height) == whole), form)
    rows, columns = form.most(scene, width, height, aligned=True)
    if not (rows and columns):
        return
    top = (layout.rows - rows) // 2
    left = (layout.columns - columns) // 2
    if any(fields):  # cut at the lines
        top, left = top - top % fields[0], left - left % fields[1]
    wide = form.across(scene).extent(columns, aligned=True) + PLANE_GAP
    high = form.down(scene).extent(rows, aligned=True) + 1
    for plane, (x, y) in _planes(scene.game, (width + PLANE_GAP) // wide, (height + 1) // high).items():
        shown = range(top, top + rows), range(left, left + columns)
        Pane(scene, form, canvas, x * wide, y * high, plane, *shown).draw()


def _planes(game: Game, across: int, down: int) -> Mapping[int, tuple[int, int]]:
    """Which planes are shown, and where: the lowest ones where marks fall from plane to plane."""
    layout, in_a_row = game.layout, game.shape[-3] if len(game.shape) > 2 else 1
    rows = layout.planes // in_a_row
    across, down = min(across, in_a_row), min(down, rows)
    left = in_a_row - across if layout.drops and len(game.shape) == 3 else 0
    top = rows - down if layout.drops else 0
    return {(top + y) * in_a_row + left + x: (x, y) for y, x in product(range(down), range(across))}
