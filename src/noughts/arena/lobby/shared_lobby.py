"""The lobby in the database: one state for all threads, workers and machines.

Changes are jobs of the rooms' single writer. A lock of the database lets the transactions of all workers
come one after the other, so each sees all earlier changes. Simultaneous changes share a transaction: it takes
the lock, reads the lobby and writes it once. An offer is taken in the transaction that opens the room, so no
player is in two games, and no pair is lost. The other workers hear of a change as they hear of rooms.
"""

import json
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from random import Random
from threading import Lock
from typing import Any, TypeVar

from noughts.arena.clock import Clock
from noughts.arena.commands import Abort
from noughts.arena.digest import canonical_json, digest_of
from noughts.arena.lobby.lobby import ArrangedGame, Lobby
from noughts.arena.lobby.offers import (
    Blocked,
    LobbyOffer,
    OfferKey,
    OfferState,
    Seeker,
    TakerWish,
    nobody_blocked,
)
from noughts.arena.people.guests import GuestNames, lost_names
from noughts.arena.people.inbox import InboxChanges, InboxNote, NoteKind
from noughts.arena.people.meeting import apart_pairs, banned_people
from noughts.arena.people.moderation import check_ban
from noughts.arena.ratings.fairness import fair_terms
from noughts.arena.ratings.models import Speed, speed_of
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.room import Room
from noughts.arena.rooms.room_repository import BatchPart, RoomBatch
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.connections import Connection, DatabaseLock, Row
from noughts.arena.store.database import Database
from noughts.arena.table import HUMAN, Terms
from noughts.errors import NotFound, OfferRefused

T = TypeVar("T")

NEWS = "lobby"
"""The name under which workers hear of changes of the lobby. No room has so short a name."""

LAST = "\x7f"
"""The order of changes of the lobby in a transaction: after those of rooms, since they take the lock.

No room has this name.
"""

PAIRS_AT_ONCE = 32
"""The largest number of rooms that one transaction opens, so that moves do not wait for long."""

FIRST_MOVE_MS = 30_000
"""The time for the first move of each side, after which the game ends without counting."""

SEEDS = 2**32
"""The number of seeds for the choice of a balanced opening."""

CLEAN_MS = 60_000
"""Milliseconds after which a worker removes the rows of forgotten offers again."""

_CHANGED = (
    "SELECT visitor, is_challenge, lasting, changed, ended_at, facts, digest FROM offers"
    " WHERE changed > :known"
)
_UPDATE = (
    "ON CONFLICT (visitor, is_challenge, lasting) DO UPDATE SET changed = excluded.changed,"
    " ended_at = excluded.ended_at, facts = excluded.facts, digest = excluded.digest"
)
_NAMES = "SELECT number, name FROM identities WHERE number IN (:numbers)"
# The newest row stays, so that versions only grow.
_FORGET = "DELETE FROM offers WHERE ended_at > 0 AND ended_at < :before AND changed < :newest"


