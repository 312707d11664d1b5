"""The conversion between games and the placings that a batch stores."""

from collections.abc import Iterable, Iterator, Sequence

from noughts.batch.layout import EMPTY
from noughts.core.board import index_of
from noughts.core.geometry import coordinates
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of
from noughts.games.rules import Rules


def placings_of(rules: Rules, game: Game) -> tuple[list[int], list[int]]:
    """Return the placings of the marks before *game* started, as far as they matter, and those since."""
    chosen = len(rules.marks) if rules.wild else 1
    start, since = game.copy(), list[int]()
    while start.ply:
        cell = index_of(rules.shape, cells_of(start.undo())[0])
        since.append(cell * chosen + (rules.board_marks.index(game.cells[cell] or "") if rules.wild else 0))
    return list(_placed_before(rules, start, chosen)), since[::-1]


def _placed_before(rules: Rules, start: Game, chosen: int) -> Iterator[int]:
    """Yield the placings of the marks of a position, by turns and the oldest first if marks vanish."""
    if rules.vanish:
        ages = [[int(cell) - 1 for cell in own.split(",") if cell] for own in start.extra.split(";")]
        first = rules.marks.index(start.turn) if sum(map(len, ages)) == rules.vanish * rules.players else 0
        in_turn = ages[first:] + ages[:first]
        for rank in range(rules.vanish):
            yield from (own[rank] for own in in_turn if rank < len(own))
        return
    for cell, mark in enumerate(start.cells):
        if mark is not None:
            yield cell * chosen + (rules.board_marks.index(mark) if rules.wild else 0)


def moves_of(rules: Rules, placings: Iterable[int]) -> Iterator[Move]:
    """Yield the moves that made *placings*."""
    cells, chosen = coordinates(rules.shape), len(rules.marks)
    if rules.wild:
        yield from ((cells[number // chosen], rules.marks[number % chosen]) for number in placings)
    else:
        yield from (cells[number] for number in placings)


def is_by_turns(cells: Sequence[int], turn: int, sides: int) -> bool:
    """Return True if *sides* sides moving in turn can have filled *cells*, with *turn* next."""
    filled = len(cells) - cells.count(EMPTY)
    counts = [(filled + sides - 1 - side) // sides for side in range(sides)]
    return turn == filled % sides and counts == [cells.count(side) for side in range(sides)]
