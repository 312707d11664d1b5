"""Moves of several parts as text: the parts one after another, as ``b5-b1``."""

import re
from collections.abc import Callable

from noughts.core.board import Coordinate
from noughts.errors import IllegalMove, NotationError
from noughts.games.base import Game, Move
from noughts.games.moves import choices_of, parts_of
from noughts.games.notation import CellNotation

BETWEEN = "-"
"""The separator of the parts. Blanks are also read."""


class PartsNotation(CellNotation):
    """The notation ``1-5`` or ``a3-c3``: cells by number or by letter, and texts.

    Each text is matched to the legal move that has these parts.
    """

    kind = "parts"

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        words = re.split(rf"{BETWEEN}|\s+", text.strip().lower())
        meant = [{word, self._cell(word, game, first)} for word in words]
        whole = [move for move in game.legal_moves() if len(parts_of(move)) == len(words)]
        for move in whole:
            parts = [part.lower() if isinstance(part, str) else part for part in parts_of(move)]
            if all(part in either for part, either in zip(parts, meant, strict=True)):
                return move
        texts = {choice.lower() for move in whole for choice in choices_of(move)}
        for word in words:
            if word not in texts:
                super().parse(word, game, first)  # raises an error that names the fault
        raise IllegalMove(text, game.legal_moves()) if whole else NotationError("move", text, "unreadable")

    def _cell(self, word: str, game: Game, first: int) -> Coordinate | None:
        try:
            return super().parse(word, game, first)
        except NotationError:
            return None

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        return BETWEEN.join(part if isinstance(part, str) else name(part) for part in parts_of(move))
