"""Which games are looked for, as conditions of SQL."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from noughts.arena.store.store import TOURNAMENT, canonical_json

# Asked of each game, newest first: a list of all that have ended would be made for every page.
_HAS_ENDED = "EXISTS (SELECT 1 FROM events WHERE game_id = games.id AND kind = 'end')"
# A game of a tournament says so itself: where it is lost which one it was, it is still no game of people.
_IS_OF_PEOPLE = "id NOT IN (SELECT game_id FROM tournament_games) AND who NOT LIKE :of_tournament ESCAPE '/'"
_OF_TOURNAMENT = canonical_json({TOURNAMENT: TOURNAMENT})[1:-1]


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Games of no tournament; where something is not None, those of which it is so.

    They are over or not; somebody of a *kind* has a seat in them; they have the name *game*; one of *names*
    sits in them, spelled as the rows of games have them.
    """

    is_over: bool | None = None
    kind: str | None = None
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
        if self.kind is not None:
            conditions.append("who LIKE :kind ESCAPE '/'")
        if self.is_over is not None:
            conditions.append(_HAS_ENDED if self.is_over else f"NOT {_HAS_ENDED}")
        return " AND ".join(conditions)

    @property
    def values(self) -> dict[str, str | None]:
        """The values of its parameters."""
        kinds = {"kind": containing(canonical_json(self.kind)), "of_tournament": containing(_OF_TOURNAMENT)}
        return {**kinds, "game": self.game, **self._seated}

    @property
    def _seated(self) -> dict[str, str]:
        return {f"seat_{at}": containing(f",{name}]") for at, name in enumerate(self.names or ())}


def containing(text: str) -> str:
    """The pattern for ``LIKE`` of what contains *text*, with a slash as its escape."""
    return "%" + re.sub("[%_/]", r"/\g<0>", text) + "%"
