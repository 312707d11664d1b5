"""One game, looked at once: everything that drawing it as text asks more than once."""

from functools import cached_property

from noughts.core.board import Coordinate, coordinate_of
from noughts.drawing.signs import FORBIDDEN, Signs, around, pointer, threats
from noughts.drawing.view import View, cell_number, choosable_cells, field_owners, side_of_worth
from noughts.games.base import Game
from noughts.games.layout import star_points

MOST_NUMBERED = 100
"""Cells of flat boards are numbered up to so many; on larger ones letters are easier to read."""


class Scene:
    """A game, what is to be said about its cells, and the characters to say it with."""

    def __init__(self, game: Game, view: View, signs: Signs, first: int) -> None:
        self.game, self.view, self.signs, self.first = game, view, signs, first
        self.layout = game.layout
        self.cells = game.cells
        self.winning = view.winning
        self.stars = star_points(self.layout)
        self.owners = field_owners(game)
        self.lettered = len(game.shape) == 2 and not self.layout.gravity
        self.has_worths = not self.layout.tiles and any(map(view.worth, view.highlights))

    @cached_property
    def content(self) -> int:
        """How many columns the widest mark takes."""
        return max((len(cell) for cell in set(self.cells) if cell), default=1)

    @cached_property
    def digits(self) -> int:
        """How many columns the widest label takes."""
        last = len(self.cells) - 1
        widest = self.number(last) if self.layout.drops else str(last + self.first)
        widest = "" if self.has_worths else widest
        return max(len(widest), *map(len, self.view.labels.values()), 0)

    @cached_property
    def widest_label(self) -> int:
        """How many columns cells need for the labels of the view; what they are worth is cut to fit."""
        return 0 if self.has_worths else max(map(len, self.view.labels.values()), default=0)

    @property
    def is_numbered(self) -> bool:
        """Whether empty cells carry their labels if there is room: what they are worth, or their numbers."""
        special = self.layout.gravity or self.layout.tiles
        return self.has_worths or not (special or self.has_letters_outside)

    @property
    def has_letters_outside(self) -> bool:
        """Whether the cells are called by letter and number, as on large flat boards."""
        return self.lettered and len(self.cells) > MOST_NUMBERED

    @property
    def has_letters(self) -> bool:
        """Whether letters and numbers of rows stand outside where cells carry no numbers.

        Where they carry what they are worth, cells are called as the interface calls them.
        """
        return self.has_letters_outside if self.has_worths else self.lettered

    @cached_property
    def _choosable(self) -> frozenset[Coordinate] | None:
        """Where the next mark may go; None where that is not shown: in depth, in walls and after the end."""
        return choosable_cells(self.game) if self.lettered and not self.game.is_over else None

    def is_shut(self, index: int) -> bool:
        """Whether the rules close an empty cell of a flat board to the next mark."""
        return self._choosable is not None and coordinate_of(self.game.shape, index) not in self._choosable

    def number(self, index: int) -> str:
        """What a player types for the cell."""
        return cell_number(self.game, index, self.first)

    def role(self, index: int) -> str:
        """The side in whose colour the label of an empty cell is written; empty for nobody's."""
        return side_of_worth(self.game, self.view.worth(index)) if index in self.view.highlights else ""

    def signs_around(self, index: int) -> tuple[str, str]:
        """The signs left and right of what a compact cell shows."""
        last, winning = index in self.view.last, index in self.winning
        if not (last or winning or index in self.view.highlights):
            return " ", " "
        codes = self.view.codes(index)
        return around(highlight=pointer(codes), last=last, winning=winning, threats=threats(codes))

    def filling(self, index: int, *, labels: bool) -> str:
        """What an empty cell of a compact board shows."""
        signs = self.signs
        codes = self.view.codes(index)
        if "open" in codes or "closed" in codes:
            return signs.open if "open" in codes else signs.closed
        if "forbidden" in codes:
            return FORBIDDEN
        if labels and index in self.view.labels:
            return self.view.labels[index]
        if self.layout.gravity or self.layout.tiles or (not labels and self.is_shut(index)):
            return ""
        return signs.star if self.layout.place(index)[1:] in self.stars else signs.dot
