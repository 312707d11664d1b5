"""The memory that the kernels of this search work in.

Cells are numbered in reading order, and bear nothing, a mark of the attacker or one of the defender.
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
"""What a cell bears, and who is to move."""

ENTERING, LISTING, CHOOSING = range(3)
"""A position is looked at first, its moves are, or one of them is chosen to go on with."""

RUNNING, WON, REFUTED = range(3)
"""The answers: it goes on, the attacker wins, or the attacks that were tried fail."""

INFINITE = 1 << 29
"""The proof number of what is refuted."""

FRUITLESS_SIZE = 1 << 14
"""How many hashes of positions without a sequence of threats are remembered."""

MAX_IMAGE_MARKS = 8
"""With so many marks positions are recognised in their images; with more it takes longer than it saves."""

HASH_BITS = 60


@dataclass(kw_only=True, eq=False)
class AttackMemory(Memory):
    """The board, the position on it, the sequence of threats, and the search with its state at each depth."""

    # The board
    size: Final[int]
    k: Final[int]
    line_count: Final[int]
    images: Final[int]
    """Symmetries that are used."""
    max_image_marks: Final[int]
    """With so many marks or fewer, positions that are images of each other are one."""
    cells: Sequence[int]
    """The *k* cells of each line."""
    first: Sequence[int]
    """Where the lines of each cell begin in *through*."""
    through: Sequence[int]
    hashes: Ints
    """The first hash of what is on each cell: the attacker, the defender, nothing of use."""
    checks: Ints
    """The second ones."""
    image_of: Ints
    """Where each cell goes in each image, the identity first."""

    # The position
    marks: int = 0
    mover: int = 0
    made: int = 0
    """How many cells were taken since the position was loaded."""
    played: Ints
    """These cells."""
    hash: int = 0
    """The exclusive or of the hashes of its marks."""
    board: Ints
    """What each cell bears."""
    attacker_marks: Ints
    """Marks of the attacker in each line."""
    defender_marks: Ints
    potential: int = 0
    """The sum of the potentials of the attacker's lines, 2 ** (marks in it)."""
    attacker_load: Ints
    """The sum of the potentials of the attacker's lines through each cell."""
    defender_load: Ints
    useful: Ints
    """Bits for each cell: 1 if a line of the attacker goes through it that he can fill, 2 of the defender."""
    imaged: Ints
    """The image of a position."""
    image_signs: Ints
    """The first hash of the position that was loaded, in each image."""
    listed_count: int = 0
    """How many cells a key is made of."""
    listed_cells: Ints
    kinds: Ints
    """Which hash of each of them."""
    image: int = 0
    """The symmetry that makes the canonical image of the position."""
    sign: int = 0
    """The key of the position looked at last, and its second half."""
    seal: int = 0

    # The search
    width: int = 0
    """How many quiet moves of the attacker are tried."""
    seed: int = 0
    """Which bits of hashes order moves that look alike."""
    depth: int = 0
    phase: int = ENTERING
    nodes: int = 0
    best: int = -1
    """The move that wins, -1 for none."""
    proof: int = 0
    """The proof number of the position looked at last."""
    disproof: int = 0
    ranks: Ints
    """Scores that order moves."""

    # The sequence of threats
    length: int = 0
    """Moves of the attacker."""
    left: int = 0
    """Moves that may still be tried."""
    zone: int = 0
    """How many cells break the sequence."""
    in_zone: Ints
    """Whether a move on a cell breaks it."""
    partner: Ints
    """The reply to a move on each cell."""
    stamped: int = 0
    """The last stamp that was used."""
    stamp: Ints
    """When the partner was noted."""
    fruitless: Ints
    """Hashes of positions without a sequence."""

    # At each depth of the sequence
    pairs: Ints
    """How many lines of the attacker lack two cells."""
    one: Ints
    """The first of these cells, *line_count* numbers for each depth."""
    other: Ints
    """The second."""
    tried: Ints
    """Bits: which of them was tried as a threat, here or before."""
    lone: Ints
    """A cell with which the next threat has to share a line, -1 for none."""
    turned: Ints
    """Which move is tried: twice the pair, and whether with its second cell."""
    forced: Ints
    """The cell that the attacker has to take, -1 for none."""
    attack: Ints
    """His move."""
    reply: Ints
    """The answer to it."""

    # At each depth of the search
    turn: Ints
    """The attacker or the defender."""
    sign_at: Ints
    """The key."""
    seal_at: Ints
    max_proof: Ints
    """The proof number at which to return."""
    max_disproof: Ints
    nodes_before: Ints
    listed: Ints
    """How many moves have to be looked at."""
    next_move: Ints
    """Which of them is next."""
    move_count: Ints
    """How many were, and do not end the game."""
    position: Ints
    """What each cell bears, *size* numbers for each depth."""
    move: Ints
    """The moves, *size* numbers for each depth: first those that were looked at."""
    move_sign: Ints
    """The keys of the positions after them."""
    move_seal: Ints
    move_proof: Ints
    """Their proof numbers."""
    move_disproof: Ints


def images_of(rules: Rules) -> tuple[Permutation, ...]:
    """The symmetries by which positions are recognised, the identity first."""
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
    """So many numbers of 60 bits that look like chance, always the same."""
    digests = (blake2b(n.to_bytes(4, "little"), digest_size=8, key=name).digest() for n in range(count))
    return [int.from_bytes(digest, "little") >> 64 - HASH_BITS for digest in digests]
