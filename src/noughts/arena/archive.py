"""What has been played to its end, newest first, a page at a time."""

from sqlalchemy import select

from noughts.arena.database import Database
from noughts.arena.match import EventKind
from noughts.arena.store import StoredGame
from noughts.arena.tables import events_table, games_table


def newest_games(database: Database, count: int, before: int | None = None) -> list[StoredGame]:
    """At most *count* finished games of *database*, newest first; only those with numbers below *before*.

    Raises what :meth:`~noughts.arena.database.Database.load` raises.
    """
    is_over = events_table.c.kind == str(EventKind.END)
    query = (
        select(games_table.c.id).join(events_table, events_table.c.game_id == games_table.c.id).where(is_over)
    )
    if before is not None:
        query = query.where(games_table.c.id < before)
    with database.reading() as connection:
        numbers = connection.execute(query.order_by(games_table.c.id.desc()).limit(count)).scalars().all()
        return [database.load(number, connection) for number in numbers]
