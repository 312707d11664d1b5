"""Moves that win at once, compared with trial moves of every side on the game itself."""

from random import Random
from typing import Any

import pytest

from noughts import KInARow, TicTacToe, new_game
from noughts.games.base import Game, Move
from noughts.games.notation import parse_position
from noughts.games.ultimate import Ultimate
from noughts.search.explain.immediate import losses_at_once, wins, wins_at_once

SPECS = (
    *("3x3", "5x5:3", "7x6:4,gravity", "4x4x4:3", "4x4:4,wrap", "5x4:3,wrap,exact", "6x6:3,exact"),
    *("3x3:3,wild", "4x4:3,wild,exact", "5x5:3,players=3", "3x3:3,vanish=3", "4x4:3,vanish=4,exact"),
    *("3x3:1", "3x3:3,misere", "3x3:3,notakto", "6:3,wrap"),
)


def turned_to(game: KInARow, side: str) -> KInARow:
    """Return the same position with *side* to move, which no sequence of moves reaches."""
    twin = game.copy()
    twin._side = game.sides.index(side)
    twin._soonest = 0
    return twin


def winning(game: KInARow, side: str) -> tuple[Move, ...]:
    turned: Any = turned_to(game, side)
    return tuple(move for move in turned.legal_moves() if wins(turned, move))


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_wins_at_once_match_trial_moves(spec: str) -> None:
    chance, count, line_loses = Random(spec), 0, False
    for _ in range(12):
        game = new_game(spec)
        assert isinstance(game, KInARow)
        line_loses = game.rules.line_loses
        while game.outcome is None and game.ply < 40:
            before = game.copy()
            for side in game.sides:
                moves = wins_at_once(game, side)
                assert moves == winning(game, side), (game.moves, side)
                count += len(moves or ())
            assert (game.moves, game.legal_moves()) == (before.moves, before.legal_moves())
            game.play(chance.choice(game.legal_moves()))
    assert bool(count) == (not line_loses)


@pytest.mark.slow
def test_wins_at_once_in_ultimate_keep_the_field() -> None:
    chance, count = Random(5), 0
    for _ in range(10):
        game = new_game("ultimate")
        assert isinstance(game, Ultimate)
        while game.outcome is None:
            for side in game.sides:
                state = game.state._replace(side=game.sides.index(side))
                turned: Game = Ultimate.from_state(state)
                wanted = tuple(move for move in turned.legal_moves() if wins(turned, move))
                assert wins_at_once(game, side) == wanted
                count += side != game.turn and len(wanted)
            game.play(chance.choice(game.legal_moves()))
    assert count


def test_reversi_wins_only_for_side_to_move() -> None:
    game = parse_position(new_game("reversi"), "/".join(["XO......", *["........"] * 7]) + " X")
    assert wins_at_once(game, "X") == ((0, 2),)
    assert wins_at_once(game, "O") is None


@pytest.mark.parametrize(
    ("name", "position", "wanted"),
    [
        ("misere", "XX./OO./...", ((0, 2),)),
        ("misere", "XX./O../... O", ()),
        ("notakto", "XX./.../... X", ((0, 2),)),
        ("notakto", "XX./..X/... O", ((0, 2),)),
        ("misere", "XXX/OO./...", ()),
    ],
)
def test_losses_at_once_complete_a_line(name: str, position: str, wanted: tuple[Move, ...]) -> None:
    game = parse_position(new_game(name), position)
    assert losses_at_once(game) == wanted


def test_no_wins_at_once_without_opponent() -> None:
    puzzle = new_game("fifteen", seed=1)
    assert wins_at_once(puzzle, puzzle.turn) == ()
    ended = parse_position(TicTacToe(), "XXX/OO./...")
    assert wins_at_once(ended, "O") == ()
    large = new_game("70x70:2")
    large.play((0, 0))
    large.play((9, 9))
    assert wins_at_once(large, "X") is None
    assert losses_at_once(new_game("70x70:2,misere")) is None
    # Lines of this length have no masks.
    assert wins_at_once(new_game("60x60:50"), "X") == ()


def test_large_boards_of_unknown_rules_have_no_wins() -> None:
    class Otherwise(KInARow):
        """Plays by unknown rules."""

    game = Otherwise(shape=(70, 70), k=5)
    assert wins_at_once(game, "X") is None
    assert losses_at_once(game) is None
