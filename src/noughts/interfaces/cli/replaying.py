"""The commands ``replay`` and ``export`` for saved games."""

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.errors import DamagedStore, NotFound
from noughts.interfaces.cli.database import open_store, store_to_read
from noughts.interfaces.cli.localized_click import (
    ParsedText,
    command,
    json_option,
    print_damages,
    print_json,
    whole_number,
)
from noughts.interfaces.console.replay import (
    player_labels,
    position_after,
    read_game,
    show_replay,
    write_game,
    write_picture,
)
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.records.formats import RECORD_FORMATS
from noughts.records.record import format_record
from noughts.text import narrow

if TYPE_CHECKING:
    from noughts.arena.stored_game import StoredGame
    from noughts.interfaces.presenting.review_texts import RunningReview


DAY = ParsedText(date.fromisoformat, "usage-day")


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
    """Show a game move by move, or continue it from one of its positions."""
    stored = _find_game(id, say)
    if ply is not None:
        if review or svg is not None or as_json:
            raise ReadableError(say("usage-from-alone"))
        return _play_on(stored, ply, say)
    reviewing = _review(stored, say) if review else None
    if svg is None and not as_json:
        ply = show_replay(stored, say, reviewing)
        return None if ply is None else _play_on(stored, ply, say)
    review_text = None if reviewing is None else reviewing.completed()
    if svg is not None:
        write_picture(stored, svg, say, review_text)
    if as_json:
        print_json({**_record_as_json(stored), **(review_text.as_json() if review_text is not None else {})})
    return None


@command(epilog="help-export-more")
@click.argument("id", required=False)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--all", "is_all", is_flag=True, help="help-option-export-all")
@click.option("--game", metavar="GAME")
@click.option("--player", metavar="NAME")
@click.option("--since", type=DAY, metavar="DAY")
@click.option("--until", type=DAY, metavar="DAY")
@click.option("--origin", type=click.Choice(("local", "online", "tournament")))
@click.option("--counted/--uncounted", default=None, help="help-option-counted")
@click.option("--termination", metavar="CODE")
@click.pass_context
def export(
    context: click.Context,
    /,
    id: str | None,  # noqa: A002
    file: Path | None,
    is_all: bool,
    **filters: Any,
) -> int | None:
    """Write a game, or all games, to a file."""
    say: Translator = context.obj
    chosen = [name for name, value in filters.items() if value is not None]
    if id is None:
        raise click.MissingParameter(ctx=context, param=context.command.params[1 if is_all else 0])
    if is_all:
        if file is not None:
            raise ReadableError(say("usage-export-all-file"))
        return _export_all(say, Path(id), filters)
    if chosen:
        raise ReadableError(say("usage-export-filters"))
    if file is None:
        raise click.MissingParameter(ctx=context, param=context.command.params[1])
    write_game(_find_game(id, say), file, say)
    return None


def _export_all(say: Translator, file: Path, filters: dict[str, Any]) -> int:
    """Write the games that *filters* select to *file*, and return the exit status."""
    from noughts.interfaces.cli.history import game_filter, suggest_player
    from noughts.interfaces.console.games_export import (
        Selection,
        check_can_export_all,
        export_all,
        termination_codes,
    )

    game, termination = filters.pop("game"), filters["termination"]
    if termination is not None and termination not in (codes := list(termination_codes())):
        raise NotFound("termination", termination, codes)
    selection = Selection(game=None if game is None else game_filter(game), **filters)
    check_can_export_all(say, file)
    damages: list[DamagedStore] = []
    with store_to_read() as store:
        games = () if store is None else store.games(on_damage=damages.append)
        count = export_all(say, selection.select(games, damages.append), file, damages.append)
        done = say.plural("export-all-done", count, file=file)
        print(done if count else suggest_player(say, store, done, selection.player))
    return print_damages(say, damages)


def _play_on(stored: "StoredGame", ply: int, say: Translator) -> int:
    """Continue the game *stored* after *ply* moves, and prompt for the players. Return the exit status."""
    from noughts.interfaces.cli.analysing import review_match
    from noughts.interfaces.console.session import start

    game = stored.replay().game
    if not 0 <= ply <= game.ply:
        raise ReadableError(say("usage-whole-number-range", first=0, last=game.ply))
    options = PlayOptions(stored.setup.game, position=position_after(game, ply), asks_players=True)
    return start(options, say, open_store, lambda played: review_match(played, say))


def _record_as_json(stored: "StoredGame") -> dict[str, Any]:
    """Return the record of a saved game with its number, or null for a game from a file."""
    from noughts.arena.stored_game import record_of

    stored.replay()  # This raises an error if the game is damaged.
    return {"id": stored.id or None, **json.loads(format_record(record_of(stored)))}


def _find_game(text: str, say: Translator) -> "StoredGame":
    """Return the saved game with the number *text*, or the game in the file *text*."""
    number = narrow(text)
    if number.isascii() and number.isdigit() and len(number) < 19:
        with store_to_read() as store:
            if store is not None:
                return store.load(int(number))
    elif Path(text).suffix.lower() in RECORD_FORMATS:
        return read_game(Path(text), say)
    elif Path(text).suffix[1:].isalpha():
        raise ReadableError(say("record-unknown-form", text=text, allowed=tuple(RECORD_FORMATS)))
    raise NotFound("record", text)


def _review(stored: "StoredGame", say: Translator) -> "RunningReview":
    """Return the review of a saved game, which runs while it is read."""
    from noughts.interfaces.cli.analysing import review_match
    from noughts.interfaces.presenting.review_texts import RunningReview

    match = stored.replay()
    return RunningReview(match.game, review_match(match, say), player_labels(stored, say))
