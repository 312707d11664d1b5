"""Games in mid-game, for who chooses one and for its picture."""

from noughts.games.base import Game
from noughts.games.catalogue import find_entry, new_game


def sample(name: str) -> Game:
    """A game of the catalogue in mid-game; without moves for a spec that is not in it.

    Raises what :func:`~noughts.games.catalogue.new_game` does.

    >>> sample("tictactoe").ply
    6
    """
    game, entry = new_game(name), find_entry(name)
    return game if entry is None else entry.sampled(game)
