"""Good moves in any game of two sides, by alpha-beta with an evaluation, deepened ply by ply.

The evaluation is the game's own, lines for k in a row, or random games played to the end. Beside tree search
by random games (UCT) at equal time it was clearly the stronger on ultimate and reversi, and as strong on
misere 4x4; ``docs/levels.md`` has the numbers.
"""

from dataclasses import replace
from random import Random

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of
from noughts.search.analysis import (
    Analysis,
    Effort,
    Limit,
    LimitReachedError,
    Progress,
    Report,
    analysis_of_end,
    moves_of,
    no_report,
)
from noughts.search.general.alphabeta import AlphaBeta, RootMoves
from noughts.search.general.static_evaluation import evaluation_of

MAX_DEPTH = 120
"""How deep the search goes at most, in plies."""

DEFAULT_NODES = 100_000
"""What a search may use that nobody limits."""


class GeneralSearch:
    """Searches any game of two sides. *chance* decides between equals; *report* is told of each depth.

    The same state of *chance* and the same limit in nodes give the same answer. Positions that come back
    are no trouble: the game itself says when that is a draw, and in such games no value is taken from memory.

    >>> from noughts import new_game
    >>> game = new_game("misere")
    >>> GeneralSearch(Random(1)).search(game, Limit(nodes=2_000)).best in game.legal_moves()
    True
    """

    def __init__(self, chance: Random, report: Report = no_report) -> None:
        self._chance, self._report = chance, report

    def search(self, game: Game, limit: Limit) -> Analysis:
        """The best move found within *limit*, and what is known of the position; the game is left alone.

        ``value`` is known where a win or loss was proved or the game was searched to its end; ``plies``
        then too. ``score`` is the evaluation otherwise. Without a limit in nodes or seconds
        100,000 moves are tried. Raises :class:`~noughts.errors.UnsupportedRules` where there are not two
        sides, and where a position allows no move though it is not the end.
        """
        if game.outcome is not None:
            return analysis_of_end(game)
        search, root = self._run(game, limit, each=False)
        pv = _principal_variation(search, root)
        return Analysis(root.value, root.plies, root.best, search.effort.nodes, pv, score=root.score)

    def score_moves(self, game: Game, limit: Limit) -> dict[Move, int]:
        """The score of each legal move for the side that makes it, as deep as *limit* allows.

        More is better; beyond ±990,000 it is a proved win or loss, the sooner the further from 0. Where
        not even one ply could be searched all moves score 0. Raises as :meth:`search` does.
        """
        if game.outcome is not None:
            return {}
        _, root = self._run(game, limit, each=True)
        return {move: root.scores[move] for move in game.legal_moves()}

    def _run(self, game: Game, limit: Limit, *, each: bool) -> tuple[AlphaBeta, RootMoves]:
        """Search deeper and deeper; with *each* every move at the root gets a score of its own."""
        if len(game.sides) != 2:
            raise UnsupportedRules("search", game.name, "not-two-sides")
        limit = limit.started()
        game = game.copy()
        search = AlphaBeta(game, evaluation_of(game, self._chance, limit.stop))
        if limit.nodes is None and limit.stop is Limit().stop:
            limit = replace(limit, nodes=DEFAULT_NODES)
        search.effort = Effort(limit)
        moves = list(moves_of(game))
        self._chance.shuffle(moves)
        if not any(game.cells):
            moves.sort(key=lambda move: _distance_from_middle(game, move))
        moves.sort(key=game.weight, reverse=True)  # equals stay in their order
        root = RootMoves(moves)
        deepest = MAX_DEPTH if limit.depth is None else min(MAX_DEPTH, limit.depth)
        try:
            while root.depth < deepest and not root.is_complete:
                root.deepen(search, root.depth + 1, each=each)
                pv = () if self._report is no_report else _principal_variation(search, root)
                progress = Progress("searching", search.effort.nodes, root.depth, root.best, pv, root.score)
                self._report(progress)
                if not each and root.value is not None:
                    break
        except LimitReachedError:
            pass
        return search, root


def _distance_from_middle(game: Game, move: Move) -> int:
    """How far the first cell of *move*, if it has any, is from the middle of the board."""
    first = cells_of(move)[:1]
    return sum(
        (2 * part - side + 1) ** 2 for cell in first for part, side in zip(cell, game.shape, strict=True)
    )


def _principal_variation(search: AlphaBeta, root: RootMoves) -> tuple[Move, ...]:
    """The best move and what the memory has of the moves after it."""
    game, line = search.game, [root.best]
    game.play(root.best)
    while game.outcome is None and len(line) < root.depth:
        known = search.known()
        if known is None or known.best is None:
            break
        game.play(known.best)
        line.append(known.best)
    for _ in line:
        game.undo()
    return tuple(line)
