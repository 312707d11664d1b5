"""A manager for tests: it feeds a loop in this process, and reads the answers."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue

from noughts.interfaces.engine.loop import EngineLoop, RunningSearch, SupportsThinking

PATIENCE = 60.0
"""The time after which an engine that does not answer counts as stuck, in seconds."""

MESSAGE = re.compile(r"MESSAGE depth \d+ nodes \d+( score -?\d+)? pv \d+,\d+( \d+,\d+)*")


class Feeder:
    """A loop in a thread of its own, with its input and its answers."""

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
        """The current or last question of the loop."""
        return self._loop._search

    def send(self, *lines: str, end: str = "\n") -> None:
        """Send *lines* in one piece."""
        self.send_bytes("".join(line + end for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        """Send *data* in one piece; empty data is the end of input."""
        self._sent.put(data)

    def answer(self) -> str | None:
        """Return the next line; None after the end."""
        return self._answers.get(timeout=PATIENCE)

    def close(self) -> list[str]:
        """End the input, and return the remaining lines."""
        self._sent.put(b"")
        return self.rest()

    def rest(self) -> list[str]:
        """Return the lines up to the end."""
        result = list(iter(self.answer, None))
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return [line for line in result if line is not None]


@contextmanager
def feeding(
    thinker: SupportsThinking | None = None, now: Callable[[], float] | None = None
) -> Iterator[Feeder]:
    """Yield a loop that is stopped afterwards in any case."""
    feeder = Feeder(thinker, now)
    try:
        yield feeder
    finally:
        feeder.send("END")
        feeder.send_bytes(b"")  # This also ends the reading thread.


def answered(lines: Sequence[str]) -> list[str]:
    """Return *lines* without messages, each of which must be well formed."""
    answer = [line for line in lines if line.startswith("MESSAGE")]
    assert [line for line in answer if not MESSAGE.fullmatch(line)] == []
    return [line for line in lines if line not in answer]
