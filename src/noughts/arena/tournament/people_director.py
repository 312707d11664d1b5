"""Tournaments of people on a server: entries, rounds whose games are rooms, results, and deleted names.

All state is in the database, so a restart continues each tournament. A round and its rooms are written in one
transaction. A result is read from its room, and counts once, because a pairing takes only one.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from threading import Lock
from typing import TypeVar

from noughts.arena.people.guests import check_guest
from noughts.arena.people.inbox import InboxChanges, InboxNote, NoteKind
from noughts.arena.people.meeting import blocks_among, check_no_bot
from noughts.arena.people.moderation import Moderation, OperatorAction, check_ban
from noughts.arena.rooms.keys import ROOM_BYTES, TOKEN_BYTES, make_code, text_of, token_of_key
from noughts.arena.rooms.models import RoomView
from noughts.arena.rooms.room import hash_token
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.series import Result
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database
from noughts.arena.table import HUMAN, Terms
from noughts.arena.tournament.people import (
    DRAW,
    LOSS,
    WIN,
    PeoplePhase,
    PeopleTerms,
    PeopleTournament,
    RoundPairing,
)
from noughts.arena.tournament.people_repository import KEPT_MS, PeopleStore, PersonEntered, StoredPeople
from noughts.arena.tournament.swiss import NO_BLOCKS, NOBODY, Blocks
from noughts.arena.tournament.title_decisions import TitleDecision
from noughts.errors import DamagedStore, NotFound, StaleVersion, StoreError
from noughts.text import check_name, distinct_names, likeness, look_alike

Answer = TypeVar("Answer")

CLOCK_AFTER_MS = 60_000
"""The time after which the clock of a game runs even without a first move."""

MAX_LISTED = 50
"""The largest number of public tournaments in the list."""

MAX_KNOWN = 200
"""The largest number of tournaments in memory."""

NEWS = "t/"
"""The beginning of the names under which workers hear of changed tournaments."""

FORMER = "Player {number}"
"""The name of a player in the stored games after the name was deleted."""


@dataclass(frozen=True, slots=True)
class PeopleEntry:
    """The answer to entering or opening a tournament: its code, the number of the entry, and the secret.

    The organiser's number is 0.
    """

    code: str
    number: int
    token: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The facts about a room that its tournament needs: the stored game, and the result if there is one."""

    pairing: int
    game: int
    series: int
    points: tuple[int, int] | None


