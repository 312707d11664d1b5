"""Tests of the order of levels and ``rule`` by their measured strength."""

import pytest

from noughts import new_game
from noughts.games.catalogue import all_entries
from noughts.players.base import player_names
from noughts.players.strengths import in_order_of_strength, strengths

NAMES = tuple(player_names())


@pytest.mark.parametrize("game", [entry.name for entry in all_entries()])
def test_next_step_up_is_never_weaker(game: str) -> None:
    order = in_order_of_strength(new_game(game), NAMES)
    assert sorted(order) == sorted(NAMES)
    levels = [name for name in order if name.startswith("level:")]
    assert levels == [f"level:{number}" for number in range(1, 11)]
    place = order.index("rule")
    assert place <= len(levels)  # before all players of other kinds
    measured = strengths(game)
    assert all(measured[name].elo >= 0 for name in order[place:11] if name in measured)
    assert place == 0 or order[place - 1] not in measured or measured[order[place - 1]].elo < 0


@pytest.mark.parametrize(
    ("game", "before"),
    [
        ("connect4", "level:8"),
        ("6x7:4,gravity", "level:8"),
        ("gomoku", "level:3"),
        ("19x19:5", "level:3"),
        ("qubic", "level:5"),
        ("5x5x5:4", "level:5"),
        ("vanishing", "level:5"),
        ("three", "level:3"),
    ],
)
def test_rule_is_ranked_among_levels(game: str, before: str) -> None:
    """Games that were not measured have the order of a similar game."""
    order = in_order_of_strength(new_game(game), NAMES)
    assert order[order.index("rule") + 1] == before


def test_order_of_names_without_levels_or_rule() -> None:
    game = new_game("connect4")
    assert in_order_of_strength(game, ("random", "rule", "bot:x")) == ["rule", "random", "bot:x"]
    assert in_order_of_strength(game, ("perfect", "level:10", "level:2")) == [
        "level:2",
        "level:10",
        "perfect",
    ]
    assert in_order_of_strength(new_game("reversi"), ("level:10", "rule")) == ["rule", "level:10"]
