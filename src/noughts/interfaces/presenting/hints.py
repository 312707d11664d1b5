"""Hints in three steps, for every interface: the area, the move, the reason."""

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
"""The limits of the search for a hint, and of the search after each reply."""

PUZZLE_LIMIT = Limit(seconds=8)
"""The limit of the search for the shortest solution of a puzzle, the only proof that a move is good."""

UNVALUED = MoveValue(()).rank
"""The rank of a move of unknown value."""

NEAR_DISTANCE = 2
"""The distance in cells up to which a cell counts as near the last move."""

LARGE_SIDE = 7
"""The side length from which a flat board has named parts: the middle, the top left, ..."""

Area = tuple[str, dict[str, Any]]
"""The id of a sentence that names an area, and the data for its placeholders."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A good move, the reason for it, and the moves that are proved ``as_good``, including itself."""

    move: Move
    reason: MoveReason
    as_good: tuple[Move, ...] = ()


def find_hint(game: Game, analyst: Analyst) -> Hint:
    """Find a good move in about a second.

    It is the best move if that is known, otherwise a move of the player ``rule``. A move that is known to
    lose value is never chosen. The solution of a puzzle takes some seconds.
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
    """Return the moves that *analysis* values exactly like *move*, or none if it has no value."""
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
    elif analysis.value == -1:  # All moves lose, even those whose loss was not proved one by one.
        good = [known.move for known in analysis.moves if (known.value, known.plies) == (-1, analysis.plies)]
    else:
        good = [known.move for known in analysis.moves if known.value != -1]
    return guess if guess in good or not good else max(good, key=game.weight)


def _onward(game: Game) -> list[Move]:
    """Return the moves that do not lead back to the position before the last move."""
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
    """Return the text of *hint* for *game*: *step* 0 is the area, 1 the move, 2 and more the reason."""
    if step == 0:
        id_, data = find_area(game, hint.move, names, hint.as_good)
        return say.joined([say(id_, **data), say("hint-more")])
    move = say("hint", move=names.phrase(hint.move))
    return move if step == 1 else say.joined([move, say_reason(say, hint.reason, names)])


def find_area(
    game: Game, move: Move, names: Names, equals: Collection[Move] = (), *, refuted: Collection[Move] = ()
) -> Area:
    """Return the smallest named area with *move* and at least one other possible move.

    Moves in *refuted* are not possible. The areas are a layer, columns, the cells near the last move, a part
    of a large board, and a row or a column of a small one. If none of them excludes any move, the area is a
    list of a few moves, which includes *move* and all its *equals*.
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
    good, few = [other for other in moves if other in equals], _neighbours(move, moves)
    listed = [other for other in moves if other in few or other in equals]
    if len(listed) > MAX_LISTED:
        return "look-such", {"cells": names.phrase(*_neighbours(move, good))}
    return "look-cells", {"cells": names.phrase(*listed)}


def _neighbours(move: Move, moves: list[Move]) -> list[Move]:
    """Return three of *moves*, or all if there are fewer, with *move* in the middle if possible."""
    start = max(0, min(moves.index(move) - 1, len(moves) - 3))
    return moves[start : start + 3]


def _areas(
    game: Game, here: int, names: Names, cells: Collection[int]
) -> Iterator[tuple[Area, frozenset[int]]]:
    """Yield the areas around the cell *here* with their cells, the most useful first.

    *cells* are the cells of possible moves.
    """
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
    """Return the first, second or last third of *side*."""
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
