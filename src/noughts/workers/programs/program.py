"""A program of others that is running: lines go to it and come from it, and it is ended with all it started.

Whatever it does, who talks to it waits no longer than until a deadline, and keeps no more than a bound: three
threads move what goes through its pipes, and stop where there is too much.
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

from noughts.records.own_folders import own_folder
from noughts.text import safe_text
from noughts.workers.programs import launcher, sandbox
from noughts.workers.programs.sandbox import Sandbox
from noughts.workers.programs.watcher import Allowance, Watcher
from noughts.workers.protocols.channel import Fault, FaultReason
from noughts.workers.protocols.line_buffer import LineBuffer

MEBIBYTE = 1 << 20

END_SECONDS = 1.0
"""How long a program that was told to leave has for it; then it is killed."""

STATUS_SECONDS = 0.5
"""How long is waited for the exit status of a program that has closed a pipe."""

LOOK_SECONDS = 0.1
"""Who waits for a line is awake so often: a thread that is not wanted any more hears it only then."""

CHUNK = 8 * 1024
"""So many bytes are read at once at most: while they are made into lines, other threads wait."""

MANY_LINES, PAUSE_SECONDS = 50, 0.01
"""After so many lines at once there is a pause: whoever floods must not keep other threads waiting."""

MAX_WAITING = MEBIBYTE // 8
"""So many bytes of lines wait to be received; then the program waits until it may write more."""

MAX_UNREAD = 8 * MEBIBYTE
"""So many bytes are kept for a program that does not read them; then it is at fault."""

MAX_STDERR_LINES = 5
"""So many of the last lines on its standard error are told of a program that ends by itself."""

MAX_DETAIL = 400
"""How much is told of why a program is at fault, in characters."""

MARKER = "NOUGHTS_PROGRAM"
"""The variable by which the children of a program are known, wherever they have gone."""

ROUNDS = 100
"""Maximum number of searches for children: while some are killed, others may start more."""

_UNITS = {"stdout": "bytes on standard output", "stderr": "bytes on standard error", "lines": "lines"}


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """What a program may use. Memory, files and lines are in bytes; 0 memory: as much as there is.

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

        That of processes would count all processes of the user if the sandbox did not part them.
        """
        numbers = (self.memory, self.cpu_seconds, self.file, self.open_files)
        return [str(number or "-") for number in numbers] + [str(self.processes) if is_in_sandbox else "-"]


@dataclass(frozen=True, slots=True)
class ProgramStart:
    """How a program is started: its *command*, whose first word is a path or a name that is in ``PATH``.

    Besides ``PATH`` it has the variables of *environ* alone. Without a *sandbox* it is trusted.
    """

    command: tuple[str, ...]
    limits: ProgramLimits = ProgramLimits()
    sandbox: Sandbox | None = None
    environ: Mapping[str, str] = field(default_factory=dict)


# A program ends with the thread that started it (see `launcher`), so that thread has to live.
_STARTER = ThreadPoolExecutor(1, "noughts-programs")

_WATCHER = Watcher()


class Program:
    """A program that is running, from when it is made to :meth:`end`.

    Raises :class:`OSError` where no process can be had. Any thread may call; one at a time receives.
    """

    def __init__(self, start: ProgramStart) -> None:
        self._limits, self._is_in_sandbox = start.limits, start.sandbox is not None
        self._told = threading.Condition()
        self._waiting: deque[str] = deque()
        self._waiting_bytes = self._unread_bytes = 0
        self._unsent: deque[bytes] = deque()
        self._stderr: deque[str] = deque(maxlen=MAX_STDERR_LINES)
        self._spent = {"stdout": 0, "stderr": 0, "lines": 0}
        self._fault: Fault | None = None
        self._is_over = self._is_ended = False
        self.cut = 0
        """How many lines were cut because they were too long."""
        self._token = secrets.token_hex(16)
        self._leaving = ExitStack()
        self._folder = str(self._leaving.enter_context(own_folder()))
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
        """The process, in a session and a folder of its own."""
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

    # What who talks to it does

    def send(self, line: str) -> None:
        """Send *line*, without waiting for the program to read it."""
        data = f"{line}\n".encode(errors="replace")
        with self._told:
            self._unread_bytes += len(data)
            if self._unread_bytes > MAX_UNREAD:
                self._give_up(Fault("too-slow", "does not read what it is sent"))
            else:
                self._unsent.append(data)
                self._told.notify_all()

    def receive(self, deadline: float) -> str | None:
        """The next line; None where none comes until *deadline*, on :func:`time.monotonic`, or ever.

        Whether any will, :attr:`fault` tells. Empty lines are left out, long ones cut.
        """
        with self._told:
            while not self._waiting and not self._is_over:
                left = deadline - monotonic()
                if left <= 0:
                    break
                self._told.wait(min(left, LOOK_SECONDS))
            if not self._waiting:
                return None
            line = self._waiting.popleft()
            self._waiting_bytes -= len(line)
            self._told.notify_all()
            return line

    def drop(self) -> list[str]:
        """Throw away, and return, the lines that have come and were not received."""
        with self._told:
            dropped = list(self._waiting)
            self._waiting.clear()
            self._waiting_bytes = 0
            self._told.notify_all()
            return dropped

    @property
    def fault(self) -> Fault | None:
        """Why nothing will come any more; None while the program goes on."""
        with self._told:
            if not self._is_over or self._waiting:
                return None
            if self._fault is not None:
                return self._fault
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STATUS_SECONDS)
        for thread in self._threads[1:]:  # what it wrote at last
            thread.join(STATUS_SECONDS)
        status = self._process.returncode
        reason: FaultReason = "cannot-run" if status == launcher.CANNOT_RUN else "crashed"
        self._fault = Fault(reason, "; ".join([_ended(status), *self._stderr])[:MAX_DETAIL])
        return self._fault

    def begin_game(self) -> None:
        """Count anew what it writes."""
        with self._told:
            self._spent = dict.fromkeys(self._spent, 0)

    def end(self, farewell: str | None = None) -> None:
        """End the program, all it started, and all that was held for it.

        With a *farewell*, a line that tells it to leave, it has a second to do so. May be called again.
        """
        if farewell is not None and not self._is_over:
            self.send(farewell)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
        with self._told:
            self._is_ended = self._is_over = True
            self._waiting.clear()
            self._told.notify_all()
        _WATCHER.remove(self._process.pid)
        self._kill()
        for thread in self._threads:
            thread.join(END_SECONDS)
        self._leaving.close()

    def _end_for(self, fault: Fault) -> None:
        """End the program and all that it started, for this *fault*."""
        with self._told:
            self._give_up(fault)
        self._kill()

    def _kill(self) -> None:
        """Kill the process, its group, and what it started that has left the group."""
        if self._process.returncode is None or not self._is_in_sandbox:
            _kill_group(self._process.pid)
            with suppress(OSError):
                self._process.kill()
        self._process.wait()
        if not self._is_in_sandbox:
            for _ in range(ROUNDS):
                if not _kill_marked(f"{MARKER}={self._token}".encode()):
                    break

    # What the threads do

    def _give_up(self, fault: Fault | None) -> None:
        """Nothing is to be expected of the program any more, for this *fault* or one to be found out."""
        self._fault = self._fault or fault
        self._is_over = True
        self._told.notify_all()

    def _write(self) -> None:
        stream = _pipe(self._process.stdin)
        with suppress(OSError), stream:
            while True:
                with self._told:
                    self._told.wait_for(lambda: self._unsent or self._is_ended)
                    if self._is_ended:
                        return
                    data = self._unsent.popleft()
                left = memoryview(data)
                while left:
                    left = left[stream.write(left) :]
                with self._told:
                    self._unread_bytes -= len(data)
        with self._told:
            self._give_up(None)

    def _read_stdout(self) -> None:
        lines = LineBuffer(self._limits.line)
        for data in self._chunks("stdout", _pipe(self._process.stdout), self._limits.stdout):
            found = lines.feed(data)
            for line in found:
                if not self._may_go_on("lines", 1, self._limits.lines):
                    break
                self._offer(line)
            self.cut = lines.cut
            if len(found) > MANY_LINES:
                sleep(PAUSE_SECONDS)
        for line in lines.rest():
            self._offer(line)
        with self._told:
            self._give_up(None)

    def _offer(self, line: str) -> None:
        """Let *line* be received, once there is room for it."""
        with self._told:
            self._told.wait_for(lambda: self._waiting_bytes < MAX_WAITING or self._is_ended)
            self._waiting.append(line)
            self._waiting_bytes += len(line)
            self._told.notify_all()

    def _read_stderr(self) -> None:
        lines = LineBuffer(MAX_DETAIL)
        for data in self._chunks("stderr", _pipe(self._process.stderr), self._limits.stderr):
            self._stderr.extend(map(safe_text, lines.feed(data)))
        self._stderr.extend(map(safe_text, lines.rest()))

    def _chunks(self, name: str, stream: IO[bytes], most: int) -> Iterator[bytes]:
        """What comes through *stream*, until it ends or is more than *most* bytes in a game."""
        with suppress(OSError), stream:
            while (data := stream.read(CHUNK)) and self._may_go_on(name, len(data), most):
                yield data

    def _may_go_on(self, name: str, count: int, most: int) -> bool:
        """Note that so much of what is *name* came; whether more may come."""
        with self._told:
            self._spent[name] += count
            if self._spent[name] > most:
                self._give_up(Fault("flooded", f"more than {most} {_UNITS[name]}"))
            return not self._is_ended and self._fault is None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("a program has pipes")
    return stream


def _ended(status: int | None) -> str:
    """How a process ended, in words."""
    if status is None:
        return "closed a pipe"
    number = -status if status < 0 else status - 128
    with suppress(ValueError):
        return f"killed by {signal.Signals(number).name}"
    return f"exit status {status}"


def _kill_group(group: int) -> None:
    with suppress(OSError, AttributeError):  # it has gone; Windows has none
        os.killpg(group, signal.SIGKILL)


def _kill_marked(mark: bytes, processes: Path = Path("/proc")) -> int:
    """Kill the processes in whose environment *mark* is, and say how many there were."""
    found = 0
    for environ in processes.glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in environ.read_bytes():
                found += 1
                os.kill(int(environ.parent.name), signal.SIGKILL)
    if found:
        sleep(0.01)  # what is killed may have had a child just before
    return found


def find_program(command: Sequence[str]) -> str:
    """The path of what *command* would run. Raises :class:`OSError` where there is no such program."""
    name = command[0]
    found = shutil.which(name)
    if found is not None:
        return os.path.abspath(found)
    path = Path(name)
    if path.is_dir():
        raise IsADirectoryError(21, os.strerror(21), name)
    if path.exists():
        raise PermissionError(13, os.strerror(13), name)
    raise FileNotFoundError(2, os.strerror(2), name)
