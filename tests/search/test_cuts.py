"""The pruning of the exact search: its values are those of a full search."""

from collections.abc import Callable
from random import Random

import pytest

from noughts import KInARow, new_game
from noughts.games.base import Game
from noughts.search.exact import scheduler
from noughts.search.exact.scheduler import ExactValuer
from noughts.search.exact.search import ExactSearch
from tests.search.bigint import BigIntOracle
from tests.search.machines import machine_of, rules_of

pytestmark = pytest.mark.slow

BOARDS = (
    *("3x3:3", "4x3:3", "4x4:3", "4x4:4", "5x3:3", "3x3x2:3", "4x4:3,exact", "3x3:3,wrap", "4x4:4,wrap"),
    *("4x3:3,wrap=x", "4x3:3,hex", "3x3:3,misere", "4x3:3,misere", "3x3:3,wild", "3x3:3,misere,wild"),
    *("4x3:3,notakto", "4x4:4,gravity", "4x3:3,gravity", "3x3:3,gravity,misere", "3x4:3,gravity,wrap=x"),
    *("5x4:4,wrap", "4x3x2:3"),
)

MAX_EMPTY = 9


def put(name: str, number: int) -> Callable[[ExactSearch], None]:
    """Return a function that sets this number in the memory of a search."""

    def do(search: ExactSearch) -> None:
        setattr(search._memory, name, number)

    return do


def take_away(name: str) -> Callable[[ExactSearch], None]:
    """Return a function that removes an inner search."""
    return lambda search: setattr(search, name, None)


def without_pairs(search: ExactSearch) -> None:
    search._pairing.size = 0


CUTS = {
    "images of positions": put("image_marks", -1),
    "dead cells": put("never_hurts", 0),
    "potentials": put("potential", 0),
    "pairs": without_pairs,
    "stopping all lines": take_away("blocking"),
    "attacks": take_away("attacking"),
    "columns": take_away("_columns"),
    "mirroring": take_away("_mirroring"),
}
"""The functions that switch off each kind of pruning."""


@pytest.fixture(autouse=True)
def _attacks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search for attacks at once: with so few empty cells, no question would take long enough."""
    monkeypatch.setattr(scheduler, "ATTACK_AFTER", 0)


def valuer_without(game: Game, *cuts: str) -> ExactValuer:
    search = ExactSearch(rules_of(game), machine_of("numba"))
    for cut in cuts:
        CUTS[cut](search)
    return ExactValuer(search)


def random_position(spec: str, chance: Random) -> Game:
    """Return a random unfinished position with few enough empty cells for a full search."""
    while True:
        game = new_game(spec)
        cells = len(game.cells)
        for _ in range(chance.randrange(max(0, cells - MAX_EMPTY), cells)):
            if game.outcome is None:
                game.play(chance.choice(list(game.legal_moves())))
        if game.outcome is None:
            return game


@pytest.mark.parametrize("spec", BOARDS)
def test_pruning_does_not_change_values(spec: str) -> None:
    """Each search evaluates one position after another and keeps its results."""
    chance, start = Random(spec), new_game(spec)
    assert isinstance(start, KInARow)
    oracle = BigIntOracle(start.rules)
    valuers = {cuts: valuer_without(start, *cuts) for cuts in ((), tuple(CUTS), *((cut,) for cut in CUTS))}
    for number in range(25):
        game = random_position(spec, chance)
        first, second = (
            sum(1 << cell for cell, found in enumerate(game.cells) if found == mark) for mark in ("X", "O")
        )
        expected = oracle.worth(game.sides.index(game.turn), first, second)
        for cuts in ((), tuple(CUTS), (list(CUTS)[number % len(CUTS)],)):
            assert valuers[cuts].value_of(game) == expected, (cuts, game.moves)


SHOWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "images of positions": ("4x3:3,misere", ()),
    "dead cells": ("3x3x2:3", ("stopping all lines",)),
    "potentials": ("3x3:3", ("stopping all lines",)),
    "pairs": ("5x4:4", ("stopping all lines",)),
    "stopping all lines": ("5x4:4", ()),
    "attacks": ("5x4:4,wrap", ()),
    "columns": ("4x3:3,gravity", ()),
    "mirroring": ("3x3:3,misere", ()),
}
"""A start position in which each kind of pruning has an effect, and the other kinds that would hide it."""


@pytest.mark.parametrize("cut", CUTS)
def test_each_pruning_can_be_switched_off(cut: str) -> None:
    """The number of searched positions changes then."""
    spec, others = SHOWN[cut]
    usual, other = valuer_without(new_game(spec), *others), valuer_without(new_game(spec), cut, *others)
    assert usual.value_of(new_game(spec)) == other.value_of(new_game(spec))
    assert usual.search.nodes != other.search.nodes
