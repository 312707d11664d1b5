"""Rooms as rows: only committed changes are acknowledged, damage is named, workers notify each other."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.clock import DAY
from noughts.arena.commands import Rematch, Resign, WrittenMove
from noughts.arena.rooms import group_commit, notices, room_repository
from noughts.arena.rooms.expiry import GONE_AFTER, HEARTBEAT_MS
from noughts.arena.rooms.group_commit import MAX_ATTEMPTS, GroupCommit, Job
from noughts.arena.rooms.notices import Notices
from noughts.arena.rooms.room_repository import KnownRooms, RoomBatch, RoomStore
from noughts.arena.series import Score, recount
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.postgres import server_pool
from noughts.arena.store.sqlite_file import memory_pool
from noughts.errors import (
    BadInput,
    CommandRefused,
    DamagedStore,
    NotFound,
    StaleRoom,
    StaleVersion,
    StoreError,
)
from tests.arena.rooms.tables import TIMED, Table, table
from tests.databases import new_file, url_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return new_file(tmp_path / "rooms.db")


def _rows(path: Path) -> list[Any]:
    """Return all rows of the database."""
    names = ("rooms", "room_keys", "games", "events", "series")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3").fetchall() for name in names]


def _change(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


# Writing together


Batch = Any
"""The batch that jobs get, here a list of :class:`Deeds`."""


class Deeds(list[str]):
    """The names of the jobs in a transaction. One of them makes the final write fail."""

    def write(self) -> None:
        if "unwritable" in self:
            raise StoreError("rooms.db", "not as they were")


class Batches:
    """Transactions that record their jobs, and can be made to fail."""

    def __init__(self) -> None:
        self.committed: list[list[str]] = []
        self.told: list[Any] = []
        self.keys: list[set[Any]] = []
        self.fails_to_begin = self.fails_to_commit = False

    @contextlib.contextmanager
    def begin(self, jobs: Sequence[Job]) -> Iterator[Any]:
        if self.fails_to_begin:
            raise StoreError("rooms.db", "locked")
        self.keys.append({job.key for job in jobs})
        batch = Deeds()
        yield batch
        if self.fails_to_commit:
            raise StoreError("rooms.db", "full")
        self.committed.append(batch)

    def make(self) -> GroupCommit:
        return GroupCommit(self.begin, self.told.append, "rooms.db")


def _do(name: str) -> Callable[[Batch], str]:
    def work(batch: Batch) -> str:
        batch.append(name)
        return name.upper()

    return work


def _hold(writer: GroupCommit) -> threading.Event:
    """Keep the writer busy until the event is set."""
    gate, begun = threading.Event(), threading.Event()

    def work(batch: Batch) -> None:
        begun.set()
        gate.wait()

    writer.submit("", work)
    begun.wait()
    return gate


def test_simultaneous_jobs_are_committed_together_in_order() -> None:
    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    futures = [writer.submit(name[0], _do(name)) for name in ("b1", "a1", "c1", "b2", "a2")]
    gate.set()
    assert [future.result() for future in futures] == ["B1", "A1", "C1", "B2", "A2"]
    writer.close()
    assert batches.committed == [[], ["a1", "a2", "b1", "b2", "c1"]]
    assert batches.told == batches.committed


def test_transaction_has_a_maximum_of_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "MAX_JOBS", 3)
    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    futures = [writer.submit(str(number), _do(str(number))) for number in range(7)]
    gate.set()
    assert [future.result() for future in futures] == list("0123456")
    writer.close()
    assert [len(batch) for batch in batches.committed] == [0, 3, 3, 1]


def test_writer_survives_a_job_that_exits() -> None:
    def leave(batch: Batch) -> None:
        batch.append("left")
        raise SystemExit(3)

    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    futures = [writer.submit("a", leave), writer.submit("b", _do("one"))]
    gate.set()
    assert futures[1].result() == "ONE"
    with pytest.raises(RuntimeError, match="SystemExit"):
        futures[0].result()
    assert writer.submit("a", _do("two")).result() == "TWO"
    writer.close()
    assert batches.committed == [[], ["one"], ["two"]]


def test_transaction_reads_the_keys_of_its_jobs() -> None:
    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    writer.submit("a", _do("one"), ("a", 0, "key"))
    last = writer.submit("b", _do("two"))
    gate.set()
    last.result()
    writer.close()
    assert batches.keys == [{None}, {None, ("a", 0, "key")}]


def test_cancelled_job_is_not_done() -> None:
    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    futures = [writer.submit("a", _do(name)) for name in ("one", "two")]
    assert futures[0].cancel()
    gate.set()
    assert futures[1].result() == "TWO"
    writer.close()
    assert batches.committed[1:] == [["two"]]


def test_refused_job_does_not_affect_others() -> None:
    def refuse(batch: Batch) -> None:
        raise BadInput("no")

    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    futures = [writer.submit("a", work) for work in (_do("one"), refuse, _do("two"))]
    gate.set()
    assert (futures[0].result(), futures[2].result()) == ("ONE", "TWO")
    with pytest.raises(BadInput):
        futures[1].result()
    writer.close()
    assert batches.committed[1:] == [["one", "two"]]


def _fail(batch: Batch) -> None:
    raise StoreError("rooms.db", "unique")


@pytest.mark.parametrize(("broken", "reason"), [(_fail, "unique"), (_do("unwritable"), "not as they were")])
def test_failing_job_does_not_affect_others(broken: Callable[[Batch], Any], reason: str) -> None:
    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    futures = [writer.submit("a", work) for work in (_do("one"), broken, _do("two"))]
    gate.set()
    assert (futures[0].result(), futures[2].result()) == ("ONE", "TWO")
    with pytest.raises(StoreError, match=reason):
        futures[1].result()
    writer.close()
    assert batches.committed[1:] == [["one"], ["two"]]


def test_overtaken_job_is_tried_again() -> None:
    def overtaken(times: int) -> Callable[[Batch], str]:
        left = [times]

        def work(batch: Batch) -> str:
            left[0] -= 1
            if left[0] >= 0:
                raise StaleVersion("rooms.db", "not as they were")
            return "done"

        return work

    writer = Batches().make()
    assert writer.submit("a", overtaken(1)).result() == "done"
    gate = _hold(writer)
    futures = [writer.submit("a", overtaken(MAX_ATTEMPTS)) for _ in range(2)]
    gate.set()
    assert futures[0].result() == "done"  # alone, after an attempt together with the other one
    with pytest.raises(StaleVersion):
        futures[1].result()
    writer.close()


@pytest.mark.parametrize("which", ["fails_to_begin", "fails_to_commit"])
def test_uncommitted_job_is_not_acknowledged(which: str) -> None:
    batches = Batches()
    writer = batches.make()
    gate = _hold(writer)
    setattr(batches, which, True)
    futures = [writer.submit("a", _do(name)) for name in ("one", "two")]
    gate.set()
    for future in futures:
        with pytest.raises(StoreError):
            future.result()
    setattr(batches, which, False)
    assert writer.submit("a", _do("three")).result() == "THREE"
    writer.close()
    assert batches.committed[-1] == ["three"]
    assert ["one", "two"] not in batches.committed


# Failures of the store


def test_failed_commit_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with table(url_of(path)) as here:
        first, _ = here.pair()
        here.play(first.room, "1")
        before, heard = _rows(path), list(here.heard)
        real = Database.writing

        @contextlib.contextmanager
        def failing(self: Database, within: Any = None) -> Iterator[Any]:
            with real(self, within) as connection:
                yield connection
                if within is None:
                    raise StoreError(self.where, "database or disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(Database, "writing", failing)
            for _ in range(3):
                with pytest.raises(StoreError, match="full"):
                    here.rooms.submit(first.room, 1, WrittenMove("5"), version=3, key="k").result()
            with pytest.raises(StoreError, match="full"):
                here.rooms.open(here.setup(), "Eve", 0)
            here.time.pass_by(HEARTBEAT_MS)
            with pytest.raises(StoreError, match="full"):
                here.rooms.expiry.tick()
            view = here.rooms.look(first.room)
            assert (view.version, view.match.game.ply) == (3, 1)
        assert _rows(path) == before
        assert here.heard == heard
        answered = here.rooms.submit(first.room, 1, WrittenMove("5"), version=3, key="k").result()
        assert (answered.version, answered.is_repeated) == (4, False)
        assert here.heard == [*heard, (first.room, 4)]


def test_writer_recovers_after_a_locked_file(path: Path) -> None:
    with table(url_of(path), 0.01) as here:
        first, _ = here.pair()
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="locked"):
                here.rooms.submit(first.room, 0, WrittenMove("5"), version=2, key="k").result()
            assert here.rooms.look(first.room).version == 2
            other.execute("ROLLBACK")
        assert here.rooms.submit(first.room, 0, WrittenMove("5"), version=2, key="k").result().version == 3


def test_game_continued_elsewhere_is_stale(path: Path) -> None:
    with table(url_of(path)) as here:
        first, _ = here.pair()
        view = here.play(first.room, "1")
        events = here.database.load(view.game_id or 0).events
        here.database.append(view.game_id or 0, [type(events[0])(2, 5, events[0].kind, "O", {"move": "2"})])
        with pytest.raises(StaleVersion):
            here.do(first.room, 1, WrittenMove("5"))
        assert here.rooms.look(first.room).version == view.version


def test_newer_room_is_not_overwritten(path: Path) -> None:
    with table(url_of(path)) as here:
        first, _ = here.pair()
        room = here.rooms._look(first.room)
        here.play(first.room, "1")
        with here.database.writing() as connection:
            batch = RoomBatch(RoomStore(here.database), connection, KnownRooms())
            batch.save(room, room.draft())
            with pytest.raises(StaleVersion, match=first.room):
                batch.write()


def test_room_opened_elsewhere_is_not_reopened(path: Path) -> None:
    with table(url_of(path)) as here:
        room = here.rooms._look(here.pair()[0].room)
        with here.database.writing() as connection:
            batch = RoomBatch(RoomStore(here.database), connection, KnownRooms())
            batch.add(room)
            with pytest.raises(StaleVersion, match=room.name):
                batch.write()


def test_one_transaction_equals_many(path: Path) -> None:
    """Two changes of one room and one of another: each event, digest, room and key is there once."""
    with table(url_of(path)) as here:
        one, two = here.pair()[0], here.pair()[0]
        gate, begun = threading.Event(), threading.Event()

        def hold(batch: RoomBatch) -> None:
            begun.set()
            gate.wait()

        here.rooms._writer.submit("", hold)
        begun.wait()
        command = [
            here.rooms.submit(entry.room, place, WrittenMove(text), version=version, key=key)
            for entry, place, text, version, key in (
                (one, 0, "1", 2, "a"),
                (two, 0, "1", 2, "a"),
                (one, 1, "5", 3, "b"),
                (one, 0, "1", 2, "a"),
                (one, 0, "9", 2, "c"),
            )
        ]
        gate.set()
        assert [future.result().version for future in command[:4]] == [3, 3, 4, 3]
        assert command[3].result().is_repeated
        with pytest.raises(StaleRoom):
            command[4].result()
    with table(url_of(path), seed=1) as here:
        assert here.rooms.look(one.room).match.game.ply == 2
        assert here.rooms.look(two.room).match.game.ply == 1
        assert here.rooms.submit(one.room, 1, WrittenMove("5"), version=3, key="b").result().is_repeated


# Damage


DAMAGE = {
    "facts": "UPDATE rooms SET facts = replace(facts, 'Ada', 'Eve')",
    "no JSON": "UPDATE rooms SET facts = '{'",
    "deep": "UPDATE rooms SET facts = replace(hex(zeroblob(99999)), '0', '[')",
    "version": "UPDATE rooms SET version = version + 1",
    "no number": "UPDATE rooms SET version = 'x'",
    "due": "UPDATE rooms SET due = due - 1",
    "code": "UPDATE rooms SET code = 'ABCDEF'",
    "awaited": "UPDATE rooms SET is_computer_awaited = 1",
    "digest": "UPDATE rooms SET digest = upper(digest)",
    "no text": "UPDATE rooms SET facts = X'FF'",
    "bytes": "UPDATE rooms SET facts = CAST(X'FF' AS TEXT)",
    "game": "UPDATE games SET created = 0",
    "no game": "DELETE FROM games",
    "series": "UPDATE series SET begins = 'x'",
    "no series": "DELETE FROM series",
    "events": "DELETE FROM events",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_unpack_names_the_damage(path: Path, statement: str) -> None:
    with table(url_of(path)) as here:
        first, _ = here.pair()
        here.play(first.room, "1")
    _change(path, statement)
    with table(url_of(path), seed=1) as here:
        asking: list[Callable[[], Any]] = [
            lambda: here.rooms.look(first.room),
            lambda: here.rooms.place_of(first.room, first.token),
            lambda: here.rooms.join("Eve", room=first.room),
            lambda: here.rooms.submit(first.room, 1, WrittenMove("5"), version=3, key="new").result(),
        ]
        for ask in asking:
            with pytest.raises(DamagedStore) as damage:
                ask()
            assert damage.value.reason.startswith(("room ", "game", "series"))
            assert damage.value.where == str(path)


NONSENSE: dict[str, tuple[str, str]] = {
    "unknown fact": ('"acted"', '"axted"'),
    "unknown game": ("tictactoe", "chess"),
    "unknown mark": ('"X"', '"QQ"'),
    "no seats": ('"seats":[[', '"seats":7,"x":[['),
    "no clock": ('"increment":0', '"increment":-1'),
}


@pytest.mark.parametrize(("old", "new"), NONSENSE.values(), ids=NONSENSE)
def test_impossible_facts_are_damage_despite_the_digest(
    path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    write = room_repository._write_room
    monkeypatch.setattr(room_repository, "_write_room", lambda room: write(room).replace(old, new))
    with table(url_of(path)) as here:
        room = here.rooms.open(here.setup(who=("human", "rule")), "Ada", 0).room
    with table(url_of(path), seed=1) as here, pytest.raises(DamagedStore, match=f"room {room}: unreadable"):
        here.rooms.look(room)


def test_damaged_room_does_not_delay_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with table(url_of(path)) as here:
        bad, good = here.pair()[0], here.pair()[0]
        for room in (bad.room, good.room):
            here.rooms.set_presence(room, 0, False)
            here.rooms.set_presence(room, 1, False)
        time = here.time
    _change(path, f"UPDATE rooms SET facts = '' WHERE name = '{bad.room}'")
    with table(url_of(path), seed=1, time=time) as here:
        monkeypatch.setattr(room_repository, "MAX_DUE", 1)
        here.rooms.expiry.tick()
        time.pass_by(8 * DAY)
        for _ in range(2):
            here.rooms.expiry.tick()
        with pytest.raises(NotFound):
            here.rooms.look(good.room)
        with pytest.raises(DamagedStore):
            here.rooms.look(bad.room)


def test_stale_game_does_not_delay_others(path: Path) -> None:
    with table(url_of(path)) as here:
        bad, good = (here.pair(here.setup(clock=TIMED))[0].room for _ in range(2))
        for room in (bad, good):
            here.play(room, "1", "2")
        game = here.rooms.look(bad).game_id or 0
        event = here.database.load(game).events[0]
        here.database.append(game, [type(event)(3, 5, event.kind, "X", {"move": "3"})])
        here.time.pass_by(DAY)
        for _ in range(2):
            here.rooms.expiry.tick()
        assert here.rooms.look(good).results[0].termination == "time"


def test_tick_skips_rooms_changed_meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with table(url_of(path)) as here:
        first, _ = here.pair()
        other = Table(here.database, here.time, 1)
        other.rooms.expiry.tick()
        other.rooms.close()
        monkeypatch.setattr(RoomStore, "held_by", lambda *_: [first.room, "gone"])
        here.time.pass_by(GONE_AFTER + 1)
        here.rooms.expiry.tick()
        assert here.rooms.look(first.room).version == 2


def test_tick_skips_rooms_settled_by_another_worker(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with table(url_of(path)) as here:
        first, _ = here.pair()
        monkeypatch.setattr(RoomStore, "due", lambda *_: [first.room])
        here.rooms.expiry.tick()
        assert here.rooms.look(first.room).version == 2


def test_damaged_key_is_not_an_answer(path: Path) -> None:
    with table(url_of(path)) as here:
        first, _ = here.pair()
        here.rooms.submit(first.room, 0, WrittenMove("1"), version=2, key="k").result()
        _change(path, "UPDATE room_keys SET version = 2")
        with pytest.raises(BadInput, match="key used"):
            here.rooms.submit(first.room, 0, WrittenMove("1"), version=2, key="k").result()


# Several workers


def test_two_workers_serve_the_same_room(path: Path) -> None:
    """Two workers at one file see each other's changes, although only PostgreSQL sends notices."""
    with table(url_of(path)) as one, table(url_of(path), seed=1) as two:
        first = one.rooms.open(one.setup(), "Ada", 0)
        two.rooms.join("Wei", code=first.code)
        for number, text in enumerate("12437"):
            (one, two)[number % 2].do(first.room, number % 2, WrittenMove(text))
        assert one.rooms.look(first.room).version == two.rooms.look(first.room).version == 7
        one.do(first.room, 0, Rematch())
        assert two.do(first.room, 1, Rematch()).view.turn == 1


