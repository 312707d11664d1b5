"""Pairs of cells that stop all lines: they do not change the answers of the exact search."""

from random import Random

import pytest

from noughts import new_game
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT
from tests.search.machines import MACHINES, machine_of, rules_of
from tests.search.test_maker_breaker import random_position

pytestmark = pytest.mark.slow

BOARDS = ("4x4:3", "4x4:4", "5x4:4", "4x4:4,exact", "4x4:4,wrap", "4x4:3,hex", "3x3x3:3")


@pytest.mark.parametrize("spec", BOARDS)
def test_pairs_do_not_change_answers(spec: str) -> None:
    """One search answers questions in sequence, also with few empty cells."""
    chance, game = Random(7), new_game(spec)
    rules = rules_of(game)
    paired, plain = ExactSearch(rules, machine_of("python")), ExactSearch(rules, machine_of("python"))
    plain._pairing.size = 0
    asked = 0
    while asked < 30:
        position = random_position(game, chance)
        if len(game.cells) - position.ply <= 14:
            for attacker, left in ((0, NO_LIMIT), (1, NO_LIMIT), (chance.randrange(2), 3)):
                for search in (paired, plain):
                    search.set_up(position)
                assert paired.wins(attacker, left) == plain.wins(attacker, left), position.moves
                asked += 1
    assert paired.nodes <= plain.nodes


@pytest.mark.parametrize("machine", MACHINES)
def test_pairs_save_nodes(machine: str) -> None:
    """The nodes are the same on each machine, and far fewer than without pairs."""
    game = new_game("5x4:4")
    search, plain = (ExactSearch(rules_of(game), machine_of(machine)) for _ in range(2))
    plain._pairing.size = 0
    for one in (search, plain):
        one.set_up(game)
        assert not one.wins(0, NO_LIMIT)
    assert (search.nodes, plain.nodes) == (395, 2394)
