"""Which revision of the schema a database has, and how it gets the newest one."""

import re

from sqlalchemy import Connection, Engine, false, func, inspect, select, update

from noughts.arena.store import sqlite_file
from noughts.arena.store.tables import VERSION_TABLE, metadata, version_table
from noughts.errors import DamagedStore, NewerStore, StoreError

HEAD = "0003"
"""The revision of the schema that this program reads and writes; revisions count up in four digits."""

FIRST_TABLES = {"series", "games", "events"}
"""The tables that every revision has."""

UPGRADING = 6_685_726
"""The number of the lock at PostgreSQL under which the schema is made or brought up to date."""


def bring_up_to_date(engine: Engine, where: str) -> None:
    """Make or migrate the schema. Also finds out whether the database can be written to at all."""
    with engine.execution_options(**{sqlite_file.WRITING: True}).begin() as connection:
        if engine.dialect.name == "postgresql":  # several servers may start at once; a file has one writer
            connection.execute(select(func.pg_advisory_xact_lock(UPGRADING)))
        if _revision(connection, where) != HEAD:
            from noughts.arena.store.migrations import upgrade

            upgrade(connection)
        # Changes nothing, and fails at once where nothing can be changed.
        connection.execute(update(version_table).where(false()).values(version_num=HEAD))


def check_existing(connection: Connection, where: str) -> None:
    """Raise a :class:`~noughts.errors.StoreError` unless the database is one of ours that can be used."""
    if _revision(connection, where) is None:
        raise StoreError(where, "belongs-to-another-program")


def _revision(connection: Connection, where: str) -> str | None:
    """The revision of a database of ours that we can use, None for one without any table."""
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if VERSION_TABLE not in tables:
        raise StoreError(where, "belongs-to-another-program")
    revisions = connection.execute(select(version_table)).scalars().all()
    if len(revisions) != 1 or not re.fullmatch("[0-9]{4}", str(revisions[0])):
        raise DamagedStore(where, "its revision is unreadable")
    revision = str(revisions[0])
    if revision > HEAD:
        raise NewerStore(where, f"revision {revision}, known up to {HEAD}")
    expected = set(metadata.tables) if revision == HEAD else FIRST_TABLES
    if revision < "0001" or not tables >= expected:
        raise DamagedStore(where, f"not all tables of revision {revision} are there")
    return revision
