"""Games that wait for people: the seats that have to decide, and the time that they have left."""

from dataclasses import dataclass

from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.seat_names import seat_number
from noughts.arena.table import HUMAN

SOON_MS = 12 * 60 * 60 * 1000
"""The time left below which a game by days is marked, and its player is reminded."""


@dataclass(frozen=True, slots=True)
class WaitingSeat:
    """A person whose decision a running game awaits.

    ``place`` is the seat in ``room``, ``identity`` the number of the player's key, or None for a guest.
    ``version`` is the version of the match: a reminder is due once for each. ``ends`` is the instant at which
    time ends the game, or None without a clock.
    """

    room: str
    place: int
    identity: int | None
    is_by_days: bool
    version: int
    ends: int | None

    def ends_soon(self, at: int) -> bool:
        """Return True if the game is by days, and less than 12 hours are left at the instant *at*."""
        return self.is_by_days and self.ends is not None and self.ends - at < SOON_MS


def waiting_seat(view: RoomView) -> WaitingSeat | None:
    """Return the person to move in the room of *view*, or None if no person is to move."""
    place = view.turn
    if place is None or view.phase is not Phase.PLAYING or view.setup.who[place] != HUMAN:
        return None
    name = view.names[place]
    return WaitingSeat(
        room=view.room,
        place=place,
        identity=None if name is None else seat_number(name),
        is_by_days=view.setup.clock.is_by_days,
        version=view.match.version,
        ends=view.time_ends,
    )
