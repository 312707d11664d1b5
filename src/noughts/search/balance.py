"""Openings for computers: which side is better, and how to place marks so that neither is.

What a position is worth is asked of the analyst, with few nodes for each, so that the same position has
always the same answer.
"""

from collections.abc import Sequence
from random import Random

from noughts.games.base import Game, Move
from noughts.games.openings import STAY, SWAP
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.compiled import python_machine

NODES = 100
"""What looking at one way to place marks may take."""

NODES_TO_CHOOSE = 1_000
"""What looking at the position may take before a side is chosen."""

MAX_TRIED = 12
"""So many ways to place marks are compared at most."""

PROVED = 1_000_000
"""A proved win counts as much more than any score."""


def choose_side(game: Game, answers: Sequence[str], limit: Limit) -> str:
    """``swap`` where that may be answered and the side to move is the worse one, else ``stay``."""
    if SWAP not in answers:
        return STAY
    return SWAP if _worth(_analyst(), game, NODES_TO_CHOOSE, limit.started()) < 0 else STAY


def place_evenly(game: Game, marks: int, limit: Limit) -> Move:
    """The first of so many *marks* that leave both sides nearly equal, as far as was seen.

    Ways to place all of them are drawn by chance, the same for the same position, until the limit stops that.
    """
    limit = limit.started()
    chance = Random(f"{game.name} {game.moves}")
    legal = list(game.legal_moves())
    firsts = legal if marks == 1 and len(legal) <= MAX_TRIED else chance.choices(legal, k=MAX_TRIED)
    analyst, best = _analyst(), (PROVED + 1, firsts[0])
    for first in firsts:
        position = game.copy()
        position.play(first)
        for _ in range(marks - 1):
            position.play(chance.choice(list(position.legal_moves())))
        best = min(best, (abs(_worth(analyst, position, NODES, limit)), first), key=lambda tried: tried[0])
        if limit.stop():
            break
    return best[1]


def _analyst() -> Analyst:
    return Analyst(machine=python_machine())


def _worth(analyst: Analyst, game: Game, nodes: int, limit: Limit) -> int:
    """More is better for the side to move."""
    found = analyst.analyse(game, Limit(nodes=nodes, stop=limit.stop))
    return (found.score or 0) if found.value is None else found.value * PROVED
