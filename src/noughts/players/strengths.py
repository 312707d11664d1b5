"""How strong players are: measured by tournaments, game by game, ``strengths.json``."""

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from noughts.errors import DamagedFile, DamagedFileWarning
from noughts.own_files import read_own_file


@dataclass(frozen=True, slots=True)
class Strength:
    """How many ``elo`` points stronger than ``rule`` a player is, give or take ``error`` (95 %).

    ``games`` were played by it.
    """

    elo: float
    error: float
    games: int


@cache
def _measured() -> dict[str, dict[str, list[float]]]:
    try:
        measured: dict[str, dict[str, list[float]]] = json.loads(read_own_file("players/strengths.json"))
    except DamagedFile as error:  # games are played without it
        warnings.warn(DamagedFileWarning(error), stacklevel=2)
        return {}
    return measured


def strengths(game: str) -> Mapping[str, Strength]:
    """The strength of each player that was measured in *game*, a name of the catalogue; none in others.

    >>> strengths("connect4")["rule"].elo
    0.0
    """
    return {
        who: Strength(elo, error, int(games))
        for who, (elo, error, games) in _measured().get(game, {}).items()
    }
