"""The rooms that were read or changed last, as they were then: what need not be read again."""

from collections import OrderedDict
from threading import Lock

from noughts.arena.rooms.room import Room

MAX_ROOMS = 4096
"""How many rooms are kept in memory."""


class KnownRooms:
    """Rooms by name, each at the newest version that is known here; for all threads.

    Nobody changes a room that is kept here: whoever wants to makes a draft of it.
    """

    def __init__(self) -> None:
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._lock = Lock()

    def newest(self, name: str) -> Room | None:
        """The room called *name*, if it is known."""
        with self._lock:
            room = self._rooms.get(name)
            if room is not None:
                self._rooms.move_to_end(name)
            return room

    def learn(self, room: Room) -> None:
        """Keep *room*, unless a newer version of it is known, or a newer room of that name."""
        with self._lock:
            before = self._rooms.get(room.name)
            if before is None or _age(before) < _age(room):
                self._rooms[room.name] = room
                self._rooms.move_to_end(room.name)
                while len(self._rooms) > MAX_ROOMS:
                    self._rooms.popitem(last=False)

    def forget(self, name: str) -> None:
        """There is no such room any more."""
        with self._lock:
            self._rooms.pop(name, None)

    def versions(self) -> dict[str, int]:
        """The version at which each room is known."""
        with self._lock:
            return {room.name: room.version for room in self._rooms.values()}


def _age(room: Room) -> tuple[int, int]:
    return room.table.terms.created, room.version
