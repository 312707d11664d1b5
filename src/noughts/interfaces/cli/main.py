"""The command line: options before and after the command, one line for every mistake, the exit status."""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from noughts.errors import DamagedStore, NotationError, NotFound, NoughtsError, system_reason
from noughts.interfaces.cli.building import print_error
from noughts.interfaces.cli.commands import make_commands
from noughts.interfaces.cli.speaking import SpeakingGroup, usage_sentence
from noughts.interfaces.presenting.i18n import Reason, Translator, choose_language

DONE, NO, UNUSABLE = 0, 1, 2
"""Exit statuses: done; the answer is no, or a file is damaged; arguments or data that cannot be used."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program with *arguments* (those of the process if None) and exit."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        say = Translator(choose_language(find_option(arguments, "--lang"), os.environ))
    except NotFound as error:
        say = Translator(choose_language(None, {**os.environ, "NOUGHTS_LANG": ""}))
        sys.exit(_complain(say.error(error), UNUSABLE))
    sys.exit(run(arguments, say))


def run(arguments: Sequence[str], say: Translator) -> int:
    """Run the program in the language of *say* and return the exit status."""
    try:
        status = _invoke(make_command_line(say), arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        return _complain(usage_sentence(error, say), UNUSABLE)
    except NoughtsError as error:
        is_no_record = isinstance(error, NotationError) and error.what == "record"
        is_damage = is_no_record or isinstance(error, DamagedStore)
        return _complain(say.error(error), NO if is_damage else UNUSABLE)
    except (KeyboardInterrupt, click.Abort):
        return DONE
    except BrokenPipeError:
        _forget_output()
        return DONE
    except OSError as error:
        _forget_output()
        return _complain(say("output-unusable", reason=Reason(system_reason(error))), UNUSABLE)
    return status


def _invoke(command: click.Group, arguments: Sequence[str]) -> int:
    """Run *command*; click's own ``main`` would turn a broken pipe into an exit status of its own."""
    try:
        with command.make_context("noughts", list(arguments)) as context:
            status = command.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    return status if isinstance(status, int) else DONE


def _forget_output() -> None:
    """Whoever read our output has gone, or there is no room: Python would complain again at exit."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def make_command_line(say: Translator) -> click.Group:
    """All commands, speaking the language of *say*."""
    group = SpeakingGroup(
        "noughts", say=say, help=say("help-noughts"), invoke_without_command=True, params=common_options(say)
    )
    facts: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False}
    shows = click.Option(["--version"], help=say("help-version"), callback=_show_version, **facts)
    group.params.append(shows)
    for command in make_commands(say):
        command.params.extend(common_options(say))
        group.add_command(command)

    @click.pass_context
    def play_by_default(context: click.Context) -> None:
        if context.invoked_subcommand is None:
            context.exit(context.invoke(group.commands["play"]) or DONE)

    group.callback = play_by_default
    return group


def common_options(say: Translator) -> list[click.Parameter]:
    """The options that stand before or after the command. The language was read before all else."""
    return [
        click.Option(["--lang"], help=say("help-lang"), metavar="LANG", **_REMEMBERED),
        click.Option(["--db"], help=say("help-db"), metavar="URL", **_REMEMBERED),
    ]


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import version

        print(f"noughts {version('noughts')}")
        context.exit()


def _remember(context: click.Context, option: click.Parameter, value: str | None) -> None:
    """Keep the *value* of an option that may stand before or after the command."""
    if value is not None:
        context.find_root().meta[f"noughts.{option.name}"] = value


_REMEMBERED: dict[str, Any] = {"expose_value": False, "callback": _remember}


def find_option(arguments: Sequence[str], name: str) -> str | None:
    """The value of the option *name* wherever it stands, None where it does not.

    >>> find_option(["games", "--lang=ru"], "--lang")
    'ru'
    """
    value = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument.startswith(f"{name}="):
            value = argument.partition("=")[2]
        elif argument == name and place + 1 < len(arguments):
            value = arguments[place + 1]
    return value


def _complain(sentence: str, status: int) -> int:
    print_error(sentence)
    return status
