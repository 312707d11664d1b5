"""Asking computers, before a game begins, whether they play it."""

from collections.abc import Callable, Sequence

from textual.message_pump import MessagePump

from noughts.errors import NoughtsError, PlayerFailed
from noughts.games.base import Game
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import player_called, refusal_in_words
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.workers.messages import Thinker
from noughts.workers.seating import seat_patience

SEATING_SECONDS = 60.0
"""Seconds that a program may take before it says whether it plays a game."""


class Availability:
    """Asks *thinker* on behalf of *screen*, and has the screen *tell* who is asked and who declines."""

    def __init__(
        self, screen: MessagePump, thinker: Thinker, tell: Callable[[Callable[[Translator], str]], None]
    ) -> None:
        self._asked, self._tell = TaskSlot(screen, thinker), tell

    @property
    def is_waiting(self) -> bool:
        """Whether a computer has not answered yet."""
        return self._asked.is_waiting

    def drop(self) -> None:
        """Nobody waits for an answer any more."""
        self._asked.drop()

    def ask(self, doubtful: Sequence[str], game: Game, begin: Callable[[], None]) -> None:
        """Ask each of the *doubtful* for itself whether it plays *game*; once all do, *begin*."""
        if not doubtful:
            begin()
            return
        who, *others = doubtful

        def take(refusal: NoughtsError | None) -> None:
            if refusal is None:
                self.ask(others, game, begin)
            else:
                self._tell(
                    lambda say: say.joined([refusal_in_words(say, refusal), say("start-other-player")])
                )

        from noughts.interfaces.presenting.tasks import take_seat

        fail = lambda failure: take(PlayerFailed(who, failure.reason))  # noqa: E731
        asked = (take_seat, who, game.copy(), None)
        self._asked.ask(*asked, take=take, fail=fail, patience=seat_patience(who, SEATING_SECONDS))
        self._tell(lambda say: say("start-ready", player=player_called(say, who, who)))
