"""Tests of the line table against the lines through each cell, and of its counts against a recount."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core.geometry import Geometry
from noughts.core.lines import MAX_ENUMERATED, LineCounts, can_enumerate, line_table
from tests.core.test_geometry import geometries

pytestmark = pytest.mark.slow


@given(geometries())
def test_line_table_has_lines_through_cells(geometry: Geometry) -> None:
    table = line_table(geometry)
    assert table is not None
    listed = list(zip(map(frozenset, table.cells_of), map(frozenset, table.ends_of), strict=True))
    assert len(listed) == len(set(listed)) == table.count
    for cell in range(table.size):
        expected = {
            (frozenset(cells), frozenset(ends) if geometry.exact else frozenset())
            for step in geometry.steps
            for cells, ends in geometry.windows(cell, step)
        }
        assert {listed[line] for line in table.lines_of(cell)} == expected
    assert [sum(1 << cell for cell in cells) for cells in table.cells_of] == list(table.masks)


def test_large_board_has_no_line_table() -> None:
    assert not can_enumerate(Geometry((MAX_ENUMERATED + 1,), 5))
    assert line_table(Geometry((65, 64), 5)) is None
    assert line_table(Geometry((MAX_ENUMERATED,), 33)) is None
    assert line_table(Geometry((MAX_ENUMERATED,), 5)) is not None


@given(geometries(), st.data())
def test_line_counts_agree_with_recount(geometry: Geometry, data: st.DataObject) -> None:
    table = line_table(geometry)
    assert table is not None
    counts = LineCounts(table, [None] * table.size, "XO")
    placed: list[int] = []
    for _ in range(data.draw(st.integers(1, 12))):
        empty = [cell for cell in range(table.size) if counts.cells[cell] is None]
        if placed and (not empty or data.draw(st.booleans())):
            counts.lift(placed.pop())
        else:
            placed.append(data.draw(st.sampled_from(empty)))
            counts.place(placed[-1], data.draw(st.sampled_from("XO")))
        again = LineCounts(table, counts.cells, "XO")
        assert (counts.counts, counts.filled) == (again.counts, again.filled)
    for mark in "XO":
        assert counts.counts[mark] == [
            sum(counts.cells[cell] == mark for cell in cells) for cells in table.cells_of
        ]
        assert counts.completing(mark) == {
            cell for cell in range(table.size) if counts.cells[cell] is None and completes(counts, cell, mark)
        }


def completes(counts: LineCounts, cell: int, mark: str) -> bool:
    """Return True if one more *mark* on *cell* completes a line that counts."""
    with_it = {index for index, borne in enumerate(counts.cells) if borne == mark} | {cell}
    tests = zip(counts.table.cells_of, counts.table.ends_of, strict=True)
    return any(cell in cells and with_it >= {*cells} and not with_it & {*ends} for cells, ends in tests)


@pytest.mark.parametrize(
    ("geometry", "can"),
    [
        (Geometry((64, 64), 5, (True, True)), True),
        (Geometry((8,) * 4, 4, (True,) * 4), True),
        (Geometry((4,) * 6, 3), True),
        (Geometry((4,) * 6, 2), False),
        (Geometry((1, 2, 1, 2, 2, 2, 3, 65), 2, (True,) * 8), False),
        (Geometry((3,) * 7, 3, (True,) * 7), False),
    ],
)
def test_board_of_many_dimensions_has_no_table(geometry: Geometry, can: bool) -> None:
    assert can_enumerate(geometry) is can
    assert can or line_table(geometry) is None
