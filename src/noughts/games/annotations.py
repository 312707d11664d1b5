"""Annotations: the facts of a position under the rules, as codes, and the table of the known codes.

A new annotation is a code that a game gives, a row of :data:`ANNOTATIONS`, and the sentences of that row.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from noughts.core.board import Coordinate


@dataclass(frozen=True, slots=True)
class Annotations:
    """The facts of a position under the rules, as codes that interfaces show.

    ``cells`` has the codes of coordinates, ``fields`` those of fields, counted from 0 in reading order, and
    ``sides`` those of sides. A code is a word of :data:`ANNOTATIONS`, often with data behind a colon, such as
    ``turns:3``. A game may use codes of its own. Interfaces skip codes that they do not know.
    """

    cells: Mapping[Coordinate, tuple[str, ...]] = field(default_factory=dict)
    fields: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    sides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def with_word(self, word: str) -> Iterator[tuple[Coordinate, str]]:
        """Return the cells with codes of *word*, each with the data behind it."""
        return ((cell, data) for cell, codes in self.cells.items() for data in data_of(word, codes))

    def cells_with(self, code: str) -> tuple[Coordinate, ...]:
        """Return the cells that have *code*."""
        return tuple(cell for cell, codes in self.cells.items() if code in codes)

    def number(self, side: str, word: str) -> int | None:
        """Return the number behind *word* of *side*, as 14 in ``lead:14``, or None if it has none."""
        return next(map(int, data_of(word, self.sides.get(side, ()))), None)


@dataclass(frozen=True, slots=True)
class Annotation:
    """The presentation of the codes of one word in all interfaces.

    ``data`` names the part behind the colon. Boards show a cell with the code by ``highlight``. A text board
    adds the ``signs`` left and right of the cell, and the browser the left one, in the class ``code-WORD``.
    ``note`` is the id of the sentence that names all ``cells`` with the code. Each cell has its ``detail`` in
    brackets, or is worded by the sentence ``item``. The detail is the data, or the sentence with the id
    ``detail`` and the data behind it. In the browser, the sentence ``web-code-WORD`` describes a cell that
    has the code, and ``web-key-WORD`` its sign.
    """

    word: str
    data: str = ""
    highlight: str = ""
    signs: tuple[str, str] = ("", "")
    note: str = ""
    item: str = ""
    detail: str = ""

    def detail_id(self, data: str) -> str:
        """Return the id of the sentence for *data*."""
        return f"{self.detail}{data}"


ANNOTATIONS = {
    row.word: row
    for row in (
        # Codes of cells
        Annotation("may"),  # a legal cell
        Annotation("turns", data="count", note="turning-over"),  # a legal cell, with a count of turned marks
        Annotation(
            "leaves",
            data="side",
            highlight="leaving",
            signs=("~", "~"),
            note="leaving-next",
            item="mark-on-cell",
        ),
        Annotation(
            "no", data="reason", highlight="forbidden", note="forbidden-cells", detail="why-forbidden-"
        ),
        Annotation("beyond"),  # this edge is joined to the opposite one: lines continue beyond it
        Annotation("slides", data="direction"),  # a move here slides the tile that way, into the gap
        Annotation("home"),  # the tile is on its own cell
        # Codes of fields
        Annotation("field"),  # the field in which one must play
        Annotation("won", data="side"),
        Annotation("drawn"),
        Annotation("turned", data="way"),  # the last move turned it: ``r`` clockwise, ``l`` back
        # Codes of sides
        Annotation("lead", data="count"),  # the number of marks, which decides the game
    )
}
"""The known words of codes, with their presentation, in the order of their notes."""


def data_of(word: str, codes: Iterable[str]) -> list[str]:
    """Return the data behind *word* in *codes*. Empty if no code has the word.

    >>> data_of("turns", ("may", "turns:3")), data_of("may", ("may", "turns:3"))
    (['3'], [''])
    """
    parsed = (code.partition(":") for code in codes)
    return [data for other, _, data in parsed if other == word]
