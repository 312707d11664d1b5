"""A manager for tests: it feeds a loop in this process, and hears what that answers."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue

from noughts.interfaces.engine.loop import EngineLoop, RunningSearch, SupportsThinking

PATIENCE = 60.0
"""Seconds after which an engine that does not answer has hung."""

MESSAGE = re.compile(r"MESSAGE depth \d+ nodes \d+( score -?\d+)? pv \d+,\d+( \d+,\d+)*")


class Feeder:
    """A loop in a thread of its own: what is sent to it, and what it answers."""

    def __init__(
        self, thinker: SupportsThinking | None = None, now: Callable[[], float] | None = None
    ) -> None:
        self._sent: SimpleQueue[bytes] = SimpleQueue()
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        facts = {} if now is None else {"now": now}
        self._loop = EngineLoop(self._sent.get, self._answers.put, thinker, **facts)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self._loop.run()
        self._answers.put(None)

    @property
    def searching(self) -> RunningSearch | None:
        """What the loop thinks about, or thought about last."""
        return self._loop._search

    def send(self, *lines: str, end: str = "\n") -> None:
        """Send *lines* in one piece."""
        self.send_bytes("".join(line + end for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        """Send *data* in one piece; nothing is the end of input."""
        self._sent.put(data)

    def answer(self) -> str | None:
        """The next line; None where it has left."""
        return self._answers.get(timeout=PATIENCE)

    def close(self) -> list[str]:
        """End the input; the lines that still came."""
        self._sent.put(b"")
        return self.rest()

    def rest(self) -> list[str]:
        """The lines until it leaves."""
        found = list(iter(self.answer, None))
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return [line for line in found if line is not None]


@contextmanager
def feeding(
    thinker: SupportsThinking | None = None, now: Callable[[], float] | None = None
) -> Iterator[Feeder]:
    """A loop that is ended afterwards, whatever happened."""
    feeder = Feeder(thinker, now)
    try:
        yield feeder
    finally:
        feeder.send("END")
        feeder.send_bytes(b"")  # which also ends the thread that reads


def answered(lines: Sequence[str]) -> list[str]:
    """*lines* without messages, each of which is well formed."""
    told = [line for line in lines if line.startswith("MESSAGE")]
    assert [line for line in told if not MESSAGE.fullmatch(line)] == []
    return [line for line in lines if line not in told]
