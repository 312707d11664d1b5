"""The positions with known answers, checked by counting fives in the simplest way there is."""

from collections import Counter

import pytest

from noughts.core.board import coordinate_of
from noughts.games.base import Move
from noughts.search.analysis import Limit
from noughts.search.engine import Engine
from noughts.search.tactics import KINDS, Tactic, tactics
from tests.search.machines import MACHINES, machine_of

SIDE = 15
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
FIVES = [
    [(row + at * down) * SIDE + column + at * right for at in range(5)]
    for row in range(SIDE)
    for column in range(SIDE)
    for down, right in STEPS
    if 0 <= row + 4 * down < SIDE and 0 <= column + 4 * right < SIDE
]

Cells = list[str | None]


def lacking(cells: Cells, mark: str, count: int) -> set[int]:
    """The empty cells of the fives that hold only *mark* and lack *count* of it."""
    found: set[int] = set()
    for five in FIVES:
        marks = [cells[cell] for cell in five]
        if marks.count(mark) == 5 - count and marks.count(None) == count:
            found.update(cell for cell in five if cells[cell] is None)
    return found


def doubles(cells: Cells, mark: str) -> set[int]:
    """Where *mark* would make two fives at once possible."""
    found = set()
    for cell in lacking(cells, mark, 2):
        cells[cell] = mark
        if len(lacking(cells, mark, 1)) > 1:
            found.add(cell)
        cells[cell] = None
    return found


def right_moves(cells: Cells, mine: str, theirs: str, kind: str) -> set[int]:
    wins, losses = lacking(cells, mine, 1), lacking(cells, theirs, 1)
    if kind == "win":
        return wins
    assert not wins
    if kind == "block":
        assert len(losses) == 1
        return losses
    assert not losses
    if kind == "double-threat":
        return doubles(cells, mine)
    assert not lacking(cells, mine, 2)
    assert doubles(cells, theirs)
    good = set()
    for cell in [cell for cell, mark in enumerate(cells) if mark is None]:
        cells[cell] = mine
        if not doubles(cells, theirs):
            good.add(cell)
        cells[cell] = None
    return good


def test_there_are_as_many_of_each_kind() -> None:
    assert Counter(tactic.kind for tactic in tactics()) == dict.fromkeys(KINDS, 8)
    assert len({tactic.position for tactic in tactics()}) == 32


@pytest.mark.parametrize("tactic", tactics(), ids=lambda tactic: tactic.kind)
def test_the_right_moves_are_right(tactic: Tactic) -> None:
    game = tactic.game
    (theirs,) = set(game.sides) - {game.turn}
    right = right_moves(list(game.cells), game.turn, theirs, tactic.kind)
    assert {coordinate_of(game.shape, cell) for cell in right} == tactic.moves
    assert 0 < len(right) <= 5


def best(tactic: Tactic, machine: str, nodes: int) -> Move | None:
    return Engine(machine=machine_of(machine)).search(tactic.game, Limit(nodes=nodes)).best


@pytest.mark.many_cases
@pytest.mark.parametrize("machine", MACHINES)
def test_the_engine_finds_all_of_them(machine: str) -> None:
    missed = [tactic for tactic in tactics() if best(tactic, machine, 300) not in tactic.moves]
    assert not missed


def test_one_node_is_enough_to_win_and_to_stop_a_win() -> None:
    for tactic in tactics():
        if tactic.kind in ("win", "block"):
            assert best(tactic, "python", 1) in tactic.moves
