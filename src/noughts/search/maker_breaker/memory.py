"""The memory that the kernels of this search work in.

Of each line only what Maker still needs is stored: a bit for each cell that is empty, and 0 where Breaker has
a cell.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, chain, combinations
from typing import Any, Final

from noughts.core.geometry import Geometry
from noughts.core.lines import LineTable, line_table
from noughts.core.symmetry import symmetries
from noughts.games.rules import Rules
from noughts.search.memory import Memory, fields_of, zeros
from noughts.search.numba_backend import Ints

MAKER, BREAKER = range(2)
"""The side to move: Maker fills a line, or Breaker has a cell in every line."""

BREAKS, HOLDS = range(2)
"""The answers: Maker fills a line, or Breaker stops them all."""

ENTERING, RETURNING = range(2)
"""A position is looked at first, or one below it has been answered."""

RELAXING, MOVING = range(2)
"""Whether the game in which Breaker answers in pairs is asked first, or each move is tried."""

KEPT = 4
"""How many replies with pairs are kept at each depth."""

MAX_IMAGE_MARKS = 6
"""With so many marks positions are recognised in their images; with more it takes longer than it saves."""

MAX_HASHES = 1 << 17
"""So many numbers are worked out for recognising positions; of a larger board fewer images are used."""

HASH_BYTES = 13
"""Of what a line lacks: two numbers of 52 bits."""

HALF = 52


@dataclass(kw_only=True, eq=False)
class CoverMemory(Memory):
    """The lines of a board, and the pairs of cells by which they are stopped."""

    # The board
    size: int
    k: Final[int]
    line_count: Final[int]
    target: Final[int]
    """2 ** k: the potentials of all lines must stay below it."""
    couple_count: Final[int]
    """How many twos of cells lie in a line, in the order of their cells in it."""
    cells: Sequence[int]
    """The *k* cells of each line."""
    first: Sequence[int]
    """Where the lines of each cell begin in *through*."""
    through: Sequence[int]
    within: Ints
    """Beside *through*: the bit of the cell in that line."""
    bits: Ints
    """The bit of each cell in each line, 0 for none; *line_count* numbers for no cell come first."""
    lacks: Ints
    """How many bits of each mask are set."""
    places_from: Ints
    """Where *places* has the bits of each mask."""
    places: Ints
    twos_from: Ints
    """Where *twos* has the twos of bits of each mask, as numbers among all twos of places."""
    twos: Ints
    couple_of: Ints
    """The couple at each two places of each line."""
    one: Ints
    """The cell of each couple that is first in the line, and the other one."""
    other: Ints

    # The cover
    covered: Ints
    """The cells that each line lacks."""
    listed: Ints
    """The couples that some line lacks, *met* of them."""
    met: int = 0
    burden: Ints
    """The load of each cell."""
    shared: Ints
    """The sum of the potentials of the lines through both cells of each couple."""
    chosen: Ints
    """The cells of the pairs, in turn."""
    pairs: Ints
    """The *paired* cells that brought the sum lowest."""
    paired: int = 0
    score: int = 0
    """How low they brought the sum and the greatest load."""


@dataclass(kw_only=True, eq=False)
class LinesMemory(CoverMemory):
    """A position as the lines that Maker can still fill, and the search with its state at each depth."""

    # Recognising positions
    images: Final[int]
    """Symmetries that are used."""
    image_marks: Final[int]
    """With so many marks or fewer, positions that are images of each other are one."""
    hashes: Sequence[int]
    """The first hash of each mask of each line, in each image."""
    checks: Sequence[int]
    """The second ones."""
    image_of: Ints
    """Where each cell goes in each image, the identity first."""
    origin_of: Ints
    """Where it came from."""
    key: int
    """The sum of the first hashes of all live lines."""
    check: int
    """The sum of the second ones."""

    # The position
    lacking: Ints
    """What each line lacks, a bit for each cell; 0 where Breaker has a cell."""
    ready: int
    """Lines that lack one cell."""
    near: int
    """Lines that lack two."""
    potential: int
    """The sum of the potentials, 2 ** (k - cells it lacks), of all lines."""
    load: Ints
    """The sum of the potentials of the lines through each cell."""
    changes: int = 0
    """How many changes of lines can be taken back."""
    changed: Ints
    """The lines that were changed."""
    before: Ints
    """What they lacked before."""

    # The search
    depth: int = 0
    phase: int = ENTERING
    result: int = 0
    nodes: int = 0
    certified: int = -1
    """The reply of Breaker that the last cover belongs to, -1 for none."""
    order: Ints
    """Scores that order moves."""
    mate: Ints
    """One more than the cell that is paired with each cell; 0 for none."""

    # At each depth
    turn: Ints
    stage: Ints
    """RELAXING or MOVING."""
    begin: Ints
    """How many changes there were."""
    ply: Ints
    sign: Ints
    """The key, -1 where nothing is stored, and its second half."""
    seal: Ints
    frame: Ints
    """The image in which it is stored."""
    nodes_before: Ints
    hint: Ints
    """The reply to try first, -1 for none."""
    reply: Ints
    """The reply that holds, -1 for none."""
    move_count: Ints
    next_move: Ints
    """The number of the next move to try."""
    tried: Ints
    """The moves, *size* numbers for each depth."""
    proof_count: Ints
    """How many replies with pairs there have been that may refute other moves of Maker."""
    proofs: Ints
    """The last KEPT of them, ``2 + size`` numbers each."""

    # The answers of which a proof is written
    moved: int = 0
    """The move of Maker, and the reply to it."""
    replied: int = 0
    poor: int = 0
    """Lines that lack a single cell or none beside the pairs."""
    words: int = 0
    """How many words were written."""
    written: Ints
    left: Ints
    """The moves of Maker to be answered, *size* numbers for each depth of a proof."""
    left_count: Ints


def new_cover(board: LineTable | None) -> CoverMemory:
    """The memory in which pairs are looked for and no more, for the lines of *board*, if any."""
    if board is None:
        numbers, _, arrays = fields_of(CoverMemory)
        empty: dict[str, Any] = {**dict.fromkeys(numbers, 0), **{name: [] for name in arrays}}
        return CoverMemory(**empty)
    return CoverMemory(**_cover(board))


def new_memory(rules: Rules, board: LineTable) -> LinesMemory:
    """The memory of the kernels for an empty *board* of *rules*."""
    size, k, count = board.size, board.k, board.count
    group = symmetries(rules.geometry)[: max(1, MAX_HASHES // (count << k))]
    hashes, checks = _hashes(rules.geometry, len(group))
    depths, whole = 2 * size + 4, (1 << k) - 1

    return LinesMemory(
        **_cover(board),
        images=len(group),
        image_marks=MAX_IMAGE_MARKS,
        hashes=hashes,
        checks=checks,
        image_of=[*chain.from_iterable(group)],
        origin_of=[*chain.from_iterable(sorted(range(size), key=image.__getitem__) for image in group)],
        key=sum(hashes[(line << k) + whole] for line in range(count)),
        check=sum(checks[(line << k) + whole] for line in range(count)),
        ready=count if k == 1 else 0,
        near=count if k == 2 else 0,
        potential=count,
        lacking=[whole] * count,
        load=[len(board.lines_of(cell)) for cell in range(size)],
        **zeros(count * (k + 1), "changed", "before"),
        **zeros(size, "order", "mate"),
        **zeros(depths, "turn", "stage", "begin", "ply", "sign", "seal", "frame", "nodes_before", "hint"),
        **zeros(depths, "reply", "move_count", "next_move", "proof_count", "left_count"),
        **zeros(depths * size, "tried", "left"),
        **zeros(depths * KEPT * (2 + size), "proofs"),
        **zeros(size * (size + 5), "written"),
    )


def _cover(board: LineTable) -> dict[str, Any]:
    """The fields of a memory in which pairs are looked for."""
    size, k, count = board.size, board.k, board.count
    couples = sorted({two for cells in board.cells_of for two in combinations(cells, 2)})
    number_of = {couple: number for number, couple in enumerate(couples)}
    places = [[place for place in range(k) if lacking >> place & 1] for lacking in range(1 << k)]
    twos = [*combinations(range(k), 2)]
    twos_of = [[two for two, pair in enumerate(twos) if {*pair} <= {*some}] for some in places]
    bits = [[0] * count for _ in range(size)]
    for line, cells in enumerate(board.cells_of):
        for place, cell in enumerate(cells):
            bits[cell][line] = 1 << place
    return {
        "size": size,
        "k": k,
        "line_count": count,
        "target": 1 << k,
        "couple_count": len(couples),
        "cells": board.cells,
        "first": board.first,
        "through": board.through,
        "within": [bits[cell][line] for cell in range(size) for line in board.lines_of(cell)],
        "bits": [0] * count + [bit for here in bits for bit in here],
        "lacks": [*map(len, places)],
        "places_from": [*accumulate(map(len, places), initial=0)],
        "places": [*chain.from_iterable(places)],
        "twos_from": [*accumulate(map(len, twos_of), initial=0)],
        "twos": [*chain.from_iterable(twos_of)],
        "couple_of": [number_of[two] for cells in board.cells_of for two in combinations(cells, 2)],
        "one": [one for one, _ in couples],
        "other": [other for _, other in couples],
        **zeros(count, "covered"),
        **zeros(1 + len(couples), "listed"),
        **zeros(size, "burden"),
        **zeros(len(couples), "shared"),
        **zeros(size + 2, "chosen", "pairs"),
    }


@lru_cache(maxsize=4)
def _hashes(geometry: Geometry, images: int) -> "tuple[array[int], array[int]]":
    """Both hashes of each part of each line, in so many images: the same for the same cells.

    Each position of a series of them may have a search of its own, for the same board.
    """
    known: dict[int, tuple[int, int]] = {}
    result = []
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
                result.append(known[mask])
    return array("q", [one for one, _ in result]), array("q", [two for _, two in result])
