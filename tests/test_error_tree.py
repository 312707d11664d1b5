"""The tree of errors matches its docstring, and an error can name any object."""

import inspect
from typing import Any

import pytest

from noughts import errors
from noughts.errors import (
    CoordinateError,
    IllegalMove,
    NameRefused,
    NotationError,
    NotFound,
    NoughtsError,
    RulesError,
    ShapeError,
    UnknownMark,
)


class Silent:
    """An object that cannot be printed."""

    def __repr__(self) -> str:
        raise RuntimeError


def kind(value: object) -> str:
    return type(value).__name__


def test_error_tree_matches_docstring() -> None:
    drawn: dict[str, str] = {}
    stack: list[str] = []
    for row in (errors.__doc__ or "").partition("::\n\n    ")[2].replace("\n    ", "\n").splitlines():
        words = row.replace("│", " ").replace("├──", "   ").replace("└──", "   ").split()
        if words and hasattr(errors, words[0]):
            depth = row.index(words[0]) // 4
            stack[depth:] = [words[0]]
            drawn[words[0]] = stack[depth - 1] if depth else "Exception"
    assert drawn == {
        name: result.__mro__[1].__name__
        for name, result in inspect.getmembers(errors, inspect.isclass)
        if issubclass(result, NoughtsError)
    }


GIVEN = [10**5000, (10**5000, 0), "x" * 10**6, "\ud800\x1b[31m", [[]] * 10**5, Silent(), float("nan")]


@pytest.mark.parametrize("value", GIVEN, ids=kind)
def test_any_value_has_short_error_text(value: Any) -> None:
    for error in (
        UnknownMark(value, ["X"]),
        NotFound("game", value),
        NotationError("move", value),
        CoordinateError(value, (3, 3)),
        ShapeError(value, "not-integers"),
        IllegalMove(value, []),
        RulesError("k-too-large", k=value),
        NameRefused(value, "control"),
    ):
        assert len(str(error)) < 150
        assert str(error).isascii()
        assert str(error).isprintable()
