"""The board of a game as a widget: it shows the position, takes moves, and lets an opponent answer.

The page knows no rules. It gets a picture, the places of the cells in it, and for each cell the texts of the
moves that begin with it. It sends back the chosen text.
"""

import os
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import anywidget
import traitlets

from noughts.arena.commands import Forfeit, MakeMove
from noughts.arena.match import SETTLED
from noughts.arena.runner import PlayerSeat
from noughts.core.board import coordinate_of, index_of
from noughts.drawing.scene import has_letters
from noughts.drawing.svg import cell_boxes, draw_svg
from noughts.drawing.view import view_of
from noughts.errors import GameOver, NoughtsError, UnsupportedRules
from noughts.games.base import Game, check_game
from noughts.games.catalogue import name_of, new_game
from noughts.games.moves import cells_of
from noughts.games.notation import format_cell, format_move, parse_move
from noughts.interfaces.presenting.analysis_texts import say_no_value, say_value, value_view
from noughts.interfaces.presenting.i18n import Translator, choose_language
from noughts.interfaces.presenting.titles import title_of
from noughts.players.base import Player, check_player, offer_seat
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.workers.seating import new_player

NO_CELL = ""
"""The key of moves without a cell, such as a pass."""

VALUE_LIMIT = Limit(seconds=2)
"""The limit of the search for values after each move."""

ANSWER_SECONDS = 2.0
"""The time that an opponent gets for a move, in seconds."""

PATIENCE = 60.0
"""The time after which an opponent forfeits, in seconds."""


