"""The points forbidden to Black in renju, read from the classes of lines."""

from random import Random

import pytest

from noughts.games.renju import BLACK, OTHER, RenjuPoints
from noughts.games.rules import Rules
from noughts.search.deepening import NOWHERE
from noughts.search.numba_backend import python_machine
from noughts.search.patterns.forbidden import find_legal, is_legal
from noughts.search.patterns.fours import UNKNOWN, find_static_result
from noughts.search.patterns.line_classes import FIVE_POINT, FOURS
from noughts.search.patterns.search import PatternBoard
from tests.games.test_renju_points import SIZE, TABLE, index_of


def board_of(shape: tuple[int, int]) -> PatternBoard:
    return PatternBoard(Rules(shape=shape, k=5, renju=True), 2, python_machine())


@pytest.mark.parametrize(("black", "white", "point", "verdict"), TABLE, ids=range(1, len(TABLE) + 1))
def test_legality_of_difficult_points(black: str, white: str, point: str, verdict: str) -> None:
    board = board_of((SIZE, SIZE))
    for side, names in enumerate((black, white)):
        for name in names.split():
            board.place(board.cells[index_of(name)], side)
    cell = board.cells[index_of(point)]
    assert is_legal(board.memory, 0, cell) == (verdict in ("free", "wins"))
    assert is_legal(board.memory, 1, cell)
    assert (board.memory.point[cell] == FIVE_POINT) == (verdict == "wins")
    assert board.memory.marks == len(board.marks)


@pytest.mark.slow
@pytest.mark.parametrize("positions", [12, pytest.param(2_000, marks=pytest.mark.weekly)])
def test_legal_cells_agree_with_rules(positions: int) -> None:
    """All empty cells of crowded boards, most of whose marks are black."""
    chance, board = Random(7), board_of((9, 9))
    for _ in range(positions):
        while board.marks:
            board.remove()
        stones = RenjuPoints((9, 9), (), "X")
        cells = list(range(81))
        taken = chance.sample(cells, chance.randint(15, 50))
        for cell in taken:
            side = int(chance.random() < 0.3)
            stones.place(cell, OTHER if side else BLACK)
            board.place(board.cells[cell], side)
        legal = [cell for cell in cells if cell not in taken and is_legal(board.memory, 0, board.cells[cell])]
        forbidden = stones.forbidden_to_black()
        assert legal == [cell for cell in cells if cell not in taken and cell not in forbidden]


def test_white_does_not_win_when_black_has_no_move() -> None:
    """An open four of White leaves Black two cells, and both make seven in a row: a draw."""
    board = board_of((9, 9))
    rows = [
        "XXOOXXOOX",
        "OXXXOOXXO",
        "XXOOXXXOX",
        "OXXXOOXXO",
        "X.OOO..XX",
        "OXXXOOXXO",
        "XXOOXXXOX",
        "OXXXOOXXO",
        "XXOOXXOOX",
    ]
    for cell, mark in enumerate("".join(rows)):
        if mark != ".":
            board.place(board.cells[cell], "XO".index(mark))
    four, memory = board.cells[4 * 9 + 5], board.memory
    assert memory.point[memory.size + four] == FOURS
    assert find_static_result(memory, 1) == UNKNOWN
    board.place(four, 1)
    assert find_legal(memory, 0) == NOWHERE


def test_black_without_legal_move() -> None:
    """Both empty cells make six in a row."""
    board = board_of((9, 9))
    for cell in range(81):
        row, column = divmod(cell, 9)
        if row not in (2, 6):
            board.place(board.cells[cell], 1)
        elif column != 4:
            board.place(board.cells[cell], 0 if 1 < column < 8 else 1)
    assert find_legal(board.memory, 0) == NOWHERE
    assert find_legal(board.memory, 1) != NOWHERE
    cell, _ = board.marks[-1]
    board.remove()
    assert find_legal(board.memory, 0) == cell
