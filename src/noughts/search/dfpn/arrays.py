"""The memory that the kernels of this search work in, for an empty board."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain, repeat

from noughts.core.lines import LineTable
from noughts.core.symmetry import Permutation, symmetries
from noughts.games.rules import Rules
from noughts.search.dfpn import layout as at
from noughts.search.memory import Arrays, laid_out
from noughts.search.numba_backend import Ints, Machine

FEW_MARKS = 8
"""With so many marks positions are recognised in their images; with more it takes longer than it saves."""

HASH_BITS = 60


def images_of(rules: Rules) -> tuple[Permutation, ...]:
    """The symmetries by which positions are recognised, the identity first."""
    return symmetries(rules.geometry)


def new_memory(rules: Rules, board: LineTable, machine: Machine) -> Ints:
    """The memory of the kernels for an empty *board* of *rules*."""
    group = images_of(rules)
    depths = board.size + 2
    numbers = {
        at.SIZE: board.size,
        at.K: board.k,
        at.LINES: board.count,
        at.IMAGES: len(group),
        at.FEW: FEW_MARKS,
        at.DEPTHS: depths,
        at.BEST: -1,
    }
    arrays = {**_board_arrays(board), **_sequence_arrays(board), **_search_arrays(board.size, depths)}
    arrays[at.IMAGE_OF] = chain.from_iterable(group)
    arrays[at.IMAGE_SIGNS] = repeat(0, len(group))
    return laid_out(numbers, arrays, at.ALL, machine)


def _hashes(name: bytes, count: int) -> Iterator[int]:
    """So many numbers of 60 bits that look like chance, always the same."""
    for number in range(count):
        digest = blake2b(number.to_bytes(4, "little"), digest_size=8, key=name).digest()
        yield int.from_bytes(digest, "little") >> 64 - HASH_BITS


def _board_arrays(board: LineTable) -> Arrays:
    """The arrays of the board and the position."""
    size, count = board.size, board.count
    return {
        at.CELLS: board.cells,
        at.FIRST: board.first,
        at.THROUGH: board.through,
        at.HASHES: _hashes(b"sign", 3 * size),
        at.CHECKS: _hashes(b"seal", 3 * size),
        at.CELL: repeat(at.NOTHING, size),
        at.MINE: repeat(0, count),
        at.THEIRS: repeat(0, count),
        **{
            name: repeat(0, size)
            for name in (
                at.OWN_LOAD,
                at.THEIR_LOAD,
                at.USEFUL,
                at.PLAYED,
                at.IMAGED,
                at.LISTED_CELLS,
                at.KINDS,
                at.RANKS,
            )
        },
    }


def _sequence_arrays(board: LineTable) -> Arrays:
    """The arrays of the sequence of threats."""
    depths = board.size // 2 + 2
    return {
        **{
            name: repeat(0, depths) for name in (at.PAIRS, at.TURNED, at.FORCED, at.LONE, at.ATTACK, at.REPLY)
        },
        **{name: repeat(0, depths * board.count) for name in (at.ONE, at.OTHER, at.TRIED)},
        **{name: repeat(0, board.size) for name in (at.PARTNER, at.STAMP, at.IN_ZONE)},
        at.FRUITLESS: repeat(0, at.FRUITLESS_SIZE),
    }


def _search_arrays(size: int, depths: int) -> Arrays:
    """What is kept at each depth."""
    each_depth = (
        *(at.TURN, at.SIGN_AT, at.SEAL_AT, at.MAX_PROOF, at.MAX_DISPROOF, at.WORK),
        *(at.LISTED, at.NEXT, at.MANY),
    )
    each_move = (at.POSITION, at.MOVE, at.MOVE_SIGN, at.MOVE_SEAL, at.MOVE_PROOF, at.MOVE_DISPROOF)
    return {
        **{name: repeat(0, depths) for name in each_depth},
        **{name: repeat(0, depths * size) for name in each_move},
    }
