"""The catalogue of games: from a name or a spec to a game."""

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


def canonical_name(text: str) -> str:
    """Return the canonical spelling of a name or a spec.

    >>> canonical_name(" TicTacToe "), canonical_name("7×7: 5, Misere"), canonical_name("5^3:4")
    ('tictactoe', '7x7:5,misere', '5x5x5:4')
    """
    text = text.strip().lower()
    if not text[:1].isdecimal() or len(text) > MAX_SPEC:
        return text
    return _SIZES.sub(_write_sizes, "".join(text.split()), count=1)


def _write_sizes(match: re.Match[str]) -> str:
    # A power with too many dimensions is refused later, so it is not written out in full.
    plain = _POWER.sub(lambda power: "x".join([power[1]] * min(int(power[2]), MAX_SIDES_READ)), match[0])
    return plain.replace("х", "x").replace("×", "x")


def all_entries() -> tuple[Entry, ...]:
    """Return the entries of all games, our own and those of other packages, in the order of lists."""
    return in_order((*CATALOGUE, *all_plugins()[0]))


def game_names() -> tuple[str, ...]:
    """Return the names of all games, in the order of lists.

    Games of other packages that fail are skipped. Nothing is raised.

    >>> game_names()[:2]
    ('gomoku', 'tictactoe')
    """
    return tuple(entry.name for entry in all_entries())


def find_entry(name: str) -> Entry | None:
    """Return the entry of the game called *name*, or None for a spec or an unknown name."""
    try:
        return _find(canonical_name(name))
    except GameLeftOut:
        return None


def _find(name: str) -> Entry | None:
    return BY_NAME.get(name) or find_plugin(name)


def new_game(game: str = "tictactoe", *, seed: int = 0, marks: tuple[str, ...] = ()) -> Game:
    """Return a new game, by catalogue name or by a spec ``SIZExSIZE...[:K][,option...]``.

    Games of other packages are found by their entry point in the group ``noughts.games``.
    In two dimensions a spec is width x height. In more it is the shape in order. *seed* decides the
    start of games that use chance, *marks* the turn order.
    Raises :class:`~noughts.errors.NotFound`, :class:`~noughts.errors.NotationError`,
    :class:`~noughts.errors.RulesError` or :class:`~noughts.errors.ShapeError`.

    >>> new_game("7x6:4,gravity").shape
    (6, 7)
    """
    if not marks and isinstance(game, str) and (start := _cached_game(game)) is not None:
        return start.copy()
    made_from = _rules_or_maker(game)
    if isinstance(made_from, Rules):
        return game_of(replace(made_from, marks=marks))
    return made_from(Random(seed), marks)


def sample(name: str) -> Game:
    """Return a game of the catalogue in mid-game. A spec that is not in the catalogue gives a new game.

    Raises the same errors as :func:`new_game`.

    >>> sample("tictactoe").ply
    6
    """
    game, entry = new_game(name), find_entry(name)
    return game if entry is None else entry.sampled(game)


def finished(name: str) -> Game:
    """Return a game of the catalogue at its end, or in mid-game if no end is known.

    Otherwise it is like :func:`sample`.

    >>> finished("tictactoe").outcome.winner
    'X'
    """
    game, entry = new_game(name), find_entry(name)
    return game if entry is None else entry.finished(game)


def _rules_or_maker(game: str) -> Rules | Callable[[Random, tuple[str, ...]], Game]:
    """Return the rules of the game called *game*, or its maker if it is not k in a row."""
    entry = _find(canonical_name(game)) if isinstance(game, str) else None
    if entry is not None and entry.make is not None:
        return entry.make
    return parse_spec(entry.spec if entry is not None and entry.spec else game)


@lru_cache(maxsize=16)
def _cached_game(game: str) -> KInARow | None:
    """Return a cached unplayed game, or None if *game* is not k in a row.

    To copy a game is faster than to make one.
    """
    made_from = _rules_or_maker(game)
    return game_of(made_from) if isinstance(made_from, Rules) else None


def game_of(rules: Rules) -> KInARow:
    """Return a new game of *rules*."""
    return (TicTacToe if rules.shape == (3, 3) else KInARow)(rules)


def parse_spec(spec: str) -> Rules:
    """Return the rules that *spec* describes.

    >>> parse_spec("5x5:4,players=3").marks
    ('X', 'O', 'Z')
    """
    rules = _parse(canonical_name(spec)) if isinstance(spec, str) and len(spec) <= MAX_SPEC else None
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
    """Return the catalogue name of *game*, else its spec."""
    return name_of_spec(game.name)


def name_of_spec(spec: str) -> str:
    """Return the catalogue name of the game of *spec*, else *spec*."""
    return _NAME_OF_SPEC.get(spec, spec)
