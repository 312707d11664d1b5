"""Fixed ratings of computers, from their measured strengths.

Measured Elo points and ratings have the same scale: a player that is stronger by D points scores
``1 / (1 + 10 ** (-D / 400))``. Only the anchor is a choice. Level 4 has 1500, the rating with which every
person begins: it sees each win and each threat of the next move, and nothing else. That is the play of a
person who knows the rules and pays attention, in every game. The strength of ``rule``, at which the
measurements have their 0, differs from game to game.
"""

from noughts.arena.ratings.glicko import CENTRE, GlickoRating
from noughts.players.strengths import strengths

ANCHOR = "level:4"
"""The computer with the rating of a new person."""

MAX_ERROR = 200.0
"""A strength with a greater error (95 %) is not used."""

Z = 1.96
"""The number of standard errors in half of a 95 % interval."""


def computer_rating(game: str, computer: str) -> GlickoRating | None:
    """Return the rating of *computer* in *game*, a name of the catalogue, or None if it was not measured.

    >>> computer_rating("connect4", "level:4").value, round(computer_rating("connect4", "level:5").value)
    (1500.0, 1598)
    """
    measured = strengths(game)
    if ANCHOR not in measured or computer not in measured or measured[computer].error > MAX_ERROR:
        return None
    strength, anchor = measured[computer], measured[ANCHOR]
    # The anchor is exact by definition. The error of a difference is less than the sum of both errors.
    error = 0.0 if computer == ANCHOR else strength.error + anchor.error
    return GlickoRating(CENTRE + strength.elo - anchor.elo, error / Z, 0.0)
