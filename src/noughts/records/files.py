"""Writing files whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Make *text* the content of the file *path*; where that cannot be done, all stays as it was.

    Raises :class:`OSError`.
    """
    with writing_whole(path) as stream:
        stream.write(text)


def check_can_write(path: str | os.PathLike[str]) -> None:
    """Raise the :class:`OSError` that there would be if the file *path* were written now; all stays as it is.

    A pipe or a device is not tried: whoever reads it would take that for all.
    """
    there = Path(path)
    if there.is_dir() or there.is_file() or not there.exists():
        with suppress(_LeaveItError), writing_whole(path):
            raise _LeaveItError


class _LeaveItError(Exception):
    """Nothing is to be written after all."""


@contextmanager
def writing_whole(path: str | os.PathLike[str]) -> Iterator[TextIOWrapper]:
    """A text file that becomes *path* when all of it is written; after an error all is as it was.

    Raises :class:`OSError`.
    """
    import shutil  # these take long to load, and few write anything
    import tempfile

    is_there = Path(path).exists()
    if is_there and not Path(path).is_file():  # a pipe takes it as it comes, and a folder not at all
        with open(path, "w", encoding="utf-8") as stream:
            yield stream
        return
    path = Path(os.path.realpath(path))  # a link stays one
    if is_there:  # where nobody may write to it, it is not replaced either
        path.open("ab").close()
    with tempfile.TemporaryDirectory(prefix=".noughts-", dir=path.parent) as folder:
        new = Path(folder) / path.name
        with new.open("w", encoding="utf-8") as stream:
            yield stream
        if is_there:
            shutil.copymode(path, new)
        new.replace(path)
