"""Which revision of the schema a database has, and how it gets the newest one."""

import re
from pathlib import Path

from noughts.arena.store.connections import Connection, Pool
from noughts.errors import DamagedStore, NewerStore, StoreError

SCRIPTS = Path(__file__).with_name("migrations")
"""What leads to each revision from the one before it, as SQL."""

HEAD = "0007"
"""The revision of the schema that this program reads and writes; revisions count up in four digits."""

VERSION_TABLE = "noughts_version"
"""Where the revision of the schema stands. The name also says whose database this is."""

PLAYED = {"games", "events"}
"""The tables without which nothing can be saved; a database with both is ours, whatever else it has lost."""

FIRST_TABLES = PLAYED | {"series"}
"""The tables that every revision has."""

TABLES = FIRST_TABLES | {
    *("rooms", "room_keys", "room_workers", "room_pauses"),
    *("tournaments", "tournament_games", "tournament_running"),
}
"""The tables of the newest."""

UPGRADING = 6_685_726
"""The number of the lock at PostgreSQL under which the schema is made or brought up to date."""


def bring_up_to_date(pool: Pool, where: str) -> None:
    """Make or migrate the schema. Also finds out whether the database can be written to at all."""
    with pool.transaction(writes=True) as connection:
        if pool.dialect.is_shared:  # several servers may start at once; a file has one writer
            connection.rows("SELECT pg_advisory_xact_lock(:number)", number=UPGRADING)
        revision = revision_of(connection, where)
        if revision != HEAD:
            upgrade(connection, revision or "0000")
        # Changes nothing, and fails at once where nothing can be changed.
        connection.change("UPDATE noughts_version SET version_num = '' WHERE 1 = 0")


def upgrade(connection: Connection, revision: str, last: str = HEAD) -> None:
    """Bring the schema from *revision* to the *last*, within the transaction that *connection* is in."""
    for number in range(int(revision) + 1, int(last) + 1):
        script = (SCRIPTS / f"{number:04}.sql").read_text(encoding="utf-8")
        script = re.sub("^--.*", "", script, flags=re.MULTILINE)
        for statement in script.strip().removesuffix(";").split(";"):
            connection.change(statement.strip())


def is_outdated(connection: Connection, where: str) -> bool:
    """Return True if the database is of an earlier revision.

    Raises a :class:`~noughts.errors.StoreError` unless it is one of ours that can be used.
    """
    if (revision := revision_of(connection, where)) is None:
        raise StoreError(where, "belongs-to-another-program")
    return revision != HEAD


def revision_of(connection: Connection, where: str) -> str | None:
    """The revision of a database of ours that we can use, None for one without any table.

    Raises :class:`~noughts.errors.NewerStore`, :class:`~noughts.errors.DamagedStore`, and
    :class:`~noughts.errors.StoreError` for the database of another program.
    """
    tables = set(connection.column(connection.dialect.tables))
    if not tables:
        return None
    if not (VERSION_TABLE in tables or tables >= PLAYED):
        raise StoreError(where, "belongs-to-another-program")
    revisions = connection.column("SELECT version_num FROM noughts_version")
    if len(revisions) != 1 or not re.fullmatch("[0-9]{4}", str(revisions[0])):
        raise DamagedStore(where, "revision-unreadable")
    revision = str(revisions[0])
    if revision > HEAD:
        raise NewerStore(where, f"revision {revision}, known up to {HEAD}")
    expected = TABLES if revision == HEAD else FIRST_TABLES
    if revision < "0001" or not tables >= expected:
        raise DamagedStore(where, "tables-missing", revision=revision)
    return revision
