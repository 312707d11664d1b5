"""The commands: each reads its arguments, calls the layers below and shows what they answer.

What a command needs is imported when it runs: help and counting moves load no database.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.errors import NotFound, UnknownGame
from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.cli.analysing import make_analyse, make_solve
from noughts.interfaces.cli.building import (
    chosen_database,
    command,
    json_option,
    option,
    print_error,
    print_json,
)
from noughts.interfaces.cli.serving import make_serve
from noughts.interfaces.cli.speaking import Parsed, whole_number
from noughts.interfaces.presenting.abilities import is_full_screen
from noughts.interfaces.presenting.i18n import Said, Translator

if TYPE_CHECKING:
    from noughts.arena.series import Result
    from noughts.arena.store.store import Store, StoredGame
    from noughts.games.base import Outcome
    from noughts.interfaces.presenting.planning import Options
    from noughts.interfaces.presenting.reviewing import ReviewTold

SHOWN_SEATS = ("x", "o", "z")
SEATS = (*SHOWN_SEATS, "y", "w", "v", "u", "t")
"""The seats, each an option of ``play``; those of games with more than three sides are not shown."""

LOCKED_SECONDS = 1.0
"""How long the full screen, which nothing moves on meanwhile, waits for a database that is locked."""

MAX_PERFT = 64


def make_commands(say: Translator) -> list[click.Command]:
    """All commands in the order in which help lists them."""
    played = (_play, _games, _players, _scores, _history, _replay, _export)
    return [make(say) for make in (*played, make_analyse, make_solve, make_serve, _perft)]


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
    from noughts.arena.store.database_urls import parse_url

    url = parse_url(chosen_database())
    return url.drivername != "sqlite" or not url.database or Path(url.database).exists()


# play


def _play(say: Translator) -> click.Command:
    def play(plain: bool, **chosen: Any) -> int:
        options = _options_of(**chosen)
        streams = (sys.stdin, sys.stdout, sys.stderr)
        is_wanted = not plain and options.games is None
        if is_wanted and is_full_screen(*streams, environ=os.environ, platform=sys.platform):
            from noughts.interfaces.tui.app import start as start_full_screen

            root = click.get_current_context().find_root()
            speaks_by_choice = bool(root.meta.get("noughts.lang") or os.environ.get("NOUGHTS_LANG"))
            return start_full_screen(
                options, say, lambda: open_store(LOCKED_SECONDS), speaks_by_choice=speaks_by_choice
            )
        from noughts.interfaces.console.session import start

        return start(options, say, open_store)

    seats = [option(say, f"--{name}", metavar="WHO") for name in SHOWN_SEATS]
    seats += [click.Option([f"--{name}"], hidden=True) for name in SEATS if name not in SHOWN_SEATS]
    rules = ["chooser", "alternate", "loser", "x"]
    return command(
        say,
        "play",
        play,
        click.Argument(["game"], required=False),
        *seats,
        option(say, "--names", metavar="A,B"),
        option(say, "--series", is_flag=True),
        option(say, "--begins", type=click.Choice(rules), metavar="RULE"),
        option(say, "--opening", type=click.Choice([NO_OPENING, *OPENINGS]), metavar="NAME"),
        option(say, "--games", type=whole_number(1, 1_000_000), metavar="N"),
        option(say, "--plain", is_flag=True),
        option(say, "--cells", type=click.Choice(["0", "1"]), default="1"),
        option(say, "--seed", type=whole_number(), metavar="N"),
        option(say, "--keep", is_flag=True),
    )


def _options_of(
    game: str | None,
    names: str | None,
    begins: str | None,
    cells: str,
    **chosen: Any,
) -> "Options":
    """The options of ``play`` as the interfaces take them: every seat is an option of its own."""
    from noughts.arena.series import Begins
    from noughts.games.catalogue import usual_spelling
    from noughts.interfaces.presenting.planning import Options, read_names

    who = {name.upper(): chosen.pop(name) for name in SEATS}
    return Options(
        game=None if game is None else usual_spelling(game),
        who={side: player for side, player in who.items() if player is not None},
        names=None if names is None else read_names(names),
        begins=None if begins is None else Begins(begins),
        first=int(cells),
        **chosen,
    )


# What there is


def _games(say: Translator) -> click.Command:
    def games(as_json: bool) -> None:
        from noughts.games.announced import all_announced
        from noughts.games.catalogue import all_entries, new_game

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
                }
                for entry, game in games
            ]
            print_json({"games": facts})
        else:
            for entry, game in games:
                print(f"{entry.name}  {entry.spec or ''}".rstrip())
                print(f"    {say.messages(game.rule_text)}")
        for error in all_announced()[1]:
            print_error(say.error(error))
        for entry, game in games:
            if missing := say.missing(entry, game):
                print_error(say("game-sentences-missing", name=entry.name, missing=missing))

    return command(say, "games", games, json_option(say))


def _players(say: Translator) -> click.Command:
    def players(as_json: bool) -> None:
        from noughts.interfaces.console.tables import table
        from noughts.players.base import player_names

        about = {"human": say("player-human")}
        for name in player_names():
            own, _, argument = name.partition(":")
            about[name] = (
                say(f"player-{own}", argument=argument) if say.has(f"player-{own}") else say("player-foreign")
            )
        if as_json:
            print_json({"players": [{"name": name, "about": text} for name, text in about.items()]})
        else:
            print("\n".join(table([say("column-player"), say("column-about")], list(about.items()))))

    return command(say, "players", players, json_option(say))


# What was played


def _scores(say: Translator) -> click.Command:
    def scores(versus: str | None, as_json: bool) -> None:
        from noughts.arena.series import between, recount
        from noughts.arena.store.store import all_results
        from noughts.interfaces.console.tables import scoreboard
        from noughts.interfaces.console.terminal import Terminal
        from noughts.interfaces.presenting.planning import read_names

        pair = read_names(versus) if versus is not None else ()
        if versus is not None and len(pair) != 2:
            raise Said(say.plural("names-wrong-count", 2))
        with store_to_read() as store:
            results = [] if store is None else all_results(store)
        scored = recount(between(results, *pair) if pair else results)
        counted = sorted(scored, key=lambda score: (-score.points, score.name))
        if as_json:
            rows = [
                {"name": score.name, "wins": score.wins, "draws": score.draws, "losses": score.losses}
                for score in counted
            ]
            print_json({"players": rows})
        elif counted:
            print("\n".join(scoreboard(say, counted, Terminal().width)))
        else:
            print(say("no-games-between", names=pair) if pair else say("no-scores"))

    versus = option(say, "--versus", metavar="A,B")
    return command(say, "scores", scores, versus, json_option(say))


def _history(say: Translator) -> click.Command:
    def history(as_json: bool) -> None:
        from noughts.interfaces.console.tables import table
        from noughts.interfaces.console.terminal import Terminal
        from noughts.interfaces.presenting.naming import how_it_ended

        with store_to_read() as store:
            games = [] if store is None else [summary(stored) for stored in store.games()]
        if as_json:
            print_json({"games": games})
        elif not games:
            print(say("no-games"))
        else:
            names = ["id", "game", "players", "moves", "winner", "end"]
            rows = [
                [
                    str(game["id"]),
                    game["game"],
                    " - ".join(game["players"].values()),
                    len(game["moves"]),
                    game["players"].get(game["winner"], ""),
                    how_it_ended(say, game["game"], game["termination"]),
                ]
                for game in games
            ]
            print("\n".join(table([say(f"column-{name}") for name in names], rows, Terminal().width)))

    return command(say, "history", history, json_option(say))


def summary(stored: "StoredGame") -> dict[str, Any]:
    """A game of the history as the JSON object that scripts read."""
    from noughts.arena.store.store import moves_of, opening_of
    from noughts.games.notation import format_move

    moves = [text for text, _ in moves_of(stored)]
    outcome: Result | Outcome | None = stored.result
    with suppress(UnknownGame):  # of which is told what was kept
        match = stored.replay()
        game, moves = match.game.copy(), []
        while game.ply:
            move = game.undo()
            moves.insert(0, format_move(game, move))
        outcome = match.outcome
    opening = None
    with suppress(NotFound):  # of a protocol that is not known here nobody knows who was asked
        opening = opening_of(stored, len(moves))
    told = {} if opening is None else {"opening": opening}
    return {
        "id": stored.id or None,
        "game": stored.setup.game,
        "players": stored.players,
        "moves": moves,
        "winner": outcome.winner if outcome is not None else None,
        "termination": str(outcome.termination) if outcome is not None else None,
        **told,
    }


def _replay(say: Translator) -> click.Command:
    def replay(id: str, review: bool, svg: Path | None, as_json: bool) -> None:  # noqa: A002
        from noughts.interfaces.console.replay import show_replay, write_picture

        stored = _find_game(id)
        found = _review(stored, say) if review else None
        if svg is not None:
            write_picture(stored, svg, say, found)
        if as_json:
            print_json({**_record_as_json(stored), **(found.as_json() if found is not None else {})})
        elif svg is None:
            show_replay(stored, say, found)

    picture = click.Path(path_type=Path, dir_okay=False)
    return command(
        say,
        "replay",
        replay,
        click.Argument(["id"]),
        option(say, "--review", is_flag=True),
        option(say, "--svg", type=picture, metavar="FILE"),
        json_option(say),
    )


def _record_as_json(stored: "StoredGame") -> dict[str, Any]:
    """The record of a kept game with its number, which is null for one from a file."""
    from noughts.arena.store.store import record_of
    from noughts.records.record import format_record

    stored.replay()  # raises what is wrong with it
    return {"id": stored.id or None, **json.loads(format_record(record_of(stored)))}


def _export(say: Translator) -> click.Command:
    def export(id: str, file: Path) -> None:  # noqa: A002
        from noughts.interfaces.console.replay import write_game

        write_game(_find_game(id), file, say)

    written = click.Argument(["file"], type=Parsed(_parse_written, "usage-export"))
    return command(say, "export", export, click.Argument(["id"]), written)


def _parse_written(name: str) -> Path:
    from noughts.interfaces.console.replay import FILES, PICTURE

    path = Path(name)
    if path.suffix.lower() not in (*FILES, PICTURE):
        raise ValueError(name)
    return path


def _find_game(called: str) -> "StoredGame":
    """The kept game with this number, or the one in this file."""
    from noughts.interfaces.console.replay import FILES, read_game

    if called.isascii() and called.isdigit() and len(called) < 19:
        with store_to_read() as store:
            if store is not None:
                return store.load(int(called))
    elif Path(called).suffix.lower() in FILES:
        return read_game(Path(called))
    raise NotFound("record", called)


def _review(stored: "StoredGame", say: Translator) -> "ReviewTold":
    """What there is to say of a kept game."""
    from noughts.interfaces.cli.searching import review_game
    from noughts.interfaces.presenting.reviewing import ReviewTold

    game = stored.replay().game
    return ReviewTold(game, review_game(game, say), stored.players)


# Counting


def _perft(say: Translator) -> click.Command:
    def perft_command(depth: int, game: str, as_json: bool) -> None:
        from noughts.games.catalogue import name_of, new_game
        from noughts.games.perft import perft

        started = new_game(game)
        counts = perft(started, depth)
        nodes = counts[-1] if counts else 1
        if as_json:
            print_json({"game": name_of(started), "depth": depth, "nodes": nodes, "counts": counts})
            return
        for length, count in enumerate(counts, 1):
            print(f"{length:>3}  {count}")
        sys.stdout.flush()

    return command(
        say,
        "perft",
        perft_command,
        click.Argument(["depth"], type=whole_number(0, MAX_PERFT)),
        click.Argument(["game"], default="tictactoe"),
        json_option(say),
    )
