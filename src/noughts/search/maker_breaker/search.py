"""The Maker-Breaker search: whether one side can stop all lines of the other.

In k in a row, a side that can do so does not lose.
"""

from array import array

from noughts.core.lines import LineTable, line_table
from noughts.games.base import Game
from noughts.games.rules import EXTRA_MARK_HELPS, Rules
from noughts.search.analysis import Effort, LimitReachedError
from noughts.search.background_compile import Kernels
from noughts.search.maker_breaker.answers import answer, list_left
from noughts.search.maker_breaker.cover import cover
from noughts.search.maker_breaker.kernels import run, start
from noughts.search.maker_breaker.lines import concede, move, take_back
from noughts.search.maker_breaker.memory import (
    BREAKER,
    BREAKS,
    HOLDS,
    MAKER,
    LinesMemory,
    new_memory,
)
from noughts.search.maker_breaker.table import ENTRY, RUNNING, WORK, list_news, note_key, store
from noughts.search.memory import NUMBER_BYTES
from noughts.search.numba_backend import Machine
from noughts.search.table import add_entries, enlarge
from noughts.search.table_search import TableSearch

HANDLED = EXTRA_MARK_HELPS | {"exact"}
"""The facts that this search handles.

Two sides, and marks that stay and may be placed anywhere. If longer lines do not count, Maker gets them all
the same.
"""

MAX_LINES = 300
MAX_K = 10
"""The largest boards that are searched. With more or longer lines Maker nearly always wins."""

STEPS = 1 << 19
"""The approximate number of pairs of cells that are checked between two checks of the stop signal."""

CHUNKS_COMPILED = 1 << 8
"""The multiple of STEPS for a compiled machine."""

FIRST_TABLE = 1 << 10
"""The number of entries of the first table, which grows with the nodes."""

MAX_NEWS = 1 << 18
"""The maximum number of results that are shared with other workers at once."""

NEWS_PART = 64
"""The number by which table entries are divided to get the nodes between two searches for results to share.
"""

SPARE = 4
"""The room in the table for each result of another worker."""

KERNELS: Kernels = (
    *(run, start, move, take_back, enlarge, store, list_news, add_entries),
    *(cover, concede, note_key, list_left, answer),  # These write proofs.
)


