"""Strategies of pairs: rules by which the second side holds a draw without a computer.

If the pairs stop every line at once, they are the whole rule: whenever the first side takes a cell of a
pair, take the other one. On other boards, the first mark is answered by a certain reply, and pairs stop the
remaining lines. First marks are one case if the board can be turned, reflected or shifted from one to the
other. Other symmetries would save cases, but people cannot see them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from noughts.core.board import index_of
from noughts.core.lines import line_table
from noughts.core.symmetry import Permutation, symmetries
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.moves import cells_of
from noughts.games.rules import EXTRA_MARK_HELPS, Rules
from noughts.search.analysis import handled_rules
from noughts.search.strategies.pairing import PATTERN_K, Line, Pair, Pairs, find_pairs, pattern_pairs

HANDLED = EXTRA_MARK_HELPS | {"exact"}
"""The facts of games whose lines pairs can stop."""

MAX_CELLS = 64
"""The maximum number of cells of a board on which replies to the first mark are searched."""

MAX_LINES = 2_000
"""The maximum number of lines for which pairs are searched. The pattern has no limit."""

MAX_REPLIES = 12
"""The maximum number of replies that are tried for each first mark."""

PAIR = 2
"""The least number of cells that a line must have for a pair."""


@dataclass(frozen=True, slots=True)
class Case:
    """The *reply* to a first mark on one of the cells *firsts*, and the *pairs* from then on."""

    firsts: frozenset[int]
    reply: int
    pairs: Pairs

    def image(self, map_: Permutation) -> "Case":
        """Return the case with each cell mapped by *map_*."""
        pairs = sorted(_ordered(map_[cell], map_[other]) for cell, other in self.pairs)
        return Case(frozenset(map_[cell] for cell in self.firsts), map_[self.reply], tuple(pairs))


@dataclass(frozen=True, slots=True)
class PairStrategy:
    """A rule by which the second side of the game with *rules* does not lose.

    It has either *pairs* that stop all lines from the start, or *cases* for all first marks, up to symmetry.
    """

    rules: Rules
    pairs: Pairs = ()
    cases: tuple[Case, ...] = ()

    def case_after(self, first: int) -> Case | None:
        """Return the case of a first mark on the cell *first*, or None if the strategy has no cases."""
        for map_ in symmetries(self.rules.geometry, rigid=True):
            for case in self.cases:
                if first in (image := case.image(map_)).firsts:
                    return image
        return None

    def reply(self, game: Game) -> int | None:
        """Return the cell that the rule demands after the last move of the first side.

        Return None if the rule allows any cell: the last mark was in no pair, or the other cell is taken.
        """
        cells = [index_of(game.shape, cell) for move in game.moves for cell in cells_of(move)]
        case = self.case_after(cells[0])
        if case and len(cells) == 1:
            return case.reply
        pairs = case.pairs if case else self.pairs
        mates = [cell for pair in pairs if cells[-1] in pair for cell in pair if game.cells[cell] is None]
        return mates[0] if mates else None


def find_strategy(game: Game) -> PairStrategy | None:
    """Return a strategy of pairs for the second side of *game*, or None if the search finds none.

    The rule is found for the start of the game. Raises :class:`~noughts.errors.UnsupportedRules` for games
    other than k in a row of two sides with the options ``wrap``, ``hex`` and ``exact``, and for boards whose
    lines are not enumerated.

    >>> from noughts import new_game
    >>> strategy = find_strategy(new_game("5x5:5"))
    >>> len(strategy.pairs), strategy.cases
    (12, ())
    >>> [len(case.pairs) for case in find_strategy(new_game("4x4:4")).cases]
    [7, 7, 7]
    """
    rules = handled_rules(game, HANDLED)
    if rules is None or line_table(rules.geometry) is None:
        raise UnsupportedRules("strategy", game.name, "no-line-game")
    return _strategy_of(rules)


@lru_cache(maxsize=8)
def _strategy_of(rules: Rules) -> PairStrategy | None:
    lines = lines_of(rules)
    pairs = find_pairs(lines, Random(1)) if len(lines) <= MAX_LINES else None
    if pairs is None and rules.k >= PATTERN_K and _is_plain(rules):
        pairs = pattern_pairs(lines, *rules.shape)
    if pairs is not None:
        return PairStrategy(rules, pairs)
    if rules.exact or rules.geometry.size > MAX_CELLS:
        return None
    return _with_cases(rules, lines)


def lines_of(rules: Rules) -> list[Line]:
    """Return the cells of each line."""
    table = line_table(rules.geometry)
    assert table is not None  # noqa: S101 - the caller has checked it
    return [frozenset(cells) for cells in table.cells_of]


def _is_plain(rules: Rules) -> bool:
    """Return True if the board is flat, of squares, and no edges meet."""
    geometry = rules.geometry
    return len(geometry.shape) == 2 and not geometry.tiling and not any(geometry.joined)


def _with_cases(rules: Rules, lines: Sequence[Line]) -> PairStrategy | None:
    """Return a strategy that answers each first mark, or None if a mark has no answer."""
    load = [sum(cell in line for line in lines) for cell in range(rules.geometry.size)]
    replies = sorted(range(rules.geometry.size), key=lambda cell: -load[cell])
    left = set(replies)
    cases = list[Case]()
    while left:
        case = _answer(lines, min(left), replies)
        if case is None:
            return None
        cases.append(case)
        replies.remove(case.reply)
        replies.insert(0, case.reply)
        left -= {map_[first] for first in case.firsts for map_ in symmetries(rules.geometry, rigid=True)}
    return PairStrategy(rules, cases=tuple(cases))


def _answer(lines: Sequence[Line], first: int, replies: Sequence[int]) -> Case | None:
    """Return the case of a *first* mark with the earliest of *replies* that suffices, or None."""
    for reply in replies[:MAX_REPLIES]:
        left = [line - {first} for line in lines if reply not in line]
        if reply == first or any(len(line) < PAIR for line in left):
            continue
        if (pairs := find_pairs(left, Random(1))) is not None:
            # The other cells are as good as *first*. Some line needs each pair, so its cells are not.
            return Case(frozenset(replies).difference({reply}, *pairs), reply, pairs)
    return None


def _ordered(cell: int, other: int) -> Pair:
    return (cell, other) if cell < other else (other, cell)
