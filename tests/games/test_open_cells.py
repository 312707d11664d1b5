"""Tests of OpenCells against a plain set."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core.board import Coordinate, Shape
from noughts.core.geometry import Geometry, coordinates
from noughts.errors import CoordinateError
from noughts.games import open_cells
from noughts.games.open_cells import OpenCells, Sites
from tests.strategies import shapes


def lowest(shape: Shape, height: int, occupied: list[int]) -> list[Coordinate]:
    """Return the lowest free cell of each column that is not full, from a scan of all cells."""
    cells = coordinates(shape)
    width = len(cells) // height
    columns = [[at for at in range(first, len(cells), width) if at not in occupied] for first in range(width)]
    return [cells[free[-1]] for free in columns if free]


@pytest.mark.slow
@given(shapes(), st.booleans(), st.integers(0, 2**32))
def test_lowest_free_cells_are_open(shape: Shape, gravity: bool, seed: int) -> None:
    chance = Random(seed)
    height = shape[0] if gravity else 1
    all_sites = Sites(Geometry(shape, 1), height)
    tested = OpenCells(all_sites)
    occupied: list[int] = []
    for _ in range(40):
        expected = lowest(shape, height, occupied)
        assert tested.open == expected
        assert OpenCells(all_sites, occupied).open == tested.copy().open == expected
        twin = tested.copy()
        if occupied and (not expected or chance.random() < 0.4):
            # If marks fall, the last mark of a column leaves first.
            index = occupied.pop() if gravity else occupied.pop(chance.randrange(len(occupied)))
            tested.release(all_sites.at(index))
        else:
            site = all_sites.find(chance.choice(expected))
            occupied.append(site[0])
            tested.take(site)
        assert twin.open == expected


def test_site_is_found_for_any_cell_form() -> None:
    all_sites = Sites(Geometry((3, 4), 3), 3)
    assert all_sites.find([1, 2]) is all_sites.at(6)
    index, bit, near, axes, cell, column, before, closing, above = all_sites.at(6)
    assert (index, bit, cell, column, before, closing, above) == (6, 64, (1, 2), 2, 3, 4, (0, 2))
    assert near == 0b111011111110
    assert len(axes) == 4
    assert all_sites.at(2)[8] == ()
    for nothing in ((3, 0), (0,), "b2", None):
        with pytest.raises(CoordinateError):
            all_sites.find(nothing)  # type: ignore[arg-type]


def test_sites_of_large_boards_are_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_cells, "MAX_KEPT", 8)
    all_sites = Sites(Geometry((3, 3), 3), 1)
    assert all_sites.at(4) == all_sites.at(4)
    assert not all_sites.by_cell
    assert not all_sites.by_index
