"""What there is to say of how things stand: what goes before all else, what is seen, rules and places."""

from dataclasses import dataclass

from noughts.core.board import coordinate_of
from noughts.drawing.view import reason_forbidden
from noughts.games.moves import is_pass
from noughts.interfaces.presenting.annotating import leaving_next, turned_by
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import rules_in_short, tag_of
from noughts.interfaces.tui.game import status
from noughts.interfaces.tui.game.analysis import PARTED, Answers, paragraphs, say_thinking
from noughts.interfaces.tui.game.arrange import Arrangement
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.turns import Turns
from noughts.text import display_width

ROOM_TO_THINK = 44
"""Columns in which a line of several moves is told whole."""


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
        is_told = not (self.arrangement.is_low or self.is_in_thought) and self.urgent() is None
        return paragraphs(self.say, self.session, self.answers, self.columns, lines_told=is_told)

    @property
    def is_stuck(self) -> bool:
        """Whether a computer is to move that has given no answer."""
        return self.session.thinking_side is not None and not self.turns.is_thinking

    @property
    def is_in_thought(self) -> bool:
        """Whether a computer tells how far it has come with its move, and nothing goes before that."""
        return self.turns.progress is not None and self.standing_state() is None

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
        if self.is_in_thought:
            return self.while_thinking(width)[0]
        if height == 1 or self.session.is_over or self.paragraphs:
            return None
        if (facts := say.joined(self._facts())) and display_width(facts) <= width:
            return facts
        if self.arrangement.is_named and (not game.moves or self.arrangement.sidebar):
            rules = [*rules_in_short(say, game), tag_of(say, game)]
            if self.session.is_sliding:
                rules = [say("slide-into-gap")]
            return next((rule for rule in rules if rule and display_width(rule) <= width), None)
        if self.arrangement.notes:
            return None
        return next(iter(status.place_lines(say, self.session, self.arrangement, width, 1)), None)

    def while_thinking(self, width: int, *, is_alone: bool = True) -> list[str]:
        """What a position asks for, and how far a computer has come with it.

        In one line if that *is_alone*, or if there is room for several moves in *width* columns.
        """
        say, session, progress = self.say, self.session, self.turns.progress
        facts = say.joined(self._facts())
        room = width - display_width(facts) - len(PARTED) if facts else width
        if facts and room < ROOM_TO_THINK and not is_alone:
            return [facts, say_thinking(say, session, progress, width)]
        thought = say_thinking(say, session, progress, room)
        is_whole = not facts or display_width(thought) <= room
        return [PARTED.join(part for part in (facts, thought if is_whole else "") if part)]

    def standing(self, width: int) -> list[str]:
        """What there is to say of a game that goes on, or of an earlier position, in *width* columns."""
        if (urgent := self.urgent()) is not None:
            return [urgent]
        say, game = self.say, self.session.latest
        if self.session.is_sliding:
            return [say("slide-into-gap")]
        if (meant := self._legend(width) or self._cursor_means()) is not None:
            return [meant, *self._cursor_in_sight(), *self._facts()]
        if game.moves and self.tells_places_below and not self.arrangement.notes:
            return status.place_lines(say, self.session, self.arrangement, self.columns, 1)
        before = [*self._cursor_in_sight(), *self._facts()]
        rules = rules_in_short(say, game) or [say.messages(game.rule_text)]
        told = [say.joined([*before, rule]) for rule in rules]
        at = next((place for place, text in enumerate(told) if display_width(text) <= width), -1)
        return [*before, rules[at]]

    def _legend(self, width: int) -> str | None:
        """What values in cells mean, where there are some."""
        worth = self.answers.worth
        if worth is None or all(move.value is None for move in worth.analysis.moves):
            return None
        told = self.say("values-mean")
        return told if display_width(told) <= width else self.say("values-mean-short")

    def _cursor_means(self) -> str | None:
        """What the cursor's cell means, which is named: its lines, what a move there turns over."""
        say, session = self.say, self.session
        if (lines := self.answers.lines_here()) is not None:
            open_, closed = lines.open_count, lines.count - lines.open_count
            told = say.plural("lines-mean", lines.count, open=open_, closed=closed)
            return PARTED.join([session.called_cell, told])
        return turned_by(say, session.names, coordinate_of(session.game.shape, session.cursor))

    def urgent(self, width: int | None = None) -> str | None:
        """What goes before the rule of the game; shorter, if there is a word for it, in *width* columns."""
        say, session = self.say, self.session
        if (state := self.standing_state()) is not None:
            return state
        if session.thinking_side is None and self._is_only_pass:
            told = say("only-pass")
            return told if width is None or display_width(told) <= width else say("only-pass-short")
        reason = None if self.is_in_thought else self._why_forbidden
        return None if reason is None else say(f"cell-forbidden-{reason}", cell=session.called_cell)

    @property
    def _is_only_pass(self) -> bool:
        legal = self.session.latest.legal_moves()
        return len(legal) == 1 and is_pass(legal[0])

    @property
    def _why_forbidden(self) -> str | None:
        game = self.session.game
        return reason_forbidden(
            game.annotations().cells.get(coordinate_of(game.shape, self.session.cursor), ())
        )

    @property
    def names_cursor(self) -> bool:
        """Whether what is told where nothing has just happened names the cursor's cell."""
        if self.is_in_thought or self.standing_state() is not None:
            return False
        if self._why_forbidden is not None:
            return True
        is_seen = not (self.arrangement.is_low or self.session.is_over or self._legend(self.columns))
        return is_seen and self._cursor_means() is not None

    @property
    def tells_places_below(self) -> bool:
        """Whether places are told below the board, since they may be out of sight, or the window is low."""
        arrangement = self.arrangement
        return arrangement.is_low or not (arrangement.is_whole or arrangement.sidebar)

    def _cursor_in_sight(self) -> list[str]:
        """Where the cursor is in space, or on a board that does not say so itself."""
        say, session = self.say, self.session
        is_plain = self.arrangement.is_named and session.latest.layout.planes == 1
        is_told = is_plain or self.answers.lines_here() is not None  # which are those of the cell
        if is_told or self.tells_places_below:
            return []
        return [say("cursor-in-column" if session.has_columns else "cursor-at", cell=session.called_cell)]

    def _facts(self) -> list[str]:
        """What the position asks of who is to move: where to play, what leaves next, that all is a pass."""
        say, session, arrangement = self.say, self.session, self.arrangement
        told = []
        is_told_below = arrangement.notes and not (arrangement.is_whole or arrangement.sidebar)
        if (field := status.open_field(session)) is not None and not is_told_below:
            told.append(say("play-in-field", cells=field))
        told += leaving_next(say, session.names)
        if session.thinking_side is not None and self._is_only_pass:
            told.append(say("can-only-pass", side=session.match.turn))
        return told
