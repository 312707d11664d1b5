"""The loop reads lines during a search, and answers in time with any thinker."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from noughts.games.rules import Rules
from noughts.interfaces.engine.dialogue import MoveRequest
from noughts.interfaces.engine.loop import FAREWELL_S, EngineLoop
from noughts.search.analysis import Limit, Progress, Report
from noughts.workers.protocols.gomocup import Point
from noughts.workers.protocols.gomocup_info import MAX_MARGIN_MS
from tests.interfaces.engine.managers import PATIENCE, feeding

Thought = Callable[[MoveRequest, Limit, Report], tuple[Point, ...]]

START = "START 5"


class Stand:
    """A thinker defined by a test."""

    def __init__(self, thought: Thought) -> None:
        self._thought = thought
        self.prepared: list[Rules] = []
        self.asked: list[MoveRequest] = []
        self.begun = threading.Semaphore(0)

    def prepare(self, expected: Sequence[Rules], max_memory: int) -> None:
        self.prepared += expected

    def think(self, question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        self.asked.append(question)
        self.begun.release()
        return self._thought(question, limit, report)

    def wait_until_asked(self) -> None:
        assert self.begun.acquire(timeout=PATIENCE)


class Clock:
    """A clock that a test sets, with the number of its readings."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return self.now


def first_free(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
    y, x = question.game.legal_moves()[0]
    return ((x, y),)


def until_stopped(*points: Point) -> Thought:
    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        while not limit.stop():
            pass
        return points

    return think


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_loop_answers_moves(end: str) -> None:
    thinker = Stand(first_free)
    with feeding(thinker) as manager:
        manager.send("INFO max_node 7", START, "", "INFO max_depth 3", "TURN 0,0", "NONSENSE", end=end)
        assert [manager.answer() for _ in range(3)] == ["OK", "1,0", "UNKNOWN NONSENSE"]
        manager.send("TURN 2,0", "INFO rule 1", "RESTART", "BEGIN", end=end)
        assert [manager.answer() for _ in range(3)] == ["3,0", "OK", "0,0"]
        assert manager.close() == []
    free = Rules(shape=(5, 5), k=5)
    assert thinker.prepared == [free, replace(free, exact=True), replace(free, renju=True)]
    assert (thinker.asked[0].max_node, thinker.asked[0].max_depth) == (7, 3)


def test_end_while_thinking_stops_silently() -> None:
    thinker = Stand(until_stopped((0, 0)))
    with feeding(thinker) as manager:
        manager.send(START, "INFO timeout_turn 3600000", "BEGIN")
        assert manager.answer() == "OK"
        thinker.wait_until_asked()
        manager.send("INFO time_left 5", "end", "TURN 1,1")
        assert manager.rest() == []


def test_lines_before_end_are_answered() -> None:
    """A whole dialogue may come from a file, but then the search is short."""
    limits: list[bool] = []

    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        limits.append(limit.stop())
        clock.now += FAREWELL_S
        limits.append(limit.stop())
        return first_free(question, limit, report)

    clock = Clock()
    thinker = Stand(think)
    with feeding(thinker, clock) as manager:
        manager.send(START, "INFO timeout_turn 3600000", "BEGIN", "ABOUT", "END", "ABOUT")
        lines = manager.rest()
    assert lines[:2] == ["OK", "0,0"]
    assert len(lines) == 3
    assert limits == [False, True]


def test_end_of_input_hurries_the_search() -> None:
    clock = Clock()
    thinker = Stand(until_stopped((3, 3)))
    with feeding(thinker, clock) as manager:
        manager.send(START, "INFO timeout_turn 3600000", "BEGIN")
        assert manager.answer() == "OK"
        thinker.wait_until_asked()
        manager.send("WOBBLE", end="")  # The search does not end.
        manager.send()
        while manager.searching is None or manager.searching.end > FAREWELL_S:
            pass
        clock.now = FAREWELL_S
        assert manager.rest() == ["3,3", "UNKNOWN WOBBLE"]


def test_stop_answers_now_and_queues_later_lines() -> None:
    thinker = Stand(until_stopped((2, 2)))
    with feeding(thinker) as manager:
        manager.send(START, "INFO timeout_turn 3600000", "BEGIN")
        assert manager.answer() == "OK"
        thinker.wait_until_asked()
        manager.send("TAKEBACK 2,2", "YXSTOP", "YXSTOP")
        assert [manager.answer() for _ in range(2)] == ["2,2", "OK"]
        assert manager.close() == []


def test_late_search_is_answered_with_best_move() -> None:
    """The answer is the best move so far, or a legal move. Later messages are ignored in the next game."""
    release = threading.Event()
    clock = Clock()

    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        if len(thinker.asked) == 2:
            report(Progress("searching", 1))
            report(Progress("searching", best=(0, 0)))
            report(Progress("searching", 5, 2, (1, 4), ((1, 4), (0, 0)), -3))
            report(Progress("searching", 6, 3, (1, 3)))
        if len(thinker.asked) <= 2:
            clock.now += 1
            assert release.wait(PATIENCE)
        return first_free(question, limit, report)

    thinker = Stand(think)
    with feeding(thinker, clock) as manager:
        manager.send(START, "INFO timeout_turn 100", "BEGIN")
        assert [manager.answer() for _ in range(2)] == ["OK", "2,2"]
        release.set()
        assert manager.searching is not None
        manager.searching.leave(PATIENCE)  # Its answer arrives, but the loop no longer waits for it.
        release.clear()
        manager.send("TURN 0,0")
        result = [manager.answer() for _ in range(3)]
        release.set()
        assert result == [
            "MESSAGE depth 2 nodes 5 score -3 pv 4,1 0,0",
            "MESSAGE depth 3 nodes 6 pv 3,1",
            "3,1",
        ]
        manager.send("TURN 0,1")
        assert manager.answer() == "1,0"
        assert manager.close() == []


def test_search_ends_later_when_its_result_changes() -> None:
    """The share of each of 13 moves is 1 s, and 65 ms are kept. The unrest fades by 0.6 a depth."""
    ends: list[float] = []

    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        assert limit.seconds is not None
        ends.append(limit.seconds)
        for depth, (best, score) in enumerate(
            [((0, 0), 0), ((0, 0), 9), ((1, 1), 9), ((1, 1), -41), ((1, 1), -900)]
        ):
            report(Progress("searching", 1, depth + 1, best, (), score))
            assert manager.searching is not None
            ends.append(manager.searching.end)
        return first_free(question, limit, report)

    with feeding(Stand(think), Clock()) as manager:
        manager.send("INFO timeout_turn 5000", "INFO timeout_match 13065", START, "BEGIN")
        assert [manager.answer() for _ in range(7)][-1] == "0,0"
        assert manager.close() == []
    assert ends == pytest.approx([2.95, 0.6, 0.6, 1.5, 1.59, 2.094])


def test_too_short_wait_continues() -> None:
    """The clock of the system may differ from that of the loop."""
    clock = Clock()

    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        first = clock.asked
        while clock.asked < first + 4:
            pass
        return first_free(question, limit, report)

    with feeding(Stand(think), clock) as manager:
        manager.send(START, "INFO timeout_turn 60", "BEGIN")
        assert [manager.answer() for _ in range(2)] == ["OK", "0,0"]
        assert manager.close() == []


def test_search_without_time_gets_a_moment() -> None:
    clock = Clock()

    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        assert limit.stop()
        clock.now += MAX_MARGIN_MS / 1000
        return first_free(question, limit, report)

    with feeding(Stand(think), clock) as manager:
        manager.send(START, "INFO timeout_turn 0", "BEGIN")
        assert [manager.answer() for _ in range(2)] == ["OK", "0,0"]
        assert manager.close() == []


def test_internal_fault_still_gets_an_answer() -> None:
    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        raise RuntimeError("no\nmove")

    with feeding(Stand(think)) as manager:
        manager.send(START, "BEGIN")
        assert [manager.answer() for _ in range(3)] == ["OK", "DEBUG RuntimeError: no\\x0amove", "2,2"]
        manager.send("SWAP2BOARD", "0,0", "1,1", "2,2", "DONE")
        assert [manager.answer() for _ in range(2)] == ["DEBUG RuntimeError: no\\x0amove", "SWAP"]
        assert manager.close() == []


def test_loop_answers_swap2_openings() -> None:
    answers: list[tuple[Point, ...]] = [((1, 1), (2, 2), (3, 3)), ((4, 4),), ()]

    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        return answers.pop(0)

    with feeding(Stand(think)) as manager:
        manager.send("START 15", "SWAP2BOARD", "DONE")
        assert [manager.answer() for _ in range(2)] == ["OK", "1,1 2,2 3,3"]
        for answer in ("4,4", "SWAP"):
            manager.send("SWAP2BOARD", "0,0", "1,1", "2,2", "DONE")
            assert manager.answer() == answer
        assert manager.close() == []


def test_late_swap2_search_is_answered() -> None:
    """The answer is three stones, the best move after staying, or else the swap."""
    release = threading.Event()
    clock = Clock()

    def think(question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        if len(thinker.asked) == 3:
            report(Progress("searching", best=(1, 4)))
        clock.now += 1
        assert release.wait(PATIENCE)
        release.clear()
        return first_free(question, limit, report)

    thinker = Stand(think)
    with feeding(thinker, clock) as manager:
        manager.send("RECTSTART 7,5", "INFO timeout_turn 100")
        assert manager.answer() == "OK"
        text: tuple[list[str], ...] = ([], ["0,0", "1,1", "2,2"], ["0,0", "1,1", "2,2"])
        for stones, answer in zip(text, ("3,0 0,2 3,4", "SWAP", "4,1"), strict=True):
            manager.send("SWAP2BOARD", *stones, "DONE")
            assert manager.answer() == answer
            release.set()
        assert manager.close() == []


def test_unreadable_input_ends_the_loop() -> None:
    def fail() -> bytes:
        raise OSError

    EngineLoop(fail, lambda line: None, Stand(first_free)).run()
