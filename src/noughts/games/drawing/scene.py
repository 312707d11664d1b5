"""One game, looked at once: everything that drawing it as text asks more than once."""

from functools import cached_property

from noughts.games.base import Game
from noughts.games.drawing.layout import star_points
from noughts.games.drawing.signs import Signs
from noughts.games.drawing.view import View, cell_number, choosable, field_owners

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

    @cached_property
    def content(self) -> int:
        """How many columns the widest mark takes."""
        return max((len(cell) for cell in self.cells if cell), default=1)

    @cached_property
    def digits(self) -> int:
        """How many columns the widest label takes."""
        last = len(self.cells) - 1
        widest = self.number(last) if self.layout.drops else str(last + self.first)
        return max(len(widest), *map(len, self.view.labels.values()), 0)

    @property
    def is_numbered(self) -> bool:
        """Whether empty cells carry their numbers if there is room."""
        if self.layout.gravity or self.layout.tiles:
            return False
        return not self.lettered or len(self.cells) <= MOST_NUMBERED

    @cached_property
    def _shut(self) -> frozenset[int]:
        """The empty cells of a flat board that the rules close to the next mark."""
        if not self.lettered or self.game.is_over:
            return frozenset()
        empty = (index for index, cell in enumerate(self.cells) if cell is None)
        return frozenset(empty) - choosable(self.game)

    def number(self, index: int) -> str:
        """What a player types for the cell."""
        return cell_number(self.game, index, self.first)

    def filling(self, index: int, *, labels: bool) -> str:
        """What an empty cell of a compact board shows."""
        signs = self.signs
        highlight = self.view.highlights.get(index)
        if highlight in ("open", "closed"):
            return signs.open if highlight == "open" else signs.closed
        if labels and index in self.view.labels:
            return self.view.labels[index]
        if self.layout.gravity or self.layout.tiles or (not labels and index in self._shut):
            return ""
        return signs.star if self.layout.place(index)[1:] in self.stars else signs.dot