def test_read_loads_only_new_events(path: Path) -> None:
    with table(url_of(path)) as one, table(url_of(path), seed=1) as two:
        first, _ = one.pair()
        one.play(first.room, "1", "5")
        known = two.rooms.look(first.room)
        view = one.play(first.room, "2", "9", "3")
        seen = two.rooms.look(first.room)
        assert (known.match.game.ply, seen.match.game.ply) == (2, 5)
        assert seen.results == view.results != ()
        assert two.rooms._look(first.room).digest == one.rooms._look(first.room).digest


def test_partial_read_detects_damage(path: Path) -> None:
    with table(url_of(path)) as one, table(url_of(path), seed=1) as two:
        first, _ = one.pair()
        one.play(first.room, "1", "5")
        two.rooms.look(first.room)
        one.play(first.room, "2")
        _change(path, 'UPDATE events SET data = \'{"move":"4"}\' WHERE version = 3')
        with pytest.raises(DamagedStore, match="altered"):
            two.rooms.look(first.room)


def test_shared_database_is_recognised_by_its_dialect() -> None:
    pytest.importorskip("psycopg")
    for pool, is_shared in ((server_pool({}), True), (memory_pool(), False)):
        database = Database(pool, "somewhere")
        assert database.is_shared is is_shared
        database.close()


