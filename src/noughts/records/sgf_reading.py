"""The reader of records in SGF, our own and foreign ones. ``sgf`` describes the format."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from itertools import chain, product
from typing import IO, Any, TypeVar

from noughts.core.board import Coordinate
from noughts.errors import BadInput, ForbiddenMove, NotationError, UnsupportedRules
from noughts.games.base import PASS, Game, Placement
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move, format_position, parse_position
from noughts.games.openings import OPENINGS
from noughts.games.position_setup import UNEVEN
from noughts.games.rules import MARKS
from noughts.records.charsets import decode
from noughts.records.checks import MAX_CLOCK, MAX_EVALUATION, MAX_NAME_TEXT, Evaluation, refuse
from noughts.records.foreign_terms import (
    BLACK,
    FREESTYLE,
    RENJU,
    RULE_NAMES,
    WHITE,
    StatedResult,
    decide,
    decide_foul,
    result_named,
    rules_named,
)
from noughts.records.record import Record, read_bytes
from noughts.records.sgf_syntax import MAX_TEXT, Properties, read_nodes, split_pair, unescape, unescape_line
from noughts.records.sgf_terms import (
    COLOURS,
    FIVE,
    GAME_COMMENT,
    HEADERS,
    K_IN_A_ROW,
    LETTERS,
    MAX_SIDE,
    OTHELLO,
    OTHELLO_GAME,
    PLAIN_RESULT,
    REAL,
    number_of,
    rules_of,
)

MAX_POINTS = 4 * MAX_SIDE**2
"""The maximum number of cells that the set-up of a position may name, repetitions included."""

USUAL_SIDE = 15
"""The default board of files: that of gomoku."""

PASS_SIDE = 19
"""The longest side of a board on which ``tt`` is a pass, as in old files."""

MAX_BYTES = 4 * MAX_TEXT
"""The longest file that is read, in bytes."""

OTHELLO_NAMES = ("othello", OTHELLO_GAME)
OTHELLO_SIDE = "8"
OTHELLO_PASSES = ("", "tt", "pass", "pa", "--", "@@@@")
"""The texts for a pass in Othello files of different programs."""

OTHER_GAMES = {
    "1": "go",
    "othello": "othello",
    "3": "chess",
    "5": "morris",
    "6": "backgammon",
    "7": "xiangqi",
    "8": "shogi",
    "11": "hex",
}
"""Other games of SGF, by their numbers. GGF, a format that resembles SGF, uses the name of Othello."""

_OPENING = re.compile(r"([a-z0-9]{1,20})((?: [0-9]{1,3}:(?:swap|put)){0,9})")
_CELL = re.compile(r"[A-Ha-h][1-8]")
"""A cell of Othello in its standard notation, with a1 at the top left.

