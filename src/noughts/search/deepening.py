"""The result of a search that deepens step by step, while it runs."""

from collections.abc import Callable
from dataclasses import dataclass, field

NOWHERE = -1
"""The number of no cell."""


@dataclass(slots=True)
class DeepeningResult:
    """The result so far, with cells instead of moves."""

    best: int = NOWHERE
    score: int = 0
    value: int | None = None
    plies: int | None = None
    depth: int = 0
    line: list[int] = field(default_factory=list)

    def settle(self, best: int, score: int, value: int | None, plies: int | None = None) -> None:
        self.best, self.score, self.value, self.plies, self.line = best, score, value, plies, [best]


Report = Callable[[DeepeningResult, int], None]
"""A function that is called with the result so far and the number of moves made."""


def ignore_result(result: DeepeningResult, nodes: int) -> None:
    """Ignore the result so far."""
