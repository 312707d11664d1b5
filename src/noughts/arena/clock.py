"""Clocks as data: the time that a side has left, computed from the times of commands.

All times are whole milliseconds on one clock that only goes forward. This module reads no clock.
"""

from dataclasses import dataclass

from noughts.errors import BadInput

DAY = 24 * 60 * 60 * 1000
"""The milliseconds of a day."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time control of a match. Without any number the match is untimed.

    ``per_move`` is the time for each move in milliseconds. ``base`` is the time for the whole game, and
    ``increment`` is added after each turn (Fischer). A turn is all the moves that a side makes before another
    side moves. In an opening it is all the marks that a player places for both sides.
    """

    per_move: int | None = None
    base: int | None = None
    increment: int = 0

    def __post_init__(self) -> None:
        times = (self.per_move, self.base)
        if self.increment < 0 or any(time is not None and time <= 0 for time in times) or None not in times:
            raise BadInput(f"invalid clock: {self}")

    @property
    def is_timed(self) -> bool:
        """True if a side can run out of time."""
        return self.per_move is not None or self.base is not None

    @property
    def is_by_days(self) -> bool:
        """True if a side has a day or more for its first move: the game is played by days.

        >>> Clock(per_move=3 * DAY).is_by_days, Clock(base=300_000).is_by_days
        (True, False)
        """
        return (self.start or 0) >= DAY

    @property
    def start(self) -> int | None:
        """The milliseconds of each side before its first move, or None in an untimed match."""
        return self.base if self.base is not None else self.per_move

    def after_move(self, left: int, *, is_turn_over: bool = True, owed: int = 0) -> int:
        """Return the time that a side has for its next move when *left* remained after the last one.

        A side without any time gets no more. *owed* is withheld from the increment.
        """
        if not left:
            return 0
        if self.per_move is not None:
            return self.per_move
        return left + max(0, self.increment - owed) if is_turn_over else left


UNTIMED = Clock()
