"""What is written around the board: the status above it, the sidebar beside it, the notes below it."""

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.wording import Wording
from noughts.interfaces.tui.game import status
from noughts.interfaces.tui.game.analysis import Answers
from noughts.interfaces.tui.game.arrange import Arrangement
from noughts.interfaces.tui.game.margin import Margin
from noughts.interfaces.tui.game.playing_keys import footer_of
from noughts.interfaces.tui.game.sentences import Sentences
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.turns import Turns
from noughts.interfaces.tui.kit.keys import NARROW
from noughts.interfaces.tui.kit.spans import Bit, Line, clipped, note_lines, spread, width_of
from noughts.interfaces.tui.kit.styles import SECOND
from noughts.text import display_width

MAX_STATUS = 1
"""Lines of what is told below whose turn it is."""


@dataclass(frozen=True, slots=True)
class Panels:
    """How things stand in a window of so many ``columns``, put into lines."""

    wording: Wording
    session: Session
    turns: Turns
    answers: Answers
    arrangement: Arrangement
    columns: int
    unicode: bool = True
    coloured: bool = True

    @property
    def _say(self) -> Translator:
        return self.wording.say

    @property
    def _words(self) -> Sentences:
        shown = (self.session, self.turns, self.answers, self.arrangement, self.columns)
        return Sentences(self._say, *shown)

    # Above and below the board

    def above_and_below(self, width: int) -> tuple[list[Line], list[Line]]:
        """The status above the board and the notes below it, in *width* columns."""
        arrangement = self.arrangement
        if not arrangement.has_board:
            told = [*self._turn_line(width), Bit(". "), Bit(self._say("too-small"), SECOND)]
            lines = note_lines(["".join(bit.text for bit in told)], width)
            return clipped(lines, arrangement.status, width), []
        indent = [] if self.columns < NARROW else [Bit("  ")]
        clock = self._clock_beside()
        left = width - 2 * len(indent) - width_of(clock) - len(clock)
        first: Line = [*indent, *self._turn_line(left)]
        score = self._score_beside(first, width)
        if beside := score or clock:
            first = spread(first, beside, width - len(indent) // 2)
        room = width - 2 * len(indent)
        said = self._question_or_message(room)
        if len(said) == arrangement.status > 1 and arrangement.free < len(said) and self._has_turn_beside:
            return [[*indent, *line] for line in said], []
        if arrangement.is_low:
            above, below = self._told_low(first, said, room)
        else:
            above, below = self._told(said, room)
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
        """Whether the sidebar tells whose turn it is, so that the first line may tell something else."""
        return self.arrangement.sidebar > 0 and not self.session.is_at_end

    # Above the board

    def _turn_line(self, width: int) -> list[Bit]:
        gone, is_thinking = self.turns.thinking_milliseconds, self.turns.is_thinking
        time = [] if gone is None else [Bit(f"  {status.clock_face(gone, tenths=False)}", SECOND)]
        room = width - width_of(time)
        return [*status.turn_line(self._say, self.session, room, is_thinking=is_thinking), *time]

    def _told(self, said: list[Line], width: int) -> tuple[list[Line], list[Line]]:
        """What is told above the board, always in as many lines, and what had no room there.

        The board stays where it is: what is long is told below it, if need be over its last lines.
        """
        arrangement, standing = self.arrangement, self._standing(width - 1)
        goes_on = self.session.question is None and (self.turns.progress is not None or self._words.is_stuck)
        if 0 < len(said) <= MAX_STATUS and not (goes_on or self.session.is_at_end):
            standing = []  # but why the game has ended is told whatever else is
        room = arrangement.free
        if said or self.session.is_at_end or self._words.urgent() is not None:
            room = arrangement.told
        above: list[Line] = []
        below: list[Line] = []
        parts = [said, *standing] if said else standing
        for lines in parts:
            (above if len(above) + len(lines) <= MAX_STATUS else below).extend(lines)
        if len(below) > room:
            head = MAX_STATUS if len(parts[0]) <= MAX_STATUS else 0  # no sentence around the board
            lines = clipped([line for lines in parts for line in lines], head + room, width - 1)
            above, below = lines[:head], lines[head:]
        return above + [[]] * (MAX_STATUS - len(above)), below

    def _score_beside(self, first: Line, width: int) -> Line:
        """The players in one line, where there is no sidebar and room for them beside whose turn it is."""
        if self.arrangement.sidebar or self.columns < NARROW:
            return []
        score = status.score_line(self._say, self.session, width)
        return score if width_of([*first, *score]) + 3 < width else []

    def _clock_beside(self) -> Line:
        """The clock of the side to move, where there is no sidebar."""
        session = self.session
        left = None if session.is_over else session.time_left(session.match.turn)
        if self.arrangement.sidebar or left is None:
            return []
        return [Bit(status.clock_face(left), "", left < status.CLOSE)]

    def _told_low(self, first: Line, said: list[Line], width: int) -> tuple[list[Line], list[Line]]:
        """The status of a low window, where *first* is told first, and what is told over the board.

        If it must, what is asked or told is all of it.
        """
        arrangement, height = self.arrangement, self.arrangement.status
        if height < 1:
            return [], []
        most = height - 1 + (arrangement.told if height > 1 else 0)
        if self.session.question is not None and len(said) > most and not self._is_answered_in_footer:
            return [*clipped(said[:-1], 1, width), said[-1]][-height:], []
        if not said:
            text = self._words.in_low_window(width, height)
            said = self._wrapped([text], width) if text else []
        if height == 1:
            return clipped(said or [first], 1, width), []
        if not (said or self._words.paragraphs or arrangement.notes or arrangement.sidebar):
            said = [status.score_line(self._say, self.session, width)]
        ended = [line for part in self._result(width) for line in part] if self.session.is_at_end else []
        above: list[Line] = [first]
        below: list[Line] = []
        for lines in (said, ended):
            (above if len(above) + len(lines) <= height else below).extend(lines)
        return above + [[]] * (height - len(above)), clipped(below, arrangement.told, width)

    @property
    def _is_answered_in_footer(self) -> bool:
        """Whether the answers to the question have room there; else they stand behind it."""
        question = self.session.question
        has_room = question is not None and width_of(question.footer(self._say)) <= self.columns
        return has_room and self.arrangement.footer > 0

    def _question_or_message(self, width: int) -> list[Line]:
        question, message = self.session.question, self.session.message
        if question is not None:
            lines, answers = note_lines([question.text(self.wording)], width), question.bits(self._say)
            if self._is_answered_in_footer:
                return lines
            if width_of([*lines[-1], *answers]) <= width:
                return [*lines[:-1], [*lines[-1], *answers]]
            return [*lines, *question.lines(self._say, width)]
        return [] if message is None else note_lines([message(self.wording)], width - 1)

    def _standing(self, width: int) -> list[list[Line]]:
        """What is to be said where nothing has just happened: parts, each of which stands in one place."""
        if self.session.is_at_end:
            return self._result(width)
        people, say = self.session.people, self._say
        if self._words.is_in_thought:
            is_alone = self.arrangement.free < 1
            told = self._words.while_thinking(width, is_alone=is_alone)
            return [self._wrapped([text], width) for text in told if text]
        mine = ""
        if len(people) == 1 < len(self.session.latest.sides) and self._words.standing_state() is None:
            mine = say("you-have", mark=status.side_bit(self.session.latest, people[0]).text)
        sentences = self._words.standing(width - display_width(say.joined([mine, ""])) if mine else width)
        while len(sentences) > 1 and display_width(say.joined(sentences)) > width:
            sentences.pop()  # where things are can be seen, and the rule stands in the help, too
        if mine and display_width(say.joined([mine, *sentences])) <= width:
            sentences = [mine, *sentences]
        return [self._wrapped(sentences, width)]

    def _result(self, width: int) -> list[list[Line]]:
        """How the match has ended, with a remark where there is room for it in the real game.

        As many sentences beside each other as have room in a line.
        """
        end, outcome = self.session.end, self.session.match.outcome
        if end is None or outcome is None:
            raise AssertionError("a game that goes on has no result")
        # who has won may stand nowhere else
        is_all = self.arrangement.is_low and not self.arrangement.sidebar
        tell = self.wording.result if is_all else self.wording.how
        told = tell(outcome, end)
        if self.session.trial is None:
            lines = self._wrapped([*told, *self.wording.remark(outcome)], width)
            if len(lines) <= MAX_STATUS:
                return [lines]
        parts: list[list[str]] = []
        for sentence in told:
            if parts and display_width(self._say.joined([*parts[-1], sentence])) <= width:
                parts[-1].append(sentence)
            else:
                parts.append([sentence])
        return [self._wrapped(part, width) for part in parts]

    def _wrapped(self, sentences: Iterable[str], width: int) -> list[Line]:
        text = self._say.joined(sentences)
        if 0 < display_width(text) <= width:
            return [[Bit(text, SECOND)]]  # with the blanks that set its parts off
        return note_lines([text], width, SECOND)

    # Below the board: what was asked, where things are

    def _notes(self, more: list[Line], width: int, height: int) -> list[Line]:
        """Below the board, where there is no sidebar: *more* comes first.

        In *height* lines, or over some of the board's for what was asked.
        """
        arrangement = self.arrangement
        paragraphs = self._words.paragraphs
        lines = note_lines(paragraphs, width)
        if len(more) + len(lines) > height:  # rather without blank lines than with less of the board
            lines = [line for text in paragraphs for line in note_lines([text], width)]
        if self.session.question is not None and len(more) + len(lines) > height:
            lines = []
        lines = clipped([*more, *lines], arrangement.told, width)
        if self._words.tells_places_below:
            left = height - len(lines)
            is_named = not (self.session.question or self.session.message) and self._words.names_cursor
            told = status.place_lines(
                self._say, self.session, arrangement, width, left, with_cursor=not is_named
            )
            lines += [[Bit(line)] for line in told]
        return lines

    # Beside the board

    def sidebar(self, width: int, height: int) -> list[Line]:
        """The margin behind its line."""
        session = self.session
        window = self.columns, height + self.arrangement.footer
        margin = Margin(
            self._say, session, width, height, window, unicode=self.unicode, coloured=self.coloured
        )
        is_wanted = session.is_over or not session.people or "values" in self.answers.shown
        return margin.lines(self._words.paragraphs, with_graph=is_wanted)

    # The keys

    def footer(self, width: int) -> Line:
        """The keys that matter now."""
        session = self.session
        if session.question is not None:
            return session.question.footer(self._say, with_answers=self._is_answered_in_footer)
        is_whole, is_stuck = self.arrangement.is_whole, self._words.is_stuck
        return footer_of(self._say, session, width, is_whole=is_whole, is_stuck=is_stuck)
