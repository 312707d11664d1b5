"""Static evaluations: how a position looks to a search that must stop there."""

from collections.abc import Callable
from random import Random
from typing import Any

from noughts.core.geometry import mask_of
from noughts.core.lines import line_table
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.analysis import POLL, LimitReachedError, handled_rules, moves_of, never

MAX_SCORE = 900_000
"""Evaluations lie between this and its opposite."""

PLAYOUTS = 2
"""Random games from a position that nothing else is known of."""

MAX_LENGTH = 2
"""A random game is given up, as even, after so many times the cells of the board in plies."""

MAX_SEEN = 100_000
"""It is given up, too, after so many moves were there to be chosen from: on boards of 450 cells and more."""

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "renju", "hex", "vanish", "place", "avoid"))
"""The facts under which marks belong to one of two sides, and who fills lines of the table is better off."""

Evaluation = Callable[[], int]
"""How the position looks for the side to move, at the moment when it is called."""


def evaluation_of(game: Game, chance: Random, stop: Callable[[], bool] = never) -> Evaluation:
    """The best that is known for games like *game*; it looks at *game* itself as it is played on.

    Where *stop* is true meanwhile it raises :class:`~noughts.search.analysis.LimitReachedError`.

    A game that gives a :meth:`~noughts.games.base.Game.static_evaluation` is believed. Lines are counted
    where marks belong to sides and stay; all else is random games by *chance*.

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
    """Each line with marks of one side alone counts four times as much for each of them."""
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
    """What random games from here come to, in hundredths of a game."""
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
