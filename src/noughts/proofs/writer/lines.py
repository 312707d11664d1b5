"""The proof that a side wins or holds, as play on lines, under rules in which an extra mark never hurts."""

from contextlib import suppress

from noughts.certificates.by_lines import Lines, LinesPosition, cells_of
from noughts.certificates.text import Writer
from noughts.core.board import index_of
from noughts.games.base import Game, Move
from noughts.proofs.writer.maps import SymmetryMaps
from noughts.proofs.writer.stopping import StoppingProof
from noughts.proofs.writer.threats import ThreatLineFinder, is_refuted, play_cell, play_line
from noughts.proofs.writer.written_positions import WrittenPositions
from noughts.search.analysis import BudgetReachedError
from noughts.search.exact.scheduler import BLOCKING_PART
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT

FIRST_BUDGET = 1 << 11
"""Maximum number of nodes for one question before the other one has its turn."""


class LinesProof:
    """A proof that side number *side* of *game* wins, or else holds, from the current position.

    *exact* and its search for stopping strategies choose the moves. Raises
    :class:`~noughts.search.analysis.LimitReachedError` if their effort ends.
    """

    def __init__(
        self,
        game: Game,
        side: int,
        exact: ExactSearch,
        writer: Writer,
        maps: SymmetryMaps,
        *,
        wins: bool,
    ) -> None:
        self._game, self._side, self._wins = game, side, wins
        self._exact, self._blocking, self._writer = exact, exact.blocking, writer
        self._threats = ThreatLineFinder()
        self._known = WrittenPositions(writer, maps.group)
        self._stopping: StoppingProof | None = None
        if exact.blocking is not None:
            self._stopping = StoppingProof(exact.blocking, writer, maps, exact.effort)

    def write(self, mine: Lines, theirs: Lines) -> None:
        """Write the proof for an empty board with these lines of the Prover and of the Other."""
        start = LinesPosition(mine, theirs, (1 << len(self._game.cells)) - 1)
        if self._side:
            self._write_other(start)
        else:
            self._write_prover(start, NO_LIMIT)

    # Moves of the Prover

    def _write_prover(self, position: LinesPosition, left: int) -> None:
        """Write a move of the Prover and all that follows. A winning Prover wins within *left* plies."""
        if self._wins or position.theirs:
            self._write_play(position, self._line(position, left), left, ["s"])

    def _line(self, position: LinesPosition, left: int) -> list[int]:
        """Return the Prover's next moves: a winning line of threats, or one move."""
        line = self._threats.find(position)
        return line or [self._move(left)]

    def _move(self, left: int) -> int:
        """Return a move that preserves the claimed result, from the searches."""
        if not self._wins and self._is_stopped():
            reply = self._blocking.reply if self._blocking is not None else -1
            if reply >= 0:
                return reply
        if not self._preserves_result(left):
            raise AssertionError("the search has changed its mind")
        best = self._exact.best_move() or self._first_preserving_move(left)
        return index_of(self._game.shape, best)

    def _preserves_result(self, left: int) -> bool:
        """Return True if the Prover still wins within *left* plies, or still holds."""
        self._exact.set_up(self._game)
        if self._wins:
            return self._exact.wins(self._side, left)
        return not self._exact.wins(1 - self._side, NO_LIMIT)

    def _is_known_to_preserve(self, left: int) -> bool:
        """Return True if the stored results alone prove the same as :meth:`_preserves_result`."""
        self._exact.set_up(self._game)
        if self._wins:
            return self._exact.recall(self._side, left) is True
        return self._exact.recall(1 - self._side, NO_LIMIT) is False

    def _first_preserving_move(self, left: int) -> Move:
        """Return a move that preserves the claimed result.

        It is a move known to do so, else the most promising one that a search confirms.
        """
        game = self._game
        moves = sorted(game.legal_moves(), key=game.weight, reverse=True)
        for preserves in (self._is_known_to_preserve, self._preserves_result):
            for move in moves:
                game.play(move)
                try:
                    if game.outcome is not None or preserves(left - 1):
                        return move
                finally:
                    game.undo()
        raise AssertionError("no move keeps what the position promises")

    def _is_stopped(self) -> bool:
        """Return True if stopping all lines of the Other proves to hold the game before the full search."""
        exact, game, other = self._exact, self._game, 1 - self._side
        budget = FIRST_BUDGET
        while exact.blocking is not None:
            with suppress(BudgetReachedError):
                return exact.blocking.holds(game, other, exact.effort, budget // BLOCKING_PART)
            with suppress(BudgetReachedError):
                exact.set_up(game)
                exact.wins(other, NO_LIMIT, budget)
                break
            budget *= 4
        return False

    def _write_play(self, position: LinesPosition, line: list[int], left: int, words: list[object]) -> None:
        """Write *words* and the moves of *line*, play them, and write all that follows."""
        self._writer.write(*words, *(cell + 1 for cell in line))
        before = len(self._game.moves)
        if (played := play_line(self._game, position, line)) is not None:
            after, is_provers_turn = played
            if is_provers_turn:
                self._write_prover(after, left - 2 * len(line))
            else:
                self._write_other(after, left - 2 * len(line))
        while len(self._game.moves) > before:
            self._game.undo()

    # Moves of the Other

    def _write_other(self, position: LinesPosition, left: int = NO_LIMIT) -> None:
        """Write a reply to each move of the Other."""
        if not (self._wins or position.theirs):
            return
        if self._known.refer(position):
            return
        if not self._wins and self._stopping is not None and self._is_stopped():
            if position.mine:
                self._writer.write("f")
            self._stopping.write(self._game, 1 - self._side)
            return
        self._writer.write("#m")
        self._write_answers(position, left)
        self._writer.write(".")
        self._known.add(position)

    def _write_answers(self, position: LinesPosition, left: int) -> None:
        live = 0
        for line in position.mine + position.theirs:
            live |= line
        moves = cells_of(live)
        if self._wins:
            moves = self._answered_by_threats(position, moves)
        for cell in moves:
            after = position.after_other(cell)
            play_cell(self._game, cell)
            replies = self._line(after, left - 1) if self._wins or after.theirs else []
            self._write_play(after, replies, left - 1, ["x", cell + 1])
            self._game.undo()

    def _answered_by_threats(self, position: LinesPosition, moves: list[int]) -> list[int]:
        """Write lines of threats that win against some of *moves*, and return the other moves."""
        line = self._threats.find(position)  # as if the Other passed
        waiting = moves
        left: list[int] = []
        while True:
            if line and (refuted := [cell for cell in waiting if is_refuted(position, cell, line)]):
                waiting = [cell for cell in waiting if cell not in refuted]
                named = [] if not (waiting or left) else ["/", *(cell + 1 for cell in refuted)]
                self._writer.write("d", *(cell + 1 for cell in line), *named)
            if not waiting:
                return left
            line = self._threats.find(position.after_other(waiting[0]))
            if line is None or not is_refuted(position, waiting[0], line):
                left.append(waiting.pop(0))
                line = None
