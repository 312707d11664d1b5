"""Trying other moves than those of the game: into it, from line to line, and out of it."""

from collections.abc import Callable
from dataclasses import dataclass

from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.turns import Turns


@dataclass(frozen=True, slots=True)
class Trying:
    """What a person wants of the lines that are tried out in *session*, told where it cannot be."""

    session: Session
    turns: Turns

    def branch(self) -> None:
        """Try other moves from the position that is looked at; where some were tried, show the next line."""
        session, table = self.session, self.session.table
        if table.is_playing and table.terms.clock.is_timed:
            session.tell(lambda told: told.say("not-while-timed"))
        elif session.trial is not None and not session.is_looking_back:
            self._go_to_next()
        elif session.branch():
            self._go_on()
        else:
            session.tell(lambda told: told.say("game-over"))

    def _go_to_next(self) -> None:
        """Of what is tried out, show the next line."""
        if self.session.lines[1] < 2:
            self.session.tell(lambda told: told.say("trial-one-line"))
            return
        self.session.next_line()
        self._go_on()

    def _go_on(self) -> None:
        self.session.message = None
        self.turns.go_on()

    def promote(self) -> None:
        """Make what is tried out the first of the lines."""
        self._change(self.session.promote_line, "trial-promoted")

    def remove(self) -> None:
        """Take away the last move that was tried out, with all that follows it."""
        self._change(self.session.remove_line, "trial-removed")

    def _change(self, change: Callable[[], bool], told_after: str) -> None:
        session = self.session
        if session.trial is None:
            session.tell(lambda told: told.say("only-in-trial"))
        elif session.is_looking_back:
            session.tell(lambda told: told.say("past-position"))
        else:
            id_ = told_after if change() else "nothing-tried"
            self.turns.go_on()
            session.tell(lambda told: told.say(id_))

    def leave(self) -> bool:
        """Back to the game from what is tried out; False where nothing is."""
        if self.session.trial is None:
            return False
        self.session.leave_trial()
        self._go_on()
        return True
