"""Books: the values of all positions of the first plies of a game on a flat board where marks fall."""

import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from math import inf
from typing import IO

from noughts.certificates.text import DoesNotHold, Reader, Writer, numbers
from noughts.certificates.verify import CertificateVerdict
from noughts.errors import BadInput, DamagedFile, DamagedFileWarning, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import new_game

FIRST_LINE = "noughts book"
VERSION = 1

FACTS = frozenset(("gravity",))
"""The facts of the rules that books handle, no more and no fewer."""

MAX_CELLS, MAX_PLIES = 64, 12
"""The maximum number of cells of a board, and the maximum number of plies of a book."""

VALUE = re.compile("0|-?[1-9][0-9]?")

SAMPLE = 8
"""The default number of positions of the last ply that are searched. Each may take a minute."""

Layers = list[dict[str, Game]]
"""The positions after each number of plies, by name and in order."""

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
    columns = ["".join(mark or "" for mark in cells[x::width][::-1]) for x in range(width)]
    return min("/".join(columns), "/".join(reversed(columns)))


def layers_of(game: Game, plies: int) -> Layers:
    """Return all unfinished positions that *game* may reach within *plies* plies."""
    result: Layers = [{name_of(game): game}]
    for _ in range(plies):
        result.append(layer_after(result[-1]))
    return result


def layer_after(layer: dict[str, Game], most: float = inf) -> dict[str, Game]:
    """Return the unfinished positions one ply after those of *layer*.

    The list is incomplete if there are more than *most*.
    """
    after: dict[str, Game] = {}
    for position in layer.values():
        if len(after) > most:
            break
        for move in position.legal_moves():
            then = position.copy()
            then.play(move)
            if then.outcome is None:
                after.setdefault(name_of(then), then)
    return dict(sorted(after.items()))


def value_by(game: Game, known: Callable[[Game], int]) -> int:
    """Return the value of the position of *game* from *known*, the values after its moves."""
    values_after = []
    for move in game.legal_moves():
        then = game.copy()
        then.play(move)
        if then.outcome is not None:
            values_after.append(1 if then.winner else 0)
        else:
            value = known(then)
            values_after.append(-value - 1 if value > 0 else 1 - value if value < 0 else 0)
    return max(values_after, key=goodness)


def goodness(value: int) -> tuple[int, int]:
    """Return a sort key for the side to move: the quickest win, a draw, then the longest defence."""
    return (value > 0) - (value < 0), -value


@dataclass(frozen=True)
class Book:
    """The values of the positions of *game*, a spec, in its first plies: *values*, by name for each ply.

    A value is for the side to move: 0 for a draw, the plies to the end for a win, and their negative for a
    loss.
    """

    game: str
    values: list[dict[str, int]]

    def value_of(self, game: Game) -> int | None:
        """Return the value of the position of *game*; None if the book does not have it."""
        count = sum(mark is not None for mark in game.cells)
        return self.values[count].get(name_of(game)) if count < len(self.values) else None


def write_book(stream: IO[str], game: str, values: list[list[int]]) -> None:
    """Write a book for the game with this spec.

    *values* has the values of each ply in the order of the positions.
    """
    writer = Writer(stream)
    writer.write(FIRST_LINE, VERSION)
    writer.write("game", game)
    writer.write("plies", len(values) - 1)
    for row in values:
        writer.write("values", *row)
    writer.write("end")
    writer.close()


def is_book(line: bytes) -> bool:
    """Return True if a file with this first *line* is a book."""
    return line.startswith(FIRST_LINE.encode())


class BookCheck:
    """Reads and checks a book."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.game: str | None = None

    def read(self) -> tuple[Book, Layers]:
        """Read the book and list its positions. Raises :class:`DoesNotHold`."""
        reader = self._reader
        if reader.next() != [*FIRST_LINE.split(), str(VERSION)]:
            raise DoesNotHold("this is no book of a version that is known")
        spec, last_ply = self._word_after("game"), self._word_after("plies")
        try:
            game = new_game(spec)
        except (BadInput, UnsupportedRules) as error:
            raise DoesNotHold(f"{spec} is no game") from error
        if game.rules is None or game.rules.spec != spec or game.facts != FACTS or len(game.shape) != 2:
            raise DoesNotHold(f"there are no books about {spec}")
        if len(game.sides) != 2 or len(game.cells) > MAX_CELLS:
            raise DoesNotHold("the board is too large")
        self.game = spec
        (last,) = (-1,) if last_ply == "0" else numbers([last_ply], MAX_PLIES)
        layers, values = layers_of(game, 0), []
        for ply in range(last + 2):
            word, *row = reader.next()
            if ply:  # A short file with large claims must not cost time.
                layers.append(layer_after(layers[-1], len(row)))
            if word != "values" or len(row) != len(layers[-1]):
                raise DoesNotHold("the values of a ply were expected, one for each position")
            values.append(dict(zip(layers[-1], map(_value, row), strict=True)))
        if reader.next() != ["end"] or not reader.is_at_end():
            raise DoesNotHold("the end was expected")
        return Book(spec, values), layers

    def _word_after(self, word: str) -> str:
        first, *rest = self._reader.next()
        if first != word or len(rest) != 1:
            raise DoesNotHold(f"{word} was expected")
        return rest[0]

    @staticmethod
    def follows(book: Book, layers: Layers) -> None:
        """Check that each value, except those of the last ply, follows from the values one ply later."""
        for layer, values in zip(layers[:-1], book.values, strict=False):
            for name, game in layer.items():
                if values[name] != value_by(game, lambda then: book.value_of(then) or 0):
                    raise DoesNotHold("a value does not follow from those after its moves")


def _value(word: str) -> int:
    if not VALUE.fullmatch(word):
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
        book, layers = check.read()
        check.follows(book, layers)
        last = sorted(layers[-1], key=lambda name: sha256(name.encode()).digest())
        searched = 0
        (start,) = book.values[0].values()
        value = "first" if start > 0 else "second" if start else "draw"
        for name in last[:sample]:
            searched_value = search(layers[-1][name])
            if searched_value is None:
                break
            if searched_value != book.values[-1][name]:
                raise DoesNotHold("a search finds another value than that of the last ply")
            searched += 1
        result = BookVerdict(check.game, value, searched=searched, of=len(last))
    except DoesNotHold as error:
        result = BookVerdict(check.game, None, "disagrees", reader.number, str(error))
    if not reader.is_intact():
        return BookVerdict(check.game, None, "damaged", reason="the digest is not that of the lines")
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

    A damaged book is named by a warning, and not used.
    """
    file = files("noughts.certificates").joinpath(file_name(spec))
    if not file.is_file():
        return None
    reader = Reader(BytesIO(file.read_bytes()))
    with suppress(DoesNotHold):
        book, _ = BookCheck(reader).read()
        if reader.is_intact() and book.game == spec:
            return book
    warnings.warn(DamagedFileWarning(DamagedFile(str(file), "part")), stacklevel=2)
    return None
