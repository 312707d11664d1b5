"""One search of one position: Python chooses the first move, and the kernels choose all others."""

from noughts.search.analysis import Limit
from noughts.search.deepening import NOWHERE, DeepeningResult, Report, ignore_result
from noughts.search.engine import kernels
from noughts.search.engine.incremental import change, count_wins, find_win
from noughts.search.engine.kernels import LIKELY, PROVED, WIN
from noughts.search.engine.memory import MOVES, EngineMemory
from noughts.search.engine.ordering import order_score
from noughts.search.engine.threat_sequence import take_back
from noughts.search.numba_backend import Machine

UNLIMITED = 1 << 60

FIRST_SEQUENCE = 20_000
"""Maximum number of moves in the search for a threat sequence from the position itself."""

THREAT_SHARE = 8
"""Divisor: a search for wins by threats alone may take this part of the moves made so far."""

FORCED_NODES = 2_000
"""Maximum number of moves made if there is only one first move."""

ROOT_MOVES = 40
"""Maximum number of first moves."""

MAX_BREADTH = 16
"""Maximum number of moves tried in every other position."""

CHUNK, CHUNK_COMPILED = 24, 4096
"""The number of moves between two checks of the stop signal, in Python and in compiled kernels."""

CHUNK_CELLS = 361
"""Number of cells beyond which a move takes longer, so that fewer moves are made between two checks."""


class StoppedError(Exception):
    """Raised when a limit or the stop signal ends the search."""


KERNELS = (change, kernels.run)
"""The kernels that this module calls."""


