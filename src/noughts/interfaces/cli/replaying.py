"""The commands that show a kept game again and write it down: ``replay`` and ``export``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.errors import NotFound
from noughts.interfaces.cli.database import open_store, store_to_read
from noughts.interfaces.cli.speaking import command, json_option, print_json, whole_number
from noughts.interfaces.console.replay import (
    called_in,
    position_after,
    read_game,
    show_replay,
    write_game,
    write_picture,
)
from noughts.interfaces.presenting.i18n import Said, Translator
from noughts.interfaces.presenting.planning import Options
from noughts.records.forms import FORMS
from noughts.records.record import format_record
from noughts.text import narrow

if TYPE_CHECKING:
    from noughts.arena.store.store import StoredGame
    from noughts.interfaces.presenting.reviewing import Reviewing


@command()
@click.argument("id")
@click.option("--review", is_flag=True)
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--from", "ply", type=whole_number(), metavar="N")
@json_option
@click.pass_obj
def replay(
    say: Translator,
    id: str,  # noqa: A002
    review: bool,
    svg: Path | None,
    ply: int | None,
    as_json: bool,
) -> int | None:
    """Show a game from its first move to its last, or play on from the position after one of them."""
    stored = _find_game(id, say)
    if ply is not None:
        if review or svg is not None or as_json:
            raise Said(say("usage-from-alone"))
        return _play_on(stored, ply, say)
    reviewing = _review(stored, say) if review else None
    if svg is None and not as_json:
        ply = show_replay(stored, say, reviewing)
        return None if ply is None else _play_on(stored, ply, say)
    found = None if reviewing is None else reviewing.whole()
    if svg is not None:
        write_picture(stored, svg, say, found)
    if as_json:
        print_json({**_record_as_json(stored), **(found.as_json() if found is not None else {})})
    return None


@command()
@click.argument("id")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def export(say: Translator, id: str, file: Path) -> None:  # noqa: A002
    """Write a game to a file."""
    write_game(_find_game(id, say), file, say)


def _play_on(stored: "StoredGame", ply: int, say: Translator) -> int:
    """Play on from the position after *ply* moves of *stored*; who does is asked. Returns the exit status."""
    from noughts.interfaces.cli.analysing import review_match
    from noughts.interfaces.console.session import start

    game = stored.replay().game
    if not 0 <= ply <= game.ply:
        raise Said(say("usage-whole-number-range", first=0, last=game.ply))
    options = Options(game=stored.setup.game, position=position_after(game, ply))
    return start(options, say, open_store, lambda played: review_match(played, say))


def _record_as_json(stored: "StoredGame") -> dict[str, Any]:
    """The record of a kept game with its number, which is null for one from a file."""
    from noughts.arena.store.store import record_of

    stored.replay()  # raises what is wrong with it
    return {"id": stored.id or None, **json.loads(format_record(record_of(stored)))}


def _find_game(called: str, say: Translator) -> "StoredGame":
    """The kept game with this number, or the one in this file."""
    number = narrow(called)
    if number.isascii() and number.isdigit() and len(number) < 19:
        with store_to_read() as store:
            if store is not None:
                return store.load(int(number))
    elif Path(called).suffix.lower() in FORMS:
        return read_game(Path(called), say)
    elif Path(called).suffix[1:].isalpha():
        raise Said(say("record-unknown-form", text=called, allowed=tuple(FORMS)))
    raise NotFound("record", called)


def _review(stored: "StoredGame", say: Translator) -> "Reviewing":
    """What there is to say of a kept game, as it is found."""
    from noughts.interfaces.cli.analysing import review_match
    from noughts.interfaces.presenting.reviewing import Reviewing

    match = stored.replay()
    return Reviewing(match.game, review_match(match, say), called_in(stored, say))
