"""Tests of names and specs: accepted ones, and reasons for refusal."""

from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import KInARow, TicTacToe, new_game
from noughts.errors import BadInput, NotationError, NotFound, RulesError, ShapeError
from noughts.games.catalogue import BY_NAME, CATALOGUE, find_entry, finished, name_of, parse_spec, sample
from noughts.games.entry import Entry, Shelf, in_order


def test_catalogue_has_expected_games() -> None:
    assert list(BY_NAME) == [
        *("gomoku", "tictactoe", "connect4", "reversi", "ultimate", "qubic"),
        *("4x4", "5x5", "gomoku-standard", "renju", "connect6", "3d", "4d", "score4", "torus", "misere"),
        *("wild", "notakto", "vanishing", "three", "squava", "pentago", "order-and-chaos", "fifteen"),
    ]


def test_catalogue_entry_has_unique_shelf_and_rank() -> None:
    assert {entry.shelf for entry in CATALOGUE} == {*get_args(Shelf)}
    assert sum(entry.shelf == "first" for entry in CATALOGUE) == 6
    ranks = [entry.rank for entry in CATALOGUE]
    assert ranks == sorted(set(ranks))
    assert in_order(reversed(CATALOGUE)) == CATALOGUE


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_finished_game_continues_sample(entry: Entry) -> None:
    middle, end = sample(entry.name), finished(entry.name)
    assert not middle.is_over
    assert end.moves[: middle.ply] == middle.moves
    assert end.outcome is not None
    assert bool(end.outcome.lines) == (entry.name not in ("reversi", "fifteen"))


@pytest.mark.parametrize("entry", [entry for entry in CATALOGUE if entry.spec], ids=lambda entry: entry.name)
def test_catalogue_name_stands_for_its_spec(entry: Any) -> None:
    assert new_game(entry.name).name == entry.spec
    assert new_game(entry.spec).name == entry.spec
    assert name_of(new_game(entry.spec)) == entry.name


def test_names_and_options_ignore_case() -> None:
    assert name_of(new_game(" TicTacToe\n")) == "tictactoe"
    assert find_entry("Connect4") is BY_NAME["connect4"]
    assert new_game("ULTIMATE", marks=("O", "X")).sides == ("O", "X")
    assert parse_spec("4x4x4:4,WRAP=XZ") == parse_spec("4x4x4:4,wrap=xz")


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("tictactoe2", "tictactoe"),
        ("Tic-Tac-Toe", "tictactoe"),
        ("gomuku", "gomoku"),
        ("chess", None),
        (5, None),
    ],
)
def test_unknown_name_error_suggests_nearest_names(typed: Any, nearest: str | None) -> None:
    with pytest.raises(NotFound) as refused:
        new_game(typed)
    assert (refused.value.name, refused.value.nearest) == (typed, nearest)


def test_new_game_has_fitting_class() -> None:
    assert type(new_game()) is TicTacToe
    assert type(new_game("3x3:2,wild")) is TicTacToe
    assert type(new_game("connect4")) is KInARow
    assert name_of(new_game("4x3")) == "4x3:3"
    assert name_of(new_game("ultimate")) == "ultimate"


@pytest.mark.parametrize(
    ("spec", "shape", "k"),
    [
        ("7x6:4,gravity", (6, 7), 4),
        ("7x6", (6, 7), 6),
        ("2x3x4", (2, 3, 4), 2),
        ("5", (5,), 5),
        (" 3x3 ", (3, 3), 3),
        ("3X3", (3, 3), 3),
        ("3х3", (3, 3), 3),  # a Cyrillic letter
        ("7×6 : 4, Gravity", (6, 7), 4),
        ("5^3", (5, 5, 5), 5),
        ("3^8:3", (3,) * 8, 3),
        ("2x3^2:2", (2, 3, 3), 2),
        ("003x3:03", (3, 3), 3),
        ("1x1", (1, 1), 1),
        ("1x1x1x1x1x1x1x9:9", (1, 1, 1, 1, 1, 1, 1, 9), 9),
        ("1000x1000:5", (1000, 1000), 5),
    ],
)
def test_spec_is_parsed(spec: str, shape: tuple[int, ...], k: int) -> None:
    rules = parse_spec(spec)
    assert (rules.shape, rules.k) == (shape, k)


