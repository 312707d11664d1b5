"""The search output of engines, in their various forms, as progress like that of our searches."""

import re

from noughts.search.analysis import Progress
from noughts.workers.protocols.gomocup import Point, coordinate_of
from noughts.workers.protocols.gomocup_game import GomocupSetting

_DEPTH = re.compile(r"\bdepth[ =:]*(\d{1,4})", re.IGNORECASE)
_NODES = re.compile(r"\bnodes?[ =:]*(\d{1,12})([kmg]?)\b", re.IGNORECASE)
_SCORE = re.compile(r"\b(?:eval|ev|score|val)[ =:]*([+-]?\d{1,9})\b", re.IGNORECASE)
_LINE = re.compile(r"\b(?:pv|bestline|best:?) +(.*)", re.IGNORECASE)
_STONE = re.compile(r"\[?(\d{1,2}),(\d{1,2})\]?|([A-Za-z])(\d{1,2})")

THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


class ProgressParser:
    """A parser for an engine's output during one move on the board of *setting*.

    Some engines print their depth in one line, and the moves in the next.
    """

    def __init__(self, setting: GomocupSetting) -> None:
        self._setting = setting
        self._depth = self._nodes = 0
        self._score: int | None = None

    def read(self, line: str) -> Progress | None:
        """Return the progress after this *line* of ``MESSAGE`` or ``DEBUG``, or None if it has no move.

        >>> from noughts.workers.protocols.gomocup import Rule
        >>> parser = ProgressParser(GomocupSetting(15, 15, Rule.FREE))
        >>> parser.read("MESSAGE Speed 272K | Depth 6-9 | Eval 55 | Node 272 | Time 1ms")
        >>> progress = parser.read("MESSAGE Bestline N13 L11")
        >>> progress.depth, progress.nodes, progress.score, progress.pv
        (6, 272, 55, ((12, 13), (10, 11)))
        """
        if match := _DEPTH.search(line):
            self._depth = int(match[1])
        if match := _NODES.search(line):
            self._nodes = int(match[1]) * THOUSANDS[match[2].lower()]
        if match := _SCORE.search(line):
            self._score = int(match[1])
        cells = tuple(map(coordinate_of, self._points(line)))
        if not cells:
            return None
        return Progress("searching", self._nodes, self._depth, cells[0], cells, self._score)

    def _points(self, line: str) -> list[Point]:
        """Return the moves of the principal variation in *line*, up to the first one off the board."""
        points: list[Point] = []
        variation = _LINE.search(line)
        for word in () if variation is None else variation[1].split():
            match = _STONE.fullmatch(word)
            if match is None:
                break
            x, y, letter, row = match.groups()
            # Letters are columns from the left, and their rows are counted from the top, from 1.
            point = (int(x), int(y)) if letter is None else (ord(letter.lower()) - ord("a"), int(row) - 1)
            if not (0 <= point[0] < self._setting.width and 0 <= point[1] < self._setting.height):
                break
            points.append(point)
        return points
