"""The weights of the evaluation and of the order of moves."""

import json
from dataclasses import dataclass
from functools import lru_cache

from noughts.own_files import read_own_file
from noughts.search.patterns.line_classes import combination_of_shape


@dataclass(frozen=True)
class Weights:
    """Four weights for each combination of line classes, and one for each threat mask.

    The value of a position is the sum of ``mover`` over the shapes of the side to move, minus the sum of
    ``waiting`` over the shapes of the other side, plus the weight of the threat mask. 200 more make the odds
    of a win e times as great. The order score of a move is ``own`` of its shape for the mover, plus ``other``
    of its shape for the other side. 32 more make it e times as likely.
    """

    mover: list[int]
    waiting: list[int]
    own: list[int]
    other: list[int]
    threats: list[int]


@lru_cache(maxsize=1)
def read_weights() -> Weights:
    """Return the fitted weights. They serve rows of any length, and exact rows too."""
    return Weights(**json.loads(read_own_file("search/patterns/weights.json")))


def by_shape(weights: list[int]) -> list[int]:
    """Return one of *weights*, which has an entry for each combination, with an entry for each shape."""
    return [weights[combination] for combination in combination_of_shape()]
