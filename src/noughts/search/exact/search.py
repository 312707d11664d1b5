"""The exact search, which decides if a side wins within a given number of plies."""

from collections.abc import Mapping, Sequence

from noughts.core.board import Coordinate
from noughts.core.geometry import TILINGS, coordinates
from noughts.core.lines import can_enumerate
from noughts.games.base import Game, Move, Placement
from noughts.games.rules import Rules
from noughts.search.analysis import Effort, LimitReachedError, SearchQuestion, handled_rules
from noughts.search.background_compile import Kernels, MachineSelector
from noughts.search.dfpn.search import AttackSearch
from noughts.search.dfpn.table import ENTRY as ATTACK_ENTRY
from noughts.search.exact.kernels import run, unwind
from noughts.search.exact.memory import new_memory
from noughts.search.exact.mirroring import Mirrored, Mirroring
from noughts.search.exact.position import find_completing, lift, place
from noughts.search.exact.table import NO_LIMIT, RUNNING, enlarge, store
from noughts.search.gravity.search import GravitySearch
from noughts.search.maker_breaker.memory import new_cover
from noughts.search.maker_breaker.search import BlockingSearch
from noughts.search.maker_breaker.table import ENTRY
from noughts.search.memory import NUMBER_BYTES
from noughts.search.numba_backend import Ints, Machine

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", *TILINGS))
"""The facts that this search handles: two sides, marks that stay, and plain lines."""

MAX_CELLS = 400
"""The maximum number of cells of a board that is searched to the end."""

CHUNK = 1 << 18
MIN_CHUNK = 8
"""The work between two checks of the stop signal, and the least number of nodes."""

FIRST_TABLE = 1 << 14
MAX_TABLE = 3 << 22
"""The number of entries of the first table, and the maximum number of numbers to which it grows."""

KERNELS: Kernels = (run, unwind, enlarge, place, lift, find_completing, store)


