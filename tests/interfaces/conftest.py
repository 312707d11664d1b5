"""What the tests of the interfaces share."""

from pathlib import Path

import pytest

from tests.interfaces.harness import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program with a data folder of its own."""
    return Program(tmp_path)


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of whoever runs the tests decides anything; the data folder is a temporary one."""
    for name in ("COLUMNS", "LINES", "NOUGHTS_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("NOUGHTS_DB", str(tmp_path / "games.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
