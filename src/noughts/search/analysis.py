"""Limit in, Analysis out: the shape that all searchers share."""

from dataclasses import dataclass

from noughts.games.base import Move


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a search may use; None: as much as it likes.

    ``seconds`` of wall time, ``nodes`` moves tried, ``depth`` plies. Only nodes and depth give the
    same answer on every machine.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


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
