"""N-tuple networks: the value of a position is the sum of the values of small parts of its board.

A part is a tuple of cells. Each of its possible contents has a weight for each side that may be to move.
Parts that are symmetric share their weights. They are learned elsewhere (``examples/learn.py``), and stored
in files of whole numbers.
"""

import json
import math
import re
import warnings
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random

from noughts.core.geometry import coordinates
from noughts.core.symmetry import symmetries
from noughts.errors import (
    DamagedFile,
    DamagedFileWarning,
    FileRefused,
    NoughtsError,
    UnsupportedRules,
    system_reason,
)
from noughts.games.catalogue import new_game
from noughts.games.rules import MARKS, Rules
from noughts.records.files import open_to_read
from noughts.search.analysis import handled_rules

HANDLED = frozenset(("gravity",))
"""The facts of the rules that networks support."""

SPEC = re.compile("[0-9]{1,7}(x[0-9]{1,7}){1,7}:[0-9]{1,7}(,gravity)?")
"""The form of the specs of such games: a file must not load a game of another package."""

FIRST_LINE = b"noughts weights 2\n"
"""The first line of a file of weights, with the number of the format. The last bytes are its digest."""

OLD_FIRST_LINE = b"noughts weights 1\n"
"""The first line of files of format 1, in which only the weights have a digest."""

DIGEST_BYTES = 32
"""The length of the digest of a whole file."""

MAX_WEIGHT = 127
"""The greatest weight of a file, in which each uses a byte."""

MAX_WEIGHTS = 1 << 25
"""The maximum number of weights of a network."""

MAX_LOOKUPS = 4096
"""The maximum number of weights that are added up for a position."""

MAX_FILE_BYTES = 1 << 26
"""The maximum length of a file of weights."""

MAX_HEAD_BYTES = 1 << 20
"""The maximum length of the lines before the weights. To read more would need forty times the memory."""

WHOLE_CELLS = 9
"""The number of cells up to which a whole board is one part."""

LENGTHS = {3: 8, 4: 7}
"""The number of cells of a part on other boards, by the number of states of a cell."""


