"""The board of a game as a widget: it shows the position, takes moves, and lets an opponent answer."""

import os
from random import Random

from noughts.arena.commands import Forfeit, MakeMove
from noughts.arena.match import SETTLED
from noughts.arena.runner import PlayerSeat
from noughts.drawing.view import view_of
from noughts.errors import GameOver, UnsupportedRules
from noughts.games.base import Game, check_game
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_move
from noughts.interfaces.presenting.analysis_texts import say_no_value, say_value, value_view
from noughts.interfaces.presenting.i18n import Translator, choose_language
from noughts.notebook.widget import GameWidget
from noughts.players.base import Player, check_player, offer_seat
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.workers.seating import new_player

VALUE_LIMIT = Limit(seconds=2)
"""The limit of the search for values after each move."""

ANSWER_SECONDS = 2.0
"""The time that an opponent gets for a move, in seconds."""

PATIENCE = 60.0
"""The time after which an opponent forfeits, in seconds."""


class BoardWidget(GameWidget):
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
        say = Translator(choose_language(lang, os.environ))
        self._seat = None if opponent is None else _make_seat(opponent, self.game, seed)
        self._start, self._trouble = self.game.ply, ""
        self._analyst = Analyst()
        super().__init__(say, dark=dark, values=values)
        keys = "web-take-back", "key-again", "key-values"
        self.words = dict(zip(("undo", "again", "values"), map(say, keys), strict=True))
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
        self._show(game, status, view, may_move=not self._trouble)

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
        self._show_picture(game)
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

    def _act(self, action: str) -> None:
        if action == "undo":
            self.take_back()
        elif action == "again":
            self.start_again()

    def _status(self) -> str:
        say, outcome = self._say, self.game.outcome
        if outcome is None:
            return say("is-to-move", player=self.game.turn)
        winner = outcome.winner
        return say.joined([say("game-over"), say("wins", winner=winner) if winner else say("nobody-wins")])


def _make_seat(opponent: str | Player, game: Game, seed: int | None) -> PlayerSeat:
    """Return a seat for *opponent*, which has accepted the game."""
    if not isinstance(opponent, str):
        check_player(opponent)
    name = opponent if isinstance(opponent, str) else type(opponent).__name__
    player = new_player(opponent, Random(seed)) if isinstance(opponent, str) else opponent
    offer_seat(player, name, game)
    return PlayerSeat(player, Limit(seconds=ANSWER_SECONDS), PATIENCE)
