"""Whether an attack of one side is found to win, in k in a row where every empty cell may be taken."""

from collections.abc import Sequence
from types import SimpleNamespace

from noughts.core.lines import LineTable, line_table
from noughts.games.base import Game
from noughts.games.rules import HELPFUL, Rules
from noughts.search.analysis import Asked, Effort, LimitReachedError
from noughts.search.attacking import layout as at
from noughts.search.attacking.arrays import images_of, new_memory
from noughts.search.attacking.kernels import run, start
from noughts.search.attacking.position import find_threat, lift, load, put, settle
from noughts.search.attacking.sequence import find_sequence, is_refuted
from noughts.search.attacking.table import ENTRY, enlarge, keep_wins
from noughts.search.compiled import NUMBER_BYTES, Machine
from noughts.search.compiling import Kernels, Ready

MAX_LINES = 300
MIN_K, MAX_K = 3, 10
"""Boards of more or longer lines are not looked at: there proofs are out of reach."""

MANY_LINES = 3
"""So many times 2 ** k lines are needed at least: with fewer the other side can most often stop them all."""

CHUNK = 1 << 6
"""Positions that are looked at between two looks at the stop signal."""

FIRST_TABLE = 1 << 12
MAX_TABLE = 1 << 24
"""Entries of the table at first and at most; it grows with the nodes."""

WIDTHS = (13, 12, 14)
"""So many quiet moves are tried, in turn: which width proves a win soonest is not known before."""

FIRST_ROUND = 1 << 21
"""Nodes with the first width; each round takes a third more."""

SEEDS = 50
"""So many bits of a hash may decide between moves that look alike."""

KERNELS: Kernels = (
    *(run, start, load, settle, enlarge, keep_wins),
    *(find_sequence, is_refuted, find_threat, put, lift),  # certificates ask them themselves
)


