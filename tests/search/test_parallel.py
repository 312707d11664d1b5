"""Divided questions: the values stay the same, whatever happens to the workers."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from dataclasses import replace
from io import BytesIO, StringIO
from itertools import chain, repeat
from random import Random
from typing import Any

import pytest

from noughts import new_game, solve
from noughts.certificates.verify import verify
from noughts.errors import WorkersFailed
from noughts.games.notation import parse_position, play_moves
from noughts.proofs.writer.certify import certify
from noughts.search.analysis import BudgetReachedError, Effort, Limit, Progress
from noughts.search.analyst import Analyst
from noughts.search.dfpn.search import AttackSearch
from noughts.search.exact import move_values, scheduler
from noughts.search.exact.checkpoint import read_checkpoint, write_checkpoint
from noughts.search.exact.questions import Attack, ExactQuestion, attacking_of, blocking_of
from noughts.search.exact.scheduler import ExactValuer
from noughts.search.exact.search import ExactSearch
from noughts.search.maker_breaker import search as blocking
from noughts.search.numba_backend import PLAIN, python_machine
from noughts.search.parallel import division, task
from noughts.search.parallel.division import Division, Workers
from noughts.search.parallel.task import QuestionResult, Task, run_task
from tests.search.machines import rules_of


class DirectExecutor(Executor):
    """An executor that runs tasks at once in this thread. *raises* may return an error for a task number."""

    def __init__(self, raises: Callable[[int], Exception | None] = lambda number: None) -> None:
        self.tasks, self._raises = 0, raises

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        if (error := self._raises(self.tasks)) is not None:
            future.set_exception(error)
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide everything into the smallest possible tasks."""
    monkeypatch.setattr(division, "MIN_BUDGETS", {False: 64, True: 4})
    monkeypatch.setattr(division, "MIN_TASKS", {False: 16, True: 2})
    monkeypatch.setattr(division, "TRIED_HERE", 2)
    monkeypatch.setattr(task, "_worker", threading.local())  # Workers start without results.
    monkeypatch.setenv(PLAIN, "1")


def analyst_of(executor: Executor, count: int = 2) -> Analyst:
    return Analyst(machine=python_machine(), workers=Workers(executor, count))


