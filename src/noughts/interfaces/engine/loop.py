"""The loop of an engine: it hears lines also while it thinks, and keeps its time.

One thread reads, one thinks; the one that runs the loop alone decides and answers. All that it is told comes
by one queue.
"""

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
from noughts.players.levels import LEVELS, LevelPlayer
from noughts.search.analysis import Limit, Progress, Report
from noughts.search.analyst import Analyst
from noughts.search.balance import choose_side, place_evenly
from noughts.search.engine.engine import Engine
from noughts.search.explain.immediate import SMALL_CELLS
from noughts.search.numba_backend import Machine, python_machine
from noughts.text import words_of
from noughts.workers.protocols.gomocup import Point, format_point, parse_command, point_of
from noughts.workers.protocols.gomocup_info import MARGIN_MS
from noughts.workers.protocols.line_buffer import LineBuffer


class SupportsThinking(Protocol):
    """A thinker that answers questions, such as :class:`~noughts.interfaces.engine.loop.EngineThinker`."""

    def prepare(self, expected: Sequence[Rules], max_memory: int) -> None:
        """Get ready for games of the *expected* rules, in any thread.

        With so many bytes of memory; 0 for as many as one likes.
        """

    def think(self, question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        """The points to answer with; none for ``SWAP``. *report* is told of progress."""


@dataclass(frozen=True, slots=True)
class SearchMessage:
    """A message of ``search``: its ``progress``, or at last the ``points`` of the answer, none for ``SWAP``.

    ``fault`` says why there is no answer: then something is wrong with us.
    """

    search: "RunningSearch"
    progress: Progress | None = None
    points: tuple[Point, ...] | None = None
    fault: str = ""


class RunningSearch:
    """Has *thinker* think about *question* until *end*, in seconds as *now* tells them; *put* hears of it.

    ``end`` may be set to another time.
    """

    def __init__(
        self,
        thinker: SupportsThinking,
        question: MoveRequest,
        put: Callable[[SearchMessage], None],
        end: float,
        now: Callable[[], float],
    ) -> None:
        self.question, self.end = question, end
        self._thinker, self._put, self._now = thinker, put, now
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="noughts-searching", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """The answer is wanted now."""
        self._stop.set()

    def leave(self, seconds: float | None = None) -> None:
        """Stop, and wait so long for the thread to end."""
        self._stop.set()
        self._thread.join(seconds)

    def _work(self) -> None:
        question = self.question
        seconds = None if self.end == inf else max(0.0, self.end - self._now())
        limit = Limit(seconds, question.max_node, question.max_depth, self._is_over)
        try:
            self._put(SearchMessage(self, points=self._thinker.think(question, limit, self._report)))
        except Exception as error:
            self._put(SearchMessage(self, fault=words_of(error)))

    def _is_over(self) -> bool:
        return self._stop.is_set() or self._now() >= self.end

    def _report(self, progress: Progress) -> None:
        self._put(SearchMessage(self, progress))


COMPILED_BYTES = 320 << 20
"""With less memory than this the compiled search, its compiler and its tables are not loaded."""

LOADING_S = 60.0
"""Seconds that the compiled search has to be loaded, while nobody need wait for that."""

SETTLING = 0.5
"""The share of its time that it takes at most to settle sides: that ends not as promptly as a search."""

PLACED = 3
"""How many stones are placed first in a swap2 opening."""


class SearchPlayer(Player):
    """Plays what the search finds, on boards of any size, without looking for exact values."""

    def __init__(self, machine: Machine | None) -> None:
        self._analyst = Analyst(machine=machine)

    def report_to(self, report: Report) -> None:
        self._analyst.report = report

    def choose(self, game: Game, limit: Limit) -> Move:
        move = self._analyst.search(game, limit).best
        assert move is not None  # noqa: S101 - the game goes on
        return move


class EngineThinker:
    """Thinks about one question after another; what it remembers of a game helps with the next move."""

    def __init__(self) -> None:
        self._player: Player | None = None
        self._made_for: tuple[str, bool] | None = None

    def prepare(self, expected: Sequence[Rules], max_memory: int) -> None:
        """Make the tables of a board, and all that is made once, as for a move that has no time.

        The compiled search is loaded: beside the first move that would take time of it.
        """
        games = [new_game(rules.spec) for rules in expected]
        is_compiled = _has_room(max_memory) and any(map(Engine.supports, games))
        if is_compiled:
            Engine().prepare()
        for game in games:
            _first_look(game)
        if is_compiled:
            Engine().prepare(LOADING_S)

    def think(self, question: MoveRequest, limit: Limit, report: Report) -> tuple[Point, ...]:
        """The points to answer with; none for ``SWAP``. *report* is told of progress."""
        game = question.game
        if question.is_swap2:
            part = limit if limit.seconds is None else replace(limit, seconds=limit.seconds * SETTLING)
            if not any(game.cells):
                return _place(game, part)
            if choose_side(game, (SWAP,), part) == SWAP:
                return ()
        player = self._player_for(game, has_room=_has_room(question.max_memory))
        if not any(game.cells):
            limit = Limit(seconds=0)  # the middle, which needs no thought
        elif Engine.supports(game):
            report(Progress("searching", best=_first_look(game)))
        player.report_to(report)
        return (point_of_move(player.choose(game.copy(), limit)),)

    def _player_for(self, game: Game, *, has_room: bool) -> Player:
        """Return the player of *game*, without compiled search and exact values if memory is scarce."""
        if self._player is None or self._made_for != (game.name, has_room):
            self._made_for = game.name, has_room
            if has_room and len(game.cells) <= SMALL_CELLS:
                self._player = LevelPlayer(LEVELS[-1], Random(0))
            else:
                self._player = SearchPlayer(None if has_room else python_machine())
        return self._player


def _has_room(max_memory: int) -> bool:
    """Whether the compiled search may be loaded."""
    return not 0 < max_memory < COMPILED_BYTES


def _first_look(game: Game) -> Move:
    """Return an urgent move, or the one that seems best: a late search has at least that."""
    return SearchPlayer(python_machine()).choose(game, Limit(seconds=0))


def _place(game: Game, limit: Limit) -> tuple[Point, ...]:
    """Three stones that leave both sides nearly equal."""
    limit = limit.started()
    game, points = game.copy(), list[Point]()
    for marks in range(PLACED, 0, -1):
        move = place_evenly(game, marks, limit)
        game.play(move)
        points.append(point_of_move(move))
    return tuple(points)


def quick_move(game: Game) -> Move:
    """A move for want of time: through as many lines as can be, then near the middle."""
    middle = [(length - 1) / 2 for length in game.shape]
    return max(game.legal_moves(), key=lambda move: (game.weight(move), -dist(cells_of(move)[0], middle)))


def quick_opening(game: Game) -> tuple[Point, ...]:
    """Three stones for want of time, in the middles of three edges: so far apart they help neither side."""
    height, width = game.shape
    return (width // 2, 0), (0, height // 2), (width // 2, height - 1)


def progress_line(progress: Progress, best: Move) -> str:
    """The line that tells *progress*, with its *best* move."""
    score = "" if progress.score is None else f" score {progress.score}"
    line = " ".join(format_point(point_of_move(move)) for move in progress.pv or (best,))
    return f"MESSAGE depth {progress.depth} nodes {progress.nodes}{score} pv {line}"


def point_of_move(move: Move) -> Point:
    """The point on which *move* places a stone."""
    return point_of(cells_of(move)[0])


LATE_S = MARGIN_MS / 2000
"""A search that has not ended so many seconds after its time is answered for by what it has told."""

AT_ONCE_S = 0.5
"""The same where it has no time: then whoever asked waits a moment longer rather than for a bad move."""

FAREWELL_S = 0.5
"""Seconds to think at most where nothing more will be asked: whoever asked may be gone."""

MAX_WAIT_S = 3600.0
"""Seconds to wait at once: there are systems on which a wait cannot be much longer."""

END_S = 1.0
"""Seconds to wait for a search that was stopped, when leaving."""

PREPARE_S = 1.0
"""Seconds to prepare for a board before ``START`` is answered; what is left is done beside the game."""

END_OF_INPUT = None

Event = tuple[str, ...] | SearchMessage | None
"""Lines that came at once, what a search says, or the end of input."""

Read = Callable[[], bytes]
"""Waits for bytes and returns them; none at the end of input."""

Write = Callable[[str], None]
"""Sends a line at once."""


class EngineLoop:
    """Answers what *read* brings by *write*, until ``END`` or the end of input. *now* tells seconds.

    ``END`` heard while thinking ends it without a word. What came before an ``END`` in one piece, as from a
    file, is answered.
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
        self._waiting: deque[str] = deque()  # lines that came and were not answered yet
        self._has_ended = False  # no more lines come
        self._prepared: set[Rules] = set()  # for which the thinker is ready
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
        """Put what is read on the queue; in a thread of its own."""
        lines = LineBuffer()
        with suppress(OSError, ValueError):  # what can be read no more has ended
            while data := self._read():
                self._events.put(lines.feed(data))
        self._events.put(lines.rest())
        self._events.put(END_OF_INPUT)

    def _next_line(self) -> str | None:
        """The next line to answer; None at the end of input."""
        while not self._waiting and not self._has_ended:
            event = self._events.get()
            if event is END_OF_INPUT:
                self._has_ended = True
            elif isinstance(event, tuple):
                self._waiting.extend(event)
            # What a search says that was answered for is not wanted any more.
        return self._waiting.popleft() if self._waiting else None

    def _prepare(self) -> None:
        """Look at a new board before ``START`` is answered, while no clock runs, but not for long."""
        new = [rules for rules in self._dialogue.expected if rules not in self._prepared]
        if new:
            self._prepared.update(new)
            facts = (new, self._dialogue.max_memory)
            thread = threading.Thread(
                target=self._thinker.prepare, args=facts, name="noughts-preparing", daemon=True
            )
            thread.start()
            thread.join(PREPARE_S)

    # Thinking

    def _answer(self, question: MoveRequest) -> bool:
        """Think about *question* and answer it; False if nobody wants the answer any more."""
        started = self._now()
        if self._search is not None:
            self._search.leave()
        end = inf if question.thinking_ms is None else started + question.thinking_ms / 1000
        if self._has_ended or any(parse_command(line).word == "END" for line in self._waiting):
            end = min(end, started + FAREWELL_S)
        self._search = RunningSearch(self._thinker, question, self._events.put, end, self._now)
        points = self._wait(self._search)
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
        """What *search* answers, or the best so far where it is late; None where nobody wants it any more."""
        best: Move | None = None
        while True:
            late_s = self._late_s(search)
            try:
                event = self._events.get(timeout=min(max(late_s - self._now(), 0), MAX_WAIT_S))
            except Empty:
                if self._now() >= late_s:
                    return _for_want_of_time(search, best)
                continue
            if event is END_OF_INPUT:
                self._has_ended = True
                search.end = min(search.end, self._now() + FAREWELL_S)
            elif isinstance(event, tuple):
                if not self._hear(event, search):
                    return None
            elif event.search is search:
                if event.points is not None:
                    return event.points
                if event.fault:
                    self._write(f"DEBUG {printable(event.fault)}")
                    return _for_want_of_time(search, best)
                if event.progress is not None and event.progress.best is not None:
                    best = event.progress.best
                    if event.progress.depth:  # a first look is not worth telling
                        self._write(progress_line(event.progress, best))

    def _late_s(self, search: RunningSearch) -> float:
        """When no answer of *search* is waited for any longer."""
        return search.end + (LATE_S if search.question.thinking_ms else AT_ONCE_S)

    def _hear(self, lines: tuple[str, ...], search: RunningSearch) -> bool:
        """Heed what concerns *search* of lines that come meanwhile; False for the end."""
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


def _for_want_of_time(search: RunningSearch, best: Move | None) -> tuple[Point, ...]:
    """The *best* move so far, or some other one; in a swap2 opening ``SWAP``, or the three first stones."""
    question = search.question
    if not question.is_swap2:
        return (point_of_move(best or quick_move(question.game)),)
    if not any(question.game.cells):
        return quick_opening(question.game)
    return () if best is None else (point_of_move(best),)
