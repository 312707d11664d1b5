"""The plan of a game before its first move: options, players, seats and names, for every interface."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.local_table import LocalTable
from noughts.arena.series import Begins, Series
from noughts.arena.setup import Setup
from noughts.arena.store.store import Store
from noughts.arena.table import HUMAN as HUMAN
from noughts.errors import GameOver, NoughtsError, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_position
from noughts.games.openings import NO_OPENING, find_opening
from noughts.interfaces.presenting.i18n import LANGUAGES, ReadableError, Translator
from noughts.interfaces.presenting.players import name_of_computer, person_name
from noughts.interfaces.presenting.settings import choose_setting
from noughts.players.base import Player, offer_seat
from noughts.text import check_name, distinct_names, look_alike, same_name
from noughts.workers.seating import is_ours, new_player

DEFAULT_GAME = "tictactoe"
DEFAULT_COMPUTER = "rule"

THINK_SECONDS = 5.0
"""The maximum time a computer thinks about a move, in seconds, if it respects its limit."""

MOVE_SECONDS = 60.0
"""The time after which a computer forfeits, in seconds."""

MAX_NUMBERED = 16
"""The highest number for which the default name of a player is recognised in every language."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command line, or None if an option was not given."""

    game: str | None = None
    who: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    series: bool = False
    begins: Begins | None = None
    first: int = 1
    seed: int | None = None
    games: int | None = None
    keep: bool = False
    opening: str | None = None
    position: str | None = None
    """The position that the games start from, or None for the usual one."""
    asks_players: bool = False
    """True if the console prompts for the players of a given game."""

    @property
    def is_settled(self) -> bool:
        """True if all seats have players, so that no question is open."""
        sides = len(new_game(self.game).sides) if self.game is not None else 2
        return {"X", "O"} <= set(self.who) or ("X" in self.who and sides == 1)


@dataclass(slots=True)
class GamePlan:
    """The players of a game: ``who`` and ``names`` are in the order of the first game's marks."""

    game: str
    who: list[str]
    names: list[str]
    series: bool = False
    begins: Begins = Begins.ALTERNATE
    seed: int = 0
    first: int = 1
    bots: dict[str, Player] = field(default_factory=dict)
    seated: dict[str, Player] = field(default_factory=dict)
    """External programs by the names of their seats.

    Each program has one seat.
    """
    clock: Clock = UNTIMED
    opening: str | None = None
    start: str | None = None

    @property
    def has_people(self) -> bool:
        """True if a person takes part."""
        return HUMAN in self.who

    def computer_on(self, seat: str, name: str) -> Player:
        """Return the computer *name* for *seat*. A program that was seated there before is used again."""
        if is_ours(name):
            return self.bots[name]
        if seat not in self.seated:
            first = self.bots[name]
            is_taken = any(player is first for player in self.seated.values())
            other = new_player(name, player_random(f"{name} {seat}", self.seed)) if is_taken else first
            self.seated[seat] = other
        return self.seated[seat]

    def close(self) -> None:
        """Stop the programs of the players."""
        for player in {
            id(player): player for player in (*self.bots.values(), *self.seated.values())
        }.values():
            if (close := getattr(player, "close", None)) is not None:
                close()


def settled_plan(options: PlayOptions, say: Translator, *, at_once: bool = False) -> GamePlan:
    """Return the plan without asking: open seats belong to people with default names.

    If *at_once* is True, levels are not prepared here, which may take seconds. They play every game with more
    than one side. Raises a :class:`~noughts.errors.NoughtsError` if options do not fit together.
    """
    plan, game = open_plan(options, say, options.game or DEFAULT_GAME)
    for mark in game.sides:
        player = options.who.get(mark, HUMAN)
        if at_once and player.startswith("level:") and len(game.sides) > 1:
            new_player(player)  # This raises an error for an unknown level.
            plan.who.append(player)
        else:
            plan.who.append(seat_player(player, game, plan.bots, options.seed))
    plan.names = names_from_options(options, plan.who, say) or default_names(plan.who, say)
    return plan


def open_plan(options: PlayOptions, say: Translator, name: str) -> tuple[GamePlan, Game]:
    """Return the plan for the game *name* with all seats open, and its starting position."""
    # Without a seed every run differs. The start that was drawn is stored with the game.
    seed = options.seed if options.seed is not None else Random().randrange(2**31)
    game = new_game(name, seed=seed)
    if extra := [mark for mark in options.who if mark not in game.sides]:
        raise UnsupportedRules(f"--{extra[0].lower()}", game.name, "no-such-seat", sides=game.sides)
    is_series = options.series or bool(options.games)
    if is_series and len(game.sides) == 1:
        raise ReadableError(say("series-needs-two"))
    opening = None if options.opening == NO_OPENING else options.opening
    if opening is not None:
        find_opening(opening).check(game)
    begins = options.begins or Begins.ALTERNATE
    plan = GamePlan(name, [], [], is_series, begins, seed, options.first, opening=opening)
    if options.position is None:
        return plan, game
    if opening is not None or begins is Begins.CHOOSER:
        raise ReadableError(say("refusal-from-a-position"))
    game = parse_position(game, options.position)
    if game.is_over:
        raise GameOver
    plan.start = options.position
    return plan, game


