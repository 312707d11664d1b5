"""Books: the values of all positions of the first plies of a game on a flat board where marks fall."""

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import chain
from math import comb
from typing import IO

from noughts.certificates.shipped import open_compressed, shipped_folder
from noughts.certificates.text import DoesNotHold, Reader, Writer, numbers
from noughts.certificates.verify import CertificateVerdict
from noughts.errors import BadInput, DamagedFile, DamagedFileWarning, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import new_game

FIRST_LINE = "noughts book"
VERSION = 2
LISTED = 1
"""The version of the format that lists the values of a ply in the order of the names of its positions."""

FACTS = frozenset(("gravity",))
"""The facts of the rules that books handle, no more and no fewer."""

MAX_CELLS, MAX_PLIES = 64, 12
"""The maximum number of cells of a board, and the maximum number of plies of a book."""

VALUE = re.compile("0|-?[1-9][0-9]?")

ABSENT, DRAW, FIRST_WIN, FIRST_LOSS = ".", "=", ord("?"), ord("_")
"""The codes for no value, a draw, a win with the next ply, and a loss with the ply after it.

The codes of later wins and losses follow those of the first ones, in steps of two plies.
"""

CODES = re.compile(r"[.=?-~]+")

COMPRESSED = ".xz"
"""The suffix of the name of a compressed book."""

SAMPLE = 8
"""The default number of positions of the last ply that are searched. Each may take a minute."""

Values = dict[str, int]
"""Values by the names of positions."""

Search = Callable[[Game], int | None]
"""Finds the value of a position in the form of a book; None if a limit was reached first."""


def name_of(game: Game) -> str:
    """Name a position by the marks of each column from the left, from below, or of the mirror image.

    >>> game = new_game("4x3:3,gravity")
    >>> for move in ((2, 3), (1, 3), (2, 2)):
    ...     game.play(move)
    >>> name_of(game)
    '//X/XO'
    """
    width, cells = game.shape[1], game.cells
    columns = ["".join([mark or "" for mark in cells[x::width][::-1]]) for x in range(width)]
    return min("/".join(columns), "/".join(columns[::-1]))


def position_of(game: Game, name: str) -> Game:
    """Return a game like *game* in the position with this *name*."""
    height, width = game.shape
    cells: list[str | None] = [None] * (height * width)
    for x, column in enumerate(name.split("/")):
        for y, mark in enumerate(column, start=1):
            cells[(height - y) * width + x] = mark
    return game.at(cells)


def place_of(name: str) -> tuple[str, int]:
    """Return the heights of the columns of a position, and its index among all with these heights.

    The index counts the arrangements of the marks, first the first column from below. O comes before X. Of
    two mirror images, the one with lower columns on the left counts, or the one with the lower index.

    >>> place_of("//X/XO"), place_of("X///")
    (('0/0/1/2', 2), ('0/0/0/1', 0))
    """
    columns = name.split("/")
    images = [(list(map(len, image)), "".join(image)) for image in (columns, columns[::-1])]
    heights, marks = min(images)
    left, second, index = len(marks), len(marks) // 2, 0
    for mark in marks:
        left -= 1
        if mark == "O":
            second -= 1
        elif second:
            index += comb(left, second - 1)
    return "/".join(map(str, heights)), index


def positions(game: Game, plies: int) -> Iterator[tuple[str, int]]:
    """Play *game* to each unfinished position within *plies* plies once; yield its name and its ply.

    The moves are played on *game* itself, depth first, and taken back.
    """
    yield from _positions(game, 0, plies, set())


def _positions(game: Game, ply: int, plies: int, seen: set[str]) -> Iterator[tuple[str, int]]:
    name = name_of(game)
    if name in seen or game.outcome is not None:
        return
    seen.add(name)
    yield name, ply
    for move in game.legal_moves() if ply < plies else ():
        game.play(move)
        yield from _positions(game, ply + 1, plies, seen)
        game.undo()


def value_by(game: Game, known: Callable[[Game], int]) -> int:
    """Return the value of the position of *game* from *known*, the values after its moves."""
    values_after = []
    for move in game.legal_moves():
        game.play(move)
        if game.outcome is not None:
            values_after.append(1 if game.winner else 0)
        else:
            value = known(game)
            values_after.append(-value - 1 if value > 0 else 1 - value if value < 0 else 0)
        game.undo()
    return max(values_after, key=goodness)


