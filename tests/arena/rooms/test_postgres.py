"""Rooms in a real PostgreSQL: several workers serve the same rooms, and lost connections lose nothing."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from noughts.arena.commands import WrittenMove
from noughts.arena.rooms.notices import Notices
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.store.database import open_database
from noughts.errors import NotFound, SeatTaken, StaleRoom, StoreError
from tests.arena.rooms.tables import TIMED, Table, Time, table
from tests.databases import fill
from tests.postgres import postgres, postgres_url, run_sql
from tests.stand_ins import open_series

pytestmark = pytest.mark.slow

__all__ = ["postgres", "postgres_url"]

KILL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
def pair(postgres_url: str) -> Iterator[tuple[Table, Table]]:
    """Two workers at one database."""
    with table(postgres_url) as one, table(postgres_url, seed=1) as two:
        yield one, two


def _until(is_so: Callable[[], bool]) -> None:
    """Wait until another thread has made *is_so* true."""
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def _at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    gate, answers = threading.Barrier(len(calls)), list[Any]()

    def run(call: Callable[[], Any]) -> None:
        gate.wait()
        try:
            answers.append(call())
        except Exception as error:
            answers.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_start_without_living_workers_is_a_pause(postgres_url: str) -> None:
    time = Time()
    with table(postgres_url, time=time) as one:
        room = one.pair(one.setup(clock=TIMED))[0].room
        one.play(room, "8", "9")
        time.pass_by(5_000)
        with table(postgres_url, time=time, seed=1) as beside:
            assert beside.rooms.look(room).paused == 0
        time.pass_by(5_000)
        assert isinstance(one.rooms._notices, Notices)
        one.rooms._notices.close()  # as if it were killed
        with table(postgres_url, time=time, seed=2) as after:
            assert after.rooms.look(room).paused == 5_000
            with table(postgres_url, time=time, seed=3) as last:
                assert last.rooms.look(room).paused == 5_000


def test_postgres_stores_games_like_a_file(postgres_url: str) -> None:
    saved = []
    for url in (postgres_url, "sqlite://"):
        store = open_database(url)
        fill(store)
        saved.append((list(store.games()), store.results(), open_series(store)))
        store.close()
    assert saved[0] == saved[1]


def test_each_worker_receives_the_others_changes(pair: tuple[Table, Table]) -> None:
    one, two = pair
    _until_all_listen(pair)
    first = one.rooms.open(one.setup(), "Ada", 0)
    two.rooms.join("Wei", code=first.code)
    for number, text in enumerate("12437"):
        pair[number % 2].do(first.room, number % 2, WrittenMove(text))
    expected = [(first.room, version) for version in range(1, 8)]
    for here in pair:
        _until(_has_heard(here, first.room, 7))
        assert sorted(_of(here, first.room)) == expected
    assert one.rooms.look(first.room).scores == two.rooms.look(first.room).scores


def _until_all_listen(pair: tuple[Table, Table]) -> None:
    """Wait until all workers listen, which may be after they accept commands."""
    for speaker, hearer in (pair, pair[::-1]):
        while not hearer.heard:
            speaker.rooms.open(speaker.setup(), "Eve", 0)
            time.sleep(0.01)
        hearer.heard.clear()
        speaker.heard.clear()


def _of(here: Table, room: str) -> list[tuple[str, int]]:
    return [heard for heard in here.heard if heard[0] == room]


def _has_heard(here: Table, room: str, count: int) -> Callable[[], bool]:
    return lambda: len(_of(here, room)) >= count


def _join(here: Table, way: dict[str, Any]) -> Callable[[], Any]:
    return lambda: here.rooms.join("Wei", **way)


def _open(here: Table, key: str) -> Callable[[], Any]:
    return lambda: here.rooms.open(here.setup(), "Ada", 0, key=key)


def _ask(here: Table, room: str, text: str, key: str) -> Callable[[], Any]:
    return lambda: here.rooms.submit(room, 0, WrittenMove(text), version=2, key=key).result()


def test_one_of_two_simultaneous_moves_is_made(pair: tuple[Table, Table]) -> None:
    for _ in range(30):
        first, _second = pair[0].pair()
        answers = _at_once(
            [_ask(here, first.room, text, text) for here, text in zip(pair, "12", strict=True)]
        )
        assert sum(isinstance(answer, StaleRoom) for answer in answers) == 1
        assert sum(not isinstance(answer, Exception) for answer in answers) == 1
        assert pair[0].rooms.look(first.room).version == 3


def test_one_of_many_simultaneous_joins_succeeds(pair: tuple[Table, Table]) -> None:
    for number in range(20):
        first = pair[0].rooms.open(pair[0].setup(), "Ada", 0)
        way: dict[str, Any] = {"code": first.code} if number % 2 else {"room": first.room}
        answers = _at_once([_join(here, way) for here in pair * 2])
        assert sum(not isinstance(answer, Exception) for answer in answers) == 1
        assert sum(isinstance(answer, NotFound | SeatTaken) for answer in answers) == 3


def test_key_opens_one_room_at_two_workers(pair: tuple[Table, Table]) -> None:
    for number in range(20):
        answers = _at_once([_open(here, f"{number:022}") for here in pair])
        assert answers[0] == answers[1]


def test_key_at_two_workers_makes_one_event(pair: tuple[Table, Table]) -> None:
    first, _ = pair[0].pair()
    answers = _at_once([_ask(here, first.room, "1", "k") for here in pair * 5])
    assert [answer.version for answer in answers] == [3] * 10
    assert len(pair[0].database.load(1).events) == 1


def test_lost_connections_lose_no_change(pair: tuple[Table, Table], postgres_url: str) -> None:
    """Commands that failed with the connection are repeated under their keys, and are executed once."""
    one, two = pair
    _until_all_listen(pair)
    first, _ = one.pair()
    moves, version = ["1", "2", "3", "5", "4", "6", "8", "7", "9"], 2
    for number, text in enumerate(moves):
        run_sql(postgres_url, KILL)
        for _ in range(20):
            with suppress(StoreError):
                answered = (
                    pair[number % 2]
                    .rooms.submit(
                        first.room, number % 2, WrittenMove(text), version=version, key=f"k{number}"
                    )
                    .result()
                )
                break
        assert answered.version == version + 1
        version = answered.version
    (game,) = one.database.games()
    assert [event.data.get("move") for event in game.events] == [*moves, None]
    _until(lambda: (first.room, version) in one.heard and (first.room, version) in two.heard)


def test_notices_report_changes_missed_while_disconnected(
    pair: tuple[Table, Table], postgres_url: str
) -> None:
    one, two = pair
    first, _ = one.pair()
    two.rooms.look(first.room)
    run_sql(postgres_url, KILL)
    for _ in range(20):
        with suppress(StoreError):
            one.do(first.room, 0, WrittenMove("5"))
            break
    _until(lambda: (first.room, 3) in two.heard)


def test_url_sets_the_timeout_of_a_server(postgres_url: str) -> None:
    for query, seconds in (("", "5"), ("?connect_timeout=77", "77")):
        store = open_database(postgres_url + query)
        with store.reading() as connection:
            driver = connection.driver
            assert driver.info.get_parameters()["connect_timeout"] == seconds
            assert driver.info.get_parameters()["tcp_user_timeout"] == "10000"
        store.close()


def test_simultaneous_servers_create_one_schema(postgres: str) -> None:
    run_sql(f"{postgres}/postgres", "CREATE DATABASE fresh")
    opened = _at_once([lambda: open_database(f"{postgres}/fresh")] * 4)
    assert [list(store.games()) for store in opened] == [[]] * 4
    for store in opened:
        store.close()


def test_job_is_repeated_after_a_deadlock(pair: tuple[Table, Table]) -> None:
    one, two = pair
    first, second = (one.pair()[0].room for _ in range(2))
    locked, batches = threading.Event(), list[RoomBatch]()

    def work(batch: RoomBatch) -> None:
        batches.append(batch)
        locked.set()
        batch.lock([second])
        batch.remove(batch.read(second))

    find = "SELECT name FROM rooms WHERE name = :name FOR UPDATE"
    with two.database.writing() as connection:
        connection.change("SET deadlock_timeout = '60s'")  # so that the other one is stopped
        connection.rows(find, name=second)
        removal = threading.Thread(target=one.rooms.transact, args=(first, work))
        removal.start()
        assert locked.wait(20)
        connection.rows(find, name=first)
        connection.change("SET deadlock_timeout = '1s'")
    removal.join(20)
    assert len(batches) >= 2  # It may lock the first room again before the other one does.
    with pytest.raises(NotFound):
        one.rooms.look(second)
