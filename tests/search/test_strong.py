"""Strong solutions, compared with the oracle."""

import pytest

from noughts import KInARow, Rules, new_game
from noughts.errors import UnsupportedRules
from noughts.search.exact.strong import StrongSolution
from tests.search.machines import MACHINES, machine_of
from tests.search.oracle import positions_of


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    "name", ["tictactoe", "misere", "notakto", "wild", "3x3:3,gravity", "3x3:3,exact", "4x2:3,wrap"]
)
def test_strong_solution_matches_the_oracle(name: str, machine: str) -> None:
    game = new_game(name)
    assert isinstance(game, KInARow)
    solution = StrongSolution(game.rules, machine_of(machine))
    positions = positions_of(name)
    assert solution.count == len(positions)
    for position in positions.values():
        value, plies = position.worth
        assert solution.worth(position.game) == (value, plies if value else 0)


def test_unreachable_positions_are_refused() -> None:
    solution = StrongSolution(Rules(shape=(3, 3)))
    with pytest.raises(KeyError):
        solution.worth(new_game("tictactoe", marks=("O", "X")))


@pytest.mark.parametrize("name", ["4x4", "three", "vanishing"])
def test_strong_solution_declines_other_games(name: str) -> None:
    game = new_game(name if name != "three" else "3x3:3,players=3")
    assert isinstance(game, KInARow)
    with pytest.raises(UnsupportedRules):
        StrongSolution(game.rules)
