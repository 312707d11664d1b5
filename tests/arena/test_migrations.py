"""Migrations: every schema that was ever released comes up to date with all that it holds."""

import contextlib
import hashlib
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from noughts.arena.commands import MakeMove
from noughts.arena.rooms.facts import Phase
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.series import Begins, recount
from noughts.arena.store import migrations, revisions
from noughts.arena.store.database import open_database
from noughts.arena.store.revisions import HEAD
from noughts.arena.store.store import SeriesSetup, Setup, all_results
from noughts.arena.store.tables import VERSION_TABLE, metadata
from noughts.arena.table import Terms
from noughts.errors import StoreError
from tests.databases import NAMES, fill, moves, new_file, seats, url_of
from tests.stand_ins import open_series

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("*.sql"))
"""A dump of a database of each released revision. They are never changed, only added to."""


def _scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", "noughts.arena.store:migrations")
    return ScriptDirectory.from_config(config)


def _schema(path: Path) -> list[str]:
    """How the tables in *path* were made, without line breaks and blanks."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        return ["".join(sql.split()) for (sql,) in rows if VERSION_TABLE not in sql]


def test_the_known_revision_is_the_newest() -> None:
    assert _scripts().get_heads() == [HEAD]


def test_revisions_count_up() -> None:
    found = [script.revision for script in _scripts().walk_revisions()][::-1]
    assert found == [f"{number:04}" for number in range(1, len(found) + 1)]


def test_each_revision_has_a_database_to_try() -> None:
    assert [file.stem for file in SCHEMAS] == [f"{number:04}" for number in range(1, int(HEAD) + 1)]


def test_migrations_lead_to_the_tables_that_the_store_uses(tmp_path: Path) -> None:
    migrated = new_file(tmp_path / "migrated.db")
    engine = create_engine(url_of(migrated))
    options = {"version_table": VERSION_TABLE, "compare_type": True}
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
    engine.dispose()
    made = create_engine(url_of(tmp_path / "made.db"))
    metadata.create_all(made)
    made.dispose()
    assert _schema(migrated) == _schema(tmp_path / "made.db")


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
        wins = {score.name: score.wins for score in recount(all_results(store))}
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
            answered = rooms.command(name, 0, MakeMove("5"), version=1, key="first")
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

    def upgrade(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE ratings (name TEXT)"))
        connection.execute(text("UPDATE noughts_version SET version_num = '0004'"))
        if fails:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(revisions, "HEAD", "0004")
    monkeypatch.setattr(migrations, "upgrade", upgrade)
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
    real = migrations.upgrade

    def upgrade(connection: Connection) -> None:
        real(connection)
        raise KeyboardInterrupt

    monkeypatch.setattr(migrations, "upgrade", upgrade)
    with pytest.raises(KeyboardInterrupt):
        open_database(url_of(tmp_path / "games.db"))
    with pytest.raises(KeyboardInterrupt):
        open_database("sqlite://")
    assert list(tmp_path.iterdir()) == []
