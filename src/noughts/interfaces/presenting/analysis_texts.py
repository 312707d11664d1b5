"""Analyses in words and as labels on the board, for every interface."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Literal

from noughts.core.board import Coordinate, index_of
from noughts.core.lines import MAX_ENUMERATED
from noughts.drawing.view import View, choosable, first_index, view_of
from noughts.games.base import Game, Move
from noughts.games.catalogue import name_of
from noughts.games.moves import cells_of
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.titles import title_of
from noughts.search.analysis import Analysis, own_moves
from noughts.search.explain.reasons import MoveReason

ValueWord = Literal["win", "draw", "loss", "unknown"]

WORDS: dict[int | None, ValueWord] = {1: "win", 0: "draw", -1: "loss", None: "unknown"}
"""The words for a value that scripts read. They are also the codes of highlights."""

COUNTED = {
    "forces-win": "moves",
    "sets-trap": "of",
    "development": "open_lines",
    "sends": "replies",
    "leaves": "replies",
    "on-the-way": "plies",
}
"""Reasons with a number in their sentence, and the key of that number."""

OPTIONAL_DATA = {"forces-win": "plies", "wins-now": "cells", "lets-win": "reply"}
"""Reasons that have a second sentence for the case that the data under this key is missing."""


def say_reason(say: Translator, reason: MoveReason, names: Names) -> str:
    """Return one sentence for *reason*.

    *names* are those of the position before the move.
    """
    id_ = f"reason-{_variant(reason)}"
    data = _named(reason, names, names.phrase, lambda moves: names.phrase(*moves), names.row)
    count = reason.data.get(COUNTED.get(reason.code, ""))
    return say(id_, **data) if count is None else say.plural(id_, count, **data)


def _variant(reason: MoveReason) -> str:
    code, data = reason.code, reason.data
    if code in OPTIONAL_DATA and not data.get(OPTIONAL_DATA[code]):
        return f"{code}-bare"
    if code == "only-move":
        return f"{code}-{data['result']}"
    return "development-first" if code == "development" and not data["own"] else code


def reason_as_json(game: Game, reason: MoveReason) -> dict[str, Any]:
    """Return the code of *reason* with its data. Moves and cells are strings, numbered from 1."""
    names = _Numbers(game)

    def moves(each: Iterable[Move]) -> list[str]:
        return list(map(names.move, each))

    def cells(each: Iterable[Coordinate]) -> list[str]:
        return list(dict.fromkeys(map(names.cell, each)))

    return {"code": reason.code, **_named(reason, names, names.move, moves, cells)}


def _named(
    reason: MoveReason,
    names: Names,
    move: Callable[[Move], Any],
    moves: Callable[[Sequence[Move]], Any],
    cells: Callable[[Sequence[Coordinate]], Any],
) -> dict[str, Any]:
    """Return the data of *reason*, formatted by the functions *move*, *moves* and *cells*."""
    ways = {"best": move, "reply": move, "threats": moves, "cells": cells}
    ways["field"] = lambda corners: names.rectangle(*corners)
    return {key: ways[key](value) if key in ways else value for key, value in reason.data.items()}


def forbidden_as_json(game: Game) -> list[dict[str, str]]:
    """Return the forbidden cells as numbers from 1, each with the reason."""
    forbidden = [
        (index_of(game.shape, cell) + 1, reason) for cell, reason in game.annotations().with_word("no")
    ]
    return [{"move": str(number), "reason": reason} for number, reason in sorted(forbidden)]


class _Numbers(Names):
    """Names for scripts: numbers from 1 on boards of every size and kind."""

    def cell(self, cell: Coordinate) -> str:
        return str(index_of(self.game.shape, cell) + self.first)

    @property
    def has_letters(self) -> bool:
        return False


def say_value(say: Translator, game: Game, analysis: Analysis) -> str:
    """Return one sentence for the value of *game* for the side to move, as *analysis* found it."""
    side, word = game.turn, WORDS[analysis.value]
    if analysis.cannot_lose:
        return say("worth-cannot-lose", side=side)
    if not analysis.value:
        return say(f"worth-{word}", side=side)
    if analysis.plies is None:
        return say(f"worth-{word}-bare", side=side)
    return say.plural(f"worth-{word}", own_moves(analysis.plies, game), side=side)


def say_no_value(say: Translator, game: Game) -> str:
    """Return a sentence that explains why positions of *game* have no value."""
    if len(game.sides) > 2:
        return say("no-value-not-two-sides")
    if len(game.cells) > MAX_ENUMERATED:
        return say("no-value-too-large", most=MAX_ENUMERATED)
    return say("no-value", game=title_of(say, name_of(game)))


def value_label(value: int | None, plies: int | None, game: Game) -> str:
    """Return *value* in few characters.

    ``+3`` wins in 3 moves, ``=`` is a draw, ``-4`` loses in 4 moves, ``?`` is unknown. Of the next *plies* of
    *game* only the moves of the side to move are counted.

    >>> from noughts import TicTacToe
    >>> value_label(1, 5, TicTacToe()), value_label(0, None, TicTacToe())
    ('+3', '=')
    """
    if not value:
        return "?" if value is None else "="
    return ("+" if value > 0 else "-") + ("" if plies is None else str(own_moves(plies, game)))


def value_view(game: Game, analysis: Analysis, hint: Move | None = None) -> View:
    """Return the board of *game* with the values of *analysis* on the empty cells and *hint* marked.

    If several moves lead to one cell, it shows the best of their values. If no value is known, the cells show
    their numbers.
    """
    by_rank = sorted(analysis.moves, key=attrgetter("rank"))
    by_cell = {first_index(game, evaluated.move): evaluated for evaluated in by_rank}
    proved = {
        index: by_cell[index]
        for index in choosable(game) & by_cell.keys()
        if by_cell[index].value is not None
    }
    highlights: dict[int, str] = {index: WORDS[evaluated.value] for index, evaluated in proved.items()}
    for cell in () if hint is None else cells_of(hint):
        index = index_of(game.shape, cell)
        highlights[index] = f"{highlights.get(index, '')} hint".strip()
    view = view_of(game, highlights=highlights)
    labels = {
        index: value_label(evaluated.value, evaluated.plies, game) for index, evaluated in proved.items()
    }
    return replace(view, labels=labels) if proved else view


def first_side_value(game: Game, value: int | None) -> str:
    """Return *value*, which is for the side to move, as first, draw, second or unknown, in turn order."""
    if not value:
        return WORDS[value]
    is_first = (game.turn == game.sides[0]) == (value > 0)
    return "first" if is_first else "second"
