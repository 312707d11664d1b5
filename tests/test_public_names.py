"""The public names of `noughts`, and the cost of its import."""

import inspect
import json
import subprocess
import sys
from functools import partial
from importlib import import_module
from typing import Any

import pytest

import noughts
import noughts.errors
from noughts import Board, NoughtsError
from noughts.errors import NotFound


def in_a_new_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


def modules_loaded(code: str) -> list[str]:
    """Return the modules that *code* loads."""
    program = (
        f"import json, sys; had = set(sys.modules)\n{code}\nprint(json.dumps(sorted(set(sys.modules) - had)))"
    )
    result: list[str] = json.loads(in_a_new_python(program))
    return result


def test_public_names_are_listed() -> None:
    """Adding or removing a public name is a deliberate decision."""
    assert noughts.__all__ == [
        *("Analysis", "Batch", "Board", "Game", "KInARow", "Limit", "Match", "NoughtsError", "Outcome"),
        *("Placement", "Player", "Record", "Rules", "Series", "TicTacToe", "Tree", "analyse", "draw_svg"),
        *("draw_text", "draw_tree", "game_names", "new_game", "new_player", "perft", "play"),
        *("player_names", "search_tree", "solve"),
    ]
    assert set(noughts.__all__) <= set(dir(noughts))
    assert not {"TYPE_CHECKING", "import_module"} & set(dir(noughts))


def test_unknown_public_name_raises() -> None:
    with pytest.raises(AttributeError, match="module 'noughts' has no attribute 'Chess'"):
        noughts.Chess  # noqa: B018
    with pytest.raises(ImportError):
        exec("from noughts import Chess")


def test_public_names_load_lazily() -> None:
    ours = [name for name in modules_loaded("import noughts") if name.startswith("noughts")]
    assert ours == ["noughts"]


@pytest.mark.parametrize(
    "module",
    ["noughts.games.kinarow", "noughts.games.catalogue", "noughts.search.analyst", "noughts.drawing.svg"],
)
def test_print_shows_the_board_after_any_import(module: str) -> None:
    code = f"import {module}\nfrom noughts.games.kinarow import TicTacToe\ngame = TicTacToe()\n"
    shown = in_a_new_python(f"{code}game.play((1, 1)); print(game); print(game._repr_svg_()[:4])")
    game = noughts.TicTacToe()
    game.play((1, 1))
    assert shown == "\n".join([*noughts.draw_text(game), "<svg", ""])


def test_every_public_name_has_a_docstring() -> None:
    for name in noughts.__all__:
        value = getattr(noughts, name)
        assert value.__doc__, name
        assert value.__module__.startswith("noughts."), name


@pytest.mark.slow
def test_import_loads_only_the_standard_library() -> None:
    """Rules and players need no other package."""
    loaded = modules_loaded("from noughts import *")
    foreign = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert foreign == {"noughts"}
    assert not [
        name for name in loaded if name.startswith(("noughts.interfaces", "noughts.arena.store.database"))
    ]


def test_import_has_no_side_effect() -> None:
    """The import prints nothing, asks nothing and starts nothing."""
    assert in_a_new_python("import noughts") == ""
    code = "import threading, noughts; assert threading.active_count() == 1"
    assert in_a_new_python(code) == ""


def test_board_class_has_one_import_path() -> None:
    """There is one import path, so that a board has one class everywhere."""
    code = """
import sys, noughts, noughts.core.board
from noughts.games.kinarow import TicTacToe
board = TicTacToe().board
assert isinstance(board, noughts.Board) and noughts.Board is noughts.core.board.Board
files = [module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None)]
ours = [file for file in files if "noughts" in file]
assert len(ours) == len(set(ours)), ours
"""
    assert in_a_new_python(code) == ""
    assert Board.__module__ == "noughts.core.board"


def test_every_error_is_a_noughts_error() -> None:
    errors = [value for value in vars(noughts.errors).values() if inspect.isclass(value)]
    ours = [error for error in errors if issubclass(error, Exception) and not issubclass(error, Warning)]
    assert all(issubclass(error, NoughtsError) for error in ours)
    assert len(ours) > 15
    for error in ours:
        assert error.__name__ in (noughts.errors.__doc__ or "")
        assert error.__doc__


@pytest.mark.parametrize("wrong", [None, "tictactoe", noughts.TicTacToe])
def test_non_games_raise_clear_type_errors(wrong: Any) -> None:
    two_plies = partial(noughts.perft, depth=2)
    requests: Any = (noughts.solve, noughts.analyse, noughts.draw_text, noughts.draw_svg, noughts.play)
    for ask in (*requests, two_plies, noughts.Record.of, noughts.search_tree):
        with pytest.raises(TypeError, match="no Game; new_game makes one"):
            ask(wrong)


def test_new_player_refuses_none() -> None:
    with pytest.raises(NotFound, match="no player None"):
        noughts.new_player(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    [
        "noughts.search.analyst.Analyst",
        "noughts.search.analysis.Limit",
        "noughts.records.sgf.parse_sgf",
        "noughts.certificates.index.write_index",
        "noughts.arena.tournament.scores.Results",
        "noughts.arena.tournament.sequential.Test",
    ],
)
def test_names_used_by_scripts_exist(name: str) -> None:
    """External scripts import these names, which ``noughts`` itself does not list."""
    module, _, attribute = name.rpartition(".")
    assert hasattr(import_module(module), attribute)
