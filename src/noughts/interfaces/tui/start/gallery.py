"""The gallery: what games there are, which fit what is typed and which is chosen; their pictures."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from noughts.drawing.text import draw_thumbnail
from noughts.errors import BadInput, NotFound
from noughts.games.base import Game
from noughts.games.catalogue import all_entries, find_entry, name_of_spec, new_game, parse_spec, sample
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import tag_of_entry, title_of
from noughts.interfaces.tui.beginning import check_size
from noughts.interfaces.tui.kit.picking import fits
from noughts.interfaces.tui.kit.spans import Bit, Line, cut, first_seen, spread
from noughts.interfaces.tui.kit.styles import SECOND
from noughts.text import display_width, fit

MIN_PITCH = (17, 7)
"""The columns and lines that a picture with its words and the gap after it take at least."""

GREATEST_PITCH = (30, 12)
"""And at most: in a large window there are more pictures, and larger ones only up to this."""

WORDS_HEIGHT = 3
"""Title, tag line and the gap below."""

_SPEC = re.compile(r"\s*[0-9]+\s*[xXхХ×^]")
"""The beginning of a text that describes a board; Cyrillic letters look the same and are meant the same."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A game to choose: its catalogue name or spec, and its words."""

    name: str
    title: str
    tag: str


@dataclass(frozen=True, slots=True)
class Grid:
    """How pictures are arranged: so many columns and rows are seen, each of so many characters."""

    columns: int
    rows: int
    wide: int
    high: int


# What there is


def own_board(text: str) -> str:
    """The name of the game that *text* describes: a spec, or the catalogue's name for it.

    Raises a :class:`~noughts.errors.BadInput` for what describes no game, or one too large to be played
    here.
    """
    rules = parse_spec(text)
    check_size(rules.shape)
    return name_of_spec(rules.spec)


def described(query: str) -> str | BadInput | None:
    """The board that *query* describes, or why there is none like it; None for what describes no board."""
    try:
        return own_board(query) if _SPEC.match(query) else None
    except NotFound:
        return None
    except BadInput as error:
        return error


@lru_cache(maxsize=64)
def fresh(name: str) -> Game:
    """A new game called *name*, to look at and not to play on."""
    return new_game(name)


# Which is chosen


class Shelf:
    """The games to choose from, a board of one's own among them, and the one that is chosen.

    ``chosen`` is a catalogue name or a spec; ``query`` is what is being looked for, None while nothing is.
    """

    def __init__(self) -> None:
        self.chosen = self._before = "tictactoe"
        self.query: str | None = None
        self._own: str | None = None

    def recall(self, game: str) -> None:
        """Choose the game of last time; what is no game any more is not chosen."""
        with suppress(BadInput):
            self.chosen = game if find_entry(game) else own_board(game)
            self.keep()

    def keep(self) -> None:
        """Put the chosen game on the shelf where it is a board of one's own."""
        if find_entry(self.chosen) is None:
            self._own = self.chosen

    def shown(self, say: Translator) -> list[Choice]:
        """The games to choose from: all, or while something is looked for those that fit."""
        choices = [
            Choice(entry.name, title_of(say, entry.name), tag_of_entry(say, entry.name))
            for entry in all_entries()
        ]
        if self._own is not None:
            choices.append(Choice(self._own, self._own, say("tag-own")))
        if self.query:
            choices = [one for one in choices if fits(f"{one.name} {one.title} {one.tag}", self.query)]
            board = described(self.query)
            if isinstance(board, str) and all(choice.name != board for choice in choices):
                choices.append(Choice(board, title_of(say, board), say("tag-own")))
        return choices

    def place(self, shown: Sequence[Choice]) -> int:
        """Where the chosen game is among those *shown*."""
        return next((place for place, choice in enumerate(shown) if choice.name == self.chosen), 0)

    def begin_search(self) -> None:
        """Begin to look for a game."""
        self.query, self._before = "", self.chosen

    def search(self, say: Translator, query: str) -> bool:
        """Look for *query*; return whether anything fits.

        Chosen is then what was chosen before, where it fits, else the first that does.
        """
        self.query = query
        names = [choice.name for choice in self.shown(say)]
        if self.chosen not in names:
            self.chosen = names[0] if names and self._before not in names else self._before
        return bool(names)

    def give_up_search(self) -> None:
        """Look for nothing after all: chosen is what was chosen before."""
        if self.query is not None:
            self.chosen, self.query = self._before, None


