"""Tournaments are played, saved and resumed. Each game counts once, and the table is computed from them."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from noughts.arena.repair.repair import repair
from noughts.arena.series import recount
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database, open_database
from noughts.arena.tournament import sequential, tournament_runner
from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.play import Assignment, play_game
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.scores import Results
from noughts.arena.tournament.standings import GameTally, finished
from noughts.arena.tournament.tournament_runner import MAX_TRIES, SAVE_MS, TournamentRunner, ended_game
from noughts.errors import DamagedStore, StoreError, WorkersFailed
from tests.arena.tournament.stand_ins import ROUND, TWO, Inline, begin, find_again, play_missing
from tests.databases import new_database, new_file, url_of


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(new_database(tmp_path / "games.db")) as database:
        yield database


def moves_by_number(plan: TournamentPlan, database: Database) -> dict[int, list[str]]:
    result = find_again(plan, database)
    return {
        number: [event.data["move"] for event in stored.events if "move" in event.data]
        for number, stored in result.tournaments.games(result.number)
    }


def test_games_are_played_once_in_order(database: Database) -> None:
    tournament = begin(ROUND, database)
    assert play_missing(tournament) == list(range(1, ROUND.count + 1))
    table = tournament.tally.table()
    assert table.missing == 0
    assert sum(sum(one.counts[name] for name in ("wins", "draws", "losses")) for one in table.players) == 24
    assert table.players[0].name == "Rule"
    assert play_missing(find_again(ROUND, database)) == []
    assert find_again(ROUND, database).tally.table() == table


def test_simultaneous_programs_begin_one_tournament(database: Database) -> None:
    """The second program once failed because the name was not unique."""
    one, other = begin(ROUND, database), begin(ROUND, database)
    assert one.number == other.number
    assert play_missing(one) == list(range(1, ROUND.count + 1))
    play_missing(other)
    assert other.tally.table() == one.tally.table()


def test_seed_decides_the_games_in_parallel(database: Database, tmp_path: Path) -> None:
    play_missing(begin(ROUND, database))
    with closing(new_database(tmp_path / "other.db")) as other, ThreadPoolExecutor(3) as executor:
        assert sorted(play_missing(begin(ROUND, other), executor, 3)) == list(range(1, ROUND.count + 1))
        assert moves_by_number(ROUND, other) == moves_by_number(ROUND, database)


def test_resumed_tournament_plays_the_missing_games(database: Database, tmp_path: Path) -> None:
    played = play_missing(begin(ROUND, database), most=5)
    assert find_again(ROUND, database).tally.table().missing == ROUND.count - 5
    assert played + play_missing(find_again(ROUND, database)) == list(range(1, ROUND.count + 1))
    with closing(new_database(tmp_path / "other.db")) as other:
        play_missing(begin(ROUND, other))
        assert moves_by_number(ROUND, other) == moves_by_number(ROUND, database)


def test_runner_ends_when_the_test_decides(database: Database) -> None:
    plan = replace(TWO, pairs=400, test=sequential.Test(0, 200))
    tournament = begin(plan, database)
    saved = play_missing(tournament)
    assert saved == list(range(1, len(saved) + 1))
    assert len(saved) < plan.count
    assert tournament.tally.decided == "elo1"
    assert play_missing(find_again(plan, database)) == []


def test_anchor_and_spelling_find_the_same_tournament(database: Database) -> None:
    plan = replace(ROUND, games=("3x3:3",), anchor="Random")
    play_missing(begin(plan, database), most=3)
    assert Tournaments(database).load(1).plan == plan
    assert play_missing(find_again(ROUND, database)) == list(range(4, ROUND.count + 1))
    assert find_again(replace(ROUND, anchor="Other"), database).plan.anchor == "Other"


def test_different_plan_begins_another_tournament(database: Database) -> None:
    play_missing(begin(ROUND, database))
    assert Tournaments(database).find("another") is None


class Dying(Inline):
    """An executor with workers that die from time to time, some after they have played."""

    def __init__(self, chance: float) -> None:
        self._random, self._chance, self.tried = Random(3), chance, Counter[int]()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tried[args[0].number] += 1
        if self._random.random() < self._chance:
            future: Future[Any] = Future()
            future.set_exception(OSError("the worker is gone"))
            return future
        return super().submit(fn, *args, **kwargs)


def test_game_of_a_dead_worker_is_replayed(database: Database) -> None:
    executor = Dying(0.5)
    assert sorted(play_missing(begin(ROUND, database), executor)) == list(range(1, ROUND.count + 1))
    assert 1 < max(executor.tried.values()) <= MAX_TRIES


def test_repeated_failure_ends_the_runner(database: Database) -> None:
    executor = Dying(1.0)
    with pytest.raises(WorkersFailed, match="the worker is gone"):
        play_missing(begin(ROUND, database), executor)
    assert executor.tried == {1: MAX_TRIES}
    assert play_missing(find_again(ROUND, database)) == list(range(1, ROUND.count + 1))


def test_cancelled_game_counts_as_failed(database: Database) -> None:
    class GivingUp(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = Future[Any]()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future if args[0].number == 2 and next(cancelled) else super().submit(fn, *args, **kwargs)

    cancelled = iter((True, False))
    assert play_missing(begin(ROUND, database), GivingUp()) == list(range(1, ROUND.count + 1))


LOCKED = StoreError("games.db", "locked")


def refusing(database: Database, monkeypatch: pytest.MonkeyPatch, times: float, error: StoreError) -> None:
    """Make *database* refuse a number of later writes, including games of tournaments."""
    left = count()
    usual = database.writing
    monkeypatch.setattr(tournament_runner, "LOOK_SECONDS", 0)

    def writing(within: Connection | None = None) -> AbstractContextManager[Connection]:
        if next(left) < times:
            raise error
        return usual(within)

    monkeypatch.setattr(database, "writing", writing)


def test_finished_games_wait_for_a_locked_database(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, clock = begin(ROUND, database), count(step=SAVE_MS // 20)
    refusing(database, monkeypatch, 20, LOCKED)
    saved: list[int] = []
    TournamentRunner(tournament, Inline(), 2, lambda: 1, saved.extend, lambda: next(clock)).run()
    assert sorted(saved) == list(range(1, ROUND.count + 1))
    assert find_again(ROUND, database).tally.table() == tournament.tally.table()


@pytest.mark.parametrize(
    ("error", "tries"), [(LOCKED, SAVE_MS // 10_000 + 1), (DamagedStore("games.db", "no-database"), 1)]
)
def test_runner_ends_if_saving_fails_for_long(
    database: Database, monkeypatch: pytest.MonkeyPatch, error: StoreError, tries: int
) -> None:
    asked = Counter[str]()

    def clock() -> int:
        asked["clock"] += 1
        return asked["clock"] * 10_000

    tournament = begin(ROUND, database)
    refusing(database, monkeypatch, inf, error)
    with pytest.raises(type(error)):
        TournamentRunner(tournament, Inline(), 1, lambda: 1, clock=clock).run()
    assert asked["clock"] == (tries if error is LOCKED else 0)


@pytest.mark.parametrize("times", [2, inf])
def test_stopped_runner_tries_to_save_again(
    database: Database, monkeypatch: pytest.MonkeyPatch, times: float
) -> None:
    tournament, stops = begin(ROUND, database), iter((False, False, True))
    refusing(database, monkeypatch, times, LOCKED)
    runner = TournamentRunner(tournament, Inline(), 1, lambda: 1, clock=lambda: 0)
    with nullcontext() if times == 2 else pytest.raises(StoreError):
        runner.run(lambda: next(stops))
    assert list(tournament.ids) == ([1, 2] if times == 2 else [])


def test_stopped_runner_saves_finished_games(database: Database) -> None:
    class Waiting(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            tasks.append((Future(), args[0]))
            return tasks[-1][0]

    def stop() -> bool:
        for future, task in tasks[:1]:
            future.set_result(play_game(task))
        return bool(tasks)

    tasks: list[tuple[Future[Any], Assignment]] = []
    tournament = begin(ROUND, database)
    runner = TournamentRunner(tournament, Waiting(), 2, lambda: 1)
    assert runner._submit_games()
    runner.run(stop)
    assert list(tournament.ids) == [1]


def test_game_saved_without_an_answer_counts_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game was saved, and the database failed when another game was read."""
    one, two = begin(ROUND, database), find_again(ROUND, database)
    played = [ended_game(task, play_game(task)) for task in (one.assignment(number, 1) for number in (1, 2))]
    two.save(played[1:])
    monkeypatch.setattr(database, "load", Mock(side_effect=LOCKED))
    with pytest.raises(StoreError):
        one.save(played)
    monkeypatch.undo()
    assert one.save(played) == [1, 2]
    assert one.tally.table() == find_again(ROUND, database).tally.table()


