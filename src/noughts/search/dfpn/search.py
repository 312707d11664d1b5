"""The search for a winning attack of one side, in k in a row with free placement."""

from array import array
from collections.abc import Sequence

from noughts.core.lines import LineTable, line_table
from noughts.games.base import Game
from noughts.games.rules import EXTRA_MARK_HELPS, Rules
from noughts.search.analysis import Effort, LimitReachedError, SearchQuestion
from noughts.search.background_compile import Kernels
from noughts.search.dfpn.kernels import run, start, take_known_image
from noughts.search.dfpn.memory import (
    ATTACKER,
    DEFENDER,
    NOTHING,
    RUNNING,
    WON,
    AttackMemory,
    images_of,
    new_memory,
)
from noughts.search.dfpn.position import (
    find_threat,
    lift,
    load,
    play,
    put,
    settle,
    take,
    take_back,
    weigh,
)
from noughts.search.dfpn.sequence import find_sequence, is_refuted, mark_zone
from noughts.search.dfpn.table import ENTRY, WORK, keep_wins, least_hash, list_wins
from noughts.search.memory import NUMBER_BYTES
from noughts.search.numba_backend import Machine
from noughts.search.table import add_entries, enlarge
from noughts.search.table_search import TableSearch

MAX_LINES = 300
MIN_K, MAX_K = 3, 10
"""Limits of the boards that are searched. With more or longer lines, proofs are out of reach."""

MIN_LINES_FACTOR = 3
"""A board needs more lines than this times 2 ** k. With fewer lines the defender can usually stop all."""

CHUNK = 1 << 6
"""The number of positions between two checks of the stop signal."""

FIRST_TABLE = 1 << 12
"""Initial number of entries in the table, which grows with the nodes."""

WIDTHS = (13, 12, 14)
"""Numbers of quiet moves to try, in turn, since no width is always the quickest."""

FIRST_ROUND = 1 << 21
"""The number of nodes in the round with the first width. Each later round has a third more."""

SEEDS = 50
"""Number of bits of a hash that may order moves of equal value."""

MIN_WORK = 2
MAX_WINS = 1 << 17
"""The least work of a win that is shared with other searches, and the maximum number of these wins."""

SPARE = 4
"""After wins are learnt, the table has room for at least this many times their number."""

KERNELS: Kernels = (
    *(run, start, load, settle, enlarge, keep_wins, list_wins, add_entries),
    *(take_known_image, find_sequence, is_refuted, find_threat, put, lift),  # for the writer of proofs
    *(play, take, take_back, weigh, mark_zone, least_hash),  # for the search for strategies
)


