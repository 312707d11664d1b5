"""Click that speaks our languages: help pages and errors from the message catalogues."""

import re
from collections.abc import Callable
from typing import Any

import click

from noughts.interfaces.cli.help_pages import HelpPage
from noughts.interfaces.presenting.i18n import Translator


class _Context(click.Context):
    formatter_class = HelpPage


class _Speaking:
    """What our commands and groups share: every word of their help comes from the catalogues."""

    say: Translator

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        said = {"[OPTIONS]": "help-options-piece", "[COMMAND] [ARGS]...": "help-command-piece"}
        return [self.say(said[piece]) if piece in said else piece for piece in pieces]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = self.collect_usage_pieces(ctx)
        formatter.write_text(self.say("help-usage") + " ".join([ctx.command_path, *pieces]))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]  # type: ignore[attr-defined]
        records = [record for option in options if (record := option.get_help_record(ctx))]
        if records:
            with formatter.section(self.say("help-options")):
                formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option: click.Option | None = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = self.say("help-help")
        return option


class SpeakingCommand(_Speaking, click.Command):
    """A command whose help is translated."""

    context_class = _Context

    def __init__(self, *args: Any, say: Translator, **kwargs: Any) -> None:
        self.say = say
        super().__init__(*args, **kwargs)


class SpeakingGroup(_Speaking, click.Group):
    """A group whose help is translated."""

    context_class = _Context

    def __init__(self, *args: Any, say: Translator, **kwargs: Any) -> None:
        self.say = say
        super().__init__(*args, **kwargs)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, command.help or "") for name, command in commands if command is not None]
        with formatter.section(self.say("help-commands")):
            formatter.write_dl(rows)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class WholeNumber(click.ParamType[int]):
    """An integer from *first* to *last*, written in ASCII digits."""

    name = "whole number"

    def __init__(self, first: int | None = None, last: int | None = None) -> None:
        self.first, self.last = first, last

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number; click.BadParameter where it is none."""
        text = str(value)
        number = int(text) if re.fullmatch("-?[0-9]{1,18}", text) else None
        low = self.first is not None and number is not None and number < self.first
        if number is None or low or (self.last is not None and number > self.last):
            raise click.BadParameter(text, param=param, ctx=ctx)
        return number


class Seconds(click.ParamType[float]):
    """A number of seconds, not negative, written in ASCII digits."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number; click.BadParameter where it is none."""
        text = str(value)
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}", text):
            raise click.BadParameter(text, param=param, ctx=ctx)
        return float(text)


class Checked(click.ParamType[str]):
    """Text that *check* does not refuse with ValueError; *accepted* is the id of what it accepts."""

    name = "text"

    def __init__(self, check: Callable[[str], object], accepted: str) -> None:
        self._check, self.accepted = check, accepted

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it is; click.BadParameter where it is refused."""
        try:
            self._check(str(value))
        except ValueError:
            raise click.BadParameter(str(value), param=param, ctx=ctx) from None
        return str(value)


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
    match kind:
        case click.Choice():
            return say("answer-one-of", choices=list(map(str, kind.choices)))
        case WholeNumber() if kind.last is not None:
            return say("usage-whole-number-range", first=kind.first, last=kind.last)
        case WholeNumber():
            return say("usage-whole-number")
        case Seconds():
            return say("usage-seconds")
        case Checked():
            return say(kind.accepted)
    return say("usage-unusable")
