"""Steps of the cursor: they are reversible, reach all planes, and stop or wrap at edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core.board import Shape, coordinate_of, index_of
from noughts.drawing.steps import DIRECTIONS, step
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.layout import grid_layout
from tests.strategies import shapes

BACK = dict(zip(DIRECTIONS, ("right", "left", "down", "up", "previous-plane", "next-plane"), strict=True))


def walk(shape: Shape, start: tuple[int, ...], directions: str, wrap: bool = False) -> tuple[int, ...]:
    index = index_of(shape, start)
    for direction in directions.split():
        index = step(grid_layout(shape), shape, index, direction, wrap)
    return coordinate_of(shape, index)


def test_steps_on_flat_board() -> None:
    assert walk((3, 4), (1, 1), "up right") == (0, 2)
    assert walk((3, 4), (0, 0), "up left previous-plane next-plane") == (0, 0)
    assert walk((3, 4), (2, 3), "down right") == (2, 3)
    assert walk((3, 4), (2, 3), "down right", wrap=True) == (0, 0)
    assert walk((3, 4), (0, 0), "up left", wrap=True) == (2, 3)
    assert walk((5,), (1,), "left left left up down") == (0,)


def test_horizontal_steps_continue_in_next_plane() -> None:
    assert walk((4, 4, 4), (1, 2, 3), "right") == (2, 2, 0)
    assert walk((4, 4, 4), (1, 2, 0), "left") == (0, 2, 3)
    assert walk((4, 4, 4), (3, 2, 3), "right") == (3, 2, 3)
    assert walk((4, 4, 4), (3, 2, 3), "right", wrap=True) == (0, 2, 0)
    assert walk((4, 4, 4), (1, 3, 0), "down") == (1, 3, 0)


def test_vertical_steps_continue_along_axis_before() -> None:
    assert walk((3, 3, 3, 3), (1, 1, 2, 0), "down") == (2, 1, 0, 0)
    assert walk((3, 3, 3, 3), (1, 1, 0, 0), "up") == (0, 1, 2, 0)
    assert walk((3, 3, 3, 3), (1, 2, 0, 2), "right") == (1, 2, 0, 2)
    assert walk((2, 3, 3, 3, 3), (1, 2, 0, 2, 0), "down") == (1, 2, 0, 2, 0)


def test_planes_follow_in_order() -> None:
    assert walk((2, 3, 3, 3), (0, 2, 1, 1), "next-plane") == (1, 0, 1, 1)
    assert walk((2, 3, 3, 3), (1, 0, 1, 1), "previous-plane") == (0, 2, 1, 1)
    assert walk((2, 3, 3, 3), (1, 2, 1, 1), "next-plane") == (1, 2, 1, 1)
    assert walk((2, 3, 3, 3), (1, 2, 1, 1), "next-plane", wrap=True) == (0, 0, 1, 1)


@pytest.mark.slow
@given(shape=shapes(max_dimensions=5), data=st.data())
def test_every_step_can_be_reversed(shape: Shape, data: st.DataObject) -> None:
    layout = grid_layout(shape)
    count = layout.planes * layout.rows * layout.columns
    index = data.draw(st.integers(0, count - 1))
    direction = data.draw(st.sampled_from(DIRECTIONS))
    wrap = data.draw(st.booleans())
    there = step(layout, shape, index, direction, wrap)
    assert 0 <= there < count
    if wrap or there != index:
        assert step(layout, shape, there, BACK[direction], wrap) == index


def test_steps_reach_every_cell() -> None:
    for entry in CATALOGUE:
        game = new_game(entry.name)
        reached, edge = {0}, [0]
        while edge:
            index = edge.pop()
            for direction in DIRECTIONS:
                there = step(game.layout, game.shape, index, direction)
                if there not in reached:
                    reached.add(there)
                    edge.append(there)
        assert reached == set(range(len(game.cells)))
