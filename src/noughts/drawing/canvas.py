"""A sheet of characters that can be written on anywhere."""

from itertools import groupby
from typing import NamedTuple

LINE = "line"
"""The role of what the board is ruled with."""


class Ink(NamedTuple):
    """One character of a canvas, and what it is."""

    character: str
    role: str = ""
    strong: bool = False


class Span(NamedTuple):
    """A run of characters of one kind, for who wants to colour them.

    ``role`` is a mark, :data:`LINE`, or empty for numbers, letters and blanks; ``strong`` says that the
    characters belong to the last move or a winning line.
    """

    text: str
    role: str
    strong: bool


BLANK = Ink(" ")


class Canvas:
    """Rows of characters, one column each, without end to the right and below."""

    def __init__(self) -> None:
        self._rows: list[dict[int, Ink]] = []

    @property
    def height(self) -> int:
        """How many rows are written on."""
        return len(self._rows)

    @property
    def width(self) -> int:
        """How many columns are written on."""
        return max((max(row) + 1 for row in self._rows if row), default=0)

    def write(self, x: int, y: int, text: str, role: str = "", strong: bool = False) -> None:
        """Put *text* on row *y* from column *x*; its blanks leave what is there."""
        self._reach(y + 1)
        for column, character in enumerate(text, x):
            if character != " ":
                self._rows[y][column] = Ink(character, role, strong)

    def is_blank(self, x: int, y: int) -> bool:
        """Whether nothing stands at column *x* of row *y*."""
        return y >= len(self._rows) or x not in self._rows[y]

    def paste(self, x: int, y: int, other: "Canvas") -> None:
        """Put all of *other* here, its corner at column *x* of row *y*."""
        self._reach(y + other.height)
        for down, row in enumerate(other._rows, y):
            self._rows[down].update((x + column, ink) for column, ink in row.items())

    def spans(self) -> list[list[Span]]:
        """The rows as runs of one kind, without blanks at their ends."""
        return [_spans(row) for row in self._rows]

    def _reach(self, height: int) -> None:
        self._rows += [{} for _ in range(height - len(self._rows))]


def _spans(row: dict[int, Ink]) -> list[Span]:
    inks = [row.get(column, BLANK) for column in range(max(row, default=-1) + 1)]
    return [
        Span("".join(ink.character for ink in run), role, strong)
        for (role, strong), run in groupby(inks, key=lambda ink: (ink.role, ink.strong))
    ]
