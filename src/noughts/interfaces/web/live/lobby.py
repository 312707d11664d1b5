"""The streams of the lobby: each page gets the open offers, then differences, at most four times a second.

An offer lives as long as a page of its player is open, unless it lasts. A page that is loaded again within a
few seconds keeps the offer.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from noughts.arena.lobby.lobby import Lobby, VisitorFacts
from noughts.arena.lobby.offers import LobbyOffer, OfferState, Seeker
from noughts.arena.lobby.shared_lobby import SharedLobby
from noughts.errors import NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.http.metrics import LOG
from noughts.interfaces.web.live.events import (
    RETRY_MILLISECONDS,
    SILENCE_SECONDS,
    STILL_HERE,
    LanguageReader,
    deliver,
    frame,
)
from noughts.interfaces.web.lobby_models import (
    LobbyChanges,
    LobbyOfferMessage,
    LobbyState,
    OfferEnd,
    OwnOffers,
)

SEND_SECONDS = 0.25
"""The shortest time between the beginnings of two deliveries."""

COUNT_SECONDS = 3.0
"""The time after which a changed number of people is sent, if no offer has changed."""

PAIR_SECONDS = 2.0
"""The time between two pairings."""

GONE_SECONDS = 10.0
"""The time without an open page after which the offer of a player ends."""

MAX_LISTED = 100
"""The largest number of offers in the list that need a page. Further ones follow as others end."""

MAX_LASTING_LISTED = 50
"""The largest number of offers in the list that last: the newest ones."""

MEETING_MS = 60_000
"""The time for which a page hears of the room of its last game from the lobby."""


@dataclass(frozen=True, eq=False, slots=True)
class LobbySnapshot:
    """The lobby at one moment: the listed offers by number, and the number of people, or None if unknown."""

    lobby: Lobby
    listed: Mapping[int, LobbyOffer]
    challenges: list[LobbyOffer]
    waiting: int
    people: int | None

    @classmethod
    def of(cls, lobby: Lobby, people: int | None) -> "LobbySnapshot":
        """Return the present state of *lobby* with a number of *people*."""
        found = lobby.open_offers
        offers = [offer for offer in found if offer.recipient is None]
        challenges = [offer for offer in found if offer.recipient is not None]
        here = [offer for offer in offers if not offer.lasts][:MAX_LISTED]
        lasting = [offer for offer in offers if offer.lasts][-MAX_LASTING_LISTED:]
        listed = {offer.number: offer for offer in (*here, *lasting)}
        waiting = sum(not (offer.is_standing or offer.lasts) for offer in offers)
        return cls(lobby, listed, challenges, waiting, people)

    def changed_since(self, before: "LobbySnapshot") -> tuple[Collection[str], list[LobbyOffer]]:
        """Return the visitors whose own offers have changed since *before*, and the changed challenges.

        A challenge is included as it was, and as it is.
        """
        version = before.lobby.version
        now = [offer for offer in self.lobby.offers.values() if offer.changed > version]
        known = (before.lobby.offers.get(offer.key) for offer in now)
        offers = [*now, *(offer for offer in known if offer is not None)]
        challenges = [offer for offer in offers if offer.recipient is not None]
        return {offer.seeker.visitor for offer in now}, challenges

    def end_of(self, offer: LobbyOffer) -> str:
        """Return the state of *offer*, which was listed earlier."""
        known = self.lobby.offers.get(offer.key)
        if known is None or known.number != offer.number:  # A newer offer has replaced it.
            return str(OfferState.WITHDRAWN)
        return str(known.state)


class LobbyStream(LanguageReader):
    """The event stream of one page of the visitor *seeker*, in the language of *say*."""

    def __init__(self, seeker: Seeker, say: Translator) -> None:
        super().__init__(say)
        self.seeker = seeker


class LobbyStreams:
    """The streams of the lobby on this worker. All methods are for the thread of the event loop.

    *run* calls a function of *shared* in a thread, and *run_in_background* starts a task. The number of
    people is known only if one worker serves them all (*is_alone*).
    """

    def __init__(
        self,
        shared: SharedLobby,
        run: Callable[..., Awaitable[Any]],
        run_in_background: Callable[[Any], None],
        *,
        is_alone: bool,
    ) -> None:
        self._shared, self._run, self._in_background, self._is_alone = (
            shared,
            run,
            run_in_background,
            is_alone,
        )
        self._streams: dict[str, set[LobbyStream]] = {}
        self._bots = set[str]()
        """The visitors among those of the streams that are bots."""
        self._absent: dict[str, float] = {}
        """The instant from which each visitor with an offer has had no page."""
        self._texts: dict[tuple[LobbySnapshot | None, str], str] = {}
        self._loop = asyncio.get_running_loop()
        self._reading = asyncio.Lock()
        self._next_read: asyncio.Task[Lobby] | None = None
        """The read that begins when the running one has ended."""
        self._is_refreshing = self._is_closed = False
        self._due: float | None = None
        """The instant at which the lobby has to be read again."""
        self._timer: asyncio.TimerHandle | None = None
        self._sent_at = self._loop.time()
        """The instant at which all streams had got an event last."""
        self._rest_until = 0.0
        """The instant before which no event is sent, so that requests get half of the time."""
        self.current: LobbySnapshot | None = None

    @property
    def count(self) -> int:
        """The number of open streams."""
        return sum(map(len, self._streams.values()))

    @property
    def people(self) -> int | None:
        """The number of visitors, or None if other workers serve visitors too."""
        return len(self._streams) - len(self._bots) if self._is_alone else None

    # Streams

    def open(self, seeker: Seeker, say: Translator) -> LobbyStream:
        """Return a new stream for *seeker*."""
        if not self._streams:  # No stream has read the changes.
            self.current = None
        stream = LobbyStream(seeker, say)
        self._streams.setdefault(seeker.visitor, set()).add(stream)
        if seeker.is_bot:
            self._bots.add(seeker.visitor)
        self._absent.pop(seeker.visitor, None)
        if self._is_closed:
            stream.end()
        self._refresh_soon(0.0 if self.current is None else COUNT_SECONDS)
        self._in_background(self._hold(seeker.visitor))
        return stream

    def close_stream(self, stream: LobbyStream) -> None:
        """Forget *stream*, which has no reader any more."""
        streams = self._streams.get(stream.seeker.visitor, set())
        streams.discard(stream)
        if not streams:
            self._streams.pop(stream.seeker.visitor, None)
            self._bots.discard(stream.seeker.visitor)
            self._absent[stream.seeker.visitor] = self._loop.time()
        self._refresh_soon(COUNT_SECONDS)

    @property
    def identities(self) -> set[int]:
        """The numbers of the readers with keys."""
        seekers = [stream.seeker for streams in self._streams.values() for stream in streams]
        return {seeker.identity for seeker in seekers if seeker.identity is not None}

    def end_of(self, identity: int) -> None:
        """End the streams of the person *identity*."""
        for streams in self._streams.values():
            for stream in streams:
                if stream.seeker.identity == identity:
                    stream.end()

    def close(self) -> None:
        """End all open streams and all later ones."""
        self._is_closed = True
        for streams in self._streams.values():
            for stream in streams:
                stream.end()

    async def _hold(self, visitor: str) -> None:
        with suppress(NoughtsError):  # the next sweep tries again
            if any(offer.worker != self._shared.worker for offer in (await self.read()).open_of(visitor)):
                await self._run(self._shared.hold, [visitor])

    # News

    def on_change(self) -> None:
        """Send the changes of the lobby soon."""
        self._refresh_soon(0.0)

    def _refresh_soon(self, seconds: float) -> None:
        """Read the lobby after *seconds*, or later if the last event was sent just now."""
        at = self._loop.time() + seconds
        if self._streams and (self._due is None or at < self._due):
            self._due = at
            self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._due is not None and not (self._is_refreshing or self._is_closed):
            at = max(self._due, self._rest_until)
            self._timer = self._loop.call_at(at, lambda: self._in_background(self.refresh()))

    async def refresh(self) -> None:
        """Read the lobby and send its changes. After an error streams are only kept open."""
        if self._is_refreshing or self._is_closed:
            return
        self._is_refreshing, self._due, before = True, None, self.current
        try:
            try:
                self.current = LobbySnapshot.of(await self.read(), self.people)
                self._texts.clear()
            except NoughtsError as error:
                LOG.warning("lobby", extra={"facts": {"trouble": str(error)[:300]}})
                self._refresh_soon(PAIR_SECONDS)
            await self._send(before, self.current)
        finally:
            self._is_refreshing = False
            self._set_timer()

    async def _send(self, before: LobbySnapshot | None, now: LobbySnapshot | None) -> None:
        """Bring all streams from one snapshot to another, and let requests have as much time afterwards.

        Streams are woken if they lag behind, or if there may be news for their visitors alone.
        """
        began = self._loop.time()
        visitors: Collection[str] = self._streams.keys()
        challenges = list[LobbyOffer]()
        if before is not None and now is not None:
            visitors, challenges = now.changed_since(before)

        def has_own_news(stream: LobbyStream) -> bool:
            seeker = stream.seeker
            return seeker.visitor in visitors or any(offer.is_for(seeker) for offer in challenges)

        streams = (stream for streams in self._streams.values() for stream in streams)
        await deliver(streams, before, now, partial(self.text, before), has_own_news)
        self._sent_at = self._loop.time()
        self._rest_until = max(began + SEND_SECONDS, 2 * self._sent_at - began)

    async def read(self) -> Lobby:
        """Return the lobby with all changes up to now, which the caller must not change.

        Simultaneous callers share a read that begins after their calls.
        """
        if self._next_read is None:
            self._next_read = self._loop.create_task(self._read_once())
        return await asyncio.shield(self._next_read)

    async def _read_once(self) -> Lobby:
        async with self._reading:
            self._next_read = None
            lobby: Lobby = await self._run(self._shared.read)
            return lobby

    async def newest(self) -> Lobby:
        """Return the same as :meth:`read`, or an empty lobby if it cannot be read."""
        try:
            return await self.read()
        except NoughtsError:  # the next refresh tries again
            return Lobby()

    def text(self, since: LobbySnapshot | None, say: Translator) -> str | None:
        """Return the event with the changes *since* a snapshot, or with all offers. None if nothing changed.

        All readers of a language share the text.
        """
        now = self.current
        if now is None or since is now:
            return None
        key = (since, say.language)
        if key not in self._texts:
            self._texts[key] = _everything(now, say) if since is None else _changes(since, now, say)
        return self._texts[key] or None

    # Periodic tasks

    async def tick(self) -> None:
        """Pair waiting players, end the offers of closed pages, and keep silent streams open."""
        if self._loop.time() - self._sent_at >= SILENCE_SECONDS:
            await self.refresh()
        lobby = await self.read()
        if not lobby.open_offers:
            self._absent.clear()
            return
        offers = [offer for offer in lobby.open_offers if not offer.lasts]
        others = any(offer.worker != self._shared.worker for offer in offers)
        living = await self._run(self._shared.living_workers) if others else {self._shared.worker}
        now, held, absent = self._loop.time(), set[str](), dict[str, str]()
        for offer in offers:
            visitor = offer.seeker.visitor
            if visitor in self._streams:
                if offer.worker != self._shared.worker:
                    held.add(visitor)
                continue
            is_ours = offer.worker == self._shared.worker or offer.worker not in living
            if is_ours and now - self._absent.setdefault(visitor, now) >= GONE_SECONDS:
                absent[visitor] = offer.worker
        if held:
            await self._run(self._shared.hold, held)
        if absent:
            await self._run(self._shared.leave, absent)
        known = {offer.seeker.visitor for offer in offers}
        self._absent = {visitor: since for visitor, since in self._absent.items() if visitor in known}
        await self._run(self._shared.pair)


def _everything(now: LobbySnapshot, say: Translator) -> str:
    offers = [LobbyOfferMessage.of(offer, say) for offer in now.listed.values()]
    state = LobbyState(offers=offers, waiting=now.waiting, people=now.people)
    return frame("lobby", state.model_dump_json())


def _changes(since: LobbySnapshot, now: LobbySnapshot, say: Translator) -> str:
    """Return the event with the differences of two snapshots, empty if there are none."""
    new = [
        LobbyOfferMessage.of(now.listed[number], say) for number in now.listed if number not in since.listed
    ]
    gone = [
        OfferEnd(number=number, state=now.end_of(offer))
        for number, offer in since.listed.items()
        if number not in now.listed
    ]
    if not (new or gone) and (since.waiting, since.people) == (now.waiting, now.people):
        return ""
    changes = LobbyChanges(new=new, gone=gone, waiting=now.waiting, people=now.people)
    return frame("changes", changes.model_dump_json())


async def lobby_events(
    streams: LobbyStreams, stream: LobbyStream, now: Callable[[], int]
) -> AsyncIterator[str]:
    """Yield the offers and their changes, and the facts about the visitor, until *stream* ends."""
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    say = stream.say
    own: VisitorFacts | None = None
    # The page has just offered a game, perhaps. An older snapshot would make it offer the game again.
    lobby = await streams.newest()
    challenges = lobby.open_challenges
    while not stream.is_over:
        is_silent = stream.seen is not None
        current, text = streams.current, streams.text(stream.seen, say)
        if text is not None:
            is_silent = False
            yield text  # This takes long if the client reads slowly, and the lobby changes meanwhile.
        if current is not None:
            if current.lobby.version >= lobby.version:
                lobby, challenges = current.lobby, current.challenges
            facts = lobby.facts_for(stream.seeker, challenges, now() - MEETING_MS)
            if facts != own:
                is_silent = False
                yield frame("own", OwnOffers.of(facts, say).model_dump_json())
                own = facts
        if is_silent:
            yield STILL_HERE
        stream.seen = current
        await stream.wait(None)  # 5,000 timeouts cost too much; refresh() writes to silent streams
