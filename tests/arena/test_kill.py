"""A kill of the program at any instant loses no acknowledged move and no score."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from noughts.arena.series import Score
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.store import resume_series
from noughts.arena.stored_game import StoredGame
from tests.arena.kill_target import SERIES
from tests.databases import url_of
from tests.stand_ins import open_series

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="only POSIX systems kill without asking"
)

KILLS_EACH = 10
"""The number of kills while the program writes one database."""

ENDLESS = 10**6
MAX_AT_ONCE = 2
"""The maximum number of events of one command: a move and the end."""

Kept = dict[int, int]
"""The newest acknowledged version of each game."""


class Target:
    """The program to be killed. Each run is a child of one process that has imported everything."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.arena.kill_target"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, path: Path, seed: int, saved: Kept, games: int) -> int:
        """Run it undisturbed for *games* games and return its exit status."""
        self._begin(path, seed, games)
        return self._wait(saved)

    def kill(self, path: Path, seed: int, saved: Kept, after: int, delay: float) -> None:
        """Start it, and kill it *delay* seconds after it has acknowledged *after* events."""
        child = self._begin(path, seed, ENDLESS)
        for _ in range(after):
            words = self._read()
            assert words[0] == "kept", "the program ended by itself"
            self._note(words, saved)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        assert self._wait(saved) == -signal.SIGKILL

    def close(self) -> None:
        self._process.communicate()

    def _begin(self, path: Path, seed: int, games: int) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{url_of(path)} {seed} {games}\n")
        self._process.stdin.flush()
        word, child = self._read()
        assert word == "child"
        return int(child)

    def _wait(self, saved: Kept) -> int:
        while (words := self._read())[0] == "kept":
            self._note(words, saved)
        assert words[0] == "gone"
        return int(words[1])

    def _read(self) -> list[str]:
        assert self._process.stdout is not None
        words = self._process.stdout.readline().split()
        assert words, "the program that forks has ended"
        return words

    @staticmethod
    def _note(words: list[str], saved: Kept) -> None:
        game, version = int(words[1]), int(words[2])
        assert version == saved[game] + 1 or saved[game] == 0, "acknowledged once, in order"
        saved[game] = version


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    target = Target()
    yield target
    target.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [*range(4), *(pytest.param(number, marks=pytest.mark.weekly) for number in range(4, 100))]
)
def test_kill_loses_no_acknowledged_event(target: Target, tmp_path: Path, number: int) -> None:
    chance = Random(f"kill {number}")
    path, saved = tmp_path / "games.db", defaultdict[int, int](int)
    for kill in range(KILLS_EACH):
        making = kill == 0
        after = 0 if making else chance.randrange(25)
        delay = chance.uniform(0, 0.2 if making else 0.005)
        target.kill(path, chance.randrange(2**32), saved, after, delay)
        if path.exists():
            # Every other check is on a copy, so that the next run finds the file as the killed one left it.
            _check(path if kill % 2 else _copy(path, tmp_path / f"copy {kill}"), saved)
        else:
            assert not saved
    _check_goes_on(target, path, saved)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _copy(path: Path, folder: Path) -> Path:
    folder.mkdir()
    shutil.copy(path, folder)
    wal = path.with_name(f"{path.name}-wal")
    if wal.exists():
        shutil.copy(wal, folder)
    return folder / path.name


def _check(path: Path, saved: Kept) -> None:
    """Check that acknowledged events exist once, games are legal, and the scores match."""
    with contextlib.closing(open_database(url_of(path))) as store:
        games = list(store.games())  # reading checks the digests
        assert set(saved) <= {stored.id for stored in games}
        unacknowledged = 0
        for stored in games:
            count = len(stored.events)
            assert [event.version for event in stored.events] == list(range(1, count + 1))
            assert count >= saved[stored.id]
            unacknowledged += count - saved[stored.id]
            saved[stored.id] = count
        assert unacknowledged <= MAX_AT_ONCE
        _check_scores(store, games)


def _check_scores(store: Database, games: list[StoredGame]) -> None:
    wins: Counter[str] = Counter()
    results = 0
    for stored in games:
        outcome = stored.replay().game.outcome  # by the rules, not by the stored end
        assert (outcome is None) == (stored.result is None), "a game that is over has its end"
        if outcome is not None:
            results += 1
            wins.update([stored.setup.seats[outcome.winner]] if outcome.winner else [])
    if open_series(store) is not None:
        scores: tuple[Score, ...] = resume_series(store, 1).scores()
        assert {score.name: score.wins for score in scores} == {name: wins[name] for name in SERIES.players}
        assert sum(score.games for score in scores) == 2 * results


def _check_goes_on(target: Target, path: Path, saved: Kept) -> None:
    """Check that the next run ends the interrupted game and continues the series."""
    with contextlib.closing(open_database(url_of(path))) as store:
        results = store.results()
    assert target.run(path, 1, saved, len(results) + 3) == 0
    _check(path, saved)
    with contextlib.closing(open_database(url_of(path))) as store:
        assert open_series(store) == (1, SERIES)
        assert [game.setup.series for game in store.games() if game.result is None] == []
        after = store.results()
        assert len(after) - len(results) in (3, 4)
        assert after[: len(results)] == results
    assert {file.name for file in path.parent.iterdir() if file.is_file()} == {path.name}
