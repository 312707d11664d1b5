"""Preferences are saved, and an unusable file counts as missing."""

import json
import os
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.arena.series import Begins
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.preferences import (
    MAX_NAMES,
    Preferences,
    load_preferences,
    save_preferences,
)
from noughts.interfaces.presenting.settings import MAX_BYTES, settings_file
from noughts.records import files

CHOSEN = Preferences(
    language="zh-Hant",
    theme="light",
    marks="ascii",
    database="/games.db",
    names=("Ada", "小明", "Élodie"),
    known=("Élodie", "Wei"),
    game="13x13:5,gravity",
    opponent="level:3",
    level=3,
    mark="O",
    begins="loser",
    clock="5+3",
    opening="swap2",
    solved=(3, 1),
)
"""A value for every field."""

NOTHING = Preferences()


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "configuration")}


def written(environ: dict[str, str], content: object) -> Preferences:
    """Return the preferences after another program has written *content*."""
    path = settings_file(environ, "linux")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return load_preferences(environ, "linux")


def test_saved_preferences_are_loaded(environ: dict[str, str], tmp_path: Path) -> None:
    assert all(getattr(CHOSEN, field.name) not in (None, ()) for field in fields(Preferences))
    assert save_preferences(CHOSEN, environ, "linux")
    assert load_preferences(environ, "linux") == CHOSEN
    assert settings_file(environ, "linux") == tmp_path / "configuration" / "noughts" / "settings.json"
    changed = replace(CHOSEN, names=(), theme=None, level=0)
    assert save_preferences(changed, environ, "linux")
    assert load_preferences(environ, "linux") == changed
    # No other file is left.
    assert os.listdir(tmp_path / "configuration" / "noughts") == ["settings.json"]


def test_every_choice_can_be_saved(environ: dict[str, str]) -> None:
    choices: list[Preferences] = [
        *(Preferences(language=language) for language in LANGUAGES),
        *(Preferences(theme=theme) for theme in ("light", "dark")),
        *(Preferences(marks=marks) for marks in ("unicode", "ascii")),
        *(Preferences(begins=begins) for begins in Begins),
    ]
    for chosen in choices:
        assert save_preferences(chosen, environ, "linux")
        assert load_preferences(environ, "linux") == chosen


def test_missing_file_means_no_choices(environ: dict[str, str], tmp_path: Path) -> None:
    assert load_preferences(environ, "linux") == NOTHING
    assert list(tmp_path.iterdir()) == []


def test_preferences_use_process_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HOME", "APPDATA", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert save_preferences(CHOSEN)
    assert load_preferences() == CHOSEN
    assert settings_file(os.environ, sys.platform).is_file()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b"[" * 20_000,
        b"null",
        b"[1, 2]",
        b'"names"',
        b"NaN",
        b"9" * 20_000,
        json.dumps({"theme": "light", "unknown": "x" * MAX_BYTES}).encode(),
    ],
)
def test_foreign_file_is_ignored(environ: dict[str, str], content: bytes) -> None:
    assert written(environ, content) == NOTHING


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "tlh"),
        ("language", 7),
        ("theme", "pink"),
        ("theme", None),
        ("marks", ["ascii"]),
        ("names", "Ada"),
        ("names", {"Ada": 1}),
        ("game", ""),
        ("game", "x" * 201),
        ("game", "\x1b[31mred"),
        ("opponent", True),
        ("level", "3"),
        ("level", True),
        ("level", 3.0),
        ("level", -1),
        ("level", 10**9),
        ("mark", 0),
        ("begins", "winner"),
        ("clock", [5, 3]),
        ("opening", "evil"),
    ],
)
def test_bad_field_keeps_the_others(environ: dict[str, str], field: str, value: object) -> None:
    assert save_preferences(CHOSEN, environ, "linux")
    stored = json.loads(settings_file(environ, "linux").read_text())
    result = written(environ, {**stored, field: value})
    assert result == replace(CHOSEN, **{field: getattr(NOTHING, field)})


def test_load_ignores_unknown_keys(environ: dict[str, str]) -> None:
    assert written(environ, {"theme": "dark", "password": "x", "__class__": "y"}) == Preferences(theme="dark")


def test_stored_names_are_checked_one_by_one(environ: dict[str, str]) -> None:
    names = [
        " Ada ",
        "",
        "a\x1b[2J",
        7,
        None,
        "\u202eevil",
        "Wei",
        "x" * 100,
        ["Bo"],
        "\ud800",
        "Computer (level 6)",
    ]
    assert written(environ, {"names": names}).names == ("Ada", "", "Wei")  # A place may have no name.
    many = [f"Player {number}" for number in range(MAX_NAMES + 5)]
    assert written(environ, {"names": many}).names == tuple(many[:MAX_NAMES])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.slow
@given(content=st.dictionaries(st.sampled_from([field.name for field in fields(Preferences)]), JSON))
def test_loaded_preferences_can_be_saved_again(
    content: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path_factory.getbasetemp() / "any"), "HOME": "/nowhere"}
    result = written(environ, content)
    assert save_preferences(result, environ, "linux")
    assert load_preferences(environ, "linux") == result


# Unwritable and unreadable files


@pytest.mark.parametrize("name", ["file", "nul\0"])
def test_failed_saving_returns_false(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("in the way")
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / name)}
    assert not save_preferences(CHOSEN, environ, "linux")
    assert load_preferences(environ, "linux") == NOTHING


def test_failed_saving_keeps_previous_file(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert save_preferences(CHOSEN, environ, "linux")

    def refuse(source: str, target: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", refuse)
    assert not save_preferences(NOTHING, environ, "linux")
    assert load_preferences(environ, "linux") == CHOSEN
    assert os.listdir(settings_file(environ, "linux").parent) == ["settings.json"]


def test_folder_instead_of_file_is_ignored(environ: dict[str, str]) -> None:
    settings_file(environ, "linux").mkdir(parents=True)
    assert load_preferences(environ, "linux") == NOTHING
    assert not save_preferences(CHOSEN, environ, "linux")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes among files here")
def test_pipe_instead_of_file_is_ignored(environ: dict[str, str]) -> None:
    path = settings_file(environ, "linux")
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert load_preferences(environ, "linux") == NOTHING


def test_unreadable_file_is_ignored(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert save_preferences(CHOSEN, environ, "linux")

    def refuse(*_: object) -> object:
        raise PermissionError(13, "not yours")

    monkeypatch.setattr(files, "open_to_read", refuse)
    assert load_preferences(environ, "linux") == NOTHING
