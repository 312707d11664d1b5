"""The event stream of a bot: its challenges, and the states of all its games."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from noughts.arena.rooms.models import Phase, RoomView
from noughts.errors import DamagedStore, NotFound, NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.live.events import RETRY_MILLISECONDS, SILENCE_SECONDS, STILL_HERE, Stream, frame
from noughts.interfaces.web.live.lobby import LobbyStream
from noughts.interfaces.web.lobby_models import OwnOffers
from noughts.interfaces.web.models import GameGone
from noughts.interfaces.web.service import Service

CHECK_SECONDS = 3.0
"""Seconds between checks for new games. After a challenge was answered, there is a check at once."""

Written = Callable[[RoomView, int], Awaitable[str]]
"""Returns the state of a room as JSON, as the seat at a place sees it."""


class BotReader:
    """The reader of the stream of a bot, whose challenges come by *lobby*.

    All games of the bot wake the same stream. The bot counts as present in each of them. *earlier* are the
    rooms in which the bot played before the stream. Those that were closed meanwhile send their last states.
    """

    def __init__(
        self, service: Service, lobby: LobbyStream, address: str, earlier: Iterable[str] = ()
    ) -> None:
        self._service, self._lobby, self._address = service, lobby, address
        self._identity = lobby.seeker.identity or 0
        self._games: dict[str, Stream] = {}
        self._versions: dict[str, int] = {}
        self._earlier = list(dict.fromkeys(earlier))
        self._gone: list[str] = []
        self._loop = asyncio.get_running_loop()
        self._checked_at = self._loop.time() - CHECK_SECONDS

    def close(self) -> None:
        """Follow nothing any more."""
        for stream in self._games.values():
            self._service.unfollow(stream)
        self._games.clear()
        self._service.lobby_streams.close_stream(self._lobby)
        self._service.streams.drop(self._address)
        self._service.bot_streams.drop(str(self._identity))

    async def events(self, say: Translator, written: Written) -> AsyncIterator[str]:
        """Yield the challenges and the states of the games, until the stream ends."""
        own, silent_for, lobby = None, 0.0, await self._service.lobby_streams.newest()
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        while not self._lobby.is_over:
            current = self._service.lobby_streams.current
            if current is not None and current.lobby.version >= lobby.version:
                lobby = current.lobby
            facts = lobby.facts_for(self._lobby.seeker, lobby.open_challenges, 0)
            if has_changed := facts != own:
                own = facts
                yield frame("own", OwnOffers.of(facts, say).model_dump_json())
            await self._find_games(at_once=has_changed)
            for view, place in (*await self._closed_games(), *self._news()):
                has_changed = True
                yield frame("state", await written(view, place), view.version)
            while self._gone:
                has_changed = True
                yield frame("gone", GameGone(room=self._gone.pop(0)).model_dump_json())
            silent_for = 0.0 if has_changed else silent_for + CHECK_SECONDS
            if silent_for >= SILENCE_SECONDS:
                silent_for = 0.0
                yield STILL_HERE
            await self._lobby.wait(CHECK_SECONDS)

    async def _find_games(self, *, at_once: bool) -> None:
        """Follow the games that the bot has begun since the last check."""
        now = self._loop.time()
        if not at_once and now - self._checked_at < CHECK_SECONDS:
            return
        self._checked_at = now
        try:
            views = await self._service.run(self._service.rooms.of_identity, self._identity)
        except NoughtsError:  # The next check tries again.
            return
        for view in views:
            place = view.place_of(self._identity)
            if place is not None and view.room not in self._games and view.phase is not Phase.CLOSED:
                self._games[view.room] = self._service.follow(view, place, self._lobby.news)

    async def _closed_games(self) -> list[tuple[RoomView, int]]:
        """Return the games that were closed while the bot was away, each with the place of the bot."""
        closed = list[tuple[RoomView, int]]()
        unknown = [room for room in self._earlier if room not in self._games]
        self._earlier.clear()
        for room in unknown:
            try:
                view = await self._service.look(room)
            except (NotFound, DamagedStore):
                self._gone.append(room)
                continue
            except NoughtsError:  # The next round tries again.
                self._earlier.append(room)
                continue
            if (place := view.place_of(self._identity)) is None:
                self._gone.append(room)
            elif view.phase is Phase.CLOSED:
                closed.append((view, place))
            else:
                self._games[room] = self._service.follow(view, place, self._lobby.news)
        return closed

    def _news(self) -> list[tuple[RoomView, int]]:
        """Return the new states of the games, each with the place of the bot, and forget closed games."""
        news = list[tuple[RoomView, int]]()
        for room, stream in tuple(self._games.items()):
            view = stream.newer(self._versions.get(room, -1))
            stream.take_events(-1)
            if view is not None and stream.place is not None:
                self._versions[room] = view.version
                news.append((view, stream.place))
                if view.phase is Phase.CLOSED:
                    self._service.unfollow(self._games.pop(room))
            elif stream.is_over and not self._lobby.is_over:
                self._service.unfollow(self._games.pop(room))
                self._earlier.append(room)  # The seat may have another token, or the room is gone.
        return news