BOARDS = (
    *("tictactoe", "4x3:3", "5x4:4", "3x3x3:3", "torus", "4x4:3,hex", "4x3:3,exact", "4x3:3,gravity,wrap"),
    *("4x4:3,gravity", "4x4:4,gravity", "misere", "notakto", "wild"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_division_keeps_the_value(name: str) -> None:
    game, workers = new_game(name), DirectExecutor()
    alone = Analyst(machine=python_machine()).solve(game)
    found = analyst_of(workers).solve(game)
    assert (found.value, found.plies) == (alone.value, alone.plies)
    assert workers.tasks > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["4x3:3", "4x4:3,gravity", "4x4:4,wrap=x", "5x4:4", "4x3:3,notakto", "3x2:2,wild,misere"]
)
def test_divided_values_match_a_single_search(name: str) -> None:
    """One search uses the results of workers for many positions and the moves from them."""
    chance, game = Random(name), new_game(name)
    search = ExactSearch(rules_of(game), python_machine())
    divided = ExactValuer(search, Division(search, Workers(DirectExecutor(), 3)))
    alone = ExactValuer(ExactSearch(rules_of(game), python_machine()))
    for _ in range(6):
        position = game.copy()
        for _ in range(chance.randrange(len(game.cells) // 2)):
            if not position.is_over:
                position.play(chance.choice(list(position.legal_moves())))
        if not position.is_over:
            worth = divided.value_of(position)
            assert worth == alone.value_of(position), position.moves
            best = divided.best_of(position, *worth)
            position.play(best)
            if position.outcome is None:
                assert alone.value_of(position) == (-worth[0], worth[1] - 1 if worth[0] else 0)


def test_best_move_may_end_lost_game() -> None:
    game = parse_position(new_game("misere"), "XX./OOX/XOO")
    search = ExactSearch(rules_of(game), python_machine())
    divided = ExactValuer(search, Division(search, Workers(DirectExecutor(), 2)))
    assert divided.value_of(game) == (-1, 1)
    assert divided.best_of(game, -1, 1) == (0, 2)


def test_division_reports_known_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The division does not repeat the work of the workers."""
    monkeypatch.setattr(move_values, "FIRST_BUDGET", 1)
    game, reports = new_game("4x4:3,gravity"), list[Progress]()
    analyst = Analyst(reports.append, python_machine(), workers=Workers(DirectExecutor(), 2))
    found = analyst.solve(game)
    search = analyst.exact_search(game)
    assert search is not None
    assert found.pv[0] == found.best
    assert found.nodes == search.effort.nodes > search.effort.worker_nodes > 0
    assert search.nodes == found.nodes - search.effort.worker_nodes
    assert max(progress.table_bytes for progress in reports) > 0


def test_worker_results_are_saved_and_certified() -> None:
    """Stored results need no task, even after loading from a file, and they suffice for a certificate."""
    game, stream, text, before = new_game("4x3:3"), BytesIO(), StringIO(), DirectExecutor()
    analyst = analyst_of(before)
    found = analyst.solve(game)
    search = analyst.exact_search(game)
    assert search is not None
    write_checkpoint(search, stream)
    certify(game, "first", text, exact=search)
    assert verify(BytesIO(text.getvalue().encode())).holds
    workers = DirectExecutor()
    after = analyst_of(workers)
    going_on = after.exact_search(game)
    assert going_on is not None
    stream.seek(0)
    read_checkpoint(going_on, stream)
    assert replace(after.solve(game), nodes=0) == replace(found, nodes=0)
    assert workers.tasks < before.tasks


@pytest.mark.slow
def test_proof_reuses_worker_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results from the workers' search for the value are known here too, so they are not searched again."""
    game, nodes = new_game("6x4:4"), list[int]()
    for most in (0, 1 << 10):
        monkeypatch.setattr(blocking, "MAX_NEWS", most)
        analyst, text = analyst_of(SimulatedProcesses(2)), StringIO()
        assert analyst.solve(game).value == 0
        search = analyst.exact_search(game)
        assert search is not None
        before = blocking_of(search).nodes
        certify(game, "draw", text, exact=search)
        assert verify(BytesIO(text.getvalue().encode())).holds
        nodes.append(blocking_of(search).nodes - before)
    assert nodes[1] < nodes[0]


def test_failed_task_is_retried() -> None:
    """A killed worker loses only its task. A task that always fails raises an error."""
    killed = DirectExecutor(lambda number: OSError("killed") if number % 2 else None)
    assert analyst_of(killed).solve(new_game("4x3:3")).plies == 7
    assert killed.tasks > 2
    with pytest.raises(WorkersFailed, match="OSError: killed"):
        analyst_of(DirectExecutor(lambda number: OSError("killed"))).solve(new_game("4x3:3"))


@pytest.mark.parametrize("error", [BrokenExecutor("gone"), RuntimeError("shut down")])
def test_search_continues_without_workers(error: Exception) -> None:
    class BrokenWorkers(DirectExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if self.tasks == 2 and not isinstance(error, BrokenExecutor):
                raise error
            return super().submit(fn, *args, **kwargs)

    workers = BrokenWorkers(lambda number: error if number > 2 else None)
    assert analyst_of(workers).solve(new_game("4x3:3")).plies == 7
    assert workers.tasks <= 3


class IdleExecutor(DirectExecutor):
    """An executor that starts no task, so that the caller waits for its limit."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        return Future()


def test_division_respects_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only proved results are reported, and the stop signal is checked while waiting."""
    monkeypatch.setattr(division, "LOOK_SECONDS", 0.0)
    game = new_game("4x4:4,gravity")
    for nodes in range(0, 3000, 250):
        found = analyst_of(DirectExecutor()).solve(game, Limit(nodes=nodes))
        assert found.value in (None, 0)
        assert found.nodes <= nodes
    answers = chain(repeat(False, 20), repeat(True))
    workers = IdleExecutor()
    assert analyst_of(workers).solve(game, Limit(stop=lambda: next(answers))).value is None
    assert workers.tasks == 2


def test_unneeded_tasks_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks are cancelled once the question is answered, unless a worker has started them."""
    monkeypatch.setattr(division, "LOOK_SECONDS", 0.0)
    waiting: list[tuple[Future[Any], Any]] = []

    class LateExecutor(DirectExecutor):
        """An executor that runs the last task first."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            waiting.append((future, args))
            if len(waiting) % 2:
                future.set_running_or_notify_cancel()
            return future

    def wait_for(running: Any, **_: Any) -> Any:
        """Replace the waiting of the division: now a worker runs a task."""
        future, args = [(future, args) for future, args in waiting if future in running][-1]
        future.set_result(run_task(*args))
        return wait(running, timeout=0)

    monkeypatch.setattr(division, "wait", wait_for)
    assert analyst_of(LateExecutor(), 3).solve(new_game("4x3:3")).plies == 7
    assert any(future.cancelled() for future, _ in waiting)
    assert any(future.running() for future, _ in waiting)


def test_cut_short_task_has_no_answer() -> None:
    game = new_game("4x4:4,gravity")
    for question in (ExactQuestion(0), ExactQuestion(1, 8)):
        assert run_task(Task(game, question, 3)) == QuestionResult(None, None, 3)
        done = run_task(Task(game, question, 1 << 20, max_bytes=1 << 22))
        assert (done.answer, done.nodes > 3) == (False, True)
    assert task._worker.search.max_bytes == 1 << 22


class SimulatedProcesses(DirectExecutor):
    """An executor that simulates several processes in turn, each with its own search."""

    def __init__(
        self, processes: int, raises: Callable[[int], Exception | None] = lambda number: None
    ) -> None:
        super().__init__(raises)
        self.tasks_of: list[Task] = []
        self._worker = [threading.local() for _ in range(processes)]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks_of += args
        task._worker = self._worker[self.tasks % len(self._worker)]
        return super().submit(fn, *args, **kwargs)


BUDGET = 1 << 12
"""More nodes than the attack on that torus takes. A runner gets a sixteenth of it at a time."""


def raced(workers: DirectExecutor, count: int) -> tuple[ExactSearch, Division]:
    """Return a search with the results of a race of *count* *workers* for the attack of the first side."""
    game = new_game("5x4:4,wrap")
    search = ExactSearch(rules_of(game), python_machine())
    divided = Division(search, Workers(workers, count))
    answer = divided.ask(game, Attack(0), BUDGET)
    assert answer is not None
    assert answer[0]
    assert answer[1] is not None
    game.play(answer[1])
    alone = AttackSearch.of(rules_of(game), python_machine())
    assert alone is not None
    assert alone.finds_win(game, 0, Effort())
    return search, divided


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_workers_race_for_an_attack(processes: int) -> None:
    """Runners keep their results and learn the wins of others. The results are saved and certified."""
    game, workers = new_game("5x4:4,wrap"), SimulatedProcesses(processes)
    search, divided = raced(workers, processes)
    assert {part.question for part in workers.tasks_of} == {Attack(0, seed=seed) for seed in range(processes)}
    assert [len(part.known) > 0 for part in workers.tasks_of[:1] + workers.tasks_of[-1:]] == [False, True]
    tasks, text, stream = workers.tasks, StringIO(), BytesIO()
    assert divided.ask(game, Attack(0), BUDGET) is not None
    assert workers.tasks == tasks, "the answer is known"
    write_checkpoint(search, stream)
    stream.seek(0)
    again = ExactSearch(rules_of(game), python_machine())
    read_checkpoint(again, stream)
    nodes = attacking_of(again).nodes
    certify(game, "first", text, exact=again)
    assert verify(BytesIO(text.getvalue().encode())).holds
    assert attacking_of(again).nodes - nodes < search.effort.worker_nodes // 8


@pytest.mark.slow
def test_stopped_race_continues_from_its_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers of the race and their failed attempts are lost."""
    monkeypatch.setattr(division, "MIN_TASKS", {False: BUDGET // 16, True: 2})
    game = new_game("5x4:4,wrap")
    search, _ = raced(SimulatedProcesses(2), 2)
    whole, stream = search.effort.nodes, BytesIO()
    first = ExactSearch(rules_of(game), python_machine())
    with pytest.raises(BudgetReachedError):
        Division(first, Workers(SimulatedProcesses(2), 2)).ask(game, Attack(0), whole * 3 // 8)
    write_checkpoint(first, stream)
    stream.seek(0)
    second = ExactSearch(rules_of(game), python_machine())
    read_checkpoint(second, stream)
    found = Division(second, Workers(SimulatedProcesses(2), 2)).ask(game, Attack(0), BUDGET)
    assert found is not None
    assert found[0]
    assert second.effort.nodes < whole


def test_race_survives_killed_workers() -> None:
    raced(SimulatedProcesses(2, lambda number: OSError("killed") if number % 3 == 1 else None), 2)


@pytest.mark.slow
def test_race_keeps_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "ATTACK_AFTER", 0)
    workers, game = DirectExecutor(), new_game("3x3x3:3")
    found = analyst_of(workers).solve(game)
    assert (found.value, found.plies) == (1, 7)
    assert workers.tasks > 0


@pytest.mark.slow
def test_failed_race_proves_nothing() -> None:
    """No runner succeeds, which is stored for this question alone."""
    game, workers = new_game("5x4:3"), SimulatedProcesses(2)
    search = ExactSearch(rules_of(game), python_machine())
    divided = Division(search, Workers(workers, 2))
    game.play((0, 0))
    assert divided.ask(game, Attack(1), 4 * BUDGET) == (False, None)
    search.set_up(game)
    assert search.recall(1, 16) is None


def test_finished_game_answers_questions() -> None:
    """A side that fills a line wins. Whether the other side could have stopped all lines is not known."""
    search = ExactSearch(rules_of(new_game("3x3:3")), python_machine())
    won, drawn = new_game("3x3:3"), new_game("3x3:3")
    play_moves(won, ["1", "4", "2", "5", "3"])
    play_moves(drawn, ["1", "2", "3", "5", "4", "6", "8", "7", "9"])
    for game, attacker, wins, stopped in (
        (won, 0, True, False),
        (won, 1, False, None),
        (drawn, 0, False, True),
    ):
        assert ExactQuestion(attacker).at_end(search, game) is wins
        assert ExactQuestion(attacker, lines=True).at_end(search, game) is stopped


def test_exact_lines_are_not_divided() -> None:
    """A line that is too long does not end the game, but counts for Maker.

    The positions after it prove nothing.
    """
    search = ExactSearch(rules_of(new_game("5x4:4,exact")), python_machine())
    divided = Division(search, Workers(DirectExecutor(), 2))
    assert divided.ask(new_game("5x4:4,exact"), ExactQuestion(0, lines=True), 1 << 10) is None


def test_solve_uses_an_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = DirectExecutor()
    assert solve(new_game("4x3:3"), executor=workers).plies == 7
    assert workers.tasks > 0
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert Workers(workers).count == 1
    assert Workers(workers, 5).count == 5
