"""A server that cannot open another file: players continue or are refused, and nothing is lost."""

from pathlib import Path

import pytest

from tests.faults.scarce import run_short
from tests.running import run

pytestmark = pytest.mark.slow


def test_server_survives_a_lack_of_files(tmp_path: Path) -> None:
    assert run(run_short(tmp_path, "files", 2)).startswith("2 times")
