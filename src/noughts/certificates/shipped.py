"""The certificates that come with noughts, compressed, each with the index that players are told by."""

from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import IO

from noughts.certificates.index import SUFFIX, name_of_index

COMPRESSED = ".certificate.xz"
"""What the name of such a file ends with."""


def shipped_folder() -> Path:
    """Where they are, with their indexes."""
    return Path(str(files("noughts.certificates")))


def file_of(spec: str) -> Path:
    """Where the certificate for the game with this *spec* is, or would be."""
    return shipped_folder() / (name_of_index(spec).removesuffix(SUFFIX) + COMPRESSED)


def open_shipped(spec: str) -> IO[bytes] | None:
    """The certificate for the game with this *spec*, to be read; None where none comes with noughts.

    Or where this Python cannot decompress it.
    """
    file = file_of(spec)
    if file.is_file():
        with suppress(ImportError):
            import lzma  # some Pythons are built without it

            return lzma.open(file)
    return None
