"""What is written around the board: the status above it, the margin beside it, the notes below it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from noughts.core.board import coordinate_of, index_of
from noughts.drawing.view import View, reason_forbidden, view_of
from noughts.games.moves import Move, cells_of, is_pass
from noughts.interfaces.presenting.explaining import value_view
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.naming import rule_in_short, tag_of
from noughts.interfaces.tui.game.analysis_text import answers, say_progress
from noughts.interfaces.tui.game.headline import headline
from noughts.interfaces.tui.game.sidebar import (
    CLOSE,
    clock_face,
    move_lines,
    note_lines,
    player_lines,
    score_line,
)
from noughts.interfaces.tui.game.whereabouts import open_field, place_lines, places
from noughts.interfaces.tui.kit.keys import NARROW, footer, key_line
from noughts.interfaces.tui.kit.spans import Bit, Line, clipped, spread, width_of
from noughts.interfaces.tui.kit.styles import EDGE, SECOND
from noughts.text import display_width

if TYPE_CHECKING:
    from noughts.interfaces.tui.game.game_page import GamePage

PLAY_KEYS = ("move", "layer", "place", "cell", "hint", "values", "lines", "help", "leave")
PAST_KEYS = ("back", "forward", "branch", "values", "help", "leave")
TRIAL_KEYS = ("place", "take-back", "values", "hint", "help", "leave-trial")
OVER_KEYS = ("rematch", "review", "back", "forward", "save", "leave")
THINKING_KEYS = ("hurry", "take-back", "lines", "help", "leave")
"""The keys of the footer, by what is going on."""

MARGIN_KEYS = (("hint", "values"), ("lines", "threats"), ("take-back",), ("draw",), ("resign",))
TRIAL_MARGIN_KEYS = (("hint", "values"), ("lines", "threats"), ("take-back",), ("leave-trial",))
OVER_MARGIN_KEYS = (("rematch",), ("review",), ("save", "copy"))
"""The keys of the margin, line by line."""

MOST_STATUS = 2
"""Lines of what is told below the headline."""

LEAST_MOVE_LINES = 3
"""So many lines are kept for the moves before keys are listed in the margin."""


class Telling:
    """Puts the state of a game page into lines."""

    def __init__(self, page: "GamePage") -> None:
        self._page = page

    @property
    def _say(self) -> Translator:
        return self._page.say

    @property
    def _unicode(self) -> bool:
        return self._page.program.has_unicode

    # The board

    def view(self) -> View:
        """What is said about single cells: the last move, lines, values, the hint, the cursor."""
        page, asking = self._page, self._page.asking
        game = page.playing.game
        if worth := asking.worth:
            best = worth.analysis.best if asking.shown_hint is None else asking.shown_hint.move
            if best is not None and page.playing.cursor in self._cells([best]):
                best = None  # the signs of the cursor stand there
            view = value_view(game, worth.analysis, best)
            if not any(map(view.worth, view.highlights)):
                view = replace(view, labels={})
        else:
            view = view_of(game, labels=False)
        codes: dict[int, list[str]] = {index: [text] for index, text in view.highlights.items() if text}
        for code, cells in self._marked():
            for index in cells:
                codes.setdefault(index, []).append(code)
        return replace(view, highlights={index: " ".join(found) for index, found in codes.items()})

    def _marked(self) -> Iterable[tuple[str, Iterable[int]]]:
        playing, asking = self._page.playing, self._page.asking
        yield "cursor", (playing.cursor,)
        if asking.shown_hint is not None and asking.worth is None:
            yield "hint", self._cells([asking.shown_hint.move])
        if playing.said:
            shape = playing.latest.shape
            yield "said", (index_of(shape, part) for part in playing.said if not isinstance(part, str))
            yield "next", (index_of(shape, cell) for cell in playing.step.cells)
        if lines := asking.lines_here():
            yield "open", lines.open
            yield "closed", lines.closed
        if threats := asking.threats_here():
            yield "threat" if threats.lose else "own-threat", self._cells(threats.own or ())
            yield "threat", self._cells(threats.others or ())

    def _cells(self, moves: Iterable[Move]) -> list[int]:
        shape = self._page.playing.game.shape
        return [index_of(shape, cell) for move in moves for cell in cells_of(move)]

    # Above and below the board

    def above_and_below(self, width: int) -> tuple[list[Line], list[Line]]:
        """The status above the board and the notes below it, in *width* columns."""
        page, arrangement = self._page, self._page.arrangement
        if not arrangement.has_board:
            told = [*self._headline(width), Bit(". "), Bit(self._say("too-small"), SECOND)]
            return note_lines(["".join(bit.text for bit in told)], width)[: arrangement.status], []
        indent = [] if page.size.width < NARROW else [Bit("  ")]
        first: Line = [*indent, *self._headline(width - 2 * len(indent))]
        score = self._score_beside(first, width)
        if beside := score or self._clock_beside():
            first = spread(first, beside, width - len(indent) // 2)
        room = width - 2 * len(indent)
        below: list[Line] = []
        if arrangement.status < 3:
            status = self._low_status(first, self._question_or_message(room), width, arrangement.status)
        else:
            above, below = self._told(room)
            status = [first, *([*indent, *line] for line in above)]
        height = arrangement.free
        if not arrangement.margin:
            height = arrangement.notes + arrangement.status - len(status)
            below = self._notes(below, room, height, len(status))
            if height > len(below) and not score:
                below.append(score_line(self._say, page.playing, room, unicode=self._unicode))
        below = [[*indent, *line] for line in below]
        return status, [[], *below] if height > len(below) > 0 else below

    # Above the board

    def _headline(self, width: int) -> list[Bit]:
        page = self._page
        is_thinking = page.course.is_thinking
        return headline(self._say, page.playing, width, unicode=self._unicode, is_thinking=is_thinking)

    def _told(self, width: int) -> tuple[list[Line], list[Line]]:
        """What is told above the board, always in as many lines, and what had no room there.

        The board stays where it is: what is long is told below it, whole as far as that can be.
        """
        page, arrangement = self._page, self._page.arrangement
        said, standing = self._question_or_message(width), self._standing_lines(width - 1)
        goes_on = page.question is None and (page.course.progress is not None or self._is_stuck)
        if 0 < len(said) <= MOST_STATUS and not (goes_on or self._has_result):
            standing = []  # but why the game has ended is told whatever else is
        room = max(arrangement.free, arrangement.notes)
        above: list[Line] = []
        below: list[Line] = []
        for lines in (said, standing):
            (above if len(above) + len(lines) <= MOST_STATUS else below).extend(lines)
        if len(below) > room:
            lines = clipped([*said, *standing], MOST_STATUS + room, width - 1)
            above, below = lines[:MOST_STATUS], lines[MOST_STATUS:]
        return above + [[]] * (MOST_STATUS - len(above)), below

    def _score_beside(self, headline: Line, width: int) -> Line:
        """The players in one line, where there is no margin and room for them beside the headline."""
        page = self._page
        if page.arrangement.margin or page.size.width < NARROW:
            return []
        score = score_line(self._say, page.playing, width, unicode=self._unicode)
        return score if width_of([*headline, *score]) + 3 < width else []

    def _clock_beside(self) -> Line:
        """The clock of the side to move, where there is no margin."""
        page, playing = self._page, self._page.playing
        left = None if playing.is_over else playing.time_left(playing.match.turn)
        if page.arrangement.margin or left is None:
            return []
        return [Bit(clock_face(left), "", left < CLOSE)]

    def _low_status(self, first: Line, below: list[Line], width: int, height: int) -> list[Line]:
        """The status of a low window: what is asked or told takes the headline's place if it must."""
        if height < 1:
            return []
        most = height - 1 + (self._page.arrangement.told if height > 1 else 0)
        if self._page.question is not None and len(below) > most:
            return [*clipped(below[:-1], 1, width), below[-1]][-height:]
        if not below:
            below = note_lines([text for text in [self._low_sentence(width, height)] if text], width, SECOND)
        if height == 1:
            return clipped(below or [first], 1, width)
        if not below and (self._has_result or answers(self._page)):
            return [first]  # there is more room for it below the board
        if not below and not self._page.arrangement.notes:
            below = [score_line(self._say, self._page.playing, width, unicode=self._unicode)]
        return [first, *clipped(below or [[]], most, width)]

    def _low_sentence(self, width: int, height: int) -> str | None:
        """What is to be said in a low window where nothing has just happened."""
        page, say, game = self._page, self._say, self._page.playing.latest
        if (state := self._standing_state()) is not None:
            return state
        if self._must_pass:
            told = say("only-pass")
            return told if display_width(told) <= width else say("only-pass-short")
        if (warning := self._warning) is not None:
            return warning
        if height == 1 or page.playing.is_over or answers(page):
            return None
        if not game.moves:
            rules = (rule_in_short(say, game), tag_of(say, game))
            return next((rule for rule in rules if rule and display_width(rule) <= width), None)
        if page.arrangement.notes:
            return None
        return next(iter(place_lines(say, places(say, page.playing, page.arrangement), width, 1)), None)

    @property
    def _is_stuck(self) -> bool:
        """Whether a computer is to move that has given no answer."""
        page = self._page
        return page.playing.thinking_side is not None and not page.course.is_thinking

    def _standing_state(self) -> str | None:
        """That an earlier position is looked at, or that moves are tried out; None for the game as it is.

        Or that nothing happens until a key is pressed.
        """
        playing, say = self._page.playing, self._say
        if playing.is_looking_back:
            return say("looking-back", ply=playing.game.ply, of=playing.latest.ply)
        if self._is_stuck:
            return say("no-move-came")
        return say("in-trial") if playing.trial is not None and not playing.is_over else None

    @property
    def _must_pass(self) -> bool:
        """Whether a person has nothing to place."""
        playing = self._page.playing
        legal = playing.latest.legal_moves()
        return playing.thinking_side is None and len(legal) == 1 and is_pass(legal[0])

    def _question_or_message(self, width: int) -> list[Line]:
        page, say = self._page, self._say
        if page.question is not None:
            lines, answers = note_lines([page.question.text(say)], width), page.question.bits(say)
            if width_of([*lines[-1], *answers]) <= width:
                return [*lines[:-1], [*lines[-1], *answers]]
            return [*lines, *page.question.lines(say, width)]
        return [] if page.message is None else note_lines([page.message(say)], width - 1)

    def _standing_lines(self, width: int) -> list[Line]:
        """What is to be said where nothing has just happened."""
        if self._has_result:
            return self._result_lines(width)
        sentences = self._sentence()
        people, say = self._page.playing.people, self._say
        if len(people) == 1 < len(self._page.playing.latest.sides) and self._standing_state() is None:
            mine = say("you-have", mark=people[0])
            if display_width(say.joined([mine, *sentences])) <= width:
                sentences = [mine, *sentences]
        return self._wrapped(sentences, width)

    @property
    def _has_result(self) -> bool:
        """Whether the end of the match is looked at, and not a position before it."""
        return self._page.course.end is not None and self._page.playing.is_at_end

    def _result_lines(self, width: int) -> list[Line]:
        """How the match has ended, with a remark where there is room for it in the real game."""
        page = self._page
        end, outcome = page.course.end, page.playing.match.outcome
        if end is None or outcome is None:
            raise AssertionError("a game that goes on has no result")
        if page.playing.trial is None:
            lines = self._wrapped(page.wording.ended(end), width)
            if len(lines) <= MOST_STATUS:
                return lines
        return self._wrapped(page.wording.result(outcome, end), width)

    def _wrapped(self, sentences: Iterable[str], width: int) -> list[Line]:
        return note_lines([self._say.joined(sentences)], width, SECOND)

    def _sentence(self) -> list[str]:
        """What there is to say of a game that goes on, or of an earlier position."""
        page, say, playing = self._page, self._say, self._page.playing
        if (state := self._standing_state()) is not None:
            return [state]
        if (progress := page.course.progress) is not None:
            return [say_progress(say, playing, progress)]
        if self._must_pass:
            return [say("only-pass")]
        if (warning := self._warning) is not None:
            return [warning]
        rule = rule_in_short(say, playing.latest) or say.messages(playing.latest.rule_text)
        return [*self._places_in_sight(), rule]

    @property
    def _warning(self) -> str | None:
        """Why one must not place where the cursor is; None where one may."""
        playing = self._page.playing
        game = playing.game
        codes = game.annotations().cells.get(coordinate_of(game.shape, playing.cursor), ())
        reason = reason_forbidden(codes)
        return None if reason is None else self._say(f"cell-forbidden-{reason}", cell=playing.called_cell)

    @property
    def _tells_places_below(self) -> bool:
        """Whether places are told below the board, since they may be out of sight, or the window is low."""
        arrangement = self._page.arrangement
        return arrangement.status < 3 or not (arrangement.is_whole or arrangement.margin)

    def _places_in_sight(self) -> list[str]:
        """Where one may go, and where the cursor is on a board that does not say so itself."""
        say, playing = self._say, self._page.playing
        told = []
        if not self._page.arrangement.is_named and not self._tells_places_below:
            id_ = "cursor-in-column" if playing.has_columns else "cursor-at"
            told.append(say(id_, cell=playing.called_cell))
        if (field := open_field(playing)) is not None and not self._tells_places_below:
            told.append(say("play-in-field", cells=field))
        return told

    # Below the board: what was asked, where things are

    def _notes(self, more: list[Line], width: int, height: int, taken: int) -> list[Line]:
        """Below the board, where there is no margin: *more* comes first; the status has *taken* lines.

        In *height* lines, or in some of the board's for what was asked.
        """
        page, arrangement = self._page, self._page.arrangement
        paragraphs = answers(page)
        lines = note_lines(paragraphs, width)
        if len(more) + len(lines) > height:  # rather without blank lines than with less of the board
            lines = [line for text in paragraphs for line in note_lines([text], width)]
        if self._has_result and arrangement.status < 3:
            lines = self._result_lines(width)
        most = max(height, arrangement.told + arrangement.status - taken)
        lines = clipped([*more, *lines], most, width)
        if self._tells_places_below:
            found = places(self._say, page.playing, arrangement)
            lines += [[Bit(line)] for line in place_lines(self._say, found, width, height - len(lines))]
        return lines

    # The margin

    def margin(self, width: int, height: int) -> list[Line]:
        """Players, moves, notes and keys behind the margin line."""
        if not width:
            return []
        room = width - 3
        lines = player_lines(self._say, self._page.playing, room, unicode=self._unicode)
        if self._page.playing.sitting.is_series and width > 24:
            number = len(self._page.playing.sitting.series.results) + self._page.playing.sitting.is_playing
            lines += [[], [Bit(self._say("game-of-series", number=number), SECOND)]]
        notes = note_lines(answers(self._page), room)
        keys = self._margin_keys(room)
        left = height - len(lines) - 1
        notes = notes[: max(0, left - LEAST_MOVE_LINES - 1)]
        left -= len(notes) + bool(notes)
        if left - len(keys) - 1 < LEAST_MOVE_LINES:
            keys = []
        high = left - len(keys) - bool(keys)
        moves = move_lines(self._page.playing, room, high, unicode=self._unicode)
        for part in (moves, notes, keys):
            if part:
                lines += [[], *part]
        edge = Bit("┃ " if self._unicode else "| ", EDGE)
        return [[edge, *line] for line in [*lines, *([[]] * height)][:height]]

    def _margin_keys(self, room: int) -> list[Line]:
        playing = self._page.playing
        groups: tuple[tuple[str, ...], ...] = MARGIN_KEYS
        if playing.trial is not None:
            groups = TRIAL_MARGIN_KEYS
        elif playing.is_over:
            groups = OVER_MARGIN_KEYS
        lines = (key_line(self._say, self._fitting(ids), room) for ids in groups)
        return [line for line in lines if line]

    def _fitting(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Those of *ids* that mean something in this game."""
        playing = self._page.playing
        game = playing.latest
        senseless = set()
        if len(game.sides) == 1:
            senseless |= {"draw", "threats"}
        if not playing.people:
            senseless |= {"draw", "resign"}
        if game.lines_through((0,) * len(game.shape)) is None:
            senseless |= {"lines", "threats"}
        if not playing.last_digit:
            senseless.add("cell")
        if game.layout.planes == 1:
            senseless.add("layer")
        return tuple(id_ for id_ in ids if id_ not in senseless)

    def footer(self, width: int) -> Line:
        """The keys that matter now."""
        playing = self._page.playing
        if self._page.question is not None:
            return self._page.question.footer(self._say)
        ids: tuple[str, ...]
        if playing.is_looking_back:
            ids = PAST_KEYS
        elif playing.trial is not None:
            ids = TRIAL_KEYS
        elif playing.is_over:
            ids = OVER_KEYS
        elif playing.thinking_side is not None:
            ids = THINKING_KEYS
        else:
            ids = PLAY_KEYS
        kept = ""
        if ids is PLAY_KEYS and playing.latest.layout.planes > 1:
            kept = "layer"
        elif ids is PLAY_KEYS and not self._page.arrangement.is_whole:
            kept = "go-to"
        return footer(self._say, self._fitting(ids), width, kept)
