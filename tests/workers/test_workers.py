"""Workers: task contexts, messages to callers, and the end of all processes."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NoReturn

import pytest

from noughts.errors import DamagedFile, DamagedFileWarning
from noughts.search.analysis import Progress
from noughts.workers import supervisor, worker_main, worker_process
from noughts.workers.messages import PendingResult, TaskContext, TaskFailure, TaskResult, TaskWorker
from noughts.workers.supervisor import ProcessWorker
from noughts.workers.transfer import pack, pack_call, unpack
from tests.stand_ins import ThinkingHere
from tests.workers import sample_tasks as tasks

LONG = 60.0
"""Seconds after which a test gives up waiting. No test depends on durations."""

NICEST = 19
"""The maximum niceness."""

ROOT = Path(__file__).parents[2]


class Messages(SimpleQueue[Any]):
    """All delivered messages, in order."""

    def next(self) -> Any:
        return self.get(timeout=LONG)

    def last(self) -> TaskResult | TaskFailure:
        """Return the last message."""
        while isinstance(message := self.next(), Progress):
            pass
        assert isinstance(message, TaskResult | TaskFailure)
        return message


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProcessWorker]:
    for module in (worker_process, supervisor):
        monkeypatch.setattr(module, "END_SECONDS", LONG)  # on a busy machine an end takes longer
    made = ProcessWorker()
    yield made
    made.close()
    assert not [thread for thread in threading.enumerate() if thread.name == worker_process.NAME]


def answer(
    worker: TaskWorker, task: Callable[..., Any], *arguments: Any, **facts: Any
) -> TaskResult | TaskFailure:
    messages = Messages()
    worker.ask(task, *arguments, on_message=messages.put, **facts)
    return messages.last()


def test_damage_in_a_task_warns_the_caller(worker: ProcessWorker) -> None:
    with pytest.warns(DamagedFileWarning) as caught:
        assert answer(worker, tasks.warn) == TaskResult("done")
    assert [str(one.message) for one in caught] == [str(DamagedFile("a.proof", "proof", game="3x3:3"))]


def test_damage_is_sent_by_the_worker_process() -> None:
    lines: list[str] = []
    worker_main.run_tasks([f"ask 1 {pack_call(tasks.warn)}"], lines.append, lambda: None)
    assert [line.split()[0] for line in lines] == ["progress", "end"]
    message = unpack(lines[0].split(" ", 2)[2])
    assert isinstance(message.result, DamagedFile)
    assert (message.result.name, message.result.data) == ("a.proof", {"game": "3x3:3"})


def await_end(pid: int) -> None:
    """Wait until the process has ended, without reaping it."""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def is_gone(pid: int) -> bool:
    """Return True if a child has ended and was reaped."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


# Task contexts


def test_early_progress_is_dropped() -> None:
    time = [5.0]
    messages: list[Progress] = []
    context = TaskContext({}, messages.append, lambda: False, now=lambda: time[0])
    for stage, at in [("reviewing", 5.0), ("searching", 5.01), ("searching", 5.1), ("searching", 5.12)]:
        time[0] = at
        context.report(Progress(stage, nodes=round(at * 100)))
    assert [(progress.stage, progress.nodes) for progress in messages] == [
        ("reviewing", 500),
        ("searching", 501),
        ("searching", 512),
    ]


# Pending results


def test_stop_waits_for_a_running_delivery() -> None:
    begun, goes_on, ended = threading.Event(), threading.Event(), threading.Event()

    def on_message(message: object) -> None:
        begun.set()
        assert goes_on.wait(LONG)
        ended.set()

    pending = PendingResult(on_message)
    telling = threading.Thread(target=pending.deliver, args=(TaskResult(1),))
    telling.start()
    assert begun.wait(LONG)
    threading.Timer(0.01, goes_on.set).start()
    pending.stop()
    assert ended.is_set()
    telling.join(LONG)


def test_stop_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.workers.messages.DELIVER_SECONDS", 0.01)
    begun, stopped = threading.Event(), threading.Event()

    def on_message(message: object) -> None:
        begun.set()
        assert stopped.wait(LONG)

    asked = PendingResult(on_message)
    telling = threading.Thread(target=asked.deliver, args=(TaskResult(1),))
    telling.start()
    assert begun.wait(LONG)
    asked.stop()
    stopped.set()
    telling.join(LONG)
    assert asked.is_over


