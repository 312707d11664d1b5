"""Moves of several parts as text: the parts one after another, as ``b5-b1``."""

import re
from collections.abc import Callable

from noughts.core.board import Coordinate, index_of
from noughts.errors import IllegalMove, NotationError
from noughts.games.base import Game, Move
from noughts.games.moves import Part, parts_of
from noughts.games.notation import CellNotation

BETWEEN = "-"
"""What stands between the parts; blanks are read as well."""


class PartsNotation(CellNotation):
    """``1-5`` or ``a3-c3``: cells by number or by letter, and texts as they are.

    Of each text, the legal move is found that has these parts.
    """

    kind = "parts"

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        words = re.split(rf"{BETWEEN}|\s+", text.strip())
        legal = game.legal_moves()
        for move in legal:
            parts = parts_of(move)
            if len(parts) == len(words) and all(
                self._means(word, part, game, first) for word, part in zip(words, parts, strict=True)
            ):
                return move
        for word in words:
            if not any(word.lower() == part for move in legal for part in parts_of(move)):
                super().parse(word, game, first)  # says what is wrong with it
        raise IllegalMove(text, legal)

    def _means(self, word: str, part: Part, game: Game, first: int) -> bool:
        if isinstance(part, str):
            return word.lower() == part.lower()
        try:
            return super().parse(word, game, first) == part
        except NotationError:
            return False

    def format(self, move: Move, first: int = 1) -> str:
        return self.spell(move, lambda cell: str(index_of(self.shape, cell) + first))

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        """*move* as people read it, its cells called by *name*; :meth:`parse` reads it back too."""
        return BETWEEN.join(part if isinstance(part, str) else name(part) for part in parts_of(move))
