"""Writing files whole or not at all."""

import os
from pathlib import Path


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Make *text* the content of the file *path*; where that cannot be done, all stays as it was.

    Raises :class:`OSError`.
    """
    import shutil  # these take long to load, and few write anything
    import tempfile

    path = Path(os.path.realpath(path))  # a link stays one
    is_there = path.exists()
    if is_there and not path.is_file():  # a pipe takes it as it comes, and a folder not at all
        path.write_text(text, encoding="utf-8")
        return
    if is_there:  # where nobody may write to it, it is not replaced either
        path.open("ab").close()
    with tempfile.TemporaryDirectory(prefix=".noughts-", dir=path.parent) as folder:
        new = Path(folder) / path.name
        new.write_text(text, encoding="utf-8")
        if is_there:
            shutil.copymode(path, new)
        new.replace(path)
