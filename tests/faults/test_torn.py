"""Copies of a file during writes contain no other games than were played."""

from pathlib import Path

import pytest

from tests.faults.torn import copy_by_hand, lose_power

pytestmark = pytest.mark.slow


def test_partial_transaction_is_not_applied(tmp_path: Path) -> None:
    assert int(lose_power(tmp_path, 20, "test").split()[0]) > 10, "or nothing was cut short"


def test_copied_files_open_or_are_refused(tmp_path: Path) -> None:
    assert copy_by_hand(tmp_path, 20, "test").startswith("20 copies")
