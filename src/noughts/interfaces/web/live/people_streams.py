"""Event streams of tournaments of people: readers hear of each new version."""

from collections.abc import AsyncIterator
from contextlib import suppress

from noughts.interfaces.web.live.events import (
    RETRY_MILLISECONDS,
    SILENCE_SECONDS,
    STILL_HERE,
    NewsReader,
    frame,
)


class PeopleReader(NewsReader):
    """The stream of one reader of a tournament. ``version`` is the newest version that is known."""

    def __init__(self, version: int) -> None:
        super().__init__()
        self.version = version

    def hear(self, version: int) -> None:
        """Note that *version* exists."""
        self.version = max(self.version, version)
        self.wake()

    async def frames(self, since: int) -> AsyncIterator[str]:
        """Yield the events after the version *since*, until the stream ends."""
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        while not self.is_over:
            if self.version > since:
                since = self.version
                yield frame("change", since, since)
            if not await self.wait(SILENCE_SECONDS):
                yield STILL_HERE


class PeopleStreams:
    """The readers of tournaments on this worker. All methods are for the thread of the event loop."""

    def __init__(self) -> None:
        self._readers: dict[str, set[PeopleReader]] = {}
        self._is_closed = False

    @property
    def count(self) -> int:
        """The number of open streams."""
        return sum(map(len, self._readers.values()))

    def open(self, code: str, version: int) -> PeopleReader:
        """Return a new reader of the tournament that *code* opens, which has *version* now."""
        reader = PeopleReader(version)
        self._readers.setdefault(code, set()).add(reader)
        if self._is_closed:
            reader.end()
        return reader

    def close_reader(self, code: str, reader: PeopleReader) -> None:
        """Forget *reader* after the end of its connection."""
        with suppress(KeyError):
            self._readers[code].discard(reader)
            if not self._readers[code]:
                del self._readers[code]

    def on_change(self, code: str, version: int) -> None:
        """Tell the readers of a tournament that it has *version* now."""
        for reader in self._readers.get(code, ()):
            reader.hear(version)

    def close(self) -> None:
        """End all open streams and all later ones."""
        self._is_closed = True
        for readers in self._readers.values():
            for reader in readers:
                reader.end()
