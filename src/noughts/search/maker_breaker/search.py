"""Whether one side can stop all lines of the other: in k in a row, whether it can keep from losing."""

from array import array

from noughts.core.lines import LineTable, line_table
from noughts.games.base import Game
from noughts.games.rules import HELPFUL, Rules
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

HANDLED = HELPFUL | {"exact"}
"""The facts that this search answers for.

Two sides, marks that stay and may be placed anywhere. Where longer lines do not count Maker is given them.
"""

MAX_LINES = 300
MAX_K = 10
"""Boards of more or longer lines are not looked at: there Maker nearly always wins."""

STEPS = 1 << 19
"""How many pairs of cells, or so, are looked at between two looks at the stop signal."""

CHUNKS_COMPILED = 1 << 8
"""So many times as many a compiled machine looks at in the time."""

FIRST_TABLE = 1 << 10
"""Entries of the table at first; it grows with the nodes."""

MAX_NEWS = 1 << 18
"""Others are told of so many answers at once, and no more."""

NEWS_PART = 64
"""They are told after as many nodes as this part of the table has entries: all of it is looked through."""

SPARE = 4
"""The table has room for so many times the answers that it was told."""

KERNELS: Kernels = (
    *(run, start, move, take_back, enlarge, store, list_news, add_entries),
    *(cover, concede, note_key, list_left, answer),  # with which proofs are written
)


