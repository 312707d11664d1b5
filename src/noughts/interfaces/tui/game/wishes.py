"""What a person wants of the match besides a move: a move back, a draw, to give up, another game."""

from collections.abc import Callable
from dataclasses import dataclass

from noughts.arena.commands import OfferDraw, Resign
from noughts.arena.events import Event
from noughts.interfaces.tui.game.questions import Phrase, Question
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.turns import Turns


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person wants of the match in *session*: what may end it is asked again, refusals are told."""

    session: Session
    turns: Turns

    def take_back(self) -> None:
        """Take a move back."""
        self.turns.carry_out(self.session.take_back)

    def offer_draw(self) -> None:
        """Offer a draw, after asking once."""
        session = self.session
        if len(session.latest.sides) == 1:
            session.tell(lambda told: told.say("refused-nobody-to-ask"))
            return
        self._settle(
            "offer-draw-question", lambda side: session.apply(side, OfferDraw()) + session.answer_for_others()
        )

    def resign(self) -> None:
        """Give up, after asking once."""
        self._settle("resign-question", lambda side: self.session.apply(side, Resign()))

    def _settle(self, question: str, act: Callable[[str], list[Event]]) -> None:
        """Do something that ends the real game, or may, for the person whose turn it is; ask before."""
        session, side = self.session, self.session.hand
        if side is None or session.is_over or session.trial is not None:
            over = "game-over" if session.is_over else "not-in-trial"
            why = "computers-play" if side is None else over
            session.tell(lambda told: told.say(why))
            return
        text: Phrase = lambda told: told.say(question, player=told.player(side))  # noqa: E731
        session.ask(Question.yes_or_no(text, lambda: self.turns.carry_out(lambda: act(side))))

    def rematch(self) -> None:
        """The next game of the series."""
        session = self.session
        if session.trial is not None or session.table.is_playing:
            id_ = "rematch-after-end" if len(session.latest.sides) > 1 else "again-after-end"
            session.tell(lambda told: told.say(id_))
        else:
            self.turns.begin_next()
