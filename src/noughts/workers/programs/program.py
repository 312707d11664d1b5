"""A running external program: lines to and from it, and its end with all processes that it started.

A program cannot make its caller wait longer than until a deadline, or store more than a limit. Three threads
serve its pipes, and stop when there is too much.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from noughts.records.temporary_folders import temporary_folder
from noughts.text import safe_text
from noughts.workers.programs import launcher, sandbox
from noughts.workers.programs.sandbox import Sandbox
from noughts.workers.programs.watcher import Allowance, Watcher
from noughts.workers.protocols.channel import Fault, FaultReason
from noughts.workers.protocols.line_buffer import LineBuffer

MEBIBYTE = 1 << 20

END_SECONDS = 1.0
"""Seconds in which a program may exit after a farewell. Then it is killed."""

STATUS_SECONDS = 0.5
"""Seconds to wait for the exit status of a program that has closed a pipe."""

LOOK_SECONDS = 0.1
"""The interval at which a thread that waits for a line wakes up, to notice an interruption."""

CHUNK = 8 * 1024
"""The maximum number of bytes read at once. Splitting them into lines blocks other threads."""

PAUSE_LINES, PAUSE_SECONDS = 50, 0.01
"""The number of lines at once after which there is a pause, so that a flood does not block other threads."""

MAX_WAITING = MEBIBYTE // 8
"""The number of bytes of lines that may wait to be received.

