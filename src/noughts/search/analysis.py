"""Limit in, Analysis out: the shape that all searchers share."""

from collections.abc import Callable
from dataclasses import dataclass, field

from noughts.games.base import Move


def never() -> bool:
    """The stop signal that does not come."""
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a search may use; None: as much as it likes.

    ``seconds`` of wall time, ``nodes`` moves tried, ``depth`` plies. Only nodes and depth give the
    same answer on every machine. ``stop`` is true as soon as the answer is wanted: who measures the
    seconds says by it that they are nearly over, so that a search need not look at a clock.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: Callable[[], bool] = field(default=never, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a position is worth to the side to move.

    ``value`` is 1 for a win, 0 for a draw, -1 for a loss, None where a limit ended the search first.
    ``plies`` is the length of the quickest win or longest defence, None for a draw. ``best`` is one of
    the best moves. ``nodes`` are the moves tried.
    """

    value: int | None
    plies: int | None
    best: Move | None
    nodes: int
