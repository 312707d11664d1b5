"""The location of the database, set by options and the environment."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.arena.store.database_urls import parse_url
from noughts.errors import StoreError
from noughts.interfaces.cli.main import run
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.settings import database_url, default_database_url
from noughts.records.folders import config_folder

HOME = {"HOME": "/home/ada"}


def test_option_precedes_variable_and_default() -> None:
    environ = {**HOME, "NOUGHTS_DB": "sqlite:///variable.db"}
    assert database_url("sqlite:///option.db", environ) == "sqlite:///option.db"
    assert database_url(None, environ) == "sqlite:///variable.db"
    assert database_url(None, {**HOME, "NOUGHTS_DB": ""}) == database_url(None, HOME)
    assert database_url(None, HOME) == default_database_url(HOME)


@pytest.mark.skipif(sys.platform == "win32", reason="paths are written in another way there")
@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", HOME, "/home/ada/.local/share/noughts"),
        ("linux", {**HOME, "XDG_DATA_HOME": "/data"}, "/data/noughts"),
        ("linux", {**HOME, "XDG_DATA_HOME": "data"}, "/home/ada/.local/share/noughts"),
        ("linux", {**HOME, "XDG_DATA_HOME": ""}, "/home/ada/.local/share/noughts"),
        ("darwin", HOME, "/home/ada/Library/Application Support/noughts"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/noughts"),
        ("win32", {"USERPROFILE": "/users/ada"}, "/users/ada/AppData/Local/noughts"),
    ],
)
def test_data_folder_depends_on_platform(platform: str, environ: dict[str, str], folder: str) -> None:
    assert parse_url(default_database_url(environ, platform)).file == f"{folder}/games.db"


@pytest.mark.skipif(sys.platform == "win32", reason="paths are written in another way there")
@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", HOME, "/home/ada/.config/noughts"),
        ("linux", {**HOME, "XDG_CONFIG_HOME": "/etc/ada"}, "/etc/ada/noughts"),
        ("linux", {**HOME, "XDG_CONFIG_HOME": "etc"}, "/home/ada/.config/noughts"),
        ("linux", {**HOME, "XDG_CONFIG_HOME": ""}, "/home/ada/.config/noughts"),
        ("darwin", HOME, "/home/ada/Library/Application Support/noughts"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/noughts"),
        ("win32", {"USERPROFILE": "/users/ada"}, "/users/ada/AppData/Roaming/noughts"),
    ],
)
def test_config_folder_depends_on_platform(platform: str, environ: dict[str, str], folder: str) -> None:
    assert str(config_folder(environ, platform)) == folder


def test_home_folder_is_found_without_variables() -> None:
    path = parse_url(default_database_url({}, "linux")).file
    assert path == str(Path(os.path.expanduser("~"), ".local/share/noughts/games.db"))


@pytest.mark.parametrize(
    "path",
    [
        "games.db",
        "./games.db",
        "/tmp/a b+c%41?#&é井🙂.db",
        "noughts",
        "a:b.db",
        "C:\\Users\\Ada\\games.db",
        "postgres.db",
    ],
)
def test_database_url_accepts_a_path(path: str) -> None:
    assert parse_url(database_url(path, {})).file == path
    assert database_url(None, {"NOUGHTS_DB": path}) == database_url(path, {})


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1))
def test_any_path_is_accepted_or_refused(path: str) -> None:
    try:
        url = database_url(f"./{path}", {})
    except StoreError:
        assert path[-1] in "/\\"
    else:
        assert "://" in path or parse_url(url).file == f"./{path}"


def test_database_url_expands_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "expanduser", lambda path: path.replace("~", "/home/ada"))
    assert database_url("~/games.db", {}) == "sqlite:////home/ada/games.db"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "games/",
        "games\\",
        "a\nb.db",
        "a\0b",
        "\ud800",
        "sqlite:games.db",
        "postgresql:noughts",
        "File:/x.db",
    ],
)
def test_database_url_refuses_other_text(text: str) -> None:
    with pytest.raises(StoreError) as refused:
        database_url(text, {})
    assert (refused.value.where, refused.value.reason) == (
        text if text.strip() else repr(text),
        "not-a-path-or-url",
    )


@pytest.mark.parametrize("arguments", [("scores",), ("history", "--json"), ("replay", "1")])
def test_reading_creates_no_database(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """A database that does not exist counts as empty, and reading creates no file."""
    path = tmp_path / "folder" / "games.db"
    assert run([*arguments, "--db", str(path)], Translator("en")) == (2 if "replay" in arguments else 0)
    assert list(tmp_path.iterdir()) == []