class SharedLobby:
    """The lobby of the *database* of *rooms*. *now* returns the milliseconds since 1970.

    Any thread may call the methods. When a method returns, its change is committed.
    """

    def __init__(
        self,
        rooms: Rooms,
        database: Database,
        *,
        now: Callable[[], int],
        chance: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._rooms, self._database, self._now = rooms, database, now
        self._chance = chance
        self._known = Lobby()
        self._lock = Lock()
        self._guests: list[str] = []
        """The names of guests with a pending change."""
        self._cleaned_at = 0

    @property
    def worker(self) -> str:
        """The name of this worker."""
        return self._rooms.worker

    def read(self) -> Lobby:
        """Return the present lobby, which the caller must not change."""
        with self._database.reading() as connection:
            lobby = self._newest(connection)
        lobby.forget(self._now())
        with self._lock:
            if lobby.version >= self._known.version:
                self._known = lobby
            return self._known

    def publish(self, offer: LobbyOffer, person: int | None = None) -> LobbyOffer:
        """Add *offer* and return it with its number.

        *person* is the number of the key of its player, also if the key has no name and the player is a
        guest here. Raises :class:`~noughts.errors.OfferRefused`, :class:`~noughts.errors.KeyRefused` for a
        ban, and :class:`~noughts.errors.NameRefused` for a guest.
        """

        def work(lobby: Lobby, batch: RoomBatch) -> LobbyOffer:
            self._changes_of(batch).guests.check(offer.seeker.seat)
            known = person or offer.seeker.identity
            check_ban(batch.connection, known, self._now(), rated=offer.is_rated)
            if not offer.lasts:
                self._check_free(lobby, batch, offer.seeker)
            return lobby.publish(replace(offer, worker=self.worker, since=self._now()))

        with self._asking(offer.seeker.seat):
            return self._change(work)

    def withdraw(self, number: int, seeker: Seeker) -> None:
        """End the offer *number* of *seeker*."""
        self._change(lambda lobby, _: lobby.withdraw(number, seeker, self._now()))

    def accept(
        self, number: int, seeker: Seeker, wish: TakerWish | None = None, person: int | None = None
    ) -> str:
        """Let *seeker* take the offer *number*, and return the room. A repeated request returns it again.

        *person* is as in :meth:`publish`.
        Raises the errors of :meth:`Lobby.accept`, :class:`~noughts.errors.KeyRefused` for a ban, and
        :class:`~noughts.errors.NameRefused` for a guest.
        """

        def work(lobby: Lobby, batch: RoomBatch) -> str:
            at = self._now()
            for offer in lobby.offers_with(seeker.visitor):
                if offer.number == number and offer.opponent == seeker.visitor and offer.room is not None:
                    return offer.room
            self._changes_of(batch).guests.check(seeker.seat)
            _withdraw_unfit(batch.connection, lobby, at)
            found = lobby.find(number, seeker)
            check_ban(batch.connection, person or seeker.identity, at, rated=found.is_rated)
            if not found.lasts:
                self._check_free(lobby, batch, seeker)
            blocked = _blocked_players(batch.connection, lobby, seeker)
            return self._open(lobby, batch, lobby.accept(number, seeker, wish, at, blocked), at)

        with self._asking(seeker.seat):
            return self._change(work)

    def withdraw_of(self, identity: int) -> None:
        """End all open offers of the person with the key *identity*."""
        self._change(
            lambda lobby, _: lobby.withdraw_all(lambda offer: offer.seeker.identity == identity, self._now())
        )

    def part(self, one: int, two: int) -> None:
        """End the challenges between the keys *one* and *two*, of whom one has blocked the other."""
        self._change(lambda lobby, _: lobby.part(one, two, self._now()))

    def decline(self, number: int, seeker: Seeker) -> None:
        """Let *seeker* decline the challenge *number*."""
        self._change(lambda lobby, _: lobby.decline(number, seeker, self._now()))

    def give_back(self, room: str, visitor: str) -> None:
        """Abort the game in *room* for *visitor*. The opponent, if paired, waits again at the old place.

        Raises :class:`~noughts.errors.NotFound` and :class:`~noughts.errors.CommandRefused`.
        """

        def work(lobby: Lobby, batch: RoomBatch) -> None:
            before = batch.read(room)
            tokens = [None if seat is None else seat.token for seat in before.facts.seats]
            if visitor not in tokens:
                raise NotFound("room", room)
            after = before.draft()
            after.execute(tokens.index(visitor), Abort(), self.worker, self._now(), 0)
            batch.save(before, after)
            lobby.give_back(room, visitor)

        self._change(work, order=room)

    def hold(self, visitors: Collection[str]) -> None:
        """Note that this worker serves the pages of *visitors*."""

        def work(lobby: Lobby, _: RoomBatch) -> None:
            for visitor in visitors:
                lobby.hold(visitor, self.worker)

        self._change(work)

    def leave(self, absent: Mapping[str, str]) -> None:
        """End the offers of the visitors in *absent*, each with the worker that served the closed page."""

        def work(lobby: Lobby, _: RoomBatch) -> None:
            for visitor, worker in absent.items():
                lobby.leave(visitor, worker, self._now())

        self._change(work)

    def living_workers(self) -> set[str]:
        """Return the names of the workers that are alive."""
        with self._database.writing() as connection:
            return self._rooms.living_workers(connection)

    def pair(self) -> int:
        """Pair waiting players, end offers that have expired, and return the number of pairs.

        Nothing is written if there is nothing to do.
        """

        def work(lobby: Lobby, batch: RoomBatch) -> int:
            at = self._now()
            lobby.expire(at)
            _withdraw_unfit(batch.connection, lobby, at)
            blocked = _blocked_players(batch.connection, lobby)
            meetings = lobby.pair(at, blocked, PAIRS_AT_ONCE)
            for meeting in meetings:
                self._open(lobby, batch, meeting, at)
            return len(meetings)

        trial, at = self.read().draft(), self._now()
        trial.expire(at)
        with self._database.reading() as connection:
            _withdraw_unfit(connection, trial, at)
            blocked = _blocked_players(connection, trial)
        if not trial.pair(at, blocked, 1) and not trial.changed:
            return 0
        total = count = self._change(work)
        while count == PAIRS_AT_ONCE:
            count = self._change(work)
            total += count
        return total

    # Transactions

    @contextmanager
    def _asking(self, name: str) -> Iterator[None]:
        """Let the transaction of a change check the guest's *name*, together with those of other changes."""
        with self._lock:
            self._guests.append(name)
        try:
            yield
        finally:
            with self._lock:
                self._guests.remove(name)

    def _change(self, work: Callable[[Lobby, RoomBatch], T], order: str = LAST) -> T:
        def job(batch: RoomBatch) -> T:
            changes = self._changes_of(batch)
            lobby = changes.lobby
            lobby.begin()
            try:
                answer = work(lobby, batch)
            except Exception:
                lobby.undo()
                raise
            for offer in (*lobby.replaced, *lobby.changed.values()):
                note_challenge(offer, batch.inbox)
            if lobby.changed:
                changes.changed |= lobby.changed
                batch.other_news[NEWS] = lobby.version
            return answer

        return self._rooms.transact(order, job)

    def _changes_of(self, batch: RoomBatch) -> "OfferChanges":
        """Return the changes in *batch*. The first job takes the lock and reads the lobby."""
        changes = batch.parts.get(NEWS)
        if not isinstance(changes, OfferChanges):
            connection = batch.connection
            connection.lock(DatabaseLock.LOBBY)
            with self._lock:
                names = tuple(self._guests)
            guests, lobby = GuestNames(connection, names), self._newest(connection)
            changes = batch.parts[NEWS] = OfferChanges(connection, lobby, guests, self._clean)
        return changes

    def _clean(self, connection: Connection, lobby: Lobby) -> None:
        """Remove the rows of forgotten offers of *lobby*, unless that was done a moment ago."""
        at = self._now()
        if at - self._cleaned_at >= CLEAN_MS:
            self._cleaned_at = at
            connection.change(_FORGET, {"before": lobby.remembered_since(at), "newest": lobby.version})

    def _check_free(self, lobby: Lobby, batch: RoomBatch, seeker: Seeker) -> None:
        """Raise :class:`~noughts.errors.OfferRefused` if *seeker* has a live game, and no move there yet.

        Another player or the pairing has just begun it, and the page of the visitor has not heard perhaps.
        After the first move the visitor knows of the game, and may begin another one. A bot plays several
        games at once.
        """
        visitor = seeker.visitor
        if seeker.is_bot:
            return
        for room in lobby.new_rooms(visitor, self._now() - 2 * FIRST_MOVE_MS):
            known = batch.known(room)
            if known is not None and not _is_unknown(known, visitor):  # reading the room takes long
                continue
            with suppress(NotFound):
                if _is_unknown(batch.look(room), visitor):
                    raise OfferRefused("already-playing")

    def _newest(self, connection: Connection) -> Lobby:
        """Return a copy of the known lobby with all later changes."""
        with self._lock:
            lobby = self._known.draft()
        rows = sorted(connection.rows(_CHANGED, known=lobby.version), key=lambda row: int(row["changed"]))
        lobby.take_in(map(read_offer, rows))
        return lobby

    def _open(self, lobby: Lobby, batch: RoomBatch, meeting: ArrangedGame, at: int) -> str:
        players = [meeting.first, meeting.second]
        if self._chance(2):
            players.reverse()
        terms = Terms(
            game=meeting.choice[0],
            who=(HUMAN, HUMAN),
            clock=meeting.choice[1],
            visibility=meeting.visibility,
            first_move=FIRST_MOVE_MS,
        ).at_their_speed()
        if meeting.is_rated:
            terms = fair_terms(terms, Random(self._chance(SEEDS)))
        names, hashes = zip(*((player.seat, player.visitor) for player in players), strict=True)
        taken = [lobby.offers[key] for key in meeting.offers]
        lasting = {offer.seeker.visitor for offer in taken if offer.lasts}
        away = {place for place, player in enumerate(players) if player.visitor in lasting}
        room = self._rooms.open_within(batch, terms, names, hashes, away)
        for place in away:
            batch.note_away(room, place, at)
        lobby.note_room(meeting, room)
        return room


class OfferChanges(BatchPart):
    """The changes of one transaction, which has the lock: ``lobby`` is the state after the last job.

    ``guests`` has the names of all guests among the players of the jobs. *clean* is called after something
    was written.
    """

    def __init__(
        self,
        connection: Connection,
        lobby: Lobby,
        guests: GuestNames,
        clean: Callable[[Connection, Lobby], None],
    ) -> None:
        self.lobby, self.guests = lobby, guests
        self._connection, self._clean = connection, clean
        self.changed: dict[OfferKey, LobbyOffer] = {}

    def write(self) -> None:
        """Write the changed offers."""
        if self.changed:
            self._connection.insert("offers", *map(pack_offer, self.changed.values()), unless=_UPDATE)
            self._clean(self._connection, self.lobby)


def note_challenge(offer: LobbyOffer, inbox: InboxChanges) -> None:
    """Add to *inbox* the note about a challenge to a person with a key, or drop it once it is answered."""
    identity, subject = offer.recipient_identity, str(offer.number)
    if identity is None:
        return
    if offer.state in (OfferState.TAKEN, OfferState.DECLINED):
        inbox.drop(identity, NoteKind.CHALLENGE, subject)
        return
    facts = {"by": offer.seeker.seat, "games": list(offer.games), "is_gone": not offer.is_open}
    note = InboxNote(identity, NoteKind.CHALLENGE, subject, offer.since, facts)
    if not offer.is_open:
        inbox.revise(note)
    elif offer.number == offer.changed:  # just published
        inbox.add(note)


def _is_unknown(room: Room, visitor: str) -> bool:
    """Return True if *visitor* plays a live game in *room*, and has not moved yet."""
    match = room.table.match
    if room.phase is not Phase.PLAYING or match is None or speed_of(room.table.terms.clock) is not Speed.LIVE:
        return False
    places = [
        place for place, seat in enumerate(room.facts.seats) if seat is not None and seat.token == visitor
    ]
    return any(match.may_abort(room.table.sides[place]) for place in places)


def _blocked_players(connection: Connection, lobby: Lobby, *more: Seeker) -> Blocked:
    """Return the predicate for the players of the open offers and *more*: one has blocked the other."""
    players = [*(offer.seeker for offer in lobby.open_offers), *more]
    apart = apart_pairs(connection, [player.identity for player in players])
    return (lambda one, two: frozenset((one.identity, two.identity)) in apart) if apart else nobody_blocked


def _withdraw_unfit(connection: Connection, lobby: Lobby, at: int) -> None:
    """End the open offers of banned players at the instant *at*, and those that outlived a name."""
    _withdraw_nameless(connection, lobby, at)
    known = [offer.seeker.identity for offer in lobby.open_offers]
    everything, rated = (banned_people(connection, known, at, rated=is_rated) for is_rated in (False, True))
    if rated:
        lobby.withdraw_all(
            lambda offer: offer.seeker.identity in (rated if offer.is_rated else everything), at
        )


def _withdraw_nameless(connection: Connection, lobby: Lobby, at: int) -> None:
    """End lasting offers of players whose key or name is gone, and of guests without their names.

    Offers of renamed players get the new names.
    """
    lasting = [offer.seeker for offer in lobby.open_offers if offer.lasts]
    if not lasting:
        return
    numbers = tuple({seeker.identity for seeker in lasting if seeker.identity is not None})
    found = connection.rows(_NAMES, numbers=numbers) if numbers else []
    names = {row["number"]: row["name"] for row in found}
    lost = lost_names(connection, {seeker.name for seeker in lasting if seeker.identity is None})

    def is_unfit(offer: LobbyOffer) -> bool:
        seeker = offer.seeker
        if seeker.identity is None:
            return offer.lasts and seeker.name in lost
        return offer.lasts and names.get(seeker.identity) is None

    lobby.withdraw_all(is_unfit, at)
    for offer in lobby.open_offers:
        name = names.get(offer.seeker.identity or 0)
        if offer.lasts and name is not None and name != offer.seeker.name:
            lobby.rename(offer.number, name)


# Rows


def pack_offer(offer: LobbyOffer) -> dict[str, Any]:
    """Return the row of *offer*."""
    visitor, is_challenge, lasting = offer.key
    facts = asdict(offer)
    del facts["changed"], facts["ended"]
    row = {
        "visitor": visitor,
        "is_challenge": is_challenge,
        "lasting": lasting,
        "changed": offer.changed,
        "ended_at": offer.ended,
        "facts": canonical_json(facts),
    }
    return {**row, "digest": offer_digest(row)}


def read_offer(row: Row | Mapping[str, Any]) -> LobbyOffer:
    """Return the offer in *row*. A damaged one has ended, so that it gives no seat."""
    if row["digest"] != offer_digest(row):
        nobody, recipient = Seeker(str(row["visitor"]), "?"), "" if row["is_challenge"] else None
        number = int(row["lasting"])
        gone = LobbyOffer(number, nobody, (), (), 0, "", recipient=recipient, lasts=number > 0)
        return replace(gone, state=OfferState.WITHDRAWN, changed=int(row["changed"]))
    facts = json.loads(row["facts"])
    seeker = facts["seeker"]
    facts |= {
        "seeker": Seeker(**seeker | {"provisional": tuple(seeker.get("provisional", ()))}),
        "games": tuple(facts["games"]),
        "clocks": tuple(Clock(**clock) for clock in facts["clocks"]),
        "state": OfferState(facts["state"]),
    }
    return LobbyOffer(**facts, changed=row["changed"], ended=row["ended_at"])


def offer_digest(row: Row | Mapping[str, Any]) -> str:
    """Return the digest of *row*. Offers that need a page have the digests of earlier revisions."""
    lasting = [row["lasting"]] if row["lasting"] else []
    facts = [bool(row["is_challenge"]), *lasting, row["changed"], row["ended_at"], row["facts"]]
    return digest_of([row["visitor"], *facts])
