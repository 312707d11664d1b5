"""The wall of live boards: the choice of a featured game and of six small ones. It is a pure function.

>>> games = {"r": PublicGame("r", people=1, moved=0), "s": PublicGame("s", people=2, moved=0)}
>>> next_wall(Wall(), games, at=0)
Wall(featured='s', small=('r',))
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SMALL = 6
"""The number of small boards."""

ENDED_MS = 10_000
"""The time for which an ended game stays on the wall, so that its end is seen."""

QUIET_MS = 2 * 60_000
"""The time without a move after which a small board gives its place to a game with moves."""

STILL_MS = 5 * 60_000
"""The time without a move after which the featured game gives its place to a game with moves."""


COMPUTERS = "computers"
"""The choice of games without people."""


@dataclass(frozen=True, slots=True)
class PublicGame:
    """The facts about a public game that decide its place.

    ``game`` is its name. ``people`` is the number of players that are people. ``rating`` is the mean rating
    of the players of a rated game. ``moved`` is the instant of the last move, or of the start, and ``ended``
    that of the end.
    """

    room: str
    people: int
    moved: int
    is_rated: bool = False
    rating: int = 0
    ended: int | None = None
    game: str = ""

    def is_among(self, show: str) -> bool:
        """Return True if a wall for *show* has the game.

        *show* is the name of a game, :data:`COMPUTERS` for games without people, or empty for all games.
        """
        return not self.people if show == COMPUTERS else show in ("", self.game)

    def rank(self, at: int) -> tuple[bool, bool, int, int, str]:
        """Return a key that sorts the best game first.

        Games with moves come first, then rated ones, then those of people, then high ratings.
        """
        return (at - self.moved >= QUIET_MS, not self.is_rated, -self.people, -self.rating, self.room)


@dataclass(frozen=True, slots=True)
class Wall:
    """The rooms on the wall: the featured one, or None without any game, and the small ones by place."""

    featured: str | None = None
    small: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        """Yield all rooms, the featured one first."""
        if self.featured is not None:
            yield self.featured
        yield from self.small


def next_wall(wall: Wall, games: Mapping[str, PublicGame], at: int) -> Wall:
    """Return the wall that follows *wall* at the instant *at*. *games* has all public games by room.

    Boards keep their places while their games go on, and for 10 seconds after the end. A game that stands
    still gives its place only to a game with moves.
    """
    running = sorted((game for game in games.values() if game.ended is None), key=lambda one: one.rank(at))
    order = [game.room for game in running]
    lively = {game.room for game in running if at - game.moved < QUIET_MS}

    def stays(room: str, patience: int, others: set[str]) -> bool:
        game = games.get(room)
        if game is None or (game.ended is not None and at - game.ended >= ENDED_MS):
            return False
        return at - game.moved < patience or not others

    def best(taken: set[str | None]) -> list[str]:
        return [room for room in order if room not in taken][:1]

    featured = wall.featured
    if featured is None or not stays(featured, STILL_MS, lively - {featured}):
        featured = order[0] if order else None
    waiting = lively - {featured, *wall.small}
    small: list[str] = []
    for room in wall.small:
        is_kept = room != featured and stays(room, QUIET_MS, waiting)
        small += [room] if is_kept else best({featured, *small, *wall.small})
        waiting -= {*small}
    while len(small) < SMALL and (more := best({featured, *small})):
        small += more
    return Wall(featured, tuple(small[:SMALL]))
