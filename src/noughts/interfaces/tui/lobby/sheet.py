"""How the first screen is laid out: pictures beside notes, pictures alone, settings alone, or a list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noughts.interfaces.presenting.choices import Choices, Setting
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.knowing import say_basis, say_best_play
from noughts.interfaces.presenting.planning import HUMAN
from noughts.interfaces.presenting.players import levels_without_fast, strongest_level, tell_computer
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.tui.launch import Unfinished
from noughts.interfaces.tui.lobby.gallery import Shelf, arrange, fresh, grid_lines, list_lines
from noughts.interfaces.tui.widgets.keys import KEYS, key_item
from noughts.interfaces.tui.widgets.spans import Bit, Line, clipped, cut, first_seen, spread, width_of
from noughts.interfaces.tui.widgets.styles import EDGE, SECOND
from noughts.text import display_width, fit, wrap

WIDE = (80, 22)
"""From this size on the notes stand beside the pictures."""

PICTURED = (40, 14)
"""From this size on there are pictures; below it a list."""

MIN_LABEL = 8

MAX_MESSAGE_LINES = 4

ABOUT = 12
"""So many lines are kept for the title and the rules of the chosen game."""


@dataclass
class LobbySheet:
    """What the first screen shows; ``setting`` is the one the keys go to, None where they choose pictures.

    ``first`` is the first row of pictures that was seen last; it, ``columns`` and ``rows`` are what has come
    of it once :meth:`panes` was called.
    """

    say: Translator
    unicode: bool
    shelf: Shelf
    choices: Choices
    unfinished: Sequence[Unfinished]
    setting: int | None
    first: int
    columns: int = 1
    rows: int = 1

    def __post_init__(self) -> None:
        self.shown, self.game = self.shelf.shown(self.say), fresh(self.shelf.chosen)
        self.place = self.shelf.place(self.shown)
        self.newest = self.unfinished[0].sentence(self.say) if self.unfinished else ""

    def panes(self, width: int, height: int) -> tuple[list[Line], list[Line], int]:
        """The pictures or a list of titles, the notes, and the columns of these if both are seen.

        That is what fits the window best: where there is not room for both, one of them has no lines.
        """
        if width >= WIDE[0] and height + 1 >= WIDE[1]:
            sidebar = min(46, max(26, width * 32 // 100))
            notes = self._notes(sidebar - 2, height)
            return (
                self._pictures(width - sidebar, height),
                [[Bit("┃ ", EDGE), *line] for line in notes],
                sidebar,
            )
        is_pictured = width >= PICTURED[0]
        if self.setting is not None:
            indent = 2 * is_pictured
            notes = self._notes(width - 2 * indent, height)
            return [], [[Bit(" " * indent), *line] for line in notes], 0
        if is_pictured and height + 1 >= PICTURED[1]:
            heading, _, *pictures = self._pictures(width, height - 1)
            going_on = [Bit("  "), *self._going_on(width)] if self.newest else []
            return [heading, going_on, *pictures, self._summary(width)], [], 0
        return self._listed(width, height), [], 0

    def _pictures(self, width: int, height: int) -> list[Line]:
        """The heading and the grid, exactly *height* lines."""
        count, room = len(self.shown), height - 2
        grid = arrange(count or 1, width, room)
        self.columns, self.rows = grid.columns, grid.rows
        self.first = first_seen(self.place // grid.columns, self.first, grid.rows, -(-count // grid.columns))
        start = self.first * grid.columns
        last = min(count, start + grid.columns * grid.rows)
        is_told = last - start < count or not count
        told = self.say("start-range", first=start + 1, last=last, count=count) if count and is_told else ""
        heading = spread([Bit(f"  {self.say('start-title')}", "", True)], [Bit(f"{told}  ", SECOND)], width)
        here = self.setting is None
        pictures = grid_lines(self.shown, self.place, grid, self.first, unicode=self.unicode, here=here)
        left = max(0, width - grid.columns * grid.wide) // 2
        above = max(0, room + 1 - grid.rows * grid.high) // 2
        lines: list[Line] = [heading, [], *([[]] * above)]
        lines += [[Bit(" " * left), *line] for line in pictures]
        return [*lines[:height], *([] for _ in range(height - len(lines)))]

    def _listed(self, width: int, height: int) -> list[Line]:
        """The heading, a list of titles, and what is set, as far as there is room."""
        self.columns = 1
        head: list[Line] = [[Bit("noughts", SECOND)], self._going_on(width + 2)] if height >= 9 else []
        foot: list[Line] = []
        if height >= 6:
            summary = self.choices.summary(self.say, self.game)[:1]
            foot = [[], [Bit(text, SECOND, False, "settings") for text in summary]]
            foot += [[]] if height >= 9 else []
        room = height - len(head) - len(foot)
        titles, self.first = list_lines(self.say, self.shown, self.place, room, self.first)
        self.rows = max(1, room - 1)
        return [*head, *titles, *([] for _ in range(room - len(titles))), *foot]

    def _summary(self, width: int) -> Line:
        """What is set, in one line, and the key to change it."""
        told = "   ".join(self.choices.summary(self.say, self.game))
        set_ = Bit(f"  {told}", SECOND, False, KEYS["settings"].action)
        return spread([set_], [*key_item(self.say, "settings"), Bit("  ")], width)

    # What can be continued

    def _going_on(self, width: int) -> list[Bit]:
        """What can be continued, in one line of at most *width* columns, with its key."""
        if not self.newest:
            return []
        line, others = key_item(self.say, "continue", self.newest), self._others()
        return [*cut(line, width - 2 - width_of(others)), *others, Bit("  ")]

    def _continue_lines(self, width: int) -> list[Line]:
        if not self.newest:
            return []
        key = KEYS["continue"]
        heading = [
            Bit(f"{self.say('key-continue').capitalize()}  ", SECOND, False, key.action),
            Bit(key.shown(self.say), "", True, key.action),
            *self._others(),
        ]
        told = [[Bit(text, "", False, key.action)] for text in wrap(self.newest, max(1, width - 2))]
        return [heading, *([Bit("  "), *line] for line in clipped(told, 2, width - 2)), []]

    def _others(self) -> Line:
        """How many others can be continued, with the key for them; nothing where there is no other."""
        if len(self.unfinished) < 2:
            return []
        told = self.say.plural("more-unfinished", len(self.unfinished) - 1)
        return [Bit("   "), *key_item(self.say, "continue-other", told)]

    # The notes: what can be continued, the chosen game and its rules, the settings

    def _notes(self, width: int, height: int) -> list[Line]:
        """All of it in exactly *height* lines of *width* columns; nothing where nothing is chosen.

        Where there is not room for everything, the settings stand closer together, the rules are cut, and
        lines go until those that can be used are left.
        """
        if not self.shown:
            return [[]] * height
        play: list[Line] = [[], [Bit(f"[ Enter  {self.say('key-play').capitalize()} ]", "", True, "start")]]
        going_on, about = self._continue_lines(width), self._about_lines(width)
        chosen = self._setting_lines(width, roomy=True)
        if _total(going_on, chosen, play) + ABOUT > height:
            chosen = self._setting_lines(width, roomy=False)
        room = height - _total(going_on, chosen, play)
        if room < 3:
            going_on, room = [], height - _total(chosen, play)
        if ABOUT < room < 2 * ABOUT:  # the settings stay where they are while the keys go from game to game
            room = ABOUT
        if room < 3:
            about = [*about[:1], []] if room == 2 else []
        elif len(about) > room:
            about = [*clipped(about[:-1], room - 1, width), []]
        else:
            about += [[] for _ in range(min(room, ABOUT) - len(about))]
        blocks = (*self._computer_lines(width), [])
        told = next(
            block for block in blocks if _total(going_on, about, chosen, block, play) <= height or not block
        )
        if _total(chosen, play) > height:
            play = []
        if len(chosen) > height:  # those around the setting that the keys go to
            chosen = chosen[max(0, min((self.setting or 0) - height // 2, len(chosen) - height)) :]
        lines = [*going_on, *about, *chosen, *told, *play][:height]
        return [*lines, *([] for _ in range(height - len(lines)))]

    def _about_lines(self, width: int) -> list[Line]:
        """The title, the rules and who wins with best play; a blank line."""
        say = self.say
        told = [say.messages(self.game.rule_text), *filter(None, [say_best_play(say, self.game)])]
        lines: list[Line] = [[Bit(title_of(say, self.shelf.chosen), "", True)]]
        return [*lines, *([Bit(line)] for line in wrap(say.joined(told), max(1, width))), []]

    def _computer_lines(self, width: int) -> Iterator[list[Line]]:
        """Yield a blank line and notes about the chosen computers, then the same with fewer notes.

        The notes are the style of each computer, a caution if one is weaker here, and the source of the
        value.
        """
        say, who = self.say, self.choices.who(self.game)
        told = [tell_computer(say, name) for name in dict.fromkeys(who) if name != HUMAN and len(who) == 2]
        if f"level:{strongest_level()}" in who:
            told.append(levels_without_fast(say, self.game) or "")
        if self.choices.start(self.game) is not None:
            told.append(say("web-play-on-about"))
        told.append(say_basis(say, self.game))
        notes = [*filter(None, told)]
        while notes:
            yield [[], *([Bit(line, SECOND)] for line in wrap(say.joined(notes), max(1, width)))]
            notes.pop()

    def _setting_lines(self, width: int, *, roomy: bool) -> list[Line]:
        """The settings, one below another; *roomy*: with all there is to choose from, where that is little.

        The one that the keys go to has the cursor's sign.
        """
        settings = self.choices.settings(self.say, self.game)
        lines: list[Line] = []
        wide = max([MIN_LABEL, *(display_width(setting.label) for setting in settings)])
        wide = min(wide, max(1, width // 2))
        at = None if self.setting is None else min(self.setting, len(settings) - 1)
        for place, setting in enumerate(settings):
            if roomy and setting.is_listed:
                if lines and lines[-1]:
                    lines.append([])
                options = _all_options(setting, width, is_here=place == at)
                lines += [*options, []]
            else:
                lines += _chosen_alone(setting, wide, width, is_here=place == at)
        return lines


def message_lines(message: str, width: int, height: int) -> list[Line]:
    """What has to be said, in at most *height* lines below all else."""
    indent = " " * (2 if width >= PICTURED[0] else 0)
    room = max(1, width - 2 * len(indent))
    lines: list[Line] = [[Bit(line, "", True)] for line in wrap(message, room)]
    return [[Bit(indent), *line] for line in clipped(lines, min(MAX_MESSAGE_LINES, height), room)]


def _total(*parts: list[Line]) -> int:
    return sum(map(len, parts))


def _chosen_alone(setting: Setting, wide: int, width: int, *, is_here: bool) -> list[Line]:
    """A setting and what is chosen, in one line, as far as it fits.

    Where there is little room the values do not stand in a column; that of the setting that the keys go to
    is shown whole, if need be below.
    """
    action = f"change('{setting.id}', 1)"
    sign = Bit("> " if is_here else "  ", "", is_here, action)
    label = Bit(f"{fit(setting.label, wide)}  ", SECOND, False, action)
    chosen = Bit(setting.text, "", is_here, action)
    if width_of([sign, label, chosen]) > width:
        label = label._replace(text=f"{setting.label}  ")
    if not is_here or width_of([sign, label, chosen]) <= width:
        return [[sign, label, chosen]]
    indent = Bit("    ", action=action)
    return [
        [sign, label],
        *([indent, chosen._replace(text=text)] for text in wrap(setting.text, max(1, width - 4))),
    ]


def _all_options(setting: Setting, width: int, *, is_here: bool) -> list[Line]:
    """A setting with all its options; in one line where they fit, else one below another."""
    heading: Line = [Bit("> " if is_here else "  ", "", is_here), Bit(setting.label, SECOND)]
    at, bits = setting.values.index(setting.chosen), []
    for place, option in enumerate(map(setting.word, setting.values)):
        action, is_chosen = f"change('{setting.id}', {place - at})", place == at
        bits.append(Bit(f"({'•' if is_chosen else ' '}) {option}", "", is_here and is_chosen, action))
    if width_of(bits) + 2 * len(bits) <= width:
        return [heading, [part for bit in bits for part in (Bit("  "), bit)]]
    return [heading, *([Bit("  "), bit] for bit in bits)]
