"""Retrograde analysis: exact values of games in which positions can repeat.

A forward search would go round in circles. So all reachable positions are listed once, by one game that is
played and taken back, and the results are carried back from the ends ply by ply (retrograde analysis,
Ströhlein 1970). A position from which a lost one can be reached is won. A position from which only won ones
can be reached is lost. A position that no result reaches is a draw.

The third repetition is a draw, which has these effects:

- In a game without a past it changes nothing. A side that wins by these values comes nearer to the end with
  each move, so no position repeats. A side that draws by them can go on until the repetition.
- In a game with a past, some positions have come up twice already and end the game when they come up again.
  If they are draws by these values anyway, again nothing changes: a winning side never enters them.
- Otherwise, the positions are listed once more with those as ends. Positions that have come up once may come
  up once more, and a quickest win needs none of them more often.
"""

from collections import Counter
from contextlib import suppress
from operator import attrgetter

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.vanishing import REPETITIONS
from noughts.search.analysis import (
    Analysis,
    Effort,
    Limit,
    LimitReachedError,
    MoveValue,
    Report,
    analysis_of_end,
    handled_rules,
    no_report,
)
from noughts.search.exact.canonical import LEAVING, canonical_key
from noughts.search.exact.enumeration import MAX_POSITIONS, Enumeration, count_roughly


class Retrograde:
    """Values all positions of a game of two sides in which positions can repeat, and stores them.

    The next question continues a list of positions that a limit cut short. *report* is called with the
    progress. Raises :class:`~noughts.errors.UnsupportedRules` for games that :meth:`supports` declines.

    >>> from noughts import new_game
    >>> game = new_game("3x3:2,vanish=2")
    >>> found = Retrograde(game).analyse(game)
    >>> found.value, found.plies
    (1, 3)
    """

    def __init__(self, game: Game, report: Report = no_report) -> None:
        if not self.supports(game):
            raise UnsupportedRules("retrograde", game.name, "unknown-rules")
        self._report = report
        self._enumeration = Enumeration(canonical_key(game))
        self._with_ends: Enumeration | None = None

    @staticmethod
    def supports(game: Game) -> bool:
        """Return True if positions of *game* repeat in the way that vanishing marks cause."""
        return handled_rules(game, LEAVING) is not None

    @staticmethod
    def can_list(game: Game) -> bool:
        """Return True if *game* has few enough positions to list."""
        return count_roughly(game) <= MAX_POSITIONS

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Analyse *game* as :meth:`analyse` does: one move costs as much as all."""
        return self.analyse(game, limit)

    def analyse(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        """Find the value of *game* with its past, that of each legal move, and the principal variation.

        The nodes, the seconds and the stop signal of *limit* count. Positions that they cut off are unknown,
        and so are games of more than ``MAX_POSITIONS`` positions. *game* is left unchanged.
        """
        effort = Effort(limit.started(), self._report)
        game = game.copy()
        if game.outcome is not None:
            return analysis_of_end(game)
        enumeration = None
        with suppress(LimitReachedError):
            enumeration = self._enumeration_for(game, effort)
        values = _move_values(game, enumeration)
        best = max(values, key=attrgetter("rank"))
        if enumeration is None and best.value != 1:  # A move that wins at once is known without a list.
            return Analysis(None, None, None, effort.nodes, (), tuple(values))
        line = _best_line(game, enumeration)
        return Analysis(best.value, best.plies, best.move, effort.nodes, line, tuple(values))

    def _enumeration_for(self, game: Game, effort: Effort) -> Enumeration:
        """Return the enumeration with the values of the positions after *game*.

        Raises :class:`LimitReachedError`.
        """
        if not self.can_list(game):
            raise LimitReachedError
        enumeration = self._enumeration
        enumeration.extend(game, effort)
        ends = _drawn_by_the_past(game, enumeration)
        if not ends:
            return enumeration
        if self._with_ends is None or self._with_ends.drawn != ends:
            self._with_ends = Enumeration(type(game).key, ends)
        self._with_ends.extend(game, effort)
        return self._with_ends


def _drawn_by_the_past(game: Game, enumeration: Enumeration) -> frozenset[object]:
    """Return the positions that draw the game when they come up again; none if they are draws anyway."""
    past = game.copy()
    came_up = Counter([past.key()])
    values = {past.key(): enumeration.plies(enumeration.key(past))}
    while past.ply:
        past.undo()
        came_up[past.key()] += 1
        values[past.key()] = enumeration.plies(enumeration.key(past))
    ends = [key for key, times in came_up.items() if times >= REPETITIONS - 1]
    return frozenset(ends if any(values[key] for key in ends) else ())


def _move_values(game: Game, enumeration: Enumeration | None) -> list[MoveValue]:
    """Return the value of each legal move; without an *enumeration*, only of those that end the game."""
    values = []
    for move in game.legal_moves():
        side = game.turn
        game.play(move)
        plies: int | None = None
        if game.outcome is not None:
            plies = 0 if game.winner is None else 1 if game.winner == side else -1
        elif enumeration is not None:
            after = enumeration.plies(enumeration.key(game)) or 0
            plies = -after - (after > 0) + (after < 0)
        game.undo()
        known = (None, None) if plies is None else ((plies > 0) - (plies < 0), abs(plies) or None)
        values.append(MoveValue(move, *known))
    return values


def _best_line(game: Game, enumeration: Enumeration | None) -> tuple[Move, ...]:
    """Return the best moves to the end, or only the first one if neither side can force an end."""
    line: list[Move] = []
    while game.outcome is None:
        best = max(_move_values(game, enumeration), key=attrgetter("rank"))
        line.append(best.move)
        if not best.value:
            break
        game.play(best.move)
    return tuple(line)
