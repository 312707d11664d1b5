"""Static evaluations of positions at the maximum depth of a search."""

from collections.abc import Callable
from random import Random
from typing import Any

from noughts.core.geometry import TILINGS, mask_of
from noughts.core.lines import line_table
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import POLL, LimitReachedError, handled_rules, moves_of, never

MAX_SCORE = 900_000
"""The maximum of an evaluation, and its negative the minimum."""

PLAYOUTS = 2
"""Number of random games that are played to evaluate a position without another evaluation."""

MAX_LENGTH = 2
"""A random game ends as a draw after this many plies for each cell of the board."""

MAX_SEEN = 100_000
"""Maximum number of choices listed in a random game, which then ends as a draw. Boards of 450 cells reach it.
"""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "renju", *TILINGS, "vanish", "place", "avoid"))
"""The facts under which marks belong to one of two sides, and lines of the table help their side."""

Evaluation = Callable[[], int]
"""A function that returns the evaluation of the current position for the side to move."""


def evaluation_of(game: Game, chance: Random, stop: Callable[[], bool] = never) -> Evaluation:
    """Return the best known evaluation for games like *game*; it reads *game* itself each time.

    The :meth:`~noughts.games.base.Game.static_evaluation` of a game is used if there is one. Otherwise, lines
    are counted if marks belong to sides and stay. In all other games, random games by *chance* are played.
    The evaluation raises :class:`~noughts.search.analysis.LimitReachedError` if *stop* returns True
    meanwhile.

    >>> from noughts import new_game
    >>> evaluation_of(new_game("misere"), Random(1))()
    0
    """
    if game.static_evaluation() is not None:
        return lambda: _within(game.static_evaluation() or 0)
    rules = handled_rules(game, HANDLED)
    table = None if rules is None else line_table(rules.geometry)
    if rules is not None and table is not None:
        return _count_lines(game, rules, table.masks)
    return lambda: _play_out(game, chance, stop)


def _within(score: int) -> int:
    return max(-MAX_SCORE, min(MAX_SCORE, score))


def _count_lines(game: Game, rules: Rules, masks: tuple[int, ...]) -> Evaluation:
    """Return an evaluation that counts lines with marks of one side: four times as much for each mark."""
    values = [0, *(min(4**count, MAX_SCORE // 16) for count in range(rules.k + 1))]
    sign = -1 if rules.line_loses else 1

    def evaluate() -> int:
        key: Any = game.key()
        one, two = map(mask_of, key[1]) if rules.vanish else key[1]
        total = 0
        for mask in masks:
            mine, other = one & mask, two & mask
            if mine:
                if not other:
                    total += values[mine.bit_count()]
            elif other:
                total -= values[other.bit_count()]
        return _within(sign * (total if game.turn == game.sides[0] else -total))

    return evaluate


def _play_out(game: Game, chance: Random, stop: Callable[[], bool]) -> int:
    """Return the average result of random games from this position, in hundredths of a game."""
    side, total = game.turn, 0
    max_plies = MAX_LENGTH * len(game.cells)
    for _ in range(PLAYOUTS):
        plies = seen = 0
        while game.outcome is None and plies < max_plies and seen < MAX_SEEN:
            if plies % POLL == 0 and stop():
                raise LimitReachedError
            moves = moves_of(game)
            game.play(moves[int(chance.random() * len(moves))])
            plies += 1
            seen += len(moves)
        winner = game.winner
        total += 0 if winner is None else 100 if winner == side else -100
        for _ in range(plies):
            game.undo()
    return total // PLAYOUTS
