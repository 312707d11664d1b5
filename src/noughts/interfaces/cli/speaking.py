"""Click that speaks our languages: help pages and errors from the message catalogues."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import click

from noughts.interfaces.presenting.i18n import Translator
from noughts.text import display_width, wrap


class HelpPage(click.HelpFormatter):
    """A help page wrapped by display width: click counts characters, and Han ones take two columns."""

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
            lines = wrap(text, max(self.width - first - self.current_indent, 20))
            if display_width(term) + col_spacing > first:
                self.write(f"{indent}{term}\n")
                begin = " " * first
            else:
                begin = term + " " * (first - display_width(term))
            for line in lines or [""]:
                self.write(f"{indent}{begin}{line}".rstrip() + "\n")
                begin = " " * first


class _Context(click.Context):
    formatter_class = HelpPage


class SpeakingCommand(click.Command):
    """A command every word of whose help comes from the catalogues."""

    context_class = _Context

    def __init__(self, *args: Any, say: Translator, **kwargs: Any) -> None:
        self.say = say
        super().__init__(*args, **kwargs)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)
        said = {"[OPTIONS]": "help-options-piece", "[COMMAND] [ARGS]...": "help-command-piece"}
        return [self.say(said[piece]) if piece in said else piece for piece in pieces]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = self.collect_usage_pieces(ctx)
        formatter.write_text(self.say("help-usage") + " ".join([ctx.command_path, *pieces]))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = [record for option in options if (record := option.get_help_record(ctx))]
        if records:
            with formatter.section(self.say("help-options")):
                formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = self.say("help-help")
        return option


class SpeakingGroup(SpeakingCommand, click.Group):
    """A group whose help is translated."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, command.help or "") for name, command in commands if command is not None]
        with formatter.section(self.say("help-commands")):
            formatter.write_dl(rows)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class Parsed(click.ParamType[Any]):
    """What *parse* makes of a text, where it raises no ValueError.

    *accepted* is the id of the sentence that says what is accepted, *facts* are what fills it.
    """

    name = "text"

    def __init__(self, parse: Callable[[str], Any], accepted: str, **facts: object) -> None:
        self._parse, self.accepted, self.facts = parse, accepted, facts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What the text means; click.BadParameter where it is refused."""
        try:
            return self._parse(value) if isinstance(value, str) else value
        except ValueError:
            raise click.BadParameter(value, param=param, ctx=ctx) from None


def whole_number(first: int | None = None, last: int | None = None) -> Parsed:
    """An integer from *first* to *last*, written in ASCII digits."""

    def parse(text: str) -> int:
        number = int(_matching("-?[0-9]{1,18}", text))
        if (first is not None and number < first) or (last is not None and number > last):
            raise ValueError(text)
        return number

    if last is None:
        return Parsed(parse, "usage-whole-number")
    return Parsed(parse, "usage-whole-number-range", first=first, last=last)


def seconds() -> Parsed:
    """A number of seconds, not negative, written in ASCII digits."""
    form = r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}"
    return Parsed(lambda text: float(_matching(form, text)), "usage-seconds")


def _matching(form: str, text: str) -> str:
    if not re.fullmatch(form, text):
        raise ValueError(text)
    return text


def usage_sentence(error: click.ClickException, say: Translator) -> str:
    """One sentence for what click could not use."""
    match error:
        case click.NoSuchOption():
            return say(
                "usage-no-such-option", option=error.option_name, known=error.possibilities or ["--help"]
            )
        case click.MissingParameter():
            return say("usage-missing", what=_parameter_name(error.param))
        case click.BadOptionUsage():
            return say("usage-option-value", option=error.option_name)
        case click.BadParameter():
            return say("usage-bad-value", what=_parameter_name(error.param), reason=_accepted(error, say))
        case click.FileError():
            return say("usage-file", name=error.ui_filename)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        names = list(error.ctx.command.commands) if isinstance(error.ctx.command, click.Group) else []
        return say("usage-no-such-command" if names else "usage-too-many", known=names)
    return say("usage-unusable")


def _parameter_name(param: click.Parameter | None) -> str:
    if param is None:
        return "?"
    return (
        param.opts[0]
        if isinstance(param, click.Option)
        else param.make_metavar(click.Context(click.Command("")))
    )


def _accepted(error: click.BadParameter, say: Translator) -> str:
    """What the parameter accepts, as a sentence."""
    kind = error.param.type if error.param is not None else None
    if isinstance(kind, click.Choice):
        return say("answer-one-of", choices=list(map(str, kind.choices)))
    return say(kind.accepted, **kind.facts) if isinstance(kind, Parsed) else say("usage-unusable")
