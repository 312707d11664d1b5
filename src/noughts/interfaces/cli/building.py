"""What commands are made of, and how they print."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from noughts.interfaces.cli.speaking import SpeakingCommand
from noughts.interfaces.presenting.i18n import Translator


def command(
    say: Translator, name: str, callback: Callable[..., Any], *params: click.Parameter
) -> SpeakingCommand:
    """The command *name* with its help from the catalogue."""
    more = say(f"help-{name}-more") if say.has(f"help-{name}-more") else None
    return SpeakingCommand(
        name, say=say, callback=callback, params=list(params), help=say(f"help-{name}"), epilog=more
    )


def option(say: Translator, *names: str, **facts: Any) -> click.Option:
    """An option with its help from the catalogue."""
    return click.Option(list(names), help=say(f"help-option-{names[0].lstrip('-')}"), **facts)


def json_option(say: Translator) -> click.Option:
    """The option ``--json``."""
    return click.Option(["--json", "as_json"], is_flag=True, help=say("help-option-json"))


def print_json(value: Any) -> None:
    """One object on one line."""
    print(json.dumps(value, ensure_ascii=False))


def print_error(sentence: str) -> None:
    """Write *sentence* to standard error, where there is one."""
    if sys.stderr is not None:  # a process may be started without it
        print(sentence, file=sys.stderr)


def chosen_database() -> str:
    """The URL of the database that ``--db``, the environment or the user's data folder names."""
    from noughts.interfaces.presenting.settings import database_url

    return database_url(click.get_current_context().find_root().meta.get("noughts.db"), os.environ)
