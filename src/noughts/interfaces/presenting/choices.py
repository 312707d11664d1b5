"""The settings of the next game: opponent, computers, mark, names, order, clock, opening, and the plan.

Settings that do not fit a game are not offered. The module does not depend on any screen.
"""

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.series import Begins
from noughts.errors import NoughtsError
from noughts.games.base import Game
from noughts.games.notation import parse_position
from noughts.games.openings import NO_OPENING, openings_of
from noughts.interfaces.presenting.game_plan import HUMAN, GamePlan, default_names, player_random
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import person_name, player_offered, strength
from noughts.interfaces.presenting.preferences import MAX_NAMES, Preferences
from noughts.players.base import new_player, offer_seat
from noughts.players.strengths import in_order_of_strength
from noughts.text import fold_name, same_name
from noughts.workers.seating import player_names

OPPONENTS = ("computer", "friend", "computers")
"""The kinds of opponents on a board for two: person and computer, two people, or two computers."""

DEFAULT_LEVEL = 4
"""The default level of the computer."""

SEPARATOR = " / "
"""The text between the stored players if there is more than one computer."""

CLOCKS = {
    "none": UNTIMED,
    "1+0": Clock(base=60_000),
    "3+2": Clock(base=180_000, increment=2_000),
    "5+3": Clock(base=300_000, increment=3_000),
    "10+0": Clock(base=600_000),
    "30": Clock(per_move=30_000),
}
"""The clocks that are offered."""

UNIVERSAL_PLAYERS = ("random", "rule", "level")
"""Players that play every game with more than one side."""


@dataclass(frozen=True, slots=True)
class GameSetting:
    """A setting that can be changed: its ``values``, the chosen one, and the function that chooses another.

    ``word`` returns a value in words. ``is_listed`` is True if all values are few enough to be shown.
    """

    id: str
    label: str
    values: Sequence[Any]
    chosen: Any
    choose: Callable[[Any], None]
    word: Callable[[Any], str]
    is_listed: bool = False

    @property
    def text(self) -> str:
        """The chosen value in words."""
        return self.word(self.chosen)

    @property
    def is_typed(self) -> bool:
        """True if the value is typed instead of chosen from a list."""
        return self.id == "start" or self.id.startswith("name-")

    def change(self, steps: int) -> None:
        """Choose the value *steps* further in the list, which is cyclic.

        If the chosen value is not in the list, the first one is chosen.
        """
        if self.values:
            at = self.values.index(self.chosen) + steps if self.chosen in self.values else 0
            self.choose(self.values[at % len(self.values)])


