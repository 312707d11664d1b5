"""The permanent store: refused files, and the safety of saved games against bad input and damage."""

import contextlib
import errno
import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts.arena.repair.repair import repair
from noughts.arena.series import Begins
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store import sqlite_file
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.database_urls import parse_url
from noughts.arena.store.revisions import HEAD
from noughts.arena.store.sqlite_file import reason_of
from noughts.arena.stored_game import StoredGame
from noughts.errors import DamagedStore, NewerStore, NotFound, StaleVersion, StoreError
from tests.databases import fill, moves, new_database, new_file, seats, url_of
from tests.stand_ins import open_series

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs what only POSIX systems have")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def _files(folder: Path) -> dict[str, str]:
    """Return the hash of every file in *folder*; the shared memory index is only listed."""
    return {
        str(file.relative_to(folder)): ""
        if file.is_dir() or file.name.endswith("-shm")
        else hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
    }


def _change(path: Path, *statements: str) -> None:
    """Run SQL on the file *path* behind the store's back."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


# Refused files


def _text(path: Path) -> None:
    path.write_text("Shopping: bread, milk. " * 100, encoding="utf-8")


def _short_text(path: Path) -> None:
    path.write_text("x", encoding="utf-8")


def _foreign(path: Path) -> None:
    _change(
        path,
        "PRAGMA journal_mode=DELETE",
        "CREATE TABLE recipes (name)",
        "INSERT INTO recipes VALUES ('soup')",
    )


def _foreign_wal(path: Path) -> None:
    _change(
        path, "PRAGMA journal_mode=WAL", "CREATE TABLE recipes (name)", "INSERT INTO recipes VALUES ('soup')"
    )


def _foreign_alembic(path: Path) -> None:
    _change(path, "CREATE TABLE alembic_version (version_num)", "INSERT INTO alembic_version VALUES ('0001')")


def _without_tables(path: Path) -> None:
    _change(path, "CREATE TABLE recipes (name)", "DROP TABLE recipes")


def _ours(*statements: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with contextlib.closing(new_database(path)) as store:
            fill(store)
        _change(path, *statements)

    return make


def _cut(path: Path) -> None:
    _ours()(path)
    path.write_bytes(path.read_bytes()[:-5000])


REFUSED = {
    "text": (_text, DamagedStore, "no-database"),
    "short text": (_short_text, DamagedStore, "no-database"),
    "empty": (lambda path: path.touch(), DamagedStore, "empty"),
    "cut": (_cut, DamagedStore, "malformed"),
    "folder": (lambda path: path.mkdir(), StoreError, "is-a-folder"),
    "foreign": (_foreign, StoreError, "belongs-to-another-program"),
    "foreign in WAL mode": (_foreign_wal, StoreError, "belongs-to-another-program"),
    "foreign with Alembic": (_foreign_alembic, StoreError, "belongs-to-another-program"),
    "only the tables of games": (
        _ours("DROP TABLE noughts_version", "DROP TABLE series"),
        DamagedStore,
        "no such table",
    ),
    "no tables": (_without_tables, StoreError, "belongs-to-another-program"),
    "newer": (_ours("UPDATE noughts_version SET version_num = '9999'"), NewerStore, "9999"),
    "newer, other tables": (
        _ours("UPDATE noughts_version SET version_num = '9999'", "ALTER TABLE games RENAME TO matches"),
        NewerStore,
        "9999",
    ),
    "before the first": (
        _ours("UPDATE noughts_version SET version_num = '0000'"),
        DamagedStore,
        "tables-missing",
    ),
    "no number": (_ours("UPDATE noughts_version SET version_num = 'abcd'"), DamagedStore, "revision"),
    "no revision": (_ours("DELETE FROM noughts_version"), DamagedStore, "revision"),
    "two revisions": (_ours("INSERT INTO noughts_version VALUES ('0001')"), DamagedStore, "revision"),
    "table missing": (_ours("DROP TABLE events"), DamagedStore, "tables"),
    "column missing": (
        _ours("DROP TABLE noughts_version", "CREATE TABLE noughts_version (version)"),
        DamagedStore,
        "no such column",
    ),
}


@pytest.mark.parametrize(("make", "kind", "reason"), REFUSED.values(), ids=REFUSED)
def test_foreign_or_damaged_file_is_refused_unchanged(
    path: Path, make: Callable[[Path], None], kind: type[StoreError], reason: str
) -> None:
    make(path)
    before = _files(path.parent)
    with pytest.raises(StoreError) as refused:
        open_database(url_of(path))
    assert type(refused.value) is kind
    assert reason in refused.value.reason
    assert refused.value.where == str(path)
    assert _files(path.parent) == before


@pytest.mark.parametrize("make", [_foreign_wal, _ours()], ids=["foreign", "ours"])
def test_file_in_use_is_refused_unchanged(path: Path, make: Callable[[Path], None]) -> None:
    """The content of a -wal file counts: here it shows that the database is foreign, or newer."""
    make(path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA wal_autocheckpoint=0")
        with contextlib.suppress(sqlite3.OperationalError):
            other.execute("UPDATE noughts_version SET version_num = '9999'")
        other.execute("CREATE TABLE more (name)")
        other.commit()
        before = _files(path.parent)
        assert "games.db-wal" in before
        with pytest.raises(StoreError) as refused:
            open_database(url_of(path))
        assert type(refused.value) is (StoreError if make is _foreign_wal else NewerStore)
        assert _files(path.parent) == before


@posix_only
def test_pipe_is_refused(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(StoreError, match="not a file"):
        open_database(url_of(path))


@posix_only
@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_pipe_beside_a_database_is_refused(path: Path, suffix: str) -> None:
    open_database(url_of(path)).close()
    os.mkfifo(path.with_name(path.name + suffix))
    for use in (lambda: open_database(url_of(path)), lambda: repair(path, path.with_name("new.db"))):
        with pytest.raises(StoreError, match=f"games.db{suffix}.*: not a file"):
            use()


@posix_only
def test_broken_link_is_refused(path: Path) -> None:
    path.symlink_to(path.parent / "gone")
    with pytest.raises(StoreError, match="not a file"):
        open_database(url_of(path))


def test_orphaned_log_is_refused(path: Path) -> None:
    wal = path.with_name("games.db-wal")
    wal.write_bytes(b"the last games")
    with pytest.raises(DamagedStore, match="its log"):
        open_database(url_of(path))
    assert _files(path.parent) == {wal.name: hashlib.sha256(b"the last games").hexdigest()}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "not-a-path-or-url"),
        ("games.db", "not-a-path-or-url"),
        ("sqlite:games.db", "not-a-path-or-url"),
        ("sqlite://games.db", "not-a-path-or-url"),
        ("sqlite:///games.db?mode=ro", "not-a-path-or-url"),
        ("sqlite:///a\0b", "not-a-path-or-url"),
        ("lite:///a\udcff", "not-a-path-or-url"),
        ("postgresql://ada:secret@host:port/noughts", "not-a-path-or-url"),
        ("mysql://ada:secret@host/noughts", "no-such-kind-of-database"),
        ("postgresql+asyncpg://ada:secret@host/noughts", "no-such-kind-of-database"),
        ("sqlite+aiosqlite:///games.db", "no-such-kind-of-database"),
        ("nonsense://", "no-such-kind-of-database"),
    ],
)
def test_unknown_urls_are_refused(url: str, reason: str) -> None:
    with pytest.raises(StoreError) as refused:
        open_database(url)
    assert refused.value.reason == reason
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "parameters", "where"),
    [
        ("postgresql://host/noughts", {"host": "host", "dbname": "noughts"}, "postgresql://host/noughts"),
        (
            "postgresql+psycopg://ada%40x:se%2Fcr%40et@[::1]:5433/a%20b?sslmode=require&connect_timeout=7",
            {
                "host": "::1",
                "port": "5433",
                "user": "ada@x",
                "password": "se/cr@et",
                "dbname": "a b",
                "sslmode": "require",
                "connect_timeout": "7",
            },
            "postgresql+psycopg://***@[::1]:5433/a%20b?sslmode=require&connect_timeout=7",
        ),
        (
            "postgresql://ada:se/cret@host/noughts",
            {"host": "host", "user": "ada", "password": "se/cret", "dbname": "noughts"},
            "postgresql://***@host/noughts",
        ),
        (
            "postgresql:///noughts?host=/run&user=ada&password=secret",
            {"host": "/run", "user": "ada", "password": "secret", "dbname": "noughts"},
            "postgresql:///noughts?host=/run&user=ada&password=***",
        ),
        (
            "postgresql://h/a?pass%77ord=secret&oauth_token=secret",
            {"host": "h", "dbname": "a", "password": "secret", "oauth_token": "secret"},
            "postgresql://h/a?pass%77ord=***&oauth_token=***",
        ),
    ],
)
def test_errors_mask_passwords_of_servers(url: str, parameters: dict[str, str], where: str) -> None:
    location = parse_url(url)
    assert (location.file, location.parameters, location.where) == (None, parameters, where)
    assert "secret" not in repr(location)


def test_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError) as refused:
        open_database("postgresql://ada:secret@localhost/noughts")
    assert refused.value.reason == "no-driver"
    assert "secret" not in str(refused.value)


def test_impossible_file_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        open_database(url_of(tmp_path / ("x" * 300)))
    with pytest.raises(StoreError):
        open_database(url_of(tmp_path / "\ud800" / "games.db"))


def test_folder_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError):
        open_database(url_of(tmp_path / "file" / "games.db"))


@contextlib.contextmanager
def _powerless() -> Iterator[None]:
    """Give up the rights of the superuser, who ignores permissions."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@posix_only
