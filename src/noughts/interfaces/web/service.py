"""The services of one worker: rooms, event streams, computers, limits and metrics."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from threading import Barrier
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.requests import Request

from noughts.arena.commands import Command
from noughts.arena.lobby.lobby import MAX_OWN
from noughts.arena.lobby.offers import Seeker
from noughts.arena.lobby.shared_lobby import NEWS as LOBBY_NEWS
from noughts.arena.lobby.shared_lobby import SharedLobby
from noughts.arena.people.identities import Identity
from noughts.arena.people.inbox import Inbox
from noughts.arena.people.moderation import Moderation
from noughts.arena.people.people import People
from noughts.arena.people.subscriptions import Subscriptions
from noughts.arena.process_time import now_ms
from noughts.arena.ratings.computers import computer_rating
from noughts.arena.ratings.fairness import Unrated, uncounted_reason
from noughts.arena.ratings.models import speed_of
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.rooms.models import CommandReply, Phase, RoomView, SeatRating
from noughts.arena.rooms.player_pauses import PlayerPauses
from noughts.arena.rooms.reminders import Reminders
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.seat_names import seat_name, seat_number
from noughts.arena.store.database import Database
from noughts.arena.table import HUMAN
from noughts.arena.tournament.people_director import PeopleTournaments
from noughts.arena.watching.shared_wall import NEWS as WALL_NEWS
from noughts.arena.watching.shared_wall import SharedWall
from noughts.arena.watching.wall import COMPUTERS
from noughts.errors import DamagedStore, NewerStore, NotFound, NoughtsError
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, name_of
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import claimable_name
from noughts.interfaces.web.caches import SizedCache, TimedCache
from noughts.interfaces.web.costs import BoardSize, size_of
from noughts.interfaces.web.http.limits import (
    OpenRoomQuota,
    Owners,
    Quotas,
    ServerLimits,
    Tally,
    ThinkingQuota,
)
from noughts.interfaces.web.http.metrics import LOG, Metrics
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError
from noughts.interfaces.web.live.computers import Computers, FairQueue, cancel_on_disconnect
from noughts.interfaces.web.live.events import LateEvent, Presence, Stream, WatchedRooms
from noughts.interfaces.web.live.games import GamesStreams
from noughts.interfaces.web.live.lobby import PAIR_SECONDS, LobbyStream, LobbyStreams
from noughts.interfaces.web.live.people_streams import PeopleStreams
from noughts.interfaces.web.live.push import Pusher, push_is_available
from noughts.interfaces.web.live.resignations import EXAMINE_SECONDS, examine_resignations
from noughts.interfaces.web.live.spectators import COUNT_SECONDS, Spectators
from noughts.interfaces.web.live.state import States
from noughts.interfaces.web.live.wall import CHECK_SECONDS, Walls, WallStreams
from noughts.interfaces.web.live.work import WorkScheduler, call_in
from noughts.search.explain.review import Review
from noughts.workers.messages import TaskFailure, TaskResult, TaskWorker
from noughts.workers.seating import player_names
from noughts.workers.supervisor import ProcessWorker
from noughts.workers.thread_worker import ThreadWorker

THREADS = 32
"""The number of commands that wait for the disk at once. Many are written together."""

WALL_CHOICES = ("", COMPUTERS, *(entry.name for entry in CATALOGUE))
"""The choices of games on a wall: all, those without people, and those of one game."""

TICK_SECONDS = 0.5
"""Seconds between checks for fallen flags and expired rooms."""

REMIND_TICKS = 120
"""Ticks between checks for games by days with little time left."""

SWEEP_TICKS = 20
"""Ticks between checks for forgotten people, and for idle computers that have to move."""

MAX_QUICK = 1_000
"""The largest sum of legal and made moves for which a state is written at once, without charge."""

AWAY_SECONDS = 3.0
"""Seconds after the end of a stream until a player counts as away. A reload takes less time."""

SILENT_SECONDS = 30.0
"""Seconds without a request until a player without a stream, such as a program, counts as away."""

MAX_PROGRAMS = 8
"""The largest number of external programs that think at once. Further ones wait."""

MAX_QUESTIONS = 8
"""The largest number of requests that wait for thinking. Further callers have to retry."""

MAX_REVIEWS = 100
"""The largest number of cached reviews of finished games."""

MAX_DELAYED = 1_000
"""The largest number of cached rooms as watchers see them."""

MAX_BOT_STREAMS = 4
"""The largest number of streams of one bot. Each follows all games of the bot."""

MAX_NAMES = 20_000
"""The largest number of cached names of people with keys."""

REMOVED = "removed/"
"""The beginning of the names under which workers hear of people whose streams have to end."""

SeatRatings = tuple[dict[int, SeatRating], Unrated | None]
"""The ratings of the players of a game by place, and the reason if the ended game changed none."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of the server: see ``noughts serve --help``.

    *network* is the origin at which other devices of the network reach the server, empty if they cannot.
    *operators* are the numbers or public keys of the operators.
    """

    database: str
    workers: int = 1
    thinkers: int = 1
    hosts: tuple[str, ...] = ("127.0.0.1",)
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    limits: ServerLimits = field(default_factory=ServerLimits)
    bots: tuple[str, ...] = ()
    network: str = ""
    operators: tuple[str, ...] = ()
    log: bool = False
    away_seconds: float = AWAY_SECONDS
    silent_seconds: float = SILENT_SECONDS
    remember_seconds: float = 5.0
    pace_seconds: float = 0.8

    @property
    def contact(self) -> str:
        """The address that push services get: that of this server."""
        secure = [urlsplit(origin).hostname for origin in self.origins if origin.startswith("https://")]
        return f"https://{secure[0] if secure else 'localhost'}"


SHARED_ADDRESS = ""
"""The key of reads that are shared by all callers."""


def _is_quick(size: BoardSize, plies: int) -> bool:
    """Return True if the state of a room with such a board is written immediately."""
    return size.moves + plies <= MAX_QUICK


def started_worker() -> ProcessWorker:
    """Return a started worker process."""
    process = ProcessWorker()
    process.start()
    return process


def started_pool() -> ThreadPoolExecutor:
    """Return a pool of threads that are all started now, since memory may be missing later."""
    pool, all_there = ThreadPoolExecutor(THREADS, "noughts-rooms"), Barrier(THREADS, timeout=10)
    for _ in range(THREADS):
        pool.submit(all_there.wait)
    return pool


class Service:
    """The part of the server that one worker runs, until :meth:`close`.

    Methods of rooms are called in threads, so that the event loop never waits for them.
    """

    def __init__(
        self,
        serving: ServerOptions,
        database: Database,
        metrics: Metrics,
        *,
        now: Callable[[], int] = now_ms,
        thinkers: list[TaskWorker] | None = None,
    ) -> None:
        self.serving, self.database, self.metrics, self.now = serving, database, metrics, now
        self.limits = serving.limits
        self.rooms = Rooms(database, now=now)
        self.inbox, self.reminders = Inbox(database), Reminders(self.rooms, now)
        self.subscriptions = Subscriptions(database, now)
        if push_is_available():
            self.pusher = Pusher(database, self.subscriptions, now, serving.contact)
            self.rooms.listen_to_notes(self.pusher.call)
        self.people = People(database, now=now, check=claimable_name)
        self.moderation = Moderation(database, self.people, now=now)
        self._pool = started_pool()
        self.watches = WatchedRooms(self.rooms.known, self.look, self._take_in)
        self.thinkers = thinkers or [started_worker() for _ in range(serving.thinkers)]
        self.analyst: TaskWorker = self.thinkers[-1] if thinkers else ProcessWorker()
        self.programs = ThreadWorker(MAX_PROGRAMS)
        self.computer_replies: dict[tuple[str, str, str | None], NoughtsError | None] = {}
        """The replies of computers about games: None, or the error with which a computer declined."""
        self.computers = Computers(
            self.thinkers,
            self.programs,
            lambda name: name in self.players,
            self._act,
            self.note_trouble,
            lambda room: self.watches.is_watched(room) or self.walls.watchers(room) > 0,
            self._may_go_on,
            lambda view: self.watches.send(view.room, LateEvent(view.version)),
            serving.pace_seconds,
        )
        self.quotas = Quotas(self.limits)
        self.work = WorkScheduler(
            self.limits, self.quotas, self.thinkers[-1] if thinkers else ProcessWorker()
        )
        self.states = States()
        self._delayed = SizedCache[str, RoomView](MAX_DELAYED)
        self._seat_ratings = SizedCache[str, SeatRatings](MAX_NAMES)
        self._called = SizedCache[str, tuple[str, int]](MAX_NAMES)
        self.tournaments = PeopleTournaments(
            database, self.rooms, now=now, on_computer=self._on_computer, on_fault=self._on_fault
        )
        self.people_streams, self.games_streams = PeopleStreams(), GamesStreams()
        self.tournaments.listen(self._on_people)
        self.open_rooms = OpenRoomQuota(self.limits.open_rooms, partial(self.run, self.rooms.store.left))
        self.all_rooms = TimedCache(self.run, serving.remember_seconds)
        self.thoughts = ThinkingQuota(self.limits.thinking, self.computers.is_asked)
        patience = (serving.away_seconds, serving.silent_seconds)
        self.presence = Presence(self.rooms, self.watches, self.run, self.run_in_background, *patience)
        self.ratings = RatingStore(database)
        self.player_pauses = PlayerPauses(self.rooms, database, now=now)
        self.lobby = SharedLobby(self.rooms, database, now=now)
        self.lobby_streams = LobbyStreams(
            self.lobby, self.run, self.run_in_background, is_alone=not database.is_shared
        )
        self.walls = Walls(self._new_wall)
        self.spectators = Spectators(self.rooms.worker, asyncio.get_running_loop().time)
        self.watches.further = self._further_spectators
        self._featured: set[str] = set()
        self.offering = Owners()
        """The visitors with offers at this worker, by address."""
        self.turns = FairQueue()
        """The queue of requests to the analyst."""
        self.reviews = SizedCache[int, Review](MAX_REVIEWS)
        """Reviews of finished games by number."""
        self.streams, self.bot_streams = Tally(), Tally()
        self.scores = TimedCache(partial(self.work.read, SHARED_ADDRESS), serving.remember_seconds)
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self._troubles: dict[str, str] = {}
        """The last errors of periodic tasks, by their names."""
        self._end_listening = self.rooms.listen(self._on_event, self._on_gap)
        metrics.gauges |= {
            "streams": lambda: self.stream_count,
            "rooms_watched": lambda: len(self.watches.names),
            "computers_thinking": lambda: self.computers.thinking,
        }
        self.run_in_background(self._tick_on())
        self.run_in_background(self._examine_on())
        self.run_in_background(self._repeat("lobby", self.lobby_streams.tick, PAIR_SECONDS))
        self.run_in_background(self._repeat("wall", self.walls.tick, CHECK_SECONDS))
        self.run_in_background(self._repeat("spectators", self._count_spectators, COUNT_SECONDS))

    @property
    def players(self) -> tuple[str, ...]:
        """The computers that players can choose."""
        return tuple(player_names(self.serving.bots))

    def is_operator(self, identity: Identity) -> bool:
        """Return True if *identity* decides reports on this server."""
        return bool({str(identity.number), identity.key} & set(self.serving.operators))

    async def think(
        self, request: Request, asking: Callable[[], Coroutine[Any, Any, TaskResult | TaskFailure]]
    ) -> Any:
        """Return the result of *asking* while the sender of *request* stays connected.

        Raises the error in the result, or :class:`ApiError` if too much thinking is in progress.
        """
        self.check_thinking(address := address_of(request))
        with self.thoughts.one_more(address):
            message = await cancel_on_disconnect(request, asking())
        if not isinstance(message, TaskResult):
            raise ApiError(503, "thinking-failed")
        if isinstance(message.value, NoughtsError):
            raise message.value
        return message.value

    def check_thinking(self, address: str) -> None:
        """Raise :class:`ApiError` if too much thinking is in progress, for *address* or in total."""
        self.thoughts.check(address)
        if self.thoughts.awaited >= MAX_QUESTIONS:
            raise ApiError(503, "thinking-busy", seconds=5)

    async def run(self, function: Callable[..., Value], *arguments: Any, **named: Any) -> Value:
        """Return the result of *function*, called in a thread."""
        return await call_in(self._pool, partial(function, *arguments, **named))

    async def look(self, room: str) -> RoomView:
        """Return the present state of the room."""
        return await self.run(self.rooms.look, room)

    async def place_of(self, room: str, token: str) -> int | None:
        """Return the seat in *room* that *token* proves, or None if it proves none."""
        place = self.rooms.known_place_of(room, token)
        return await self.run(self.rooms.place_of, room, token) if place is None else place

    async def command(self, room: str, place: int, command: Command, version: int, key: str) -> CommandReply:
        """Carry out *command* for the seat *place* of *room*, and show the result to all readers."""
        answered = await asyncio.wrap_future(
            self.rooms.submit(room, place, command, version=version, key=key)
        )
        self.metrics.count("commands_repeated" if answered.is_repeated else "commands")
        self.show(answered.view)
        return answered

    def check_plies(self, cells: int, plies: int) -> None:
        """Raise :class:`ApiError` if a game of *plies* moves on *cells* cells may have no further move."""
        if plies >= cells + self.limits.plies:
            raise ApiError(422, "game-too-long", limit=cells + self.limits.plies)

    def _may_go_on(self, view: RoomView) -> bool:
        game = view.match.game
        return view.phase is not Phase.PLAYING or game.ply < len(game.cells) + self.limits.plies

    def show(self, view: RoomView) -> None:
        """Show a room that was changed on this worker, and start its computers."""
        self.watches.offer(view)
        self.computers.look_at(view)

    def run_in_background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run *work* in the background, and log its exceptions. While the service closes, nothing starts."""
        if self._is_closing:
            work.close()
            return
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._end_task)

    def _end_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("task failed", exc_info=error)

    async def named(self, view: RoomView) -> RoomView:
        """Return *view* with the present names of people with keys. They are at most some seconds old."""
        texts = [name for name in view.names if name is not None and seat_number(name) is not None]
        if not texts:
            return view
        since = self.now() - int(1000 * self.serving.remember_seconds)
        cached = {text: known[0] for text in texts if (known := self._called.get(text)) and known[1] > since}
        if len(cached) < len(texts):
            cached = await self.run(self.database.called, texts)
            for text, name in cached.items():
                self._called.put(text, (name, self.now()))
        return replace(view, called=cached)

    async def with_ratings(self, view: RoomView) -> RoomView:
        """Return *view* with the ratings of the players, if its games are rated.

        They are read once for each game, and again after its end.
        """
        if not view.setup.rated:
            return view
        key = f"{view.room} {view.names} {view.game_id} {view.match.outcome is None}"
        known = self._seat_ratings.get(key)
        if known is None:
            known = await self.run(self._read_ratings, view)
            self._seat_ratings.put(key, known)
        ratings, unrated = known
        return replace(view, ratings=ratings, unrated=unrated)

    def _read_ratings(self, view: RoomView) -> SeatRatings:
        """Return the ratings of the players of *view*, and the reason if its ended game changed none."""
        store, game, speed = self.ratings, name_of(view.match.game), speed_of(view.setup.clock)
        if speed is None:
            return {}, None
        has_ended = view.match.outcome is not None and view.game_id is not None
        changes = store.changes_in(view.game_id or 0) if has_ended else {}
        people = {place: seat_number(name) for place, name in enumerate(view.names) if name is not None}
        now = store.ratings_of([number for number in people.values() if number is not None], game, speed)
        ratings: dict[int, SeatRating] = {}
        for place, number in people.items():
            if number is None:
                rating = computer_rating(game, view.setup.who[place])
                ratings |= {} if rating is None else {place: SeatRating(rating)}
            elif number in changes:
                before, after = changes[number]
                ratings[place] = SeatRating(after, round(after.value) - round(before.value))
            else:
                ratings[place] = SeatRating(now[number].now(self.now()))
        if not has_ended or changes:
            return ratings, None
        return ratings, uncounted_reason(self.database.load(view.game_id or 0))

    def forget_name(self, number: int) -> None:
        """Forget the cached name of the identity *number*, which has changed."""
        self._called.put(seat_name(number), ("", 0))

    def as_seen(self, view: RoomView, place: int | None) -> RoomView:
        """Return *view* as the reader at the seat *place* sees it (None: a watcher)."""
        if place is not None or not view.setup.rated:
            return view
        cached, version = self._delayed.get(view.room), (view.setup.created, view.version)
        if cached is None or (cached.setup.created, cached.version) != version:
            cached = view.for_watchers()
            self._delayed.put(view.room, cached)
        return cached

    async def state_text(self, view: RoomView, say: Translator, place: int | None, address: str) -> str:
        """Return the present state of the room of *view* as JSON, for the seat *place* (None: a spectator).

        A large board or a long game is written in a thread when *address* has its turn. It has paid for that.
        """
        view = await self.with_ratings(await self.named(self.as_seen(view, place)))
        arguments = (view, say, place, self.now(), self.watches.spectators(view.room))
        if _is_quick(size_of(view.match.game), view.match.game.ply):
            return self.states.text(*arguments)
        return await self.work.write(address, self.states.text, *arguments)

    def charge_state(self, game: Game | None, address: str) -> None:
        """Charge *address* for the state of a room with *game*.

        Raises :class:`ApiError` (429) if its budget is used up.
        """
        if game is not None and not _is_quick(size := size_of(game), game.ply):
            self.work.charge(address, size.state_cost(game.ply))

    async def afford_state(self, game: Game, address: str) -> None:
        """Wait until *address* can pay for the state of a room with *game* for one more reader."""
        if not _is_quick(size := size_of(game), game.ply):
            await self.work.afford(address, size.resend_cost(game.ply))

    async def check_rooms(self, address: str, again: str | None) -> None:
        """Raise :class:`ApiError` if *address*, or the whole server, can open no more rooms.

        *again* is the room of a repeated request, which is allowed if it belongs to *address*.
        """
        if again in self.open_rooms.of(address):
            return
        await self.open_rooms.check(address)
        if await self.all_rooms.value(self.rooms.store.count) >= self.limits.all_rooms:
            raise ApiError(503, "server-full", seconds=60)

    # Computers

    async def _act(self, room: str, place: int, command: Command, version: int, key: str) -> RoomView:
        answered = await asyncio.wrap_future(
            self.rooms.submit(room, place, command, version=version, key=key)
        )
        self.metrics.count("computer_moves")
        self.watches.offer(answered.view)
        return answered.view

    def note_trouble(self, text: str) -> None:
        self.metrics.count("computer_troubles")
        LOG.info("computer", extra={"facts": {"trouble": text[:300]}})

    def _on_event(self, room: str, version: int) -> None:
        """Pass a new version to the event loop. Any thread may call this."""
        with suppress(RuntimeError):  # The event loop has ended.
            if room == LOBBY_NEWS:
                self._loop.call_soon_threadsafe(self.lobby_streams.on_change)
            elif room == WALL_NEWS:
                self._loop.call_soon_threadsafe(self.walls.on_change)
            elif room.startswith(REMOVED):
                self._loop.call_soon_threadsafe(self._end_streams_of, int(room.removeprefix(REMOVED)))
            else:
                self._loop.call_soon_threadsafe(self._on_version, room, version)

    def _on_version(self, room: str, version: int) -> None:
        if (watched := self.spectators.hear(room, version)) is not None:
            self.watches.recount(watched)
            return
        self.watches.on_version(room, version)
        self.walls.on_version(room, version)
        self.games_streams.on_change(room)
        if self.computers.is_asked(room):
            self.run_in_background(self._look_again(room, partial(self.computers.look_at, begin=False)))

    def _on_people(self, code: str, version: int) -> None:
        """Pass a new version of a tournament to its readers. Any thread may call this."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.people_streams.on_change, code, version)

    @staticmethod
    def _on_fault(code: str, error: Exception) -> None:
        """Log the error that stops a tournament, without its whole code, which would let readers enter."""
        LOG.warning("tournament", extra={"facts": {"code": f"{code[:3]}…", "trouble": str(error)[:300]}})

    def _on_computer(self, room: str) -> None:
        """Start the computer of a new room. Any thread may call this."""
        begin = lambda: self.run_in_background(self._look_again(room, self.computers.look_at))  # noqa: E731
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(begin)

    def _on_gap(self) -> None:
        """Read all followed rooms again, since notices were lost. Any thread may call this."""

        async def look_at_all_again() -> None:
            self.lobby_streams.on_change()
            self.walls.on_change()
            self.games_streams.on_gap()
            for room in self.watches.names:
                await self._look_again(room, self.watches.offer)

        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(lambda: self.run_in_background(look_at_all_again()))

    # Streams

    def open_stream(self, view: RoomView, place: int | None, address: str) -> Stream:
        """Return a new stream of the room of *view*; :class:`ApiError` if there are too many."""
        self._check_streams(address)
        if HUMAN not in view.setup.who:  # Computers play because the room has a reader.
            self.thoughts.add(address, view.room)
            self.thoughts.check_room(address, view.room)
        self.streams[address] += 1
        stream = self.follow(view, place)
        if HUMAN not in view.setup.who:
            self.computers.look_at(view)
        return stream

    def follow(self, view: RoomView, place: int | None, news: asyncio.Event | None = None) -> Stream:
        """Return a stream of the room of *view* that is not counted. Its player is present."""
        is_first = not self.watches.is_watched(view.room)
        stream = self.watches.open(view, place, news)
        if is_first:
            # Changes between reading the room and opening the stream have not been announced here.
            self.run_in_background(self._look_again(view.room, self.watches.offer))
        if place is not None:
            self.presence.start_reading(view.room, place)
        return stream

    @property
    def stream_count(self) -> int:
        """The number of open streams."""
        streams = (self.watches, self.lobby_streams, self.people_streams, self.walls)
        return sum(one.count for one in (*streams, self.games_streams))

    def _check_streams(self, address: str) -> None:
        if self.streams[address] >= self.limits.streams or self.stream_count >= self.limits.all_streams:
            raise ApiError(429, "too-many-streams", seconds=10)

    def take_stream(self, address: str) -> None:
        """Count a new stream of *address*; :class:`ApiError` if there are too many.

        The caller opens it, and drops it from ``streams`` after its end.
        """
        self._check_streams(address)
        self.streams[address] += 1

    async def check_offers(self, address: str, visitor: str) -> None:
        """Note that *visitor* at *address* makes an offer; :class:`ApiError` if the address has too many."""
        known = self.offering.of(address)
        if MAX_OWN * len(known) >= self.limits.open_offers:
            lobby = await self.lobby_streams.read()
            waiting = [offer.seeker.visitor for offer in lobby.open_offers if offer.seeker.visitor in known]
            for gone in known.difference(waiting):
                self.offering.drop(gone)
            if sum(other != visitor for other in waiting) >= self.limits.open_offers:
                raise ApiError(429, "too-many-offers", limit=self.limits.open_offers, seconds=60)
        self.offering.add(address, visitor)

    def open_bot_stream(self, seeker: Seeker, say: Translator, address: str) -> LobbyStream:
        """Return a new stream of the bot *seeker*; :class:`ApiError` if there are too many."""
        number = str(seeker.identity)
        if self.bot_streams[number] >= MAX_BOT_STREAMS:
            raise ApiError(429, "too-many-streams", seconds=10)
        self.take_stream(address)
        stream = self.lobby_streams.open(seeker, say)
        self.bot_streams[number] += 1
        return stream

    def _new_wall(self, show: str) -> WallStreams:
        """Return the streams of the wall for *show*."""
        number = 1 + WALL_CHOICES.index(show)
        shared = SharedWall(
            self.rooms, self.database, rating=self._mean_rating, now=self.now, show=show, number=number
        )
        return WallStreams(
            shared,
            self.run,
            self.run_in_background,
            prepare=self._as_watched,
            spectators=self.watches.spectators,
            on_featured=self._on_featured,
            now=self.now,
        )

    async def _as_watched(self, view: RoomView) -> RoomView:
        """Return *view* as watchers see it, with names and ratings."""
        return await self.with_ratings(await self.named(self.as_seen(view, None)))

    def _mean_rating(self, view: RoomView) -> int:
        """Return the mean rating of the players of *view*, or 0 if its games are not rated."""
        ratings = [known.rating.value for known in self._read_ratings(view)[0].values()]
        return round(sum(ratings) / len(ratings)) if view.setup.rated and ratings else 0

    def _further_spectators(self, room: str) -> int:
        """Return the number of spectators of *room* at the wall and at other workers."""
        return self.walls.watchers(room) + self.spectators.elsewhere(room)

    async def _count_spectators(self) -> None:
        """Send the numbers of spectators to other workers, and to the players of the featured games."""
        counts, before = self.watches.own_spectators, self._featured
        self._featured = self.walls.featured
        for room in before | self._featured:
            self.watches.recount(room)
        for room in self._featured:
            if watchers := self.walls.watchers(room):
                counts[room] = counts.get(room, 0) + watchers
        if self.database.is_shared and (news := self.spectators.news(counts)):
            await self.run(self.rooms.tell, news)

    def _on_featured(self, view: RoomView | None, before: str | None) -> None:
        """Let computers play in the featured room if they are alone: it has readers now."""
        if view is not None and view.room != before:
            self.computers.look_at(view)

    async def _look_again(self, room: str, show: Callable[[RoomView], None]) -> None:
        with suppress(NoughtsError):
            show(await self.look(room))

    def _take_in(self, view: RoomView) -> None:
        """Check the computers and the players of a room that another worker may have changed."""
        self.computers.look_at(view, begin=False)
        self.presence.restore_presence(view)

    def close_stream(self, stream: Stream, address: str) -> None:
        """Forget *stream*, which has ended."""
        self.streams.drop(address)
        self.unfollow(stream)

    def unfollow(self, stream: Stream) -> None:
        """Forget *stream*, which :meth:`follow` has returned. Its player is away soon."""
        self.watches.close_stream(stream)
        if stream.place is not None:
            self.presence.stop_reading(stream.watch.room, stream.place)

    async def end_streams_of(self, number: int) -> None:
        """End the streams of the person *number* at all workers.

        Other devices come back by their sessions. Streams of seats end by their new tokens.
        """
        self._end_streams_of(number)
        await self.run(self.rooms.tell, {f"{REMOVED}{number}": 1})

    def _end_streams_of(self, number: int) -> None:
        """End the streams of the person *number* at this worker, except those of rooms."""
        self.lobby_streams.end_of(number)
        self.games_streams.end_of(seat_name(number))

    async def let_go(self, number: int) -> None:
        """End the streams and close the seats of the forgotten person *number*."""
        self.forget_name(number)
        for step in (self.end_forgotten, partial(self.end_streams_of, number)):
            await self._attempt("forgotten", step)  # If it fails, the periodic one follows.

    async def end_forgotten(self) -> None:
        """Close the seats of people forgotten meanwhile, and end their offers.

        Their streams at this worker end, too.
        """
        await self.run(self.rooms.close_forgotten)
        offers = (await self.lobby_streams.read()).open_offers
        here = {offer.seeker.identity for offer in offers if offer.seeker.identity is not None}
        here |= self.lobby_streams.identities | self.games_streams.people
        for number in here - await self.run(self.people.known, here):
            self.forget_name(number)
            self._end_streams_of(number)
            await self.run(self.lobby.withdraw_of, number)

    # Periodic tasks

    async def _tick_on(self) -> None:
        steps: tuple[tuple[int, str, Callable[[], Awaitable[object]]], ...] = (
            # before a room with a result may be removed
            (1, "tournaments", partial(self.run, self.tournaments.tick)),
            (1, "rooms", partial(self.run, self.rooms.expiry.tick)),
            (SWEEP_TICKS, "pauses", partial(self.run, self.player_pauses.spread)),
            (SWEEP_TICKS, "computers", self._sweep),
            (SWEEP_TICKS, "forgotten", self.end_forgotten),
            (REMIND_TICKS, "reminders", partial(self.run, self.reminders.tick)),
        )
        for ticks in count():
            self.presence.mark_silent_away()
            try:
                for period, name, step in steps:
                    if ticks % period == 0:
                        await self._attempt(name, step)
            except NewerStore:  # A newer version has migrated the database, so nothing can be written.
                supervisor = multiprocessing.parent_process()
                os.kill(os.getpid() if supervisor is None else supervisor.pid or 0, signal.SIGTERM)
                return
            await asyncio.sleep(TICK_SECONDS)

    async def _attempt(self, name: str, step: Callable[[], Awaitable[object]]) -> None:
        """Do *step*, and log an error under *name*, unless it is the same as the last time."""
        try:
            await step()
        except NewerStore:
            raise
        except Exception as error:  # One step must not stop the others.
            if self._troubles.get(name) != (trouble := repr(error)):
                LOG.warning(name, extra={"facts": {"trouble": str(error)[:300]}})
            self._troubles[name] = trouble
        else:
            self._troubles.pop(name, None)

    async def _repeat(self, name: str, tick: Callable[[], Awaitable[object]], seconds: float) -> None:
        """Call *tick* again and again. *name* is that of its troubles in the log."""
        while True:
            with suppress(NewerStore):
                await self._attempt(name, tick)
            await asyncio.sleep(seconds)

    async def _examine_on(self) -> None:
        needed = (self.moderation, self.database, self.run, self.turns, self.analyst)
        await asyncio.sleep(EXAMINE_SECONDS)
        await self._repeat("resignations", partial(examine_resignations, *needed), EXAMINE_SECONDS)

    async def _sweep(self) -> None:
        """Start the computers that have to act but are idle."""
        for room in await self.run(self.rooms.store.awaiting_computers):
            if not self.computers.is_asked(room):
                with suppress(NotFound, DamagedStore):  # An error in one room must not affect others.
                    self.computers.look_at(await self.look(room))

    def end_streams(self) -> None:
        """End all streams, so that the server can stop. Browsers reconnect to another worker."""
        self.watches.close()
        self.lobby_streams.close()
        self.people_streams.close()
        self.games_streams.close()
        self.walls.close()

    async def close(self) -> None:
        """Stop all tasks, threads and processes."""
        self._is_closing = True
        self.end_streams()
        self._end_listening()
        if push_is_available():
            self.pusher.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.computers.close()
        await asyncio.to_thread(self.analyst.close)
        await asyncio.to_thread(self.work.close)
        await asyncio.to_thread(self._pool.shutdown)
        self.tournaments.close()
        await asyncio.to_thread(self.rooms.close)
