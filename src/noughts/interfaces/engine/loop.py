"""The loop of an engine: it hears lines also while it thinks, and keeps its time.

One thread reads, one thinks; the one that runs the loop alone decides and answers. All that it is told comes
by one queue.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue
from time import monotonic

from noughts.games.base import Move
from noughts.games.rules import Rules
from noughts.interfaces.engine.dialogue import Dialogue, Question, shown
from noughts.interfaces.engine.search import Search, Thinks, Told
from noughts.interfaces.engine.thinking import Thinker, likely, middles, point_of_move, tell
from noughts.workers.protocols.gomocup import Point, format_point, parse_command
from noughts.workers.protocols.gomocup_info import MARGIN_MS
from noughts.workers.protocols.lines import Lines

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

Event = tuple[str, ...] | Told | None
"""Lines that came at once, what a search says, or the end of input."""

Read = Callable[[], bytes]
"""Waits for bytes and returns them; none at the end of input."""

Write = Callable[[str], None]
"""Sends a line at once."""


class Loop:
    """Answers what *read* brings by *write*, until ``END`` or the end of input. *now* tells seconds.

    ``END`` heard while thinking ends it without a word. What came before an ``END`` in one piece, as from a
    file, is answered.
    """

    def __init__(
        self, read: Read, write: Write, thinker: Thinks | None = None, now: Callable[[], float] = monotonic
    ) -> None:
        self._read, self._write, self._now = read, write, now
        self._thinker = Thinker() if thinker is None else thinker
        self._dialogue = Dialogue()
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._waiting: deque[str] = deque()  # lines that came and were not answered yet
        self._has_ended = False  # no more lines come
        self._prepared: set[Rules] = set()  # for which the thinker is ready
        self._search: Search | None = None

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
        lines = Lines()
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

    def _answer(self, question: Question) -> bool:
        """Think about *question* and answer it; False if nobody wants the answer any more."""
        begun = self._now()
        if self._search is not None:
            self._search.leave()
        end = inf if question.thinking_ms is None else begun + question.thinking_ms / 1000
        if self._has_ended or any(parse_command(line).word == "END" for line in self._waiting):
            end = min(end, begun + FAREWELL_S)
        self._search = Search(self._thinker, question, self._events.put, end, self._now)
        points = self._wait(self._search)
        if points is None:
            return False
        spent_ms = round((self._now() - begun) * 1000)
        if question.is_swap2:
            self._dialogue.spent(spent_ms)
        else:
            self._dialogue.answered(points[0], spent_ms)
        self._write(" ".join(map(format_point, points)) or "SWAP")
        return True

    def _wait(self, search: Search) -> tuple[Point, ...] | None:
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
                    self._write(f"DEBUG {shown(event.fault)}")
                    return _for_want_of_time(search, best)
                if event.progress is not None and event.progress.best is not None:
                    best = event.progress.best
                    if event.progress.depth:  # a first look is not worth telling
                        self._write(tell(event.progress, best))

    def _late_s(self, search: Search) -> float:
        """When no answer of *search* is waited for any longer."""
        return search.end + (LATE_S if search.question.thinking_ms else AT_ONCE_S)

    def _hear(self, lines: tuple[str, ...], search: Search) -> bool:
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


def _for_want_of_time(search: Search, best: Move | None) -> tuple[Point, ...]:
    """The *best* move so far, or some other one; in a swap2 opening ``SWAP``, or the three first stones."""
    question = search.question
    if not question.is_swap2:
        return (point_of_move(best or likely(question.game)),)
    if not any(question.game.cells):
        return middles(question.game)
    return () if best is None else (point_of_move(best),)
