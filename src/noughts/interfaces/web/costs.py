"""The costs of responses about a board: milliseconds, estimated from its size before the board is made.

The figures were measured on two cores with boards of 10,000 cells. Budgets need no exact figures.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from noughts.core.board import MAX_CELLS
from noughts.core.lines import MAX_ENUMERATED
from noughts.errors import NoughtsError, ShapeError
from noughts.games.base import Game
from noughts.games.catalogue import find_entry, name_of, name_of_spec, new_game, parse_spec
from noughts.games.rules import MARKS, Rules
from noughts.interfaces.presenting.custom_boards import check_moves

CATALOGUE, PUZZLES, INVITATION = 10.0, 5.0, 12.0
"""The costs of responses that are the same for all callers, or whose size is limited."""


@dataclass(frozen=True, slots=True)
class BoardSize:
    """The size of a board. ``directions`` is the number of line directions times the number of cells."""

    cells: int
    moves: int
    """The number of first moves."""
    directions: int

    @property
    def creation_cost(self) -> float:
        """The cost of a game on the board, without moves."""
        return 1 + self.cells / 2_000 + self.directions / 170_000

    @property
    def drawing_cost(self) -> float:
        """The cost of the drawing of the board."""
        return self.creation_cost + self.cells / 40

    @property
    def link_picture_cost(self) -> float:
        """The cost of the picture of a link to a position on the board."""
        return 60 + self.creation_cost + self.cells / 20

    def animation_cost(self, frames: int) -> float:
        """Return the cost of an animation with *frames* pictures of the board."""
        return 60 + frames * (30 + self.cells / 50)

    @property
    def options_cost(self) -> float:
        """The cost of the possible changes of the board. Lines are counted on small boards only."""
        return 2 + 2 * self.creation_cost + (self.directions / 6_000 if self.cells <= MAX_ENUMERATED else 0)

    def position_cost(self, plies: int, is_placed: bool = False) -> float:
        """Return the cost of the position after *plies* moves, or after a position as text if *is_placed*."""
        return self.creation_cost + plies / 20 + (self.cells / 100 if is_placed else 0)

    def exploration_cost(self, plies: int, is_placed: bool = False) -> float:
        """Return the cost of the position after *plies* moves, with its legal moves."""
        return self.position_cost(plies, is_placed) + plies / 20 + self.moves / 50

    def lines_cost(self, plies: int, is_placed: bool = False) -> float:
        """Return the cost of the lines through a cell of the position after *plies* moves."""
        return self.position_cost(plies, is_placed) + self.directions / 100_000

    def state_cost(self, plies: int) -> float:
        """Return the cost of the state of a room, with the command that leads to it."""
        return self.moves / 1_000 + plies / 100

    def resend_cost(self, plies: int) -> float:
        """Return the cost of the state of a room for one more reader."""
        return self.state_cost(plies) / 3

    def replay_cost(self, plies: int) -> float:
        """Return the cost of a finished game with the changes of the board with each move."""
        return self.position_cost(plies) + plies / 5 + plies * self.cells / 6_000


def size_of_rules(rules: Rules) -> BoardSize:
    """Return the size of the board of *rules*."""
    cells, choices = prod(rules.shape), len(rules.marks) if rules.wild else 1
    return BoardSize(cells, cells * choices, cells * 3 ** len(rules.shape) // 2)


def size_of(game: Game) -> BoardSize:
    """Return the size of the board of *game*."""
    cells = len(game.cells)
    return size_of_rules(game.rules) if game.rules is not None else BoardSize(cells, cells, 4 * cells)


@lru_cache(maxsize=256)
def _size_in_catalogue(name: str) -> BoardSize:
    return size_of(new_game(name))


def size_to_play(name: str, max_cells: int) -> BoardSize:
    """Return the size of the board of the game called *name*, without making the board.

    Raises :class:`~noughts.errors.ShapeError` for more than *max_cells* cells or first moves, and the errors
    of :func:`~noughts.games.catalogue.new_game` for an invalid description.
    """
    if find_entry(name) is not None:
        return _size_in_catalogue(name)
    rules = parse_spec(name)
    if prod(rules.shape) > max_cells:
        raise ShapeError(rules.shape, "too-many-cells", max_cells)
    check_moves(rules, max_cells)
    return size_of_rules(rules)


def size_of_stored(name: str) -> BoardSize:
    """Return the size of the board of a stored game, or an empty size if its game is unknown."""
    try:
        return size_to_play(name, MAX_CELLS * len(MARKS))
    except NoughtsError:
        return BoardSize(0, 0, 0)


def name_to_play(name: str, max_cells: int) -> str:
    """Return the stored name of the game called *name*. Raises the errors of :func:`size_to_play`."""
    size_to_play(name, max_cells)
    return name_of(new_game(name)) if find_entry(name) is not None else name_of_spec(parse_spec(name).spec)
