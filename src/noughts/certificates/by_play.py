"""Proofs that play the game itself: one move of the Prover, and every move of the Other."""

from collections.abc import Iterable

from noughts.certificates.proved import Permutation, Proved
from noughts.certificates.text import DoesNotHold, Reader, numbers
from noughts.core.board import coordinate_of, index_of
from noughts.core.lines import line_table
from noughts.errors import MoveRefused
from noughts.games.base import Game, Move, Placement
from noughts.games.moves import cells_of, choices_of
from noughts.games.rules import Rules

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex"))
"""The facts of rules under which a position is its marks and who is to move."""


def keeps_rules(map_: Permutation, rules: Rules) -> bool:
    """Whether *map_* takes lines to lines, with what spoils them, and what is above a cell to above it."""
    table = line_table(rules.geometry)
    if table is None:
        return False
    found = {
        (frozenset(line), frozenset(ends)) for line, ends in zip(table.cells_of, table.ends_of, strict=True)
    }
    images = {
        (frozenset(map_[cell] for cell in line), frozenset(map_[cell] for cell in ends))
        for line, ends in found
    }
    if found != images:
        return False
    below = table.size // rules.shape[0]
    return not rules.gravity or all(
        map_[cell + below] == map_[cell] + below for cell in range(table.size - below)
    )


def move_as_word(game: Game, move: Move) -> str:
    """How a certificate writes *move*: the number of its cell, after the mark where that is chosen."""
    (cell,) = cells_of(move)
    return f"{''.join(choices_of(move))}{index_of(game.shape, cell) + 1}"


def position_of(game: Game, map_: Permutation | None = None) -> tuple[str, str]:
    """The marks, each where *map_* sends its cell, and who is to move."""
    cells = [cell or "." for cell in game.cells]
    if map_ is not None:
        images = cells[:]
        for cell, image in enumerate(map_):
            images[image] = cells[cell]
        cells = images
    return "".join(cells), game.turn


class PlayCheck:
    """Checks the steps of a proof that *reader* gives by playing *game*, which *side* is to win or to hold.

    Raises :class:`DoesNotHold` where a step fails.
    """

    def __init__(self, reader: Reader, game: Game, proved: Proved, side: str, *, wins: bool) -> None:
        self._reader, self._game, self._proved, self._side, self._wins = reader, game, proved, side, wins

    def check(self) -> None:
        """Check the proof of the position as it stands."""
        game = self._game
        if game.outcome is not None:
            if game.winner != self._side and (self._wins or game.winner is not None):
                raise DoesNotHold("the game ends otherwise")
            return
        word, *rest = self._reader.next() or [""]
        if word == "=":
            self._proved.check(rest, lambda map_: position_of(game, map_))
        elif game.turn == self._side:
            if word != "s" or len(rest) != 1:
                raise DoesNotHold(f"{word} is no move of the Prover")
            self._play(rest[0], ())
        elif word in ("m", "#m"):
            self._answers()
            if word == "#m":
                self._proved.add(position_of(game))
        else:
            raise DoesNotHold(f"{word} is no step")

    def _answers(self) -> None:
        """Check that every move of the Other is answered, up to the line with a full stop."""
        left = {move_as_word(self._game, move) for move in self._game.legal_moves()}
        while True:
            word, *rest = self._reader.next() or [""]
            if word == ".":
                break
            if word != "x" or not rest or len(rest) > 2:
                raise DoesNotHold(f"{word} is no answer")
            self._play(rest[0], rest[1:])
            left.discard(rest[0])
        if left:
            raise DoesNotHold("a move of the Other is not answered")

    def _play(self, word: str, after: Iterable[str]) -> None:
        """Play the move written *word*, and what comes *after* it; check the position, and go back."""
        game = self._game
        try:
            game.play(self._move_of(word))
        except MoveRefused as error:
            raise DoesNotHold(f"{word} is no legal move") from error
        try:
            rest = list(after)
            if rest:
                self._play(rest[0], rest[1:])
            else:
                self.check()
        finally:
            game.undo()

    def _move_of(self, word: str) -> Move:
        rules, number = self._game.rules, word
        mark = ""
        if rules is not None and rules.wild:
            mark, number = word[:1], word[1:]
            if mark not in rules.marks:
                raise DoesNotHold(f"{word} has no mark")
        (cell,) = numbers([number], len(self._game.cells))
        coordinate = coordinate_of(self._game.shape, cell)
        return Placement(coordinate, mark) if mark else coordinate
