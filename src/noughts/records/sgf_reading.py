"""Records read from SGF, of our own making or not; ``sgf`` says how."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import product
from typing import Any, TypeVar

from noughts.core.board import Coordinate
from noughts.errors import BadInput, NotationError, UnsupportedRules
from noughts.games.base import Game, Placement
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move, format_position, parse_position
from noughts.games.openings import OPENINGS
from noughts.games.rules import MARKS
from noughts.records.checks import MAX_CLOCK, MAX_EVALUATION, MAX_NAME_TEXT, Evaluation, refuse
from noughts.records.record import Record
from noughts.records.sgf_syntax import MAX_TEXT, Properties, read_nodes, split_pair, unescape, unescape_line
from noughts.records.sgf_terms import COLOURS, HEADERS, LETTERS, MAX_SIDE, TERMINATIONS, check_supported

MAX_POINTS = 4 * MAX_SIDE**2
"""How many cells the set-up of a position may name, the same one twice counted twice."""

USUAL_SIDE = 15
USUAL_K = 5
"""The board and the line of files that do not name them: those of gomoku."""

UNKNOWN = "unknown"
"""The termination of a game whose file says who won but not why."""

Number = TypeVar("Number", int, float)

_REAL = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{0,400})?")
_OPENING = re.compile(r"([a-z0-9]{1,20})((?: [0-9]{1,3}:(?:swap|put)){0,9})")
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")


def parse_sgf(text: str) -> Record:
    """The record of the first game in *text*; the inverse of :func:`~noughts.records.sgf.format_sgf`.

    It has the main line, and says how much is left out.

    Raises :class:`~noughts.errors.NotationError` for what is not SGF, for other games than k in a row
    (``GM[4]``) and for moves that cannot be played.

    >>> parse_sgf("(;GM[4]PB[Ada];B[hh]C[the middle];W[gg](;B[hg])(;B[gh]))").moves
    ('113', '97', '98')
    """
    if not isinstance(text, str):
        refuse(text, "wrong-type")
    if len(text) > MAX_TEXT:
        refuse(text, "too-long", limit=MAX_TEXT)
    return _Reader(*read_nodes(text)).read()


class _Reader:
    """Makes a record of the nodes of a main line, with what they say about each move."""

    def __init__(self, nodes: list[Properties], left_out: Counter[str]) -> None:
        self.nodes, self.left_out = nodes, left_out
        self.clocks: list[int | None] = []
        self.evaluations: list[Evaluation | None] = []
        self.comments: list[list[str]] = []
        self.root = nodes[0]
        self.first = next((index for index, node in enumerate(nodes) if _colours_of(node)), len(nodes))
        self.colours = self._colours_in_turn()

    def read(self) -> Record:
        if (number := self._line("GM", "4").strip()) != "4":
            refuse(number, "other-game")
        name, marks = self._game_and_marks()
        game = self._begin(name, marks)
        headers = self._headers()
        opening = [comment for node in self.nodes[: self.first] for comment in _comments_of(node)]
        if opening:
            headers["comment"] = "\n".join(opening)
        for node in self.nodes[self.first :]:
            self._read_node(node, game)
        winner, termination = self._result(game)
        players = {
            mark: self._line(f"P{colour}")[:MAX_NAME_TEXT]
            for mark, colour in zip(marks, self.colours, strict=True)
        }
        return Record(
            game=name,
            players=players,
            opening=self._opening(tuple(players.values()), game.ply),
            moves=[format_move(game, move) for move in game.moves],
            start=game.start,
            winner=winner,
            termination=termination,
            clocks=self.clocks,
            evaluations=self.evaluations,
            comments=["\n".join(comments) if comments else None for comments in self.comments],
            headers=headers,
            left_out=+self.left_out,
        )

    # The root

    def _line(self, name: str, missing: str = "") -> str:
        """The first value of a property of the root, as one line."""
        return unescape_line(self.root[name][0]) if name in self.root else missing

    def _colours_in_turn(self) -> tuple[str, str]:
        """Who moves first: B, but for files in which W does and nothing says more."""
        ours = {"NSPEC", "NSTART", "AB", "AW"} & set(self.root)
        begins = _colours_of(self.nodes[self.first])[0] if self.first < len(self.nodes) else "B"
        return ("W", "B") if begins == "W" and not ours else ("B", "W")

    def _game_and_marks(self) -> tuple[str, tuple[str, ...]]:
        marks = tuple(self._line("NMARKS")) or MARKS[:2]
        if len(marks) != 2:
            refuse("".join(marks), "players")
        if "NSPEC" in self.root:
            return self._line("NSPEC"), marks
        size = self._line("SZ", str(USUAL_SIDE)).strip()
        found = _SIZE.fullmatch(size)
        if found is None:
            refuse(size, "size")
        columns, rows = int(found[1]), int(found[2] or found[1])
        return f"{columns}x{rows}:{min(USUAL_K, columns, rows)}", marks

    def _begin(self, name: str, marks: tuple[str, ...]) -> Game:
        try:
            game = new_game(name, marks=marks)
            check_supported(game)
            if "NSTART" in self.root:
                return parse_position(game, self._line("NSTART"))
            return self._set_up(game)
        except UnsupportedRules as error:
            raise NotationError("record", name, "other-game", cause=error) from error
        except BadInput as error:
            raise NotationError("record", name, "cannot-begin", cause=error) from error

    def _set_up(self, game: Game) -> Game:
        """*game* from the position that the nodes before the first move set up."""
        cells: list[str | None] = [None] * len(game.cells)
        points = 0
        for node in self.nodes[: self.first + 1]:
            for name, mark in (("AE", None), ("AB", game.sides[0]), ("AW", game.sides[1])):
                for value in node.get(name, []):
                    for row, column in _read_points(value, game):
                        cells[row * game.shape[1] + column] = mark
                        points += 1
                    if points > MAX_POINTS:
                        raise NotationError("position", value, "too-many", limit=MAX_POINTS)
        if not any(cells):
            return game
        side = self._line("PL").strip().upper()[:1]
        begins = dict(zip(self.colours, game.sides, strict=True)).get(side)
        placed = game.at(cells, begins)
        return parse_position(game, format_position(placed))

    def _opening(self, names: tuple[str, ...], plies: int) -> dict[str, Any] | None:
        """The opening that we have written: its protocol, and what was answered after how many marks."""
        if "NOPENING" not in self.root:
            return None
        text = self._line("NOPENING")
        found = _OPENING.fullmatch(text)
        if found is None or found[1] not in OPENINGS:
            refuse(text, "opening")
        pairs = [one.split(":") for one in found[2].split()]
        answers = {int(ply): answer for ply, answer in pairs}
        return {"protocol": found[1], "choices": OPENINGS[found[1]].choices_of(names, plies, answers)}

    def _headers(self) -> dict[str, str]:
        headers = {name: self._line(ours) for name, ours in HEADERS.items() if ours in self.root}
        for value in self.root.get("NHEADER", []):
            name, text = split_pair(value)
            headers[unescape_line(name)] = unescape(text)
        return headers

    def _result(self, game: Game) -> tuple[str | None, str | None]:
        """Winner and termination as the file says, but by the rules where those ended the game."""
        stated = self._stated_result(game)
        if game.outcome is None:
            return stated
        if stated[1] is not None and stated[0] != game.outcome.winner:
            refuse(self._line("RE"), "result-wrong")
        return game.outcome.winner, str(game.outcome.termination)

    def _stated_result(self, game: Game) -> tuple[str | None, str | None]:
        if "NRESULT" in self.root:
            winner, termination = map(unescape_line, split_pair(self.root["NRESULT"][0]))
            return winner or None, termination
        result = self._line("RE").strip().upper()
        if result in ("0", "DRAW"):
            return None, "agreement"
        if result[:2] in ("B+", "W+"):
            winner = game.sides[self.colours.index(result[0])]
            return winner, TERMINATIONS.get(result[2:3], UNKNOWN)
        return None, None

    # The other nodes

    def _read_node(self, node: Properties, game: Game) -> None:
        colours = _colours_of(node)
        if game.ply and {"AB", "AW", "AE"} & set(node):
            refuse("".join(node), "set-up-later", number=game.ply + 1)
        if not colours:  # a comment without a move belongs to the move before
            self.comments[-1] += _comments_of(node)
            return
        if len(colours) > 1:
            refuse("BW", "two-moves", number=game.ply + 1)
        colour = colours[0]
        if self.colours.index(colour) != game.sides.index(game.turn):
            refuse(colour, "wrong-side", number=game.ply + 1)
        self._play(node, colour, game)
        self.clocks.append(self._number(node, f"{colour}L", _read_clock))
        words = [unescape(value) for value in node.get("NVALUE", [])[:1]]
        self.evaluations += words or [self._number(node, "V", _read_evaluation)]
        self.comments.append(_comments_of(node))

    def _number(self, node: Properties, name: str, read: Callable[[str], Number | None]) -> Number | None:
        """What *read* makes of the number that *node* has as *name*; where it is none, it is left out."""
        if name not in node:
            return None
        value = node[name][0].strip()
        number = read(value) if _REAL.fullmatch(value) else None
        self.left_out["numbers"] += number is None
        return number

    def _play(self, node: Properties, colour: str, game: Game) -> None:
        value = node[colour][0].strip()
        try:
            move: Any = _read_point(value, game)
            if "NMARK" in node:
                move = Placement(move, unescape_line(node["NMARK"][0]))
            game.play(move)
        except BadInput as error:
            raise NotationError(
                "record", value, "cannot-be-played", number=game.ply + 1, cause=error
            ) from error


def _colours_of(node: Properties) -> list[str]:
    return [colour for colour in COLOURS if colour in node]


def _comments_of(node: Properties) -> list[str]:
    """The comment of a node, if it has one."""
    return [unescape(value) for value in node.get("C", [])[:1]]


def _read_point(value: str, game: Game) -> Coordinate:
    if len(value) != 2 or not set(value) <= set(LETTERS):
        raise NotationError("move", value)
    column, row = map(LETTERS.index, value)
    if row >= game.shape[0] or column >= game.shape[1]:
        raise NotationError("move", value, "no-such-cell")
    return (row, column)


def _read_points(value: str, game: Game) -> Iterator[Coordinate]:
    """One point, or the rectangle between two: ``aa:cc``."""
    first, _, last = value.partition(":")
    top, left = _read_point(first.strip(), game)
    bottom, right = _read_point((last or first).strip(), game)
    return product(range(top, bottom + 1), range(left, right + 1))


def _read_clock(value: str) -> int | None:
    """Whole milliseconds; None where no clock can show them."""
    milliseconds = int(Decimal(value) * 1000)
    return milliseconds if 0 <= milliseconds <= MAX_CLOCK else None


def _read_evaluation(value: str) -> int | float | None:
    if abs(Decimal(value)) > MAX_EVALUATION:
        return None
    return float(value) if "." in value else int(value)
