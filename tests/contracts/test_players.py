"""Tests of the contract of players, for the whole registry and catalogue."""

from random import Random

import pytest

from noughts import new_game
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.catalogue import CATALOGUE
from noughts.players.base import Player, new_player, player_names
from noughts.search.analysis import Limit
from tests.weekly import weekly

pytestmark = pytest.mark.slow

PLAYERS = tuple(player_names())
GAMES = tuple(entry.name for entry in CATALOGUE)

EVERYWHERE = ("random", "rule", "perfect", "level:3", "level:10")
"""The players that are tested in every game: one level that searches by itself, and one with a full search.
"""

SOME_GAMES = ("tictactoe", "connect4", "pentago")
"""The games in which all players are tested: by the exact search, the engine, and the general search."""

PAIRS = [(name, game) for name in PLAYERS for game in (GAMES if name in EVERYWHERE else SOME_GAMES)]

WEEKLY_PAIRS = {
    (name, game)
    for at, name in enumerate(EVERYWHERE)
    for game in GAMES[at % 2 :: 2]
    if game not in SOME_GAMES
}
"""The pairs that are tested each week only. Other players are tested more often in the same games."""

MAX_PLIES = 4
"""The number of plies that are played."""

NODES = 500
LEVEL_NODES = 30
"""The nodes of a player for a move. The ten levels share their code."""


def state_of(game: Game) -> tuple[object, ...]:
    return (game.key(), game.moves, game.outcome, game.turn, game.cells, tuple(game.legal_moves()))


def seated(name: str, game: Game, seed: int) -> Player | None:
    """Return the player, or None if it declines."""
    player = new_player(name, Random(seed))
    before = state_of(game)
    declined = None
    try:
        player.take_seat(game)
    except UnsupportedRules as error:
        declined = error
    assert state_of(game) == before
    if declined is None:
        return player
    assert (declined.who, declined.game) == (name.partition(":")[0], game.name)
    assert declined.reason
    assert declined.instead
    for other in declined.instead:
        if other != "human":  # people can play everything
            new_player(other).take_seat(game)
    return None


def play_on(name: str, game_name: str) -> tuple[Move, ...] | None:
    """Return the first moves of a game with the player on all sides, all checked, or None if it declines."""
    game = new_game(game_name, seed=5)
    player = seated(name, game, seed=1)
    if player is None:
        return None
    limit = Limit(nodes=LEVEL_NODES if name.startswith(("level:", "mcts:")) else NODES)
    while game.outcome is None and game.ply < MAX_PLIES:
        before = state_of(game)
        move = player.choose(game, limit)
        assert state_of(game) == before
        assert move in game.legal_moves()
        game.play(move)
    return game.moves


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("name", "game"), [weekly(*pair) if pair in WEEKLY_PAIRS else pair for pair in PAIRS]
)
def test_player_satisfies_contract(name: str, game: str) -> None:
    assert play_on(name, game) == play_on(name, game)


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_plays_tic_tac_toe(name: str) -> None:
    assert play_on(name, "tictactoe")
    assert play_on(name, "misere") or name == "learned"
