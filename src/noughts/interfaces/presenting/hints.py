"""Hints: where to look, which move, and why; for every interface."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Any

from noughts.core.board import index_of
from noughts.core.lines import MAX_ENUMERATED
from noughts.drawing.view import choosable_cells, first_index
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.layout import Layout, plane_label
from noughts.games.moves import is_pass
from noughts.games.notation import column_letters
from noughts.interfaces.presenting.analysis_texts import say_reason
from noughts.interfaces.presenting.i18n import MAX_LISTED, Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.players.base import new_player
from noughts.search.analysis import UNKNOWN, Analysis, Limit, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.explain.reasons import MoveReason, explain

HINT_LIMIT = Limit(nodes=50_000, seconds=0.6)
GLANCE_LIMIT = Limit(nodes=5_000, seconds=0.2)
"""What finding a hint may take, and what looking at the answers to it."""

PUZZLE_LIMIT = Limit(seconds=8)
"""What finding the shortest solution of a puzzle may take: nothing else tells which move is good."""

UNVALUED = MoveValue(()).rank
"""The rank of a move of unknown value."""

NEAR_DISTANCE = 2
"""How many cells away from the last move is near it."""

LARGE_SIDE = 7
"""Sides from which a flat board has parts: the middle, the top left, ..."""

Area = tuple[str, dict[str, Any]]
"""The id of a sentence that says where to look, and what fills it."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A good move, why it is, and which moves are proved to be ``as_good``, itself among them."""

    move: Move
    reason: MoveReason
    as_good: tuple[Move, ...] = ()


def find_hint(game: Game, analyst: Analyst) -> Hint:
    """A good move, found in about a second at most: the best where that is known, else as rule would play.

    Where values are known it is none that gives something away. The solution of a puzzle takes some seconds.
    """
    if len(game.cells) > MAX_ENUMERATED:
        return Hint(_choose(game, UNKNOWN), MoveReason("unknown"))
    try:
        analysis = analyst.analyse(game, PUZZLE_LIMIT if len(game.sides) == 1 else HINT_LIMIT)
    except UnsupportedRules:
        analysis = UNKNOWN
    move = _choose(game, analysis)
    look = (lambda after: analyst.analyse(after, GLANCE_LIMIT)) if analysis.is_proved else None
    return Hint(move, explain(game, analysis, look, {move})[move], as_good(analysis, move))


def as_good(analysis: Analysis, move: Move) -> tuple[Move, ...]:
    """The moves that are *analysis* to be worth exactly as much as *move*, if its value was found."""
    rank = next((known.rank for known in analysis.moves if known.move == move), UNVALUED)
    return tuple(known.move for known in analysis.moves if known.rank == rank != UNVALUED)


def _choose(game: Game, analysis: Analysis) -> Move:
    surest = max(analysis.moves, key=attrgetter("rank"), default=None)
    if surest is not None and surest.value == 1:
        return surest.move if analysis.value is None or analysis.best is None else analysis.best
    if analysis.best is not None:
        return analysis.best
    guess = new_player("rule", Random(0)).choose(game.copy(), Limit())
    if len(game.sides) == 1:
        good = _onward(game)
    elif analysis.value == -1:  # all moves lose, also those of which that was not found one by one
        good = [known.move for known in analysis.moves if (known.value, known.plies) == (-1, analysis.plies)]
    else:
        good = [known.move for known in analysis.moves if known.value != -1]
    return guess if guess in good or not good else max(good, key=game.weight)


def _onward(game: Game) -> list[Move]:
    """The moves that do not lead back to where the last one came from."""
    after, moves = game.copy(), game.legal_moves()
    if not after.ply:
        return list(moves)
    after.undo()
    before = after.key()
    onward: list[Move] = []
    for move in moves:
        after = game.copy()
        after.play(move)
        if after.key() != before:
            onward.append(move)
    return onward


def say_hint(say: Translator, game: Game, names: Names, hint: Hint, step: int) -> str:
    """What is told of *hint* in the position of *game*: at *step* 0 where to look, then which, then why."""
    if step == 0:
        id_, data = find_area(game, hint.move, names, hint.as_good)
        return say.joined([say(id_, **data), say("hint-more")])
    move = say("hint", move=names.phrase(hint.move))
    return move if step == 1 else say.joined([move, say_reason(say, hint.reason, names)])


