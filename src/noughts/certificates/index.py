"""The index of a certificate: a file that answers for single positions, without the certificate.

An index is written while its certificate is checked, and only if it is valid. It has 16 bytes for each
position: its outline, which all symmetric positions share, its key, and the move of the Prover.

The file is a tree of pages. The first page is the header. It has a digest of itself, and the digest of the
root. Each inner page has the digests of the pages below it. A page is checked when it is read, before its
contents are trusted, so a damaged file is noticed without reading all of it.
"""

import errno
import json
import os
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from struct import Struct
from threading import Lock
from typing import IO, TYPE_CHECKING, Any
from weakref import finalize

from noughts.certificates.by_lines import LinesPosition, outline
from noughts.certificates.by_play import move_as_word, position_of
from noughts.certificates.proved_positions import Permutation
from noughts.certificates.verify import PARTS, STOPPED, CertificateVerdict, NotedPosition, own_lines, verify
from noughts.core.lines import line_table
from noughts.core.symmetry import symmetries
from noughts.errors import DamagedFile, DamagedFileWarning
from noughts.games.base import Game, Move
from noughts.records.temporary_folders import temporary_folder

if TYPE_CHECKING:
    import sqlite3

FIRST_LINE = b"noughts proof 3\n"
"""The first line of an index; the number is that of the format. Formats 1 and 2 have no digests."""

OLD_FIRST_BYTES = b"SQLite format 3\0"
"""The first bytes of an index of format 1 or 2."""

PAGE = 4096
"""The size of a page in bytes."""

DIGEST = 16
"""The size of a digest in bytes."""

HEAD = Struct(">HI")
"""The head of a page: the number of its entries, and the first page below it, 0 for a leaf."""

LEAF = Struct(">iq4s")
"""An entry of a leaf: outline, key, and the word for the move, empty if the other side is to move."""

INNER = Struct(f">iq{DIGEST}s")
"""An entry of an inner page: outline and key of the first position below it, and the digest of that page."""

GREATEST_KEY = (1 << 63) - 1
"""The greatest possible key."""

MAX_PAGES = 2048
"""The number of pages that are kept in memory."""

OUTLINE_BITS = 31
"""The number of bits of an outline that are stored."""

SUFFIX = ".proof"
"""The suffix of the file name."""

BATCH = 10_000
"""The number of positions that are added to the sorted database at once."""

Row = tuple[int, int, str | None]
"""The outline, key and move of a position."""

Entry = tuple[int, int, bytes]
"""An entry of a page."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The proved result of one side in a position: that it wins, or that it does not lose (``hold``).

    ``move`` achieves it, None if the other side is to move.
    """

    goal: str
    move: Move | None = None


def name_of_index(spec: str) -> str:
    """Return the file name for the game with this *spec*, which is valid on every system.

    >>> name_of_index("7x6:4,gravity")
    '7x6-4-gravity.proof'
    """
    return spec.replace(":", "-").replace(",", "-").replace("=", "-") + SUFFIX


def write_index(
    stream: IO[bytes], folder: Path, report: Callable[[int], None] = lambda number: None
) -> CertificateVerdict:
    """Check the certificate in *stream*, and write its index to *folder* if it is valid.

    It replaces an index of the same game. Raises :class:`OSError` if it cannot be written.
    """
    import sqlite3  # It takes long to load, and few commands write an index.

    folder.mkdir(parents=True, exist_ok=True)
    with temporary_folder(folder) as place:
        new = place / "new"
        try:
            with closing(sqlite3.connect(place / "sorted", isolation_level=None)) as connection:
                verdict = _sorted_in(connection, stream, report)
                if verdict.holds:
                    rows = connection.execute("SELECT * FROM positions ORDER BY outline, key")
                    with new.open("wb") as file:
                        _write_pages(file, rows, verdict)
        except sqlite3.Error as error:
            is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
            raise OSError(errno.ENOSPC if is_full else errno.EIO, str(error)) from error
        if verdict.holds and verdict.game is not None:
            new.replace(folder / name_of_index(verdict.game))
    return verdict


def _sorted_in(
    connection: "sqlite3.Connection", stream: IO[bytes], report: Callable[[int], None]
) -> CertificateVerdict:
    """Check the certificate in *stream*, and sort its positions in the database of *connection*."""
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(
        "CREATE TABLE positions (outline INTEGER, key INTEGER, move TEXT, PRIMARY KEY (outline, key))"
        " WITHOUT ROWID"
    )
    connection.execute("BEGIN")
    rows: dict[tuple[int, int], str | None] = {}

    def write() -> None:
        lines = ((outlined, key, move) for (outlined, key), move in rows.items())
        connection.executemany("INSERT OR IGNORE INTO positions VALUES (?, ?, ?)", lines)
        rows.clear()

    def note(side: int, position: NotedPosition, move: str | None) -> None:
        rows.setdefault((_outline(position), _key(side, move is not None, position)), move)
        if len(rows) >= BATCH:
            write()

    verdict = verify(stream, report=report, note=note)
    write()
    connection.execute("COMMIT")
    return verdict


