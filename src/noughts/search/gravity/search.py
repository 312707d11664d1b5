"""The gravity search: whether a side wins within a number of plies where marks fall."""

from collections.abc import Sequence

from noughts.certificates.book import Book, Search, shipped_book
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import Effort, Limit, LimitReachedError
from noughts.search.background_compile import Kernels, MachineSelector
from noughts.search.gravity.kernels import run, start
from noughts.search.gravity.memory import RUNNING, bit_of, new_memory
from noughts.search.gravity.table import TAG_BITS, WAYS, enlarge, store
from noughts.search.memory import NUMBER_BYTES
from noughts.search.numba_backend import Machine

FACTS = frozenset(("gravity",))
"""The facts of the rules that this search handles, no more and no fewer."""

MAX_CELLS = 64
MAX_COLUMNS = 40
"""The number of bits of a mask, and the maximum number of columns for entries of two numbers."""

CHUNK = 1 << 11
"""The number of nodes between two checks of the stop signal."""

FIRST_TABLE = 1 << 12
MAX_TABLE = 1 << 26
"""The number of buckets of the first table, and the maximum number of numbers to which it grows."""

NODES_PER_ENTRY = 16
"""The nodes for each entry after which the table grows.

A small table stays in the cache of the processor. With 2 nodes for each entry the search takes 6 % fewer
nodes, but two thirds more time.
"""

KERNELS: Kernels = (run, start, enlarge, store)


