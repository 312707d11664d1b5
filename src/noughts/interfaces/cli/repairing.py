"""The command that saves what is whole of a damaged database: ``repair``."""

from pathlib import Path

import click

from noughts.arena.store.database import speaking_of
from noughts.arena.store.database_urls import parse_url
from noughts.arena.store.repair import repair as save_what_is_whole
from noughts.errors import StoreError
from noughts.interfaces.cli.database import chosen_database
from noughts.interfaces.cli.speaking import command, print_error
from noughts.interfaces.presenting.i18n import Translator


@command()
@click.argument("newfile", type=click.Path(path_type=Path))
@click.pass_obj
def repair(say: Translator, newfile: Path) -> int:
    """Save what can be proved whole in a file of its own, and say what is lost."""
    location = parse_url(chosen_database())
    if location.file is None:
        raise StoreError(location.where, "not-a-file")
    with speaking_of(str(newfile)):
        saved = save_what_is_whole(Path(location.file), newfile)
    if saved.lost_games:
        print_error(say.plural("repair-lost-games", len(saved.lost_games), numbers=saved.lost_games))
    if saved.lost_series:
        print_error(say.plural("repair-lost-series", len(saved.lost_series), numbers=saved.lost_series))
    if not (saved.games or saved.series):
        print_error(say("repair-nothing"))
        return 1
    print(say.plural("repair-saved", saved.games, name=newfile))
    return 0
