"""Running games are broadcast from time to time, all together. No finished game depends on it."""

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.store.database import Database
from noughts.arena.tournament.broadcast import (
    AGAIN_SECONDS,
    MAX_BROADCAST,
    STALE_MS,
    Broadcast,
    RunningGame,
    RunningGames,
    broadcasting,
)
from noughts.arena.tournament.live_log import LiveLog, LiveLogs, new_live_logs
from noughts.arena.tournament.play import play_game
from noughts.arena.tournament.tournament_runner import TournamentRunner
from noughts.errors import StoreError
from tests.arena.tournament.stand_ins import ROUND, Inline, begin, find_again, play_missing
from tests.databases import new_database

NOW = 1_000


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(new_database(tmp_path / "games.db")) as database:
        yield database


class Later(Inline):
    """An executor that calls functions only on demand."""

    def __init__(self) -> None:
        self.calls: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls.append((Future(), fn, args))
        return self.calls[-1][0]

    def do(self, place: int) -> None:
        future, function, arguments = self.calls[place]
        future.set_result(function(*arguments))


def counted(games: RunningGames, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list of all later writes to *games*."""
    received: list[Any] = []
    monkeypatch.setattr(games, "write", lambda what, at: received.append(what))
    return received


def test_broadcast_shows_a_game_until_its_end(database: Database, tmp_path: Path) -> None:
    tournament, executor = begin(ROUND, database), Later()
    games, clock = RunningGames(database, tournament.number), iter(range(1_000))
    broadcast = Broadcast(games, LiveLogs(tmp_path), lambda: NOW, lambda: next(clock))
    rounds = iter(range(4))
    seen = []

    def stop() -> bool:
        seen.append(games.read(NOW))
        turn = next(rounds)
        if turn == 1:
            Path(executor.calls[0][2][0].log).write_text('[1,1,"move","X",{"move":"5"}]\n[2,')
        if turn == 2:
            executor.do(1)
        return turn == 3

    saved: list[int] = []
    TournamentRunner(tournament, executor, 2, lambda: 1, saved.extend, broadcast=broadcast).run(stop)
    assert seen[0] == []
    assert [(game.number, game.created, game.log, game.events()) for game in seen[1]] == [
        (1, 1, None, []),
        (2, 1, None, []),
    ]
    (event,) = seen[2][0].events()
    assert (event.side, event.data) == ("X", {"move": "5"})
    assert saved == [2]
    assert [game.number for game in seen[3]] == [1]
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("games")) == ["1"]
    assert play_missing(find_again(ROUND, database)) == [1, *range(3, ROUND.count + 1)]


def test_log_has_the_saved_events(database: Database, tmp_path: Path) -> None:
    task = replace(begin(ROUND, database).assignment(1, 1), log=LiveLogs(tmp_path).new())
    received = play_game(task, lambda: 5, lambda: 700)
    running = RunningGame(1, 1, LiveLogs.read(task.log), 1)
    assert [event.values for event in running.events()] == received
    assert running.behind == 699
    assert RunningGame(1, 1, "", 1).behind is None


@pytest.mark.parametrize("log", ["nowhere/1", None])
def test_unwritable_log_does_not_stop_a_game(database: Database, tmp_path: Path, log: str | None) -> None:
    path = None if log is None else str(tmp_path / log)
    assert play_game(replace(begin(ROUND, database).assignment(1, 1), log=path))[-1][2] == "end"
    assert LiveLogs.read(path) is None


def test_broadcast_limits_its_writes(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(ROUND, database)
    games, seconds = RunningGames(database, tournament.number), [0.0]
    received = counted(games, monkeypatch)
    broadcast = Broadcast(games, LiveLogs(tmp_path), lambda: NOW, lambda: seconds[0])
    task = broadcast.begin(tournament.assignment(1, 1))
    log = LiveLog(task.log)
    for instant, written, count in (
        (0.0, False, 1),
        (0.5, True, 1),
        (1.0, False, 2),
        (2.0, False, 2),
        (1.0 + AGAIN_SECONDS, False, 3),
    ):
        seconds[0] = instant
        if written:
            log.write([[1]])
        broadcast.update()
        assert len(received) == count
    log.close()


def test_broadcast_keeps_places_and_limits_games(database: Database, tmp_path: Path) -> None:
    tournament = begin(ROUND, database)
    games, clock = RunningGames(database, tournament.number), iter(range(10))
    broadcast = Broadcast(games, LiveLogs(tmp_path), lambda: NOW, lambda: next(clock))
    tasks = [
        broadcast.begin(tournament.assignment(1 + number % 12, 1)) for number in range(MAX_BROADCAST + 1)
    ]
    broadcast.update()
    assert [game.number for game in games.read(NOW)] == list(range(1, MAX_BROADCAST + 1))
    broadcast.end(tasks[1])
    broadcast.begin(tournament.assignment(12, 2))
    broadcast.update()
    assert [game.number for game in games.read(NOW)][:3] == [1, 12, 3]


def test_failed_broadcast_waits(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = begin(ROUND, database)
    games, seconds, tries = RunningGames(database, tournament.number), [0.0], []

    def fail(received: object, at: int) -> None:
        tries.append(at)
        raise StoreError("here", "locked")

    monkeypatch.setattr(games, "write", fail)
    broadcast = Broadcast(games, LiveLogs(tmp_path), lambda: NOW, lambda: seconds[0])
    for instant in (0.0, 1.0, AGAIN_SECONDS):
        seconds[0] = instant
        broadcast.update()
    assert len(tries) == 2


def test_broadcast_is_deleted_at_start_and_end(database: Database) -> None:
    tournament = begin(ROUND, database)
    games = RunningGames(database, tournament.number)
    games.write([(1, 1, "")], NOW)
    assert len(games.read(NOW)) == 1
    with broadcasting(database, tournament.number, lambda: NOW) as broadcast:
        assert games.read(NOW) == []
        broadcast.begin(tournament.assignment(1, 1))
        broadcast.update()
        assert len(games.read(NOW)) == 1
    assert games.read(NOW) == []
    games.delete()  # there is nothing left to delete


def test_old_broadcast_is_out_of_date(database: Database) -> None:
    tournament = begin(ROUND, database)
    games = RunningGames(database, tournament.number)
    games.write([(1, 1, None)], NOW)
    assert len(games.read(NOW + STALE_MS)) == 1
    assert games.read(NOW + STALE_MS + 1) == games.read(NOW - STALE_MS - 1) == []


@pytest.mark.parametrize("games", ["[", "7", "[7]", "[[1]]", '[["1", 1, null]]', "[[1, 1, 7]]"])
def test_unreadable_broadcast_is_empty(database: Database, games: str) -> None:
    tournament = begin(ROUND, database)
    running = RunningGames(database, tournament.number)
    running.write([(1, 1, None)], NOW)
    with database.writing() as connection:
        connection.change("UPDATE tournament_running SET games = :games", {"games": games})
    assert running.read(NOW) == []


class Full:
    """A file that accepts a limited number of bytes."""

    def __init__(self, takes: int) -> None:
        self.takes, self.is_closed = takes, False

    def write(self, text: bytes) -> int:
        return min(self.takes, len(text))

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize(
    "event",
    [
        '["1",1,"move","X",{}]',
        '[1,"1","move","X",{}]',
        '[1,1,"move",{},{}]',
        '[1,1,"move","X",[]]',
        '[1,1,"move","X",{"left":"1"}]',
        '[1,1,"move","X",{"left":NaN}]',
    ],
)
def test_impossible_events_are_refused(event: str) -> None:
    """A text in place of a clock once broke the page."""
    with pytest.raises(ValueError, match="impossible"):
        RunningGame(1, 1, f"{event}\n", 1).events()


def test_log_ends_after_a_partial_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, file = LiveLog(str(tmp_path / "1")), Full(5)
    real = log._file
    monkeypatch.setattr(log, "_file", file)
    log.write([[1]])
    assert not file.is_closed
    log.write([[1, 2]])
    assert file.is_closed
    log.write([[1]])
    assert real is not None
    real.close()


def test_unreadable_log_is_missing(tmp_path: Path) -> None:
    (tmp_path / "1").write_bytes(b"\xff\n")
    assert LiveLogs.read(str(tmp_path / "1")) is None
    assert LiveLogs.read(str(tmp_path / "2")) is None
    for path in (str(tmp_path / "2"), None):
        LiveLogs.drop(path)


def test_logs_need_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", fail)
    with new_live_logs() as result:
        assert result.new() is None
