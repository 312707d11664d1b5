"""The sandbox: its guarantees to the user of a bot, and systems without one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noughts.workers.programs import sandbox as module
from noughts.workers.programs.sandbox import NOBODY, Sandbox, find_sandbox
from noughts.workers.programs.sandbox_contents import SandboxContents
from tests.workers.programs import guarantees

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def forget() -> None:
    find_sandbox.cache_clear()


def test_sandbox_keeps_its_guarantees(tmp_path: Path) -> None:
    """If the system forbids sandboxes, the reason is tested. The user is the superuser in most places."""
    report = guarantees.attack(tmp_path)
    assert report.get("none") or report == {"succeeded": [], "is_superuser": False, "seen": 2}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such sandboxes")
def test_sandbox_of_a_user_keeps_its_guarantees() -> None:
    report = guarantees.attack_as_ordinary_user()
    assert report.get("none") or report == {"succeeded": [], "is_superuser": False, "seen": 2}


@pytest.mark.parametrize("is_superuser", [False, True])
def test_arguments_depend_on_the_user(is_superuser: bool) -> None:
    shown = SandboxContents(
        (), {Path("/srv/bots/a"): Path("/data/a"), Path("/dev/shm/b"): Path("/dev/shm/b")}
    )
    call = " ".join(Sandbox("bwrap", is_superuser=is_superuser).arguments(shown, {"A": "b"}, 5))
    assert ("--unshare-user" in call, f"--uid {NOBODY}" in call) == (not is_superuser,) * 2
    assert ("--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID" in call) == is_superuser
    assert "--dir /srv --dir /srv/bots --ro-bind /data/a /srv/bots/a" in call
    assert "--seccomp 5 " in call


def test_sandbox_works_without_a_call_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "call_filter", lambda: None)

    def begin(call: list[str], files: tuple[int, ...]) -> list[str]:
        assert (files, "--seccomp" in call) == ((), False)
        return call

    call = Sandbox("bwrap").start([sys.executable, "launcher.py", "-"], ["/usr/bin/env", "x"], {}, begin)
    assert call[call.index("launcher.py") :][:2] == ["launcher.py", "-"]
    assert call[-3:] == ["--", "/usr/bin/env", "x"]


def called(monkeypatch: pytest.MonkeyPatch, *answers: Any) -> list[list[str]]:
    """Return the calls of bubblewrap, given its *answers*: a status and its output, or an error."""
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


def test_missing_sandbox_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = called(monkeypatch, BARRED, (1, b""), OSError("no memory"), OSError("none"), BARRED, (0, b""))
    assert find_sandbox("a") == r"bwrap: Creating new namespace failed: \x1b[1mOperation not permitted"
    assert find_sandbox("b") == "no memory"
    assert find_sandbox("c") == Sandbox("/usr/bin/c", proc=False, is_superuser=os.geteuid() == 0)
    assert ["--proc" in call for call in calls] == [True, False] * 3
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 3, stderr=b""))
    assert find_sandbox("d") == "exit status 3"
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert find_sandbox("e") == "e: not found"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert find_sandbox("f") == "f: darwin"
