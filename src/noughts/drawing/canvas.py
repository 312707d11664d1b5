"""A sheet of characters without fixed size."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from noughts.drawing.signs import ASCII

LINE, FAINT, SECOND = "line", "faint", "second"
"""The roles of the lines of a board, of lattices and inner lines, and of names and labels."""

Kind = tuple[str, bool]
"""The role of a character, and True if it is strong; see :class:`Span`."""

PLAIN: Kind = ("", False)


class Span(NamedTuple):
    """A run of characters of one kind, for interfaces with colours.

    ``role`` is a mark, :data:`LINE`, or empty for numbers, letters and blanks. ``strong`` is true for the
    last move and for winning lines.
    """

    text: str
    role: str
    strong: bool


Rows = Sequence[Sequence[Span]]


class Box(NamedTuple):
    """A rectangle: the upper left corner and the size."""

    x: int
    y: int
    width: int
    height: int


class Canvas:
    """Rows of one-column characters, unlimited to the right and below."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._kinds: list[dict[int, Kind]] = []  # The kinds of the characters of each row that are not plain.

    @property
    def height(self) -> int:
        """The number of rows with characters."""
        return len(self._rows)

    @property
    def width(self) -> int:
        """The number of columns with characters."""
        return max(map(len, self._rows), default=0)

    def write(self, x: int, y: int, text: str, role: str = "", strong: bool = False) -> None:
        """Write *text* on row *y* from column *x*; its blanks leave the characters below them.

        Columns below 0 are skipped.
        """
        while len(self._rows) <= y:
            self._rows.append([])
            self._kinds.append({})
        row, kinds = self._rows[y], self._kinds[y]
        kind = (role, strong)
        for column, character in enumerate(text, x):
            if character == " " or column < 0:
                continue
            if column >= len(row):
                row.extend(" " * (column + 1 - len(row)))
            row[column] = character
            if kind != PLAIN:
                kinds[column] = kind
            elif column in kinds:
                del kinds[column]

    def clear(self, x: int, y: int, width: int = 1) -> None:
        """Remove the characters in *width* columns of row *y*, from column *x* on."""
        for column in range(max(0, x), x + width) if y < len(self._rows) else ():
            if column < len(self._rows[y]):
                self._rows[y][column] = " "
                self._kinds[y].pop(column, None)

    def texts(self, *, unicode: bool = True) -> list[str]:
        """Return the rows without blanks at their ends, in ASCII unless *unicode*."""
        texts = map("".join, self._rows)
        return list(texts) if unicode else [text.translate(ASCII) for text in texts]

    def spans(self, *, unicode: bool = True) -> list[list[Span]]:
        """Return the rows of :meth:`texts` as runs of one kind."""
        return [
            _spans(text, kinds) for text, kinds in zip(self.texts(unicode=unicode), self._kinds, strict=True)
        ]


def _spans(text: str, kinds: dict[int, Kind]) -> list[Span]:
    changes: list[tuple[int, Kind]] = []  # The columns where runs begin.
    end, before = 0, PLAIN
    for x in sorted(kinds):
        if x > end:
            changes.append((end, PLAIN))
        if x > end or kinds[x] != before:
            changes.append((x, kinds[x]))
        end, before = x + 1, kinds[x]
    if end < len(text):
        changes.append((end, PLAIN))
    pieces = pairwise([*changes, (len(text), PLAIN)])
    return [Span(text[start:end], *kind) for (start, kind), (end, _) in pieces]
