"""The command ``ratings``: the best ratings of people, and their rebuild from the stored games."""

import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from noughts.errors import DamagedStore
from noughts.interfaces.cli.database import open_store, store_to_read
from noughts.interfaces.cli.history import game_option
from noughts.interfaces.cli.localized_click import command, json_option, print_damages, print_json
from noughts.interfaces.console.tables import table, table_width
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of

if TYPE_CHECKING:
    from noughts.arena.ratings.rating_repository import Ranked

REBUILD = "rebuild"
SPEEDS = ("live", "days")


@command()
@click.argument("action", required=False, type=click.Choice([REBUILD]))
@game_option
@click.option("--speed", type=click.Choice(SPEEDS))
@click.option("--bots", "are_bots", is_flag=True)
@json_option
@click.pass_obj
def ratings(
    say: Translator, action: str | None, game: str | None, speed: str | None, are_bots: bool, as_json: bool
) -> int:
    """List the best players of each game, or compute all ratings again."""
    from noughts.arena.ratings.rating_repository import RatingStore
    from noughts.games.catalogue import name_of, new_game

    if action == REBUILD:
        return _rebuild(say, as_json)
    wanted = None if game is None else name_of(new_game(game))
    lists, now = list[dict[str, Any]](), time.time_ns() // 1_000_000
    with store_to_read() as store:
        known = [] if store is None else RatingStore(store).lists(now, are_bots=are_bots)
        for played, at_speed, players in known:
            if wanted in (None, played) and speed in (None, at_speed):
                lists.append({"game": played, "speed": str(at_speed), "players": players})
    if as_json:
        print_json({"ratings": [{**one, "players": list(map(_facts, one["players"]))} for one in lists]})
    else:
        print("\n\n".join("\n".join(_lines(say, **one)) for one in lists) or say("no-ratings"))
    return 0


def _rebuild(say: Translator, as_json: bool) -> int:
    from noughts.arena.ratings.rating_repository import RatingStore

    damages: list[DamagedStore] = []
    with closing(open_store()) as store:
        rebuilt = RatingStore(store).rebuild(damages.append)
    if as_json:
        print_json({"games": rebuilt.games, "ratings": rebuilt.ratings})
    else:
        print(say.plural("ratings-rebuilt", rebuilt.games))
    return print_damages(say, damages) if damages else 0


def _facts(one: "Ranked") -> dict[str, Any]:
    """Return one player as the JSON object for scripts."""
    return {
        "identity": one.identity,
        "name": one.name,
        "rating": round(one.now.value),
        "deviation": round(one.now.deviation),
        "games": one.rating.games,
        "wins": one.rating.wins,
        "draws": one.rating.draws,
        "losses": one.rating.losses,
    }


def _lines(say: Translator, game: str, speed: str, players: list["Ranked"]) -> list[str]:
    """Return the heading and the table of the best *players* of *game*."""
    names = ["rank", "player", "rating", "deviation", "games", "wins", "draws", "losses"]
    rows: list[list[str | int]] = []
    for rank, one in enumerate(players, 1):
        name = say("former-player") if one.name is None else one.name
        counts = one.rating.games, one.rating.wins, one.rating.draws, one.rating.losses
        rows.append([rank, name, round(one.now.value), round(one.now.deviation), *counts])
    heading = say("ratings-of", game=title_of(say, game), speed=say(f"speed-{speed}"))
    return [heading, *table([say(f"column-{name}") for name in names], rows, table_width(), yielding=[1])]
