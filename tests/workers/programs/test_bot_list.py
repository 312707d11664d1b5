"""The list of bots: saved bots are loaded, and invalid files are refused."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noughts.errors import FileRefused, NameRefused
from noughts.workers.programs.bot_list import MAX_BYTES, PROTOCOLS, Bot, bots_file, load_bots, save_bots

TEXT = st.text(st.characters(codec="utf-8").filter(str.isprintable), max_size=20)
NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", fullmatch=True)
BOTS = st.builds(
    Bot,
    NAMES,
    st.builds(lambda first, others: (first + "x", *others), TEXT, st.lists(TEXT, max_size=2)),
    st.sampled_from(PROTOCOLS),
    st.booleans(),
    st.dictionaries(TEXT, TEXT, max_size=3),
    st.integers(0, 10_000),
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(BOTS, max_size=3))
def test_saved_bots_are_loaded(tmp_path: Path, bots: list[Bot]) -> None:
    saved = {bot.name: bot for bot in bots}
    save_bots(saved, tmp_path / "deep" / "bots.toml")
    assert load_bots(tmp_path / "deep" / "bots.toml") == saved


def test_missing_file_has_no_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_bots() == {}
    bot = Bot("a", ("b",))
    save_bots({"a": bot})
    assert load_bots() == {"a": bot}
    assert bots_file().is_relative_to(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "no toml",
        "x = 1",
        "bots = 3",
        "[bots]\na = 1",
        "[bots.a]",
        "[bots.a]\ncommand = []",
        "[bots.a]\ncommand = [1]",
        '[bots.a]\ncommand = "word"\nmemory_mb = -1',
        '[bots.a]\ncommand = ["b"]\nprotocol = "uci"',
        '[bots.a]\ncommand = ["b"]\ntrust = 1',
        '[bots.a]\ncommand = ["b"]\noptions = {x = 1}',
        '[bots."a b"]\ncommand = ["b"]',
        '[bots.a]\ncommand = ["\\u001b"]',
        "\xff",
        "#" * (MAX_BYTES + 1),
        "x = " + "[" * 99_999,
    ],
)
def test_invalid_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bots.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FileRefused) as caught:
        load_bots(path)
    assert caught.value.reason == "no-bots"


def test_system_errors_are_named(tmp_path: Path) -> None:
    (tmp_path / "bots.toml").mkdir()
    with pytest.raises(FileRefused, match="is a folder"):
        load_bots(tmp_path / "bots.toml")
    (tmp_path / "file").touch()
    with pytest.raises(FileRefused):
        save_bots({}, tmp_path / "file" / "bots.toml")


def test_unknown_keys_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "bots.toml"
    path.write_text('[bots.a]\ncommand = ["b"]\nelo = 1200\n')
    assert load_bots(path) == {"a": Bot("a", ("b",))}


@pytest.mark.parametrize("name", ["", "a b", "-a", "x" * 33, "é", "a/b", "a:b"])
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(NameRefused):
        Bot(name, ("b",))


def test_long_words_are_refused() -> None:
    wrong: list[Any] = [("x" * 5000,), ("",), (os.linesep,)]
    for command in wrong:
        with pytest.raises(ValueError, match="a"):
            Bot("a", command)
