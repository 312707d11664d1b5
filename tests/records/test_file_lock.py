"""Tests of files that only one program holds, and of claims by them."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.store.database import open_database
from noughts.records.file_lock import locked
from tests.databases import new_database


def test_lock_excludes_others_and_removes_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path), pytest.raises(BlockingIOError), locked(path):
        pass
    assert not path.exists()
    with locked(path):
        path.unlink()


def test_removed_lock_file_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The holder may remove the file after another program opened it, which must not get the lock then."""
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
        assert len(opened) == 4  # the second file was new, so the opened file could be either
        with pytest.raises(BlockingIOError), locked(path):
            pass
    assert not path.exists()


def test_changing_lock_file_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    connect = sqlite3.connect

    def lose_it(where: Path, **facts: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(where, **facts)
        where.unlink()
        return connection

    monkeypatch.setattr(sqlite3, "connect", lose_it)
    with pytest.raises(BlockingIOError, match="another file each time"), locked(path):
        pass


def test_unusable_lock_file_raises(tmp_path: Path) -> None:
    other = tmp_path / "text"
    other.write_text("no lock" * 100)
    for path in (tmp_path / "nowhere" / "lock", other):
        with pytest.raises(OSError) as raised, locked(path):
            pass
        assert not isinstance(raised.value, BlockingIOError)
    assert other.exists()


def test_claimed_name_is_refused_to_others(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(new_database(path)) as one, closing(new_database(path)) as two:
        with one.claim("this") as is_ours, two.claim("this") as is_mine, two.claim("that") as is_other:
            assert (is_ours, is_mine, is_other) == (True, False, True)
        with two.claim("this") as is_ours:
            assert is_ours
        assert not [*tmp_path.glob("games.db-th*")]
        (tmp_path / "games.db-this").mkdir()  # if a lock is impossible, no program is excluded
        with one.claim("this") as is_ours:
            assert is_ours


def test_memory_store_needs_no_lock() -> None:
    with closing(open_database("sqlite://")) as database, database.claim("this") as is_ours:
        assert is_ours
