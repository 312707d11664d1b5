"""Text to move and back, text to position and back: one parser for every interface.

A digit is an ASCII digit. Blanks around a text are ignored. Each game has its own notation of moves: a cell
number in reading order, a column if marks fall, ``X5`` if the mover chooses the mark. On flat boards ``b2``
is also read, and in space ``2b3``: the layer, the column, the row from the bottom.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, NoReturn

from noughts.core.board import Coordinate, Shape, coordinate_of, index_of
from noughts.errors import MoveRefused, NotationError, OccupiedCell
from noughts.games.base import PASS, Game, Move, Notation, Placement

MAX_TEXT = 4_000_000
"""The longest position that is read, in characters: more than the largest board needs."""

MAX_DIGIT = 9
"""The last one-digit number. Numbers up to it can run together."""

_TOGETHER = ("cell", "column", "marked")
"""The kinds of notations with moves that can run together."""

_NUMBER = re.compile(r"[0-9]{1,7}")
_CELL_NAME = re.compile(r"[A-Za-z]{1,2}[0-9]{1,2}")
_CELLS_TOGETHER = re.compile(r"(?:[A-Za-z]{1,2}[0-9]{1,2}){2,1000}")
_LETTERS_APART = re.compile(r"[0-9.]{1,99}(?:[A-Za-z]{1,2}[0-9.]{1,99}){2,1000}")
"""The names of two cells or more in space."""

_LETTERS = re.compile(r"([0-9.]{0,32})([A-Za-z]{1,4})([0-9]{1,7})")


class CellNotation:
    """The notation of cells: ``5``, on flat boards ``b2``, in space ``2b3``, in more dimensions ``2.1b3``.

    Rows are counted from the bottom, or *from_top* if that is usual in the game. If every axis before the
    letter has fewer than ten places, the dots may be omitted: ``21b3``.
    """

    kind = "cell"

    def __init__(self, shape: Shape, *, from_top: bool = False) -> None:
        self.shape, self.from_top = shape, from_top
        self.count = prod(shape)

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        text = text.strip()
        if _NUMBER.fullmatch(text):
            if not first <= int(text) < self.count + first:
                raise NotationError("move", text, "no-such-cell", first=first, last=self.count - 1 + first)
            return coordinate_of(self.shape, int(text) - first)
        if len(self.shape) > 1 and (match := _LETTERS.fullmatch(text)):
            layers = self._layers(match[1])
            if layers is not None:
                return self._by_letters(text, layers, match[2], int(match[3]))
        raise NotationError("move", text, "unreadable")

    def _layers(self, text: str) -> tuple[int, ...] | None:
        """Return the places along the axes before the last two, counted from 1.

        Return None if the text names none.
        """
        above = self.shape[:-2]
        is_short = "." not in text and len(above) > 1 and max(above) < 10
        parts = list(text) if is_short else text.split(".") if text else []
        return tuple(map(int, parts)) if len(parts) == len(above) and all(parts) else None

    def _by_letters(self, text: str, layers: tuple[int, ...], letters: str, number: int) -> Coordinate:
        *above, rows, columns = self.shape
        row = number - 1 if self.from_top else rows - number
        cell = (*(layer - 1 for layer in layers), row, column_number(letters))
        if not all(0 <= place < side for place, side in zip(cell, (*above, rows, columns), strict=True)):
            raise NotationError("move", text, "no-such-cell", first=1, last=self.count)
        return cell

    def format(self, move: Move, first: int = 1) -> str:
        return self.spell(move, lambda cell: str(index_of(self.shape, cell) + first))

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        return name(move)


class ColumnNotation:
    """The notation of columns in which marks fall: ``4``.

    Columns are counted from 1, row-major over the other axes.
    """

    kind = "column"

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.count = prod(shape[1:])
        self._cells = CellNotation(shape)

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        text = text.strip()
        if not _NUMBER.fullmatch(text):
            return self._cells.parse(text, game)  # the cell in which the mark lands
        if not 1 <= int(text) <= self.count:
            raise NotationError("move", text, "no-such-column", first=1, last=self.count)
        for height in reversed(range(self.shape[0])):
            cell = coordinate_of(self.shape, height * self.count + int(text) - 1)
            if game[cell] is None:
                return cell
        raise OccupiedCell(coordinate_of(self.shape, int(text) - 1), game.legal_moves(), "column-full")

    def format(self, move: Move, first: int = 1) -> str:
        return str(index_of(self.shape, move) % self.count + 1)

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        return self.format(move)  # cells have no names of their own here


class MarkedNotation:
    """The notation ``X5``: the mark that the mover chose, then the cell or column."""

    kind = "marked"

    def __init__(self, plain: Notation, marks: tuple[str, ...]) -> None:
        self.plain, self.marks = plain, marks
        self.count = plain.count

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        text = text.strip()
        if not text or text[0].upper() not in self.marks:
            raise NotationError("move", text, "mark-missing", allowed=self.marks)
        return Placement(self.plain.parse(text[1:], game, first), text[0].upper())

    def format(self, move: Move, first: int = 1) -> str:
        cell, mark = move
        return str(mark) + self.plain.format(cell, first)

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        cell, mark = move
        return str(mark) + self.plain.spell(cell, name)


class PassingNotation(CellNotation):
    """The notation of cells, and ``pass`` if a side cannot place."""

    def parse(self, text: str, game: Game, first: int = 1) -> Move:
        return PASS if text.strip().lower() == "pass" else super().parse(text, game, first)

    def spell(self, move: Move, name: Callable[[Coordinate], str]) -> str:
        return "pass" if move == PASS else super().spell(move, name)


def column_number(letters: str) -> int:
    """Return the number of a column from its letters: a..z are 0 to 25, then aa.., none skipped.

    >>> column_number("a"), column_number("z"), column_number("aa")
    (0, 25, 26)
    """
    number = 0
    for letter in letters.lower():
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def column_letters(column: int) -> str:
    """Return the letters of a column: the inverse of :func:`column_number`.

    >>> column_letters(0), column_letters(26)
    ('a', 'aa')
    """
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def format_cell(shape: Shape, cell: Coordinate, *, from_top: bool = False) -> str:
    """Return the name of a cell, such as ``b2`` on a flat board. In space its layer comes first.

    On a board of one row it is the cell's number. Rows are counted from the bottom, or *from_top*.

    >>> format_cell((3, 3), (1, 1)), format_cell((4, 4, 4), (1, 1, 1)), format_cell((3,) * 4, (1, 0, 0, 1))
    ('b2', '2b3', '2.1b3')
    """
    if len(shape) == 1:
        return str(index_of(shape, cell) + 1)
    layers = ".".join(str(place + 1) for place in cell[:-2])
    number = cell[-2] + 1 if from_top else shape[-2] - cell[-2]
    return f"{layers}{column_letters(cell[-1])}{number}"


def parse_move(game: Game, text: str, first: int = 1) -> Move:
    """Return the move that *text* means in *game*.

    >>> from noughts import new_game
    >>> parse_move(new_game("tictactoe"), " b2 "), parse_move(new_game("connect4"), "4")
    ((1, 1), (5, 3))
    """
    if not isinstance(text, str):
        raise NotationError("move", text)
    return game.notation.parse(text, game, first)


def parse_moves(game: Game, texts: Iterable[str], first: int = 1) -> tuple[Move, ...]:
    """Return the moves that *texts* mean one after the other in *game*, which is not changed.

    Raises the error of the game for a move that it refuses.
    """
    position, moves = game.copy(), list[Move]()
    for text in texts:
        moves.append(parse_move(position, text, first))
        position.play(moves[-1])
    return tuple(moves)


def format_move(game: Game, move: Move, first: int = 1) -> str:
    """Return *move* as a player types it: the inverse of :func:`parse_move`."""
    return game.notation.format(move, first)


def play_moves(game: Game, texts: list[str], first: int = 1) -> None:
    """Play each of *texts* in turn. :class:`~noughts.errors.NotationError` names the first that is refused.

    A pass that is the only legal move may be omitted, as in most written games of Reversi.
    """
    for number, text in enumerate(texts, 1):
        try:
            move = parse_move(game, text, first)
            if move != PASS and isinstance(game.notation, PassingNotation) and game.legal_moves() == [PASS]:
                game.play(PASS)
            game.play(move)
        except MoveRefused as error:
            raise NotationError("move", text, "cannot-be-played", number=number, cause=error) from error


def split_moves(game: Game, text: str, first: int = 1) -> list[str]:
    """Return the moves in *text*, separated by blanks or commas or run together.

    Names of cells can run together on flat boards, and on others if no side is longer than nine. Columns and
    cell numbers can run together if none has a second digit.

    Raises :class:`~noughts.errors.NotationError` if the end of a name is ambiguous.

    >>> from noughts import new_game
    >>> split_moves(new_game("reversi"), "f5d6c3 d3"), split_moves(new_game("connect4"), "4455")
    (['f5', 'd6', 'c3', 'd3'], ['4', '4', '5', '5'])
    """
    if game.notation.kind not in _TOGETHER:  # such a game defines its own notation
        return text.split()
    return [move for word in text.replace(",", " ").split() for move in _split_word(game, word, first)]


def _split_word(game: Game, word: str, first: int) -> list[str]:
    """Return the moves in a *word*. A word that is one move is returned unchanged."""
    notation, layers = game.notation, len(game.shape) - 2
    if layers == 0 and _CELLS_TOGETHER.fullmatch(word):
        return _CELL_NAME.findall(word)
    if layers > 0 and _LETTERS_APART.fullmatch(word):
        names = re.findall(rf"[0-9]{{{layers}}}[A-Za-z][0-9]", word)
        if max(game.shape) > MAX_DIGIT or "".join(names) != word:
            raise NotationError("move", word, "run-together")
        return names
    last = notation.count + first - 1
    if last > MAX_DIGIT or not set(word) <= set(map(str, range(first, last + 1))):
        return [word]
    is_possible = notation.kind == "column" or len(set(word)) == len(word)
    return list(word) if is_possible else [word]


# Positions: BOARD [SIDE [EXTRA]]


def format_position(game: Game) -> str:
    """Return the position of *game* as text: rows from the top, the side to move, and the extra part.

    >>> from noughts import TicTacToe
    >>> game = TicTacToe()
    >>> game.play((1, 1))
    >>> format_position(game)
    '.../.X./... O'
    """
    tokens = ["." if cell is None else cell for cell in game.cells]
    separator = "," if any(len(token) > 1 for token in tokens) else ""
    text = _join(tokens, game.shape, separator)
    return " ".join(filter(None, [text, game.turn, game.extra]))


def _join(tokens: list[str], shape: Shape, separator: str) -> str:
    if len(shape) == 1:
        return separator.join(tokens)
    width = len(tokens) // shape[0]
    parts = (tokens[start : start + width] for start in range(0, len(tokens), width))
    return ("/" * (len(shape) - 1)).join(_join(part, shape[1:], separator) for part in parts)


def parse_position(game: Game, text: str) -> Game:
    """Return a game of the same rules as *game* that starts from the position *text*.

    >>> from noughts import TicTacToe
    >>> parse_position(TicTacToe(), "XO./.X./..O").turn
    'X'
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise NotationError("position", text)
    parts = text.split(maxsplit=3)
    if not 1 <= len(parts) <= 3:
        raise NotationError("position", text, "parts")
    cells: list[str | None] = [None if cell == "." else cell for cell in _split(parts[0], game.shape)]
    placed = game.at(cells, *parts[1:])
    placed.start = format_position(placed)
    return placed


