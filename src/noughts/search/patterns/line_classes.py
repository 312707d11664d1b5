"""Classes of lines and points: the patterns that a mark on an empty cell would make.

The *window* of a cell is the cells around it in one direction that can decide its lines. The *line class* of
a side says what a mark of that side on the cell would make in this direction. The *point class* combines the
line classes of the four directions.

A *window key* has one digit of base 3 for each cell of a window except its middle: OWN, OTHER, or 0 if the
cell is empty. A *shape* has four bits for the line class of each direction.
"""

from functools import lru_cache
from itertools import combinations_with_replacement

from noughts.games.rules import Rules
from noughts.search.numba_backend import Ints, Machine, kernel

NOTHING = 0
WEAK_ONE, ONE, WEAK_OPEN_ONE, OPEN_ONE = 1, 2, 3, 4
WEAK_TWO, TWO, OPEN_TWO, WIDE_OPEN_TWO, WIDEST_OPEN_TWO = 5, 6, 7, 8, 9
THREE, NARROW_OPEN_THREE, OPEN_THREE = 10, 11, 12
FOUR, OPEN_FOUR, FIVE = 13, 14, 15
"""The line classes, named as with k = 5.

A FIVE wins. A FOUR threatens one five, an OPEN_FOUR two. An OPEN_THREE threatens an open four, a THREE a
four, and so on. Classes with similar names differ in the number of cells that continue the line.
"""

LINE_CLASSES = 16

BARRED = WEAK_ONE
"""The class of a line that makes a move of Black illegal in renju: an overline, or two fours in the line.

It has the number of WEAK_ONE, because the lines of Black have no weak ones. They count as ONE.
"""

NO_POINT, THREE_POINT, THREES_POINT, OPEN_THREE_POINT, OPEN_THREE_AND_THREE = 0, 1, 2, 3, 4
OPEN_THREES, FOUR_POINT, FOUR_AND_THREE, FOUR_AND_OPEN_THREE, FOURS, FIVE_POINT = 5, 6, 7, 8, 9, 10
"""The point classes. A three that is not open includes an open two here, FOURS an open four."""

FORBIDDEN_POINT, DOUBTFUL_THREES, DOUBTFUL_FOUR = 11, 12, 13
"""The point classes of moves of Black in renju that are illegal, or may be so.

The first has an overline or two fours. The other two have two open threes, which are illegal unless one of
them cannot become four. The last one has a four or an open four too.
"""

POINT_CLASSES = 14

OWN, OTHER = 1, 2
"""The digits of a window key. OTHER includes the cells beyond the edge."""


@kernel
def makes_row(window: Ints, first: int, k: int, exact: int) -> bool:
    """Return True if the *k* cells from *first* on are a row. If *exact*, it may not be longer."""
    for place in range(first, first + k):
        if window[place] != OWN:
            return False
    if exact == 0:
        return True
    if first > 0 and window[first - 1] == OWN:
        return False
    return not (first + k < len(window) and window[first + k] == OWN)


@kernel
def row_length(window: Ints) -> int:
    """Return the number of own marks in a row through the middle of *window*."""
    first = last = len(window) // 2
    while first > 0 and window[first - 1] == OWN:
        first -= 1
    while last + 1 < len(window) and window[last + 1] == OWN:
        last += 1
    return last - first + 1


@kernel
def class_of_continuations(counts: Ints) -> int:
    """Return the class of a line from the number of its continuations of each class."""
    open_threes = counts[OPEN_THREE] + counts[NARROW_OPEN_THREE]
    open_twos = counts[OPEN_TWO] + counts[WIDE_OPEN_TWO] + counts[WIDEST_OPEN_TWO]
    twos = counts[TWO] + counts[WEAK_TWO]
    line_class = NOTHING
    if counts[FIVE] > 0:
        line_class = OPEN_FOUR if counts[FIVE] > 1 else FOUR
    elif counts[OPEN_FOUR] > 0:
        line_class = OPEN_THREE if counts[OPEN_FOUR] > 1 else NARROW_OPEN_THREE
    elif counts[FOUR] > 0:
        line_class = THREE
    elif open_threes > 0:
        line_class = OPEN_TWO if open_threes < 3 else WIDE_OPEN_TWO if open_threes == 3 else WIDEST_OPEN_TWO
    elif counts[THREE] > 0:
        line_class = TWO if counts[THREE] > 2 else WEAK_TWO
    elif open_twos > 0:
        line_class = OPEN_ONE if open_twos > 4 else WEAK_OPEN_ONE
    elif twos > 0:
        line_class = ONE if twos > 2 else WEAK_ONE
    return line_class


@kernel
def class_for_black(line_class: int, width: int, k: int) -> int:
    """Return the class in renju of a line of Black that has *line_class* for exact rows.

    Its outermost continuations to five are *width* cells apart. Only an unbroken four lies between two.
    """
    if line_class == OPEN_FOUR and width != k:
        return BARRED
    return ONE if line_class == WEAK_ONE else line_class