class BoardWidget(anywidget.AnyWidget):
    """A board on which a *game* is played in a notebook by click, by keys, or by :meth:`play`.

    *game* is the name of a new game, or a game on which moves are then made. *opponent* is the name of a
    player, such as ``level:3``, or a :class:`~noughts.Player`. It plays all sides but *side*, by default the
    one to move. Without it all sides are played by hand. With *values* the cells show the value of a move
    there. *seed* makes the opponent's choices repeatable. *lang* is the language of the texts.

    Raises the error of an opponent that declines the game.

    >>> board = BoardWidget("tictactoe", opponent="rule", seed=1)
    >>> board.play("b2")
    >>> board.game.ply, board.status
    (2, 'X is to move')
    """

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
    values = traitlets.Bool(False).tag(sync=True)
    is_busy = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        game: Game | str = "tictactoe",
        opponent: str | Player | None = None,
        *,
        side: str | None = None,
        values: bool = False,
        dark: bool = False,
        seed: int | None = None,
        lang: str | None = None,
    ) -> None:
        self.game = new_game(game) if isinstance(game, str) else game
        check_game(self.game)
        self.side = self.game.turn if side is None else side
        if self.side not in self.game.sides:
            raise ValueError(f"no side {side!r}; there are {', '.join(self.game.sides)}")
        self._say = Translator(choose_language(lang, os.environ))
        self._seat = None if opponent is None else _make_seat(opponent, self.game, seed)
        self._dark, self._start, self._trouble = dark, self.game.ply, ""
        self._analyst = Analyst()
        super().__init__(values=values)
        say, keys = self._say, ("web-take-back", "key-again", "key-values")
        self.words = dict(zip(("undo", "again", "values"), map(say, keys), strict=True))
        self.on_msg(lambda _, content, __: self._on_message(content))
        self.observe(lambda _: self.show(), "values")
        self._answer()

    def play(self, text: str) -> None:
        """Make the move in *text*, and let the opponent answer.

        Raises :class:`~noughts.errors.NotationError` or :class:`~noughts.errors.MoveRefused`, and then
        nothing has changed.
        """
        if self._trouble:
            raise GameOver(text)
        self._answer()  # the game may have been changed from outside
        self.game.play(parse_move(self.game, text))
        self._answer()

    def take_back(self) -> None:
        """Go back to the last decision by hand. Does nothing if there was none."""
        self._trouble = ""
        back = self.game.ply
        for ply in range(self.game.ply - 1, self._start - 1, -1):
            if self._is_by_hand(self.game.movers[ply]):
                back = ply
                break
        self._undo_to(back)
        self.show()

    def start_again(self) -> None:
        """Undo all moves that were made here, and start again."""
        self._trouble = ""
        self._undo_to(self._start)
        self._answer()

    def show(self) -> None:
        """Show the current game, also after changes from outside, and let the opponent answer."""
        self._answer()

    def _draw(self) -> None:
        """Show the current position."""
        game, status = self.game, self._trouble or self._status()
        view = view_of(game, labels=False)
        if self.values and not game.is_over and not self._trouble:
            try:
                analysis = self._analyst.analyse(game, VALUE_LIMIT)
                view, status = value_view(game, analysis, analysis.best), say_value(self._say, game, analysis)
            except UnsupportedRules:
                status = self._say.joined([status, say_no_value(self._say, game)])
        with self.hold_sync():
            self.svg = draw_svg(game, title=title_of(self._say, name_of(game)), view=view, dark=self._dark)
            self.places = {str(index): box for index, box in cell_boxes(game).items()}
            self.names = {str(index): self._label_of(index) for index in range(len(game.cells))}
            self.moves = {} if self._trouble else self._moves()
            shows_allowed = bool(self.moves) and not self.values  # values already mark the legal cells
            allowed = game.annotations().cells_with("may") if shows_allowed else ()
            self.may = [str(index_of(game.shape, cell)) for cell in allowed]
            self.status = status

    # Moves

    def _is_by_hand(self, side: str) -> bool:
        return self._seat is None or side == self.side

    def _answer(self) -> None:
        """Show the position, and let the opponent make its moves."""
        try:
            while self._may_answer():
                self._let_answer(self.game)
            self._draw()
        finally:  # after an interrupt the user can continue
            self.is_busy = False

    def _may_answer(self) -> bool:
        game = self.game
        return not self._is_by_hand(game.turn) and not self._trouble and not game.is_over

    def _let_answer(self, game: Game) -> None:
        """Let the opponent make one move."""
        assert self._seat is not None  # noqa: S101 - else all is played by hand
        self.is_busy = True
        self.svg = draw_svg(game, title=title_of(self._say, name_of(game)), dark=self._dark)
        self.status = self._say("is-thinking", player=game.turn)
        self.moves, self.may = {}, []
        command = self._seat.decide_in(game, SETTLED)
        if isinstance(command, MakeMove):
            game.play(command.move)
        elif isinstance(command, Forfeit):
            self._trouble = self._say(f"forfeit-{command.reason}", loser=game.turn, detail=command.detail)
        else:
            self._trouble = self._say("end-resignation", loser=game.turn)

    def _undo_to(self, ply: int) -> None:
        while self.game.ply > ply:
            self.game.undo()

    def _on_message(self, content: dict[str, Any]) -> None:
        """Execute a command of the page. An error is shown, as it has no caller."""
        try:
            match content:
                case {"do": "play", "text": str(text)}:
                    self.play(text)
                case {"do": "undo"}:
                    self.take_back()
                case {"do": "again"}:
                    self.start_again()
        except NoughtsError as error:
            self.status = self._say.error(error)

    # Drawing

    def _status(self) -> str:
        say, outcome = self._say, self.game.outcome
        if outcome is None:
            return say("is-to-move", player=self.game.turn)
        winner = outcome.winner
        return say.joined([say("game-over"), say("wins", winner=winner) if winner else say("nobody-wins")])

    def _moves(self) -> dict[str, list[str]]:
        """Return the texts of the legal moves by their first cell.

        If marks fall, each cell of a column has its move.
        """
        game, texts = self.game, defaultdict[str, list[str]](list)
        for move in game.legal_moves():
            cells = cells_of(move)
            for key in (
                map(str, self._selectable_cells(index_of(game.shape, cells[0]))) if cells else (NO_CELL,)
            ):
                texts[key].append(format_move(game, move))
        return dict(texts)

    def _selectable_cells(self, index: int) -> list[int]:
        """Return the cells that select the cell of *index*: its whole column, if marks fall."""
        game = self.game
        if not game.layout.has_columns:
            return [index]
        column = len(game.cells) // game.shape[0]
        return list(range(index % column, len(game.cells), column))

    def _label_of(self, index: int) -> str:
        game = self.game
        cell = coordinate_of(game.shape, index)
        name = (
            format_cell(game.shape, cell, from_top=game.layout.from_top)
            if has_letters(game)
            else str(index + 1)
        )
        return f"{name} {game.cells[index] or ''}".strip()


def _make_seat(opponent: str | Player, game: Game, seed: int | None) -> PlayerSeat:
    """Return a seat for *opponent*, which has accepted the game."""
    if not isinstance(opponent, str):
        check_player(opponent)
    name = opponent if isinstance(opponent, str) else type(opponent).__name__
    player = new_player(opponent, Random(seed)) if isinstance(opponent, str) else opponent
    offer_seat(player, name, game)
    return PlayerSeat(player, Limit(seconds=ANSWER_SECONDS), PATIENCE)
