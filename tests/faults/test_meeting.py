"""A kill during pairing, rating or a tournament loses no game, and counts none twice."""

import os
from pathlib import Path

import pytest

from tests.databases import url_of
from tests.faults.meeting import Report, kill_meetings
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]  # fixtures

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX systems fork"),
]

MANY = pytest.param(200, marks=pytest.mark.weekly)


@pytest.mark.parametrize("kills", [4, MANY])
def test_killed_worker_loses_no_meeting(tmp_path: Path, kills: int) -> None:
    report = Report()
    kill_meetings(url_of(tmp_path / "games.db"), 1, kills, "test", report)
    assert report.kills >= kills
    assert report.by_days > 0
    assert report.rounds > 0


@pytest.mark.parametrize("kills", [3, MANY])
def test_two_killed_workers_lose_no_meeting(postgres_url: str, kills: int) -> None:
    report = Report()
    kill_meetings(postgres_url, 2, kills, "test", report)
    assert report.kills >= kills
    assert report.rounds > 0
