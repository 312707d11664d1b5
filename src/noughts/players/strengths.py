"""How strong players are: measured by tournaments, game by game, ``strengths.json``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


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
    told: dict[str, dict[str, list[float]]] = json.loads(
        files("noughts.players").joinpath("strengths.json").read_text(encoding="utf-8")
    )
    return told


def strengths(game: str) -> Mapping[str, Strength]:
    """The strength of each player that was measured in *game*, a name of the catalogue; none in others.

    >>> strengths("connect4")["rule"].elo
    0.0
    """
    return {
        who: Strength(elo, error, int(games))
        for who, (elo, error, games) in _measured().get(game, {}).items()
    }
