"""The streams of lists of games: each reader hears which of its rooms have changed, and of new games."""

from collections.abc import AsyncIterator, Iterable
from itertools import chain

from noughts.arena.seat_names import seat_number
from noughts.interfaces.web.live.events import (
    RETRY_MILLISECONDS,
    SILENCE_SECONDS,
    STILL_HERE,
    NewsReader,
    frame,
)
from noughts.interfaces.web.models import GamesChange


class GamesReader(NewsReader):
    """The stream of a reader of *rooms*, with news of further games of *players*.

    A player is the text in the seat of a person with a key, or the hash of the token of a guest.
    """

    def __init__(self, rooms: Iterable[str], players: Iterable[str]) -> None:
        super().__init__()
        self.rooms, self.players = frozenset(rooms), frozenset(players)
        self._changed: set[str] = set()

    def hear(self, *names: str) -> None:
        """Note that the rooms, or the games of players, *names* have changed."""
        self._changed.update(names)
        self.wake()

    async def frames(self) -> AsyncIterator[str]:
        """Yield the changes until the stream ends."""
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        while not self.is_over:
            if self._changed:
                changed, self._changed = self._changed, set()
                is_new = bool(changed & self.players)
                change = GamesChange(rooms=sorted(changed & self.rooms), is_new=is_new)
                yield frame("games", change.model_dump_json())
            if not await self.wait(SILENCE_SECONDS):
                yield STILL_HERE


class GamesStreams:
    """The readers of lists of games on this worker. All methods are for the thread of the event loop."""

    def __init__(self) -> None:
        self._readers: dict[str, set[GamesReader]] = {}
        self._all: set[GamesReader] = set()
        self._is_closed = False

    @property
    def count(self) -> int:
        """The number of open streams."""
        return len(self._all)

    def open(self, rooms: Iterable[str], players: Iterable[str]) -> GamesReader:
        """Return a new reader of *rooms* and of new games of *players*."""
        reader = GamesReader(rooms, players)
        self._all.add(reader)
        for name in reader.rooms | reader.players:
            self._readers.setdefault(name, set()).add(reader)
        if self._is_closed:
            reader.end()
        return reader

    def close_reader(self, reader: GamesReader) -> None:
        """Forget *reader* after the end of its connection."""
        self._all.discard(reader)
        for name in reader.rooms | reader.players:
            readers = self._readers.get(name, set())
            readers.discard(reader)
            if not readers:
                self._readers.pop(name, None)

    def on_change(self, name: str) -> None:
        """Tell the readers of a room, or of the games of a player, that something has changed."""
        for reader in self._readers.get(name, ()):
            reader.hear(name)

    @property
    def people(self) -> set[int]:
        """The numbers of the readers with keys."""
        players = chain.from_iterable(reader.players for reader in self._all)
        return {number for number in map(seat_number, players) if number is not None}

    def end_of(self, player: str) -> None:
        """End the streams of a *player*."""
        for reader in self._readers.get(player, ()):
            if player in reader.players:
                reader.end()

    def on_gap(self) -> None:
        """Let all readers read their games again, since changes may have been missed."""
        for reader in self._all:
            reader.hear(*reader.rooms, *reader.players)

    def close(self) -> None:
        """End all open streams and all later ones."""
        self._is_closed = True
        for reader in self._all:
            reader.end()
