"""Fixtures of the interface tests."""

from pathlib import Path

import pytest

from noughts.interfaces.presenting import hints
from noughts.search.analysis import Limit
from tests.interfaces.harness import Program, forget_settings


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return the program with a data folder of its own."""
    return Program(tmp_path)


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget_settings(monkeypatch, tmp_path)


@pytest.fixture(autouse=True)
def _quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit hints to a few nodes, so that they are the same on every machine."""
    monkeypatch.setattr(hints, "HINT_LIMIT", Limit(nodes=300))
    monkeypatch.setattr(hints, "PUZZLE_LIMIT", Limit(nodes=20_000))
    monkeypatch.setattr(hints, "GLANCE_LIMIT", Limit(nodes=100))