@dataclass(frozen=True)
class TupleLayout:
    """The parts of the board of *game*, a spec, that a network reads: *tuples* of numbers of cells.

    Raises :class:`~noughts.errors.UnsupportedRules` for games of more than two sides and of other rules, and
    ``ValueError`` for invalid tuples, or too many of them.

    >>> form = TupleLayout("3x3:3", ((0, 1, 2), (3, 4, 5)))
    >>> form.states, form.count, len(form.lookups)
    (3, 54, 12)
    """

    game: str
    tuples: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        size = self.rules.geometry.size
        for cells in self.tuples:
            if not cells or len(set(cells)) < len(cells) or not all(0 <= cell < size for cell in cells):
                raise ValueError(f"no tuple of cells: {cells}")
        weights = 2 * sum(self.states ** min(len(cells), 20) for cells in self.tuples)
        if weights > MAX_WEIGHTS or len(self.tuples) > MAX_LOOKUPS or len(self.lookups) > MAX_LOOKUPS:
            raise ValueError("there are too many tuples, or too long ones")

    @cached_property
    def rules(self) -> Rules:
        """The rules of the game."""
        rules = handled_rules(new_game(self.game), HANDLED) if SPEC.fullmatch(self.game) else None
        if rules is None or rules.spec != self.game:
            raise UnsupportedRules("ntuples", self.game, "unknown-rules")
        return rules

    @property
    def states(self) -> int:
        """The number of states of a cell: empty, or with either mark.

        If marks fall there is one more, because an empty cell may be within reach or not.
        """
        return 4 if self.rules.gravity else 3

    @cached_property
    def count(self) -> int:
        """The number of weights for each side that may be to move."""
        return sum(self.states ** len(cells) for cells in self.tuples)

    @cached_property
    def lookups(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The parts: the number of the first weight of each, and its cells."""
        lookups: list[tuple[int, tuple[int, ...]]] = []
        first, group = 0, symmetries(self.rules.geometry, self.rules.gravity)
        for cells in self.tuples:
            images = dict.fromkeys(tuple(one[cell] for cell in cells) for one in group)
            lookups += [(first, image) for image in images]
            first += self.states ** len(cells)
        return tuple(lookups)

    @cached_property
    def touching(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell, the numbers of its parts, and the factor of its state in each."""
        touching: list[list[tuple[int, int]]] = [[] for _ in range(self.rules.geometry.size)]
        for number, (_, cells) in enumerate(self.lookups):
            for place, cell in enumerate(cells):
                touching[cell].append((number, self.states**place))
        return tuple(map(tuple, touching))

    @property
    def fall(self) -> int:
        """The difference to the index of the cell below, or 0 if marks do not fall."""
        rules = self.rules
        return rules.geometry.size // rules.shape[0] if rules.gravity else 0

    def read(self, cells: Sequence[str | None], marks: Sequence[str] = MARKS) -> list[int]:
        """Return for each part the number of its weight for *cells*, with the first of *marks* to move.

        If the second is to move, the numbers are greater by :attr:`count`.
        """
        at = [first for first, _ in self.lookups]
        for cell, mark in enumerate(cells):
            below = cell + self.fall
            is_open = self.fall > 0 and (below >= len(cells) or cells[below] is not None)
            state = int(is_open) if mark is None else self.states - 2 + marks.index(mark)
            for number, power in self.touching[cell]:
                at[number] += state * power
        return at


@dataclass(frozen=True)
class Network:
    """A network: a *form* and its *weights*. Their second half is for the second side to move.

    The sum of the weights, times *scale*, is the advantage of the first side.
    """

    form: TupleLayout
    weights: Sequence[int]
    scale: float

    @cached_property
    def halves(self) -> tuple[Sequence[int], Sequence[int]]:
        """The weights for the first side to move, and those for the second."""
        return self.weights[: self.form.count], self.weights[self.form.count :]


def random_layout(name: str, lookups: int, chance: Random) -> TupleLayout:
    """Return a form of the game called *name*: about *lookups* parts, random walks over neighbouring cells.

    Small boards are one part.
    """
    rules = new_game(name).rules
    game = name if rules is None else rules.spec
    form = TupleLayout(game, ())
    cells = coordinates(form.rules.shape)
    if len(cells) <= WHOLE_CELLS:
        return TupleLayout(game, (tuple(range(len(cells))),))
    length = min(LENGTHS[form.states], len(cells))
    number = {cell: place for place, cell in enumerate(cells)}
    steps = list(product((-1, 0, 1), repeat=len(form.rules.shape)))
    tuples: dict[tuple[int, ...], None] = {}
    while len(form.lookups) < lookups:
        walk = [chance.choice(cells)]
        while len(walk) < length:
            there, step = chance.choice(walk), chance.choice(steps)
            after = tuple(at + by for at, by in zip(there, step, strict=True))
            if after in number and after not in walk:
                walk.append(after)
        tuples[tuple(sorted(map(number.__getitem__, walk)))] = None
        form = TupleLayout(game, tuple(tuples))
    return form


def rounded(form: TupleLayout, weights: Iterable[float]) -> Network:
    """Return the network of *form* with *weights* as whole numbers."""
    exact = list(weights)
    scale = max(map(abs, exact), default=0) / MAX_WEIGHT or 1.0
    return Network(form, array("b", [round(weight / scale) for weight in exact]), scale)


def network_bytes(network: Network) -> bytes:
    """Return the content of a file of *network*."""
    form, body = network.form, array("b", network.weights).tobytes()
    digest = sha256(body).hexdigest()
    facts = {"game": form.game, "tuples": form.tuples, "scale": network.scale, "sha256": digest}
    head = json.dumps(facts, separators=(",", ":")).encode()
    data = FIRST_LINE + head + b"\n" + zlib.compress(body, 9)
    return data + sha256(data).digest()


def read_network(path: Path) -> Network:
    """Return the network in the file *path*. Raises :class:`~noughts.errors.FileRefused`."""
    try:
        with open_to_read(path) as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None
    except ValueError:  # a file cannot have such a name
        raise FileRefused(str(path), "not-there") from None
    network = network_of(data)
    if network is None:
        raise FileRefused(str(path), "no-weights")
    if data.startswith(OLD_FIRST_LINE):
        warnings.warn(DamagedFileWarning(DamagedFile(str(path), "old-weights")), stacklevel=2)
    return network


def network_of(data: bytes) -> Network | None:
    """Return the network in *data*, from :func:`network_bytes`, or None if the data is damaged or foreign."""
    if not data.startswith((FIRST_LINE, OLD_FIRST_LINE)) or len(data) > MAX_FILE_BYTES:
        return None
    if data.startswith(FIRST_LINE):
        data, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
        if sha256(data).digest() != digest:
            return None
    head, _, packed = data[len(FIRST_LINE) :].partition(b"\n")
    if len(head) > MAX_HEAD_BYTES:
        return None
    try:
        facts = json.loads(head)
        tuples = tuple(tuple(map(_whole_number, cells)) for cells in facts["tuples"])
        form, scale = TupleLayout(str(facts["game"]), tuples), float(facts["scale"])
        body = _unpacked(packed, 2 * form.count)
        if sha256(body).hexdigest() != facts["sha256"] or not (math.isfinite(scale) and scale > 0):
            return None
    except (NoughtsError, ValueError, TypeError, KeyError, OverflowError, RecursionError, zlib.error):
        return None
    return Network(form, array("b", body), scale)


def _whole_number(number: object) -> int:
    if not isinstance(number, int):
        raise TypeError
    return number


def _unpacked(packed: bytes, count: int) -> bytes:
    """Return exactly *count* bytes that were *packed*. Raises ``ValueError`` if there are more or fewer."""
    unpacking = zlib.decompressobj()
    body = unpacking.decompress(packed, count + 1)
    if len(body) != count or not unpacking.eof or unpacking.unused_data:
        raise ValueError
    return body
