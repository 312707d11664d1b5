"""Help pages wrapped by display width: click counts characters, and a Han character takes two columns."""

import re
from collections.abc import Iterable, Iterator

import click

from noughts.text import display_width

NEVER_FIRST = "，。、：；？！）」”》…"
"""Punctuation that may not begin a line."""

_WIDE = r"\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_PIECES = re.compile(rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+")


class HelpPage(click.HelpFormatter):
    """A help page in any of our scripts."""

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for line in wrap(text, self.width - self.current_indent):
            self.write(f"{indent}{line}\n")

    def write_heading(self, heading: str) -> None:
        self.write(f"{' ' * self.current_indent}{heading}\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        first = min(max((display_width(term) for term, _ in rows), default=0), col_max) + col_spacing
        indent = " " * self.current_indent
        for term, text in rows:
            lines = wrap(text, max(self.width - first - self.current_indent, 20))
            if display_width(term) + col_spacing > first:
                self.write(f"{indent}{term}\n")
                begin = " " * first
            else:
                begin = term + " " * (first - display_width(term))
            for line in lines or [""]:
                self.write(f"{indent}{begin}{line}".rstrip() + "\n")
                begin = " " * first


def wrap(text: str, width: int) -> list[str]:
    """*text* in lines of at most *width* columns, broken at blanks and between Han characters.

    >>> wrap("Play a game, or a series.", 14)
    ['Play a game,', 'or a series.']
    """
    lines, line = [], ""
    for piece in _together(text):
        if line and display_width(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _together(text: str) -> Iterator[str]:
    """The pieces between which a line may be broken: a piece keeps the punctuation that ends it."""
    held = ""
    for piece in _PIECES.findall(text):
        if held and piece[0] not in NEVER_FIRST:
            yield held
            held = ""
        held += " " if piece.isspace() else piece
    if held:
        yield held
