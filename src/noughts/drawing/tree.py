"""A search tree as a picture: boards, values, the best line and cut moves.

The tree grows from left to right, a column for each ply. A position is level with its best child, so a
straight line is a choice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from noughts.drawing.scene import has_letters
from noughts.drawing.strokes import mark_path, plain
from noughts.drawing.svg import draw_small
from noughts.drawing.svg_document import DARK, FONT, LIGHT, SQUARE, Palette, Sheet, element, write_svg
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.moves import Move
from noughts.games.notation import format_cell, format_position

MAX_POSITIONS = 500
"""The maximum number of positions of a tree that is drawn."""

AT_LEAST, AT_MOST = "least", "most"
"""The kinds of bounds: the value is at least that, or at most."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A position in a search, with the positions that the search tried from it.

    ``position`` is a game of its own and must not be played on. ``move`` led to it and is None at the root.
    Values are those of the first side: ``value`` is 1 for its win, 0 for a draw, -1 for its loss, and None if
    it is not proved. ``plies`` is the distance to that end. ``score`` is the search's estimate of an unproved
    value, in the unit of the search; a float is a mean of results from 1 to -1. ``bound`` is ``least`` or
    ``most`` if the value or score is only a bound. ``visits`` counts the games played through the position,
    if the search plays games. A position with ``is_cut`` was not searched, since it could not matter any
    more. ``best`` is the chosen move, one of those of ``children``, which are in the order of the search.
    """

    position: Game
    move: Move | None = None
    value: int | None = None
    plies: int | None = None
    score: float | None = None
    bound: str = ""
    visits: int | None = None
    is_cut: bool = False
    best: Move | None = None
    children: tuple["Tree", ...] = field(default=(), repr=False)

    @property
    def chosen(self) -> "Tree | None":
        """The child after the best move; None if there is none."""
        known = (child for child in self.children if child.move == self.best)
        return None if self.best is None else next(known, None)

    @property
    def line(self) -> tuple[Move, ...]:
        """The best line: the chosen moves from here on."""
        moves, node = [], self
        while (chosen := node.chosen) is not None and node.best is not None:
            moves.append(node.best)
            node = chosen
        return tuple(moves)

    def walk(self) -> Iterator["Tree"]:
        """Yield this position and all below it, each before its children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def _repr_svg_(self) -> str | None:
        """Return the picture, for notebooks; None if it would be too large."""
        try:
            return draw_tree(self)
        except UnsupportedRules:
            return None


