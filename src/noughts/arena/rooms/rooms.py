"""Rooms: the single source of truth about online play, for all threads, workers and machines of one database.

When a method returns, its change is committed. One thread commits simultaneous commands together
(:mod:`noughts.arena.rooms.group_commit`). Each command has the version that its sender saw, and a key under
which it is executed once.
"""

import hmac
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from threading import Lock
from typing import TypeVar

from noughts.arena.commands import Command, MakeMove, Put, Rematch, Share, WrittenMove, WrittenPut
from noughts.arena.digest import canonical_json
from noughts.arena.people.conduct import is_watched
from noughts.arena.people.guests import check_guest
from noughts.arena.people.inbox import InboxNote
from noughts.arena.people.meeting import check_no_bot, may_meet
from noughts.arena.people.moderation import check_ban
from noughts.arena.ratings.fairness import unrated_reason
from noughts.arena.rooms.expiry import Expiry, Heartbeats
from noughts.arena.rooms.group_commit import GroupCommit, Job
from noughts.arena.rooms.keys import (
    CODE_LASTS_MS,
    ROOM_BYTES,
    TOKEN_BYTES,
    key_of_game,
    link_of_game,
    make_code,
    parse_code,
    room_of_key,
    text_of,
    token_of_key,
    token_of_visitor,
)
from noughts.arena.rooms.models import CommandReply, Phase, RoomEntry, RoomFacts, RoomView
from noughts.arena.rooms.notices import Notices, notify
from noughts.arena.rooms.pauses import ServerTime, living_workers
from noughts.arena.rooms.room import Room, hash_token, seated
from noughts.arena.rooms.room_repository import KnownRooms, RoomBatch, RoomStore
from noughts.arena.seat_names import seat_number
from noughts.arena.setup import ONLINE
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import MAX_ID, Database
from noughts.arena.table import HUMAN, Terms
from noughts.errors import CommandRefused, DamagedStore, NotFound, NotRated, SeatTaken, StaleRoom, StoreError
from noughts.games.base import Game
from noughts.games.catalogue import new_game

T = TypeVar("T")

MAX_KEY = 64
"""The maximum length of the key of a command."""


_CLOSE_SEAT = "DELETE FROM room_people WHERE identity = :identity AND room = :room"


