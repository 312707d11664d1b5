"""The strength of players in each game, measured by tournaments (``strengths.json``)."""

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from noughts.errors import DamagedFile, DamagedFileWarning
from noughts.games.base import Game
from noughts.games.catalogue import name_of
from noughts.own_files import read_own_file


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of a player: ``elo`` points above ``rule``, with the ``error`` (95 %).

    ``games`` is the number of its games.
    """

    elo: float
    error: float
    games: int


LEVEL, RULE = "level:", "rule"

ALIKE = {"flat": "gomoku", "falling": "connect4", "deep": "qubic", "others": "ultimate"}
"""A measured game for each kind of games. The others of its kind have the same order."""


@cache
def _measured() -> dict[str, dict[str, list[float]]]:
    try:
        measured: dict[str, dict[str, list[float]]] = json.loads(read_own_file("players/strengths.json"))
    except DamagedFile as error:  # games are played without it
        warnings.warn(DamagedFileWarning(error), stacklevel=2)
        return {}
    return measured


def in_order_of_strength(game: Game, names: Iterable[str]) -> list[str]:
    """Return *names* with the levels and ``rule`` first, from the weakest to the strongest in *game*.

    Each name after ``rule`` is a level that is at least as strong as ``rule``. The strengths of levels that
    were not measured are interpolated. Games that were not measured have the order of a similar game.

    >>> from noughts import new_game
    >>> in_order_of_strength(new_game("connect4"), ("random", "rule", "level:6", "level:7", "level:8"))
    ['level:6', 'level:7', 'rule', 'level:8', 'random']
    """
    names = list(names)
    levels = sorted((name for name in names if name.startswith(LEVEL)), key=_number)
    ladder = [name for name in (*levels, RULE) if name in names]
    if levels and RULE in names:
        measured = strengths(name_of(game))
        if RULE not in measured or not any(name.startswith(LEVEL) for name in measured):
            measured = strengths(ALIKE[_kind(game)])
        known = sorted((_number(name), one.elo) for name, one in measured.items() if name.startswith(LEVEL))
        weaker = [name for name in levels if _elo(_number(name), known) < 0]
        place = levels.index(weaker[-1]) + 1 if weaker else 0
        ladder = [*levels[:place], RULE, *levels[place:]]
    return [*ladder, *(name for name in names if name not in ladder)]


def _number(level: str) -> int:
    return int(level.removeprefix(LEVEL))


def _kind(game: Game) -> str:
    if game.rules is None:
        return "others"
    return "falling" if game.rules.gravity else "deep" if len(game.shape) > 2 else "flat"


def _elo(number: int, known: Sequence[tuple[int, float]]) -> float:
    """Return the strength of a level by its *number*, interpolated from the *known* levels in order."""
    before = [one for one in known if one[0] <= number]
    after = [one for one in known if one[0] >= number]
    if not (before and after):
        return (before or after or [(0, 0.0)])[-1 if before else 0][1]
    (low, elo), (high, more) = before[-1], after[0]
    return elo if low == high else elo + (more - elo) * (number - low) / (high - low)


def strengths(game: str) -> Mapping[str, Strength]:
    """Return the strength of each player measured in *game*, a name of the catalogue. Empty for others.

    >>> strengths("connect4")["rule"].elo
    0.0
    """
    return {
        player: Strength(elo, error, int(games))
        for player, (elo, error, games) in _measured().get(game, {}).items()
    }
