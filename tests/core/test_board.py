"""Tests of the board: coordinates and indices, valid and invalid."""

import itertools
import tracemalloc
from collections.abc import Iterable
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Board
from noughts.core.board import MAX_CELLS, MAX_DIMENSIONS, Shape, check_shape, coordinate_of, index_of
from noughts.errors import CoordinateError, NoughtsError, ShapeError
from tests.strategies import coordinates_of, shapes


class Refuses:
    """An object that has no repr."""

    def __repr__(self) -> str:
        raise RuntimeError


def kind(value: object) -> str:
    """Return the type name of a parameter that may be too long, or impossible, to print."""
    return type(value).__name__


NO_COORDINATES: tuple[Any, ...] = (
    None,
    "",
    "11",
    b"1",
    5.0,
    (),
    [],
    {},
    (1,),
    (1, 1, 2),
    (0, 5),
    (1, -1),
    (-1, -1),
    (3, 0),
    (0, 3),
    (99, 99),
    (10**5000, 0),
    (-(10**5000), 0),
    (2**63, 2**64),
    (1.0, 1.0),
    (float("nan"), 0),
    ("1", "1"),
    (None, None),
    ((0,), 0),
    (Refuses(), 0),
    Refuses(),
    object(),
    slice(None),
    4,
    -1,
    True,
)
"""Values that are not coordinates of a 3x3 board."""


@given(shapes(200, 8))
def test_board_index_and_coordinate_are_inverse(shape: Shape) -> None:
    board: Board[None] = Board(shape)
    in_order = [board.coordinate(index) for index in range(len(board))]
    assert in_order == list(itertools.product(*map(range, shape)))
    assert [board.index(cell) for cell in in_order] == list(range(prod(shape)))


@pytest.mark.slow
@given(st.data(), shapes())
def test_board_write_changes_one_cell(data: st.DataObject, shape: Shape) -> None:
    cell = data.draw(coordinates_of(shape))
    board = Board(shape, fill=0)
    board[cell] = 1
    assert board[cell] == board[list(cell)] == board[iter(cell)] == 1
    assert sum(board) == 1
    assert board.cells[board.index(cell)] == 1


def test_board_last_axis_runs_fastest() -> None:
    board = Board((2, 3, 4), fill=None)
    assert (len(board), board.index((0, 0, 1)), board.index((0, 1, 0)), board.index((1, 0, 0))) == (
        24,
        1,
        4,
        12,
    )


def test_coordinate_accepts_any_integer_type() -> None:
    class Two:
        def __index__(self) -> int:
            return 2

    board = Board([Two(), 3], fill=0)  # type: ignore[list-item]
    board[True, Two()] = 1  # type: ignore[index]
    assert board.shape == (2, 3)
    assert board.cells == (0, 0, 0, 0, 0, 1)
    assert Board((True, 2)).shape == (1, 2)
    assert type(Board((True, 2)).shape[0]) is int


def test_coordinate_of_one_dimension_needs_no_tuple() -> None:
    board = Board((5,), fill=0)
    board[3] = 1  # type: ignore[index]
    assert board[3,] == board[3] == 1  # type: ignore[index]


@pytest.mark.parametrize("wrong", NO_COORDINATES, ids=kind)
def test_invalid_coordinate_is_refused(wrong: Any) -> None:
    board = Board((3, 3), fill=0)
    with pytest.raises(CoordinateError) as refused:
        board[wrong] = 1
    assert refused.value.shape == (3, 3)
    assert str(refused.value)
    with pytest.raises(CoordinateError):
        board[wrong]
    assert set(board) == {0}


def test_endless_coordinate_or_shape_is_refused() -> None:
    with pytest.raises(CoordinateError):
        Board((3, 3))[itertools.count()]
    with pytest.raises(ShapeError):
        Board(itertools.repeat(1))


@pytest.mark.parametrize("index", [-1, 9, 10**5000, None, "1", 1.0, (1,)], ids=kind)
def test_invalid_index_is_refused(index: Any) -> None:
    with pytest.raises(CoordinateError):
        Board((3, 3)).coordinate(index)


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        ((), "no-dimensions"),
        ([], "no-dimensions"),
        ((0,), "side-too-short"),
        ((3, 0), "side-too-short"),
        ((3, -1), "side-too-short"),
        ((-(10**5000),), "side-too-short"),
        ((1,) * 9, "too-many-dimensions"),
        ((1000,) * 8, "too-many-cells"),
        ((2**63,), "too-many-cells"),
        ((2**63, 1), "too-many-cells"),
        ((10**5000,), "too-many-cells"),
        ((1000, 1001), "too-many-cells"),
        ((MAX_CELLS + 1,), "too-many-cells"),
        (3, "not-integers"),
        (None, "not-integers"),
        ("33", "not-integers"),
        ((3.0, 3.0), "not-integers"),
        ((3, None), "not-integers"),
        ((float("inf"),), "not-integers"),
    ],
    ids=kind,
)
def test_impossible_shape_is_refused_before_allocation(shape: Any, reason: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ShapeError) as refused:
            Board(shape)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert refused.value.reason == reason
    assert isinstance(refused.value, NoughtsError)
    assert isinstance(refused.value, ValueError)


def test_largest_shapes_are_accepted() -> None:
    assert check_shape((1000, 1000)) == (1000, 1000)
    assert check_shape((MAX_CELLS,)) == (MAX_CELLS,)
    assert check_shape((1,) * MAX_DIMENSIONS) == (1,) * MAX_DIMENSIONS
    assert len(Board((100, 100, 100))) == MAX_CELLS


def test_new_board_holds_its_fill_value() -> None:
    assert Board((2, 2)).cells == (None,) * 4
    assert Board((2, 2), fill=".").cells == (".",) * 4


def test_board_copy_is_independent_and_equal() -> None:
    board = Board((2, 2), fill=0)
    twin = board.copy()
    assert twin == board
    twin[0, 0] = 1
    assert twin != board
    assert board[0, 0] == 0
    assert board != Board((4,), fill=0)
    assert board != [0, 0, 0, 0]


def test_board_is_a_collection() -> None:
    board = Board((2, 2), fill=7)
    assert list(board) == [7] * 4
    assert repr(board) == "Board((2, 2), cells=[7, 7, 7, 7])"
    assert repr(Board((9, 9))) == "Board((9, 9), cells=...)"
    with pytest.raises(TypeError):
        hash(board)


@given(shapes(), st.lists(st.integers(-3, 70), max_size=5))
def test_any_list_of_numbers_is_handled(shape: Shape, parts: Iterable[int]) -> None:
    parts = tuple(parts)
    exists = parts in set(itertools.product(*map(range, shape)))
    try:
        index = index_of(shape, parts)
    except CoordinateError:
        assert not exists
    else:
        assert exists
        assert coordinate_of(shape, index) == parts