class BlockingSearch(TableSearch[LinesMemory]):
    """Answers for positions of one set of rules, and remembers the answers.

    ``nodes`` are those of all questions, the ``kernels`` work on ``memory``. It runs on *machine*, and
    without one in Python until the kernels are compiled.
    """

    def __init__(self, rules: Rules, board: LineTable, machine: Machine | None = None) -> None:
        super().__init__(new_memory(rules, board), KERNELS, FIRST_TABLE, ENTRY, WORK, machine)
        self._shared_at = self._learned = 0
        self._rules, self.board = rules, board
        self._chunk = max(1, STEPS // (100 * board.count * board.k**2))

    @staticmethod
    def of(rules: Rules, machine: Machine | None = None) -> "BlockingSearch | None":
        """The search for a board of *rules*; None where it has no answers: see :data:`HANDLED`."""
        board = _board_of(rules)
        return None if board is None else BlockingSearch(rules, board, machine)

    @staticmethod
    def supports(rules: Rules) -> bool:
        """Whether it has answers for a board of *rules*."""
        return _board_of(rules) is not None

    def holds(self, game: Game, attacker: int, effort: Effort, budget: int | None = None) -> bool:
        """Whether the other side can stop all lines of side number *attacker*; its reply is :attr:`reply`.

        If not, nothing is known of *game*, in which the other side has lines of its own. Raises
        :class:`~noughts.search.analysis.LimitReachedError` where *effort* ends the search, or *budget* nodes
        are used up.
        """
        self.set_up(game, attacker)
        return self.decide(*self._turn_and_ply(game, attacker), effort, budget)

    def decide(self, turn: int, ply: int, effort: Effort, budget: int | None = None) -> bool:
        """The same of the lines as they stand in :attr:`memory`, with *turn* to move and *ply* marks made."""
        self.kernels.start(self.memory, turn, ply, -1)
        with effort.within(budget):
            while True:
                if (machine := self._select_machine(effort.stop)) is not self._machine:
                    self._use(machine)
                self._make_room(self.nodes + SPARE * self._learned)
                memory = self.memory
                result = RUNNING
                if not effort.stop():
                    # Its count goes on from call to call: what is stored tells the work by it.
                    most = self.nodes + effort.left(self._nodes_at_once())
                    result = self.kernels.run(memory, self.table, most)
                self._count_nodes(effort)
                if result != RUNNING:
                    return result == HOLDS
                if effort.is_over():
                    raise LimitReachedError

    def news(self) -> "array[int]":
        """Answers not told before, for another search to :meth:`learn`; none while they are few."""
        if (self.nodes - self._shared_at) * NEWS_PART < self.entries:
            return array("q")
        self._shared_at = self.nodes
        news = self._machine.zeros(min(MAX_NEWS * ENTRY, len(self.table)))
        count = self.kernels.list_news(self.table, news)
        return array("q", news[: count * ENTRY])

    def learn(self, news: "array[int]") -> None:
        """Remember the answers of another search."""
        self._learned += len(news) // ENTRY
        self._make_room(self.nodes + SPARE * self._learned)
        self._add_entries(news)

    def recall(self, turn: int, ply: int) -> int:
        """The same as far as it takes no node: HOLDS, BREAKS, or RUNNING where it is not known yet."""
        self.kernels.start(self.memory, turn, ply, -1)
        return int(self.kernels.run(self.memory, self.table, self.nodes))

    def answer(self, depth: int, ply: int, effort: Effort) -> tuple[int, list[int]]:
        """Answer moves of Maker, as ``blocking.answers`` does: what it returns, and the words it writes."""
        if effort.stop():
            raise LimitReachedError
        memory = self.memory
        most = self.nodes + effort.left(self._chunk)
        result = int(self.kernels.answer(memory, self.table, depth, ply, most))
        self._count_nodes(effort)
        return result, [*map(int, memory.written[: memory.words])]

    def keep(self, game: Game, attacker: int, answer: bool, reply: int, work: int) -> None:
        """Remember whether the other side can stop all lines, as others found with *work* nodes.

        Its *reply* is -1 where the attacker is to move, or none is known.
        """
        self.set_up(game, attacker)
        if self.recall(*self._turn_and_ply(game, attacker)) == RUNNING:
            memory = self.memory
            memory.reply[0], memory.nodes_before[0] = reply, self.nodes - work
            self.kernels.store(memory, self.table, 0, HOLDS if answer else BREAKS)

    def tried(self) -> list[int]:
        """The cells of the position asked about last, which was not answered, as they are tried."""
        return [int(cell) for cell in self.memory.tried[: self.memory.move_count[0]] if cell >= 0]

    @property
    def reply(self) -> int:
        """The cell by which who was to move holds; -1 where that was the attacker, or none stands out."""
        return int(self.memory.reply[0])

    def set_up(self, game: Game, attacker: int) -> None:
        """Make the lines of *game* those that stand in :attr:`memory`."""
        memory, mark = self.memory, self._rules.board_marks[attacker]
        self.kernels.take_back(memory, 0)
        for cell, here in enumerate(game.cells):
            if here is not None:
                self.kernels.move(memory, MAKER if here == mark else BREAKER, cell)

    def _count_nodes(self, effort: Effort) -> None:
        """Count the nodes that were made in *effort*, and report how far it is."""
        if (made := int(self.memory.nodes)) != self.nodes:
            effort.nodes += made - self.nodes
            self.nodes = made
            effort.report(NUMBER_BYTES * len(self.table))

    def _turn_and_ply(self, game: Game, attacker: int) -> tuple[int, int]:
        """Who is to move in *game*, and how many marks are on the board."""
        turn = MAKER if game.turn == self._rules.marks[attacker] else BREAKER
        return turn, len(game.cells) - game.cells.count(None)

    def _nodes_at_once(self) -> int:
        """How many nodes are made between two looks at the stop signal.

        The table grows after the same nodes on each machine, so that it remembers the same.
        """
        if self._machine.name == "python":
            return self._chunk
        most = CHUNKS_COMPILED
        if (entries := self.entries) * 4 <= self.max_entries:
            most = min(most, (entries - self.nodes) // self._chunk + 1)
        return max(1, most) * self._chunk


def _board_of(rules: Rules) -> LineTable | None:
    """The lines of a board of *rules* that is looked at."""
    if not rules.facts <= HANDLED or rules.k > MAX_K:
        return None
    board = line_table(rules.geometry)
    return None if board is None or board.count > MAX_LINES else board