def _write_pages(file: IO[bytes], rows: Iterable[Row], verdict: CertificateVerdict) -> None:
    """Write the index with these *rows*, which are sorted: header, leaves, and the pages above them."""
    file.write(bytes(PAGE))  # The header is known last.
    pages = 0

    def write(kind: Struct, entries: Iterable[Entry], below: int) -> list[Entry]:
        """Write one level of the tree above page *below*, and return an entry for each of its pages."""
        nonlocal pages
        above: list[Entry] = []
        rest, most = iter(entries), (PAGE - HEAD.size) // kind.size
        while (some := list(islice(rest, most))) or not above:  # An index without positions has a page too.
            body = HEAD.pack(len(some), below) + b"".join(kind.pack(*entry) for entry in some)
            page = body.ljust(PAGE, b"\0")
            file.write(page)
            pages += 1
            below += len(some) if below else 0
            above.append((*(some[0][:2] if some else (0, 0)), _digest(page)))
        return above

    level = write(LEAF, ((*row[:2], (row[2] or "").encode("ascii")) for row in rows), 0)
    height, below = 0, 1
    while len(level) != 1:
        below, level = pages + 1, write(INNER, level, below)
        height += 1
    about = {
        "game": verdict.game,
        "value": verdict.value,
        "digest": verdict.digest,
        "pages": pages,
        "height": height,
        "root": level[0][2].hex(),
    }
    header = (FIRST_LINE + json.dumps(about).encode("ascii") + b"\n").ljust(PAGE - DIGEST, b"\0")
    file.seek(0)
    file.write(header + _digest(header))
    file.flush()
    os.fsync(file.fileno())


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST).digest()


def _outline(position: NotedPosition) -> int:
    """Return a number that symmetric positions share, so that few symmetries are tried."""
    one, two = position
    if isinstance(one, str) or isinstance(two, str):
        return -one.count(".") - 1
    return outline((one, two)) >> 64 - OUTLINE_BITS


def _key(side: int, is_to_move: bool, position: NotedPosition) -> int:
    """Return the number that identifies a *position* with a proved result for side number *side*."""
    text = repr((side, is_to_move, position)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), signed=True)


