"""Who is here: who looks at a room is, and who has asked for something not long ago."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from noughts.arena.rooms.facts import RoomView
from noughts.arena.rooms.rooms import Rooms
from noughts.errors import NotFound, NoughtsError
from noughts.interfaces.web.live.events import Watches


class Presence:
    """Tells *rooms* who is here and who is away, as far as this worker knows.

    *run* calls in a thread, *keep_going* does work beside all else. Who stops looking is away after
    *away_seconds*, who asks without looking after a silence of *silent_seconds*.
    """

    def __init__(
        self,
        rooms: Rooms,
        watches: Watches,
        run: Callable[..., Awaitable[Any]],
        keep_going: Callable[[Any], None],
        *,
        away_seconds: float,
        silent_seconds: float,
    ) -> None:
        self._rooms, self._watches, self._run, self._keep_going = rooms, watches, run, keep_going
        self._away_seconds, self._silent_seconds = away_seconds, silent_seconds

    def begin_looking(self, room: str, place: int) -> None:
        """Who sits at *place* looks at *room* from now on."""
        if not self._rooms.holds(room, place):
            self._keep_going(self._say_here(room, place))

    def stop_looking(self, room: str, place: int) -> None:
        """A stream of *place* has ended; who comes back soon, or has another, has not been away."""
        self._keep_going(self._say_away(room, place, self._away_seconds))

    def see(self, view: RoomView, place: int) -> None:
        """Who sits at *place* has asked how it stands: so they are here."""
        if place in view.present:
            self._rooms.give_sign(view.room, place)
        else:
            self._keep_going(self._say_here(view.room, place))

    def look_over(self, view: RoomView) -> None:
        """Say of those who look that they are here, where another worker has said they are away."""
        for place in range(len(view.names)):
            if place not in view.present and self._watches.is_looking(view.room, place):
                self._keep_going(self._say_here(view.room, place))

    def leave_silent(self) -> None:
        """Say of those who have been silent for too long that they are away."""
        for room, place in self._rooms.take_silent(int(self._silent_seconds * 1_000)):
            self._keep_going(self._say_away(room, place))

    async def _say_away(self, room: str, place: int, seconds: float = 0.0) -> None:
        await asyncio.sleep(seconds)
        if self._watches.is_looking(room, place):
            return
        try:
            with suppress(NotFound):
                await self._run(self._rooms.set_presence, room, place, here=False)
        except NoughtsError:
            self._rooms.give_sign(room, place)  # the store is away: it is said again after another silence

    async def _say_here(self, room: str, place: int) -> None:
        with suppress(NoughtsError):  # the room is gone, or the store is away: it will be said again
            await self._run(self._rooms.set_presence, room, place, here=True)