def find_area(
    game: Game, move: Move, names: Names, equals: Collection[Move] = (), *, refuted: Collection[Move] = ()
) -> Area:
    """Where to look for *move*: the smallest area that has a name and more than one move that may be it.

    Those that are known to be *refuted* are not.

    A layer, columns, near the last move, a part of a large board, a row or a column of a small one; and
    where none of them tells anything, a few moves of which it is one, with all its *equals*.
    """
    moves = [other for other in game.legal_moves() if other not in refuted]
    if is_pass(move):
        return "look-pass", {}
    if len(moves) == 1:
        return "look-only", {}
    here = first_index(game, move)
    if here is not None and len(game.cells) <= MAX_ENUMERATED:
        cells = {index_of(game.shape, cell) for cell in choosable_cells(game)}
        if refuted:
            cells &= {first_index(game, other) for other in moves}
        for area, inside in _areas(game, here, names, cells):
            if 1 < len(cells & inside) < len(cells):
                return area
    if len(equals) == len(moves):
        return "look-anywhere", {}
    good, few = [other for other in moves if other in equals], _around(move, moves)
    listed = [other for other in moves if other in few or other in equals]
    if len(listed) > MAX_LISTED:
        return "look-such", {"cells": names.phrase(*_around(move, good))}
    return "look-cells", {"cells": names.phrase(*listed)}


def _around(move: Move, moves: list[Move]) -> list[Move]:
    """Three of *moves*, or all where there are fewer, with *move* in the middle if it is not at an end."""
    start = max(0, min(moves.index(move) - 1, len(moves) - 3))
    return moves[start : start + 3]


def _areas(
    game: Game, here: int, names: Names, cells: Collection[int]
) -> Iterator[tuple[Area, frozenset[int]]]:
    """The areas around the cell *here* with their cells, the most telling first; *cells* may be it."""
    layout = game.layout
    plane, row, column = layout.place(here)
    rows, columns = range(layout.rows), range(layout.columns)
    if layout.planes > 1:
        label = plane_label(game.shape[:-2], plane)
        yield ("look-layer", {"layer": label}), _rectangle(layout, plane, rows, columns)
    elif layout.gravity:
        near = columns[max(0, column - 1) : column + 2]
        few = [one for one in near if any(layout.index(0, row, one) in cells for row in rows)]
        yield ("look-columns", {"first": few[0] + 1, "last": few[-1] + 1}), _rectangle(layout, 0, rows, few)
    else:
        if min(layout.rows, layout.columns) >= LARGE_SIDE:
            yield from _near_the_last_move(game, here, names)
            high, wide = 3 * row // layout.rows, 3 * column // layout.columns
            part = _rectangle(layout, 0, _third(rows, high), _third(columns, wide))
            yield (f"look-{PARTS[3 * high + wide]}", {}), part
        number: int | str = layout.row_number(row) if names.has_letters else row + 1
        yield ("look-row", {"number": number}), _rectangle(layout, 0, [row], columns)
        number = column_letters(column) if names.has_letters else column + 1
        yield ("look-column", {"number": number}), _rectangle(layout, 0, rows, [column])


def _near_the_last_move(game: Game, here: int, names: Names) -> Iterator[tuple[Area, frozenset[int]]]:
    latest, layout = next(iter(game.last_cells()), None), game.layout
    if latest is None or any(layout.fields):
        return
    _, row, column = layout.place(index_of(game.shape, latest))
    rows = range(layout.rows)[max(0, row - NEAR_DISTANCE) : row + NEAR_DISTANCE + 1]
    columns = range(layout.columns)[max(0, column - NEAR_DISTANCE) : column + NEAR_DISTANCE + 1]
    near = _rectangle(layout, 0, rows, columns)
    if here in near:
        yield ("look-near", {"cell": names.cell_phrase(latest)}), near


def _third(side: range, number: int) -> range:
    """The first, second or last third of *side*."""
    return range(-(-number * len(side) // 3), -(-(number + 1) * len(side) // 3))


def _rectangle(layout: Layout, plane: int, rows: Iterable[int], columns: Iterable[int]) -> frozenset[int]:
    across = list(columns)
    return frozenset(layout.index(plane, row, column) for row in rows for column in across)


PARTS = (
    *("top-left", "top", "top-right"),
    *("left", "middle", "right"),
    *("bottom-left", "bottom", "bottom-right"),
)
"""The parts of a large board in reading order."""
