"""After any kills and freezes, each game of a tournament counts once, and is the same as without them."""

from pathlib import Path

import pytest

from tests.faults.tournament import Report, disturb

pytestmark = pytest.mark.slow

KILLS = 4


def test_disturbed_tournament_counts_each_game_once(tmp_path: Path) -> None:
    report = Report()
    disturb(tmp_path, KILLS, "test", report, pairs=2)
    assert report.kills >= KILLS
    assert report.games > 0