class BlockingSearch(TableSearch[LinesMemory]):
    """Answers questions about positions of one set of rules, and stores the answers in a table.

    ``nodes`` counts those of all questions. The ``kernels`` work on ``memory``. The search runs on *machine*.
    Without one, it runs in Python until the kernels are compiled.
    """

    def __init__(self, rules: Rules, board: LineTable, machine: Machine | None = None) -> None:
        super().__init__(new_memory(rules, board), KERNELS, FIRST_TABLE, ENTRY, WORK, machine)
        self._shared_at = self._learned = 0
        self._rules, self.board = rules, board
        self._chunk = max(1, STEPS // (100 * board.count * board.k**2))

    @staticmethod
    def of(rules: Rules, machine: Machine | None = None) -> "BlockingSearch | None":
        """Create the search for a board of *rules*; None if they are not :data:`HANDLED`."""
        board = _board_of(rules)
        return None if board is None else BlockingSearch(rules, board, machine)

    @staticmethod
    def supports(rules: Rules) -> bool:
        """Return True if the search handles a board of *rules*."""
        return _board_of(rules) is not None

    def holds(self, game: Game, attacker: int, effort: Effort, budget: int | None = None) -> bool:
        """Return True if the other side can stop all lines of side number *attacker*.

        :attr:`reply` is its move. The answer no proves nothing about *game*, in which the other side has
        lines of its own. Raises :class:`~noughts.search.analysis.LimitReachedError` if *effort* ends the
        search, or *budget* nodes are used up.
        """
        self.set_up(game, attacker)
        return self.decide(*self._turn_and_ply(game, attacker), effort, budget)

    def decide(self, turn: int, ply: int, effort: Effort, budget: int | None = None) -> bool:
        """Return True if Breaker holds the lines in :attr:`memory`, with *turn* to move and *ply* marks made.

        Raises :class:`~noughts.search.analysis.LimitReachedError` as :meth:`holds` does.
        """
        self.kernels.start(self.memory, turn, ply, -1)
        with effort.within(budget):
            while True:
                if (machine := self._select_machine(effort.stop)) is not self._machine:
                    self._switch_machine(machine)
                self._enlarge_table(self.nodes + SPARE * self._learned)
                memory = self.memory
                result = RUNNING
                if not effort.stop():
                    # The count of nodes continues from call to call, since the stored work is computed from
                    # it.
                    most = self.nodes + effort.left(self._nodes_at_once())
                    result = self.kernels.run(memory, self.table, most)
                self._count_nodes(effort)
                if result != RUNNING:
                    return result == HOLDS
                if effort.is_over():
                    raise LimitReachedError

    def news(self) -> "array[int]":
        """Return answers that were not shared yet, for another search to :meth:`learn`.

        There are none while they are few.
        """
        if (self.nodes - self._shared_at) * NEWS_PART < self.entries:
            return array("q")
        self._shared_at = self.nodes
        news = self._machine.zeros(min(MAX_NEWS * ENTRY, len(self.table)))
        count = self.kernels.list_news(self.table, news)
        return array("q", news[: count * ENTRY])

    def learn(self, news: "array[int]") -> None:
        """Store the answers of another search."""
        self._learned += len(news) // ENTRY
        self._enlarge_table(self.nodes + SPARE * self._learned)
        self._add_entries(news)

    def recall(self, turn: int, ply: int) -> int:
        """Return HOLDS, BREAKS, or RUNNING for the lines in :attr:`memory`, without using a node."""
        self.kernels.start(self.memory, turn, ply, -1)
        return int(self.kernels.run(self.memory, self.table, self.nodes))

    def answer(self, depth: int, ply: int, effort: Effort) -> tuple[int, list[int]]:
        """Answer moves of Maker as :mod:`~noughts.search.maker_breaker.answers` does.

        Return its result and the words that it writes.
        """
        if effort.stop():
            raise LimitReachedError
        memory = self.memory
        most = self.nodes + effort.left(self._chunk)
        result = int(self.kernels.answer(memory, self.table, depth, ply, most))
        self._count_nodes(effort)
        return result, [*map(int, memory.written[: memory.words])]

    def store_answer(self, game: Game, attacker: int, answer: bool, reply: int, work: int) -> None:
        """Store whether the other side can stop all lines. Workers found it with *work* nodes.

        *reply* is -1 if the attacker is to move, or if no reply is known.
        """
        self.set_up(game, attacker)
        if self.recall(*self._turn_and_ply(game, attacker)) == RUNNING:
            memory = self.memory
            memory.reply[0], memory.nodes_before[0] = reply, self.nodes - work
            self.kernels.store(memory, self.table, 0, HOLDS if answer else BREAKS)

    def move_order(self) -> list[int]:
        """Return the cells of the moves in the order in which the last, unanswered question tries them."""
        return [int(cell) for cell in self.memory.tried[: self.memory.move_count[0]] if cell >= 0]

    @property
    def reply(self) -> int:
        """The cell with which the side to move holds; -1 if that is the attacker, or none is known."""
        return int(self.memory.reply[0])

    def set_up(self, game: Game, attacker: int) -> None:
        """Set the lines in :attr:`memory` to those of *game*."""
        memory, mark = self.memory, self._rules.board_marks[attacker]
        self.kernels.take_back(memory, 0)
        for cell, here in enumerate(game.cells):
            if here is not None:
                self.kernels.move(memory, MAKER if here == mark else BREAKER, cell)

    def _count_nodes(self, effort: Effort) -> None:
        """Count the new nodes in *effort*, and report the progress."""
        if (made := int(self.memory.nodes)) != self.nodes:
            effort.nodes += made - self.nodes
            self.nodes = made
            effort.report(NUMBER_BYTES * len(self.table))

    def _turn_and_ply(self, game: Game, attacker: int) -> tuple[int, int]:
        """Return the side to move in *game*, MAKER or BREAKER, and the number of marks on the board."""
        turn = MAKER if game.turn == self._rules.marks[attacker] else BREAKER
        return turn, len(game.cells) - game.cells.count(None)

    def _nodes_at_once(self) -> int:
        """Return the number of nodes between two checks of the stop signal.

        The table grows after the same nodes on each machine, so that it has the same contents.
        """
        if self._machine.name == "python":
            return self._chunk
        most = CHUNKS_COMPILED
        if (entries := self.entries) * 4 <= self.max_entries:
            most = min(most, (entries - self.nodes) // self._chunk + 1)
        return max(1, most) * self._chunk


def _board_of(rules: Rules) -> LineTable | None:
    """Return the lines of a board of *rules*; None if the search does not handle it."""
    if not rules.facts <= HANDLED or rules.k > MAX_K:
        return None
    board = line_table(rules.geometry)
    return None if board is None or board.count > MAX_LINES else board
