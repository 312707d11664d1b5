"""The commands ``completion`` and ``man``, for shells and manual pages."""

from collections.abc import Iterator

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from noughts import __version__
from noughts.interfaces.cli.localized_click import COMPLETE_VARIABLE, command, commands_of, help_of
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.settings import SETTINGS, settings_file

BASH_SCRIPT = r"""%(complete_func)s() {
    local IFS=$'\n' response completion type value prefix word i words=()

    # Bash breaks words at ":" and "=", as in level:3 and --lang=ru: join them, and complete the last piece.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ $word == [:=]* || ${COMP_WORDS[i - 1]} == *[:=] ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    prefix=${words[-1]}
    [[ $word == [:=]* ]] || prefix=${prefix%%"$word"}
    prefix=${prefix##*=}

    i=$((${#words[@]} - 1))
    response=$(env COMP_WORDS="${words[*]}" COMP_CWORD=$i %(complete_var)s=bash_complete "$1")
    for completion in $response; do
        IFS=, read -r type value <<< "$completion"
        case $type in
            dir) COMPREPLY=(); compopt -o dirnames ;;
            file) COMPREPLY=(); compopt -o default ;;
            plain) COMPREPLY+=("${value#"$prefix"}") ;;
        esac
    done
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
"""Click's script, extended to complete words that bash splits."""


class WholeWordBashComplete(BashComplete):
    """Completion in bash. The script of click does not complete words with ":" or "="."""

    source_template = BASH_SCRIPT


class WholeWordZshComplete(ZshComplete):
    """Completion in zsh. The script of click replaces ``--option=value`` by the value."""

    source_template = ZshComplete.source_template.replace(
        "    if [ -n",
        "    [[ ${words[CURRENT]} == --*=* ]] && "
        'completions=("${words[CURRENT]%%%%=*}="${^completions})\n\n    if [ -n',
        1,
    )


class WholeHelpFishComplete(FishComplete):
    """Completion in fish.

    The script of click ends the help of a command at its first comma, and does not complete
    ``--option=value``.
    """

    source_template = (
        FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')
        .replace(
            "    for completion",
            "    set -l option (string match -r '^--[^=]*=' -- (commandline -ct));\n\n    for completion",
            1,
        )
        .replace("echo $metadata[2]", 'echo "$option"$metadata[2]')
    )


SHELLS: dict[str, type[ShellComplete]] = {
    "bash": WholeWordBashComplete,
    "zsh": WholeWordZshComplete,
    "fish": WholeHelpFishComplete,
}

EXIT_STATUSES = (0, 1, 2, 130)


@command(epilog="help-completion-more")
@click.argument("shell", type=click.Choice(list(SHELLS)), metavar="SHELL")
@click.pass_context
def completion(context: click.Context, /, shell: str) -> int:
    """Print the script that completes commands, options and values in *shell*."""
    root = context.find_root()
    make = SHELLS[shell]
    print(make(root.command, {}, "noughts", COMPLETE_VARIABLE).source())
    return 0


@command(epilog="help-man-more")
@click.pass_context
def man(context: click.Context, /) -> int:
    """Print the manual page, which is built from the help of all commands."""
    print("\n".join(_page(context.find_root())))
    return 0


def _page(root: click.Context) -> Iterator[str]:
    """Yield the lines of the manual page in the language of *root*, in the format of ``man`` macros."""
    say: Translator = root.obj
    yield f'.TH NOUGHTS 1 "" "noughts {__version__}"'
    yield from _section(say("man-name"), rf"noughts \- {_text(say('man-summary'))}")
    yield from _section(say("man-synopsis"), rf"\fBnoughts\fR {_text(say('help-command-piece'))}")
    yield from _section(say("man-description"), _text(say("help-noughts")))
    yield from _options(root, say("man-options"), ".SH")
    yield from _section(say("man-commands"))
    for name, one in commands_of(root):
        context = click.Context(one, root, name)
        yield f".SS noughts {name}"
        pieces = " ".join(one.collect_usage_pieces(context)).replace("[OPTIONS]", say("help-options-piece"))
        yield from (rf"\fBnoughts {name}\fR {_text(pieces)}", ".PP", _text(say(f"help-{name}")))
        yield from _options(context, say("man-options"), ".PP")
        if one.epilog:
            yield from (".PP", _text(say(one.epilog)))
    yield from _section(say("man-environment"))
    for setting in SETTINGS.values():
        yield from _item(setting.variable, say("man-variable", name=setting.name))
    yield from _item("NO_COLOR", say("man-no-colour"))
    yield from _section(say("man-files"))
    yield from _item(str(settings_file()), say("man-settings-file"))
    yield from _section(say("man-exit-status"))
    for status in EXIT_STATUSES:
        yield from _item(str(status), say(f"man-exit-{status}"))


def _options(context: click.Context, heading: str, macro: str) -> Iterator[str]:
    """Yield the options of the command of *context* under *heading*."""
    yield f"{macro} {_text(heading)}" if macro == ".SH" else macro
    for option in context.command.get_params(context):
        if isinstance(option, click.Option) and (record := option.get_help_record(context)):
            yield from _item(record[0], help_of(option, context.obj))


def _section(heading: str, *lines: str) -> Iterator[str]:
    yield f".SH {_text(heading)}"
    yield from lines


def _item(term: str, text: str) -> Iterator[str]:
    yield from (".TP", rf"\fB{_text(term)}\fR", _text(text))


def _text(text: str) -> str:
    """Return *text* with the special characters of ``man`` escaped."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in escaped.splitlines())
