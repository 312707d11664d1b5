"""A slow model of the rules: a dict of coordinates and plain loops, written from their description.

It shares nothing with the library but the names of the options. A position is computed only from the list of
moves, so undoing a move means to remove it from the list.
"""

from itertools import product
from typing import Any, NamedTuple

from tests.games.renju_model import RenjuModel

Cell = tuple[int, ...]


class End(NamedTuple):
    """The end of a game: the winner (None: a draw), the sets of cells that decided it, and the reason."""

    winner: str | None
    lines: frozenset[frozenset[Cell]]
    why: str


class Model:
    """A game of k in a row, from the list of its moves."""

    def __init__(
        self,
        shape: tuple[int, ...],
        k: int,
        marks: tuple[str, ...] = ("X", "O"),
        options: frozenset[str] = frozenset(),
        vanish: int = 0,
        joined: str = "",
        place: int = 1,
        avoid: int = 0,
    ) -> None:
        self.shape, self.k, self.marks, self.options, self.vanish = shape, k, marks, options, vanish
        self.place, self.avoid = place, avoid
        self.joined = joined  # the joined axes: x is the last one, y the one before it
        self.all_cells = list(product(*[range(side) for side in shape]))
        self.board: dict[Cell, str] = {}
        self.placed: dict[str, list[Cell]] = {mark: [] for mark in marks}
        self.moves: list[Any] = []
        self.end: End | None = None
        self.history = [self.position()]

    def after(self, moves: list[Any]) -> "Model":
        """Return a new model of the same game after *moves*."""
        model = Model(
            self.shape, self.k, self.marks, self.options, self.vanish, self.joined, self.place, self.avoid
        )
        for move in moves:
            model.play(move)
        return model

    def turn(self) -> str:
        """Return the side to move."""
        turn, left = 0, 1  # the first turn has one mark
        for _ in self.moves:
            left -= 1
            if not left:
                turn, left = turn + 1, self.place
        return self.marks[turn % len(self.marks)]

    def position(self) -> tuple[Any, ...]:
        """Return the facts that make a repetition: the side to move, and the marks with their ages."""
        return (self.turn(), tuple((mark, tuple(self.placed[mark])) for mark in self.marks))

    def is_open(self, cell: Cell) -> bool:
        """Return True if a mark may be put on *cell*."""
        if cell in self.board:
            return False
        if "renju" in self.options and self.turn() == self.marks[0] and self.is_forbidden(cell):
            return False
        below = (cell[0] + 1, *cell[1:])
        return "gravity" not in self.options or below[0] == self.shape[0] or below in self.board

    def is_forbidden(self, cell: Cell) -> bool:
        """Return True if renju forbids *cell* to the side that begins."""
        rows, columns = self.shape
        own, others = (frozenset((row, column) for row, column in self.placed[mark]) for mark in self.marks)
        return RenjuModel(rows, columns, own, others).verdict((cell[0], cell[1])) in ("6", "44", "33")

    def legal(self) -> list[Any]:
        """Return the legal moves, in the order of the numbers of cells or, if marks fall, of columns."""
        if self.end is not None:
            return []
        cells = [cell for cell in self.all_cells if self.is_open(cell)]
        if "gravity" in self.options:
            cells.sort(key=lambda cell: cell[1:])
        if "wild" in self.options:
            return [(cell, mark) for cell in cells for mark in self.marks]
        return cells

    def play(self, move: Any) -> None:
        """Make *move* for the side to move."""
        side = self.turn()
        cell, mark = (move, side)
        if "wild" in self.options:
            cell, mark = move
        if "notakto" in self.options:
            mark = self.marks[0]
        assert self.end is None
        assert self.is_open(cell)
        self.moves.append(move)
        self.board[cell] = mark
        self.placed[side].append(cell)
        if self.vanish and len(self.placed[side]) > self.vanish:
            del self.board[self.placed[side].pop(0)]
        self.history.append(self.position())
        self.end = self.find_end(cell, side)

    def find_end(self, cell: Cell, side: str) -> End | None:
        """Return the end of the game after the mark that *side* just put on *cell*, or None."""
        lines = self.lines_through(cell, self.k)
        avoided = self.lines_through(cell, self.avoid) if self.avoid else frozenset()
        if lines or avoided:
            winner = side
            if not lines or "misere" in self.options or "notakto" in self.options:
                (winner,) = [other for other in self.marks if other != side]
            return End(winner, lines or avoided, "line")
        if not any(self.is_open(cell) for cell in self.all_cells):
            return End(None, frozenset(), "full")
        if self.vanish and self.history.count(self.history[-1]) >= 3:
            return End(None, frozenset(), "repetition")
        return None

    def step(self, cell: Cell, by: Cell, times: int) -> Cell | None:
        """Return the cell *times* steps away, or None if it is off the board."""
        there = [part + times * one for part, one in zip(cell, by, strict=True)]
        for axis, letter in enumerate(reversed("xyzwvuts"[: len(cell)])):
            if letter in self.joined:
                there[axis] %= self.shape[axis]
        if any(part < 0 or part >= side for part, side in zip(there, self.shape, strict=True)):
            return None
        return tuple(there)

    def lines_through(self, cell: Cell, k: int) -> frozenset[frozenset[Cell]]:
        """Return every complete line of *k* cells through *cell*."""
        lines = set()
        for by in product((-1, 0, 1), repeat=len(self.shape)):
            if "hex" in self.options and by in ((-1, -1), (1, 1)):
                continue  # hexagons have six neighbours
            if by > (0,) * len(self.shape):  # the other half are the same directions backwards
                for back in range(k):
                    line = [self.step(cell, by, number - back) for number in range(k)]
                    ends = [self.step(cell, by, -back - 1), self.step(cell, by, k - back)]
                    if self.is_line(line, ends, self.board[cell]):
                        lines.add(frozenset(place for place in line if place is not None))
        return frozenset(lines)

    def is_line(self, line: list[Cell | None], ends: list[Cell | None], mark: str) -> bool:
        """Return True if *line* is distinct cells with *mark*, and no longer one if that matters."""
        if None in line or len(set(line)) != len(line):
            return False
        if any(place is not None and self.board.get(place) != mark for place in line):
            return False
        if "exact" in self.options or ("renju" in self.options and mark == self.marks[0]):
            beyond = [place for place in ends if place is not None and place not in line]
            return all(self.board.get(place) != mark for place in beyond)
        return True
