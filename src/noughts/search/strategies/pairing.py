"""Pairings: disjoint pairs of cells such that every line contains both cells of a pair.

The second side stops every line with them: whenever the first side takes a cell of a pair, it takes the other
one. The search is depth first. It branches over the pairs in the line that has the fewest free cells.

On flat boards of any size, lines of nine or more cells have a pairing that repeats every eight cells in both
directions (Hales and Jewett 1963). The same search finds this pattern on a board of 8x8 whose edges meet.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from random import Random

from noughts.core.geometry import Geometry
from noughts.core.lines import line_table

Pair = tuple[int, int]
"""Two cells, the lower number first."""

Pairs = tuple[Pair, ...]

Line = frozenset[int]
"""The cells of a line that pairs may use."""

MAX_NODES = 4_000
"""The maximum number of pairs that one search tries."""

ATTEMPTS = 12
"""The number of searches for a pairing with fewer pairs."""

PERIOD = 8
"""The period of the pattern in both directions."""

PATTERN_K = PERIOD + 1
"""The length of the shortest lines that the pattern stops."""

PATTERN_ATTEMPTS = 1_000


def find_pairs(lines: Iterable[Line], chance: Random) -> Pairs | None:
    """Return pairs such that each of *lines* contains one: as few and as short as several searches find.

    Return None if the first two searches find none.

    >>> find_pairs([frozenset((0, 1, 2)), frozenset((2, 3, 4))], Random(1)) is None
    False
    >>> find_pairs([frozenset((0, 1)), frozenset((1, 2))], Random(1)) is None
    True
    """
    search = _PairSearch(sorted(set(lines), key=sorted))
    if search.is_hopeless:
        return None
    found = [search.run(prefers_short=prefers_short) for prefers_short in (True, False)]
    if any(pairs is not None for pairs in found):
        found += [search.run(chance, prefers_short=attempt % 2 > 0) for attempt in range(ATTEMPTS)]
    complete = [pairs for pairs in found if pairs is not None]
    return min(complete, key=lambda pairs: (len(pairs), search.length(pairs)), default=None)


def pattern_pairs(lines: Sequence[Line], rows: int, columns: int) -> Pairs:
    """Return the pairs of the pattern for *lines* of at least PATTERN_K cells on a flat board."""
    pairs = []
    for cell, other in _pattern():
        (row, column), (down, across) = divmod(cell, PERIOD), _step(cell, other)
        for first in range(row - PERIOD, rows, PERIOD):
            for left in range(column - PERIOD, columns, PERIOD):
                last, right = first + down, left + across
                if 0 <= first < rows > last >= 0 <= left < columns > right >= 0:
                    pairs.append((first * columns + left, last * columns + right))
    return without_superfluous([(min(pair), max(pair)) for pair in pairs], lines)


def without_superfluous(pairs: Sequence[Pair], lines: Sequence[Line]) -> Pairs:
    """Return *pairs* without those that stop no line alone. All *lines* remain stopped."""
    stops = {pair: [n for n, line in enumerate(lines) if line.issuperset(pair)] for pair in pairs}
    stopped = [0] * len(lines)
    for numbers in stops.values():
        for number in numbers:
            stopped[number] += 1
    left = set(pairs)
    for pair in sorted(pairs, key=lambda pair: len(stops[pair])):
        if all(stopped[number] > 1 for number in stops[pair]):
            left.remove(pair)
            for number in stops[pair]:
                stopped[number] -= 1
    return tuple(sorted(left))


@dataclass(slots=True)
class _Step:
    """A choice of the search: the pairs still to try, the best one last, and the *pair* tried now."""

    candidates: list[Pair]
    pair: Pair | None = None
    stopped: set[int] = field(default_factory=set)
    """The numbers of the lines that *pair* has stopped."""


def _all_pairs(line: Line) -> Iterable[Pair]:
    return combinations(sorted(line), 2)


class _PairSearch:
    """A search for a pairing of *lines*. *pairs_of* returns the allowed pairs in a line."""

    def __init__(
        self, lines: Sequence[Line], pairs_of: Callable[[Line], Iterable[Pair]] = _all_pairs
    ) -> None:
        self._lines, self._pairs = lines, [list(pairs_of(line)) for line in lines]
        self._stops: dict[Pair, set[int]] = {}
        self._lengths: dict[Pair, int] = {}
        for number, pairs in enumerate(self._pairs):
            places = {cell: place for place, cell in enumerate(sorted(lines[number]))}
            for pair in pairs:
                self._stops.setdefault(pair, set()).add(number)
                self._lengths[pair] = places[pair[1]] - places[pair[0]]
        self._free, self._open = set[int](), set[int]()

    @property
    def is_hopeless(self) -> bool:
        """True if all cells in pairs would not stop enough lines, even if each pair stopped the most."""
        pairs = len(set().union(*self._lines)) // 2
        return len(self._lines) > pairs * max(map(len, self._stops.values()), default=0)

    def run(self, chance: Random | None = None, *, prefers_short: bool = False) -> Pairs | None:
        """Return a pairing without superfluous pairs, or None. *chance* orders pairs of equal use.

        If it *prefers_short* pairs, these come first.
        """
        self._free, self._open = set().union(*self._lines), set(range(len(self._lines)))
        path, tried = list[_Step](), 0
        while self._open:
            if not path or path[-1].pair is not None:
                path.append(_Step(self._candidates(chance, prefers_short=prefers_short)))
            while path and not path[-1].candidates:
                path.pop()
                if path:
                    self._take_back(path[-1])
            if not path or tried == MAX_NODES:
                return None
            tried += 1
            self._take(path[-1])
        return without_superfluous([step.pair for step in path if step.pair is not None], self._lines)

    def length(self, pairs: Pairs) -> int:
        """Return the sum of the distances in *pairs*, along their lines."""
        return sum(self._lengths[pair] for pair in pairs)

    def _candidates(self, chance: Random | None, *, prefers_short: bool) -> list[Pair]:
        """Return the free pairs in the open line with the fewest free cells, the most useful last."""
        line = min(self._open, key=lambda number: len(self._lines[number] & self._free))
        pairs = [pair for pair in self._pairs[line] if self._free.issuperset(pair)]
        if chance is not None:
            chance.shuffle(pairs)
        if prefers_short:
            pairs.sort(key=lambda pair: -self._lengths[pair])
        return sorted(pairs, key=lambda pair: len(self._stops[pair] & self._open))

    def _take(self, step: _Step) -> None:
        step.pair = step.candidates.pop()
        step.stopped = self._stops[step.pair] & self._open
        self._open -= step.stopped
        self._free.difference_update(step.pair)

    def _take_back(self, step: _Step) -> None:
        assert step.pair is not None  # noqa: S101 - a later step follows
        self._open |= step.stopped
        self._free.update(step.pair)
        step.pair = None


@lru_cache(maxsize=1)
def _pattern() -> Pairs:
    """Return pairs of neighbours on a board of 8x8 whose edges meet, one in each of its 32 rings."""
    table = line_table(Geometry((PERIOD, PERIOD), PERIOD, (True, True)))
    assert table is not None  # noqa: S101 - the board is small
    search = _PairSearch([frozenset(cells) for cells in table.cells_of], _neighbours)
    chance = Random(PERIOD)
    for _ in range(PATTERN_ATTEMPTS):
        if (pairs := search.run(chance)) is not None:
            return pairs
    raise AssertionError


def _neighbours(ring: Line) -> Iterable[Pair]:
    """Return the pairs of cells of *ring* that are one step apart."""
    return (pair for pair in _all_pairs(ring) if max(map(abs, _step(*pair))) == 1)


def _step(cell: int, other: int) -> tuple[int, int]:
    """Return the shortest way from *cell* to *other* on the board of the pattern: rows and columns."""
    half = PERIOD // 2
    (row, column), (last, right) = divmod(cell, PERIOD), divmod(other, PERIOD)
    return (last - row + half) % PERIOD - half, (right - column + half) % PERIOD - half