def test_private_connection_waits_for_no_commit(path: Path) -> None:
    with contextlib.closing(open_database(url_of(path))) as database, database.connect() as connection:
        connection.change("INSERT INTO room_workers (name, seen) VALUES ('it', 1)")
        with database.reading() as other:
            assert other.column("SELECT name FROM room_workers") == ["it"]


class Driver:
    """A connection that records its statements."""

    def __init__(self, *told: Any) -> None:
        self.told, self.said = list(told), list[str]()
        self.driver = self

    def __enter__(self) -> "Driver":
        return self

    def __exit__(self, *_: object) -> None:
        self.said.append("closed")

    def change(self, statement: str) -> None:
        self.said.append(statement)

    def rows(self, statement: str, messages: Sequence[str] = (), **_: str) -> None:
        self.said += messages

    def notifies(self, timeout: float) -> Iterator[Any]:
        while self.told:
            payload = self.told.pop(0)
            if payload is None:  # nothing for a while
                return
            if isinstance(payload, Exception):
                raise payload
            yield type("Notice", (), {"payload": payload})
        threading.Event().wait(0.001)


class Server(Database):
    """A database with the connections that *connect* makes."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        self.connect = self.writing = connect  # type: ignore[method-assign, assignment]


def test_notices_catch_up_after_a_lost_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notices, "WAIT", 0.001)
    drivers = [Driver("me 2 room", "it 3 room", OSError("lost")), Driver(None, "it 5 a room")]
    given = iter(drivers)
    heard: list[tuple[str, int]] = []
    missed: list[int] = []
    done = threading.Event()

    def hear(room: str, version: int) -> None:
        heard.append((room, version))
        if version == 5:
            done.set()

    listener = Notices(
        Server(lambda: next(given, drivers[-1])), "me", hear, lambda: missed.append(len(heard))
    )
    assert done.wait(10)
    listener.close()
    assert heard == [("room", 3), ("a room", 5)]
    assert missed[:2] == [0, 1]
    assert drivers[0].said == ["LISTEN noughts_rooms", "closed"]


def test_notices_catch_up_after_a_silent_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent connection is probed, and replaced if no notice comes. An own notice keeps it."""
    monkeypatch.setattr(notices, "WAIT", 0.001)
    quiet = [None] * notices.QUIET
    frozen, asking = Driver(*quiet, "me 0 ", *quiet, "it 0 ", *[None] * notices.LOST), Driver()
    given, heard, missed, again = (
        iter([frozen, asking, asking, asking]),
        list[Any](),
        list[int](),
        Driver("it 7 room"),
    )
    done = threading.Event()

    def hear(room: str, version: int) -> None:
        heard.append((room, version))
        done.set()

    server = Server(lambda: next(given, again))
    listener = Notices(server, "me", hear, lambda: missed.append(len(frozen.told)))
    assert done.wait(10)
    listener.close()
    assert (heard, missed[:2]) == ([("room", 7)], [len(quiet) * 2 + 2 + notices.LOST, 0])
    assert frozen.said == ["LISTEN noughts_rooms", "closed"]
    assert asking.said == ["me 0 ", "closed"] * 3


