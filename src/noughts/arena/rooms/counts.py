"""How many rooms there are, and which of some there still are."""

from collections.abc import Collection

from sqlalchemy import func, select

from noughts.arena.store.database import Database
from noughts.arena.store.tables import rooms_table


def count_rooms(database: Database) -> int:
    """How many rooms *database* holds, open ones and those that have not gone yet."""
    with database.reading() as connection:
        return connection.execute(select(func.count()).select_from(rooms_table)).scalar_one()


def rooms_left(database: Database, names: Collection[str]) -> set[str]:
    """Those of the rooms *names* that there are."""
    query = select(rooms_table.c.name).where(rooms_table.c.name.in_(list(names)))
    with database.reading() as connection:
        return set(connection.execute(query).scalars())
