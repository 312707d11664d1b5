"""The texts around the board: the status above, the sidebar beside, the notes below."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from noughts.core.board import coordinate_of
from noughts.games.annotations import data_of
from noughts.games.moves import is_pass
from noughts.interfaces.presenting.annotation_texts import notes_on_cells, turns_text
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.titles import rules_in_short, tag_of
from noughts.interfaces.tui.game import status
from noughts.interfaces.tui.game.analysis import PARTED, Answers, paragraphs, say_thinking
from noughts.interfaces.tui.game.screen_layout import ScreenLayout
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.game.sidebar import Sidebar
from noughts.interfaces.tui.game.turn_runner import TurnRunner
from noughts.interfaces.tui.widgets.keys import NARROW, footer
from noughts.interfaces.tui.widgets.spans import Bit, Line, clipped, flowing, note_lines, spread, width_of
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.text import display_width

MAX_STATUS = 1
"""The number of lines of messages below the line about the turn."""

ROOM_TO_THINK = 44
"""The width, in columns, in which a line of several moves fits."""

PLAY_KEYS = (
    "slide",
    "take-back-alone",
    "move",
    "layer",
    "place",
    "cell",
    "hint",
    "values",
    "lines",
    "help",
    "leave",
)
PAST_KEYS = ("back", "forward", "branch", "play-from", "values", "help", "leave")
TRIAL_KEYS = ("place", "take-back", "values", "hint", "promote-line", "remove-line", "help", "leave-trial")
OVER_KEYS = ("rematch", "again", "review", "back", "forward", "save", "leave")
THINKING_KEYS = ("look-around", "hurry", "lines", "help", "leave")
STUCK_KEYS = ("look-around", "take-back", "help", "leave")
"""The keys of the footer, one tuple for each state of the game."""


@dataclass(frozen=True, slots=True)
class Panels:
    """The texts of a window that is ``columns`` wide."""

    wording: Wording
    session: GameSession
    turns: TurnRunner
    answers: Answers
    arrangement: ScreenLayout
    columns: int
    unicode: bool = True
    coloured: bool = True

    @property
    def _say(self) -> Translator:
        return self.wording.say

    # Above and below the board

    def above_and_below(self, width: int) -> tuple[list[Line], list[Line]]:
        """Return the status above the board and the notes below it, in *width* columns."""
        arrangement = self.arrangement
        if not arrangement.has_board:
            bits = [*self._turn_line(width), Bit(". "), Bit(self._say("too-small"), SECOND)]
            lines = note_lines(["".join(bit.text for bit in bits)], width)
            return clipped(lines, arrangement.status, width), []
        indent = [] if self.columns < NARROW else [Bit("  ")]
        clock = self._clock_beside()
        left = width - 2 * len(indent) - width_of(clock) - len(clock)
        first: Line = [*indent, *self._turn_line(left)]
        score = self._score_beside(first, width)
        if beside := score or clock:
            first = spread(first, beside, width - len(indent) // 2)
        room = width - 2 * len(indent)
        message = self._question_or_message(room)
        if (
            len(message) == arrangement.status > 1
            and arrangement.free < len(message)
            and self._has_turn_beside
        ):
            return [[*indent, *line] for line in message], []
        if arrangement.is_low:
            above, below = self._status_and_notes_low(first, message, room)
        else:
            above, below = self._status_and_notes(message, room)
            above = [first, *above]
        above = [above[0], *([*indent, *line] for line in above[1:])] if above else []
        height = max(arrangement.free, len(below))
        if not arrangement.sidebar:
            height = arrangement.free
            below = self._notes(below, room, height)
            if height > len(below) and not score:
                below.append(status.score_line(self._say, self.session, room))
        below = [[*indent, *line] for line in below]
        return above, [[], *below] if height > len(below) > 0 else below

    @property
    def _has_turn_beside(self) -> bool:
        """True if the sidebar shows the turn, so that the first line may show something else."""
        return self.arrangement.sidebar > 0 and not self.session.is_at_end

    # Above the board

    def _turn_line(self, width: int) -> list[Bit]:
        gone, is_thinking = self.turns.thinking_milliseconds, self.turns.is_thinking
        time = [] if gone is None else [Bit(f"  {status.clock_face(gone, tenths=False)}", SECOND)]
        room = width - width_of(time)
        return [*status.turn_line(self._say, self.session, room, is_thinking=is_thinking), *time]

    def _status_and_notes(self, message: list[Line], width: int) -> tuple[list[Line], list[Line]]:
        """Return the messages above the board, always as many lines, and the notes below it.

        Longer messages go below the board, if necessary over its last lines, so that the board keeps its
        place.
        """
        arrangement, standing = self.arrangement, self._status_parts(width - 1)
        goes_on = self.session.question is None and (self.turns.progress is not None or self.is_stuck)
        if 0 < len(message) <= MAX_STATUS and not (goes_on or self.session.is_at_end):
            standing = []  # The reason for the end of a game is always shown.
        room = arrangement.free
        if message or self.session.is_at_end or self.urgent() is not None:
            room = arrangement.message_lines
        above: list[Line] = []
        below: list[Line] = []
        parts = [message, *standing] if message else standing
        for lines in parts:
            (above if len(above) + len(lines) <= MAX_STATUS else below).extend(lines)
        if len(below) > room:
            # A sentence is not divided between above and below the board.
            head = MAX_STATUS if len(parts[0]) <= MAX_STATUS else 0
            lines = clipped([line for lines in parts for line in lines], head + room, width - 1)
            above, below = lines[:head], lines[head:]
        return above + [[]] * (MAX_STATUS - len(above)), below

    def _score_beside(self, first: Line, width: int) -> Line:
        """Return the players in one line if there is no sidebar and enough room beside the turn."""
        if self.arrangement.sidebar or self.columns < NARROW:
            return []
        score = status.score_line(self._say, self.session, width)
        return score if width_of([*first, *score]) + 3 < width else []

    def _clock_beside(self) -> Line:
        """Return the clock of the side to move if there is no sidebar."""
        session = self.session
        left = None if session.is_over else session.time_left(session.match.turn)
        if self.arrangement.sidebar or left is None:
            return []
        return [Bit(status.clock_face(left), "", left < status.LOW_TIME)]

    def _status_and_notes_low(
        self, first: Line, message: list[Line], width: int
    ) -> tuple[list[Line], list[Line]]:
        """Return the status of a low window, which begins with *first*, and the notes over the board.

        If there is too little room, the status is a question or message alone.
        """
        arrangement, height = self.arrangement, self.arrangement.status
        if height < 1:
            return [], []
        most = height - 1 + (arrangement.message_lines if height > 1 else 0)
        if self.session.question is not None and len(message) > most and not self._is_answered_in_footer:
            return [*clipped(message[:-1], 1, width), message[-1]][-height:], []
        if not message:
            text = self.low_window_sentence(width, height)
            message = self._wrapped([text], width) if text else []
        if height == 1:
            return clipped(message or [first], 1, width), []
        if not (message or self.paragraphs or arrangement.notes or arrangement.sidebar):
            message = [status.score_line(self._say, self.session, width)]
        ended = [line for part in self._result(width) for line in part] if self.session.is_at_end else []
        above: list[Line] = [first]
        below: list[Line] = []
        for lines in (message, ended):
            (above if len(above) + len(lines) <= height else below).extend(lines)
        return above + [[]] * (height - len(above)), clipped(below, arrangement.message_lines, width)

    @property
    def _is_answered_in_footer(self) -> bool:
        """True if the answers to the question fit in the footer; else they follow the question."""
        question = self.session.question
        has_room = question is not None and width_of(question.footer(self._say)) <= self.columns
        return has_room and self.arrangement.footer > 0

    def _question_or_message(self, width: int) -> list[Line]:
        question, message = self.session.question, self.session.message
        if question is not None:
            lines, answers = note_lines([question.text(self.wording)], width), question.items(self._say)
            if self._is_answered_in_footer:
                return lines
            if width_of(whole := [*lines[-1], *chain(*answers)]) <= width:
                return [*lines[:-1], whole]
            return [*lines, *flowing(answers, width)]
        return [] if message is None else note_lines([message(self.wording)], width - 1)

    def _status_parts(self, width: int) -> list[list[Line]]:
        """Return the parts of the status if there is no message; each part stays together."""
        if self.session.is_at_end:
            return self._result(width)
        people, say = self.session.people, self._say
        if self.is_in_thought:
            is_alone = self.arrangement.free < 1
            reports = self.thinking_sentences(width, is_alone=is_alone)
            return [self._wrapped([text], width) for text in reports if text]
        mine = ""
        if len(people) == 1 < len(self.session.latest.sides) and self.state_notice() is None:
            mine = say("you-have", mark=status.side_bit(self.session.latest, people[0]).text)
        sentences = self.status_sentences(width - display_width(say.joined([mine, ""])) if mine else width)
        while len(sentences) > 1 and display_width(say.joined(sentences)) > width:
            sentences.pop()  # Places can be seen on the board, and the rule is in the help too.
        if mine and display_width(say.joined([mine, *sentences])) <= width:
            sentences = [mine, *sentences]
        return [self._wrapped(sentences, width)]

    def _result(self, width: int) -> list[list[Line]]:
        """Return the end of the match in words; the real game also has a remark, if there is room.

        Each line has as many sentences as fit.
        """
        end, outcome = self.session.end, self.session.match.outcome
        if end is None or outcome is None:
            raise AssertionError("a game that goes on has no result")
        # The winner may be shown nowhere else.
        is_all = self.arrangement.is_low and not self.arrangement.sidebar
        describe = self.wording.result if is_all else self.wording.how
        sentences = describe(outcome, end)
        if self.session.trial is None:
            lines = self._wrapped([*sentences, *self.wording.remark(outcome)], width)
            if len(lines) <= MAX_STATUS:
                return [lines]
        parts: list[list[str]] = []
        for sentence in sentences:
            if parts and display_width(self._say.joined([*parts[-1], sentence])) <= width:
                parts[-1].append(sentence)
            else:
                parts.append([sentence])
        return [self._wrapped(part, width) for part in parts]

    def _wrapped(self, sentences: Iterable[str], width: int) -> list[Line]:
        text = self._say.joined(sentences)
        if 0 < display_width(text) <= width:
            return [[Bit(text, SECOND)]]  # The blanks between its parts are kept.
        return note_lines([text], width, SECOND)

    # Below the board: answers and places

    def _notes(self, more: list[Line], width: int, height: int) -> list[Line]:
        """Return the notes below the board, if there is no sidebar; *more* comes first.

        They take *height* lines; answers may cover lines of the board.
        """
        arrangement = self.arrangement
        paragraphs = self.paragraphs
        lines = note_lines(paragraphs, width)
        if len(more) + len(lines) > height:  # Blank lines go before lines of the board do.
            lines = [line for text in paragraphs for line in note_lines([text], width)]
        if self.session.question is not None and len(more) + len(lines) > height:
            lines = []
        lines = clipped([*more, *lines], arrangement.message_lines, width)
        if self.shows_places_below:
            left = height - len(lines)
            is_named = not (self.session.question or self.session.message) and self.names_cursor
            places = status.place_lines(
                self._say, self.session, arrangement, width, left, with_cursor=not is_named
            )
            lines += [[Bit(line)] for line in places]
        return lines

    # Beside the board

    def sidebar(self, width: int, height: int) -> list[Line]:
        """Return the lines of the sidebar, without the line at its left edge."""
        session = self.session
        window = self.columns, height + self.arrangement.footer
        sidebar = Sidebar(
            self._say, session, width, height, window, unicode=self.unicode, coloured=self.coloured
        )
        is_wanted = session.is_over or not session.people or "values" in self.answers.shown
        return sidebar.lines(self.paragraphs, with_graph=is_wanted)

    # Footer

    def footer(self, width: int) -> Line:
        """Return the keys that matter now."""
        session = self.session
        if session.question is not None:
            return session.question.footer(self._say, with_answers=self._is_answered_in_footer)
        states = {
            PAST_KEYS: session.is_looking_back,
            TRIAL_KEYS: session.trial is not None,
            OVER_KEYS: session.is_over,
            STUCK_KEYS: self.is_stuck,
            THINKING_KEYS: session.thinking_side is not None,
        }
        ids = next((ids for ids, holds in states.items() if holds), PLAY_KEYS)
        essential = ""
        if ids is PLAY_KEYS and session.latest.layout.planes > 1:
            essential = "layer"
        elif ids is PLAY_KEYS and not (self.arrangement.is_whole or session.is_sliding):
            essential = "go-to"
        return footer(self._say, [id_ for id_ in ids if has_use_of(session, id_)], width, essential)

    # Sentences

    @property
    def paragraphs(self) -> list[str]:
        """The answers, one paragraph each."""
        is_told = not (self.arrangement.is_low or self.is_in_thought) and self.urgent() is None
        return paragraphs(self._say, self.session, self.answers, self.columns, has_line_count=is_told)

    @property
    def is_stuck(self) -> bool:
        """True if a computer has to move and gave no answer."""
        return self.session.thinking_side is not None and not self.turns.is_thinking

    @property
    def is_in_thought(self) -> bool:
        """True if a computer reports its progress, and nothing is more important."""
        return self.turns.progress is not None and self.state_notice() is None

    def state_notice(self) -> str | None:
        """Return the notice for a past position, a trial line or a stuck computer.

        Return None for the current position.
        """
        session, say = self.session, self._say
        if session.is_looking_back:
            return say("looking-back", ply=session.game.ply, of=session.latest.ply)
        if session.notice is not None:
            return session.notice(self.wording)
        if self.is_stuck:
            return say("no-move-came")
        if session.trial is None or session.is_over:
            return None
        number, of = session.lines
        return say("in-trial") if of < 2 else say("in-trial-line", number=number, of=of)

    def low_window_sentence(self, width: int, height: int) -> str | None:
        """Return the sentence for a low window without a message; None if there is none."""
        say, game = self._say, self.session.latest
        if (urgent := self.urgent(width)) is not None:
            return urgent
        if self.is_in_thought:
            return self.thinking_sentences(width)[0]
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

    def thinking_sentences(self, width: int, *, is_alone: bool = True) -> list[str]:
        """Return the facts about the position and the progress of the computer.

        They are in one line if *is_alone*, or if several moves fit in *width* columns.
        """
        say, session, progress = self._say, self.session, self.turns.progress
        facts = say.joined(self._facts())
        room = width - display_width(facts) - len(PARTED) if facts else width
        if facts and room < ROOM_TO_THINK and not is_alone:
            return [facts, say_thinking(say, session, progress, width)]
        report = say_thinking(say, session, progress, room)
        is_whole = not facts or display_width(report) <= room
        return [PARTED.join(part for part in (facts, report if is_whole else "") if part)]

    def status_sentences(self, width: int) -> list[str]:
        """Return the sentences on a running game, or on an earlier position, in *width* columns."""
        if (urgent := self.urgent()) is not None:
            return [urgent]
        say, game = self._say, self.session.latest
        if self.session.is_sliding:
            return [say("slide-into-gap")]
        if (meaning := self._legend(width) or self._cursor_meaning()) is not None:
            return [meaning, *self._cursor_in_sight(), *self._facts()]
        if game.moves and self.shows_places_below and not self.arrangement.notes:
            return status.place_lines(say, self.session, self.arrangement, self.columns, 1)
        before = [*self._cursor_in_sight(), *self._facts()]
        rules = rules_in_short(say, game) or [say.messages(game.rule_text)]
        sentences = [say.joined([*before, rule]) for rule in rules]
        at = next((place for place, text in enumerate(sentences) if display_width(text) <= width), -1)
        return [*before, rules[at]]

    def _legend(self, width: int) -> str | None:
        """Return the legend of the values in cells, if there are any."""
        worth = self.answers.worth
        if worth is None or all(move.value is None for move in worth.analysis.moves):
            return None
        legend = self._say("values-mean")
        return legend if display_width(legend) <= width else self._say("values-mean-short")

    def _cursor_meaning(self) -> str | None:
        """Return the cursor's cell with its lines or the marks that a move turns over.

        Return None if there is nothing to show.
        """
        say, session = self._say, self.session
        if (lines := self.answers.lines_here()) is not None:
            open_, closed = lines.open_count, lines.count - lines.open_count
            count = say.plural("lines-mean", lines.count, open=open_, closed=closed)
            return PARTED.join([session.cell_name, count])
        return turns_text(say, session.names, coordinate_of(session.game.shape, session.cursor))

    def urgent(self, width: int | None = None) -> str | None:
        """Return the sentence that replaces the rule of the game; None if there is none.

        If *width* is given and too small, a short form is used.
        """
        say, session = self._say, self.session
        if (state := self.state_notice()) is not None:
            return state
        if session.thinking_side is None and self._is_only_pass:
            text = say("only-pass")
            return text if width is None or display_width(text) <= width else say("only-pass-short")
        reason = None if self.is_in_thought else self._why_forbidden
        return None if reason is None else say(f"cell-forbidden-{reason}", cell=session.cell_name)

    @property
    def _is_only_pass(self) -> bool:
        legal = self.session.latest.legal_moves()
        return len(legal) == 1 and is_pass(legal[0])

    @property
    def _why_forbidden(self) -> str | None:
        game = self.session.game
        codes = game.annotations().cells.get(coordinate_of(game.shape, self.session.cursor), ())
        return next(iter(data_of("no", codes)), None)

    @property
    def names_cursor(self) -> bool:
        """True if the message above the board names the cursor's cell."""
        if self.is_in_thought or self.state_notice() is not None:
            return False
        if self._why_forbidden is not None:
            return True
        is_seen = not (self.arrangement.is_low or self.session.is_over or self._legend(self.columns))
        return is_seen and self._cursor_meaning() is not None

    @property
    def shows_places_below(self) -> bool:
        """True if places are shown below the board: they may be out of sight, or the window is low."""
        arrangement = self.arrangement
        return arrangement.is_low or not (arrangement.is_whole or arrangement.sidebar)

    def _cursor_in_sight(self) -> list[str]:
        """Return the cell of the cursor in space, or on a board without coordinates."""
        say, session = self._say, self.session
        is_plain = self.arrangement.is_named and session.latest.layout.planes == 1
        # Lines are shown with the name of their cell.
        is_told = is_plain or self.answers.lines_here() is not None
        if is_told or self.shows_places_below:
            return []
        return [say("cursor-in-column" if session.has_columns else "cursor-at", cell=session.cell_name)]

    def _facts(self) -> list[str]:
        """Return facts for the side to move: the open field, the next mark to leave, a forced pass."""
        say, session, arrangement = self._say, self.session, self.arrangement
        facts = []
        is_told_below = arrangement.notes and not (arrangement.is_whole or arrangement.sidebar)
        if (field := status.open_field(session)) is not None and not is_told_below:
            facts.append(say("play-in-field", cells=field))
        facts += notes_on_cells(say, session.names, ("leaves",))
        if session.thinking_side is not None and self._is_only_pass:
            facts.append(say("can-only-pass", side=session.match.turn))
        return facts


def has_use_of(session: GameSession, id_: str) -> bool:
    """Return True if the key *id_* has a use in the current game."""
    game = session.latest
    is_alone = len(game.sides) == 1
    match id_:
        case "slide":
            return session.is_sliding
        case "move" | "place" | "go-to":
            return not session.is_sliding
        case "cell":
            return bool(session.last_digit)
        case "layer":
            return game.layout.planes > 1
        case "take-back" | "rematch":
            return not is_alone
        case "take-back-alone" | "again":
            return is_alone
        case "hint" | "values" | "threats" | "branch" if not session.table.may_be_helped:
            return False
        case "draw":
            return not is_alone and bool(session.people)
        case "resign":
            return bool(session.people)
        case "lines" | "threats":
            has_lines = game.lines_through((0,) * len(game.shape)) is not None
            return has_lines and not (is_alone and id_ == "threats")
    return True
