"""A short form of what is run for hours: no command fails, and the books are right."""

from pathlib import Path

import pytest

from tests.faults.soak import soak
from tests.running import run

pytestmark = pytest.mark.slow


def test_a_moment_of_a_long_time(tmp_path: Path) -> None:
    assert run(soak(tmp_path, 4, 0.5, games=50)).startswith("4 minutes")