@pytest.mark.parametrize("make", [None, _ours()], ids=["new", "old"])
def test_unwritable_folder_is_named(make: Callable[[Path], None] | None) -> None:
    with tempfile.TemporaryDirectory() as made:  # folders of pytest are closed to all other users
        check_that_it_is_left_as_it_is(Path(made), make)


def check_that_it_is_left_as_it_is(folder: Path, make: Callable[[Path], None] | None) -> None:
    path = folder / "games.db"
    if make is not None:
        make(path)
        path.chmod(0o444)
    folder.chmod(0o555)
    before = _files(folder)
    try:
        with _powerless():
            assert len(os.listdir(folder)) == len(before), "it can be looked into"
            with pytest.raises(StoreError):
                open_database(url_of(path))
    finally:
        folder.chmod(0o755)
    assert _files(folder) == before


@posix_only
def test_unwritable_file_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example is a file system that is mounted read-only. SQLite alone would notice at the first move."""
    new_file(path)
    real = sqlite_file._connect

    def read_only(database: str, *more: Any) -> Connection:
        return real(database.replace("mode=rw", "mode=ro"), *more)

    monkeypatch.setattr(sqlite_file, "_connect", read_only)
    with pytest.raises(StoreError, match="read only"):
        open_database(url_of(path))


@posix_only
@pytest.mark.parametrize("is_replaced", [False, True])
def test_replaced_file_is_not_written_to(path: Path, is_replaced: bool) -> None:
    new_file(path)
    new_file(other := path.with_name("other.db"))
    with contextlib.closing(open_database(url_of(path))) as store:
        number = store.add_game(Setup("tictactoe", seats()))
        if is_replaced:
            other.replace(path)
        else:
            path.unlink()
        for use in (lambda: store.append(number, moves(1)), lambda: store.load(number)):
            with pytest.raises(StoreError) as caught:
                use()
            assert caught.value.reason == "gone"


# Damage


def _read_all(store: Database) -> list[object]:
    games: dict[int | None, list[StoredGame]] = {}
    newest = open_series(store)
    for series in (None, 1, 2):
        games[series] = list(store.games(series))
    return [newest, games, store.load_series(1), store.load_series(2)]


def _check_damaged(path: Path, damaged: bytes, whole: list[object]) -> bool:
    """Return True if the damage was detected. Undetected damage must not have changed anything."""
    path.write_bytes(damaged)
    try:
        with contextlib.closing(open_database(url_of(path))) as store:
            noticed = False
            assert _read_all(store) == whole
    except (StoreError, NotFound):
        noticed = True
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    return noticed


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[object]]:
    """The bytes of a database, and all games in it."""
    path = tmp_path_factory.mktemp("whole") / "games.db"
    with contextlib.closing(new_database(path)) as store:
        fill(store, 24)
        read = _read_all(store)
    return path.read_bytes(), read


def _places(data: bytearray) -> list[int]:
    """Return the places on pages with rows: a page of an empty table may hold any bytes."""
    size = int.from_bytes(data[16:18], "big")
    starts = [start for start in range(0, len(data), size) if start == 0 or any(data[start + 3 : start + 5])]
    return [place for start in starts for place in range(start, start + size)]


def _flip_bit(data: bytearray, chance: Random) -> None:
    data[chance.choice(_places(data))] ^= 1 << chance.randrange(8)


def _flip_in_use(data: bytearray, chance: Random) -> None:
    """Flip a bit of a byte that is not zero: most of a small database is empty."""
    place = chance.choice([place for place, byte in enumerate(data) if byte])
    data[place] ^= 1 << chance.randrange(8)


def _flip_schema(data: bytearray, chance: Random) -> None:
    data[chance.choice((chance.randrange(200), chance.randrange(2000, 4096)))] ^= 1 << chance.randrange(8)


def _overwrite(data: bytearray, chance: Random) -> None:
    for place in chance.sample(_places(data), chance.randrange(1, 30)):
        data[place] = chance.randrange(256)


def _zero(data: bytearray, chance: Random) -> None:
    start = chance.choice(_places(data)) // 512 * 512
    data[start : start + 512] = bytes(512)


def _truncate(data: bytearray, chance: Random) -> None:
    del data[chance.randrange(len(data)) :]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "times", "least"),
    [
        (_flip_bit, 50, 5),
        pytest.param(_flip_in_use, 100, 60, marks=pytest.mark.slow),
        pytest.param(_flip_schema, 50, 10, marks=pytest.mark.slow),
        (_overwrite, 30, 20),
        (_zero, 20, 4),
        (_truncate, 50, 50),
    ],
)
def test_damage_is_detected_or_harmless(
    path: Path,
    whole: tuple[bytes, list[object]],
    spoil: Callable[[bytearray, Random], None],
    times: int,
    least: int,
) -> None:
    data, read = whole
    chance = Random(spoil.__name__)
    noticed = 0
    for _ in range(times):
        damaged = bytearray(data)
        spoil(damaged, chance)
        noticed += _check_damaged(path, bytes(damaged), read)
    assert noticed >= least, "the test would pass if nothing were looked at"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE games SET created = created + 1 WHERE id = 5", "game 5"),
        ('UPDATE games SET seats = \'[["X","Eve"],["O","Wei"]]\' WHERE id = 5', "game 5"),
        ("UPDATE games SET seats = '[1]' WHERE id = 5", "game 5"),
        ("UPDATE games SET seats = CAST(X'FF' AS TEXT) WHERE id = 5", "game 5"),
        ("UPDATE games SET game = CAST(X'FF' AS TEXT) WHERE id = 5", "game 5"),
        ("UPDATE games SET game = X'FF' WHERE id = 5", "game 5"),
        ("UPDATE games SET clock = '{\"base\":-1}' WHERE id = 5", "game 5"),
        ("UPDATE games SET clock = '{\"tick\":1}' WHERE id = 5", "game 5"),
        ('UPDATE games SET who = \'{"X":"human"}\' WHERE id = 5', "game 5"),
        ("UPDATE games SET start = 'X../.../...' WHERE id = 5", "game 5"),
        ("UPDATE games SET series_id = 1 WHERE id = 5", "game 5"),
        ("UPDATE games SET digest = upper(digest) WHERE id = 5", "game 5"),
        ("UPDATE events SET at = at + 1 WHERE game_id = 5 AND version = 2", "game 5"),
        ("UPDATE events SET kind = 'Move' WHERE game_id = 5 AND version = 2", "game 5"),
        ("UPDATE events SET side = NULL WHERE game_id = 5 AND version = 2", "game 5"),
        ("UPDATE events SET data = '{' WHERE game_id = 5 AND version = 2", "game 5"),
        ("UPDATE events SET data = replace(hex(zeroblob(99999)), '0', '[') WHERE game_id = 5", "game 5"),
        ("UPDATE events SET version = 9 WHERE game_id = 5 AND version = 2", "game 5"),
        ("DELETE FROM events WHERE game_id = 5 AND version = 4", "game 5"),
        ("DELETE FROM events WHERE game_id = 5", "game 5"),
        ("UPDATE events SET game_id = 5, version = 5 WHERE game_id = 2 AND version = 1", "game 2"),
        ("DELETE FROM games WHERE id = 8", "series 2"),
        ("UPDATE games SET series_id = NULL WHERE id = 8", "game 8"),
        ("UPDATE games SET id = 99 WHERE id = 9", "game 99"),
        ("UPDATE series SET ended = 1 WHERE id = 2", "series 2"),
        ("UPDATE series SET games = games - 1 WHERE id = 2", "series 2"),
        ("UPDATE series SET begins = 'x' WHERE id = 2", "series 2"),
        ("UPDATE series SET game = X'FF' WHERE id = 2", "series 2"),
        ("UPDATE series SET id = 3 WHERE id = 2", "series 3"),
    ],
)
def test_foreign_change_is_detected_and_named(path: Path, statement: str, named: str) -> None:
    _ours("PRAGMA foreign_keys=OFF", statement)(path)
    with contextlib.closing(open_database(url_of(path))) as store:
        with pytest.raises(DamagedStore) as damage:
            _read_all(store)
        assert str(damage.value).endswith(f"({named})") or f"({named}," in str(damage.value)
        assert damage.value.where == str(path)


def test_later_events_do_not_seal_damage(path: Path) -> None:
    _ours(
        "UPDATE series SET begins = 'x' WHERE id = 2",
        "UPDATE events SET at = 0 WHERE game_id = 5 AND version = 1",
    )(path)
    with contextlib.closing(open_database(url_of(path))) as store:
        with pytest.raises(DamagedStore):
            store.add_game(Setup("tictactoe", seats(), series=2))
        with pytest.raises(DamagedStore):
            store.end_series(2)
        store.append(5, moves(1, 5))
        with pytest.raises(DamagedStore):
            store.load(5)
        assert store.load(6).id == 6, "one damaged game does not hide the others"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET digest = X'FF' WHERE id = 5",
        "UPDATE games SET digest = char(233) WHERE id = 5",
        "UPDATE events SET version = 'x' WHERE game_id = 5 AND version = 4",
    ],
)
def test_damaged_game_cannot_be_resumed(path: Path, statement: str) -> None:
    _ours(statement)(path)
    with contextlib.closing(open_database(url_of(path))) as store, pytest.raises(DamagedStore):
        store.append(5, moves(1, 5))
    with contextlib.closing(open_database(url_of(path))) as store, pytest.raises(DamagedStore):
        store.load(5)


def test_damage_is_detected_in_an_open_store(path: Path) -> None:
    """After the file was checked, the engine or the digests detect damage."""
    with contextlib.closing(new_database(path)) as store:
        store.add_game(Setup("tictactoe", seats()))
        _change(path, "DROP TABLE events")
        with pytest.raises(DamagedStore, match="no such table"):
            store.load(1)


@pytest.mark.parametrize("content", [b"", bytes(8192), b"Shopping: bread, milk. " * 999])
def test_next_move_detects_an_overwritten_file(path: Path, content: bytes) -> None:
    with contextlib.closing(new_database(path)) as store:
        game = store.add_game(Setup("tictactoe", seats()))
        store.append(game, moves(1))
        path.write_bytes(content)
        for _ in range(2):
            with pytest.raises(DamagedStore):
                store.append(game, moves(1, 2))
            with pytest.raises(DamagedStore):
                store.load(game)


def test_checkpoint_by_another_program_is_not_damage(path: Path) -> None:
    with contextlib.closing(new_database(path)) as store:
        game = store.add_game(Setup("tictactoe", seats()))
        for version in range(1, 4):
            store.append(game, moves(1, version))
            _change(path, "PRAGMA wal_checkpoint(TRUNCATE)")
        assert list(store.load(game).events) == moves(3)


def test_running_checkpoint_is_not_damage(path: Path, tmp_path: Path) -> None:
    """The first page has the future number of pages before the last of them is written."""
    with contextlib.closing(new_database(path)) as store:
        games = [store.add_game(Setup("tictactoe", seats())) for _ in range(200)]
        copy = tmp_path / "copy.db"
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
        _change(copy, "PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file, copy.open("rb") as written:
            file.write(written.read(4096))
        assert path.stat().st_size < copy.stat().st_size
        store.append(games[0], moves(1))
        assert list(store.load(games[0]).events) == moves(1)


def test_leftovers_of_a_killed_process_are_removed(path: Path) -> None:
    new_file(path)
    old, young = path.with_name(".noughts-1234abcd"), path.with_name(".noughts-abcd1234")
    for folder in (old, young):
        (folder / "files").mkdir(parents=True)
    (old / "lock").touch()
    open_database(url_of(path)).close()
    assert not old.exists()
    assert young.exists()


# Saved games


def test_saved_games_are_there_after_reopening(path: Path) -> None:
    with contextlib.closing(open_database(url_of(path))) as store:
        fill(store)
        before = _read_all(store)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with contextlib.closing(open_database(url_of(path))) as store:
        assert _read_all(store) == before


def test_missing_game_cannot_be_appended_to(path: Path) -> None:
    with contextlib.closing(open_database(url_of(path))) as store:
        for number in (1, 2**40):
            with pytest.raises(NotFound) as refused:
                store.append(number, [])
            assert (refused.value.what, refused.value.name) == ("record", number)


def test_open_creates_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b c" / "ж%41?#.db"
    url = f"sqlite:///{tmp_path}/a/b%20c/%D0%B6%2541%3F%23.db"
    open_database(url).close()
    assert path.is_file()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite+pysqlite://"])
def test_memory_database_works(url: str) -> None:
    with contextlib.closing(open_database(url)) as store:
        assert store.add_game(Setup("tictactoe", seats())) == 1
        assert store.where == ":memory:"


def test_sqlite_has_safe_pragmas(path: Path) -> None:
    store = new_database(path)
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "mmap_size": 0,
    }
    with contextlib.closing(store), store.reading() as connection:
        result = {name: connection.column(f"PRAGMA {name}")[0] for name in wanted}
    assert result == wanted


def test_unsupported_values_are_refused(path: Path) -> None:
    with contextlib.closing(new_database(path)) as store:
        with pytest.raises(StoreError):
            store.add_game(Setup("tictactoe", seats(), created=2**63))
        with pytest.raises(StoreError):
            store.add_game(Setup("\ud800", seats()))
        with pytest.raises(NotFound):
            store.add_game(Setup("tictactoe", seats(), series=7))
        with pytest.raises(NotFound):
            store.end_series(7)
        assert list(store.games()) == []
        assert store.add_game(Setup("tictactoe", seats())) == 1


# Other users of the same file


def test_two_connections_share_a_file(path: Path) -> None:
    new_file(path)
    with (
        contextlib.closing(open_database(url_of(path))) as one,
        contextlib.closing(open_database(url_of(path))) as two,
    ):
        game = one.add_game(Setup("tictactoe", seats()))
        two.append(game, moves(1))
        one.append(game, moves(1, 2))
        with pytest.raises(StaleVersion):
            two.append(game, moves(1, 2))
        assert two.load(game) == one.load(game)
        assert list(two.load(game).events) == moves(2)


def test_reader_sees_a_consistent_game(path: Path) -> None:
    """Threads append to a game while others read it. Each reading is consistent."""
    with contextlib.closing(new_database(path)) as store:
        game = store.add_game(Setup("tictactoe", seats()))
        seen: list[int] = []

        def read() -> None:
            while not seen or seen[-1] < 60:
                seen.append(len(store.load(game).events))

        readers = [threading.Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        for version in range(1, 61):
            store.append(game, moves(1, version))
        for reader in readers:
            reader.join()
        assert max(seen) == 60


def test_threads_share_a_database_in_memory() -> None:
    with contextlib.closing(open_database("sqlite://")) as store:

        def add() -> None:
            for _ in range(10):
                store.append(store.add_game(Setup("tictactoe", seats())), moves(3))

        threads = [threading.Thread(target=add) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [len(game.events) for game in store.games()] == [3] * 40


_CROWD = """
import sys
from noughts.arena.store.database import open_database
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store.revisions import HEAD
from noughts.arena.store.sqlite_file import reason_of
from noughts.arena.series import Begins
from noughts.errors import StaleVersion
from tests.databases import moves, seats

