"""What stands on the board of an engine, as the manager told it, and the game that this is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from noughts.errors import NotationError
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.renju import RenjuPoints
from noughts.games.rules import MARKS, Rules
from noughts.workers.protocols.gomocup import Field, Point, Rule, Stone, coordinate_of, format_point

K = 5

MIN_SIDE, MAX_SIDE = 5, 40
"""The sides of boards that are played on."""

BLACK, WHITE = MARKS[:2]


class CannotDo(Exception):
    """What was asked cannot be done; the message says why. Nothing has changed."""


@dataclass(frozen=True, slots=True)
class Position:
    """A board ``width`` cells wide and ``height`` high, and the ``stones`` on it, in the order they came."""

    width: int
    height: int
    stones: tuple[Stone, ...] = ()

    @property
    def own_moves(self) -> int:
        """How many stones are one's own."""
        return len(self._points_of(Field.OWN))

    @property
    def free(self) -> int:
        """How many cells are empty."""
        return self.width * self.height - len(self.stones)

    def _points_of(self, owner: Field) -> list[Point]:
        return [(x, y) for x, y, who in self.stones if who == owner]

    def emptied(self) -> Self:
        """The empty board of the same size."""
        return replace(self, stones=())

    def placed(self, stones: Sequence[Stone]) -> Self:
        """The same with *stones* after those that stand there, or :class:`CannotDo`."""
        taken = {(x, y) for x, y, _ in self.stones}
        for x, y, _ in stones:
            self.check_on_board((x, y))
            if (x, y) in taken:
                raise CannotDo(f"{format_point((x, y))} is not empty")
            taken.add((x, y))
        return replace(self, stones=(*self.stones, *stones))

    def without(self, point: Point) -> Self:
        """The same without the stone on *point*, or :class:`CannotDo`."""
        left = tuple((x, y, owner) for x, y, owner in self.stones if (x, y) != point)
        if len(left) == len(self.stones):
            raise CannotDo(f"no stone is on {format_point(point)}")
        return replace(self, stones=left)

    def check_on_board(self, point: Point) -> None:
        """Raise :class:`CannotDo` where no cell is on *point*."""
        x, y = point
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise CannotDo(f"{format_point(point)} is not on the board of {self.width}x{self.height}")

    def rules(self, rule: int) -> Rules:
        """The rules with this code, or :class:`CannotDo`: what is not known is not played."""
        if rule not in tuple(Rule):
            raise CannotDo(f"rule {rule} is not supported: 0 (five or more), 1 (exactly five), 4 (renju) are")
        return Rules(shape=(self.height, self.width), k=K, exact=rule == Rule.EXACT, renju=rule == Rule.RENJU)

    def game(self, rule: int) -> Game:
        """The game, with oneself to move, or :class:`CannotDo` where none is that goes on."""
        rules = self.rules(rule)
        try:
            game = self._renju(rules) if rules.renju else self._with_passes(rules)
        except NotationError as error:
            raise CannotDo("no game can come to this position, or it is over") from error
        if game.outcome is not None:
            raise CannotDo("the game is over")
        return game

    def forbidden(self) -> set[Point]:
        """The points that renju forbids to Black, whoever is to move; the first stone is Black's."""
        rules = self.rules(Rule.RENJU)
        points = RenjuPoints(rules.shape, _cells(rules, *self._in_renju()), BLACK).forbidden_to_black()
        return {(index % self.width, index // self.width) for index in points}

    def _in_renju(self) -> tuple[dict[Field, str], list[Stone]]:
        """Who has which mark, and the stones of both."""
        stones = [stone for stone in self.stones if stone[2] != Field.CLOSED]
        is_white = bool(stones) and stones[0][2] == Field.OTHER
        own, other = (WHITE, BLACK) if is_white else (BLACK, WHITE)
        return {Field.OWN: own, Field.OTHER: other}, stones

    def _renju(self, rules: Rules) -> Game:
        """Closed cells are those that renju forbids: it knows them itself."""
        if unknown := set(self._points_of(Field.CLOSED)) - self.forbidden():
            raise CannotDo(f"{format_point(min(unknown))} is closed, but renju does not forbid it")
        marks, stones = self._in_renju()
        return new_game(rules.spec).at(_cells(rules, marks, stones), marks[Field.OWN])

    def _with_passes(self, rules: Rules) -> Game:
        """One's own stones are Black's, however many there are of each side."""
        if closed := self._points_of(Field.CLOSED):
            raise CannotDo(f"{format_point(closed[0])} is closed: continuous games are not supported")
        own, other = self._points_of(Field.OWN), self._points_of(Field.OTHER)
        even = min(len(own), len(other))
        stones = [(*point, Field.OWN) for point in own[:even]]
        stones += [(*point, Field.OTHER) for point in other[:even]]
        game = new_game(rules.spec).at(_cells(rules, {Field.OWN: BLACK, Field.OTHER: WHITE}, stones), BLACK)
        for mark, more in ((BLACK, own[even:]), (WHITE, other[even:])):
            for point in more:
                if game.outcome is not None:
                    raise CannotDo("the game is over")
                game = _with_turn(game, mark)
                game.play(coordinate_of(point))
        return game if game.outcome is not None else _with_turn(game, BLACK)


def alternating(width: int, height: int, points: Sequence[Point], rule: int) -> Game:
    """The game in which both sides have placed *points* by turns, Black first, or :class:`CannotDo`."""
    owners = (Field.OWN, Field.OTHER)
    stones = [(x, y, owners[number % 2]) for number, (x, y) in enumerate(points)]
    position = Position(width, height).placed(stones)
    rules = position.rules(rule)
    marks = {Field.OWN: BLACK, Field.OTHER: WHITE}
    return new_game(rules.spec).at(_cells(rules, marks, position.stones), rules.marks[len(points) % 2])


def _with_turn(game: Game, mark: str) -> Game:
    """*game* with another side to move, as after a pass: that is only asked where the rules let it be."""
    turned = game.with_turn(mark)
    assert turned is not None  # noqa: S101
    return turned


def _cells(rules: Rules, marks: dict[Field, str], stones: Sequence[Stone]) -> list[str | None]:
    rows, columns = rules.shape
    cells: list[str | None] = [None] * (rows * columns)
    for x, y, owner in stones:
        cells[y * columns + x] = marks[Field(owner)]
    return cells
