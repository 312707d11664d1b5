"""The text protocol of Gomocup, as both sides write it: points, commands, rules, and replies.

A point is ``(x, y)``: the column from the left and the row from the top, both from 0. Our coordinates have
the opposite order. Sources: the description that comes with Piskvork, and for words that begin with ``YX``
the protocol of Yixin.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from noughts.core.board import Coordinate

Point = tuple[int, int]
"""The column from the left and the row from the top, both from 0."""

Stone = tuple[int, int, int]
"""A point and its owner, one of :class:`Field`."""

OK, DONE = "OK", "DONE"

NO_LIMIT = 2_147_483_647
"""The value for unlimited time left, in ms."""

_NUMBER, _GAP = r"[+-]?[0-9]{1,18}", r"[ \t\r\n]"
_NUMBERS = re.compile(rf"{_GAP}*{_NUMBER}(?:(?:{_GAP}*,{_GAP}*|{_GAP}+){_NUMBER})*{_GAP}*")
_LONG = r"[+-]?[0-9]{1,100}"  # impossible numbers are parsed too, so that the error can name them
_PAIR = rf"({_LONG}){_GAP}*,{_GAP}*({_LONG})"
_POINT = re.compile(rf"{_GAP}*{_PAIR}{_GAP}*")
_POINTS = re.compile(rf"{_GAP}*{_PAIR}(?:{_GAP}+{_PAIR})*{_GAP}*")


class Field(IntEnum):
    """The owner of a stone in a ``BOARD``, from the point of view of the engine."""

    OWN = 1
    OTHER = 2
    CLOSED = 3


class Rule(IntEnum):
    """The codes of the rules that we can play. Others are sums in which 2 is continuous and 8 caro."""

    FREE = 0
    EXACT = 1
    RENJU = 4


@dataclass(frozen=True, slots=True)
class GomocupCommand:
    """A line of a manager: its first ``word``, in capitals, and the ``rest``."""

    word: str
    rest: str = ""


def parse_command(line: str) -> GomocupCommand:
    """Return the command in *line*, in upper or lower case.

    >>> parse_command(" turn 10, 3 ")
    GomocupCommand(word='TURN', rest='10, 3')
    """
    word, _, rest = " ".join(line.split()).partition(" ")
    return GomocupCommand(word.upper(), rest)


def parse_numbers(text: str, count: int) -> tuple[int, ...] | None:
    """Return the *count* numbers in *text*, separated by commas or spaces, or None for anything else.

    >>> parse_numbers("7 , 8", 2), parse_numbers("7,8,9", 2), parse_numbers("seven", 1)
    ((7, 8), None, None)
    """
    if not _NUMBERS.fullmatch(text):
        return None
    numbers = tuple(int(word) for word in text.replace(",", " ").split())
    return numbers if len(numbers) == count else None


def parse_point(text: str) -> Point | None:
    """Return the point in *text*, or None for anything else. It may be outside every board.

    >>> parse_point("3, 4"), parse_point("h8"), parse_point("3,4,1")
    ((3, 4), None, None)
    """
    match = _POINT.fullmatch(text)
    return None if match is None else (int(match[1]), int(match[2]))


def parse_points(text: str) -> tuple[Point, ...]:
    """Return the points in *text*, separated by spaces, or an empty tuple for anything else.

    >>> parse_points("7,7 8 , 8"), parse_points("7,7 h8")
    (((7, 7), (8, 8)), ())
    """
    if not _POINTS.fullmatch(text):
        return ()
    numbers = [int(word) for word in text.replace(",", " ").split()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def format_point(point: Point) -> str:
    """Return *point* as both sides write it."""
    return f"{point[0]},{point[1]}"


def point_of(coordinate: Coordinate) -> Point:
    """Return the point of a *coordinate* of a flat board.

    >>> point_of((3, 10))
    (10, 3)
    """
    row, column = coordinate
    return column, row


def coordinate_of(point: Point) -> Coordinate:
    """Return our coordinate of *point*."""
    column, row = point
    return row, column


def board_lines(stones: Iterable[Stone], word: str = "BOARD") -> tuple[str, ...]:
    """Return the lines for a position. In renju *stones* must be in the order of play.

    >>> board_lines([(7, 7, Field.OTHER)])
    ('BOARD', '7,7,2', 'DONE')
    """
    return (word, *(f"{x},{y},{int(owner)}" for x, y, owner in stones), DONE)


class Kind(StrEnum):
    """The kinds of lines of an engine."""

    OK = "ok"
    MOVE = "move"
    SUGGESTION = "suggestion"
    MESSAGE = "message"
    ERROR = "error"
    UNKNOWN = "unknown"
    OTHER = "other"
    """Any other line: an answer to something else, or without meaning."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A line of an engine: its ``kind``, the ``text`` after the word, and the ``point`` of a move."""

    kind: Kind
    text: str = ""
    point: Point | None = None


_KINDS = {
    "OK": Kind.OK,
    "MESSAGE": Kind.MESSAGE,
    "DEBUG": Kind.MESSAGE,
    "ERROR": Kind.ERROR,
    "UNKNOWN": Kind.UNKNOWN,
}


def parse_reply(line: str) -> Reply:
    """Return the parsed *line* of an engine. Only its form is checked.

    >>> parse_reply("3, 4").point, parse_reply("suggest 3,4").kind.value, parse_reply("OK - ready").kind.value
    ((3, 4), 'suggestion', 'ok')
    >>> parse_reply("OKAY").kind.value, parse_reply("7,7,7").kind.value
    ('other', 'other')
    """
    if (point := parse_point(line)) is not None:
        return Reply(Kind.MOVE, line.strip(), point)
    word, _, rest = line.strip().partition(" ")
    if word.upper() == "SUGGEST" and (point := parse_point(rest)) is not None:
        return Reply(Kind.SUGGESTION, rest.strip(), point)
    kind = _KINDS.get(word.upper())
    return Reply(Kind.OTHER, line) if kind is None else Reply(kind, rest.strip())
