"""Why an attack wins, written down as play on lines: threats, and the quiet moves between them."""

from noughts.certificates.by_lines import Lines, LinesPosition, cells_of, singles
from noughts.certificates.text import Writer
from noughts.games.base import Game
from noughts.proofs.writer.maps import SymmetryMaps
from noughts.proofs.writer.proved_positions import ProvedPositions
from noughts.proofs.writer.strategy import Strategy
from noughts.proofs.writer.threats import play_cell, play_line
from noughts.search.analysis import Effort, LimitReachedError
from noughts.search.dfpn.search import AttackSearch

FIRST_SIDE = 0
"""The number of the first side: under the rules in question no other one can win (Nash)."""

TRIES = 4000
MAX_TRIES = 1 << 20
"""Threats that are tried for a sequence; where one is there, whose first move is known, more of them."""


class AttackProof:
    """Writes the proof that the first side of *game*, which begins, wins, as *attacking* finds.

    *strategy* chooses its quiet moves.
    Within *effort*: raises :class:`~noughts.search.analysis.LimitReachedError`.
    """

    def __init__(
        self,
        game: Game,
        attacking: AttackSearch,
        strategy: Strategy,
        writer: Writer,
        maps: SymmetryMaps,
        effort: Effort,
    ) -> None:
        self._game, self._attacking, self._strategy = game, attacking, strategy
        self._writer, self._known, self._effort = writer, ProvedPositions(writer, maps.group), effort

    def write(self, mine: Lines, theirs: Lines) -> None:
        """Write the proof, for an empty board of these lines of the Prover and of the Other."""
        self._strategy.plan()
        self._prover(LinesPosition(mine, theirs, (1 << len(self._game.cells)) - 1), ["s"])

    def _prover(self, position: LinesPosition, words: list[object]) -> None:
        """Write *words* and what the Prover takes next, which wins, and all that follows."""
        line = self._line(position)
        self._writer.write(*words, *(cell + 1 for cell in line))
        self._go_on(position, line)

    def _go_on(self, position: LinesPosition, line: list[int]) -> None:
        """Write what follows when the Prover takes the cells of *line*, each but the last with a threat."""
        before = len(self._game.moves)
        if (played := play_line(self._game, position, line)) is not None:
            after, is_provers_turn = played
            if is_provers_turn:
                self._prover(after, ["s"])
            else:
                self._other(after)
        while len(self._game.moves) > before:
            self._game.undo()

    def _line(self, position: LinesPosition) -> list[int]:
        """A sequence of threats that wins, or one move that does."""
        attacking = self._look()
        dangers = singles(position.theirs)
        forced = dangers.pop().bit_length() - 1 if dangers else -1
        if (line := attacking.threats(TRIES, forced=forced)) or forced >= 0:
            return line or [forced]
        if (move := self._known.leading_to(position)) >= 0:
            return [move]
        if (move := self._strategy.cell(self._game)) >= 0:
            return [move]
        for tries_all in (False, True):
            # Of two moves that are as good as each other one was searched, or a sequence met in an image.
            attacking.finds_win(self._game, FIRST_SIDE, self._effort, tries_all=tries_all)
            move = attacking.best
            if line := self._look().threats(MAX_TRIES, forced=move):
                return line
            if move >= 0:
                return [move]
        raise LimitReachedError

    def _other(self, position: LinesPosition) -> None:
        """Write what answers each move of the Other, whom nothing forces."""
        if self._known.refer(position):
            return
        if self._effort.is_over():
            raise LimitReachedError
        self._writer.write("#m")
        for cell in self._answered_by_threats(position):
            play_cell(self._game, cell)
            self._prover(position.after_other(cell), ["x", cell + 1])
            self._game.undo()
        self._writer.write(".")
        self._known.add(position)

    def _answered_by_threats(self, position: LinesPosition) -> list[int]:
        """Write sequences of threats that win against some moves of the Other; return the others."""
        live = 0
        for line in position.mine + position.theirs:
            live |= line
        waiting, left = cells_of(live), list[int]()
        attacking = self._look()
        sequence = attacking.threats(TRIES)  # as if the Other passed
        while waiting:
            sequence = sequence or attacking.threats(TRIES, after=waiting[0])
            refuted = [cell for cell in waiting if attacking.is_refuted(cell)] if sequence else []
            waiting = [cell for cell in waiting if cell not in refuted]
            if refuted:
                named = [] if not (waiting or left) else ["/", *(cell + 1 for cell in refuted)]
                self._writer.write("d", *(cell + 1 for cell in sequence), *named)
            else:
                left.append(waiting.pop(0))
            sequence = []
        return left

    def _look(self) -> AttackSearch:
        """Ask the search about the position of the game."""
        self._attacking.look_at(self._game, FIRST_SIDE)
        return self._attacking
