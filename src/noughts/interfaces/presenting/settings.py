"""What the environment decides: where the games are kept, and where what a person has chosen."""

import os
import sys
from collections.abc import Mapping
from urllib.parse import quote

from noughts.errors import StoreError
from noughts.records.folders import data_folder

VARIABLE = "NOUGHTS_DB"
FILE = "games.db"


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


def _file_url(text: str) -> str:
    """The URL of the file that *text* names."""
    path = os.path.expanduser(text)
    scheme = path.partition(":")[0].partition("+")[0].lower()
    is_url_cut_short = ":" in path and scheme in ("sqlite", "postgres", "postgresql", "mysql", "file")
    if not path.strip() or is_url_cut_short or path[-1] in "/\\" or not path.isprintable():
        raise StoreError(text if text.strip() else repr(text), "not-a-path-or-url")
    return "sqlite:///" + quote(path, safe="/\\:")
