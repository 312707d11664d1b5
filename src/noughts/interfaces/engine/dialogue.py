"""The answers to the lines of a manager.

Lines that need a move lead to a request.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Self

from noughts.errors import NotationError
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.renju import RenjuPoints
from noughts.games.rules import MARKS, Rules
from noughts.workers.protocols.gomocup import (
    DONE,
    OK,
    Field,
    GomocupCommand,
    Point,
    Rule,
    Stone,
    coordinate_of,
    format_point,
    parse_command,
    parse_numbers,
)
from noughts.workers.protocols.gomocup_info import Info, TurnTime

K = 5

MIN_SIDE, MAX_SIDE = 5, 40
"""The minimum and maximum side of a board."""

BLACK, WHITE = MARKS[:2]


class CommandError(Exception):
    """A command cannot be executed.

    The message is the reason. Nothing has changed.
    """


@dataclass(frozen=True, slots=True)
class EngineBoard:
    """A board ``width`` cells wide and ``height`` high, and its ``stones`` in order."""

    width: int
    height: int
    stones: tuple[Stone, ...] = ()

    @property
    def own_moves(self) -> int:
        """The number of the engine's own stones."""
        return len(self._points_of(Field.OWN))

    @property
    def free(self) -> int:
        """The number of empty cells."""
        return self.width * self.height - len(self.stones)

    def _points_of(self, owner: Field) -> list[Point]:
        return [(x, y) for x, y, field_owner in self.stones if field_owner == owner]

    def emptied(self) -> Self:
        """Return the empty board of the same size."""
        return replace(self, stones=())

    def placed(self, stones: Sequence[Stone]) -> Self:
        """Return the board with *stones* added. Raises :class:`CommandError`."""
        taken = {(x, y) for x, y, _ in self.stones}
        for x, y, _ in stones:
            self.check_on_board((x, y))
            if (x, y) in taken:
                raise CommandError(f"{format_point((x, y))} is not empty")
            taken.add((x, y))
        return replace(self, stones=(*self.stones, *stones))

    def without(self, point: Point) -> Self:
        """Return the board without the stone on *point*. Raises :class:`CommandError`."""
        left = tuple((x, y, owner) for x, y, owner in self.stones if (x, y) != point)
        if len(left) == len(self.stones):
            raise CommandError(f"no stone is on {format_point(point)}")
        return replace(self, stones=left)

    def check_on_board(self, point: Point) -> None:
        """Raise :class:`CommandError` if *point* is not on the board."""
        x, y = point
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise CommandError(f"{format_point(point)} is not on the board of {self.width}x{self.height}")

    def rules(self, rule: int) -> Rules:
        """Return the rules with the code *rule*. Raises :class:`CommandError` if it is unknown."""
        if rule not in tuple(Rule):
            raise CommandError(
                f"rule {rule} is not supported: 0 (five or more), 1 (exactly five), 4 (renju) are"
            )
        return Rules(shape=(self.height, self.width), k=K, exact=rule == Rule.EXACT, renju=rule == Rule.RENJU)

    def game(self, rule: int) -> Game:
        """Return the game with the engine to move. Raises :class:`CommandError` if it is over."""
        rules = self.rules(rule)
        try:
            game = self._renju(rules) if rules.renju else self._with_passes(rules)
        except NotationError as error:
            raise CommandError("no game can come to this position, or it is over") from error
        if game.outcome is not None:
            raise CommandError("the game is over")
        return game

    def forbidden(self) -> set[Point]:
        """Return the points that renju forbids to Black at any turn. Black has the first stone."""
        rules = self.rules(Rule.RENJU)
        points = RenjuPoints(rules.shape, _cells(rules, *self._in_renju()), BLACK).forbidden_to_black()
        return {(index % self.width, index // self.width) for index in points}

    def _in_renju(self) -> tuple[dict[Field, str], list[Stone]]:
        """Return the mark of each owner, and the stones of both."""
        stones = [stone for stone in self.stones if stone[2] != Field.CLOSED]
        is_white = bool(stones) and stones[0][2] == Field.OTHER
        own, other = (WHITE, BLACK) if is_white else (BLACK, WHITE)
        return {Field.OWN: own, Field.OTHER: other}, stones

    def _renju(self, rules: Rules) -> Game:
        """Return the renju game.

        Closed cells must be forbidden ones, which the rules know anyway.
        """
        if unknown := set(self._points_of(Field.CLOSED)) - self.forbidden():
            raise CommandError(f"{format_point(min(unknown))} is closed, but renju does not forbid it")
        marks, stones = self._in_renju()
        return new_game(rules.spec).at(_cells(rules, marks, stones), marks[Field.OWN])

    def _with_passes(self, rules: Rules) -> Game:
        """Return the game with the engine as Black, for any number of stones of each side."""
        if closed := self._points_of(Field.CLOSED):
            raise CommandError(f"{format_point(closed[0])} is closed: continuous games are not supported")
        own, other = self._points_of(Field.OWN), self._points_of(Field.OTHER)
        even = min(len(own), len(other))
        stones = [(*point, Field.OWN) for point in own[:even]]
        stones += [(*point, Field.OTHER) for point in other[:even]]
        game = new_game(rules.spec).at(_cells(rules, {Field.OWN: BLACK, Field.OTHER: WHITE}, stones), BLACK)
        for mark, more in ((BLACK, own[even:]), (WHITE, other[even:])):
            for point in more:
                if game.outcome is not None:
                    raise CommandError("the game is over")
                game = _with_turn(game, mark)
                game.play(coordinate_of(point))
        return game if game.outcome is not None else _with_turn(game, BLACK)


def alternating(width: int, height: int, points: Sequence[Point], rule: int) -> Game:
    """Return the game after alternating stones on *points*, Black first. Raises :class:`CommandError`."""
    owners = (Field.OWN, Field.OTHER)
    stones = [(x, y, owners[number % 2]) for number, (x, y) in enumerate(points)]
    position = EngineBoard(width, height).placed(stones)
    rules = position.rules(rule)
    marks = {Field.OWN: BLACK, Field.OTHER: WHITE}
    return new_game(rules.spec).at(_cells(rules, marks, position.stones), rules.marks[len(points) % 2])


def _with_turn(game: Game, mark: str) -> Game:
    """Return *game* with another side to move, as after a pass.

    The rules must allow that.
    """
    turned = game.with_turn(mark)
    assert turned is not None  # noqa: S101
    return turned


def _cells(rules: Rules, marks: dict[Field, str], stones: Sequence[Stone]) -> list[str | None]:
    rows, columns = rules.shape
    cells: list[str | None] = [None] * (rows * columns)
    for x, y, owner in stones:
        cells[y * columns + x] = marks[Field(owner)]
    return cells


MAX_SHOWN = 60
"""The number of characters of an unknown command that are repeated in the answer."""

SWAP2_STONES = (0, 3, 5)
"""The possible numbers of stones on the board of a swap2 request."""


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A request for a move in ``game``, or for an answer in a swap2 opening.

    ``time`` is None if only ``max_node`` and ``max_depth`` limit the search.
    """

    game: Game
    time: TurnTime | None
    max_node: int | None = None
    max_depth: int | None = None
    max_memory: int = 0
    is_swap2: bool = False


@dataclass(frozen=True, slots=True)
class LineResult:
    """The result of a line: ``lines`` to answer, a ``question`` to think about, or the end."""

    lines: tuple[str, ...] = ()
    question: MoveRequest | None = None
    is_end: bool = False


NOTHING = LineResult()


@dataclass(slots=True)
class _List:
    """A list that lasts until ``DONE``: the ``command`` before it, its items, and the first error."""

    command: str
    items: list[tuple[int, ...]] = field(default_factory=list)
    fault: str = ""


class EngineDialogue:
    """The board and the settings from the manager. An error changes nothing."""

    def __init__(self) -> None:
        self._info = Info()
        self._position: EngineBoard | None = None
        self._list: _List | None = None
        self._answers: dict[str, Callable[[str], LineResult]] = {
            "START": self._start,
            "RECTSTART": self._start_rectangle,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": lambda _: self._open_list("BOARD"),
            "YXBOARD": lambda _: self._open_list("YXBOARD"),
            "SWAP2BOARD": lambda _: self._open_list("SWAP2BOARD"),
            "TAKEBACK": self._take_back,
            "PLAY": self._play,
            "INFO": self._inform,
            "ABOUT": lambda _: LineResult((about(),)),
            "YXSTOP": lambda _: NOTHING,  # The search was answered before.
            "YXSHOWFORBID": self._show_forbidden,
            "END": lambda _: LineResult(is_end=True),
        }

    def hear(self, line: str) -> LineResult:
        """Execute *line* and return the result."""
        command = parse_command(line)
        if not command.word:
            return NOTHING
        try:
            if self._list is not None:
                if command.word == "INFO":
                    return self._inform(command.rest)
                if command.word == DONE:
                    return self._close_list()
                if command.word not in self._answers:
                    return self._add(line)
                self._list = None  # The manager has dropped the list.
            return self._answer(command, line)
        except CommandError as reason:
            return LineResult((f"ERROR {reason}",))

    @property
    def expected(self) -> tuple[Rules, ...]:
        """The rules that the manager may choose for the board, or none without a board."""
        if self._position is None:
            return ()
        rule_told = self._info.rule
        return tuple(self._position.rules(rule) for rule in Rule if rule_told in (None, rule))

    @property
    def max_memory(self) -> int:
        """The memory limit in bytes, or 0 for no limit."""
        return self._info.max_memory

    def answered(self, point: Point, ms: int) -> None:
        """Place the engine's move on *point*, and add *ms* to the time spent."""
        self.spent(ms)
        self._position = self._board.placed([(*point, Field.OWN)])

    def spent(self, ms: int) -> None:
        """Add *ms* to the time spent."""
        self._info = self._info.after_move(ms)

    # Commands

    def _answer(self, command: GomocupCommand, line: str) -> LineResult:
        if (answer := self._answers.get(command.word)) is not None:
            return answer(command.rest)
        if command.word == DONE:
            raise CommandError("DONE without BOARD")
        return LineResult((f"UNKNOWN {printable(line)}",))

    def _start(self, rest: str) -> LineResult:
        """Set up a square board.

        Some managers send the size twice.
        """
        sizes = parse_numbers(rest, 1) or parse_numbers(rest, 2) or ()
        return self._set_up(rest, sizes if len(set(sizes)) == 1 else ())

    def _start_rectangle(self, rest: str) -> LineResult:
        return self._set_up(rest, parse_numbers(rest, 2) or ())

    def _set_up(self, text: str, sizes: tuple[int, ...]) -> LineResult:
        if not sizes or not all(MIN_SIDE <= size <= MAX_SIDE for size in sizes):
            raise CommandError(f"boards of {MIN_SIDE} to {MAX_SIDE} are supported, not {printable(text)}")
        self._position = EngineBoard(sizes[0], sizes[-1])
        self._info = self._info.for_new_game()
        return LineResult((OK,))

    def _restart(self, rest: str) -> LineResult:
        self._position = self._board.emptied()
        self._info = self._info.for_new_game()
        return LineResult((OK,))

    def _begin(self, rest: str) -> LineResult:
        if self._board.stones:
            raise CommandError("the board is not empty: RESTART, START or BOARD comes first")
        return self._ask(self._board)

    def _turn(self, rest: str) -> LineResult:
        return self._ask(self._board.placed([(*_point(rest), Field.OTHER)]))

    def _play(self, rest: str) -> LineResult:
        """Make a move for the engine that the manager has chosen."""
        point = _point(rest)
        self._position = self._board.placed([(*point, Field.OWN)])
        return LineResult((format_point(point),))

    def _take_back(self, rest: str) -> LineResult:
        self._position = self._board.without(_point(rest))
        return LineResult((OK,))

    def _inform(self, rest: str) -> LineResult:
        self._info = self._info.updated(rest)
        return NOTHING

    def _show_forbidden(self, rest: str) -> LineResult:
        """List the points that renju forbids to Black: two digits for x and two for y."""
        points = sorted(self._board.forbidden()) if self._info.rule == Rule.RENJU else []
        return LineResult((f"FORBID {''.join(f'{x:02}{y:02}' for x, y in points)}.",))

    # Lists

    def _open_list(self, command: str) -> LineResult:
        self._list = _List(command)
        return NOTHING

    def _add(self, line: str) -> LineResult:
        """Add the entry in *line* to the list.

        Errors are reported at its end.
        """
        assert self._list is not None  # noqa: S101 - the caller looked
        numbers = parse_numbers(line, 2 if self._list.command == "SWAP2BOARD" else 3)
        if numbers is None or numbers[2:] not in ((), *((owner,) for owner in Field)):
            self._list.fault = self._list.fault or f"not a stone: {printable(line)}"
        elif len(self._list.items) <= MAX_SIDE**2:  # With one more stone than that, two are on one point.
            self._list.items.append(numbers)
        return NOTHING

    def _close_list(self) -> LineResult:
        assert self._list is not None  # noqa: S101 - the caller looked
        entries, self._list = self._list, None
        board = self._board.emptied()
        if entries.fault:
            raise CommandError(entries.fault)
        if entries.command == "SWAP2BOARD":
            return self._open_swap2([(x, y) for x, y in entries.items])
        stones: list[Stone] = [(x, y, owner) for x, y, owner in entries.items]
        position = board.placed(stones)
        if entries.command == "BOARD":
            return self._ask(position)
        position.game(self._info.rule or Rule.FREE)
        self._position = position
        return NOTHING

    def _open_swap2(self, points: list[Point]) -> LineResult:
        if len(points) not in SWAP2_STONES:
            raise CommandError(f"in swap2 0, 3 or 5 stones are told, not {len(points)}")
        game = alternating(self._board.width, self._board.height, points, self._info.rule or Rule.FREE)
        return LineResult(question=self._question(game, self._board, is_swap2=True))

    # Questions

    @property
    def _board(self) -> EngineBoard:
        if self._position is None:
            raise CommandError("there is no board: START comes first")
        return self._position

    def _ask(self, position: EngineBoard) -> LineResult:
        """Request a move in *position*, which becomes the board."""
        game = position.game(self._info.rule or Rule.FREE)
        self._position = position
        return LineResult(question=self._question(game, position))

    def _question(self, game: Game, position: EngineBoard, *, is_swap2: bool = False) -> MoveRequest:
        info = self._info
        time = info.turn_time(position.own_moves, position.free)
        return MoveRequest(game, time, info.max_node, info.max_depth, info.max_memory, is_swap2)


def _point(text: str) -> Point:
    """Return the point in *text*. Raises :class:`CommandError`."""
    numbers = parse_numbers(text, 2)
    if numbers is None:
        raise CommandError(f"not a point: {printable(text)}")
    return numbers[0], numbers[1]


def printable(text: str) -> str:
    """Return *text* as one short line without control characters, for an answer.

    >>> printable("WOBBLE" + chr(27) + "[2J")
    'WOBBLE.[2J'
    """
    clean = "".join(character if " " <= character <= "~" else "." for character in text)
    return clean if len(clean) <= MAX_SHOWN else clean[: MAX_SHOWN - 3] + "..."


def about() -> str:
    """Return the name, version and author of the engine."""
    return f'name="noughts", version="{version("noughts")}", author="The noughts developers"'
