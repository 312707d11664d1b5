"""How the next game is set up: opponent, computers, mark, names, who begins, clock, opening; its plan.

What does not fit a game is not offered. It knows no screen.
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

UNIVERSAL_PLAYERS = ("random", "rule", "level")
"""Players who play every game of more than one side."""


@dataclass(frozen=True, slots=True)
class GameSetting:
    """One thing that can be chosen: which of ``values`` it is, and what chooses another.

    ``word`` puts a value into words; with ``is_listed`` there are so few that all can be shown.
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
        """What is chosen, in words."""
        return self.word(self.chosen)

    @property
    def is_typed(self) -> bool:
        """Whether it is typed rather than chosen."""
        return self.id == "start" or self.id.startswith("name-")

    def change(self, steps: int) -> None:
        """Choose what stands *steps* further, round and round; the first where none of them is chosen."""
        if self.values:
            at = self.values.index(self.chosen) + steps if self.chosen in self.values else 0
            self.choose(self.values[at % len(self.values)])


class Choices:
    """How a person wants to play, whatever game it will be; begins with what *preferences* remember."""

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

    # From where

    def begin_from(self, game: Game, position: str | None) -> None:
        """Begin *game* from *position*, as it is written; from the usual start, for None."""
        self._start = None if position is None else (game.name, position)

    def start(self, game: Game) -> str | None:
        """The position that *game* begins from; None for the usual start."""
        return self._start[1] if self._start is not None and self._start[0] == game.name else None

    def begun(self, game: Game) -> Game:
        """The position before the first move."""
        start = self.start(game)
        return game if start is None else parse_position(game, start)

    def _begins(self, game: Game) -> Begins:
        is_free = self.begins is not Begins.CHOOSER or self.start(game) is None
        return self.begins if is_free else Begins.ALTERNATE

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
        """The players that may take a seat of a game of *count* sides; some look at it and decline."""
        return [name for name in self.players if count == 2 or name not in ("perfect", "learned")]

    def doubtful(self, game: Game) -> list[str]:
        """The computers of *game* that have to be asked whether they play it."""
        players = dict.fromkeys(self.who(game))
        return [name for name in players if name != HUMAN and name.partition(":")[0] not in UNIVERSAL_PLAYERS]

    # Names

    def names(self, say: Translator, game: Game) -> list[str]:
        """The names of all players of *game*, in turn order."""
        players = self.who(game)
        names = default_names(players, say)
        for person, place in enumerate(place for place, name in enumerate(players) if name == HUMAN):
            names[place] = self._names.get(person, names[place])
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

    def settings(self, say: Translator, game: Game) -> list[GameSetting]:
        """What can be chosen for *game*."""
        count, settings = len(game.sides), list[GameSetting]()

        def offer(id_: str, values: Sequence[Any], word: Callable[[Any], str], chosen: str = "") -> None:
            """Offer *values* of the attribute *id_*, of which *chosen* stands for one that does not fit."""
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
            if start is not None:  # whoever is to move there has a mark already
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
        """The names of people: of those that are known another can be chosen."""
        players = self.who(game)
        names = [name for name, one in zip(self.names(say, game), players, strict=True) if one == HUMAN]
        known = _each_once((*self._known, *(self._names[person] for person in sorted(self._names))))
        last = known[-1] if known else ""

        def setting(person: int, name: str) -> GameSetting:
            label = say("setting-name-of", number=person + 1) if len(names) > 1 else say("setting-name")
            chosen, choose = self._names.get(person, last), partial(self._names.__setitem__, person)
            return GameSetting(f"name-{person}", label, known, chosen, choose, lambda _: name)

        return [setting(person, name) for person, name in enumerate(names)]

    # What comes of it

    def to_remember(self, game: Game) -> dict[str, Any]:
        """What is to be remembered, as fields of :class:`Preferences`."""
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
        """The plan for *game*, called *name*."""
        is_series = len(game.sides) > 1
        clock = CLOCKS[self.clock] if is_series else UNTIMED
        players, names = self.who(game), self.names(say, game)
        opening, start = self._opening(game), self.start(game)
        plan = GamePlan(name, players, names, is_series, self._begins(game), seed, clock=clock, start=start)
        plan.opening = None if opening == NO_OPENING or start is not None else opening
        return plan

    def summary(self, say: Translator, game: Game) -> list[str]:
        """The most important of what is chosen for *game*, in a few words each, the opponent first."""
        texts = {setting.id: setting.text for setting in self.settings(say, game)}
        if "computer" in texts:
            texts["opponent"] = say("against-computer", player=strength(say, self.computer))
        clock = [texts["clock"]] if self.clock != "none" and "clock" in texts else []
        ids = (
            ("opponent", "mark") if len(game.sides) < 3 else [id_ for id_ in texts if id_.startswith("seat")]
        )
        return [*(texts[id_] for id_ in ids if id_ in texts), *clock]


def remembered_choices(preferences: Preferences, game: Game, seed: int) -> Choices:
    """Return the choices for *game* as *preferences* remember them, with a computer that plays it.

    The default computer takes the place of one that declines the game, or is no longer there.
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
    """All players: the levels from the weakest, then the other ones of ours, then those of other packages."""
    names = list(player_names())
    levels = [name for name in names if name.startswith("level:")]
    own = [name for name in ("perfect", "learned", "mcts:1000", "rule", "random") if name in names]
    return [*levels, *own, *(name for name in names if name not in (*levels, *own))]


def _each_once(names: Sequence[str]) -> tuple[str, ...]:
    """*names* without those that are read as one before them."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(fold_name(name), name)
    return tuple(first.values())
