"""The hint ladder: where to look, then which move, then why."""

from noughts.games.base import Game
from noughts.interfaces.console.narrator import Narrator
from noughts.interfaces.console.talk import Talk
from noughts.interfaces.presenting.hints import Hint, find_hint, hint_machine, say_hint
from noughts.search.analyst import Analyst


class HintLadder:
    """Says more about the same position each time it is asked; begins anew when the position changes."""

    def __init__(self, talk: Talk, narrator: Narrator) -> None:
        self._talk, self._called = talk, narrator.called
        self._analyst: Analyst | None = None
        self._position: object = None
        self._given = 0
        self._hint: Hint | None = None

    def step(self, game: Game) -> None:
        """Say where to look; then which move; then, as often as asked, why."""
        position = (game.ply, game.moves)
        if self._hint is None or position != self._position:
            self._position, self._given = position, 0
            self._analyst = self._analyst or Analyst(machine=hint_machine(game))
            self._hint = find_hint(game, self._analyst)
        self._talk.sentence(say_hint(self._talk.say, game, self._called, self._hint, self._given))
        self._given += 1
