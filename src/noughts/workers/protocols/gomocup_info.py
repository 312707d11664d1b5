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

MIN_MOVES_LEFT = 8
"""The minimum number of moves among which the time left is divided."""

USUAL_MOVES = 40
"""The assumed number of moves of one side in a game."""


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

        >>> Info(timeout_turn=1000).turn_time(0, 225), Info(timeout_turn=0).turn_time(0, 225)
        (TurnTime(thinking_ms=950, margin_ms=50), TurnTime(thinking_ms=0, margin_ms=0))
        >>> Info(timeout_turn=200).turn_time(0, 225)
        TurnTime(thinking_ms=180, margin_ms=20)
        """
        turn, left = self.timeout_turn, self.left_ms
        if turn is None:
            if left is None and (self.max_node is not None or self.max_depth is not None):
                return None
            turn = USUAL_TURN_MS if left is None else left
        if left is not None:
            own_free = -(-free // 2)
            turn = min(turn, left // max(1, min(own_free, max(MIN_MOVES_LEFT, USUAL_MOVES - moves))))
        return TurnTime.of(turn)


@dataclass(frozen=True, slots=True)
class TurnTime:
    """The time for a move: the milliseconds for thinking, and then those until the manager has the answer."""

    thinking_ms: int
    margin_ms: int

    @classmethod
    def of(cls, turn_ms: int) -> Self:
        """Return the time for a move in a turn of *turn_ms*.

        Nothing is left for thinking if the turn is too short or if its time is over.
        """
        turn_ms = max(turn_ms, 0)
        margin_ms = min(MIN_MARGIN_MS + turn_ms // MARGIN_DIVISOR, MAX_MARGIN_MS, turn_ms)
        return cls(turn_ms - margin_ms, margin_ms)


KEYS = ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule", "max_node", "max_depth")
"""The supported keys. Only one thread thinks, and nothing is stored in a ``folder``."""
