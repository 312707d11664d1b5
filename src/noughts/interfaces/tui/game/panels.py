"""What is written around the board: the status above it, the sidebar beside it, the notes below it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from noughts.core.board import coordinate_of, index_of
from noughts.drawing.signs import SLIDES
from noughts.drawing.view import View, reason_forbidden, view_of
from noughts.games.moves import Move, cells_of, is_pass
from noughts.interfaces.presenting.annotating import leaving_next, turned_by
from noughts.interfaces.presenting.explaining import value_view
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import rule_in_short, tag_of
from noughts.interfaces.presenting.wording import Wording
from noughts.interfaces.tui.game import status
from noughts.interfaces.tui.game.analysis import PARTED, Answers, paragraphs, say_thinking
from noughts.interfaces.tui.game.arrange import Arrangement
from noughts.interfaces.tui.game.margin import Margin
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.turns import Turns
from noughts.interfaces.tui.kit.keys import NARROW, footer
from noughts.interfaces.tui.kit.spans import Bit, Line, clipped, note_lines, spread, width_of
from noughts.interfaces.tui.kit.styles import SECOND
from noughts.text import display_width

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
"""The keys of the footer, by what is going on."""

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
    def _paragraphs(self) -> list[str]:
        is_told = not self.arrangement.is_low and self._urgent() is None
        return paragraphs(self._say, self.session, self.answers, self.columns, lines_told=is_told)

    # The board

    def view(self) -> View:
        """What is said about single cells: the last move, lines, values, the hint, the cursor."""
        answers, game = self.answers, self.session.game
        if worth := answers.worth:
            best = worth.analysis.best if answers.shown_hint is None else answers.shown_hint.move
            if best is not None and self.session.cursor in self._cells([best]):
                best = None  # the signs of the cursor stand there
            view = value_view(game, worth.analysis, best)
            if not any(map(view.worth, view.highlights)):
                view = replace(view, labels={})
        else:
            view = view_of(game, labels=self._has_digits)
        codes: dict[int, list[str]] = {index: [text] for index, text in view.highlights.items() if text}
        for code, cells in self._marked():
            for index in cells:
                codes.setdefault(index, []).append(code)
        return replace(view, highlights={index: " ".join(found) for index, found in codes.items()})

    @property
    def _has_digits(self) -> bool:
        """Whether the keys 1-9 place in all cells, and are told there."""
        session = self.session
        places = not (session.is_over or session.is_looking_back)
        return places and 0 < len(session.game.cells) <= session.last_digit

    def _marked(self) -> Iterable[tuple[str, Iterable[int]]]:
        session, answers = self.session, self.answers
        if session.is_sliding:
            told = session.game.annotations()
            for code in ("home", *SLIDES) if not session.is_looking_back else ("home",):
                yield code, self._cells(told.cells_with(code))
        else:
            yield "cursor", (session.cursor,)
        if answers.shown_hint is not None and answers.worth is None:
            yield "hint", self._cells([answers.shown_hint.move])
        if session.parts:
            shape = session.latest.shape
            yield "said", (index_of(shape, part) for part in session.parts if not isinstance(part, str))
            yield "next", (index_of(shape, cell) for cell in session.step.cells)
        yield "turning", self._turned_over()
        if lines := answers.lines_here():
            yield "open", lines.open
            yield "closed", lines.closed
        if threats := answers.threats_here():
            yield "threat" if threats.lose else "own-threat", self._cells(threats.own or ())
            yield "threat", self._cells(threats.others or ())

    def _turned_over(self) -> Iterable[int]:
        """The marks that a move at the cursor would turn over."""
        game = self.session.game
        cell = coordinate_of(game.shape, self.session.cursor)
        if not any(code.startswith("turns:") for code in game.annotations().cells.get(cell, ())):
            return []
        after = game.copy()
        after.play(cell)
        pairs = enumerate(zip(game.cells, after.cells, strict=True))
        return [index for index, (old, new) in pairs if old is not None and old != new]

    def _cells(self, moves: Iterable[Move]) -> list[int]:
        shape = self.session.game.shape
        return [index_of(shape, cell) for move in moves for cell in cells_of(move)]

    # Above and below the board

    def above_and_below(self, width: int) -> tuple[list[Line], list[Line]]:
        """The status above the board and the notes below it, in *width* columns."""
        arrangement = self.arrangement
        if not arrangement.has_board:
            told = [*self._turn_line(width), Bit(". "), Bit(self._say("too-small"), SECOND)]
            return note_lines(["".join(bit.text for bit in told)], width)[: arrangement.status], []
        indent = [] if self.columns < NARROW else [Bit("  ")]
        first: Line = [*indent, *self._turn_line(width - 2 * len(indent))]
        score = self._score_beside(first, width)
        if beside := score or self._clock_beside():
            first = spread(first, beside, width - len(indent) // 2)
        room = width - 2 * len(indent)
        below: list[Line] = []
        if arrangement.is_low:
            over = self._low_status(first, self._question_or_message(room), room, arrangement.status)
            over = [*over[:1], *([*indent, *line] for line in over[1:])]
        else:
            above, below = self._told(room)
            over = [first, *([*indent, *line] for line in above)]
        height = max(arrangement.free, len(below))
        if not arrangement.sidebar:
            height = arrangement.notes + arrangement.status - len(over)
            below = self._notes(below, room, height, len(over))
            if height > len(below) and not score:
                below.append(status.score_line(self._say, self.session, room))
        below = [[*indent, *line] for line in below]
        return over, [[], *below] if height > len(below) > 0 else below

    # Above the board

    def _turn_line(self, width: int) -> list[Bit]:
        gone, is_thinking = self.turns.thinking_milliseconds, self.turns.is_thinking
        time = [] if gone is None else [Bit(f"  {status.clock_face(gone, tenths=False)}", SECOND)]
        room = width - width_of(time)
        return [*status.turn_line(self._say, self.session, room, is_thinking=is_thinking), *time]

    def _told(self, width: int) -> tuple[list[Line], list[Line]]:
        """What is told above the board, always in as many lines, and what had no room there.

        The board stays where it is: what is long is told below it, whole as far as that can be.
        """
        arrangement = self.arrangement
        said, standing = self._question_or_message(width), self._standing_lines(width - 1)
        goes_on = self.session.question is None and (self.turns.progress is not None or self._is_stuck)
        if 0 < len(said) <= MAX_STATUS and not (goes_on or self.session.is_at_end):
            standing = []  # but why the game has ended is told whatever else is
        room = max(arrangement.free, arrangement.notes)
        if said or self.session.is_at_end or self._urgent() is not None:
            room = max(room, arrangement.told)
        above: list[Line] = []
        below: list[Line] = []
        for lines in (said, standing):
            (above if len(above) + len(lines) <= MAX_STATUS else below).extend(lines)
        if len(below) > room:
            head = MAX_STATUS if len(said or standing) <= MAX_STATUS else 0  # no sentence around the board
            lines = clipped([*said, *standing], head + room, width - 1)
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

    def _low_status(self, first: Line, below: list[Line], width: int, height: int) -> list[Line]:
        """The status of a low window: if it must, what is asked or told is all of it."""
        if height < 1:
            return []
        most = height - 1 + (self.arrangement.told if height > 1 else 0)
        if self.session.question is not None and len(below) > most and not self._is_answered_in_footer:
            return [*clipped(below[:-1], 1, width), below[-1]][-height:]
        if not below:
            below = note_lines([text for text in [self._low_sentence(width, height)] if text], width, SECOND)
        if height == 1:
            return clipped(below or [first], 1, width)
        if not below and (self.session.is_at_end or self._paragraphs):
            return [first]  # there is more room for it below the board
        if not (below or self.arrangement.notes or self.arrangement.sidebar):
            below = [status.score_line(self._say, self.session, width)]
        return [first, *clipped(below or [[]], most, width)]

    def _low_sentence(self, width: int, height: int) -> str | None:
        """What is to be said in a low window where nothing has just happened."""
        say, game = self._say, self.session.latest
        if (urgent := self._urgent(width)) is not None:
            return urgent
        if height == 1 or self.session.is_over or self._paragraphs:
            return None
        if self.arrangement.is_named and (not game.moves or self.arrangement.sidebar):
            rules = (rule_in_short(say, game), tag_of(say, game))
            if self.session.is_sliding:
                rules = (say("slide-into-gap"), "")
            return next((rule for rule in rules if rule and display_width(rule) <= width), None)
        if self.arrangement.notes:
            return None
        return next(iter(status.place_lines(say, self.session, self.arrangement, width, 1)), None)

    @property
    def _is_stuck(self) -> bool:
        """Whether a computer is to move that has given no answer."""
        return self.session.thinking_side is not None and not self.turns.is_thinking

    def _standing_state(self) -> str | None:
        """That an earlier position is looked at, or that moves are tried out; None for the game as it is.

        Or that nothing happens until a key is pressed.
        """
        session, say = self.session, self._say
        if session.is_looking_back:
            return say("looking-back", ply=session.game.ply, of=session.latest.ply)
        if self._is_stuck:
            return say("no-move-came")
        if session.trial is None or session.is_over:
            return None
        number, of = session.lines
        return say("in-trial") if of < 2 else say("in-trial-line", number=number, of=of)

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

    def _standing_lines(self, width: int) -> list[Line]:
        """What is to be said where nothing has just happened."""
        if self.session.is_at_end:
            return self._result_lines(width)
        people, say = self.session.people, self._say
        if self._standing_state() is None and (progress := self.turns.progress) is not None:
            return [[Bit(say_thinking(say, self.session, progress, width), SECOND)]]
        sentences = self._sentences()
        while len(sentences) > 1 and display_width(say.joined(sentences)) > width:
            sentences.pop()  # where things are can be seen, and the rule stands in the help, too
        if len(people) == 1 < len(self.session.latest.sides) and self._standing_state() is None:
            mine = say("you-have", mark=status.side_bit(self.session.latest, people[0]).text)
            if display_width(say.joined([mine, *sentences])) <= width:
                sentences = [mine, *sentences]
        return self._wrapped(sentences, width)

    def _result_lines(self, width: int) -> list[Line]:
        """How the match has ended, with a remark where there is room for it in the real game."""
        end, outcome = self.session.end, self.session.match.outcome
        if end is None or outcome is None:
            raise AssertionError("a game that goes on has no result")
        tell = self.wording.result if self.arrangement.is_low else self.wording.how
        told = tell(outcome, end)
        if self.session.trial is None:
            lines = self._wrapped([*told, *self.wording.remark(outcome)], width)
            if len(lines) <= MAX_STATUS:
                return lines
        return self._wrapped(told, width)

    def _wrapped(self, sentences: Iterable[str], width: int) -> list[Line]:
        text = self._say.joined(sentences)
        if 0 < display_width(text) <= width:
            return [[Bit(text, SECOND)]]  # with the blanks that set its parts off
        return note_lines([text], width, SECOND)

    def _sentences(self) -> list[str]:
        """What there is to say of a game that goes on, or of an earlier position."""
        if (urgent := self._urgent()) is not None:
            return [urgent]
        say, game = self._say, self.session.latest
        if self.session.is_sliding:
            return [say("slide-into-gap")]
        if (meant := self._meaning()) is not None:
            return [meant, *self._places_in_sight()]
        if game.moves and self._tells_places_below and not self.arrangement.notes:
            return status.place_lines(say, self.session, self.arrangement, self.columns, 1)
        rule = rule_in_short(say, game) or say.messages(game.rule_text)
        return [*self._places_in_sight(), *leaving_next(say, self.session.names), rule]

    def _meaning(self) -> str | None:
        """What values, lines or the cursor mean now, instead of the rule; None where they mean nothing."""
        say, session, answers = self._say, self.session, self.answers
        if (worth := answers.worth) is not None and any(
            move.value is not None for move in worth.analysis.moves
        ):
            return say("values-mean")
        if (lines := answers.lines_here()) is not None:
            open_, closed = lines.open_count, lines.count - lines.open_count
            told = say.plural("lines-mean", lines.count, open=open_, closed=closed)
            return PARTED.join([session.called_cell, told])
        return turned_by(say, session.names, coordinate_of(session.game.shape, session.cursor))

    def _urgent(self, width: int | None = None) -> str | None:
        """What goes before the rule of the game; shorter, if there is a word for it, in *width* columns."""
        say, session, game = self._say, self.session, self.session.game
        if (state := self._standing_state()) is not None:
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
    def _tells_places_below(self) -> bool:
        """Whether places are told below the board, since they may be out of sight, or the window is low."""
        arrangement = self.arrangement
        return arrangement.is_low or not (arrangement.is_whole or arrangement.sidebar)

    def _places_in_sight(self) -> list[str]:
        """Where one may go, and where the cursor is in space, or on a board that does not say so itself."""
        say, session = self._say, self.session
        told = []
        is_plain = self.arrangement.is_named and session.latest.layout.planes == 1
        is_told = is_plain or self.answers.lines_here() is not None  # which are those of the cell
        if not (is_told or self._tells_places_below):
            id_ = "cursor-in-column" if session.has_columns else "cursor-at"
            told.append(say(id_, cell=session.called_cell))
        if (field := status.open_field(session)) is not None and not self._tells_places_below:
            told.append(say("play-in-field", cells=field))
        return told

    # Below the board: what was asked, where things are

    def _notes(self, more: list[Line], width: int, height: int, taken: int) -> list[Line]:
        """Below the board, where there is no sidebar: *more* comes first; the status has *taken* lines.

        In *height* lines, or in some of the board's for what was asked.
        """
        arrangement = self.arrangement
        paragraphs = self._paragraphs
        lines = note_lines(paragraphs, width)
        if len(more) + len(lines) > height:  # rather without blank lines than with less of the board
            lines = [line for text in paragraphs for line in note_lines([text], width)]
        if self.session.is_at_end and arrangement.is_low:
            lines = self._result_lines(width)
        most = max(height, arrangement.told + arrangement.status - taken)
        lines = clipped([*more, *lines], most, width)
        if self._tells_places_below:
            left = height - len(lines)
            told = status.place_lines(self._say, self.session, arrangement, width, left)
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
        return margin.lines(self._paragraphs, with_graph=is_wanted)

    # The keys

    def _fitting(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Those of *ids* that mean something in this game."""
        return tuple(filter(self.has_use_of, ids))

    def has_use_of(self, id_: str) -> bool:
        """Whether the key of *id_* means something in this game."""
        session, game = self.session, self.session.latest
        # On boards of many dimensions to look for lines takes long, and this is asked for each row of keys.
        is_asked = id_ in ("lines", "threats")
        is_alone = len(game.sides) == 1
        has_lines = is_asked and game.lines_through((0,) * len(game.shape)) is not None
        means_something = {
            "draw": not is_alone and session.people,
            "take-back": not is_alone,
            "rematch": not is_alone,
            "take-back-alone": is_alone,
            "again": is_alone,
            "slide": session.is_sliding,
            **dict.fromkeys(("move", "place", "go-to"), not session.is_sliding),
            "resign": session.people,
            "lines": has_lines,
            "threats": has_lines and not is_alone,
            "cell": session.last_digit,
            "layer": game.layout.planes > 1,
        }
        return bool(means_something.get(id_, True))

    def footer(self, width: int) -> Line:
        """The keys that matter now."""
        session = self.session
        if session.question is not None:
            return session.question.footer(self._say, with_answers=self._is_answered_in_footer)
        states = {
            PAST_KEYS: session.is_looking_back,
            TRIAL_KEYS: session.trial is not None,
            OVER_KEYS: session.is_over,
            THINKING_KEYS: session.thinking_side is not None,
        }
        ids = next((ids for ids, holds in states.items() if holds), PLAY_KEYS)
        is_hidden = ids is PLAY_KEYS and not self.arrangement.is_whole
        is_layered = ids is PLAY_KEYS and session.latest.layout.planes > 1
        kept = "layer" if is_layered else "go-to" if is_hidden and not session.is_sliding else ""
        return footer(self._say, self._fitting(ids), width, kept)
