"""Positions in which an attacker has to choose a move, and what the moves that he may choose leave him."""

from collections.abc import Iterator
from itertools import chain

from noughts.certificates.index import Index
from noughts.core.board import coordinate_of, index_of
from noughts.games.base import Game
from noughts.search.analysis import Effort, LimitReachedError
from noughts.search.dfpn.memory import ATTACKER, DEFENDER, NOTHING, RUNNING, WON
from noughts.search.dfpn.search import AttackSearch

TRIES = 4000
"""Threats that are tried for a sequence."""

CHAINED = 8
"""So many threats of the defender in a row are followed up."""

UNLIMITED = 1 << 30
"""More decisions than any move leaves, and more moves than any proof has."""

Decision = int
"""A position in which the attacker is to move, nobody is forced and no threats are found to win."""

DefenderPosition = int
"""One in which the defender is to move, and is not forced."""

Choice = DefenderPosition
"""A move of the attacker: the position that he makes by it."""


class Decisions:
    """The decisions to which an attack of side number *attacker*, who is to move in *game*, may come.

    A hash stands for a position and its images, and for others in which the same lines can still be filled.
    Forced moves are made at once. *search* is asked for threats and for wins, within *effort*: raises
    :class:`~noughts.search.analysis.LimitReachedError`. What is proved is found in *index*, if there is one.
    """

    def __init__(
        self, search: AttackSearch, game: Game, attacker: int, effort: Effort, index: Index | None = None
    ) -> None:
        self.leaves = dict[Choice, tuple[Decision, ...]]()
        """The decisions that a choice leaves, one for each reply that threats do not refute."""
        self.answered = dict[Choice, tuple[DefenderPosition, ...]]()
        """The positions on the way there in which the defender may move freely, its own first."""
        self._search, self._attacker, self._effort = search, attacker, effort
        self._game, self._index = game.copy(), index
        self._positions = dict[Decision, bytes]()
        self._threatening = dict[Decision, list[Choice]]()
        self._listed = dict[Decision, int]()
        self._leaves_more_than = dict[Choice, int]()
        self._forced, self._noted = (
            set[DefenderPosition](),
            dict[Decision, bytes](),
        )  # what one choice comes to
        self._broken, self._breaks = 0, dict[int, int]()  # when each cell stopped the attacker last

    def of(self, game: Game) -> Decision:
        """What stands for the position of *game*, in which the attacker is to move."""
        self._search.put_on_board(game, self._attacker)
        decision = self._note()
        self._positions[decision] = self._noted.pop(decision)
        return decision

    def cell_of(self, game: Game, choice: Choice) -> int:
        """The cell by which *choice* is made in the position of *game*; -1 if there is none."""
        self._search.put_on_board(game, self._attacker)
        for cell in self._useful(ATTACKER):
            if self._taken(cell) == choice:
                return cell
        return -1

    def threatening(self, decision: Decision, limit: int) -> list[Choice]:
        """The quiet moves after which threats would win and that leave at most so many decisions.

        Those that leave fewest come first, and those of which fewer have been asked for are known.
        """
        if self._listed.get(decision, -1) < limit:
            self._listed[decision] = limit
            choices = self._threatening.setdefault(decision, [])
            for cell in self._cells_at(decision):
                if (choice := self._quiet(cell, limit)) is not None and choice not in choices:
                    choices.append(choice)
            choices.sort(key=lambda choice: len(self.leaves[choice]))
        return self._threatening[decision]

    def winning(self, decision: Decision) -> list[Choice]:
        """The move that is proved to win, or those that the search knows, or one that it finds.

        They may make threats.
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
        """Whether the search knows that *cell* wins in *decision*, which is the position before and after."""
        kernels, memory = self._search.kernels, self._search.memory
        result = kernels.play(memory, cell, ATTACKER)
        if result == RUNNING:
            result = kernels.start(memory, self._search.table)
        self._load(decision)
        return bool(result == WON)

    def _choice(self, decision: Decision, cell: int) -> Choice:
        """The choice of *cell* in *decision*, whatever it leaves; that is kept if it is found."""
        self._load(decision)
        choice = self._taken(cell)
        result = self._search.kernels.play(self._search.memory, cell, ATTACKER)
        if choice not in self.leaves:
            self._keep(choice, set() if result == WON else self._left_now())
        return choice

    def _game_at(self, decision: Decision) -> Game:
        """The game that has come to *decision*."""
        game, position = self._game.copy(), self._positions[decision]
        own, theirs = (
            [cell for cell in range(len(game.cells)) if game.cells[cell] is None and position[cell] == side]
            for side in (ATTACKER, DEFENDER)
        )
        for cell in chain.from_iterable(zip(own, theirs, strict=True)):
            game.play(coordinate_of(game.shape, cell))
        return game

    # The position of the search's memory

    def _note(self) -> Decision:
        """What stands for the position, which is noted."""
        memory = self._search.memory
        decision = int(self._search.kernels.least_hash(memory))
        self._noted[decision] = bytes(map(int, memory.board))
        return decision

    def _load(self, decision: Decision) -> None:
        """Make *decision* the position."""
        memory = self._search.memory
        for cell, here in enumerate(self._positions[decision]):
            memory.imaged[cell] = here
        self._search.kernels.load(memory, memory.imaged, 0)

    def _cells_at(self, decision: Decision) -> Iterator[int]:
        """The cells that are of use to the attacker in *decision*, which is the position each time."""
        if self._effort.is_over():
            raise LimitReachedError
        self._load(decision)
        for cell in self._useful(ATTACKER):
            yield cell
            self._search.kernels.take_back(self._search.memory, 0)

    def _useful(self, sides: int) -> list[int]:
        """The empty cells through which a line goes that one of *sides* can fill."""
        memory = self._search.memory
        self._search.kernels.weigh(memory)
        board, useful = memory.board, memory.useful
        return [cell for cell in range(memory.size) if board[cell] == NOTHING and int(useful[cell]) & sides]

    def _taken(self, cell: int) -> Choice:
        """What stands for the position when the attacker has taken *cell*."""
        kernels, memory = self._search.kernels, self._search.memory
        made = memory.made
        kernels.take(memory, cell, ATTACKER)
        choice = int(kernels.least_hash(memory))
        kernels.take_back(memory, made)
        return choice

    def _quiet(self, cell: int, limit: int) -> Choice | None:
        """The choice of *cell*, if it makes no threat, would win by threats, and leaves at most so many."""
        kernels, memory = self._search.kernels, self._search.memory
        kernels.take(memory, cell, ATTACKER)
        if kernels.find_threat(memory, cell, ATTACKER, -1) >= 0:
            return None
        choice = int(kernels.least_hash(memory))
        if choice not in self.leaves and self._leaves_more_than.get(choice, -1) < limit:
            zone = self._zone()
            self._keep(choice, self._left(zone, limit) if zone else None)
            self._leaves_more_than[choice] = limit if zone else UNLIMITED
        return choice if len(self.leaves.get(choice, range(UNLIMITED))) <= limit else None

    def _keep(self, choice: Choice, left: set[Decision] | None) -> None:
        """Keep what *choice* leaves, if that was found, and the positions that were met on the way."""
        if left is not None:
            self.leaves[choice] = tuple(sorted(left))
            self.answered[choice] = (choice, *sorted(self._forced))
            self._positions |= {decision: self._noted[decision] for decision in left}
        self._forced.clear()
        self._noted.clear()

    def _left_now(self) -> set[Decision] | None:
        """What is left in the position, whoever is to move there."""
        if self._search.memory.mover == ATTACKER:
            return self._own()
        return self._left(self._zone() or self._useful(ATTACKER | DEFENDER), UNLIMITED)

    def _own(self) -> set[Decision]:
        """The position itself, in which the attacker is to move; nothing where threats win."""
        is_won = self._search.kernels.find_sequence(self._search.memory, TRIES, -1)
        return set() if is_won else {self._note()}

    def _left(self, replies: list[int], limit: int, chained: int = CHAINED) -> set[Decision] | None:
        """The decisions that *replies* of the defender leave.

        None if they are more than *limit*, if one of them wins, or if they force the attacker's moves
        to no purpose, or more than *chained* times in a row. What stopped the attacker last comes first.
        """
        left = set[Decision]()
        for cell in sorted(replies, key=lambda cell: -self._breaks.get(cell, 0)):
            more = self._left_after(cell, limit, chained)
            left |= more or set()
            if more is None or len(left) > limit:
                self._broken += 1
                self._breaks[cell] = self._broken
                return None
        return left

    def _left_after(self, cell: int, limit: int, chained: int) -> set[Decision] | None:
        """The same for the reply on *cell*."""
        kernels, memory = self._search.kernels, self._search.memory
        made = memory.made
        result = kernels.play(memory, cell, DEFENDER)
        left: set[Decision] | None = None
        if result == WON:
            left = set()
        elif result == RUNNING and memory.mover == ATTACKER:
            left = self._own()
        elif result == RUNNING and chained:
            self._forced.add(int(kernels.least_hash(memory)))
            left = self._left(zone, limit, chained - 1) if (zone := self._zone()) else None
        kernels.take_back(memory, made)
        return left

    def _zone(self) -> list[int]:
        """The cells by which the defender could break a sequence of threats; none where none is found."""
        kernels, memory = self._search.kernels, self._search.memory
        if not kernels.find_sequence(memory, TRIES, -1):
            return []
        kernels.mark_zone(memory)
        zone = memory.in_zone
        return [cell for cell, part in enumerate(zone) if part]
