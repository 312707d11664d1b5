r"""Records in the Smart Game Format (FF[4], GM[4]), which other programs read and write too.

SGF holds flat k-in-a-row boards of up to 52x52 and two sides: the first in turn order is B, the other
W. What SGF has no property for stands in properties of our own, so that a record comes back exactly:
``NSPEC`` the game, ``NMARKS`` the marks in turn order, ``NSTART`` the start position, ``NRESULT``
winner and termination, ``NHEADER`` a header, ``NMARK`` the mark that the mover chose, ``NVALUE`` an
evaluation in words.

Of files of other programs the first game is read and of that the main line. Properties not known here
are passed over, and characters that no record may hold are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from noughts.core.board import Coordinate
from noughts.errors import BadInput, NotationError, UnsupportedRules
from noughts.games.base import Game, Move, Placement
from noughts.games.catalogue import new_game
from noughts.games.kinarow import KInARow
from noughts.games.notation import format_move, format_position, parse_position
from noughts.games.record import MAX_CLOCK, MAX_EVALUATION, MAX_NAME_TEXT, Evaluation, Record, refuse
from noughts.games.rules import MARKS
from noughts.games.sgf_syntax import (
    MAX_TEXT,
    Properties,
    escape,
    read_nodes,
    split_pair,
    unescape,
    unescape_line,
)

MAX_SIDE = 52
"""The longest side of a board: coordinates are the letters a-z and A-Z."""

MAX_POINTS = 4 * MAX_SIDE**2
"""How many cells the set-up of a position may name, the same one twice counted twice."""

USUAL_SIDE = 15
USUAL_K = 5
"""The board and the line of files that do not name them: those of gomoku."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLOURS = ("B", "W")

HEADERS = {
    "title": "GN",
    "event": "EV",
    "round": "RO",
    "place": "PC",
    "date": "DT",
    "opening": "ON",
    "annotator": "AN",
    "source": "SO",
    "user": "US",
    "copyright": "CP",
}
"""The headers that are SGF properties of one line; ``comment`` is the comment of the first node."""

_REASONS = {"resignation": "R", "time": "T", "forfeit": "F"}
_TERMINATIONS = {letter: termination for termination, letter in _REASONS.items()}
UNKNOWN = "unknown"
"""The termination of a game whose file says who won but not why."""

_REAL = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{0,400})?")
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")


def format_sgf(record: Record) -> str:
    """*record* in SGF.

    Raises :class:`~noughts.errors.UnsupportedRules` for games that SGF cannot hold: those that are not
    k in a row, not flat, larger than 52x52 or not of two sides. A record whose comments are longer than
    a file may be is refused with :class:`~noughts.errors.NotationError`.

    >>> from noughts.games.record import Record
    >>> record = Record(game="tictactoe", players={"X": "Ada", "O": "Wei"}, moves=("5", "1"))
    >>> print(format_sgf(record))
    (;FF[4]GM[4]CA[UTF-8]AP[noughts]SZ[3]NSPEC[tictactoe]NMARKS[XO]PB[Ada]PW[Wei]
    ;B[bb]
    ;W[aa])
    <BLANKLINE>
    """
    played = record.replay()
    _check_supported(played)
    game = _before(played)
    nodes = [_format_root(record, game)]
    for number, move in enumerate(played.moves):
        nodes.append(_format_node(record, number, COLOURS[game.sides.index(game.turn)], move))
        game.play(move)
    text = "(" + "\n".join(nodes) + ")\n"
    if len(text) > MAX_TEXT:
        refuse(text, "too-long", limit=MAX_TEXT)
    return text


def _check_supported(game: Game) -> None:
    reason = None
    if not isinstance(game, KInARow):
        reason = "not-k-in-a-row"
    elif len(game.shape) != 2:
        reason = "not-flat"
    elif max(game.shape) > MAX_SIDE:
        reason = "too-large"
    elif len(game.sides) != 2:
        reason = "not-two-sides"
    if reason is not None:
        raise UnsupportedRules("sgf", game.name, reason)


