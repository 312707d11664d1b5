"""Tests of the example notebooks: all cells run, and their results have a display."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from noughts import TicTacToe, analyse, new_game
from noughts.search.analysis import UNKNOWN, Analysis, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.explain.review import review
from tests.drawing.test_svg import parsed

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def run(code: str, space: dict[str, Any]) -> Any:
    """Run a cell, and return the value of its last expression."""
    *rest, last = ast.parse(code).body
    exec(compile(ast.Module(rest, []), "cell", "exec"), space)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    exec(compile(ast.Module([last], []), "cell", "exec"), space)
    return None


def shows_itself(value: Any) -> bool:
    """Return True if a notebook displays more of *value* than its text."""
    if hasattr(value, "_repr_mimebundle_"):
        return value._repr_mimebundle_() is not None
    ways = [getattr(value, name) for name in ("_repr_svg_", "_repr_html_") if hasattr(value, name)]
    return any(way() is not None for way in ways)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_cells_show_their_results(path: Path) -> None:
    book, space = json.loads(path.read_text(encoding="utf-8")), dict[str, Any]()
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] for cell in cells)
    values = [run("".join(cell["source"]), space) for cell in cells]
    assert None not in values
    assert all(shows_itself(value) for value in values if not isinstance(value, list))
    lists = {"play": [], "search": [[16, 12]], "review": [space.get("report") and values[-1]]}
    assert [value for value in values if isinstance(value, list)] == lists[path.stem]


def test_three_notebooks_exist() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["play", "review", "search"]


def test_analysis_has_html() -> None:
    game = TicTacToe()
    for move in [(0, 0), (0, 1)]:
        game.play(move)
    html = analyse(game)._repr_html_()
    rows = html.split("<tr>")
    assert len(rows) == 1 + 1 + 7
    assert rows[1] == "<td>move</td><td>value</td><td>plies</td></tr>"
    assert rows[-1].startswith("<td>(2, 2)</td><td>0</td><td></td>")
    assert [row.count("<td>1</td><td>5</td>") for row in rows[2:]] == [1, 1, 1, 0, 0, 0, 0]
    short = Analysis(1, 1, ("<",), 3, pv=(("<",),))
    assert "<td>(('&lt;',),)</td><td>1</td><td>1</td>" in short._repr_html_()
    assert "<td></td><td>?</td><td></td>" in UNKNOWN._repr_html_()
    known = Analysis(0, None, (1,), 3, moves=(MoveValue((0,), 0), MoveValue((1,), 0), MoveValue((2,), -1, 2)))
    assert [one.move for one in known.ranked] == [(1,), (0,), (2,)]


def test_review_has_html() -> None:
    game = new_game()
    for move in [(0, 0), (0, 1), (1, 1), (2, 2), (0, 2), (2, 0)]:
        game.play(move)
    svg = review(game, Analyst().analyse)._repr_svg_()
    root = parsed(svg)
    assert (root[0].text, root[1].text) == ("1 / 0 / -1", "0 0 1 1 1 0 0")
    assert svg.count("<circle") == 2
