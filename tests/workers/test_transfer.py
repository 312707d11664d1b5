"""Values and calls as text: all questions and answers round-trip, and no other values are made."""

import json
import sys
from array import array
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import TicTacToe, new_game
from noughts.arena import commands
from noughts.errors import BadInput, NotationError, NotFound, NoughtsError, OccupiedCell, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import name_of
from noughts.games.entries import CATALOGUE
from noughts.games.kinarow import KInARow
from noughts.games.moves import PASS, Placement, is_pass
from noughts.games.notation import parse_position
from noughts.puzzles.attempt import Attempt, JudgedMove, MoveVerdict
from noughts.puzzles.puzzle import Puzzle
from noughts.search.analysis import Analysis, MoveValue, Progress, SearchQuestion
from noughts.workers.messages import TaskFailure, TaskResult
from noughts.workers.transfer import NotPackableError, call_packed, pack, pack_call, unpack

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()


def passed(value: Any) -> Any:
    """Return *value* after a round trip."""
    text = pack(value)
    assert text.isascii()
    assert "\n" not in text
    return unpack(text)


@pytest.mark.slow
@given(
    st.recursive(
        PLAIN,
        lambda inner: (
            st.lists(inner)
            | st.lists(inner).map(tuple)
            | st.dictionaries(st.text() | st.tuples(st.integers(), st.integers()), inner)
        ),
    )
)
def test_plain_values_round_trip(value: object) -> None:
    again = passed(value)
    assert again == value
    assert type(again) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        {(2, 3)},
        frozenset("a"),
        array("q", [1, -(1 << 60)]),
        Placement((0, 1), "O"),
        MoveVerdict.SOLVED,
        commands.MakeMove((1, 1), is_unproved=True),
        commands.MakeMove(Placement((0, 1), "O")),
        Progress(
            "searching",
            5,
            2,
            (1, 1),
            ((1, 1), (0, 0)),
            -3,
            question=SearchQuestion("wins", 1, numbers=(2, 3)),
        ),
        Analysis(1, 5, (0, 0), 7, ((0, 0),), (MoveValue((0, 0), 1, 5), MoveValue((0, 1)))),
        TaskResult([TaskFailure("failed", "\x1b \ud800 \u2028"), JudgedMove(MoveVerdict.WRONG, ((0, 0),))]),
    ],
    ids=str,
)
def test_values_of_each_kind_round_trip(value: object) -> None:
    again = passed(value)
    assert again == value
    assert type(again) is type(value)


def test_numpy_numbers_become_integers() -> None:
    again = passed((numpy.int64(7), numpy.int32(-1)))
    assert again == (7, -1)
    assert {type(number) for number in again} == {int}


def test_pass_round_trips() -> None:
    assert is_pass(passed(PASS))


def test_mappings_become_dicts() -> None:
    assert passed(MappingProxyType({"a": (1,)})) == {"a": (1,)}


