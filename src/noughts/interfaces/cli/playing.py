"""The command ``play``."""

import gc
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from noughts.arena.series import Begins
from noughts.games.catalogue import canonical_name, new_game
from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.cli.database import open_store
from noughts.interfaces.cli.localized_click import command, whole_number
from noughts.interfaces.presenting.game_plan import DEFAULT_GAME, PlayOptions, read_names
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.terminal_capabilities import is_full_screen

if TYPE_CHECKING:
    from noughts.arena.match import Match
    from noughts.search.explain.review import Review

SHOWN_SEATS = ("x", "o", "z")
SEATS = (*SHOWN_SEATS, "y", "w", "v", "u", "t")
"""The seats, each an option of ``play``. Those of games with more than three sides are hidden."""


def _seat_options(play: Any) -> Any:
    """Add an option for each seat to *play*."""
    for name in reversed(SEATS):
        play = click.option(f"--{name}", metavar="WHO", hidden=name not in SHOWN_SEATS)(play)
    return play


@command(epilog="help-play-more")
@click.argument("game", required=False)
@_seat_options
@click.option("--names", metavar="A,B")
@click.option("--series", is_flag=True)
@click.option("--begins", type=click.Choice([rule.value for rule in Begins]), metavar="RULE")
@click.option("--opening", type=click.Choice([NO_OPENING, *OPENINGS]), metavar="NAME")
@click.option("--moves", metavar="MOVES")
@click.option("--games", type=whole_number(1, 1_000_000), metavar="N")
@click.option("--plain", is_flag=True)
@click.option("--cells", type=click.Choice(["0", "1"]), default="1")
@click.option("--seed", type=whole_number(), metavar="N")
@click.option("--keep", is_flag=True)
@click.pass_context
def play(context: click.Context, /, plain: bool, **chosen: Any) -> int:
    """Play in the full screen, or in lines."""
    say: Translator = context.obj
    options = _options_of(say, **chosen)
    streams = (sys.stdin, sys.stdout, sys.stderr)
    is_wanted = not plain and options.games is None
    if is_wanted and is_full_screen(*streams, environ=os.environ, platform=sys.platform):
        # Garbage collection would take a tenth of the start, and imported modules stay in memory.
        gc.disable()
        try:
            from noughts.interfaces.tui.app import start as start_full_screen

            return start_full_screen(options, say, open_store)
        finally:
            gc.enable()
    from noughts.interfaces.console.session import start

    def review(match: "Match") -> "Iterator[Review]":
        from noughts.interfaces.cli.analysing import review_match

        return review_match(match, say)

    return start(options, say, open_store, review)


def _options_of(
    say: Translator,
    game: str | None,
    moves: str | None,
    names: str | None,
    begins: str | None,
    cells: str,
    **chosen: Any,
) -> PlayOptions:
    """Return the options of ``play``.

    *chosen* has one option for each seat.
    """
    players = {name.upper(): chosen.pop(name) for name in SEATS}
    options = PlayOptions(
        game=None if game is None else canonical_name(game),
        who={side: player for side, player in players.items() if player is not None},
        names=None if names is None else read_names(names),
        begins=None if begins is None else Begins(begins),
        first=int(cells),
        **chosen,
    )
    return options if moves is None else _after(options, moves, say)


def _after(options: PlayOptions, moves: str, say: Translator) -> PlayOptions:
    """Return *options* with the position after *moves* as the start of the games."""
    from noughts.games.notation import format_position
    from noughts.interfaces.presenting.match_texts import play_texts

    name = options.game or DEFAULT_GAME
    game = new_game(name, seed=options.seed or 0)
    play_texts(say, game, moves, options.first)
    return replace(options, game=name, position=format_position(game))
