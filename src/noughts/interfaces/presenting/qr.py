"""QR codes of addresses on a terminal, with two rows of squares in each line."""

from collections.abc import Mapping
from typing import TextIO

from noughts.interfaces.presenting.terminal_capabilities import has_unicode

BORDER = 2
"""The width of the empty border, in squares: half of the standard, which cameras accept."""

COLOURS, PLAIN = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
"""Escape sequences for black on white in any colour scheme, and for the end of it."""

BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
"""The character for an upper and a lower square, each in the colour of the text or not."""


def qr_picture(text: str, target: TextIO | None, environ: Mapping[str, str]) -> str:
    """Return the lines of a QR code of *text* for the terminal *target*, "" if that cannot show one.

    Without colours the light squares are drawn: most terminals are dark, and cameras read both.
    """
    if target is None or not target.isatty() or not has_unicode(target, environ):
        return ""
    has_colours = not environ.get("NO_COLOR")
    lines = qr_lines(text, draws_dark=has_colours)
    return "\n".join(f"{COLOURS}{line}{PLAIN}" if has_colours else line for line in lines)


def qr_lines(text: str, *, draws_dark: bool) -> list[str]:
    """Return the lines of a QR code of *text*, in which the dark or else the light squares are drawn."""
    import segno  # Only this function needs the library.

    code = segno.make(text, error="l", boost_error=False, micro=False)
    rows = [[bool(square) == draws_dark for square in row] for row in code.matrix_iter(border=BORDER)]
    if len(rows) % 2:
        rows.append([not draws_dark] * len(rows[0]))
    return [
        "".join(BLOCKS[pair] for pair in zip(*rows[number : number + 2], strict=True))
        for number in range(0, len(rows), 2)
    ]
