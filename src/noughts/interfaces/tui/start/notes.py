"""The notes beside the gallery: what can be continued, the chosen game and its rules, the settings."""

from dataclasses import dataclass

from noughts.games.base import Game
from noughts.games.catalogue import find_entry
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import title_of
from noughts.interfaces.tui.kit.keys import KEYS
from noughts.interfaces.tui.kit.spans import Bit, Line, clipped, width_of
from noughts.interfaces.tui.kit.styles import SECOND
from noughts.interfaces.tui.start.choices import Choices, Setting
from noughts.interfaces.tui.start.unfinished import GoingOn
from noughts.text import display_width, fit, wrap

LEAST_LABEL = 8


@dataclass(frozen=True, slots=True)
class Notes:
    """What the notes are about."""

    say: Translator
    name: str
    game: Game
    choices: Choices
    unicode: bool


def lines_of(
    notes: Notes, unfinished: GoingOn | None, focused: int | None, width: int, height: int
) -> list[Line]:
    """All of it in exactly *height* lines of *width* columns.

    *focused* is the setting that the keys go to. Where there is not room for everything, the settings
    stand closer together, the rules are cut, and lines go until those that can be used are left.
    """
    say = notes.say
    settings = notes.choices.settings(say, notes.game)
    play: list[Line] = [[], _play_line(say)]
    going_on = _continue_lines(say, unfinished, width)
    about = _about_lines(notes, width)
    roomy = setting_lines(settings, focused, width, unicode=notes.unicode, roomy=True)
    close = setting_lines(settings, focused, width, unicode=notes.unicode, roomy=False)
    chosen = roomy if _total(going_on, about, roomy, play) <= height else close
    room = height - _total(going_on, chosen, play)
    if room < 3:
        going_on, room = [], height - _total(chosen, play)
    if room < 3:
        about = [*about[:1], []] if room == 2 else []
    elif len(about) > room:
        about = [*clipped(about[:-1], room - 1, width), []]
    if _total(chosen, play) > height:
        play = []
    lines = [*going_on, *about, *_around_focus(chosen, focused, height), *play][:height]
    return [*lines, *([] for _ in range(height - len(lines)))]


def _total(*parts: list[Line]) -> int:
    return sum(map(len, parts))


def _around_focus(lines: list[Line], focused: int | None, height: int) -> list[Line]:
    """As many of the lines as there is room for, among them that of the setting the keys go to."""
    first = max(0, min((focused or 0) - height // 2, len(lines) - height))
    return lines[first:] if len(lines) > height else lines


def _play_line(say: Translator) -> Line:
    return [Bit(f"[ Enter  {say('key-play').capitalize()} ]", "", True, "start")]


def _continue_lines(say: Translator, unfinished: GoingOn | None, width: int) -> list[Line]:
    if unfinished is None:
        return []
    key = KEYS["continue"]
    heading = [
        Bit(f"{say('key-continue').capitalize()}  ", SECOND, False, key.action),
        Bit(key.shown(say), "", True, key.action),
        *other_unfinished(say, unfinished),
    ]
    told = wrap(unfinished.newest, max(1, width - 2))[:2]
    return [heading, *([Bit(f"  {text}", "", False, key.action)] for text in told), []]


def other_unfinished(say: Translator, unfinished: GoingOn) -> Line:
    """How many others can be continued, with the key for them; nothing where there is no other."""
    key = KEYS["continue-other"]
    if not unfinished.others:
        return []
    return [
        Bit("   "),
        Bit(f"{key.shown(say)} ", "", True, key.action),
        Bit(unfinished.others, SECOND, False, key.action),
    ]


def _about_lines(notes: Notes, width: int) -> list[Line]:
    """The title, the rules and what is known of best play, and a blank line."""
    say, entry = notes.say, find_entry(notes.name)
    told = say.messages(notes.game.rule_text)
    if entry is not None and entry.value is not None:
        told = say.joined([told, say(f"value-{entry.value}")])
    lines: list[Line] = [[Bit(title_of(say, notes.name), "", True)]]
    return [*lines, *([Bit(line)] for line in wrap(told, max(1, width))), []]


def setting_lines(
    settings: list[Setting], focused: int | None, width: int, *, unicode: bool, roomy: bool
) -> list[Line]:
    """The settings, one below another; *roomy*: with all there is to choose from, where that is little.

    The one that the keys go to has the cursor's sign.
    """
    lines: list[Line] = []
    wide = max([LEAST_LABEL, *(display_width(setting.label) for setting in settings)])
    wide = min(wide, max(1, width // 2))
    at = None if focused is None else min(focused, len(settings) - 1)
    for place, setting in enumerate(settings):
        is_here = place == at
        if roomy and setting.options:
            if lines and lines[-1]:
                lines.append([])
            lines += [*_all_options(setting, width, is_here=is_here, unicode=unicode), []]
            continue
        lines += _chosen_alone(setting, wide, width, is_here=is_here)
    return lines


def _chosen_alone(setting: Setting, wide: int, width: int, *, is_here: bool) -> list[Line]:
    """A setting and what is chosen, in one line, as far as it fits.

    Where there is little room the values do not stand in a column; that of the setting that the keys go to
    is shown whole, if need be below.
    """
    action = f"change('{setting.id}', 1)"
    sign = Bit("> " if is_here else "  ", "", True, action)
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


def _all_options(setting: Setting, width: int, *, is_here: bool, unicode: bool) -> list[Line]:
    """A setting with all its options; in one line where they fit, else one below another."""
    heading: Line = [Bit("> " if is_here else "  ", "", True), Bit(setting.label, SECOND)]
    dot = "•" if unicode else "o"
    bits = [
        Bit(
            f"({dot if place == setting.chosen else ' '}) {option}",
            "",
            is_here and place == setting.chosen,
            f"change('{setting.id}', {place - setting.chosen})",
        )
        for place, option in enumerate(setting.options)
    ]
    if width_of(bits) + 2 * len(bits) <= width:
        line = [Bit("  ")]
        for bit in bits:
            line += [bit, Bit("  ")]
        return [heading, line]
    return [heading, *([Bit("  "), bit] for bit in bits)]