class Deaf:
    """Receives no notices of other workers."""

    def __init__(self, *_: Any) -> None:
        pass

    def close(self) -> None:
        pass


def test_changes_are_sent_to_other_workers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[Any] = []
    database = open_database(url_of(path))
    monkeypatch.setattr("noughts.arena.rooms.rooms.Notices", Deaf)
    monkeypatch.setattr("noughts.arena.rooms.rooms.notify", lambda _, *told: words.append(told))
    monkeypatch.setattr(Database, "is_shared", True)
    here = Table(database)
    first = here.rooms.open(here.setup(), "Ada", 0)
    here.rooms.set_presence(first.room, 0, False)
    here.time.pass_by(DAY)
    here.rooms.expiry.tick()
    here.rooms.close()
    database.close()
    assert words == [(here.rooms._worker, {first.room: version}) for version in (1, 2, -3)]


def test_reopened_room_replaces_the_removed_one(path: Path) -> None:
    """A worker that remembers the old room at a version of the new one shows the new one."""
    key = "k" * 22
    with table(url_of(path)) as one, table(url_of(path), seed=1, time=one.time) as two:
        room = one.rooms.open(one.setup(), "Ada", 0, key=key).room
        wei = one.rooms.join("Wei", room=room)
        assert two.rooms.known_place_of(room, wei.token) is None
        assert two.rooms.place_of(room, wei.token) == 1
        for place in (0, 1):
            one.rooms.set_presence(room, place, False)
        before = two.rooms.look(room).version
        one.time.pass_by(7 * DAY)
        one.rooms.expiry.tick()
        one.rooms.open(one.setup("gomoku"), "Ada", 0, key=key)
        bob = one.rooms.join("Bob", room=room)
        for here in (False, True):
            one.rooms.set_presence(room, 0, here)
        assert one.rooms.look(room).version == before
        with pytest.raises(CommandRefused):
            two.rooms.submit(room, 1, Rematch(), version=before, key="k").result()
        assert (two.rooms.look(room).setup.game, two.rooms.place_of(room, wei.token)) == ("gomoku", None)
        assert two.rooms.known_place_of(room, bob.token) == 1
        assert two.rooms.known_place_of(room, wei.token) is None


