"""Name or spec to game."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from random import Random

from noughts.core.board import MAX_SIDES_READ
from noughts.errors import GameLeftOut, NotationError, NotFound, RulesError
from noughts.games.base import Game
from noughts.games.entries import CATALOGUE as CATALOGUE
from noughts.games.entry import Entry, in_order
from noughts.games.kinarow import KInARow, TicTacToe
from noughts.games.plugins import all_plugins, find_plugin
from noughts.games.rules import NUMBERS, SWITCHES, Rules

MAX_SPEC = 400
"""The longest spec that is read, in characters."""

BY_NAME = {entry.name: entry for entry in CATALOGUE}
_NAME_OF_SPEC = {entry.spec: entry.name for entry in CATALOGUE if entry.spec}
_SPEC = re.compile(r"([0-9]+(?:x[0-9]+)*)(?::([0-9]+))?((?:,[^,]*)*)")
_SIZES = re.compile("[0-9xх×^]*")
_POWER = re.compile(r"([0-9]+)\^([0-9]+)")


def usual_spelling(text: str) -> str:
    """A name or a spec as it is written here, however somebody typed it.

    >>> usual_spelling(" TicTacToe "), usual_spelling("7×7: 5, Misere"), usual_spelling("5^3:4")
    ('tictactoe', '7x7:5,misere', '5x5x5:4')
    """
    text = text.strip().lower()
    if not text[:1].isdecimal() or len(text) > MAX_SPEC:
        return text
    return _SIZES.sub(_write_sizes, "".join(text.split()), count=1)


def _write_sizes(match: re.Match[str]) -> str:
    # A power of more dimensions than there can be is refused for that, and not written out.
    plain = _POWER.sub(lambda power: "x".join([power[1]] * min(int(power[2]), MAX_SIDES_READ)), match[0])
    return plain.replace("х", "x").replace("×", "x")


def all_entries() -> tuple[Entry, ...]:
    """The games there are, ours and those of other packages, as they are listed."""
    return in_order((*CATALOGUE, *all_plugins()[0]))


def game_names() -> tuple[str, ...]:
    """The names of all games, as they are listed. Those that fail are left out; nothing is raised.

    >>> game_names()[:2]
    ('gomoku', 'tictactoe')
    """
    return tuple(entry.name for entry in all_entries())


def find_entry(name: str) -> Entry | None:
    """The entry of the game called *name*; None for a spec, and for a name that no game has."""
    try:
        return _find(usual_spelling(name))
    except GameLeftOut:
        return None


def _find(name: str) -> Entry | None:
    return BY_NAME.get(name) or find_plugin(name)


def new_game(game: str = "tictactoe", *, seed: int = 0, marks: tuple[str, ...] = ()) -> Game:
    """A fresh game, by catalogue name or by a spec ``SIZExSIZE...[:K][,option...]``.

    Games of other packages are found by their entry point in the group ``noughts.games``.
    In two dimensions a spec is width x height; in more it is the shape in order. *seed* decides the
    start of games that have chance in it, *marks* the turn order.
    Raises :class:`~noughts.errors.NotFound`, :class:`~noughts.errors.NotationError`,
    :class:`~noughts.errors.RulesError` or :class:`~noughts.errors.ShapeError`.

    >>> new_game("7x6:4,gravity").shape
    (6, 7)
    """
    if not marks and isinstance(game, str) and (start := _at_the_start(game)) is not None:
        return start.copy()
    made_from = _made_from(game)
    if isinstance(made_from, Rules):
        return game_of(replace(made_from, marks=marks))
    return made_from(Random(seed), marks)


def sample(name: str) -> Game:
    """A game of the catalogue in mid-game; without moves for a spec that is not in it.

    Raises what :func:`new_game` does.

    >>> sample("tictactoe").ply
    6
    """
    game, entry = new_game(name), find_entry(name)
    return game if entry is None else entry.sampled(game)


def finished(name: str) -> Game:
    """A game of the catalogue at its end, in mid-game where none is known; otherwise as :func:`sample`.

    >>> finished("tictactoe").outcome.winner
    'X'
    """
    game, entry = new_game(name), find_entry(name)
    return game if entry is None else entry.finished(game)


def _made_from(game: str) -> Rules | Callable[[Random, tuple[str, ...]], Game]:
    """The rules of what is called *game*, or what makes it where it is not k in a row."""
    entry = _find(usual_spelling(game)) if isinstance(game, str) else None
    if entry is not None and entry.make is not None:
        return entry.make
    return parse_spec(entry.spec if entry is not None and entry.spec else game)


@lru_cache(maxsize=16)
def _at_the_start(game: str) -> KInARow | None:
    """A game that nobody plays on: to copy one is quicker than to make it. None of what is not k in a row."""
    made_from = _made_from(game)
    return game_of(made_from) if isinstance(made_from, Rules) else None


def game_of(rules: Rules) -> KInARow:
    """A fresh game of *rules*."""
    return (TicTacToe if rules.shape == (3, 3) else KInARow)(rules)


def parse_spec(spec: str) -> Rules:
    """The rules that *spec* describes.

    >>> parse_spec("5x5:4,players=3").marks
    ('X', 'O', 'Z')
    """
    rules = _parse(usual_spelling(spec)) if isinstance(spec, str) and len(spec) <= MAX_SPEC else None
    if rules is None:
        raise NotFound("game", spec, game_names())
    return rules


@lru_cache(maxsize=256)
def _parse(spec: str) -> Rules | None:
    match = _SPEC.fullmatch(spec)
    if match is None:
        return None
    sides = tuple(int(side) for side in match[1].split("x"))
    facts: dict[str, object] = {"shape": sides[::-1] if len(sides) == 2 else sides}
    if match[2] is not None:
        if int(match[2]) < 1:
            raise RulesError("k-too-small", k=int(match[2]))
        facts["k"] = int(match[2])
    for option in match[3].split(",")[1:]:
        name, value = _option(option, spec)
        if name in facts:
            raise NotationError("game", spec, "option-twice", option=name)
        facts[name] = value
    return Rules(**facts)  # type: ignore[arg-type]


def _option(option: str, spec: str) -> tuple[str, int | bool | str]:
    if option in SWITCHES:
        return option, True
    name, _, value = option.partition("=")
    if name in NUMBERS and re.fullmatch(r"[1-9][0-9]*", value):
        return name, int(value)
    if name == "wrap" and value:
        return name, value
    allowed = (*SWITCHES, "wrap=x|y|xy...", *(f"{number}=N" for number in NUMBERS))
    raise NotationError("game", spec, "unknown-option", option=option, allowed=allowed)


def name_of(game: Game) -> str:
    """The catalogue name of *game*, else its spec."""
    return name_of_spec(game.name)


def name_of_spec(spec: str) -> str:
    """The catalogue name of the game of *spec*, else *spec*."""
    return _NAME_OF_SPEC.get(spec, spec)
