"""The lessons work: files are written, tests pass, prompts and commands print the shown output."""

import importlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_docs import BLOCK, LESSONS, check_prompts, check_transcript

ENGLISH = sorted(path for path in LESSONS.glob("?-*.md") if path.name.count(".") == 1)
IN_FILE = re.compile(r"# ([\w/-]+\.(?:py|toml|po))(, continued)?\n")
"""The first line of a block for a file; *continued* appends it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty folder to work in, whose files Python and noughts programs can import."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # A file may be written twice in a second.
    yield tmp_path
    forget(tmp_path)


def forget(folder: Path) -> None:
    """Forget the modules of *folder*, as a new Python process would."""
    for file in folder.glob("*.py"):
        sys.modules.pop(file.stem, None)
    importlib.invalidate_caches()


def blocks_of(lesson: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(lesson.read_text(encoding="utf-8"))


def write(block: str, folder: Path) -> Path | None:
    """Write *block* to the file that its first line names, if it names one."""
    named = IN_FILE.match(block)
    if named is None:
        return None
    file = folder / named[1]
    file.parent.mkdir(exist_ok=True)
    before = file.read_text(encoding="utf-8") + "\n\n" if named[2] else ""
    file.write_text(before + block[named.end() :], encoding="utf-8")
    return file


@pytest.mark.slow
@pytest.mark.parametrize("lesson", ENGLISH, ids=lambda path: path.stem)
def test_lesson_blocks_run(lesson: Path, folder: Path) -> None:
    """Each lesson runs with the final files of earlier lessons."""
    for earlier in ENGLISH[: ENGLISH.index(lesson)]:
        for _, block in blocks_of(earlier):
            write(block, folder)
    space: dict[str, object] = {}
    for kind, block in blocks_of(lesson):
        if file := write(block, folder):
            forget(folder)
            space = {"__name__": "__main__"}
            try_file(file)
        elif kind == "python":
            assert ">>> " in block
            check_prompts(block, space, lesson)
        elif kind == "console":
            install(folder)
            check_transcript(block, sys.executable, folder)
        else:
            assert kind in ("sh", "text")


def try_file(file: Path) -> None:
    """Import a module, and run its tests."""
    if file.suffix == ".py":
        module = importlib.import_module(file.stem)
        for name, test in vars(module).items():
            if name.startswith("test_"):
                test()


def install(folder: Path) -> None:
    """Install the package of ``pyproject.toml``, if there is one."""
    if not (folder / "pyproject.toml").exists():
        return
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    for old in folder.glob("*.dist-info"):
        shutil.rmtree(old)
    (wheel,) = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if ".dist-info/" in name])


def test_index_lists_every_lesson_in_order() -> None:
    """The first page links to each lesson."""
    listed = re.findall(r"^\d-\S+$", (LESSONS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == [path.stem for path in ENGLISH]


@pytest.mark.parametrize("lesson", ENGLISH, ids=lambda path: path.stem)
def test_translated_lessons_have_the_same_blocks(lesson: Path) -> None:
    """Translations contain the blocks that are run here."""
    blocks = blocks_of(lesson)
    assert blocks
    for written in LESSONS.glob(f"{lesson.stem}.*.md"):
        assert blocks_of(written) == blocks, written
