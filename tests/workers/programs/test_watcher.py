"""The watcher: the total usage of a program and its processes, and the end of those with too much."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from noughts.workers.programs import watcher as module
from noughts.workers.programs.program import MEBIBYTE, Program, ProgramLimits, ProgramStart
from noughts.workers.programs.watcher import Allowance, Watcher
from noughts.workers.protocols.channel import Fault

PATIENCE = 60.0

CHILDREN = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        if os.fork(): os._exit(0)
        os.setsid()
        {act}
        time.sleep(99)
print("here", flush=True)
time.sleep(99)
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make processes of a machine, each with its parent and its memory in KiB (resident and shared)."""
    (tmp_path / "uptime").touch()
    monkeypatch.setattr(module, "PROCESSES", tmp_path)

    def make(pid: int, parent: int, memory: int | None = None, share: int | None = None) -> None:
        folder = tmp_path / str(pid)
        folder.mkdir(exist_ok=True)
        (folder / "stat").write_bytes(b"%d (a) b (\xff) S %d 0 0" % (pid, parent))
        (folder / "status").write_text(
            "Name:\ta\n" + (f"VmRSS:\t{memory} kB\nVmSwap:\t0 kB\n" if memory else "")
        )
        if share is not None:
            (folder / "smaps_rollup").write_text(f"0-f [rollup]\nRss: 9 kB\nPss: {share} kB\nSwapPss: 1 kB\n")

    return make


def watched(program: int, allowance: Allowance, looks: int = 1) -> Fault | None:
    """Return the fault of *program* after a number of checks."""
    faults: list[Fault] = []
    watcher = Watcher()
    for _ in range(looks):
        watcher._look({program: module._Watched(allowance, faults.append)})
    return faults[0] if faults else None


@pytest.fixture(autouse=True)
def killed(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[int]:
    """The processes that were killed. Fictitious ones are not real processes of this machine."""
    result: list[int] = []

    def kill(pid: int, signal: int) -> None:
        result.append(pid)
        raise ProcessLookupError

    if "machine" in request.fixturenames:
        monkeypatch.setattr(os, "kill", kill)
    return result


def test_memory_of_all_processes_is_summed(machine: Callable[..., None], killed: list[int]) -> None:
    machine(8, os.getpid(), 400)
    machine(9, 8, 300)
    machine(30, 20, 400)
    machine(20, 9, None)  # it has ended
    machine(40, 1, 10_000)
    assert watched(8, Allowance(1 << 20, 3)) == Fault("too-much-memory", "1 MB")
    assert sorted(killed) == [8, 9, 20, 30]
    assert watched(8, Allowance(1100 << 10, 3)) is None
    assert watched(8, Allowance(0, 3)) is None


def test_shared_memory_is_counted_once(machine: Callable[..., None]) -> None:
    machine(8, os.getpid(), 800, 450)
    machine(9, 8, 800, 450)
    assert watched(8, Allowance(1 << 20, 9)) is None
    machine(9, 8, 800, 700)
    assert watched(8, Allowance(1 << 20, 9)) == Fault("too-much-memory", "1 MB")


def test_memory_is_read_from_remaining_threads(
    machine: Callable[..., None], tmp_path: Path, killed: list[int]
) -> None:
    machine(8, os.getpid(), 100)
    machine(9, 8, None)
    for name, memory in [("9", ""), ("10", "VmRSS: 2000 kB\n")]:
        (tmp_path / "9/task" / name).mkdir(parents=True)
        (tmp_path / "9/task" / name / "status").write_text(f"Name: a\n{memory}")
    assert watched(8, Allowance(1 << 20, 3)) == Fault("too-much-memory", "1 MB")
    assert sorted(killed) == [8, 9]
    (tmp_path / "9/task/10/smaps_rollup").write_text("Pss: 900 kB\n")
    assert watched(8, Allowance(1 << 20, 3)) is None
    assert watched(8, Allowance(0, 1)) == Fault("too-many-processes", "1")


def test_processes_are_counted(machine: Callable[..., None]) -> None:
    machine(8, os.getpid(), 1)
    for pid in range(9, 14):
        machine(pid, pid - 1, 1)
    assert watched(8, Allowance(0, 4, more=2)) is None
    assert watched(8, Allowance(0, 4, more=1)) == Fault("too-many-processes", "4")


def test_reused_process_id_is_not_watched(machine: Callable[..., None]) -> None:
    machine(8, 1, 9_999)
    assert watched(8, Allowance(1, 1)) is None


def test_new_processes_are_found(machine: Callable[..., None], tmp_path: Path) -> None:
    faults: list[Fault] = []
    watcher, programs = Watcher(), {8: module._Watched(Allowance(0, 2), faults.append)}
    machine(8, os.getpid(), 1)
    machine(7, 1, 1)
    watcher._look(programs)
    (tmp_path / "7/stat").write_text("unread")
    machine(9, 8, 1)
    watcher._look(programs)
    assert watcher._unrelated == {7}
    for _ in range(module.FORGET):
        watcher._look(programs)
    machine(7, 9, 1)  # the id is reused
    for _ in range(module.FORGET):
        watcher._look(programs)
    assert faults == [Fault("too-many-processes", "2")] * len(faults) != []


def test_thread_ends_without_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.001)
    looks: list[int] = []

    def look(programs: dict[int, object]) -> None:
        looks.append(len(programs))
        raise OSError(24, "Too many open files")

    watcher = Watcher()
    monkeypatch.setattr(watcher, "_look", look)
    for _ in range(2):
        watcher.add(1, Allowance(0, 0), print)
        watcher.add(2, Allowance(0, 0), print)
        thread = watcher._thread
        assert thread is not None
        while 2 not in looks:
            sleep(0.001)
        watcher.remove(1)
        assert thread.is_alive()
        watcher.remove(2)
        watcher.remove(2)
        thread.join(PATIENCE)
        assert not thread.is_alive()
        looks.clear()


def test_watcher_is_idle_without_a_process_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROCESSES", Path("/nowhere"))
    watcher = Watcher()
    watcher.add(1, Allowance(0, 0), print)
    assert watcher._thread is None


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
@pytest.mark.parametrize(
    ("act", "limits", "fault"),
    [
        (
            "taken = b'x' * (30 << 20)",
            ProgramLimits(memory=100 * MEBIBYTE),
            Fault("too-much-memory", "100 MB"),
        ),
        ("", ProgramLimits(processes=5), Fault("too-many-processes", "5")),
    ],
)
def test_excess_ends_all_processes(act: str, limits: ProgramLimits, fault: Fault) -> None:
    command = (sys.executable, "-S", "-c", CHILDREN.format(act=act))
    program = Program(ProgramStart(command, limits))
    while program.receive(monotonic() + PATIENCE) is not None:
        pass
    assert program.fault == fault
    mark = program._token.encode()
    program.end()
    assert not any(mark in read(path) for path in Path("/proc").glob("[0-9]*/environ"))
    end = monotonic() + PATIENCE
    while any(thread.name == "noughts-watcher" for thread in threading.enumerate()):
        assert monotonic() < end
        sleep(0.01)


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
