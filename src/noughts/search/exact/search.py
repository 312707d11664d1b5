"""Exact values and distances of k in a row, by the two-valued search of ``kernels``."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from noughts.core.geometry import coordinates
from noughts.core.lines import can_enumerate
from noughts.games.base import Game, Move, Placement
from noughts.games.rules import Rules
from noughts.search.analysis import (
    Asked,
    BudgetReachedError,
    DepthReachedError,
    Effort,
    LimitReachedError,
    handled_rules,
)
from noughts.search.attacking.search import AttackSearch
from noughts.search.attacking.table import ENTRY as ATTACK_ENTRY
from noughts.search.blocking.search import BlockingSearch
from noughts.search.blocking.table import ENTRY
from noughts.search.columns.search import ColumnsSearch
from noughts.search.columns.table import WAYS
from noughts.search.compiled import NUMBER_BYTES, Ints, Machine
from noughts.search.compiling import Kernels, Ready
from noughts.search.exact import layout as at
from noughts.search.exact.arrays import new_memory
from noughts.search.exact.kernels import run, unwind
from noughts.search.exact.mirroring import Mirrored, Mirroring
from noughts.search.exact.position import find_completing, lift, place
from noughts.search.exact.table import MANY, RUNNING, enlarge

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex"))
"""The facts that this search answers for: two sides, marks that stay, lines as they stand in the memory."""

MAX_CELLS = 400
"""Larger boards are not searched to the end."""

CHUNK = 1 << 18
MIN_CHUNK = 8
"""How much is done between two looks at the stop signal, and the least number of nodes."""

FIRST_TABLE = 1 << 14
MAX_TABLE = 3 << 22
"""The table of answers starts with so many entries, and grows with the nodes to so many numbers."""

FIRST_BUDGET = 1 << 10
"""Nodes for a question before another one has its turn."""

FAR_FIRST = 16
"""Where marks fall, wins are seldom soon: their question has this part of the nodes of the other."""

BLOCKING_PART = 4
"""To ask whether all lines can be stopped has this part of the nodes, each of which is so much more work."""

ATTACK_AFTER = 1 << 14
ATTACK_TIMES = 4
"""An attack is looked for in questions that take so many nodes, with so many times as many."""

FAR_ENOUGH = 1 << 20
"""How far it is to a win that an attack brings is asked with so many nodes."""

KERNELS: Kernels = (run, unwind, enlarge, place, lift, find_completing)


@dataclass(slots=True)
class Hope:
    """What is known of a side's win."""

    attacker: int
    plies: int
    """The soonest that is not ruled out."""
    is_settled: bool = False
    """Whether it wins in just that many."""
    is_there: bool = False
    """Whether it wins at all."""
    latest: int = MANY
    """Within so many it does, by the move ``best``."""
    best: int = -1
    by_attack: bool = False
    """Whether it is known from an attack, which tells nothing of the distance."""
    is_over: bool = False
    """Whether it does not."""


