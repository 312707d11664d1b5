"""Click with translated help: the texts of commands come from the message catalogues."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click

from noughts.errors import DamagedStore, UnknownGame, nearest_name
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.settings import SETTINGS
from noughts.interfaces.presenting.terminal_capabilities import columns_of
from noughts.text import display_width, fit, narrow, wrap

if TYPE_CHECKING:  # Completions are needed only when a shell asks for them.
    from click.shell_completion import CompletionItem

COMPLETE_VARIABLE = "_NOUGHTS_COMPLETE"
"""The variable by which a shell requests completions.

Click defines its name.
"""

MAX_COLUMNS = 80
"""The maximum width of a help page."""


class HelpPage(click.HelpFormatter):
    """A help page wrapped by display width. Click counts characters, but Han characters take two columns."""

    def __init__(self, **_: object) -> None:
        columns = columns_of(sys.stdout, os.environ) or MAX_COLUMNS
        super().__init__(width=max(min(columns, MAX_COLUMNS) - 2, 50))

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for line in wrap(text, self.width - self.current_indent):
            self.write(f"{indent}{line}\n")

    def write_heading(self, heading: str) -> None:
        self.write(f"{' ' * self.current_indent}{heading}\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        first = min(max((display_width(term) for term, _ in rows), default=0), col_max) + col_spacing
        indent = " " * self.current_indent
        for term, text in rows:
            lines = wrap(text, max(self.width - first - self.current_indent, 20)) or [""]
            if display_width(term) + col_spacing > first:
                self.write(f"{indent}{term}\n")
                term = ""
            for begin, line in zip_longest([term], lines, fillvalue=""):
                self.write(f"{indent}{fit(begin, first)}{line}".rstrip() + "\n")


class _Context(click.Context):
    formatter_class = HelpPage


def _remember(context: click.Context, option: click.Parameter, value: str | None) -> None:
    """Store the *value* of an option that may come before or after the command."""
    if value is not None:
        context.find_root().meta[f"noughts.{option.name}"] = value


AS_TYPED = ("id", "names", "player", "value", "versus", "words")
"""Parameters that name people or files. In all others wide letters and digits become narrow."""

NAMES_OF_FILES = ("db", "id", "words")
"""Parameters of plain text that may name a file, so that shells complete file names."""


class NarrowText(click.types.FuncParamType[str, str]):
    """A text in narrow letters and digits, which shells complete from the values of its parameter."""

    def __init__(self) -> None:
        super().__init__(narrow)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem[str]]":
        """Return the values of *param* that begin with *incomplete*."""
        from click.shell_completion import CompletionItem

        values = _values_of(param.name or "")
        return [CompletionItem(value) for value in values if value.startswith(incomplete)]


class FileText(click.types.StringParamType):
    """A text that may name a file, which shells complete."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem[str]]":
        """Return the instruction to the shell to complete file names."""
        return click.Path().shell_complete(ctx, param, incomplete)


def _values_of(name: str) -> Iterable[str]:
    """Return the values of the parameter *name*, if they can be listed."""
    match name:
        case "lang":
            return LANGUAGES
        case "game":
            from noughts.games.catalogue import game_names

            return game_names()
        case "x" | "o" | "z":
            from noughts.arena.table import HUMAN
            from noughts.players.base import player_names

            return (HUMAN, *player_names())
        case "setting":
            return SETTINGS
    return ()


COMMON = [
    click.Option(["--lang"], metavar="LANG", expose_value=False, callback=_remember, type=NarrowText()),
    click.Option(["--db"], metavar="URL", expose_value=False, callback=_remember, type=FileText()),
]
"""The options that may come before or after the command. The language is read before all others."""


class LocalizedCommand(click.Command):
    """A command whose help comes from the catalogue of its context's translator."""

    context_class = _Context

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"context_settings": {"token_normalize_func": narrow}, **kwargs})
        for param in self.params:
            if param.type is click.STRING and param.name not in AS_TYPED:
                param.type = NarrowText()
            elif param.name in NAMES_OF_FILES:
                param.type = FileText()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            # Click leaves the context out, but the message names the help of the command.
            error.ctx = error.ctx or ctx
            raise

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_option = super().get_params(ctx)
        return [*own, *COMMON, help_option]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        say: Translator = ctx.obj
        piece_ids = {"[OPTIONS]": "help-options-piece", "[COMMAND] [ARGS]...": "help-command-piece"}
        pieces = [
            say(piece_ids[piece]) if piece in piece_ids else piece for piece in self.collect_usage_pieces(ctx)
        ]
        formatter.write_text(say("help-usage") + " ".join([ctx.command_path, *pieces]))
        _write_paragraph(formatter, say(f"help-{self.name}"))
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        with formatter.section(say("help-options")):
            formatter.write_dl(
                (record[0], help_of(option, say))
                for option in options
                if (record := option.get_help_record(ctx))
            )
        if isinstance(self, click.Group):
            with formatter.section(say("help-commands")):
                formatter.write_dl((name, say(f"help-{name}")) for name in self.list_commands(ctx))
        if self.epilog:  # The epilog is the id of a further text.
            _write_paragraph(formatter, say(self.epilog))


def help_of(option: click.Option, say: Translator) -> str:
    """Return the help of *option*. An option with a special meaning has a message of its own."""
    has_own = option.help is not None and option.help.startswith("help-option-")
    return say(option.help if has_own and option.help else f"help-option-{option.opts[0].lstrip('-')}")


def _write_paragraph(formatter: click.HelpFormatter, text: str) -> None:
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(text)


