"""The commands ``games``, ``players`` and ``perft``."""

import re
import sys

import click

from noughts.arena.game_trials import TRIALS, try_game
from noughts.errors import GameLeftOut
from noughts.games import perft as counting
from noughts.games.catalogue import all_entries, canonical_name, find_entry, name_of, new_game
from noughts.games.plugins import all_plugins
from noughts.interfaces.cli.localized_click import command, json_option, print_json, whole_number
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.console.tables import table_of_texts, table_width
from noughts.interfaces.console.terminal import Terminal, print_error
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.known_result_texts import known_as_json, say_known
from noughts.interfaces.presenting.players import about_player, levels_without_fast, player_offered, strength
from noughts.interfaces.presenting.titles import missing_sentences
from noughts.players.strengths import Strength, in_order_of_strength, strengths
from noughts.workers.seating import player_names

DONE, NO = 0, 1

MAX_PERFT = 64
DEFAULT_DEPTH = "3"

_NUMBER = re.compile(r"-?[0-9]+")


@command()
@click.option("--check", "name", metavar="NAME")
@json_option
@click.pass_obj
def games(say: Translator, as_json: bool, name: str | None) -> int:
    """List the games with their rules, or check one."""
    if name is not None:
        return _check(say, name, as_json)
    games = [(entry, new_game(entry.name)) for entry in all_entries()]
    if as_json:
        facts = [
            {
                "name": entry.name,
                "spec": entry.spec,
                "shape": list(game.shape),
                "sides": list(game.sides),
                "rules": say.messages(game.rule_text),
                "shelf": entry.shelf,
                "rank": entry.rank,
                "known": known_as_json(game),
            }
            for entry, game in games
        ]
        print_json({"games": facts})
    else:
        talk = Conversation(Terminal(), say)
        for entry, game in games:
            talk.write(f"{entry.name}  {entry.spec or ''}".rstrip())
            sentences = [say.messages(game.rule_text), *filter(None, [say_known(say, game)])]
            talk.item("    ", say.joined(sentences))
    for error in all_plugins()[1]:
        print_error(say.error(error))
    for entry, game in games:
        if missing := say.missing(entry, game):
            print_error(say("game-sentences-missing", name=entry.name, missing=missing))
    return DONE


def _check(say: Translator, name: str, as_json: bool) -> int:
    """Check the game *name*, and print its faults."""
    name = canonical_name(name)
    try:
        game, entry = new_game(name), find_entry(name)
    except GameLeftOut as error:
        failed, missing, sentences = {"loading": error.words}, {}, [say.error(error)]
    else:
        failed = try_game(lambda sides: new_game(name, marks=sides))
        missing = {} if entry is None or failed else missing_sentences(entry, game)
        first = {words: trial for trial, words in reversed(failed.items())}  # One fault may fail many trials.
        sentences = [say(f"trial-{trial}", words=words) for words, trial in reversed(first.items())]
        sentences += [
            say("check-missing", language=language, missing=ids) for language, ids in missing.items()
        ]
    is_sound = not (failed or missing)
    if as_json:
        print_json(
            {"game": name, "passed": is_sound, "failed": failed, "missing": missing, "sentences": sentences}
        )
    else:
        for sentence in sentences or [say("check-passed", name=name, count=len(TRIALS) + 1)]:
            print(sentence)
    return DONE if is_sound else NO


@command()
@click.argument("game", required=False)
@json_option
@click.pass_obj
def players(say: Translator, /, game: str | None, as_json: bool) -> None:
    """List the players, and their strength in *game*."""
    described = [("human", strength(say, "human"), say("player-human"))]
    names = list(player_names()) if game is None else in_order_of_strength(new_game(game), player_names())
    described += [(name, player_offered(say, name), about_player(say, name)) for name in names]
    measured = {} if game is None else strengths(name_of(new_game(game)))
    if as_json:
        described_as_json = [
            {"name": name, "about": about, "title": title} for name, title, about in described
        ]
        measured_as_json = [
            _measured_as_json(measured.get(name)) if game is not None else {} for name, *_ in described
        ]
        print_json(
            {
                "players": [
                    {**player, **more}
                    for player, more in zip(described_as_json, measured_as_json, strict=True)
                ]
            }
        )
        return
    columns, rows = (
        [say("column-player"), say("column-called"), say("column-about")],
        [list(row) for row in described],
    )
    if measured:
        columns.insert(2, say("column-elo"))
        for row in rows:
            row.insert(2, _spelled(measured.get(row[0])))
    print("\n".join(table_of_texts(columns, rows, table_width())))
    if game is not None:
        print(say("players-measured" if measured else "players-not-measured", game=game))
    if (caution := levels_without_fast(say)) is not None:
        print(caution)


def _measured_as_json(measured: Strength | None) -> dict[str, float | None]:
    if measured is None:
        return {"elo": None, "error": None}
    return {"elo": measured.elo, "error": measured.error}


def _spelled(measured: Strength | None) -> str:
    return "" if measured is None else f"{measured.elo:+.0f} ±{measured.error:.0f}"


@command()
@click.argument("game", required=False)
@click.argument("depth", required=False)
@json_option
@click.pass_context
def perft(ctx: click.Context, game: str | None, depth: str | None, as_json: bool) -> None:
    """Count sequences of moves. DEPTH may come first if GAME is not a number."""
    if game is not None and _NUMBER.fullmatch(game) and not (depth and _NUMBER.fullmatch(depth)):
        game, depth = depth, game
    (parameter,) = (own for own in ctx.command.params if own.name == "depth")
    number = whole_number(0, MAX_PERFT).convert(depth or DEFAULT_DEPTH, parameter, ctx)
    _count(game or "tictactoe", number, as_json)


def _count(game: str, depth: int, as_json: bool) -> None:
    started = new_game(game)
    counts = counting.perft(started, depth)
    if as_json:
        nodes = counts[-1] if counts else 1
        print_json({"game": name_of(started), "depth": depth, "nodes": nodes, "counts": counts})
        return
    for length, count in enumerate(counts, 1):
        print(f"{length:>3}  {count}")
    sys.stdout.flush()
