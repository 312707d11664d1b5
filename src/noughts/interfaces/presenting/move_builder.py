"""Moves that a person enters part by part: cells to point at, texts to choose."""

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.core.board import Coordinate
from noughts.games.base import Game
from noughts.games.moves import Move, Part, parts_of


@dataclass(frozen=True, slots=True)
class NextParts:
    """The possible next parts of a move: ``cells`` to point at, ``choices`` to choose from.

    ``moves`` are the moves that are still possible. The move is complete once there is only one.
    """

    moves: tuple[Move, ...]
    cells: tuple[Coordinate, ...]
    choices: tuple[str, ...]


def next_parts(moves: Iterable[Move], chosen: tuple[Part, ...] = ()) -> NextParts:
    """Return the parts that can follow the *chosen* parts in the legal *moves*.

    >>> from noughts import new_game
    >>> wild = new_game("wild").legal_moves()
    >>> next_parts(wild).cells[:2], next_parts(wild, ((1, 1),)).choices
    (((0, 0), (0, 1)), ('X', 'O'))
    """
    count = len(chosen)
    left = tuple(move for move in moves if parts_of(move)[:count] == chosen)
    parts = dict.fromkeys(part for move in left for part in parts_of(move)[count : count + 1])
    return NextParts(
        left,
        tuple(part for part in parts if not isinstance(part, str)),
        tuple(part for part in parts if isinstance(part, str)),
    )


def cell_pointed_at(game: Game, step: NextParts, cell: Coordinate) -> Coordinate | None:
    """Return the cell of *step* that a person means by pointing at *cell*, or None if there is none.

    Marks fall along the first axis.

    >>> from noughts import new_game
    >>> game = new_game("connect4")
    >>> cell_pointed_at(game, next_parts(game.legal_moves()), (0, 3))
    (5, 3)
    """
    if cell in step.cells or not game.layout.has_columns:
        return cell if cell in step.cells else None
    return next((choice for choice in step.cells if choice[1:] == cell[1:]), None)
