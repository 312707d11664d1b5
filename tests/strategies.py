"""Hypothesis strategies: shapes, rules of every kind, and games in the middle of being played."""

import math
from random import Random
from typing import Any

from hypothesis import strategies as st

from noughts.core.board import Shape
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.games.rules import MARKS, RENJU_K, SWITCHES, WITHOUT_MEANING, Rules


@st.composite
def shapes(draw: st.DrawFn, max_cells: int = 60, max_dimensions: int = 4) -> Shape:
    """Any shape of at most *max_cells* cells."""
    dimensions = draw(st.integers(1, max_dimensions))
    shape: list[int] = []
    for _ in range(dimensions):
        room = max_cells // math.prod(shape)
        shape.append(draw(st.integers(1, min(room, 9 if dimensions > 1 else max_cells))))
    return tuple(draw(st.permutations(shape)))


def coordinates_of(shape: Shape) -> st.SearchStrategy[tuple[int, ...]]:
    """Any coordinate of *shape*."""
    return st.tuples(*(st.integers(0, side - 1) for side in shape))


@st.composite
def rules(draw: st.DrawFn, max_cells: int = 60, max_dimensions: int = 4) -> Rules:
    """Any rules that have a meaning: every option, and every pair of options that may stand together."""
    shape = draw(shapes(max_cells, max_dimensions))
    chosen: dict[str, Any] = {name: True for name in SWITCHES if draw(st.integers(0, 3)) == 0}
    longest = math.lcm(*shape) if "wrap" in chosen else max(shape)
    k = draw(st.integers(1, min(longest, 6)))
    if len(shape) == 2 and longest >= RENJU_K and "renju" in chosen:
        k = RENJU_K
    else:
        chosen.pop("renju", None)
    players = draw(st.sampled_from((2, 2, 2, 3, 4)))
    most = (math.prod(shape) - 1) // players
    if most >= k and draw(st.booleans()):
        chosen["vanish"] = draw(st.integers(k, min(most, k + 3)))
    if players > 2:
        chosen["players"] = players
    for one, two in draw(st.permutations(WITHOUT_MEANING)):
        if one in chosen and two in chosen:
            del chosen[draw(st.sampled_from((one, two)))]
    count = chosen.get("players", 2)
    marks = draw(
        st.one_of(st.just(()), st.permutations(MARKS).map(lambda all_marks: tuple(all_marks[:count])))
    )
    return Rules(shape=shape, k=k, marks=marks, **chosen)


def play_at_random(game: Game, plies: int, seed: int) -> None:
    """Make up to *plies* random moves."""
    chance = Random(seed)
    for _ in range(plies):
        moves = game.legal_moves()
        if not moves:
            return
        game.play(chance.choice(moves))


@st.composite
def games(draw: st.DrawFn, max_cells: int = 40, max_dimensions: int = 4) -> KInARow:
    """A game of any rules after any number of random moves, finished ones among them."""
    game = KInARow(draw(rules(max_cells, max_dimensions)))
    play_at_random(game, draw(st.integers(0, 2 * max_cells)), draw(st.integers(0, 2**32)))
    return game