def goodness(value: int) -> tuple[int, int]:
    """Return a sort key for the side to move: the quickest win, a draw, then the longest defence."""
    return (value > 0) - (value < 0), -value


@dataclass(frozen=True)
class Book:
    """The values of the positions of *game*, a spec, in its first plies.

    *rows* has the codes of all arrangements of the marks, by the heights of the columns. A value is for the
    side to move: 0 for a draw, the plies to the end for a win, and their negative for a loss.
    """

    game: str
    rows: dict[str, str]

    def value_of(self, game: Game) -> int | None:
        """Return the value of the position of *game*; None if the book does not have it."""
        return self.value_at(name_of(game))

    def value_at(self, name: str) -> int | None:
        """Return the value of the position with this *name*; None if the book does not have it."""
        heights, index = place_of(name)
        code = self.rows.get(heights, "")[index : index + 1] or ABSENT
        if code in (ABSENT, DRAW):
            return 0 if code == DRAW else None
        number = ord(code)
        return 2 * (number - FIRST_WIN) + 1 if number < FIRST_LOSS else -2 * (number - FIRST_LOSS + 1)


def rows_of(values: Values) -> dict[str, str]:
    """Return the rows of a book with these *values*, in the order in which they are written."""
    rows: dict[str, list[str]] = {}
    for name, value in values.items():
        heights, index = place_of(name)
        if heights not in rows:
            count = sum(map(int, heights.split("/")))
            rows[heights] = [ABSENT] * comb(count, count // 2)
        first = FIRST_WIN if value > 0 else FIRST_LOSS
        rows[heights][index] = chr(first + (abs(value) - 1) // 2) if value else DRAW

    def order(heights: str) -> tuple[int, list[int]]:
        numbers = [int(height) for height in heights.split("/")]
        return sum(numbers), numbers

    return {heights: "".join(rows[heights]) for heights in sorted(rows, key=order)}


def write_book(stream: IO[str], game: str, plies: int, values: Values) -> None:
    """Write a book of *plies* plies for the game with this spec."""
    writer = Writer(stream)
    writer.write(FIRST_LINE, VERSION)
    writer.write("game", game)
    writer.write("plies", plies)
    for heights, codes in rows_of(values).items():
        writer.write(heights, codes)
    writer.write("end")
    writer.close()


def is_book(line: bytes) -> bool:
    """Return True if a file with this first *line* is a book."""
    return line.startswith(FIRST_LINE.encode())


class BookCheck:
    """Reads and checks a book."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.spec: str | None = None
        self._version = VERSION
        self._last_ply = 0

    def read(self) -> Book:
        """Read the book, without a check of its values. Raises :class:`DoesNotHold`."""
        self._read_head()
        assert self.spec is not None  # noqa: S101 - the head has it
        book = Book(self.spec, self._listed() if self._version == LISTED else self._rows())
        if not self._reader.is_at_end():
            raise DoesNotHold("the end was expected")
        return book

    def _read_head(self) -> None:
        *first_line, version = self._reader.next()
        if first_line != FIRST_LINE.split() or version not in (str(LISTED), str(VERSION)):
            raise DoesNotHold("this is no book of a version that is known")
        self._version = int(version)
        spec, last_ply = self._word_after("game"), self._word_after("plies")
        try:
            game = new_game(spec)
        except (BadInput, UnsupportedRules) as error:
            raise DoesNotHold(f"{spec} is no game") from error
        if game.rules is None or game.rules.spec != spec or game.facts != FACTS or len(game.shape) != 2:
            raise DoesNotHold(f"there are no books about {spec}")
        if len(game.sides) != 2 or len(game.cells) > MAX_CELLS:
            raise DoesNotHold("the board is too large")
        self.spec = spec
        (last,) = (-1,) if last_ply == "0" else numbers([last_ply], MAX_PLIES)
        self._last_ply = last + 1

    def _word_after(self, word: str) -> str:
        first, *rest = self._reader.next()
        if first != word or len(rest) != 1:
            raise DoesNotHold(f"{word} was expected")
        return rest[0]

    def _rows(self) -> dict[str, str]:
        rows: dict[str, str] = {}
        while (words := self._reader.next()) != ["end"]:
            if len(words) != 2 or words[0] in rows or not CODES.fullmatch(words[1]):
                raise DoesNotHold("a row of codes or the end was expected")
            rows[words[0]] = words[1]
        return rows

    def _listed(self) -> dict[str, str]:
        """Read the values of each ply in the order of the names of its positions."""
        lines = [self._reader.next() for _ in range(self._last_ply + 1)]
        if any(line[0] != "values" for line in lines) or self._reader.next() != ["end"]:
            raise DoesNotHold("the values of each ply were expected")
        names = self._names([len(line) - 1 for line in lines])
        values = zip(chain(*map(sorted, names)), (word for _, *words in lines for word in words), strict=True)
        return rows_of({name: _value(word) for name, word in values})

    def _names(self, counts: list[int]) -> list[list[str]]:
        """Return the names of the positions of each ply. Raises if they are not as many as *counts*."""
        assert self.spec is not None  # noqa: S101 - the head has it
        names: list[list[str]] = [[] for _ in counts]
        for name, ply in positions(new_game(self.spec), self._last_ply):
            names[ply].append(name)
            if len(names[ply]) > counts[ply]:  # A short file with large claims must not cost time.
                break
        if [*map(len, names)] != counts:
            raise DoesNotHold("one value for each position was expected")
        return names

    def last_ply(self, book: Book) -> Values:
        """Check that each value, except those of the last ply, follows from the values one ply later.

        Return the values of the last ply. Raises :class:`DoesNotHold`.
        """
        game, count, last = new_game(book.game), 0, Values()

        def known(then: Game) -> int:
            value = book.value_of(then)
            if value is None:
                raise DoesNotHold("a position has no value")
            return value

        for name, ply in positions(game, self._last_ply):
            value, count = known(game), count + 1
            if ply == self._last_ply:
                last[name] = value
            elif value != value_by(game, known):
                raise DoesNotHold("a value does not follow from those after its moves")
        if count != sum(len(codes) - codes.count(ABSENT) for codes in book.rows.values()):
            raise DoesNotHold("there are values of other positions")
        return last


def _value(word: str) -> int:
    # A side wins with its own move, so after an odd number of plies.
    if not VALUE.fullmatch(word) or (word != "0" and (int(word) > 0) != int(word) % 2):
        raise DoesNotHold(f"{word} is no value")
    return int(word)


@dataclass(frozen=True, slots=True)
class BookVerdict(CertificateVerdict):
    """The verdict on a book: ``searched`` of the ``of`` positions of its last ply were searched."""

    searched: int = 0
    of: int = 0


def verify_book(stream: IO[bytes], search: Search, sample: int | None = SAMPLE) -> BookVerdict:
    """Check the book in *stream*: by the rules, and its last ply by *search*.

    A *sample* of the positions of the last ply is searched, always the same one. None means all.
    """
    reader = Reader(stream)
    check, result = BookCheck(reader), BookVerdict(None, None)
    try:
        book = check.read()
        values, searched, game = check.last_ply(book), 0, new_game(book.game)
        last = sorted(values, key=lambda name: sha256(name.encode()).digest())
        start = book.value_of(game) or 0
        value = "first" if start > 0 else "second" if start else "draw"
        for name in last[:sample]:
            searched_value = search(position_of(game, name))
            if searched_value is None:
                break
            if searched_value != values[name]:
                raise DoesNotHold("a search finds another value than that of the last ply")
            searched += 1
        result = BookVerdict(check.spec, value, searched=searched, of=len(last))
    except DoesNotHold as error:
        result = BookVerdict(check.spec, None, "disagrees", reader.number, str(error))
    if not reader.is_intact():
        return BookVerdict(check.spec, None, "damaged", reason="the digest is not that of the lines")
    return result


def file_name(spec: str) -> str:
    """Return the name of the book file for games with this *spec*.

    >>> file_name("7x6:4,gravity")
    '7x6-4-gravity.book'
    """
    return spec.replace(":", "-").replace(",", "-") + ".book"


@cache
def shipped_book(spec: str) -> Book | None:
    """Return the book that comes with noughts for games with this *spec*; None if there is none.

    Return None also if this Python cannot decompress it, or if it is damaged. Then a warning names it.
    """
    file = shipped_folder() / (file_name(spec) + COMPRESSED)
    stream = open_compressed(file)
    if stream is None:
        return None
    reader = Reader(stream)
    with suppress(DoesNotHold):
        book = BookCheck(reader).read()
        if reader.is_intact() and book.game == spec:
            return book
    warnings.warn(DamagedFileWarning(DamagedFile(str(file), "part")), stacklevel=2)
    return None
