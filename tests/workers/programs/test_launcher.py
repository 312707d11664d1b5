"""The launcher: it sets limits and becomes the program."""

import subprocess
import sys
from typing import Any

import pytest

from noughts.workers.programs import launcher


def test_limits_are_set_and_the_program_is_run() -> None:
    set_: list[tuple[str, int]] = []
    run: list[Any] = []

    def execute(name: str, command: list[str]) -> None:
        run.append((name, command))

    arguments = ["1000", "60", "-", "32", "-", "bot", "--fast"]
    launcher.main(arguments, lambda name, number: set_.append((name, number)), execute)
    assert set_ == [("RLIMIT_CORE", 0), ("RLIMIT_AS", 1000), ("RLIMIT_CPU", 60), ("RLIMIT_NOFILE", 32)]
    assert run == [("bot", ["bot", "--fast"])]


def test_what_cannot_be_run_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def execute(name: str, command: list[str]) -> None:
        raise OSError(8, "Exec format error")

    assert launcher.main(["-"] * 5 + ["bot"], lambda name, number: None, execute) == launcher.CANNOT_RUN
    assert capsys.readouterr().err == "bot: Exec format error\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_limit_holds_and_never_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda which, pair: given.append(pair))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10, resource.RLIM_INFINITY))
    launcher.set_limit("RLIMIT_CORE", 5)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10, 3))
    launcher.set_limit("RLIMIT_CORE", 5)
    launcher.set_limit("RLIMIT_OF_ANOTHER_SYSTEM", 5)
    assert given == [(5, 5), (3, 3)]


def test_only_linux_ends_a_program_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from noughts.workers.programs.launcher import end_with_parent as end; end(); print('here')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [b"here"]
    asked: list[object] = []
    monkeypatch.setattr("ctypes.CDLL", lambda name: asked.append(name))
    monkeypatch.setattr(sys, "platform", "linux")
    launcher.end_with_parent()
    monkeypatch.setattr(sys, "platform", "darwin")
    launcher.end_with_parent()
    assert asked == [None]