store = open_database(sys.argv[1])
sys.stdin.readline()
store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.X))
own = store.add_game(Setup("tictactoe", seats(), series=1))
kept = 0
for _ in range(20):
    for game in (own, 1):
        try:
            store.append(game, moves(1, len(store.load(game).events) + 1))
            kept += 1
        except StaleVersion:
            pass  # another was faster
print(own, kept)
store.close()
"""


@pytest.mark.slow
def test_simultaneous_processes_create_one_file(path: Path) -> None:
    """The processes create the file together, and then write to their own games and to a shared one."""
    command = [sys.executable, "-W", "error", "-c", _CROWD, url_of(path)]
    crowd = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    answers = [process.communicate("go\n", timeout=60)[0].split() for process in crowd]
    assert [process.returncode for process in crowd] == [0, 0, 0]
    own = {int(answer[0]) for answer in answers}
    assert len(own) == 3
    with contextlib.closing(open_database(url_of(path))) as store:
        saved = {game.id: len(game.events) for game in store.games(1)}
        assert len(list(store.games())) == 3
    assert set(saved) == own
    assert sum(saved.values()) == sum(int(answer[1]) for answer in answers)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_locked_database_is_named(path: Path) -> None:
    with contextlib.closing(open_database(url_of(path), 0.05)) as store:
        game = store.add_game(Setup("tictactoe", seats()))
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StoreError, match="locked"):
                store.append(game, moves(1))
            with pytest.raises(StoreError, match="locked"):
                open_database(url_of(path), 0.05)
            assert store.load(game).events == (), "who reads need not wait"
        store.append(game, moves(1))
        assert list(store.load(game).events) == moves(1)


def test_file_changed_during_inspection_is_inspected_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write by another process at that instant must not be taken for damage."""
    new_file(path)
    looks: list[int] = []
    real = sqlite_file._inspect_once

    def look_once(path: Path, look: Callable[..., bool], busy_seconds: float) -> bool:
        looks.append(1)
        if len(looks) == 1:
            os.utime(path, ns=(0, 0))
            raise DamagedStore(str(path), "half of it was written")
        return real(path, look, busy_seconds)

    monkeypatch.setattr(sqlite_file, "_inspect_once", look_once)
    open_database(url_of(path)).close()
    assert len(looks) == 2


