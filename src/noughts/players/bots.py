"""The players that do not search: random and rule."""

from random import Random

from noughts.errors import GameOver
from noughts.games.base import Game, Move
from noughts.players.base import Player, decline_puzzle
from noughts.search.analysis import Limit
from noughts.search.explain.immediate import ImmediateTactics


class RandomPlayer(Player):
    """A player of random legal moves, all equally likely."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def take_seat(self, game: Game) -> None:
        decline_puzzle("random", game)

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        return self._chance.choice(list(game.legal_moves()))


class RulePlayer(Player):
    """A player that wins if it can, else blocks, else takes the cell with the most lines.

    On 3x3 these are the three rules of the tutorials: win, block, centre before corners before edges. On any
    board it wins at once if possible, avoids moves that let the other side win at once, and prefers the cells
    with the greatest :meth:`~noughts.games.base.Game.weight`. On boards larger than 19x19 it considers only a
    part, near the marks.
    """

    def take_seat(self, game: Game) -> None:
        decline_puzzle("rule", game)

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        immediate = ImmediateTactics(game)
        win = immediate.find_win()
        if win is not None:
            return win
        moves = immediate.moves
        best_first = sorted(moves, key=game.weight, reverse=True)
        safe, refutations = immediate.find_safe(best_first)
        if safe is not None:
            return safe
        # On a cell where the other side would win, a mark stops at least one threat.
        blocks = [move for move in moves if move in refutations]
        return immediate.slowest_loss([*blocks, *best_first])
