"""The memory for the kernels of the Maker-Breaker search.

Each line is stored as the cells that Maker still needs, a bit for each empty cell. It is 0 if Breaker has a
cell of the line.
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
"""The phase of a position: it is entered first, or a position below it has been answered."""

RELAXING, MOVING = range(2)
"""The stage of a position: the game in which Breaker answers in pairs is tried first, then each move."""

KEPT = 4
"""The number of replies with pairs that are stored at each depth."""

MAX_IMAGE_MARKS = 6
"""The number of marks up to which symmetric positions share an entry.

With more marks, finding them takes longer than it saves.
"""

MAX_HASHES = 1 << 17
"""The maximum number of hashes that are computed to recognise positions.

On a larger board fewer symmetries are used.
"""

HASH_BYTES = 13
"""The number of bytes of the hash of a line: two numbers of 52 bits."""

HALF = 52


@dataclass(kw_only=True, eq=False)
class CoverMemory(Memory):
    """The lines of a board, and the pairs of cells that stop them."""

    # The board
    size: int
    k: Final[int]
    line_count: Final[int]
    target: Final[int]
    """The limit for the sum of the potentials of all lines, 2 ** k."""
    couple_count: Final[int]
    """The number of couples: pairs of cells in a line, in the order of the line."""
    cells: Sequence[int]
    """The *k* cells of each line."""
    first: Sequence[int]
    """The index of the first line of each cell in *through*."""
    through: Sequence[int]
    within: Ints
    """For each cell and each line through it, in the order of *through*: the bit of the cell in the line."""
    bits: Ints
    """The bit of each cell in each line, 0 for none. The first *line_count* numbers are for no cell."""
    lacks: Ints
    """The number of bits that are set in each mask."""
    places_from: Ints
    """The index of the first bit of each mask in *places*."""
    places: Ints
    twos_from: Ints
    """The index of the first pair of bits of each mask in *twos*, a list of pair numbers."""
    twos: Ints
    couple_of: Ints
    """The number of the couple at each pair of places of each line."""
    one: Ints
    """The cell of each couple that is first in the line. *other* has the second one."""
    other: Ints

    # The cover
    covered: Ints
    """The cells that each line lacks."""
    listed: Ints
    """The couples that some line lacks; *met* is their number."""
    met: int = 0
    burden: Ints
    """The load of each cell."""
    shared: Ints
    """The sum of the potentials of the lines through both cells of each couple."""
    chosen: Ints
    """The cells of the chosen pairs, one pair after the other."""
    pairs: Ints
    """The cells of the pairs with the lowest sum; *paired* is their number."""
    paired: int = 0
    score: int = 0
    """The lowest sum of potentials and the greatest load."""


@dataclass(kw_only=True, eq=False)
class LinesMemory(CoverMemory):
    """A position as the lines that Maker can still fill, and the search with its state at each depth."""

    # Recognising positions
    images: Final[int]
    """The number of symmetries that are used."""
    image_marks: Final[int]
    """The number of marks up to which symmetric positions share an entry."""
    hashes: Sequence[int]
    """The first hash of each mask of each line, in each image."""
    checks: Sequence[int]
    """The second hash of each mask of each line, in each image."""
    image_of: Ints
    """The image of each cell under each symmetry, the identity first."""
    origin_of: Ints
    """The cell that each symmetry maps to each cell."""
    key: int
    """The sum of the first hashes of all live lines."""
    check: int
    """The sum of the second hashes of all live lines."""

    # The position
    lacking: Ints
    """The cells that each line lacks, a bit for each; 0 if Breaker has a cell."""
    ready: int
    """The number of lines that lack one cell."""
    near: int
    """The number of lines that lack two cells."""
    potential: int
    """The sum of the potentials, 2 ** (k - cells it lacks), of all lines."""
    load: Ints
    """The sum of the potentials of the lines through each cell."""
    changes: int = 0
    """The number of changes of lines that can be taken back."""
    changed: Ints
    """The lines that were changed."""
    before: Ints
    """The cells that the changed lines lacked before."""

    # The search
    depth: int = 0
    phase: int = ENTERING
    result: int = 0
    nodes: int = 0
    certified: int = -1
    """The reply of Breaker for which the last cover was chosen, -1 for none."""
    order: Ints
    """Scores that order moves."""
    mate: Ints
    """One more than the cell that is paired with each cell, 0 for none."""

    # At each depth
    turn: Ints
    stage: Ints
    """RELAXING or MOVING."""
    begin: Ints
    """The number of changes before the move."""
    ply: Ints
    sign: Ints
    """The first half of the key, -1 if the result is not stored. *seal* is the second half."""
    seal: Ints
    frame: Ints
    """The number of the image under which the result is stored."""
    nodes_before: Ints
    hint: Ints
    """The reply to try first, -1 for none."""
    reply: Ints
    """The reply that holds, -1 for none."""
    move_count: Ints
    next_move: Ints
    """The index of the next move to try."""
    tried: Ints
    """The moves: *size* numbers for each depth."""
    proof_count: Ints
    """The number of replies with pairs so far, which may refute other moves of Maker."""
    proofs: Ints
    """The last KEPT replies with their pairs, ``2 + size`` numbers each."""

    # Answers that are written as a proof
    moved: int = 0
    """The move of Maker. *replied* is the reply to it."""
    replied: int = 0
    poor: int = 0
    """The number of lines that lack a single cell or none beside the pairs."""
    words: int = 0
    """The number of words written."""
    written: Ints
    left: Ints
    """The moves of Maker to answer: *size* numbers for each depth of a proof."""
    left_count: Ints


def new_cover(board: LineTable | None) -> CoverMemory:
    """Create the memory for covers alone, for the lines of *board*; an empty one for None."""
    if board is None:
        numbers, _, arrays = fields_of(CoverMemory)
        empty: dict[str, Any] = {**dict.fromkeys(numbers, 0), **{name: [] for name in arrays}}
        return CoverMemory(**empty)
    return CoverMemory(**_cover(board))


def new_memory(rules: Rules, board: LineTable) -> LinesMemory:
    """Create the memory for an empty *board* of *rules*."""
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
    """Return the fields of a memory for covers."""
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
    """Return both hashes of each part of each line in *images* images; equal cells have equal hashes.

    The result is cached, since each position of a series may have a search of its own for the same board.
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
