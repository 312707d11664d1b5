"""The launcher: it sets limits and becomes the program."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from noughts.workers.programs import launcher


def test_launcher_sets_limits_and_runs_the_program() -> None:
    set_: list[tuple[str, int]] = []
    run: list[Any] = []

    def execute(name: str, command: list[str]) -> None:
        run.append((name, command))

    arguments = ["1000", "60", "-", "32", "-", "-", "--", "bot", "--fast", "--", "x"]
    launcher.main(arguments, lambda name, number: set_.append((name, number)), execute)
    assert set_ == [("RLIMIT_CORE", 0), ("RLIMIT_AS", 1000), ("RLIMIT_CPU", 60), ("RLIMIT_NOFILE", 32)]
    assert run == [("bot", ["bot", "--fast", "--", "x"])]


def test_launcher_reports_a_failed_start(capsys: pytest.CaptureFixture[str]) -> None:
    def execute(name: str, command: list[str]) -> None:
        raise OSError(8, "Exec format error")

    arguments = ["-"] * 6 + ["--", "bot"]
    assert launcher.main(arguments, lambda name, number: None, execute) == launcher.CANNOT_RUN
    assert capsys.readouterr().err == "bot: Exec format error\n"


def test_launcher_refuses_replaced_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot").mkdir()
    about = (tmp_path / "bot").stat()
    run: list[str] = []
    places = [f"{about.st_dev}:{about.st_ino}:{tmp_path}/bot"]

    def launch() -> int:
        arguments = [*"-----", "7", *places, "--", "bot"]
        return launcher.main(arguments, lambda *_: None, lambda name, _: run.append(name), users.append)

    users: list[int] = []
    launch()
    assert (run, users) == (["bot"], [7])
    (tmp_path / "bot").rename(tmp_path / "old")
    (tmp_path / "bot").symlink_to("old")
    assert launch() == launcher.CANNOT_RUN
    places[0] = f"1:1:{tmp_path}/none:1"
    assert launch() == launcher.CANNOT_RUN
    assert (
        capsys.readouterr().err
        == f"{tmp_path}/bot: has been replaced\n{tmp_path}/none:1: has been replaced\n"
    )
    assert len(run) == 1


@pytest.mark.parametrize(("most", "expected"), [(1 << 32, 1_900_000_000), (65_536, launcher.NOBODY)])
def test_superuser_becomes_another_user(most: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, object]] = []

    def change(name: str, *numbers: int) -> None:
        if max(numbers) >= most:
            raise OSError(22, "Invalid argument")
        calls.append((name, {*numbers}))

    for name in ("setresgid", "setresuid"):
        monkeypatch.setattr(os, name, partial(change, name), raising=False)
    monkeypatch.setattr(os, "setgroups", lambda groups: calls.append(("setgroups", groups)), raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 0, raising=False)
    launcher.become_user(1_900_000_000)
    assert calls == [("setgroups", []), ("setresgid", {expected}), ("setresuid", {expected})]
    calls.clear()
    for name in ("getuid", "geteuid"):
        monkeypatch.setattr(os, name, lambda: 1000, raising=False)
    launcher.become_user(1_900_000_000)
    assert calls == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_limit_is_never_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda which, pair: given.append(pair))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10, resource.RLIM_INFINITY))
    launcher.set_limit("RLIMIT_CORE", 5)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10, 3))
    launcher.set_limit("RLIMIT_CORE", 5)
    launcher.set_limit("RLIMIT_OF_ANOTHER_SYSTEM", 5)
    assert given == [(5, 5), (3, 3)]


def test_end_with_parent_works_only_on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from noughts.workers.programs.launcher import end_with_parent as end; end(); print('here')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [b"here"]
    asked: list[object] = []
    monkeypatch.setattr("ctypes.CDLL", lambda name: asked.append(name))
    monkeypatch.setattr(sys, "platform", "linux")
    launcher.end_with_parent()
    launcher.adopt_orphans()
    monkeypatch.setattr(sys, "platform", "darwin")
    launcher.end_with_parent()
    assert asked == [None, None]
