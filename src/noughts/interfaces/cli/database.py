"""The database that the command line names, opened to play or to look at."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.interfaces.presenting.settings import database_url

if TYPE_CHECKING:
    from noughts.arena.store.store import Store


def chosen_database() -> str:
    """The URL of the database that ``--db``, the environment or the user's data folder names."""
    return database_url(click.get_current_context().find_root().meta.get("noughts.db"), os.environ)


def open_store(*busy_seconds: float) -> "Store":
    """The store that ``--db``, the environment or the user's data folder names."""
    from noughts.arena.store.database import open_database

    return open_database(chosen_database(), *busy_seconds)


@contextmanager
def store_to_read() -> Iterator["Store | None"]:
    """The same store to look at, None where there is none yet: it is not made by looking."""
    if not _is_there():
        yield None
        return
    with closing(open_store()) as store:
        yield store


def _is_there() -> bool:
    from noughts.arena.store.database_urls import MEMORY, parse_url

    file = parse_url(chosen_database()).file
    return file in (None, MEMORY) or Path(file).exists()
