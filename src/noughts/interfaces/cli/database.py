"""The database that the command line selects, and the command ``repair``."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.arena.store.database_urls import MEMORY, parse_url
from noughts.errors import StoreError
from noughts.interfaces.cli.localized_click import command
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.settings import database_url

if TYPE_CHECKING:
    from noughts.arena.store.database import Database

LOCKED_SECONDS = 1.0
"""The time that a terminal waits for a locked database, in seconds."""


def chosen_database() -> str:
    """Return the URL of the database from ``--db``, the environment or the user's data folder."""
    return database_url(click.get_current_context().find_root().meta.get("noughts.db"), os.environ)


def open_store() -> "Database":
    """Open the selected database."""
    from noughts.arena.store.database import open_database

    return open_database(chosen_database(), LOCKED_SECONDS)


@contextmanager
def store_to_read() -> Iterator["Database | None"]:
    """Open the selected database for reading, or yield None if it does not exist, without creating it."""
    if not _is_there():
        yield None
        return
    with closing(open_store()) as store:
        yield store


def _is_there() -> bool:
    file = parse_url(chosen_database()).file
    return file in (None, MEMORY) or Path(file).exists()


@command()
@click.argument("newfile", type=click.Path(path_type=Path))
@click.pass_obj
def repair(say: Translator, newfile: Path) -> int:
    """Save the intact rows in a new file, and report the lost ones."""
    from noughts.arena.repair.repair import repair as save_intact_rows

    location = parse_url(chosen_database())
    if location.file is None:
        raise StoreError(location.where, "not-a-file")
    saved = save_intact_rows(Path(location.file), newfile)
    for kind in ("games", "series", "tournaments", "pairings"):
        if lost := getattr(saved, f"lost_{kind}"):
            print_error(say.plural(f"repair-lost-{kind}", len(lost), numbers=lost))
    for table, count in saved.lost_rows:
        print_error(say.plural("repair-lost-rows", count, table=table))
    if not newfile.exists():
        print_error(say("repair-nothing"))
        return 1
    print(say.plural("repair-saved", saved.games, name=newfile))
    return 0
