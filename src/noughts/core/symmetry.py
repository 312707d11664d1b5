"""The permutations of the cells of a board that map lines to lines.

The generators swap two equal axes, reflect one axis, or shift a torus. For lines as long as the side they
also exchange inner values (Silver 1967). Each permutation is checked against the set of lines, and of the
cells that can spoil them, before it is used. So a wrong generator can only cost a symmetry.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations

from noughts.core.board import Coordinate, Shape, index_of
from noughts.core.geometry import Geometry, coordinates
from noughts.core.lines import line_table

Permutation = tuple[int, ...]
"""``permutation[i]`` is the index to which the cell of index i moves."""

MAX_KEPT = 500_000
"""The maximum number of numbers that a group may hold: cells times permutations."""


@lru_cache(maxsize=32)
def symmetries(geometry: Geometry, gravity: bool = False, *, rigid: bool = False) -> tuple[Permutation, ...]:
    """Return the group of cell permutations that map lines to lines, the identity first.

    With *gravity*, the permutations also preserve the height of each cell and the order of cells in a column.
    If they are *rigid*, they only turn, reflect and shift the board, so that a person can follow them.

    Only the identity is returned if the lines of the board are not enumerated, or if the group would hold
    more than ``MAX_KEPT`` numbers.

    >>> [len(symmetries(Geometry(shape, shape[0]))) for shape in ((3, 3), (4, 4), (4, 4, 4))]
    [8, 32, 192]
    """
    identity = tuple(range(geometry.size))
    table = line_table(geometry)
    if table is None:
        return (identity,)
    cells = coordinates(geometry.shape)
    # The cells that can spoil a line are in the same set, with other numbers.
    lines = frozenset(
        frozenset((*line, *(end + geometry.size for end in ends))) if ends else frozenset(line)
        for line, ends in zip(table.cells_of, table.ends_of, strict=True)
    )
    moved = [
        tuple(index_of(geometry.shape, move(cell)) for cell in cells)
        for move in _candidates(geometry, gravity, rigid=rigid)
    ]
    images = [(*one, *(cell + geometry.size for cell in one)) for one in moved]
    generators = [
        one
        for one, image in zip(moved, images, strict=True)
        if all(frozenset(image[cell] for cell in line) in lines for line in lines)
    ]
    return _closure(identity, generators)


Move = Callable[[Coordinate], Coordinate]


def _candidates(geometry: Geometry, gravity: bool, *, rigid: bool) -> Iterator[Move]:
    """Yield the candidates for generators, as functions of a cell.

    With *gravity*, the vertical axis stays in place. *rigid* ones exchange no inner values.
    """
    shape, joined = geometry.shape, geometry.joined
    axes = range(1 if gravity else 0, len(shape))
    for one, two in combinations(axes, 2):
        if (shape[one], joined[one]) == (shape[two], joined[two]):
            yield _swap(one, two)
    if geometry.tiling:
        yield lambda cell: tuple(side - 1 - part for part, side in zip(cell, shape, strict=True))
        return
    for axis in axes:
        yield _map_axis(axis, lambda value, side: side - 1 - value, shape)
        if joined[axis]:
            yield _map_axis(axis, lambda value, side: (value + 1) % side, shape)
    if not (rigid or gravity or any(joined)) and set(shape) == {geometry.k}:
        yield from map(_map_all, _inner_exchanges(geometry.k))


def _swap(one: int, two: int) -> Move:
    other = {one: two, two: one}
    return lambda cell: tuple(cell[other.get(axis, axis)] for axis in range(len(cell)))


def _map_axis(axis: int, to: Callable[[int, int], int], shape: Shape) -> Move:
    return lambda cell: (*cell[:axis], to(cell[axis], shape[axis]), *cell[axis + 1 :])


def _map_all(values: Sequence[int]) -> Move:
    return lambda cell: tuple(values[part] for part in cell)


def _inner_exchanges(side: int) -> Iterator[list[int]]:
    """Yield generators of the permutations of 0..side-1 that commute with i -> side-1-i."""
    half = side // 2
    for pair in range(half):
        values = list(range(side))
        values[pair], values[side - 1 - pair] = values[side - 1 - pair], values[pair]
        yield values
    for one, two in permutations(range(half), 2):
        values = list(range(side))
        values[one], values[two] = two, one
        values[side - 1 - one], values[side - 1 - two] = side - 1 - two, side - 1 - one
        yield values


def _closure(identity: Permutation, generators: list[Permutation]) -> tuple[Permutation, ...]:
    group = {identity: None}
    queue = [identity]
    for known in queue:
        for generator in generators:
            image = tuple(map(generator.__getitem__, known))
            if image not in group:
                group[image] = None
                queue.append(image)
                if len(group) * len(identity) > MAX_KEPT:
                    return (identity,)
    return tuple(group)
