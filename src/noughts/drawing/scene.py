"""One game, looked at once: everything that drawing it as text asks more than once."""

from dataclasses import replace
from functools import cached_property

from noughts.core.board import index_of
from noughts.drawing.signs import around, pointer, threats
from noughts.drawing.view import View, cell_number, field_owners, side_of_worth
from noughts.games.base import Annotations, Game
from noughts.games.layout import Layout, star_points
from noughts.games.notation import column_letters

MAX_NUMBERED = 100
"""Cells of flat boards are numbered up to so many; on larger ones letters are easier to read."""

MAX_SMALL = 5
"""Flat boards with at most so many rows and columns are drawn large."""


def is_small(layout: Layout) -> bool:
    """Return True if a board is flat and has few enough rows and columns to be drawn large."""
    return layout.planes == 1 and max(layout.rows, layout.columns) <= MAX_SMALL


def is_lettered(game: Game) -> bool:
    """Whether the cells of a flat board can be called by letter and number."""
    return len(game.shape) == 2 and not game.layout.gravity


def has_letters(game: Game) -> bool:
    """Whether the cells of a board can be called by letter and number, in space after their layer."""
    return len(game.shape) > 1 and not (game.layout.gravity or game.layout.drops)


def has_letters_outside(game: Game) -> bool:
    """Return True if the console names cells by letter and number: on large flat boards, and in Reversi."""
    return is_lettered(game) and (len(game.cells) > MAX_NUMBERED or game.layout.from_top)


def joined_ends(game: Game) -> tuple[bool, bool]:
    """Whether in a picture the ends of columns meet, and those of rows. One axis is a column or a row."""
    if game.rules is None:
        return False, False
    *_, over, aside = (False, *game.rules.geometry.joined)
    is_column = len(game.shape) == 1 and game.layout.gravity
    return (aside, over) if is_column else (over, aside)


def has_walls(game: Game) -> bool:
    """Whether marks fall between walls: sides that are joined are none."""
    return game.layout.gravity and not joined_ends(game)[1]


class Scene:
    """A game and what is to be said about its cells, which are numbered from *first*.

    Of a *bare* one the marks alone are shown, not where one may place, who has fields, where marks land.
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
        """Whether rows are called by numbers and columns by letters, in space after their layer."""
        return has_letters(self.game)

    @cached_property
    def _annotations(self) -> Annotations:
        return self.game.annotations()

    @property
    def _all_place_the_same(self) -> bool:
        """Whether both sides place the same mark, which is nobody's then."""
        return self.game.rules is not None and self.game.rules.notakto

    @property
    def joined(self) -> tuple[bool, bool]:
        """Whether the ends of columns meet, and those of rows, on a board that shows it."""
        is_shown = not self.layout.gravity and len(self.game.shape) <= 4
        return joined_ends(self.game) if is_shown else (False, False)

    @cached_property
    def discs(self) -> bool:
        """Whether marks are discs: where it counts how many of them a side has."""
        return any(self._annotations.number(side, "lead") is not None for side in self.game.sides)

    @cached_property
    def may(self) -> frozenset[int]:
        """The empty cells on which one may place now, where that is not all of them."""
        cells = [] if self.bare else self._annotations.cells_with("may")
        indexes = (index_of(self.game.shape, cell) for cell in cells)
        return frozenset(index for index in indexes if self.cells[index] is None)

    @cached_property
    def forced(self) -> tuple[int, ...]:
        """The fields in which one must play now."""
        fields = {} if self.bare else self._annotations.fields
        return tuple(number for number, codes in fields.items() if "field" in codes)

    @cached_property
    def content(self) -> int:
        """How many columns the widest mark takes."""
        return max((len(cell) for cell in set(self.cells) if cell), default=1)

    @cached_property
    def digits(self) -> int:
        """How many columns the widest label takes, of those of the view and those that cells may have."""
        numbers = 0 if self.has_worths else len(self.number(len(self.cells) - 1))
        return max(numbers, *map(len, self.view.labels.values()), 0)

    def number(self, index: int) -> str:
        """What a player types for the cell."""
        return cell_number(self.game, index, self.first)

    def role(self, index: int, mark: str | None) -> str:
        """The side in whose colour the *mark* or the label of a cell is written; empty for nobody's."""
        if mark is not None:
            return "" if self.layout.tiles or self._all_place_the_same else mark
        return side_of_worth(self.game, self.view.worth(index)) if index in self.view.highlights else ""

    def signs_around(self, index: int) -> tuple[str, str]:
        """The signs left and right of what a compact cell shows."""
        codes = self.view.codes(index)
        last, winning = index in self.view.last, index in self.winning
        return around(highlight=pointer(codes), last=last, winning=winning, threats=threats(codes))


def column_name(scene: Scene, column: int) -> str:
    """Return the name outside of a column: its letters, or the number that a player types."""
    if scene.layout.gravity:
        return str(column + 1)
    return column_letters(column) if scene.has_letter_names else scene.number(column)
