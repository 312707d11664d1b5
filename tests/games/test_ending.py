"""Tests of the end of a game: walking, masks and the table give the same lines."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import KInARow, new_game
from noughts.core.geometry import Geometry, mask_of
from noughts.core.lines import line_table
from noughts.games import ending, open_cells
from noughts.games.ending import MAX_WAYS, LinesByMask, LinesByWalk, ends_of
from tests.core.test_geometry import geometries


@pytest.mark.slow
@given(geometries(), st.data())
def test_walking_masks_and_table_agree(geometry: Geometry, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from("XXO"), min_size=geometry.size, max_size=geometry.size))
    mine = sum(1 << index for index, mark in enumerate(cells) if mark == "X")
    masks, walk, table = LinesByMask(geometry), LinesByWalk(geometry), line_table(geometry)
    assert table is not None
    here = data.draw(st.integers(0, geometry.size - 1))
    for step in geometry.steps:
        for line in (mask_of(cells) for cells, _ in geometry.windows(here, step)):
            assert line & walk.near(here) == line & masks.near(here) == line
    listed = list(zip(table.cells_of, table.ends_of, strict=True))
    for index, mark in enumerate(cells):
        if mark == "X":
            result = masks.complete(cells, mine, index)
            walked = walk.complete(cells, mine, index)
            assert {line.cells for line in walked} == {line.cells for line in result}
            assert len(walked) == len(result)
            expected = {
                frozenset(line)
                for line, ends in (listed[number] for number in table.lines_of(index))
                if all(cells[cell] == "X" for cell in line) and not any(cells[end] == "X" for end in ends)
            }
            indices = [
                frozenset(
                    sum(p * s for p, s in zip(cell, geometry.strides, strict=True)) for cell in line.cells
                )
                for line in result
            ]
            assert len(indices) == len(expected)
            assert set(indices) == expected


@pytest.mark.parametrize("most", [0, 5000])
def test_outcomes_are_shared(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "MAX_DECIDED", most)
    lines = LinesByMask(Geometry((3, 3), 3))
    assert lines.decide((), 0b111, 0, "X") is lines.decide((), 0b1000111, 1, "X")
    assert lines.decide((), 0b111, 0, "X") is not lines.decide((), 0b111, 0, "O")
    both = lines.decide((), 0b1001111, 0, "X")
    assert both is not None
    assert len(both.lines) == 2
    assert lines.decide((), 0b1001110, 1, "X") is None


RULES = st.sampled_from(
    ["", ",wrap", ",wrap=x", ",exact", ",misere", ",gravity", ",gravity,wrap=x", ",hex", ",wild"]
)


def forget_boards() -> None:
    """Clear the cached lines."""
    ending.ends_of.cache_clear()
    open_cells.sites.cache_clear()


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.integers(3, 7),
    st.integers(3, 7),
    st.integers(2, 5),
    RULES,
    st.randoms(use_true_random=False),
)
def test_walked_games_agree_with_masked_games(
    width: int, height: int, k: int, rules: str, chance: Random
) -> None:
    spec = f"{width}x{height}:{min(k, width, height)}{rules}"
    masked = KInARow(new_game(spec).rules)
    with pytest.MonkeyPatch.context() as patch:
        forget_boards()
        patch.setattr(ending, "MAX_WAYS", 0)
        walked = KInARow(masked.rules)
    forget_boards()
    assert {type(lines) for lines in walked._ends} == {LinesByWalk}
    while masked.outcome is None:
        move = chance.choice(masked.legal_moves())
        masked.play(move)
        walked.play(move)
        assert walked.outcome == masked.outcome
        assert walked.legal_moves() == masked.legal_moves()
    for _ in range(masked.ply):
        walked.undo()
    assert walked.key() == KInARow(masked.rules).key()


def test_board_of_many_directions_is_walked() -> None:
    assert isinstance(ends_of(Geometry((64, 64), 5)), LinesByMask)
    assert isinstance(ends_of(Geometry((16, 16, 16), 5)), LinesByMask)
    assert isinstance(ends_of(Geometry((3,) * 7, 3)), LinesByWalk)
    assert ends_of(Geometry((9,) * 5, 3, (True,) * 5)).near(0) == -1  # there are too many rays to follow
    assert 3**7 * len(Geometry((3,) * 7, 3).steps) > MAX_WAYS


@pytest.mark.parametrize(
    ("shape", "k"),
    [((4096, 1), 4096), ((1, 4096), 4000), ((90, 60), 70), ((20000, 3), 15000), ((4100, 1), 1)],
)
def test_near_mask_is_no_larger_than_board(shape: tuple[int, ...], k: int) -> None:
    """A direction without lines would make masks as long as its steps are wide: gigabytes."""
    geometry = Geometry(shape, k)
    walk = LinesByWalk(geometry)
    for index in (0, geometry.size // 2, geometry.size - 1):
        near = walk.near(index)
        assert near >> index & 1
        assert near.bit_length() <= 2 * geometry.size
