"""How moves and cells are called when they are talked about: by number, or by letter and number."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.drawing.scene import has_letters, has_letters_outside
from noughts.games.base import Game, Move
from noughts.games.moves import Part, is_pass, parts_of
from noughts.games.notation import format_cell
from noughts.interfaces.presenting.i18n import Phrase, Translator


class Names:
    """What the moves and cells of *game* are called; numbers begin at *first*.

    Large boards and boards of tiles are drawn with letters and named by them. Where an interface draws all
    boards so, *letters* says it: flat ones, and in space with the number of the layer before. Where marks
    fall, columns have numbers all the same.

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
        """Whether cells are named by letter and number, ``h8``, as where the board is drawn with them."""
        is_lettered_here = self.letters and has_letters(self.game)
        return self.game.layout.tiles or is_lettered_here or has_letters_outside(self.game)

    def move(self, move: Move) -> str:
        """*move* as a player types it."""
        return self.game.notation.spell(move, self.cell)

    def table_text(self, move: Move) -> str:
        """*move* as it stands in a table: in space, where cells have numbers on the board, with its place.

        >>> from noughts import new_game
        >>> Names(new_game("qubic")).table_text((0, 3, 0)), Names(new_game("tictactoe")).table_text((1, 1))
        ('13 (1a1)', '5')
        """
        return self._beside_place(move) if self._has_bare_numbers else self.move(move)

    def table_line(self, moves: Iterable[Move]) -> str:
        """Several *moves* in a table: in space each with its place, where marks fall too.

        >>> from noughts import new_game
        >>> Names(new_game("qubic")).table_line([(2, 2, 1), (0, 3, 0)])
        '42 (3b2) 13 (1a1)'
        """
        return " ".join(map(self._beside_place, moves))

    def phrase(self, *moves: Move) -> Phrase:
        """*moves* in a sentence, which says what their numbers are numbers of.

        >>> from noughts import new_game
        >>> game = new_game("connect4")
        >>> [Translator("en").phrase(Names(game).phrase(*moves)) for moves in ([(5, 3)], [(5, 3), (5, 4)])]
        ['column 4', 'columns 4, 5']
        """
        if self._has_bare_numbers or any(map(is_pass, moves)):
            return self._each(moves)
        return self._thing(moves, tuple(map(self.move, moves)))

    def line_phrase(self, moves: Iterable[Move]) -> Phrase:
        """The same of *moves* that are made one after another: in space where marks fall with places too."""
        each = tuple(moves)
        if len(each) == 1 or any(map(is_pass, each)):
            return self.phrase(*each)
        if self._is_placed:
            return self._each(each)
        return replace(self._thing(each, tuple(map(self.move, each))), in_order=True)

    def _each(self, moves: Iterable[Move]) -> Phrase:
        """Each of *moves* with a word of its own, and in space its place; a single one is no list."""
        each = tuple(
            replace(self._thing([move], self.move(move)), beside=self._beside(move)) for move in moves
        )
        return each[0] if len(each) == 1 else Phrase("text", each)

    def cell_phrase(self, cell: Coordinate) -> Phrase:
        """A *cell* in a sentence, where it may be a column's."""
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
        """The *cells* of a row as they are told: in space, where they have numbers, with their places too.

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
        """Whether cells of rows are told by letter and number, alone or beside mere numbers."""
        return self.has_letters or self._has_bare_numbers

    @property
    def _has_bare_numbers(self) -> bool:
        """Whether cells in space have mere numbers, which do not say where they are."""
        return self._is_placed and self.game.notation.kind == "cell"

    @property
    def _is_placed(self) -> bool:
        """Whether mere numbers call a cell in space, or the column in which it is reached."""
        is_numbered = self.game.notation.kind in ("cell", "column") and not self.has_letters
        return is_numbered and len(self.game.shape) > 2

    def _beside_place(self, move: Move) -> str:
        place = self._beside(move)
        return f"{self.move(move)} ({place})" if place else self.move(move)

    def _beside(self, move: Move) -> str:
        """The place of *move*, where its number does not say it."""
        return self._place(move) if self._is_placed and parts_of(move) == (move,) else ""

    def _place(self, cell: Coordinate) -> str:
        return format_cell(self.game.shape, cell, from_top=self.game.layout.from_top)

    def cell(self, cell: Coordinate) -> str:
        """What a cell is called: where marks fall, only its column has a number on the screen."""
        if self.has_letters:
            return self._place(cell)
        if self.game.layout.has_columns:
            return self.column(cell)
        return str(index_of(self.game.shape, cell) + self.first)

    def column(self, cell: Coordinate) -> str:
        """The number of the column of *cell* where marks fall along the first axis."""
        return str(index_of(self.game.shape[1:], cell[1:]) + 1)

    def spell_parts(self, parts: Iterable[Part]) -> str:
        """Parts of a move as people read them.

        >>> from noughts import new_game
        >>> Names(new_game("wild"), letters=True).spell_parts([(1, 1), "X"])
        'b2 X'
        """
        return " ".join(part if isinstance(part, str) else self.cell(part) for part in parts)

    def cell_at(self, index: int) -> str:
        """A cell by its flat index."""
        return self.cell(coordinate_of(self.game.shape, index))

    def field(self, place: Coordinate) -> str:
        """A field of a board of fields by the cells in two of its corners; *place* is its row and column.

        >>> from noughts import new_game
        >>> Names(new_game("ultimate"), letters=True).field((0, 2)), Names(new_game("ultimate")).field((0, 2))
        ('g7-i9', '7-27')
        """
        down, across = self.game.layout.fields
        top, left = place[0] * down, place[1] * across
        return self.rectangle((top, left), (top + down - 1, left + across - 1))

    def rectangle(self, *corners: Coordinate) -> str:
        """The rectangle with these *corners* on a flat board, by its first cell and its last."""
        (top, bottom), (left, right) = (sorted(places) for places in zip(*corners, strict=True))
        if self.has_letters:  # rows are counted from the bottom
            top, bottom = bottom, top
        return f"{self.cell((top, left))}-{self.cell((bottom, right))}"

    @property
    def example(self) -> str:
        """A move that may be made, after the end the last one."""
        game = self.game
        return self.move(game.moves[-1] if game.is_over else game.legal_moves()[0])

    @property
    def example_of_cell(self) -> str:
        """What a cell near a corner is called: ``b2``, in space ``2b2``; of a single row the second."""
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
    """Under what sentences for each kind of moves are found: a mark goes with a cell, or with a column."""
    kind = game.notation.kind
    return "marked-column" if kind == "marked" and game.layout.has_columns else kind


def say_accepted(say: Translator, names: Names) -> str:
    """What a move looks like in this game: one sentence, its own or an example."""
    first, last = names.range
    kind = kind_of_moves(names.game)
    facts = {"first": first, "last": last, "marks": names.game.sides, "cell": names.example_of_cell}
    if names.has_letters and say.has(f"accepted-{kind}-letters"):
        return say(f"accepted-{kind}-letters", **facts)
    if say.has(f"accepted-{kind}"):
        return say(f"accepted-{kind}", **facts)
    return say("accepted-move", example=names.example)
