"""A watcher that holds each program, together with every process that it started, to its total limits.

The system limits each process alone, so that a program with children could use many times as much. One
thread, which runs while there are programs, adds up the usage of their processes, ten times a second.

The memory of each process is first added up as a whole (RSS and swap). That is cheap and never too little,
but memory that processes share is counted once for each of them. Only if the sum is too great, each shared
part is divided by the number of its owners (PSS), which takes longer to read.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from noughts.workers.protocols.channel import Fault

SECONDS = 0.1
"""Seconds between two checks."""

SHARE = 0.1
"""The maximum fraction of one processor for the checks."""

FORGET = 10
"""The number of checks after which all processes of the machine are read again, since ids are reused."""

PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True)
class Allowance:
    """The total limits of a program: bytes of ``memory`` (0: no limit), and ``processes``.

    Another ``more`` processes belong to noughts.
    """

    memory: int
    processes: int
    more: int = 0


@dataclass(frozen=True, slots=True)
class _Watched:
    allowance: Allowance
    end: Callable[[Fault], None]


class Watcher:
    """Watches programs, each identified by its first process, a child of this one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: dict[int, _Watched] = {}
        self._thread: threading.Thread | None = None
        self._known_for: set[int] = set()
        self._unrelated: set[int] = set()
        """Processes outside all watched programs. They cannot join one, so they are not read at each check.
        """
        self._looks = 0

    def add(self, pid: int, allowance: Allowance, end: Callable[[Fault], None]) -> None:
        """Watch the program of the process *pid*.

        *end* is called in another thread if it exceeds its limits.
        """
        with self._changed:
            self._watched[pid] = _Watched(allowance, end)
            if PROCESSES.is_dir() and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._run, name="noughts-watcher", daemon=True)
                self._thread.start()

    def remove(self, pid: int) -> None:
        """Stop watching *pid*."""
        with self._changed:
            self._watched.pop(pid, None)
            self._changed.notify_all()

    def _run(self) -> None:
        pause = 0.0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: not self._watched, pause)
                if not self._watched:
                    self._thread = None
                    return
                watched = dict(self._watched)
            began = monotonic()
            with suppress(OSError):  # no more files can be opened
                self._look(watched)
            pause = max(SECONDS, (monotonic() - began) * (1 / SHARE - 1))

    def _look(self, watched: dict[int, _Watched]) -> None:
        """End those of *watched* that exceed their limits."""
        self._looks += 1
        if self._looks % FORGET == 0 or self._known_for != set(watched):
            self._unrelated.clear()
        self._known_for = set(watched)
        now = {int(name) for name in os.listdir(PROCESSES) if name.isdigit()}
        children = _children(now - self._unrelated)
        ours = children.get(os.getpid(), [])  # a process that has ended is not a child any more
        trees = {pid: _tree(pid, children) for pid in watched if pid in ours}
        self._unrelated = now.difference(*trees.values())
        for pid, tree in trees.items():
            fault = _excess(tree, watched[pid].allowance)
            if fault is not None:
                self.remove(pid)
                for each in tree:
                    with suppress(OSError):
                        os.kill(each, signal.SIGKILL)
                watched[pid].end(fault)


def _children(pids: Iterable[int]) -> dict[int, list[int]]:
    """Return the processes of *pids* by their parents."""
    children: dict[int, list[int]] = {}
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            # The name, in parentheses, may contain any bytes. Only the part after the last parenthesis is
            # reliable.
            _, _, rest = (PROCESSES / str(pid) / "stat").read_bytes().rpartition(b")")
            children.setdefault(int(rest.split()[1]), []).append(pid)
    return children


def _tree(pid: int, children: dict[int, list[int]]) -> list[int]:
    """Return *pid* and all its descendants."""
    tree = [pid]
    for each in tree:
        tree += children.get(each, ())
    return tree


def _excess(pids: Iterable[int], allowance: Allowance) -> Fault | None:
    """Return the limit of *allowance* that the processes *pids* together exceed, or None."""
    used = {place: memory for place, memory in map(_memory, pids) if memory is not None}
    if len(used) > allowance.processes + allowance.more:
        return Fault("too-many-processes", str(allowance.processes))
    if allowance.memory and sum(used.values()) > allowance.memory:
        exact = {place: _numbers(place / "smaps_rollup", b"Pss", b"SwapPss") for place in used}
        total = sum(used[place] if memory is None else memory for place, memory in exact.items())
        if total > allowance.memory:
            return Fault("too-much-memory", f"{allowance.memory >> 20} MB")
    return None


def _memory(pid: int) -> tuple[Path, int | None]:
    """Return the folder with the memory status of *pid*, and the memory in bytes, or None if it has ended.

    If the first thread of a process has ended, only its other threads have a status.
    """
    folder = PROCESSES / str(pid)
    for place in (folder, *folder.glob("task/*")):
        memory = _numbers(place / "status", b"VmRSS", b"VmSwap")
        if memory is not None:
            return place, memory
    return folder, None


def _numbers(file: Path, *names: bytes) -> int | None:
    """Return the sum of the numbers with these *names* in *file*, in bytes, or None if there are none."""
    with suppress(OSError):
        pairs = (line.partition(b":") for line in file.read_bytes().splitlines())
        numbers = [int(value.split()[0]) for name, _, value in pairs if name in names]
        return sum(numbers) * 1024 if numbers else None
    return None