class Choices:
    """A person's settings for the next game of any kind. The defaults come from *preferences*."""

    def __init__(self, preferences: Preferences) -> None:
        self.players = players_in_order()
        self.opponent = "computer"
        level = f"level:{preferences.level}"
        self.computer = level if level in self.players else f"level:{DEFAULT_LEVEL}"
        self._seats: dict[int, list[str]] = {}
        self._recall_opponent(preferences.opponent or "")
        self.mark = preferences.mark
        self.begins = Begins(preferences.begins or Begins.ALTERNATE)
        self.clock = preferences.clock if preferences.clock in CLOCKS else "none"
        self.opening = preferences.opening or NO_OPENING
        self._start: tuple[str, str] | None = None
        self._known = list(preferences.known)
        self._names = {person: name for person, name in enumerate(preferences.names) if name}

    def _recall_opponent(self, text: str) -> None:
        players = text.split(SEPARATOR)
        if any(name not in (HUMAN, *self._offered(max(2, len(players)))) for name in players):
            return
        if len(players) == 1:
            self.opponent = "friend" if text == HUMAN else "computer"
            self.computer = self.computer if text == HUMAN else text
        elif len(players) > 2 or HUMAN not in players:
            self._seats[len(players)] = players
            self.opponent = "computers" if len(players) == 2 else "computer"

    # Starting position

    def begin_from(self, game: Game, position: str | None) -> None:
        """Set the position in text form that *game* starts from.

        None restores the usual start.
        """
        self._start = None if position is None else (game.name, position)

    def start(self, game: Game) -> str | None:
        """Return the position that *game* starts from, or None for the usual start."""
        return self._start[1] if self._start is not None and self._start[0] == game.name else None

    def begun(self, game: Game) -> Game:
        """Return the position before the first move."""
        start = self.start(game)
        return game if start is None else parse_position(game, start)

    def _begins(self, game: Game) -> Begins:
        is_free = self.begins is not Begins.CHOOSER or self.start(game) is None
        return self.begins if is_free else Begins.ALTERNATE

    # Players

    def seats(self, count: int) -> list[str]:
        """Return the player of each seat of a game with *count* sides, if each seat has its own setting."""
        computer = self.computer if self.computer in self._offered(count) else f"level:{DEFAULT_LEVEL}"
        usual = [computer] * count if count == 2 else [HUMAN, *[computer] * (count - 1)]
        return self._seats.setdefault(count, usual)

    def who(self, game: Game) -> list[str]:
        """Return the player of each mark of *game*, in turn order."""
        count = len(game.sides)
        if count == 1:
            return [HUMAN]
        if count > 2 or self.opponent == "computers":
            return list(self.seats(count))
        if self.opponent == "friend":
            return [HUMAN, HUMAN]
        mark = self._mark(game)
        return [HUMAN if side == mark else self.computer for side in game.sides]

    def _mark(self, game: Game) -> str:
        return self.mark if self.mark in game.sides else game.sides[0]

    def _opening(self, game: Game) -> str:
        return self.opening if self.opening in openings_of(game) else NO_OPENING

    def _offered(self, count: int) -> list[str]:
        """Return the players offered for *count* sides.

        Some may still decline the game.
        """
        return [name for name in self.players if count == 2 or name not in ("perfect", "learned")]

    def doubtful(self, game: Game) -> list[str]:
        """Return the computers of *game* that may decline it."""
        players = dict.fromkeys(self.who(game))
        return [name for name in players if name != HUMAN and name.partition(":")[0] not in UNIVERSAL_PLAYERS]

    # Names

    def names(self, say: Translator, game: Game) -> list[str]:
        """Return the names of all players of *game*, in turn order."""
        players = self.who(game)
        names = default_names(players, say)
        for person, place in enumerate(place for place, name in enumerate(players) if name == HUMAN):
            names[place] = self._names.get(person, names[place])
        return names

    def rename(self, person: int, text: str) -> None:
        """Name *person* *text*. Raises :class:`~noughts.errors.NameRefused` if the text is not a name."""
        self._names[person] = person_name(text)
        self._known = [self._names[person], *self._known]

    def _names_to_remember(self) -> tuple[str, ...]:
        """Return the names of people by place. Of equal names only the first is saved."""
        names: list[str] = []
        for person in range(min(MAX_NAMES, max(self._names, default=-1) + 1)):
            name = self._names.get(person, "")
            names.append("" if any(same_name(name, other) for other in names) else name)
        return tuple(names)

    # Settings

    def settings(self, say: Translator, game: Game) -> list[GameSetting]:
        """Return the settings of *game*."""
        count, settings = len(game.sides), list[GameSetting]()

        def offer(id_: str, values: Sequence[Any], word: Callable[[Any], str], chosen: str = "") -> None:
            """Offer *values* for the attribute *id_*.

            *chosen* replaces a value that does not fit.
            """
            label, chosen = say(f"setting-{id_}"), chosen or getattr(self, id_)
            is_listed = id_ in ("opponent", "mark")
            settings.append(
                GameSetting(id_, label, values, chosen, partial(setattr, self, id_), word, is_listed)
            )

        if count == 2:
            offer("opponent", OPPONENTS, lambda one: say(f"opponent-{one}"))
        if count > 2 or (count == 2 and self.opponent == "computers"):
            settings += self._seat_settings(say, game)
        elif count == 2 and self.opponent == "computer":
            computers = in_order_of_strength(game, self._offered(count))
            offer("computer", computers, partial(player_offered, say))
            first = {game.sides[0]: say("mark-begins", mark=game.sides[0])}
            offer("mark", game.sides, lambda mark: first.get(mark, mark), self._mark(game))
        settings += self._name_settings(say, game)
        if count > 1:
            start, orders = self.start(game), tuple(Begins)
            if start is not None:  # A player already has the mark to move there.
                orders = tuple(order for order in orders if order is not Begins.CHOOSER)
            offer("begins", orders, lambda one: say(f"order-{one.value}"), self._begins(game))
            offer("clock", tuple(CLOCKS), lambda one: say(f"clock-{one}"))
            text = say("start-usual" if start is None else "start-position")
            offer("start", (), lambda _: text, text)
        if (openings := openings_of(game)) and self.start(game) is None:
            offer("opening", (NO_OPENING, *openings), lambda one: say(f"opening-{one}"), self._opening(game))
        return settings

    def _seat_settings(self, say: Translator, game: Game) -> list[GameSetting]:
        count = len(game.sides)
        seats, offered = self.seats(count), in_order_of_strength(game, self._offered(count))
        if count > 2:
            offered = [HUMAN, *offered]

        def setting(place: int, side: str) -> GameSetting:
            label, choose = say("setting-seat", mark=side), partial(seats.__setitem__, place)
            return GameSetting(
                f"seat-{place}", label, offered, seats[place], choose, partial(player_offered, say)
            )

        return [setting(place, side) for place, side in enumerate(game.sides)]

    def _name_settings(self, say: Translator, game: Game) -> list[GameSetting]:
        """Return a setting for the name of each person, with the known names as values."""
        players = self.who(game)
        names = [name for name, one in zip(self.names(say, game), players, strict=True) if one == HUMAN]
        known = _each_once((*self._known, *(self._names[person] for person in sorted(self._names))))
        last = known[-1] if known else ""

        def setting(person: int, name: str) -> GameSetting:
            label = say("setting-name-of", number=person + 1) if len(names) > 1 else say("setting-name")
            chosen, choose = self._names.get(person, last), partial(self._names.__setitem__, person)
            return GameSetting(f"name-{person}", label, known, chosen, choose, lambda _: name)

        return [setting(person, name) for person, name in enumerate(names)]

    # Results

    def to_remember(self, game: Game) -> dict[str, Any]:
        """Return the settings to save, as fields of :class:`Preferences`."""
        count = len(game.sides)
        opponent = HUMAN if self.opponent == "friend" else self.computer
        if count > 2 or self.opponent == "computers":
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

    def plan(self, say: Translator, name: str, game: Game, seed: int) -> GamePlan:
        """Return the plan for *game*, whose catalogue name is *name*."""
        is_series = len(game.sides) > 1
        clock = CLOCKS[self.clock] if is_series else UNTIMED
        players, names = self.who(game), self.names(say, game)
        opening, start = self._opening(game), self.start(game)
        plan = GamePlan(name, players, names, is_series, self._begins(game), seed, clock=clock, start=start)
        plan.opening = None if opening == NO_OPENING or start is not None else opening
        return plan

    def summary(self, say: Translator, game: Game) -> list[str]:
        """Return the main settings of *game* in a few words each, the opponent first."""
        texts = {setting.id: setting.text for setting in self.settings(say, game)}
        if "computer" in texts:
            texts["opponent"] = say("against-computer", player=strength(say, self.computer))
        clock = [texts["clock"]] if self.clock != "none" and "clock" in texts else []
        ids = (
            ("opponent", "mark") if len(game.sides) < 3 else [id_ for id_ in texts if id_.startswith("seat")]
        )
        return [*(texts[id_] for id_ in ids if id_ in texts), *clock]


def remembered_choices(preferences: Preferences, game: Game, seed: int) -> Choices:
    """Return the choices for *game* from *preferences*, with a computer that plays it.

    The default computer replaces one that declines the game or no longer exists.
    """
    choices = Choices(preferences)
    for name in choices.doubtful(game):
        try:
            player = new_player(name, player_random(name, seed))
            with closing(player) if hasattr(player, "close") else nullcontext():
                offer_seat(player, name, game)
        except NoughtsError:
            return Choices(replace(preferences, opponent=None))
    return choices


def players_in_order() -> list[str]:
    """Return all players: levels from the weakest, other players of noughts, then external ones."""
    names = list(player_names())
    levels = [name for name in names if name.startswith("level:")]
    own = [name for name in ("perfect", "learned", "mcts:1000", "rule", "random") if name in names]
    return [*levels, *own, *(name for name in names if name not in (*levels, *own))]


def _each_once(names: Sequence[str]) -> tuple[str, ...]:
    """Return *names* without those that equal an earlier one."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(fold_name(name), name)
    return tuple(first.values())
