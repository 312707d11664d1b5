"""What live lines are worth, by how many marks they bear already."""

VALUE_BITS = 26
LACKS_THREE = 1 << VALUE_BITS
LACKS_TWO = 1 << (VALUE_BITS + 13)
"""The pull of a cell is one int of three parts: the value of the live lines through it, below that many bits,
and how many of these lines lack three marks and two marks, 13 bits each."""

VALUE_MASK = LACKS_THREE - 1

TEMPO = 12
"""What it is worth to be to move."""

WORTHS = (0, 40, 16, 4, 1)
FALLING_WORTHS = (0, 60, 24, 8, 3)
"""What a live line is worth that lacks so many marks, where they are placed freely and where they fall; those
that lack more are worth 1. Found by games of the engine against itself."""

VALUES = (0, 1200, 420, 130, 45, 16, 6)
"""What a live line promises to a cell, by how many marks it lacks; less than the last is worth 2."""


def line_worths(k: int, *, falling: bool = False) -> list[int]:
    """For each number of marks from 0 to *k*, what a live line with so many of them is worth.

    >>> line_worths(5)
    [1, 1, 4, 16, 40, 0]
    """
    worths = FALLING_WORTHS if falling else WORTHS
    return [0 if n == 0 else worths[n] if n < min(k, len(worths)) else 1 for n in range(k, -1, -1)]


def line_gains(k: int) -> list[int]:
    """For each number of marks from 0 to *k*, what a live line with so many adds to the pull of its cells."""
    gains = []
    for lacking in range(k, -1, -1):
        value = VALUES[lacking] if lacking < len(VALUES) else 2
        gains.append(value + LACKS_THREE * (lacking == 3) + LACKS_TWO * (lacking == 2))
    return gains
