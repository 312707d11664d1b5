"""Tables: text on the left, numbers on the right, columns by display width, two blanks between them."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, zip_longest

from noughts.arena.series import Score
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.terminal_capabilities import columns_of, has_unicode
from noughts.text import chop, display_width, fit, plain_text, safe_text, wrap

MIN_COLUMN = 6
"""The minimum width of a column that is cut."""

MIN_TEXT_COLUMN = 12
"""The minimum width of wrapped text, in which most words fit."""

UNCUT = 10_000
"""The width of a table without a limit, such as one of sentences."""


Cells = Sequence[str | int | float]
"""The cells of one line."""


def table_width() -> int:
    """Return the width of a table on standard output: that of the terminal, unlimited in a file."""
    return columns_of(sys.stdout, os.environ) or UNCUT


def table(
    headings: Sequence[str], rows: Sequence[Cells], width: int = UNCUT, yielding: Sequence[int] = (0,)
) -> list[str]:
    """Return the lines of a table up to *width*.

    The columns *yielding* are cut, the first one first.
    """
    return next(table_by_pages(headings, [rows], width, yielding=yielding))


def table_by_pages(
    headings: Sequence[str],
    pages: Iterable[Sequence[Cells]],
    width: int = UNCUT,
    wide: Sequence[Cells] = (),
    yielding: Sequence[int] = (0,),
) -> Iterator[list[str]]:
    """Yield the lines of a table page by page, each on demand. Columns only become wider.

    The first widths fit the rows in *wide*, which are not shown. If lines exceed *width*, the columns
    *yielding* are cut, the first one first. Then the last columns are left out completely, since a part of a
    number would look like another number.
    """
    most = [max(map(display_width, map(_cell, column))) for column in zip(headings, *wide, strict=True)]
    widths = [MIN_COLUMN] * len(most)
    more = "…" if has_unicode(sys.stdout, os.environ) else plain_text("…")
    for number, rows in enumerate(pages):
        shown = [[safe_text(_cell(value)) for value in row] for row in rows]
        numeric = [bool(rows) and all(not isinstance(row[i], str) for row in rows) for i in range(len(most))]
        most = [max([old, *map(display_width, column)]) for old, *column in zip(most, *shown, strict=True)]
        widths = _fitting(most, width, yielding, widths)
        visible = _room_for(widths, width)
        above = [] if number else [headings, ["-" * column for column in widths]]
        lines = list[str]()
        for line in (*above, *shown):
            cells = [fit(line[i], widths[i], right=numeric[i], more=more) for i in range(visible)]
            lines.append("  ".join([*cells, more] if visible < len(line) else cells).rstrip())
        yield lines


def _fitting(most: Sequence[int], width: int, yielding: Sequence[int], before: Sequence[int]) -> list[int]:
    """Return widths for columns that would take *most*, cut so that the table fits into *width*.

    A column becomes narrower than *before* only if the others leave it no room.
    """
    widths = list(most)
    for least in (before, [MIN_COLUMN] * len(most)):
        for place in yielding:
            excess = sum(widths) + 2 * (len(widths) - 1) - width
            widths[place] -= max(0, min(excess, widths[place] - least[place]))
    return widths


def _room_for(widths: Sequence[int], width: int) -> int:
    """Return the number of visible columns: all, or as many as fit with the sign for more."""
    ends = [end + 2 * place for place, end in enumerate(accumulate(widths))]
    return len(ends) if ends[-1] <= width else max(1, sum(end + 3 <= width for end in ends))


def table_of_texts(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int = UNCUT, verbatim: Sequence[int] = ()
) -> list[str]:
    """Return the lines of a table in which nothing is cut: long texts continue in the next line.

    Texts in the columns *verbatim*, such as commands, break anywhere and keep all blanks. On a terminal that
    is too narrow for the columns, the cells of a row are printed below one another.
    """
    cells = [headings, *([safe_text(cell) for cell in row] for row in rows)]
    most = [max(map(display_width, column)) for column in zip(*cells, strict=True)]
    limit, room = max(most), width - 2 * (len(most) - 1)
    while sum(min(wide, limit) for wide in most) > room and limit > MIN_TEXT_COLUMN:
        limit -= 1
    widths = [min(wide, limit) for wide in most]
    is_beside = sum(widths) <= room
    lines = list[str]()
    for number, row in enumerate(cells):
        broken = [
            _broken(text, wide if is_beside else width, is_verbatim=place in verbatim)
            for place, (text, wide) in enumerate(zip(row, widths, strict=True))
        ]
        if is_beside:
            for line in zip_longest(*broken, fillvalue=""):
                padded = (
                    text + " " * (wide - display_width(text)) for text, wide in zip(line, widths, strict=True)
                )
                lines.append("  ".join(padded).rstrip())
        else:
            lines += [*filter(None, chain.from_iterable(broken)), "-" * width]
        if is_beside and not number:
            lines.append("  ".join("-" * wide for wide in widths))
    return lines


def _broken(text: str, width: int, *, is_verbatim: bool) -> list[str]:
    """Return the lines of a cell.

    Text that fits is unchanged.
    """
    is_whole = is_verbatim or display_width(text) <= width
    return [part for line in ([text] if is_whole else wrap(text, width)) for part in chop(line, width)]


def _cell(value: str | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def scoreboard(
    say: Translator, scores: Sequence[Score], width: int, marks: Sequence[str] | None = None
) -> list[str]:
    """Return the scoreboard.

    *marks* are those of the current game, if there is one.
    """
    names = ["player", "mark", "wins", "draws", "losses", "points", "streak"]
    columns: list[Cells | None] = [
        [score.name for score in scores],
        marks,
        *([getattr(score, name) for score in scores] for name in names[2:]),
    ]
    too_wide = ("points", "streak") if width < 40 else ()
    shown = {
        name: column
        for name, column in zip(names, columns, strict=True)
        if column is not None and name not in too_wide
    }
    rows = list(zip(*shown.values(), strict=True))
    return table([say(f"column-{name}") for name in shown], rows, width)
