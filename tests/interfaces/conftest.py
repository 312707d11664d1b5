"""What the tests of the interfaces share."""

from pathlib import Path

import pytest

from tests.interfaces.harness import Program, forget_settings


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program with a data folder of its own."""
    return Program(tmp_path)


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget_settings(monkeypatch, tmp_path)
