"""Counted results are stored beside the games. They change no answer, whatever happens to them."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.setup import Setup
from noughts.arena.store.database import Database, open_database
from noughts.errors import DamagedStore, StoreError
from tests.databases import ending, fill, moves, new_database, seats, url_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of games with counted results."""
    path = tmp_path / "games.db"
    with contextlib.closing(new_database(path)) as store:
        fill(store)
        store.results()
    return path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the games that are read."""
    numbers: list[int] = []
    real = Database.read_game

    def reading(self: Database, rows: Any) -> Any:
        numbers.append(rows[0]["id"])
        return real(self, rows)

    monkeypatch.setattr(Database, "read_game", reading)
    return numbers


def _change(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Database]:
    with contextlib.closing(open_database(url_of(path))) as store:
        yield store


def test_counted_games_are_not_read_again(path: Path, read: list[int]) -> None:
    with _opened(path) as store:
        first = store.results()
        assert read == []
        assert first == [game.result for game in store.games() if game.result is not None]
        store.append(1, [ending(1, "X")])
        new = store.add_game(Setup("tictactoe", seats()))
        read.clear()
        assert len(store.results()) == len(first) + 1
        assert read == [1, new]


@pytest.mark.parametrize(
    ("statement", "again"),
    [
        ("DELETE FROM results WHERE game_id = 6", [6]),
        ("DROP TABLE results", list(range(1, 13))),
        ("ALTER TABLE results RENAME COLUMN seal TO other", list(range(1, 13))),
        ("UPDATE results SET result = replace(result, 'Wei', 'Eve') WHERE game_id = 4", [4]),
        ("UPDATE results SET result = X'FF' WHERE game_id = 4", [4]),
        ("UPDATE results SET game_id = 99 WHERE game_id = 4", [4]),
        ("UPDATE results SET seal = upper(seal) WHERE game_id = 4", [4]),
        ("UPDATE results SET seal = (SELECT seal FROM results WHERE game_id = 2) WHERE game_id = 4", [4]),
    ],
)
def test_cache_changes_no_answer(path: Path, read: list[int], statement: str, again: list[int]) -> None:
    with _opened(path) as store:
        right = store.results()
    _change(path, statement)
    with _opened(path) as store:
        assert store.results() == right
        assert read == again


def test_unwritable_cache_is_ignored(path: Path, read: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    with _opened(path) as store:
        right = store.results()
        _change(path, "DROP TABLE results")

        def refuse(self: Database, within: object = None) -> Any:
            raise StoreError(self.where, "no-room")

        monkeypatch.setattr(Database, "writing", refuse)
        for _ in range(2):
            assert store.results() == right
    assert read == [*range(1, 13)] * 2


def test_damaged_uncounted_game_is_named(path: Path) -> None:
    _change(path, "UPDATE events SET at = at + 1 WHERE game_id = 2")
    with _opened(path) as store:
        assert len(store.results()) == 6, "only the digest of the game is asked for"
        with pytest.raises(DamagedStore, match="game 2"):
            store.load(2)
    _change(path, "DELETE FROM results")
    content = path.read_bytes()
    with _opened(path) as store:
        with pytest.raises(DamagedStore, match="game 2"):
            store.results()
        damages: list[DamagedStore] = []
        assert len(store.results(damages.append)) == 5
        assert [damage.data for damage in damages] == [{"game": 2}]
    assert path.read_bytes() == content, "nothing is written to a database that is damaged"


def test_game_with_an_altered_digest_is_named(path: Path) -> None:
    _change(path, "UPDATE games SET digest = upper(digest) WHERE id = 2")
    with _opened(path) as store, pytest.raises(DamagedStore, match="game 2"):
        store.results()


@pytest.mark.slow
def test_thousands_of_games_are_read_once(tmp_path: Path, read: list[int]) -> None:
    with contextlib.closing(new_database(tmp_path / "games.db")) as store:
        first = store.add_game(Setup("tictactoe", seats()))
        store.append(first, [*moves(5), ending(6, "X")])
        with store.writing() as connection:  # as if they had been played, except for their digests
            numbers = "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
            connection.change(
                numbers + "INSERT INTO games SELECT i, created, game, start, seats, clock, who, series_id,"
                " digest, opening, origin, counted, visibility, link, form FROM n, games"
            )
            connection.change(
                numbers + "INSERT INTO events SELECT i, version, at, kind, side, data FROM n, events"
            )
            for row in connection.rows("SELECT * FROM games"):
                connection.change("UPDATE games SET digest = :digest WHERE id = :id", _sealed(row["id"]))
        results = store.results()
        assert len(read) == len(results) == 3_000
        assert store.results() == results
        assert len(read) == 3_000


def _sealed(number: int) -> dict[str, Any]:
    from noughts.arena.digest import digest_events, first_digest

    digest = first_digest(number, Setup("tictactoe", seats()))
    return {"id": number, "digest": digest_events(digest, [*moves(5), ending(6, "X")])}


@pytest.mark.parametrize("is_counted", [False, True])
def test_deleted_game_is_named(path: Path, is_counted: bool) -> None:
    if not is_counted:
        _change(path, "DELETE FROM results")
    _change(path, "DELETE FROM games WHERE id = 2")
    content = path.read_bytes()
    with _opened(path) as store:
        damages: list[DamagedStore] = []
        assert len(store.results(damages.append)) == 5
        assert len(list(store.newest_games(on_damage=damages.append))) == 11
        assert [(damage.reason, damage.data) for damage in damages] == [("game-missing", {"game": 2})] * 2
        with pytest.raises(DamagedStore, match="game missing"):
            store.results()
    assert path.read_bytes() == content
