"""Tables: text to the left, numbers to the right, columns by display width, two blanks between."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from noughts.arena.series import Score
from noughts.interfaces.presenting.abilities import columns_of
from noughts.interfaces.presenting.i18n import Translator
from noughts.text import display_width, fit, safe_text, wrap

MAX_NAME_COLUMN = 40
MIN_NAME_COLUMN = 6

MIN_TEXT_COLUMN = 20
"""The least width that is left for sentences in the last column."""

UNCUT = 10_000
"""The width of a table in which nothing is cut, such as one of sentences."""


Cells = Sequence[str | int | float]
"""What stands in the columns of one line."""


def table_width() -> int:
    """The width of a table on standard output: that of the terminal; in a file nothing is cut."""
    return columns_of(sys.stdout, os.environ) or UNCUT


def table(
    headings: Sequence[str], rows: Sequence[Cells], width: int = UNCUT, yielding: Sequence[int] = (0,)
) -> list[str]:
    """The lines of a table no wider than *width*: the columns *yielding* are cut, the first of them first."""
    return next(table_by_pages(headings, [rows], width, yielding=yielding))


def table_by_pages(
    headings: Sequence[str],
    pages: Iterable[Sequence[Cells]],
    width: int = UNCUT,
    wide: Sequence[Cells] = (),
    yielding: Sequence[int] = (0,),
) -> Iterator[list[str]]:
    """The lines of a table page by page, each made when it is asked for; columns only grow wider.

    They begin as wide as the *wide* rows, which are not shown. Of lines that are wider than *width* the
    columns *yielding* are cut, the first of them first, and then the end of the line.
    """
    most = [max(map(display_width, map(_cell, column))) for column in zip(headings, *wide, strict=True)]
    for number, rows in enumerate(pages):
        shown = [[safe_text(_cell(value)) for value in row] for row in rows]
        numeric = [bool(rows) and all(not isinstance(row[i], str) for row in rows) for i in range(len(most))]
        most = [max([old, *map(display_width, column)]) for old, *column in zip(most, *shown, strict=True)]
        widths = _fitting(most, width, yielding)
        above = [] if number else [headings, ["-" * column for column in widths]]
        lines = (
            "  ".join(fit(text, widths[i], right=numeric[i]) for i, text in enumerate(line)).rstrip()
            for line in (*above, *shown)
        )
        yield [fit(line, width).rstrip() if display_width(line) > width else line for line in lines]


def _fitting(most: Sequence[int], width: int, yielding: Sequence[int]) -> list[int]:
    """The widths of columns that would take *most*, cut where the table would be wider than *width*."""
    widths = list(most)
    for place in yielding:
        spare = width - sum(widths) - 2 * (len(widths) - 1)
        least = min(widths[place], MIN_NAME_COLUMN)
        widths[place] = max(widths[place] + min(spare, 0), least)
    if 0 in yielding:
        widths[0] = min(widths[0], MAX_NAME_COLUMN)
    return widths


def table_of_texts(headings: Sequence[str], rows: Sequence[Cells], width: int = UNCUT) -> list[str]:
    """The lines of a table whose last column holds sentences, which go on below themselves."""
    *heads, last = headings
    places = range(len(heads))
    left = table(heads, [row[:-1] for row in rows], width - MIN_TEXT_COLUMN, places[::-1])
    wide = max(map(display_width, left)) + 2
    room = max(1, width - wide)
    texts = [safe_text(_cell(row[-1])) for row in rows]
    dashes = "-" * min(max(map(display_width, [last, *texts])), room)
    lines = list[str]()
    for head, text in zip(left, [last, dashes, *texts], strict=True):
        below = wrap(text, room) or [""]
        starts = (fit(one, wide) for one in (head, *[""] * (len(below) - 1)))
        lines += [(start + one).rstrip() for start, one in zip(starts, below, strict=True)]
    return [fit(line, width).rstrip() if display_width(line) > width else line for line in lines]


def _cell(value: str | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def scoreboard(
    say: Translator, scores: Sequence[Score], width: int, marks: Sequence[str] | None = None
) -> list[str]:
    """The scoreboard; *marks* are those of the game being played, where there is one."""
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
