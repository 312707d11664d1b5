"""Changes of custom boards, and the reasons for impossible ones."""

import pytest

from noughts import new_game
from noughts.core.geometry import TILINGS
from noughts.errors import RulesError, ShapeError
from noughts.games.catalogue import parse_spec
from noughts.interfaces.presenting.custom_boards import (
    board_options,
    board_parameters,
    count_lines,
    heading_of,
    is_estimated,
    say_refusal,
)
from tests.interfaces.harness import SAY

CELLS = 10_000


def steps(spec: str) -> dict[str, tuple[int, str | None, str | None]]:
    return {
        step.name: (step.value, step.less, step.more) for step in board_parameters(parse_spec(spec), CELLS)
    }


def test_flat_board_has_parameters() -> None:
    assert steps("7x6:4,gravity") == {
        "dimensions": (2, "7:4,gravity", "3x6x7:4,gravity"),
        "width": (7, "6x6:4,gravity", "8x6:4,gravity"),
        "height": (6, "7x5:4,gravity", "7x7:4,gravity"),
        "line": (4, "7x6:3,gravity", "7x6:5,gravity"),
        "players": (2, None, "7x6:4,gravity,players=3"),
        "vanish": (0, None, None),
    }


def test_parameters_stop_at_rule_limits() -> None:
    line = steps("1:1")
    assert line["dimensions"] == (1, None, "1x3:1")
    assert line["width"] == (1, None, "2:1")
    assert line["line"] == (1, None, None)
    five = steps("3x3x3x3x3:3")
    assert five["dimensions"][2] is None
    assert (five["width"][1], five["fifth"][1]) == ("3x3x3x3x2:3", "2x3x3x3x3:3")
    assert steps("100x100:5")["width"][2] is None  # The board would have too many cells.
    assert steps("3x3:3,vanish=3")["vanish"] == (3, "3x3:3", "3x3:3,vanish=4")
    assert steps("9x9:3,players=8")["players"] == (8, "9x9:3,players=7", None)


@pytest.mark.parametrize("spec", ["7x6:4,gravity", "4x4x4:4", "15x15:5,renju", "5:3", "5x5:3,hex"])
def test_every_option_can_be_toggled_back(spec: str) -> None:
    rules = parse_spec(spec)
    for switch in board_options(rules, CELLS):
        assert (switch.spec is None) != (switch.error is None)
        if switch.spec is not None:
            changed = board_options(parse_spec(switch.spec), CELLS)
            (back,) = (other for other in changed if other.name == switch.name)
            assert back.is_on != switch.is_on
            assert back.spec == rules.spec


def test_impossible_option_has_a_reason() -> None:
    switches = {switch.name: switch for switch in board_options(parse_spec("7x6:4,gravity"), CELLS)}
    assert switches["gravity"].spec == "7x6:4"
    assert switches["wrap-x"].spec == "7x6:4,gravity,wrap=x"
    reasons = {
        name: say_refusal(SAY["en"], name, switch.error) for name, switch in switches.items() if switch.error
    }
    assert set(reasons) == {"renju", *TILINGS}
    assert switches["wrap-y"].spec == "7x6:4,gravity,wrap=y"
    assert reasons["hex"] == reasons["renju"] == "cannot be combined with: Marks fall"
    assert say_refusal(SAY["en"], "wrap-x", RulesError("k-too-large", k=9, longest=7)).endswith(".")
    assert say_refusal(SAY["en"], "gravity", RulesError("contradiction", one="renju", two="gravity")) == (
        "cannot be combined with: Forbidden moves"
    )
    (full,) = {type(switch.error) for switch in board_options(parse_spec("7x6:4"), 10)}
    assert full is ShapeError


def test_space_boards_join_all_sides_or_none() -> None:
    for spec, is_on, other in (
        ("3x6x7:4,wrap", True, "3x6x7:4"),
        ("3x6x7:4,wrap=x", False, "3x6x7:4,wrap"),
        ("3x6x7:4", False, "3x6x7:4,wrap"),
    ):
        switches = {switch.name: switch for switch in board_options(parse_spec(spec), CELLS)}
        assert (switches["wrap"].is_on, switches["wrap"].spec) == (is_on, other)


def test_board_counts_and_headings() -> None:
    assert count_lines(parse_spec("7x6:4,gravity,wrap=x")) == 105
    assert count_lines(parse_spec("100x100:5")) is None
    assert heading_of(SAY["en"], parse_spec("7x6:4,gravity")) == "Connect Four"
    assert heading_of(SAY["en"], parse_spec("7x6:5")) == "7×6, 5 in a row"
    answer = {spec: is_estimated(new_game(spec)) for spec in ("3x3:3", "6x6:4", "7x7:5", "3x3:3,players=3")}
    assert answer == {"3x3:3": False, "6x6:4": False, "7x7:5": True, "3x3:3,players=3": True}
