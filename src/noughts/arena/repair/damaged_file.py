"""Reading a damaged file: the descriptions of its tables, and their readable rows."""

import re
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from noughts.arena.repair.plain_rows import PLAIN, PlainTable, are_known
from noughts.arena.store.connections import Connection, Row
from noughts.arena.store.revisions import TABLES, VERSION_TABLE, bring_up_to_date, revision_of
from noughts.arena.store.sqlite_file import memory_pool
from noughts.arena.store.sqlite_pages import Column, TableShape, find_roots
from noughts.errors import DamagedStore, StoreError

MAX_SKIPPED = 20_000
"""The maximum number of unreadable numbers in a row, after which the search ends."""

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors of reading damaged data. The second is raised if SQLite cannot even name the damage."""

_TEXT = "SELECT sql FROM sqlite_schema WHERE name = :table"

_KEY = r",\s*PRIMARY KEY \([^)]*\)"
"""The part of a description that gives a table an index, unless the key is the number of a row."""


def check_ours(connection: Connection, where: str) -> None:
    """Raise :class:`~noughts.errors.StoreError` for a newer database, or an intact one of another program.

    In a damaged file the names of our tables may be unreadable. The rows that are saved have our digests.
    """
    try:
        revision_of(connection, where)
    except (DamagedStore, *UNREADABLE):
        pass
    except StoreError as error:
        if error.reason == "belongs-to-another-program" and is_damaged(connection):
            return
        raise


def repair_names(connection: Connection) -> None:
    """Restore the names of the tables of the copy.

    A description of a table has the name in three places. One intact place is enough.
    """
    with suppress(*UNREADABLE):
        for row in connection.rows(
            "SELECT rowid, name, tbl_name, sql FROM sqlite_schema WHERE type = 'table'"
        ):
            with suppress(UnicodeEncodeError):  # more than the name is damaged
                _repair_name(connection, row)
        _read_descriptions(connection)


def _repair_name(connection: Connection, row: Row) -> None:
    """Write the name of one of our tables into all three places of its description, a *row* of the schema."""
    words = re.match(r"CREATE TABLE (\w+)", str(row["sql"]))
    names = {str(row["name"]), str(row["tbl_name"]), *([words.group(1)] if words else [])}
    known = names & {*TABLES, VERSION_TABLE}
    if len(known) == 1 < len(names):
        name, sql = known.pop(), str(row["sql"])
        if words is not None:
            sql = f"CREATE TABLE {name}{sql[words.end() :]}"
        change = "UPDATE sqlite_schema SET name = :name, tbl_name = :name, sql = :sql WHERE rowid = :number"
        connection.change(change, {"name": name, "sql": sql, "number": row["rowid"]})


def describe_tables(connection: Connection, copy: Path, tables: Collection[str]) -> None:
    """Describe the *tables* of the *copy* again, with the pages on which matching rows are found.

    Rows of different tables may look the same. So the page with most valid rows counts.
    """
    if not tables:
        return
    with closing(memory_pool()) as pool:
        bring_up_to_date(pool, "")
        with pool.alone() as new:
            descriptions = {table: _describe(new, table) for table in tables}
            plain = {table: PlainTable.of(new, table) for table in tables if table in PLAIN}
    with suppress(*UNREADABLE):
        roots = find_roots(copy, {table: shape for table, (_, shape) in descriptions.items()})
        for table in roots.keys() - plain.keys():
            _set_root(connection, table, roots[table][0], descriptions[table][0])
        people = {row["number"] for row in readable(connection, "identities", "rowid")}
        for table in roots.keys() & plain.keys():
            counts = dict[int, int]()
            for page in roots[table]:
                _set_root(connection, table, page, descriptions[table][0])
                rows = readable(connection, table, "rowid")
                counts[page] = sum(plain[table].is_valid(row) and are_known(row, people) for row in rows)
            best = max(counts, key=lambda page: counts[page])
            _set_root(connection, table, best if counts[best] else None, descriptions[table][0])


def _set_root(connection: Connection, table: str, root: int | None, text: str) -> None:
    """Describe *table* by *text* with its first page *root*, or describe no such table if it is None."""
    connection.change("DELETE FROM sqlite_schema WHERE :name IN (name, tbl_name)", {"name": table})
    if root is not None:
        connection.change(
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)"
            " VALUES ('table', :name, :name, :root, :text)",
            {"name": table, "root": root, "text": text},
        )
    _read_descriptions(connection)


def _describe(new: Connection, table: str) -> tuple[str, TableShape]:
    """Return the description of *table* in the new database *new* without an index, and its shape."""
    text, rows = new.column(_TEXT, table=table)[0], new.rows(f"PRAGMA table_info({table})")
    is_index = "WITHOUT ROWID" in text
    keys = [row["type"] for row in rows if row["pk"]]
    has_number = keys == ["INTEGER"] and not is_index
    columns = [
        Column(
            is_number=row["type"] in {"INTEGER", "BIGINT", "BOOLEAN"},
            is_digest=row["name"] == "digest",
            # The number of a row is not stored among its values.
            can_be_null=not row["notnull"] or bool(row["pk"] and has_number),
            is_optional=not row["notnull"] or row["dflt_value"] is not None,
        )
        for row in rows
    ]
    described = text if is_index or has_number else re.sub(_KEY, "", text)
    return described, TableShape(is_index, tuple(columns))


def is_described(connection: Connection, table: str) -> bool:
    """Return True if the schema describes the *table*."""
    try:
        connection.rows(f"SELECT 1 FROM {table} LIMIT 0")  # noqa: S608 - a name of ours
    except UNREADABLE:
        return False
    return True


def _read_descriptions(connection: Connection) -> None:
    """Make SQLite read the changed descriptions of tables."""
    connection.driver.commit()
    connection.change("PRAGMA writable_schema = RESET")
    connection.change("PRAGMA writable_schema = ON")


def is_damaged(connection: Connection) -> bool:
    """Return True if SQLite finds damage, or if the names in the description of a table differ."""
    try:
        if connection.column("PRAGMA quick_check(1)") != ["ok"]:
            return True
        rows = connection.rows("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'table'")
    except UNREADABLE:
        return True
    return any(row["name"] != row["tbl_name"] or str(row["name"]) not in str(row["sql"]) for row in rows)


def readable(
    connection: Connection, table: str, column: str, condition: str = "1 = 1"
) -> Iterator[dict[str, Any]]:
    """Yield the first row of *table* for each number in *column*. Skip unreadable rows.

    The column ``rowid`` has the numbers of all rows. A table that is not described has no rows.
    """
    query = f"SELECT {column} AS in_column, * FROM {table} WHERE {condition} AND {column} > :after"  # noqa: S608
    try:
        connection.rows(f"{query} LIMIT 0", after=0)
    except UNREADABLE:
        return
    after = skipped = 0
    while skipped < MAX_SKIPPED:
        try:
            row = connection.row(f"{query} ORDER BY {column} LIMIT 1", after=after)
        except UNREADABLE:
            row = {"in_column": None}
        if row is None:
            return
        number, *values = dict(row).items()
        if isinstance(number[1], int) and number[1] > after:
            after, skipped = number[1], 0
            yield dict(values)
        else:
            after, skipped = after + 1, skipped + 1
