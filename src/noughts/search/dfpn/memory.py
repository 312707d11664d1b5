"""The memory of the kernels.

Cells are numbered in reading order. Each is empty or has a mark of the attacker or of the defender.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Final

from noughts.core.lines import LineTable
from noughts.core.symmetry import Permutation, symmetries
from noughts.games.rules import Rules
from noughts.search.memory import Memory, zeros
from noughts.search.numba_backend import Ints

NOTHING, ATTACKER, DEFENDER = range(3)
"""The content of a cell, or the side to move."""

ENTERING, LISTING, CHOOSING = range(3)
"""Phases of a position: list its moves, evaluate them, or choose the next one to search."""

RUNNING, WON, REFUTED = range(3)
"""Results: the search continues, the attacker wins, or the attacks that were tried fail."""

INFINITE = 1 << 29
"""The proof number of a refuted position."""

FRUITLESS_SIZE = 1 << 14
"""Number of stored hashes of positions without a sequence of threats."""

MAX_IMAGE_MARKS = 8
"""Maximum number of marks with which symmetric positions are recognised.

With more marks, this takes longer than it saves.
"""

HASH_BITS = 60


@dataclass(kw_only=True, eq=False)
class AttackMemory(Memory):
    """The board, the position, the sequence of threats, and the search with its state at each depth."""

    # The board
    size: Final[int]
    k: Final[int]
    line_count: Final[int]
    images: Final[int]
    """Number of symmetries that are used."""
    max_image_marks: Final[int]
    """Maximum number of marks with which symmetric positions are searched as one."""
    cells: Sequence[int]
    """The *k* cells of each line."""
    first: Sequence[int]
    """The index in *through* at which the lines of each cell start."""
    through: Sequence[int]
    hashes: Ints
    """The first hash of the content of each cell: the attacker, the defender, or nothing of use."""
    checks: Ints
    """The second hashes."""
    image_of: Ints
    """The target of each cell in each image, the identity first."""

    # The position
    marks: int = 0
    mover: int = 0
    made: int = 0
    """Number of cells taken since the position was loaded."""
    played: Ints
    """These cells."""
    hash: int = 0
    """The exclusive or of the hashes of all marks."""
    board: Ints
    """The content of each cell."""
    attacker_marks: Ints
    """Number of the attacker's marks in each line."""
    defender_marks: Ints
    potential: int = 0
    """The sum of the potentials of the attacker's lines: 2 ** (number of marks)."""
    attacker_load: Ints
    """The sum of the potentials of the attacker's lines through each cell."""
    defender_load: Ints
    useful: Ints
    """Bits for each cell: 1 if the attacker can still fill a line through it, 2 if the defender can."""
    imaged: Ints
    """The image of a position."""
    image_signs: Ints
    """The first hash of the loaded position in each image."""
    listed_count: int = 0
    """Number of cells that the key consists of."""
    listed_cells: Ints
    kinds: Ints
    """The kind of hash of each cell in the key."""
    image: int = 0
    """The symmetry that gives the canonical image of the position."""
    sign: int = 0
    """The first half of the key of the current position."""
    seal: int = 0

    # The search
    width: int = 0
    """Maximum number of quiet moves that the attacker tries."""
    seed: int = 0
    """The bit of the hashes that orders moves of equal value."""
    depth: int = 0
    phase: int = ENTERING
    nodes: int = 0
    best: int = -1
    """The winning move, or -1."""
    proof: int = 0
    """The proof number of the position that was evaluated last."""
    disproof: int = 0
    ranks: Ints
    """Scores by which moves are sorted."""

    # The sequence of threats
    length: int = 0
    """Number of the attacker's moves."""
    left: int = 0
    """Number of moves that may still be tried."""
    zone: int = 0
    """Number of cells that break the sequence."""
    in_zone: Ints
    """Not 0 for each cell that breaks the sequence."""
    partner: Ints
    """The reply to a move on each cell."""
    stamped: int = 0
    """The latest stamp."""
    stamp: Ints
    """The stamp at which *partner* of each cell was set."""
    fruitless: Ints
    """Hashes of positions without a sequence."""

    # At each depth of the sequence
    pairs: Ints
    """Number of the attacker's lines that lack two cells."""
    one: Ints
    """The first of the two cells that each such line lacks: *line_count* numbers for each depth."""
    other: Ints
    """The second of the two cells that each such line lacks."""
    tried: Ints
    """Bits for the two cells: set if the cell was tried as a threat, here or at an earlier depth."""
    lone: Ints
    """A cell that must share a line with the next threat, or -1."""
    turned: Ints
    """The next threat to try: twice the number of the pair, plus 1 for its second cell."""
    forced: Ints
    """The cell that the attacker must take, or -1."""
    attack: Ints
    """The attacker's move."""
    reply: Ints
    """The reply to the move of the attacker at each depth."""

    # At each depth of the search
    turn: Ints
    """The side to move: the attacker or the defender."""
    sign_at: Ints
    """The first half of the key of the position at each depth."""
    seal_at: Ints
    max_proof: Ints
    """The proof number at which the search of the position stops."""
    max_disproof: Ints
    nodes_before: Ints
    listed: Ints
    """Number of moves to evaluate."""
    next_move: Ints
    """The index of the next move to evaluate."""
    move_count: Ints
    """Number of evaluated moves that do not end the game."""
    position: Ints
    """The content of each cell, *size* numbers for each depth."""
    move: Ints
    """The moves, *size* numbers for each depth, the evaluated ones first."""
    move_sign: Ints
    """The keys of the positions after the moves."""
    move_seal: Ints
    move_proof: Ints
    """The proof numbers of the positions after the moves."""
    move_disproof: Ints


def images_of(rules: Rules) -> tuple[Permutation, ...]:
    """Return the symmetries by which positions are recognised, the identity first."""
    return symmetries(rules.geometry)


def new_memory(rules: Rules, board: LineTable) -> AttackMemory:
    """Return the memory for an empty *board* of *rules*."""
    group, size = images_of(rules), board.size
    depths, threats = size + 2, size // 2 + 2

    return AttackMemory(
        size=size,
        k=board.k,
        line_count=board.count,
        images=len(group),
        max_image_marks=MAX_IMAGE_MARKS,
        cells=board.cells,
        first=board.first,
        through=board.through,
        hashes=_hashes(b"sign", 3 * size),
        checks=_hashes(b"seal", 3 * size),
        image_of=[*chain.from_iterable(group)],
        **zeros(size, "board", "attacker_load", "defender_load", "useful", "played", "imaged"),
        **zeros(size, "listed_cells", "kinds", "ranks", "partner", "stamp", "in_zone"),
        **zeros(board.count, "attacker_marks", "defender_marks"),
        **zeros(len(group), "image_signs"),
        **zeros(FRUITLESS_SIZE, "fruitless"),
        **zeros(threats, "pairs", "turned", "forced", "lone", "attack", "reply"),
        **zeros(threats * board.count, "one", "other", "tried"),
        **zeros(depths, "turn", "sign_at", "seal_at", "max_proof", "max_disproof", "nodes_before"),
        **zeros(depths, "listed", "next_move", "move_count"),
        **zeros(depths * size, "position", "move", "move_sign", "move_seal", "move_proof", "move_disproof"),
    )


def _hashes(name: bytes, count: int) -> list[int]:
    """Return *count* pseudo-random numbers of 60 bits, the same on every call."""
    digests = (blake2b(n.to_bytes(4, "little"), digest_size=8, key=name).digest() for n in range(count))
    return [int.from_bytes(digest, "little") >> 64 - HASH_BITS for digest in digests]
