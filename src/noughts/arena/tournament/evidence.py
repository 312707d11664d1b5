"""The games of a meeting that say something new: copies of earlier games are no evidence.

Two games are copies if the same players in the same seats made the same moves, and both games ended in the
same way. The unit of evidence is a pair of games with exchanged seats: the advantage of a seat cancels out.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a game: the place of its winner among the players, or None, and the fault of the loser.

    ``course`` identifies its moves and its end; a game without one is a copy of no other.
    """

    winner: int | None
    fault: str | None = None
    course: str | None = None


def half_points(game: Finished, place: int) -> int:
    """Return two for a win of the player at *place*, one for a draw."""
    return 1 if game.winner is None else 2 * (game.winner == place)


@dataclass
class Evidence:
    """The different games of one meeting in one game, from the point of view of the player at *place*.

    Pairs must be added in the order of their numbers. If only one game of a pair is new, it waits for another
    new game with exchanged seats from the same one of so many *openings*, and the two are a pair then.
    """

    place: int
    openings: int = 1
    distinct: int = 0
    pairs: list[int] = field(default_factory=list)
    """The half points in each pair of different games."""
    singles: list[int] = field(default_factory=list)
    """The half points in different games whose pair has not ended."""
    _seen: set[tuple[int, Finished]] = field(default_factory=set)
    _waiting: dict[tuple[int, int], deque[int]] = field(default_factory=lambda: defaultdict(deque))

    def add(self, lap: int, games: Sequence[Finished | None]) -> None:
        """Add the two *games* of the pair of this *lap*; None for one that has not ended or is lost."""
        new = [self._points_if_new(leg, game) for leg, game in enumerate(games)]
        points = [one for one in new if one is not None]
        if None in games:
            self.singles += points
        elif len(points) == len(games):
            self.pairs.append(sum(points))
        elif points:
            self._join(lap % self.openings, new.index(points[0]), points[0])

    def _points_if_new(self, leg: int, game: Finished | None) -> int | None:
        """Return the half points in *game*; None if there is no game, or it is a copy."""
        if game is None or (leg, game) in self._seen:
            return None
        self.distinct += 1
        if game.course is not None:
            self._seen.add((leg, game))
        return half_points(game, self.place)

    def _join(self, opening: int, leg: int, points: int) -> None:
        """Join a new game to one that waits in the other *leg*, or let it wait."""
        if others := self._waiting[opening, 1 - leg]:
            self.pairs.append(others.popleft() + points)
        else:
            self._waiting[opening, leg].append(points)