With more, the program must wait before it writes.
"""

MAX_UNREAD = 8 * MEBIBYTE
"""The number of bytes that are stored for a program that does not read. More is a fault."""

MAX_STDERR_LINES = 5
"""The number of last lines on standard error that are reported if a program ends by itself."""

MAX_DETAIL = 400
"""The maximum length of the detail of a fault, in characters."""

MARKER = "NOUGHTS_PROGRAM"
"""The environment variable that marks all descendants of a program."""

ROUNDS = 100
"""Maximum number of searches for children: while some are killed, others may start more."""

_UNITS = {"stdout": "bytes on standard output", "stderr": "bytes on standard error", "lines": "lines"}


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """The limits of a program. Memory, files and lines are in bytes. Memory 0 is no limit.

    ``memory`` and ``processes`` are for the program and all processes that it starts. In a sandbox, threads
    count as processes, too. ``lines``, ``stdout`` and ``stderr`` are for one game.
    """

    memory: int = 512 * MEBIBYTE
    cpu_seconds: int = 3_600
    file: int = 64 * MEBIBYTE
    open_files: int = 32
    processes: int = 20
    line: int = 64 * 1024
    lines: int = 100_000
    stdout: int = 16 * MEBIBYTE
    stderr: int = MEBIBYTE

    def words(self, *, is_in_sandbox: bool) -> list[str]:
        """Return the limits as arguments of the launcher, which sets them for each process.

        The number of processes is only limited in a sandbox. Elsewhere the system would count all processes
        of the user.
        """
        numbers = (self.memory, self.cpu_seconds, self.file, self.open_files)
        return [str(number or "-") for number in numbers] + [str(self.processes) if is_in_sandbox else "-"]


@dataclass(frozen=True, slots=True)
class ProgramStart:
    """The start of a program: its *command*, with a path or a name in ``PATH`` as the first word.

    Its environment has ``PATH`` and the variables of *environ*. Without a *sandbox* it is trusted.
    """

    command: tuple[str, ...]
    limits: ProgramLimits = ProgramLimits()
    sandbox: Sandbox | None = None
    environ: Mapping[str, str] = field(default_factory=dict)


# A program ends with the thread that started it (see `launcher`), so that thread must never end.
_STARTER = ThreadPoolExecutor(1, "noughts-programs")

_WATCHER = Watcher()


class Program:
    """A running program, from its construction to :meth:`end`.

    Raises :class:`OSError` if no process can be started. Any thread may call its methods, but only one at a
    time may receive.
    """

    def __init__(self, start: ProgramStart) -> None:
        self._limits, self._is_in_sandbox = start.limits, start.sandbox is not None
        self._changed = threading.Condition()
        self._waiting: deque[str] = deque()
        self._waiting_bytes = self._unread_bytes = 0
        self._unsent: deque[bytes] = deque()
        self._stderr: deque[str] = deque(maxlen=MAX_STDERR_LINES)
        self._spent = {"stdout": 0, "stderr": 0, "lines": 0}
        self._fault: Fault | None = None
        self._is_over = self._is_ended = False
        self.cut = 0
        """The number of lines that were cut because they were too long."""
        self._token = secrets.token_hex(16)
        self._leaving = ExitStack()
        self._folder = str(self._leaving.enter_context(temporary_folder()))
        try:
            self._process = self._process_of(start)
        except BaseException:
            self._leaving.close()
            raise
        jobs = (self._write, self._read_stdout, self._read_stderr)
        self._threads = [threading.Thread(target=job, name="noughts-program", daemon=True) for job in jobs]
        for thread in self._threads:
            thread.start()
        more = sandbox.PROCESSES if self._is_in_sandbox else 0
        allowance = Allowance(start.limits.memory, start.limits.processes, more)
        _WATCHER.add(self._process.pid, allowance, self._end_for)

    def _process_of(self, start: ProgramStart) -> "subprocess.Popen[bytes]":
        """Start the process, in its own session and folder."""
        words = start.limits.words(is_in_sandbox=self._is_in_sandbox)
        launch = [sys.executable, "-I", "-S", launcher.__file__, *words]
        environ = {"PATH": os.environ.get("PATH", os.defpath), **start.environ, MARKER: self._token}

        def begin(command: list[str], files: tuple[int, ...] = ()) -> "subprocess.Popen[bytes]":
            started: Future[subprocess.Popen[bytes]] = _STARTER.submit(
                subprocess.Popen,
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self._folder,
                env=environ,
                start_new_session=True,
                pass_fds=files,
            )
            return started.result()

        if start.sandbox is not None:
            return start.sandbox.start(launch, start.command, environ, begin)
        if os.name == "nt":  # pragma: no cover - Windows has no limits to set
            return begin(list(start.command))
        return begin([*launch, "-", launcher.END, *start.command])

    # Methods for callers

    @property
    def pid(self) -> int:
        """The id of the first process, which is also the id of the session of all its processes."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Send *line* without waiting for the program to read it."""
        data = f"{line}\n".encode(errors="replace")
        with self._changed:
            self._unread_bytes += len(data)
            if self._unread_bytes > MAX_UNREAD:
                self._give_up(Fault("too-slow", "does not read its input"))
            else:
                self._unsent.append(data)
                self._changed.notify_all()

    def receive(self, deadline: float) -> str | None:
        """Return the next line, or None at *deadline*, on the clock :func:`time.monotonic`.

        None is returned at once if no more lines will come. See :attr:`fault`. Empty lines are skipped, long
        ones cut.
        """
        with self._changed:
            while not self._waiting and not self._is_over:
                left = deadline - monotonic()
                if left <= 0:
                    break
                self._changed.wait(min(left, LOOK_SECONDS))
            if not self._waiting:
                return None
            line = self._waiting.popleft()
            self._waiting_bytes -= len(line)
            self._changed.notify_all()
            return line

    def drop(self) -> list[str]:
        """Discard and return the lines that were not received yet."""
        with self._changed:
            dropped = list(self._waiting)
            self._waiting.clear()
            self._waiting_bytes = 0
            self._changed.notify_all()
            return dropped

    @property
    def fault(self) -> Fault | None:
        """The reason why no more lines will come, or None while the program runs."""
        with self._changed:
            if not self._is_over or self._waiting:
                return None
            if self._fault is not None:
                return self._fault
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STATUS_SECONDS)
        for thread in self._threads[1:]:  # they read its last lines
            thread.join(STATUS_SECONDS)
        status = self._process.returncode
        reason: FaultReason = "cannot-run" if status == launcher.CANNOT_RUN else "crashed"
        self._fault = Fault(reason, "; ".join([_ended(status), *self._stderr])[:MAX_DETAIL])
        return self._fault

    def begin_game(self) -> None:
        """Reset the counts of its output."""
        with self._changed:
            self._spent = dict.fromkeys(self._spent, 0)

    def end(self, farewell: str | None = None) -> None:
        """End the program and all processes that it started, and release its resources.

        After a *farewell*, a line that asks it to exit, it has a second to do so. This method may be called
        again.
        """
        if farewell is not None and not self._is_over:
            self.send(farewell)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
        with self._changed:
            self._is_ended = self._is_over = True
            self._waiting.clear()
            self._changed.notify_all()
        _WATCHER.remove(self._process.pid)
        self._kill()
        for thread in self._threads:
            thread.join(END_SECONDS)
        self._leaving.close()

    def _end_for(self, fault: Fault) -> None:
        """End the program and all processes that it started, because of *fault*."""
        with self._changed:
            self._give_up(fault)
        self._kill()

    def _kill(self) -> None:
        """Kill the process, its group, and its descendants outside the group."""
        if self._process.returncode is None or not self._is_in_sandbox:
            _kill_group(self._process.pid)
            with suppress(OSError):
                self._process.kill()
        self._process.wait()
        if not self._is_in_sandbox:
            for _ in range(ROUNDS):
                if not _kill_marked(f"{MARKER}={self._token}".encode()):
                    break

    # Threads

    def _give_up(self, fault: Fault | None) -> None:
        """Note that the program is finished, because of *fault*, or for a reason that is not known yet."""
        self._fault = self._fault or fault
        self._is_over = True
        self._changed.notify_all()

    def _write(self) -> None:
        stream = _pipe(self._process.stdin)
        with suppress(OSError), stream:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._unsent or self._is_ended)
                    if self._is_ended:
                        return
                    data = self._unsent.popleft()
                left = memoryview(data)
                while left:
                    left = left[stream.write(left) :]
                with self._changed:
                    self._unread_bytes -= len(data)
        with self._changed:
            self._give_up(None)

    def _read_stdout(self) -> None:
        lines = LineBuffer(self._limits.line)
        for data in self._chunks("stdout", _pipe(self._process.stdout), self._limits.stdout):
            complete = lines.feed(data)
            for line in complete:
                if not self._count_output("lines", 1, self._limits.lines):
                    break
                self._offer(line)
            self.cut = lines.cut
            if len(complete) > PAUSE_LINES:
                sleep(PAUSE_SECONDS)
        for line in lines.rest():
            self._offer(line)
        with self._changed:
            self._give_up(None)

    def _offer(self, line: str) -> None:
        """Queue *line* for receiving, once there is room for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting_bytes < MAX_WAITING or self._is_ended)
            self._waiting.append(line)
            self._waiting_bytes += len(line)
            self._changed.notify_all()

    def _read_stderr(self) -> None:
        lines = LineBuffer(MAX_DETAIL)
        for data in self._chunks("stderr", _pipe(self._process.stderr), self._limits.stderr):
            self._stderr.extend(map(safe_text, lines.feed(data)))
        self._stderr.extend(map(safe_text, lines.rest()))

    def _chunks(self, name: str, stream: IO[bytes], most: int) -> Iterator[bytes]:
        """Yield the data of *stream*, until it ends or exceeds *most* bytes in a game."""
        with suppress(OSError), stream:
            while (data := stream.read(CHUNK)) and self._count_output(name, len(data), most):
                yield data

    def _count_output(self, name: str, count: int, most: int) -> bool:
        """Add *count* to the output *name*. Return True if more may come."""
        with self._changed:
            self._spent[name] += count
            if self._spent[name] > most:
                self._give_up(Fault("flooded", f"more than {most} {_UNITS[name]}"))
            return not self._is_ended and self._fault is None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("a program has pipes")
    return stream


def _ended(status: int | None) -> str:
    """Return a description of the end of a process."""
    if status is None:
        return "closed a pipe"
    number = -status if status < 0 else status - 128
    with suppress(ValueError):
        return f"killed by {signal.Signals(number).name}"
    return f"exit status {status}"


def _kill_group(group: int) -> None:
    with suppress(OSError, AttributeError):  # it has ended, or this is Windows
        os.killpg(group, signal.SIGKILL)


def _kill_marked(mark: bytes, processes: Path = Path("/proc")) -> int:
    """Kill the processes with *mark* in their environment, and return their number."""
    count = 0
    for environ in processes.glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in environ.read_bytes():
                count += 1
                os.kill(int(environ.parent.name), signal.SIGKILL)
    if count:
        sleep(0.01)  # a killed process may have just started a child
    return count


def find_program(command: Sequence[str]) -> str:
    """Return the path of the program in *command*. Raises :class:`OSError` if it does not exist."""
    name = command[0]
    executable = shutil.which(name)
    if executable is not None:
        return os.path.abspath(executable)
    path = Path(name)
    if path.is_dir():
        raise IsADirectoryError(21, os.strerror(21), name)
    if path.exists():
        raise PermissionError(13, os.strerror(13), name)
    raise FileNotFoundError(2, os.strerror(2), name)
