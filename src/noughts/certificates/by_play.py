"""The check of proofs by play: one move of the Prover, and every move of the Other."""

from collections.abc import Callable

from noughts.certificates.proved_positions import Permutation, ProvedPositions
from noughts.certificates.text import DoesNotHold, Reader, numbers
from noughts.core.board import coordinate_of, index_of
from noughts.core.lines import line_table
from noughts.errors import MoveRefused
from noughts.games.base import Game, Move, Placement
from noughts.games.moves import cells_of, choices_of
from noughts.games.rules import Rules

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex"))
"""The facts of rules under which a position is its marks and the side to move.

The format describes the lines of each of these options, and of no other tiling.
"""


def keeps_rules(map_: Permutation, rules: Rules) -> bool:
    """Return True if *map_* is a symmetry of the rules.

    It must map lines to lines, together with the cells that spoil them, and keep the order of cells in
    columns.
    """
    table = line_table(rules.geometry)
    if table is None:
        return False
    result = {
        (frozenset(line), frozenset(ends)) for line, ends in zip(table.cells_of, table.ends_of, strict=True)
    }
    images = {
        (frozenset(map_[cell] for cell in line), frozenset(map_[cell] for cell in ends))
        for line, ends in result
    }
    if result != images:
        return False
    below = table.size // rules.shape[0]
    return not rules.gravity or all(
        map_[cell + below] == map_[cell] + below for cell in range(table.size - below)
    )


def move_as_word(game: Game, move: Move) -> str:
    """Return *move* as written in a certificate: the number of its cell, after the mark if that is chosen."""
    (cell,) = cells_of(move)
    return f"{''.join(choices_of(move))}{index_of(game.shape, cell) + 1}"


def position_of(game: Game, map_: Permutation | None = None) -> tuple[str, str]:
    """Return the marks after *map_* has moved their cells, and the side to move."""
    cells = [cell or "." for cell in game.cells]
    if map_ is not None:
        images = cells[:]
        for cell, image in enumerate(map_):
            images[image] = cells[cell]
        cells = images
    return "".join(cells), game.turn


class PlayCheck:
    """Checks the steps of a proof that *reader* reads by playing *game*. *side* must win, or hold.

    *note* is called at each position of the game with the word for the Prover's move there, None if the Other
    is to move. The notes are proved only if the whole part is. Methods raise :class:`DoesNotHold` if a step
    fails.
    """

    def __init__(
        self,
        reader: Reader,
        game: Game,
        proved: ProvedPositions,
        side: str,
        *,
        wins: bool,
        note: Callable[[str | None], None],
    ) -> None:
        self._reader, self._game, self._proved, self._side, self._wins = reader, game, proved, side, wins
        self._note = note

    def check(self) -> None:
        """Check the proof of the current position, and return to it.

        Two plies take two frames of Python's stack, so a game of 400 is not too deep.
        """
        game, ply = self._game, self._game.ply
        if game.outcome is None and game.turn == self._side:
            word, *rest = self._reader.next()
            if word != "s" or len(rest) != 1:
                raise DoesNotHold(f"{word} is no move of the Prover")
            self._note(rest[0])
            self._play(rest)
        if game.outcome is None:
            self._other()
        elif game.winner != self._side and (self._wins or game.winner is not None):
            raise DoesNotHold("the game ends otherwise")
        self._back(ply)

    def _other(self) -> None:
        """Check the proof of the current position, in which the Other is to move."""
        game = self._game
        self._note(None)
        step, *rest = self._reader.next()
        if step == "=":
            self._proved.check(rest, lambda map_: position_of(game, map_))
            return
        if step not in ("m", "#m") or rest:
            raise DoesNotHold(f"{step} is no step")
        left, ply = {move_as_word(game, move) for move in game.legal_moves()}, game.ply
        while (answer := self._reader.next()) != ["."]:
            word, *moves = answer
            if word != "x" or not 1 <= len(moves) <= 2:
                raise DoesNotHold(f"{word} is no answer")
            if moves[0] not in left:
                raise DoesNotHold(f"{moves[0]} is no legal move, or answered already")
            left.remove(moves[0])
            self._play(moves[:1])
            if len(moves) > 1:
                self._note(moves[1])
                self._play(moves[1:])
            self.check()
            self._back(ply)
        if left:
            raise DoesNotHold("a move of the Other is not answered")
        if step == "#m":
            self._proved.add(position_of(game))

    def _play(self, words: list[str]) -> None:
        """Play the moves that *words* name."""
        for word in words:
            try:
                self._game.play(self._move_of(word))
            except MoveRefused as error:
                raise DoesNotHold(f"{word} is no legal move") from error

    def _back(self, ply: int) -> None:
        """Take back all moves since *ply*."""
        while self._game.ply > ply:
            self._game.undo()

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