@pytest.mark.parametrize("way", ["told", "missed", "looked at", "asked in"])
def test_room_removed_elsewhere_is_forgotten(path: Path, way: str) -> None:
    with table(url_of(path)) as one, table(url_of(path), seed=1) as two:
        first, _ = one.pair()
        assert two.rooms.place_of(first.room, first.token) == 0
        _change(path, "DELETE FROM rooms")
        assert two.rooms.known_place_of(first.room, first.token) == 0
        if way == "told":
            two.rooms._on_notice(first.room, -3)
        elif way == "missed":
            two.rooms._catch_up()
        else:
            with pytest.raises(NotFound):
                two.rooms.look(first.room) if way == "looked at" else two.rooms.set_presence(
                    first.room, 0, True
                )
        assert two.rooms.known_place_of(first.room, first.token) is None
        assert two.heard == ([(first.room, 3)] if way in ("told", "missed") else [])


def test_long_series_is_read_incrementally(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The playing worker reads nothing, and another one only new rows."""
    read: list[int] = []
    real = Database.read_game

    def reading(self: Database, rows: Any) -> Any:
        read.append(rows[0]["id"])
        return real(self, rows)

    monkeypatch.setattr(Database, "read_game", reading)
    with table(url_of(path)) as one, table(url_of(path), seed=1) as two:
        first, _ = one.pair()
        for number in range(1, 6):
            one.play(first.room, "1")
            if number % 2:
                two.rooms.look(first.room)
            one.do(first.room, number % 2, Resign())
            if number < 4:
                two.rooms.look(first.room)
            for place in (0, 1):
                one.do(first.room, place, Rematch())
        assert read == [1, 1, 2, 2, 3, 3, 4, 5, 5]
        view = two.rooms.look(first.room)
        assert (
            view.scores
            == one.rooms.look(first.room).scores
            == recount(view.results, map(Score, ("Ada", "Wei")))
        )
        assert (len(view.results), read[9:]) == (5, [5])


def test_notify_uses_the_given_connection() -> None:
    words: list[Any] = []

    class Fake:
        def rows(self, statement: str, **told: Any) -> None:
            words.append(told)

    notices.notify(Fake(), "worker", {"room": 7, "other": 2})  # type: ignore[arg-type]
    assert words == [{"channel": "noughts_rooms", "messages": ["worker 7 room", "worker 2 other"]}]


def test_catch_up_publishes_missed_changes(path: Path) -> None:
    with table(url_of(path)) as one, table(url_of(path), seed=1) as two:
        rooms = [one.pair()[0].room for _ in range(3)]
        for room in rooms:
            two.rooms.look(room)
        one.play(rooms[0], "1", "2")
        _change(path, f"DELETE FROM rooms WHERE name = '{rooms[1]}'")
        two.rooms.look(rooms[0])  # reads the change, which is still unpublished
        two.rooms._catch_up()
        assert dict(two.heard) == {rooms[0]: 4, rooms[1]: 3, rooms[2]: 2}
