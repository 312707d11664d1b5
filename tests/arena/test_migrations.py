"""Migrations: every released schema can be upgraded with all its rows."""

import contextlib
import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.commands import MakeMove, WrittenMove
from noughts.arena.digest import canonical_json, digest_events, digest_of, first_digest
from noughts.arena.events import Event
from noughts.arena.local_table import LocalTable, unfinished_human_games
from noughts.arena.people.people import People
from noughts.arena.repair.repair import repair
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.series import Begins, recount
from noughts.arena.setup import ONLINE, SeriesSetup, Setup
from noughts.arena.store import revisions
from noughts.arena.store.connections import Connection, Pool, insertion
from noughts.arena.store.database import open_database
from noughts.arena.store.postgres import server_pool
from noughts.arena.store.revisions import HEAD, SCRIPTS, TABLES, VERSION_TABLE, upgrade
from noughts.arena.store.sqlite_file import file_pool
from noughts.arena.store.tables import event_row, game_row, identity_digest
from noughts.arena.table import Terms
from noughts.errors import DamagedStore, NameRefused, StoreError
from tests.databases import NAMES, ending, fill, moves, new_database, new_file, seats, url_of
from tests.postgres import postgres, postgres_url, run_sql  # noqa: F401 - fixtures
from tests.stand_ins import open_series

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.sql"))
"""A dump of a database of each released revision. Dumps are never changed, only added."""


