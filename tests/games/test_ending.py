"""What ends a game: walking finds the lines that masks find, which are those of the table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.core.geometry import Geometry
from noughts.core.lines import line_table
from noughts.games import ending
from noughts.games.ending import MAX_WAYS, LinesByMask, LinesByWalk, ends_of
from tests.core.test_geometry import geometries


@settings(max_examples=200)
@given(geometries(), st.data())
def test_walking_and_masks_and_the_table_find_the_same_lines(geometry: Geometry, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from("XXO"), min_size=geometry.size, max_size=geometry.size))
    mine = sum(1 << index for index, mark in enumerate(cells) if mark == "X")
    masks, walk, table = LinesByMask(geometry), LinesByWalk(geometry), line_table(geometry)
    assert table is not None
    listed = list(zip(table.cells_of, table.ends_of, strict=True))
    for index, mark in enumerate(cells):
        if mark == "X":
            found = masks.complete(cells, mine, index)
            walked = walk.complete(cells, mine, index)
            assert {line.cells for line in walked} == {line.cells for line in found}
            assert len(walked) == len(found)
            expected = {
                frozenset(line)
                for line, ends in (listed[number] for number in table.lines_of(index))
                if all(cells[cell] == "X" for cell in line) and not any(cells[end] == "X" for end in ends)
            }
            indices = [
                frozenset(
                    sum(p * s for p, s in zip(cell, geometry.strides, strict=True)) for cell in line.cells
                )
                for line in found
            ]
            assert len(indices) == len(expected)
            assert set(indices) == expected


@pytest.mark.parametrize("most", [0, 5000])
def test_outcomes_of_a_board_are_shared(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "MAX_DECIDED", most)
    lines = LinesByMask(Geometry((3, 3), 3))
    assert lines.decide((), 0b111, 0, "X") is lines.decide((), 0b1000111, 1, "X")
    assert lines.decide((), 0b111, 0, "X") is not lines.decide((), 0b111, 0, "O")
    both = lines.decide((), 0b1001111, 0, "X")
    assert both is not None
    assert len(both.lines) == 2
    assert lines.decide((), 0b1001110, 1, "X") is None


def test_boards_of_very_many_directions_are_walked() -> None:
    assert isinstance(ends_of(Geometry((64, 64), 5)), LinesByMask)
    assert isinstance(ends_of(Geometry((16, 16, 16), 5)), LinesByMask)
    assert isinstance(ends_of(Geometry((3,) * 7, 3)), LinesByWalk)
    assert 3**7 * len(Geometry((3,) * 7, 3).steps) > MAX_WAYS
