"""Swiss pairings: players with about equal points meet, nobody meets twice, and first moves are balanced.

The system is close to the Dutch system of FIDE. Players are grouped by points. In each group the upper half
meets the lower half. Players for whom the group has no opponent move down to the next group. The rules are
relaxed only if no complete pairing satisfies them: first the balance of first moves, then the rematches.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from noughts.arena.tournament.matching import Matching

NOBODY = 0
"""The number of the opponent in a round without one. Players are numbered from 1."""

Blocks = frozenset[tuple[int, int]]
"""Pairs of players of whom the first has blocked the second."""

NO_BLOCKS: Blocks = frozenset()

ABSOLUTE, STRONG, MILD = 3, 2, 1
"""The strengths of a claim to move first or second."""


@dataclass(frozen=True)
class SwissPlayer:
    """A player with the history of earlier rounds.

    ``opponents`` are the numbers of the opponents. ``firsts`` are True for each game in which the player
    moved first. Both are in the order of rounds, and include only games between people. ``has_sat_out`` is
    True after a round without a human opponent.
    """

    number: int
    points: int = 0
    opponents: tuple[int, ...] = ()
    firsts: tuple[bool, ...] = ()
    has_sat_out: bool = False

    @cached_property
    def claim(self) -> int:
        """The claim to move first if above 0, or to move second if below 0. Its size is the strength."""
        if not self.firsts:
            return 0
        surplus = 2 * sum(self.firsts) - len(self.firsts)
        wanted = -1 if surplus > 0 or (not surplus and self.firsts[-1]) else 1
        if len(self.firsts) > 1 and self.firsts[-1] == self.firsts[-2]:
            return -ABSOLUTE if self.firsts[-1] else ABSOLUTE
        if abs(surplus) > 1:
            return wanted * ABSOLUTE
        return wanted * (STRONG if surplus else MILD)


def pair_swiss(players: Sequence[SwissPlayer], blocks: Blocks = NO_BLOCKS) -> list[tuple[int, int]]:
    """Return the pairs of the next round, each with the player that moves first at its front.

    *players* are in the order of the standings. With an odd number of players the last pair has
    :data:`NOBODY` as its second player. Players of *blocks* never meet. If no complete pairing keeps them
    apart, the last of the blocking players is not paired.

    >>> pair_swiss([SwissPlayer(number) for number in range(1, 6)])
    [(1, 3), (4, 2), (5, 0)]
    >>> pair_swiss([SwissPlayer(1), SwissPlayer(2)], frozenset({(1, 2)}))
    [(2, 0)]
    """
    known = {player.number: player for player in players}
    found_rule = _loosest_needed(players, blocks)
    if found_rule is None:
        blockers = {one for one, two in blocks if one in known and two in known}
        last = next(player.number for player in reversed(players) if player.number in blockers)
        return pair_swiss([player for player in players if player.number != last], blocks)
    may_meet, everyone = found_rule
    sitting_out = NOBODY
    if len(players) % 2:
        sitting_out = next(
            player.number for player in reversed(players) if everyone.settle(NOBODY, player.number)
        )
    pairs: list[tuple[int, int]] = []
    floating: list[int] = []
    playing = [player for player in players if player.number != sitting_out]
    for points, group in groupby(playing, key=lambda player: player.points):
        members = floating + [player.number for player in group]
        found, floating = _pair_group(members, points, known, may_meet, everyone)
        pairs += found
    ordered = [_with_first(known[one], known[two], table) for table, (one, two) in enumerate(pairs)]
    return ordered + ([(sitting_out, NOBODY)] if sitting_out else [])


def _loosest_needed(
    players: Sequence[SwissPlayer], blocks: Blocks
) -> tuple[Callable[[int, int], bool], Matching] | None:
    """Return the strictest rule that allows a complete pairing, and a matching that follows it.

    Return None if *blocks* allow no complete pairing.
    """
    known = {player.number: player for player in players}
    met = {player.number: Counter(player.opponents) for player in players}
    numbers = [*known, *((NOBODY,) if len(players) % 2 else ())]
    most = max((count for counts in met.values() for count in counts.values()), default=0)
    for meetings in range(max(1, most) + 1):
        for is_balanced in (True, False):

            def may_meet(one: int, two: int, meetings: int = meetings, strict: bool = is_balanced) -> bool:
                if NOBODY in (one, two):
                    return bool(meetings) or not known[one or two].has_sat_out
                if met[one][two] > meetings or (one, two) in blocks or (two, one) in blocks:
                    return False
                return not strict or _clash(known[one], known[two]) < ABSOLUTE

            everyone = Matching(numbers, may_meet)
            if everyone.is_perfect:
                return may_meet, everyone
    return None


def _pair_group(
    members: list[int],
    points: int,
    known: dict[int, SwissPlayer],
    may_meet: Callable[[int, int], bool],
    everyone: Matching,
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the pairs within a group, and its members that move down to the next group."""
    group, left = Matching(members, may_meet), list(members)
    pairs: list[tuple[int, int]] = []
    floating: list[int] = []
    while left:
        top = left.pop(0)
        for other in _by_preference(known[top], [known[number] for number in left], points):
            if not group.settle(top, other):
                continue
            if everyone.settle(top, other):
                pairs.append((top, other))
                left.remove(other)
                break
            group = Matching([top, *left], may_meet)  # the rest of the field needs one of the two
        else:
            floating.append(top)
            group.drop(top)
    return pairs, floating


def _by_preference(top: SwissPlayer, others: Sequence[SwissPlayer], points: int) -> list[int]:
    """Return the possible opponents of *top* in its group of *points*, best first.

    A player from a group above meets the best of this group. Others meet the player as far down as the group
    has halves.
    """
    above = sum(other.points > points for other in others)
    middle = above if top.points > points else (len(others) + 1) // 2 - 1
    met = Counter(top.opponents)

    def cost(place: int) -> tuple[int, int, bool, int]:
        other = others[place]
        return met[other.number], _clash(top, other), place < middle, abs(place - middle)

    return [others[place].number for place in sorted(range(len(others)), key=cost)]


def _clash(one: SwissPlayer, two: SwissPlayer) -> int:
    """Return the strength of the claim that a game of *one* and *two* would ignore."""
    mine, theirs = one.claim, two.claim
    return min(abs(mine), abs(theirs)) if mine * theirs > 0 else 0


def _with_first(one: SwissPlayer, two: SwissPlayer, table: int) -> tuple[int, int]:
    """Return the numbers of *one*, which is ahead in the standings, and *two*, the first player first."""
    return (one.number, two.number) if moves_first(one, two, table) else (two.number, one.number)


def moves_first(one: SwissPlayer, two: SwissPlayer, table: int) -> bool:
    """Return True if *one* moves first against *two*: by claims, by their last difference, or by *table*."""
    mine, theirs = one.claim, two.claim
    if mine != theirs:
        return mine > theirs
    for own, other in zip(reversed(one.firsts), reversed(two.firsts), strict=False):
        if own != other:
            return other
    if mine:
        return mine > 0
    return table % 2 == 0
