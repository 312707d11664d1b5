"""What is written around the board: the status above it, the margin beside it, the notes below it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from noughts.core.board import index_of
from noughts.games.base import PASS, Move
from noughts.games.catalogue import name_of
from noughts.games.drawing.view import View, view_of
from noughts.interfaces.explaining import say_reason, say_value, value_view
from noughts.interfaces.i18n import Translator
from noughts.interfaces.lines import lines_through
from noughts.interfaces.naming import cell_of
from noughts.interfaces.thinking import Worth
from noughts.interfaces.tui.inks import EDGE, SECOND
from noughts.interfaces.tui.keys import NARROW, footer, key_line
from noughts.interfaces.tui.lines import Bit, Line, clipped, spread, width_of
from noughts.interfaces.tui.margin import (
    move_lines,
    names_of,
    note_lines,
    player_lines,
    score_line,
    small_sign,
)
from noughts.search.analysis import Progress

if TYPE_CHECKING:
    from noughts.interfaces.tui.game import GamePage

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

MOST_EXPECTED = 5
"""How many moves are told of the line that a search expects."""

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
        leaving = playing.game.leaving_cell()
        if leaving is not None:
            yield "leaving", (index_of(playing.game.shape, leaving),)
        if lines := asking.lines_here():
            yield "open", lines.open
            yield "closed", lines.closed
        if threats := asking.threats_here():
            yield "own-threat", self._cells(threats.own)
            yield "threat", self._cells(threats.others)

    def _cells(self, moves: Iterable[Move]) -> list[int]:
        shape = self._page.playing.game.shape
        return [index_of(shape, cell_of(move)) for move in moves if move != PASS]

    # Above the board

    def status(self, width: int, height: int) -> list[Line]:
        """The headline, and below it what there is to say."""
        if height < 1:
            return []
        if not self._page.arrangement.has_board:
            told = [*self._headline(), Bit(". "), Bit(self._say("too-small"), SECOND)]
            return note_lines(["".join(bit.text for bit in told)], width)[:height]
        is_narrow = self._page.size.width < NARROW
        indent = [] if is_narrow else [Bit("  ")]
        headline: Line = [*indent, *self._headline()]
        if height > 1 and (score := self._score_beside(headline, width)):
            headline = spread(headline, score, width - 1)
        below = self._question_or_message(width - len(indent) * 2)
        if height < 3:
            return self._low_status(headline, below, width, height)
        if not below:
            below = self._standing_lines(width - 3)
        below = clipped([*below, []] if len(below) < MOST_STATUS else below, MOST_STATUS, width - 3)
        return [headline, *([*indent, *line] for line in below)]

    def _score_beside(self, headline: Line, width: int) -> Line:
        """The players in one line, where there is no margin and room for them beside the headline."""
        page = self._page
        if page.arrangement.margin or page.size.width < NARROW:
            return []
        score = score_line(self._say, page.playing, width, unicode=self._unicode)
        return score if width_of([*headline, *score]) + 3 < width else []

    def _low_status(self, headline: Line, below: list[Line], width: int, height: int) -> list[Line]:
        """The status of a low window: what is asked or told takes the headline's place if it must."""
        if self._page.question is not None and len(below) >= height:
            return [*clipped(below[:-1], 1, width), below[-1]][-height:]
        if not below and (standing := self._standing_state()) is not None:
            below = note_lines([standing], width, SECOND)
        if height == 1:
            return clipped(below or [headline], 1, width)
        return [headline, *clipped(below or [[]], height - 1, width)]

    def _standing_state(self) -> str | None:
        """That an earlier position is looked at, or that moves are tried out; None for the game as it is."""
        playing, say = self._page.playing, self._say
        if playing.is_looking_back:
            return say("looking-back", ply=playing.game.ply, of=playing.latest.ply)
        return say("in-trial") if playing.trial is not None and not playing.is_over else None

    def _headline(self) -> list[Bit]:
        say, playing = self._say, self._page.playing
        match, names = playing.match, names_of(self._say, playing)
        outcome = match.outcome
        if outcome is not None:
            return [*self._sign(outcome.winner), Bit(self._result_in_short(), "", True)]
        turn = match.turn
        if playing.thinking_side is not None:
            text = say("is-thinking", player=names[turn])
        elif len(playing.people) == 1:
            text = say("your-turn")
        else:
            text = say("is-to-move", player=names[turn])
        return [*self._sign(turn), Bit(text, "", True)]

    def _sign(self, side: str | None) -> list[Bit]:
        if side is None or len(self._page.playing.latest.sides) == 1:
            return []
        return [Bit(f"{small_sign(side, unicode=self._unicode)} ", side, True)]

    def _result_in_short(self) -> str:
        outcome, say = self._page.playing.match.outcome, self._say
        if outcome is None:
            raise AssertionError("a game that goes on has no result")
        names = names_of(say, self._page.playing)
        if outcome.termination == "solved":
            return say("over-solved")
        if outcome.winner is None:
            is_lost_by_one = len(names) > 2 and outcome.termination in ("resignation", "time", "forfeit")
            return say("nobody-wins") if is_lost_by_one else say("over-draw")
        return say("wins", winner=names[outcome.winner]).rstrip(".。")

    def _question_or_message(self, width: int) -> list[Line]:
        page, say = self._page, self._say
        if page.question is not None:
            lines, answers = note_lines([page.question.text(say)], width), page.question.bits(say)
            if width_of([*lines[-1], *answers]) <= width:
                return [*lines[:-1], [*lines[-1], *answers]]
            return [*lines, answers]
        return [] if page.message is None else note_lines([page.message(say)], width - 1)

    def _standing_lines(self, width: int) -> list[Line]:
        """What is to be said where nothing has just happened; a remark at the end where there is room."""
        lines = note_lines([self._standing_sentence()], width, SECOND)
        playing = self._page.playing
        if playing.is_over and playing.trial is None and self._page.course.end is not None:
            more = note_lines([self._say.joined(self._result(with_remark=True))], width, SECOND)
            return more if len(more) <= MOST_STATUS else lines
        return lines

    def _result(self, *, with_remark: bool) -> list[str]:
        page = self._page
        end, outcome = page.course.end, page.playing.match.outcome
        if end is None or outcome is None:
            raise AssertionError("a game that goes on has no result")
        return page.wording.ended(end) if with_remark else page.wording.result(outcome, end)

    def _standing_sentence(self) -> str:
        """What is to be said where nothing has just happened."""
        page, say, playing = self._page, self._say, self._page.playing
        if (state := self._standing_state()) is not None:
            return state
        if playing.is_over and page.course.end is not None:
            return say.joined(self._result(with_remark=False))
        if (progress := page.course.progress) is not None:
            return self._progress(progress)
        if list(playing.latest.legal_moves()) == [PASS]:
            return say("only-pass")
        if playing.latest.layout.planes > 1:  # no cell carries its number there
            return say.joined([say("cursor-at", cell=playing.names.cell_at(playing.cursor)), self._rule()])
        return self._rule()

    def _rule(self) -> str:
        game, say = self._page.playing.latest, self._say
        name = name_of(game)
        if say.has(f"tag-{name}"):
            return say("title-and-tag", title=say(f"title-{name}"), tag=say(f"tag-{name}"))
        return say.messages(game.rule_text)

    def _progress(self, progress: object) -> str:
        say = self._say
        if not isinstance(progress, Progress):
            return ""
        if progress.stage == "compiling":
            return say("progress-compiling")
        if progress.stage == "reviewing":
            return say("progress-reviewing", done=progress.done, of=progress.of)
        text = say("progress-searching", nodes=progress.nodes, depth=progress.depth)
        line = progress.pv or (() if progress.best is None else (progress.best,))
        if not line:
            return text
        names = self._page.playing.names
        return say.joined([say("expects", moves=" ".join(map(names.move, line[:MOST_EXPECTED]))), text])

    # Notes: hints, values, lines

    def _paragraphs(self) -> list[str]:
        page, say, asking = self._page, self._say, self._page.asking
        told: list[str] = []
        if (hint := asking.hint_sentence(say)) is not None:
            told.append(hint)
        if worth := asking.worth:
            told += self._about_values(worth)
        elif asking.is_searching:
            told.append(self._progress(asking.progress) or say("searching"))
        if (lines := asking.lines_here()) is not None:
            cell = page.playing.names.cell_at(page.playing.cursor)
            facts = {"cell": cell, "open": lines.open_count, "side": page.playing.game.turn}
            told.append(say.plural("lines-through", lines.count, **facts))
        if (threats := asking.threats_here()) is not None:
            told += self._about_threats(threats.own, threats.others)
        return told

    def _about_values(self, worth: Worth) -> list[str]:
        say, playing = self._say, self._page.playing
        if not worth.analysis.moves and worth.analysis.best is None:
            return [say("no-value", game=name_of(playing.game))]
        told = [say_value(say, worth.analysis.value, worth.analysis.plies, playing.game.turn)]
        moves = [move for move in worth.reasons if move != PASS]
        here = [move for move in moves if playing.index_of_move(move) == playing.cursor]
        move = here[0] if here else worth.analysis.best
        if move is not None and move in worth.reasons:
            reason = say_reason(say, worth.reasons[move], playing.names)
            told.append(say("why-move", move=playing.names.move(move), reason=reason))
        return told

    def _about_threats(self, own: tuple[Move, ...], others: tuple[Move, ...]) -> list[str]:
        say, names = self._say, self._page.playing.names
        told = []
        if own:
            told.append(say("threats-own", moves=[names.move(move) for move in own]))
        if others:
            told.append(say("threats-others", moves=[names.move(move) for move in others]))
        return told or [say("no-threats")]

    def notes(self, width: int, height: int) -> list[Line]:
        """Below the board, where there is no margin."""
        if height < 1:
            return []
        indent = 2 if width >= NARROW else 0
        paragraphs = self._paragraphs()
        lines = note_lines(paragraphs, width - indent)
        if len(lines) > height:  # what was asked last, or says most, comes first
            lines = [line for text in reversed(paragraphs) for line in note_lines([text], width - indent)]
        if not lines and self._page.playing.is_over and self._page.course.end is not None:
            lines = note_lines([self._standing_sentence()], width - indent)
        if not lines and not self._score_beside([Bit("  "), *self._headline()], width):
            lines = [score_line(self._say, self._page.playing, width, unicode=self._unicode)]
        shown: list[Line] = [[Bit(" " * indent), *line] for line in lines]
        return [[], *shown] if height > len(shown) else clipped(shown, height, width)

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
        notes = note_lines(self._paragraphs(), room)
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
        if lines_through(game, 0) is None:
            senseless |= {"lines", "threats"}
        if not playing.last_digit:
            senseless.add("cell")
        if game.layout.planes == 1:
            senseless.add("layer")
        return tuple(id_ for id_ in ids if id_ not in senseless)

    def footer(self, width: int) -> Line:
        """The keys that matter now."""
        playing = self._page.playing
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
        return footer(self._say, self._fitting(ids), width)
