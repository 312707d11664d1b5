"""The weights of the evaluation and of the order of moves."""

import json
from dataclasses import asdict, dataclass
from functools import lru_cache

from noughts.own_files import read_own_file
from noughts.search.patterns.line_classes import FOURS, combination_of_shape, combinations, point_class

LOGIT = 200
"""The difference in value that makes the odds of a win e times as great."""

ORDER_LOGIT = 32
"""The difference in order score that makes a move e times as likely."""

THREAT_MASKS = 1 << 10

FIRST_VALUES = (0, 1, 2, 4, 6, 7, 10, 18, 22, 26, 28, 50, 60, 62, 200, 400)
"""The value of each line class before weights were fitted."""

FIRST_BONUSES = (0, 0, 15, 20, 40, 120, 20, 60, 300, 500, 1000)
"""The bonus of each point class in the order of moves before weights were fitted."""


@dataclass(frozen=True)
class Weights:
    """Four weights for each combination of line classes, and one for each threat mask.

    The value of a position is the sum of ``mover`` over the shapes of the side to move, minus the sum of
    ``waiting`` over the shapes of the other side, plus the weight of the threat mask. The order score of a
    move is ``own`` of its shape for the mover, plus ``other`` of its shape for the other side.
    """

    mover: list[int]
    waiting: list[int]
    own: list[int]
    other: list[int]
    threats: list[int]

    def to_json(self) -> str:
        """Return the text of a file of weights."""
        return json.dumps(asdict(self), separators=(",", ":")) + "\n"


def first_weights() -> Weights:
    """Return weights chosen by hand, which the fitting starts from."""
    mover, own = [], []
    for classes in combinations():
        value, point = sum(FIRST_VALUES[line_class] for line_class in classes), point_class(classes)
        mover.append(0 if point >= FOURS else value)
        own.append(value + FIRST_BONUSES[point])
    return Weights(
        [value // 2 for value in mover],
        [value // 3 for value in mover],
        own,
        [3 * value // 4 for value in own],
        [0] * THREAT_MASKS,
    )


@lru_cache(maxsize=1)
def read_weights() -> Weights:
    """Return the fitted weights. They serve rows of any length, and exact rows too."""
    return Weights(**json.loads(read_own_file("search/patterns/weights.json")))


def by_shape(weights: list[int]) -> list[int]:
    """Return one of *weights*, which has an entry for each combination, with an entry for each shape.

    >>> by_shape(first_weights().own)[0]
    0
    """
    return [weights[combination] for combination in combination_of_shape()]
