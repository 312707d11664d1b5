"""Name or spec to game. A new game is one entry here and one file beside this one."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Literal

from noughts.errors import NotationError, NotFound, RulesError
from noughts.games.base import Game
from noughts.games.fifteen import Fifteen
from noughts.games.kinarow import KInARow, TicTacToe
from noughts.games.reversi import Reversi
from noughts.games.rules import NUMBERS, SWITCHES, Rules
from noughts.games.ultimate import Ultimate


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the catalogue: its name, and its spec or else what makes it from chance and turn order.

    ``value`` says what is proved of best play: the ``first`` player wins, or it is a ``draw``; None where
    nothing is.
    """

    name: str
    spec: str | None = None
    make: Callable[[Random, tuple[str, ...]], Game] | None = None
    value: Literal["first", "draw"] | None = None


# Values without a source are found by the search of this library (`noughts solve`), and a test says so.
CATALOGUE = (
    Entry("tictactoe", "3x3:3", value="draw"),
    Entry("4x4", "4x4:4", value="draw"),
    Entry("5x5", "5x5:5", value="draw"),
    Entry("gomoku", "15x15:5", value="first"),  # Allis, van den Herik, Huntjens 1993 and 1996
    Entry("gomoku-standard", "15x15:5,exact"),
    Entry("connect4", "7x6:4,gravity", value="first"),  # Allen 1988, Allis 1988
    Entry("qubic", "4x4x4:4", value="first"),  # Patashnik 1980, Allis and Schoo 1992
    Entry("3d", "3x3x3:3", value="first"),
    Entry("4d", "3x3x3x3:3", value="first"),
    Entry("score4", "4x4x4:4,gravity"),
    Entry("torus", "4x4:4,wrap", value="draw"),
    Entry("misere", "3x3:3,misere", value="draw"),
    Entry("wild", "3x3:3,wild", value="first"),
    Entry("notakto", "3x3:3,notakto", value="first"),
    Entry("vanishing", "3x3:3,vanish=3", value="first"),
    Entry("three", "5x5:4,players=3"),
    Entry("ultimate", make=lambda chance, sides: Ultimate(sides=sides)),
    Entry("fifteen", make=lambda chance, sides: Fifteen(chance, sides=sides)),
    Entry("reversi", make=lambda chance, sides: Reversi(sides=sides)),
)

MAX_SPEC = 400
"""The longest spec that is read, in characters."""

BY_NAME = {entry.name: entry for entry in CATALOGUE}
_NAME_OF_SPEC = {entry.spec: entry.name for entry in CATALOGUE if entry.spec}
_SPEC = re.compile(r"([0-9]+(?:x[0-9]+)*)(?::([0-9]+))?((?:,[^,]*)*)")


def new_game(game: str = "tictactoe", *, seed: int = 0, marks: tuple[str, ...] = ()) -> Game:
    """A fresh game, by catalogue name or by a spec ``SIZExSIZE...[:K][,option...]``.

    In two dimensions a spec is width x height; in more it is the shape in order. *seed* decides the
    start of games that have chance in it, *marks* the turn order.
    Raises :class:`~noughts.errors.NotFound`, :class:`~noughts.errors.NotationError`,
    :class:`~noughts.errors.RulesError` or :class:`~noughts.errors.ShapeError`.

    >>> new_game("7x6:4,gravity").shape
    (6, 7)
    """
    entry = BY_NAME.get(game) if isinstance(game, str) else None
    if entry is not None and entry.make is not None:
        return entry.make(Random(seed), marks)
    spec = entry.spec if entry is not None and entry.spec else game
    if marks or not isinstance(spec, str):
        return _game_of(replace(parse_spec(spec), marks=marks))
    return _at_the_start(spec).copy()


@lru_cache(maxsize=16)
def _at_the_start(spec: str) -> KInARow:
    """A game that nobody plays on: to copy one is quicker than to make it."""
    return _game_of(parse_spec(spec))


def _game_of(rules: Rules) -> KInARow:
    return (TicTacToe if rules.shape == (3, 3) else KInARow)(rules)


def parse_spec(spec: str) -> Rules:
    """The rules that *spec* describes.

    >>> parse_spec("5x5:4,players=3").marks
    ('X', 'O', 'Z')
    """
    if not isinstance(spec, str) or len(spec) > MAX_SPEC:
        raise NotFound("game", spec, tuple(BY_NAME))
    return _parse(spec.strip())


@lru_cache(maxsize=256)
def _parse(spec: str) -> Rules:
    found = _SPEC.fullmatch(spec)
    if found is None:
        raise NotFound("game", spec, tuple(BY_NAME))
    sides = tuple(int(side) for side in found[1].split("x"))
    facts: dict[str, object] = {"shape": sides[::-1] if len(sides) == 2 else sides}
    if found[2] is not None:
        if int(found[2]) < 1:
            raise RulesError("k-too-small", k=int(found[2]))
        facts["k"] = int(found[2])
    for option in found[3].split(",")[1:]:
        name, value = _option(option, spec)
        if name in facts:
            raise NotationError("game", spec, "option-twice", option=name)
        facts[name] = value
    return Rules(**facts)  # type: ignore[arg-type]


def _option(option: str, spec: str) -> tuple[str, int | bool]:
    if option in SWITCHES:
        return option, True
    name, _, number = option.partition("=")
    if name in NUMBERS and re.fullmatch(r"[1-9][0-9]*", number):
        return name, int(number)
    allowed = (*SWITCHES, *(f"{number}=N" for number in NUMBERS))
    raise NotationError("game", spec, "unknown-option", option=option, allowed=allowed)


def name_of(game: Game) -> str:
    """The catalogue name of *game*, else its spec."""
    return name_of_spec(game.name)


def name_of_spec(spec: str) -> str:
    """The catalogue name of the game of *spec*, else *spec*."""
    return _NAME_OF_SPEC.get(spec, spec)