class LocalizedGroup(LocalizedCommand, click.Group):
    """A group of commands that are loaded when they are needed.

    *modules* maps the name of a command to its module in this package. The options of the command *usual* are
    accepted without its name.
    """

    def __init__(self, *args: Any, modules: dict[str, str], usual: str, **kwargs: Any) -> None:
        self._modules, self._usual = modules, usual
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, [*args])
        except click.NoSuchOption as error:
            usual = self.get_command(ctx, self._usual)
            if usual is None or not any(error.option_name in param.opts for param in usual.params):
                raise
            return super().parse_args(ctx, [self._usual, *args])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        """Return the commands and options that begin with *incomplete*, with a line of help for commands."""
        from click.shell_completion import CompletionItem

        say: Translator = ctx.obj
        commands = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=say(f"help-{name}").splitlines()[0]) for name in commands]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        module = import_module(f"{__package__}.{self._modules[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command


def commands_of(root: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Yield the name and the command of each command of the group of *root*, in the order of its help."""
    if isinstance(root.command, click.Group):
        for name in root.command.list_commands(root):
            if (one := root.command.get_command(root, name)) is not None:
                yield name, one


command = partial(click.command, cls=LocalizedCommand)
json_option = click.option("--json", "as_json", is_flag=True)


class ParsedText(click.ParamType[Any]):
    """A parameter converted by *parse*, which raises ValueError for unacceptable text.

    *accepted* is the id of the sentence about acceptable texts, *facts* fill its placeholders.
    """

    name = "text"

    def __init__(self, parse: Callable[[str], Any], accepted: str, **facts: object) -> None:
        self._parse, self.accepted, self.facts = parse, accepted, facts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the converted *value*. Raises click.BadParameter if it is refused."""
        try:
            return self._parse(narrow(value)) if isinstance(value, str) else value
        except ValueError:
            raise click.BadParameter(value, param=param, ctx=ctx) from None


def whole_number(first: int | None = None, last: int | None = None) -> ParsedText:
    """Return the type of an integer from *first* to *last* in ASCII digits."""

    def parse(text: str) -> int:
        number = int(_matching("-?[0-9]{1,18}", text))
        if (first is not None and number < first) or (last is not None and number > last):
            raise ValueError(text)
        return number

    if last is None:
        return ParsedText(parse, "usage-whole-number")
    return ParsedText(parse, "usage-whole-number-range", first=first, last=last)


def seconds() -> ParsedText:
    """Return the type of a number of seconds in ASCII digits that is not negative."""
    form = r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}"
    return ParsedText(lambda text: float(_matching(form, text)), "usage-seconds")


def _matching(form: str, text: str) -> str:
    if not re.fullmatch(form, text):
        raise ValueError(text)
    return text


def usage_sentence(error: click.ClickException, say: Translator) -> str:
    """Return one sentence about an error of click. It names the help of the command."""
    command = _command_of(error)
    match error:
        case click.NoSuchOption():
            sentence = say("usage-no-such-option", option=error.option_name)
            shown = [one for one in error.possibilities or () if one not in _hidden_options(error)]
            suggested = say.suggest(sentence, next(iter(shown), None))
            return say.joined([suggested, say("usage-options", command=command)])
        case click.MissingParameter():
            return say("usage-missing", what=_parameter_name(error.param), command=command)
        case click.BadOptionUsage():
            return say("usage-option-value", option=error.option_name, command=command)
        case click.BadParameter():
            return say("usage-bad-value", what=_parameter_name(error.param), reason=_accepted(error, say))
        case click.FileError():
            return say("usage-file", name=error.ui_filename)
        case click.exceptions.NoSuchCommand(ctx=click.Context(command=click.Group() as group) as context):
            names = group.list_commands(context)
            return say.suggest(
                say("usage-no-such-command", known=names), nearest_name(error.command_name, names)
            )
        case click.UsageError(ctx=click.Context()):
            return say("usage-too-many", command=command)
    return say("usage-unusable", command=command)


def _hidden_options(error: click.NoSuchOption) -> set[str]:
    """Return the options of the command that its help does not list."""
    options = [] if error.ctx is None else error.ctx.command.params
    return {name for one in options if isinstance(one, click.Option) and one.hidden for name in one.opts}


def _command_of(error: click.ClickException) -> str:
    """Return the words of the command that *error* is about."""
    context = getattr(error, "ctx", None)
    return "noughts" if context is None else str(context.command_path)


def _parameter_name(param: click.Parameter | None) -> str:
    if param is None:
        return "?"
    return (
        param.opts[0]
        if isinstance(param, click.Option)
        else param.make_metavar(click.Context(click.Command(""))).strip("[]")
    )


def _accepted(error: click.BadParameter, say: Translator) -> str:
    """Return a sentence about the values that the parameter accepts."""
    kind = error.param.type if error.param is not None else None
    if isinstance(kind, click.Choice):
        return say("answer-one-of", choices=list(map(str, kind.choices)))
    return (
        say(kind.accepted, **kind.facts)
        if isinstance(kind, ParsedText)
        else say("usage-unusable", command=_command_of(error))
    )


def print_json(value: Any) -> None:
    """Print one object on one line."""
    import json  # Help needs no JSON.

    print(json.dumps(value, ensure_ascii=False))


def print_damages(say: Translator, damages: Sequence[DamagedStore]) -> int:
    """Print the damage and the way to save intact games. Return the exit status."""
    for damage in damages:
        print_error(say.error(damage))
    if not all(isinstance(damage, UnknownGame) for damage in damages):
        print_error(say("repair-offered"))
    return int(bool(damages))
