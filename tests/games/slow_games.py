"""Slow models of Pentago and Order and Chaos: rows of characters, written from their description."""

from itertools import product
from typing import Any, Protocol

Rows = tuple[str, ...]
EMPTY = "."


class SlowGame(Protocol):
    """A position with a result: None while the game continues, then the winner, or ``=`` for a draw."""

    rows: Rows
    turn: str

    @property
    def result(self) -> str | None:
        """The result of the game."""

    def moves(self) -> list[Any]:
        """Return the legal moves, none after the end."""

    def after(self, move: Any) -> "SlowGame":
        """Return the position after *move*."""


def perft(game: SlowGame, depth: int) -> list[int]:
    """Return the number of sequences of 1, 2, ... *depth* moves."""
    level, counts = [game], []
    for _ in range(depth):
        level = [position.after(move) for position in level for move in position.moves()]
        counts.append(len(level))
    return counts


def has_five(rows: Rows, mark: str) -> bool:
    """Return True if five or more of *mark* are in a row in any direction."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    slanted = [
        "".join(rows[row][column] for row in range(6) for column in range(6) if row + sign * column == sum_)
        for sign in (1, -1)
        for sum_ in range(-5, 11)
    ]
    return any(mark * 5 in line for line in (*rows, *columns, *slanted))


def put(rows: Rows, cell: tuple[int, int], mark: str) -> Rows:
    row, column = cell
    return (*rows[:row], rows[row][:column] + mark + rows[row][column + 1 :], *rows[row + 1 :])


def empty_cells(rows: Rows) -> list[tuple[int, int]]:
    return [(row, column) for row, column in product(range(6), repeat=2) if rows[row][column] == EMPTY]


class SlowOrderAndChaos:
    """Order and Chaos, in which X is Order."""

    def __init__(self, rows: Rows = (EMPTY * 6,) * 6, turn: str = "X") -> None:
        self.rows, self.turn = rows, turn

    @property
    def result(self) -> str | None:
        if has_five(self.rows, "X") or has_five(self.rows, "O"):
            return "X"
        return None if empty_cells(self.rows) else "O"

    def moves(self) -> list[Any]:
        return [] if self.result else list(product(empty_cells(self.rows), "XO"))

    def after(self, move: Any) -> "SlowOrderAndChaos":
        cell, mark = move
        return SlowOrderAndChaos(put(self.rows, cell, mark), "O" if self.turn == "X" else "X")


def turned(rows: Rows, quadrant: int, direction: str) -> Rows:
    """Return *rows* with the quadrant, from 1 in reading order, turned."""
    top, left = 3 * ((quadrant - 1) // 2), 3 * ((quadrant - 1) % 2)
    block = [rows[row][left : left + 3] for row in range(top, top + 3)]
    for _ in range(1 if direction == "r" else 3):
        block = ["".join(column) for column in zip(*reversed(block), strict=True)]  # clockwise
    changed = list(rows)
    for row, text in enumerate(block, top):
        changed[row] = rows[row][:left] + text + rows[row][left + 3 :]
    return tuple(changed)


class SlowPentago:
    """Pentago: five in a row win at once if the mark completes them, else after the turn."""

    def __init__(self, rows: Rows = (EMPTY * 6,) * 6, turn: str = "X") -> None:
        self.rows, self.turn = rows, turn

    @property
    def result(self) -> str | None:
        fives = [mark for mark in "XO" if has_five(self.rows, mark)]
        if len(fives) == 1:
            return fives[0]
        return "=" if fives or not empty_cells(self.rows) else None

    def moves(self) -> list[Any]:
        return [] if self.result else list(product(empty_cells(self.rows), (1, 2, 3, 4), "lr"))

    def after(self, move: Any) -> "SlowPentago":
        cell, quadrant, direction = move
        rows = put(self.rows, cell, self.turn)
        if not has_five(rows, self.turn):
            rows = turned(rows, quadrant, direction)
        return SlowPentago(rows, "O" if self.turn == "X" else "X")
