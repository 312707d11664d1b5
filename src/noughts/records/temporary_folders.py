"""Temporary folders: the folder of a killed program is removed by the next program that makes one."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

LOCK, FILES = "lock", "files"
"""The parts of a folder: the lock file, which its program holds, and the folder for its files."""

NAMES = re.compile(r"\.?noughts-[a-z0-9_]{8}")
"""The names of these folders, as :func:`tempfile.mkdtemp` makes them."""

MAKING_SECONDS = 60.0
"""The minimum age of a folder without a lock before it is removed: its program may be about to lock it."""

MAX_TRIES = 20
"""The maximum number of attempts, if other programs remove the new folder as abandoned."""


@contextmanager
def temporary_folder(where: Path | None = None) -> Iterator[Path]:
    """Yield a new temporary folder in *where*, and remove it at the end.

    The default of *where* is the folder of temporary files.

    In any other place its name starts with a dot. The folders that killed programs left in the same place are
    removed, too. Raises OSError if no folder can be made.
    """
    import tempfile  # slow to load, and few commands need them
    from shutil import rmtree

    from noughts.records.file_lock import locked

    place = Path(tempfile.gettempdir()) if where is None else where
    sweep(place)
    with ExitStack() as leaving:
        for number in range(MAX_TRIES):
            folder = Path(tempfile.mkdtemp(prefix="noughts-" if where is None else ".noughts-", dir=place))
            leaving.callback(rmtree, folder, ignore_errors=True)
            try:
                leaving.enter_context(locked(folder / LOCK))
                (folder / FILES).mkdir()
            except OSError as error:
                is_being_removed = isinstance(error, BlockingIOError) or not folder.exists()
                if not is_being_removed or number == MAX_TRIES - 1:
                    raise
                continue
            break
        yield folder / FILES


def sweep(where: Path) -> None:
    """Remove the folders that killed programs left in *where*, and nothing that may belong to other users."""
    left: list[Path] = []
    with suppress(OSError), os.scandir(where) as entries:
        left += [Path(entry) for entry in entries if NAMES.fullmatch(entry.name) and _is_mine(entry)]
    for folder in left:
        with suppress(OSError):  # a running program holds it, or another one is removing it
            _remove_if_abandoned(folder)


def _is_mine(entry: "os.DirEntry[str]") -> bool:
    """Return True if *entry* is a folder of this user."""
    with suppress(OSError):
        if entry.is_dir(follow_symlinks=False):
            return not hasattr(os, "getuid") or entry.stat(follow_symlinks=False).st_uid == os.getuid()
    return False


def _remove_if_abandoned(folder: Path) -> None:
    """Remove *folder* if no program holds it. Raises OSError if one does."""
    from shutil import rmtree

    from noughts.records.file_lock import locked

    names = {*os.listdir(folder)}
    if LOCK in names and names <= {LOCK, FILES, f"{LOCK}-journal"}:
        with locked(folder / LOCK):
            rmtree(folder, ignore_errors=True)
    elif names <= {FILES} and time.time() - folder.stat().st_mtime > MAKING_SECONDS:
        for name in names:
            (folder / name).rmdir()
        folder.rmdir()  # fails unless it is empty
