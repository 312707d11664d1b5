"""Maximum matchings: as many pairs of players as possible, without forbidden pairs (Edmonds 1965)."""

from collections import deque
from collections.abc import Callable, Sequence


class Matching:
    """A largest set of pairs of *players*, all allowed by *may_meet*. Pairs are settled one after the other.

    >>> pairs = Matching([1, 2, 3, 4], lambda one, two: one + two != 5)
    >>> pairs.settle(1, 4), pairs.settle(1, 2), pairs.settle(3, 4), pairs.size
    (False, True, True, 0)
    """

    def __init__(self, players: Sequence[int], may_meet: Callable[[int, int], bool]) -> None:
        self._near: dict[int, set[int]] = {player: set() for player in players}
        self._mates: dict[int, int] = {}
        for at, one in enumerate(players):
            for two in players[at + 1 :]:
                if may_meet(one, two):
                    self._near[one].add(two)
                    self._near[two].add(one)
        for player in players:
            if player not in self._mates:
                self._augment(player)

    @property
    def size(self) -> int:
        """The number of pairs among the players that are left."""
        return len(self._mates) // 2

    @property
    def is_perfect(self) -> bool:
        """True if each player that is left has a partner."""
        return len(self._mates) == len(self._near)

    def settle(self, one: int, two: int) -> bool:
        """Pair *one* with *two* if as many pairs as before are possible then. Otherwise return False."""
        if two not in self._near[one]:
            return False
        mates, size = dict(self._mates), self.size
        removed = {player: self._remove(player) for player in (one, two)}
        lost = [self._mates.pop(player) for player in (one, two) if player in self._mates]
        for mate in lost:
            self._mates.pop(mate, None)
        for mate in lost:
            if mate in self._near and mate not in self._mates:
                self._augment(mate)
        if self.size == size - 1:
            return True
        self._mates = mates
        for player in (two, one):
            self._near[player] = removed[player]
            for other in removed[player]:
                self._near[other].add(player)
        return False

    def drop(self, player: int) -> None:
        """Remove *player*, which stays without a partner here."""
        self._remove(player)
        mate = self._mates.pop(player, None)
        if mate is not None:
            del self._mates[mate]
            self._augment(mate)

    def _remove(self, player: int) -> set[int]:
        """Remove *player* from the possible pairs, and return its possible partners."""
        near = self._near.pop(player)
        for other in near:
            self._near[other].discard(player)
        return near

    def _augment(self, root: int) -> None:
        """Add a pair if there is a path from *root*, alternately without and with pairs, to a free player."""
        parent: dict[int, int] = {}
        base = {player: player for player in self._near}
        members = {player: [player] for player in self._near}
        reached, queue = {root}, deque((root,))
        while queue:
            here = queue.popleft()
            for other in self._near[here]:
                if base[here] == base[other] or self._mates.get(here) == other:
                    continue
                if other == root or self._mates.get(other) in parent:
                    fresh = self._contract(here, other, parent, base, members)
                    queue.extend(player for player in fresh if player not in reached)
                    reached.update(fresh)
                elif other not in parent:
                    parent[other] = here
                    if other not in self._mates:
                        self._flip(other, parent)
                        return
                    reached.add(self._mates[other])
                    queue.append(self._mates[other])

    def _flip(self, end: int, parent: dict[int, int]) -> None:
        """Exchange the pairs on the path that leads to *end*."""
        player: int | None = end
        while player is not None:
            before = parent[player]
            following = self._mates.get(before)
            self._mates[player], self._mates[before] = before, player
            player = following

    def _contract(
        self,
        one: int,
        two: int,
        parent: dict[int, int],
        base: dict[int, int],
        members: dict[int, list[int]],
    ) -> list[int]:
        """Merge the odd circle that *one* and *two* close, and return its players."""
        root = self._common_base(one, two, parent, base)
        circle: set[int] = set()
        for here, child in ((one, two), (two, one)):
            while base[here] != root:
                mate = self._mates[here]
                circle.update((base[here], base[mate]))
                parent[here] = child
                child, here = mate, parent[mate]
        circle.discard(root)
        merged = [player for one_base in circle for player in members.pop(one_base)]
        for player in merged:
            base[player] = root
        members[root] += merged
        return merged

    def _common_base(self, one: int, two: int, parent: dict[int, int], base: dict[int, int]) -> int:
        seen = set()
        here = one
        while True:
            here = base[here]
            seen.add(here)
            if here not in self._mates or self._mates[here] not in parent:
                break
            here = parent[self._mates[here]]
        here = base[two]
        while here not in seen:
            here = base[parent[self._mates[here]]]
        return here
