"""Why an attack wins, written down as play on lines: threats, and the quiet moves between them."""

from noughts.certificates.by_lines import Lines, Position, cells_of, singles
from noughts.certificates.text import Writer
from noughts.core.board import coordinate_of
from noughts.games.base import Game
from noughts.search.analysis import Effort, LimitReachedError
from noughts.search.attacking import layout as at
from noughts.search.attacking.search import AttackSearch
from noughts.search.certifying.known import Known
from noughts.search.certifying.maps import Maps

FIRST = 0
"""The number of the first side: under the rules in question no other one can win (Nash)."""

TRIES = 4000
MANY_TRIES = 1 << 20
"""Threats that are tried for a sequence; where one is there, whose first move is known, more of them."""


class AttackProof:
    """Writes the proof that the first side of *game*, which begins, wins, as *attacking* finds.

    Within *effort*: raises :class:`~noughts.search.analysis.LimitReachedError`.
    """

    def __init__(
        self, game: Game, attacking: AttackSearch, writer: Writer, maps: Maps, effort: Effort
    ) -> None:
        self._game, self._attacking = game, attacking
        self._writer, self._known, self._effort = writer, Known(writer, maps.group), effort

    def write(self, mine: Lines, theirs: Lines) -> None:
        """Write the proof, for an empty board of these lines of the Prover and of the Other."""
        self._prover(Position(mine, theirs, (1 << len(self._game.cells)) - 1), ["s"])

    def _prover(self, position: Position, words: list[object]) -> None:
        """Write *words* and what the Prover takes next, which wins, and all that follows."""
        line = self._line(position)
        self._writer.write(*words, *(cell + 1 for cell in line))
        before, threats = len(self._game.moves), set[int]()
        for cell in line:
            self._play(cell)
            position = position.after_prover(cell)
            threats = singles(position.mine)
            if 0 in position.mine or len(threats) > 1:
                break
            if threats:
                (forced,) = threats
                self._play(forced.bit_length() - 1)
                position = position.after_other(forced.bit_length() - 1)
        else:
            if threats:
                self._prover(position, ["s"])
            else:
                self._other(position)
        while len(self._game.moves) > before:
            self._game.undo()

    def _line(self, position: Position) -> list[int]:
        """A sequence of threats that wins, or one move that does."""
        self._load()
        dangers = singles(position.theirs)
        forced = dangers.pop().bit_length() - 1 if dangers else -1
        if (line := self._sequence(forced, TRIES)) or forced >= 0:
            return line or [forced]
        if (move := self._leading_to_known(position)) >= 0:
            return [move]
        for tries_all in (False, True):
            # Of two moves that are as good as each other one was searched, or a sequence met in an image.
            self._attacking.finds_win(self._game, FIRST, self._effort, tries_all=tries_all)
            move = self._attacking.best
            self._load()
            if line := self._sequence(move, MANY_TRIES):
                return line
            if move >= 0:
                return [move]
        raise LimitReachedError

    def _leading_to_known(self, position: Position) -> int:
        """A move without a threat to a position that is proved already; -1 for none."""
        for cell in cells_of(position.empty):
            after = position.after_prover(cell)
            if not singles(after.mine) and self._known.find(after):
                return cell
        return -1

    def _other(self, position: Position) -> None:
        """Write what answers each move of the Other, whom nothing forces."""
        if self._known.refer(position):
            return
        if self._effort.is_over():
            raise LimitReachedError
        self._writer.write("#m")
        for cell in self._answered_by_threats(position):
            self._play(cell)
            self._prover(position.after_other(cell), ["x", cell + 1])
            self._game.undo()
        self._writer.write(".")
        self._known.add(position)

    def _answered_by_threats(self, position: Position) -> list[int]:
        """Write sequences of threats that win against some moves of the Other; return the others."""
        live = 0
        for line in position.mine + position.theirs:
            live |= line
        waiting, left = cells_of(live), list[int]()
        self._load()
        sequence = self._sequence(-1, TRIES)  # as if the Other passed
        while waiting:
            sequence = sequence or self._sequence_after(waiting[0])
            refuted = [cell for cell in waiting if self._is_refuted(cell)] if sequence else []
            waiting = [cell for cell in waiting if cell not in refuted]
            if refuted:
                named = [] if not (waiting or left) else ["/", *(cell + 1 for cell in refuted)]
                self._writer.write("d", *(cell + 1 for cell in sequence), *named)
            else:
                left.append(waiting.pop(0))
            sequence = []
        return left

    def _load(self) -> None:
        """Put the position of the game on the board of the search."""
        self._attacking.put_on_board(self._game, FIRST)

    def _sequence(self, forced: int, tries: int) -> list[int]:
        """The cells of a sequence of threats that wins, *forced* first unless that is -1; empty for none."""
        memory = self._attacking.memory
        if not self._attacking.kernels.find_sequence(memory, tries, forced):
            return []
        attack = int(memory[at.ATTACK])
        return [int(cell) for cell in memory[attack : attack + int(memory[at.LENGTH])]]

    def _sequence_after(self, cell: int) -> list[int]:
        """The same after the Other has taken *cell*."""
        memory, kernels = self._attacking.memory, self._attacking.kernels
        kernels.put(memory, cell, at.DEFENDER)
        found = self._sequence(int(kernels.find_threat(memory, cell, at.DEFENDER, -1)), TRIES)
        kernels.lift(memory, cell)
        return found

    def _is_refuted(self, cell: int) -> bool:
        """Whether the sequence that was found last wins after the Other has taken *cell*."""
        return bool(self._attacking.kernels.is_refuted(self._attacking.memory, cell))

    def _play(self, cell: int) -> None:
        self._game.play(coordinate_of(self._game.shape, cell))
