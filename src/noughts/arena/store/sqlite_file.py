"""SQLite files: opening them so that commits are durable, and inspecting them without a trace.

All code that only SQLite understands is here. A file is created complete, without a name or under a temporary
one, and is then linked to its path: a file at the path is always a complete database, or not ours.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import BinaryIO, ClassVar
from weakref import WeakValueDictionary, finalize

from noughts.arena.store.connections import Connection, Dialect, Pool
from noughts.arena.store.database_urls import MEMORY
from noughts.arena.store.sqlite_pages import LOGGED, MAGIC, repair_header
from noughts.errors import DamagedStore, StoreError, system_reason
from noughts.records.file_lock import locked
from noughts.records.temporary_folders import temporary_folder

SQLITE = Dialect(
    reading="BEGIN",
    writing="BEGIN IMMEDIATE",  # a reader cannot become a writer after another has written
    tables="SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite?_%' ESCAPE '?'",
    words={"SERIAL": "INTEGER", " FOR UPDATE": "", " FOR SHARE": ""},
)

BUSY_SECONDS = 10.0
"""Seconds to wait for another process that is writing."""

MIN_FILE_BYTES = 512
"""The size of the smallest database in bytes: one page."""

UNTRUSTED = ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0")
"""The pragmas that SQLite recommends for files from strangers."""

SKIP_UNREADABLE = ("writable_schema=ON",)
"""The pragma that makes SQLite skip tables with an unreadable description."""

DURABLE = ("foreign_keys=ON", "journal_mode=WAL", "synchronous=FULL")
"""The pragmas that make commits survive the process and a loss of power."""


def memory_pool() -> Pool:
    """Return a database in memory, which is gone when it is closed. Its threads share one connection."""
    return Pool(partial(_connect, MEMORY, UNTRUSTED + DURABLE), SQLITE, size=1)


def file_pool(path: Path, busy_seconds: float = BUSY_SECONDS) -> Pool:
    """Return the database in the file *path*, which must exist.

    A transaction waits up to *busy_seconds* for another writer. If the file has been deleted or is not a
    database any more, each transaction fails: its changes would be lost with the file.
    """
    uri = path.absolute().as_uri()
    state, held = _state(path), _SharedFile.of(path)

    def check() -> None:
        nonlocal state
        now = _state(path)
        if now is None or state is None or now[0] != state[0]:
            raise StoreError(str(path), "gone")
        if now != state:  # a checkpoint has written to it, or another program
            # Only the header is checked: during a checkpoint the pages may be incomplete.
            if held.read(len(MAGIC)) != MAGIC:
                raise DamagedStore(str(path), "no-database" if now[2] else "empty")
            state = now

    connect = partial(_connect, f"{uri}?mode=rw", UNTRUSTED + DURABLE, busy_seconds)
    return Pool(connect, SQLITE, check=check, claim=partial(_claimed, path))


@contextmanager
def _claimed(path: Path, name: str) -> Iterator[bool]:
    """Lock *name* with a file next to *path*. Yield False if another process holds it.

    If no lock file can be created, yield True without a lock.
    """
    with ExitStack() as leaving:
        is_ours = True
        try:
            leaving.enter_context(locked(_companion(path, f"-{name}")))
        except BlockingIOError:
            is_ours = False
        except OSError:
            pass
        yield is_ours


class _SharedFile:
    """A file that is read beside SQLite, and stays open while this process uses its database.

    A process that closes a file gives up all its locks on it, including those of SQLite (POSIX). Another
    program that closes the database would then assume that it is the last user, and remove the log, to which
    this one still writes. Source: "How To Corrupt An SQLite Database File", section 2.2.
    """

    _known: ClassVar[WeakValueDictionary[tuple[int, int], "_SharedFile"]] = WeakValueDictionary()
    _alone = Lock()

    def __init__(self, path: Path) -> None:
        self._number = os.open(path, os.O_RDONLY)
        finalize(self, os.close, self._number)

    @classmethod
    def of(cls, path: Path) -> "_SharedFile":
        """Return the file *path*, opened once for all its users.

        Raises :class:`~noughts.errors.StoreError`.
        """
        with cls._alone:
            try:
                status = path.stat()
                key = status.st_dev, status.st_ino
                held = cls._known.get(key) or cls(path)
            except OSError:
                raise StoreError(str(path), "gone") from None
            cls._known[key] = held
            return held

    def read(self, count: int) -> bytes:
        """Return the first *count* bytes of the file."""
        with self._alone:
            os.lseek(self._number, 0, os.SEEK_SET)
            return os.read(self._number, count)


def inspect_file(path: Path, look: Callable[[Connection], bool], busy_seconds: float) -> bool:
    """Return the result of *look* for the file *path*, after a check for damage. Leave no trace.

    Raises :class:`~noughts.errors.StoreError`, :class:`~noughts.errors.DamagedStore` and the errors of
    *look*.
    """
    while True:
        before = _stamp(path)
        try:
            return _inspect_once(path, look, busy_seconds)
        except Exception:
            # The error means nothing if another process has begun to write meanwhile.
            if _stamp(path) == before:
                raise


def _inspect_once(path: Path, look: Callable[[Connection], bool], busy_seconds: float) -> bool:
    _check_files(path)
    size = path.stat().st_size
    if size < MIN_FILE_BYTES:  # SQLite would treat it as a new database
        raise DamagedStore(str(path), "no-database" if size else "empty")
    # A reader that takes locks would leave a -wal and a -shm file beside a database without them.
    in_use = _companion(path, "-wal").exists() or _companion(path, "-journal").exists()
    mode = "mode=ro" if in_use else "mode=ro&immutable=1"
    with closing(_connect(f"{path.absolute().as_uri()}?{mode}", UNTRUSTED, busy_seconds)) as connection:
        (report,) = connection.column("PRAGMA quick_check(1)")
        if report != "ok":
            raise DamagedStore(str(path), str(report).splitlines()[-1])
        return look(connection)


def _check_files(path: Path) -> None:
    """Raise :class:`~noughts.errors.StoreError` unless *path* and its companions are regular files.

    SQLite would wait for ever for a pipe.
    """
    beside = (_companion(path, suffix) for suffix in ("-wal", "-shm", "-journal"))
    for file in (path, *(each for each in beside if each.exists())):
        if not file.is_file():
            raise StoreError(str(file), "is-a-folder" if file.is_dir() else "not-a-file")


@contextmanager
def copied(path: Path, *, is_description_lost: bool = False) -> Iterator[tuple[Path, Pool]]:
    """Yield a copy of the file *path*, however damaged, with the commits in its log.

    The schema is emptied if *is_description_lost*.
    """
    import shutil

    _check_files(path)
    with temporary_folder() as folder:
        copy = folder / "copy.db"
        for suffix in ("", "-wal", "-journal"):
            if _companion(path, suffix).exists():
                shutil.copyfile(_companion(path, suffix), _companion(copy, suffix))
        connect = partial(_connect, copy.as_uri(), UNTRUSTED + SKIP_UNREADABLE)
        repair_header(copy, is_description_lost=is_description_lost)
        with suppress(sqlite3.DatabaseError), closing(connect()) as connection:
            connection.rows("PRAGMA wal_checkpoint")  # closing moves the log into the copy in any case
        repair_header(copy, is_description_lost=is_description_lost)
        with closing(Pool(connect, SQLITE)) as pool:
            yield copy, pool


def create(path: Path, fill: Callable[[Pool], None]) -> None:
    """Create the file *path* with the content from *fill*, unless another process creates it first."""
    if _companion(path, "-wal").exists() and not path.exists():
        raise DamagedStore(str(path), "missing-beside-its-log")
    with closing(memory_pool()) as pool:
        fill(pool)
        with pool.alone() as connection:
            content = bytearray(connection.driver.serialize())
    content[18:20] = LOGGED
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        # A file without a name vanishes if the process is killed.
        with open(os.open(path.parent, os.O_WRONLY | os.O_TMPFILE, 0o666), "wb") as file:
            _write_durably(file, content)
            # Only with a folder argument, which is otherwise unused, does Python follow the symbolic link.
            os.link(f"/proc/self/fd/{file.fileno()}", path, src_dir_fd=file.fileno())
    except FileExistsError:
        return
    except (AttributeError, OSError):  # the system or file system has no nameless files
        _create_named(path, content)


def _create_named(path: Path, content: bytes | bytearray) -> None:
    """Create the file *path* with *content*, through a temporary file with another name."""
    with temporary_folder(path.parent) as folder:
        new = folder / "new.db"
        with new.open("wb") as file:
            _write_durably(file, content)
        _move(new, path)


def _write_durably(file: BinaryIO, content: bytes | bytearray) -> None:
    """Write *content* to *file*, so that it survives a loss of power."""
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _move(new: Path, path: Path) -> None:
    """Rename *new* to *path*, unless *path* exists."""
    try:
        os.link(new, path)
    except FileExistsError:
        return
    except OSError:  # the file system has no links
        if not path.exists():
            new.rename(path)


def is_damage(error: BaseException) -> bool:
    """Return True if SQLite raised *error* because of the content of the file."""
    if isinstance(error, UnicodeDecodeError):  # the error message itself contains damaged text
        return True
    name = getattr(error, "sqlite_errorname", "")
    is_schema_changed = name == "SQLITE_ERROR" and str(error).startswith("no such")
    return name.startswith("SQLITE_CORRUPT") or name == "SQLITE_NOTADB" or is_schema_changed


REASONS = {
    "SQLITE_BUSY": "locked",
    "SQLITE_CANTOPEN": "cannot-open",
    "SQLITE_FULL": "no-room",
    "SQLITE_NOTADB": "no-database",
    "SQLITE_READONLY": "read-only",
}
"""Codes for unusable files, by the beginnings of the names of SQLite's errors."""