def test_two_runners_count_each_game_once(database: Database) -> None:
    one, two = begin(ROUND, database), find_again(ROUND, database)
    play_missing(one, most=7)
    play_missing(two)
    assert two.ids == one.ids | two.ids
    assert one.tally.games.items() <= two.tally.games.items()
    assert len(moves_by_number(ROUND, database)) == ROUND.count


def test_interrupted_runner_cancels_running_games(database: Database) -> None:
    class Slow(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            futures.append(Future())
            return futures[-1]

    futures: list[Future[Any]] = []
    asked = iter((False, True))
    runner = TournamentRunner(begin(ROUND, database), Slow(), 2, lambda: 1)
    runner.run(lambda: next(asked))
    assert runner.playing == (1, 2)
    assert all(future.cancelled() for future in futures)


def test_invalid_result_counts_as_a_failure(database: Database) -> None:
    def tell(task: Assignment) -> Any:
        right = play_game(task)
        *moves, (version, at, kind, side, end) = right
        wrong = (version, at, kind, side, {**end, "winner": "O" if end["winner"] == "X" else "X"})
        return (moves, [*moves, wrong], [*moves, moves[0]], None, [None], [(1, 2, 3, 4, 5)], right)[
            len(received)
        ]

    class Other(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_result(tell(args[0]))
            received.append(args[0].number)
            return future

    received: list[int] = []
    assert play_missing(begin(ROUND, database), Other(), most=1) == [1]
    assert received == [1] * 7
    assert list(moves_by_number(ROUND, database)) == [1]


def test_scores_and_history_omit_tournament_games(database: Database) -> None:
    tournament = begin(ROUND, database)
    play_missing(tournament)
    assert recount(database.results()) == ()
    assert list(database.newest_games()) == []
    assert len(list(database.games())) == ROUND.count
    assert database.load(tournament.ids[1]).replay().outcome is not None
    altered(database, "DELETE FROM tournament_games WHERE number = 1")
    assert list(database.newest_games()) == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE tournaments SET plan = '{}'",
        "UPDATE tournaments SET plan = '[]'",
        "UPDATE tournaments SET created = 9",
        "UPDATE tournaments SET openings = '['",
        "UPDATE tournaments SET openings = '{\"a\": []}'",
    ],
)
def test_altered_tournament_is_detected(database: Database, change: str) -> None:
    begin(ROUND, database)
    altered(database, change)
    with pytest.raises(DamagedStore):
        find_again(ROUND, database)