def resumed_plan(setup: Setup, options: PlayOptions) -> GamePlan:
    """Return the plan of a stored game with newly created computers."""
    game = setup.new_game()
    plan = GamePlan(setup.game, [], list(setup.seats.values()), setup.series is not None, first=options.first)
    plan.clock, plan.opening = setup.clock, setup.opening
    for mark in game.sides:
        plan.who.append(seat_player(setup.who.get(mark, HUMAN), game, plan.bots, options.seed))
    return plan


def open_table(plan: GamePlan, store: Store | None) -> LocalTable:
    """Open the table for *plan*. Its games are saved in *store* if that is not None."""
    names = distinct_names(tuple(plan.names), look_alike)
    series = Series(names, plan.begins, new_game(plan.game).sides)
    who = dict(zip(series.players, plan.who, strict=True))
    settings: dict[str, Any] = {"seed": plan.seed, "clock": plan.clock, "opening": plan.opening}
    settings["start"] = plan.start
    return LocalTable(store, plan.game, series, who, is_series=plan.series, **settings)


def adjourn(table: LocalTable, at: int, say: Translator) -> tuple[list[str], bool]:
    """Adjourn the current game at the instant *at*. Return the sentences to show and True on success."""
    try:
        table.adjourn(at)
    except NoughtsError as error:
        return [say("left-in-game"), say.error(error)], False
    return [say("left-in-game" if table.store is None else "left-kept")], True


def player_random(name: str, seed: int | None) -> Random:
    """Return the random generator of the player *name*.

    Each player has its own, so that one that draws more numbers does not change the others.
    """
    return Random() if seed is None else Random(f"{seed} {name}".encode(errors="replace"))


def seat_player(
    name: str, game: Game, bots: dict[str, Player], seed: int | None, *, human: bool = True
) -> str:
    """Create the player *name*, and return the name. Raises an error if it is unknown or declines."""
    if human and name == HUMAN:
        return name
    if name not in bots:
        player = new_player(name, player_random(name, seed))
        offer_seat(player, name, game)
        bots[name] = player
    return name


def names_from_options(options: PlayOptions, players: list[str], say: Translator) -> list[str] | None:
    """Return the names from *options* for *players*, all of them or the people, or None if there are none."""
    if options.names is None:
        return None
    people = [place for place, name in enumerate(players) if name == HUMAN]
    named = people if len(options.names) == len(people) else list(range(len(players)))
    if len(options.names) != len(named):
        raise ReadableError(say.plural("names-wrong-count", len(players)))
    names = list(map(name_of_computer, players))
    for place, name in zip(named, options.names, strict=True):
        names[place] = name if same_name(name, players[place]) else person_name(name)
    return names


def default_names(players: list[str], say: Translator) -> list[str]:
    """Return the default names of *players*.

    The first person has the name of the settings, if set.
    """
    names, people = list(map(name_of_computer, players)), players.count(HUMAN)
    for number in range(1, people + 1):
        own = choose_setting("name").value if number == 1 else None
        id_ = "default-name" if people == 1 else "default-name-of"
        names[names.index(HUMAN)] = own or say(id_, number=number)
    return names


def localized_name(say: Translator, name: str) -> str:
    """Return *name*, translated if it is a default name in any language.

    >>> localized_name(Translator("zh-Hans"), "Player 2"), localized_name(Translator("en"), "Ada")
    ('2 号玩家', 'Ada')
    """
    id_, number = _default_ids().get(name, ("", 0))
    return say(id_, number=number) if id_ else name


@cache
def _default_ids() -> dict[str, tuple[str, int]]:
    """Return the default names in all languages, with the id and number of their message."""
    ids = [("default-name", 1), *(("default-name-of", number) for number in range(1, MAX_NUMBERED + 1))]
    return {Translator(code)(id_, number=number): (id_, number) for code in LANGUAGES for id_, number in ids}


def read_names(text: str) -> tuple[str, ...]:
    """Return the names in a text separated by commas, including the wide commas of Chinese."""
    names = tuple(text.replace("，", ",").split(","))
    for name in names:
        check_name(name)
    return names
