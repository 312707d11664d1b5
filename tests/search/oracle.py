"""The oracle: the values of all positions of a small game, by full search."""

from functools import cache
from typing import NamedTuple

from noughts import new_game
from noughts.games.base import Game, Move


class Worth(NamedTuple):
    """A value for the side to move, 1, 0 or -1, and the plies to the end with best play."""

    value: int
    plies: int


class Position(NamedTuple):
    """A position, its value, and the value of each move for the side that makes it."""

    game: Game
    worth: Worth
    moves: dict[Move, Worth]


def goodness(worth: Worth) -> tuple[int, int]:
    """Return a sort key: the result first, then the quickest win or the longest defence."""
    return (worth.value, -worth.value * worth.plies)


@cache
def positions_of(name: str) -> dict[object, Position]:
    """Return all positions of the game *name* by their keys, the start first."""
    found: dict[object, Position] = {}

    def look(game: Game) -> Worth:
        key = game.key()
        if key not in found:
            if game.outcome is None:
                moves = {}
                for move in game.legal_moves():
                    side = game.turn
                    game.play(move)
                    value, plies = look(game)
                    moves[move] = Worth(value if game.turn == side else -value, plies + 1)
                    game.undo()
                found[key] = Position(game.copy(), max(moves.values(), key=goodness), moves)
            else:
                winner = game.outcome.winner
                value = 0 if winner is None else 1 if winner == game.turn else -1
                found[key] = Position(game.copy(), Worth(value, 0), {})
        return found[key].worth

    look(new_game(name))
    return dict(sorted(found.items(), key=lambda item: item[1].game.ply))
