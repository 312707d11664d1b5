"""Positions in which an attacker must choose a move, and the positions that each choice leaves."""

from collections.abc import Iterator
from itertools import chain

from noughts.certificates.index import Index
from noughts.core.board import coordinate_of, index_of
from noughts.games.base import Game
from noughts.search.analysis import Effort, LimitReachedError
from noughts.search.dfpn.memory import ATTACKER, DEFENDER, NOTHING, RUNNING, WON
from noughts.search.dfpn.search import AttackSearch

TRIES = 4000
"""Maximum number of threats tried for a sequence."""

CHAINED = 8
"""Maximum number of threats of the defender in a row that are followed."""

UNLIMITED = 1 << 30
"""More than the decisions that any move leaves, and than the moves of any proof."""

Decision = int
"""A position, as a hash, with the attacker to move, without a forced move or a known win by threats."""

DefenderPosition = int
"""A position, as a hash, with the defender to move and not forced."""

Choice = DefenderPosition
"""A move of the attacker, given as the position after it."""


class Decisions:
    """The decisions that an attack of side number *attacker*, to move in *game*, may lead to.

    A hash identifies a position, its images, and other positions in which the same lines can still be filled.
    Forced moves are made at once. *search* finds threats and wins within *effort*, and *index*, if given, has
    proved moves. Raises :class:`~noughts.search.analysis.LimitReachedError`.
    """

    def __init__(
        self, search: AttackSearch, game: Game, attacker: int, effort: Effort, index: Index | None = None
    ) -> None:
        self.leaves = dict[Choice, tuple[Decision, ...]]()
        """The decisions that a choice leaves, one for each reply that threats do not refute."""
        self.answered = dict[Choice, tuple[DefenderPosition, ...]]()
        """For each choice: its position and the later ones in which the defender may move freely."""
        self._search, self._attacker, self._effort = search, attacker, effort
        self._game, self._index = game.copy(), index
        self._positions = dict[Decision, bytes]()
        self._threatening = dict[Decision, list[Choice]]()
        self._listed = dict[Decision, int]()
        self._leaves_more_than = dict[Choice, int]()
        self._forced, self._noted = (
            set[DefenderPosition](),
            dict[Decision, bytes](),
        )  # of the choice that is being examined
        self._broken, self._breaks = 0, dict[int, int]()  # when each cell last stopped the attacker

    def of(self, game: Game) -> Decision:
        """Return the decision for the position of *game*, in which the attacker is to move."""
        self._search.load_position(game, self._attacker)
        decision = self._note()
        self._positions[decision] = self._noted.pop(decision)
        return decision

    def cell_of(self, game: Game, choice: Choice) -> int:
        """Return the cell that makes *choice* in the position of *game*, or -1."""
        self._search.load_position(game, self._attacker)
        for cell in self._useful(ATTACKER):
            if self._choice_by(cell) == choice:
                return cell
        return -1

    def threatening(self, decision: Decision, limit: int) -> list[Choice]:
        """Return the quiet moves that threaten to win and leave at most *limit* decisions.

        The moves that leave fewest decisions come first. Results for lower limits are stored.
        """
        if self._listed.get(decision, -1) < limit:
            self._listed[decision] = limit
            choices = self._threatening.setdefault(decision, [])
            for cell in self._cells_at(decision):
                if (choice := self._quiet_choice(cell, limit)) is not None and choice not in choices:
                    choices.append(choice)
            choices.sort(key=lambda choice: len(self.leaves[choice]))
        return self._threatening[decision]

    def winning(self, decision: Decision) -> list[Choice]:
        """Return the move that is proved to win, the winning moves known to the search, or one that it finds.

        These moves may be threats.
        """
        game = self._game_at(decision)
        proof = None if self._index is None else self._index.find(game, self._attacker)
        if proof is not None and proof.move is not None:
            cells = [index_of(game.shape, proof.move)]
        else:
            cells = [cell for cell in self._cells_at(decision) if self._is_known(decision, cell)]
        if not cells and self._search.finds_win(game, self._attacker, self._effort):
            cells = [self._search.best]
        choices = dict.fromkeys(self._choice(decision, cell) for cell in cells)
        return [choice for choice in choices if choice in self.leaves]

    def _is_known(self, decision: Decision, cell: int) -> bool:
        """Return True if the search knows that *cell* wins in *decision*, which must be loaded already.

        It is loaded again afterwards.
        """
        kernels, memory = self._search.kernels, self._search.memory
        result = kernels.play(memory, cell, ATTACKER)
        if result == RUNNING:
            result = kernels.start(memory, self._search.table)
        self._load(decision)
        return bool(result == WON)

    def _choice(self, decision: Decision, cell: int) -> Choice:
        """Return the choice of *cell* in *decision*.

        The decisions that it leaves are stored if they are found.
        """
        self._load(decision)
        choice = self._choice_by(cell)
        result = self._search.kernels.play(self._search.memory, cell, ATTACKER)
        if choice not in self.leaves:
            self._store(choice, set() if result == WON else self._decisions_now())
        return choice

    def _game_at(self, decision: Decision) -> Game:
        """Return a game that has reached *decision*."""
        game, position = self._game.copy(), self._positions[decision]
        own, theirs = (
            [cell for cell in range(len(game.cells)) if game.cells[cell] is None and position[cell] == side]
            for side in (ATTACKER, DEFENDER)
        )
        for cell in chain.from_iterable(zip(own, theirs, strict=True)):
            game.play(coordinate_of(game.shape, cell))
        return game

    # The position in the memory of the search

    def _note(self) -> Decision:
        """Note the current position and return its hash."""
        memory = self._search.memory
        decision = int(self._search.kernels.least_hash(memory))
        self._noted[decision] = bytes(map(int, memory.board))
        return decision

    def _load(self, decision: Decision) -> None:
        """Load *decision* as the current position."""
        memory = self._search.memory
        for cell, here in enumerate(self._positions[decision]):
            memory.imaged[cell] = here
        self._search.kernels.load(memory, memory.imaged, 0)

    def _cells_at(self, decision: Decision) -> Iterator[int]:
        """Yield the cells that are useful to the attacker in *decision*, which is loaded each time."""
        if self._effort.is_over():
            raise LimitReachedError
        self._load(decision)
        for cell in self._useful(ATTACKER):
            yield cell
            self._search.kernels.take_back(self._search.memory, 0)

    def _useful(self, sides: int) -> list[int]:
        """Return the empty cells on a line that one of *sides* can still fill."""
        memory = self._search.memory
        self._search.kernels.weigh(memory)
        board, useful = memory.board, memory.useful
        return [cell for cell in range(memory.size) if board[cell] == NOTHING and int(useful[cell]) & sides]

    def _choice_by(self, cell: int) -> Choice:
        """Return the hash of the position after the attacker takes *cell*."""
        kernels, memory = self._search.kernels, self._search.memory
        made = memory.made
        kernels.take(memory, cell, ATTACKER)
        choice = int(kernels.least_hash(memory))
        kernels.take_back(memory, made)
        return choice

    def _quiet_choice(self, cell: int, limit: int) -> Choice | None:
        """Return the choice of *cell* if it makes no threat at once but threatens a sequence.

        Return None if it does not, or if it leaves more than *limit* decisions.
        """
        kernels, memory = self._search.kernels, self._search.memory
        kernels.take(memory, cell, ATTACKER)
        if kernels.find_threat(memory, cell, ATTACKER, -1) >= 0:
            return None
        choice = int(kernels.least_hash(memory))
        if choice not in self.leaves and self._leaves_more_than.get(choice, -1) < limit:
            zone = self._zone()
            self._store(choice, self._decisions_left(zone, limit) if zone else None)
            self._leaves_more_than[choice] = limit if zone else UNLIMITED
        return choice if len(self.leaves.get(choice, range(UNLIMITED))) <= limit else None

    def _store(self, choice: Choice, left: set[Decision] | None) -> None:
        """Store the decisions *left* by *choice*, if they were found, and the positions met on the way."""
        if left is not None:
            self.leaves[choice] = tuple(sorted(left))
            self.answered[choice] = (choice, *sorted(self._forced))
            self._positions |= {decision: self._noted[decision] for decision in left}
        self._forced.clear()
        self._noted.clear()

    def _decisions_now(self) -> set[Decision] | None:
        """Return the decisions left in the current position, whichever side is to move."""
        if self._search.memory.mover == ATTACKER:
            return self._current_decision()
        return self._decisions_left(self._zone() or self._useful(ATTACKER | DEFENDER), UNLIMITED)

    def _current_decision(self) -> set[Decision]:
        """Return the current position, with the attacker to move, or an empty set if threats win."""
        is_won = self._search.kernels.find_sequence(self._search.memory, TRIES, -1)
        return set() if is_won else {self._note()}

    def _decisions_left(self, replies: list[int], limit: int, chained: int = CHAINED) -> set[Decision] | None:
        """Return the decisions that *replies* of the defender leave.

        Return None if there are more than *limit*, if a reply wins, or if replies force the attacker without
        end or more than *chained* times in a row. The replies that stopped the attacker last are tried first.
        """
        left = set[Decision]()
        for cell in sorted(replies, key=lambda cell: -self._breaks.get(cell, 0)):
            more = self._decisions_after(cell, limit, chained)
            left |= more or set()
            if more is None or len(left) > limit:
                self._broken += 1
                self._breaks[cell] = self._broken
                return None
        return left

    def _decisions_after(self, cell: int, limit: int, chained: int) -> set[Decision] | None:
        """Do the same as :meth:`_decisions_left` for the reply on *cell*."""
        kernels, memory = self._search.kernels, self._search.memory
        made = memory.made
        result = kernels.play(memory, cell, DEFENDER)
        left: set[Decision] | None = None
        if result == WON:
            left = set()
        elif result == RUNNING and memory.mover == ATTACKER:
            left = self._current_decision()
        elif result == RUNNING and chained:
            self._forced.add(int(kernels.least_hash(memory)))
            left = self._decisions_left(zone, limit, chained - 1) if (zone := self._zone()) else None
        kernels.take_back(memory, made)
        return left

    def _zone(self) -> list[int]:
        """Return the cells by which the defender could break a sequence of threats, or an empty list."""
        kernels, memory = self._search.kernels, self._search.memory
        if not kernels.find_sequence(memory, TRIES, -1):
            return []
        kernels.mark_zone(memory)
        zone = memory.in_zone
        return [cell for cell, part in enumerate(zone) if part]
