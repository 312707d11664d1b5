"""Help pages wrapped by display width: click counts characters, and a Han character takes two columns."""

from collections.abc import Iterable

import click

from noughts.text import display_width, wrap


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
