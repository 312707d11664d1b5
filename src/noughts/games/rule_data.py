"""The rules of games as data, by which programs in other languages can play them.

The browser plays games without a network by these data. A game of another kind, or one with an option that
is not listed here, has no data.
"""

from collections.abc import Callable
from typing import Any

from noughts.core.geometry import directions
from noughts.core.lines import can_enumerate
from noughts.games.base import Game, Termination
from noughts.games.fives import SIZE, K
from noughts.games.kinarow import KInARow, TicTacToe
from noughts.games.order_and_chaos import CHAOS, EXHAUSTED, ORDER, OrderAndChaos
from noughts.games.pentago import TWISTS, Pentago, turned
from noughts.games.reversi import Reversi
from noughts.games.rules import Rules
from noughts.games.ultimate import PLACES_IN_LINE, Ultimate, cell_indices

RuleData = dict[str, Any]
"""The rules of one game. Its ``kind`` is ``lines``, ``flips`` or ``fields``, and decides the other keys."""

HANDLED = frozenset(
    (
        *("gravity", "misere", "exact", "wrap", "wild", "notakto", "renju", "hex"),
        *("vanish", "players", "place", "avoid"),
    )
)
"""The options of rules that the data contain. Lines take the same step from every cell."""


def rule_data(game: Game) -> RuleData | None:
    """Return the rules of *game* as data, or None if the data cannot express them.

    >>> from noughts import new_game
    >>> rule_data(new_game("7x6:4,gravity"))["gravity"], rule_data(new_game("fifteen"))
    (True, None)
    """
    describe = _KINDS.get(type(game))
    data = None if describe is None or game.start is not None else describe(game)
    return data and {"sides": list(game.sides), "shape": list(game.shape), **data}


def _lines(rules: Rules) -> RuleData:
    """Return the data of lines. Indexes of sides count from 0, and an empty list stands for no choice."""
    return {
        "kind": "lines",
        "k": rules.k,
        "steps": [list(step) for step in rules.geometry.steps],
        "joined": list(rules.geometry.joined),
        "marks": list(rules.board_marks),
        "exact": list(rules.exact_for),
        "gravity": rules.gravity,
        "wild": rules.wild,
        "vanish": rules.vanish,
        "place": rules.place,
        "avoid": rules.avoid,
        "renju": rules.renju,
        "winners": [rules.marks.index(mark) for mark in rules.winners],
        "at_full": None,
        "full": str(Termination.FULL),
        "turns": [],
    }


def _k_in_a_row(game: Game) -> RuleData | None:
    rules = game.rules
    is_handled = rules is not None and game.facts <= HANDLED and can_enumerate(rules.geometry)
    return _lines(rules) if rules is not None and is_handled else None


def _order_and_chaos(game: Game) -> RuleData:
    order, chaos = map(game.sides.index, (ORDER, CHAOS))
    rules = Rules(shape=game.shape, k=K, wild=True)
    return {**_lines(rules), "winners": [order, order], "at_full": chaos, "full": EXHAUSTED}


def _pentago(game: Game) -> RuleData:
    """Return the data with the turns: ``to`` has the new cell of the mark on each cell."""
    turns = [
        {
            "name": f"{quadrant}{direction}",
            "to": [turned(1 << index, quadrant, direction).bit_length() - 1 for index in range(SIZE**2)],
        }
        for _, quadrant, direction in TWISTS[0]
    ]
    return {**_lines(Rules(shape=game.shape, k=K)), "turns": turns}


def _reversi(game: Game) -> RuleData:
    """Return the data of marks that turn over: the eight directions, and the first marks."""
    one_way = directions(len(game.shape))
    steps = [*one_way, *(tuple(-by for by in step) for step in one_way)]
    first = [-1 if mark is None else game.sides.index(mark) for mark in Reversi(sides=game.sides).cells]
    return {"kind": "flips", "steps": [list(step) for step in steps], "first": first}


def _ultimate(_: Game) -> RuleData:
    """Return the data of fields: the cells of each, and the places of lines in a field and of fields."""
    return {
        "kind": "fields",
        "fields": [list(cell_indices(field, range(9))) for field in range(9)],
        "lines": [list(places) for places in PLACES_IN_LINE],
    }


_KINDS: dict[type[Game], Callable[[Game], RuleData | None]] = {
    KInARow: _k_in_a_row,
    TicTacToe: _k_in_a_row,
    OrderAndChaos: _order_and_chaos,
    Pentago: _pentago,
    Reversi: _reversi,
    Ultimate: _ultimate,
}
"""The function that describes games of each class. A subclass may have other rules."""
