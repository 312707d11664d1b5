"""perfect: a player that never loses the value of a position."""

from dataclasses import replace
from random import Random

from noughts.errors import GameOver, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.players.base import Player, decline_puzzle
from noughts.players.levels import FALLING, LEVELS, LevelPlayer, has_fast_columns
from noughts.search.analysis import Analysis, Limit, Progress, Report, no_report
from noughts.search.analyst import Analyst

SEAT_NODES = 100_000
"""The maximum number of nodes for solving the first position. A game that needs more is declined.

6x6:4 takes 50,000. There is no time limit: the decision must not depend on the load of the machine.
"""

FALLING_TIMES = 10
"""The factor for games with falling marks: nodes are cheap there, and 6x5:4,gravity takes 500,000."""

LARGE = 36
LARGE_NODES = 5_000
"""The number of empty cells or moves of a large game, and the nodes for solving one."""

STOPPING_NODES = 20_000
"""The nodes for solving a large game if one side may be able to stop all lines of the other.

7x7:5 is proved with 16,000 nodes.
"""

MOVE_NODES = 1_000_000
"""The maximum number of nodes for the best move."""

EQUAL_NODES = 20_000
"""The maximum number of nodes for the moves that are equally good."""

TRAP_NODES = 20_000
"""The maximum number of nodes for choosing the equally good move that sets the most traps."""


def is_large(game: Game) -> bool:
    """Return True if *game* is so large that only a nearly obvious position is solved."""
    return max(game.cells.count(None), len(game.legal_moves())) > LARGE


class PerfectPlayer(Player):
    """A player that preserves the value of the position: the fastest win, the longest defence.

    Among equally good moves it chooses one that gives the other side most ways to make a mistake. It solves
    the game before the first move, and declines a game that it cannot solve. If there is a book of the game
    or an installed certificate, it plays by that, and searches beyond. If nothing proves a move, it reports
    that (``unproved``) and plays like the strongest level. It also does so if every move is proved to lose,
    and the longest defence is not known.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._analyst = Analyst()
        self._level = LevelPlayer(LEVELS[-1], chance)
        self._declined: UnsupportedRules | None = None
        self._report: Report = no_report

    def report_to(self, report: Report) -> None:
        # The best move is not reported, because the search may be at a later position.
        self._report = report
        self._analyst.report = lambda progress: report(Progress(progress.stage, progress.nodes))

    def take_seat(self, game: Game) -> None:
        _check_sides(game)
        if self._analyst.is_told(game):
            return
        nodes = SEAT_NODES * (FALLING_TIMES if game.facts == FALLING else 1)
        if is_large(game):
            nodes = min(nodes, STOPPING_NODES if self._analyst.may_stop_lines(game) else LARGE_NODES)
        # The game is declined until it is known to be playable.
        self._declined = UnsupportedRules("perfect", game.name, "not-solved", ("level:10",), nodes=nodes)
        if game.outcome is None and self._analyst.solve(game, Limit(nodes=nodes)).value is None:
            raise self._declined
        self._declined = None

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        _check_sides(game)
        if self._declined is not None and game.name == self._declined.game:
            raise self._declined
        # Half of the time is for the best move, the rest for equally good ones.
        part = _part(limit, 1 / 2, MOVE_NODES)
        if limit.nodes is None and limit.seconds is not None and has_fast_columns(game):
            part = replace(part, nodes=None)
        analysis = self._analyst.solve(game, part)
        if analysis.best is None:
            self._report(Progress("unproved", analysis.nodes))
            return self._level.choose(game, _part(limit, 1 / 2, MOVE_NODES))
        if analysis.plies is None and analysis.value == -1:  # the longest defence is unknown
            return self._level.choose(game, _part(limit, 1 / 2, MOVE_NODES))
        if analysis.plies is None and analysis.value == 1:
            return analysis.best  # this move makes progress towards the win
        left = limit if limit.nodes is None else replace(limit, nodes=limit.nodes - analysis.nodes)
        equal = self._find_equal(game, analysis, _part(left, 1 / 4, EQUAL_NODES))
        traps = self._count_traps(game.copy(), equal, _part(left, 1 / 4, TRAP_NODES))
        most = max(traps.values())
        return self._chance.choice([move for move in equal if traps[move] == most])

    def _find_equal(self, game: Game, solved: Analysis, limit: Limit) -> list[Move]:
        """Return the moves that are known to be as good as the best one *solved*."""
        analysis, worth = self._analyst.analyse(game, limit), (solved.value, solved.plies)
        equal = {known.move for known in analysis.moves if (known.value, known.plies) == worth}
        return [move for move in game.legal_moves() if move in equal or move == solved.best]

    def _count_traps(self, game: Game, moves: list[Move], limit: Limit) -> dict[Move, int]:
        """Return for each of *moves* the number of replies that worsen the other side's result.

        All numbers are 0 if *limit* is too small to find out.
        """
        nodes = limit.nodes or 0
        traps = dict.fromkeys(moves, 0)
        for move in moves if len(moves) > 1 else ():
            game.play(move)
            analysis = self._analyst.analyse(game, replace(limit, nodes=nodes))
            game.undo()
            nodes -= analysis.nodes
            if not analysis.is_complete and analysis.plies != 0:
                return dict.fromkeys(moves, 0)
            values = [known.value or 0 for known in analysis.moves]
            traps[move] = sum(value < max(values) for value in values)
        return traps


def _part(limit: Limit, share: float, nodes: int) -> Limit:
    """Return a *share* of the seconds and nodes of *limit*, with at most *nodes* nodes."""
    return replace(
        limit,
        seconds=None if limit.seconds is None else limit.seconds * share,
        nodes=nodes if limit.nodes is None else min(nodes, int(limit.nodes * share)),
    )


def _check_sides(game: Game) -> None:
    decline_puzzle("perfect", game)
    if len(game.sides) > 2:
        raise UnsupportedRules("perfect", game.name, "not-two-sides", instead=("level:10",))
