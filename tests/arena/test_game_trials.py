"""Trials of games: sound games pass all, and each broken promise fails one."""

import pytest

from noughts import TicTacToe, new_game
from noughts.arena.game_trials import TRIALS, TrialFailed, try_drawing, try_end, try_game
from noughts.games.base import Move


@pytest.mark.parametrize("name", ["tictactoe", "3x3:3,wild", "5:3"])
def test_sound_games_pass(name: str) -> None:
    assert try_game(lambda sides: new_game(name, marks=sides)) == {}


def test_game_without_an_end_passes() -> None:
    try_end(lambda sides: new_game("fifteen", marks=sides))


def test_large_boards_are_not_drawn() -> None:
    try_drawing(lambda sides: new_game("21x20:5", marks=sides))


class Undoing(TicTacToe):
    """A game that can undo more than its moves."""

    __slots__ = ()

    def undo(self) -> Move:
        return super().undo() if self.ply else (0, 0)


def test_broken_promises_are_reported_by_trial() -> None:
    failed = try_game(lambda sides: Undoing())
    assert failed["undo"] == "undo at the start raises nothing"
    assert failed["sides"] == "sides: ('X', 'O') instead of ('O', 'X')"


def test_exception_fails_the_trial() -> None:
    failed = try_game(lambda sides: 1 / 0)  # type: ignore[arg-type, return-value]
    assert failed == dict.fromkeys((trial.name for trial in TRIALS), "ZeroDivisionError: division by zero")
    assert issubclass(TrialFailed, AssertionError)