class Rooms:
    """The rooms of *database*. *now* returns the milliseconds since 1970, *chance* random bytes.

    Every method may be called from any thread. :meth:`close` leaves the database open. ``store`` finds rooms,
    ``heartbeats`` has the signs of life that this worker received, ``expiry`` makes the changes that become
    due.
    """

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int],
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._now, self._chance = ServerTime(now), chance
        self.store = RoomStore(database, self._now.pauses)
        self._database = database
        self._worker = chance(8).hex()
        self._lock = Lock()
        self._known, self.heartbeats = KnownRooms(), Heartbeats(now)
        self._listeners: dict[object, tuple[Callable[[str, int], None], Callable[[], None]]] = {}
        self._writer = GroupCommit(self._begin, self._announce, database.where)
        self.expiry = Expiry(self.store, self._writer, self._worker, self._now)
        self._on_notes: Callable[[list[InboxNote]], None] = lambda notes: None
        self._notices: Notices | None = None
        if database.is_shared:
            self._notices = Notices(database, self._worker, self._on_notice, self._catch_up)

    def open(self, terms: Terms, name: str, place: int | None, *, key: str | None = None) -> RoomEntry:
        """Open a room, with *name* at *place* (None: a room of computers alone).

        Under the same *key* the same room is opened once: see :mod:`noughts.arena.rooms.keys`. Raises the
        errors of :func:`noughts.new_game`, :class:`~noughts.errors.NameRefused`,
        :class:`~noughts.errors.KeyRefused` for a ban from rated games,
        :class:`~noughts.errors.OfferRefused` for a bot in a rated game, and
        :class:`~noughts.errors.CommandRefused` if another room was opened under that key.
        """
        _check_places(terms, place)
        room = self._new_name(key)
        token = "" if place is None else self._token(key, room, name)
        people = {} if place is None else {place: (name, hash_token(token))}
        self.expiry.join()
        fresh = self._fresh(room, terms, people)

        def work(batch: RoomBatch) -> str | None:
            try:
                before = batch.read(room)
            except NotFound:
                _check_entry(batch.connection, terms, name, self._now())
                return self._add(batch, fresh, people)
            _check_same(before, fresh, people)
            return before.facts.code if before.phase is Phase.WAITING else None

        return RoomEntry(room, place, token, self._write(room, work))

    def open_within(
        self,
        batch: RoomBatch,
        terms: Terms,
        names: Sequence[str | None],
        hashes: Sequence[str],
        away: Collection[int] = (),
    ) -> str:
        """Open a room in which all seats are taken, in the transaction of *batch*, and return its name.

        Its first game begins at once. *names* has the player of each place, and None for a computer. *hashes*
        has the hash of the token of each place. A person counts as present, as after :meth:`join`, except at
        the places *away*. The errors are those of :meth:`open`.
        """
        people = _seats_of(terms, names, hashes)
        fresh = self._fresh(self._new_name(None), terms, people, away)
        self._add(batch, fresh, people)
        return fresh.name

    def _fresh(
        self, room: str, terms: Terms, people: Mapping[int, tuple[str, str]], away: Collection[int] = ()
    ) -> Room:
        """Return a new room with *people*, each a name and the hash of a token, by place.

        Those at the places *away* are not present. Computers take their seats as well.
        """
        at, seed = self._now(), self._seed()
        terms = replace(terms, created=terms.created or at)
        free = (None,) * len(terms.who)
        pauses = self._now.pauses
        facts = RoomFacts(free, at, begun_after=pauses.last, touched_after=pauses.last)
        fresh = Room(room, 0, seated(terms, free), facts, pauses=pauses)
        for place, (name, token) in people.items():
            fresh.sit(place, name, token, None if place in away else self._worker, at, seed)
        for other, who in enumerate(terms.who):
            if who != HUMAN:
                fresh.sit(other, who, "", None, at, seed)
        return fresh

    def _add(self, batch: RoomBatch, fresh: Room, people: Mapping[int, tuple[str, str]]) -> str | None:
        """Add the room *fresh*. Return its code if seats are free."""
        made = fresh.draft()
        made.version = 1
        if made.phase is Phase.WAITING:
            code = self._free_code(batch.connection)
            made.facts = replace(made.facts, code=code, expires=fresh.facts.touched + CODE_LASTS_MS)
        batch.add(made)
        for place in people:
            self._note_sign(made, place)
        return made.facts.code

    def join(
        self,
        name: str,
        *,
        room: str | None = None,
        code: str | None = None,
        key: str | None = None,
        owner: int | None = None,
    ) -> RoomEntry:
        """Give *name* the free seat of *room*, or of the room that *code* opens.

        Under the same *key* it is the same seat again, or the seat that a lobby has given to it. *owner* is
        the number of the key of a player who sits down as a guest, under the own or another name. Raises
        :class:`~noughts.errors.NotFound`, :class:`~noughts.errors.SeatTaken`,
        :class:`~noughts.errors.NameRefused`, :class:`~noughts.errors.KeyRefused` for a ban from rated games,
        and :class:`~noughts.errors.OfferRefused` for a bot in a rated game.
        """
        own, seed = self._now.own(), self._seed()
        if room is None:
            room = self._room_of(code or "")
        token = self._token(key, room, name)
        visiting = "" if key is None else token_of_visitor(key)

        def work(batch: RoomBatch) -> tuple[int, str]:
            at = self._now.at(own)  # a pause may have moved it since
            try:
                before = batch.read(room)
            except NotFound:
                raise _no_room(room, code) from None
            for secret in (token, visiting):
                if (taken := before.place_of(secret)) is not None:
                    return taken, secret
            if before.phase is Phase.CLOSED or (code is not None and not before.takes(parse_code(code), at)):
                raise _no_room(room, code)
            if None not in before.facts.seats:
                raise SeatTaken(room)
            place = before.facts.seats.index(None)
            if not may_meet(batch.connection, [*before.names, name]):
                raise _no_room(room, code)  # a block is not shown
            _check_entry(batch.connection, before.table.terms, name, at, owner)
            after = before.draft()
            after.sit(place, name, hash_token(token), self._worker, at, seed)
            self._note_sign(batch.save(before, after), place)
            return place, token

        place, secret = self._write(room, work)
        return RoomEntry(room, place, secret, None)

    def place_of(self, room: str, token: str) -> int | None:
        """Return the place in *room* that *token* proves, or None if there is no such place or room."""
        try:
            return self._look(room).place_of(token)
        except NotFound:
            return None

    def place_of_hash(self, room: str, token: str) -> int | None:
        """Return the place in *room* of the seat whose token has the hash *token*, or None."""
        seats = self._look(room).facts.seats
        places = (place for place, seat in enumerate(seats) if seat is not None and seat.token == token)
        return next(places, None)

    def known_place_of(self, room: str, token: str) -> int | None:
        """Return the same as :meth:`place_of`, but from memory, or None if it is not known.

        Seats never change owners. A token that has lost its seat may count for a moment on other workers.
        """
        known = self._known.newest(room)
        return None if known is None else known.place_of(token)

    def hand_over(self, room: str, place: int, token: str) -> None:
        """Let *token* prove the seat at *place*, because its player has lost the device with the earlier one.

        Raises :class:`~noughts.errors.NotFound`.
        """

        def work(batch: RoomBatch) -> None:
            before = batch.read(room)
            after = before.draft()
            after.set_token(place, hash_token(token), self._now())
            batch.save(before, after)

        self._write(room, work)

    def renew_tokens(self, number: int, remove: Callable[[Connection], None]) -> None:
        """Let no earlier token prove a seat of the person *number*, and call *remove* in one transaction.

        It removes devices. The other ones prove the seats by their sessions.
        """

        def work(batch: RoomBatch) -> None:
            remove(batch.connection)
            self._renew_tokens(batch, number, self.store.of_identity(number, batch.connection, MAX_ID))

        self.transact("", work)

    def close_forgotten(self) -> None:
        """Let no token prove a seat of a forgotten person."""

        def work(batch: RoomBatch) -> None:
            found = self.store.of_forgotten(batch.connection)
            batch.lock(sorted({name for names in found.values() for name in names}))
            for number, names in found.items():
                self._renew_tokens(batch, number, names)
                rows = [{"identity": number, "room": name} for name in names]
                batch.connection.change(_CLOSE_SEAT, *rows)

        with self._database.reading() as connection:
            if not self.store.of_forgotten(connection):
                return
        self.transact("", work)

    def _renew_tokens(self, batch: RoomBatch, number: int, names: Sequence[str]) -> None:
        """Give the person *number* seats with new tokens in the rooms *names*. Nobody knows the tokens."""
        batch.lock(names)
        for name in names:
            with suppress(NotFound, DamagedStore):
                before = batch.read(name)
                after, place = before.draft(), before.view().place_of(number)
                if place is not None:
                    token = text_of(self._chance(TOKEN_BYTES))
                    after.set_token(place, hash_token(token), self._now())
                    batch.save(before, after)

    def known(self, room: str, version: int) -> RoomView | None:
        """Return the room from memory, at *version* or a newer one, or None if it has to be read."""
        known = self._known.newest(room)
        return None if known is None or known.version < version else known.view()

    def known_game(self, room: str) -> Game | None:
        """Return the running game in *room* from memory, or None. The caller must not change it."""
        known = self._known.newest(room)
        match = None if known is None else known.table.match
        return None if match is None or match.outcome is not None else match.game

    def look(self, room: str) -> RoomView:
        """Return the current room. Raises :class:`~noughts.errors.NotFound`."""
        return self._look(room).view()

    def of_identity(self, number: int) -> list[RoomView]:
        """Return the rooms in which the person with the key *number* has a seat, except damaged ones."""
        with suppress(StoreError):  # as in :meth:`look`
            self.expiry.join()
        views: list[RoomView] = []
        with self._database.reading() as connection:
            rows = self.store.find(connection, self.store.of_identity(number, connection), to_change=False)
            for name, row in rows.items():
                with suppress(NotFound, StoreError):
                    room = self.store.room_of(connection, name, row, self._known)
                    self._known.learn(room)
                    views.append(room.view())
        return views

    def of_visitor(self, token: str) -> list[str]:
        """Return the rooms to which lasting offers have led. *token* is the hash of the visitor's token."""
        with self._database.reading() as connection:
            return self.store.of_visitor(token, connection)

    def view_by_code(self, code: str) -> RoomView:
        """Return the room that *code* opens, without taking a seat.

        Raises :class:`~noughts.errors.NotFound`, as :meth:`join` does.
        """
        try:
            room = self._look(self._room_of(code))
        except NotFound:
            raise NotFound("code", code) from None
        if not room.takes(parse_code(code), self._now()):
            raise NotFound("code", code)
        return room.view()

    def submit(
        self, room: str, place: int, command: Command, *, version: int, key: str
    ) -> "Future[CommandReply]":
        """Execute *command* of the seat *place*, once for each *key*.

        *version* is the version of the room that the client saw. The future gets the answer once it is
        committed. It may also get :class:`~noughts.errors.StaleRoom`, :class:`~noughts.errors.NotFound`, or
        an error of the match or the store. Nothing has changed then. If the time had run out, the command
        ends the game instead.
        """
        text = _key_text(command)
        own, seed = self._now.own(), self._seed()
        if not (isinstance(key, str) and 0 < len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
            raise CommandRefused(command, "no-key")

        def work(batch: RoomBatch) -> CommandReply:
            before = batch.read(room)
            if not (0 <= place < len(before.facts.seats)) or before.facts.seats[place] is None:
                raise CommandRefused(command, "unknown-side")
            if (version_made := batch.answered((room, place, key), text)) is not None:
                if version_made == 0:
                    raise CommandRefused(command, "key-used")
                return CommandReply(before.view(), version_made, is_repeated=True)
            if not before.facts.acted <= version <= before.version:
                raise StaleRoom(before.view())
            if isinstance(command, Rematch):
                _check_rematch(batch.connection, before, place, self._now.at(own))
            after = before.draft()
            after.execute(place, command, self._worker, self._now.at(own), seed)
            if isinstance(command, Share):
                batch.share(after, after.facts.shared or 0)
            saved = batch.save(before, after)
            batch.add_key((room, place, key), text, saved.version)
            self._note_sign(saved, place)
            return CommandReply(saved.view(), saved.version)

        return self._writer.submit(room, work, (room, place, key))

    def set_presence(self, room: str, place: int, here: bool) -> None:
        """Note that the player at *place* is *here* or away, as far as this worker knows.

        Nothing is written if that is known already, or if the player is present at another worker.
        """
        if here:
            self.heartbeats.note(room, place)

        def work(batch: RoomBatch) -> None:
            before = batch.read(room)
            seats = before.facts.seats
            seat = seats[place] if 0 <= place < len(seats) else None
            if seat is None or (seat.holder == self._worker) == here:
                return
            after = before.draft()
            after.set_holder(place, self._worker if here else None, self._now())
            batch.save(before, after)

        self._write(room, work)

    def holds(self, room: str, place: int) -> bool:
        """Return True if this worker holds the seat at *place*, as far as is known."""
        known = self._known.newest(room)
        seat = None if known is None else known.facts.seats[place]
        return seat is not None and seat.holder == self._worker

    def listen(
        self, on_change: Callable[[str, int], None], on_missed: Callable[[], None] = lambda: None
    ) -> Callable[[], None]:
        """Call *on_change* with the room and version of each committed change, of this or any other worker.

        *on_missed* is called if changes may have been lost. Listeners must read their rooms again then. Both
        are called in another thread and must return at once. Return a function that ends the subscription.
        """
        number = object()
        with self._lock:
            self._listeners[number] = on_change, on_missed

        def end() -> None:
            with self._lock:
                self._listeners.pop(number, None)

        return end

    def listen_to_notes(self, on_notes: Callable[[list[InboxNote]], None]) -> None:
        """Call *on_notes* with the notes for inboxes of each committed change of this worker.

        It is called in another thread and must return at once.
        """
        self._on_notes = on_notes

    def tell(self, news: Mapping[str, int]) -> None:
        """Send *news*, numbers by name, to the listeners of other workers. Nothing is stored."""
        if self._database.is_shared:
            with self._database.writing() as connection:
                notify(connection, self._worker, news)

    def transact(self, order: str, work: Callable[[RoomBatch], T]) -> T:
        """Return the answer of *work*, once the transaction in which it was called is committed.

        *work* may be called more than once. *order* is the name of the room that it reads, or another word.
        """
        self.expiry.join()
        return self._write(order, work)

    @property
    def worker(self) -> str:
        """The name of this worker."""
        return self._worker

    def living_workers(self, within: Connection) -> set[str]:
        """Return the names of the workers that are alive, as far as the database knows."""
        others = living_workers(within, self._worker) if within.dialect.is_shared else []
        return {self._worker, *others}

    def close(self) -> None:
        """Finish the pending jobs, write a last sign of life, and stop."""
        with suppress(StoreError):
            self.expiry.write_heartbeat()
        self._writer.close()
        if self._notices is not None:
            self._notices.close()

    def opens(self, game: int, key: str) -> bool:
        """Return True if the secret *key* opens the *game* with that number.

        A game of an earlier version has no link of its own. If its room still exists, the room's secret is
        used.
        """
        try:
            origin, series, access = self._database.access(game)
        except NotFound:
            return False
        links = [] if access.link is None else [access.link]
        if origin == ONLINE and access.link is None and series is not None:
            links = [link_of_game(key_of_game(room, game)) for room in self.store.of_series(series)]
        return any(hmac.compare_digest(link, link_of_game(key)) for link in links)

    def opened(self, keys: Mapping[int, str]) -> set[int]:
        """Return the numbers of the games that the *keys* open. *keys* maps numbers of games to secrets."""
        links = self._database.links(keys)
        return {game for game, link in links.items() if hmac.compare_digest(link, link_of_game(keys[game]))}

    # Transactions

    @contextmanager
    def _begin(self, jobs: Sequence[Job]) -> Iterator[RoomBatch]:
        names = {job.order for job in jobs}
        keys = {job.key for job in jobs if job.key is not None}
        with self._database.writing() as connection:
            batch = RoomBatch(self.store, connection, self._known, names, keys)
            self.expiry.write_heartbeat_first(batch)
            yield batch
            if self._notices is not None and batch.news:
                notify(connection, self._worker, batch.news)
        for room in batch.changed.values():
            self._known.learn(room)
        for name in batch.gone:
            self._known.forget(name)
        self.expiry.note_committed(batch)

    def _write(self, room: str, work: Callable[[RoomBatch], T]) -> T:
        answer: T = self._writer.submit(room, work).result()
        return answer

    def _note_sign(self, room: Room, place: int) -> None:
        """Note a sign of life of the player at *place*.

        This happens before the commit, because the response to the player can be lost.
        """
        seat = room.facts.seats[place]
        if seat is not None and seat.holder == self._worker:
            self.heartbeats.note(room.name, place)

    def _look(self, room: str) -> Room:
        with suppress(StoreError):  # a room can be read even if nothing can be written
            self.expiry.join()
        with self._database.reading() as connection:
            result = self.store.read(connection, room, self._known)
        self._known.learn(result)
        return result

    # News

    def _announce(self, batch: RoomBatch) -> None:
        for name, version in batch.news.items():
            self._publish(name, abs(version))
        if notes := batch.inbox.added:
            with suppress(Exception):  # as for listeners
                self._on_notes(notes)

    def _publish(self, room: str, version: int) -> None:
        for on_change, _ in self._all_listeners():
            with suppress(Exception):  # a listener that fails must not affect the others
                on_change(room, version)

    def _all_listeners(self) -> list[tuple[Callable[[str, int], None], Callable[[], None]]]:
        with self._lock:
            return list(self._listeners.values())

    def _on_notice(self, room: str, version: int) -> None:
        """Publish that another worker has changed *room* to *version*.

        A negative version means that the room was removed.
        """
        if version < 0:
            self._known.forget(room)
        self._publish(room, abs(version))

    def _catch_up(self) -> None:
        """Publish the versions of the known rooms, since changes may have been missed.

        A change may be unpublished even if the room was read since.
        """
        known = self._known.versions()
        current = self.store.versions(known)
        for room, version in known.items():
            if current.get(room, 0) < version:  # it was removed, and perhaps opened again
                self._known.forget(room)
            self._publish(room, current.get(room, version + 1))
        for _, on_missed in self._all_listeners():
            on_missed()

    # Secrets

    def _token(self, key: str | None, room: str, name: str) -> str:
        return text_of(self._chance(TOKEN_BYTES)) if key is None else token_of_key(key, room, name)

    def _new_name(self, key: str | None) -> str:
        return text_of(self._chance(ROOM_BYTES)) if key is None else room_of_key(key)

    def _seed(self) -> int:
        return int.from_bytes(self._chance(4), "big")

    def _free_code(self, connection: Connection) -> str:
        while True:
            code = make_code(self._chance(8))
            if self.store.with_code(code, connection) is None:
                return code

    def _room_of(self, code: str) -> str:
        parsed = parse_code(code)
        room = None if parsed is None else self.store.with_code(parsed)
        if room is None:
            raise NotFound("code", code)
        return room


def _key_text(command: Command) -> str:
    """Return the text of a command for its key. A written move has the same text as in earlier versions."""
    kind, facts = type(command).__name__, asdict(command)
    if isinstance(command, WrittenMove):
        kind, facts = MakeMove.__name__, {**facts, "is_unproved": False}
    elif isinstance(command, WrittenPut):
        kind = Put.__name__
    return canonical_json([kind, facts])


def _check_entry(connection: Connection, terms: Terms, name: str, at: int, owner: int | None = None) -> None:
    """Raise an error if *name* must not take a seat at the instant *at*: see :meth:`Rooms.join`."""
    if terms.rated:
        check_ban(connection, seat_number(name), at, rated=True)
        check_no_bot(connection, seat_number(name) or owner)
    check_guest(connection, name, owner)


def _check_same(before: Room, fresh: Room, people: Mapping[int, tuple[str, str]]) -> None:
    """Raise :class:`~noughts.errors.CommandRefused` unless *fresh* repeats *before*, with *people*."""
    terms = fresh.table.terms
    is_same = replace(before.table.terms, created=0) == replace(terms, created=0)
    if not is_same or any(
        (seat := before.facts.seats[place]) is None or not hmac.compare_digest(seat.token, token)
        for place, (_, token) in people.items()
    ):
        raise CommandRefused(terms, "key-used")


def _check_rematch(connection: Connection, room: Room, place: int, at: int) -> None:
    """Raise an error if the player at *place* must not begin another game in *room* at the instant *at*."""
    terms, name = room.table.terms, room.names[place]
    if terms.rated or is_watched(terms):
        check_ban(connection, seat_number(name or ""), at, rated=terms.rated)
    if not may_meet(connection, room.names):
        raise CommandRefused(Rematch(), "room-closed")  # a block is not shown


def _no_room(room: str, code: str | None) -> NotFound:
    return NotFound("room", room) if code is None else NotFound("code", code)


def _people(terms: Terms) -> list[int]:
    """Return the places of people."""
    return [place for place, who in enumerate(terms.who) if who == HUMAN]


def _seats_of(terms: Terms, names: Sequence[str | None], hashes: Sequence[str]) -> dict[int, tuple[str, str]]:
    """Return the name and the hash of the token of each person by place.

    Raises :class:`~noughts.errors.NotFound` unless *names* has each person of *terms*, and None for others.
    """
    seats = {place: (name, hashes[place]) for place, name in enumerate(names) if name is not None}
    if len(names) != len(terms.who) or list(seats) != _people(terms):
        raise NotFound("place", [*seats], [str(place) for place in _people(terms)])
    _check_places(terms, next(iter(seats), None))
    return seats


def _check_places(terms: Terms, place: int | None) -> None:
    """Raise :class:`~noughts.errors.BadInput` unless *terms* fit their game and *place* is a person's.

    Rated terms must be fair.
    """
    if terms.rated and (reason := unrated_reason(terms)) is not None:
        raise NotRated(reason)
    sides = len(new_game(terms.game).sides)
    people = _people(terms)
    if len(terms.who) != sides or (place not in people if people else place is not None):
        raise NotFound("place", place, [str(number) for number in people])
