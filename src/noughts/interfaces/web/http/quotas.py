"""How much of the server one address may have: the rooms it has opened, the thoughts it waits for."""

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from noughts.interfaces.web.http.problems import Refused

MAX_KNOWN = 100_000
"""So many rooms are remembered with whose they are, the last ones."""

ROOMS_AGAIN, THINKING_AGAIN = 600, 3
"""After so many seconds it is worth asking again: rooms go slowly, thoughts quickly."""


class Belongings:
    """Which rooms belong to which address; a room belongs to one."""

    def __init__(self) -> None:
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._rooms: dict[str, set[str]] = {}

    def of(self, address: str) -> frozenset[str]:
        """The rooms of *address*."""
        return frozenset(self._rooms.get(address, ()))

    def add(self, address: str, room: str) -> None:
        """*room* belongs to *address* now."""
        self.drop(room)
        self._owners[room] = address
        self._rooms.setdefault(address, set()).add(room)
        if len(self._owners) > MAX_KNOWN:
            self.drop(next(iter(self._owners)))

    def drop(self, room: str) -> None:
        """*room* belongs to nobody."""
        address = self._owners.pop(room, None)
        if address is not None:
            self._rooms[address].discard(room)
            if not self._rooms[address]:
                del self._rooms[address]


class OpenRooms(Belongings):
    """The rooms that each address has opened here: *most* of them while they last.

    *left* tells which of some rooms there still are. A server that starts again begins to count anew.
    """

    def __init__(self, most: int, left: Callable[[frozenset[str]], Awaitable[set[str]]]) -> None:
        super().__init__()
        self._most, self._left = most, left

    async def check(self, address: str) -> None:
        """:class:`Refused` (429) where *address* has as many rooms as it may."""
        rooms = self.of(address)
        if len(rooms) < self._most:
            return
        for gone in rooms - await self._left(rooms):
            self.drop(gone)
        if len(self.of(address)) >= self._most:
            raise Refused(429, "too-many-rooms", limit=self._most, seconds=ROOMS_AGAIN)


class Thoughts(Belongings):
    """What is thought about at the wish of each address, to which rooms with computers belong.

    There may be *most* things at once. *is_thought_about* says of a room whether a computer in it is being
    asked.
    """

    def __init__(self, most: int, is_thought_about: Callable[[str], bool]) -> None:
        super().__init__()
        self._most, self._is_thought_about = most, is_thought_about
        self._awaited: Counter[str] = Counter()

    @property
    def awaited(self) -> int:
        """How many answers are waited for, whoever does."""
        return self._awaited.total()

    def check(self, address: str) -> None:
        """:class:`Refused` (429) where enough is thought about for *address*."""
        rooms = sum(map(self._is_thought_about, self.of(address)))
        if rooms + self._awaited[address] >= self._most:
            raise Refused(429, "thinking-for-you", limit=self._most, seconds=THINKING_AGAIN)

    def check_room(self, address: str, room: str) -> None:
        """The same, where a computer would be asked in *room* and is not yet; others need no thought."""
        if room in self.of(address) and not self._is_thought_about(room):
            self.check(address)

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """While this lasts *address* waits for an answer; :class:`Refused` where it waits for enough."""
        self.check(address)
        self._awaited[address] += 1
        try:
            yield
        finally:
            self._awaited[address] -= 1
            if not self._awaited[address]:
                del self._awaited[address]
