"""Whatever is killed or frozen, each game of a tournament is counted once, and is what it would have been."""

from pathlib import Path

import pytest

from tests.faults.tournament import Report, disturb

pytestmark = pytest.mark.slow

KILLS = 4


def test_a_tournament_that_is_disturbed_at_random_instants(tmp_path: Path) -> None:
    report = Report()
    disturb(tmp_path, KILLS, "test", report, pairs=2)
    assert report.kills >= KILLS
    assert report.games > 0
