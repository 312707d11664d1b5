"""Folders for what is needed for a while: if a program is killed, another one removes its folder later."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp

from noughts.arena.store.file_lock import locked

PREFIX = "noughts-tournament-"
"""How the names of these folders begin."""

LOCK = "lock"
"""The name of the file in a folder that its program holds as long as it lives."""

MAKING_SECONDS = 60.0
"""So long it takes at most from the making of a folder until its file is held."""


@contextmanager
def own_folder() -> Iterator[Path]:
    """A new folder, which is removed in the end. Folders of programs that were killed are removed, too.

    Raises OSError where none can be made.
    """
    _sweep(Path(gettempdir()))
    folder = Path(mkdtemp(prefix=PREFIX))
    with ExitStack() as leaving:
        leaving.callback(rmtree, folder, ignore_errors=True)
        leaving.enter_context(locked(folder / LOCK))
        yield folder


def _sweep(where: Path) -> None:
    """Remove what programs have left *where* that were killed."""
    for folder in where.glob(f"{PREFIX}*"):
        with suppress(OSError):  # it is held, or another program removes it in this moment
            state = folder.lstat()
            is_mine = not hasattr(os, "getuid") or state.st_uid == os.getuid()
            if is_mine and time.time() - state.st_mtime > MAKING_SECONDS:
                with locked(folder / LOCK):
                    rmtree(folder, ignore_errors=True)
