"""Names of moves and cells: a number, or a letter and a number."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.drawing.scene import has_letters, has_letters_outside
from noughts.games.base import Game, Move
from noughts.games.moves import Part, is_pass, parts_of
from noughts.games.notation import format_cell
from noughts.interfaces.presenting.i18n import Phrase, Translator


class Names:
    """The names of the moves and cells of *game*.

    Numbers start at *first*. Large boards and boards of tiles use letters for their columns. An interface
    that draws all boards with letters sets *letters*: flat boards then have them too, and boards in space put
    the number of the layer first. If marks fall, columns have numbers in any case.

    >>> from noughts import new_game
    >>> Names(new_game("tictactoe")).move((1, 1)), Names(new_game("gomoku")).move((7, 7))
    ('5', 'h8')
    >>> Names(new_game("tictactoe"), letters=True).move((1, 1)), Names(new_game("4d"), letters=True).example
    ('b2', '1.1a3')
    """

    def __init__(self, game: Game, first: int = 1, *, letters: bool = False) -> None:
        self.game, self.first, self.letters = game, first, letters

    @property
    def has_letters(self) -> bool:
        """True if cells are named by letter and number, ``h8``, as on boards drawn with letters."""
        is_lettered_here = self.letters and has_letters(self.game)
        return self.game.layout.tiles or is_lettered_here or has_letters_outside(self.game)

    def move(self, move: Move) -> str:
        """Return *move* as a player types it."""
        return self.game.notation.spell(move, self.cell)

    def table_text(self, move: Move) -> str:
        """Return *move* for a table.

        In space a number is followed by the place of the cell.

        >>> from noughts import new_game
        >>> Names(new_game("qubic")).table_text((0, 3, 0)), Names(new_game("tictactoe")).table_text((1, 1))
        ('13 (1a1)', '5')
        """
        return self._beside_place(move) if self._has_bare_numbers else self.move(move)

    def table_line(self, moves: Iterable[Move]) -> str:
        """Return several *moves* for a table.

        In space each number is followed by its place.

        >>> from noughts import new_game
        >>> Names(new_game("qubic")).table_line([(2, 2, 1), (0, 3, 0)])
        '42 (3b2) 13 (1a1)'
        """
        return " ".join(map(self._beside_place, moves))

    def phrase(self, *moves: Move) -> Phrase:
        """Return *moves* as a phrase with a noun, such as *cells* or *columns*.

        >>> from noughts import new_game
        >>> game = new_game("connect4")
        >>> [Translator("en").phrase(Names(game).phrase(*moves)) for moves in ([(5, 3)], [(5, 3), (5, 4)])]
        ['column 4', 'columns 4, 5']
        """
        if self._has_bare_numbers or any(map(is_pass, moves)):
            return self._each(moves)
        return self._thing(moves, tuple(map(self.move, moves)))

    def line_phrase(self, moves: Iterable[Move]) -> Phrase:
        """Return *moves* that follow each other as a phrase.

        In space numbers of columns have places too.
        """
        each = tuple(moves)
        if len(each) == 1 or any(map(is_pass, each)):
            return self.phrase(*each)
        if self._is_placed:
            return self._each(each)
        return replace(self._thing(each, tuple(map(self.move, each))), in_order=True)

    def _each(self, moves: Iterable[Move]) -> Phrase:
        """Return a phrase with a noun for each of *moves*, and in space its place."""
        each = tuple(
            replace(self._thing([move], self.move(move)), beside=self._beside(move)) for move in moves
        )
        return each[0] if len(each) == 1 else Phrase("text", each)

    def cell_phrase(self, cell: Coordinate) -> Phrase:
        """Return *cell* as a phrase.

        If marks fall, it names the column.
        """
        return self._thing([cell], self.cell(cell))

    def _thing(self, moves: Sequence[Move], name: str | tuple[str, ...]) -> Phrase:
        kind = self.game.notation.kind
        if all(map(is_pass, moves)):
            return Phrase("pass", name)
        if kind not in ("cell", "column") and any(parts_of(move) != (move,) for move in moves):
            return Phrase("text", name)
        if self.game.layout.has_columns:
            return Phrase("column" if len(moves) == 1 else "columns", name)
        if self.has_letters and len(self.game.shape) > 1:
            return Phrase("place", name)
        return Phrase("cell" if len(moves) == 1 else "cells", name)

    def row(self, cells: Iterable[Coordinate]) -> Phrase:
        """Return the *cells* of a row as a phrase.

        In space numbers are followed by the places.

        >>> from noughts import new_game
        >>> Translator("en").phrase(Names(new_game("3d")).row([(0, 0, 0), (1, 1, 1), (2, 2, 2)]))
        'cells 1 14 27 (1a3 2b2 3c1)'
        """
        each = list(cells)
        numbers = dict.fromkeys(map(self.cell, each))
        texts = tuple(numbers)
        if self.game.layout.has_columns:
            return Phrase("column" if len(numbers) == 1 else "columns", texts, in_order=True)
        places = " ".join(map(self._place, each)) if self._has_bare_numbers else ""
        return replace(self._thing(each, texts), beside=places, in_order=True)

    @property
    def has_places(self) -> bool:
        """True if the cells of rows are named by letter and number, alone or beside numbers."""
        return self.has_letters or self._has_bare_numbers

    @property
    def _has_bare_numbers(self) -> bool:
        """True if cells in space have plain numbers, which do not show their place."""
        return self._is_placed and self.game.notation.kind == "cell"

    @property
    def _is_placed(self) -> bool:
        """True if plain numbers name cells in space, or the columns in which they are reached."""
        is_numbered = self.game.notation.kind in ("cell", "column") and not self.has_letters
        return is_numbered and len(self.game.shape) > 2

    def _beside_place(self, move: Move) -> str:
        place = self._beside(move)
        return f"{self.move(move)} ({place})" if place else self.move(move)

    def _beside(self, move: Move) -> str:
        """Return the place of *move* if its number does not show it, or an empty text."""
        return self._place(move) if self._is_placed and parts_of(move) == (move,) else ""

    def _place(self, cell: Coordinate) -> str:
        return format_cell(self.game.shape, cell, from_top=self.game.layout.from_top)

    def cell(self, cell: Coordinate) -> str:
        """Return the name of a cell, or the number of its column if marks fall."""
        if self.has_letters:
            return self._place(cell)
        if self.game.layout.has_columns:
            return self.column(cell)
        return str(index_of(self.game.shape, cell) + self.first)

    def column(self, cell: Coordinate) -> str:
        """Return the number of the column of *cell* if marks fall along the first axis."""
        return str(index_of(self.game.shape[1:], cell[1:]) + 1)

    def spell_parts(self, parts: Iterable[Part]) -> str:
        """Return the parts of a move as people read them.

        >>> from noughts import new_game
        >>> Names(new_game("wild"), letters=True).spell_parts([(1, 1), "X"])
        'b2 X'
        """
        return " ".join(part if isinstance(part, str) else self.cell(part) for part in parts)

    def cell_at(self, index: int) -> str:
        """Return the name of the cell with the flat *index*."""
        return self.cell(coordinate_of(self.game.shape, index))

    def field(self, place: Coordinate) -> str:
        """Return a field as the cells in two of its corners.

        *place* is its row and column.

        >>> from noughts import new_game
        >>> Names(new_game("ultimate"), letters=True).field((0, 2)), Names(new_game("ultimate")).field((0, 2))
        ('g7-i9', '7-27')
        """
        down, across = self.game.layout.fields
        top, left = place[0] * down, place[1] * across
        return self.rectangle((top, left), (top + down - 1, left + across - 1))

    def rectangle(self, *corners: Coordinate) -> str:
        """Return the rectangle with these *corners* on a flat board, as its first and last cell."""
        (top, bottom), (left, right) = (sorted(places) for places in zip(*corners, strict=True))
        if self.has_letters:  # Rows are counted from the bottom.
            top, bottom = bottom, top
        return f"{self.cell((top, left))}-{self.cell((bottom, right))}"

    @property
    def example(self) -> str:
        """A legal move. After the end it is the last move."""
        game = self.game
        return self.move(game.moves[-1] if game.is_over else game.legal_moves()[0])

    @property
    def example_of_cell(self) -> str:
        """The name of a cell near a corner: ``b2``, in space ``2b2``.

        In a single row it is the second cell.
        """
        shape = self.game.shape
        sides = [min(1, side - 1) for side in shape]
        if len(shape) > 1:
            sides[-2] = self.game.layout.row_number(sides[-2]) - 1
        return self.cell(tuple(sides))

    @property
    def range(self) -> tuple[int, int]:
        """The first and the last number that a move can have."""
        notation = self.game.notation
        first = 1 if self.game.layout.has_columns else self.first
        return first, first + notation.count - 1


def kind_of_moves(game: Game) -> str:
    """Return the kind of moves in message ids.

    A mark is placed on a cell or dropped in a column.
    """
    kind = game.notation.kind
    return "marked-column" if kind == "marked" and game.layout.has_columns else kind


def say_accepted(say: Translator, names: Names) -> str:
    """Return one sentence about the form of moves in this game, its own or with an example."""
    first, last = names.range
    kind = kind_of_moves(names.game)
    facts = {"first": first, "last": last, "marks": names.game.sides, "cell": names.example_of_cell}
    if names.has_letters and say.has(f"accepted-{kind}-letters"):
        return say(f"accepted-{kind}-letters", **facts)
    if say.has(f"accepted-{kind}"):
        return say(f"accepted-{kind}", **facts)
    return say("accepted-move", example=names.example)
