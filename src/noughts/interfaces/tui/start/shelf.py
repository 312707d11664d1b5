"""Which game is chosen: of all there are, or of those that fit what is being looked for."""

from collections.abc import Sequence

from noughts.errors import BadInput
from noughts.games.catalogue import find_entry
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.start.gallery import Choice, choices_of, own_board


class Shelf:
    """The games to choose from, a board of one's own among them, and the one that is chosen.

    ``chosen`` is a catalogue name or a spec; ``query`` is what is being looked for, None while nothing is.
    """

    def __init__(self) -> None:
        self.chosen = self._before = "tictactoe"
        self.query: str | None = None
        self._own: str | None = None

    def recall(self, game: str) -> None:
        """Choose the game of last time; what is no game any more is not chosen."""
        try:
            self.chosen = game if find_entry(game) else own_board(game)
        except BadInput:
            return
        self.keep()

    def keep(self) -> None:
        """Put the chosen game on the shelf where it is a board of one's own."""
        if find_entry(self.chosen) is None:
            self._own = self.chosen

    def shown(self, say: Translator) -> list[Choice]:
        """The games to choose from: all, or while something is looked for those that fit."""
        return choices_of(say, self._own, self.query)

    def place(self, shown: Sequence[Choice]) -> int:
        """Where the chosen game is among those *shown*."""
        return next((place for place, choice in enumerate(shown) if choice.name == self.chosen), 0)

    def begin_search(self) -> None:
        """Begin to look for a game."""
        self.query, self._before = "", self.chosen

    def search(self, say: Translator, query: str) -> bool:
        """Look for *query*; return whether anything fits.

        Chosen is then what was chosen before, where it fits, else the first that does.
        """
        self.query = query
        names = [choice.name for choice in self.shown(say)]
        if self.chosen not in names:
            self.chosen = names[0] if names and self._before not in names else self._before
        return bool(names)

    def give_up_search(self) -> None:
        """Look for nothing after all: chosen is what was chosen before."""
        if self.query is not None:
            self.chosen, self.query = self._before, None
