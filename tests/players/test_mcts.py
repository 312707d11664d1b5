"""Tests of tree search by random games: its proofs are true, and it uses only the rules."""

from itertools import product
from random import Random
from typing import Any

import pytest

from noughts import Limit, TicTacToe, new_game, new_player, solve
from noughts.batch import boards
from noughts.batch.kernels import play_out
from noughts.batch.playouts import DRAWN, playouts_of
from noughts.errors import GameOver, NotFound, UnsupportedRules
from noughts.games.base import Game
from noughts.players.mcts import MctsNode, MctsPlayer, TreeSearch
from noughts.search.background_compile import PREPARING_S, MachineSelector
from noughts.search.numba_backend import Machine
from tests.batch.random_games import replayed


def played(name: str, plies: int, seed: int) -> Game:
    game, chance = new_game(name), Random(seed)
    while game.outcome is None and game.ply < plies:
        game.play(chance.choice(game.legal_moves()))
    return game


@pytest.mark.parametrize("argument", ["", "0", "-1", "x", "1.5", "٣", "10000001", "123456789", "007"])
def test_bad_number_of_nodes_is_refused(argument: str) -> None:
    with pytest.raises(NotFound):
        new_player(f"mcts:{argument}")
    with pytest.raises(NotFound):
        new_player("mcts")


def test_mcts_accepts_any_number_of_nodes() -> None:
    for nodes in ("1", "1000", "10000000"):
        assert isinstance(new_player(f"mcts:{nodes}", Random(1)), MctsPlayer)


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        *(("3x3", plies) for plies in (3, 4, 5, 6)),
        *product(("3x3:3,misere", "3x3:3,wild", "3x3:3,notakto"), (4, 5)),
        *product(("4x4:3,gravity", "5x4:4,gravity"), (12, 14)),
        ("4x4:4", 10),
        ("5x3:3,hex", 6),
    ],
)
def test_mcts_proofs_are_true(name: str, plies: int) -> None:
    """Positions are searched until the winner is proved, and an exact search agrees."""
    for seed in range(4):
        game = played(name, plies, seed)
        if game.outcome is not None:
            continue
        tree = TreeSearch(game, Random(seed))
        while tree.root.winner is None and tree.nodes < 20_000:
            tree.grow()
        winner = tree.root.winner
        assert winner is not None
        value = 0 if winner == DRAWN else 1 if game.sides[winner] == game.turn else -1
        assert value == solve(game).value
        move = tree.best()
        game.play(move)
        after = game.outcome
        if after is not None:
            assert value == (0 if after.winner is None else 1 if after.winner != game.turn else -1)
        else:
            assert -(solve(game).value or 0) == value


def test_mcts_proves_wins_of_three_sides() -> None:
    game = new_game("5x5:4,players=3")
    for cell in (0, 5, 10, 1, 6, 11, 2, 7, 12):
        game.play(game.board.coordinate(cell))
    tree = TreeSearch(game, Random(1))
    while tree.root.winner is None:
        tree.grow()
    assert (tree.root.winner, tree.best()) == (0, (0, 3))
    assert [tree.value_for(0, side) for side in range(3)] == [1.0, -0.5, -0.5]
    assert tree.value_for(DRAWN, 1) == 0


def test_mcts_loss_needs_one_winner() -> None:
    tree = TreeSearch(new_game("three"), Random(1))
    parent = MctsNode((), 2)
    parent.untried = []
    parent.children = [MctsNode((0, place), 0) for place in range(2)]
    for winners, proved in {
        (1, 2): None,
        (1, 1): 1,
        (DRAWN, 2): DRAWN,
        (None, 1): None,
        (0, None): 0,
    }.items():
        parent.winner = None
        for child, winner in zip(parent.children, winners, strict=True):
            child.winner = winner
        assert tree._prove(parent) == (proved is not None)
        assert parent.winner == proved


def test_mcts_prefers_draw_to_likely_loss() -> None:
    tree = TreeSearch(TicTacToe(), Random(1))
    likely, drawn, lost = (MctsNode((0, place), 0) for place in range(3))
    likely.visits, drawn.visits, lost.visits = 9, 2, 20
    drawn.winner, lost.winner = DRAWN, 1
    tree.root.children = [likely, drawn, lost]
    for total, best in ((3.0, likely), (-3.0, drawn)):
        likely.total = total
        assert tree.best() == best.move
    tree.root.children = [lost, likely]
    assert tree.best() == likely.move
    likely.winner = 1
    assert tree.best() == lost.move  # all lose, so the most visited one is played
    tree.root.children = []
    assert tree.best() in TicTacToe().legal_moves()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "connect4", "wild", "three"])