class PeopleTournaments:
    """The tournaments of people in *database*, whose games are played in *rooms*.

    *now* returns the milliseconds since 1970, and *chance* random bytes. *on_computer* is called with each
    new room in which a computer plays, and *on_fault* once with each error that stops a tournament, and its
    code. Every method may be called from any thread. When a method returns, its change is committed.
    """

    def __init__(
        self,
        database: Database,
        rooms: Rooms,
        *,
        now: Callable[[], int],
        chance: Callable[[int], bytes] = secrets.token_bytes,
        on_computer: Callable[[str], None] = lambda room: None,
        on_fault: Callable[[str, Exception], None] = lambda code, error: None,
    ) -> None:
        self.store = PeopleStore(database)
        self._on_computer, self._on_fault = on_computer, on_fault
        self._database, self._rooms, self._now, self._chance = database, rooms, now, chance
        self._known: OrderedDict[str, StoredPeople] = OrderedDict()
        self._announced: dict[str, int] = {}
        """The newest version of each tournament that this worker has heard of."""
        self._changed: set[str] | None = None
        """The rooms that have changed, or None if any may have."""
        self._faults: dict[str, Exception] = {}
        """The errors of the last tick, by the code of the tournament."""
        self._lock = Lock()
        self._listeners: dict[object, Callable[[str, int], None]] = {}
        self._end_listening = rooms.listen(self._on_room, self._on_missed)

    # Opening and entering

    def open(self, terms: PeopleTerms, *, key: str | None = None) -> PeopleEntry:
        """Open a tournament, and return its code and the secret of its organiser.

        Under the same *key* the same tournament is opened once.
        """
        secret = text_of(self._chance(TOKEN_BYTES)) if key is None else token_of_key(key, "tournament", "")
        organiser = hash_token(secret)

        def work(batch: RoomBatch) -> StoredPeople:
            find = "SELECT code FROM people_tournaments WHERE organiser = :organiser"
            for code in batch.connection.column(find, organiser=organiser):
                return self.store.read(batch.connection, code)
            while True:
                made = self.store.add(batch.connection, terms, make_code(self._chance(8)), organiser)
                if made is not None:
                    return made

        stored = self._rooms.transact("", work)
        self._learn(stored)
        return PeopleEntry(stored.code, 0, secret)

    def enter(
        self,
        code: str,
        name: str,
        *,
        key: str | None = None,
        identity: int | None = None,
        by_organiser: bool = False,
    ) -> PeopleEntry:
        """Enter *name* in a tournament. Under the same *key* it is the same entry again.

        A person with an *identity* has one entry. Another device of the person gets its secret.

        Raises :class:`~noughts.errors.NotFound`, :class:`~noughts.errors.NameRefused`,
        :class:`~noughts.errors.CommandRefused`, :class:`~noughts.errors.KeyRefused` for a ban and
        :class:`~noughts.errors.OfferRefused` for a bot.
        """
        secret = text_of(self._chance(TOKEN_BYTES)) if key is None else token_of_key(key, NEWS + code, name)
        token, checked = hash_token(secret), check_name(name)

        def work(after: StoredPeople, batch: RoomBatch, at: int) -> int:
            known = after.entry_of(token)
            if known is not None:
                return known
            check_ban(batch.connection, identity, at, rated=False)
            check_no_bot(batch.connection, identity)
            for number, person in after.people.items():
                if identity is not None and person.identity == identity:
                    after.events += after.tournament.rename(number, at, by_organiser=True)
                    after.people[number] = replace(person, token=token)
                    return number
            check_guest(batch.connection, checked, identity)
            after.events += after.tournament.enter(at, by_organiser=by_organiser)
            number = len(after.tournament.entries)
            after.people[number] = PersonEntered(_distinct(checked, after.people), token, identity)
            return number

        return PeopleEntry(code, self._change(code, work)[1], secret)

    def rename(self, code: str, entry: int, name: str, *, by_organiser: bool = False) -> StoredPeople:
        """Give *entry* the *name*. Raises the errors of :meth:`enter`."""
        checked = check_name(name)

        def work(after: StoredPeople, batch: RoomBatch, at: int) -> None:
            events = after.tournament.rename(entry, at, by_organiser=by_organiser)
            if checked != after.people[entry].name:
                check_guest(batch.connection, checked, after.people[entry].identity)
            others = {number: person for number, person in after.people.items() if number != entry}
            person = replace(after.people[entry], name=_distinct(checked, others))
            if person != after.people[entry]:
                after.people[entry] = person
                after.events += events

        return self._change(code, work)[0]

    def replace_secret(self, code: str, entry: int) -> PeopleEntry:
        """Give *entry* a new secret, after the player has lost the device. The old one opens nothing more.

        A running game keeps the old secret, until the new one takes the seat.
        """
        secret = text_of(self._chance(TOKEN_BYTES))

        def work(after: StoredPeople, _: RoomBatch, at: int) -> None:
            events = after.tournament.rename(entry, at, by_organiser=True)
            after.people[entry] = replace(after.people[entry], token=hash_token(secret))
            after.events += events

        self._change(code, work)
        return PeopleEntry(code, entry, secret)

    def do(self, code: str, act: Callable[[PeopleTournament, int], Iterable[object]]) -> StoredPeople:
        """Carry out *act*, a command of the tournament at an instant, and then everything that is due."""

        def work(after: StoredPeople, batch: RoomBatch, at: int) -> None:
            after.events += act(after.tournament, at)  # type: ignore[arg-type]
            blocks = _blocks_in(batch.connection, after)
            after.events += after.tournament.tick(at, self._opener(after, batch, at), blocks)

        return self._change(code, work)[0]

    def decide_title(self, code: str, decision: TitleDecision, moderation: Moderation) -> OperatorAction:
        """Carry out an operator's *decision* about the title of a tournament, and return it as logged."""

        def work(after: StoredPeople, batch: RoomBatch, at: int) -> OperatorAction:
            return decision.carry_out(moderation, batch.connection, after, at)

        return self._change(code, work)[1]

    # Reading

    def known(self, code: str) -> StoredPeople | None:
        """Return the tournament from memory, perhaps in an earlier state, or None if it was never read."""
        with self._lock:
            return self._known.get(code)

    def newest(self, code: str) -> StoredPeople | None:
        """Return the tournament from memory, or None if it has to be read."""
        with self._lock:
            stored = self._known.get(code)
            is_new = stored is not None and stored.version >= self._announced.get(code, 0)
            return stored if is_new else None

    def look(self, code: str) -> StoredPeople:
        """Return the tournament that *code* opens. Raises :class:`~noughts.errors.NotFound`."""
        with self._database.reading() as connection:
            stored = self.store.read(connection, code, self.known(code))
        self._learn(stored)
        return stored

    def public(self) -> list[StoredPeople]:
        """Return the public tournaments of the last 30 days: first those that have not ended."""
        return self._read(self.store.public(self._now() - KEPT_MS, MAX_LISTED))

    def numbered(self, numbers: Collection[int]) -> dict[int, StoredPeople]:
        """Return the tournaments that are stored under these *numbers*."""
        found = self._read(dict.fromkeys(self.store.codes(numbers), 0))
        return {stored.number: stored for stored in found}

    def _read(self, versions: Mapping[str, int]) -> list[StoredPeople]:
        """Return the intact tournaments of these codes, each in at least that version."""
        found = []
        for code, version in versions.items():
            with suppress(NotFound, DamagedStore):
                stored = self.newest(code)
                is_new = stored is not None and stored.version >= version
                found.append(stored if stored is not None and is_new else self.look(code))
        return found

    def view(self, pairing: RoundPairing) -> RoomView | None:
        """Return the room of *pairing*, or None if it is damaged or does not exist any more."""
        try:
            return self._rooms.known(pairing.room, 0) or self._rooms.look(pairing.room)
        except (NotFound, DamagedStore):
            return None

    def listen(self, on_change: Callable[[str, int], None]) -> Callable[[], None]:
        """Call *on_change* with the code and version of each changed tournament, until the answer is called.

        It is called in another thread and must return at once.
        """
        number = object()
        with self._lock:
            self._listeners[number] = on_change

        def end() -> None:
            with self._lock:
                self._listeners.pop(number, None)

        return end

    def close(self) -> None:
        """Listen to the rooms no longer."""
        self._end_listening()

    # The passing of time

    def tick(self) -> None:
        """Do what is due in all tournaments."""
        with self._lock:
            changed, self._changed = self._changed, set()
        try:
            self._tick(changed)
        except BaseException:  # The next call looks at all rooms again, so that no result is lost.
            self._on_missed()
            raise

    def _tick(self, changed: set[str] | None) -> None:
        """Do what is due, where only the *changed* rooms have news (None: all rooms)."""
        running = self.store.running()
        with self._lock:
            known = [code for code in self._known if code not in running]
        for code, version in (running | self.store.versions(known)).items():
            self._note_version(code, version)  # The command line may have changed it.
        for code, version in running.items():
            self._attempt(code, partial(self._advance, code, version, changed))
        for code in self.store.to_forget(self._now()):
            self._attempt(code, partial(self._forget, code))

    def _attempt(self, code: str, work: Callable[[], None]) -> None:
        """Do *work* for a tournament. Its own faults do not stop the others, but those of the database do.

        A damaged tournament is not tried again.
        """
        if isinstance(self._faults.get(code), DamagedStore):
            return
        try:
            work()
        except Exception as error:
            if isinstance(error, StoreError) and not isinstance(error, DamagedStore | StaleVersion):
                raise
            before = self._faults.get(code)
            self._faults[code] = error
            if repr(before) != repr(error):
                self._on_fault(code, error)
        else:
            self._faults.pop(code, None)

    def _advance(self, code: str, version: int, changed: set[str] | None) -> None:
        stored = self.known(code)
        if stored is None or stored.version < version or code in self._faults:
            stored, changed = self.look(code), None
        outcomes = self._outcomes(stored, changed)
        trial = stored.tournament.copy()
        with self._database.reading() as connection:
            blocks = _blocks_in(connection, stored)
        if not outcomes and not trial.tick(self._now(), lambda *_: "?", blocks):
            return

        def work(after: StoredPeople, batch: RoomBatch, at: int) -> None:
            tournament = after.tournament
            for outcome in outcomes:
                after.events += tournament.note_first_move(outcome.pairing, outcome.game, outcome.series, at)
                if outcome.points is not None:
                    after.events += tournament.record(outcome.pairing, outcome.points, at)
            blocks = _blocks_in(batch.connection, after)
            after.events += tournament.tick(at, self._opener(after, batch, at), blocks)

        self._change(code, work)

    def _outcomes(self, stored: StoredPeople, changed: set[str] | None) -> list[_Outcome]:
        """Return the news of the rooms of open pairings, if they are among the *changed* ones."""
        outcomes = []
        for pairing in stored.tournament.open_pairings:
            if changed is None or pairing.room in changed:
                view = self.view(pairing)
                if view is None or view.game_id is None or view.series_id is None:
                    continue
                points = points_of(view.results[0], view.names) if view.results else None
                if points is not None or not pairing.has_begun:
                    outcomes.append(_Outcome(pairing.number, view.game_id, view.series_id, points))
        return outcomes

    def _opener(self, stored: StoredPeople, batch: RoomBatch, at: int) -> Callable[[int, int], str]:
        """Return a function that opens the room of two players within *batch* and returns its name."""
        terms, people = stored.tournament.terms, stored.people

        def open_room(first: int, second: int) -> str:
            numbers = (first, second)
            conditions = Terms(
                game=terms.game,
                who=tuple(terms.computer if number == NOBODY else HUMAN for number in numbers),
                clock=terms.clock,
                claim_after=0,
                created=at,
                opening=terms.opening,
                is_counted=False,
                clock_after=CLOCK_AFTER_MS,
            )
            names = [None if number == NOBODY else people[number].name for number in numbers]
            hashes = ["" if number == NOBODY else people[number].token for number in numbers]
            return self._rooms.open_within(batch, conditions, names, hashes)

        return open_room

    # Transactions

    def _change(
        self, code: str, work: Callable[[StoredPeople, RoomBatch, int], Answer]
    ) -> tuple[StoredPeople, Answer]:
        """Change a tournament in one transaction: *work* gets a draft, the batch, and the instant."""

        def write(batch: RoomBatch) -> tuple[StoredPeople, StoredPeople, Answer]:
            before, saved, answer = self.store.change(
                batch.connection, code, lambda after: work(after, batch, self._now()), self.known(code)
            )
            if saved is not before:
                _note_start(before, saved, batch.inbox)
                needless, ruled = _decided(before.tournament, saved.tournament)
                batch.lock(pairing.room for pairing in (*needless, *ruled))
                self._drop_rooms(batch, needless)
                _adjudicate(batch, ruled, self._now())
                batch.other_news[NEWS + code] = saved.version
            return before, saved, answer

        before, saved, answer = self._rooms.transact("", write)
        self._learn(saved)
        for pairing in saved.tournament.open_pairings:
            if pairing.number > before.tournament.last_number and not pairing.is_between_people:
                self._on_computer(pairing.room)
        return saved, answer

    def _drop_rooms(self, batch: RoomBatch, pairings: Collection[RoundPairing]) -> None:
        """Delete the rooms of needless *pairings*, and the names in games that have just begun there.

        Such a game would be lost on time otherwise, and nobody would delete its names. A damaged room stays:
        it must not stop the tournament.
        """
        for pairing in pairings:
            with suppress(NotFound, DamagedStore):
                room = batch.read(pairing.room)
                if (series := room.table.series_number) is not None:
                    self._database.rename_players(series, _numbered(pairing), batch.connection)
                batch.remove(room)

    def _forget(self, code: str) -> None:
        """Delete the names of the players of a tournament, also in its games and rooms."""

        def write(batch: RoomBatch) -> StoredPeople:
            before = self.store.read(batch.connection, code, self.known(code), to_change=True)
            after = before.draft()
            after.events += after.tournament.end(self._now())
            saved = self.store.save(batch.connection, before, after) if after.events else before
            for pairing in saved.tournament.pairings.values():
                if pairing.series is not None:
                    self._database.rename_players(pairing.series, _numbered(pairing), batch.connection)
            played = [one for one in saved.tournament.pairings.values() if one.room]
            batch.lock(pairing.room for pairing in played)
            self._drop_rooms(batch, played)
            batch.other_news[NEWS + code] = saved.version
            return self.store.forget_names(batch.connection, saved)

        stored = self._rooms.transact("", write)
        with self._lock:
            self._known[code] = stored

    def _learn(self, stored: StoredPeople) -> None:
        with self._lock:
            before = self._known.get(stored.code)
            if before is None or before.version <= stored.version:
                self._known[stored.code] = stored
            self._known.move_to_end(stored.code)
            while len(self._known) > MAX_KNOWN:
                code, _ = self._known.popitem(last=False)
                self._announced.pop(code, None)

    # News

    def _on_room(self, room: str, version: int) -> None:
        if room.startswith(NEWS):
            self._announce(room.removeprefix(NEWS), version)
            return
        with self._lock:
            if self._changed is not None:
                self._changed.add(room)

    def _announce(self, code: str, version: int) -> None:
        with self._lock:
            self._announced[code] = version
            listeners = list(self._listeners.values())
        for on_change in listeners:
            on_change(code, version)

    def _note_version(self, code: str, version: int) -> None:
        """Announce the stored *version* if an older one is in memory and no worker has announced it."""
        known = self.known(code)
        if known is not None and max(known.version, self._announced.get(code, 0)) < version:
            self._announce(code, version)

    def _on_missed(self) -> None:
        with self._lock:
            self._changed = None


