"""The revision of the schema of a database, and the migration to the newest one."""

import re
from pathlib import Path

from noughts.arena.store.connections import Connection, DatabaseLock, Pool
from noughts.arena.store.reshaping import reshape_names
from noughts.errors import DamagedStore, NewerStore, StoreError

SCRIPTS = Path(__file__).with_name("migrations")
"""The folder of the SQL scripts. Each leads from one revision to the next."""

HEAD = "0018"
"""The revision of the schema that this program reads and writes. Revisions count up in four digits."""

RESHAPED = 18
"""The last revision for which the shapes of names are computed again."""

VERSION_TABLE = "noughts_version"
"""The table that holds the revision of the schema. Its name also marks the database as ours."""

PLAYED = {"games", "events"}
"""The tables without which nothing can be saved. A database with both is ours, even if others are lost."""

FIRST_TABLES = PLAYED | {"series"}
"""The tables that every revision has."""

TABLES = FIRST_TABLES | {
    *("rooms", "room_keys", "room_workers", "room_pauses"),
    *("tournaments", "tournament_games", "tournament_running"),
    *("identities", "devices", "sessions", "device_requests", "used_nonces", "server_secrets"),
    *("blocks", "game_identities"),
    *("rated_games", "ratings", "rating_changes"),
    "offers",
    *("room_people", "room_visitors", "player_pauses"),
    *("people_tournaments", "people_entries", "people_events"),
    "walls",
    *("inbox", "push_subscriptions"),
    *("reports", "operator_actions", "bans", "conduct", "taken_names"),
}
"""The tables of the newest revision."""


def bring_up_to_date(pool: Pool, where: str) -> None:
    """Create or upgrade the schema. This also checks that the database can be written to."""
    with pool.transaction(writes=True) as connection:
        connection.lock(DatabaseLock.UPGRADE)  # Several servers may start at once.
        revision = revision_of(connection, where)
        if revision != HEAD:
            upgrade(connection, revision or "0000")
        # This changes nothing, and fails at once if the database is read-only.
        connection.change("UPDATE noughts_version SET version_num = '' WHERE 1 = 0")


def upgrade(connection: Connection, revision: str, last: str = HEAD) -> None:
    """Upgrade the schema from *revision* to *last*, within the transaction of *connection*."""
    for number in range(int(revision) + 1, int(last) + 1):
        script = (SCRIPTS / f"{number:04}.sql").read_text(encoding="utf-8")
        script = re.sub("^--.*", "", script, flags=re.MULTILINE)
        for statement in script.strip().removesuffix(";").split(";"):
            connection.change(statement.strip())
        if number == RESHAPED:
            reshape_names(connection)


def is_outdated(connection: Connection, where: str) -> bool:
    """Return True if the database has an earlier revision.

    Raises a :class:`~noughts.errors.StoreError` unless it is a usable database of ours.
    """
    if (revision := revision_of(connection, where)) is None:
        raise StoreError(where, "belongs-to-another-program")
    return revision != HEAD


def revision_of(connection: Connection, where: str) -> str | None:
    """Return the revision of a usable database of ours, or None for a database without tables.

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
