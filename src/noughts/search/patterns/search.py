"""One pattern search of one position: iterative deepening around the kernels."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import Limit, handled_rules
from noughts.search.deepening import NOWHERE, DeepeningResult, Report, ignore_result
from noughts.search.memory import zeros
from noughts.search.numba_backend import Machine
from noughts.search.patterns import alpha_beta
from noughts.search.patterns.alpha_beta import INFINITE, LIKELY, PROVED, WIN, entry_move
from noughts.search.patterns.forbidden import is_legal
from noughts.search.patterns.fours import (
    begin_sequence,
    continue_sequence,
    find_static_result,
    find_winning_move,
    leave_sequence,
    order_score,
)
from noughts.search.patterns.line_classes import FIVE_POINT
from noughts.search.patterns.memory import MAX_FOURS, PatternMemory, empty_memory
from noughts.search.patterns.position import find_point, place, remove
from noughts.search.patterns.weights import Weights, read_weights

FACTS = frozenset(("exact", "renju"))
"""The facts of the games that the search handles."""

MAX_SIDE = 22
"""The longest side of a board."""

KERNELS = (place, remove, alpha_beta.run, continue_sequence, is_legal)
"""The kernels that this module calls."""

UNLIMITED = 1 << 60

SEQUENCE_LIMITS = (200, 1_000, 5_000, 20_000)
"""The limits of the searches for a sequence of fours from the position itself, in positions."""

FORCED_NODES = 2_000
"""Maximum number of moves made if there is only one first move."""

FIRST_DEPTH, MAX_DEPTH = 1, 60

WINDOW, WINDOW_FACTOR, MAX_WINDOW = 40, 3, 1000
"""The half width of the first window around the last value, its growth, and its limit."""

WINDOW_DEPTH = 4
"""The depth from which the window is narrow."""

CHUNK, CHUNK_COMPILED = 24, 1024
"""Moves made between two checks of the stop signal, in Python and in compiled kernels."""


def has_patterns(game: Game) -> bool:
    """Return True if the search handles *game*: 4 to 6 in a row on a flat board, at most MAX_SIDE long."""
    rules = handled_rules(game, FACTS)
    if rules is None:
        return False
    shape, k = rules.geometry.shape, rules.geometry.k
    is_flat = len(shape) == 2 and k <= min(shape) and max(shape) <= MAX_SIDE
    return is_flat and 4 <= k <= (5 if any(rules.exact_for) else 6)


@lru_cache(maxsize=8)
def fitted_memory(rules: Rules, machine: Machine) -> PatternMemory:
    """Return the memory of an empty board with the fitted weights. It must not be changed."""
    return empty_memory(rules, machine, read_weights())


class PatternBoard:
    """A board on which positions are searched, with its transposition table of *entries*, a power of two.

    *weights* are by default the fitted ones.
    """

    def __init__(self, rules: Rules, entries: int, machine: Machine, weights: Weights | None = None) -> None:
        self.machine = machine
        self._rules, self._entries = rules, entries
        empty = empty_memory(rules, machine, weights) if weights else fitted_memory(rules, machine)
        tables = zeros(2 * entries, "entries")
        self.memory: PatternMemory = machine.memory(replace(empty, entry_count=entries, **tables))
        self.cells = [int(cell) for cell in empty.cells]
        """The cell of the memory of each cell of the game."""
        self._place, self._remove = machine.function(place), machine.function(remove)
        self.marks: list[tuple[int, int]] = []
        """The cells and sides of the marks, in the order of their placing."""

    def suits(self, rules: Rules, entries: int, machine: Machine) -> bool:
        """Return True if the board is for these arguments."""
        return (rules, entries, machine) == (self._rules, self._entries, self.machine)

    def may_continue(self, game: Game) -> bool:
        """Return True if *game* can be the game of the last search.

        A position with fewer marks is taken for another game.
        """
        return len(game.cells) - game.cells.count(None) >= len(self.marks)

    def clear(self) -> None:
        """Remove all marks and forget all searches."""
        while self.marks:
            self.remove()
        memory: Any = self.memory
        for table in (memory.entries, memory.history, memory.killers, memory.failed):
            self.machine.clear(table)

    def set_up(self, game: Game) -> None:
        """Set up the position of *game*."""
        missing = {
            (cell, game.sides.index(mark)): None
            for cell, mark in zip(self.cells, game.cells, strict=True)
            if mark is not None
        }
        common = 0
        for mark in self.marks:
            if mark not in missing:
                break
            common += 1
        while len(self.marks) > common:
            self._remove(self.memory, *self.marks.pop())
        present = set(self.marks)
        for mark in missing:
            if mark not in present:
                self.place(*mark)
        self.memory.count = self.memory.sequence_count = 0

    def place(self, cell: int, side: int) -> None:
        """Place a mark of *side* on *cell* of the memory."""
        self._place(self.memory, cell, side)
        self.marks.append((cell, side))

    def remove(self) -> None:
        """Remove the mark that was placed last."""
        self._remove(self.memory, *self.marks.pop())


class PatternSearch:
    """An iterative deepening search of the position on *board*, with *side* to move.

    ``result`` is the result so far, with cells of the memory. *report* is called whenever it has improved.
    """

    def __init__(self, board: PatternBoard, side: int, limit: Limit, report: Report = ignore_result) -> None:
        self.board, self.side, self._limit, self._report = board, side, limit, report
        self.memory, self.result = board.memory, DeepeningResult()
        machine = board.machine
        self._run = machine.function(alpha_beta.run)
        self._continue_sequence = machine.function(continue_sequence)
        self._is_legal = machine.function(is_legal)
        self._chunk = CHUNK if machine.name == "python" else CHUNK_COMPILED
        self.memory.max_nodes = UNLIMITED if limit.nodes is None else limit.nodes

    @property
    def nodes(self) -> int:
        return int(self.memory.count + self.memory.sequence_count)

    @property
    def line(self) -> list[int]:
        """The cells of the expected line of play, as cells of the game."""
        number = {cell: i for i, cell in enumerate(self.board.cells)}
        return [number[cell] for cell in self.result.line]

    def search(self) -> bool:
        """Search until the position is decided or a limit ends the search; return True if it is decided."""
        if self._settle_at_once() or self._settle_sequence():
            self.result.depth = WIN - abs(self.result.score)
            self._report(self.result, self.nodes)
            return True
        is_decided = self._deepen()
        if self.result.best == NOWHERE:
            self.result.settle(self._likely_move(), 0, None)
        if not is_decided:
            self._report(self.result, self.nodes)
        return is_decided

    def _likely_move(self) -> int:
        """Return the cell that must be filled, or else the one near a mark with the greatest order score.

        Moves that are illegal are skipped.
        """
        memory, side, cells = self.memory, self.side, self.board.cells
        legal = [cell for cell in cells if not memory.board[cell] and self._is_legal(memory, side, cell)]
        forced = int(find_point(memory, 1 - side, FIVE_POINT))
        if forced in legal:
            return forced
        near = [cell for cell in legal if memory.neighbours[cell]]
        other = int(memory.middle) if int(memory.middle) in legal else legal[0]
        return max(near, key=lambda cell: int(order_score(memory, side, cell)), default=other)

    def _settle_at_once(self) -> bool:
        """Set the result if the point classes decide the position; return True if they do."""
        memory, side = self.memory, self.side
        plies = find_static_result(memory, side)
        if plies > 0:
            move = int(find_winning_move(memory, side, plies))
            self.result.settle(move, WIN - plies, 1, plies if plies <= 3 else None)
        elif plies < 0:
            self.result.settle(self._likely_move(), -WIN - plies, -1, -plies)
        return plies != 0

    def _settle_sequence(self) -> bool:
        """Set the result if a sequence of fours wins; return True if it does."""
        memory = self.memory
        for limit in SEQUENCE_LIMITS:
            if limit > self._nodes_left() // 4:
                return False
            before = memory.sequence_count
            begin_sequence(memory, self.side, limit, MAX_FOURS)
            while True:
                if self._limit.stop():
                    leave_sequence(memory)
                    return False
                if self._continue_sequence(memory, self._chunk):
                    break
            if memory.sequence_plies:
                self.result.settle(int(memory.sequence_move), WIN - int(memory.sequence_plies), 1)
                self.result.line = self._sequence_line()
                return True
            if memory.sequence_count - before < limit:
                return False
        return False

    def _sequence_line(self) -> list[int]:
        """Return the fours of the sequence that was found, the replies, and the move that decides."""
        memory, side, line = self.memory, self.side, list[int]()
        left = int(memory.sequence_plies)
        while (plies := find_static_result(memory, side)) <= 0 and left > 3:
            number = len(line) // 2
            for cell, mover in ((memory.four[number], side), (memory.reply[number], 1 - side)):
                line.append(int(cell))
                self.board.place(int(cell), mover)
            left -= 2
        # If the position decides nothing, the reply to the last four is forbidden.
        decisive = find_winning_move(memory, side, plies) if plies > 0 else memory.four[len(line) // 2]
        for _ in line:
            self.board.remove()
        return [*line, int(decisive)]

    def _nodes_left(self) -> int:
        return int(self.memory.max_nodes) - self.nodes

    def _deepen(self) -> bool:
        """Search deeper and deeper until a limit ends the search. Return True if it is decided."""
        memory, result, most = self.memory, self.result, MAX_DEPTH
        if self._limit.depth is not None:
            most = min(most, max(self._limit.depth, FIRST_DEPTH))
        for depth in range(FIRST_DEPTH, most + 1):
            low, high, width = -INFINITE, INFINITE, WINDOW
            if depth >= WINDOW_DEPTH and abs(result.score) < LIKELY:
                low, high = result.score - width, result.score + width
            while True:
                is_done = self._search(depth, low, high)
                best = int(memory.best_move[0])
                if not is_done:
                    if best != NOWHERE and best != result.best:
                        result.best, result.line = best, [best]
                    return False
                score = int(memory.value)
                width *= WINDOW_FACTOR
                if score <= low:
                    low = score - width if width <= MAX_WINDOW else -INFINITE
                    continue
                result.best = best
                if score < high:
                    break
                high = score + width if width <= MAX_WINDOW else INFINITE
            result.score, result.depth, result.line = score, depth, [best, *self._line_after(best)]
            if abs(score) > PROVED:
                result.value = 1 if score > 0 else -1
            self._report(result, self.nodes)
            if memory.listed[0] == 1:
                memory.max_nodes = min(int(memory.max_nodes), FORCED_NODES)
            # A loss that is not proved may be avoided by a deeper search.
            if abs(score) > PROVED or score > LIKELY:
                return True
        return True

    def _search(self, depth: int, low: int, high: int) -> bool:
        """Search the position to *depth* plies; return False if a limit ends the search first."""
        memory = self.memory
        memory.root_move = self.result.best
        alpha_beta.begin(memory, self.side, depth, low, high)
        while True:
            left = self._nodes_left()
            if left <= 0 or self._limit.stop():
                alpha_beta.leave(memory)
                return False
            if self._run(memory, self.nodes + min(left, self._chunk)):
                return True

    def _line_after(self, cell: int) -> list[int]:
        """Return the best moves after the first move *cell*, from the transposition table."""
        memory, line = self.memory, [cell]
        self.board.place(cell, self.side)
        while len(line) < MAX_DEPTH:
            side = (self.side + len(line)) & 1
            entry = alpha_beta.find_entry(memory, memory.key ^ side)
            move = int(entry_move(int(memory.entries[entry + 1]))) if entry >= 0 else NOWHERE
            if move == NOWHERE or memory.board[move]:
                break
            line.append(move)
            self.board.place(move, side)
        for _ in line:
            self.board.remove()
        return line[1:]
