"""What is going to be played: from the command line's options, and from questions for what they leave open.

The questions come in this order: the game, who plays, who goes first (a person against a computer), the
names, a series or one game. What an option has settled is not asked; given ``--x`` and ``--o``, nothing is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from noughts.arena.series import Begins
from noughts.errors import NameRefused, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.interfaces.console.narrator import HUMAN
from noughts.interfaces.console.talk import Talk
from noughts.interfaces.i18n import Said
from noughts.players.base import Player, new_player, offer_seat, player_names
from noughts.text import check_name, same_name

DEFAULT_GAME = "tictactoe"
DEFAULT_COMPUTER = "rule"


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line said; None where it said nothing."""

    game: str | None = None
    who: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    series: bool = False
    begins: Begins | None = None
    first: int = 1
    seed: int | None = None
    games: int | None = None
    keep: bool = False


@dataclass(slots=True)
class Plan:
    """Who plays what: ``who`` and ``names`` in the order of the first game's marks."""

    game: str
    who: list[str]
    names: list[str]
    series: bool = False
    begins: Begins = Begins.ALTERNATE
    seed: int = 0
    first: int = 1
    bots: dict[str, Player] = field(default_factory=dict)

    @property
    def has_people(self) -> bool:
        """Whether anybody types."""
        return HUMAN in self.who


def make_plan(options: Options, talk: Talk) -> Plan:
    """Settle what is open, by asking. Raises a :class:`~noughts.errors.NoughtsError` for bad options."""
    is_asking = not _is_settled(options)
    # Without a seed every run differs; the start that came of it is kept with the game.
    seed = options.seed if options.seed is not None else Random().randrange(2**31)
    name = options.game if options.game is not None or not is_asking else _ask_game(talk)
    game = new_game(name or DEFAULT_GAME, seed=seed)
    _check_who(options, game)
    series = options.series or bool(options.games)
    if series and len(game.sides) == 1:
        raise Said(talk.say("series-needs-two"))
    bots: dict[str, Player] = {}
    who = _settle_who(options, game, talk, bots, is_asking=is_asking)
    plan = Plan(name or DEFAULT_GAME, who, [], series, seed=seed, first=options.first, bots=bots)
    plan.names = _settle_names(options, plan, talk, is_asking=is_asking)
    if is_asking and not series and len(who) > 1 and plan.has_people:
        plan.series = talk.ask_yes_no(talk.say("ask-series"))
    people_only = set(who) == {HUMAN} and len(who) > 1
    is_chosen = is_asking and people_only and plan.series
    plan.begins = options.begins or (Begins.CHOOSER if is_chosen else Begins.ALTERNATE)
    return plan


def _is_settled(options: Options) -> bool:
    return {"X", "O"} <= set(options.who) or ("X" in options.who and _sides_of(options) == 1)


def _sides_of(options: Options) -> int:
    return len(new_game(options.game).sides) if options.game is not None else 2


def _check_who(options: Options, game: Game) -> None:
    if extra := [mark for mark in options.who if mark not in game.sides]:
        raise UnsupportedRules(f"--{extra[0].lower()}", game.name, "no-such-seat", sides=game.sides)


def _ask_game(talk: Talk) -> str:
    say = talk.say
    talk.tell("choose-game")
    for number, entry in enumerate(CATALOGUE, 1):
        talk.write(f"{number:>3}  {entry.name:<16}  {say(f'game-{entry.name}')}")
    numbered = {str(number): entry.name for number, entry in enumerate(CATALOGUE, 1)}

    def read(text: str) -> str:
        name = text.strip() or DEFAULT_GAME
        name = numbered.get(name, name)
        new_game(name)
        return name

    chosen = talk.ask(say("ask-game"), read)
    talk.sentence(say.messages(new_game(chosen).rule_text))
    return chosen


def _settle_who(
    options: Options, game: Game, talk: Talk, bots: dict[str, Player], *, is_asking: bool
) -> list[str]:
    """Who has each mark, in turn order; computers take their seats in *bots*, or decline."""
    if options.who or not is_asking:
        for mark in game.sides:
            if mark not in options.who and is_asking:
                continue
            seat_player(options.who.get(mark, HUMAN), game, bots, options.seed)
        return [
            options.who.get(mark) or (_ask_seat(talk, mark, game, bots, options.seed) if is_asking else HUMAN)
            for mark in game.sides
        ]
    if len(game.sides) != 2:
        return [_ask_seat(talk, mark, game, bots, options.seed) for mark in game.sides]
    pairing = talk.ask_choice(
        talk.say("ask-pairing"), {"1": "people", "2": "computer", "3": "computers"}, "computer"
    )
    if pairing == "people":
        return [HUMAN, HUMAN]
    if pairing == "computers":
        return [
            _ask_computer(talk, talk.say("ask-computer-for", mark=mark), game, bots, options.seed)
            for mark in game.sides
        ]
    computer = _ask_computer(talk, talk.say("ask-computer"), game, bots, options.seed)
    person_first = talk.ask_yes_no(talk.say("ask-first"))
    talk.tell("person-first" if person_first else "computer-first", mark=game.sides[0])
    return [HUMAN, computer] if person_first else [computer, HUMAN]


def _ask_seat(talk: Talk, mark: str, game: Game, bots: dict[str, Player], seed: int | None) -> str:
    prompt = talk.say("ask-seat", mark=mark)
    return talk.ask(prompt, lambda text: seat_player(text.strip() or HUMAN, game, bots, seed))


def _ask_computer(talk: Talk, prompt: str, game: Game, bots: dict[str, Player], seed: int | None) -> str:
    return talk.ask(
        prompt, lambda text: seat_player(text.strip() or DEFAULT_COMPUTER, game, bots, seed, human=False)
    )


def seat_player(
    name: str, game: Game, bots: dict[str, Player], seed: int | None, *, human: bool = True
) -> str:
    """Seat the player called *name*, and return the name; raises where there is none or it declines."""
    if human and name == HUMAN:
        return name
    if name not in bots:
        # Each player has chance of its own, so that one drawing more leaves the others as they were.
        chance = Random(f"{seed} {name}".encode(errors="replace")) if seed is not None else Random()
        player = new_player(name, chance)
        offer_seat(player, name, game)
        bots[name] = player
    return name


def _settle_names(options: Options, plan: Plan, talk: Talk, *, is_asking: bool) -> list[str]:
    people = [place for place, who in enumerate(plan.who) if who == HUMAN]
    names = list(plan.who)
    if options.names is not None:
        everybody = list(range(len(names)))
        named = people if len(options.names) == len(people) else everybody
        if len(options.names) != len(named):
            raise Said(talk.say.plural("names-wrong-count", len(names)))
        for place, name in zip(named, options.names, strict=True):
            names[place] = _person_name(name) if place in people else check_name(name)
        return names
    for number, place in enumerate(people, 1):
        if is_asking:
            id_ = "ask-name" if len(people) == 1 else "ask-name-of"
            names[place] = talk.ask(talk.say(id_, number=number), _person_name)
        else:
            names[place] = talk.say("default-name" if len(people) == 1 else "default-name-of", number=number)
    return names


def _person_name(text: str) -> str:
    """A name that is not a computer's: their scores must not mix."""
    name = check_name(text)
    if any(same_name(name, other) for other in player_names()):
        raise NameRefused(name, "computer")
    return name


def read_names(text: str) -> tuple[str, ...]:
    """Names between commas, also the wide ones of Chinese."""
    names = tuple(text.replace("，", ",").split(","))
    for name in names:
        check_name(name)
    return names
