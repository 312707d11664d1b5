"""Tables: text to the left, numbers to the right, columns by display width, two blanks between."""

from collections.abc import Iterable, Iterator, Sequence

from noughts.arena.series import Score
from noughts.interfaces.presenting.i18n import Translator
from noughts.text import display_width, fit, safe_text

MAX_NAME_COLUMN = 40
MIN_NAME_COLUMN = 6

UNCUT = 10_000
"""The width of a table in which nothing is cut, such as one of sentences."""


Cells = Sequence[str | int | float]
"""What stands in the columns of one line."""


def table(headings: Sequence[str], rows: Sequence[Cells], width: int = UNCUT) -> list[str]:
    """The lines of a table no wider than *width* where its first column can give way."""
    return next(table_by_pages(headings, [rows], width))


def table_by_pages(
    headings: Sequence[str], pages: Iterable[Sequence[Cells]], width: int = UNCUT, wide: Sequence[Cells] = ()
) -> Iterator[list[str]]:
    """The lines of a table page by page, each made when it is asked for; columns only grow wider.

    They begin as wide as the *wide* rows, which are not shown.
    """
    widths = [max(map(display_width, map(_cell, column))) for column in zip(headings, *wide, strict=True)]
    for number, rows in enumerate(pages):
        shown = [[safe_text(_cell(value)) for value in row] for row in rows]
        numeric = [
            bool(rows) and all(not isinstance(row[i], str) for row in rows) for i in range(len(widths))
        ]
        widths = [
            max([most, *map(display_width, column)]) for most, *column in zip(widths, *shown, strict=True)
        ]
        spare = width - sum(widths[1:]) - 2 * (len(widths) - 1)
        widths[0] = max(min(widths[0], spare, MAX_NAME_COLUMN), min(widths[0], MIN_NAME_COLUMN))
        above = [] if number else [headings, ["-" * column for column in widths]]
        yield [
            "  ".join(fit(text, widths[i], right=numeric[i]) for i, text in enumerate(line)).rstrip()
            for line in (*above, *shown)
        ]


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
