"""The table of all keys: their actions, their names in help and their importance.

Bindings, the footer, the help screen and the command palette are made of these tables.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.binding import Binding

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.widgets.spans import Bit, width_of
from noughts.interfaces.tui.widgets.styles import SECOND


@dataclass(frozen=True, slots=True)
class Key:
    """An action of one key or of several.

    ``id`` is the key's name in the catalogues: ``key-<id>`` is its short word, ``key-about-<id>`` its
    description. ``cap`` is the text on the key; words are looked up as ``keycap-<cap>``. ``keys`` are
    Textual's names of the keys, which run ``action``. Without keys it is only a row of help. A ``variant`` is
    another word for the action of another key, for certain states.
    """

    id: str
    cap: str
    keys: str = ""
    action: str = ""
    variant: bool = False

    @property
    def is_step(self) -> bool:
        """True if it is one of several keys for directions, which help describes together."""
        return self.action.startswith("step(")

    @property
    def is_in_help(self) -> bool:
        """True if it has a row of its own in help; variants have one only with keys of their own."""
        return not self.is_step and (bool(self.keys) or not self.variant)

    @property
    def is_command(self) -> bool:
        """True if it is an action that the command palette offers."""
        return bool(self.action) and not (self.is_step or self.variant) and self.id != "commands"

    def shown(self, say: Translator) -> str:
        """Return the text on the key."""
        return say(f"keycap-{self.cap}") if self.cap in WORDS else self.cap


WORDS = ("arrows", "digits", "quit")
"""The caps that are words and are translated."""

EVERYWHERE = (
    Key("language", "L", "L", "app.choose_language"),
    Key("theme", "F2", "f2", "app.switch_theme"),
    Key("marks", "F3", "f3", "app.switch_marks"),
    Key("commands", "Ctrl-P", "ctrl+p", "app.commands"),
    Key("help", "F1", "f1", "app.help"),
    Key("leave-at-once", "Ctrl-C", "ctrl+c,ctrl+q", "app.leave_program"),
    Key("suspend", "Ctrl-Z", "ctrl+z", "app.suspend_process"),
)

DIRECTIONS = (
    Key("left", "h", "left,h", "step('left')"),
    Key("right", "l", "right,l", "step('right')"),
    Key("up", "k", "up,k", "step('up')"),
    Key("down", "j", "down,j", "step('down')"),
)

PAGES = (
    Key("page-up", "PgUp", "pageup", "step('page-up')"),
    Key("page-down", "PgDn", "pagedown", "step('page-down')"),
    Key("ends", "Home End"),
    Key("top", "Home", "home", "step('top')"),
    Key("bottom", "End", "end", "step('bottom')"),
)

LAYERS = (
    Key("layer", "PgUp PgDn"),
    Key("next-layer", "PgDn", "pagedown", "step('next-plane')"),
    Key("previous-layer", "PgUp", "pageup", "step('previous-plane')"),
)

PLAYING = (
    Key("move", "arrows"),
    Key("slide", "arrows"),
    *DIRECTIONS,
    Key("place", "Enter", "enter,space", "place"),
    Key("cell", "digits"),
    Key("go-to", "g", "g", "go_to"),
    *LAYERS,
    Key("look-around", "arrows", variant=True),
    Key("hurry", ".", "full_stop", "hurry"),
    Key("hint", "?", "question_mark", "ask('hint')"),
    Key("values", "v", "v", "ask('values')"),
    Key("review", "v", "", "ask('values')", variant=True),
    Key("lines", "t", "t", "ask('lines')"),
    Key("threats", "!", "exclamation_mark", "ask('threats')"),
    Key("take-back", "u", "u", "take_back"),
    Key("take-back-alone", "u", "", "take_back"),
    Key("draw", "d", "d", "offer_draw"),
    Key("resign", "r", "r", "resign"),
    Key("rematch", "n", "n", "rematch"),
    Key("again", "n", "", "rematch"),
    Key("back", "[", "left_square_bracket", "look_on(-1)"),
    Key("forward", "]", "right_square_bracket", "look_on(1)"),
    Key("first", "Home", "home", "look(0)"),
    Key("latest", "End", "end", "look(None)"),
    Key("branch", "b", "b", "branch"),
    Key("play-from", "p", "p", "play_from"),
    Key("promote-line", "m", "m", "promote_line"),
    Key("remove-line", "x", "x,delete", "remove_line"),
    Key("save", "s", "s", "save"),
    Key("copy", "c", "c", "copy"),
    Key("leave-trial", "quit", "", "leave", variant=True),
    Key("leave", "quit", "q,Q,в,В", "leave"),
    Key("step-back", "Esc", "escape", "step_back", variant=True),
    Key("answer", "y n"),
)

IN_ROOM = (
    *(key for key in PLAYING if key.id != "copy"),
    Key("seat-link", "c", "c", "seat_link"),
    Key("claim", "w", "w", "claim"),
    Key("share", "o", "o", "share"),
    Key("say", "e", "e", "say_phrase"),
)
"""The keys of a game in a room of a server."""

LINKING = (Key("close", "Esc", "escape,enter,c,q,Q,в,В", "leave"),)

CHOOSING = (
    Key("play", "Enter", "enter", "play"),
    Key("choose", "arrows"),
    *DIRECTIONS,
    Key("pages", "PgUp PgDn"),
    *PAGES,
    Key("rename", "Enter", "", "play", variant=True),
    Key("type-start", "Enter", "", "play", variant=True),
    Key("settings", "Tab", "tab,shift+tab", "settings"),
    Key("boards", "Tab", "", "settings", variant=True),
    Key("find", "/", "slash", "find"),
    Key("own", "o", "o", "build"),
    Key("puzzles", "p", "p", "puzzles"),
    Key("continue", "c", "c", "continue_game"),
    Key("continue-other", "C", "C", "choose_unfinished"),
    Key("quit", "quit", "q,Q,в,В", "leave"),
    Key("step-back", "Esc", "escape", "step_back", variant=True),
)

PUZZLING = (
    Key("move", "arrows"),
    *DIRECTIONS,
    Key("try", "Enter", "enter,space", "place"),
    Key("cell", "digits"),
    Key("go-to", "g", "g", "go_to"),
    *LAYERS,
    Key("puzzle-hint", "?", "question_mark", "puzzle_hint"),
    Key("solution", "s", "s", "solution"),
    Key("start-over", "u", "u", "start_over"),
    Key("next-puzzle", "n", "n", "next_puzzle"),
    Key("leave-puzzle", "quit", "q,Q,в,В", "leave"),
    Key("step-back", "Esc", "escape", "step_back", variant=True),
)

REVIEWING = (
    Key("choose", "arrows"),
    *DIRECTIONS,
    Key("turning-point", "t", "t,n", "turning_point"),
    Key("line-on", "]", "right_square_bracket", "step_line(1)"),
    Key("line-back", "[", "left_square_bracket", "step_line(-1)"),
    Key("look", "Enter", "enter,space", "look"),
    Key("play-from", "p", "p", "play_from"),
    Key("close", "Esc", "q,Q,v,в,В,escape", "leave"),
)

BUILDING = (
    Key("players", "Enter", "enter", "take"),
    Key("choose", "arrows"),
    *DIRECTIONS,
    Key("more", "+", "plus,equals_sign", "change(1)"),
    Key("less", "-", "minus,underscore", "change(-1)"),
    Key("tick", "Space", "space", "tick"),
    Key("describe", "/", "slash", "describe"),
    *PAGES,
    Key("close", "Esc", "q,Q,в,В,escape", "leave"),
)

HELPING = (
    Key("close", "Esc", "escape,f1,q,Q,в,В,enter", "leave"),
    Key("up", "k", "up,k", "roll(-1)"),
    Key("down", "j", "down,j,space", "roll(1)"),
    Key("page-up", "PgUp", "pageup", "turn(-1)"),
    Key("page-down", "PgDn", "pagedown", "turn(1)"),
    Key("top", "Home", "home", "roll(-9999)"),
    Key("bottom", "End", "end", "roll(9999)"),
)

TYPING = (
    Key("take", "Enter", "", "focused.submit", variant=True),
    Key("drop", "Esc", "", "step_back", variant=True),
)
"""The keys of a field."""

ALL = (
    *CHOOSING,
    *BUILDING,
    *HELPING,
    *LINKING,
    *TYPING,
    *REVIEWING,
    *PUZZLING,
    *IN_ROOM,
    *PLAYING,
    *EVERYWHERE,
)

KEYS = {key.id: key for key in ALL}
"""All keys by id; an id means the same on every screen."""


RUSSIAN = dict(zip("qwertyuiopasdfghjklzxcvbnmLC", "йцукенгшщзфывапролдячсмитьДС", strict=True))
RUSSIAN |= {"left_square_bracket": "х", "right_square_bracket": "ъ"}
"""The letters on the same keys of a Russian keyboard, by Textual's names of the Latin ones."""