@pytest.mark.parametrize("rival", [False, True])
def test_file_system_without_links_is_supported(
    path: Path, monkeypatch: pytest.MonkeyPatch, rival: bool
) -> None:
    """A new file is then renamed, unless another process was first."""

    monkeypatch.delattr(os, "O_TMPFILE", raising=False)

    def link(new: Path, path: Path) -> None:
        if rival:
            with contextlib.closing(new_database(path)) as store:
                store.add_game(Setup("tictactoe", seats()))
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    with contextlib.closing(open_database(url_of(path))) as store:
        assert len(list(store.games())) == rival
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("is_named", [False, True])
def test_first_process_to_create_the_file_wins(
    path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    if is_named:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    real = os.link

    def link(new: str, path: Path, **where: Any) -> None:
        with contextlib.closing(new_database(path)) as store:
            store.add_game(Setup("tictactoe", seats()))
        real(new, path, **where)

    monkeypatch.setattr(os, "link", link)
    with contextlib.closing(open_database(url_of(path))) as store:
        assert len(list(store.games())) == 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_system_without_nameless_files_is_supported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with contextlib.closing(open_database(url_of(path))) as store:
        assert store.add_game(Setup("tictactoe", seats())) == 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="needs files that have no name")
def test_killed_creation_leaves_nothing(path: Path) -> None:
    program = f"""
import os, signal
from noughts.arena.store.database import open_database
os.link = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
open_database({url_of(path)!r})
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -signal.SIGKILL
    assert list(path.parent.iterdir()) == []


# A full disk


@contextlib.contextmanager
def _no_file_beyond(size: int) -> Iterator[None]:
    """Prevent this process from making any file larger than *size*, as a full disk would."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@posix_only