def altered(database: Database, change: str) -> None:
    with database.writing() as connection:
        connection.change(change)


@pytest.mark.parametrize(
    ("change", "number", "reason"),
    [
        ("UPDATE tournament_games SET game_id = 2 WHERE number = 1", 1, "pairing-altered"),
        ("UPDATE tournament_games SET game_id = x'00' WHERE number = 1", 1, "pairing-altered"),
        ("UPDATE events SET data = '{}' WHERE game_id = 1 AND version = 1", 1, "game-altered"),
        ("UPDATE games SET seats = '[' WHERE id = 1", 1, "game-unreadable"),
        ("UPDATE tournament_games SET game_id = 77 WHERE number = 1", 1, "game-missing"),
    ],
)
def test_damaged_game_hides_no_other(tmp_path: Path, change: str, number: int, reason: str) -> None:
    """A damaged game is neither counted nor played again. Its pair does not count any more."""
    path = new_file(tmp_path / "games.db")
    with closing(open_database(url_of(path))) as database:
        play_missing(begin(ROUND, database))
    with closing(sqlite3.connect(path)) as file:
        file.execute(change)
        file.commit()
    with closing(open_database(url_of(path))) as database:
        result = find_again(ROUND, database)
        assert {number: damage.reason for number, damage in result.damaged.items()} == {number: reason}
        assert result.ids.keys() == result.tally.games.keys() == set(range(1, 13)) - {number}
        assert result.tally.table().missing == 0
        assert sum(result.tally.table().pairs.counts) == 3
        assert play_missing(result) == []
        result.catch_up()
        assert len(result.damaged) == 1
        with pytest.raises(DamagedStore):
            list(result.tournaments.games(result.number))


