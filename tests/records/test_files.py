"""Tests of records as files: the format follows the name, and files are written completely or not at all."""

import os
import threading
from errno import ENOSPC
from pathlib import Path

import pytest

from noughts import Record, TicTacToe, new_game
from noughts.errors import NotationError, UnsupportedRules
from noughts.games.notation import play_moves
from noughts.records import files
from noughts.records.files import atomic_writer, check_can_write, open_to_read, write_atomically
from noughts.records.formats import RECORD_FORMATS

NAMES = {"X": "Ада", "O": "小明"}


@pytest.mark.parametrize("ending", [".json", ".sgf", ".SGF"])
def test_record_file_round_trip(tmp_path: Path, ending: str) -> None:
    game = TicTacToe()
    play_moves(game, ["5", "1", "9"])
    path = tmp_path / f"game{ending}"
    Record.of(game, NAMES).save(path)
    assert Record.load(path) == Record.of(game, NAMES)
    assert Record.load(str(path)).replay().moves == game.moves
    assert path.read_text("utf-8").startswith("(;" if ending != ".json" else "{")


def test_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    Record.of(TicTacToe()).save(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Record.load(path) == Record.of(TicTacToe())


def test_non_unicode_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    Record.of(TicTacToe(), NAMES).save(path)
    path.write_bytes(path.read_text("utf-8").encode("utf-16"))
    assert Record.load(path) == Record.of(TicTacToe(), NAMES)
    path.write_bytes(b'{"game": "\xe9"}')
    with pytest.raises(NotationError) as refused:
        Record.load(path)
    assert refused.value.reason == "not-unicode"


def test_unknown_file_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    for act, endings in (
        (Record.of(TicTacToe()).save, (".json", ".sgf")),
        (Record.load, tuple(RECORD_FORMATS)),
    ):
        with pytest.raises(NotationError) as refused:
            act(path)
        assert refused.value.reason == "unknown-form"
        assert refused.value.data == {"allowed": endings}
    assert not path.exists()


def test_record_beyond_sgf_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with pytest.raises(UnsupportedRules):
        Record.of(new_game("qubic")).save(path)
    assert not path.exists()


def test_file_without_a_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with pytest.raises(FileNotFoundError):
        Record.load(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError):
        Record.load(path)


@pytest.mark.parametrize("is_there", [False, True])
def test_full_disk_leaves_file_unchanged(tmp_path: Path, is_there: bool) -> None:
    path = tmp_path / "game.svg"
    if is_there:
        path.write_text("as it was")

    def write_until_it_is_full() -> None:
        with atomic_writer(path) as stream:
            stream.write("wha")
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_until_it_is_full()
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == (
        [("game.svg", "as it was")] if is_there else []
    )


def test_overwritten_file_keeps_rights_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "game.svg", tmp_path / "link.svg"
    path.write_text("as it was")
    path.chmod(0o600)
    link.symlink_to(path)
    write_atomically(link, "what shall be")
    assert link.is_symlink()
    assert path.read_text() == "what shall be"
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(list(tmp_path.iterdir())) == 2


def test_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.svg"
    path.write_text("as it was")

    def refuse(*_: object) -> None:
        raise PermissionError

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        with pytest.raises(PermissionError):
            write_atomically(path, "what shall be")
    assert path.read_text() == "as it was"
    with pytest.raises(IsADirectoryError if os.name == "posix" else PermissionError):
        write_atomically(tmp_path, "what shall be")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
def test_pipe_is_not_replaced(tmp_path: Path) -> None:
    path, read = tmp_path / "game.json", list[str]()
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_text()), daemon=True)
    reader.start()
    write_atomically(path, "what shall be")
    reader.join(10)
    assert read == ["what shall be"]
    assert path.is_fifo()


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="open files have no names here")
def test_pipe_without_a_path_is_written() -> None:
    """Standard output may be such a pipe: its name does not lead to a file."""
    reading, writing = os.pipe()
    write_atomically(f"/dev/fd/{writing}", "all of it")
    os.close(writing)
    with open(reading, encoding="utf-8") as stream:
        assert stream.read() == "all of it"


def test_check_can_write_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    check_can_write(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("as it was")
    before = path.stat()
    check_can_write(path)
    after = path.stat()
    assert (path.read_text(), after.st_ino, after.st_mtime_ns) == (
        "as it was",
        before.st_ino,
        before.st_mtime_ns,
    )
    with pytest.raises(OSError, match=r"No such|cannot find"):
        check_can_write(tmp_path / "nowhere" / "game.json")
    with pytest.raises(OSError, match=r"directory|denied"):
        check_can_write(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
def test_check_can_write_skips_pipes(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    os.mkfifo(path)
    check_can_write(path)  # a write would wait for a reader
    assert path.is_fifo()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
def test_unused_pipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIPE_SECONDS", 0.02)
    path = tmp_path / "game.json"
    os.mkfifo(path)
    for act in (
        lambda: write_atomically(path, "nobody reads it"),
        lambda: open_to_read(path, takes_pipes=True),
        lambda: open_to_read(path),
        lambda: open_to_read("/dev/null", takes_pipes=True),
    ):
        with pytest.raises(OSError, match=r"pipe|not a file"):
            act()
    assert not [thread for thread in threading.enumerate() if thread.name == "noughts-pipe"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
def test_pipe_with_a_writer_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    os.mkfifo(path)
    record = Record.of(TicTacToe())
    writer = threading.Thread(target=record.save, args=(path,), daemon=True)
    writer.start()
    assert Record.load(path) == record
    writer.join(10)