class ExactSearch:
    """Answers questions about positions of one set of rules, and remembers the answers.

    ``nodes`` are those of all questions, ``effort`` says what may be spent from now on. It runs on *machine*,
    and without one in Python until the kernels are compiled.
    """

    def __init__(self, rules: Rules, machine: Machine | None = None) -> None:
        self.rules = rules
        self.nodes, self.effort = 0, Effort()
        self.blocking = BlockingSearch.of(rules, machine)
        self.attacking = AttackSearch.of(rules, machine)
        self._blocking_part = BLOCKING_PART if self.attacking is None else BLOCKING_PART * 16
        self._columns = ColumnsSearch.of(rules, machine)
        self._has_columns = False  # whether it answers for the position
        self._mirroring = Mirroring.of(rules)
        self._mirrored: Mirrored | None = None  # what it proves of the position
        self._ready = Ready(*KERNELS, machine=machine)
        machine = self._ready()
        self._memory = new_memory(rules, machine)
        self._entry = 2 * int(self._memory[at.WORDS]) + 1
        self._max_numbers = MAX_TABLE
        self._table = machine.zeros(FIRST_TABLE * self._entry)
        self._use(machine)
        size, count, k = (int(self._memory[name]) for name in (at.SIZE, at.LINES, at.K))
        effort = count * k + size * size // 8  # of looking at the lines, of ordering moves
        self._chunk = max(MIN_CHUNK, CHUNK // (1 + effort))
        self._on_board: list[int] = []
        self._game: Game | None = None
        self._decided: tuple[object, int] = (None, -1)  # the last position valued, and what decided it
        self._hopes: list[Hope] = []  # of the position valued last, of the side to move and the other
        self._keeping = -1  # the move that was found to keep the draw
        self._holding = -1  # the move by which the last attacker was found to be held off

    def _use(self, machine: Machine) -> None:
        """Go on with *machine*, and with all that is known."""
        self._memory, self._table = machine.array(self._memory), machine.array(self._table)
        self._machine = machine
        compiled = [machine.function(kernel) for kernel in KERNELS]
        self._run, self._unwind, self._enlarge, self._place, self._lift, self._find_completing = compiled

    def tables(self) -> list[tuple[str, Ints, int]]:
        """All that is remembered: the name of each table, its numbers, and the nodes that it grows with."""
        found = [("exact", self._table, self.nodes)]
        if self.blocking is not None:
            found.append(("blocking", self.blocking.table, self.blocking.nodes))
        if self.attacking is not None:
            found.append(("attacking", self.attacking.table, self.attacking.nodes))
        if self._columns is not None:
            found.append(("columns", self._columns.table, self._columns.nodes))
        return found

    def limit_memory(self, most: int) -> int:
        """Let the tables of answers grow to *most* bytes, but no further; the least that can be.

        Where that is more than *most* nothing is changed.
        """
        tables = [table for name, table, _ in self.tables() if self._columns is None or name != "exact"]
        least = len(tables) * NUMBER_BYTES * max(map(len, tables))
        numbers = most // len(tables) // NUMBER_BYTES
        if most < least:
            return least
        self._max_numbers = numbers if self._columns is None else len(self._table)
        if self.blocking is not None:
            self.blocking.max_entries = numbers // ENTRY
        if self.attacking is not None:
            self.attacking.max_entries = numbers // ATTACK_ENTRY
        if self._columns is not None:
            self._columns.max_buckets = numbers // WAYS
        return least

    def remember(self, tables: Mapping[str, tuple[Sequence[int], int]]) -> None:
        """Make what :meth:`tables` told of another search of these rules all that is remembered."""
        numbers, self.nodes = tables["exact"]
        self._table = self._machine.array(numbers)
        if self.blocking is not None:
            self.blocking.remember(*tables["blocking"])
        if self.attacking is not None:
            self.attacking.remember(*tables["attacking"])
        if self._columns is not None:
            self._columns.remember(*tables["columns"])

    @staticmethod
    def supports(game: Game) -> bool:
        """Whether *game* is one that this search answers for."""
        rules = handled_rules(game, HANDLED)
        return rules is not None and len(game.cells) <= MAX_CELLS and can_enumerate(rules.geometry)

    def set_up(self, game: Game) -> None:
        """Make the position of *game* the one that questions are about."""
        memory, self._game = self._memory, game
        for cell in self._on_board:
            self._lift(memory, cell)
        self._on_board = []
        for cell, mark in enumerate(game.cells):
            if mark is not None:
                self._place(memory, cell, self.rules.placed.index(mark))
                self._on_board.append(cell)
        memory[at.SIDE] = self.rules.marks.index(game.turn)
        self._has_columns = self._columns is not None and self._columns.take(game)
        self._mirrored = None if self._mirroring is None else self._mirroring.find(game)

    def wins(self, attacker: int, left: int, budget: int | None = None) -> bool:
        """Whether side number *attacker* can win within *left* plies, whatever the other side does.

        Raises :class:`LimitReachedError` where the limit ends the search, or *budget* nodes are used up.
        """
        self.effort.asked = Asked("wins", attacker, 0 if left == MANY else left)
        if self._columns is not None and self._has_columns:
            return self._wins_in_columns(self._columns, attacker, left, budget)
        if (known := self._wins_by_mirroring(attacker, left)) is not None:
            return known
        memory, effort = self._memory, self.effort
        memory[at.ATTACKER], memory[at.DEPTH], memory[at.RETURNING] = attacker, 0, 0
        memory[at.BEST] = -1
        memory[memory[at.LEFT]] = left
        with effort.within(budget):
            while True:
                if (machine := self._ready(effort.stop)) is not self._machine:
                    self._use(machine)
                    memory = self._memory
                self._make_room()
                memory[at.NODES] = 0
                found = RUNNING
                if not effort.stop():  # what is remembered may tell though no nodes are left
                    found = self._run(memory, self._table, effort.left(self._chunk))
                self.nodes += int(memory[at.NODES])
                effort.nodes += int(memory[at.NODES])
                effort.tell(NUMBER_BYTES * len(self._table))
                if found != RUNNING:
                    return bool(found)
                if effort.is_over():
                    self._unwind(memory)
                    raise LimitReachedError

    def _wins_by_mirroring(self, attacker: int, left: int) -> bool | None:
        """The same where mirroring tells, else None."""
        memory, found = self._memory, self._mirrored
        if found is None:
            return None
        may_last = left >= int(memory[at.SIZE]) - int(memory[at.PLACED])
        if attacker == found.side and not (found.wins and may_last):
            return None
        memory[at.BEST] = -1 if found.cell < 0 else 2 * found.cell + found.side
        return attacker == found.side

    def _wins_in_columns(self, columns: ColumnsSearch, attacker: int, left: int, budget: int | None) -> bool:
        """The same where marks fall in *columns*."""
        memory, before = self._memory, columns.nodes
        side = int(memory[at.SIDE])
        memory[at.BEST] = -1
        try:
            found = columns.wins(attacker == side, left, self.effort, budget)
        finally:
            self.nodes += columns.nodes - before
        memory[at.BEST] = -1 if columns.best < 0 else 2 * columns.best + side
        return found

    def _make_room(self) -> None:
        """Let the table grow with the nodes."""
        places = len(self._table) // self._entry
        numbers = 4 * places * self._entry
        if self.nodes > places and numbers <= self._max_numbers:
            larger = self._machine.zeros(numbers)
            self._enlarge(self._memory, larger, self._table)
            self._table = larger

    def value(self) -> tuple[int, int]:
        """What the position is worth to the side to move, 1, 0 or -1, and in how many plies (0 for a draw).

        Raises :class:`LimitReachedError`. The questions of a win soon and of a win at all, for either side,
        take turns with growing shares of nodes: which is the quick one is not known before.
        """
        side = int(self._memory[at.SIDE])
        self._keeping = -1
        # The winner makes the last move; where completing a line loses, the other side does.
        hopes = self._hopes = [
            Hope(side, 1 + self.rules.line_loses),
            Hope(1 - side, 2 - self.rules.line_loses),
        ]
        if not self._memory[at.PLACED] and self.rules.extra_mark_never_hurts:
            hopes[1].is_over = True  # strategy stealing: who moves second cannot win
        budget = FIRST_BUDGET
        while True:
            depth = self.effort.max_depth
            if depth is not None and all(hope.is_over or hope.plies > depth for hope in hopes):
                raise DepthReachedError
            for hope, other in zip(hopes, reversed(hopes), strict=True):
                self._look_by_attack(hope, other, budget)
                self._look_at_lines(hope, budget)
                self._look_soon(hope, budget // FAR_FIRST if self.rules.gravity else budget)
                if hope.is_settled:
                    return (1 if hope.attacker == side else -1), hope.plies
                self._look_far(hope, other, budget)
                self._look_late(hope, budget)
                if hope.is_settled:
                    return (1 if hope.attacker == side else -1), hope.plies
                if hope.is_over and other.is_over:
                    return 0, 0
            if budget >= FAR_ENOUGH and any(hope.by_attack for hope in hopes):
                raise DepthReachedError
            budget *= 4

    def _look_soon(self, hope: Hope, budget: int) -> None:
        """Ask for wins of more and more plies, with about *budget* nodes."""
        end = self.nodes + budget
        max_depth = MANY if self.effort.max_depth is None else self.effort.max_depth
        with suppress(BudgetReachedError):
            while not hope.is_over and not hope.is_settled and self.nodes < end and hope.plies <= max_depth:
                hope.is_settled = self.wins(hope.attacker, hope.plies, end - self.nodes)
                if not hope.is_settled:
                    hope.plies += 2
                    if hope.plies > int(self._memory[at.SIZE]):
                        self._holding = int(self._memory[at.BEST])
                        self._give_up(hope)

    def _look_far(self, hope: Hope, other: Hope, budget: int) -> None:
        """Ask for a win at all, with about *budget* nodes."""
        if hope.is_over or hope.is_there or self.effort.max_depth is not None:
            return
        with suppress(BudgetReachedError):
            hope.is_there = self.wins(hope.attacker, MANY, budget)
            if hope.is_there:
                hope.best = int(self._memory[at.BEST])
            other.is_over = other.is_over or hope.is_there
            if not hope.is_there:
                self._holding = int(self._memory[at.BEST])
                self._give_up(hope)

    def _look_late(self, hope: Hope, budget: int) -> None:
        """Where marks fall many a win comes with the last mark: ask whether it comes sooner, from that on."""
        if not (self._has_columns and hope.is_there):
            return
        left = int(self._memory[at.SIZE]) - int(self._memory[at.PLACED])
        if hope.latest == MANY:
            hope.latest = left - (left - hope.plies) % 2
        with suppress(BudgetReachedError):
            while hope.plies < hope.latest and self.wins(hope.attacker, hope.latest - 2, budget):
                hope.latest -= 2
                hope.best = int(self._memory[at.BEST])
            hope.plies, hope.is_settled = hope.latest, True
            self._memory[at.BEST] = hope.best

    def _look_by_attack(self, hope: Hope, other: Hope, budget: int) -> None:
        """Look for an attack that wins, with about *budget* nodes."""
        if self.attacking is None or self._game is None or self.effort.max_depth is not None:
            return
        if hope.is_over or hope.is_there or budget < ATTACK_AFTER:
            return
        self.effort.asked = Asked("wins", hope.attacker)
        with suppress(BudgetReachedError):
            if self.attacking.finds_win(self._game, hope.attacker, self.effort, budget * ATTACK_TIMES):
                hope.by_attack = hope.is_there = other.is_over = True
                hope.best = 2 * self.attacking.best

    def _look_at_lines(self, hope: Hope, budget: int) -> None:
        """Ask whether the other side can stop all lines, with about *budget* nodes."""
        if hope.is_over or hope.is_there or self.effort.max_depth is not None:
            return
        if self._is_stopped(hope.attacker, budget):
            self._give_up(hope)

    def _is_stopped(self, attacker: int, budget: int) -> bool:
        """Whether all lines of side number *attacker* are found to be stopped, with *budget* nodes."""
        if self.blocking is None or self._game is None:
            return False
        self.effort.asked = Asked("stops", attacker)
        with suppress(BudgetReachedError):
            if self.blocking.holds(self._game, attacker, self.effort, budget // self._blocking_part):
                self._holding = 2 * self.blocking.reply
                return True
        return False

    def _can_win(self, attacker: int) -> bool:
        """Whether side number *attacker* can win at all. Raises :class:`LimitReachedError`."""
        budget = FIRST_BUDGET
        while True:
            if self._is_stopped(attacker, budget):
                return False
            with suppress(BudgetReachedError):
                return self.wins(attacker, MANY, budget)
            budget *= 4

    def _give_up(self, hope: Hope) -> None:
        """Note that there is no win, as was just found, and what keeps it off."""
        hope.is_over = True
        if hope.attacker != int(self._memory[at.SIDE]):
            self._keeping = self._holding

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        """The value and the distance of the position of *game*: see :meth:`value`.

        *budget* is how many nodes this may take. Raises :class:`LimitReachedError` and its kinds.
        """
        self.set_up(game)
        try:
            with self.effort.within(budget):
                found = self.value()
        except LimitReachedError as error:
            own, other = self._hopes
            error.cannot_win, error.cannot_lose = own.is_over, other.is_over
            if own.is_there or other.is_there:
                error.value = 1 if own.is_there else -1
                error.best = self._move_of(own.best) if own.best >= 0 else None
            elif other.is_over and self._keeping >= 0:
                error.best = self._move_of(self._keeping)
            raise
        best = int(self._memory[at.BEST]) if found[0] > 0 else -1 if found[0] else self._keeping
        self._decided = game.key(), best
        return found

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        """A best move of *game*, whose value and distance are known. Raises :class:`LimitReachedError`."""
        if self._decided[0] == game.key() and self._decided[1] >= 0:
            return self._move_of(self._decided[1])
        self.set_up(game)
        side = int(self._memory[at.SIDE])
        if value > 0:
            self.wins(side, plies)
            if (found := int(self._memory[at.BEST])) >= 0:
                return self._move_of(found)
        after = game.copy()
        # Whoever is lost stops one threat at least: the other side may overlook the next.
        threat = self._find_completing(self._memory, 1 - side, -1)
        block = coordinates(self.rules.shape)[threat] if threat >= 0 else None
        for move in sorted(
            game.legal_moves(), key=lambda move: (move == block, game.weight(move)), reverse=True
        ):
            after.play(move)
            if self._is_as_good(after, side, value, plies - 1):
                return move
            after.undo()
        raise AssertionError("no move is as good as the position")

    def _is_as_good(self, after: Game, side: int, value: int, plies: int) -> bool:
        """Whether in *after*, a move of *side* later, the value is kept, with *plies* to the end."""
        if after.outcome is not None:
            winner = after.outcome.winner
            return (
                value == (0 if winner is None else 1 if winner == self.rules.marks[side] else -1)
                and plies < 1
            )
        self.set_up(after)
        if value > 0:
            return self.wins(side, plies)
        return not (self.wins(1 - side, plies - 2) if value else self._can_win(1 - side))

    def best_move(self) -> Move | None:
        """The move that decided the last question, None where none stands out."""
        best = int(self._memory[at.BEST])
        return self._move_of(best) if best >= 0 else None

    def _move_of(self, number: int) -> Move:
        """The move that kernels call *number*."""
        cell = coordinates(self.rules.shape)[number // 2]
        return Placement(cell, self.rules.marks[number % 2]) if self.rules.wild else cell
