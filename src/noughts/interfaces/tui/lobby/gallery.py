"""The gallery: pictures of all games, the search and the chosen game."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from noughts.drawing.board_text import draw_thumbnail
from noughts.errors import BadInput, NotFound
from noughts.games.base import Game
from noughts.games.catalogue import all_entries, find_entry, name_of_spec, new_game, parse_spec, sample
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import tag_of_entry, title_of
from noughts.interfaces.tui.launch import check_size
from noughts.interfaces.tui.widgets.picking import fits
from noughts.interfaces.tui.widgets.spans import Bit, Line, cut, first_visible, spread, width_of
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.text import display_width, fit

TILES = ((27, 15, 23, 11), (18, 9, 16, 5), (18, 8, 16, 5))
"""The width and height of a tile, in columns and lines, then those of its picture alone.

The largest tiles are used if all games fit on a page, the lowest if they give one more row.
"""

MAX_COLUMNS = 6

MAX_SPREAD = (8, 2)
"""The maximum number of columns and lines that are added between pictures if all fit."""

CORNERS, ASCII_CORNERS = (("┏", "┓"), ("┗", "┛")), (("+", "+"), ("+", "+"))
"""The upper and lower corners of the chosen picture."""

_SPEC = re.compile(r"\s*[0-9]+\s*[xXхХ×^]")
"""The start of a text that describes a board; it accepts similar Cyrillic letters."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A game to choose: its catalogue name or spec, its title and its short description."""

    name: str
    title: str
    tag: str


@dataclass(frozen=True, slots=True)
class Grid:
    """The arrangement of tiles: visible columns and rows, each *wide* x *high* characters.

    ``box`` is the size of a picture. ``blank`` is the number of lines between it and its title.
    """

    columns: int
    rows: int
    wide: int
    high: int
    box: tuple[int, int]
    blank: int


# Games


def custom_board(text: str) -> str:
    """Return the name of the game that *text* describes: a spec, or its name in the catalogue.

    Raises a :class:`~noughts.errors.BadInput` if *text* describes no game, or a board that is too large for
    the full screen.
    """
    rules = parse_spec(text)
    check_size(rules.shape)
    return name_of_spec(rules.spec)


def described_board(query: str) -> str | BadInput | None:
    """Return the board that *query* describes, or the error in it.

    Return None if *query* is not the description of a board.
    """
    try:
        return custom_board(query) if _SPEC.match(query) else None
    except NotFound:
        return None
    except BadInput as error:
        return error


@lru_cache(maxsize=64)
def empty_game(name: str) -> Game:
    """Return a new game called *name*, which must not be played on."""
    return new_game(name)


