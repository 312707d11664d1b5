"""The players that do not search: random and rule."""

from collections import deque
from random import Random

from noughts.errors import GameOver, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.players.base import Player
from noughts.players.sight import Sight, look_at
from noughts.players.tactics import winning_moves
from noughts.search.analysis import Limit

MAX_LOOKS = 40
"""How many candidates the rule player tries against the other side's replies."""


class RandomPlayer(Player):
    """Any legal move, each as likely as another."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def take_seat(self, game: Game) -> None:
        _decline_alone("random", game)

    def choose(self, game: Game, limit: Limit) -> Move:
        return self._chance.choice(_open_moves(game))


class RulePlayer(Player):
    """Wins if it can, else blocks, else takes the cell that most lines go through.

    On 3x3 those are the three rules of the tutorials: win, block, centre before corners before edges.
    On any board it wins at once where it can, avoids moves that let the other side win at once, and
    prefers the cells with the greatest :meth:`~noughts.games.base.Game.weight`. Of boards larger than
    19x19 it looks at a part, near the marks.
    """

    def take_seat(self, game: Game) -> None:
        _decline_alone("rule", game)

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.outcome is not None:
            raise GameOver
        sight = look_at(game)
        # Where there is no mark to complete a line beside, a line of one cell may still be made.
        wins = winning_moves(game, sight.endings() or sight.moves[:1])
        if wins:
            return wins[0]
        best_first = sorted(sight.moves, key=game.weight, reverse=True)
        queue = deque(move for move in best_first if not _loses_at_once(game, move, sight))
        blocks: set[Move] = set()
        tried: set[Move] = set()
        while queue and len(tried) < MAX_LOOKS:
            move = queue.popleft()
            if move in tried:
                continue
            tried.add(move)
            refutations = _replies_that_win(game, move, sight)
            if not refutations:
                return move
            # Where the other side would win is where it must be stopped: try those cells next.
            here = [reply for reply in refutations if reply in sight.moves]
            blocks.update(here)
            queue.extendleft(reversed(here))
        return min(blocks, key=sight.moves.index, default=best_first[0])


def _open_moves(game: Game) -> list[Move]:
    """The legal moves; :class:`~noughts.errors.GameOver` where there are none to choose from."""
    if game.outcome is not None:
        raise GameOver
    return list(game.legal_moves())


def _loses_at_once(game: Game, move: Move, sight: Sight) -> bool:
    if not sight.may_end(move):
        return False
    side = game.turn
    game.play(move)
    outcome = game.outcome
    game.undo()
    return outcome is not None and outcome.winner not in (None, side)


def _replies_that_win(game: Game, move: Move, sight: Sight) -> list[Move]:
    """The replies to *move* that win at once."""
    game.play(move)
    replies = winning_moves(game, sight.endings(move) if game.outcome is None else [])
    game.undo()
    return replies


def _decline_alone(who: str, game: Game) -> None:
    """Nobody who makes some move or other ever solves a puzzle."""
    if len(game.sides) == 1:
        raise UnsupportedRules(who, game.name, "one-side", instead=("human",))
