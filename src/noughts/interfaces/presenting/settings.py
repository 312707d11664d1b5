"""The user's settings: each comes from an option, the environment, the settings file, or its default."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.errors import BadInput, FileRefused, NotFound, StoreError, system_reason
from noughts.records.folders import config_folder, config_path, data_folder
from noughts.text import check_name

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS_FILE = "settings.json"

MAX_BYTES = 65_536
"""The maximum size of a settings file, in bytes. A longer one is not read."""

DATABASE_FILE = "games.db"


DEFAULT_THEME = "dark"


@dataclass(frozen=True, slots=True)
class UserSetting:
    """A setting: its environment variable, its key in the settings file, its option, and its choices."""

    name: str
    variable: str
    key: str
    option: str | None = None
    choices: tuple[str, ...] = ()


SETTINGS = {
    setting.name: setting
    for setting in (
        UserSetting("language", "NOUGHTS_LANG", "language", "--lang"),
        UserSetting("theme", "NOUGHTS_THEME", "theme", choices=("light", "dark")),
        UserSetting("signs", "NOUGHTS_SIGNS", "marks", choices=("unicode", "ascii")),
        UserSetting("name", "NOUGHTS_NAME", "names"),
        UserSetting("database", "NOUGHTS_DB", "database", "--db"),
    )
}
"""All settings, in the order in which ``noughts config`` lists them."""


@dataclass(frozen=True, slots=True)
class SettingValue:
    """The ``value`` of a setting and its ``source``: option, environment, file, or default (value None)."""

    value: str | None
    source: str


def settings_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> "Path":
    """Return the path of the settings file."""
    return config_folder(environ, platform) / SETTINGS_FILE


def read_settings(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> dict[str, Any]:
    """Return the content of the settings file, empty if there is none.

    Raises :class:`~noughts.errors.FileRefused` for a file that cannot be read or is not a JSON object.
    """
    path = os.path.join(config_path(environ, platform), SETTINGS_FILE)
    if not os.path.exists(path):
        return {}
    import json  # Most people have no such file, and help must start quickly.

    from noughts.records.files import open_to_read

    try:
        with open_to_read(path) as file:
            content = file.read(MAX_BYTES + 1)
        settings = json.loads(content.decode("utf-8")) if len(content) <= MAX_BYTES else None
    except OSError as error:
        raise FileRefused(path, system_reason(error)) from error
    except (ValueError, RecursionError) as error:
        raise FileRefused(path, "not-settings") from error
    if not isinstance(settings, dict):
        raise FileRefused(path, "not-settings")
    return settings


def choose_setting(
    name: str,
    option: str | None = None,
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
) -> SettingValue:
    """Return the value of the setting *name* and its source.

    The order is *option*, environment, settings file, default. An unusable value in the file and an
    unreadable file count as the default. Raises :class:`~noughts.errors.BadInput` for an unusable environment
    variable. The callers check the language and the database.
    """
    setting, chosen = SETTINGS[name], find_setting(name, option, environ, platform)
    try:
        if chosen.value is not None and chosen.source != "option":
            check_setting(setting, chosen.value)
    except BadInput:
        if chosen.source == "environment":
            raise
        return SettingValue(None, "default")
    return chosen


def find_setting(
    name: str,
    option: str | None = None,
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
) -> SettingValue:
    """Return the unchecked value of the setting *name* and its source, in the order of ``choose_setting``."""
    setting = SETTINGS[name]
    if option is not None:
        return SettingValue(option, "option")
    if value := environ.get(setting.variable):
        return SettingValue(value, "environment")
    try:
        stored = read_settings(environ, platform).get(setting.key)
    except FileRefused:
        stored = None
    if isinstance(stored, list) and stored:
        stored = stored[0]
    return (
        SettingValue(stored, "file") if isinstance(stored, str) and stored else SettingValue(None, "default")
    )


def check_setting(setting: UserSetting, value: str) -> None:
    """Raise :class:`~noughts.errors.BadInput` unless *value* can be a value of *setting*."""
    if setting.choices and value not in setting.choices:
        raise NotFound(setting.name, value, setting.choices)
    if setting.name == "name":
        check_name(value)


def database_url(
    option: str | None, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> str:
    """Return the URL of the database.

    The default is a file in the user's data folder. A path to a file is also accepted. Raises
    :class:`~noughts.errors.StoreError` for any other text.

    >>> database_url("games.db", {})
    'sqlite:///games.db'
    >>> database_url(None, {"NOUGHTS_DB": "postgresql://localhost/noughts"})
    'postgresql://localhost/noughts'
    """
    value = choose_setting("database", option, environ, platform).value
    if value is None:
        return default_database_url(environ, platform)
    if "://" in value:
        return value
    return _file_url(value)


def default_database_url(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Return the URL of the SQLite file in the folder for user data of *platform*."""
    return _file_url(str(data_folder(environ, platform) / DATABASE_FILE))


def _file_url(text: str) -> str:
    """Return the URL of the file that *text* names."""
    path = os.path.expanduser(text)
    scheme = path.partition(":")[0].partition("+")[0].lower()
    is_url_cut_short = ":" in path and scheme in ("sqlite", "postgres", "postgresql", "mysql", "file")
    if not path.strip() or is_url_cut_short or path[-1] in "/\\" or not path.isprintable():
        raise StoreError(text if text.strip() else repr(text), "not-a-path-or-url")
    from urllib.parse import quote

    return "sqlite:///" + quote(path, safe="/\\:")
