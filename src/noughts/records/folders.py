"""The folders of a user's files, which the environment chooses."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pathlib is slow to load, and help needs only the name of a file
    from pathlib import Path

FOLDER = "noughts"


def data_folder(environ: Mapping[str, str], platform: str) -> "Path":
    """Return the folder for the data of this program on *platform*."""
    from pathlib import Path

    return Path(
        _folder(environ, platform, ("LOCALAPPDATA", "AppData/Local"), ("XDG_DATA_HOME", ".local/share"))
    )


def config_folder(environ: Mapping[str, str], platform: str) -> "Path":
    """Return the folder for the settings of this program on *platform*."""
    from pathlib import Path

    return Path(config_path(environ, platform))


def config_path(environ: Mapping[str, str], platform: str) -> str:
    """Return the path of :func:`config_folder` as text."""
    return _folder(environ, platform, ("APPDATA", "AppData/Roaming"), ("XDG_CONFIG_HOME", ".config"))


def _folder(
    environ: Mapping[str, str], platform: str, windows: tuple[str, str], others: tuple[str, str]
) -> str:
    """Return the folder named by a variable of the platform. The default is in the home folder."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support", FOLDER)
    variable, usual = windows if platform == "win32" else others
    chosen = environ.get(variable, "")
    if platform != "win32" and not os.path.isabs(chosen):
        chosen = ""  # the standard demands that a relative path is ignored
    return os.path.join(chosen or os.path.join(home, usual), FOLDER)