def test_no_message_follows_an_end_or_stop() -> None:
    messages: list[object] = []
    answered, stopped = PendingResult(messages.append), PendingResult(messages.append)
    assert not answered.is_over
    answered.deliver(TaskResult(1))
    answered.deliver(TaskResult(2))
    answered.deliver(Progress("searching"))
    stopped.stop()
    stopped.deliver(TaskResult(3))
    assert messages == [TaskResult(1)]
    assert answered.is_over
    assert stopped.is_over


# Without a process


def test_stand_in_delivers_before_ask_returns() -> None:
    here, messages = ThinkingHere(), list[object]()

    def task(context: TaskContext, *numbers: int) -> int:
        for number in numbers:
            context.report(Progress("searching", number))
        return sum(numbers)

    asked = here.ask(task, 1, 2, on_message=messages.append, patience=1.0)
    assert messages == [Progress("searching", 1), Progress("searching", 2), TaskResult(3)]
    assert asked.is_over
    assert answer(here, tasks.remember, "a") == TaskResult(["a"])
    assert answer(here, tasks.remember, "b") == TaskResult(["a", "b"])
    assert answer(here, tasks.fail) == TaskFailure("failed", "ValueError: no \\x1b[31mluck")


def test_stand_in_can_be_stopped_during_delivery() -> None:
    here, messages = ThinkingHere(), list[object]()

    def close(message: object) -> None:
        messages.append(message)
        here.close()

    asked = here.ask(tasks.until_stopped, on_message=close)
    assert messages == [Progress("searching", nodes=1)]
    assert not asked.is_over
    with pytest.raises(RuntimeError, match="closed"):
        here.ask(tasks.double, 1, on_message=messages.append)


# The main loop, in a thread


class Looping:
    """The main loop of a worker process in a thread, and the lines to it and from it."""

    def __init__(self) -> None:
        self.lines, self.messages = SimpleQueue[str | None](), SimpleQueue[str]()
        self.left = threading.Event()
        lines = iter(self.lines.get, None)
        self.thread = threading.Thread(
            target=worker_main.run_tasks, args=(lines, self.messages.put, self.left.set)
        )
        self.thread.start()

    def ask(self, number: int, *question: Any) -> None:
        self.lines.put(f"ask {number} {pack_call(*question)}\n")

    def stop(self, number: int) -> None:
        self.lines.put(f"stop {number}\n")

    def receive(self) -> tuple[str, int, Any]:
        word, number, message = self.messages.get(timeout=LONG).split(maxsplit=2)
        return word, int(number), unpack(message)


@pytest.fixture
def looping() -> Iterator[Looping]:
    loop = Looping()
    yield loop
    loop.lines.put(None)
    assert loop.left.wait(LONG)
    loop.thread.join(LONG)
    assert not loop.thread.is_alive()


def test_main_loop_runs_tasks_in_order(looping: Looping) -> None:
    looping.ask(1, tasks.double, 4)
    looping.ask(2, tasks.remember, "a")
    looping.ask(3, tasks.remember, "b")
    assert looping.receive() == ("end", 1, TaskResult(8))
    assert looping.receive() == ("end", 2, TaskResult(["a"]))
    assert looping.receive() == ("end", 3, TaskResult(["a", "b"]))


def test_main_loop_stops_the_right_task(looping: Looping) -> None:
    looping.ask(1, tasks.until_stopped)
    assert looping.receive() == ("progress", 1, Progress("searching", nodes=1))
    looping.stop(7)  # another task
    looping.stop(1)
    assert looping.receive() == ("end", 1, TaskResult("stopped"))


def test_main_loop_stops_a_waiting_task(looping: Looping) -> None:
    looping.ask(1, tasks.until_stopped)
    looping.stop(1)
    assert looping.receive()[:2] == ("progress", 1)
    assert looping.receive() == ("end", 1, TaskResult("stopped"))


