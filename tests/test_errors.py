"""Errors: one tree, data for interfaces, text for programmers, and they travel between processes."""

import copy
import inspect
import pickle
from typing import Any

import pytest

from noughts import errors
from noughts.errors import (
    BadInput,
    CommandRefused,
    CoordinateError,
    DamagedStore,
    FileRefused,
    FloatingCell,
    GameOver,
    IllegalMove,
    MoveRefused,
    NameRefused,
    NewerStore,
    NotationError,
    NotFound,
    NoughtsError,
    OccupiedCell,
    OutOfTurn,
    RulesError,
    ShapeError,
    StoreError,
    UnknownMark,
    UnsupportedRules,
)

EXAMPLES: list[tuple[NoughtsError, dict[str, Any]]] = [
    (NoughtsError("anything"), {}),
    (BadInput("anything"), {}),
    (MoveRefused("anything"), {}),
    (ShapeError((0,), "side-too-short", 1), {"shape": (0,), "reason": "side-too-short", "limit": 1}),
    (CoordinateError((9, 9), (3, 3)), {"coordinate": (9, 9), "shape": (3, 3)}),
    (RulesError("k-too-large", k=9, longest=3), {"reason": "k-too-large", "data": {"k": 9, "longest": 3}}),
    (UnknownMark("Q", ["X", "O"]), {"mark": "Q", "allowed": ("X", "O")}),
    (
        NotationError("move", "!", at=1),
        {"what": "move", "text": "!", "reason": "unreadable", "data": {"at": 1}},
    ),
    (NameRefused("", "empty"), {"name": "", "reason": "empty"}),
    (FileRefused("a.sgf", "no such file"), {"name": "a.sgf", "reason": "no such file"}),
    (NotFound("game", "go", ["3d"]), {"what": "game", "name": "go", "known": ("3d",)}),
    (GameOver((0, 0)), {"move": (0, 0)}),
    (OutOfTurn("O", "X"), {"side": "O", "turn": "X"}),
    (IllegalMove((0, 0), [(1, 1)]), {"move": (0, 0), "legal": ((1, 1),)}),
    (OccupiedCell((0, 0), []), {"move": (0, 0), "legal": ()}),
    (FloatingCell((0, 0), []), {"move": (0, 0), "legal": ()}),
    (CommandRefused("resign", "over"), {"command": "resign", "reason": "over"}),
    (
        UnsupportedRules("perfect", "15x15:5", "too-large", ["rule"], most=1),
        {"instead": ("rule",), "data": {"most": 1}},
    ),
    (StoreError("a.db", "locked"), {"where": "a.db", "reason": "locked"}),
    (DamagedStore("a.db", "row 1"), {"where": "a.db", "reason": "row 1"}),
    (NewerStore("a.db", "9"), {"where": "a.db", "reason": "9"}),
]


def test_every_error_has_an_example() -> None:
    classes = {kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)}
    assert {type(error) for error, _ in EXAMPLES} == classes


@pytest.mark.parametrize(("error", "data"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_an_error_carries_its_data_into_another_process(error: NoughtsError, data: dict[str, Any]) -> None:
    for twin in (error, pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is type(error)
        assert str(twin) == str(error) != ""
        assert "\n" not in str(twin)
        assert {name: getattr(twin, name) for name in data} == data
        assert vars(twin) == vars(error)


def test_the_tree_is_the_one_drawn_in_the_docstring() -> None:
    stack: list[str] = []
    for row in (errors.__doc__ or "").splitlines():
        words = row.replace("│", " ").replace("├──", "   ").replace("└──", "   ").split()
        kind = getattr(errors, words[0], None) if words else None
        if kind is None:
            continue
        depth = row.index(words[0]) // 4
        stack[depth:] = [words[0]]
        parent = stack[depth - 1] if depth else "Exception"
        assert kind.__mro__[1].__name__ == parent
    assert all((kind.__name__ in (errors.__doc__ or "")) for kind in {type(error) for error, _ in EXAMPLES})


@pytest.mark.parametrize("kind", [type(error) for error, _ in EXAMPLES])
def test_bad_input_is_a_value_error(kind: type[NoughtsError]) -> None:
    assert issubclass(kind, ValueError) == issubclass(kind, BadInput)


class Silent:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("given", [10**5000, "x" * 10**6, "\ud800\x1b[31m", [[]] * 10**5, Silent()], ids=type)
def test_whatever_was_given_the_text_is_short_and_plain(given: Any) -> None:
    for error in (
        UnknownMark(given, ["X"]),
        NotFound("game", given),
        NotationError("move", given),
        CoordinateError(given, (3, 3)),
        ShapeError(given, "not-integers"),
        IllegalMove(given, []),
        RulesError("k-too-large", k=given),
        NameRefused(given, "control"),
    ):
        assert len(str(error)) < 150
        assert str(error).isascii()
        assert str(error).isprintable()
