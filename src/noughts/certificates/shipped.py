"""The certificates that come with noughts, compressed, each with the index that players use."""

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
"""The suffix of the names of compressed certificates."""


def shipped_folder() -> Path:
    """Return the folder of the shipped certificates and their indexes."""
    return Path(str(files("noughts.certificates")))


def file_of(spec: str) -> Path:
    """Return the path of the certificate for the game with this *spec*, which need not exist."""
    return shipped_folder() / (name_of_index(spec).removesuffix(SUFFIX) + COMPRESSED)


def open_shipped(spec: str) -> IO[bytes] | None:
    """Open the certificate for the game with this *spec*; see :func:`open_compressed`."""
    return open_compressed(file_of(spec))


def open_compressed(file: Path) -> IO[bytes] | None:
    """Open the compressed *file* with a digest; None if it does not exist.

    Return None also if this Python cannot decompress it, or if it is damaged. Then a warning names it.
    """
    if not file.is_file():
        return None
    try:
        import lzma  # Some Pythons are built without it.
    except ImportError:
        return None
    with suppress(OSError, EOFError, lzma.LZMAError):
        data = lzma.decompress(file.read_bytes())
        if Reader(BytesIO(data)).is_intact():
            return BytesIO(data)
    warnings.warn(DamagedFileWarning(DamagedFile(str(file), "part")), stacklevel=2)
    return None
