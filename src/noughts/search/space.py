"""The lines of a k-in-a-row board as flat arrays of ints, as kernels read them."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from math import prod

from noughts.core.board import Shape
from noughts.core.geometry import directions
from noughts.games.ending import MAX_MASKED

MAX_CELLS = 4096
"""Larger boards are not searched."""


@dataclass(frozen=True, slots=True)
class Space:
    """``size`` cells and ``count`` lines of ``k`` cells.

    Line number i has the cells ``cells[i * k : (i + 1) * k]``. Through cell c run the lines
    ``through[first[c] : first[c + 1]]``. Where longer lines do not count, ``ends[2 * i]`` and
    ``ends[2 * i + 1]`` are the cells that must not bear the mark of a complete line i, -1 for none.
    """

    size: int
    k: int
    count: int
    cells: tuple[int, ...]
    first: tuple[int, ...]
    through: tuple[int, ...]
    ends: tuple[int, ...]


@lru_cache(maxsize=32)
def space_of(
    shape: Shape,
    k: int,
    *,
    wrap: bool,
    exact: bool,
) -> Space | None:
    """The arrays of a board; None where it is too large.

    >>> space = space_of((3, 3), 3, wrap=False, exact=False)
    >>> space.count, space.cells[:3], len(space.through[: space.first[1]])
    (8, (0, 1, 2), 3)
    """
    size = prod(shape)
    if size > MAX_CELLS or size * k > MAX_MASKED:
        return None
    listed = _wrapped_lines(shape, k, exact) if wrap else _straight_lines(shape, k, exact)
    found = sorted(listed, key=lambda test: (_direction(test[0]), test))
    through: list[list[int]] = [[] for _ in range(size)]
    for number, (cells, _) in enumerate(found):
        for cell in cells:
            through[cell].append(number)
    return Space(
        size,
        k,
        len(found),
        tuple(cell for cells, _ in found for cell in cells),
        (0, *accumulate(map(len, through))),
        tuple(line for lines in through for line in lines),
        tuple(end for _, ends in found for end in (*ends, -1, -1)[:2]),
    )


Test = tuple[tuple[int, ...], tuple[int, ...]]
"""The cells of a line, and the cells at its ends where longer lines do not count; both in order."""


def _straight_lines(shape: Shape, k: int, exact: bool) -> set[Test]:
    """All lines of a board with edges, from the cells where they can begin."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    found: set[Test] = set()
    for step in directions(len(shape)):
        room = [
            range(side) if not by else range(side - k + 1) if by > 0 else range(k - 1, side)
            for by, side in zip(step, shape, strict=True)
        ]
        stride = sum(by * each for by, each in zip(step, strides, strict=True))
        for start in product(*room):
            first = sum(part * each for part, each in zip(start, strides, strict=True))
            cells = tuple([first + at * stride for at in range(k)])
            ends: tuple[int, ...] = ()
            if exact:
                behind, ahead = (
                    all(
                        0 <= part + by * times < side
                        for part, by, side in zip(start, step, shape, strict=True)
                    )
                    for times in (-1, k)
                )
                ends = (first - stride,) * behind + (first + k * stride,) * ahead
            found.add((cells, ends) if stride > 0 else (cells[::-1], ends[::-1]))
    return found


def _wrapped_lines(shape: Shape, k: int, exact: bool) -> set[Test]:
    """All lines of a board without edges, and the cells before and after them unless those are their own."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    found: set[Test] = set()
    for step, start in product(directions(len(shape)), product(*map(range, shape))):
        behind, *cells, ahead = (
            sum(
                (part + by * times) % side * each
                for part, by, side, each in zip(start, step, shape, strides, strict=True)
            )
            for times in range(-1, k + 1)
        )
        if len(set(cells)) == k:
            ends = {behind, ahead} - set(cells) if exact else ()
            found.add((tuple(sorted(cells)), tuple(sorted(ends))))
    return found


def _direction(cells: tuple[int, ...]) -> int:
    """Something that parts lines of different directions."""
    return cells[-1] - cells[0]