def _before(game: Game) -> Game:
    """*game* as it was before its first move."""
    game = game.copy()
    while game.ply:
        game.undo()
    return game


def _format_root(record: Record, game: Game) -> str:
    rows, columns = game.shape
    root: list[tuple[str, str]] = [
        ("FF", "4"),
        ("GM", "4"),
        ("CA", "UTF-8"),
        ("AP", "noughts"),
        ("SZ", str(rows) if rows == columns else f"{columns}:{rows}"),
        ("NSPEC", escape(record.game)),
        ("NMARKS", "".join(game.sides)),
    ]
    for colour, name in zip(COLOURS, record.players.values(), strict=True):
        if name:
            root.append((f"P{colour}", escape(name)))
    root += _result_properties(record, game)
    if record.start is not None:
        root.append(("NSTART", escape(record.start)))
        root.append(("PL", COLOURS[game.sides.index(game.turn)]))
    root += [_header_property(name, value) for name, value in record.headers.items()]
    return ";" + "".join(f"{name}[{value}]" for name, value in root) + _format_setup(game)


def _format_setup(game: Game) -> str:
    """The marks on the board before the first move, for programs that do not read our start position."""
    text = ""
    for colour, mark in zip(COLOURS, game.sides, strict=True):
        points = [divmod(index, game.shape[1]) for index, cell in enumerate(game.cells) if cell == mark]
        if points:
            text += f"A{colour}" + "".join(f"[{_format_point(point)}]" for point in points)
    return text


def _result_properties(record: Record, game: Game) -> Iterator[tuple[str, str]]:
    if record.termination is None:
        return
    if record.winner is None:
        yield "RE", "0"
    else:
        colour = COLOURS[game.sides.index(record.winner)]
        yield "RE", f"{colour}+{_REASONS.get(record.termination, '')}"
    yield "NRESULT", f"{record.winner or ''}:{record.termination}"


def _header_property(name: str, value: str) -> tuple[str, str]:
    if name == "comment" and value:
        return "C", escape(value)
    if name in HEADERS and unescape_line(escape(value)) == value:
        return HEADERS[name], escape(value)
    return "NHEADER", f"{escape(name)}:{escape(value)}"


def _format_node(record: Record, number: int, colour: str, move: Move) -> str:
    cell = move.coordinate if isinstance(move, Placement) else move
    text = f";{colour}[{_format_point(cell)}]"
    if isinstance(move, Placement):
        text += f"NMARK[{move.mark}]"
    if record.clocks and (clock := record.clocks[number]) is not None:
        text += f"{colour}L[{_format_seconds(clock)}]"
    if record.evaluations and (evaluation := record.evaluations[number]) is not None:
        text += _format_evaluation(evaluation)
    if record.comments and (comment := record.comments[number]) is not None:
        text += f"C[{escape(comment)}]"
    return text


def _format_point(cell: Coordinate) -> str:
    row, column = cell
    return LETTERS[column] + LETTERS[row]


def _format_seconds(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds}.{rest:03}".rstrip("0").rstrip(".") if rest else str(seconds)


def _format_evaluation(evaluation: Evaluation) -> str:
    if isinstance(evaluation, str):
        return f"NVALUE[{escape(evaluation)}]"
    return f"V[{format(Decimal(repr(evaluation)), 'f')}]"


# Reading


def parse_sgf(text: str) -> Record:
    """The record of the first game in *text*; the inverse of :func:`format_sgf`.

    Raises :class:`~noughts.errors.NotationError` for what is not SGF, for other games than k in a row
    (``GM[4]``) and for moves that cannot be played.

    >>> parse_sgf("(;GM[4]PB[Ada];B[hh]C[the middle];W[gg](;B[hg])(;B[gh]))").moves
    ('113', '97', '98')
    """
    if not isinstance(text, str):
        refuse(text, "wrong-type")
    if len(text) > MAX_TEXT:
        refuse(text, "too-long", limit=MAX_TEXT)
    nodes = list(read_nodes(text))
    return _Reader(nodes).read()