def _note_start(before: StoredPeople, after: StoredPeople, inbox: InboxChanges) -> None:
    """Add to *inbox* a note for each player with a key if the tournament has begun."""
    started = after.tournament.started
    if started is None or before.tournament.started is not None:
        return
    facts = {"code": after.code, "game": after.tournament.terms.game}
    for person in after.people.values():
        if person.identity is not None:
            inbox.add(InboxNote(person.identity, NoteKind.TOURNAMENT, after.code, started, facts))


def _blocks_in(connection: Connection, stored: StoredPeople) -> Blocks:
    """Return the pairs of entries of *stored* of whom the first has blocked the second."""
    identities = {person.identity for person in stored.people.values()}
    found = blocks_among(connection, identities)
    if not found:
        return NO_BLOCKS
    entries: dict[int | None, list[int]] = {}
    for number, person in stored.people.items():
        entries.setdefault(person.identity, []).append(number)
    return frozenset(pair for one, two in found for pair in product(entries[one], entries[two]))


def _decided(
    before: PeopleTournament, after: PeopleTournament
) -> tuple[list[RoundPairing], list[RoundPairing]]:
    """Return the pairings whose games are not needed any more after a change.

    The first ones have no move: they were withdrawn, or have a result without a game, or the tournament has
    ended. The games of the others run, but the organiser decided them: one player was removed, or the result
    was corrected. They have their results.
    """
    needless, ruled = list[RoundPairing](), list[RoundPairing]()
    if before.phase is PeoplePhase.OVER:
        return needless, ruled
    for number, pairing in before.pairings.items():
        now = after.pairings.get(number, pairing)
        is_decided = pairing.is_open and (not now.is_open or after.phase is PeoplePhase.OVER)
        if not pairing.room or not (is_decided or number not in after.pairings):
            continue
        if not now.has_begun:
            needless.append(pairing)
        elif not now.is_open:
            ruled.append(now)
    return needless, ruled