# How it looks


_sample = lru_cache(maxsize=64)(sample)


@lru_cache(maxsize=256)
def picture(name: str, width: int, height: int, *, unicode: bool) -> tuple[Line, ...]:
    """A small picture of the game called *name*, at most so wide and high."""
    rows = list(draw_thumbnail(_sample(name), width=width, height=height, unicode=unicode))
    return tuple(cut([Bit(*span) for span in row], width) for row in rows[:height])


def arrange(count: int, width: int, height: int) -> Grid:
    """The grid for *count* pictures in a room of *width* columns and *height* lines."""
    least_wide, least_high = MIN_PITCH
    columns = max(1, min(count, width // least_wide))
    needed = -(-count // columns)
    rows = max(1, min(needed, (height + 1) // least_high))
    wide, high = min(GREATEST_PITCH[0], width // columns), min(GREATEST_PITCH[1], (height + 1) // rows)
    return Grid(columns, rows, max(1, wide), max(1, high))


def grid_lines(
    choices: Sequence[Choice], chosen: int, grid: Grid, first: int, *, unicode: bool, here: bool
) -> list[Line]:
    """The rows of pictures from *first* on; the title of the *chosen* one is in the cursor's signs.

    *here* says whether the keys choose pictures now.
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


def _tile(
    choice: Choice, place: int, grid: Grid, *, unicode: bool, chosen: bool, here: bool
) -> list[list[Bit]]:
    """A picture with its words below, in lines of the width of the grid; a click anywhere chooses it."""
    action = f"choose({place})"
    room = grid.wide - 2 if grid.wide > 6 else grid.wide
    high = max(0, grid.high - WORDS_HEIGHT)
    rows: list[Line] = list(picture(choice.name, room, high, unicode=unicode)) if high else []
    title = f">{choice.title}<" if chosen else choice.title
    rows.append([Bit(fit(title, min(room + 2, display_width(title))), "", chosen and here)])
    rows.append([Bit(fit(choice.tag, min(room + 1, display_width(choice.tag))), SECOND)])
    rows = rows[: grid.high] + [[]] * (grid.high - len(rows))
    return [[bit._replace(action=action) for bit in spread(row, [], grid.wide)] for row in rows]


def list_lines(
    say: Translator, choices: Sequence[Choice], chosen: int, height: int, first: int
) -> tuple[list[Line], int]:
    """The titles one below another, as many as *height* lines hold, and the first of them."""
    room = height if len(choices) <= height else max(1, height - 1)
    first = first_seen(chosen, first, room, len(choices))
    lines: list[Line] = []
    for place, choice in list(enumerate(choices))[first : first + room]:
        sign = ">" if place == chosen else " "
        lines.append([Bit(f"{sign} {choice.title}", "", place == chosen, f"choose({place})")])
    if room < height:
        below = len(choices) - first - room
        sign, more, step = ("▼", below, 1) if below else ("▲", first, -1)
        lines.append([Bit(f"{sign} {say.plural('more-games', more)}", SECOND, False, f"roll({step})")])
    return lines, first


def stepped(direction: str, place: int, count: int, columns: int, rows: int) -> int:
    """Where a step from the picture at *place* of *count* leads; *columns* and *rows* are seen at once.

    A step out of the pictures leads nowhere, a page or the way to an end as far as there are any.
    """
    seen = columns * rows
    far = {"top": 0, "bottom": count - 1, "page-up": place - seen, "page-down": place + seen}
    if direction in far:
        return max(0, min(far[direction], count - 1))
    reached = place + {"left": -1, "right": 1, "up": -columns, "down": columns}[direction]
    # Down from the last whole row is the last picture, though none stands straight below.
    if reached >= count and direction == "down" and place // columns < (count - 1) // columns:
        return count - 1
    return reached if 0 <= reached < count else place
