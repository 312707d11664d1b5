"""Files that one program holds alone, and claims by them."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.store.database import open_database
from noughts.records.file_lock import locked
from tests.databases import new_database


def test_a_file_is_held_by_one_and_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path), pytest.raises(BlockingIOError), locked(path):
        pass
    assert not path.exists()
    with locked(path):
        path.unlink()


def test_a_file_that_is_gone_once_it_is_held_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who held it has removed it between its opening and the lock: who opens it next must not get it too."""
    path = tmp_path / "lock"
    connect, opened = sqlite3.connect, list[Path]()

    def open_it(where: Path, **facts: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(where, **facts)
        opened.append(where)
        if len(opened) in (1, 3):
            where.unlink()
        if len(opened) == 3:
            where.touch()
        return connection

    monkeypatch.setattr(sqlite3, "connect", open_it)
    with locked(path):
        assert len(opened) == 4  # the second was not there before, and nobody knows which one was opened
        with pytest.raises(BlockingIOError), locked(path):
            pass
    assert not path.exists()


def test_a_file_that_is_another_one_each_time_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    connect = sqlite3.connect

    def lose_it(where: Path, **facts: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(where, **facts)
        where.unlink()
        return connection

    monkeypatch.setattr(sqlite3, "connect", lose_it)
    with pytest.raises(BlockingIOError, match="another file each time"), locked(path):
        pass


def test_a_file_that_cannot_be_made_or_is_none_of_ours(tmp_path: Path) -> None:
    other = tmp_path / "text"
    other.write_text("no lock" * 100)
    for path in (tmp_path / "nowhere" / "lock", other):
        with pytest.raises(OSError) as raised, locked(path):
            pass
        assert not isinstance(raised.value, BlockingIOError)
    assert other.exists()


def test_what_one_program_claims_another_one_does_not_get(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(new_database(path)) as one, closing(new_database(path)) as two:
        with one.claim("this") as is_ours, two.claim("this") as is_mine, two.claim("that") as is_other:
            assert (is_ours, is_mine, is_other) == (True, False, True)
        with two.claim("this") as is_ours:
            assert is_ours
        assert not [*tmp_path.glob("games.db-th*")]
        (tmp_path / "games.db-this").mkdir()  # where nothing can be held nobody is kept away
        with one.claim("this") as is_ours:
            assert is_ours


def test_what_is_in_memory_is_all_ours() -> None:
    with closing(open_database("sqlite://")) as database, database.claim("this") as is_ours:
        assert is_ours
