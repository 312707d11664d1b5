"""Between games and the arrays of a batch: moves, and what the side to move sees."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from noughts.core.board import index_of
from noughts.core.geometry import coordinates
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of
from noughts.games.rules import Rules

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[tuple[int, ...], np.dtype[Any]]


def placings_of(rules: Rules, game: Game) -> tuple[list[int], list[int]]:
    """How the marks came that stood when *game* began, as far as it matters, and those placed since."""
    chosen = len(rules.marks) if rules.wild else 1
    start, since = game.copy(), list[int]()
    while start.ply:
        cell = index_of(rules.shape, cells_of(start.undo())[0])
        since.append(cell * chosen + (rules.placed.index(game.cells[cell] or "") if rules.wild else 0))
    return list(_placed_before(rules, start, chosen)), since[::-1]


def _placed_before(rules: Rules, start: Game, chosen: int) -> Iterator[int]:
    """The marks of a position: where they vanish, those of all sides by turns, the oldest first."""
    if rules.vanish:
        ages = [[int(cell) - 1 for cell in own.split(",") if cell] for own in start.extra.split(";")]
        first = rules.marks.index(start.turn) if sum(map(len, ages)) == rules.vanish * rules.players else 0
        in_turn = ages[first:] + ages[:first]
        for rank in range(rules.vanish):
            yield from (own[rank] for own in in_turn if rank < len(own))
        return
    for cell, mark in enumerate(start.cells):
        if mark is not None:
            yield cell * chosen + (rules.placed.index(mark) if rules.wild else 0)


def moves_of(rules: Rules, placings: Iterable[int]) -> Iterator[Move]:
    """The moves that made *placings*."""
    cells, chosen = coordinates(rules.shape), len(rules.marks)
    if rules.wild:
        yield from ((cells[number // chosen], rules.marks[number % chosen]) for number in placings)
    else:
        yield from (cells[number] for number in placings)


def observe(rules: Rules, cells: "Array", turn: "Array", moves: "Array", length: "Array") -> "Array":
    """What the sides to move see, as :attr:`noughts.Batch.observations` tells it."""
    import numpy as np

    n, size = cells.shape
    if rules.vanish:
        planes = np.zeros((n, rules.players * rules.vanish, size), bool)
        for back in range(1, rules.players * rules.vanish + 1):  # the last move, the one before it, ...
            games = np.flatnonzero(length >= back)
            stays = rules.vanish - 1 - (back - 1) // rules.players
            plane = -back % rules.players * rules.vanish + stays
            planes[games, plane, moves[games, length[games] - back]] = True
    elif rules.wild or rules.notakto:
        planes = np.stack([cells == mark for mark in range(len(rules.placed))], axis=1)
    else:
        sides = [((turn + later) % rules.players)[:, np.newaxis] for later in range(rules.players)]
        planes = np.stack([cells == side for side in sides], axis=1)
    return planes.reshape(n, planes.shape[1], *rules.shape)