def test_full_disk_loses_no_acknowledged_event(tmp_path: Path) -> None:
    acknowledged = []
    for level in range(20):
        path = tmp_path / f"{level}.db"
        with contextlib.closing(new_database(path)) as store:
            game = store.add_game(Setup("tictactoe", seats()))
            saved = 0
            with pytest.raises(StoreError), _no_file_beyond(41_000 + 7_013 * level):  # noqa: PT012
                while saved < 1_000:
                    store.append(game, moves(1, saved + 1))
                    saved += 1
            assert list(store.load(game).events) == moves(saved), "reading goes on"
            store.append(game, moves(1, saved + 1))
        with contextlib.closing(open_database(url_of(path))) as store:
            assert list(store.load(game).events) == moves(saved + 1)
        acknowledged.append(saved)
    assert len(set(acknowledged)) > 10


@posix_only
def test_full_disk_refuses_a_new_file(path: Path) -> None:
    with _no_file_beyond(20_000), pytest.raises(StoreError):
        open_database(url_of(path))
    assert list(path.parent.iterdir()) == []
    open_database(url_of(path)).close()


# Imports


def _modules_after(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_sqlite_needs_no_other_driver(path: Path) -> None:
    opens = f"from noughts.arena.store.database import open_database; open_database({url_of(path)!r}).close()"
    assert "psycopg" not in _modules_after(opens)


def test_rules_load_no_database() -> None:
    assert "sqlite3" not in _modules_after("import noughts")


def test_newest_revision_has_four_digits() -> None:
    assert HEAD.isdecimal()
    assert len(HEAD) == 4


def test_begins_is_stored_as_text(path: Path) -> None:
    with contextlib.closing(new_database(path)) as store:
        store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.LOSER))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT begins FROM series").fetchall() == [("loser",)]


@pytest.mark.parametrize(
    ("number", "reason"), [(errno.ENOSPC, "no-room"), (errno.EFBIG, "too-large"), (None, "disk I/O error")]
)
def test_input_error_has_the_system_reason(
    path: Path, number: int | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_file(path)

    def refuse(_: int) -> None:
        if number is not None:
            raise OSError(number, "refused")

    monkeypatch.setattr(os, "fsync", refuse)
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
    assert reason_of(error, str(path)) == reason


def test_full_disk_of_postgresql_is_named() -> None:
    error = Exception("could not extend file")
    error.sqlstate = "53100"  # type: ignore[attr-defined]
    assert reason_of(error) == "no-room"
