"""Hypothesis strategies: shapes, rules of every kind, and games at any stage."""

import math
from random import Random
from typing import Any

from hypothesis import strategies as st

from noughts.core.board import Shape
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.games.rules import AXES, MARKS, RENJU_K, SWITCHES, WITHOUT_MEANING, Rules


@st.composite
def shapes(draw: st.DrawFn, max_cells: int = 60, max_dimensions: int = 4) -> Shape:
    """Return shapes of at most *max_cells* cells."""
    dimensions = draw(st.integers(1, max_dimensions))
    shape: list[int] = []
    for _ in range(dimensions):
        room = max_cells // math.prod(shape)
        shape.append(draw(st.integers(1, min(room, 9 if dimensions > 1 else max_cells))))
    return tuple(draw(st.permutations(shape)))


def coordinates_of(shape: Shape) -> st.SearchStrategy[tuple[int, ...]]:
    """Return coordinates of *shape*."""
    return st.tuples(*(st.integers(0, side - 1) for side in shape))


def joined_axes(dimensions: int) -> st.SearchStrategy[bool | str]:
    """Return axes of a board to join; all of them in both notations."""
    some = st.sets(st.sampled_from(AXES[:dimensions]), min_size=1).map(lambda axes: "".join(sorted(axes)))
    return st.one_of(st.just(True), some)


def longest_line(shape: Shape, wrap: bool | str) -> int:
    """Return the maximum length of a line: around the board, or along one axis."""
    sides = dict(zip(AXES, reversed(shape), strict=False))
    axes = set(sides) if wrap is True else set(wrap or "")
    around = math.lcm(*(sides[axis] for axis in axes))
    return max(around, *(side for axis, side in sides.items() if axis not in axes), 1)


def _may_have(option: str, shape: Shape) -> bool:
    """Return True if a board of *shape* may have *option*."""
    if option not in ("hex", "renju"):
        return True
    return len(shape) == 2 and (option == "hex" or max(shape) >= RENJU_K)


@st.composite
def rules(draw: st.DrawFn, max_cells: int = 60, max_dimensions: int = 4, option: str = "") -> Rules:
    """Return consistent rules: every option, and every compatible pair of options.

    *option* is one of the options, if its name is given.
    """
    shape = draw(shapes(max_cells, max_dimensions).filter(lambda shape: _may_have(option, shape)))
    chosen: dict[str, Any] = {
        name: True for name in SWITCHES if draw(st.integers(0, 3)) == 0 or name == option
    }
    for name in ("hex", "renju"):
        if not _may_have(name, shape):
            chosen.pop(name, None)
    if "wrap" in chosen:
        chosen["wrap"] = draw(joined_axes(len(shape)))
        names_falling_axis = AXES[len(shape) - 1] in str(chosen["wrap"])
        if "gravity" in chosen and chosen["wrap"] is not True and names_falling_axis:
            chosen["wrap"] = True
    longest = longest_line(shape, chosen.get("wrap", False))
    k = RENJU_K if "renju" in chosen else draw(st.integers(1, min(longest, 6)))
    players = draw(st.sampled_from((3, 4) if option == "players" else (2, 2, 2, 3, 4)))
    most = (math.prod(shape) - 1) // players
    if most >= k and (option == "vanish" or draw(st.booleans())):
        chosen["vanish"] = draw(st.integers(k, min(most, k + 3)))
    if players > 2:
        chosen["players"] = players
    most = min(4, math.prod(shape) - 1)
    if most > 1 and (option == "place" or draw(st.integers(0, 3)) == 0):
        chosen["place"] = draw(st.integers(2, most))
    if k > 1 and (option == "avoid" or draw(st.integers(0, 3)) == 0):
        chosen["avoid"] = draw(st.integers(1, k - 1))
    pairs = [(one, two) for one, others in WITHOUT_MEANING.items() for two in others]
    for one, two in draw(st.permutations(pairs)):
        if one in chosen and two in chosen:
            removed = draw(st.sampled_from([name for name in (one, two) if name != option]))
            if removed == "wrap":
                k = min(k, max(shape))
            del chosen[removed]
    if k == 1 or chosen.get("avoid", 0) >= k:
        chosen.pop("avoid", None)
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
    """Return games of any rules after any number of random moves, including finished ones."""
    game = KInARow(draw(rules(max_cells, max_dimensions)))
    play_at_random(game, draw(st.integers(0, 2 * max_cells)), draw(st.integers(0, 2**32)))
    return game
