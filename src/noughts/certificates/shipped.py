"""The certificates that come with noughts, compressed, each with the index that players are told by."""

from contextlib import suppress
from importlib.resources import files
from io import BytesIO
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

    Or where it cannot be decompressed: it is damaged, or this Python does without.
    """
    file = file_of(spec)
    if not file.is_file():
        return None
    try:
        import lzma  # some Pythons are built without it
    except ImportError:
        return None
    with suppress(OSError, EOFError, lzma.LZMAError):
        return BytesIO(lzma.decompress(file.read_bytes()))
    return None
