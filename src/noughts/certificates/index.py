"""What a certificate says of each position, in a file that is asked instead of it: an index.

An index is written while its certificate is checked, and only there is if that holds: who asks it need not
check anything. It keeps eight bytes for each position, on disk, and the move of the Prover, so that it does
not matter how large the certificate is; and what all images of each position have in common, so that it is
soon told that nothing is known.
"""

import errno
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, TYPE_CHECKING

from noughts.certificates.by_lines import Position, outline
from noughts.certificates.by_play import move_as_word, position_of
from noughts.certificates.proved import Permutation
from noughts.certificates.verify import PARTS, STOPPED, Noted, Verdict, own_lines, verify
from noughts.core.lines import line_table
from noughts.core.symmetry import symmetries
from noughts.games.base import Game, Move
from noughts.records.own_folders import own_folder

if TYPE_CHECKING:
    import sqlite3

FORMAT = 2
"""The number of this way to keep an index; those of others are not read."""

OUTLINE_BITS = 31
"""So much is kept of an outline."""

SUFFIX = ".proof"
"""What the name of such a file ends with."""

BATCH = 10_000
"""Positions that are written together."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved of one side in a position: that it wins, or that it does not lose (``hold``).

    ``move`` is how, None where the other side is to move.
    """

    goal: str
    move: Move | None = None


def name_of_index(spec: str) -> str:
    """The name of the file for the game that *spec* tells, on every system.

    >>> name_of_index("7x6:4,gravity")
    '7x6-4-gravity.proof'
    """
    return spec.replace(":", "-").replace(",", "-").replace("=", "-") + SUFFIX


def write_index(
    stream: IO[bytes], folder: Path, report: Callable[[int], None] = lambda number: None
) -> Verdict:
    """Check the certificate that *stream* gives, and if it holds put its index in *folder*.

    An index of the same game that is there makes room. Raises :class:`OSError` where nothing can be written.
    """
    import sqlite3  # takes long to load, and few keep any

    folder.mkdir(parents=True, exist_ok=True)
    with own_folder(folder) as place:
        new = place / "new"
        try:
            with closing(sqlite3.connect(new, isolation_level=None)) as connection:
                verdict = _filled(connection, stream, report)
        except sqlite3.Error as error:
            is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
            raise OSError(errno.ENOSPC if is_full else errno.EIO, str(error)) from error
        if verdict.holds and verdict.game is not None:
            new.replace(folder / name_of_index(verdict.game))
    return verdict


def _filled(connection: "sqlite3.Connection", stream: IO[bytes], report: Callable[[int], None]) -> Verdict:
    """Write what the certificate says to *connection*, and whether it holds."""
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("CREATE TABLE about (format INTEGER, game TEXT, value TEXT, digest TEXT)")
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

    def note(side: int, position: Noted, move: str | None) -> None:
        rows.setdefault((_outline(position), _key(side, move is not None, position)), move)
        if len(rows) >= BATCH:
            write()

    verdict = verify(stream, report=report, note=note)
    write()
    connection.execute(
        "INSERT INTO about VALUES (?, ?, ?, ?)", (FORMAT, verdict.game, verdict.value, verdict.digest)
    )
    connection.execute("COMMIT")
    connection.execute("VACUUM")  # in order, and without room between
    return verdict


def _outline(position: Noted) -> int:
    """A number that all images of *position* share: no image is looked for where there is no such number."""
    one, two = position
    if isinstance(one, str) or isinstance(two, str):
        return -one.count(".") - 1
    return outline((one, two)) >> 64 - OUTLINE_BITS


def _key(side: int, is_to_move: bool, position: Noted) -> int:
    """What stands for a *position* of which something is proved for side number *side*."""
    told = repr((side, is_to_move, position)).encode()
    return int.from_bytes(blake2b(told, digest_size=8).digest(), signed=True)


class Index:
    """Answers for positions of one game from the index in a file; ``value`` is what was proved of the start,
    ``digest`` that of the certificate.
    """

    def __init__(self, connection: "sqlite3.Connection", value: str, digest: str) -> None:
        self._connection = connection
        self.value, self.digest = value, digest

    @staticmethod
    def of(game: Game, folder: Path) -> "Index | None":
        """The index in *folder* for games as *game*; None where there is none, or none that can be read."""
        if game.rules is None:
            return None
        file = folder / name_of_index(game.rules.spec)
        if not file.is_file():
            return None
        import sqlite3

        with suppress(sqlite3.Error):
            connection = sqlite3.connect(
                f"{file.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False
            )
            with suppress(sqlite3.Error):
                found = connection.execute("SELECT format, game, value, digest FROM about").fetchone()
                if found is not None and found[:2] == (FORMAT, game.rules.spec) and found[2] in PARTS:
                    return Index(connection, found[2], found[3])
            connection.close()
        return None

    def find(self, game: Game, side: int) -> Proof | None:
        """What is proved of side number *side* in the position of *game*, None if nothing is.

        Or where the file can be read no more.
        """
        import sqlite3

        with suppress(sqlite3.Error):
            return self._find(game, side)
        return None

    def _find(self, game: Game, side: int) -> Proof | None:
        """The same: symmetries of the board are tried one after another."""
        goal = next((goal for goal, about in PARTS[self.value] if about == side), None)
        if goal is None or game.rules is None:
            return None
        is_to_move = game.turn == game.sides[side]
        maps = symmetries(game.rules.geometry, game.rules.gravity)
        for outlined, image in _images(game, side):
            known = "FROM positions WHERE outline = ?"
            if self._connection.execute(f"SELECT 1 {known} LIMIT 1", (outlined,)).fetchone() is None:
                continue
            for map_ in maps:
                asked = outlined, _key(side, is_to_move, image(map_))
                row = self._connection.execute(f"SELECT move {known} AND key = ?", asked).fetchone()
                if row is None:
                    continue
                if not is_to_move:
                    return Proof(goal)
                for move in game.legal_moves():
                    if _image_of(move_as_word(game, move), map_) == row[0]:
                        return Proof(goal, move)
        return None


def _images(game: Game, side: int) -> Iterator[tuple[int, Callable[[Permutation], Noted]]]:
    """All that stands for the position of *game* in a proof about side number *side*: outline and images.

    The lines of that side may have been forgotten.
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
        yield _outline((lines, theirs)), Position(lines, theirs, 0).image


def _image_of(word: str, map_: Permutation) -> str:
    """The *word* for a move after *map_*: the number of the cell, perhaps with a mark before it."""
    number = word.lstrip("XO")
    return f"{word[: -len(number)]}{map_[int(number) - 1] + 1}"
