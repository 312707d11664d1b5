"""Tests of lines: their known numbers, and agreement with a plain search."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core.board import Coordinate, Shape
from noughts.core.geometry import Geometry, Line, coordinates, directions, lines
from tests.strategies import shapes

Joined = tuple[bool, ...]


def around(cell: Coordinate, shape: Shape, joined: Joined) -> Coordinate:
    """Return the position of *cell* on the board, beyond joined edges."""
    ways = zip(cell, shape, joined, strict=True)
    return tuple(part % side if meet else part for part, side, meet in ways)


def plain_lines(shape: Shape, k: int, joined: Joined, is_hex: bool) -> set[frozenset[Coordinate]]:
    """Return every set of k cells in one direction, found from each cell in all 3**n - 1 directions."""
    found_lines = set()
    for start in product(*map(range, shape)):
        for by in product((-1, 0, 1), repeat=len(shape)):
            if is_hex and by in ((1, 1), (-1, -1)):
                continue
            line = [tuple(s + n * b for s, b in zip(start, by, strict=True)) for n in range(k)]
            line = [around(cell, shape, joined) for cell in line]
            if any(by) and len(set(line)) == k and set(line) <= set(product(*map(range, shape))):
                found_lines.add(frozenset(line))
    return found_lines


@st.composite
def geometries(draw: st.DrawFn) -> Geometry:
    """Return any shape, with any joined axes or hexagons, and a valid line length."""
    shape = draw(shapes(40))
    joined = tuple(draw(st.booleans()) for _ in shape) if draw(st.booleans()) else (False,) * len(shape)
    tiling = "hex" if len(shape) == 2 and not any(joined) and draw(st.booleans()) else ""
    longest = Geometry(shape, 1, joined, tiling).longest
    return Geometry(shape, draw(st.integers(1, min(6, longest))), joined, tiling, draw(st.booleans()))


def lines_of(geometry: Geometry) -> tuple[Line, ...]:
    return lines(geometry.shape, geometry.k, geometry.joined, geometry.tiling)


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
def test_line_count_matches_known_values(shape: Shape, k: int, count: int) -> None:
    assert len(lines(shape, k)) == count


@pytest.mark.slow
@pytest.mark.parametrize(("side", "dimensions"), [(2, 5), (3, 1), (3, 5), (4, 3), (5, 4), (7, 3), (8, 2)])
def test_hypercube_lines_match_pairs_of_shell(side: int, dimensions: int) -> None:
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
def test_lines_of_torus(shape: Shape, k: int, count: int) -> None:
    assert len(lines(shape, k, (True,) * len(shape))) == count


@pytest.mark.parametrize(
    ("shape", "k", "joined", "count"),
    [
        ((4, 4), 4, (False, True), 4 + 4 + 4 + 4),  # 4 whole rings, 4 columns, 4 + 4 diagonals around
        ((4, 5), 4, (False, True), 4 * 5 + 5 + 5 + 5),
        ((4, 5), 4, (True, False), 5 + 2 * 4 + 2 * 8),
        ((3, 3, 3), 3, (True, False, False), 9 + 9 + 9 + 2 * 9 + 2 * 9 + 2 * 3 + 4 * 3),
    ],
)
def test_cylinder_has_known_number_of_lines(shape: Shape, k: int, joined: Joined, count: int) -> None:
    assert len(lines(shape, k, joined)) == count


@pytest.mark.parametrize(
    ("shape", "k", "count"),
    [((3, 3), 3, 7), ((11, 11), 5, 2 * 11 * 7 + 7 * 7), ((2, 2), 2, 5)],
)
def test_hexagonal_board_has_known_number_of_lines(shape: Shape, k: int, count: int) -> None:
    assert len(lines(shape, k, tiling="hex")) == count


@pytest.mark.slow
@given(geometries())
def test_lines_agree_with_plain_search(geometry: Geometry) -> None:
    found_lines = lines_of(geometry)
    assert len({frozenset(line.cells) for line in found_lines}) == len(found_lines)
    expected = plain_lines(geometry.shape, geometry.k, geometry.joined, bool(geometry.tiling))
    assert {frozenset(line.cells) for line in found_lines} == expected


@pytest.mark.slow
@given(geometries())
def test_line_has_start_and_step(geometry: Geometry) -> None:
    for line in lines_of(geometry):
        assert line.start == line.cells[0]
        assert len(line.cells) == geometry.k
        assert line.step > (0,) * len(geometry.shape)
        for number, cell in enumerate(line.cells):
            there = tuple(s + number * b for s, b in zip(line.start, line.step, strict=True))
            assert cell == around(there, geometry.shape, geometry.joined)


@pytest.mark.slow
@given(geometries())
def test_windows_yield_lines_with_their_ends(geometry: Geometry) -> None:
    shape, cells = geometry.shape, coordinates(geometry.shape)
    all_lines = plain_lines(shape, geometry.k, geometry.joined, bool(geometry.tiling))
    for index, cell in enumerate(cells):
        through = set()
        for step in geometry.steps:
            for window, ends in geometry.windows(index, step):
                line = geometry.line(window, step)
                assert geometry.line(window, step).cells == tuple(cells[one] for one in window)
                beyond = set()
                for from_, sign in ((line.cells[0], -1), (line.cells[-1], 1)):
                    there = tuple(p + sign * b for p, b in zip(from_, step, strict=True))
                    beyond.add(around(there, shape, geometry.joined))
                assert {cells[end] for end in ends} == (beyond & set(cells)) - set(line.cells)
                through.add(frozenset(line.cells))
        assert through == {line for line in all_lines if cell in line}
        if not any(geometry.joined):
            assert geometry.line_count(index) == len(through)


def test_ring_line_begins_at_least_cell() -> None:
    geometry = Geometry((4, 4), 4, (True, True))
    for index in range(4, 8):
        assert list(geometry.windows(index, (0, 1))) == [((4, 5, 6, 7), ())]


@pytest.mark.parametrize("dimensions", range(1, 6))
def test_directions_have_one_of_each_pair(dimensions: int) -> None:
    steps = directions(dimensions)
    assert len(steps) == len(set(steps)) == (3**dimensions - 1) // 2
    assert not set(steps) & {tuple(-by for by in step) for step in steps}


def test_line_is_a_value() -> None:
    line = Line(((0, 0), (1, 1)), (1, 1))
    assert line == Line(((0, 0), (1, 1)), (1, 1))
    assert len({line, Line(((0, 0), (1, 1)), (1, 1))}) == 1


def test_hexagon_lines_run_in_three_directions() -> None:
    geometry = Geometry((5, 5), 3, tiling="hex")
    assert [geometry.line_count(index) for index in (0, 4, 12)] == [2, 3, 9]
