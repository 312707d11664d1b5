"""A database from before openings existed gives the same games, records and scores."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.arena.commands import Resign, WrittenMove
from noughts.arena.local_table import LocalTable, unfinished_human_games
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.series import recount
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.store import resume_series
from noughts.arena.stored_game import record_of, stored_of
from noughts.records.record import format_record, parse_record
from tests.databases import url_of

PLAYED = Path(__file__).parent / "played"
LINES = (PLAYED / "before-openings.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript((PLAYED / "before-openings.sql").read_text(encoding="utf-8"))
    with contextlib.closing(open_database(url_of(path))) as store:
        yield store


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_old_records_round_trip(line: str) -> None:
    assert format_record(parse_record(line)) == line
    again = record_of(stored_of(parse_record(line)))
    assert (again.moves, again.players, again.opening) == (parse_record(line).moves, again.players, None)


def test_old_games_give_the_same_records(store: Database) -> None:
    assert [format_record(record_of(game)) for game in store.games()] == LINES
    for game in store.games():
        match = game.replay()
        assert (match.opening, match.by_side(game.setup.seats)) == (None, game.setup.seats)
        assert game.players == game.setup.seats


def test_old_series_can_be_resumed(store: Database) -> None:
    series = [resume_series(store, number) for number in store.all_open_series()]
    assert [one.begins.value for one in series] == ["loser", "alternate", "chooser"]
    assert [len(one.results) for one in series] == [3, 3, 3]
    scores = {score.name: score.games for score in recount(store.results())}
    assert (scores["Luffy"], scores["魏"]) == (12, 11)
    stored = unfinished_human_games(store)[0]
    sitting = LocalTable.resume(store, stored, 2_000_000_000_000)
    turn = sitting.match.turn if sitting.match is not None else ""
    sitting.apply(turn, Resign(), 2_000_000_000_000)
    assert store.load(stored.id).result is not None


def test_old_rooms_can_be_resumed(store: Database) -> None:
    rooms = Rooms(store, now=lambda: 1_700_000_400_000)
    with store.reading() as connection:
        names = sorted(connection.column("SELECT name FROM rooms"))
    views = [rooms.look(name) for name in names]
    assert sorted(view.phase.value for view in views) == ["playing", "playing", "waiting"]
    view = next(view for view in views if view.series_id is not None and view.setup.game == "tictactoe")
    assert [score.wins for score in view.scores] == [1, 0]
    assert view.turn is not None
    after = (
        rooms.submit(view.room, view.turn, WrittenMove("5"), version=view.version, key="new").result().view
    )
    assert after.match.game.ply == 2
    rooms.close()