@lru_cache(maxsize=4)
def _catalogue_choices(say: Translator, games: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the *games* of the catalogue with their titles in the language of *say*."""
    return tuple(Choice(game, title_of(say, game), tag_of_entry(say, game)) for game in games)


# The chosen game


class GameShelf:
    """The games to choose from, including a custom board, and the chosen one.

    ``chosen`` is a catalogue name or a spec. ``query`` is the text of the search, None without a search.
    """

    def __init__(self) -> None:
        self.chosen = self._before = "tictactoe"
        self.query: str | None = None
        self._own: str | None = None

    def recall(self, game: str) -> None:
        """Choose the game of the last run, if it is still a game."""
        with suppress(BadInput):
            self.chosen = game if find_entry(game) else custom_board(game)
            self.keep()

    def keep(self) -> None:
        """Add the chosen game to the shelf if it is a custom board."""
        if find_entry(self.chosen) is None:
            self._own = self.chosen

    def shown(self, say: Translator) -> list[Choice]:
        """Return the games to choose from: all, or those that match the search."""
        choices = [*_catalogue_choices(say, tuple(entry.name for entry in all_entries()))]
        if self._own is not None:
            choices.append(Choice(self._own, self._own, say("tag-own")))
        if self.query:
            choices = [one for one in choices if fits(f"{one.name} {one.title} {one.tag}", self.query)]
            board = described_board(self.query)
            if isinstance(board, str) and all(choice.name != board for choice in choices):
                choices.append(Choice(board, title_of(say, board), say("tag-own")))
        return choices

    def place(self, shown: Sequence[Choice]) -> int:
        """Return the index of the chosen game among those *shown*."""
        return next((place for place, choice in enumerate(shown) if choice.name == self.chosen), 0)

    def begin_search(self) -> None:
        """Start a search."""
        self.query, self._before = "", self.chosen

    def search(self, say: Translator, query: str) -> bool:
        """Search for *query*; return True if a game matches.

        The game that was chosen before the search stays chosen if it matches, else the first match is chosen.
        """
        self.query = query
        names = [choice.name for choice in self.shown(say)]
        if self.chosen not in names:
            self.chosen = names[0] if names and self._before not in names else self._before
        return bool(names)

    def give_up_search(self) -> None:
        """End the search and choose the game from before it."""
        if self.query is not None:
            self.chosen, self.query = self._before, None


# Pictures


_sample = lru_cache(maxsize=64)(sample)


@lru_cache(maxsize=256)
def picture(name: str, width: int, height: int, *, unicode: bool) -> tuple[Line, ...]:
    """Return a picture of the game *name*, at most *width* columns and *height* lines."""
    rows = list(draw_thumbnail(_sample(name), width=width, height=height, unicode=unicode))
    return tuple(cut([Bit(*span) for span in row], width) for row in rows[:height])


def arrange(count: int, width: int, height: int) -> Grid:
    """Return the grid for *count* pictures in *width* columns and *height* lines."""
    for wide, high, *box in TILES:
        columns, rows = max(1, min(MAX_COLUMNS, width // wide)), max(1, (height + 1) // high)
        is_last = (wide, high, *box) == TILES[-1]
        if columns * rows >= count or (box[1] == TILES[-1][-1] and rows == (height + 1) // TILES[-1][1]):
            break
    needed = -(-count // columns)
    blank = 0 if is_last else 1
    if needed <= rows:
        rows, columns = needed, -(-count // needed)
        high += min(MAX_SPREAD[1], max(0, height + 1 - rows * high) // rows)
    return Grid(
        columns, rows, max(1, min(wide + MAX_SPREAD[0], width // columns)), high, (box[0], box[1]), blank
    )


def grid_lines(
    choices: Sequence[Choice], chosen: int, grid: Grid, first: int, *, unicode: bool, here: bool
) -> list[Line]:
    """Return the rows of pictures from *first* on; heavy corners mark the *chosen* one.

    *here* is true if the keys choose pictures now.
    """
    lines: list[Line] = []
    for row in range(first, first + grid.rows):
        places = range(row * grid.columns, min(len(choices), (row + 1) * grid.columns))
        tiles = [
            _tile(choices[place], place, grid, unicode=unicode, chosen=place == chosen, here=here)
            for place in places
        ]
        lines += [[bit for tile in tiles for bit in tile[line]] for line in range(grid.high)]
    return lines


@lru_cache(maxsize=256)
def _tile(
    choice: Choice, place: int, grid: Grid, *, unicode: bool, chosen: bool, here: bool
) -> tuple[Line, ...]:
    """Return a tile: a picture at the bottom of its box with its title; a click chooses it."""
    action, (wide, high) = f"choose({place})", grid.box
    drawn: Sequence[Line] = picture(choice.name, wide, high, unicode=unicode)
    left = (wide - max(map(width_of, drawn), default=0)) // 2
    corners = dict(zip((0, high - 1), CORNERS if unicode else ASCII_CORNERS, strict=True)) if chosen else {}
    rows: list[Line] = []
    for line in range(high):
        row = drawn[at] if (at := line - high + len(drawn)) >= 0 else []
        start, end = corners.get(line, (" ", " "))
        is_bold = here and line in corners
        inside = spread([Bit(" " * left), *row], [], wide)
        rows.append([Bit(start, "", is_bold), *inside, Bit(end, "", is_bold)])
    rows += [[]] * grid.blank
    rows += [[Bit(_word(choice.title, grid), "", chosen and here)], [Bit(_word(choice.tag, grid), SECOND)]]
    rows += [[]] * (grid.high - len(rows))
    return tuple([bit._replace(action=action) for bit in _centred(row, grid.wide)] for row in rows)


def _word(text: str, grid: Grid) -> str:
    """Return *text*, cut to the width of a tile."""
    return fit(text, min(grid.wide - 1, display_width(text)))


def _centred(row: Line, width: int) -> Line:
    return spread([Bit(" " * ((width - width_of(row)) // 2)), *row], [], width)


def list_lines(
    say: Translator, choices: Sequence[Choice], chosen: int, height: int, first: int
) -> tuple[list[Line], int]:
    """Return as many titles as fit in *height* lines, and the index of the first."""
    room = height if len(choices) <= height else max(1, height - 1)
    first = first_visible(chosen, first, room, len(choices))
    lines: list[Line] = []
    for place, choice in list(enumerate(choices))[first : first + room]:
        sign = ">" if place == chosen else " "
        lines.append([Bit(f"{sign} {choice.title}", "", place == chosen, f"choose({place})")])
    if room < height:
        below = len(choices) - first - room
        sign, more, step = ("▼", below, 1) if below else ("▲", first, -1)
        lines.append([Bit(f"{sign} {say.plural('more-games', more)}", SECOND, False, f"roll({step})")])
    return lines, first


def place_after_step(direction: str, place: int, count: int, columns: int, rows: int) -> int:
    """Return the index after a step from *place* among *count* pictures.

    *columns* and *rows* are visible at once. A step beyond the pictures stays in place. A page, or a jump to
    an end, goes as far as possible.
    """
    seen = columns * rows
    far = {"top": 0, "bottom": count - 1, "page-up": place - seen, "page-down": place + seen}
    if direction in far:
        return max(0, min(far[direction], count - 1))
    reached = place + {"left": -1, "right": 1, "up": -columns, "down": columns}[direction]
    # From the last full row, a step down leads to the last picture.
    if reached >= count and direction == "down" and place // columns < (count - 1) // columns:
        return count - 1
    return reached if 0 <= reached < count else place