DROPPED_FIRST = (
    *("play-from", "promote-line", "remove-line"),
    *("lines", "cell", "save", "layer", "forward", "back", "take-back", "move"),
    *("language", "describe", "less", "more", "tick", "choose", "own", "settings", "find", "puzzles"),
    *("help", "values", "hint", "look-around"),
)
"""The keys that a short footer drops first; essential keys lose only their words."""

KEPT = ("help", "leave", "leave-trial", "leave-puzzle", "quit", "close")
"""The keys that a footer always shows, if necessary without their words."""

NARROW = 40
"""The width, in columns, below which the gap between keys is smaller."""


def names_of(key: Key, table: Iterable[Key]) -> list[str]:
    """Return Textual's names of all keys that run the action of *key*.

    The letters of a Russian keyboard act as the Latin letters on the same keys, unless *table* uses them for
    another key.
    """
    names = key.keys.split(",") if key.keys else []
    taken = {name for other in table for name in other.keys.split(",")}
    return names + [RUSSIAN[name] for name in names if name in RUSSIAN and RUSSIAN[name] not in taken]


def bindings(keys: Sequence[Key]) -> list[Binding]:
    """Return the bindings of *keys* for Textual."""
    return [
        Binding(",".join(names_of(key, keys)), key.action, key.id, show=False) for key in keys if key.keys
    ]