@pytest.mark.parametrize(
    "spec",
    [
        *("", "x", "3x", "x3", "3xx3", "3x3:", "3*3", "tictactoe2", "tic tac toe", "3x3;3", "3x3:-1"),
        *("1" * 10**6, "3^" * 10**6, "a" * 10**6),
        *("3^", "^3", "3^0", "3^-1", "3^x", "3^3^3"),
        *("3x3:3.0", "3_3", "٣x٣", "\ud800", "3x" * 300, "3x3\x00"),
        *(None, 5, [], {}, b"3x3"),
    ],
    ids=lambda spec: repr(spec)[:20],
)
def test_unknown_game_is_not_found(spec: Any) -> None:
    for read in (new_game, parse_spec):
        with pytest.raises(NotFound) as refused:
            read(spec)
        assert refused.value.what == "game"
        assert "tictactoe" in refused.value.known
    with pytest.raises(BadInput):
        new_game(spec)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("3x3,", "unknown-option"),
        ("3x3,,wild", "unknown-option"),
        ("3x3,wrap=", "unknown-option"),
        ("3x3,wild=1", "unknown-option"),
        ("3x3,vanish", "unknown-option"),
        ("3x3,vanish=", "unknown-option"),
        ("3x3,vanish=0", "unknown-option"),
        ("3x3,vanish=03", "unknown-option"),
        ("3x3,vanish=-3", "unknown-option"),
        ("3x3,vanish=٣", "unknown-option"),
        ("3x3,players=3x", "unknown-option"),
        ("3x3,marks=3", "unknown-option"),
        ("3x3,k=3", "unknown-option"),
        ("3x3,wild,wild", "option-twice"),
        ("3x3,vanish=3,vanish=4", "option-twice"),
    ],
)
def test_bad_option_is_refused(spec: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        new_game(spec)
    assert refused.value.reason == reason
    assert refused.value.data["option"] in spec
    with pytest.raises(BadInput):
        new_game(spec)


@pytest.mark.parametrize(
    ("spec", "kind", "reason"),
    [
        ("3x3:0", RulesError, "k-too-small"),
        ("3x3:4", RulesError, "k-too-large"),
        ("3x3,vanish=2", RulesError, "vanish-too-soon"),
        ("3x3,vanish=5", RulesError, "vanish-never"),
        ("3x3,vanish=9999999", RulesError, "vanish-never"),
        ("3x3,players=1", RulesError, "players"),
        ("3x3,players=9999999", RulesError, "players"),
        ("3x3,notakto,misere", RulesError, "contradiction"),
        ("0x3", ShapeError, "side-too-short"),
        ("1000x1001", ShapeError, "too-many-cells"),
        ("999999999x999999999", ShapeError, "too-many-cells"),
        ("99999999999x9", ShapeError, "too-many-cells"),
        (f"{'9' * 300}x9", ShapeError, "too-many-cells"),
        ("7x7:99999999999", RulesError, "k-too-large"),
        ("3x3,vanish=99999999999", RulesError, "vanish-never"),
        ("3x3,players=99999999999", RulesError, "players"),
        ("1x1x1x1x1x1x1x1x1", ShapeError, "too-many-dimensions"),
        ("x".join(["9"] * 200), ShapeError, "too-many-dimensions"),
        ("5^9", ShapeError, "too-many-dimensions"),
        (f"5^{'9' * 300}", ShapeError, "too-many-dimensions"),
        ("9^8", ShapeError, "too-many-cells"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_meaningless_game_is_refused_with_reason(spec: str, kind: Any, reason: str) -> None:
    with pytest.raises(kind) as refused:
        new_game(spec)
    assert refused.value.reason == reason
    with pytest.raises(BadInput):
        new_game(spec)


@given(st.text("0123456789xX×^:,=wildgravityexacrpnohksm \n", max_size=30))
@example("3x3:3,players=3,misere")
def test_any_game_text_is_handled(text: str) -> None:
    try:
        rules = parse_spec(text)
    except BadInput:
        return
    assert parse_spec(rules.spec) == rules


def test_marks_give_turn_order() -> None:
    game = new_game("tictactoe", marks=("O", "X"))
    assert (game.turn, game.sides) == ("O", ("O", "X"))
    assert new_game("three", marks=("A", "B", "C")).sides == ("A", "B", "C")
    with pytest.raises(RulesError):
        new_game("three", marks=("A", "B"))
    with pytest.raises(RulesError):
        new_game("tictactoe", marks=("A", "B", "C"))


def test_seed_decides_start_of_puzzle() -> None:
    assert new_game("fifteen", seed=1).cells == new_game("fifteen", seed=1).cells
    assert len({new_game("fifteen", seed=seed).cells for seed in range(20)}) == 20


def test_new_game_is_always_fresh() -> None:
    one, other = new_game("tictactoe"), new_game("tictactoe")
    one.play((1, 1))
    assert (other.ply, other.cells, new_game("3x3:3").ply) == (0, (None,) * 9, 0)


def test_game_may_have_no_move_texts() -> None:
    assert new_game("fifteen").move_texts is None
