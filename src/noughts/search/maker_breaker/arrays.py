"""The memory that the kernels of this search work in, for an empty board."""

from array import array
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, chain, combinations, repeat

from noughts.core.geometry import Geometry
from noughts.core.lines import LineTable, line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.maker_breaker import layout as at
from noughts.search.memory import Arrays, laid_out
from noughts.search.numba_backend import Ints, Machine

FEW_MARKS = 6
"""With so many marks positions are recognised in their images; with more it takes longer than it saves."""

MAX_HASHES = 1 << 17
"""So many numbers are worked out for recognising positions; of a larger board fewer images are used."""

HASH_BYTES = 13
"""Of what a line lacks: two numbers of 52 bits."""

HALF = 52


def new_memory(rules: Rules, board: LineTable, machine: Machine) -> Ints:
    """The memory of the kernels for an empty *board* of *rules*."""
    group = symmetries(rules.geometry)[: max(1, MAX_HASHES // (board.count << board.k))]
    depths = 2 * board.size + 4
    numbers = {
        **_cover_numbers(board),
        at.IMAGES: len(group),
        at.FEW: FEW_MARKS,
        at.DEPTHS: depths,
        at.READY: board.count if board.k == 1 else 0,
        at.NEAR: board.count if board.k == 2 else 0,
        at.SUM: board.count,
        at.PHASE: at.ENTERING,
        at.CERTIFIED: -1,
    }
    arrays = {**_cover_arrays(board), **_board_arrays(board), **_search_arrays(board.size, depths)}
    arrays[at.IMAGE_OF] = chain.from_iterable(group)
    arrays[at.ORIGIN_OF] = chain.from_iterable(map(_inverse, group))
    hashes, checks = _hashes(rules.geometry, len(group))
    arrays[at.HASHES], arrays[at.CHECKS] = hashes, checks
    whole = (1 << board.k) - 1
    numbers[at.KEY] = sum(hashes[(line << board.k) + whole] for line in range(board.count))
    numbers[at.CHECK] = sum(checks[(line << board.k) + whole] for line in range(board.count))
    return laid_out(numbers, arrays, at.ALL, machine)


def new_cover(board: LineTable, machine: Machine) -> Ints:
    """The memory in which pairs are looked for (``cover``) and no more, for the lines of *board*."""
    return laid_out(_cover_numbers(board), _cover_arrays(board), at.ALL, machine)


def _cover_numbers(board: LineTable) -> dict[int, int]:
    """The facts of *board*."""
    facts = {at.SIZE: board.size, at.K: board.k, at.LINES: board.count, at.TARGET: 1 << board.k}
    return {**facts, at.COUPLES: len(_couples(board))}


def _couples(board: LineTable) -> list[tuple[int, ...]]:
    """Each two cells of a line of *board*, as they stand in it."""
    return sorted({two for cells in board.cells_of for two in combinations(cells, 2)})


def _bits(board: LineTable) -> list[list[int]]:
    """The bit of each cell of *board* in each line, 0 for none."""
    bits = [[0] * board.count for _ in range(board.size)]
    for line, cells in enumerate(board.cells_of):
        for place, cell in enumerate(cells):
            bits[cell][line] = 1 << place
    return bits


def _inverse(permutation: tuple[int, ...]) -> list[int]:
    """Where each cell came from."""
    return sorted(range(len(permutation)), key=permutation.__getitem__)


@lru_cache(maxsize=4)
def _hashes(geometry: Geometry, images: int) -> "tuple[array[int], array[int]]":
    """Both hashes of each part of each line, in so many images: the same for the same cells.

    Whoever asks about one position after another of a board has a new search for many of them.
    """
    known: dict[int, tuple[int, int]] = {}
    found = []
    board = line_table(geometry)
    assert board is not None  # noqa: S101 - whoever searches it has it
    mask_bytes = -(-board.size // 8)
    for image in symmetries(geometry)[:images]:
        for cells in board.cells_of:
            masks = [0]
            for cell in cells:
                masks += [mask | 1 << image[cell] for mask in masks]
            for mask in masks:
                if mask not in known:
                    digest = blake2b(mask.to_bytes(mask_bytes, "little"), digest_size=HASH_BYTES).digest()
                    number = int.from_bytes(digest, "little")
                    known[mask] = number >> HALF, number & (1 << HALF) - 1
                found.append(known[mask])
    return array("q", [one for one, _ in found]), array("q", [two for _, two in found])


def _cover_arrays(board: LineTable) -> Arrays:
    """The lines of *board*, and what pairs are chosen with."""
    size, k, count = board.size, board.k, board.count
    couples = _couples(board)
    number_of = {couple: number for number, couple in enumerate(couples)}
    places = [[place for place in range(k) if lacking >> place & 1] for lacking in range(1 << k)]
    twos = [*combinations(range(k), 2)]
    twos_of = [[two for two, pair in enumerate(twos) if {*pair} <= {*some}] for some in places]
    bits = _bits(board)
    within = [bits[cell][line] for cell in range(size) for line in board.lines_of(cell)]
    return {
        at.CELLS: board.cells,
        at.FIRST: board.first,
        at.THROUGH: board.through,
        at.WITHIN: within,
        at.BITS: chain(repeat(0, count), *bits),
        at.LACKS: map(len, places),
        at.PLACES_FROM: accumulate(map(len, places), initial=0),
        at.PLACES: chain.from_iterable(places),
        at.TWOS_FROM: accumulate(map(len, twos_of), initial=0),
        at.TWOS: chain.from_iterable(twos_of),
        at.COUPLE_OF: (number_of[two] for cells in board.cells_of for two in combinations(cells, 2)),
        at.ONE: (one for one, _ in couples),
        at.OTHER: (other for _, other in couples),
        at.COVERED: repeat(0, count),
        at.LISTED: repeat(0, 1 + len(couples)),
        at.BURDEN: repeat(0, size),
        at.SHARED: repeat(0, len(couples)),
        at.CHOSEN: repeat(0, size + 2),
        at.PAIRS: repeat(0, size + 2),
    }


def _board_arrays(board: LineTable) -> Arrays:
    """The other arrays of the position."""
    size, k, count = board.size, board.k, board.count
    return {
        at.LINE: repeat((1 << k) - 1, count),
        at.LOAD: (len(board.lines_of(cell)) for cell in range(size)),
        at.CHANGED: repeat(0, count * (k + 1)),
        at.BEFORE: repeat(0, count * (k + 1)),
        at.MATE: repeat(0, size),
    }


def _search_arrays(size: int, depths: int) -> Arrays:
    """What is kept at each depth."""
    each_depth = (
        *(at.TURN, at.STAGE, at.BEGIN, at.PLY, at.SIGN, at.SEAL, at.FRAME, at.WORK, at.HINT, at.REPLY),
        *(at.MANY, at.NEXT, at.MANY_PROOFS, at.MANY_LEFT),
    )
    return {
        **{name: repeat(0, depths) for name in each_depth},
        at.TRIED: repeat(0, depths * size),
        at.ORDER: repeat(0, size),
        at.PROOFS: repeat(0, depths * at.KEPT * (2 + size)),
        at.LEFT: repeat(0, depths * size),
        at.WRITTEN: repeat(0, size * (size + 5)),
    }
