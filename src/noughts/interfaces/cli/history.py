"""The commands ``scores`` and ``history``, which list finished games."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from noughts.arena.series import Result, between, recount
from noughts.errors import DamagedStore, NotFound, NoughtsError, UnknownGame, nearest_name
from noughts.interfaces.cli.database import store_to_read
from noughts.interfaces.cli.localized_click import (
    command,
    json_option,
    print_damages,
    print_json,
    whole_number,
)
from noughts.interfaces.console.tables import scoreboard, table_by_pages, table_width
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.text import fold_name

if TYPE_CHECKING:
    from noughts.arena.store.store import Store
    from noughts.arena.stored_game import StoredGame
    from noughts.games.base import Outcome

PAGE = 50
"""The page size of ``history``, and its default number of games."""


game_option = click.option("--game", metavar="GAME")


@command()
@click.option("--versus", metavar="A,B")
@game_option
@json_option
@click.pass_obj
def scores(say: Translator, versus: str | None, game: str | None, as_json: bool) -> int:
    """Print the number of wins of each player."""
    is_wanted = game_filter(game)
    damages: list[DamagedStore] = []
    pair: tuple[str, ...] = ()
    if versus is not None:
        from noughts.interfaces.presenting.game_plan import read_names

        pair = read_names(versus)
        if len(pair) != 2:
            raise ReadableError(say.plural("names-wrong-count", 2))
    with store_to_read() as store:
        results = [] if store is None else store.results(damages.append, is_wanted)
    scored = recount(between(results, *pair) if pair else results)
    counted = sorted(scored, key=lambda score: (-score.points, score.name))
    if as_json:
        rows = [
            {"name": score.name, "wins": score.wins, "draws": score.draws, "losses": score.losses}
            for score in counted
        ]
        print_json({"players": rows})
    elif counted:
        print("\n".join(scoreboard(say, counted, table_width())))
        _print_scope(say)
    elif not damages:
        print(_no_games_sentence(say, "no-scores", pair, game))
    return print_damages(say, damages)


@command()
@click.option("--player", metavar="NAME")
@game_option
@click.option("--limit", type=whole_number(1, 1_000_000), default=PAGE, metavar="N")
@json_option
@click.pass_obj
def history(say: Translator, player: str | None, game: str | None, limit: int, as_json: bool) -> int:
    """Print the newest saved games."""
    damages: list[DamagedStore] = []
    is_wanted = game_filter(game)
    with store_to_read() as store:
        stored_games = () if store is None else store.newest_games(on_damage=damages.append)
        selected = (
            stored for stored in stored_games if is_wanted(stored.setup.game) and _has_played(stored, player)
        )
        games = islice(_summaries(selected, damages), limit)
        if as_json:
            print_json({"games": list(games)})
        else:
            is_any = _print_by_pages(say, games)
            if is_any:
                _print_scope(say)
            elif not damages:
                print(suggest_player(say, store, _no_games_sentence(say, "no-games", player, game), player))
    return print_damages(say, damages)


def _print_scope(say: Translator) -> None:
    """Print a note on a terminal that these are all games.

    Pages of the server show fewer.
    """
    if sys.stdout.isatty():
        print(say("all-games-here"))


def game_filter(name_or_spec: str | None) -> Callable[[str], bool]:
    """Return a predicate for the names of saved games: True for *name_or_spec*, or for all if None."""
    if name_or_spec is None:
        return lambda game: True
    from noughts.games.catalogue import name_of, new_game

    @cache
    def name(game: str) -> str:
        try:
            return name_of(new_game(game))
        except NoughtsError:  # The package of the game is no longer installed.
            return game

    own = name_of(new_game(name_or_spec))
    return lambda game: name(game) == own


def _has_played(stored: "StoredGame", player: str | None) -> bool:
    """Return True if *player*, in any spelling, played in *stored*, or if *player* is None."""
    return player is None or fold_name(player) in map(fold_name, stored.players.values())


def suggest_player(say: Translator, store: "Store | None", sentence: str, player: str | None) -> str:
    """Return *sentence*, and after it the nearest name in *store* if no player there is called *player*."""
    if player is None or store is None:
        return sentence
    games = store.newest_games(on_damage=lambda _: None)
    players = sorted({name for game in games for name in game.players.values()})
    is_known = fold_name(player) in map(fold_name, players)
    return sentence if is_known else say.suggest(sentence, nearest_name(player, players))


def _no_games_sentence(
    say: Translator, otherwise: str, names: str | Sequence[str] | None, game: str | None
) -> str:
    """Return the sentence that there is no game, or none with the given conditions."""
    if game is not None or isinstance(names, str):
        return say("no-games-like-that")
    return say("no-games-between", names=names) if names else say(otherwise)


def _summaries(stored_games: Iterable["StoredGame"], damages: list[DamagedStore]) -> Iterator[dict[str, Any]]:
    """Yield a summary of each readable game.

    Errors of the others are added to *damages*.
    """
    for stored in stored_games:
        try:
            yield summary(stored)
        except DamagedStore as damage:  # The events of the game cannot be read.
            damages.append(damage)


def _print_by_pages(say: Translator, games: Iterator[dict[str, Any]]) -> bool:
    """Print a table page by page while games are read. Return True if there was a game."""
    from noughts.interfaces.presenting.titles import how_it_ended

    def rows() -> list[list[str | int]]:
        return [
            [
                str(game["id"]),
                game["game"],
                " - ".join(game["players"].values()),
                len(game["moves"]),
                game["players"].get(game["winner"], ""),
                how_it_ended(say, game["game"], game["termination"]),
            ]
            for game in islice(games, PAGE)
        ]

    names = ["id", "game", "players", "moves", "winner", "end"]
    headings = [say(f"column-{name}") for name in names]
    is_any = False
    least_first = [names.index(name) for name in ("end", "game", "winner", "players")]
    for lines in table_by_pages(headings, iter(rows, []), table_width(), yielding=least_first):
        print("\n".join(lines), flush=True)
        is_any = True
    return is_any


def summary(stored: "StoredGame") -> dict[str, Any]:
    """Return a game of the history as the JSON object for scripts."""
    from noughts.arena.stored_game import moves_of, opening_of
    from noughts.games.notation import format_move

    moves = [text for text, _ in moves_of(stored)]
    outcome: Result | Outcome | None = stored.result
    with suppress(UnknownGame):  # The saved data is used for a game that is not installed.
        match = stored.replay()
        game, moves = match.game.copy(), []
        while game.ply:
            move = game.undo()
            moves.insert(0, format_move(game, move))
        outcome = match.outcome
    opening = None
    with suppress(NotFound):  # This version does not know the opening.
        opening = opening_of(stored, len(moves))
    opening_facts = {} if opening is None else {"opening": opening}
    return {
        "id": stored.id or None,
        "game": stored.setup.game,
        "players": stored.players,
        "moves": moves,
        "winner": outcome.winner if outcome is not None else None,
        "termination": str(outcome.termination) if outcome is not None else None,
        **opening_facts,
    }
