"""The counts that the engine keeps mark by mark, held against counting anew."""

from random import Random

import pytest

from noughts import KInARow, new_game
from noughts.core.board import index_of
from noughts.search.compiled import Ints, Machine, python_machine
from noughts.search.evaluation import line_gains, line_worths
from noughts.search.field import change, count_wins, find_win, memory_of
from noughts.search.memory import BOARD, FREE, LINES, LOWEST, OWN, PULL, SIZE, STOPS, WIDTH, WINS
from tests.search.machines import MACHINES, machine_of

SPECS = (
    *("8x8:5", "6x6:4,exact", "5x5:4,wrap", "5x5:4,exact,wrap", "7x6:4,gravity", "4x4x4:4", "5:1", "4x3:2"),
    *("6:3,exact", "3x3x3:3,gravity", "4x4:3,exact,gravity"),
)


def counts(memory: Ints) -> list[list[int]]:
    """All that depends on the marks."""
    size, lines = int(memory[SIZE]), int(memory[LINES])
    parts = [(0, FREE + 1), (BOARD, size), (WINS, 2 * size), (PULL, 2 * size), (LOWEST, int(memory[WIDTH]))]
    parts += [(int(memory[OWN]), 2 * lines), (int(memory[STOPS]), 2 * lines)]
    return [[int(number) for number in memory[start : start + length]] for start, length in parts]


def wander(game: KInARow, machine: Machine, chance: Random) -> None:
    """Make and take back random moves that win nothing, and count anew after each."""
    memory = memory_of(game, machine, 2)
    place = machine.function(change)
    for _ in range(50):
        if game.ply and (chance.random() < 0.4 or game.ply == len(game.cells) - 2):
            cell = index_of(game.shape, game.undo())
            place(memory, cell, game.sides.index(game.turn), -1)
        else:
            side = game.sides.index(game.turn)
            game.play(chance.choice(game.legal_moves()))
            cell = index_of(game.shape, game.moves[-1])
            wins = bool(memory[WINS + side * memory[SIZE] + cell])
            assert wins == (game.winner is not None)
            if game.outcome is not None:
                game.undo()
                continue
            place(memory, cell, side, 1)
        assert counts(memory) == counts(memory_of(game.at(game.cells, game.turn), python_machine(), 2))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("spec", SPECS)
def test_marks_made_and_taken_back(spec: str, machine: str) -> None:
    game = new_game(spec)
    assert isinstance(game, KInARow)
    wander(game, machine_of(machine), Random(spec))


@pytest.mark.parametrize("spec", SPECS)
def test_cells_that_win_now(spec: str) -> None:
    chance = Random(spec)
    for _ in range(10):
        game = new_game(spec)
        assert isinstance(game, KInARow)
        while game.outcome is None:
            memory = memory_of(game, python_machine(), 2)
            side = game.sides.index(game.turn)
            winning = []
            for move in game.legal_moves():
                game.play(move)
                if game.winner is not None:
                    winning.append(index_of(game.shape, move))
                game.undo()
            assert count_wins(memory, side) == len(winning)
            assert find_win(memory, side) in (winning or [-1])
            game.play(chance.choice(game.legal_moves()))


def test_lines_with_more_marks_are_worth_more() -> None:
    for k in (1, 2, 3, 4, 5, 8):
        assert line_worths(k)[:k] == sorted(line_worths(k)[:k])
        assert line_gains(k)[-1] == 0
        assert line_gains(k)[0] > 0