def _schema(path: Path) -> list[str]:
    """Return the definitions of the tables in *path* without blanks, except that of counted results."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name != 'results' ORDER BY name"
        rows = connection.execute(query)
        return ["".join(sql.split()) for (sql,) in rows]


def test_revisions_count_up_to_the_known_one() -> None:
    result = sorted(script.name for script in SCRIPTS.iterdir())
    assert result == [f"{number:04}.sql" for number in range(1, int(HEAD) + 1)]


def test_each_revision_has_a_test_database() -> None:
    assert [file.stem for file in SCHEMAS] == [f"{number:04}" for number in range(1, int(HEAD) + 1)]


@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_released_revisions_create_the_same_tables(tmp_path: Path, dump: Path) -> None:
    released, made = tmp_path / "released.db", tmp_path / "made.db"
    made.touch()
    with contextlib.closing(sqlite3.connect(released)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    with contextlib.closing(file_pool(made)) as pool, pool.transaction(writes=True) as connection:
        upgrade(connection, "0000", dump.stem)
    assert _schema(made) == _schema(released)


def test_newest_revision_has_all_tables(tmp_path: Path) -> None:
    with contextlib.closing(new_database(tmp_path / "new.db")) as store, store.reading() as connection:
        assert set(connection.column(connection.dialect.tables)) == {*TABLES, VERSION_TABLE}


@pytest.mark.slow
@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_released_schema_migrates(tmp_path: Path, dump: Path) -> None:
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    with contextlib.closing(open_database(url_of(path))) as store:
        games = list(store.games())
        assert [len(game.events) for game in games] == [0, 2, 2, 4, 4, 6, 6, 8, 0, 2, 2, 4]
        assert [game.setup.series for game in games] == [1, 2, None] * 4
        assert [game.setup.seats["X"] for game in games] == [*NAMES, *NAMES]
        assert open_series(store) == (2, SeriesSetup("4x4", NAMES[2:4], Begins.LOSER, 2))
        wins = {score.name: score.wins for score in recount(store.results())}
        assert wins == {NAMES[1]: 0, NAMES[3]: 2, NAMES[5]: 0, "Wei": 2}
        game = store.add_game(Setup("tictactoe", seats(), series=2))
        store.append(game, moves(3))
    with contextlib.closing(open_database(url_of(path))) as store:
        assert list(store.games())[:-1] == games
        assert list(store.load(game).events) == moves(3)
    assert _schema(path) == _schema(new_file(tmp_path / "new.db"))


@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_migrated_rooms_can_be_played(tmp_path: Path, dump: Path) -> None:
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
        is_new = dump.stem < "0002"
        saved = [] if is_new else [name for (name,) in connection.execute("SELECT name FROM rooms")]
    with contextlib.closing(open_database(url_of(path))) as store:
        rooms = Rooms(store, now=lambda: 2000)
        phases = {name: rooms.look(name).phase for name in saved}
        assert sorted(phases.values()) == ([] if is_new else [Phase.PLAYING, Phase.WAITING])
        opened = rooms.open(Terms("tictactoe", ("human", "rule")), "Eve", 0).room
        for name in [opened, *(name for name, phase in phases.items() if phase is Phase.PLAYING)]:
            answered = rooms.submit(name, 0, WrittenMove("5"), version=1, key="first").result()
            assert store.load(answered.view.game_id or 0).events[0].data == {"move": "5"}
        rooms.close()


@pytest.mark.parametrize("is_repaired", [False, True])
def test_migration_widens_the_shapes_of_names(tmp_path: Path, is_repaired: bool) -> None:
    """Names that look alike stay, new ones are refused, and a damaged row stays damaged."""
    path = tmp_path / "games.db"
    old_names = (("Ron", "ron"), ("гоп", "гoп"), ("шu", "шu"), ("Eνa", "ena"))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMAS[15].read_text(encoding="utf-8"))
        for number, (name, old) in enumerate(old_names, 2**48):
            row = {"number": number, "key": f"{number:043}", "name": name, "folded_name": name.casefold()}
            row |= {"shape": old, "created": 1, "renamed": 1, "seen": 1, "words_checked": None}
            row |= {"asked_by": "everybody", "is_bot": False}
            row["digest"] = identity_digest(row) if name != "шu" else "0" * 64
            connection.execute(insertion("identities", row), row)
        connection.execute("INSERT INTO taken_names VALUES ('бoб', 1)")
        connection.commit()
    if is_repaired:
        assert dict(repair(path, tmp_path / "new.db").lost_rows)["identities"] == 1
        path = tmp_path / "new.db"
    with contextlib.closing(open_database(url_of(path))) as store:
        people = People(store, now=lambda: 2)
        with store.reading() as reading:
            query = "SELECT shape FROM identities WHERE number >= :first ORDER BY number"
            assert reading.column(query, first=2**48)[:2] == ["ron", "ron"]
            assert {"6o6", "badname"} <= set(reading.column("SELECT shape FROM taken_names"))
        assert people.names([2**48, 2**48 + 1]) == {2**48: "Ron", 2**48 + 1: "гоп"}
        for name in ("ROП", "Боб", "Eva"):
            with pytest.raises(NameRefused):
                people.check_name(name)
        if not is_repaired:
            with pytest.raises(DamagedStore):
                people.get(2**48 + 2)


def test_migration_is_atomic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = new_file(tmp_path / "games.db")
    with contextlib.closing(open_database(url_of(path))) as store:
        fill(store)
        games = list(store.games())
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    fails = [True]

    def upgrade(connection: Connection, revision: str) -> None:
        connection.change("CREATE TABLE notes (name TEXT)")
        connection.change("UPDATE noughts_version SET version_num = '9998'")
        if fails:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(revisions, "HEAD", "9998")
    monkeypatch.setattr(revisions, "upgrade", upgrade)
    with pytest.raises(StoreError, match="no room"):
        open_database(url_of(path))
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    fails.clear()
    with contextlib.closing(open_database(url_of(path))) as store:
        assert list(store.games()) == games
    assert "CREATETABLEnotes(nameTEXT)" in _schema(path)


def test_failed_creation_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = revisions.upgrade

    def upgrade(connection: Connection, revision: str) -> None:
        real(connection, revision)
        raise KeyboardInterrupt

    monkeypatch.setattr(revisions, "upgrade", upgrade)
    with pytest.raises(KeyboardInterrupt):
        open_database(url_of(tmp_path / "games.db"))
    with pytest.raises(KeyboardInterrupt):
        open_database("sqlite://")
    assert list(tmp_path.iterdir()) == []


def test_program_waits_for_a_running_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, asks, migrate = tmp_path / "games.db", threading.Event(), revisions.bring_up_to_date
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(SCHEMAS[0].read_text(encoding="utf-8"))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")

        def bring_up_to_date(pool: Pool, where: str) -> None:
            asks.set()
            migrate(pool, where)

        monkeypatch.setattr("noughts.arena.store.database.bring_up_to_date", bring_up_to_date)
        with ThreadPoolExecutor(1) as executor:
            opened = executor.submit(open_database, url_of(path), busy_seconds=0.0)
            asks.wait()
            connection.execute("ROLLBACK")
            with contextlib.closing(opened.result()) as store:
                assert len(list(store.games())) == 12


# Games of every origin in a database of each revision


WHOS = (
    {"X": "human", "O": "bot:online"},
    {"X": "human", "O": "human", "online": "online"},
    {"X": "human", "O": "rule", "online": "online", "uncounted": "uncounted"},
    {"X": "rule", "O": "rule", "tournament": "tournament", "uncounted": "uncounted"},
)
"""``who`` of games 13 to 16 as it was stored up to revision 0006."""

FILED = [("local", True), ("online", True), ("online", False), ("tournament", False)]
"""The origins of games 13 to 16, and if they count."""


def _old_digest(row: Mapping[str, Any], events: Sequence[Event]) -> str:
    """The digest of a game up to revision 0006, as those versions computed it."""
    facts = {name: row[name] for name in ("game", "start", "created")}
    facts |= {name: json.loads(row[name]) for name in ("seats", "clock", "who")}
    digest = digest_of([row["id"], digest_of({**facts, "series": row["series_id"]})])
    return digest_events(digest, events)


def _played(folder: Path, dump: Path) -> Path:
    """Return a file with the database of *dump* and four more games, the first of which is unfinished."""
    path = folder / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
        known = [row[1] for row in connection.execute("PRAGMA table_info(games)")]
        for number, (who, (origin, is_counted)) in enumerate(zip(WHOS, FILED, strict=True), 13):
            events = moves(2) if number == 13 else [*moves(2), ending(3, "X")]
            kinds = {side: kind for side, kind in who.items() if side in "XO"}
            setup = Setup("tictactoe", seats(), who=kinds, origin=origin, is_counted=is_counted)
            row = {"id": number, **game_row(setup)}
            row["digest"] = digest_events(first_digest(number, setup), events)
            if "form" not in known:
                row["who"] = canonical_json(who)
                row["digest"] = _old_digest(row, events)
            row = {name: value for name, value in row.items() if name in known}
            connection.execute(insertion("games", row), row)
            rows = [event_row(number, event) for event in events]
            connection.executemany(insertion("events", rows[0]), rows)
        connection.commit()
    return path


def _move_to_postgres(path: Path, url: str, revision: str) -> None:
    """Move the database in the file *path*, which has *revision*, to an empty one at *url*."""
    run_sql(url, "DROP SCHEMA public CASCADE")
    run_sql(url, "CREATE SCHEMA public")
    with (
        contextlib.closing(server_pool({"conninfo": url})) as pool,
        pool.transaction(writes=True) as there,
        contextlib.closing(sqlite3.connect(path)) as here,
    ):
        upgrade(there, "0000", revision)
        here.row_factory = sqlite3.Row
        names = {name for (name,) in here.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        for table in [*FIRST, *sorted(TABLES.difference(FIRST))]:
            if table not in names:
                continue
            rows = [dict(row) for row in here.execute(f"SELECT * FROM {table}")]
            for row in rows:
                row.update({name: bool(row[name]) for name in BOOLEANS & row.keys()})
            there.insert(table, *rows)
            if rows and table in NUMBERED:
                last = max(row["id"] for row in rows)
                there.rows(
                    "SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)", table=table, last=last
                )


BOOLEANS = {
    "ended",
    "counted",
    "is_computer_awaited",
    "has_public_game",
    "is_bot",
    "rated",
    "is_challenge",
    "is_over",
    "is_read",
}
NUMBERED = ("series", "games", "tournaments", "people_tournaments", "reports", "operator_actions", "bans")
FIRST = (*NUMBERED, "identities", "devices")
"""The tables to which rows of other tables refer."""


def _check_played(url: str) -> None:
    """Check that the games of :func:`_played` at *url* can be read, counted, filed and resumed."""
    with contextlib.closing(open_database(url)) as store:
        games = list(store.games())
        assert [game.id for game in games] == list(range(1, 17))
        assert [(game.setup.origin, game.setup.is_counted) for game in games[12:]] == FILED
        assert [set(game.setup.who) for game in games[12:]] == [{"X", "O"}] * 4
        assert [game.id for game in store.newest_games(origin=ONLINE)] == [15, 14]
        assert [game.id for game in store.newest_games()][:4] == [15, 14, 13, 12]
        assert len(store.results()) == 7  # six of the first twelve have ended, and 14 counts
        assert next(iter(unfinished_human_games(store))).id == 13
        table = LocalTable.resume(store, store.load(13), 1000)
        table.apply("X", MakeMove((1, 1)), 1000)
        fresh = store.add_game(replace(games[14].setup, old_who=None))
    with contextlib.closing(open_database(url)) as store:
        assert [*store.games()][:12] == games[:12]
        assert len(store.load(13).events) == 3
        again = store.load(fresh).setup
        assert (again.origin, again.is_counted, again.old_who) == ("online", False, None)
        with store.writing() as connection:
            connection.change("UPDATE games SET origin = 'local' WHERE id = :id", {"id": fresh})
        with pytest.raises(DamagedStore):  # the digest of a new game covers its origin
            store.load(fresh)


@pytest.mark.slow
@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_old_games_of_every_origin_are_usable(tmp_path: Path, dump: Path) -> None:
    path = _played(tmp_path, dump)
    repaired = repair(path, tmp_path / "new.db")
    assert (repaired.games, repaired.lost_games, repaired.lost_tournaments) == (16, (), ())
    for file in (path, tmp_path / "new.db"):
        _check_played(url_of(file))


@pytest.mark.slow
@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_old_postgres_games_are_usable(
    tmp_path: Path,
    dump: Path,
    postgres_url: str,  # noqa: F811
) -> None:
    _move_to_postgres(_played(tmp_path, dump), postgres_url, dump.stem)
    with ThreadPoolExecutor(4) as executor:  # several workers start at once: one migrates, the others wait
        for store in executor.map(open_database, [postgres_url] * 4):
            store.close()
    _check_played(postgres_url)
