"""Installed certificates: values that the analyst knows without a search."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from noughts.certificates.index import Index
from noughts.certificates.shipped import shipped_folder
from noughts.certificates.verify import VALUES
from noughts.games.base import Game, Move
from noughts.games.rules import EXTRA_MARK_HELPS
from noughts.records.folders import data_folder
from noughts.search.analysis import Analysis, MoveValue, handled_rules, value_of_end

VARIABLE = "NOUGHTS_CERTIFICATES"
FOLDER = "certificates"


def certificates_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder of installed certificates.

    The variable ``NOUGHTS_CERTIFICATES`` names it. The default is a folder in the user's data.
    """
    folder = environ.get(VARIABLE)
    return Path(folder) if folder else data_folder(environ, platform) / FOLDER


@dataclass(frozen=True, slots=True)
class ProvedValue:
    """A proved result for the side to move.

    ``value`` is 1, 0 or -1, and None if only a bound is proved. ``move`` keeps the proved result of that
    side, if it has one.
    """

    value: int | None
    cannot_win: bool = False
    cannot_lose: bool = False
    move: Move | None = None


class InstalledProofs:
    """The results of the certificates in *folders*.

    The default is the folder of installed certificates and the one of those that come with noughts.
    """

    def __init__(self, folders: Sequence[Path] | None = None) -> None:
        self._folders = (certificates_folder(), shipped_folder()) if folders is None else folders
        self._indexes: dict[str, Index] = {}

    def has_index(self, game: Game) -> bool:
        """Return True if a certificate for games like *game* is installed."""
        return self._index(game) is not None

    def winner(self, game: Game) -> int | None:
        """Return the number of the side that is proved to win *game* from the start; None for neither."""
        index = self._index(game)
        return None if index is None or index.value == "draw" else VALUES.index(index.value)

    def with_strategy_stealing(self, game: Game, result: ProvedValue) -> ProvedValue:
        """Return the proved *result* of *game*, completed by strategy stealing.

        A certificate of a draw by strategy stealing has a tree for the second side alone. No first move
        loses: otherwise the other side would win as the first side, without that mark. After the first move
        the second side does not win, and draws by the move of its tree.
        """
        placed = [mark for mark in game.cells if mark is not None]
        is_start = not placed and game.turn == game.sides[0]
        is_answer = placed == [game.sides[0]] and game.turn == game.sides[1] and result.move is not None
        if (
            handled_rules(game, EXTRA_MARK_HELPS) is None
            or self.winner(game) is not None
            or not (is_start or is_answer)
        ):
            return result
        return replace(result, value=0)

    def find(self, game: Game) -> ProvedValue | None:
        """Return the result that a certificate proves for the unfinished *game*; None if there is none."""
        index = self._index(game)
        if index is None:
            return None
        side = game.sides.index(game.turn)
        own, other = index.find(game, side), index.find(game, 1 - side)
        if own is None and other is None:
            return None
        value = 0 if own is not None and other is not None else None
        if own is not None and own.goal == "win":
            value = 1
        elif other is not None and other.goal == "win":
            value = -1
        move = None if own is None else own.move
        return ProvedValue(value, other is not None and value != 1, own is not None and value != -1, move)

    def _index(self, game: Game) -> Index | None:
        if game.rules is None or len(game.sides) != 2:
            return None
        spec = game.rules.spec
        if spec not in self._indexes:
            result = next(filter(None, (Index.of(game, folder) for folder in self._folders)), None)
            if result is None:  # A certificate may be installed later.
                return None
            self._indexes[spec] = result
        return self._indexes[spec]

    def completed(self, game: Game, result: Analysis, proved: ProvedValue | None) -> Analysis:
        """Return the *result* of a search of *game*, with the gaps filled by *proved* values.

        The positions after the moves give the moves of unknown value their values.
        """
        if self._index(game) is None:
            return result
        moves = tuple(self._valued(game, known) if known.value is None else known for known in result.moves)
        result = replace(result, moves=moves)
        if result.value is not None:
            return result
        value = None if proved is None else proved.value
        if value is None and any(known.value == 1 for known in moves):
            value = 1
        elif value is None and moves and all(known.value is not None for known in moves):
            value = max(known.value or 0 for known in moves)
        best = None if proved is None else proved.move
        if value is None:
            if proved is None:
                return result
            halves = replace(
                result,
                cannot_win=result.cannot_win or proved.cannot_win,
                cannot_lose=result.cannot_lose or proved.cannot_lose,
            )
            return halves if best is None else replace(halves, best=best, pv=(best,))
        if best is None:
            keeping = [known.move for known in moves if known.value == value] or list(game.legal_moves())
            best = result.best if result.best in keeping else max(keeping, key=game.weight)
        moves = tuple(
            replace(known, value=value)
            if known.value is None and (known.move == best or value == -1)
            else known
            for known in moves
        )
        return Analysis(value, None, best, result.nodes, (best,), moves, is_told=True)

    def _valued(self, game: Game, known: MoveValue) -> MoveValue:
        """Return the move *known* with its value, if that is proved."""
        after = game.copy()
        after.play(known.move)
        if after.outcome is not None:
            value = value_of_end(after)
            return replace(known, value=-value, plies=1 if value else None)
        then = self.find(after)
        return known if then is None or then.value is None else replace(known, value=-then.value)
