"""What the positions of a game were found to be worth while it was played, as its course."""

from collections.abc import Iterator

from noughts.games.base import Game
from noughts.search.explain.review import Review
from noughts.search.general.alphabeta import PROVED

ALMOST, EVEN = 0.9, 100
"""How near to a win the best score stands that is not proved, and the score that stands half as near."""


class EvaluationGraph:
    """Values of positions, each told apart by the moves that led to it."""

    def __init__(self) -> None:
        self._values: dict[int, float] = {}

    def keep(self, game: Game, value: int | None, score: int | None) -> None:
        """The side to move in *game* has a proved *value*, or a *score* of a search, or neither is known."""
        number = _seen_from_first(value, score)
        if number is not None and len(game.sides) == 2:
            *_, place = _places(game)
            self._values[place] = number if game.turn == game.sides[0] else -number

    def keep_review(self, game: Game, review: Review) -> None:
        """Take in what a *review* of *game* has found, which is seen from the first side."""
        for place, value, score in zip(_places(game), review.values, review.scores, strict=True):
            if (number := _seen_from_first(value, score)) is not None:
                self._values[place] = number

    def values(self, game: Game) -> list[float | None]:
        """What each position of *game* is worth to the first side, from 1 to -1; None where it is not known.

        How it has ended is known in any case.
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
    """A number for each position of *game* that depends on all the moves before."""
    place = hash(game.name)
    yield place
    for move in game.moves:
        place = hash((place, move))
        yield place
