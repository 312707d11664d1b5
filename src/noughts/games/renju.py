"""Renju: the moves that are forbidden to Black, the side that begins.

Black moves to an empty point. The first of these that applies decides:

1. An unbroken row of exactly five in any direction: Black wins, even if a forbidden shape arises.
2. A row of six or more, an *overline*: forbidden.
3. Two *fours*, a *double four*: forbidden. A four of a direction is an empty point that makes exactly five
   together with the point of the move. Two such points are two fours, but the two ends of an unbroken
   (*straight*) four are one.
4. Two *threes*, a *double three*: forbidden. A direction has a three if a second point makes a straight
   four in it, makes no five in any direction at the same time, and is itself not forbidden after the first.

The terms are those of the rules of the Renju International Federation of 1996. To judge a three, another
point is judged with one more stone on the board, and so on. Each step adds a stone, so the recursion ends.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Self

from noughts.core.board import Shape

EMPTY, BLACK, OTHER = range(3)
"""The content of a point: nothing, a stone of Black, or a stone of the other side or the edge."""

FREE, WINS, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "free", "wins", "6", "44", "33"
"""The verdicts on a move of Black: nothing special, a win, or forbidden, with the reason."""

Found = str | list[list[int]]
"""A verdict, or for each direction with a three, the points that would make it a straight four."""


class RenjuPoints:
    """The stones of a flat board and the points forbidden to Black, computed once in each position.

    Black is the side number 0. The sides alternate from the one that is to move first.

    Points are counted row by row. The grid has one more column and row on each side than the board. Its
    border belongs to neither side, so a walk along a direction ends at the edge without a check.
    """

    __slots__ = ("_black", "_empty", "_forbidden", "_ply", "_points", "_steps", "_width")

    def __init__(self, shape: Shape, cells: Sequence[str | None], black: str, mover: int = 0) -> None:
        rows, columns = shape
        self._width = columns
        stride = columns + 1
        self._steps = (1, stride - 1, stride, stride + 1)
        self._points = bytearray([OTHER]) * (stride * (rows + 2))
        self._black = self._empty = 0  # masks of the points with Black's stones, and of the empty points
        for index in range(rows * columns):
            self.place(index, EMPTY)
        self._ply = mover
        for index, mark in enumerate(cells):
            if mark is not None:
                self.place(index, BLACK if mark == black else OTHER)

    def _point(self, index: int) -> int:
        row, column = divmod(index, self._width)
        return (row + 1) * (self._width + 1) + column

    def _index(self, point: int) -> int:
        row, column = divmod(point, self._width + 1)
        return (row - 1) * self._width + column

    def place(self, index: int, stone: int) -> None:
        """Put a *stone* on the cell of *index*, or clear it with :data:`EMPTY`."""
        point = self._point(index)
        self._points[point] = stone
        bit = 1 << point
        self._black = self._black | bit if stone == BLACK else self._black & ~bit
        self._empty = self._empty | bit if stone == EMPTY else self._empty & ~bit
        self._forbidden: Mapping[int, str] | None = None

    def put(self, index: int) -> None:
        """Record that the side to move has put a mark on the cell of *index*."""
        self.place(index, OTHER if self._ply % 2 else BLACK)
        self._ply += 1

    def lift(self, index: int) -> None:
        """Undo :meth:`put` on the cell of *index*."""
        self.place(index, EMPTY)
        self._ply -= 1

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin._points, twin._width, twin._steps = self._points.copy(), self._width, self._steps
        twin._black, twin._empty = self._black, self._empty
        twin._ply, twin._forbidden = self._ply, self._forbidden
        return twin

    def forbidden(self) -> Mapping[int, str]:
        """Return the cells forbidden to the side to move, with the reason: ``33``, ``44`` or ``6``."""
        if self._forbidden is None:
            self._forbidden = {} if self._ply % 2 else self.forbidden_to_black()
        return self._forbidden

    def forbidden_to_black(self) -> dict[int, str]:
        """Return the cells forbidden to Black with the reason, regardless of the side to move."""
        suspects = _bits(_suspects(self._black, self._empty, self._steps))
        judged = {index: self.judge(index) for index in map(self._index, suspects)}
        return {index: verdict for index, verdict in judged.items() if verdict not in (FREE, WINS)}

    def judge(self, index: int) -> str:
        """Return the verdict on a move of Black to the empty cell of *index*."""
        return _judge(self._points, self._steps, self._point(index))


def _judge(points: bytearray, steps: Sequence[int], point: int) -> str:
    """Return the verdict on *point*.

    Nested questions wait on a stack of our own, so their number is not limited by Python's recursion.
    """
    waiting = [_judge_steps(points, steps, point)]
    answer = None
    while waiting:
        try:
            another = waiting[-1].send(answer)  # type: ignore[arg-type]
        except StopIteration as end:
            waiting.pop()
            answer = end.value
        else:
            waiting.append(_judge_steps(points, steps, another))
            answer = None
    return str(answer)


def _judge_steps(points: bytearray, steps: Sequence[int], point: int) -> Generator[int, str, str]:
    """Yield the points that decide the verdict on *point*, and return its verdict."""
    points[point] = BLACK
    result = _direct_effect(points, steps, point)
    if not isinstance(result, str):
        threes, left = 0, len(result)
        while threes < 2 <= threes + left:
            for four in result[-left]:
                if (yield four) == FREE:
                    threes += 1
                    break
            left -= 1
        result = FREE if threes < 2 else DOUBLE_THREE
    points[point] = EMPTY
    return result


def _direct_effect(points: bytearray, steps: Sequence[int], point: int) -> Found:
    """Return the direct effect of the stone just put on *point*."""
    overline, fours = False, 0
    threes = []
    for step in steps:
        left, right = _end(points, point, -step), _end(points, point, step)
        row = (right - left) // step - 1
        if row == 5:
            return WINS
        if row > 5:
            overline = True
            continue
        # Only an empty point at an end of the row can extend it: the length of the new row, and its far end.
        far_left = _end(points, left, -step) if points[left] == EMPTY else left
        far_right = _end(points, right, step) if points[right] == EMPTY else right
        by_left = (right - far_left) // step - 1 if far_left != left else 0
        by_right = (far_right - left) // step - 1 if far_right != right else 0
        fives = (by_left == 5) + (by_right == 5)
        fours += fives if row < 4 else min(fives, 1)
        three = []
        if by_left == 4 and _is_straight(points, far_left, right, step):
            three.append(left)
        if by_right == 4 and _is_straight(points, left, far_right, step):
            three.append(right)
        if three:
            threes.append(three)
    if overline:
        return OVERLINE
    if fours > 1:
        return DOUBLE_FOUR
    return threes if len(threes) > 1 else FREE


def _end(points: bytearray, point: int, step: int) -> int:
    """Return the first point after *point* along *step* without a stone of Black."""
    point += step
    while points[point] == BLACK:
        point += step
    return point


def _is_straight(points: bytearray, left: int, right: int, step: int) -> bool:
    """Return True if each end of a row of four, *left* and *right* of it, makes exactly five."""
    return (
        points[left] == points[right] == EMPTY
        and points[left - step] != BLACK
        and points[right + step] != BLACK
    )


def _suspects(black: int, empty: int, steps: Sequence[int]) -> int:
    """Return the points that may be forbidden, including all that are, judged without other points.

    Whole boards are processed in one operation: bit i of ``black >> n * step`` is the point n steps after i.
    Windows of five with two empty points make a four by either, windows of four with two empty points between
    two others a three.
    """
    if black.bit_count() < 4:
        return 0
    once = more = 0
    for step in steps:
        blacks = [black >> n * step for n in range(7)]
        empties = [empty >> n * step for n in range(6)]
        before = ~(black << step)
        # Windows of the second to the fifth point with none, one or two empty points and Black's stones
        # elsewhere.
        none, one, two = blacks[1], empties[1], 0
        for n in range(2, 5):
            two = two & blacks[n] | one & empties[n]
            one = one & blacks[n] | none & empties[n]
            none &= blacks[n]
        threes = two & empties[0] & empties[5] & before & ~blacks[6]
        fours = (two & blacks[0] | one & empties[0]) & before & ~blacks[5]
        shaped = 0
        if fours:
            for place in _places(fours, step, 5):
                more |= shaped & place & empty
                shaped |= place
        if threes:
            for place in _places(threes << step, step, 4):
                shaped |= place
        if one & blacks[0] | none & empties[0]:
            more |= _beside_five(blacks, black, empty, step)
        shaped &= empty
        more |= once & shaped
        once |= shaped
    return more


def _beside_five(blacks: Sequence[int], black: int, empty: int, step: int) -> int:
    """Return the empty points that make a row of six or more, for each split of stones before and after."""
    bits = 0
    for behind in range(6):
        row = empty
        for n in range(1, behind + 1):
            row &= black << n * step
        for n in range(1, 6 - behind):
            row &= blacks[n]
        bits |= row
    return bits


def _places(starts: int, step: int, length: int) -> Iterator[int]:
    """Yield the first points of the windows at *starts*, then the second ones, to the last."""
    return (starts << n * step for n in range(length))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
