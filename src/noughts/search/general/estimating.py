"""Good moves in any game of two sides, by alpha-beta with an evaluation and iterative deepening.

The evaluation is the game's own, counts lines in k in a row, or plays random games to the end. Compared with
tree search by random games (UCT) at equal time, it was clearly stronger on ultimate and reversi, and as
strong on misere 4x4; ``docs/levels.md`` has the numbers.
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
"""Maximum depth of the search, in plies."""

DEFAULT_NODES = 100_000
"""Default limit in nodes."""


class GeneralSearch:
    """A search for good moves in any game of two sides.

    *chance* decides between equal moves, and *report* is called after each depth. The same state of *chance*
    and the same limit in nodes give the same result. Positions may repeat: the game itself decides when that
    is a draw, and in such games no value is taken from the table.

    >>> from noughts import new_game
    >>> game = new_game("misere")
    >>> GeneralSearch(Random(1)).search(game, Limit(nodes=2_000)).best in game.legal_moves()
    True
    """

    def __init__(self, chance: Random, report: Report = no_report) -> None:
        self._chance, self._report = chance, report

    def search(self, game: Game, limit: Limit) -> Analysis:
        """Return the best move found within *limit*, and the known facts about the position.

        ``value`` and ``plies`` are known if a win or loss was proved, or if the game was searched to its end.
        Otherwise ``score`` is the evaluation. Without a limit in nodes or seconds, 100,000 moves are tried.
        *game* is unchanged. Raises :class:`~noughts.errors.UnsupportedRules` if there are not two sides, and
        if a position that is not the end has no move.
        """
        if game.outcome is not None:
            return analysis_of_end(game)
        search, root = self._run(game, limit, each=False)
        pv = _principal_variation(search, root)
        return Analysis(root.value, root.plies, root.best, search.effort.nodes, pv, score=root.score)

    def score_moves(self, game: Game, limit: Limit) -> dict[Move, int]:
        """Return the score of each legal move for the side that makes it, as deep as *limit* allows.

        Higher is better. Scores beyond ±990,000 are proved wins or losses; the sooner the end, the further
        from 0. If not even one ply could be searched, all scores are 0. Raises the same errors as
        :meth:`search`.
        """
        if game.outcome is not None:
            return {}
        _, root = self._run(game, limit, each=True)
        return {move: root.scores[move] for move in game.legal_moves()}

    def _run(self, game: Game, limit: Limit, *, each: bool) -> tuple[AlphaBeta, RootMoves]:
        """Search with increasing depth. With *each*, every move at the root gets its own score."""
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
        moves.sort(key=game.weight, reverse=True)  # the sort is stable, so equals keep their order
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
    """Return the distance of the first cell of *move* from the middle, or 0 if it has no cell."""
    first = cells_of(move)[:1]
    return sum(
        (2 * part - side + 1) ** 2 for cell in first for part, side in zip(cell, game.shape, strict=True)
    )


def _principal_variation(search: AlphaBeta, root: RootMoves) -> tuple[Move, ...]:
    """Return the best move and the stored best moves after it."""
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