@pytest.mark.parametrize("spec", [*(entry.name for entry in CATALOGUE), "8x8x8:8", "10x10:5,wrap"])
def test_games_round_trip(spec: str) -> None:
    game = new_game(spec)
    for _ in range(9):
        if not game.is_over:
            game.play(game.legal_moves()[len(game.legal_moves()) // 3])
    assert_same(passed(game), game)
    assert_same(passed(new_game(spec)), new_game(spec))


def assert_same(result: Game, game: Game) -> None:
    assert type(result) is type(game)
    assert result is not game
    for fact in ("name", "sides", "start", "moves", "outcome", "cells", "turn", "extra", "facts"):
        assert getattr(result, fact) == getattr(game, fact), fact
    assert result.key() == game.key()


def test_positions_and_marks_of_games_round_trip() -> None:
    game = parse_position(
        new_game("reversi"), "8/8/8/3OX3/3XO3/8/8/8 O".replace("8", "........").replace("3", "...")
    )
    game.play(game.legal_moves()[0])
    assert_same(passed(game), game)
    marked = new_game("connect4", marks=("A", "B"))
    marked.play((5, 3))
    assert_same(passed(marked), marked)


def test_unreachable_position_is_refused() -> None:
    turned = TicTacToe().with_turn("O")
    with pytest.raises(NotationError, match="position"):
        passed(turned)


def test_unnamed_game_is_refused() -> None:
    class Other(KInARow):
        @property
        def facts(self) -> frozenset[str]:
            return frozenset(("of its own",))

    with pytest.raises(NotationError, match="another game"):
        pack(Other(shape=(3, 3)))


def test_puzzle_attempt_round_trips() -> None:
    attempt = Attempt(Puzzle(1, "tictactoe", "X.O/.../O.X X", "win", 1, "5"))
    attempt.try_move((0, 1))
    again = passed(attempt)
    assert (again.puzzle, again.solver, again.refuted, again.line) == (
        attempt.puzzle,
        "X",
        {(0, 1)},
        attempt.line,
    )
    assert again.try_move((1, 1)) == JudgedMove(MoveVerdict.SOLVED)
    assert not attempt.is_solved


@pytest.mark.parametrize(
    "error",
    [
        OccupiedCell((0, 1), ((0, 0), (2, 2))),
        NotFound("player", "nobody", ("rule", "random")),
        UnsupportedRules("perfect", "4x4:4", "too-large", cells=9),
        NotationError("move", "x", cause=ValueError("no"), at=(1, 2)),
    ],
    ids=str,
)
def test_errors_round_trip_with_their_data(error: NoughtsError) -> None:
    again = passed(error)
    assert type(again) is type(error)
    assert (str(again), again.args) == (str(error), error.args)
    facts = dict(vars(error))
    if "cause" in facts.get("data", {}):
        facts["data"] = {**facts["data"], "cause": "no"}  # an attribute of another kind becomes text
    assert vars(again) == facts


@dataclass(frozen=True)
class Checked:
    number: int

    def __post_init__(self) -> None:
        made.append(self.number)


made: list[int] = []


class Strange(tuple[int, ...]):
    def __new__(cls, *numbers: int) -> "Strange":
        made.append(len(numbers))
        return super().__new__(cls, numbers)


class StrangeError(BadInput):
    def __init__(self, number: int) -> None:
        made.append(number)
        super().__init__(number)


def test_unpack_calls_no_code_of_values() -> None:
    texts = [pack(value) for value in (Checked(5), Strange(1, 2), StrangeError(3))]
    made.clear()
    number, numbers, error = map(unpack, texts)
    assert (number.number, numbers, error.args) == (5, (1, 2), (3,))
    assert not made


@pytest.mark.parametrize("value", [lambda: None, object(), print, int, json, (1, {2: object()}), 1j])
def test_other_values_cannot_be_packed(value: object) -> None:
    with pytest.raises(NotPackableError):
        pack(value)


@pytest.mark.parametrize(
    "kind",
    [
        "builtins:eval",
        "os:system",
        "builtins:object",
        "builtins:str",
        "io:StringIO",
        "noughts.games.base:Game",
        "noughts.games.base:new_game",
        "noughts.games.base:nothing",
        "noughts.nowhere:Analysis",
        "noughts.games.base",
        "",
    ],
)
def test_unpack_makes_only_data(kind: str) -> None:
    with pytest.raises(NotPackableError):
        unpack(json.dumps({kind: []}))


def test_unpack_imports_nothing() -> None:
    assert "this" not in sys.modules
    with pytest.raises(NotPackableError):
        unpack('{"this:s":[]}')
    assert "this" not in sys.modules


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"list":5}',
        '{"a":1,"b":2}',
        '{"noughts.search.analysis:MoveValue":[1]}',
        '{"noughts.puzzles.attempt:MoveVerdict":"unheard of"}',
        '{"bytes":7}',
        '{"array":["?","AA=="]}',
        '{"game":["nowhere",["X","O"],null,[]]}',
        '{"game":["tictactoe",["X","O"],null,["1","1"]]}',
        "[" * 10_000,
    ],
)
def test_unpack_refuses_other_texts(text: str) -> None:
    with pytest.raises((ValueError, TypeError, LookupError, RecursionError)):
        unpack(text)


def test_call_packed_adds_arguments_before() -> None:
    assert call_packed(pack_call(int, "11", base=2)) == 3
    assert call_packed(pack_call(divmod, 2), 7) == (3, 1)
    assert call_packed(pack_call(name_of, TicTacToe())) == "tictactoe"


def test_pack_call_refuses_other_functions() -> None:
    def inner() -> None:
        raise AssertionError

    for function in (inner, lambda: None):
        with pytest.raises(NotPackableError):
            pack_call(function)
    unnamed = lambda: None  # noqa: E731
    unnamed.__module__ = "nowhere"
    with pytest.raises(NotPackableError):
        pack_call(unnamed)


COMMANDS = [
    kind for kind in vars(commands).values() if isinstance(kind, type) and issubclass(kind, commands.Command)
]


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_commands_round_trip(kind: Any) -> None:
    values: dict[str, Any] = {
        "move": (0, 0),
        "reason": "raised",
        "winner": None,
        "mark": "X",
        "package": "hop",
    }
    values |= {"length": 1_000, "phrase": "hello", "lines": (("5", "1"), ("5",))}
    command = kind(**{field.name: values[field.name] for field in fields(kind) if field.name in values})
    assert passed(command) == command
