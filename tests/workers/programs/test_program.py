"""Programs: their lines, their limits, and their ends, whatever they do."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep

import pytest

from noughts.workers.programs import program as programs
from noughts.workers.programs.launcher import CANNOT_RUN
from noughts.workers.programs.program import Program, ProgramLimits, ProgramStart, find_program
from noughts.workers.protocols.channel import Fault

PATIENCE = 60.0
"""Seconds after which a test fails. No step takes as long."""

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"


def start(code: str, **limits: int) -> Program:
    return Program(ProgramStart((sys.executable, "-S", "-c", code), ProgramLimits(**limits)))


def lines_of(program: Program) -> list[str]:
    """Return all lines until no more can come."""
    result = []
    while (line := program.receive(monotonic() + PATIENCE)) is not None:
        result.append(line)
    return result


def is_gone(pid: int) -> bool:
    """Return True if the process ends within a while."""
    end = monotonic() + PATIENCE
    while Path(f"/proc/{pid}").exists():
        if "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2:3]:
            return True
        if monotonic() > end:
            return False
        sleep(0.01)
    return True


def test_program_exchanges_lines() -> None:
    program = start(ECHO)
    for word in ("abc", "x" * 100_000):
        program.send(word)
    assert program.receive(monotonic() + PATIENCE) == "cba"
    line = program.receive(monotonic() + PATIENCE)
    assert line == "x" * 65_536
    assert program.fault is None
    assert program.receive(monotonic()) is None
    program.send("late")
    program.begin_game()
    while not (dropped := program.drop()):
        sleep(0.01)
    assert dropped == ["etal"]
    program.end()
    program.end("quit")
    assert program.cut == 1


def test_program_can_exit_after_a_farewell() -> None:
    program = start("import sys; print(sys.stdin.readline(), flush=True)")
    program.end("quit")
    assert program._process.returncode == 0


def test_program_has_a_small_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    code = "import os; print(sorted(os.environ), os.listdir(), os.getcwd() == os.environ['HERE'])"
    environ = {"HERE": "nowhere", "LC_CTYPE": "C.UTF-8"}
    program = Program(ProgramStart((sys.executable, "-S", "-c", code), environ=environ))
    assert lines_of(program) == ["['HERE', 'LC_CTYPE', 'NOUGHTS_PROGRAM', 'PATH'] [] False"]
    program.end()
    assert not Path(program._folder).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "reason", "detail"),
    [
        ("", "crashed", "exit status 0"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed", "killed by SIGSEGV"),
        ("import sys; sys.exit('\\x1b[31mno')", "crashed", r"exit status 1; \x1b[31mno"),
        ("bytearray(1 << 30)", "crashed", "MemoryError"),
        ("import os, time; os.close(1); time.sleep(99)", "crashed", "closed a pipe"),
        ("while True: print('x' * 9_999, end='')", "flooded", "more than 100000 bytes on standard output"),
        ("while True: print('x')", "flooded", "more than 1000 lines"),
        (
            "import sys\nwhile True: sys.stderr.write('x')",
            "flooded",
            "more than 3000 bytes on standard error",
        ),
        (f"import sys; sys.exit({CANNOT_RUN})", "cannot-run", "exit status 126"),
    ],
)
def test_broken_limits_are_faults(
    code: str, reason: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "STATUS_SECONDS", 0.1 if detail == "closed a pipe" else PATIENCE)
    program = start(code, stdout=100_000, stderr=3_000, lines=1_000, memory=256 << 20)
    lines_of(program)
    fault = program.fault
    assert fault is not None
    assert (fault.reason, detail in fault.detail) == (reason, True)
    assert program.fault == fault
    program.end("quit")
    assert len(program._stderr) <= programs.MAX_STDERR_LINES


@pytest.mark.slow
def test_closed_input_is_a_fault() -> None:
    program = start("import os, time; os.close(0); print(1, flush=True); time.sleep(99)")
    assert program.receive(monotonic() + PATIENCE) == "1"
    program.send("anything")
    assert lines_of(program) == []
    assert program.fault == Fault("crashed", "closed a pipe")
    program.end()


def test_unread_input_is_a_fault() -> None:
    program = start("import time; print(1, flush=True); time.sleep(99)")
    for _ in range(9):
        program.send("x" * (1 << 20))
    assert lines_of(program) in ([], ["1"])
    assert program.fault == Fault("too-slow", "does not read its input")
    program.end()


def test_unreceived_output_blocks_the_program() -> None:
    program = start(f"while True: print('x' * {programs.MAX_WAITING // 4})", line=programs.MAX_WAITING)
    while program._waiting_bytes < programs.MAX_WAITING:
        sleep(0.01)
    assert len(program._waiting) == 4
    assert program.fault is None
    assert program.receive(monotonic()) is not None
    program.end()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
def test_children_end_with_the_program() -> None:
    program = start(
        "import os, time\n"
        "if not os.fork():\n"
        "    os.setsid()\n"
        "    if not os.fork():\n"
        "        print(os.getpid(), flush=True)\n"
        "        time.sleep(99)\n"
        "    os._exit(0)\n"
        "time.sleep(99)\n"
    )
    child = int(program.receive(monotonic() + PATIENCE) or 0)
    program.end()
    assert is_gone(child)
    assert is_gone(program._process.pid)
    assert not [thread for thread in program._threads if thread.is_alive()]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
def test_search_for_children_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bytes] = []

    def kill_marked(mark: bytes) -> int:
        looked.append(mark)
        return 1

    monkeypatch.setattr(programs, "_kill_marked", kill_marked)
    start("").end()
    assert len(looked) == programs.ROUNDS


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux does it")
def test_program_ends_with_its_starter() -> None:
    code = (
        "import sys, time\n"
        "from noughts.workers.programs.program import *\n"
        "command = (sys.executable, '-c', 'import time; print(1, flush=True); time.sleep(99)')\n"
        "program = Program(ProgramStart(command))\n"
        "program.receive(time.monotonic() + 60)\n"
        "print(program._process.pid, flush=True)\n"
        "time.sleep(99)\n"
    )
    asking = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert asking.stdout is not None
    pid = int(asking.stdout.readline())
    asking.send_signal(signal.SIGKILL)
    asking.wait()
    asking.stdout.close()
    assert is_gone(pid)


def test_failed_start_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/nowhere")
    with pytest.raises(OSError, match="nowhere"):
        start(ECHO)
    assert not list(tmp_path.iterdir())


def test_find_program_searches_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("no program")
    Path("bot").write_text("#!/bin/sh\n")
    os.chmod("bot", 0o755)
    assert find_program(["./bot", "now"]) == str(tmp_path / "bot")
    for name, error in [("./text", PermissionError), (".", IsADirectoryError), ("no", FileNotFoundError)]:
        with pytest.raises(error):
            find_program([name])
