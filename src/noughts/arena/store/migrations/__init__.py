"""Brings the schema of a database to its newest version. Alembic is imported only when this is done."""

from sqlalchemy import Connection


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the database behind *connection* to *revision*, within the transaction it is in."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "noughts.arena.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
