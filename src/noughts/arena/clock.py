"""Clocks as data: how much time a side has, counted from the instants that commands came at.

All times are whole milliseconds on one clock that only goes forward; nothing here reads a clock.
"""

from dataclasses import dataclass

from noughts.errors import BadInput


@dataclass(frozen=True, slots=True)
class Clock:
    """How a match is timed; without any number, not at all.

    ``per_move`` milliseconds for each move, or ``base`` milliseconds for the whole game with
    ``increment`` added after each turn (Fischer): all the moves that a side makes before another one moves,
    or in an opening all the marks that one places for both sides before the other is asked.
    """

    per_move: int | None = None
    base: int | None = None
    increment: int = 0

    def __post_init__(self) -> None:
        times = (self.per_move, self.base)
        if self.increment < 0 or any(time is not None and time <= 0 for time in times) or None not in times:
            raise BadInput(f"no such clock: {self}")

    @property
    def is_timed(self) -> bool:
        """Whether a side can run out of time."""
        return self.per_move is not None or self.base is not None

    @property
    def start(self) -> int | None:
        """What each side has before its first move."""
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
