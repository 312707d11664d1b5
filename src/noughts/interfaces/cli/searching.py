"""Asking the analyst: with a limit of time, Ctrl-C as the stop signal, and progress on a terminal."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from noughts.core.lines import MAX_ENUMERATED
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.interfaces.presenting.explaining import say_no_value
from noughts.interfaces.presenting.i18n import Said, Translator
from noughts.search.analysis import Limit, Progress, never
from noughts.text import display_width, fit

if TYPE_CHECKING:
    from noughts.search.analyst import Analyst
    from noughts.search.insight.review import Review

Answer = TypeVar("Answer")

SHOWN_EVERY = 0.2
"""Seconds between two looks at how far a search has come."""


def find_answer(
    say: Translator, game: Game, seconds: float, ask: Callable[["Analyst", Limit], Answer]
) -> tuple[Answer, float]:
    """What *ask* finds out with an analyst and a limit, and in how many seconds."""
    from noughts.search.analyst import Analyst

    if len(game.sides) > 2 or len(game.cells) > MAX_ENUMERATED:
        raise Said(say_no_value(say, game))
    with ProgressLine(say) as progress, interruptible() as stop:
        started = monotonic()
        try:
            answer = ask(Analyst(progress.report), Limit(seconds=seconds, stop=stop))
        except UnsupportedRules:
            raise Said(say_no_value(say, game)) from None
        return answer, monotonic() - started


def review_game(game: Game, say: Translator) -> "Review":
    """The review of *game*, in bounded time; after Ctrl-C nothing more is found out."""
    from noughts.interfaces.presenting.reviewing import review_limit
    from noughts.search.analyst import Analyst
    from noughts.search.insight.review import review

    if len(game.cells) > MAX_ENUMERATED:
        raise Said(say("no-value-too-large", most=MAX_ENUMERATED))
    seconds = review_limit(game)
    with ProgressLine(say) as progress, interruptible() as stop:
        analyst = Analyst(progress.report)
        return review(game, lambda position: analyst.analyse(position, Limit(seconds=seconds, stop=stop)))


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """A stop signal that Ctrl-C gives; a second Ctrl-C interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield never
        return
    asked = threading.Event()
    usual = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        asked.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, stop)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, usual)


class ProgressLine:
    """One line on standard error, where that is a terminal, that says how far a search has come."""

    def __init__(self, say: Translator, now: Callable[[], float] = monotonic) -> None:
        self._say, self._now = say, now
        self._shown, self._next = "", 0.0
        self.is_shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._shown:
            self._write("")

    def report(self, progress: Progress) -> None:
        """Show *progress*, not more often than can be read."""
        if not self.is_shown:
            return
        if self._now() >= self._next:
            self._next = self._now() + SHOWN_EVERY
            self._write(self._say("progress-searching", nodes=progress.nodes, depth=progress.depth))

    def _write(self, text: str) -> None:
        """Put *text* over what the line shows; an empty one wipes it."""
        columns = max(display_width(self._shown), display_width(text))
        print("\r" + fit(text, columns), end="" if text else "\r", file=sys.stderr, flush=True)
        self._shown = text
