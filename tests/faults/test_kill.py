"""A kill of the server, at any instant or between receiving and acknowledging, loses no acknowledged move."""

from pathlib import Path

import pytest

from tests.faults.kill import Report, kill_at_points, kill_at_random
from tests.faults.servers import Launcher
from tests.faults.target import POINTS
from tests.running import run

pytestmark = pytest.mark.slow

KILLS = 3


def test_kill_at_random_instants(launcher: Launcher, tmp_path: Path) -> None:
    report = Report()
    run(kill_at_random(launcher, tmp_path, KILLS, "test", report))
    assert report.kills > KILLS
    assert report.acknowledged > 0


def test_kill_at_each_point(launcher: Launcher, tmp_path: Path) -> None:
    report = Report()
    run(kill_at_points(launcher, tmp_path, POINTS, 5, "test", report))
    assert report.kills == 2 + len(POINTS)
