"""Where the files of a person belong, as the environment decides."""

import os
from collections.abc import Mapping
from pathlib import Path

FOLDER = "noughts"


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
