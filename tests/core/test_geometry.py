"""Lines: as many as the literature counts, and exactly those that a plain search finds."""

from itertools import product
from math import lcm, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.core.board import Coordinate, Shape
from noughts.core.geometry import Geometry, Line, coordinates, directions, indices, lines
from noughts.games.ending import MAX_MASKED, lines_by_mask
from tests.strategies import shapes


def plain_lines(shape: Shape, k: int, wrap: bool) -> set[frozenset[Coordinate]]:
    """Every set of k cells in one direction, found from each cell in all 3**n - 1 directions."""
    found = set()
    for start in product(*map(range, shape)):
        for by in product((-1, 0, 1), repeat=len(shape)):
            line = [tuple(s + n * b for s, b in zip(start, by, strict=True)) for n in range(k)]
            if wrap:
                line = [tuple(p % side for p, side in zip(cell, shape, strict=True)) for cell in line]
            if any(by) and len(set(line)) == k and set(line) <= set(product(*map(range, shape))):
                found.add(frozenset(line))
    return found


@st.composite
def shapes_with_k(draw: st.DrawFn) -> tuple[Shape, int, bool]:
    shape = draw(shapes(40))
    wrap = draw(st.booleans())
    return shape, draw(st.integers(1, min(6, lcm(*shape) if wrap else max(shape)))), wrap


@pytest.mark.parametrize(
    ("shape", "k", "count"),
    [
        ((3, 3), 3, 8),
        ((3, 3, 3), 3, 49),
        ((4, 4, 4), 4, 76),
        ((3, 3, 3, 3), 3, 272),
        ((15, 15), 5, 572),
        ((6, 7), 4, 69),
        ((4, 4), 4, 10),
        ((5, 5, 5), 5, 109),
        ((4, 4, 4, 4), 4, 520),
        ((5,), 3, 3),
        ((3, 3), 1, 9),
        ((2, 2), 2, 6),
        ((1, 4), 4, 1),
    ],
)
def test_known_counts(shape: Shape, k: int, count: int) -> None:
    assert len(lines(shape, k)) == count


@pytest.mark.parametrize(("side", "dimensions"), [(2, 5), (3, 1), (3, 5), (4, 3), (5, 4), (7, 3), (8, 2)])
def test_a_hypercube_has_as_many_lines_as_its_shell_has_pairs(side: int, dimensions: int) -> None:
    count = ((side + 2) ** dimensions - side**dimensions) // 2
    assert len(lines((side,) * dimensions, side)) == count


@pytest.mark.parametrize(
    ("shape", "k", "count"),
    [
        ((4, 4), 4, 16),  # 4 rows, 4 columns, 4 + 4 broken diagonals: each is a whole ring
        ((5, 5), 4, 100),  # from each of 25 cells in 4 directions
        ((3, 3), 3, 12),
        ((5,), 5, 1),
        ((5,), 3, 5),
        ((2, 3), 6, 1),  # both diagonals go through all cells
        ((2, 2), 2, 6),
    ],
)
def test_lines_of_a_torus(shape: Shape, k: int, count: int) -> None:
    assert len(lines(shape, k, wrap=True)) == count


@settings(max_examples=150)
@given(shapes_with_k())
def test_lines_are_those_a_plain_search_finds(case: tuple[Shape, int, bool]) -> None:
    shape, k, wrap = case
    found = lines(shape, k, wrap)
    assert len({frozenset(line.cells) for line in found}) == len(found)
    assert {frozenset(line.cells) for line in found} == plain_lines(shape, k, wrap)


@settings(max_examples=100)
@given(shapes_with_k())
def test_lines_through_a_cell_are_the_lines_that_have_it(case: tuple[Shape, int, bool]) -> None:
    shape, k, wrap = case
    geometry = Geometry(shape, k, wrap)
    all_lines = plain_lines(shape, k, wrap)
    for cell in coordinates(shape):
        through = [frozenset(line.cells) for line in geometry.lines_through(cell)]
        assert len(set(through)) == len(through) == geometry.line_count(cell)
        assert set(through) == {line for line in all_lines if cell in line}


@settings(max_examples=100)
@given(shapes_with_k())
def test_a_line_is_a_start_and_a_step(case: tuple[Shape, int, bool]) -> None:
    shape, k, wrap = case
    for line in lines(shape, k, wrap):
        assert line.start == line.cells[0]
        assert len(line.cells) == k
        assert line.step > (0,) * len(shape)
        for number, cell in enumerate(line.cells):
            there = (s + number * b for s, b in zip(line.start, line.step, strict=True))
            assert cell == tuple(p % side if wrap else p for p, side in zip(there, shape, strict=True))


@settings(max_examples=100)
@given(shapes_with_k())
def test_windows_know_the_cells_at_their_ends(case: tuple[Shape, int, bool]) -> None:
    shape, k, wrap = case
    geometry = Geometry(shape, k, wrap)
    for cell in coordinates(shape):
        for step in geometry.steps:
            for line, ends in geometry.windows(cell, step):
                beyond = set()
                for from_, sign in ((line.cells[0], -1), (line.cells[-1], 1)):
                    there = tuple(p + sign * b for p, b in zip(from_, step, strict=True))
                    if wrap:
                        there = tuple(p % side for p, side in zip(there, shape, strict=True))
                    beyond.add(there)
                assert set(ends) == (beyond & set(coordinates(shape))) - set(line.cells)


@given(shapes(30), st.data())
def test_a_mask_has_one_bit_for_each_cell(shape: Shape, data: st.DataObject) -> None:
    cells = tuple(data.draw(st.lists(st.sampled_from(coordinates(shape)), max_size=5)))
    mask = Geometry(shape, 1).mask(cells)
    assert {cell for cell in coordinates(shape) if mask >> indices(shape)[cell] & 1} == set(cells)
    assert mask >> prod(shape) == 0


@pytest.mark.parametrize("dimensions", range(1, 6))
def test_one_direction_of_each_pair(dimensions: int) -> None:
    steps = directions(dimensions)
    assert len(steps) == len(set(steps)) == (3**dimensions - 1) // 2
    assert not set(steps) & {tuple(-by for by in step) for step in steps}


def test_lines_are_values() -> None:
    line = Line(((0, 0), (1, 1)), (1, 1))
    assert line == Line(((0, 0), (1, 1)), (1, 1))
    assert len({line, Line(((0, 0), (1, 1)), (1, 1))}) == 1


def test_long_lines_and_large_boards_are_not_kept_as_masks() -> None:
    assert lines_by_mask((64, 64), 5, wrap=False, exact=False) is not None
    assert lines_by_mask((64, 65), 5, wrap=False, exact=False) is None
    assert MAX_MASKED < 4096 * 2048
    assert lines_by_mask((1, 4096), 2048, wrap=False, exact=False) is None
