"""One question being thought about, in a thread of its own."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

from noughts.games.rules import Rules
from noughts.interfaces.engine.dialogue import Question
from noughts.search.analysis import Limit, Progress, Report
from noughts.text import words_of
from noughts.workers.protocols.gomocup import Point


class Thinks(Protocol):
    """Who thinks about questions, such as :class:`~noughts.interfaces.engine.thinking.Thinker`."""

    def prepare(self, expected: Sequence[Rules], max_memory: int) -> None:
        """Get ready for games of the *expected* rules, in any thread.

        With so many bytes of memory; 0 for as many as one likes.
        """

    def think(self, question: Question, limit: Limit, report: Report) -> tuple[Point, ...]:
        """The points to answer with; none for ``SWAP``. *report* is told of progress."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a ``search`` says: its ``progress``, or at last the ``points`` that answer, none for ``SWAP``.

    ``fault`` says why there is no answer: then something is wrong with us.
    """

    search: "Search"
    progress: Progress | None = None
    points: tuple[Point, ...] | None = None
    fault: str = ""


class Search:
    """Has *thinker* think about *question* until *end*, in seconds as *now* tells them; *put* hears of it.

    ``end`` may be set to another time.
    """

    def __init__(
        self,
        thinker: Thinks,
        question: Question,
        put: Callable[[Told], None],
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
            self._put(Told(self, points=self._thinker.think(question, limit, self._report)))
        except Exception as error:
            self._put(Told(self, fault=words_of(error)))

    def _is_over(self) -> bool:
        return self._stop.is_set() or self._now() >= self.end

    def _report(self, progress: Progress) -> None:
        self._put(Told(self, progress))
