"""The command ``config``, which shows and changes the user's settings."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from noughts.arena.store.database_urls import parse_url
from noughts.errors import BadInput, FileRefused, NotFound, StoreError, system_reason
from noughts.interfaces.cli.localized_click import command, json_option, print_json
from noughts.interfaces.console.tables import table_of_texts, table_width
from noughts.interfaces.presenting.i18n import LANGUAGES, ReadableError, Translator, match_language
from noughts.interfaces.presenting.players import person_name
from noughts.interfaces.presenting.preferences import MAX_DATABASE, load_preferences, write_preferences
from noughts.interfaces.presenting.settings import (
    DEFAULT_THEME,
    SETTINGS,
    UserSetting,
    check_setting,
    database_url,
    default_database_url,
    find_setting,
    read_settings,
    settings_file,
)
from noughts.interfaces.presenting.terminal_capabilities import has_unicode


def _values(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the values of the setting in *context* that begin with *incomplete*."""
    setting = context.params.get("setting")
    choices = LANGUAGES if setting == "language" else SETTINGS[setting].choices if setting in SETTINGS else ()
    return [choice for choice in choices if choice.startswith(incomplete)]


@command(epilog="help-config-more")
@click.argument("setting", required=False)
@click.argument("value", required=False, shell_complete=_values)
@click.option("--unset", is_flag=True)
@json_option
@click.pass_context
def config(
    context: click.Context, /, setting: str | None, value: str | None, unset: bool, as_json: bool
) -> int:
    """List the settings with their sources, or change one in the settings file."""
    say: Translator = context.obj
    if setting is None:
        _list(context, say, list(SETTINGS.values()), as_json)
        return 0
    if setting not in SETTINGS:
        raise NotFound("setting", setting, list(SETTINGS))
    if value is not None and unset:
        raise ReadableError(say("config-value-and-unset"))
    if value is not None or unset:
        try:
            read_settings()
        except FileRefused:
            raise ReadableError(say("config-not-changed", name=str(settings_file()))) from None
        _change(SETTINGS[setting], None if unset else value)
        return 0
    if as_json:
        _list(context, say, [SETTINGS[setting]], as_json)
    else:
        row = _row(context, say, SETTINGS[setting])
        if row["error"] is not None:
            raise ReadableError(row["error"])
        print(row["value"])
    return 0


def _list(context: click.Context, say: Translator, settings: list[UserSetting], as_json: bool) -> None:
    """Print *settings*: the name, the value and the source of each, and the path of the settings file.

    Values that cannot be used are also listed on standard error, with the reasons.
    """
    rows = [_row(context, say, setting) for setting in settings]
    if as_json:
        print_json({"file": str(settings_file()), "settings": rows})
        return
    sources = [
        say(f"config-from-{row['source']}", option=setting.option or "", variable=setting.variable)
        for row, setting in zip(rows, settings, strict=True)
    ]
    headings = [say(f"config-{heading}") for heading in ("setting", "value", "source")]
    cells = [(row["name"], row["value"] or "-", source) for row, source in zip(rows, sources, strict=True)]
    for line in table_of_texts(headings, cells, table_width(), [1]):
        print(line)
    print(say("config-file", name=str(settings_file())))
    for row, source in zip(rows, sources, strict=True):
        if row["error"] is not None:
            print(
                say("config-unusable", setting=row["name"], source=source, reason=row["error"]),
                file=sys.stderr,
            )


def _row(context: click.Context, say: Translator, setting: UserSetting) -> dict[str, Any]:
    """Return the name of *setting*, value and source, and why its value cannot be used."""
    option = context.find_root().meta.get(f"noughts.{(setting.option or '').lstrip('-')}")
    setting_value = find_setting(setting.name, option)
    row: dict[str, Any] = {"name": setting.name, "value": None, "source": setting_value.source, "error": None}
    try:
        row["value"] = _shown(
            say, setting, None if setting_value.value is None else _checked(setting, setting_value.value)
        )
    except (BadInput, StoreError) as error:
        row["error"] = say.error(error)
    return row


def _shown(say: Translator, setting: UserSetting, value: str | None) -> str:
    """Return *value* of *setting* as it is listed, or the default for None."""
    match setting.name:
        case "language":
            return say.language if value is None else value
        case "database":
            return parse_url(default_database_url() if value is None else database_url(value)).where
        case "signs":
            return "unicode" if has_unicode(sys.stdout, os.environ) else "ascii"
        case "theme":
            return value or DEFAULT_THEME
        case _:
            return value or say("default-name", number=1)


def _change(setting: UserSetting, value: str | None) -> None:
    """Store the *value* of *setting*, or remove the stored one if *value* is None.

    Raises :class:`~noughts.errors.BadInput` if the value cannot be used or the file cannot be written.
    """
    preferences = load_preferences()
    stored: Any = None if value is None else _checked(setting, value)
    if setting.key == "names":
        stored = (stored or "", *preferences.names[1:])
        stored = stored if any(stored) else ()
    try:
        write_preferences(replace(preferences, **{setting.key: stored}))
    except OSError as error:
        raise FileRefused(str(settings_file()), system_reason(error)) from error


def _checked(setting: UserSetting, value: str) -> str:
    """Return *value* as the settings file stores it. Raises :class:`~noughts.errors.BadInput`."""
    check_setting(setting, value)
    if setting.name == "name":
        return person_name(value)
    if setting.name == "database":
        parse_url(database_url(value))
        stored = value if "://" in value else str(Path(os.path.expanduser(value)).absolute())
        if len(stored) > MAX_DATABASE:
            raise StoreError(value, "not-a-path-or-url")
        return stored
    if setting.name == "language":
        language = match_language(value)
        if language is None:
            raise NotFound("language", value, list(LANGUAGES))
        return language
    return value
