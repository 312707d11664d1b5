"""Tells what happens in a match: the board, each move, the end and a remark."""

from collections.abc import Mapping

from noughts.arena.match import Event, EventKind, Match
from noughts.games.base import Game
from noughts.interfaces.console.talk import Talk, show_board
from noughts.interfaces.presenting.naming import Names
from noughts.interfaces.presenting.wording import Wording

CHANGES_BOARD = frozenset({EventKind.MOVE, EventKind.TAKEBACK})
"""After these the board is shown."""


class Narrator:
    """Tells the events of one match in words and pictures.

    *names* are the players by mark as in the beginning, *who* says which of them are human, *first* is the
    number of the first cell.
    """

    def __init__(
        self, talk: Talk, match: Match, names: Mapping[str, str], who: Mapping[str, str], first: int
    ) -> None:
        self.talk, self.seats, self.who, self.first = talk, names, who, first
        self.match = match
        self.called = Names(match.game, first)
        self.wording = Wording(talk.say, match, names, who, self.called)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.wording.game

    def event(self, event: Event) -> None:
        """Tell what happened."""
        for sentence in self.wording.told(event):
            self.talk.sentence(sentence)
        self.wording.names, self.wording.who = self.match.held(self.seats), self.match.held(self.who)
        if event.kind in CHANGES_BOARD:
            self.board()

    def board(self) -> None:
        """Show the board with a blank line before and after it, and how many marks count for each side."""
        show_board(self.talk, self.game, self.first)
        told = self.game.annotations()
        counts = {side: told.number(side, "lead") for side in self.game.sides}
        if None not in counts.values():
            self.talk.write(self.talk.say.listed(f"{side} {count}" for side, count in counts.items()) + "\n")

    def cells_so_far(self) -> None:
        """Tell each player's moves so far, in order."""
        for sentence in self.wording.moves_so_far():
            self.talk.sentence(sentence)
