"""The command line: common options, one line for every mistake, the exit status."""

import contextlib
import os
import sys
from collections.abc import Sequence

import click

from noughts import __version__
from noughts.errors import (
    DamagedFile,
    DamagedStore,
    FileRefused,
    NotationError,
    NotFound,
    NoughtsError,
    system_reason,
)
from noughts.interfaces.cli.localized_click import (
    COMPLETE_VARIABLE,
    LocalizedGroup,
    print_damages,
    usage_sentence,
)
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.presenting.damage import report_damage
from noughts.interfaces.presenting.i18n import SystemReason, Translator, choose_language
from noughts.interfaces.presenting.settings import read_settings

DONE, NO, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: done; negative answer or damaged file; unusable arguments or data; Ctrl-C without an answer.

The last is 128 plus the number of the signal, as in shells.
"""

MODULES = {
    "play": "playing",
    "join": "joining",
    "lobby": "joining",
    "identity": "identities",
    "games": "listing",
    "players": "listing",
    "bots": "bots",
    "scores": "history",
    "history": "history",
    "replay": "replaying",
    "export": "replaying",
    "repair": "database",
    "ratings": "ratings",
    "people": "people",
    "analyse": "analysing",
    "solve": "solving",
    "strategy": "strategies",
    "verify": "certificates",
    "puzzle": "puzzling",
    "serve": "serving",
    "engine": "engine",
    "tournament": "tournaments",
    "perft": "listing",
    "config": "config",
    "completion": "manual",
    "man": "manual",
}
"""The commands in the order of the help, with their modules."""


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
    if instruction := os.environ.get(COMPLETE_VARIABLE):
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(noughts, {"obj": say}, "noughts", COMPLETE_VARIABLE, instruction))
    try:
        read_settings()
    except FileRefused as error:
        print_error(say.joined([say.error(error), say("settings-ignored")]))
    sys.exit(run(arguments, say))


def run(arguments: Sequence[str], say: Translator) -> int:
    """Run the program in the language of *say* and return the exit status."""
    try:
        with report_damage(say, print_error):
            status = _invoke(arguments, say)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        return _complain(usage_sentence(error, say), UNUSABLE)
    except DamagedStore as error:
        return print_damages(say, [error])
    except NoughtsError as error:
        is_no_record = isinstance(error, NotationError) and error.what == "record"
        is_no = is_no_record or isinstance(error, DamagedFile)
        return _complain(say.error(error), NO if is_no else UNUSABLE)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return DONE
    except OSError as error:
        _forget_output()
        return _complain(say("output-unusable", reason=SystemReason(system_reason(error))), UNUSABLE)
    return status


def _invoke(arguments: Sequence[str], say: Translator) -> int:
    """Run the command. Click's own ``main`` would hide a broken pipe behind an exit status of its own."""
    try:
        with noughts.make_context("noughts", list(arguments), obj=say) as context:
            status = noughts.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    return status if isinstance(status, int) else DONE


def _forget_output() -> None:
    """Redirect standard output to nothing, so that Python does not report a broken pipe again at exit."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=LocalizedGroup, modules=MODULES, usual="play", invoke_without_command=True)
@click.version_option(__version__, message="noughts %(version)s")
@click.pass_context
def noughts(context: click.Context) -> None:
    """Run a command. Without a command, play a game."""
    if context.invoked_subcommand is None:
        from noughts.interfaces.cli.playing import play

        context.exit(context.invoke(play) or DONE)


def find_option(arguments: Sequence[str], name: str) -> str | None:
    """Return the value of the option *name* anywhere in *arguments*, or None if it is missing.

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
