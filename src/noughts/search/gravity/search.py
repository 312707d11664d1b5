"""Whether a side wins within so many plies, in k in a row where marks fall."""

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
"""The facts of the rules that this search answers for, no more and no fewer."""

MAX_CELLS = 64
MAX_COLUMNS = 40
"""Masks have so many bits; so many columns may be full in an entry of two numbers."""

CHUNK = 1 << 11
"""Nodes between two looks at the stop signal."""

FIRST_TABLE = 1 << 12
MAX_TABLE = 1 << 26
"""Buckets of the table at first, and its numbers at most; it grows with the nodes."""

KERNELS: Kernels = (run, start, enlarge, store)


class GravitySearch:
    """Answers for positions of one set of rules, and remembers the answers.

    ``nodes`` are those of all questions. It runs on *machine*, and without one in Python until the kernels
    are compiled. What the :attr:`book` knows is not searched.
    """

    book: Book | None
    """What is known of the first plies."""

    def __init__(self, rules: Rules, machine: Machine | None = None) -> None:
        self.book = shipped_book(rules.spec)
        self._known: int | None = None
        self.nodes = 0
        self.best = -1
        """The cell by which who was to move gets what the last question was about; -1 for none."""
        self.max_numbers = MAX_TABLE
        """How large the :attr:`table` of answers may grow."""
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
        self._use(machine)

    @staticmethod
    def of(rules: Rules, machine: Machine | None = None) -> "GravitySearch | None":
        """The search for a board of *rules*; None where it has no answers."""
        if rules.facts != FACTS or rules.k < 2 or rules.geometry.size > MAX_CELLS:
            return None
        width = rules.geometry.size // rules.shape[0]
        return GravitySearch(rules, machine) if width <= MAX_COLUMNS else None

    def _use(self, machine: Machine) -> None:
        """Go on with *machine*, and with all that is known."""
        self._machine = machine
        self._memory = machine.memory(self._memory)
        self.table = machine.array(self.table)
        compiled = [machine.function(kernel) for kernel in KERNELS]
        self._run, self._start, self._enlarge, self._store = compiled

    def remember(self, numbers: Sequence[int], nodes: int) -> None:
        """Make *numbers*, the table of another such search, all that is remembered, after so many *nodes*."""
        self.table = self._machine.array(numbers)
        self._memory.shift = (len(numbers) // self._bucket).bit_length() - 1
        self._memory.nodes = self.nodes = nodes

    def take(self, game: Game) -> bool:
        """Make the position of *game* the one that questions are about; False where it is none of ours."""
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
        """Whether the side to move, which *attacks*, or else the other side can win within *left* plies.

        Raises :class:`~noughts.search.analysis.LimitReachedError` where *effort* ends the search, or *budget*
        nodes are used up.
        """
        if (known := self._known) is not None:
            self.best = -1
            return 0 < (known if attacks else -known) <= left
        size = self._height * self._width
        worth = size + 1 - min(size, self._taken.bit_count() + left)
        own, taken = self._machine.word(self._own), self._machine.word(self._taken)
        self._start(self._memory, own, taken, worth if attacks else 1 - worth)
        with effort.within(budget):
            while True:
                if (machine := self._select_machine(effort.stop)) is not self._machine:
                    self._use(machine)
                self._make_room()
                memory = self._memory
                result = RUNNING
                if not effort.stop():  # what is remembered may tell though no nodes are left
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
        """Whether the table tells that the last position is worth so much, though by no move."""
        memory = self._memory
        return bool(memory.lower[0] >= memory.wanted)

    def keep(self, is_worth: bool, work: int) -> None:
        """Remember that the position asked about last, with no nodes, *is_worth* so much or is not.

        Others found that with *work* nodes.
        """
        memory = self._memory
        lower, upper, wanted = memory.lower[0], memory.upper[0], memory.wanted
        if is_worth:
            lower = wanted
        else:
            upper = wanted - 1
        place = memory.bucket[0], memory.key_at[0], memory.tag_at[0]
        self._store(memory, self.table, *place, lower, upper, work)

    def tried(self) -> list[int]:
        """The cells of the last position, which was not answered, as they are tried."""
        moves = self._memory.moves[: self._memory.move_count[0]]
        return [self._cell_of(int(bits)) for bits in moves]

    def value(self, effort: Effort) -> int:
        """What the position is worth, as a book writes it: the plies up to the end, below 0 for a loss.

        Whether a side wins is asked first, then whether it does so sooner and sooner. Raises
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
        """The cell of the lowest of *bits*; -1 where there is none."""
        return bit_of((bits & -bits).bit_length() - 1, self._width, self._height) if bits else -1

    def _make_room(self) -> None:
        """Let the table grow with the nodes."""
        most = min(4 * len(self.table), 1 << self.max_numbers.bit_length() - 1)
        entries = len(self.table) // self._bucket * WAYS
        if self.nodes > 2 * entries and len(self.table) < most:
            larger = self._machine.zeros(most)
            self._enlarge(self._memory, larger, self.table)
            self.table = larger


def searching(limit: Limit) -> Search:
    """The search by which the last ply of a book is checked, within *limit* altogether; no book serves it."""
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
        result.take(game)
        try:
            return result.value(effort)
        except LimitReachedError:
            return None

    return search
