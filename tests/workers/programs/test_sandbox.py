"""The sandbox: what is seen inside, and that nothing else is; where there can be none, why."""

import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from noughts.workers.programs.program import Program, Start
from noughts.workers.programs.sandbox import Sandbox, find_sandbox, is_too_much

PATIENCE = 60.0

LOOK = """
import os, socket
print(sorted(os.environ), os.getuid(), os.getcwd())
def refused(act):
    try:
        act()
    except OSError:
        return True
print(refused(lambda: socket.create_connection(("127.0.0.1", 9), 1)))
places = ("/", "/usr", "/dev", "/dev/shm", BOT)
print([place for place in places if not refused(lambda: open(place + "/x", "w"))])
print(refused(lambda: os.listdir(SECRET)), len([name for name in os.listdir("/proc") if name.isdigit()]))
open("mine", "w").write("x")
"""


@pytest.fixture(autouse=True)
def forget() -> None:
    find_sandbox.cache_clear()


def test_what_is_seen_inside(tmp_path: Path) -> None:
    """Where the system bars sandboxes, what is tested is that it says so."""
    found = find_sandbox()
    if isinstance(found, str):
        assert found
        return
    bot, secret = tmp_path / "bot" / "look.py", tmp_path / "secret"
    bot.parent.mkdir()
    secret.mkdir()
    bot.write_text(f"BOT, SECRET = {str(bot.parent)!r}, {str(secret)!r}\n{LOOK}")
    program = Program(Start((sys.executable, str(bot)), sandbox=found, environ={"LC_CTYPE": "C.UTF-8"}))
    told = []
    while (line := program.receive(monotonic() + PATIENCE)) is not None:
        told.append(line)
    assert program.fault is not None  # it has ended
    assert told[0].startswith("['LC_CTYPE', 'NOUGHTS_PROGRAM', 'PATH', 'PWD'] 65534 /tmp")
    assert told[1:] == ["True", "[]", "True 2"], program.fault.detail
    program.end()


def called(monkeypatch: pytest.MonkeyPatch, *answers: Any) -> list[list[str]]:
    """How bubblewrap is called, when it gives these *answers*: a status and what it says, or an error."""
    calls: list[list[str]] = []
    left = list(answers)

    def run(arguments: list[str], **_: Any) -> "subprocess.CompletedProcess[bytes]":
        calls.append(arguments)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return subprocess.CompletedProcess(arguments, answer[0], stderr=answer[1])

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", run)
    return calls


BARRED = (1, b"bwrap: Creating new namespace failed: \x1b[1mOperation not permitted\nmore\n")


def test_where_there_can_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = called(monkeypatch, BARRED, (1, b""), OSError("no memory"), OSError("none"), BARRED, (0, b""))
    assert find_sandbox("a") == r"bwrap: Creating new namespace failed: \x1b[1mOperation not permitted"
    assert find_sandbox("b") == "no memory"
    assert find_sandbox("c") == Sandbox("/usr/bin/c", proc=False)
    assert ["--proc" in call for call in calls] == [True, False] * 3
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 3, stderr=b""))
    assert find_sandbox("d") == "exit status 3"
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert find_sandbox("e") == "e: not found"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert find_sandbox("f") == "f: darwin"


def shown(*words: str) -> list[str]:
    arguments = Sandbox("bwrap").arguments(words, {})
    return [after for before, after in pairwise(arguments) if before == "--ro-bind-try"]


def test_the_folders_of_a_command_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    for folder in ("home", "engine", "venv/bin", "python/bin"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for file in ("engine/brain", "home/bot.py", "python/bin/python3"):
        (tmp_path / file).touch()
    os.symlink(tmp_path / "python/bin/python3", tmp_path / "venv/bin/python")
    (tmp_path / "venv/pyvenv.cfg").write_text(f"home = {tmp_path}/python/bin\nversion = 3\n")
    assert shown(str(tmp_path / "engine/brain"), "--level", "/nowhere/at/all", "/usr/bin/env") == [
        str(tmp_path / "engine")
    ]
    assert shown(str(tmp_path / "venv/bin/python"), str(home / "bot.py")) == [
        str(tmp_path / "venv"),
        str(tmp_path / "python"),
        str(home / "bot.py"),
    ]
    packages = tmp_path / "venv/lib/python3.13/site-packages"
    packages.mkdir(parents=True)
    (packages / "written_here.pth").write_text(
        f"import os\n{tmp_path}/engine\n{home}\n{tmp_path}/nowhere\n\n"
    )
    (packages / "cannot_be_read.pth").mkdir()
    assert shown(str(tmp_path / "venv/bin/python")) == [
        str(tmp_path / "venv"),
        str(tmp_path / "python"),
        str(tmp_path / "engine"),
    ]
    assert shown(str(home)) == []
    assert is_too_much(tmp_path)
    assert not is_too_much(tmp_path / "engine")
