"""Checkpoints: the table of an exact search in a file, so that a long search can be resumed.

The file has a line of JSON that names the search, then the transposition tables as they are in memory, eight
bytes a number, and a digest of it all. Only the same version of the search can interpret the numbers, so the
file of another one is refused.
"""

import json
import sys
from array import array
from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain
from typing import IO, Any, cast

from noughts.search.exact.search import ExactSearch
from noughts.search.memory import NUMBER_BYTES
from noughts.search.numba_backend import Ints, cache_folder

FORMAT = "noughts work 1"
MAX_HEADER = 4096
DIGEST_BYTES = 16
PIECE = 1 << 20
"""The number of bytes that are read at a time."""


class CheckpointError(Exception):
    """A file is no checkpoint of this search; ``reason`` is damaged, other-game or other-version."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def write_checkpoint(search: ExactSearch, stream: IO[bytes]) -> None:
    """Write the tables of *search* to *stream*."""
    tables = search.tables()
    header = {**_about(search), "tables": {name: [len(table), nodes] for name, table, nodes in tables}}
    digest = blake2b(digest_size=DIGEST_BYTES)
    parts = chain([json.dumps(header).encode() + b"\n"], (_bytes_of(table) for _, table, _ in tables))
    for part in parts:
        digest.update(part)
        stream.write(part)
    stream.write(digest.digest())


def read_checkpoint(search: ExactSearch, stream: IO[bytes]) -> None:
    """Load the tables of *search*, which must be new, from *stream*.

    Raises :class:`CheckpointError`; the search is unchanged then.
    """
    line = stream.readline(MAX_HEADER)
    try:
        header = json.loads(line)
        sizes = {str(name): (int(count), int(nodes)) for name, (count, nodes) in header["tables"].items()}
        fields = {key: header[key] for key in ("format", "game", "search")}
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise CheckpointError("damaged") from None
    expected = _about(search)
    for key, reason in (("format", "damaged"), ("game", "other-game"), ("search", "other-version")):
        if fields[key] != expected[key]:
            raise CheckpointError(reason if _is_intact(line, stream) else "damaged")
    own = {name: len(table) for name, table, _ in search.tables()}
    if sizes.keys() != own.keys() or not all(_has_grown(own[name], sizes[name][0]) for name in own):
        raise CheckpointError("damaged")
    digest = blake2b(line, digest_size=DIGEST_BYTES)
    tables = {}
    for name, (count, nodes) in sizes.items():
        numbers = array("q")
        for piece in _pieces(stream, count * NUMBER_BYTES):
            digest.update(piece)
            numbers.frombytes(piece)
        tables[name] = numbers, nodes
    if stream.read() != digest.digest():
        raise CheckpointError("damaged")
    search.load_tables(tables)


def _is_intact(line: bytes, stream: IO[bytes]) -> bool:
    """Return True if *stream* ends with the digest of all bytes before it, starting with *line*."""
    digest, last = blake2b(digest_size=DIGEST_BYTES), line
    while piece := stream.read(PIECE):
        last += piece
        digest.update(last[:-DIGEST_BYTES])
        last = last[-DIGEST_BYTES:]
    return last == digest.digest()


def _has_grown(before: int, after: int) -> bool:
    """Return True if a table can grow from *before* to *after* numbers. It doubles when it grows."""
    times, rest = divmod(after, before)
    return rest == 0 and times.bit_count() == 1


def _about(search: ExactSearch) -> dict[str, str]:
    """Return the identification of *search*: the format, the game and the version of the search."""
    return {
        "format": FORMAT,
        "game": search.rules.spec,
        "search": f"{cache_folder().name} {sys.byteorder}",
    }


def _bytes_of(table: Ints) -> bytes | memoryview:
    """Return the numbers of *table* as bytes in the order of the machine."""
    numbers = cast(Any, table if hasattr(table, "dtype") else array("q", table))
    return memoryview(numbers).cast("B")


def _pieces(stream: IO[bytes], count: int) -> Iterator[bytes]:
    """Read *count* bytes of *stream* in pieces. Raises :class:`CheckpointError` if there are fewer."""
    while count > 0:
        piece = stream.read(min(count, PIECE))
        if len(piece) < min(count, PIECE):
            raise CheckpointError("damaged")
        count -= len(piece)
        yield piece