class Index:
    """Looks up positions of one game in the index in a file.

    ``value`` is the proved value of the start, and ``digest`` the digest of the certificate. If the file
    turns out to be damaged, a :class:`~noughts.errors.DamagedFileWarning` names it, and it is not used any
    more.
    """

    def __init__(self, file: Path, spec: str) -> None:
        """Open the *file* for games with this *spec*. Raises :class:`~noughts.errors.DamagedFile`."""
        self._damage = DamagedFile(str(file), "proof", game=spec)
        self._lock, self._pages = Lock(), dict[int, bytes]()
        self._is_usable = True
        self._descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        finalize(self, os.close, self._descriptor)
        header = os.read(self._descriptor, PAGE)
        if header.startswith(OLD_FIRST_BYTES):
            raise DamagedFile(str(file), "old-proof", game=spec)
        if not header.startswith(FIRST_LINE) or header[-DIGEST:] != _digest(header[:-DIGEST]):
            raise self._damage
        about = json.loads(header[len(FIRST_LINE) :].partition(b"\n")[0])
        self.value, self.digest = str(about["value"]), str(about["digest"])
        self._height, self._root = int(about["height"]), (int(about["pages"]), bytes.fromhex(about["root"]))
        if about["game"] != spec or os.fstat(self._descriptor).st_size != PAGE * (1 + self._root[0]):
            raise self._damage

    @staticmethod
    def of(game: Game, folder: Path) -> "Index | None":
        """Return the index in *folder* for games like *game*; None if there is none that can be used.

        A warning names a file that is damaged or has no digests.
        """
        if game.rules is None:
            return None
        file = folder / name_of_index(game.rules.spec)
        if not file.is_file():
            return None
        try:
            return Index(file, game.rules.spec)
        except DamagedFile as error:
            warnings.warn(DamagedFileWarning(error), stacklevel=2)
        except (OSError, ValueError, KeyError, TypeError):
            warnings.warn(
                DamagedFileWarning(DamagedFile(str(file), "proof", game=game.rules.spec)), stacklevel=2
            )
        return None

    def find(self, game: Game, side: int) -> Proof | None:
        """Return the proof for side number *side* in the position of *game*; None if there is none."""
        try:
            return self._find(game, side) if self._is_usable else None
        except (DamagedFile, OSError):
            self._is_usable = False
            warnings.warn(DamagedFileWarning(self._damage), stacklevel=2)
        return None

    def _find(self, game: Game, side: int) -> Proof | None:
        """Find the proof by trying the symmetries of the board one after another."""
        goal = next((goal for goal, about in PARTS[self.value] if about == side), None)
        if goal is None or game.rules is None:
            return None
        is_to_move = game.turn == game.sides[side]
        maps = symmetries(game.rules.geometry, game.rules.gravity)
        for outlined, image in _images(game, side):
            if not self._has_outline(outlined):
                continue
            for map_ in maps:
                word = self._move_at(outlined, _key(side, is_to_move, image(map_)))
                if word is None:
                    continue
                if not is_to_move:
                    return Proof(goal)
                for move in game.legal_moves():
                    if _image_of(move_as_word(game, move), map_) == word:
                        return Proof(goal, move)
        return None

    def _has_outline(self, outlined: int) -> bool:
        """Return True if any position has this outline."""
        return self._last_row((outlined, GREATEST_KEY))[:1] == (outlined,)

    def _move_at(self, outlined: int, key: int) -> str | None:
        """Return the word for the move at a position, "" if the other side is to move.

        Return None if the position is missing.
        """
        *place, word = self._last_row((outlined, key)) or (None, b"")
        return word.rstrip(b"\0").decode("ascii") if place == [outlined, key] else None

    def _last_row(self, place: tuple[int, int]) -> tuple[Any, ...]:
        """Return the last row that is not after *place*, an outline and a key; empty if there is none."""
        number, digest = self._root
        for _ in range(self._height):
            page = self._page(number, digest)
            at = max(0, _last_entry(page, INNER, place))
            number, digest = HEAD.unpack_from(page)[1] + at, _entry(page, INNER, at)[2]
        page = self._page(number, digest)
        at = _last_entry(page, LEAF, place)
        return () if at < 0 else _entry(page, LEAF, at)

    def _page(self, number: int, digest: bytes) -> bytes:
        """Return page *number* after checking its *digest*. Raises :class:`DamagedFile`."""
        with self._lock:
            page = self._pages.get(number)
            if page is None:
                os.lseek(self._descriptor, number * PAGE, os.SEEK_SET)
                page = os.read(self._descriptor, PAGE)
                if _digest(page) != digest:
                    raise self._damage
                if len(self._pages) >= MAX_PAGES:
                    del self._pages[next(iter(self._pages))]
                self._pages[number] = page
            return page


def _entry(page: bytes, kind: Struct, at: int) -> tuple[Any, ...]:
    """Return entry number *at* of a *page* of this *kind*."""
    return kind.unpack_from(page, HEAD.size + at * kind.size)


def _last_entry(page: bytes, kind: Struct, place: tuple[int, int]) -> int:
    """Return the number of the last entry of *page* that is not after *place*, -1 if there is none."""
    count = HEAD.unpack_from(page)[0]
    return bisect_right(range(count), place, key=lambda at: _entry(page, kind, at)[:2]) - 1


def _images(game: Game, side: int) -> Iterator[tuple[int, Callable[[Permutation], NotedPosition]]]:
    """Yield the forms of the position of *game* in a proof about side number *side*: outline and images.

    There is a form without the lines of that side, which a proof may ignore.
    """
    yield _outline(position_of(game)), lambda map_: position_of(game, map_)
    table = None if game.rules is None else line_table(game.rules.geometry)
    if table is None or not game.facts <= STOPPED:
        return
    own = other = 0
    for cell, mark in enumerate(game.cells):
        if mark is not None:
            own |= (mark == game.sides[side]) << cell
            other |= (mark != game.sides[side]) << cell
    mine = tuple(line & ~own for line in own_lines(game, table) if not line & other)
    theirs = tuple(line & ~other for line in table.masks if not line & own)
    for lines in dict.fromkeys((mine, ())):
        yield _outline((lines, theirs)), LinesPosition(lines, theirs, 0).image


def _image_of(word: str, map_: Permutation) -> str:
    """Return the *word* for a move after *map_*: the number of the cell, perhaps with a mark before it."""
    number = word.lstrip("XO")
    return f"{word[: -len(number)]}{map_[int(number) - 1] + 1}"
