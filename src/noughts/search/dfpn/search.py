"""Whether an attack of one side is found to win, in k in a row where every empty cell may be taken."""

from array import array
from collections.abc import Sequence

from noughts.core.lines import LineTable, line_table
from noughts.games.base import Game
from noughts.games.rules import HELPFUL, Rules
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
"""Boards of more or longer lines are not looked at: there proofs are out of reach."""

MIN_LINES_FACTOR = 3
"""More than so many times 2 ** k lines are needed: of fewer the other side can most often stop all."""

CHUNK = 1 << 6
"""Positions that are looked at between two looks at the stop signal."""

FIRST_TABLE = 1 << 12
"""Entries of the table at first; it grows with the nodes."""

WIDTHS = (13, 12, 14)
"""So many quiet moves are tried, in turn: which width proves a win soonest is not known before."""

FIRST_ROUND = 1 << 21
"""Nodes with the first width; each round takes a third more."""

SEEDS = 50
"""So many bits of a hash may decide between moves that look alike."""

MIN_WORK = 2
MAX_WINS = 1 << 17
"""Others are told of wins that took so many nodes or more, and of no more wins than so many."""

SPARE = 4
"""The table has room for so many times the wins that it is told at once."""

KERNELS: Kernels = (
    *(run, start, load, settle, enlarge, keep_wins, list_wins, add_entries),
    *(take_known_image, find_sequence, is_refuted, find_threat, put, lift),  # what proofs ask
    *(play, take, take_back, weigh, mark_zone, least_hash),  # and strategies
)


class AttackSearch(TableSearch[AttackMemory]):
    """Looks for wins in positions of one set of rules, and remembers what it finds.

    ``nodes`` are those of all questions. It runs on *machine*, and without one in Python until the kernels
    are compiled.
    """

    def __init__(self, rules: Rules, board: LineTable, machine: Machine | None = None) -> None:
        super().__init__(new_memory(rules, board), KERNELS, FIRST_TABLE, ENTRY, WORK, machine)
        self.best = -1
        """The cell by which the attacker was found to win last; -1 where he is not to move."""
        self._seed = 0
        self._rules = rules
        self._images = images_of(rules)
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
        if board is None or not MIN_LINES_FACTOR << rules.k < board.count <= MAX_LINES:
            return None
        return AttackSearch(rules, board, machine)

    def remember(self, numbers: Sequence[int], nodes: int) -> None:
        """Make the wins of *numbers*, the table of another such search, all that is remembered."""
        super().remember(numbers, nodes)
        self.use_seed(self._seed)

    def use_seed(self, seed: int) -> None:
        """Begin anew, with moves that look alike in the order of *seed*. Wins that were found are kept."""
        self._seed, self._round = seed, -1
        self._begin_round()

    def wins(self, *, all_of_them: bool = False) -> "array[int]":
        """Those wins that took most work, or all, for another search of these rules to :meth:`learn`."""
        if all_of_them:
            max_wins, work = self.entries, 0
        else:
            max_wins, work = MAX_WINS, MIN_WORK
        wins = self._machine.zeros(max_wins * ENTRY)
        while (count := self.kernels.list_wins(self.table, wins, work)) > max_wins:
            work *= 2
        return array("q", wins[: count * ENTRY])

    def learn(self, wins: "array[int]") -> None:
        """Remember the *wins* of another search."""
        self._make_room(SPARE * len(wins) // ENTRY)
        self._add_entries(wins)

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
                result = self._decide(game, attacker, effort)
                if result == WON:
                    self.best = self._winning_cell()
                    return True
                self._begin_round()
        return False

    def _decide(self, game: Game, attacker: int, effort: Effort) -> int:
        """Whether the attack wins or is refuted, with the widths whose turn it is."""
        result = self._set_up(game, attacker)
        memory = self.memory
        while result == RUNNING:
            if (machine := self._select_machine(effort.stop)) is not self._machine:
                self._use(machine)
                memory = self.memory
            self._make_room()
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
        """The proof numbers of the position that is asked about, as its moves tell them."""
        memory = self.memory
        many = memory.move_count[0]
        proofs, disproofs = (
            [int(number) for number in numbers[:many]]
            for numbers in (memory.move_proof, memory.move_disproof)
        )
        if self._attacks:
            return min(proofs, default=1), sum(disproofs)
        return sum(proofs), min(disproofs, default=1)

    def put_on_board(self, game: Game, attacker: int) -> None:
        """Make the position of *game* the one of the memory, with side number *attacker* as the attacker."""
        memory, mark = self.memory, self._rules.board_marks[attacker]
        for cell, here in enumerate(game.cells):
            memory.imaged[cell] = NOTHING if here is None else ATTACKER if here == mark else DEFENDER
        self.kernels.load(memory, memory.imaged, 0)
        self._attacks = game.turn == self._rules.marks[attacker]
        memory.mover = ATTACKER if self._attacks else DEFENDER

    def look_at(self, game: Game, attacker: int) -> None:
        """Make the position of *game* the one in which threats of side number *attacker* are asked for.

        It is looked at in the image in which it was searched: in others other threats may come first.
        """
        self.put_on_board(game, attacker)
        self._image = int(self.kernels.take_known_image(self.memory, self.table))

    def threats(self, max_tries: int, *, forced: int = -1, after: int = -1) -> list[int]:
        """The cells that the attacker takes to win by threats alone; empty if none are found by *most* tries.

        He begins with the cell *forced* unless that is -1, or is the first to move *after* the defender has
        taken that cell; without one the defender passes.
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
        """Whether the threats that were found last win after the defender has taken *cell*."""
        return bool(self.kernels.is_refuted(self.memory, self._images[self._image][cell]))

    def _set_up(self, game: Game, attacker: int) -> int:
        """Make *game* the position that is asked about; WON or REFUTED if that is known at once."""
        memory, kernels = self.memory, self.kernels
        self.put_on_board(game, attacker)
        memory.best = -1
        result, self._forced = int(kernels.settle(memory)), memory.best
        if result == RUNNING:
            result = int(kernels.start(memory, self.table))
        self._image = memory.image
        return result

    def _winning_cell(self) -> int:
        """The cell by which the attacker wins the position asked about last; -1 where he is not to move."""
        if not self._attacks or self._forced >= 0:
            return self._forced if self._attacks else -1
        return self._images[self._image].index(int(self.memory.best))

    def _begin_round(self) -> None:
        """Go on with another width. The wins that were found are kept."""
        self._round += 1
        self._round_end = self.nodes + FIRST_ROUND * 4**self._round // 3**self._round
        self.memory.width = self._widths[self._round % len(self._widths)]
        self.memory.seed = (3 * self._round + 4 * self._seed) % SEEDS
        self.kernels.keep_wins(self.table)