class AttackSearch(TableSearch[AttackMemory]):
    """A search for wins in positions of one set of rules, which stores the wins that it finds.

    ``nodes`` counts the nodes of all questions. The search runs on *machine*. Without a machine it runs in
    Python until the kernels are compiled.
    """

    def __init__(self, rules: Rules, board: LineTable, machine: Machine | None = None) -> None:
        super().__init__(new_memory(rules, board), KERNELS, FIRST_TABLE, ENTRY, WORK, machine)
        self.best = -1
        """The cell by which the attacker wins, from the last win, or -1 if the attacker is not to move."""
        self._seed = 0
        self._rules = rules
        self._images = images_of(rules)
        self._widths: tuple[int, ...] = WIDTHS
        self._round, self._round_end = -1, 0
        self._begin_round()
        self._attacks, self._forced, self._image = True, -1, 0  # These describe the current question.

    @staticmethod
    def of(rules: Rules, machine: Machine | None = None) -> "AttackSearch | None":
        """Return the search for a board of *rules*, or None if it cannot handle the rules."""
        if not rules.facts <= EXTRA_MARK_HELPS or not MIN_K <= rules.k <= MAX_K:
            return None
        board = line_table(rules.geometry)
        if board is None or not MIN_LINES_FACTOR << rules.k < board.count <= MAX_LINES:
            return None
        return AttackSearch(rules, board, machine)

    def load_table(self, numbers: Sequence[int], nodes: int) -> None:
        """Replace the table by *numbers*, the table of another search of these rules."""
        super().load_table(numbers, nodes)
        self.use_seed(self._seed)

    def use_seed(self, seed: int) -> None:
        """Restart with another order of equal moves, given by *seed*. Stored wins are kept."""
        self._seed, self._round = seed, -1
        self._begin_round()

    def wins(self, *, all_of_them: bool = False) -> "array[int]":
        """Return the wins that took most work, or all wins, for :meth:`learn` of another search."""
        if all_of_them:
            max_wins, work = self.entries, 0
        else:
            max_wins, work = MAX_WINS, MIN_WORK
        wins = self._machine.zeros(max_wins * ENTRY)
        while (count := self.kernels.list_wins(self.table, wins, work)) > max_wins:
            work *= 2
        return array("q", wins[: count * ENTRY])

    def learn(self, wins: "array[int]") -> None:
        """Store the *wins* of another search."""
        self._enlarge_table(SPARE * len(wins) // ENTRY)
        self._add_entries(wins)

    def finds_win(
        self, game: Game, attacker: int, effort: Effort, budget: int | None = None, *, tries_all: bool = False
    ) -> bool:
        """Return True if side number *attacker* is proved to win *game*, and set :attr:`best`.

        False proves nothing, even if the search *tries_all* quiet moves instead of only the likeliest. Raises
        :class:`~noughts.search.analysis.LimitReachedError` if *effort* ends the search, or if *budget* nodes
        are used
        up.
        """
        self.best = -1
        widths = (len(game.cells),) if tries_all else WIDTHS
        if widths != self._widths:
            self._widths = widths
            self._begin_round()
        with effort.within(budget):
            for _ in range(len(widths)):
                result = self._decide(game, attacker, effort)
                if result == WON:
                    self.best = self._winning_cell()
                    return True
                self._begin_round()
        return False

    def _decide(self, game: Game, attacker: int, effort: Effort) -> int:
        """Search with the current width and the next ones, and return WON or REFUTED."""
        result = self._set_up(game, attacker)
        memory = self.memory
        while result == RUNNING:
            if (machine := self._select_machine(effort.stop)) is not self._machine:
                self._switch_machine(machine)
                memory = self.memory
            self._enlarge_table()
            if not effort.stop():
                max_nodes = min(self._round_end, self.nodes + effort.left(CHUNK))
                result = self.kernels.run(memory, self.table, max_nodes)
            effort.nodes += memory.nodes - self.nodes
            self.nodes = memory.nodes
            effort.question = SearchQuestion("attacks", attacker, numbers=self._proof_numbers())
            effort.report(NUMBER_BYTES * len(self.table))
            if result == RUNNING and effort.is_over():
                raise LimitReachedError
            if result == RUNNING and self.nodes >= self._round_end:
                self._begin_round()
                result = self._set_up(game, attacker)
        return int(result)

    def _proof_numbers(self) -> tuple[int, int]:
        """Return the proof numbers of the current position, computed from its moves."""
        memory = self.memory
        many = memory.move_count[0]
        proofs, disproofs = (
            [int(number) for number in numbers[:many]]
            for numbers in (memory.move_proof, memory.move_disproof)
        )
        if self._attacks:
            return min(proofs, default=1), sum(disproofs)
        return sum(proofs), min(disproofs, default=1)

    def load_position(self, game: Game, attacker: int) -> None:
        """Load the position of *game* into the memory, with side number *attacker* as the attacker."""
        memory, mark = self.memory, self._rules.board_marks[attacker]
        for cell, here in enumerate(game.cells):
            memory.imaged[cell] = NOTHING if here is None else ATTACKER if here == mark else DEFENDER
        self.kernels.load(memory, memory.imaged, 0)
        self._attacks = game.turn == self._rules.marks[attacker]
        memory.mover = ATTACKER if self._attacks else DEFENDER

    def load_for_threats(self, game: Game, attacker: int) -> None:
        """Load the position of *game* for :meth:`threats` of side number *attacker*.

        It is loaded in the image in which it was searched: in another image, other threats may come first.
        """
        self.load_position(game, attacker)
        self._image = int(self.kernels.take_known_image(self.memory, self.table))

    def threats(self, max_tries: int, *, forced: int = -1, after: int = -1) -> list[int]:
        """Return the cells by which the attacker wins by threats alone.

        The list is empty if *max_tries* tries find no win. The attacker starts with the cell *forced* unless
        it is -1, or moves *after* the defender has taken that cell. If *after* is -1, the defender passes.
        """
        memory, kernels, image = self.memory, self.kernels, self._images[self._image]
        first = -1 if forced < 0 else image[forced]
        if after >= 0:
            kernels.put(memory, image[after], DEFENDER)
            first = int(kernels.find_threat(memory, image[after], DEFENDER, -1))
        has_sequence = kernels.find_sequence(memory, max_tries, first)
        if after >= 0:
            kernels.lift(memory, image[after])
        cells = memory.attack[: memory.length] if has_sequence else []
        return [image.index(int(cell)) for cell in cells]

    def is_refuted(self, cell: int) -> bool:
        """Return True if the threats that were found last still win after the defender has taken *cell*."""
        return bool(self.kernels.is_refuted(self.memory, self._images[self._image][cell]))

    def _set_up(self, game: Game, attacker: int) -> int:
        """Load *game* as the current question, and return WON or REFUTED if the result is known at once."""
        memory, kernels = self.memory, self.kernels
        self.load_position(game, attacker)
        memory.best = -1
        result, self._forced = int(kernels.settle(memory)), memory.best
        if result == RUNNING:
            result = int(kernels.start(memory, self.table))
        self._image = memory.image
        return result

    def _winning_cell(self) -> int:
        """Return the attacker's winning cell in the current question.

        Return -1 if the attacker is not to move.
        """
        if not self._attacks or self._forced >= 0:
            return self._forced if self._attacks else -1
        return self._images[self._image].index(int(self.memory.best))

    def _begin_round(self) -> None:
        """Start a round with the next width. Stored wins are kept."""
        self._round += 1
        self._round_end = self.nodes + FIRST_ROUND * 4**self._round // 3**self._round
        self.memory.width = self._widths[self._round % len(self._widths)]
        self.memory.seed = (3 * self._round + 4 * self._seed) % SEEDS
        self.kernels.keep_wins(self.table)
