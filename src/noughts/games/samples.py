"""Games in mid-game, for who chooses one and for its picture."""

from noughts.games.base import Game
from noughts.games.catalogue import BY_NAME, new_game
from noughts.games.notation import parse_position, play_moves


def sample(name: str) -> Game:
    """A game of the catalogue in mid-game; without moves for a spec that is not in it.

    Raises what :func:`~noughts.games.catalogue.new_game` does.

    >>> sample("tictactoe").ply
    6
    """
    game, entry = new_game(name), BY_NAME.get(name)
    if entry is not None and entry.start is not None:
        game = parse_position(game, entry.start)
    if entry is not None:
        play_moves(game, entry.sample.split())
    return game
