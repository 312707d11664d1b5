"""Every key of the full screen, once: what it does, what help calls it, and which matter most.

Bindings, the footer, the help screen and the palette of commands are all read from these tables.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.binding import Binding

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.widgets.spans import Bit, width_of
from noughts.interfaces.tui.widgets.styles import SECOND


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that keys do.

    ``id`` names it in the catalogues: ``key-<id>`` is the short word for it, ``key-about-<id>`` what help
    says. ``cap`` is what stands on the key; one that is a word is looked up as ``keycap-<cap>``. ``keys``
    are Textual's names of the keys, ``action`` is what they run; without keys it is a row of help alone.
    A ``variant`` is another word for what another key of the table does, at certain times.
    """

    id: str
    cap: str
    keys: str = ""
    action: str = ""
    variant: bool = False

    @property
    def is_step(self) -> bool:
        """Whether it is one of several keys that go in all directions, of which help speaks as one."""
        return self.action.startswith("step(")

    @property
    def is_in_help(self) -> bool:
        """Whether it has a row of its own in help; of variants only those that have keys of their own."""
        return not self.is_step and (bool(self.keys) or not self.variant)

    @property
    def is_command(self) -> bool:
        """Whether it does something that a person may ask for by its name."""
        return bool(self.action) and not (self.is_step or self.variant) and self.id != "commands"

    def shown(self, say: Translator) -> str:
        """What stands on the key."""
        return say(f"keycap-{self.cap}") if self.cap in WORDS else self.cap


WORDS = ("arrows", "digits", "quit")
"""The caps of keys that are words in every language."""

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
    Key("continue", "c", "c", "go_on"),
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

ALL = (*CHOOSING, *BUILDING, *HELPING, *TYPING, *REVIEWING, *PUZZLING, *PLAYING, *EVERYWHERE)

KEYS = {key.id: key for key in ALL}
"""All keys by id; where two screens share an id, it says the same."""


RUSSIAN = dict(zip("qwertyuiopasdfghjklzxcvbnmLC", "йцукенгшщзфывапролдячсмитьДС", strict=True))
RUSSIAN |= {"left_square_bracket": "х", "right_square_bracket": "ъ"}
"""The letters that stand on the same keys of a Russian keyboard, by Textual's names of the Latin ones."""

DROPPED_FIRST = (
    *("play-from", "promote-line", "remove-line"),
    *("lines", "cell", "save", "layer", "forward", "back", "take-back", "move"),
    *("language", "describe", "less", "more", "tick", "choose", "own", "settings", "find", "puzzles"),
    *("help", "values", "hint", "look-around"),
)
"""What a footer does without first where it is short; of keys that are kept, their words."""

KEPT = ("help", "leave", "leave-trial", "leave-puzzle", "quit", "close")
"""Keys that a footer keeps, at last without their words."""

NARROW = 40
"""Below so many columns there is less room between keys."""


def names_of(key: Key, table: Iterable[Key]) -> list[str]:
    """Textual's names of all keys that do what *key* does.

    The letters of a Russian keyboard act as the Latin ones they share a key with, unless another key of
    *table* has them.
    """
    names = key.keys.split(",") if key.keys else []
    taken = {name for other in table for name in other.keys.split(",")}
    return names + [RUSSIAN[name] for name in names if name in RUSSIAN and RUSSIAN[name] not in taken]


def bindings(keys: Sequence[Key]) -> list[Binding]:
    """What Textual is told of *keys*."""
    return [
        Binding(",".join(names_of(key, keys)), key.action, key.id, show=False) for key in keys if key.keys
    ]


def footer(say: Translator, ids: Sequence[str], width: int, essential: str = "") -> list[Bit]:
    """One line with as many of the keys *ids* as fit; *kept* is one without which little can be reached."""
    if essential and essential not in ids:
        at = ids.index("place") + 1
        ids = (*ids[:at], essential, *ids[at:])
    items = {id_: key_item(say, id_) for id_ in ids}
    gap, indent = (3, 1) if width >= NARROW else (2, 0)
    dropped = [*DROPPED_FIRST, *KEPT, *(id_ for id_ in reversed(ids) if id_ not in KEPT)]
    if essential:  # rather than what helps to find a move, those go that anybody finds
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
        # A sign behind the key for help says that it lists those that have no room.
        if width_of(line()) + is_cut <= width or len(items) == 1:
            break
        if is_word and id_ in items:
            items[id_] = items[id_][:1]  # the key alone says it too
        else:
            items.pop(id_, None)
    if is_cut and "help" in items:
        items["help"].append(Bit("…", SECOND, False, KEYS["help"].action))
    return line()


def key_item(say: Translator, id_: str, text: str = "") -> list[Bit]:
    """A key and what is *told* of it, its short word unless said otherwise, each to be clicked."""
    key = KEYS[id_]
    text = text or say(f"key-{id_}")
    return [Bit(key.shown(say), "", True, key.action), Bit(f" {text}", SECOND, False, key.action)]
