"""What a person means who types or points: the cell or move that a text names, and why a cell is none."""

from noughts.core.board import coordinate_of, index_of
from noughts.errors import BadInput, IllegalMove, OccupiedCell
from noughts.games.base import Game, Notation
from noughts.games.moves import Move, parts_of
from noughts.games.notation import CellNotation, ColumnNotation, parse_move

MAX_LENGTH = 8
"""A number of so many digits is that of no cell."""


def read_cell(game: Game, text: str, first: int) -> int:
    """The flat index of the cell that *text* names, where marks fall of where one lands in a column.

    Cells are numbered from *first*. Raises a :class:`~noughts.errors.BadInput` for what is no cell of the
    board.
    """
    if game.layout.has_columns:
        notation: Notation = ColumnNotation(game.shape)
    else:
        notation = CellNotation(game.shape, from_top=game.layout.from_top)
    return index_of(game.shape, notation.parse(text, game, first))


def read_move(game: Game, text: str, first: int) -> Move | None:
    """The move that *text* spells where that is more than a cell; None for any other text."""
    try:
        move = parse_move(game, text, first)
    except BadInput:
        return None
    return None if parts_of(move) == (move,) else move


def find_cell(game: Game, text: str, first: int) -> int:
    """The flat index of the cell or column that *text* names, for the cursor.

    Raises a :class:`~noughts.errors.BadInput` for what names none.
    """
    word = text.strip()
    if game.layout.drops and word.isascii() and word.isdigit() and len(word) < MAX_LENGTH:
        number, is_column = int(word) - first, 1 <= int(word) <= game.notation.count
        if not is_column and 0 <= number < len(game.cells):
            return number  # cells are called by numbers there, columns by the least of them
    return read_cell(game, text, first)


def refusal_of(game: Game, index: int) -> BadInput:
    """Why no move of *game* may begin at a cell where none does."""
    game = game.copy()
    legal, cell = game.legal_moves(), coordinate_of(game.shape, index)
    if game.layout.has_columns and game[top := (0, *cell[1:])] is not None:
        cell = top
    if parts_of(legal[0]) != (legal[0],):
        return (IllegalMove if game[cell] is None else OccupiedCell)(cell, legal)
    try:
        game.play(cell)
    except BadInput as error:
        return error
    raise AssertionError(f"{cell} is a legal move")
