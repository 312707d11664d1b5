"""What the environment decides: where the games are kept, and where what a person has chosen."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from noughts.errors import StoreError

VARIABLE = "NOUGHTS_DB"
FILE = "games.db"
FOLDER = "noughts"


def database_url(option: str | None, environ: Mapping[str, str]) -> str:
    """The URL of the database: *option*, else ``NOUGHTS_DB``, else the file in the user's data folder.

    A path to a file is also accepted. Raises :class:`~noughts.errors.StoreError` for what is neither.

    >>> database_url("games.db", {})
    'sqlite:///games.db'
    >>> database_url(None, {"NOUGHTS_DB": "postgresql://localhost/noughts"})
    'postgresql://localhost/noughts'
    """
    given = option if option is not None else environ.get(VARIABLE) or None
    if given is None:
        return default_database_url(environ)
    if "://" in given:
        return given
    return _file_url(given)


def default_database_url(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """The URL of the SQLite file in the folder where *platform* keeps a user's data."""
    return _file_url(str(data_folder(environ, platform) / FILE))


def data_folder(environ: Mapping[str, str], platform: str) -> Path:
    """Where the data of this program belongs on *platform*."""
    return _folder(environ, platform, ("LOCALAPPDATA", "AppData/Local"), ("XDG_DATA_HOME", ".local/share"))


def config_folder(environ: Mapping[str, str], platform: str) -> Path:
    """Where what a person has chosen belongs on *platform*."""
    return _folder(environ, platform, ("APPDATA", "AppData/Roaming"), ("XDG_CONFIG_HOME", ".config"))


def _folder(
    environ: Mapping[str, str], platform: str, windows: tuple[str, str], others: tuple[str, str]
) -> Path:
    """The folder that a variable of the platform names, else the usual one in the user's own."""
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~"))
    if platform == "darwin":
        return home / "Library" / "Application Support" / FOLDER
    variable, usual = windows if platform == "win32" else others
    chosen = environ.get(variable, "")
    if platform != "win32" and not Path(chosen).is_absolute():
        chosen = ""  # the standard says that such a path is to be ignored
    return Path(chosen or home / usual) / FOLDER


def _file_url(text: str) -> str:
    """The URL of the file that *text* names."""
    path = os.path.expanduser(text)
    scheme = path.partition(":")[0].partition("+")[0].lower()
    is_url_cut_short = ":" in path and scheme in ("sqlite", "postgres", "postgresql", "mysql", "file")
    if not path.strip() or is_url_cut_short or path[-1] in "/\\" or not path.isprintable():
        raise StoreError(text if text.strip() else repr(text), "not-a-path-or-url")
    return "sqlite:///" + quote(path, safe="/\\:")
