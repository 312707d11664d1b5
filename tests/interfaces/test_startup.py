"""Imports of commands: a budget of modules, which unlike seconds is the same on every machine."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import noughts.__main__
from tests.interfaces.harness import Program

HEAVY = {
    "asyncio",
    "fastapi",
    "jinja2",
    "numba",
    "numpy",
    "rich",
    "sqlite3",
    "starlette",
    "textual",
    "uvicorn",
}

REPORT = "\nsys.stdout.flush(); print('|'.join(sorted(sys.modules)))"

TYPED = "5\nq\n"
"""The input of a game: a move, and quit."""


def modules_after(code: str, folder: Path) -> set[str]:
    """Return the modules that *code* loads in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", f"import io, sys{REPORT}\n{code}{REPORT}"],
        env=Program(folder).variables(),
        input=TYPED,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    # The modules before the first line depend on the installation of Python.
    return set(lines[-1].split("|")) - set(lines[0].split("|"))


def modules_of(folder: Path, *calls: list[str]) -> set[str]:
    """Return the modules that the program loads with the arguments of each of *calls*."""
    ran = f"for call in {calls!r}:\n    try:\n        main(call)\n    except SystemExit:\n        pass"
    return modules_after(
        f"from noughts.interfaces.cli.main import main\nsys.stderr = io.StringIO()\n{ran}\nsys.stderr = None",
        folder,
    )


def packages(modules: set[str]) -> set[str]:
    """Return the top-level packages of *modules*."""
    return {name.partition(".")[0] for name in modules}


PLAYED = (
    "from noughts import TicTacToe, play; from noughts.players.base import new_player; play(TicTacToe(), "
)
PLAYED += "new_player('rule'), new_player('random'))"


@pytest.mark.parametrize("code", ["import noughts", PLAYED])
def test_library_loads_only_the_standard_library(code: str, tmp_path: Path) -> None:
    loaded = packages(modules_after(code, tmp_path)) - {"noughts"}
    assert sorted(loaded - set(sys.stdlib_module_names)) == []


LIGHT = (
    ["--help"],
    ["play", "--help"],
    ["perft", "3"],
    ["games"],
    ["--version"],
    ["dance"],
    ["solve", "--help"],
    ["analyse", "3d", "--help"],
)


@pytest.mark.slow
def test_commands_load_only_needed_modules(tmp_path: Path) -> None:
    assert sorted(HEAVY & packages(modules_of(tmp_path, *LIGHT))) == []


def test_import_loads_few_modules(tmp_path: Path) -> None:
    loaded = modules_after("import noughts", tmp_path)
    assert "typing" not in loaded
    assert len(loaded) <= 8, sorted(loaded)


FIRST_FRAME = """
import os
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.widgets.base_app import AppServices

def display(screen, frame):
    if frame is not None and not app._batch_count:
        drawn.extend(segment.text for strip in screen._compositor.render_strips() for segment in strip)

def open_store():
    assert any("Tic-tac-toe" in text for text in drawn), "the store is opened before anything is seen"
    print("|".join(sorted(sys.modules)), file=sys.__stdout__, flush=True)
    os._exit(0)

drawn = []
app = NoughtsApp(Translator("en"), AppServices(open_store, None, lambda: 0))
app._display = display
app.run(headless=True, size=(100, 30))
"""
"""The gallery in a window without a terminal, up to the first use of the store."""


@pytest.mark.slow
def test_gallery_appears_before_game_modules_load(tmp_path: Path) -> None:
    loaded = modules_after(FIRST_FRAME, tmp_path)
    assert sorted(packages(loaded) & {"numba", "numpy", "sqlite3"}) == []
    unneeded = (
        "noughts.search.engine",
        "noughts.search.exact",
        "noughts.search.general",
        "noughts.arena.runner",
        "noughts.interfaces.tui.game",
    )
    assert sorted(name for name in loaded if name.startswith(unneeded)) == []


PERSON = ["play", "tictactoe", "--x", "human", "--o", "rule"]
"""A game of a person through a pipe."""

BUDGET = [
    # Arguments, the maximum number of modules, and packages and modules that must not be loaded.
    (["--help"], 95, ["noughts.arena", "noughts.games", "json", "pathlib", "shutil", "socket"]),
    (["scores"], 190, ["noughts.drawing", "noughts.players", "noughts.search"]),
    (PERSON, 236, ["noughts.interfaces.presenting.hints", "noughts.search.engine", "noughts.search.exact"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "most", "unneeded"), BUDGET, ids=lambda value: str(value)[:24])
def test_commands_respect_module_budget(
    arguments: list[str], most: int, unneeded: list[str], tmp_path: Path
) -> None:
    loaded = modules_of(tmp_path, arguments)
    assert sorted(name for name in loaded for no in unneeded if name == no or name.startswith(f"{no}.")) == []
    assert len(loaded) <= most, sorted(loaded)


def test_ctrl_c_during_imports_is_quiet() -> None:
    code = "import os, signal, noughts.__main__; os.kill(os.getpid(), signal.SIGINT); print('still here')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_main_restores_the_handler_of_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands see KeyboardInterrupt. Before and after them Ctrl-C ends the process at once."""
    left, handlers = list[int](), list[object]()

    def run() -> None:
        handlers.append(signal.getsignal(signal.SIGINT))
        raise KeyboardInterrupt

    monkeypatch.setattr("noughts.interfaces.cli.main", run)
    monkeypatch.setattr(os, "_exit", left.append)
    before = signal.getsignal(signal.SIGINT)
    try:
        noughts.__main__._quietly()
        noughts.__main__.main()
        handlers.append(signal.getsignal(signal.SIGINT))
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        noughts.__main__.main()
        handlers.append(signal.getsignal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)
    leave = noughts.__main__._leave
    default = signal.default_int_handler
    assert handlers == [default, leave, signal.SIG_IGN, signal.SIG_IGN]
    assert left == [130, 130]
