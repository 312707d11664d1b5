"""What the rules make of a position, as codes, and the table of the codes that interfaces know.

A new annotation is a code that a game gives, a row of :data:`ANNOTATIONS`, and the sentences of that row.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from noughts.core.board import Coordinate


@dataclass(frozen=True, slots=True)
class Annotations:
    """What the rules make of a position, as codes, for everybody who looks on.

    ``cells`` has the codes of coordinates, ``fields`` those of fields, counted from 0 in reading order, and
    ``sides`` those of sides. A code is a word of :data:`ANNOTATIONS`, often with data behind a colon, such as
    ``turns:3``. A game may use codes of its own. Interfaces leave out codes that they do not know.
    """

    cells: Mapping[Coordinate, tuple[str, ...]] = field(default_factory=dict)
    fields: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    sides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def found(self, word: str) -> Iterator[tuple[Coordinate, str]]:
        """The cells with codes of *word*, each with the data behind it."""
        return ((cell, data) for cell, codes in self.cells.items() for data in data_of(word, codes))

    def cells_with(self, code: str) -> tuple[Coordinate, ...]:
        """The cells that have *code*."""
        return tuple(cell for cell, codes in self.cells.items() if code in codes)

    def number(self, side: str, word: str) -> int | None:
        """The number behind *word* of *side*, as 14 in ``lead:14``; None where it has none."""
        return next(map(int, data_of(word, self.sides.get(side, ()))), None)


@dataclass(frozen=True, slots=True)
class Annotation:
    """How interfaces show the codes of one word.

    ``data`` names what stands behind the colon. Boards show a cell with the code by ``highlight``; a text
    board by the ``signs`` left and right of the cell, and the browser by the left one, in the class
    ``code-WORD``. ``note`` is the id of the sentence that names all ``cells`` with the code, each with its
    ``detail`` in brackets or as the sentence ``item`` says. The detail is the data, or the sentence with the
    id ``detail`` and the data behind it. In the browser the sentence ``web-code-WORD`` describes a cell that
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
        """The id of the sentence for *data*."""
        return f"{self.detail}{data}"


ANNOTATIONS = {
    row.word: row
    for row in (
        # Of cells.
        Annotation("may"),  # one may play there
        Annotation("turns", data="count", note="turning-over"),  # one may, and that turns over so many marks
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
        Annotation("beyond"),  # this edge is joined to the opposite one: lines go on beyond it
        Annotation("slides", data="direction"),  # to move there is to slide that way, into a gap
        Annotation("home"),  # what stands there belongs there
        # Of fields.
        Annotation("field"),  # one must play there
        Annotation("won", data="side"),
        Annotation("drawn"),
        Annotation("turned", data="way"),  # the last move turned it: ``r`` clockwise, ``l`` back
        # Of sides.
        Annotation("lead", data="count"),  # it has so many marks, which is what counts
    )
}
"""The words of codes that interfaces know, in the order of their notes."""


def data_of(word: str, codes: Iterable[str]) -> list[str]:
    """The data behind *word* in *codes*; empty where none of them has it.

    >>> data_of("turns", ("may", "turns:3")), data_of("may", ("may", "turns:3"))
    (['3'], [''])
    """
    parsed = (code.partition(":") for code in codes)
    return [data for other, _, data in parsed if other == word]
