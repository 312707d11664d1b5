"""Tests of temporary folders: they are removed, including those of killed programs."""

import os
import signal
import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from noughts.records import file_lock, temporary_folders
from noughts.records.temporary_folders import FILES, LOCK, MAKING_SECONDS, sweep, temporary_folder

HOLD = """
import sys, time
from pathlib import Path
from noughts.records.temporary_folders import temporary_folder
with temporary_folder(Path(sys.argv[1])) as folder:
    (folder / "part").touch()
    print(folder, flush=True)
    time.sleep(60)
"""


def test_own_folder_of_a_killed_program_is_removed(tmp_path: Path) -> None:
    with Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=PIPE, text=True) as holder:
        assert holder.stdout is not None
        left = Path(holder.stdout.readline().strip())
        sweep(tmp_path)
        assert left.exists()
        holder.send_signal(signal.SIGKILL)
    with temporary_folder(tmp_path) as folder:
        assert [path.name for path in tmp_path.iterdir()] == [folder.parent.name]
    assert not list(tmp_path.iterdir())


def test_sweep_keeps_foreign_folders(tmp_path: Path) -> None:
    names = ("noughts-12345678", "noughts-abcdefgh", "noughts-sources", ".noughts-holiday")
    young, used, *foreign = (tmp_path / name for name in names)
    for folder in (young, used, *foreign):
        folder.mkdir()
    for folder in (used, *foreign):
        (folder / LOCK).touch()
        (folder / "thesis").touch()
    (tmp_path / "noughts-ABCDEFGH").touch()
    (tmp_path / "noughts-87654321").symlink_to(young)
    before = sorted(tmp_path.iterdir())
    sweep(tmp_path)
    sweep(tmp_path / "nowhere")
    assert sorted(tmp_path.iterdir()) == before


def test_sweep_removes_empty_folders_later(tmp_path: Path) -> None:
    old, full = tmp_path / "noughts-12345678", tmp_path / "noughts-abcdefgh"
    for folder in (old, full):
        (folder / FILES).mkdir(parents=True)
    (full / FILES / "thesis").touch()
    for folder in (old, full):
        at = folder.stat().st_mtime - MAKING_SECONDS - 60
        os.utime(folder, (at, at))
    sweep(tmp_path)
    assert [*tmp_path.iterdir()] == [full]


def test_own_folder_is_made_again_after_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, made = tempfile.mkdtemp, list[str]()

    def make_and_lose(**facts: object) -> str:
        made.append(make(**facts))  # type: ignore[call-overload]
        if len(made) == 1:
            Path(made[0]).rmdir()
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", make_and_lose)
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == Path(made[1])


def test_own_folder_reports_system_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary_folders, "FILES", LOCK)
    with pytest.raises(FileExistsError), temporary_folder(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_sweep_leaves_unreadable_folders() -> None:
    class Entry:
        name = "noughts-12345678"

        def is_dir(self, *, follow_symlinks: bool) -> bool:
            raise OSError

    assert not temporary_folders._is_mine(Entry())  # type: ignore[arg-type]


def test_folder_under_removal_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked, tries = file_lock.locked, list[Path]()

    def locked_later(path: Path) -> AbstractContextManager[None]:
        tries.append(path)
        if len(tries) == 1:
            raise BlockingIOError("another program is removing it")
        return locked(path)

    monkeypatch.setattr(file_lock, "locked", locked_later)
    with temporary_folder(tmp_path) as folder:
        assert folder.is_dir()
        assert len(tries) == 2
    assert list(tmp_path.iterdir()) == []
