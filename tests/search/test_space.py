"""The arrays of a board, held against the masks that the rules go by."""

from itertools import product

import pytest

from noughts.games.ending import lines_by_mask
from noughts.search.space import MAX_CELLS, Space, space_of

SHAPES = (((3, 3), 3), ((4, 5), 3), ((5,), 2), ((2, 3, 3), 2), ((1, 4), 1), ((4, 4), 6), ((6, 6), 5))


def mask(cells: tuple[int, ...]) -> int:
    return sum(1 << cell for cell in cells if cell >= 0)


@pytest.mark.parametrize(("shape", "k"), SHAPES)
@pytest.mark.parametrize(("wrap", "exact"), list(product((False, True), repeat=2)))
def test_lines_are_those_of_the_rules(shape: tuple[int, ...], k: int, wrap: bool, exact: bool) -> None:
    space = space_of(shape, k, wrap=wrap, exact=exact)
    tests = lines_by_mask(shape, k, wrap, exact)
    assert isinstance(space, Space)
    assert tests is not None
    lines = [space.cells[line * k : line * k + k] for line in range(space.count)]
    ends = [space.ends[2 * line : 2 * line + 2] for line in range(space.count)]
    listed = [(mask(cells) | mask(at), mask(cells)) for cells, at in zip(lines, ends, strict=True)]
    assert len(listed) == len(set(listed))
    for cell in range(space.size):
        expected = {test for _, axis in tests[cell] for test in axis}
        through = space.through[space.first[cell] : space.first[cell + 1]]
        assert {listed[line] for line in through} == expected
        assert all(cell in lines[line] for line in through)


def test_large_boards_have_none() -> None:
    assert space_of((MAX_CELLS + 1,), 5, wrap=False, exact=False) is None
    assert space_of((MAX_CELLS,), 33, wrap=False, exact=False) is None
    assert space_of((MAX_CELLS,), 5, wrap=False, exact=False) is not None
