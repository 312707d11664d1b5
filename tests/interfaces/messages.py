"""The messages that the source code uses, found in its syntax trees."""

import ast
import re
from functools import cache
from pathlib import Path

import noughts
from noughts.interfaces.presenting.analysis_texts import OPTIONAL_DATA
from noughts.interfaces.presenting.i18n import _SENTENCES
from tests.search.reason_keys import KEYS

SOURCE = Path(noughts.__file__).parent
ASKS = {"say", "write_message", "plural", "has", "Message", "self", "gettext"}
"""The names of calls whose first argument is the id of a message."""

HOLE = "{}"
"""The placeholder for a part of an id that is known only at run time."""

UNKNOWN = "?"
"""The id of a message that is not written at its call, as in the code of the translator itself."""


@cache
def text_of(path: Path) -> str:
    """Return the source of a module."""
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(text_of(path))


@cache
def trees(folder: str = "", word: str = "") -> tuple[tuple[Path, ast.Module], ...]:
    """Yield the modules of a folder of the source that contain *word*."""
    result = sorted((SOURCE / folder).rglob("*.py"))
    return tuple((path, tree_of(path)) for path in result if word in text_of(path))


def name_of(node: ast.expr) -> str:
    """Return the last part of the name of a called function."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def texts(node: ast.expr, scope: ast.AST) -> set[str]:
    """Return the possible texts of an expression, with holes for unknown parts; *scope* has the names."""
    match node:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.JoinedStr():
            parts = [part.value if isinstance(part, ast.Constant) else HOLE for part in node.values]
            return {"".join(map(str, parts))}
        case ast.IfExp():
            return texts(node.body, scope) | texts(node.orelse, scope)
        case ast.BinOp(op=ast.Add()):
            return {one + two for one in texts(node.left, scope) for two in texts(node.right, scope)}
        case ast.BoolOp():
            return set().union(*(texts(value, scope) for value in node.values))
        case ast.Name(id=name):
            values = _assigned(scope).get(name)
            return set().union(*(texts(value, scope) for value in values)) if values else {UNKNOWN}
    return {UNKNOWN}


@cache
def _assigned(scope: ast.AST) -> dict[str, list[ast.expr]]:
    """Return the expressions that are assigned to each name in *scope*."""
    result: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs += zip(target.elts, node.value.elts, strict=False)
                else:
                    pairs.append((target, node.value))
        elif isinstance(node, ast.NamedExpr):
            pairs.append((node.target, node.value))
        for one, value in pairs:
            if isinstance(one, ast.Name):
                result.setdefault(one.id, []).append(value)
    return result


@cache
def calls(tree: ast.Module) -> tuple[tuple[ast.Call, ast.AST], ...]:
    """Yield every call of a module with the innermost function around it."""
    result: list[tuple[ast.Call, ast.AST]] = []
    waiting: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while waiting:
        node, scope = waiting.pop()
        if isinstance(node, ast.Call):
            result.append((node, scope))
        inner = node if isinstance(node, ast.FunctionDef) else scope
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]
    return tuple(result)


def asked() -> set[str]:
    """Return the ids, with holes, that interfaces and games use."""
    result: set[str] = set()
    for folder in ("interfaces", "games"):
        for _, tree in trees(folder):
            for call, scope in calls(tree):
                if name_of(call.func) in ASKS and call.args:
                    result |= texts(call.args[0], scope)
            for node in ast.walk(tree):  # The id is passed beside its data.
                if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[1], ast.Dict):
                    result |= texts(node.elts[0], tree)
    result |= {re.sub(r"\{\w+\}", HOLE, id_) for id_ in _SENTENCES.values()}
    return result - {UNKNOWN}


def literals() -> set[str]:
    """Return every text literal in interfaces and games."""
    result = set()
    for folder in ("interfaces", "games"):
        for _, tree in trees(folder):
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    result.add(node.value)
    return result


def arguments(callee: str, *places: int) -> set[tuple[str, ...]]:
    """Return the arguments at *places* in the calls of *callee* in the whole source."""
    result: set[tuple[str, ...]] = set()
    for _, tree in trees(word=callee):
        for call, scope in calls(tree):
            if name_of(call.func) != callee:
                continue
            choices = [
                texts(call.args[place], scope) if place < len(call.args) else {UNKNOWN} for place in places
            ]
            rows: list[tuple[str, ...]] = [()]
            for choice in choices:
                rows = [(*row, text) for row in rows for text in choice]
            result.update(rows)
    return result


def reasons(callee: str, place: int) -> set[str]:
    """Return the reasons with which an error is raised."""
    return {text for (text,) in arguments(callee, place)} - {UNKNOWN}


def listed(name: str, folder: str) -> set[str]:
    """Return the texts of the lists that are assigned to *name* anywhere in *folder*."""
    result = set()
    for _, tree in trees(folder, name):
        for value in _assigned(tree).get(name, ()):
            if isinstance(value, ast.List):
                for node in ast.walk(value):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        result.add(node.value)
    return result


REASONS = (frozenset(KEYS) - {"only-move"}).union(f"{code}-bare" for code in OPTIONAL_DATA)
REASONS |= {"only-move-win", "only-move-draw", "development-first"}
"""The endings of ids that start with ``reason-``."""
