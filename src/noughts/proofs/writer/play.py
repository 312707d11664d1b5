"""The proof that a side wins or holds, as play of the game itself."""

from noughts.certificates.by_play import move_as_word, position_of
from noughts.certificates.text import WINDOW, Writer
from noughts.games.base import Game, Move
from noughts.proofs.writer.maps import SymmetryMaps
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT


class PlayProof:
    """A proof that side number *side* of *game* wins, or else holds, from the current position.

    *exact* chooses the moves. Raises :class:`~noughts.search.analysis.LimitReachedError` if its effort ends.
    """

    def __init__(
        self, game: Game, side: int, exact: ExactSearch, writer: Writer, maps: SymmetryMaps, *, wins: bool
    ) -> None:
        self._game, self._side, self._wins = game, side, wins
        self._exact, self._writer, self._maps = exact, writer, maps
        self._known: dict[object, tuple[int, int]] = {}

    def write(self) -> None:
        """Write the proof of the current position."""
        if self._game.outcome is not None:
            return
        if self._game.turn == self._game.sides[self._side]:
            move = self._move()
            self._writer.write("s", move_as_word(self._game, move))
            self._play(move)
            return
        key, image = min((position_of(self._game, map_), at) for at, map_ in enumerate(self._maps.group))
        number, other = self._known.get(key, (0, 0))
        which = self._maps.between(image, other) if number else None
        if which is not None and self._writer.proved - number < WINDOW:
            self._writer.write("=", number, which)
            return
        self._writer.write("#m")
        self._write_answers()
        self._writer.write(".")
        self._writer.proved += 1
        self._known[key] = self._writer.proved, image

    def _write_answers(self) -> None:
        """Write a reply to each move of the Other."""
        game = self._game
        for move in list(game.legal_moves()):
            word = move_as_word(game, move)
            game.play(move)
            if game.outcome is not None:
                self._writer.write("x", word)
            else:
                reply = self._move()
                self._writer.write("x", word, move_as_word(game, reply))
                self._play(reply)
            game.undo()

    def _play(self, move: Move) -> None:
        """Write why *move*, which is written already, preserves the claimed result."""
        self._game.play(move)
        self.write()
        self._game.undo()

    def _move(self) -> Move:
        """Return a move that preserves the claimed result.

        It is a move known to do so, else the most promising one that a search confirms.
        """
        game = self._game
        if self._preserves_result() and (best := self._exact.best_move()) is not None:
            return best
        moves = sorted(game.legal_moves(), key=game.weight, reverse=True)
        for preserves in (self._is_known_to_preserve, self._preserves_result):
            for move in moves:
                game.play(move)
                is_kept = self._is_kept_at_end() if game.outcome is not None else preserves()
                game.undo()
                if is_kept:
                    return move
        raise AssertionError("no move keeps what the position promises")

    def _is_kept_at_end(self) -> bool:
        winner = self._game.winner
        return winner == self._game.sides[self._side] or (winner is None and not self._wins)

    def _preserves_result(self) -> bool:
        """Return True if the Prover still wins, or still holds."""
        self._exact.set_up(self._game)
        if self._wins:
            return self._exact.wins(self._side, NO_LIMIT)
        return not self._exact.wins(1 - self._side, NO_LIMIT)

    def _is_known_to_preserve(self) -> bool:
        """Return True if the stored results alone prove the same as :meth:`_preserves_result`."""
        self._exact.set_up(self._game)
        if self._wins:
            return self._exact.recall(self._side, NO_LIMIT) is True
        return self._exact.recall(1 - self._side, NO_LIMIT) is False
