"""Code outside ``noughts.games`` does not depend on the kind of game."""

import ast
import importlib
import pkgutil
from functools import cache
from pathlib import Path

import pytest

import noughts
import noughts.games
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE

SOURCE = Path(noughts.__file__).parent
FACE = SOURCE / "__init__.py"
"""The public module, which names classes that users start with."""


def game_classes() -> set[str]:
    """Return the names of all classes of games in the library."""
    result, todo = set(), [Game]
    for module in pkgutil.iter_modules(noughts.games.__path__):
        importlib.import_module(f"noughts.games.{module.name}")
    while todo:
        kinds = [kind for kind in todo.pop().__subclasses__() if kind.__module__.startswith("noughts.")]
        result |= {kind.__name__ for kind in kinds}
        todo += kinds
    return result


@cache
def elsewhere() -> list[tuple[str, ast.AST]]:
    """Yield every node of code outside ``games``, with its location."""
    result: list[tuple[str, ast.AST]] = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = str(path.relative_to(SOURCE))
        if path != FACE and not path.is_relative_to(SOURCE / "games"):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            result += [(f"{name}:{getattr(node, 'lineno', 0)}", node) for node in nodes]
    return result


def names_in(node: ast.AST) -> set[str]:
    """Return the names that *node* itself mentions or imports."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.ImportFrom | ast.Import):
        return {alias.name.rpartition(".")[2] for alias in node.names}
    return {node.attr} if isinstance(node, ast.Attribute) else set()


@pytest.mark.slow
def test_generic_code_names_no_game_class() -> None:
    classes = game_classes()
    assert {"KInARow", "Reversi", "PureGame"} <= classes
    named = [f"{place} {name}" for place, node in elsewhere() for name in names_in(node) & classes]
    assert named == []


@pytest.mark.slow
def test_generic_code_compares_no_game_name() -> None:
    games = {entry.name for entry in CATALOGUE}
    compared = [
        place
        for place, node in elsewhere()
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        for known in ast.walk(side)
        if isinstance(known, ast.Constant) and known.value in games
    ]
    assert compared == []


def test_generic_code_inspects_no_move() -> None:
    requests = [
        place
        for place, node in elsewhere()
        if isinstance(node, ast.Call) and "isinstance" in names_in(node.func)
        if any("Placement" in names_in(known) for known in ast.walk(node))
    ]
    assert requests == []
