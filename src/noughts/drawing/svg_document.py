"""Squared paper: the colours of pictures, and the sheets that form a document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from noughts.drawing.strokes import plain

SQUARE = 22
"""The side of a square of the paper, in pixels."""

FONT = 'font-family="system-ui, sans-serif"'

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by role; ``pens`` and ``washes`` are those of X, O and Z, ``bands`` those of pairs of cells."""

    paper: str
    square: str
    ink: str
    second: str
    line: str
    faint: str
    shade: str
    field: str
    pens: tuple[str, str, str]
    washes: tuple[str, str, str]
    bands: tuple[str, ...]

    def pen(self, mark: str) -> str:
        """Return the colour of *mark*; marks other than X, O and Z have no colour of their own."""
        return dict(zip("XOZ", self.pens, strict=True)).get(mark, self.ink)

    def wash(self, mark: str) -> str:
        """Return the tint of a winning cell of *mark*."""
        return dict(zip("XOZ", self.washes, strict=True)).get(mark, self.shade)


LIGHT = Palette(
    paper="#fafaf6",
    square="#e3e9ed",
    ink="#1c2330",
    second="#535d6d",
    line="#76808f",
    faint="#b4bcc6",
    shade="#e9eef2",
    field="#f0f1ee",
    pens=("#3b34a8", "#b93a13", "#0b7a5c"),
    washes=("#e7e6f6", "#fbe5dc", "#dff1ea"),
    bands=("#a9d3ee", "#f6b8bd", "#bfe3b0", "#fbdc8c", "#d6c3ea", "#f8c79a"),
)

DARK = Palette(
    paper="#13161d",
    square="#20262f",
    ink="#ecebe5",
    second="#a7afbb",
    line="#727d8d",
    faint="#454d5a",
    shade="#242b36",
    field="#1b2029",
    pens=("#b9bbff", "#f47b4e", "#4cc9a0"),
    washes=("#25274a", "#40241b", "#17362d"),
    bands=("#1e4f6e", "#6f2f3b", "#2d5a2c", "#625015", "#4d3a68", "#66421f"),
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A piece of paper, *width* x *height* pixels, with SVG elements."""

    width: int
    height: int
    parts: tuple[str, ...]


def write_svg(sheets: Sequence[Sheet], palette: Palette, title: str, description: str) -> str:
    """Return the *sheets*, one below the other, as SVG.

    A screen reader reads *title* and *description*.
    """
    width, height = max(sheet.width for sheet in sheets), sum(sheet.height for sheet in sheets)
    grid = [f"M{x} 0V{height}" for x in range(SQUARE, width, SQUARE)]
    grid += [f"M0 {y}H{width}" for y in range(SQUARE, height, SQUARE)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}">',
            f"<title>{escaped(title)}</title>",
            f"<desc>{escaped(description)}</desc>",
            f'<rect width="{width}" height="{height}" fill="{palette.paper}"/>',
            f'<path d="{"".join(grid)}" fill="none" stroke="{palette.square}"/>',
            *_below_each_other(sheets),
            "</svg>",
            "",
        ]
    )


def _below_each_other(sheets: Sequence[Sheet]) -> list[str]:
    parts, top = list(sheets[0].parts), sheets[0].height
    for sheet in sheets[1:]:
        parts += [f'<g transform="translate(0 {top})">', *sheet.parts, "</g>"]
        top += sheet.height
    return parts


def element(kind: str, text: str | None = None, /, **attributes: str | float) -> str:
    """Return an SVG element; ``_`` in the name of an attribute is a hyphen.

    Numbers have at most one decimal.

    >>> element("text", "a < b", x=3.14159, font_size=12)
    '<text x="3.1" font-size="12">a &lt; b</text>'
    """
    values = [
        f'{name.replace("_", "-")}="{value if isinstance(value, str) else plain(value)}"'
        for name, value in attributes.items()
    ]
    begun = " ".join([f"<{kind}", *values])
    return f"{begun}/>" if text is None else f"{begun}>{escaped(text)}</{kind}>"


def escaped(text: str) -> str:
    """Return *text* with XML escapes; characters outside XML become replacement characters."""
    from html import escape  # The import is late, since the colours need no names of characters.

    return escape(_NOT_XML.sub("\ufffd", text), quote=False)