class GravitySearch:
    """Answers questions about positions of one set of rules, and stores the answers in a table.

    ``nodes`` counts those of all questions. The search runs on *machine*. Without one, it runs in Python
    until the kernels are compiled. Positions that the :attr:`book` has are not searched.
    """

    book: Book | None
    """The values of the first plies."""

    def __init__(self, rules: Rules, machine: Machine | None = None) -> None:
        self.book = shipped_book(rules.spec)
        self._known: int | None = None
        self.nodes = 0
        self.best = -1
        """The cell of the move that decided the last question, -1 for none."""
        self.max_numbers = MAX_TABLE
        """The number of numbers up to which the :attr:`table` may grow."""
        self._rules = rules
        self._select_machine = MachineSelector(*KERNELS, machine=machine)
        machine = self._select_machine()
        self._memory = new_memory(rules)
        self._height, self._width = self._memory.height, self._memory.width
        self._own = self._taken = 0
        self._bucket = WAYS * (1 + self._memory.is_wide)
        buckets = FIRST_TABLE
        if not self._memory.is_wide:
            buckets = max(buckets, 1 << max(0, self._width * (self._height + 1) - TAG_BITS))
        self._memory.shift = buckets.bit_length() - 1
        self.table = machine.zeros(buckets * self._bucket)
        self._switch_machine(machine)

    @staticmethod
    def of(rules: Rules, machine: Machine | None = None) -> "GravitySearch | None":
        """Create the search for a board of *rules*; None if they are not handled."""
        if rules.facts != FACTS or rules.k < 2 or rules.geometry.size > MAX_CELLS:
            return None
        width = rules.geometry.size // rules.shape[0]
        return GravitySearch(rules, machine) if width <= MAX_COLUMNS else None

    def _switch_machine(self, machine: Machine) -> None:
        """Continue on *machine*, with all stored results."""
        self._machine = machine
        self._memory = machine.memory(self._memory)
        self.table = machine.array(self.table)
        compiled = [machine.function(kernel) for kernel in KERNELS]
        self._run, self._start, self._enlarge, self._store = compiled

    def load_table(self, numbers: Sequence[int], nodes: int) -> None:
        """Replace the table by *numbers*, the table of a similar search after *nodes* nodes."""
        self.table = self._machine.array(numbers)
        self._memory.shift = (len(numbers) // self._bucket).bit_length() - 1
        self._memory.nodes = self.nodes = nodes

    def set_position(self, game: Game) -> bool:
        """Set the current position to that of *game*; return False if the search does not handle it."""
        mine, self._own, self._taken = game.turn, 0, 0
        count = 0
        for cell, mark in enumerate(game.cells):
            if mark is not None:
                count += 1
                bit = 1 << bit_of(cell, self._width, self._height)
                self._taken |= bit
                self._own |= bit if mark == mine else 0
        if self._rules.marks[count % 2] != mine or 2 * self._own.bit_count() != count - count % 2:
            return False
        self._known = None if self.book is None else self.book.value_of(game)
        return True

    def wins(self, attacks: bool, left: int, effort: Effort, budget: int | None = None) -> bool:
        """Return True if a side can win within *left* plies.

        If *attacks* is true, it is the side to move, else the other side. Raises
        :class:`~noughts.search.analysis.LimitReachedError` if *effort* ends the search, or *budget* nodes are
        used up.
        """
        if (known := self._known) is not None:
            self.best = -1
            return 0 < (known if attacks else -known) <= left
        size = self._height * self._width
        wanted = size + 1 - min(size, self._taken.bit_count() + left)
        own, taken = self._machine.word(self._own), self._machine.word(self._taken)
        self._start(self._memory, own, taken, wanted if attacks else 1 - wanted)
        with effort.within(budget):
            while True:
                if (machine := self._select_machine(effort.stop)) is not self._machine:
                    self._switch_machine(machine)
                self._enlarge_table()
                memory = self._memory
                result = RUNNING
                if not effort.stop():  # The table may have the answer though no nodes are left.
                    result = self._run(memory, self.table, self.nodes + effort.left(CHUNK))
                effort.nodes += memory.nodes - self.nodes
                self.nodes = memory.nodes
                effort.report(NUMBER_BYTES * len(self.table))
                if result != RUNNING:
                    self.best = self._cell_of(memory.best)
                    return (result >= memory.wanted) == attacks
                if effort.is_over():
                    raise LimitReachedError

    @property
    def is_known(self) -> bool:
        """True if the table has the wanted lower bound for the last position, though without a move."""
        memory = self._memory
        return bool(memory.lower[0] >= memory.wanted)

    def store_answer(self, is_worth: bool, work: int) -> None:
        """Store whether the last position, which was probed without nodes, *is_worth* the wanted value.

        Workers found that with *work* nodes.
        """
        memory = self._memory
        lower, upper, wanted = memory.lower[0], memory.upper[0], memory.wanted
        if is_worth:
            lower = wanted
        else:
            upper = wanted - 1
        place = memory.bucket[0], memory.key_at[0], memory.tag_at[0]
        self._store(memory, self.table, *place, lower, upper, work)

    def move_order(self) -> list[int]:
        """Return the cells of the moves in the order in which the last, unanswered question tries them."""
        moves = self._memory.moves[: self._memory.move_count[0]]
        return [self._cell_of(int(bits)) for bits in moves]

    def value(self, effort: Effort) -> int:
        """Find the value of the position in the form of a book: the plies to the end, negative for a loss.

        The first question is whether a side wins, the next ones whether it does so sooner and sooner. Raises
        :class:`~noughts.search.analysis.LimitReachedError`.
        """
        empty = self._height * self._width - self._taken.bit_count()
        for attacks, latest in ((True, empty - 1 + empty % 2), (False, empty - empty % 2)):
            if self.wins(attacks, latest, effort):
                while latest > 2 and self.wins(attacks, latest - 2, effort):
                    latest -= 2
                return latest if attacks else -latest
        return 0

    def _cell_of(self, bits: int) -> int:
        """Return the cell of the lowest of *bits*, -1 if there is none."""
        return bit_of((bits & -bits).bit_length() - 1, self._width, self._height) if bits else -1

    def _enlarge_table(self) -> None:
        """Enlarge the table in proportion to the nodes."""
        most = min(4 * len(self.table), 1 << self.max_numbers.bit_length() - 1)
        entries = len(self.table) // self._bucket * WAYS
        if self.nodes > NODES_PER_ENTRY * entries and len(self.table) < most:
            larger = self._machine.zeros(most)
            self._enlarge(self._memory, larger, self.table)
            self.table = larger


def searching(limit: Limit) -> Search:
    """Return a search that checks the last ply of a book without a book, within *limit* in total."""
    effort, searches = Effort(limit.started()), dict[str, GravitySearch | None]()

    def search(game: Game) -> int | None:
        rules = game.rules
        assert rules is not None  # noqa: S101 - books are about no other games
        if rules.spec not in searches:
            searches[rules.spec] = GravitySearch.of(rules)
        result = searches[rules.spec]
        if result is None:
            return None
        result.book = None
        result.set_position(game)
        try:
            return result.value(effort)
        except LimitReachedError:
            return None

    return search
