"""Each game of the catalogue in mid-game, for who chooses one and for its picture."""

from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_position, play_moves

PLAYED = {
    "tictactoe": "5 3 1 9 6 4",
    "4x4": "6 12 1 7 11 16 14 10",
    "5x5": "13 7 12 14 8 18 17 9 19",
    "gomoku": "h8 h9 g8 f8 i8 j8 g9 i7 i9 g7 h10 g10 f9 e9 g11 i11 h7 h5 f10 e7 d6 e10 i6",
    "gomoku-standard": "h8 i9 i8 g8 h7 i6 g6 f5 h6 h5 j8 k8 h9",
    "connect4": "4 4 3 2 5 6 4 3 5 5 3 2",
    "qubic": "26 27 23 21 16 4 1 10 39 38 41 44 56 55 53 34",
    "3d": "27 14 1 5 23",
    "4d": "41 1 3 79 40 42 7",
    "score4": "16 1 4 13 12 8 9 10 10 10 12 12 9 6 9 9",
    "torus": "11 6 2 3 9 12",
    "misere": "5 2 7 6 1",
    "wild": "X5 O1 O6 X4 O8",
    "notakto": "1 6 8",
    "vanishing": "5 1 3 7 4 6 9",
    "three": "13 8 12 14 15 18 9 19 17",
    "ultimate": "41 31 3 25 55 2 13 39 35 23 77 69 34 20 78 63 27 79 56 5 14 33 18 36 26 67 47 68 32 15",
    "fifteen": "11",
    "reversi": "38 46 27 39 40 30 23 20 21 22 47 24 53 45 52 61 14 31 60 59",
}
"""The moves of each, as a player types them; none of these games has ended."""

STARTED = {"fifteen": "1,2,3,4/5,6,7,8/9,.,10,11/13,14,15,12"}


def sample(name: str) -> Game:
    """A game of the catalogue in mid-game; without moves for a spec that is not in it.

    Raises what :func:`~noughts.games.catalogue.new_game` does.

    >>> sample("tictactoe").ply
    6
    """
    game = new_game(name)
    if name in STARTED:
        game = parse_position(game, STARTED[name])
    play_moves(game, PLAYED.get(name, "").split())
    return game
