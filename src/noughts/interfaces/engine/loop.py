"""The main loop of the engine, which reads lines during a search and keeps the time limits.

One thread reads and one searches. The thread of the loop decides and answers. All messages reach it in one
queue.
"""

import gc
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import dist, inf
from queue import Empty, SimpleQueue
from random import Random
from time import monotonic
from typing import Protocol

from noughts.games.base import Game, Move
from noughts.games.catalogue import new_game
from noughts.games.moves import cells_of
from noughts.games.openings import SWAP
from noughts.games.rules import Rules
from noughts.interfaces.engine.dialogue import EngineDialogue, MoveRequest, printable
from noughts.players.base import Player
from noughts.players.levels import EXACT_CELLS, LEVELS, LevelPlayer
from noughts.search.analysis import Limit, Progress, Report
from noughts.search.analyst import Analyst
from noughts.search.balance import choose_side, place_evenly
from noughts.search.engine.engine import Engine
from noughts.search.explain.immediate import SMALL_CELLS
from noughts.search.numba_backend import Machine, python_machine
from noughts.text import words_of
from noughts.workers.protocols.gomocup import Point, format_point, parse_command, point_of
from noughts.workers.protocols.line_buffer import LineBuffer


class SupportsThinking(Protocol):
    """The interface of a thinker, such as :class:`~noughts.interfaces.engine.loop.EngineThinker`."""

    def prepare(self, expected: Sequence[Rules], max_memory: int) -> None:
        """Prepare for games of the *expected* rules, in any thread.

        *max_memory* is the memory limit in bytes, or 0 for no limit.
        """

    def think(self, question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        """Return the points of the answer, none for ``SWAP``. *report* receives progress."""


@dataclass(frozen=True, slots=True)
class SearchMessage:
    """A message of ``search``: its ``progress``, or the ``points`` of its answer, none for ``SWAP``.

    ``fault`` is an internal error that prevents an answer.
    """

    search: "RunningSearch"
    progress: Progress | None = None
    points: tuple[Point, ...] | None = None
    fault: str = ""


UNREST_FADING = 0.6
"""The part of the unrest that remains after another depth."""

UNREST_DROP = 100
"""The drop of the score that adds one unit of unrest, as a new best move does."""


def unrest_after(unrest: float, before: Progress, now: Progress) -> float:
    """Return the unrest of a search that goes from *before* to *now*, by one depth.

    >>> before = Progress("searching", best=(7, 7), score=20)
    >>> unrest_after(1.0, before, replace(before, score=-5))
    0.85
    >>> unrest_after(0.0, before, replace(before, best=(6, 6)))
    1.0
    """
    drop = 0 if before.score is None or now.score is None else before.score - now.score
    return unrest * UNREST_FADING + (now.best != before.best) + min(max(drop, 0) / UNREST_DROP, 1)


class RunningSearch:
    """A search of *thinker* for *question*, which came at the time *begin* of the clock *now*.

    *put* receives messages. ``last_end`` is the latest time at which it ends. It may be changed during the
    search.
    """

    def __init__(
        self,
        thinker: SupportsThinking,
        question: MoveRequest,
        put: Callable[[SearchMessage], None],
        begin: float,
        now: Callable[[], float],
    ) -> None:
        self.question, time = question, question.time
        self.last_end = inf if time is None else begin + time.thinking_ms / 1000
        self._thinker, self._put, self._begin, self._now = thinker, put, begin, now
        self._unrest, self._before = 0.0, Progress("searching")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="noughts-searching", daemon=True)

    def start(self) -> None:
        """Start the search in a thread of its own."""
        self._thread.start()

    @property
    def end(self) -> float:
        """The time at which the search ends, as long as its results do not change."""
        time = self.question.time
        if time is None:
            return self.last_end
        return min(self.last_end, self._begin + time.allotted_ms(self._unrest) / 1000)

    def stop(self) -> None:
        """Request the answer now."""
        self._stop.set()

    def leave(self, seconds: float | None = None) -> None:
        """Stop the search, and wait at most *seconds* for its thread."""
        self._stop.set()
        self._thread.join(seconds)

    def _work(self) -> None:
        question = self.question
        seconds = None if self.last_end == inf else max(0.0, self.last_end - self._now())
        limit = Limit(seconds, question.max_node, question.max_depth, self._is_over)
        try:
            self._put(SearchMessage(self, points=self._thinker.think(question, limit, self._report)))
        except Exception as error:
            self._put(SearchMessage(self, fault=words_of(error)))

    def _is_over(self) -> bool:
        return self._stop.is_set() or self._now() >= self.end

    def _report(self, progress: Progress) -> None:
        if progress.depth:
            if self._before.depth:
                self._unrest = unrest_after(self._unrest, self._before, progress)
            self._before = progress
        self._put(SearchMessage(self, progress))