def test_mcts_wins_and_blocks_at_once(name: str) -> None:
    for seed in range(6):
        game = played(name, 5 + seed % 4, seed)
        if game.outcome is not None:
            continue
        legal, side = game.legal_moves(), game.turn

        def wins(game: Game, move: Any) -> bool:
            after = game.copy()
            after.play(move)
            return after.winner == game.turn

        chosen = MctsPlayer("300", Random(seed)).choose(game.copy(), Limit())
        if any(wins(game, move) for move in legal):
            assert wins(game, chosen)
        elif name != "three":
            safe = []
            for move in legal:
                after = game.copy()
                after.play(move)
                if after.outcome is not None or not any(wins(after, reply) for reply in after.legal_moves()):
                    safe.append(move)
            assert chosen in (safe or legal)
        assert game.turn == side


def test_mcts_obeys_limits_and_seeds() -> None:
    game = new_game("connect4")
    first = [MctsPlayer("50", Random(3)).choose(game, Limit()) for _ in range(2)]
    assert first[0] == first[1]
    assert MctsPlayer("5000", Random(3)).choose(game, Limit(nodes=50)) == first[0]
    calls: list[int] = []

    def stop() -> bool:
        calls.append(0)
        return len(calls) > 3

    assert MctsPlayer("5000", Random(1)).choose(game, Limit(stop=stop)) in game.legal_moves()
    assert len(calls) == 4
    assert MctsPlayer("5", Random(1)).choose(game, Limit(nodes=0)) in game.legal_moves()


def test_mcts_declines_puzzles_and_finished_games() -> None:
    player = new_player("mcts:10", Random(1))
    with pytest.raises(UnsupportedRules):
        player.take_seat(new_game("fifteen"))
    with pytest.raises(GameOver):
        player.choose(played("tictactoe", 9, 1), Limit())


@pytest.mark.parametrize("name", ["3x3", "7x6:4,gravity", "5x5:4,players=3", "3x3:3,wild", "4x4:4,wrap"])
def test_playouts_use_kernels(name: str) -> None:
    play: Any = playouts_of(new_game(name), Random(5))
    batch = play.__self__._batch
    for plies in (0, 1, 4):
        game = played(name, plies, seed=plies)
        state = batch._games.chance.tolist()[0]
        assert play(game.copy()) == replayed(game.copy(), state)[0]


def test_playouts_use_kernels_once_compiled() -> None:
    made: list[object] = []

    class Late(Machine):
        def function(self, kernel: Any) -> Any:
            made.append(kernel)
            return kernel

    game, late = new_game("4x4"), Late()
    one, other = (playouts_of(game, Random(5)) for _ in range(2))
    known: Any = other
    known.__self__._select_machine = lambda: late
    assert [one(game) for _ in range(9)] == [other(game) for _ in range(9)]
    assert made == [play_out]


def test_mcts_prepares_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float] = []
    monkeypatch.setattr(MachineSelector, "prepare", lambda ready, wait_s=0.0: begun.append(wait_s))
    for name in ("4x4", "reversi"):
        MctsPlayer("5", Random(1)).prepare(new_game(name))
    assert begun == [PREPARING_S]


@pytest.mark.parametrize("name", ["4x4", "vanishing", "renju", "reversi"])
def test_playouts_of_other_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MAX_NEIGHBOURS", 10)  # 4x4 is too large now
    play: Any = playouts_of(new_game(name), Random(5))
    assert not hasattr(play.__self__, "_batch")
    game = new_game(name)
    results = {play(game.copy()) for _ in range(30 if name == "4x4" else 3)}
    assert results <= {-1, 0, 1}
    assert len(results) > 1 or name != "4x4"


@pytest.mark.parametrize("seed", [94, 125, 208])
def test_mcts_plays_proved_win(seed: int) -> None:
    """The first random games of the search are unlucky."""
    game = TicTacToe().at(("X", "X", "O", "O", None, None, "X", None, None), "O")
    assert new_player("mcts:200", Random(seed)).choose(game, Limit()) == (1, 2)


def test_playout_of_vanishing_marks_ends() -> None:
    assert playouts_of(new_game("8x8:8,vanish=8"), Random(1))(new_game("8x8:8,vanish=8")) == DRAWN