DISK_FULL = "53100"
"""The code of PostgreSQL for a full disk."""

ROOM = 1 << 18
"""The number of bytes that must fit beside a database: its log and the index of the log."""


def reason_of(error: BaseException, where: str = "") -> str:
    """Return the reason why the database *where* cannot be used: a code, or the message of *error*."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_IOERR") and (refused := _refusal(Path(where))) is not None:
        return system_reason(refused)
    if getattr(error, "sqlstate", None) == DISK_FULL:
        return "no-room"
    for beginning, code in REASONS.items():
        if name.startswith(beginning):
            return code
    if isinstance(error, UnicodeDecodeError):
        return "no-database"
    return (str(error).splitlines() or [type(error).__name__])[0]


def _refusal(path: Path) -> OSError | None:
    """Return the system's error for writing more data beside the file *path*, or None.

    SQLite does not report it.
    """
    import tempfile

    try:
        with tempfile.TemporaryFile(dir=path.parent) as file:
            file.write(bytes(ROOM))
            file.flush()
            file.truncate(path.stat().st_size + ROOM)
            os.fsync(file.fileno())
    except OSError as error:
        return error
    return None


def _connect(database: str, pragmas: tuple[str, ...], busy_seconds: float = BUSY_SECONDS) -> Connection:
    """Return a connection with *pragmas*."""
    driver = sqlite3.connect(
        database, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False
    )
    driver.row_factory = sqlite3.Row
    # Text that is not UTF-8 any more is read as text that no digest matches.
    driver.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    try:
        for pragma in pragmas:
            driver.execute(f"PRAGMA {pragma}").close()
    except BaseException:
        driver.close()
        raise
    return Connection(driver, SQLITE)


def _stamp(path: Path) -> tuple[object, ...]:
    """Return values that change when a program writes to the database in *path*."""
    return _state(path), _state(_companion(path, "-wal"))


def _state(path: Path) -> tuple[int, int, int] | None:
    """Return the inode, modification time and size of the file at *path*, or None."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _companion(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
