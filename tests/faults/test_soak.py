"""A short form of the run of several hours: no command fails, and the audit passes."""

from pathlib import Path

import pytest

from tests.faults.soak import soak
from tests.running import run

pytestmark = pytest.mark.slow


def test_soak_for_a_moment(tmp_path: Path) -> None:
    assert run(soak(tmp_path, 4, 0.5, games=50)).startswith("4 minutes")