def check_count(cells: Sequence[object], shape: Shape) -> None:
    """Raise an error unless *cells* are as many as those of a board of *shape*."""
    if len(cells) != prod(shape):
        raise NotationError("position", "", "cell-count", expected=prod(shape), found=len(cells))


def check_marks(cells: Sequence[str | None], marks: Sequence[str]) -> None:
    """Raise an error if one of *cells* holds a mark that is not one of *marks*."""
    if unknown := [cell for cell in cells if cell not in (None, *marks)]:
        refuse_position(unknown[0], "unknown-mark", allowed=marks)


def check_no_extra(extra: str | None) -> None:
    """Raise an error for a third part of a position, if the marks are all of it."""
    if extra:
        refuse_position(extra, "extra-not-used")


def refuse_position(text: object, reason: str, **data: Any) -> NoReturn:
    """Raise the error for an impossible position, with the code of the *reason*."""
    raise NotationError("position", text or "", reason, **data)


def _split(text: str, shape: Shape) -> list[str]:
    """Return the tokens of the cells. Each row has one character a cell, or words between commas."""
    if len(shape) == 1:
        tokens = text.split(",") if "," in text else list(text)
        if len(tokens) != shape[0]:
            raise NotationError("position", text, "row-length", expected=shape[0], found=len(tokens))
        return tokens
    between = "/" * (len(shape) - 1)
    if (rows := text.count(between) + 1) != shape[0]:
        raise NotationError("position", text, "row-count", expected=shape[0], found=rows)
    return [token for part in text.split(between) for token in _split(part, shape[1:])]
