"""Vanishing marks: the marks that leave next, and the number of times each position occurred."""

from collections import Counter
from collections.abc import Sequence
from typing import Self

REPETITIONS = 3
"""The number of occurrences that make a position a draw, if marks vanish."""


class Vanishing:
    """The marks of each side from the oldest to the newest, as indices of cells.

    Only the newest *stay* remain.
    """

    __slots__ = ("_gone", "_seen", "_stay", "ages")

    def __init__(self, stay: int, ages: Sequence[Sequence[int]], side: int) -> None:
        self._stay = stay
        self.ages = [list(own) for own in ages]
        self._gone: list[int | None] = []
        self._seen = Counter([self.key(side)])

    def key(self, side: int) -> object:
        """Return a value equal for positions with the same future, with the side number *side* to move."""
        return (side, tuple(map(tuple, self.ages)))

    def put(self, side: int, index: int) -> int | None:
        """Add the newest mark of the side number *side*.

        Return the cell of the mark that leaves for it, or None.
        """
        own = self.ages[side]
        own.append(index)
        gone = own.pop(0) if len(own) > self._stay else None
        self._gone.append(gone)
        return gone

    def lift(self, side: int) -> int | None:
        """Undo :meth:`put`. Return the cell to which a mark comes back, or None."""
        own = self.ages[side]
        own.pop()
        gone = self._gone.pop()
        if gone is not None:
            own.insert(0, gone)
        return gone

    def count(self, side: int) -> bool:
        """Count the position with *side* to move. Return True if it has occurred too often."""
        key = self.key(side)
        self._seen[key] += 1
        return self._seen[key] >= REPETITIONS

    def forget(self, side: int) -> None:
        """Undo :meth:`count`."""
        key = self.key(side)
        self._seen[key] -= 1
        if not self._seen[key]:
            del self._seen[key]

    def leaving(self) -> dict[int, int]:
        """Return the cells of the marks that leave next, each with the number of its side."""
        return {own[0]: side for side, own in enumerate(self.ages) if len(own) == self._stay}

    def format(self) -> str:
        """Return the cells of each side's marks, oldest first, numbered from 1. Empty if there are none."""
        if not any(self.ages):
            return ""
        return ";".join(",".join(str(index + 1) for index in own) for own in self.ages)

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin._stay, twin._gone, twin._seen = self._stay, self._gone.copy(), self._seen.copy()
        twin.ages = [own.copy() for own in self.ages]
        return twin