class AttackSearch:
    """Looks for wins in positions of one set of rules, and remembers what it finds.

    ``nodes`` are those of all questions. It runs on *machine*, and without one in Python until the kernels
    are compiled.
    """

    def __init__(self, rules: Rules, board: LineTable, machine: Machine | None = None) -> None:
        self.nodes = 0
        self.best = -1
        """The cell by which the attacker was found to win last; -1 where he is not to move."""
        self.max_entries = MAX_TABLE
        """How large the :attr:`table` may grow."""
        self.seed = 0
        """Decides between moves that look alike, from the next round on."""
        self._rules = rules
        self._images = images_of(rules)
        self._ready = Ready(*KERNELS, machine=machine)
        machine = self._ready()
        self.memory = new_memory(rules, board, machine)
        self.table = machine.zeros(FIRST_TABLE * ENTRY)
        self._use(machine)
        self._widths: tuple[int, ...] = WIDTHS
        self._round, self._round_end = -1, 0
        self._begin_round()
        self._attacks, self._forced, self._image = True, -1, 0  # of the position asked about last

    @staticmethod
    def of(rules: Rules, machine: Machine | None = None) -> "AttackSearch | None":
        """The search for a board of *rules*; None where it looks for nothing."""
        if not rules.facts <= HELPFUL or not MIN_K <= rules.k <= MAX_K:
            return None
        board = line_table(rules.geometry)
        if board is None or not MANY_LINES << rules.k <= board.count <= MAX_LINES:
            return None
        return AttackSearch(rules, board, machine)

    def _use(self, machine: Machine) -> None:
        """Go on with *machine*, and with all that is known."""
        self.memory, self.table = machine.array(self.memory), machine.array(self.table)
        self._machine = machine
        self.kernels = SimpleNamespace(**{kernel.__name__: machine.function(kernel) for kernel in KERNELS})

    def remember(self, numbers: Sequence[int], nodes: int) -> None:
        """Make the wins of *numbers*, the table of another such search, all that is remembered."""
        self.table = self._machine.array(numbers)
        self.memory[at.NODES] = self.nodes = nodes
        self._round = -1
        self._begin_round()

    def finds_win(
        self, game: Game, attacker: int, effort: Effort, budget: int | None = None, *, tries_all: bool = False
    ) -> bool:
        """Whether side number *attacker* is proved to win *game*; the cell that does it is :attr:`best`.

        If not, nothing is known, though it *tries_all* quiet moves and not the likeliest alone. Raises
        :class:`~noughts.search.analysis.LimitReachedError` where *effort* ends the search, or *budget* nodes
        are used up.
        """
        self.best = -1
        widths = (len(game.cells),) if tries_all else WIDTHS
        if widths != self._widths:
            self._widths = widths
            self._begin_round()
        with effort.within(budget):
            for _ in range(len(widths)):
                found = self._decide(game, attacker, effort)
                if found == at.WON:
                    self.best = self._winning_cell()
                    return True
                self._begin_round()
        return False

    def _decide(self, game: Game, attacker: int, effort: Effort) -> int:
        """Whether the attack wins or is refuted, with the widths whose turn it is."""
        found = self._set_up(game, attacker)
        memory = self.memory
        while found == at.RUNNING:
            if (machine := self._ready(effort.stop)) is not self._machine:
                self._use(machine)
                memory = self.memory
            self._make_room()
            if not effort.stop():
                most = min(self._round_end, self.nodes + effort.left(CHUNK))
                found = self.kernels.run(memory, self.table, most)
            effort.nodes += int(memory[at.NODES]) - self.nodes
            self.nodes = int(memory[at.NODES])
            effort.asked = Asked("attacks", attacker, numbers=self._proof_numbers())
            effort.tell(NUMBER_BYTES * len(self.table))
            if found == at.RUNNING and effort.is_over():
                raise LimitReachedError
            if found == at.RUNNING and self.nodes >= self._round_end:
                self._begin_round()
                found = self._set_up(game, attacker)
        return int(found)

    def _proof_numbers(self) -> tuple[int, int]:
        """The proof numbers of the position that is asked about, as its moves tell them."""
        memory = self.memory
        many = int(memory[memory[at.MANY]])
        proofs, disproofs = (
            [int(number) for number in memory[memory[name] : memory[name] + many]]
            for name in (at.MOVE_PROOF, at.MOVE_DISPROOF)
        )
        if self._attacks:
            return min(proofs, default=1), sum(disproofs)
        return sum(proofs), min(disproofs, default=1)

    def put_on_board(self, game: Game, attacker: int) -> None:
        """Make the position of *game* the one of the memory, with side number *attacker* as the attacker."""
        memory, mark = self.memory, self._rules.placed[attacker]
        for cell, here in enumerate(game.cells, memory[at.IMAGED]):
            memory[cell] = at.NOTHING if here is None else at.ATTACKER if here == mark else at.DEFENDER
        self.kernels.load(memory, memory[at.IMAGED])

    def _set_up(self, game: Game, attacker: int) -> int:
        """Make *game* the position that is asked about; WON or REFUTED if that is known at once."""
        memory, kernels = self.memory, self.kernels
        self.put_on_board(game, attacker)
        attacks = game.turn == self._rules.marks[attacker]
        memory[at.MOVER], memory[at.BEST] = at.ATTACKER if attacks else at.DEFENDER, -1
        found, self._forced = int(kernels.settle(memory)), int(memory[at.BEST])
        if found == at.RUNNING:
            found = int(kernels.start(memory, self.table))
        self._attacks, self._image = attacks, int(memory[at.IMAGE])
        return found

    def _winning_cell(self) -> int:
        """The cell by which the attacker wins the position asked about last; -1 where he is not to move."""
        if not self._attacks or self._forced >= 0:
            return self._forced if self._attacks else -1
        return self._images[self._image].index(int(self.memory[at.BEST]))

    def _begin_round(self) -> None:
        """Go on with another width. The wins that were found are kept."""
        self._round += 1
        self._round_end = self.nodes + FIRST_ROUND * 4**self._round // 3**self._round
        self.memory[at.WIDTH] = self._widths[self._round % len(self._widths)]
        self.memory[at.SEED] = (3 * self._round + 4 * self.seed) % SEEDS
        self.kernels.keep_wins(self.table)

    def _make_room(self) -> None:
        """Let the table grow with the nodes."""
        entries = len(self.table) // ENTRY
        if self.nodes > entries and 4 * entries <= self.max_entries:
            larger = self._machine.zeros(4 * len(self.table))
            self.kernels.enlarge(larger, self.table)
            self.table = larger
