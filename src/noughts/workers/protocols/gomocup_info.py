"""The values that an engine gets by ``INFO``, and the time that it takes for a move."""

from dataclasses import dataclass, replace
from typing import Any, Self

from noughts.workers.protocols.gomocup import NO_LIMIT, parse_numbers

USUAL_TURN_MS = 5_000
"""Milliseconds for a move without a given limit."""

MIN_MARGIN_MS, MARGIN_DIVISOR, MAX_MARGIN_MS = 10, 20, 50
"""The margin after the thinking, so that the answer reaches the manager in time.

It is the minimum and a part of the turn, but not more than the maximum.
"""

MIN_MOVES_LEFT = 10
"""The minimum number of moves among which the time left is divided."""

USUAL_MOVES = 30
"""The assumed number of moves of one side in a game."""

RESERVE_MS, RESERVE_MOVES = 5, 50
"""Milliseconds of a move without a search, and the maximum number of moves for which they are kept."""

CALM_SHARE, UNREST_SHARE, MAX_SHARE = 0.6, 0.9, 3
"""The parts of its share of the time left that a move takes.

They are those without unrest, for each unit of unrest, and at most.
"""


@dataclass(frozen=True, slots=True)
class Info:
    """The values by their keys, or None for a key that never came.

    Times are in ms, memory in bytes, 0 is no limit.
    """

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    max_memory: int = 0
    rule: int | None = None
    max_node: int | None = None
    max_depth: int | None = None
    spent_ms: int = 0
    """The thinking time since ``time_left`` came, or since the game began."""

    def updated(self, text: str) -> Self:
        """Return the values after ``INFO`` *text*. Unknown keys and invalid numbers change nothing.

        >>> info = Info().updated("timeout_turn 1000").updated("wobble 3").updated("RULE four")
        >>> info == Info(timeout_turn=1000)
        True
        """
        key, _, rest = text.partition(" ")
        numbers = parse_numbers(rest, 1)
        key = key.lower()
        if numbers is None or key not in KEYS:
            return self
        if key == "time_left":
            return replace(self, time_left=numbers[0], spent_ms=0)
        if numbers[0] < 0:
            return self
        value = numbers[0] or None if key in ("max_node", "max_depth") else numbers[0]
        change: dict[str, Any] = {key: value}
        return replace(self, **change)

    def for_new_game(self) -> Self:
        """Return the values for a new game: all its time is left, unless ``time_left`` was given."""
        return replace(self, spent_ms=0) if self.time_left is None else self

    def after_move(self, ms: int) -> Self:
        """Return the values after a move that took *ms* milliseconds."""
        return replace(self, spent_ms=self.spent_ms + ms)

    @property
    def left_ms(self) -> int | None:
        """The time left for all moves, or None without a limit."""
        left = self.time_left
        if left is None:
            left = self.timeout_match or NO_LIMIT
        return None if left >= NO_LIMIT else left - self.spent_ms

    def turn_time(self, moves: int, free: int) -> "TurnTime | None":
        """Return the time for the next move after *moves* own moves, with *free* empty cells.

        Return None without a limit.

        >>> Info(timeout_turn=1000).turn_time(0, 225)
        TurnTime(thinking_ms=950, margin_ms=50, share_ms=None)
        >>> Info(timeout_turn=30_000, time_left=180_250).turn_time(0, 225)
        TurnTime(thinking_ms=17950, margin_ms=50, share_ms=6000)
        """
        turn, left = self.timeout_turn, self.left_ms
        if turn is None:
            if left is None and (self.max_node is not None or self.max_depth is not None):
                return None
            turn = USUAL_TURN_MS if left is None else left
        if left is None:
            return TurnTime.of(turn)
        own_free = -(-free // 2)
        expected = max(1, min(own_free, max(MIN_MOVES_LEFT, USUAL_MOVES - moves)))
        share = max(left - RESERVE_MS * min(own_free, RESERVE_MOVES), 0) // expected
        return TurnTime.of(min(turn, left, share * MAX_SHARE), share)


@dataclass(frozen=True, slots=True)
class TurnTime:
    """The time for a move: for thinking at most, and then for sending the answer.

    ``share_ms`` is the share of the time left, or None if the time of the game has no limit.
    """

    thinking_ms: int
    margin_ms: int
    share_ms: int | None = None

    @classmethod
    def of(cls, turn_ms: int, share_ms: int | None = None) -> Self:
        """Return the time for a move that may take *turn_ms*.

        Nothing is left for thinking if that is too short.
        """
        turn_ms = max(turn_ms, 0)
        margin_ms = min(MIN_MARGIN_MS + turn_ms // MARGIN_DIVISOR, MAX_MARGIN_MS, turn_ms)
        return cls(turn_ms - margin_ms, margin_ms, share_ms)

    def allotted_ms(self, unrest: float) -> int:
        """Return the time for thinking about a move: longer the greater the *unrest* of the search is.

        It is 0 as long as the search finds the same move with the same score. Without a limit for the game,
        all of the turn may be used.

        >>> [TurnTime(17_950, 50, 6_000).allotted_ms(unrest) for unrest in (0, 1, 5)]
        [3600, 9000, 17950]
        >>> TurnTime(950, 50).allotted_ms(0)
        950
        """
        if self.share_ms is None:
            return self.thinking_ms
        return min(self.thinking_ms, round(self.share_ms * (CALM_SHARE + UNREST_SHARE * unrest)))


KEYS = ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule", "max_node", "max_depth")
"""The supported keys. Only one thread thinks, and nothing is stored in a ``folder``."""
