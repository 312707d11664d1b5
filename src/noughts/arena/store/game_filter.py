"""Which games are looked for, as conditions of SQL."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from noughts.arena.setup import TOURNAMENT
from noughts.arena.stored_game import PUBLIC

# Asked of each game, newest first: a list of all that have ended would be made for every page.
_HAS_ENDED = "EXISTS (SELECT 1 FROM events WHERE game_id = games.id AND kind = 'end')"
# A game of a tournament says so itself: where it is lost which one it was, it is still no game of people.
_IS_OF_PEOPLE = "id NOT IN (SELECT game_id FROM tournament_games) AND origin != :tournament"


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Games of no tournament; where something is not None, those of which it is so.

    They are over or not; they were played at *origin*; they are public or have one of the numbers
    *visible_by*; they have the name *game*; one of *names* sits in them, spelled as the rows of games have
    them.
    """

    is_over: bool | None = None
    origin: str | None = None
    visible_by: Collection[int] | None = None
    game: str | None = None
    names: Collection[str] | None = None

    @property
    def condition(self) -> str:
        """What holds for the rows of these games."""
        conditions = [_IS_OF_PEOPLE]
        if self.game is not None:
            conditions.append("game = :game")
        if self.names is not None:
            seats = [f"seats LIKE :{at} ESCAPE '/'" for at in self._seated]
            conditions.append(f"({' OR '.join(['1 = 0', *seats])})")
        if self.origin is not None:
            conditions.append("origin = :origin")
        if self.visible_by is not None:
            conditions.append("(visibility = :public OR id IN (:visible_by))")
        if self.is_over is not None:
            conditions.append(_HAS_ENDED if self.is_over else f"NOT {_HAS_ENDED}")
        return " AND ".join(conditions)

    @property
    def values(self) -> dict[str, Any]:
        """The values of its parameters."""
        fixed = {"tournament": TOURNAMENT, "public": PUBLIC, "visible_by": tuple(self.visible_by or ())}
        return {**fixed, "origin": self.origin, "game": self.game, **self._seated}

    @property
    def _seated(self) -> dict[str, str]:
        return {f"seat_{at}": containing(f",{name}]") for at, name in enumerate(self.names or ())}


def containing(text: str) -> str:
    """The pattern for ``LIKE`` of what contains *text*, with a slash as its escape."""
    return "%" + re.sub("[%_/]", r"/\g<0>", text) + "%"
