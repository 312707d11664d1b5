"""Moves without disk space are refused and never acknowledged. With space play continues."""

from pathlib import Path

import pytest

from tests.faults.disk import LimitedFiles, fill_again_and_again
from tests.running import run

pytestmark = pytest.mark.slow


def test_full_disk_loses_no_acknowledged_change(tmp_path: Path) -> None:
    received = run(fill_again_and_again(tmp_path, tmp_path, LimitedFiles(), 2, "test"))
    assert received.startswith("2 levels")