@pytest.mark.parametrize(
    ("task", "detail"),
    [
        (tasks.fail, "ValueError: no \\x1b[31mluck"),
        (tasks.fail_unspeakably, "UnspeakableError"),
        (tasks.leave, "SystemExit: 3"),
        (tasks.interrupt, "KeyboardInterrupt: "),
    ],
)
def test_exception_of_a_task_is_a_failure(looping: Looping, task: Callable[..., Any], detail: str) -> None:
    looping.ask(1, task)
    assert looping.receive() == ("end", 1, TaskFailure("failed", detail))


def test_unsendable_result_is_a_failure(looping: Looping) -> None:
    looping.ask(1, tasks.return_lambda)
    word, number, message = looping.receive()
    assert (word, number, message.reason) == ("end", 1, "failed")
    assert "function cannot be sent" in message.detail
    looping.lines.put("ask 2 nothing\n")
    assert looping.receive()[2].reason == "failed"


def test_worker_process_leaves_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    (source, asks), (answers, sink) = os.pipe(), os.pipe()
    there = {0: source, 1: sink}
    monkeypatch.setattr(sys, "argv", ["", "3", "/there"])
    monkeypatch.setattr(signal, "signal", lambda *facts: done.append(facts))
    monkeypatch.setattr(signal, "pthread_sigmask", lambda *facts: done.append(facts))
    monkeypatch.setattr(os, "dup", there.get)
    monkeypatch.setattr(os, "dup2", lambda _, to: done.append(to))
    monkeypatch.setattr(os, "nice", done.append)
    monkeypatch.setattr(os, "_exit", lambda status: done.append(("exit", status)))
    monkeypatch.setattr(tempfile, "tempdir", None)
    os.write(asks, f"ask 1 {pack_call(tasks.double, 4)}\nas".encode())  # the caller was killed
    os.close(asks)
    worker_main.main()
    assert tempfile.tempdir == "/there"
    unblocked = (signal.SIG_UNBLOCK, (signal.SIGINT,))
    assert done[:6] == [(signal.SIGINT, signal.SIG_IGN), unblocked, 0, 1, 2, 3]
    assert done[6:] in ([("exit", 0)], [])  # it may be about to exit
    with open(answers, encoding="ascii") as messages:
        assert messages.readline() == "\n"
        assert messages.readline() == f"end 1 {pack(TaskResult(8))}\n"


def test_temporary_folder_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", worker_main.worker_command(3, None)[2:])
    monkeypatch.setattr(worker_main, "_leave_terminal", lambda niceness: (BytesIO(), BytesIO()))
    monkeypatch.setattr(os, "_exit", print)
    monkeypatch.setattr(tempfile, "tempdir", "/there")
    worker_main.main()
    assert tempfile.tempdir is None


# A real process


