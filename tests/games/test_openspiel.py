"""Tests against a second oracle: random games in OpenSpiel and here, move by move.

OpenSpiel's ``gomoku`` plays on hypercubes of 2 to 4 dimensions with an optional torus and misere play. With
``wrap`` and ``connect`` greater than ``size`` it walks over the first cell again and counts it twice, so this
case is skipped.
"""

from random import Random
from typing import Any

import pytest

from noughts import KInARow, new_game
from noughts.core.board import index_of

pyspiel = pytest.importorskip("pyspiel", reason="open-spiel is not installed", exc_type=ImportError)

GRIDS = [
    (dims, size, connect, wrap, anti)
    for dims, size, connect in [(2, 3, 3), (2, 4, 3), (2, 5, 4), (2, 7, 5), (3, 3, 3), (3, 4, 4), (4, 3, 3)]
    for wrap in (False, True)
    for anti in (False, True)
]


def compare(game: Any, state: Any, chance: Random, name: Any) -> None:
    """Play one random game in both. *name* maps a move to its number in OpenSpiel."""
    while not state.is_terminal():
        assert game.outcome is None
        assert game.turn == game.sides[state.current_player()]
        moves = {name(move): move for move in game.legal_moves()}
        assert sorted(moves) == state.legal_actions()
        action = chance.choice(sorted(moves))
        game.play(moves[action])
        state.apply_action(action)
    assert game.legal_moves() == []
    winner = dict(zip(((1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)), (*game.sides, None), strict=True))
    assert game.outcome.winner == winner[tuple(state.returns())]


@pytest.mark.slow
@pytest.mark.parametrize(("dims", "size", "connect", "wrap", "anti"), GRIDS)
def test_gomoku_agrees_with_openspiel(dims: int, size: int, connect: int, wrap: bool, anti: bool) -> None:
    facts = {"dims": dims, "size": size, "connect": connect, "wrap": wrap, "anti": anti}
    oracle = pyspiel.load_game("gomoku", facts)
    chance = Random(1)
    for _ in range(25):
        game = KInARow(shape=(size,) * dims, k=connect, wrap=wrap, misere=anti)
        compare(game, oracle.new_initial_state(), chance, lambda move, g=game: index_of(g.shape, move))


def test_gomoku_15x15_agrees_with_openspiel() -> None:
    chance = Random(2)
    for _ in range(10):
        game = new_game("gomoku")
        state = pyspiel.load_game("gomoku").new_initial_state()
        compare(game, state, chance, lambda move: move[0] * 15 + move[1])


def test_tic_tac_toe_agrees_with_openspiel() -> None:
    chance = Random(3)
    for _ in range(300):
        state = pyspiel.load_game("tic_tac_toe").new_initial_state()
        compare(new_game("tictactoe"), state, chance, lambda move: move[0] * 3 + move[1])


@pytest.mark.parametrize(("rows", "columns", "k"), [(6, 7, 4), (4, 4, 3), (5, 9, 5), (8, 4, 4)])
def test_connect_four_agrees_with_openspiel(rows: int, columns: int, k: int) -> None:
    oracle = pyspiel.load_game("connect_four", {"rows": rows, "columns": columns, "x_in_row": k})
    chance = Random(4)
    for _ in range(100):
        game = KInARow(shape=(rows, columns), k=k, gravity=True)
        compare(game, oracle.new_initial_state(), chance, lambda move: move[1])


@pytest.mark.slow
def test_ultimate_agrees_with_openspiel() -> None:
    """OpenSpiel chooses the field and then the place in it. Our game chooses the cell."""
    chance = Random(5)
    for _ in range(40):
        game = new_game("ultimate")
        state = pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state()
        while not state.is_terminal():
            row, column = chance.choice(game.legal_moves())
            if game.extra == "-":
                state.apply_action(row // 3 * 3 + column // 3)
            assert len(state.legal_actions()) == sum(
                (r // 3, c // 3) == (row // 3, column // 3) for r, c in game.legal_moves()
            )
            state.apply_action(row % 3 * 3 + column % 3)
            game.play((row, column))
        winner = {1.0: "X", -1.0: "O", 0.0: None}[state.returns()[0]]
        assert game.outcome is not None
        assert game.outcome.winner == winner


@pytest.mark.slow
def test_reversi_agrees_with_openspiel() -> None:
    """A pass is action 64 of OpenSpiel's Othello."""
    chance = Random(6)
    for _ in range(10):
        game = new_game("reversi")
        state = pyspiel.load_game("othello").new_initial_state()
        compare(game, state, chance, lambda move: move[0] * 8 + move[1] if move else 64)
