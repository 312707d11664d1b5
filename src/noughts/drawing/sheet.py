"""Squared paper: what every picture is drawn on, one sheet or several below each other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from noughts.drawing.palette import Palette

SQUARE = 22
"""The side of a square of the paper, in pixels."""

FONT = 'font-family="system-ui, sans-serif"'

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A piece of paper, *width* x *height* pixels, with the elements of SVG that stand on it."""

    width: int
    height: int
    parts: tuple[str, ...]


def write_svg(sheets: Sequence[Sheet], palette: Palette, title: str, description: str) -> str:
    """The *sheets*, one below the other, as one SVG; a screen reader says *title* and *description*."""
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


def escaped(text: str) -> str:
    """*text* between tags; what XML cannot hold at all becomes a replacement character."""
    return escape(_NOT_XML.sub("\ufffd", text))
