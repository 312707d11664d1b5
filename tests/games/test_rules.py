"""Tests of rules: their checks, and the specs that describe them."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given

from noughts import KInARow, Rules, TicTacToe, new_game
from noughts.errors import RulesError, ShapeError
from noughts.games.catalogue import parse_spec
from noughts.games.rules import MARKS, NUMBERS, SWITCHES, WITHOUT_MEANING
from tests.strategies import rules


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"k": -1}, "k-too-small"),
        ({"renju": True}, "renju-board"),
        ({"k": 2.0}, "not-a-number"),
        ({"k": "3"}, "not-a-number"),
        ({"k": 4}, "k-too-large"),
        ({"k": 10**5000}, "k-too-large"),
        ({"k": 4, "wrap": True}, "k-too-large"),
        ({"vanish": 2}, "vanish-too-soon"),
        ({"vanish": -1}, "vanish-too-soon"),
        ({"vanish": "3"}, "not-a-number"),
        ({"vanish": 3.0}, "not-a-number"),
        ({"vanish": 5}, "vanish-never"),
        ({"place": 0}, "place-range"),
        ({"place": 9}, "place-range"),
        ({"place": 2, "players": 1}, "players"),
        ({"place": 2, "vanish": 3}, "contradiction"),
        ({"place": "2"}, "not-a-number"),
        ({"avoid": 3}, "avoid-range"),
        ({"avoid": -1}, "avoid-range"),
        ({"avoid": 2, "misere": True}, "contradiction"),
        ({"avoid": True}, "not-a-number"),
        ({"vanish": 3, "players": 3}, "vanish-never"),
        ({"players": 1}, "players"),
        ({"players": -1}, "players"),
        ({"players": 9}, "players"),
        ({"players": 10**9}, "players"),
        ({"players": "2"}, "not-a-number"),
        ({"players": 3, "marks": ("X", "O")}, "players"),
        ({"marks": ("X",)}, "players"),
        ({"marks": "ABCDEFGHI"}, "players"),
        ({"marks": ("X", "X")}, "marks"),
        ({"marks": ("X", "o")}, "marks"),
        ({"marks": ("X", "OO")}, "marks"),
        ({"marks": ("X", "")}, "marks"),
        ({"marks": ("X", "Ж")}, "marks"),
        ({"marks": ("X", " ")}, "marks"),
        ({"marks": ("X", None)}, "marks"),
        ({"marks": ("X", ["O"])}, "marks"),
        ({"marks": 5}, "marks"),
        ({"misere": True, "players": 3}, "contradiction"),
    ],
    ids=lambda value: value if isinstance(value, str) else ",".join(value),
)
def test_meaningless_rules_are_refused_with_reason(facts: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules(shape=(3, 3), **facts)
    assert refused.value.reason == reason
    assert refused.value.data


@pytest.mark.parametrize(("one", "two"), list(combinations((*SWITCHES, *NUMBERS), 2)))
def test_pair_of_options_is_played_or_refused(one: str, two: str) -> None:
    values = {"vanish": 4, "players": 3, "place": 2, "avoid": 3}
    facts: dict[str, Any] = {name: values.get(name, True) for name in (one, two)}
    if two in WITHOUT_MEANING.get(one, ()) or one in WITHOUT_MEANING.get(two, ()):
        with pytest.raises(RulesError) as refused:
            Rules(shape=(5, 6), k=4, **facts)
        assert refused.value.reason == "contradiction"
        assert {refused.value.data["one"], refused.value.data["two"]} == {one, two}
    else:
        game = new_game(Rules(shape=(5, 6), k=4, **facts).spec)
        for _ in range(3):
            game.play(game.legal_moves()[0])
        assert game.ply == 3


def test_renju_needs_a_flat_board() -> None:
    with pytest.raises(RulesError) as refused:
        Rules(shape=(5, 5, 5), renju=True)
    assert refused.value.reason == "renju-board"


@pytest.mark.parametrize(
    ("spec", "wrap", "joined"),
    [
        ("4x5:3", False, (False, False)),
        ("4x5:3,wrap", True, (True, True)),
        ("4x5:3,wrap=x", "x", (False, True)),
        ("4x5:3,wrap=y", "y", (True, False)),
        ("4x5:3,wrap=yx", True, (True, True)),
        ("2x3x4:2,wrap=zx", "xz", (True, False, True)),
        ("2x3x2x3:2,wrap=w", "w", (True, False, False, False)),
        ("9:3,wrap=x", True, (True,)),
    ],
)
def test_wrap_names_joined_axes(spec: str, wrap: bool | str, joined: tuple[bool, ...]) -> None:
    rules = parse_spec(spec)
    assert (rules.wrap, rules.geometry.joined) == (wrap, joined)
    assert parse_spec(rules.spec) == rules
    assert Rules(shape=rules.shape, k=rules.k, wrap=wrap) == rules
    assert rules.facts == ({"wrap"} if wrap else frozenset())


def test_same_axes_give_same_rules() -> None:
    assert parse_spec("4x4:4,wrap=xy") == parse_spec("4x4:4,wrap")
    assert parse_spec("4x4:4,wrap=xy").spec == "4x4:4,wrap"
    assert parse_spec("7x6:4,gravity,wrap=x").spec == "7x6:4,gravity,wrap=x"
    assert parse_spec("7x6:4,gravity,wrap=y").geometry.joined == (True, False)
    assert parse_spec("7x6:4,gravity,wrap=yx").spec == "7x6:4,gravity,wrap"
    assert parse_spec("11x11:5,hex").spec == "11x11:5,hex"


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("4x4:4,wrap=z", "no-such-axis"),
        ("4x4:4,wrap=xx", "no-such-axis"),
        ("4x4:4,wrap=2", "no-such-axis"),
        ("4x5:6,wrap=x", "k-too-large"),
        ("4x4x4:4,hex", "hex-not-flat"),
        ("5:3,hex", "hex-not-flat"),
        ("6x6:4,hex,gravity", "contradiction"),
        ("6x6:4,hex,wrap=x", "contradiction"),
    ],
)
def test_meaningless_axes_are_refused(spec: str, reason: str) -> None:
    with pytest.raises(RulesError) as refused:
        parse_spec(spec)
    assert refused.value.reason == reason


def test_empty_wrap_is_refused() -> None:
    with pytest.raises(RulesError) as refused:
        Rules(shape=(4, 4), wrap="")
    assert refused.value.reason == "no-such-axis"


def test_wrapped_gravity_spec_reads_as_before() -> None:
    """Marks do not fall across the joined edge, but lines cross it. Records of such games exist."""
    assert parse_spec("7x6:4,gravity,wrap").spec == "7x6:4,gravity,wrap"
    assert parse_spec("7x6:4,gravity,wrap=xy") == parse_spec("7x6:4,gravity,wrap")


def test_impossible_rules_shape_is_refused() -> None:
    for shape in ((0, 3), (), None, (1000, 1001)):
        with pytest.raises(ShapeError):
            Rules(shape=shape)  # type: ignore[arg-type]


def test_rules_derive_missing_fields() -> None:
    facts = Rules(shape=[4, 3])  # type: ignore[arg-type]
    assert (facts.shape, facts.k, facts.players, facts.marks) == ((4, 3), 3, 2, ("X", "O"))
    assert Rules(shape=(3, 3), players=8).marks == MARKS
    assert Rules(shape=(3, 3), marks="OX").marks == ("O", "X")  # type: ignore[arg-type]
    assert Rules(shape=(3, 3), marks=("A", "B", "C")).players == 3
    assert Rules(shape=(3, 4), k=12, wrap=True).k == 12


@pytest.mark.slow
@given(rules())
def test_spec_has_everything_but_marks(facts: Rules) -> None:
    again = parse_spec(facts.spec)
    assert again.spec == facts.spec
    assert again == (facts if again.marks == facts.marks else again)
    for name in ("shape", "k", *NUMBERS, *SWITCHES):
        assert getattr(again, name) == getattr(facts, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUp(Rules):
    """Rules with an option that no other code knows."""

    shorter_for_first: bool = False


@pytest.mark.slow
@given(rules())
def test_facts_name_every_unusual_option(given_rules: Rules) -> None:
    words = given_rules.spec.split(",")[1:]
    assert given_rules.facts == {word.partition("=")[0] for word in words}
    assert KInARow(given_rules).facts == given_rules.facts


def test_unknown_option_disables_every_shortcut() -> None:
    usual, made_up = MadeUp(shape=(3, 3)), MadeUp(shape=(3, 3), shorter_for_first=True)
    assert usual.facts == frozenset()
    assert usual.soonest_end == 5
    assert made_up.facts == {"shorter_for_first"}
    assert made_up.soonest_end == 0
    assert not made_up.extra_mark_never_hurts
    assert made_up.spec == "3x3:3,shorter_for_first"


def test_subclass_is_a_fact_without_same_rules() -> None:
    class Own(TicTacToe):
        pass

    class Same(Own, same_rules=True):
        pass

    assert TicTacToe().facts == frozenset()
    assert Own().facts == Same().facts == {"Own"}


def test_rules_derive_facts_from_options() -> None:
    plain = Rules(shape=(3, 3))
    assert plain.extra_mark_never_hurts
    assert Rules(shape=(3, 3), wrap=True).extra_mark_never_hurts
    assert not plain.line_loses
    assert plain.board_marks == ("X", "O")
    for name in ("gravity", "misere", "exact", "wild", "notakto"):
        assert not Rules(shape=(3, 3), **{name: True}).extra_mark_never_hurts  # type: ignore[arg-type]
    assert not Rules(shape=(3, 3), vanish=3).extra_mark_never_hurts
    assert not Rules(shape=(3, 3), players=3).extra_mark_never_hurts
    assert Rules(shape=(3, 3), notakto=True).board_marks == ("X",)
    assert Rules(shape=(3, 3), notakto=True).line_loses
    assert Rules(shape=(3, 3), misere=True).line_loses
    assert [new_game(spec).turn for spec in ("three", "wild")] == ["X", "X"]
    assert [Rules(shape=(3, 3), players=3).side_at(ply) for ply in range(4)] == [0, 1, 2, 0]
    assert [Rules(shape=(3, 3), place=3).side_at(ply) for ply in range(8)] == [0, 1, 1, 1, 0, 0, 0, 1]
    assert len({plain, Rules(shape=(3, 3), k=3), Rules(shape=(3, 3), players=2)}) == 1


@pytest.mark.parametrize(
    ("spec", "ply"),
    [
        ("3x3", 5),
        ("three", 10),
        ("wild", 3),
        ("notakto", 3),
        ("vanishing", 5),
        ("15x15:5,renju", 9),
        ("6x6:4,hex", 7),
        ("5x5:3,misere", 5),
        ("5:3", 5),
        ("3:3", 3),
        ("1x1", 1),
        ("5x5:4,avoid=3", 5),
        ("6x6:4,place=2", 0),
    ],
)
def test_no_game_ends_before_soonest_end(spec: str, ply: int) -> None:
    rules = new_game(spec).rules
    assert rules is not None
    assert rules.soonest_end == ply


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"k": True}, "not-a-number"),
        ({"k": 3.0}, "not-a-number"),
        ({"vanish": 3.0}, "not-a-number"),
        ({"players": True}, "not-a-number"),
        ({"gravity": "no"}, "not-a-switch"),
        ({"misere": 1}, "not-a-switch"),
    ],
)
def test_options_are_numbers_and_switches(facts: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(shape=(3, 3), **facts)
    assert (caught.value.reason, caught.value.data) == (reason, {"option": next(iter(facts))})


@pytest.mark.parametrize("kind", [KInARow, TicTacToe])
@pytest.mark.parametrize("facts", [{"k": 2}, {"shape": (4, 4)}])
def test_rules_are_passed_whole_or_by_field(kind: Any, facts: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        kind(Rules(shape=(3, 3)), **facts)
