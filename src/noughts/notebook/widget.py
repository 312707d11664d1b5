"""The widget that shows a game in a notebook and hears the buttons of the page.

The page knows no rules. It gets a picture, the places of the cells in it, and for each cell the texts of the
moves that begin with it. It sends back the chosen text.
"""

from abc import abstractmethod
from collections import defaultdict
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from noughts.core.board import coordinate_of, index_of
from noughts.drawing.scene import has_letters
from noughts.drawing.svg import cell_boxes, draw_svg
from noughts.drawing.view import View, view_of
from noughts.errors import NoughtsError
from noughts.games.base import Game
from noughts.games.catalogue import name_of
from noughts.games.moves import cells_of
from noughts.games.notation import format_cell, format_move
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of

NO_CELL = ""
"""The key of moves without a cell, such as a pass."""


class GameWidget(anywidget.AnyWidget):
    """The picture of a game with a button over each cell. *dark* selects the dark theme."""

    _esm = Path(__file__).with_name("board.js")
    _css = Path(__file__).with_name("board.css")

    svg = traitlets.Unicode().tag(sync=True)
    places = traitlets.Dict().tag(sync=True)
    """The place of each cell by its index: left, top, width and height as parts of the picture."""

    names = traitlets.Dict().tag(sync=True)
    """The name and the content of each cell."""

    moves = traitlets.Dict().tag(sync=True)
    """The texts of the moves that begin with each cell."""

    may = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The legal cells, if the rules restrict them to some of the empty cells."""

    status = traitlets.Unicode().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    """The texts of the buttons that are shown, by the name of their action."""

    values = traitlets.Bool(False).tag(sync=True)
    is_busy = traitlets.Bool(False).tag(sync=True)

    def __init__(self, say: Translator, *, dark: bool, values: bool = False) -> None:
        self._say, self._dark = say, dark
        super().__init__(values=values)
        self.on_msg(lambda _, content, __: self._on_message(content))

    @abstractmethod
    def play(self, text: str) -> None:
        """Make the move in *text*."""

    @abstractmethod
    def _act(self, action: str) -> None:
        """Carry out the *action* of a button."""

    def _on_message(self, content: dict[str, Any]) -> None:
        """Execute a command of the page. An error is shown, as it has no caller."""
        try:
            match content:
                case {"do": "play", "text": str(text)}:
                    self.play(text)
                case {"do": str(action)} if action in self.words:
                    self._act(action)
        except NoughtsError as error:
            self.status = self._say.error(error)

    # Drawing

    def _show(self, game: Game, status: str, view: View | None = None, *, may_move: bool) -> None:
        """Show *game* with the text *status*. Moves can be chosen if *may_move* is true."""
        with self.hold_sync():
            self._show_picture(game, view_of(game, labels=False) if view is None else view)
            self.places = {str(index): box for index, box in cell_boxes(game).items()}
            self.names = {str(index): _label_of(game, index) for index in range(len(game.cells))}
            self.moves = _moves_of(game) if may_move else {}
            shows_allowed = bool(self.moves) and not self.values  # values already mark the legal cells
            allowed = game.annotations().cells_with("may") if shows_allowed else ()
            self.may = [str(index_of(game.shape, cell)) for cell in allowed]
            self.status = status

    def _show_picture(self, game: Game, view: View | None = None) -> None:
        """Show only the picture of *game*."""
        self.svg = draw_svg(game, title=title_of(self._say, name_of(game)), view=view, dark=self._dark)


def _moves_of(game: Game) -> dict[str, list[str]]:
    """Return the texts of the legal moves of *game* by their first cell.

    If marks fall, each cell of a column has its move.
    """
    texts = defaultdict[str, list[str]](list)
    for move in game.legal_moves():
        cells = cells_of(move)
        for key in map(str, _selectable_cells(game, index_of(game.shape, cells[0]))) if cells else (NO_CELL,):
            texts[key].append(format_move(game, move))
    return dict(texts)


def _selectable_cells(game: Game, index: int) -> list[int]:
    """Return the cells that select the cell of *index*: its whole column, if marks fall."""
    if not game.layout.has_columns:
        return [index]
    column = len(game.cells) // game.shape[0]
    return list(range(index % column, len(game.cells), column))


def _label_of(game: Game, index: int) -> str:
    """Return the name and the content of the cell of *index*."""
    cell = coordinate_of(game.shape, index)
    name = (
        format_cell(game.shape, cell, from_top=game.layout.from_top) if has_letters(game) else str(index + 1)
    )
    return f"{name} {game.cells[index] or ''}".strip()
