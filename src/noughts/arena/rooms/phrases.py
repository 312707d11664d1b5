"""Preset phrases that the players of a room say to each other: at the start and at the end of a game.

A phrase is stored and sent as a code, so each reader sees it in a language of the reader's own. Each player
may say each phrase once in a game. So nobody can say more than four at the start and five at the end.
"""

from dataclasses import dataclass
from typing import Final

from noughts.arena.match import Match

START: Final = ("hello", "good-luck", "have-fun", "you-too")
"""The phrases of the start: while no side has made more than two moves."""

END: Final = ("good-game", "well-played", "thanks", "must-go", "bye")
"""The phrases after the end of a game."""

PHRASES: Final = START + END

START_MOVES: Final = 2
"""The number of moves of each side that belong to the start."""


@dataclass(frozen=True, slots=True)
class SaidPhrase:
    """A ``phrase`` that the player at ``place`` said at the instant ``at`` of the server."""

    place: int
    phrase: str
    at: int


def phrases_at(match: Match) -> tuple[str, ...]:
    """Return the phrases that fit the present moment of *match*, none in the middle of a game.

    >>> from noughts.arena.clock import UNTIMED
    >>> from noughts.games.catalogue import new_game
    >>> phrases_at(Match(new_game("tictactoe"), UNTIMED))
    ('hello', 'good-luck', 'have-fun', 'you-too')
    """
    if match.outcome is not None:
        return END
    made = len(match.game.moves)
    return START if made <= START_MOVES * len(match.game.sides) else ()
