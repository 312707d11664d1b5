"""How the next game is set up: opponent, computers, mark, names, who begins, clock, opening; its plan.

What does not fit a game is not offered. It knows no screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.series import Begins
from noughts.games.base import Game
from noughts.games.openings import NO_OPENING, openings_of
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import person_name, strength
from noughts.interfaces.presenting.planning import HUMAN, Plan, default_names
from noughts.interfaces.presenting.preferences import MAX_NAMES, Preferences
from noughts.players.base import player_names
from noughts.text import fold_name, same_name

_Choice = TypeVar("_Choice")

PAIRINGS = ("computer", "friend", "computers")
"""Who may sit at a board for two: a person and a computer, two people, two computers."""

DEFAULT_LEVEL = 4
"""How strong the computer is until somebody chooses."""

SEPARATOR = " / "
"""Between the players that are remembered, where there is more than one computer to remember."""

CLOCKS = {
    "none": UNTIMED,
    "1+0": Clock(base=60_000),
    "3+2": Clock(base=180_000, increment=2_000),
    "5+3": Clock(base=300_000, increment=3_000),
    "10+0": Clock(base=600_000),
    "30": Clock(per_move=30_000),
}
"""The clocks that are offered."""

SURE = ("random", "rule", "level")
"""Players who play every game of more than one side."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be chosen, in words: all there is to choose from, and which of it is chosen.

    ``options`` is empty where there is too much to list; ``text`` is what is chosen.
    """

    id: str
    label: str
    text: str
    options: tuple[str, ...] = ()
    chosen: int = 0


class Choices:
    """How a person wants to play, whatever game it will be; begins with what *preferences* remember."""

    def __init__(self, preferences: Preferences) -> None:
        self.players = players_in_order()
        self.pairing = "computer"
        level = f"level:{preferences.level}"
        self.computer = level if level in self.players else f"level:{DEFAULT_LEVEL}"
        self._seats: dict[int, list[str]] = {}
        self._recall_opponent(preferences.opponent or "")
        self.mark = preferences.mark
        self.begins = Begins(preferences.begins or Begins.ALTERNATE)
        self.clock = preferences.clock if preferences.clock in CLOCKS else "none"
        self.opening = preferences.opening or NO_OPENING
        self._known = list(preferences.known)
        self._names = {person: name for person, name in enumerate(preferences.names) if name}

    def _recall_opponent(self, text: str) -> None:
        who = text.split(SEPARATOR)
        if any(name not in (HUMAN, *self._offered(max(2, len(who)))) for name in who):
            return
        if len(who) == 1:
            self.pairing = "friend" if text == HUMAN else "computer"
            self.computer = self.computer if text == HUMAN else text
        elif len(who) > 2 or HUMAN not in who:
            self._seats[len(who)] = who
            self.pairing = "computers" if len(who) == 2 else "computer"

    # Who plays

    def seats(self, count: int) -> list[str]:
        """Who has each seat of a game of *count* sides, where each is chosen by itself."""
        computer = self.computer if self.computer in self._offered(count) else f"level:{DEFAULT_LEVEL}"
        usual = [computer] * count if count == 2 else [HUMAN, *[computer] * (count - 1)]
        return self._seats.setdefault(count, usual)

    def who(self, game: Game) -> list[str]:
        """Who has each mark of *game*, in turn order."""
        count = len(game.sides)
        if count == 1:
            return [HUMAN]
        if count > 2 or self.pairing == "computers":
            return list(self.seats(count))
        if self.pairing == "friend":
            return [HUMAN, HUMAN]
        mark = self._mark(game)
        return [HUMAN if side == mark else self.computer for side in game.sides]

    def _mark(self, game: Game) -> str:
        return self.mark if self.mark in game.sides else game.sides[0]

    def _opening(self, game: Game) -> str:
        return self.opening if self.opening in openings_of(game) else NO_OPENING

    def _offered(self, count: int) -> list[str]:
        """The players that may take a seat of a game of *count* sides; some look at it and decline."""
        return [name for name in self.players if name != "perfect" or count == 2]

    def doubtful(self, game: Game) -> list[str]:
        """The computers of *game* that have to be asked whether they play it."""
        who = dict.fromkeys(self.who(game))
        return [name for name in who if name != HUMAN and name.partition(":")[0] not in SURE]

    # Names

    def names(self, say: Translator, game: Game) -> list[str]:
        """The names of all players of *game*, in turn order."""
        who = self.who(game)
        names, person = default_names(who, say), 0
        for place, name in enumerate(who):
            if name == HUMAN:
                names[place] = self._names.get(person, names[place])
                person += 1
        return names

    def rename(self, person: int, text: str) -> None:
        """Call a person *text*; raises :class:`~noughts.errors.NameRefused` for what is no name."""
        self._names[person] = person_name(text)
        self._known = [self._names[person], *self._known]

    def _names_to_remember(self) -> tuple[str, ...]:
        """The names of people in their places, each once; of two who are called the same the first."""
        names: list[str] = []
        for person in range(min(MAX_NAMES, max(self._names, default=-1) + 1)):
            name = self._names.get(person, "")
            names.append("" if any(same_name(name, other) for other in names) else name)
        return tuple(names)

    # What can be chosen

    def settings(self, say: Translator, game: Game) -> list[Setting]:
        """What can be chosen for *game*."""
        count = len(game.sides)
        shown: list[Setting] = []
        if count == 2:
            texts = tuple(say(f"opponent-{pairing}") for pairing in PAIRINGS)
            shown.append(_among("opponent", say("setting-opponent"), texts, PAIRINGS.index(self.pairing)))
        if count > 2 or (count == 2 and self.pairing == "computers"):
            shown += [
                Setting(f"seat-{place}", say("setting-seat", mark=side), strength(say, who))
                for place, (side, who) in enumerate(zip(game.sides, self.seats(count), strict=True))
            ]
        elif count == 2 and self.pairing == "computer":
            shown.append(Setting("computer", say("setting-computer"), strength(say, self.computer)))
            first, *others = game.sides
            marks = (say("mark-begins", mark=first), *others)
            shown.append(_among("mark", say("setting-mark"), marks, game.sides.index(self._mark(game))))
        shown += self._name_settings(say, game)
        if count > 1:
            shown.append(Setting("begins", say("setting-begins"), say(f"order-{self.begins.value}")))
            shown.append(Setting("clock", say("setting-clock"), say(f"clock-{self.clock}")))
        if openings_of(game):
            shown.append(Setting("opening", say("setting-opening"), say(f"opening-{self._opening(game)}")))
        return shown

    def _name_settings(self, say: Translator, game: Game) -> list[Setting]:
        who = self.who(game)
        names = [name for name, one in zip(self.names(say, game), who, strict=True) if one == HUMAN]
        if len(names) == 1:
            return [Setting("name-0", say("setting-name"), names[0])]
        return [
            Setting(f"name-{person}", say("setting-name-of", number=person + 1), name)
            for person, name in enumerate(names)
        ]

    def change(self, setting: str, game: Game, steps: int = 1) -> None:
        """Choose what stands *steps* further in the list of a setting, which begins again at its end."""
        kind, _, number = setting.partition("-")
        match kind:
            case "opponent":
                self.pairing = _further(PAIRINGS, self.pairing, steps)
            case "computer":
                self.computer = _further(self._offered(len(game.sides)), self.computer, steps)
            case "seat":
                self._change_seat(int(number), game, steps)
            case "mark":
                self.mark = _further(game.sides, self._mark(game), steps)
            case "name":
                self._change_name(int(number), steps)
            case "begins":
                self.begins = _further(tuple(Begins), self.begins, steps)
            case "clock":
                self.clock = _further(tuple(CLOCKS), self.clock, steps)
            case "opening":
                self.opening = _further((NO_OPENING, *openings_of(game)), self._opening(game), steps)

    def _change_seat(self, place: int, game: Game, steps: int) -> None:
        count = len(game.sides)
        seats = self.seats(count)
        offered = [*([HUMAN] if count > 2 else []), *self._offered(count)]
        seats[place] = _further(offered, seats[place], steps)

    def _change_name(self, person: int, steps: int) -> None:
        named = [self._names[place] for place in sorted(self._names)]
        if offered := _each_once((*self._known, *named)):
            self._names[person] = _further(offered, self._names.get(person, offered[-1]), steps)

    # What comes of it

    def to_remember(self, game: Game) -> dict[str, Any]:
        """What is to be remembered, as fields of :class:`Preferences`."""
        count = len(game.sides)
        opponent = HUMAN if self.pairing == "friend" else self.computer
        if count > 2 or self.pairing == "computers":
            opponent = SEPARATOR.join(self.seats(max(2, count)))
        own, _, level = self.computer.partition(":")
        facts: dict[str, Any] = {
            "opponent": opponent,
            "mark": self.mark,
            "begins": self.begins.value,
            "clock": self.clock,
            "opening": self.opening,
            "names": self._names_to_remember(),
            "known": _each_once(self._known)[:MAX_NAMES],
        }
        return facts | ({"level": int(level)} if own == "level" else {})

    def plan(self, say: Translator, name: str, game: Game, seed: int) -> Plan:
        """The plan for *game*, called *name*."""
        is_series = len(game.sides) > 1
        clock = CLOCKS[self.clock] if is_series else UNTIMED
        who, names = self.who(game), self.names(say, game)
        opening = self._opening(game)
        plan = Plan(name, who, names, is_series, self.begins, seed, clock=clock)
        plan.opening = None if opening == NO_OPENING else opening
        return plan

    def summary(self, say: Translator, game: Game) -> list[str]:
        """The most important of what is chosen for *game*, in a few words each, the opponent first."""
        told = {setting.id: setting.text for setting in self.settings(say, game)}
        if "computer" in told:
            told["opponent"] = say("against-computer", player=told["computer"])
        clock = [told["clock"]] if self.clock != "none" and "clock" in told else []
        ids = ("opponent", "mark") if len(game.sides) < 3 else [id_ for id_ in told if id_.startswith("seat")]
        return [*(told[id_] for id_ in ids if id_ in told), *clock]


def players_in_order() -> list[str]:
    """All players: the levels from the weakest, then the other ones of ours, then those of other packages."""
    names = list(player_names())
    levels = [name for name in names if name.startswith("level:")]
    own = [name for name in ("perfect", "rule", "random") if name in names]
    return [*levels, *own, *(name for name in names if name not in (*levels, *own))]


def _among(id_: str, label: str, options: tuple[str, ...], chosen: int) -> Setting:
    return Setting(id_, label, options[chosen], options, chosen)


def _each_once(names: Sequence[str]) -> tuple[str, ...]:
    """*names* without those that are read as one before them."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(fold_name(name), name)
    return tuple(first.values())


def _further(choices: Sequence[_Choice], chosen: _Choice, steps: int) -> _Choice:
    """What stands *steps* after *chosen*; the first where it is none of them."""
    if chosen not in choices:
        return choices[0]
    return choices[(choices.index(chosen) + steps) % len(choices)]
