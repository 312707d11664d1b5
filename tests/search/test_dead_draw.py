"""Dead draws: positions in which no side can win any more."""

from random import Random

import pytest

from noughts import new_game
from noughts.games.base import Game
from noughts.games.notation import parse_position, play_moves
from noughts.search.explain.dead_draw import is_dead_draw

SPECS = ("3x3", "4x4", "4x3:3,gravity", "3x3:3,misere", "4x4:4,players=3")
OPEN = ("3x4:3,wrap,exact", "3x3:3,wild", "3x3:3,notakto", "1x4:4,notakto", "3x3:3,vanish=3")
"""Games in which some line stays open to the end, or opens again."""


def winners(game: Game) -> set[str | None]:
    """Return the sides that can still win *game*, with None for a draw."""
    if game.outcome is not None:
        return {game.outcome.winner}
    sides: set[str | None] = set()
    for move in list(game.legal_moves()):
        game.play(move)
        sides |= winners(game)
        game.undo()
    return sides


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS + OPEN)
def test_dead_draws_always_end_in_a_draw(spec: str) -> None:
    chance, count = Random(spec), 0
    for _ in range(60):
        game = new_game(spec)
        while not game.is_over and not is_dead_draw(game):
            game.play(chance.choice(list(game.legal_moves())))
        if not game.is_over:
            count += 1
            assert winners(game) == {None}
    assert bool(count) is (spec in SPECS)


def test_last_cell_without_line_is_dead_draw() -> None:
    assert is_dead_draw(parse_position(new_game("3x3"), "XOX/XOO/O.X"))
    assert not is_dead_draw(parse_position(new_game("3x3"), "XOX/XO./O.X"))


def test_too_few_marks_are_a_dead_draw() -> None:
    assert is_dead_draw(new_game("4096x1:4096"))  # neither side has that many marks
    game = new_game("9x1:5")
    play_moves(game, ["5", "6", "1", "9"])
    assert not is_dead_draw(game)
    play_moves(game, ["8", "2"])
    assert is_dead_draw(game)


def test_ended_and_other_games_are_no_dead_draws() -> None:
    ended = new_game("tictactoe")
    play_moves(ended, ["1", "2", "3", "5", "4", "6", "8", "7", "9"])
    assert ended.is_over
    for game in (ended, new_game("reversi"), new_game("70x70:5")):
        assert not is_dead_draw(game)