def test_game_outside_the_plan_is_named(database: Database) -> None:
    play_missing(begin(ROUND, database))
    altered(database, "UPDATE tournament_games SET number = 99 WHERE number = 1")
    result = find_again(ROUND, database)
    assert list(result.damaged) == [99]
    assert play_missing(result) == [1]


def test_exchanged_game_is_named(database: Database) -> None:
    tournament = begin(ROUND, database)
    played = [ended_game(each, play_game(each)) for each in map(tournament.assignment, (1, 3), (1, 1))]
    tournament.save(played)
    first, third = played
    with closing(new_database(Path(tournament.tournaments.database.where).with_name("other.db"))) as other:
        result = begin(ROUND, other)
        result.tournaments.save(result.number, [replace(third, number=1), replace(first, number=3)])
        assert result.save(played) == [1, 3]
        assert {number: damage.reason for number, damage in result.damaged.items()} == {
            1: "pairing-altered",
            3: "pairing-altered",
        }
        assert result.ids == {}


def test_test_skips_a_damaged_pair(database: Database) -> None:
    plan = replace(TWO, pairs=3, test=sequential.Test(0, 5))
    play_missing(begin(plan, database))
    altered(database, "UPDATE tournament_games SET digest = '' WHERE number IN (1, 4)")
    tally = find_again(plan, database).tally
    assert tally.decision is not None
    results = Results(tuple(tally.table().pairs.counts))
    assert results.total == 1
    assert tally.decision.log_ratio == sequential.Test(0, 5).log_ratio(results)


def test_foreign_game_has_no_tournament(database: Database) -> None:
    tournament = begin(ROUND, database)
    play_missing(tournament)
    with pytest.raises(DamagedStore):
        finished(ROUND, 1, database.load(tournament.ids[3]))


def test_order_of_counting_does_not_matter(database: Database) -> None:
    tournament = begin(ROUND, database)
    play_missing(tournament)
    games = list(tournament.tally.games.items())
    Random(1).shuffle(games)
    shuffled = GameTally(ROUND)
    for number, game in games:
        shuffled.add(number, game)
    tables = shuffled.table(), tournament.tally.table()
    one, other = (
        [(row.name, row.counts, row.results, row.distinct) for row in table.players] for table in tables
    )
    assert one == other
    ratings, others = ([row.rating.elo if row.rating else None for row in table.players] for table in tables)
    assert ratings == pytest.approx(others)  # sums of floats differ in their last digits


def test_repaired_file_has_the_intact_tournaments(tmp_path: Path) -> None:
    old, new, other = (
        new_file(tmp_path / "old.db"),
        tmp_path / "new.db",
        TournamentPlan("gauntlet", ("tictactoe",), ROUND.players, 1),
    )
    with closing(open_database(url_of(old))) as database:
        for plan in (ROUND, other):
            play_missing(begin(plan, database))
        with database.writing() as connection:
            connection.change("UPDATE tournaments SET created = 'then' WHERE id = 2")
            connection.change("UPDATE tournaments SET created = x'00' WHERE id = 2")
            connection.change(
                "UPDATE tournament_games SET digest = '' WHERE tournament_id = 1 AND number = 2"
            )
            connection.change("UPDATE games SET created = 7 WHERE id = 3")
    saved = repair(old, new)
    of_other = tuple(range(13, 13 + other.count))
    assert (saved.lost_games, saved.lost_tournaments, saved.lost_pairings) == ((3,), (2,), (2, *of_other))
    with closing(open_database(url_of(new))) as database:
        assert Tournaments(database).find(other.name) is None
        result = find_again(ROUND, database)
        assert sorted(result.tally.games) == [1, *range(4, ROUND.count + 1)]
        assert play_missing(result) == [2, 3]
