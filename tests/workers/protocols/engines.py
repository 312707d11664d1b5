"""Fake engines with various habits: lines in, lines out, and a clock that they move."""

from collections import deque
from collections.abc import Callable, Sequence

from noughts.workers.protocols.channel import Fault

Answers = Callable[[str], Sequence[str | float]]
"""A function that returns the answers to a line: lines, and seconds before the next one."""


class Clock:
    """A clock whose seconds pass only during waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class FakeEngine:
    """A channel to an engine with scripted *answers*, until it has ``gone``."""

    def __init__(self, answers: Answers, clock: Clock) -> None:
        self._answers, self._clock = answers, clock
        self.sent: list[str] = []
        self._waiting: deque[str | float] = deque()
        self.has_gone = False

    def send(self, line: str) -> None:
        self.sent.append(line)
        if not self.has_gone:
            self._waiting.extend(self._answers(line))

    def receive(self, deadline: float) -> str | None:
        while self._waiting:
            if isinstance(self._waiting[0], str):
                return str(self._waiting.popleft())
            left = self._waiting[0] - (deadline - self._clock.now)
            if left > 0:
                self._waiting[0] = left
                self._clock.now = deadline
                return None
            self._clock.now += float(self._waiting.popleft())
        if not self.has_gone:
            self._clock.now = max(self._clock.now, deadline)
        return None

    def drop(self) -> list[str]:
        dropped = []
        while (line := self.receive(self._clock.now)) is not None:
            dropped.append(line)
        return dropped

    @property
    def fault(self) -> Fault | None:
        return Fault("crashed", "exit status 0") if self.has_gone and not self._waiting else None

    def say(self, *lines: str | float) -> None:
        """Write a line that is not an answer."""
        self._waiting.extend(lines)

    def sent_last(self) -> list[str]:
        """Return the lines that were sent since the last call."""
        sent, self.sent = self.sent, []
        return sent


def scripted(**answers: Sequence[str | float]) -> Answers:
    """Return answers by the first word of a line, in capitals. Other lines get none."""
    usual: dict[str, Sequence[str | float]] = {"START": ["OK"], **answers}

    def answer(line: str) -> Sequence[str | float]:
        return usual.get(line.split()[0].upper(), ())

    return answer