class ExactSearch:
    """Answers questions about positions of one set of rules, and stores the answers in a table.

    ``nodes`` counts those of all questions, and ``effort`` limits the current one. The search runs on
    *machine*. Without one, it runs in Python until the kernels are compiled.
    """

    def __init__(self, rules: Rules, machine: Machine | None = None) -> None:
        self.rules = rules
        self.nodes, self.effort = 0, Effort()
        self.blocking = BlockingSearch.of(rules, machine)
        self.attacking = AttackSearch.of(rules, machine)
        self._columns = GravitySearch.of(rules, machine)
        self.has_columns = False
        """True if the position has columns that the gravity search can handle."""
        self._mirroring = Mirroring.of(rules)
        self._mirrored: Mirrored | None = None  # proved for the current position
        self._select_machine = MachineSelector(*KERNELS, machine=machine)
        machine = self._select_machine()
        self._memory = new_memory(rules)
        self._pairing = new_cover(None if self.blocking is None else self.blocking.board)
        self._entry = 2 * self._memory.words + 1
        self._max_numbers = MAX_TABLE
        self.max_bytes: int | None = None
        """The limit that :meth:`limit_memory` has set."""
        self._table = machine.zeros(FIRST_TABLE * self._entry)
        self._switch_machine(machine)
        size, count, k = self._memory.size, self._memory.line_count, self._memory.k
        effort = count * k + size * size // 8  # the work for the lines and for the order of moves
        if self.blocking is not None:
            # The work for pairs is smaller, since they are not sought everywhere.
            effort += (count * k**2 + size**2) // 4
        self._chunk = max(MIN_CHUNK, CHUNK // (1 + effort))
        self._on_board: list[int] = []

    def _switch_machine(self, machine: Machine) -> None:
        """Continue on *machine*, with all stored results."""
        self._memory, self._table = machine.memory(self._memory), machine.array(self._table)
        self._pairing = machine.memory(self._pairing)
        self._machine = machine
        compiled = [machine.function(kernel) for kernel in KERNELS]
        self._run, self._unwind, self._enlarge, self._place, self._lift, *compiled = compiled
        self._find_completing, self._store = compiled

    def ignore_book(self) -> None:
        """Search positions even if a book has their values."""
        if self._columns is not None:
            self._columns.book = None

    def tables(self) -> list[tuple[str, Ints, int]]:
        """Return the stored tables: the name of each, its numbers, and the nodes by which it grows."""
        result = [("exact", self._table, self.nodes)]
        if self.blocking is not None:
            result.append(("blocking", self.blocking.table, self.blocking.nodes))
        if self.attacking is not None:
            result.append(("attacking", self.attacking.table, self.attacking.nodes))
        if self._columns is not None:
            result.append(("columns", self._columns.table, self._columns.nodes))
        return result

    def limit_memory(self, most: int) -> int:
        """Let the tables grow to *most* bytes in total; return the least possible limit.

        If the least possible limit is more than *most*, nothing is changed.
        """
        tables = [table for name, table, _ in self.tables() if self._columns is None or name != "exact"]
        least = len(tables) * NUMBER_BYTES * max(map(len, tables))
        numbers = most // len(tables) // NUMBER_BYTES
        if most < least:
            return least
        self.max_bytes = most
        self._max_numbers = numbers if self._columns is None else len(self._table)
        if self.blocking is not None:
            self.blocking.max_entries = numbers // ENTRY
        if self.attacking is not None:
            self.attacking.max_entries = numbers // ATTACK_ENTRY
        if self._columns is not None:
            self._columns.max_numbers = numbers
        return least

    def load_tables(self, tables: Mapping[str, tuple[Sequence[int], int]]) -> None:
        """Replace the stored results by *tables*, the :meth:`tables` of another search of these rules."""
        numbers, self.nodes = tables["exact"]
        self._table = self._machine.array(numbers)
        if self.blocking is not None:
            self.blocking.load_table(*tables["blocking"])
        if self.attacking is not None:
            self.attacking.load_table(*tables["attacking"])
        if self._columns is not None:
            self._columns.load_table(*tables["columns"])

    @staticmethod
    def supports(game: Game) -> bool:
        """Return True if this search handles *game*."""
        rules = handled_rules(game, HANDLED)
        return rules is not None and len(game.cells) <= MAX_CELLS and can_enumerate(rules.geometry)

    def set_up(self, game: Game) -> None:
        """Set the current position to that of *game*."""
        memory = self._memory
        for cell in self._on_board:
            self._lift(memory, cell)
        self._on_board = []
        for cell, mark in enumerate(game.cells):
            if mark is not None:
                self._place(memory, cell, self.rules.board_marks.index(mark))
                self._on_board.append(cell)
        memory.side = self.rules.marks.index(game.turn)
        self.has_columns = self._columns is not None and self._columns.set_position(game)
        self._mirrored = None if self._mirroring is None else self._mirroring.find(game)

    def wins(self, attacker: int, left: int, budget: int | None = None) -> bool:
        """Return True if side number *attacker* can win within *left* plies, whatever the other side does.

        Raises :class:`LimitReachedError` if the limit ends the search, or *budget* nodes are used up.
        """
        self.effort.question = SearchQuestion("wins", attacker, 0 if left == NO_LIMIT else left)
        if self._columns is not None and self.has_columns:
            return self._wins_in_columns(self._columns, attacker, left, budget)
        if (known := self._wins_by_mirroring(attacker, left)) is not None:
            return known
        memory, effort = self._memory, self.effort
        memory.attacker, memory.depth, memory.is_returning = attacker, 0, 0
        memory.best = -1
        memory.left[0] = left
        with effort.within(budget):
            while True:
                if (machine := self._select_machine(effort.stop)) is not self._machine:
                    self._switch_machine(machine)
                    memory = self._memory
                self._enlarge_table()
                memory.nodes = 0
                result = RUNNING
                if not effort.stop():  # The table may have the answer though no nodes are left.
                    result = self._run(memory, self._table, self._pairing, effort.left(self._chunk))
                self.nodes += memory.nodes
                effort.nodes += memory.nodes
                effort.report(NUMBER_BYTES * len(self._table))
                if result != RUNNING:
                    return bool(result)
                if effort.is_over():
                    self._unwind(memory)
                    raise LimitReachedError

    def recall(self, attacker: int, left: int) -> bool | None:
        """Return the answer to :meth:`wins` without a search, None if unknown.

        The move that decides need not be known.
        """
        effort, self.effort = self.effort, Effort()
        try:
            return self.wins(attacker, left, 0)
        except LimitReachedError:
            is_known = self.has_columns and self._columns is not None and self._columns.is_known
            return attacker == self.side if is_known else None
        finally:
            self.effort = effort

    def store_answer(self, attacker: int, left: int, answer: bool, work: int) -> None:
        """Store the *answer* to the question of :meth:`wins`. Workers found it with *work* nodes."""
        if self.recall(attacker, left) is not None:
            return
        if self._columns is not None and self.has_columns:
            self._columns.store_answer(answer == (attacker == self.side), work)
        else:
            self._store(self._memory, self._table, 0, int(answer))

    def move_order(self) -> list[Move]:
        """Return the moves of the position in the order in which the last, unanswered question tries them."""
        memory = self._memory
        if self._columns is not None and self.has_columns:
            return [self.move_of(2 * cell + self.side) for cell in self._columns.move_order()]
        return [self.move_of(int(number)) for number in memory.tried[: memory.move_count[0]]]

    def report(self) -> None:
        """Report the progress."""
        self.effort.report(NUMBER_BYTES * sum(len(table) for _, table, _ in self.tables()))

    def _wins_by_mirroring(self, attacker: int, left: int) -> bool | None:
        """Return the answer that mirroring proves, else None."""
        memory, result = self._memory, self._mirrored
        if result is None:
            return None
        may_last = left >= self.empty
        if attacker == result.side and not (result.wins and may_last):
            return None
        memory.best = -1 if result.cell < 0 else 2 * result.cell + result.side
        return attacker == result.side

    def _wins_in_columns(self, columns: GravitySearch, attacker: int, left: int, budget: int | None) -> bool:
        """Answer the question of :meth:`wins` by the search of *columns*."""
        memory, before = self._memory, columns.nodes
        side = memory.side
        memory.best = -1
        try:
            result = columns.wins(attacker == side, left, self.effort, budget)
        finally:
            self.nodes += columns.nodes - before
        memory.best = -1 if columns.best < 0 else 2 * columns.best + side
        return result

    def _enlarge_table(self) -> None:
        """Enlarge the table in proportion to the nodes."""
        places = len(self._table) // self._entry
        numbers = 4 * places * self._entry
        if self.nodes > places and numbers <= self._max_numbers:
            larger = self._machine.zeros(numbers)
            self._enlarge(self._memory, larger, self._table)
            self._table = larger

    @property
    def side(self) -> int:
        """The number of the side to move."""
        return self._memory.side

    @property
    def size(self) -> int:
        """The number of cells."""
        return self._memory.size

    @property
    def empty(self) -> int:
        """The number of empty cells."""
        return self.size - self._memory.placed

    @property
    def best(self) -> int:
        """The number of the move that decided the last question, -1 if none is known."""
        return self._memory.best

    def best_move(self) -> Move | None:
        """Return the move that decided the last question, None if none is known."""
        return self.move_of(self.best) if self.best >= 0 else None

    def completing_cell(self, side: int) -> Coordinate | None:
        """Return a cell on which side number *side* completes a line, None if there is none."""
        cell = int(self._find_completing(self._memory, side, -1))
        return coordinates(self.rules.shape)[cell] if cell >= 0 else None

    def move_of(self, number: int) -> Move:
        """Return the move with this *number* in the kernels."""
        cell = coordinates(self.rules.shape)[number // 2]
        return Placement(cell, self.rules.marks[number % 2]) if self.rules.wild else cell