COMPILED_BYTES = 320 << 20
"""The memory below which the compiled search, its compiler and its tables are not loaded."""

LOADING_S = 60.0
"""The time limit for loading the compiled search in the background, in seconds."""

SIDE_CHOICE_SHARE = 0.5
"""The share of the time for choosing a side, which stops less promptly than a search."""

FIRST_STONES = 3
"""The number of stones that start a swap2 opening."""


class SearchPlayer(Player):
    """A player that plays the best move of the search on boards of any size, without exact values."""

    def __init__(self, machine: Machine | None) -> None:
        self._analyst = Analyst(machine=machine)

    def report_to(self, report: Report) -> None:
        self._analyst.report = report

    def choose(self, game: Game, limit: Limit) -> Move:
        move = self._analyst.search(game, limit).best
        assert move is not None  # noqa: S101 - the game goes on
        return move


class EngineThinker:
    """A thinker that answers one request after another, and reuses its results in the next move."""

    def __init__(self) -> None:
        self._first = SearchPlayer(python_machine())
        self._player: Player | None = None
        self._made_for: tuple[str, bool, bool] | None = None

    def prepare(self, expected: Sequence[Rules], max_memory: int) -> None:
        """Prepare the tables of the boards as for a move without time, in Python and then compiled.

        The compiled search is loaded in the background of the first move that would need it.
        """
        games = [new_game(rules.spec) for rules in expected]
        is_compiled = _has_room(max_memory) and any(map(Engine.supports, games))
        if is_compiled:
            Engine().prepare()
        for game in games:
            _first_look(game, self._first)
        if is_compiled:
            Engine().prepare(LOADING_S)
            for game in games:
                _first_look(game, SearchPlayer(None))
        gc.freeze()  # Code and tables stay, and collecting them again would delay a move.

    def think(self, question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        """Return the points of the answer, none for ``SWAP``. *report* receives progress."""
        game = question.game
        if question.is_swap2:
            part = (
                limit if limit.seconds is None else replace(limit, seconds=limit.seconds * SIDE_CHOICE_SHARE)
            )
            if not any(game.cells):
                return _place(game, part)
            if choose_side(game, (SWAP,), part) == SWAP:
                return ()
        player = self._player_for(game, has_room=_has_room(question.max_memory))
        if not any(game.cells):
            limit = Limit(seconds=0)  # The first move is the middle, which needs no search.
        elif Engine.supports(game):
            report(Progress("searching", best=_first_look(game, self._first)))
        player.report_to(report)
        return (point_of_move(player.choose(game.copy(), limit)),)

    def _player_for(self, game: Game, *, has_room: bool) -> Player:
        """Return the strongest level if it may find exact values of *game*, else a player that only searches.

        If memory is scarce, the latter does so without compiled search.
        """
        is_late = game.cells.count(None) <= EXACT_CELLS
        if self._player is None or self._made_for != (game.name, has_room, is_late):
            self._made_for = game.name, has_room, is_late
            is_small = has_room and len(game.cells) <= SMALL_CELLS
            if is_small and (is_late or Analyst.is_proved(game)):
                self._player = LevelPlayer(LEVELS[-1], Random(0))
            else:
                self._player = SearchPlayer(None if has_room else python_machine())
        return self._player


def _has_room(max_memory: int) -> bool:
    """Return True if the memory suffices for the compiled search."""
    return not 0 < max_memory < COMPILED_BYTES


def _first_look(game: Game, player: SearchPlayer) -> Move:
    """Return an urgent or promising move, as the answer of a search that is late."""
    return player.choose(game, Limit(seconds=0))


def _place(game: Game, limit: Limit) -> tuple[Point, ...]:
    """Return three stones that leave both sides nearly equal."""
    limit = limit.started()
    game, points = game.copy(), list[Point]()
    for marks in range(FIRST_STONES, 0, -1):
        move = place_evenly(game, marks, limit)
        game.play(move)
        points.append(point_of_move(move))
    return tuple(points)


def quick_move(game: Game) -> Move:
    """Return a move without a search: on as many lines as possible, then near the middle."""
    middle = [(length - 1) / 2 for length in game.shape]
    return max(game.legal_moves(), key=lambda move: (game.weight(move), -dist(cells_of(move)[0], middle)))


def quick_opening(game: Game) -> tuple[Point, ...]:
    """Return three stones without a search, in the middles of three edges, which help neither side."""
    height, width = game.shape
    return (width // 2, 0), (0, height // 2), (width // 2, height - 1)


def progress_line(progress: Progress, best: Move) -> str:
    """Return the line about *progress* with its *best* move."""
    score = "" if progress.score is None else f" score {progress.score}"
    line = " ".join(format_point(point_of_move(move)) for move in progress.pv or (best,))
    return f"MESSAGE depth {progress.depth} nodes {progress.nodes}{score} pv {line}"


def point_of_move(move: Move) -> Point:
    """Return the point of *move*."""
    return point_of(cells_of(move)[0])


LATE_SHARE = 0.5
"""The share of the margin after which a search is answered with its latest result."""

AT_ONCE_S = 0.5
"""The delay, in seconds, until a search without time is answered: a later move is better than a bad one."""

FAREWELL_S = 0.5
"""The time limit of a search after the end of input, in seconds: the manager may be gone."""

MAX_WAIT_S = 3600.0
"""The longest single wait, in seconds, since some systems limit it."""

END_S = 1.0
"""The time to wait for a stopped search at the end, in seconds."""

PREPARE_S = 1.0
"""The time to prepare a board before ``START`` is answered, in seconds.

The rest runs in the background.
"""

END_OF_INPUT = None

Event = tuple[str, ...] | SearchMessage | None
"""Lines that arrived together, a message of a search, or the end of input."""

Read = Callable[[], bytes]
"""A function that waits for bytes and returns them, or none at the end of input."""

Write = Callable[[str], None]
"""A function that sends a line at once."""


class EngineLoop:
    """A loop that reads from *read* and answers by *write* until ``END`` or the end of input.

    *now* returns seconds. ``END`` during a search ends the loop without an answer. Lines that arrive together
    with a following ``END``, as from a file, are answered.
    """

    def __init__(
        self,
        read: Read,
        write: Write,
        thinker: SupportsThinking | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._read, self._write, self._now = read, write, now
        self._thinker = EngineThinker() if thinker is None else thinker
        self._dialogue = EngineDialogue()
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._waiting: deque[str] = deque()  # Lines without an answer.
        self._has_ended = False  # The input has ended.
        self._prepared: set[Rules] = set()  # Rules that the thinker has prepared.
        self._search: RunningSearch | None = None

    def run(self) -> None:
        """Answer until the end."""
        threading.Thread(target=self._listen, name="noughts-listening", daemon=True).start()
        try:
            while (line := self._next_line()) is not None:
                heard = self._dialogue.hear(line)
                self._prepare()
                for answer in heard.lines:
                    self._write(answer)
                if heard.is_end or (heard.question is not None and not self._answer(heard.question)):
                    break
        finally:
            if self._search is not None:
                self._search.leave(END_S)

    def _listen(self) -> None:
        """Put the input on the queue, in a thread of its own."""
        lines = LineBuffer()
        with suppress(OSError, ValueError):  # A file that cannot be read has ended.
            while data := self._read():
                self._events.put(lines.feed(data))
        self._events.put(lines.rest())
        self._events.put(END_OF_INPUT)

    def _next_line(self) -> str | None:
        """Return the next line to answer, or None at the end of input."""
        while not self._waiting and not self._has_ended:
            event = self._events.get()
            if event is END_OF_INPUT:
                self._has_ended = True
            elif isinstance(event, tuple):
                self._waiting.extend(event)
            # A message of a search that has been answered is dropped.
        return self._waiting.popleft() if self._waiting else None

    def _prepare(self) -> None:
        """Prepare a new board for a short time before ``START`` is answered, while no clock runs."""
        new = [rules for rules in self._dialogue.expected if rules not in self._prepared]
        if new:
            self._prepared.update(new)
            facts = (new, self._dialogue.max_memory)
            thread = threading.Thread(
                target=self._thinker.prepare, args=facts, name="noughts-preparing", daemon=True
            )
            thread.start()
            thread.join(PREPARE_S)

    # Search

    def _answer(self, question: MoveRequest) -> bool:
        """Answer *question* after a search, or return False if the manager has quit."""
        started = self._now()
        if self._search is not None:
            self._search.leave()
        self._search = search = RunningSearch(self._thinker, question, self._events.put, started, self._now)
        if self._has_ended or any(parse_command(line).word == "END" for line in self._waiting):
            search.last_end = min(search.last_end, started + FAREWELL_S)
        search.start()
        points = self._wait(search)
        if points is None:
            return False
        spent_ms = round((self._now() - started) * 1000)
        if question.is_swap2:
            self._dialogue.spent(spent_ms)
        else:
            self._dialogue.answered(points[0], spent_ms)
        self._write(" ".join(map(format_point, points)) or "SWAP")
        return True

    def _wait(self, search: RunningSearch) -> tuple[Point, ...] | None:
        """Wait for the answer of *search*, or take the best move if it is late.

        Return None after ``END``.
        """
        best: Move | None = None
        while True:
            late_s = self._deadline_s(search)
            try:
                event = self._events.get(timeout=min(max(late_s - self._now(), 0), MAX_WAIT_S))
            except Empty:
                if self._now() >= late_s:
                    return _late_answer(search, best)
                continue
            if event is END_OF_INPUT:
                self._has_ended = True
                search.last_end = min(search.last_end, self._now() + FAREWELL_S)
            elif isinstance(event, tuple):
                if not self._execute_lines(event, search):
                    return None
            elif event.search is search:
                if event.points is not None:
                    return event.points
                if event.fault:
                    self._write(f"DEBUG {printable(event.fault)}")
                    return _late_answer(search, best)
                if event.progress is not None and event.progress.best is not None:
                    best = event.progress.best
                    if event.progress.depth:  # A first guess is not reported.
                        self._write(progress_line(event.progress, best))

    def _deadline_s(self, search: RunningSearch) -> float:
        """Return the time at which the loop stops waiting for *search*."""
        time = search.question.time
        if time is None or time.thinking_ms == 0:
            return search.end + AT_ONCE_S
        return search.end + LATE_SHARE * time.margin_ms / 1000

    def _execute_lines(self, lines: tuple[str, ...], search: RunningSearch) -> bool:
        """Execute the *lines* that concern *search*, and queue the others, or return False after ``END``."""
        for line in lines:
            word = parse_command(line).word
            if word == "END":
                return False
            if word == "YXSTOP":
                search.stop()
            elif word == "INFO":
                self._dialogue.hear(line)
            else:
                self._waiting.append(line)
        return True


def _late_answer(search: RunningSearch, best: Move | None) -> tuple[Point, ...]:
    """Return *best* or a quick move.

    In a swap2 opening return ``SWAP`` or the first three stones.
    """
    question = search.question
    if not question.is_swap2:
        return (point_of_move(best or quick_move(question.game)),)
    if not any(question.game.cells):
        return quick_opening(question.game)
    return () if best is None else (point_of_move(best),)