def draw_tree(tree: Tree, *, title: str = "", description: str = "", dark: bool = False) -> str:
    """Return *tree* as SVG: boards with values, the best line bold, cut moves pale and crossed.

    Values are those of the first side, which maximises: +1 is its win, 0 a draw. ``≈`` marks a static
    evaluation, ``≥`` and ``≤`` mark bounds. Below a mean is the number of visits. A screen reader reads
    *title* and *description*; the defaults are the name of the game, and the position with its best line.
    Raises :class:`~noughts.errors.UnsupportedRules` if there are more than :data:`MAX_POSITIONS` positions,
    and ``TypeError`` if *tree* is not a tree.

    >>> from noughts import TicTacToe, draw_tree, search_tree
    >>> draw_tree(search_tree(TicTacToe(), "minimax", depth=1)).startswith("<svg xmlns=")
    True
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"{type(tree).__name__}: no Tree; search_tree makes one of a game")
    if any(number >= MAX_POSITIONS for number, _ in enumerate(tree.walk())):
        raise UnsupportedRules("draw_tree", tree.position.name, "tree-too-large", most=MAX_POSITIONS)
    palette = DARK if dark else LIGHT
    text = " ".join(filter(None, (format_position(tree.position), _label(tree), *_names_of_line(tree))))
    sheet = _Drawing(tree, palette).draw()
    return write_svg([sheet], palette, title or tree.position.name, description or text)


# Sizes in pixels

CELL_SIDE, BOARD_SIDE = 17.0, 92.0
"""The width of a cell, and the greatest width of a board."""

LABEL, EDGE = 54, 64
"""The width of the value beside a board, and of the gap before the next board."""

SPINE = 20
"""The place in that gap where the ways to the children separate."""

APART, MIN_HEIGHT = 16, 44
LEFT, TOP, RIGHT = SQUARE, 3 * SQUARE, SQUARE
FRAME = 5
"""The distance from a board to the frame that marks the best line."""

ROUND = 7
BEST, CHOSEN, TRIED, CUT = 3.0, 1.9, 1.1, 1.0
"""The line widths of the best line, of other choices, of other moves and of cut moves."""

SMALL = 11
"""The font size of names of moves and numbers of visits."""

NAMED = 12
"""The maximum number of characters of the names of cut moves; further moves are counted."""


class _Drawing:
    """A drawing in progress; of the moves cut at a position, only the first is shown."""

    def __init__(self, tree: Tree, palette: Palette) -> None:
        self.tree, self.palette = tree, palette
        self.sides = tree.position.sides
        self.wide, self.high, _ = draw_small(tree.position, palette, CELL_SIDE, BOARD_SIDE)
        self.column = self.wide + LABEL + EDGE
        self.row = max(self.high + APART, MIN_HEIGHT)
        self.shown = _shown(tree)
        self.places: dict[int, tuple[int, float]] = {}  # The column and height of each node, by identity.
        self.ways: list[tuple[float, str]] = []  # The ways, each after its width.
        self.parts: list[str] = []

    def draw(self) -> Sheet:
        rows = self._place()
        on_line = {id(self.tree)}
        for node, _ in self.shown:
            self._board(node, is_best=id(node) in on_line)
            if id(node) in on_line and node.chosen is not None:
                on_line.add(id(node.chosen))
            for child in _children(node):
                self._way(node, child, on_line=id(child) in on_line)
        ways = [way for _, way in sorted(self.ways, key=lambda known: known[0])]
        columns = max(column for column, _ in self.places.values()) + 1
        heads = [part for number in range(columns) for part in self._head(number)]
        width = _whole_squares(LEFT + columns * self.column - EDGE + RIGHT)
        height = _whole_squares(TOP + rows * self.row + SQUARE)
        return Sheet(width, height, (f"<g {FONT}>", *heads, *ways, *self.parts, "</g>"))

    def _place(self) -> int:
        """Place each position, with a row for each leaf; return the number of rows."""
        rows = 0
        for node, depth in self.shown:
            if not node.children:
                self.places[id(node)] = depth, TOP + (rows + 0.5) * self.row
                rows += 1
        for node, depth in reversed(self.shown):
            if node.children:
                below = node.chosen or node.children[0]
                self.places[id(node)] = depth, self.places[id(below)][1]
        return rows

    def _x(self, column: int) -> float:
        return LEFT + column * self.column

    def _head(self, number: int) -> list[str]:
        """Return the head of a column: the mark of the side to move, and its aim.

        Columns with positions of different sides have no head.
        """
        here = [node.position for node, column in self.shown if column == number]
        movers = {game.turn for game in here if game.outcome is None}
        if len(movers) != 1:
            return []
        (side,) = movers
        x, colour = self._x(number), self.palette.pen(side)
        words = "max" if side == self.sides[0] else "min"
        if path := mark_path(side, 0):
            place = f"translate({plain(x)} {TOP - 36}) scale(.2)"
            mark = element("path", transform=place, d=path, fill=colour)
        else:
            mark = element("text", side, x=x, y=TOP - 21, font_size=15, fill=colour)
        plays_for = element("text", words, x=x + 25, y=TOP - 21, font_size=13, fill=self.palette.second)
        return [mark, plays_for]

    def _board(self, node: Tree, *, is_best: bool) -> None:
        column, y = self.places[id(node)]
        x, top = self._x(column), y - self.high / 2
        _, _, board = draw_small(node.position, self.palette, CELL_SIDE, BOARD_SIDE)
        pale = ' opacity=".4"' if node.is_cut else ""
        if is_best:
            size = {"width": self.wide + 2 * FRAME, "height": self.high + 2 * FRAME, "rx": 4}
            colours = {"fill": self.palette.paper, "stroke": self.palette.ink}
            place = {"x": x - FRAME, "y": top - FRAME, "stroke_width": 1.6}
            self.parts.append(element("rect", **place, **size, **colours))
        self.parts.append(f'<g transform="translate({plain(x)} {plain(top)})"{pale}>{board}</g>')
        if label := _label(node):
            self._worth(x + self.wide + 10, y, label, node)

    def _worth(self, x: float, y: float, label: str, node: Tree) -> None:
        """Draw the value of *node* beside its board, and the visits below it."""
        is_proved = node.value is not None
        number = node.value if node.value is not None else node.score or 0
        colour = self.palette.second
        if number and (is_proved or isinstance(number, float)):
            colour = self.palette.pen(self.sides[0] if number > 0 else self.sides[-1])
        weight = {"font_weight": "600"} if is_proved else {}
        base = y + 5 if node.visits is None else y
        size = _size(label)
        self.parts.append(element("text", label, x=x, y=base, font_size=size, fill=colour, **weight))
        if node.visits is not None:
            visits = f"{node.visits}×"
            self.parts.append(
                element("text", visits, x=x, y=base + 14, font_size=SMALL, fill=self.palette.second)
            )

    def _way(self, node: Tree, child: Tree, *, on_line: bool) -> None:
        """Draw the way from *node* to *child* with the name of the move; a cut way is crossed."""
        (column, y), (_, below) = self.places[id(node)], self.places[id(child)]
        parts_at = self._x(column) + self.wide + LABEL + SPINE
        end = self._x(column + 1) - (FRAME + 1 if on_line else 4)
        start = self._x(column) + self.wide + 16 + 0.64 * _size(_label(node)) * len(_label(node))
        broad = BEST if on_line else CHOSEN if child is node.chosen else CUT if child.is_cut else TRIED
        ink = self.palette.ink if on_line else self.palette.line
        dashes = {"stroke_dasharray": "3 4"} if child.is_cut else {}
        path = _elbow(min(start, parts_at - ROUND), y, parts_at, end, below)
        way = element("path", d=path, fill="none", stroke=ink, stroke_width=broad, **dashes)
        self.ways.append((broad, way))
        if child.is_cut:
            self._cross((parts_at + end) / 2, below)
            names, beside = _cut_names(node), self._x(column + 1) + self.wide + 10
            self.parts.append(
                element("text", names, x=beside, y=below + 4, font_size=SMALL, fill=self.palette.second)
            )
        else:
            shape = {"text_anchor": "end", "fill": self.palette.ink if on_line else self.palette.second}
            name = _name(node.position, child.move)
            self.parts.append(element("text", name, x=end - 2, y=below - 5, font_size=SMALL, **shape))

    def _cross(self, x: float, y: float) -> None:
        """Draw two strokes across a cut way."""
        strokes = "".join(f"M{plain(at - 3)} {plain(y + 6)}l6 -12" for at in (x - 2, x + 3))
        self.parts.append(element("path", d=strokes, stroke=self.palette.ink, stroke_width=1.4))


def _whole_squares(extent: float) -> int:
    """Return *extent* in pixels, rounded up to whole squares of paper."""
    return -(-round(extent) // SQUARE) * SQUARE


def _children(node: Tree) -> list[Tree]:
    """Return the visible children of *node*: of the cut ones, only the first."""
    cut = [child for child in node.children if child.is_cut]
    return [child for child in node.children if not child.is_cut] + cut[:1]


def _shown(tree: Tree) -> list[tuple[Tree, int]]:
    """Return the visible positions with their depths, in the order of rows.

    Each position comes before those below it.
    """
    shown, waiting = [], [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        shown.append((node, depth))
        waiting += [(child, depth + 1) for child in reversed(_children(node))]
    return shown


def _cut_names(node: Tree) -> str:
    """Return the names of the moves that were cut at *node*; moves without room are counted."""
    names = [_name(node.position, child.move) for child in node.children if child.is_cut]
    whole = " ".join(names)
    return whole if len(whole) <= NAMED else f"{names[0]} … ({len(names)})"


def _size(label: str) -> int:
    """Return the font size of *label*."""
    return 15 if len(label) <= 3 else 13


def _elbow(start: float, y: float, x: float, end: float, below: float) -> str:
    """Return a path from *start* at height *y* to *end* at height *below*, which turns at *x*.

    Its corners are round.
    """
    if below == y:
        return f"M{plain(start)} {plain(y)}H{plain(end)}"
    turn = ROUND if below > y else -ROUND
    return (
        f"M{plain(start)} {plain(y)}H{plain(x - ROUND)}Q{plain(x)} {plain(y)} {plain(x)} {plain(y + turn)}"
        f"V{plain(below - turn)}Q{plain(x)} {plain(below)} {plain(x + ROUND)} {plain(below)}H{plain(end)}"
    )


def _label(node: Tree) -> str:
    """Return the value of *node* in few characters; empty if it is unknown.

    >>> from noughts import TicTacToe
    >>> [_label(Tree(TicTacToe(), **known)) for known in ({"value": -1}, {"score": 12, "bound": "least"}, {})]
    ['−1', '≥ ≈12', '']
    >>> [_label(Tree(TicTacToe(), score=mean)) for mean in (0.625, -0.001)]
    ['+0.62', '0.00']
    """
    if node.value is not None:
        text = f"{node.value:+d}" if node.value else "0"
    elif isinstance(node.score, float):
        text = f"{rounded:+.2f}" if (rounded := round(node.score, 2)) else "0.00"
    elif node.score is not None:
        text = f"≈{node.score}" if abs(node.score) < 10_000 else f"≈{node.score // 1000}k"
    else:
        return ""
    return {AT_LEAST: "≥ ", AT_MOST: "≤ "}.get(node.bound, "") + text.replace("-", "−")


def _names_of_line(tree: Tree) -> Iterator[str]:
    """Yield the names of the moves of the best line, each in its position."""
    node = tree
    while (chosen := node.chosen) is not None:
        yield _name(node.position, chosen.move)
        node = chosen


def _name(game: Game, move: Move | None) -> str:
    """Return the name of *move*, by letter and number if cells have them."""
    if move is None:
        return ""
    if not has_letters(game):
        return game.notation.format(move)
    return game.notation.spell(
        move, lambda cell: format_cell(game.shape, cell, from_top=game.layout.from_top)
    )
