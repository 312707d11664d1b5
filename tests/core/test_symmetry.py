"""Tests of symmetries: the order of the groups, and the preservation of lines."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core import symmetry
from noughts.core.board import Shape, index_of
from noughts.core.geometry import Geometry, coordinates, lines
from noughts.core.symmetry import symmetries
from tests.canonical import canonical
from tests.core.test_geometry import geometries


@pytest.mark.parametrize(
    ("shape", "k", "wrap", "gravity", "order"),
    [
        ((3, 3), 3, False, False, 8),
        ((4, 4), 4, False, False, 32),
        ((5, 5), 5, False, False, 32),
        ((4, 4), 3, False, False, 8),
        ((3, 4), 3, False, False, 4),
        ((3, 3, 3), 3, False, False, 48),
        ((4, 4, 4), 4, False, False, 192),
        ((4, 4, 4), 3, False, False, 48),
        ((3, 3, 3, 3), 3, False, False, 384),
        ((15, 15), 5, False, False, 8),
        ((6, 7), 4, False, True, 2),
        ((4, 4, 4), 4, False, True, 8),
        ((5, 5), 4, True, False, 200),
        ((3, 5), 3, True, False, 60),
        ((5, 5), 4, True, True, 10),
        ((5,), 3, False, False, 2),
        ((1, 1), 1, False, False, 1),
    ],
)
def test_symmetry_group_has_known_order(shape: Shape, k: int, wrap: bool, gravity: bool, order: int) -> None:
    assert len(symmetries(Geometry(shape, k, (wrap,) * len(shape)), gravity)) == order


@pytest.mark.parametrize(
    ("geometry", "order"),
    [
        (Geometry((4, 5), 3, (False, True)), 2 * 2 * 5),
        (Geometry((5, 5), 3, (False, True)), 2 * 2 * 5),
        (Geometry((4, 4, 4), 3, (True, True, False)), 2 * (2 * 4) ** 2 * 2),
        (Geometry((5, 5), 3, tiling="hex"), 4),
        (Geometry((4, 5), 3, tiling="hex"), 2),
        (Geometry((3, 3), 1, tiling="hex", exact=True), 4),
    ],
)
def test_symmetry_group_order_of_cylinders_and_hexagons(geometry: Geometry, order: int) -> None:
    assert len(symmetries(geometry)) == order


def test_3x3_symmetries_are_complete() -> None:
    """There are too many permutations, 362,880, but each symmetry preserves the number of lines of a cell."""
    results = {frozenset(index_of((3, 3), cell) for cell in line.cells) for line in lines((3, 3), 3)}
    corners, edges = (0, 2, 6, 8), (1, 3, 5, 7)
    keeping = set()
    for to_corners in permutations(corners):
        for to_edges in permutations(edges):
            to = dict(zip((*corners, *edges, 4), (*to_corners, *to_edges, 4), strict=True))
            if all(frozenset(to[cell] for cell in line) in results for line in results):
                keeping.add(tuple(to[cell] for cell in range(9)))
    assert keeping == set(symmetries(Geometry((3, 3), 3)))


@pytest.mark.slow
@given(geometries(), st.booleans())
def test_symmetries_preserve_lines_and_their_ends(geometry: Geometry, gravity: bool) -> None:
    group = symmetries(geometry, gravity)
    cells = coordinates(geometry.shape)
    results = {
        (frozenset(line), frozenset(ends) if geometry.exact else frozenset())
        for index in range(geometry.size)
        for step in geometry.steps
        for line, ends in geometry.windows(index, step)
    }
    members = set(group)
    assert group[0] == tuple(range(len(cells)))
    assert len(members) == len(group)
    for one in group:
        assert sorted(one) == list(range(len(cells)))
        images = {tuple(frozenset(one[cell] for cell in part) for part in test) for test in results}
        assert images == results
        if gravity:
            assert all(cells[source][0] == cells[target][0] for source, target in enumerate(one))
    for one in group[:8]:
        for other in group[-8:]:
            assert tuple(one[target] for target in other) in members


def test_large_board_has_only_identity_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    assert symmetries(Geometry((65, 65), 5)) == (tuple(range(65 * 65)),)
    monkeypatch.setattr(symmetry, "MAX_KEPT", 49 * 100)
    assert symmetries(Geometry((7, 7), 6, (True, True))) == (tuple(range(49)),)
    assert len(symmetries(Geometry((7, 7), 6))) == 8


@given(st.lists(st.sampled_from(["X", "O", None]), min_size=9, max_size=9), st.integers(0, 7))
def test_canonical_form_is_equal_for_symmetric_positions(cells: list[str | None], number: int) -> None:
    group = symmetries(Geometry((3, 3), 3))
    image = [cells[group[number].index(target)] for target in range(9)]
    assert canonical(cells, group) == canonical(image, group)
    assert canonical(canonical(cells, group), group) == canonical(cells, group)


def test_position_classes_by_ply() -> None:
    """Alternating marks on 3x3 without a winner form 1, 3, 12, 38, 108 classes."""
    group = symmetries(Geometry((3, 3), 3))
    layer: set[tuple[object, ...]] = {(".",) * 9}
    counts = [1]
    for ply in range(4):
        layer = {
            canonical((*cells[:index], "XO"[ply % 2], *cells[index + 1 :]), group)
            for cells in layer
            for index in range(9)
            if cells[index] == "."
        }
        counts.append(len(layer))
    assert counts == [1, 3, 12, 38, 108]


def test_symmetry_preserves_cells_that_spoil_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    geometry = Geometry((3, 3), 1, tiling="hex", exact=True)
    monkeypatch.setattr(symmetry, "_candidates", lambda *_, **__: [lambda cell: (cell[0], 2 - cell[1])])
    symmetries.cache_clear()
    assert len(symmetries(geometry)) == 1
    symmetries.cache_clear()


def test_rigid_symmetries_keep_neighbours() -> None:
    geometry = Geometry((4, 4), 4)
    rigid = symmetries(geometry, rigid=True)
    assert len(rigid) == 8
    assert set(rigid) < set(symmetries(geometry))
    assert len(symmetries(Geometry((4, 4), 4, (True, True)), rigid=True)) == 8 * 16