Othello programs use it in SGF, too.
"""

_SIZE = re.compile(r"([0-9]{1,4})(?:\s*[:x]\s*([0-9]{1,4}))?", re.IGNORECASE)
_CHARSET = re.compile(rb"(?<![A-Za-z])(?:C[a-z]*A[a-z]*|ca)\s*\[([^\]\\]{0,60})\]")
_FILE = frozenset(("FF", "GM", "CA", "SZ", "AP"))
_GAME = _FILE | {"PB", "PW", "RU", "RE", "GC", "NSPEC", "NMARKS", "NSTART", "NRESULT", "NOPENING", "NHEADER"}
_INFO = frozenset(("GM", "SZ", "PB", "PW", "RU", "RE", "GC", *HEADERS.values()))
"""The properties about the whole game, which some programs write in a later node."""

_GO = frozenset(("KM", "HA", "TB", "TW"))
_GO_SIDES = ("9", "13", "19")
"""Properties and boards of Go. A file without a game that has both is one of Go."""

_SET_UP = frozenset(("AB", "AW", "AE"))
_MANY = _SET_UP | {"NHEADER"}
_SIDES = {"B": "B", "BLACK": "B", "1": "B", "W": "W", "WHITE": "W", "2": "W"}

Number = TypeVar("Number", int, float)


def parse_sgf(text: str) -> Record:
    """Return the record of the first game in *text*: the inverse of :func:`~noughts.records.sgf.format_sgf`.

    It has the main line, and counts all that is skipped.

    Raises :class:`~noughts.errors.NotationError` if *text* is not SGF, for other games than k in a row
    (``GM[4]``) and Othello (``GM[2]``), and for illegal moves.

    >>> parse_sgf("(;GM[4]PB[Ada];B[hh]C[the middle];W[gg](;B[hg])(;B[gh]))").moves
    ('113', '97', '98')
    """
    if not isinstance(text, str):
        refuse(text, "wrong-type")
    return _SgfReader(*_read_nodes(text)).read()


def load_sgf(stream: IO[bytes]) -> Record:
    """Return the record of the first game in a file, in the character set that its root names."""
    data = read_bytes(stream, MAX_BYTES)
    match = _CHARSET.search(data)
    name = None if match is None else match[1].decode("latin-1")
    text, unread = decode(data, name)
    nodes, left_out = _read_nodes(text)
    stated = unescape_line(nodes[0]["CA"][0]) if "CA" in nodes[0] else None
    if stated != name:  # the first match is elsewhere, for example in a comment
        text, unread = decode(data, stated)
        nodes, left_out = _read_nodes(text)
    _check_ends(data, text, nodes)
    return _SgfReader(nodes, left_out + unread).read()


def _check_ends(data: bytes, text: str, nodes: list[Properties]) -> None:
    """Raise an error for a letter that ends with a bracket byte, if it may have ended a value.

    Such a value then has another bracket: that of the next property.
    """
    if text.count("]") < data.count(b"]"):
        for value in chain.from_iterable(chain.from_iterable(node.values()) for node in nodes):
            before, bracket, _ = value.rpartition("[")
            if bracket and not before.isascii():
                refuse("", "charset-unclear")


def _read_nodes(text: str) -> tuple[list[Properties], Counter[str]]:
    if len(text) > MAX_TEXT:
        refuse(text, "too-long", limit=MAX_TEXT)
    return read_nodes(text)


class _SgfReader:
    """The maker of a record from the nodes of a main line and their properties."""

    def __init__(self, nodes: list[Properties], left_out: Counter[str]) -> None:
        self.nodes, self.left_out = nodes, left_out
        self.clocks: list[int | None] = []
        self.evaluations: list[Evaluation | None] = []
        self.comments: list[list[str]] = []
        self.headers: dict[str, str] = {}
        self.is_foul = False
        self.root, self._own = nodes[0], set[str]()
        for node in nodes[1:]:
            for name in _INFO & (set(node) - set(self.root)):
                self.root[name] = node.pop(name)
        self.is_othello = self._line("GM").strip() == OTHELLO
        size = _SIZE.fullmatch(self._line("SZ", str(USUAL_SIDE)).strip())
        is_large = size is not None and max(int(side or 0) for side in size.groups()) > PASS_SIDE
        self.passes = OTHELLO_PASSES if self.is_othello else ("",) if is_large else ("", "tt")
        if not self.is_othello:
            self._drop_last_passes()
        self.last = next((node for node in reversed(nodes) if _colours_of(node)), None)
        self.first = next((index for index, node in enumerate(nodes) if _colours_of(node)), len(nodes))
        self.colours: tuple[str, str] = COLOURS
        """The colour of each side in turn order."""

    def _drop_last_passes(self) -> None:
        """Count and remove passes after the last move, which change nothing.

        Games of k in a row have no passes.
        """
        for node in reversed(self.nodes):
            for colour in _colours_of(node):
                if not self._is_pass(node[colour][0]):
                    return
                del node[colour]
                self.left_out["passes"] += 1

    def read(self) -> Record:
        rules = self._rules()
        self._check_game(rules)
        name, marks = self._game_and_marks(rules)
        game = self._begin(name, marks)
        self._check_rules(rules, game)
        self._read_headers(game.cells.count(marks[self.colours.index(BLACK)]))
        opening = [comment for node in self.nodes[: self.first] for comment in _comments_of(node)]
        if opening:
            self.headers["comment"] = "\n".join(opening)
        for node in self.nodes[1 : self.first]:
            self._leave_out(node, {"C", "PL", *_SET_UP})
        for node in self.nodes[self.first :]:
            self._read_node(node, game)
        winner, termination = self._result(game)
        players = {mark: self._name(colour) for mark, colour in zip(marks, self.colours, strict=True)}
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
            headers=self.headers,
            left_out=+self.left_out,
        )

    # Root

    def _line(self, name: str, missing: str = "") -> str:
        """Return the first value of a property of the root, as one line."""
        return unescape_line(self.root[name][0]) if name in self.root else missing

    def _name(self, colour: str) -> str:
        """Return the name of the player of *colour*. A name that is too long is cut, and the rest counted."""
        name = self._line(f"P{colour}")
        self.left_out["letters"] += max(0, len(name) - MAX_NAME_TEXT)
        return name[:MAX_NAME_TEXT]

    def _rules(self) -> str | None:
        """Return the rules of five in a row that the file names, or None if none is understood."""
        return rules_named(self._line("RU")) if "RU" in self.root and not self.is_othello else None

    def _check_game(self, rules: str | None) -> None:
        """Raise an error for other games. Some programs call gomoku a game of Go, but name its rules."""
        is_go = rules is None and self._line("SZ") in _GO_SIDES and not _GO.isdisjoint(self.root)
        number = self._line("GM", "1" if is_go else K_IN_A_ROW).strip()
        if number == "1" and rules is not None:
            self.left_out["GM"] += 1
        elif number not in (K_IN_A_ROW, OTHELLO):
            kind = OTHER_GAMES.get(number.casefold())
            refuse(number, f"other-game-{kind}" if kind else "other-game")

    def _game_and_marks(self, rules: str | None) -> tuple[str, tuple[str, ...]]:
        marks = tuple(self._line("NMARKS")) or MARKS[:2]
        if len(marks) != 2:
            refuse("".join(marks), "players")
        if "NSPEC" in self.root:
            return self._line("NSPEC"), marks
        size = self._line("SZ", OTHELLO_SIDE if self.is_othello else str(USUAL_SIDE)).strip()
        if self.is_othello:
            if size != OTHELLO_SIDE:
                refuse(size, "othello-size")
            return OTHELLO_GAME, marks
        match = _SIZE.fullmatch(size)
        if match is None:
            refuse(size, "size")
        columns, rows = int(match[1]), int(match[2] or match[1])
        return f"{columns}x{rows}:{min(FIVE, columns, rows)}{rules or FREESTYLE}", marks

    def _check_rules(self, rules: str | None, game: Game) -> None:
        """Store the named rules, if the game does not imply them. Count rules that are not understood."""
        text, kind = self._line("RU"), rules_of(game.rules)
        if "RU" not in self.root or (kind is not None and text == RULE_NAMES[kind]):
            return
        self.headers["rules"] = text
        is_known = (
            text.casefold() in OTHELLO_NAMES if self.is_othello else rules is not None and rules == kind
        )
        self.left_out["rules"] += not is_known

    def _begin(self, name: str, marks: tuple[str, ...]) -> Game:
        try:
            game = new_game(name, marks=marks)
            if (number_of(game) == OTHELLO) != self.is_othello:
                refuse(name, "other-game")
            cells = self._set_up(game)
            if "NSTART" in self.root:
                return self._start_of_ours(game, cells)
            return self._othello_start(game, cells) if self.is_othello else self._start(game, cells)
        except UnsupportedRules as error:
            if error.reason == "too-large":
                raise NotationError("record", name, "sgf-size", limit=MAX_SIDE, cause=error) from error
            raise NotationError("record", name, "other-game", cause=error) from error
        except BadInput as error:
            if isinstance(error, NotationError) and error.what == "record":
                raise
            raise NotationError("record", name, "cannot-begin", cause=error) from error

    def _start_of_ours(self, game: Game, cells: list[str | None]) -> Game:
        """Return *game* from the position that this program wrote.

        Raises an error if the stones that are set up differ from it.
        """
        placed = parse_position(game, self._line("NSTART"))
        marks = dict(zip(COLOURS, game.sides, strict=True))
        if any(cells) and placed.cells != tuple(cell and marks[cell] for cell in cells):
            raise NotationError("position", self._line("NSTART"), "set-up-differs")
        return placed

    def _othello_start(self, game: Game, cells: list[str | None]) -> Game:
        """Return *game* from its usual position or from another one, if *cells* set one up."""
        marks = dict(zip(COLOURS, game.sides, strict=True))
        placed = tuple(cell and marks[cell] for cell in cells) if any(cells) else game.cells
        is_usual = placed == game.cells
        mover = self._stated_mover() or (BLACK if is_usual else None)
        if is_usual and mover == BLACK:
            return game
        start = game.at(placed, mover and marks[mover])
        start.start = format_position(start)
        return start

    def _start(self, game: Game, cells: list[str | None]) -> Game:
        """Return *game* from a position with stones of Black and White on *cells*.

        The side that begins has the colour for which alternating turns reach the position. If neither does,
        it is Black, and the position is uneven, as in many diagrams. In renju it is always Black, with rules
        of its own.
        """
        is_ours = "NSPEC" in self.root
        mover = self._mover(cells)
        choices = (COLOURS,) if is_ours or rules_of(game.rules) == RENJU else (COLOURS, COLOURS[::-1])
        fitting = [one for one in choices if cells.count(one[0]) - cells.count(one[1]) == one.index(mover)]
        if is_ours and not fitting and not any(cells):
            refuse(mover, "wrong-side", number=1)
        self.colours = (fitting or choices)[0]
        if fitting and not any(cells):
            return game
        marks = dict(zip(self.colours, game.sides, strict=True))
        placed = game.at([cell and marks[cell] for cell in cells], marks[mover], None if fitting else UNEVEN)
        placed.start = format_position(placed)
        return placed

    def _mover(self, cells: list[str | None]) -> str:
        """Return the colour that moves first: the one stated, or of the first move, or with fewer stones."""
        return self._stated_mover() or COLOURS[cells.count(BLACK) > cells.count(WHITE)]

    def _stated_mover(self) -> str | None:
        """Return the colour that moves first, as stated or by the first move, or None if there is neither."""
        stated = [value for node in self.nodes[: self.first + 1] for value in node.get("PL", [])]
        moved = _colours_of(self.nodes[self.first]) if self.first < len(self.nodes) else []
        colour = _SIDES.get(unescape_line(stated[-1]).strip().upper()) if stated else None
        if stated and colour is None:
            self.left_out["PL"] += 1
        if colour is None or (moved and "PL" in self.nodes[self.first]):
            colour = moved[0] if moved else None
        if moved and moved[0] != colour:
            refuse(moved[0], "wrong-side", number=1)
        return colour

    def _set_up(self, game: Game) -> list[str | None]:
        """Return the colours of the stones that the nodes before the first move set up, by cell."""
        cells: list[str | None] = [None] * len(game.cells)
        points = 0
        for node in self.nodes[: self.first + 1]:
            colours: dict[int, str | None] = {}
            for name, colour in (("AE", None), ("AB", COLOURS[0]), ("AW", COLOURS[1])):
                for value in node.get(name, []):
                    for row, column in _read_points(value, game):
                        cell = row * game.shape[1] + column
                        if colours.setdefault(cell, colour) != colour:
                            refuse(value, "set-up-twice")
                        cells[cell] = colour
                        points += 1
                    if points > MAX_POINTS:
                        raise NotationError("position", value, "too-many", limit=MAX_POINTS)
        return cells

    def _opening(self, names: tuple[str, ...], plies: int) -> dict[str, Any] | None:
        """Return the opening protocol and the answers that were not moves."""
        if "NOPENING" not in self.root:
            return None
        text = self._line("NOPENING")
        match = _OPENING.fullmatch(text)
        if match is None or match[1] not in OPENINGS:
            refuse(text, "opening")
        pairs = [one.split(":") for one in match[2].split()]
        answers = {int(ply): answer for ply, answer in pairs}
        choices = OPENINGS[match[1]].choices_of(names, plies, answers)
        if not answers.keys() <= {made["ply"] for made in choices}:
            refuse(text, "opening")
        return {"protocol": match[1], "choices": choices}

    def _read_headers(self, handicap: int) -> None:
        """Read the headers in the root. Black has a *handicap* of stones before the game."""
        is_exchanged = self.colours[0] != COLOURS[0]
        swapped = {f"{one}{kind}": f"{two}{kind}" for one, two in ("BW", "WB") for kind in "RT"}
        used = set[str]()
        for name, ours in HEADERS.items():
            ours = swapped.get(ours, ours) if is_exchanged else ours
            if ours in self.root:
                self.headers[name] = self._line(ours)
                used.add(ours)
        if "GC" in self.root:
            self.headers[GAME_COMMENT] = unescape(self.root["GC"][0])
        if (program := self._line("AP")) not in ("", "noughts"):
            self.headers["application"] = program
        for value in self.root.get("NHEADER", []):
            name, text = split_pair(value)
            self.headers[unescape_line(name)] = unescape(text)
        if self._line("HA").strip() in ("0", str(handicap)):
            used.add("HA")
        if self.first:  # in the first move's node, the rest is read with the move
            self._leave_out(self.root, {"C", "PL", *_SET_UP, *_GAME, *used})
        else:
            self._own = {*_GAME, *used}

    def _leave_out(self, node: Properties, used: Iterable[str]) -> None:
        """Count the parts of *node* that are not *used*: whole properties by name, and further values."""
        used = set(used)
        for name, values in node.items():
            if name not in used:
                self.left_out[name] += 1
            elif name not in _MANY:
                self.left_out["values"] += len(values) - 1

    def _result(self, game: Game) -> tuple[str | None, str | None]:
        """Return the winner and the termination in the file, or those of the rules if they ended the game."""
        text, stated = self._line("RE").strip(), StatedResult(None, None)
        if "RE" in self.root:
            if (understood := result_named(text)) is None:
                self.left_out["result"] += 1
            stated = understood or stated
            if not PLAIN_RESULT.fullmatch(text):
                self.headers["result"] = self._line("RE")
        winner = None if stated.colour is None else game.sides[self.colours.index(stated.colour)]
        termination = stated.termination
        if "NRESULT" in self.root:
            own, termination = map(unescape_line, split_pair(self.root["NRESULT"][0]))
            if stated.termination is not None and winner != (own or None):
                refuse(self._line("RE"), "result-wrong")
            winner = own or None
        if self.is_foul:
            return decide_foul(game, winner, termination, text)
        unknown = self._line("RU") if self.left_out["rules"] else ""
        return decide(game, winner, termination, text, unknown)

    # Other nodes

    def _read_node(self, node: Properties, game: Game) -> None:
        if self.is_othello:
            self._settle_passes(node, game)
        colours = _colours_of(node)
        if game.ply and _SET_UP & set(node):
            refuse("".join(node), "set-up-later", number=game.ply + 1)
        used = {"C", *_SET_UP} | (self._own if node is self.root else set())
        if not (colours and game.ply):
            used.add("PL")
        if not colours:
            self._check_turn(node, game)
            self._add_comment(node)
            self._leave_out(node, used)
            return
        if len(colours) > 1:
            refuse("BW", "two-moves", number=game.ply + 1)
        colour = colours[0]
        if self.colours.index(colour) != game.sides.index(game.turn):
            refuse(colour, "wrong-side", number=game.ply + 1)
        self._play(node, colour, game)
        used |= {colour, "NMARK"}
        if self.is_foul:
            self._add_comment(node)
        else:
            self.comments.append(_comments_of(node))
            used |= self._read_numbers(node, colour, game.ply)
        self._leave_out(node, used)

    def _settle_passes(self, node: Properties, game: Game) -> None:
        """Play a pass before *node* that the file omits, and remove one after the end of *game*."""
        for colour in _colours_of(node):
            if game.outcome is not None and self._is_pass(node[colour][0]):
                del node[colour]
                self.left_out["passes"] += 1
            elif COLOURS.index(colour) != game.sides.index(game.turn) and game.legal_moves() == [PASS]:
                game.play(PASS)
                self.comments.append([])
                self.clocks.append(None)
                self.evaluations.append(None)

    def _is_pass(self, value: str) -> bool:
        return value.strip().lower() in self.passes

    def _check_turn(self, node: Properties, game: Game) -> None:
        """Raise an error if the node states another side to move than the actual one."""
        for value in node.get("PL", []):
            if _SIDES.get(unescape_line(value).strip().upper()) != self.colours[game.sides.index(game.turn)]:
                refuse(value, "set-up-later", number=game.ply + 1)

    def _add_comment(self, node: Properties) -> None:
        """Add a comment without a move to the move before, or to the game if there is none."""
        if self.comments:
            self.comments[-1] += _comments_of(node)
        else:
            before = [self.headers["comment"]] if "comment" in self.headers else []
            self.headers |= {"comment": "\n".join([*before, *_comments_of(node)])}

    def _read_numbers(self, node: Properties, colour: str, ply: int) -> set[str]:
        """Read clock and evaluation after a move. Return the names of the properties that are read."""
        clock = f"{colour}L"
        self.clocks.append(self._number(node, clock, _read_clock))
        if "NVALUE" in node:
            self.evaluations.append(unescape(node["NVALUE"][0]))
            used = {clock, "NVALUE"}
        else:
            value = self._number(node, "V", _read_evaluation)
            is_whites = self.colours[0] != BLACK  # SGF counts for Black, a record for the first side
            self.evaluations.append(-value if value and is_whites else value)
            used = {clock, "V"}
        if "MN" in node and node["MN"][0].strip() == str(ply):
            used.add("MN")
        return used

    def _number(self, node: Properties, name: str, read: Callable[[str], Number | None]) -> Number | None:
        """Return the number that *read* finds in the property *name* of *node*.

        A value that is not a number is counted.
        """
        if name not in node:
            return None
        value = node[name][0].strip()
        number = read(value) if REAL.fullmatch(value) else None
        self.left_out["numbers"] += number is None
        return number

    def _play(self, node: Properties, colour: str, game: Game) -> None:
        value = node[colour][0].strip()
        is_pass = self._is_pass(value)
        if is_pass and not self.is_othello:
            refuse(value, "pass", number=game.ply + 1)
        try:
            move: Any = PASS if is_pass else _read_point(value, game)
            if "NMARK" in node:
                move = Placement(move, unescape_line(node["NMARK"][0]))
            game.play(move)
        except BadInput as error:
            if node is self.last and isinstance(error, ForbiddenMove):
                self.is_foul = True
                self.left_out["forbidden"] += 1
                return
            raise NotationError(
                "record", value, "cannot-be-played", number=game.ply + 1, cause=error
            ) from error


def _colours_of(node: Properties) -> list[str]:
    return [colour for colour in COLOURS if colour in node]


def _comments_of(node: Properties) -> list[str]:
    """Return the comment of a node, if it has one."""
    return [unescape(value) for value in node.get("C", [])[:1]]


def _read_point(value: str, game: Game) -> Coordinate:
    if game.rules is None and _CELL.fullmatch(value):
        return game.notation.parse(value, game)
    if len(value) != 2 or not set(value) <= set(LETTERS):
        raise NotationError("move", value)
    column, row = map(LETTERS.index, value)
    if row >= game.shape[0] or column >= game.shape[1]:
        raise NotationError("move", value, "no-such-cell")
    return (row, column)


def _read_points(value: str, game: Game) -> Iterator[Coordinate]:
    """Yield one point, or the rectangle between two opposite corners: ``aa:cc``."""
    first, _, last = value.partition(":")
    corners = [_read_point(corner.strip(), game) for corner in (first, last or first)]
    top, bottom = sorted(row for row, _ in corners)
    left, right = sorted(column for _, column in corners)
    return product(range(top, bottom + 1), range(left, right + 1))


def _read_clock(value: str) -> int | None:
    """Return the clock in whole milliseconds, or None if it is out of range."""
    milliseconds = int(Decimal(value) * 1000)
    return milliseconds if 0 <= milliseconds <= MAX_CLOCK else None


def _read_evaluation(value: str) -> int | float | None:
    if abs(Decimal(value)) > MAX_EVALUATION:
        return None
    return float(value) if "." in value else int(value)
