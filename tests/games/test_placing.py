"""Openings: each kind gives, takes and takes back the same cells as a plain set of them would."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core.board import Shape
from noughts.core.geometry import coordinates, indices
from noughts.games.placing import FallingOpenings, FewOpenings, ManyOpenings, Openings, openings
from tests.strategies import shapes


def test_the_kind_is_chosen_from_the_rules() -> None:
    assert isinstance(openings((10, 10), gravity=False), FewOpenings)
    assert isinstance(openings((10, 11), gravity=False), ManyOpenings)
    assert isinstance(openings((10, 11), gravity=True), FallingOpenings)


@pytest.mark.parametrize("kind", [FewOpenings, ManyOpenings])
@given(shape=shapes(), seed=st.integers(0, 2**32))
def test_every_empty_cell_is_open(kind: type[Openings], shape: Shape, seed: int) -> None:
    chance = Random(seed)
    known = coordinates(shape)
    occupied = chance.sample(range(len(known)), chance.randrange(len(known)))
    free = {cell for index, cell in enumerate(known) if index not in occupied}
    tested: Openings = kind(shape, occupied)  # type: ignore[call-arg]
    for _ in range(30):
        assert tested.cells() == sorted(free)
        cell = chance.choice(known)
        twin = tested.copy()
        if cell in free:
            assert tested.take(cell) == indices(shape)[cell]
            free.remove(cell)
            assert cell in twin.cells()
        else:
            with pytest.raises(KeyError):
                tested.take(cell)
            tested.release(indices(shape)[cell])
            free.add(cell)
            assert cell not in twin.cells()


@given(shapes(), st.integers(0, 2**32))
def test_the_lowest_empty_cell_of_each_column_is_open(shape: Shape, seed: int) -> None:
    chance = Random(seed)
    tested = FallingOpenings(shape)
    taken: list[int] = []
    for _ in range(40):
        lowest: dict[tuple[int, ...], tuple[int, ...]] = {}
        for index, cell in enumerate(coordinates(shape)):
            if index not in taken:
                lowest[cell[1:]] = cell
        assert tested.cells() == [lowest[column] for column in sorted(lowest)]
        assert FallingOpenings(shape, taken).cells() == tested.copy().cells() == tested.cells()
        if taken and chance.random() < 0.3:
            tested.release(taken.pop())
        elif lowest:
            cell = chance.choice(coordinates(shape))
            if cell in lowest.values():
                taken.append(tested.take(cell))
            else:
                with pytest.raises(KeyError):
                    tested.take(cell)