@kernel
def classify_windows(classes: Ints, window: Ints, counts: Ints, k: int, exact: int, renju: int) -> None:
    """Set the line class of each window key in *classes*. *window* and *counts* are working arrays.

    A window with more marks has a greater key, so the continuations of a window are classified before it.
    If *renju*, which needs *exact*, the classes are those of Black.
    """
    length = len(window)
    middle = length // 2
    for key in range(len(classes) - 1, -1, -1):
        rest = key
        for place in range(length - 1, -1, -1):
            if place == middle:
                window[place] = OWN
            else:
                window[place] = rest % 3
                rest //= 3
        is_row = False
        for first in range(middle - k + 1, middle + 1):
            if makes_row(window, first, k, exact):
                is_row = True
        if is_row:
            classes[key] = FIVE
            continue
        if renju == 1 and row_length(window) > k:
            classes[key] = BARRED
            continue
        for line_class in range(LINE_CLASSES):
            counts[line_class] = 0
        digit = 1
        first_five = last_five = 0
        for place in range(length - 1, -1, -1):
            if place == middle:
                continue
            # Only rows through the middle count, so only cells nearer than k continue them.
            if window[place] == 0 and middle - k < place < middle + k:
                line_class = classes[key + digit]
                counts[line_class] += 1
                if line_class == FIVE:
                    first_five = place
                    last_five = max(last_five, place)
            digit *= 3
        line_class = class_of_continuations(counts)
        classes[key] = class_for_black(line_class, last_five - first_five, k) if renju == 1 else line_class


@lru_cache(maxsize=8)
def line_classes(k: int, exact: bool, machine: Machine, renju: bool = False) -> tuple[int, ...]:
    """Return the line class of each window key for rows of *k* cells; if *renju*, for Black in renju.

    >>> from noughts.search.numba_backend import python_machine
    >>> classes = line_classes(4, False, python_machine())
    >>> len(classes), classes[0], classes[-1]
    (729, 9, 0)
    """
    length = 2 * reach_of(k, exact) + 1
    classes = machine.zeros(3 ** (length - 1))
    machine.function(classify_windows)(
        classes, machine.zeros(length), machine.zeros(LINE_CLASSES), k, int(exact), int(renju)
    )
    return tuple(map(int, classes))


def line_classes_of_sides(rules: Rules, machine: Machine) -> list[tuple[int, ...]]:
    """Return the line classes of the sides: one table if they share it, else one for each side."""
    k = rules.k
    if not rules.renju:
        return [line_classes(k, rules.exact, machine)]
    # The windows of both sides have the same cells. The outermost ones do not count for White.
    inner = line_classes(k, False, machine)
    white = tuple([inner[key // 3 % len(inner)] for key in range(9 * len(inner))])
    return [line_classes(k, True, machine, renju=True), white]


def reach_of(k: int, exact: bool) -> int:
    """Return the number of cells of a window on each side of its middle."""
    return k if exact else k - 1


def combinations() -> list[tuple[int, ...]]:
    """Return the combinations of four line classes, of which the weights have one entry each."""
    return [tuple(reversed(four)) for four in combinations_with_replacement(range(LINE_CLASSES), 4)]


@lru_cache(maxsize=1)
def combination_of_shape() -> list[int]:
    """Return the index of the combination of each shape."""
    index = {classes: number for number, classes in enumerate(combinations())}
    return [index[tuple(sorted(_classes_of_shape(shape), reverse=True))] for shape in range(1 << 16)]


def _classes_of_shape(shape: int) -> tuple[int, int, int, int]:
    return shape & 15, shape >> 4 & 15, shape >> 8 & 15, shape >> 12


def point_class(classes: tuple[int, ...]) -> int:
    """Return the point class of a combination of line classes."""
    open_threes = classes.count(OPEN_THREE) + classes.count(NARROW_OPEN_THREE)
    threes = sum(map(classes.count, (THREE, OPEN_TWO, WIDE_OPEN_TWO, WIDEST_OPEN_TWO)))
    fours = classes.count(FOUR)
    if FIVE in classes:
        return FIVE_POINT
    if OPEN_FOUR in classes or fours > 1:
        return FOURS
    if fours:
        return FOUR_AND_OPEN_THREE if open_threes else FOUR_AND_THREE if threes else FOUR_POINT
    if open_threes:
        return OPEN_THREES if open_threes > 1 else OPEN_THREE_AND_THREE if threes else OPEN_THREE_POINT
    return min(threes, 2)


def point_class_for_black(classes: tuple[int, ...]) -> int:
    """Return the point class of a combination of line classes for Black in renju."""
    fours = classes.count(FOUR) + classes.count(OPEN_FOUR)
    if FIVE in classes:
        return FIVE_POINT
    if BARRED in classes or fours > 1:
        return FORBIDDEN_POINT
    if classes.count(OPEN_THREE) + classes.count(NARROW_OPEN_THREE) > 1:
        return DOUBTFUL_FOUR if fours else DOUBTFUL_THREES
    return point_class(classes)
