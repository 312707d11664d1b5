"""Spectators see every move. The full form measures the delay."""

from pathlib import Path

import pytest

from tests.faults.spectators import look_on
from tests.running import run

pytestmark = pytest.mark.slow


def test_server_supports_a_hundred_spectators(tmp_path: Path) -> None:
    assert run(look_on(tmp_path, 100, 10)).startswith("100 who look on at 10 moves")
