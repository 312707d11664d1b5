"""Tests of the learned player: its moves, and the games that it declines."""

from pathlib import Path
from random import Random

import pytest

from noughts import Limit, TicTacToe, new_game, new_player
from noughts.errors import FileRefused, GameOver, NotFound, UnsupportedRules
from noughts.games.base import Game
from noughts.games.notation import parse_position
from noughts.players.learned import SHIPPED, LearnedPlayer, NetworkSearch, is_learned, shipped_network
from noughts.players.ntuples import Network, TupleLayout, network_bytes, random_layout, rounded

MAX_BYTES = 1_000_000
"""The maximum size of all shipped weights."""


def chosen(game: Game, seed: int = 1, limit: Limit | None = None) -> object:
    return new_player("learned", Random(seed)).choose(game, limit or Limit())


@pytest.mark.parametrize("spec", SHIPPED)
def test_learned_weights_are_shipped(spec: str) -> None:
    network = shipped_network(spec)
    assert network is not None
    assert network.form.game == spec
    assert any(network.weights)


def test_learned_weights_are_small() -> None:
    folder = Path(__file__).parents[2] / "src" / "noughts" / "players" / "weights"
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == sorted(SHIPPED.values())
    assert sum(file.stat().st_size for file in files) < MAX_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("side", ["X", "O"])
def test_learned_never_loses_tictactoe(side: str) -> None:
    """The other side tries all moves."""
    player, waiting = LearnedPlayer(Random(1)), [TicTacToe()]
    while waiting:
        game = waiting.pop()
        if game.is_over:
            assert game.winner in (None, side)
            continue
        for move in [player.choose(game, Limit())] if game.turn == side else game.legal_moves():
            after = game.copy()
            after.play(move)
            waiting.append(after)


@pytest.mark.parametrize(
    ("name", "position", "move"),
    [
        ("tictactoe", "XX./OO./...", (0, 2)),
        ("tictactoe", "X../OO./X.. X", (1, 2)),
        ("connect4", "......./......./......./......./OOO..../XXX....", (5, 3)),
        ("connect4", "......./......./......./O....../O....../OXXX.X.", (2, 0)),
        ("connect4", "......./......./......./......./OX.O.../OXXX...", (5, 4)),
        ("5x5:4", "XXX../OOO../...../...../.....", (0, 3)),
        ("5x5:4", "XXX../OO.../...../...../..... O", (0, 3)),
    ],
)
def test_learned_wins_and_blocks_at_once(name: str, position: str, move: object) -> None:
    game = parse_position(new_game(name), position)
    before = game.key()
    for seed in range(3):
        assert chosen(game, seed) == move
    assert game.key() == before


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "5x5:4"])
def test_learned_seed_repeats_the_game(name: str) -> None:
    games = []
    for _ in range(2):
        game, player = new_game(name), new_player("learned", Random(7))
        while game.outcome is None and game.ply < 8:
            game.play(player.choose(game.copy(), Limit()))
        games.append(game.moves)
    assert games[0] == games[1]


@pytest.mark.parametrize("limit", [Limit(nodes=0), Limit(depth=0), Limit(nodes=3), Limit(stop=lambda: True)])
def test_learned_moves_with_small_limit(limit: Limit) -> None:
    game = new_game("connect4")
    assert chosen(game, limit=limit) in game.legal_moves()


def test_learned_obeys_node_limit() -> None:
    """The limit may end among the replies to a move."""
    game, network = new_game("connect4"), shipped_network("7x6:4,gravity")
    assert network is not None
    for nodes in (0, 1, 7, 9, 14):
        search = NetworkSearch(game, network, Limit(nodes=nodes))
        assert search.choose(Random(1)) in game.legal_moves()
        assert (search._nodes, game.ply) == (nodes, 0)


def test_network_sum_follows_moves() -> None:
    """The parts are the same as if they were read again after each move."""
    chance = Random(2)
    for name in ("5x4:4,gravity", "4x4:3"):
        game = new_game(name)
        form = random_layout(name, 12, chance)
        search = NetworkSearch(game, Network(form, [0] * 2 * form.count, 1.0))
        placed = []
        while game.outcome is None and game.ply < 9:
            move = chance.choice(game.legal_moves())
            placed.append(search._number[move])
            search._place(placed[-1], 1)
            game.play(move)
            search._side = 1 - search._side
            assert search._at == form.read(game.cells)
        while placed:
            search._side = 1 - search._side
            search._place(placed.pop(), -1)
        assert search._at == form.read([None] * len(game.cells))


def test_learned_searches_two_plies() -> None:
    """The weight of one cell decides: X wants the corner, and O prevents it."""
    form = TupleLayout("3x3:3", ((0,),))
    weights = [0.0] * 6
    weights[1], weights[4] = 0.5, 1.0  # a mark of X in a corner, with O or X to move
    player = LearnedPlayer(Random(1), rounded(form, weights))
    game = TicTacToe()
    assert player.choose(game, Limit(depth=1)) in {(0, 0), (0, 2), (2, 0), (2, 2)}
    game.play((1, 1))
    assert player.choose(game, Limit(depth=1)) not in {(1, 1)}


@pytest.mark.parametrize("name", ["misere", "gomoku", "three", "reversi", "fifteen", "5x5"])
def test_learned_declines_other_games(name: str) -> None:
    game = new_game(name)
    assert not is_learned(game)
    player = new_player("learned")
    with pytest.raises(UnsupportedRules) as caught:
        player.take_seat(game)
    assert (caught.value.who, caught.value.reason) == ("learned", "not-learned")
    assert caught.value.instead == (("human",) if name == "fifteen" else ("level:10",))
    with pytest.raises(UnsupportedRules):
        player.choose(game, Limit())


def test_learned_reads_custom_weights(tmp_path: Path) -> None:
    form = random_layout("4x3:3,gravity", 10, Random(1))
    file = tmp_path / "my.weights"
    file.write_bytes(network_bytes(rounded(form, [0.5] * 2 * form.count)))
    player, game = new_player(f"learned:{file}", Random(1)), new_game("4x3:3,gravity")
    player.take_seat(game)
    assert player.choose(game, Limit()) in game.legal_moves()
    with pytest.raises(UnsupportedRules):
        player.take_seat(TicTacToe())
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(FileRefused):
        new_player(f"learned:{file}")
    with pytest.raises(NotFound):
        new_player("learned:")


def test_learned_refuses_finished_game() -> None:
    game = parse_position(TicTacToe(), "XXX/OO./...")
    with pytest.raises(GameOver):
        chosen(game)
