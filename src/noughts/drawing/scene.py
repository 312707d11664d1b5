"""A game and a view, with all facts that the text drawing needs more than once."""

from dataclasses import replace
from functools import cached_property

from noughts.core.board import index_of
from noughts.drawing.signs import around, pointer, threats
from noughts.drawing.view import View, cell_number, field_owners, side_of_worth
from noughts.games.base import Annotations, Game
from noughts.games.layout import Layout, star_points
from noughts.games.notation import column_letters

MAX_NUMBERED = 100
"""The maximum number of cells of a flat board with numbered cells; larger boards use letters."""

MAX_SMALL = 5
"""The maximum number of rows and columns of a flat board that is drawn large."""


def is_small(layout: Layout) -> bool:
    """Return True if a board is flat and has few enough rows and columns to be drawn large."""
    return layout.planes == 1 and max(layout.rows, layout.columns) <= MAX_SMALL


def is_lettered(game: Game) -> bool:
    """Return True if the cells of a flat board can be named by letter and number."""
    return len(game.shape) == 2 and not game.layout.gravity


def has_letters(game: Game) -> bool:
    """Return True if cells can be named by letter and number.

    In space the number of the layer comes before them.
    """
    return len(game.shape) > 1 and not (game.layout.gravity or game.layout.drops)


def has_letters_outside(game: Game) -> bool:
    """Return True if the console names cells by letter and number: on large flat boards, and in Reversi."""
    return is_lettered(game) and (len(game.cells) > MAX_NUMBERED or game.layout.from_top)


def joined_ends(game: Game) -> tuple[bool, bool]:
    """Return True for columns whose ends meet, then for rows.

    A board with one axis is a column or a row.
    """
    if game.rules is None:
        return False, False
    *_, over, aside = (False, *game.rules.geometry.joined)
    is_column = len(game.shape) == 1 and game.layout.gravity
    return (aside, over) if is_column else (over, aside)


def has_walls(game: Game) -> bool:
    """Return True if marks fall between walls, which joined sides do not have."""
    return game.layout.gravity and not joined_ends(game)[1]


class Scene:
    """A game with the view of its cells, which are numbered from *first*.

    A *bare* scene shows only marks: no possible cells, no owners of fields, no landing cells.
    """

    def __init__(self, game: Game, view: View, first: int = 1, *, bare: bool = False) -> None:
        self.game, self.view, self.first, self.bare = game, view, first, bare
        self.layout = replace(game.layout, owned=False, drops=False) if bare else game.layout
        self.cells = game.cells
        self.winning = view.winning
        self.marked = self.winning | view.last | view.highlights.keys()
        stars = () if bare else star_points(self.layout)
        self.stars = frozenset(self.layout.index(0, *place) for place in stars)
        self.owners = () if bare else field_owners(game)
        self.has_walls = has_walls(game)
        self.has_worths = not self.layout.tiles and any(map(view.worth, view.highlights))

    @cached_property
    def has_letter_names(self) -> bool:
        """True if rows have numbers and columns have letters.

        In space the number of the layer comes before them.
        """
        return has_letters(self.game)

    @cached_property
    def _annotations(self) -> Annotations:
        return self.game.annotations()

    @property
    def _all_place_the_same(self) -> bool:
        """True if both sides place the same mark, which belongs to neither."""
        return self.game.rules is not None and self.game.rules.notakto

    @property
    def joined(self) -> tuple[bool, bool]:
        """True for columns whose ends meet, then for rows, if the picture shows it."""
        is_shown = not self.layout.gravity and len(self.game.shape) <= 4
        return joined_ends(self.game) if is_shown else (False, False)

    @cached_property
    def discs(self) -> bool:
        """True if marks are discs: the number of a side's marks counts."""
        return any(self._annotations.number(side, "lead") is not None for side in self.game.sides)

    @cached_property
    def possible(self) -> frozenset[int]:
        """The legal cells, if not all empty cells are legal."""
        cells = [] if self.bare else self._annotations.cells_with("may")
        indexes = (index_of(self.game.shape, cell) for cell in cells)
        return frozenset(index for index in indexes if self.cells[index] is None)

    @cached_property
    def forced(self) -> tuple[int, ...]:
        """The fields in which the next mark must be placed."""
        fields = {} if self.bare else self._annotations.fields
        return tuple(number for number, codes in fields.items() if "field" in codes)

    @cached_property
    def content(self) -> int:
        """The width of the widest mark, in columns."""
        return max((len(cell) for cell in set(self.cells) if cell), default=1)

    @cached_property
    def digits(self) -> int:
        """The width of the widest label, in columns: one of the view, or a cell number."""
        numbers = 0 if self.has_worths else len(self.number(len(self.cells) - 1))
        return max(numbers, *map(len, self.view.labels.values()), 0)

    def number(self, index: int) -> str:
        """Return the number that a player types for the cell."""
        return cell_number(self.game, index, self.first)

    def role(self, index: int, mark: str | None) -> str:
        """Return the side whose colour the *mark* or label of a cell has; empty for no side."""
        if mark is not None:
            return "" if self.layout.tiles or self._all_place_the_same else mark
        return side_of_worth(self.game, self.view.worth(index)) if index in self.view.highlights else ""

    def signs_around(self, index: int) -> tuple[str, str]:
        """Return the signs left and right of a compact cell."""
        codes = self.view.codes(index)
        last, winning = index in self.view.last, index in self.winning
        return around(highlight=pointer(codes), last=last, winning=winning, threats=threats(codes))


def column_name(scene: Scene, column: int) -> str:
    """Return the name outside of a column: its letters, or the number that a player types."""
    if scene.layout.gravity:
        return str(column + 1)
    return column_letters(column) if scene.has_letter_names else scene.number(column)
