"""The values of a game's positions, collected during the game for the graph."""

from collections.abc import Iterator

from noughts.games.base import Game
from noughts.search.explain.review import Review
from noughts.search.general.alphabeta import PROVED

ALMOST, EVEN = 0.9, 100
"""The limit of unproved scores (a win is 1), and the score that is worth half of it."""


class EvaluationGraph:
    """The values of positions; the moves that led to a position identify it."""

    def __init__(self) -> None:
        self._values: dict[int, float] = {}

    def keep(self, game: Game, value: int | None, score: int | None) -> None:
        """Store a proved *value* or a *score* of a search for the side to move in *game*.

        Nothing is stored if both are None.
        """
        number = _seen_from_first(value, score)
        if number is not None and len(game.sides) == 2:
            *_, place = _places(game)
            self._values[place] = number if game.turn == game.sides[0] else -number

    def keep_review(self, game: Game, review: Review) -> None:
        """Store the values of a *review* of *game*, which are those of the first side."""
        for place, value, score in zip(_places(game), review.values, review.scores, strict=True):
            if (number := _seen_from_first(value, score)) is not None:
                self._values[place] = number

    def values(self, game: Game) -> list[float | None]:
        """Return each position's value for the first side, from 1 to -1; None if unknown.

        The value of the final position is always known.
        """
        numbers = [self._values.get(place) for place in _places(game)]
        if game.outcome is not None and len(game.sides) == 2:
            winner = game.outcome.winner
            numbers[-1] = 0.0 if winner is None else 1.0 if winner == game.sides[0] else -1.0
        return numbers


def _seen_from_first(value: int | None, score: int | None) -> float | None:
    if value is not None:
        return float(value)
    if score is None:
        return None
    if abs(score) >= PROVED:
        return 1.0 if score > 0 else -1.0
    return ALMOST * score / (abs(score) + EVEN)


def _places(game: Game) -> Iterator[int]:
    """Yield a number for each position of *game*, made of all moves before it."""
    place = hash(game.name)
    yield place
    for move in game.moves:
        place = hash((place, move))
        yield place
