"""Kernels use no negative indices: compiled, they would read memory before the array."""

from collections.abc import Sequence
from io import StringIO
from typing import Any, SupportsIndex, overload

import pytest

from noughts.batch.batch import Batch
from noughts.games.catalogue import new_game
from noughts.proofs.writer.certify import can_certify, certify
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.engine.engine import Engine
from noughts.search.exact.puzzle import PuzzleSearch
from noughts.search.numba_backend import Ints, Machine
from tests.search.machines import rules_of
from tests.search.test_puzzle import fifteen


def check(place: Any) -> None:
    """Raise an error for an index, or a bound of a slice, that is negative."""
    ends = (place.start or 0, place.stop or 0) if isinstance(place, slice) else (place,)
    if min(ends) < 0:
        raise AssertionError(f"{place} is counted from the end")


class Forward(list[int]):
    """A list without negative indices."""

    @overload
    def __getitem__(self, place: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> int | list[int]:
        check(place)
        found = super().__getitem__(place)
        return Forward(found) if isinstance(found, list) else found

    def __setitem__(self, place: Any, number: Any) -> None:
        check(place)
        super().__setitem__(place, number)


class View:
    """A view of another array without negative indices."""

    def __init__(self, numbers: Any) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, place: Any) -> Any:
        check(place)
        found = self._numbers[place]
        return View(found) if isinstance(place, slice) else found

    def __setitem__(self, place: Any, number: Any) -> None:
        check(place)
        self._numbers[place] = number


class Strict(Machine):
    """The Python machine with such arrays."""

    def array(self, values: Sequence[int]) -> Ints:
        return Forward(values)

    def zeros(self, count: int) -> Ints:
        return Forward([0] * count)

    def view(self, array: Any) -> Any:
        return View(super().view(array))


GAMES = (
    *(
        "3x3:3",
        "4x3:3",
        "4x4:4",
        "3x3:3,wrap",
        "4x3:3,hex",
        "4x4:3,exact",
        "3x3:3,misere",
        "3x3:3,wild,misere",
    ),
    *(
        "3x3:3,notakto",
        "4x4:4,gravity",
        "4x3:3,gravity,wrap=x",
        "3x3x3:3",
        "5x4:4",
        "5x5:4",
        "4x4x4:4",
        "7x6:4,gravity",
    ),
)


def test_strict_arrays_refuse_negative_indices() -> None:
    machine = Strict()
    for numbers in (machine.array([1, 2]), machine.zeros(2)):
        for place in (-1, slice(-1, 2), slice(0, -1)):
            with pytest.raises(AssertionError):
                numbers[place]
        with pytest.raises(AssertionError):
            numbers[-1] = 3


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_searches_use_no_negative_indices(name: str) -> None:
    game = new_game(name)
    Analyst(machine=Strict()).analyse(game, Limit(nodes=500))
    if Engine.supports(game):
        Engine(machine=Strict()).search(game, Limit(nodes=200))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("4x4:4", "draw"),
        ("3x3:3,wrap", "first"),
        ("4x3:3", "first"),
        ("5x4:4", "draw"),
        ("3x3:3,misere", "draw"),
    ],
)
def test_certify_uses_no_negative_indices(name: str, value: str) -> None:
    game = new_game(name)
    assert can_certify(game)
    assert certify(game, value, StringIO(), machine=Strict())


def test_puzzle_search_uses_no_negative_indices() -> None:
    game = fifteen((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 12, 13, 14, 11, 15))
    assert PuzzleSearch(machine=Strict()).solve(game).plies == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, "15x15:5"])
def test_batches_use_no_negative_indices(name: str) -> None:
    batch = Batch(rules_of(new_game(name)), 20, 1)
    batch._calls.machine = Strict()
    batch.playouts()
