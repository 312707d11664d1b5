"""The counts that the engine updates mark by mark, compared with a recount."""

from itertools import chain
from random import Random

import pytest

from noughts import KInARow, new_game
from noughts.core.board import index_of
from noughts.core.lines import line_table
from noughts.search.engine.incremental import change, count_wins, find_win, memory_of
from noughts.search.engine.memory import STOP, EngineMemory, line_gains, line_worths
from noughts.search.numba_backend import Machine, python_machine
from tests.search.machines import MACHINES, machine_of, rules_of

pytestmark = pytest.mark.slow

SPECS = (
    *("8x8:5", "6x6:4,exact", "5x5:4,wrap", "5x5:4,exact,wrap", "7x6:4,gravity", "4x4x4:4", "5:1", "4x3:2"),
    *("6:3,exact", "3x3x3:3,gravity", "4x4:3,exact,gravity"),
    *("6x5:4,hex", "5x5:3,hex,exact", "6x5:4,wrap=x", "5x6:4,gravity,wrap=x", "4x4x4:4,wrap=xz,exact"),
)


def counts(memory: EngineMemory) -> list[list[int]]:
    """Return all values that depend on the marks, except the key.

    These are totals, board, wins, pull, columns, marks and obstacles.
    """
    totals = [*memory.winning, *memory.winning_sum, *memory.worth, *memory.nearly]
    own, stops = [mark % STOP for mark in memory.marks], [mark // STOP for mark in memory.marks]
    parts = (totals, memory.board, memory.wins, memory.pull, memory.lowest, own, stops)
    return [*([int(number) for number in part] for part in parts), [memory.free]]


def recount(game: KInARow) -> list[list[int]]:
    """Compute the same values line by line from the marks on the board."""
    rules = game.rules
    space = line_table(rules.geometry)
    assert space is not None
    size, k = space.size, rules.k
    board = [0 if mark is None else game.sides.index(mark) + 1 for mark in game.cells]
    totals, wins, pull = [[0, 0] for _ in range(4)], [0] * (2 * size), [0] * (2 * size)
    own, stops = [], []
    for line in range(space.count):
        cells = space.cells[line * k : line * k + k]
        marks = [board[cell] for cell in cells]
        for side in (0, 1):
            count = marks.count(side + 1)
            ended = [end for end in space.ends[2 * line : 2 * line + 2] if end >= 0]
            own.append(count)
            stops.append(marks.count(2 - side) + [board[end] for end in ended].count(side + 1))
            if stops[-1] == 0:
                totals[2][side] += line_worths(k, falling=rules.gravity)[count]
                totals[3][side] += count == k - 2
                for cell in cells:
                    pull[side * size + cell] += line_gains(k)[count]
                if count == k - 1:
                    wins[side * size + cells[marks.index(0)]] += 1
    for side in (0, 1):
        winning = [cell for cell in range(size) if wins[side * size + cell]]
        totals[0][side], totals[1][side] = len(winning), sum(winning)
    width = size // rules.shape[0] if rules.gravity else 0
    lowest = [
        max([c for c in range(column, size, width) if not board[c]], default=-1) for column in range(width)
    ]
    return [[*chain(*totals)], board, wins, pull, lowest, own, stops, [board.count(0)]]


def wander(game: KInARow, machine: Machine, chance: Random) -> None:
    """Make and take back random moves that do not win, and recount after each."""
    memory = memory_of(game, rules_of(game), machine, 2)
    place = machine.function(change)
    for _ in range(25):
        if game.ply and (chance.random() < 0.4 or game.ply == len(game.cells) - 2):
            cell = index_of(game.shape, game.undo())
            place(memory, cell, game.sides.index(game.turn), -1)
        else:
            side = game.sides.index(game.turn)
            game.play(chance.choice(game.legal_moves()))
            cell = index_of(game.shape, game.moves[-1])
            wins = bool(memory.wins[side * memory.size + cell])
            assert wins == (game.winner is not None)
            if game.outcome is not None:
                game.undo()
                continue
            place(memory, cell, side, 1)
        assert counts(memory) == recount(game)
        assert memory.key == memory_of(game, rules_of(game), python_machine(), 2).key


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("spec", SPECS)
def test_memory_follows_moves_and_undo(spec: str, machine: str) -> None:
    game = new_game(spec)
    assert isinstance(game, KInARow)
    wander(game, machine_of(machine), Random(spec))


@pytest.mark.parametrize("spec", SPECS)
def test_memory_counts_winning_cells(spec: str) -> None:
    chance = Random(spec)
    for _ in range(5):
        game = new_game(spec)
        assert isinstance(game, KInARow)
        while game.outcome is None:
            memory = memory_of(game, rules_of(game), python_machine(), 2)
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


def test_line_worth_grows_with_marks() -> None:
    for k in (1, 2, 3, 4, 5, 8):
        assert line_worths(k)[:k] == sorted(line_worths(k)[:k])
        assert line_gains(k)[-1] == 0
        assert line_gains(k)[0] > 0
