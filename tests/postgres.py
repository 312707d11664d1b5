"""A PostgreSQL server for tests, or a reason to skip them if it is not installed."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from noughts.arena.store.database import open_database

USER = "noughts"
MEMORY = Path("/dev/shm")
ROOM = 4_000_000_000
"""The free bytes in memory that the databases of several workers need."""

_numbers = count(1)


def _programs() -> Path | None:
    """Return the folder of ``initdb`` and the other programs, which Debian keeps off the path."""
    result = shutil.which("initdb")
    folders = [Path(result).parent] if result else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


def _place() -> Path | None:
    """Return the folder for databases: creating one on a disk takes ten times as long as in memory."""
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if has_room else None


def _run(*words: str) -> None:
    """Run a program of PostgreSQL, which refuses the superuser."""
    as_another = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*as_another, *words], check=True, capture_output=True, cwd="/", timeout=60)


@contextmanager
def postgres_server(options: str = "fsync=off") -> Iterator[str]:
    """Start a server and yield its URL without a database; remove the server afterwards."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not on this machine")
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    folder = Path(tempfile.mkdtemp(prefix="noughts-postgres-", dir=_place()))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        data = str(folder / "data")
        quick = ("-A", "trust", "-U", USER, "-N", "--no-instructions", "-E", "UTF8", "--locale=C.UTF-8")
        started = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c {options}"
        try:
            _run(str(programs / "initdb"), "-D", data, *quick)
            _run(str(programs / "pg_ctl"), "-D", data, "-w", "-l", f"{folder}/log", "-o", started, "start")
        except (OSError, subprocess.SubprocessError, LookupError) as error:
            pytest.skip(f"PostgreSQL does not start here: {error}")
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}"
        finally:
            with suppress(subprocess.SubprocessError):
                _run(str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Return the URL of a server whose database ``template`` has all tables."""
    with postgres_server() as url:
        run_sql(f"{url}/postgres", "CREATE DATABASE template")
        open_database(f"{url}/template").close()
        yield url


@pytest.fixture
def postgres_url(postgres: str) -> str:
    """Return the URL of a database without games."""
    return new_database(postgres)


def new_database(postgres: str) -> str:
    """Create a database without games in the server *postgres*, and return its URL."""
    import psycopg

    name = f"test_{next(_numbers)}"
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        # Copying files is quicker than the default of version 15, which writes all pages to the log.
        strategy = "STRATEGY FILE_COPY" if connection.info.server_version >= 150_000 else ""
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template {strategy}")
    return f"{postgres}/{name}"


def run_sql(url: str, statement: str) -> None:
    """Run *statement* outside of any transaction."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


def restart_postgres(url: str, mode: str) -> None:
    """Restart the server of *url*; *mode* is the stop mode of ``pg_ctl``."""
    import psycopg

    with psycopg.connect(url) as connection:
        result = connection.execute("SHOW data_directory").fetchone()
    programs = _programs()
    if result is None or programs is None:
        raise AssertionError("a server of ours has both")
    log = str(Path(result[0]).parent / "log")
    _run(str(programs / "pg_ctl"), "-D", result[0], "-w", "-l", log, "-m", mode, "restart")