def _adjudicate(batch: RoomBatch, pairings: Collection[RoundPairing], at: int) -> None:
    """End the games of *pairings* that run with the results in the tournament, so that nobody plays on."""
    for pairing in pairings:
        with suppress(NotFound, DamagedStore):
            before = batch.read(pairing.room)
            after = before.draft()
            if after.adjudicate({WIN: 0, LOSS: 1}.get(pairing.points or DRAW), at):
                batch.save(before, after)


def _numbered(pairing: RoundPairing) -> list[str | None]:
    """Return the names of the players of *pairing* after their deletion, None for a computer."""
    return [None if entry == NOBODY else FORMER.format(number=entry) for entry in pairing.players]


def points_of(result: Result, names: tuple[str | None, ...]) -> tuple[int, int]:
    """Return the half points of both seats for the first game of a room with the players *names*."""
    if result.winner is None:
        return DRAW
    return WIN if result.seats[result.winner] == names[0] else LOSS


def _distinct(name: str, people: dict[int, PersonEntered]) -> str:
    """Return *name*, with a number behind it if other *people* have that name."""
    alike = [person.name for person in people.values() if likeness(person.name).startswith(likeness(name))]
    return distinct_names((*alike, name), look_alike)[-1]


def new_seed(chance: Callable[[int], bytes] = secrets.token_bytes) -> int:
    """Return a random number that decides the seeds of a knockout."""
    return int.from_bytes(chance(ROOM_BYTES)[:4], "big")
