"""Migrations: every schema that was ever released comes up to date with all that it holds."""

import contextlib
import hashlib
import sqlite3
from pathlib import Path

import pytest

from noughts.arena.commands import WrittenMove
from noughts.arena.rooms.facts import Phase
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.series import Begins, recount
from noughts.arena.store import revisions
from noughts.arena.store.connections import Connection, insertion
from noughts.arena.store.database import open_database
from noughts.arena.store.revisions import HEAD, SCRIPTS, TABLES, VERSION_TABLE, upgrade
from noughts.arena.store.sqlite_file import file_pool
from noughts.arena.store.store import ONLINE, TOURNAMENT, UNCOUNTED, SeriesSetup, Setup
from noughts.arena.store.tables import first_digest, game_row
from noughts.arena.table import Terms
from noughts.errors import StoreError
from tests.databases import NAMES, fill, moves, new_database, new_file, seats, url_of
from tests.stand_ins import open_series

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.sql"))
"""A dump of a database of each released revision. They are never changed, only added to."""


def _schema(path: Path) -> list[str]:
    """How the tables in *path* were made, without line breaks and blanks; but for counted results."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name != 'results' ORDER BY name"
        rows = connection.execute(query)
        return ["".join(sql.split()) for (sql,) in rows]


def test_revisions_count_up_to_the_known_one() -> None:
    found = sorted(script.name for script in SCRIPTS.iterdir())
    assert found == [f"{number:04}.sql" for number in range(1, int(HEAD) + 1)]


def test_each_revision_has_a_database_to_try() -> None:
    assert [file.stem for file in SCHEMAS] == [f"{number:04}" for number in range(1, int(HEAD) + 1)]


@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_each_revision_makes_the_tables_that_it_made_when_it_was_released(tmp_path: Path, dump: Path) -> None:
    released, made = tmp_path / "released.db", tmp_path / "made.db"
    made.touch()
    with contextlib.closing(sqlite3.connect(released)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    with contextlib.closing(file_pool(made)) as pool, pool.transaction(writes=True) as connection:
        upgrade(connection, "0000", dump.stem)
    assert _schema(made) == _schema(released)


def test_the_newest_revision_has_the_tables_that_the_store_uses(tmp_path: Path) -> None:
    with contextlib.closing(new_database(tmp_path / "new.db")) as store, store.reading() as connection:
        assert set(connection.column(connection.dialect.tables)) == {*TABLES, VERSION_TABLE}


@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_a_released_schema_migrates(tmp_path: Path, dump: Path) -> None:
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
def test_rooms_can_be_played_in_after_a_migration(tmp_path: Path, dump: Path) -> None:
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
        is_new = dump.stem < "0002"
        kept = [] if is_new else [name for (name,) in connection.execute("SELECT name FROM rooms")]
    with contextlib.closing(open_database(url_of(path))) as store:
        rooms = Rooms(store, now=lambda: 2000)
        phases = {name: rooms.look(name).phase for name in kept}
        assert sorted(phases.values()) == ([] if is_new else [Phase.PLAYING, Phase.WAITING])
        opened = rooms.open(Terms("tictactoe", ("human", "rule")), "Ada", 0).room
        for name in [opened, *(name for name, phase in phases.items() if phase is Phase.PLAYING)]:
            answered = rooms.ask(name, 0, WrittenMove("5"), version=1, key="first").result()
            assert store.load(answered.view.game_id or 0).events[0].data == {"move": "5"}
        rooms.close()


def test_an_old_file_is_migrated_in_one_step_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = new_file(tmp_path / "games.db")
    with contextlib.closing(open_database(url_of(path))) as store:
        fill(store)
        games = list(store.games())
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    fails = [True]

    def upgrade(connection: Connection, revision: str) -> None:
        connection.change("CREATE TABLE ratings (name TEXT)")
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
    assert "CREATETABLEratings(nameTEXT)" in _schema(path)


def test_a_new_file_that_cannot_be_finished_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_games_are_filed_by_where_they_were_played(tmp_path: Path) -> None:
    """The columns of revision 0006 are filled from what older games say; no digest changes."""
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parent / "schemas" / "0005.sql").read_text(encoding="utf-8"))
    whos = [
        {"X": "human", "O": "bot:online"},
        {"X": "human", "O": "human", ONLINE: ONLINE},
        {"X": "human", "O": "rule", ONLINE: ONLINE, UNCOUNTED: UNCOUNTED},
        {"X": "rule", "O": "rule", TOURNAMENT: TOURNAMENT, UNCOUNTED: UNCOUNTED},
    ]
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for number, who in enumerate(whos, 13):
            setup = Setup("tictactoe", seats(), who=who)
            old = {name: value for name, value in game_row(setup).items() if name not in COLUMNS}
            row = {"id": number, **old, "digest": first_digest(number, setup)}
            connection.execute(insertion("games", row), row)
        connection.commit()
    with contextlib.closing(open_database(url_of(path))) as store:
        assert [game.setup.who for game in store.games(after=12)] == whos
        with store.reading() as connection:
            rows = connection.rows(f"SELECT {', '.join(COLUMNS)} FROM games WHERE id > 12 ORDER BY id")
        assert [(row["origin"], bool(row["counted"]), row["visibility"]) for row in rows] == [
            ("local", True, "link"),
            ("online", True, "link"),
            ("online", False, "link"),
            ("tournament", False, "public"),
        ]
        assert [game.id for game in store.newest_games(origin=ONLINE)] == [15, 14]
        fresh = [store.add_game(Setup("tictactoe", seats(), who=who)) for who in whos]
        with store.reading() as connection:
            again = connection.rows(f"SELECT {', '.join(COLUMNS)} FROM games WHERE id >= :id", id=fresh[0])
        assert [[row[name] for name in COLUMNS] for row in again] == [
            [row[name] for name in COLUMNS] for row in rows
        ]


COLUMNS = ("origin", "counted", "visibility")