def test_worker_starts_under_a_full_screen(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has its own streams in place of these, which have no file number."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    worker.start()
    assert answer(worker, tasks.double, 21) == TaskResult(42)


def test_tasks_run_in_one_process(worker: ProcessWorker) -> None:
    worker.start()
    first = answer(worker, tasks.pid)
    assert isinstance(first, TaskResult)
    assert first.value != os.getpid()
    assert answer(worker, tasks.pid, patience=LONG) == first
    assert answer(worker, tasks.facts) == TaskResult(
        (signal.SIG_IGN, min(os.nice(0) + worker_main.NICENESS, NICEST))
    )
    assert answer(worker, tasks.remember, "a") == TaskResult(["a"])
    assert answer(worker, tasks.remember, "b") == TaskResult(["a", "b"])
    worker.close()
    assert is_gone(first.value)


@pytest.mark.slow
def test_large_messages_pass(worker: ProcessWorker) -> None:
    data = bytes(3_000_000)
    assert answer(worker, tasks.size, data) == TaskResult(data + data)


def test_tasks_can_come_from_many_threads(worker: ProcessWorker) -> None:
    result: list[object] = []

    def ask_some(start: int) -> None:
        messages = [Messages() for _ in range(5)]
        for number, queue in enumerate(messages, start):
            worker.ask(tasks.double, number, on_message=queue.put)
        result.extend(queue.last() for queue in messages)
        assert all(queue.empty() for queue in messages)

    threads = [threading.Thread(target=ask_some, args=(10 * number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    wanted = {TaskResult(2 * (10 * number + more)) for number in range(8) for more in range(5)}
    assert len(result) == 40
    assert set(result) == wanted


def test_stopped_task_delivers_nothing_more(worker: ProcessWorker) -> None:
    messages = Messages()
    running = worker.ask(tasks.until_stopped, on_message=messages.put)
    waiting = worker.ask(tasks.until_stopped, on_message=messages.put)
    assert messages.next() == Progress("searching", nodes=1)
    waiting.stop()
    running.stop()
    assert running.is_over
    assert answer(worker, tasks.double, 2) == TaskResult(4)
    assert messages.empty()


def test_hurried_task_delivers_its_result(worker: ProcessWorker) -> None:
    messages = Messages()
    pending = worker.ask(tasks.until_stopped, on_message=messages.put)
    pending.hurry()
    assert messages.last() == TaskResult("stopped")
    assert pending.is_over
    pending.hurry()
    assert answer(worker, tasks.double, 2) == TaskResult(4)


@pytest.mark.slow
def test_task_that_ignores_a_stop_is_ended(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "STOP_SECONDS", 0.05)
    messages = Messages()
    pending = worker.ask(tasks.for_ever, on_message=messages.put)
    messages.next()
    pending.stop()
    assert answer(worker, tasks.double, 2) == TaskResult(4)
    assert messages.empty()


def test_suspended_process_is_given_up(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "FROZEN_CHECKS", 3)
    first = answer(worker, tasks.pid)
    assert answer(worker, tasks.freeze) == TaskFailure("gone", "stopped")
    assert isinstance(first, TaskResult)
    assert is_gone(first.value)


@pytest.mark.slow
def test_patience_limits_a_task(worker: ProcessWorker) -> None:
    first = answer(worker, tasks.pid)
    messages = Messages()
    slow = worker.ask(tasks.for_ever, on_message=messages.put, patience=0.2)
    next_one = Messages()
    worker.ask(tasks.pid, on_message=next_one.put)
    assert messages.last() == TaskFailure("too-slow")
    assert slow.is_over
    assert next_one.last() not in (first, TaskFailure("gone"))
    assert isinstance(first, TaskResult)
    assert is_gone(first.value)


@pytest.mark.slow
def test_dead_process_fails_its_task_alone(worker: ProcessWorker) -> None:
    asked = [Messages(), Messages()]
    worker.ask(tasks.die, on_message=asked[0].put)
    worker.ask(tasks.double, 3, on_message=asked[1].put)
    assert asked[0].last() == TaskFailure("gone", "exit status -9")
    assert asked[1].last() == TaskResult(6)


@pytest.mark.slow
def test_process_killed_while_idle_is_replaced(worker: ProcessWorker) -> None:
    result = answer(worker, tasks.pid)
    assert isinstance(result, TaskResult)
    os.kill(result.value, signal.SIGKILL)
    with suppress(ChildProcessError):  # it may have been reaped already
        await_end(result.value)
    other = answer(worker, tasks.pid)
    assert isinstance(other, TaskResult)
    assert other != result


def test_unsendable_task_is_a_failure(worker: ProcessWorker) -> None:
    failed = answer(worker, lambda context: 1)
    assert isinstance(failed, TaskFailure)
    assert failed.reason == "failed"
    unreadable = answer(worker, tasks.return_unreadable)
    assert isinstance(unreadable, TaskFailure)
    assert unreadable.detail == "NotPackableError: tests.workers.unknown:Made is not known here"
    assert answer(worker, tasks.fail) == TaskFailure("failed", "ValueError: no \\x1b[31mluck")


def test_failing_callback_does_not_affect_others(worker: ProcessWorker) -> None:
    messages = Messages()

    def on_message(message: object) -> None:
        messages.put(message)
        raise ValueError

    worker.ask(tasks.double, 1, on_message=on_message)
    assert messages.last() == TaskResult(2)
    assert answer(worker, tasks.double, 2) == TaskResult(4)


# Closing


def test_close_ends_a_computation(worker: ProcessWorker) -> None:
    messages = Messages()
    process = answer(worker, tasks.pid)
    asked = [
        worker.ask(tasks.for_ever, on_message=messages.put),
        worker.ask(tasks.double, 1, on_message=messages.put),
    ]
    messages.next()
    worker.close()
    assert isinstance(process, TaskResult)
    assert is_gone(process.value)
    assert messages.empty()
    assert all(pending.is_over for pending in asked)
    worker.close()
    with pytest.raises(RuntimeError, match="closed"):
        worker.ask(tasks.double, 1, on_message=messages.put)
    with pytest.raises(RuntimeError, match="closed"):
        worker.start()


def test_close_works_unused_and_in_a_callback() -> None:
    ProcessWorker().close()
    worker, closed = ProcessWorker(), threading.Event()

    def close(message: object) -> None:
        worker.close()
        closed.set()

    worker.ask(tasks.until_stopped, on_message=close)
    assert closed.wait(LONG)
    for thread in threading.enumerate():
        if thread.name == worker_process.NAME:
            thread.join(LONG)
    assert worker._child is None


def test_close_works_immediately_after_asking() -> None:
    for _ in range(3):
        worker, messages = ProcessWorker(), Messages()
        worker.ask(tasks.double, 1, on_message=messages.put)
        worker.close()
        for thread in threading.enumerate():
            if thread.name == worker_process.NAME:
                thread.join(LONG)
        assert worker._child is None


def test_close_tolerates_a_simultaneous_kill() -> None:
    made = worker_process.WorkerProcess()
    made.close()
    made.kill()
    with pytest.raises(EOFError):
        made.receive(LONG)
    with pytest.raises(EOFError):
        made.drop()


def test_close_tolerates_unread_input() -> None:
    made = worker_process.WorkerProcess()
    os.kill(made._process.pid, signal.SIGSTOP)
    for _ in range(3):
        made.send("ask" * 1_000_000)  # more than a pipe holds
    made.close()
    assert not [thread for thread in threading.enumerate() if thread.name == worker_process.NAME]


def test_drop_notices_an_unread_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process.WorkerProcess, "_read", lambda made: None)
    made = worker_process.WorkerProcess()
    made.drop()
    made.kill()
    with pytest.raises(EOFError):
        made.drop()
    made.close()
    assert made._process.stdout is not None
    made._process.stdout.close()


def test_incomplete_line_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os; os.write(1, b'end 1 5\\nend 1')"
    monkeypatch.setattr(worker_main, "worker_command", lambda *how: [sys.executable, "-c", program])
    made = worker_process.WorkerProcess()
    assert made.receive(LONG) == "end 1 5\n"
    with pytest.raises(EOFError):
        made.receive(LONG)
    made.close()


def test_close_does_not_wait_for_shared_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "END_SECONDS", 0.1)
    made = worker_process.WorkerProcess()
    made.send(f"ask 1 {pack_call(tasks.leave_a_child)}")
    while "end" not in (line := made.receive(LONG) or ""):
        pass
    made.close()
    assert made.receive(0) is None
    os.kill(unpack(line.split(maxsplit=2)[2]).value, signal.SIGKILL)
    with pytest.raises(EOFError):
        made.receive(LONG)


# Failures of processes


class NoProcess(worker_process.WorkerProcess):
    """A stand-in for a process: the test reads its input, and writes its output."""

    def __init__(self) -> None:
        self.sent, self._lines = SimpleQueue[str](), SimpleQueue()

    def send(self, line: str) -> None:
        self.sent.put(line)

    def asked(self) -> int:
        """Return the number of the next task."""
        word, number, _ = self.sent.get(timeout=LONG).split(maxsplit=2)
        assert word == "ask"
        return int(number)

    def tell(self, word: str, number: int, message: object) -> None:
        self._lines.put(f"{word} {number} {message if isinstance(message, str) else pack(message)}\n")

    def write(self, line: str) -> None:
        """Write a line that need not be a message."""
        self._lines.put(line)

    def end(self) -> None:
        self._lines.put(None)

    def is_stopped(self) -> bool:
        return False

    def has_ended(self) -> bool:
        return False

    def wait_for_end(self) -> str:
        return "ended"

    def kill(self) -> None:
        self.end()

    def close(self) -> None:
        self.kill()


def test_stray_messages_are_dropped(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    process, messages = NoProcess(), Messages()
    monkeypatch.setattr(supervisor, "WorkerProcess", lambda *how: process)
    worker.ask(tasks.double, 1, on_message=messages.put)
    number = process.asked()
    process.tell("end", number + 1, TaskResult(0))
    process.tell("progress", number, "unreadable")
    for line in ("\n", "hello\n", f"end {number}\n".replace(" ", "\t"), "a b c d\n"):
        process.write(line)
    process.tell("end", number, TaskResult(2))
    assert messages.next() == TaskResult(2)
    process.tell("progress", number, Progress("searching"))
    worker.ask(tasks.double, 2, on_message=messages.put)
    process.tell("end", process.asked(), TaskResult(4))
    assert messages.next() == TaskResult(4)


@pytest.mark.parametrize("text", ["", "nothing", pack(5)])
def test_invalid_end_is_a_failure(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    process, messages = NoProcess(), Messages()
    monkeypatch.setattr(supervisor, "WorkerProcess", lambda *how: process)
    worker.ask(tasks.double, 1, on_message=messages.put)
    process.write(f"end {process.asked()} {text}\n")
    result = messages.last()
    assert isinstance(result, TaskFailure)
    assert result.reason == "failed"


def test_next_task_survives_an_ended_process(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    processes = [NoProcess(), NoProcess()]
    made = iter(processes)
    monkeypatch.setattr(supervisor, "WorkerProcess", lambda *how: next(made))
    messages, goes_on = Messages(), threading.Event()

    def on_message(message: object) -> None:
        messages.put(message)
        goes_on.wait(LONG)

    worker.ask(tasks.double, 1, on_message=on_message)
    worker.ask(tasks.double, 2, on_message=messages.put)
    number = processes[0].asked()
    processes[0].tell("end", number, TaskResult(2))
    assert messages.next() == TaskResult(2)
    processes[0].tell("progress", number, Progress("searching"))
    processes[0].end()  # noticed only when the second task is sent
    goes_on.set()
    processes[1].tell("end", processes[1].asked(), TaskResult(4))
    assert messages.next() == TaskResult(4)


def test_task_fails_if_no_process_starts(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()

    def refuse(*how: object, **facts: object) -> NoReturn:
        asked.set()
        raise OSError("too many processes")

    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", refuse)
        worker.start()
        assert asked.wait(LONG)
        assert answer(worker, tasks.double, 1) == TaskFailure("gone", "OSError: too many processes")
    assert answer(worker, tasks.double, 1) == TaskResult(2)


def test_starting_process_survives_ctrl_c() -> None:
    made = worker_process.WorkerProcess()
    os.kill(made._process.pid, signal.SIGINT)
    made.send(f"ask 1 {pack_call(tasks.double, 4)}")
    assert made.receive(LONG) == "\n"
    assert made.receive(LONG) == f"end 1 {pack(TaskResult(8))}\n"
    made.close()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize("written", ["hello", "hello\\n", "\\xff\\n"])
def test_output_during_the_start_is_ignored(
    worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import os; os.write(1, b'{written}')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert answer(worker, tasks.double, 1) == TaskResult(2)


def test_worker_finds_the_same_modules(
    worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / f"one{os.pathsep}folder"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    result = answer(worker, tasks.places)
    assert result == TaskResult(([os.path.abspath(place) for place in sys.path], str(tmp_path)))


def test_failed_thread_start_queues_nothing(worker: ProcessWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            worker.ask(tasks.double, 1, on_message=print)
    assert answer(worker, tasks.double, 1) == TaskResult(2)


# Whole programs


def run_target(*arguments: str, **facts: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.workers.worker_target", *arguments], cwd=ROOT, **facts
    )


@pytest.mark.slow
def test_worker_prints_nothing() -> None:
    with run_target(
        "noise", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as target:
        messages, _ = target.communicate(b"keys", timeout=LONG)
    assert messages == b"TaskResult(value=\"b''\")\n['MainThread']\n"
    assert target.returncode == 0


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="how the end of a stranger's process is heard of")
def test_worker_ends_with_a_killed_caller(tmp_path: Path) -> None:
    path = str(tmp_path / "heard")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        listener.settimeout(LONG)
        with run_target("for-ever", path, stdin=subprocess.PIPE) as target:
            process, _ = listener.accept()
            with process:
                process.settimeout(LONG)
                assert process.recv(1) == b"!"
                target.kill()
                assert process.recv(1) == b""  # it has ended
