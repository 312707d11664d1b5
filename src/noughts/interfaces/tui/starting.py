"""From the command line to the full screen and back to the terminal."""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from time import time_ns

from rich.color import ColorSystem
from rich.console import Console

from noughts.arena.store.store import Store
from noughts.interfaces.presenting.abilities import has_unicode
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.planning import Options, settled_plan
from noughts.interfaces.presenting.preferences import Preferences, load_preferences, save_preferences
from noughts.interfaces.tui.app import NoughtsApp, Surroundings, check_size
from noughts.workers.supervisor import ThinkingProcess

DONE = 0

PACE_SECONDS = 0.6
"""How long a computer's move takes at least."""

SYSTEMS = {
    "standard": ColorSystem.STANDARD,
    "256": ColorSystem.EIGHT_BIT,
    "truecolor": ColorSystem.TRUECOLOR,
    "windows": ColorSystem.STANDARD,
}


def start(
    options: Options, say: Translator, open_store: Callable[[], Store], *, speaks_by_choice: bool = False
) -> int:
    """Play in the full screen; return the exit status.

    With any seat taken in *options* it begins with the game, people having the others, else with the
    gallery. The language that was chosen there before is spoken unless one is chosen now
    (*speaks_by_choice*). Raises a :class:`~noughts.errors.NoughtsError` for options and databases that
    cannot be used.
    """
    if options.game is not None:
        check_size(options.game)
    preferences = load_preferences(os.environ, sys.platform)
    if preferences.language is not None and not speaks_by_choice:
        say = Translator(preferences.language)
    plan = settled_plan(options, say, at_once=True) if options.who else None
    with closing(open_store()) as store, closing(ThinkingProcess()) as thinker:
        # Now: processes cannot be started once Textual has put its own streams in place of ours.
        thinker.start()
        around = Surroundings(
            store=store,
            thinker=thinker,
            now=lambda: time_ns() // 1_000_000,
            preferences=preferences,
            asked=_preferring(preferences, options),
            remember=lambda chosen: save_preferences(chosen, os.environ, sys.platform),
            recall=lambda: load_preferences(os.environ, sys.platform),
            has_unicode=has_unicode(sys.stdout, os.environ),
            pace=PACE_SECONDS,
            keeps_all=options.keep,
            first=options.first,
            colours=_colours(),
        )
        app = NoughtsApp(say, around, plan)
        gc.freeze()  # what is imported stays; looking through it again and again would hold keys up
        app.run()
    for sentence in app.farewell:
        print(sentence)
    return app.return_code or DONE


def _preferring(preferences: Preferences, options: Options) -> Preferences:
    """What a person chose before, and over it what the command line says."""
    return replace(
        preferences,
        game=options.game or preferences.game,
        names=options.names or preferences.names,
        begins=options.begins or preferences.begins,
        opening=options.opening or preferences.opening,
    )


def _colours() -> ColorSystem | None:
    if os.environ.get("NO_COLOR"):
        return None
    os.environ.pop("NO_COLOR", None)  # empty, it means nothing; Textual would take it for a wish
    return SYSTEMS.get(Console(file=sys.__stderr__).color_system or "")
