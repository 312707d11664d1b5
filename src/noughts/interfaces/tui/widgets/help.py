"""Help: every key of the screen below, and the meaning of the signs on a board."""

from collections.abc import Sequence

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.widgets.keys import EVERYWHERE, HELPING, NARROW, Key
from noughts.interfaces.tui.widgets.page import Page
from noughts.interfaces.tui.widgets.spans import Bit, Line, beside, cut, spread, width_of
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.text import display_width, fit, wrap

SIGNS = {
    "last": "[X]",
    "winning": "*X*",
    "cursor": ">X<",
    "hint": "<·>",
    "own-threat": "+·+",
    "other-threat": "!·!",
    "said": "{X}",
    "next": "-·-",
    "turning": "-O-",
    "leaving": "~X~",
    "forbidden": "#",
    "open": "•",
    "closed": ":",
    "joined": "┼─",
}
"""The signs of a board by their ids in the catalogues, ``sign-<id>``."""

COLLECTIVE = ("move", "slide", "choose")
"""The rows that describe all keys for directions together."""

CAP = 6
"""The width of key names in a narrow window, in columns. Longer names have a line of their own."""

WORDS = 32
"""The width, in columns, in which most descriptions of keys fit in one line."""

GAP = 3
"""The number of columns between the two columns of keys."""


def key_lines(say: Translator, keys: Sequence[Key], width: int) -> list[Line]:
    """Return a description of each of *keys*, in two columns if nearly all fit, else in one.

    In a narrow window it is one short word, except for rows about several keys.
    """
    rows = [
        (key.shown(say), (about if width >= NARROW or key.id in COLLECTIVE else short)(say, key))
        for key in keys
    ]
    cap = min(max(display_width(shown) for shown, _ in rows), CAP if width < NARROW else max(1, width // 2))
    half = (width - GAP) // 2
    room = half - cap - 2
    if room >= WORDS or all(display_width(text) <= room for _, text in rows):
        middle = (len(rows) + 1) // 2
        left, right = (
            [line for row in part for line in _key_line(row, cap, half)]
            for part in (rows[:middle], rows[middle:])
        )
        return beside(left, right, half + GAP)
    return [line for row in rows for line in _key_line(row, cap, width)]


def about(say: Translator, key: Key) -> str:
    """Return the full description of a key."""
    id_ = f"key-about-{key.id}"
    return say(id_) if say.has(id_) else short(say, key)


def short(say: Translator, key: Key) -> str:
    """Return the word for a key."""
    return say(f"key-{key.id}")


def _key_line(row: tuple[str, str], cap: int, width: int) -> list[Line]:
    """Return a key and its description, which may continue on more lines."""
    shown, text = row
    lines: list[Line] = [[Bit(" " * (cap + 2) + text)] for text in wrap(text, max(1, width - cap - 2))]
    if display_width(shown) > cap:
        return [[Bit(shown, "", True)], *lines]
    return [[Bit(fit(shown, cap), "", True), Bit(lines[0][0].text[cap:])], *lines[1:]]


def sign_lines(say: Translator, width: int) -> list[Line]:
    """Return the meaning of the signs on a board, as many in a line as fit."""
    lines: list[list[Bit]] = []
    for id_, sign in SIGNS.items():
        first, *others = wrap(say(f"sign-{id_}"), max(1, width - 4))
        item = [Bit(sign, "", True), Bit(f" {first}", SECOND)]
        if lines and not others and width_of(lines[-1]) + GAP + width_of(item) <= width:
            lines[-1] += [Bit(" " * GAP), *item]
        else:
            lines += [item, *([Bit(" " * 4 + other, SECOND)] for other in others)]
    return list(lines)


class KeyHelpPage(Page[None], keys=HELPING):
    """The list of all keys of the screen below."""

    def __init__(self) -> None:
        super().__init__()
        self.first = 0
        """The index of the top line."""
        self._most = self._seen = 0

    @property
    def _keys(self) -> list[Key]:
        """The keys of the screen below this one, then those of every screen."""
        below = [page for page in self.app.screen_stack if isinstance(page, Page) and page is not self]
        keys = (
            [key for key in below[-1].TABLE if key.is_in_help and below[-1].has_use_of(key)] if below else []
        )
        return [*keys, *EVERYWHERE]

    def draw(self) -> None:
        width, height = self.size
        indent = 2 if width >= NARROW else 0
        room = max(1, width - 2 * indent)
        layout = [[Bit(line, SECOND)] for line in wrap(self.say("help-layout"), room)]
        signs = sign_lines(self.say, room)
        lines: list[Line] = [*key_lines(self.say, self._keys, room), [], *signs, [], *layout]
        heading = height > 5
        self._seen = max(1, height - (height > 1) - 2 * heading)
        self._most = max(0, len(lines) - self._seen)
        self.first = min(self.first, self._most)
        seen: list[Line] = [*lines[self.first : self.first + self._seen]]
        if heading:
            more = ("▲" if self.first else " ") + ("▼" if self.first < self._most else "")
            title = spread([Bit(self.say("help-title"), "", True)], [Bit(more.rstrip(), SECOND)], room)
            seen = [title, [], *seen]
        rolling = ("page-down", "page-up") if self._most else ()
        lines = [[Bit(" " * indent), *cut(line, room)] for line in seen]
        self.show_sheet(lines, ("close", *rolling, "language"))

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """Scroll by *steps* lines."""
        self.first = max(0, min(self._most, self.first + steps))
        self.redraw()

    def action_turn(self, pages: int) -> None:
        """Scroll by *pages* windows."""
        self.action_roll(pages * self._seen)
