"""Tests of the folders for a user's files on each platform."""

from pathlib import Path

import pytest

from noughts.records.folders import config_folder, data_folder

HOME = {"HOME": "/home/me"}


@pytest.mark.parametrize(
    ("platform", "environ", "data", "config"),
    [
        ("linux", {}, "/home/me/.local/share/noughts", "/home/me/.config/noughts"),
        (
            "linux",
            {"XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "not/absolute"},
            "/data/noughts",
            "/home/me/.config/noughts",
        ),
        ("darwin", {}, *["/home/me/Library/Application Support/noughts"] * 2),
        ("win32", {}, "/home/me/AppData/Local/noughts", "/home/me/AppData/Roaming/noughts"),
        ("win32", {"LOCALAPPDATA": "C:/Local", "APPDATA": "C:/Own"}, "C:/Local/noughts", "C:/Own/noughts"),
    ],
)
def test_folders_follow_the_platform(platform: str, environ: dict[str, str], data: str, config: str) -> None:
    assert data_folder({**HOME, **environ}, platform) == Path(data)
    assert config_folder({**HOME, **environ}, platform) == Path(config)
