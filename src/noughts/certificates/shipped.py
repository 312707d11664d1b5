"""The certificates that come with noughts, compressed, each with the index that players are told by."""

import warnings
from contextlib import suppress
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import IO

from noughts.certificates.index import SUFFIX, name_of_index
from noughts.certificates.text import Reader
from noughts.errors import DamagedFile, DamagedFileWarning

COMPRESSED = ".certificate.xz"
"""What the name of such a file ends with."""


def shipped_folder() -> Path:
    """Where they are, with their indexes."""
    return Path(str(files("noughts.certificates")))


def file_of(spec: str) -> Path:
    """Where the certificate for the game with this *spec* is, or would be."""
    return shipped_folder() / (name_of_index(spec).removesuffix(SUFFIX) + COMPRESSED)


def open_shipped(spec: str) -> IO[bytes] | None:
    """The certificate for the game with this *spec*, to be read; None if none comes with noughts.

    None also if this Python cannot decompress it, and if it is damaged: then a warning names it.
    """
    file = file_of(spec)
    if not file.is_file():
        return None
    try:
        import lzma  # some Pythons are built without it
    except ImportError:
        return None
    with suppress(OSError, EOFError, lzma.LZMAError):
        data = lzma.decompress(file.read_bytes())
        if Reader(BytesIO(data)).is_intact():
            return BytesIO(data)
    warnings.warn(DamagedFileWarning(DamagedFile(str(file), "part")), stacklevel=2)
    return None
