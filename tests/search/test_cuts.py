"""Whatever the exact search leaves out, its values are those of trying everything.

At 1,100 random positions of small boards, and 11,000 each week: with all cuts, with one missing, with none.
"""

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

MOST_EMPTY = 9


def put(name: str, number: int) -> Callable[[ExactSearch], None]:
    """What makes this number of the search's memory another one."""

    def do(search: ExactSearch) -> None:
        setattr(search._memory, name, number)

    return do


def take_away(name: str) -> Callable[[ExactSearch], None]:
    """What takes another search away that it asks."""
    return lambda search: setattr(search, name, None)


def without_pairs(search: ExactSearch) -> None:
    search._pairing.size = 0


CUTS = {
    "images of positions": put("few", -1),
    "dead cells": put("never_hurts", 0),
    "potentials": put("potential", 0),
    "pairs": without_pairs,
    "stopping all lines": take_away("blocking"),
    "attacks": take_away("attacking"),
    "columns": take_away("_columns"),
    "mirroring": take_away("_mirroring"),
}
"""What switches off each way to leave positions out."""


@pytest.fixture(autouse=True)
def _attacks_are_looked_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few empty cells need no question that is long enough for one."""
    monkeypatch.setattr(scheduler, "ATTACK_AFTER", 0)


def valuer_without(game: Game, *cuts: str) -> ExactValuer:
    search = ExactSearch(rules_of(game), machine_of("numba"))
    for cut in cuts:
        CUTS[cut](search)
    return ExactValuer(search)


def random_position(spec: str, chance: Random) -> Game:
    """One that goes on, with at most so many empty cells as everything may be tried in."""
    while True:
        game = new_game(spec)
        cells = len(game.cells)
        for _ in range(chance.randrange(max(0, cells - MOST_EMPTY), cells)):
            if game.outcome is None:
                game.play(chance.choice(list(game.legal_moves())))
        if game.outcome is None:
            return game


@pytest.mark.parametrize("spec", BOARDS)
def test_no_cut_changes_a_value(spec: str) -> None:
    """Each search is asked about one position after another, and remembers what it has found."""
    chance, start = Random(spec), new_game(spec)
    assert isinstance(start, KInARow)
    oracle = BigIntOracle(start.rules)
    valuers = {cuts: valuer_without(start, *cuts) for cuts in ((), tuple(CUTS), *((cut,) for cut in CUTS))}
    for number in range(50):
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
"""Where each leaves positions out of a search, at a start, and what other cuts would leave out before it."""


@pytest.mark.parametrize("cut", CUTS)
def test_each_can_be_switched_off(cut: str) -> None:
    """Then another number of positions is searched."""
    spec, others = SHOWN[cut]
    usual, other = valuer_without(new_game(spec), *others), valuer_without(new_game(spec), cut, *others)
    assert usual.value_of(new_game(spec)) == other.value_of(new_game(spec))
    assert usual.search.nodes != other.search.nodes
