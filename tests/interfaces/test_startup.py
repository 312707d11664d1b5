"""What is imported when: the library needs nothing else, and help and counting load no database."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.interfaces.harness import Program

HEAVY = {
    "sqlalchemy",
    "alembic",
    "textual",
    "fastapi",
    "starlette",
    "uvicorn",
    "jinja2",
    "rich",
    "numba",
    "numpy",
}

REPORT = "\nsys.stdout.flush(); print('|'.join(sorted({name.partition('.')[0] for name in sys.modules})))"


def modules_after(code: str, folder: Path) -> set[str]:
    """The outermost packages that are loaded after *code* ran in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys{REPORT}\n{code}{REPORT}"],
        env=Program(folder).variables(),
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    # What a process has loaded before its first line depends on how Python was installed.
    return set(lines[-1].split("|")) - set(lines[0].split("|"))


PLAYED = (
    "from noughts import TicTacToe, play; from noughts.players.base import new_player; play(TicTacToe(), "
)
PLAYED += "new_player('rule'), new_player('random'))"


@pytest.mark.parametrize("code", ["import noughts", PLAYED])
def test_the_library_needs_the_standard_library_alone(code: str, tmp_path: Path) -> None:
    loaded = modules_after(code, tmp_path) - {"noughts"}
    assert sorted(loaded - set(sys.stdlib_module_names)) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["play", "--help"],
        ["perft", "3"],
        ["games"],
        ["--version"],
        ["dance"],
        ["solve", "--help"],
        ["analyse", "3d", "--help"],
    ],
)
def test_commands_load_what_they_need(arguments: list[str], tmp_path: Path) -> None:
    code = (
        "from noughts.interfaces.cli.main import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "sys.stderr = None"
    )
    code = code.replace("try:", "import io; sys.stderr = io.StringIO()\ntry:", 1)
    assert sorted(HEAVY & modules_after(code, tmp_path)) == []
