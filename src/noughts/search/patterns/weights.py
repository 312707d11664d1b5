"""The weights of the evaluation and of the order of moves."""

import json
from dataclasses import dataclass
from functools import lru_cache

from noughts.own_files import read_own_file
from noughts.search.patterns.line_classes import (
    FORBIDDEN_POINT,
    combination_of_shape,
    combinations,
    point_class,
    point_class_for_black,
)


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


def table_of_shapes(weights: Weights, renju_black: bool) -> list[list[int]]:
    """Return tables with an entry for each shape: its point class, then its weights in the usual order.

    Those of Black in renju if *renju_black*. Moves that are illegal, or may be so, have the weight 0.
    """
    class_of = point_class_for_black if renju_black else point_class
    points = [class_of(classes) for classes in combinations()]
    parts = [
        [0 if point >= FORBIDDEN_POINT else weight for point, weight in zip(points, numbers, strict=True)]
        for numbers in (weights.mover, weights.waiting, weights.own, weights.other)
    ]
    return [[part[combination] for combination in combination_of_shape()] for part in (points, *parts)]