class Deepening:
    """An iterative deepening search of the position in *memory*, with *side* to move.

    ``result`` is the result so far. *report* is called whenever it has improved.
    """

    def __init__(
        self,
        memory: EngineMemory,
        side: int,
        machine: Machine,
        limit: Limit,
        report: Report = ignore_result,
    ) -> None:
        self.memory, self.side, self.limit, self._report = memory, side, limit, report
        self.result = DeepeningResult()
        memory.max_nodes = UNLIMITED if limit.nodes is None else limit.nodes
        memory.breadth = MAX_BREADTH
        memory.attacker = NOWHERE
        large = max(memory.size, CHUNK_CELLS)
        chunk = CHUNK if machine.name == "python" else CHUNK_COMPILED
        self._chunk = max(1, chunk * CHUNK_CELLS // large)
        self._falling = bool(memory.width)
        self._change, self._run = machine.function(change), machine.function(kernels.run)
        self._complete = True

    @property
    def nodes(self) -> int:
        return self.memory.count

    @property
    def line(self) -> list[int]:
        """The cells of the expected line of play."""
        return self.result.line

    # Immediate decisions

    def list_first_moves(self) -> list[int]:
        """Return the first moves to try, the most promising first.

        A win in one move, or two threats of the other side, decide the position: then the result is set and
        the list is empty. A single threat of the other side must be stopped, so its cell is the only move.
        """
        memory, side = self.memory, self.side
        cells = self._promising(self._open_cells())
        self.result.settle(cells[0], int(kernels.evaluate(memory, side)), None)
        if (win := find_win(memory, side)) >= 0:
            self.result.settle(int(win), WIN - 1, 1, 1)
            return []
        if (must := find_win(memory, 1 - side)) >= 0:
            if count_wins(memory, 1 - side) > 1:
                self.result.settle(int(must), -(WIN - 2), -1, 2)
                return []
            cells = [int(must)]
        elif self._falling:
            cells = self._not_below_wins(cells)
        self.result.best, self.result.line = cells[0], [cells[0]]
        return cells

    def _open_cells(self) -> list[int]:
        """Return the cells that a mark may be placed on."""
        memory = self.memory
        if self._falling:
            return [int(cell) for cell in memory.lowest if cell >= 0]
        return [cell for cell, mark in enumerate(memory.board) if not mark]

    def _promising(self, cells: list[int]) -> list[int]:
        memory, size = self.memory, self.memory.size
        mine, theirs = self.side * size, (1 - self.side) * size

        def score(cell: int) -> int:
            return int(order_score(memory, mine + cell, theirs + cell) + memory.middle[cell])

        return sorted(cells, key=score, reverse=True)

    def _not_below_wins(self, cells: list[int]) -> list[int]:
        """Return the cells of *cells* above which the other side does not win, or all if there are none."""
        memory, width = self.memory, self.memory.width
        above = (1 - self.side) * memory.size - width
        good = [cell for cell in cells if cell < width or not memory.wins[above + cell]]
        if not good:
            self.result.settle(cells[0], -(WIN - 2), -1, 2)
        return good or cells

    # Search

    def search(self) -> bool:
        """Search until the position is decided or a limit ends the search.

        Return True if it is decided.
        """
        cells = self.list_first_moves()
        if self.result.value is not None:
            return True
        if len(cells) == 1:
            self.memory.max_nodes = min(self.memory.max_nodes, FORCED_NODES)
        try:
            if cells := self._find_sequences(cells):
                self._deepen(cells)
        except StoppedError:
            return False
        return True

    def _find_sequences(self, cells: list[int]) -> list[int]:
        """Search for a sequence of either side, and return the first moves that are left.

        Return an empty list if a sequence wins. A sequence of the other side leaves only the moves of its
        zone.
        """
        if self._falling:
            self._complete = len(cells) <= MOVES
            return cells
        memory = self.memory
        if self._has_sequence(self.side):
            length = memory.length
            line = []
            for threat in range(length):
                line += [int(memory.attack[threat]), int(memory.reply[threat])]
            # A single move that makes two threats is the quickest win except for a win at once.
            self.result.settle(line[0], WIN - 1 - 2 * length, 1, 3 if length == 1 else None)
            self.result.line = line[: 2 * length - 1]
            return []
        if self._has_sequence(1 - self.side):
            zone = {int(cell) for cell in memory.zone[: memory.zone_count]}
            cells = [cell for cell in cells if cell in zone]
        else:
            self._complete = len(cells) <= ROOT_MOVES
            cells = cells[:ROOT_MOVES]
        self.result.best, self.result.line = cells[0], [cells[0]]
        return cells

    def _has_sequence(self, side: int) -> bool:
        """Return True if *side* would win by a sequence if it were to move."""
        kernels.begin_sequence(self.memory, side)
        return bool(self._run_until(self.nodes + min(FIRST_SEQUENCE, self._nodes_left() // 4)))

    def _nodes_left(self) -> int:
        return int(self.memory.max_nodes - self.memory.count)

    def _check(self) -> None:
        if self._nodes_left() <= 0 or self.limit.stop():
            raise StoppedError

    def _deepen(self, cells: list[int]) -> None:
        max_depth = self.memory.free
        if self.limit.depth is not None:
            max_depth = min(max_depth, self.limit.depth)
        threats = 1
        for depth in range(1, max_depth + 1):
            cells = self._iterate(cells, depth)
            self.result.depth = depth
            if depth > 1 and not self._falling and abs(self.result.score) <= PROVED:
                cells, threats = self._look_for_threats(cells, depth, threats)
            self._report(self.result, self.nodes)
            if abs(self.result.score) > PROVED:
                return

    def _look_for_threats(self, cells: list[int], depth: int, threats: int) -> tuple[list[int], int]:
        """Search for a win by *threats* threats, of this side or, after its best move, of the other side.

        Moves that lose to such a win are dropped, and the others are searched again to *depth*. Return the
        remaining moves, best first, and the number of threats for the next call.
        """
        wins = self._threats_win(NOWHERE, self.side, threats)
        if wins:
            self.result.settle(int(self.memory.answer[0]), PROVED + 1, 1)
        if wins is not False:
            return cells, threats
        first = cells[0]
        while loses := self._threats_win(cells[0], 1 - self.side, threats):
            if len(cells) == 1:
                score = -(PROVED + 1) if self._complete else -LIKELY
                self.result.settle(first, score, -1 if self._complete else None)
                return cells, threats
            cells = self._iterate(cells[1:], depth)
            if abs(self.result.score) > PROVED:
                return cells, threats
        return cells, threats + (loses is not None)

    def _iterate(self, cells: list[int], depth: int) -> list[int]:
        """Search each of *cells* to *depth* and return the cells, best first."""
        best, best_score = NOWHERE, -WIN
        for cell in cells:
            if best == NOWHERE:
                score = self._score(cell, depth, -WIN, WIN)
            else:
                score = self._score(cell, depth, best_score, best_score + 1)
                if score > best_score:
                    score = self._score(cell, depth, best_score, WIN)
            if best == NOWHERE or score > best_score:
                best, best_score = cell, score
                self._settle_on(best, best_score)
            if best_score > PROVED:
                break
            if best_score <= -LIKELY and cell != cells[-1]:
                # If the time runs out, a move that is not known to lose is better.
                self.result.best = cells[cells.index(cell) + 1]
                self.result.line = [self.result.best]
        self._settle_on(best, best_score)
        if best_score < -PROVED and self._complete:
            self.result.value = -1
        return [best, *(cell for cell in cells if cell != best)]

    def _settle_on(self, best: int, score: int) -> None:
        result = self.result
        result.best, result.score = best, score
        result.line = [best, *self._line_after(best)]
        if score > PROVED:
            result.value = 1

    def _threats_win(self, cell: int, side: int, threats: int) -> bool | None:
        """Return True if *threats* threats in a row win for *side* after *cell* (NOWHERE: from here).

        Return None if that takes more than a certain share of the moves made so far.
        """
        self.memory.attacker = side
        try:
            score = self._search_after(cell, threats, 0, 1, self.nodes + self.nodes // THREAT_SHARE)
            return None if score is None else score > PROVED
        finally:
            self.memory.attacker = NOWHERE

    def _score(self, cell: int, depth: int, low: int, high: int) -> int:
        """Return the score of the first move *cell*."""
        return -(self._search_after(cell, depth - 1, -high, -low, UNLIMITED) or 0)

    def _search_after(self, cell: int, depth: int, low: int, high: int, max_nodes: int) -> int | None:
        """Return the score of the position after *cell* (NOWHERE: the current position) for the side to move.

        Return None if that takes more than *max_nodes* moves in total.
        """
        side = self.side
        self._check()
        if cell != NOWHERE:
            self._change(self.memory, cell, side, 1)
            self.memory.count += 1
            side = 1 - side
        try:
            kernels.begin(self.memory, side, depth, low, high)
            return self._run_until(max_nodes)
        finally:
            if cell != NOWHERE:
                self._change(self.memory, cell, self.side, -1)

    def _run_until(self, max_nodes: int) -> int | None:
        """Run the search that was begun and return its value.

        Return None if that takes more than *max_nodes* moves in total.
        """
        memory, done = self.memory, False
        max_nodes = min(max_nodes, memory.max_nodes)
        try:
            while not done:
                self._check()
                if self.nodes >= max_nodes:
                    return None
                done = self._run(memory, min(self.nodes + self._chunk, max_nodes))
            return memory.value
        finally:
            kernels.undo_moves(memory)
            take_back(memory)

    def _line_after(self, cell: int) -> list[int]:
        """Return the best moves after the first move *cell*, from the transposition table."""
        made = [cell]
        self._change(self.memory, cell, self.side, 1)
        while (answer := int(kernels.stored_move(self.memory))) >= 0:
            made.append(answer)
            self._change(self.memory, answer, (self.side + len(made) - 1) & 1, 1)
        for number in range(len(made) - 1, -1, -1):
            self._change(self.memory, made[number], (self.side + number) & 1, -1)
        return made[1:]