def footer(say: Translator, ids: Sequence[str], width: int, essential: str = "") -> list[Bit]:
    """Return one line with as many of the keys *ids* as fit.

    The *essential* key is added if it is missing, and is dropped last.
    """
    if essential and essential not in ids:
        at = ids.index("place") + 1
        ids = (*ids[:at], essential, *ids[at:])
    items = {id_: key_item(say, id_) for id_ in ids}
    gap, indent = (3, 1) if width >= NARROW else (2, 0)
    dropped = [*DROPPED_FIRST, *KEPT, *(id_ for id_ in reversed(ids) if id_ not in KEPT)]
    if essential:  # Well-known keys are dropped before keys that help to find a move.
        at = dropped.index("values")
        dropped = [*dropped[:at], *KEPT, "place", *dropped[at:]]
    steps = [(id_, id_ in KEPT) for id_ in dropped if id_ != essential] + [
        (id_, False) for id_ in reversed(KEPT)
    ]

    def line() -> list[Bit]:
        bits: list[Bit] = []
        for item in items.values():
            bits += [Bit(" " * (gap if bits else indent)), *item]
        return bits

    is_cut = width_of(line()) > width >= NARROW and "help" in items
    for id_, is_word in steps:
        # A sign after the help key means that some keys had no room.
        if width_of(line()) + is_cut <= width or len(items) == 1:
            break
        if is_word and id_ in items:
            items[id_] = items[id_][:1]  # The key is clear without its word.
        else:
            items.pop(id_, None)
    if is_cut and "help" in items:
        items["help"].append(Bit("…", SECOND, False, KEYS["help"].action))
    return line()


def key_item(say: Translator, id_: str, text: str = "") -> list[Bit]:
    """Return a key and *text*, by default its short word, both clickable."""
    key = KEYS[id_]
    text = text or say(f"key-{id_}")
    return [Bit(key.shown(say), "", True, key.action), Bit(f" {text}", SECOND, False, key.action)]