@dataclass(slots=True)
class _Notes:
    """What the file says about the moves, as it is gathered."""

    moves: list[str] = field(default_factory=list)
    clocks: list[int | None] = field(default_factory=list)
    evaluations: list[Evaluation | None] = field(default_factory=list)
    comments: list[list[str]] = field(default_factory=list)


class _Reader:
    """Makes a record of the nodes of a main line."""

    def __init__(self, nodes: list[Properties]) -> None:
        self.nodes = nodes
        self.root = nodes[0]
        self.first = next((index for index, node in enumerate(nodes) if _colours_of(node)), len(nodes))
        self.colours = self._colours_in_turn()

    def read(self) -> Record:
        if (number := self._line("GM", "4").strip()) != "4":
            refuse(number, "other-game")
        name, marks = self._game_and_marks()
        game = self._begin(name, marks)
        start = game.start
        notes = _Notes()
        headers = self._headers()
        opening = [comment for node in self.nodes[: self.first] for comment in _comments_of(node)]
        if opening:
            headers["comment"] = "\n".join(opening)
        for node in self.nodes[self.first :]:
            self._read_node(node, game, notes)
        winner, termination = self._result(game)
        return Record(
            game=name,
            players={
                mark: _name(self.root.get(f"P{colour}", [""])[0])
                for mark, colour in zip(marks, self.colours, strict=True)
            },
            moves=notes.moves,
            start=start,
            winner=winner,
            termination=termination,
            clocks=notes.clocks,
            evaluations=notes.evaluations,
            comments=["\n".join(comments) if comments else None for comments in notes.comments],
            headers=headers,
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
            _check_supported(game)
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
            return winner, _TERMINATIONS.get(result[2:3], UNKNOWN)
        return None, None

    # The other nodes

    def _read_node(self, node: Properties, game: Game, notes: _Notes) -> None:
        colours = _colours_of(node)
        if not colours:
            self._add_comment(node, notes)
            return
        if len(colours) > 1:
            refuse("BW", "two-moves", number=game.ply + 1)
        if game.ply and {"AB", "AW", "AE"} & set(node):
            refuse("".join(node), "set-up-later", number=game.ply + 1)
        colour = colours[0]
        if self.colours.index(colour) != game.sides.index(game.turn):
            refuse(colour, "wrong-side", number=game.ply + 1)
        self._play(node, colour, game, notes)
        notes.clocks.append(_read_clock(node.get(f"{colour}L", [""])[0]))
        notes.evaluations.append(_read_evaluation(node))
        notes.comments.append(_comments_of(node))

    def _add_comment(self, node: Properties, notes: _Notes) -> None:
        """A comment without a move belongs to the move before."""
        if {"AB", "AW", "AE"} & set(node):
            refuse("".join(node), "set-up-later", number=len(notes.moves))
        notes.comments[-1] += _comments_of(node)

    def _play(self, node: Properties, colour: str, game: Game, notes: _Notes) -> None:
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
        notes.moves.append(format_move(game, game.moves[-1]))


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
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            yield (row, column)


def _read_clock(value: str) -> int | None:
    """Whole milliseconds; None where the file does not say, or says what no clock can."""
    if not _REAL.fullmatch(value.strip()):
        return None
    milliseconds = int(Decimal(value.strip()) * 1000)
    return milliseconds if 0 <= milliseconds <= MAX_CLOCK else None


def _read_evaluation(node: Properties) -> Evaluation | None:
    if "NVALUE" in node:
        return unescape(node["NVALUE"][0])
    value = node.get("V", [""])[0].strip()
    if not _REAL.fullmatch(value) or abs(Decimal(value)) > MAX_EVALUATION:
        return None
    return float(value) if "." in value else int(value)


def _name(value: str) -> str:
    return unescape_line(value)[:MAX_NAME_TEXT]
