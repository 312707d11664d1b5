"""The proof of a winning attack, as play on lines: threats, and the quiet moves between them."""

from noughts.certificates.by_lines import Lines, LinesPosition, cells_of, singles
from noughts.certificates.text import Writer
from noughts.games.base import Game
from noughts.proofs.writer.maps import SymmetryMaps
from noughts.proofs.writer.strategy import Strategy
from noughts.proofs.writer.threats import play_cell, play_line
from noughts.proofs.writer.written_positions import WrittenPositions
from noughts.search.analysis import Effort, LimitReachedError
from noughts.search.dfpn.search import AttackSearch

FIRST_SIDE = 0
"""The number of the first side: under these rules no other side can win (Nash)."""

TRIES = 4000
MAX_TRIES = 1 << 20
"""Maximum number of threats tried for a sequence, and the same if the first move of a sequence is known."""


class AttackProof:
    """A proof that the first side of *game*, which is to move, wins by an attack that *attacking* finds.

    *strategy* chooses the quiet moves. Raises :class:`~noughts.search.analysis.LimitReachedError` if *effort*
    ends the search.
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
        self._writer, self._known, self._effort = writer, WrittenPositions(writer, maps.group), effort

    def write(self, mine: Lines, theirs: Lines) -> None:
        """Write the proof for an empty board with these lines of the Prover and of the Other."""
        self._strategy.plan()
        self._write_prover(LinesPosition(mine, theirs, (1 << len(self._game.cells)) - 1), ["s"])

    def _write_prover(self, position: LinesPosition, words: list[object]) -> None:
        """Write *words*, the Prover's winning move or moves, and all that follows."""
        line = self._line(position)
        self._writer.write(*words, *(cell + 1 for cell in line))
        self._write_play(position, line)

    def _write_play(self, position: LinesPosition, line: list[int]) -> None:
        """Write the play after the Prover takes the cells of *line*, all but the last with a threat."""
        before = len(self._game.moves)
        if (played := play_line(self._game, position, line)) is not None:
            after, is_provers_turn = played
            if is_provers_turn:
                self._write_prover(after, ["s"])
            else:
                self._write_other(after)
        while len(self._game.moves) > before:
            self._game.undo()

    def _line(self, position: LinesPosition) -> list[int]:
        """Return a winning sequence of threats, or a single winning move."""
        attacking = self._load_position()
        dangers = singles(position.theirs)
        forced = dangers.pop().bit_length() - 1 if dangers else -1
        if (line := attacking.threats(TRIES, forced=forced)) or forced >= 0:
            return line or [forced]
        if (move := self._known.leading_to(position)) >= 0:
            return [move]
        if (move := self._strategy.cell(self._game)) >= 0:
            return [move]
        for tries_all in (False, True):
            # Two equally good moves may have different results: only one was searched, or a sequence was
            # found in an image.
            attacking.finds_win(self._game, FIRST_SIDE, self._effort, tries_all=tries_all)
            move = attacking.best
            if line := self._load_position().threats(MAX_TRIES, forced=move):
                return line
            if move >= 0:
                return [move]
        raise LimitReachedError

    def _write_other(self, position: LinesPosition) -> None:
        """Write a reply to each move of the Other in a position without threats."""
        if self._known.refer(position):
            return
        if self._effort.is_over():
            raise LimitReachedError
        self._writer.write("#m")
        for cell in self._answered_by_threats(position):
            play_cell(self._game, cell)
            self._write_prover(position.after_other(cell), ["x", cell + 1])
            self._game.undo()
        self._writer.write(".")
        self._known.add(position)

    def _answered_by_threats(self, position: LinesPosition) -> list[int]:
        """Write sequences of threats that win against some moves of the Other, and return the other moves."""
        live = 0
        for line in position.mine + position.theirs:
            live |= line
        waiting, left = cells_of(live), list[int]()
        attacking = self._load_position()
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

    def _load_position(self) -> AttackSearch:
        """Load the position of the game into the search and return the search."""
        self._attacking.load_for_threats(self._game, FIRST_SIDE)
        return self._attacking
