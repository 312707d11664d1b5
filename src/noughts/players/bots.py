"""The players that come with noughts: random, rule, perfect."""

from collections import deque
from random import Random

from noughts.errors import GameOver, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.players.base import Player, register
from noughts.search.analysis import Limit
from noughts.search.solver import LimitReachedError, Solver, check_supported

MAX_LOOKS = 40
"""How many candidates the rule player tries against the other side's replies."""

MAX_SOLVED_CELLS = 36
"""Boards with more cells are declined by the perfect player without spending its budget on them."""

SEAT_NODES = 500_000
"""What the perfect player may spend on solving the position it is seated at."""

CHOICE_NODES = 20_000
"""What it may spend on finding, among equally good moves, the one that sets most traps."""


class RandomPlayer(Player):
    """Any legal move, each as likely as another."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, game: Game, limit: Limit) -> Move:
        return self._chance.choice(_open_moves(game))


class RulePlayer(Player):
    """Wins if it can, else blocks, else takes the cell that most lines go through.

    On 3x3 those are the three rules of the tutorials: win, block, centre before corners before edges.
    On any board it wins at once where it can, avoids moves that let the other side win at once, and
    prefers the cells with the greatest :meth:`~noughts.games.base.Game.weight`.
    """

    def choose(self, game: Game, limit: Limit) -> Move:
        moves = _open_moves(game)
        wins = _moves_that_win(game)
        if wins:
            return wins[0]
        best_first = sorted(moves, key=game.weight, reverse=True)
        queue = deque(move for move in best_first if not _loses_at_once(game, move))
        blocks: set[Move] = set()
        tried: set[Move] = set()
        while queue and len(tried) < MAX_LOOKS:
            move = queue.popleft()
            if move in tried:
                continue
            tried.add(move)
            refutations = _replies_that_win(game, move)
            if not refutations:
                return move
            # Where the other side would win is where it must be stopped: try those cells next.
            here = [reply for reply in refutations if reply in moves]
            blocks.update(here)
            queue.extendleft(reversed(here))
        return min(blocks, key=moves.index, default=best_first[0])


class PerfectPlayer(Player):
    """Never gives away what the position is worth: the fastest win, the longest defence, and among
    equally good moves one that leaves the other side most ways to go wrong.

    It solves the game before the first move, and declines a game that its node budget cannot solve.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._solver = Solver()
        self._game = ""

    def take_seat(self, game: Game) -> None:
        self._game = ""  # until it is known that this one can be played
        try:
            check_supported(game, "perfect")
        except UnsupportedRules as error:
            raise UnsupportedRules("perfect", game.name, error.reason, instead=("rule",)) from None
        if game.outcome is None and not self._can_solve(game):
            raise UnsupportedRules("perfect", game.name, "too-large", instead=("rule",), nodes=SEAT_NODES)
        self._game = game.name

    def _can_solve(self, game: Game) -> bool:
        if len(game.cells) > MAX_SOLVED_CELLS:
            return False
        return self._solver.solve(game, Limit(nodes=SEAT_NODES)).value is not None

    def choose(self, game: Game, limit: Limit) -> Move:
        _open_moves(game)
        if game.name != self._game:
            self.take_seat(game)
        game = game.copy()
        scores = self._solver.score_moves(game)
        best = max(scores.values())
        equal = [move for move, score in scores.items() if score == best]
        traps = self._count_traps(game, equal)
        most = max(traps.values())
        return self._chance.choice([move for move in equal if traps[move] == most])

    def _count_traps(self, game: Game, moves: list[Move]) -> dict[Move, int]:
        """For each of *moves*, how many replies would make the other side's result worse."""
        self._solver.allow(Limit(nodes=CHOICE_NODES))
        traps = dict.fromkeys(moves, 0)
        if len(moves) > 1:
            try:
                for move in moves:
                    game.play(move)
                    traps[move] = self._count_mistakes(game)
                    game.undo()
            except LimitReachedError:
                return dict.fromkeys(moves, 0)
        return traps

    def _count_mistakes(self, game: Game) -> int:
        """How many legal moves give a worse result, win or draw or loss, than the best one."""
        replies = list(game.legal_moves())
        worth = {reply: self._result_of(game, reply) for reply in replies}
        return sum(value < max(worth.values()) for value in worth.values())

    def _result_of(self, game: Game, move: Move) -> int:
        """1, 0 or -1 for the side that makes *move*."""
        game.play(move)
        try:
            if self._solver.is_at_least(game, 1):
                return -1
            return 0 if self._solver.is_at_least(game, 0) else 1
        finally:
            game.undo()


def _open_moves(game: Game) -> list[Move]:
    """The legal moves; :class:`~noughts.errors.GameOver` where there are none to choose from."""
    if game.outcome is not None:
        raise GameOver
    return list(game.legal_moves())


def _moves_that_win(game: Game) -> list[Move]:
    """The moves that end the game with a win for the side to move."""
    side = game.turn
    wins = []
    for move in game.legal_moves():
        game.play(move)
        if game.outcome is not None and game.outcome.winner == side:
            wins.append(move)
        game.undo()
    return wins


def _loses_at_once(game: Game, move: Move) -> bool:
    side = game.turn
    game.play(move)
    outcome = game.outcome
    game.undo()
    return outcome is not None and outcome.winner not in (None, side)


def _replies_that_win(game: Game, move: Move) -> list[Move]:
    """The replies to *move* that win at once."""
    game.play(move)
    replies = _moves_that_win(game)
    game.undo()
    return replies


register("random")(lambda argument, chance: RandomPlayer(chance))
register("rule")(lambda argument, chance: RulePlayer())
register("perfect")(lambda argument, chance: PerfectPlayer(chance))
