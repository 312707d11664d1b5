"""The options ``solve --workers`` and ``--cluster``, and their errors."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.install import install_commands
from noughts.interfaces.cli.solve_workers import call_with_timeout
from noughts.search.parallel import division
from noughts.search.parallel.division import Division
from noughts.search.parallel.tree import QuestionNode
from noughts.workers import cluster
from tests.interfaces.harness import DONE, PATIENCE, SAY, UNUSABLE, Program
from tests.interfaces.test_cli import json_of


@pytest.fixture
def handed_out(monkeypatch: pytest.MonkeyPatch) -> list[QuestionNode]:
    """Return the positions for workers; small boards are divided too, since little is searched here."""
    result: list[QuestionNode] = []
    send = Division._submit

    def noting(self: Division, node: QuestionNode) -> None:
        result.append(node)
        send(self, node)

    monkeypatch.setattr(division, "MIN_BUDGETS", {False: 64, True: 4})
    monkeypatch.setattr(division, "MIN_TASKS", {False: 16, True: 2})
    monkeypatch.setattr(division, "TRIED_HERE", 2)
    monkeypatch.setattr(Division, "_submit", noting)
    return result


@pytest.mark.slow
def test_solve_shares_work_between_processes(program: Program, handed_out: list[QuestionNode]) -> None:
    options = ("--memory", "60", "--resume", "work", "--certificate", "proof", "--json")
    answer = json_of(program.run("solve", "4x4:3,gravity", "--workers", "2", *options))
    assert (answer["value"], answer["plies"], answer["certificate"]) == ("first", 9, "proof")
    assert handed_out
    assert json_of(program.run("verify", "proof", "--json"))["holds"]
    assert (
        json_of(program.run("solve", "4x4:3,gravity", "--resume", "work", "--json"))["nodes"]
        < answer["nodes"]
    )


def test_one_worker_means_this_process(program: Program) -> None:
    alone = json_of(program.run("solve", "4x3:3", "--json"))
    answer = json_of(program.run("solve", "4x3:3", "--workers", "1", "--json"))
    assert {**answer, "seconds": 0} == {**alone, "seconds": 0}


def test_memory_limit_covers_all_processes(program: Program) -> None:
    ran = program.run("solve", "4x3:3", "--workers", "3", "--memory", "1")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert SAY["en"]("memory-too-small", game="4x3:3", least=4) in ran.errors


CTRL_C = """
import sys
from noughts.search.parallel import division
division.MIN_BUDGETS, division.MIN_TASKS = {False: 256, True: 16}, {False: 128, True: 16}
from noughts.interfaces.cli import resume
from noughts.interfaces.cli.main import main
resume.SAVE_SECONDS = 0.01
if __name__ == "__main__":
    main(["solve", "7x7:4,exact", "--workers", "2", "--limit-seconds", "99", "--json", "--resume", "work"])
"""


def await_that(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_there(group: int) -> bool:
    """Return True if a process of *group* is alive."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_ctrl_c_stops_all_workers(tmp_path: Path) -> None:
    """All processes of the terminal get the signal. The result is printed and saved."""
    script, file = tmp_path / "script.py", tmp_path / "work"
    script.write_text(CTRL_C)
    with subprocess.Popen(
        [sys.executable, script],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        await_that(file.exists)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (DONE, b"")
    assert b'"value": "unknown"' in output
    await_that(lambda: not is_there(process.pid))


class Threads(ThreadPoolExecutor):
    """An executor like that of Dask, which does not report its end."""

    def shutdown(self, wait: bool = True) -> None:  # type: ignore[override]
        super().shutdown(wait, cancel_futures=not wait)


class Cluster:
    """A client like that of Dask, with threads of this process."""

    status = "running"

    def __init__(self, address: str, timeout: float) -> None:
        if address == "nonsense":
            raise TypeError(address)
        if address == "nowhere":
            raise OSError(address)
        self.address, self.is_closed = address, False

    def nthreads(self) -> dict[str, int]:
        return {} if self.address == "empty" else {"one": 1, "other": 1}

    def get_executor(self, *, pure: bool) -> Threads:
        assert not pure
        return Threads(2)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.is_closed = True


def test_cluster_solves_a_game(
    program: Program, monkeypatch: pytest.MonkeyPatch, handed_out: list[QuestionNode]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    for options in ((), ("--workers", "1")):
        handed_out.clear()
        ran = program.run("solve", "4x4:3,gravity", "--cluster", "tcp://there:8786", "--json", *options)
        answer = json_of(ran)
        assert (answer["value"], answer["plies"]) == ("first", 9)
        assert handed_out


def test_failing_workers_are_reported_and_work_saved(
    program: Program, monkeypatch: pytest.MonkeyPatch, handed_out: list[QuestionNode]
) -> None:
    """Workers fail like this if the machines of a cluster lack noughts."""

    def failing(_: object) -> None:
        raise ModuleNotFoundError("no noughts")

    monkeypatch.setattr(cluster, "packed_result", failing)
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    ran = program.run("solve", "4x3:3", "--cluster", "there", "--resume", "work")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    reason = "ModuleNotFoundError: no noughts"
    assert SAY["en"]("workers-failed", reason=reason) in " ".join(ran.errors.split())
    assert len(handed_out) >= division.MAX_FAILURES
    assert (program.folder / "work").is_file()


def test_lost_cluster_is_reported(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def losing(_: object) -> None:
        monkeypatch.setattr(Cluster, "status", "closed")
        logging.getLogger("distributed").error("Failed to reconnect")
        raise OSError

    monkeypatch.setattr(cluster, "packed_result", losing)
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    monkeypatch.setattr(division, "MIN_BUDGETS", {False: 64, True: 4})
    ran = program.run("solve", "4x3:3", "--cluster", "there")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert ran.errors.split("\n")[0] == SAY["en"]("cluster-lost", address="there")


def test_call_with_timeout_raises_when_late() -> None:
    event = threading.Event()
    with pytest.raises(TimeoutError):
        call_with_timeout(event.wait, 0.0)
    event.set()


def test_bad_file_is_refused(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    say = SAY["ru"]

    def refused(*options: str, **data: Any) -> None:
        ran = program.run("--lang", "ru", "solve", *options)
        assert (ran.status, ran.output) == (UNUSABLE, "")
        assert say(data.pop("message"), **data) in " ".join(ran.errors.split())

    refused("reversi", "--workers", "2", message="workers-unsupported", game="reversi")
    refused("4x3:3", "--workers", "0", message="usage-whole-number-range", first=1, last=64)
    refused("4x3:3", "--memory", "0", message="usage-whole-number-range", first=1, last=1_000_000)
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused(
        "4x3:3",
        "--cluster",
        "there",
        message="extra-missing",
        who="--cluster",
        extra="cluster",
        **install_commands("cluster"),
    )
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    refused("4x3:3", "--cluster", "nowhere", message="cluster-unreachable", address="nowhere")
    refused("4x3:3", "--cluster", "nonsense", message="cluster-unreachable", address="nonsense")
    refused("4x3:3", "--cluster", "empty", message="cluster-empty", address="empty")
