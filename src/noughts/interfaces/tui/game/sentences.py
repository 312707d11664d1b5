"""What there is to say of how things stand: what goes before all else, what is seen, rules and places."""

from dataclasses import dataclass

from noughts.core.board import coordinate_of
from noughts.drawing.view import reason_forbidden
from noughts.games.moves import is_pass
from noughts.interfaces.presenting.annotating import leaving_next, turned_by
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import rule_in_short, tag_of
from noughts.interfaces.tui.game import status
from noughts.interfaces.tui.game.analysis import PARTED, Answers, paragraphs, say_thinking
from noughts.interfaces.tui.game.arrange import Arrangement
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.turns import Turns
from noughts.text import display_width


@dataclass(frozen=True, slots=True)
class Sentences:
    """What there is to say in a window of so many ``columns``."""

    say: Translator
    session: Session
    turns: Turns
    answers: Answers
    arrangement: Arrangement
    columns: int

    @property
    def paragraphs(self) -> list[str]:
        """What was asked, a paragraph for each thing."""
        is_told = not self.arrangement.is_low and self.urgent() is None
        return paragraphs(self.say, self.session, self.answers, self.columns, lines_told=is_told)

    @property
    def is_stuck(self) -> bool:
        """Whether a computer is to move that has given no answer."""
        return self.session.thinking_side is not None and not self.turns.is_thinking

    def standing_state(self) -> str | None:
        """That an earlier position is looked at, or that moves are tried out; None for the game as it is.

        Or that nothing happens until a key is pressed.
        """
        session, say = self.session, self.say
        if session.is_looking_back:
            return say("looking-back", ply=session.game.ply, of=session.latest.ply)
        if self.is_stuck:
            return say("no-move-came")
        if session.trial is None or session.is_over:
            return None
        number, of = session.lines
        return say("in-trial") if of < 2 else say("in-trial-line", number=number, of=of)

    def in_low_window(self, width: int, height: int) -> str | None:
        """What is to be said in a low window where nothing has just happened."""
        say, game = self.say, self.session.latest
        if (urgent := self.urgent(width)) is not None:
            return urgent
        if height == 1 or self.session.is_over or self.paragraphs:
            return None
        if self.arrangement.is_named and (not game.moves or self.arrangement.sidebar):
            rules = (rule_in_short(say, game), tag_of(say, game))
            if self.session.is_sliding:
                rules = (say("slide-into-gap"), "")
            return next((rule for rule in rules if rule and display_width(rule) <= width), None)
        if self.arrangement.notes:
            return None
        return next(iter(status.place_lines(say, self.session, self.arrangement, width, 1)), None)

    def standing(self) -> list[str]:
        """What there is to say of a game that goes on, or of an earlier position."""
        if (urgent := self.urgent()) is not None:
            return [urgent]
        say, game = self.say, self.session.latest
        if self.session.is_sliding:
            return [say("slide-into-gap")]
        if (meant := self._meaning()) is not None:
            return [meant, *self._places_in_sight()]
        if game.moves and self.tells_places_below and not self.arrangement.notes:
            return status.place_lines(say, self.session, self.arrangement, self.columns, 1)
        rule = rule_in_short(say, game) or say.messages(game.rule_text)
        return [*self._places_in_sight(), *leaving_next(say, self.session.names), rule]

    def _meaning(self) -> str | None:
        """What values, lines or the cursor mean now, instead of the rule; None where they mean nothing."""
        say, session, answers = self.say, self.session, self.answers
        if (worth := answers.worth) is not None and any(
            move.value is not None for move in worth.analysis.moves
        ):
            return say("values-mean")
        if (lines := answers.lines_here()) is not None:
            open_, closed = lines.open_count, lines.count - lines.open_count
            told = say.plural("lines-mean", lines.count, open=open_, closed=closed)
            return PARTED.join([session.called_cell, told])
        return turned_by(say, session.names, coordinate_of(session.game.shape, session.cursor))

    def urgent(self, width: int | None = None) -> str | None:
        """What goes before the rule of the game; shorter, if there is a word for it, in *width* columns."""
        say, session, game = self.say, self.session, self.session.game
        if (state := self.standing_state()) is not None:
            return state
        if (progress := self.turns.progress) is not None:
            return say_thinking(say, session, progress, self.columns if width is None else width)
        legal = session.latest.legal_moves()
        if session.thinking_side is None and len(legal) == 1 and is_pass(legal[0]):
            told = say("only-pass")
            return told if width is None or display_width(told) <= width else say("only-pass-short")
        codes = game.annotations().cells.get(coordinate_of(game.shape, session.cursor), ())
        reason = reason_forbidden(codes)
        return None if reason is None else say(f"cell-forbidden-{reason}", cell=session.called_cell)

    @property
    def tells_places_below(self) -> bool:
        """Whether places are told below the board, since they may be out of sight, or the window is low."""
        arrangement = self.arrangement
        return arrangement.is_low or not (arrangement.is_whole or arrangement.sidebar)

    def _places_in_sight(self) -> list[str]:
        """Where one may go, and where the cursor is in space, or on a board that does not say so itself."""
        say, session = self.say, self.session
        told = []
        is_plain = self.arrangement.is_named and session.latest.layout.planes == 1
        is_told = is_plain or self.answers.lines_here() is not None  # which are those of the cell
        if not (is_told or self.tells_places_below):
            id_ = "cursor-in-column" if session.has_columns else "cursor-at"
            told.append(say(id_, cell=session.called_cell))
        if (field := status.open_field(session)) is not None and not self.tells_places_below:
            told.append(say("play-in-field", cells=field))
        return told
