"""The program's answers during a game: hints, values, lines and threats."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from noughts.core.board import coordinate_of
from noughts.drawing.signs import CLOSED, OPEN
from noughts.drawing.view import first_index
from noughts.games.base import Game
from noughts.games.lines_through import LinesThrough
from noughts.interfaces.presenting import tasks
from noughts.interfaces.presenting.analysis_texts import say_no_value, say_reason, say_value
from noughts.interfaces.presenting.hints import Hint, as_good, say_hint
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.game.screen_layout import WIDE_FROM
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.widgets.keys import NARROW
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.search.analysis import Progress, own_moves
from noughts.search.general.alphabeta import PROVED, WIN
from noughts.text import display_width
from noughts.workers.messages import Task, TaskFailure

_Result = TypeVar("_Result")

MAX_FAST_DIMENSIONS = 4
"""The maximum number of dimensions of a board whose threats are found at once, without the worker process."""

BOTH_IN_CELLS = frozenset({"values", "lines"})
"""The answers that are written into the cells, so only one of them is shown at a time."""

VALUE_SECONDS = 5.0
"""The longest search for the values of a position, in seconds."""


class Answers:
    """The answers about the viewed position; they are dropped when another position is viewed.

    *new_slot* makes a task slot for each kind of answer. *review* shows the review of a match.
    """

    def __init__(
        self, session: GameSession, new_slot: Callable[[], TaskSlot], review: Callable[[], None]
    ) -> None:
        self._session, self._review = session, review
        self._slots = {kind: new_slot() for kind in ("hint", "values", "threats")}
        self.shown: frozenset[str] = frozenset()
        """The kinds (``values``, ``lines``, ``threats``) that stay visible until their key is pressed again.
        """
        self.last_kind = ""
        """The kind of answer that was requested last: ``values``, ``lines``, ``threats`` or ``hint``."""
        self._about: object = None
        self._results: dict[str, tuple[object, Any]] = {}
        """The lines and threats, each with the position (and cell) that they are about."""
        self._hint_requests = 0
        self._hint: Hint | None = None
        self._worth: tasks.MoveEvaluation | None = None

    @property
    def _position(self) -> object:
        session = self._session
        return session.match, session.match.version, session.game.ply

    # Answers about the viewed position

    @property
    def shown_hint(self) -> Hint | None:
        """The hint, if it was found and requested twice, so that its move may be shown."""
        return self._hint if self._hint_requests > 1 and self._about == self._position else None

    @property
    def worth(self) -> tasks.MoveEvaluation | None:
        """The values of the moves; None if they are not shown or not known."""
        is_shown = "values" in self.shown and self._about == self._position and not self._session.is_at_end
        return self._worth if is_shown else None

    @property
    def is_searching(self) -> bool:
        """True if a search for an answer is running."""
        return any(slot.is_waiting for slot in self._slots.values())

    @property
    def progress(self) -> object:
        """The progress of the search for an answer; None if there is none."""
        return next((slot.progress for slot in self._slots.values() if slot.progress is not None), None)

    def lines_here(self) -> LinesThrough | None:
        """Return the lines through the cursor's cell; None if they are not shown."""
        game, cursor = self._session.game, self._session.cursor
        find = partial(game.lines_through, coordinate_of(game.shape, cursor))
        return self._find_once("lines", (self._position, cursor), find)

    def threats_here(self) -> tasks.ImmediateMoves | None:
        """Return the threats in the position; None if they are not shown."""
        game = self._session.game

        def find() -> tasks.ImmediateMoves | None:
            if len(game.shape) <= MAX_FAST_DIMENSIONS:
                return tasks.threats(game)
            self._ask("threats", self._take_threats, tasks.find_threats)
            return None

        return self._find_once("threats", self._position, find)

    def _find_once(self, kind: str, about: object, find: Callable[[], _Result]) -> _Result | None:
        """Return the result of *find*, which is called once for each value of *about*.

        Return None if this *kind* of answer is not shown.
        """
        if kind not in self.shown or self._session.is_at_end:
            return None
        if kind not in self._results or self._results[kind][0] != about:
            self._results[kind] = about, find()
        result: _Result = self._results[kind][1]
        return result

    def _take_threats(self, threats: tasks.ImmediateMoves) -> None:
        self._results["threats"] = self._position, threats
        self._session.changed()

    def hint_sentence(self, say: Translator) -> str | None:
        """Return the hint in words, as far as it was requested; None if there is none."""
        if self._hint is None or self._about != self._position or not self._hint_requests:
            return None
        session = self._session
        return say_hint(say, session.game, session.names, self._hint, self._hint_requests - 1)

    # Requests

    def _ask(self, kind: str, take: Callable[[Any], None], task: Task, *arguments: object) -> None:
        """Start *task* for the viewed position."""
        game = self._session.game.copy()
        self._slots[kind].ask(task, game, *arguments, on_answer=take, on_failure=self._fail)

    def refresh(self) -> None:
        """Drop the requests and answers if another position is viewed now."""
        if self._about == self._position:
            return
        for kind in ("hint", "values", "threats"):
            self._slots[kind].drop()
        self._about, self._hint_requests, self._hint, self._worth = self._position, 0, None, None
        if "values" in self.shown and not self._session.is_at_end:
            self._find_values()

    def ask_for_hint(self) -> None:
        """Show more of the hint: first the area, then the move, then the reason."""
        session = self._session
        if session.game.is_over or session.is_over:
            self._session.show_message(lambda wording: wording.say("game-over"))
            return
        if session.game.ply < session.match.settled_from:
            session.show_message(lambda wording: wording.say("no-hint-in-opening"))
            return
        self.refresh()
        self.last_kind = "hint"
        self._hint_requests += 1  # Requests during the search count too.
        if self._hint is None:
            self._hint = self._best_by_worth()
        if self._hint is None and not self._slots["hint"].is_waiting:
            self._ask("hint", self._take_hint, tasks.find_hint)
        self._session.show_message(None)

    def _take_hint(self, hint: Hint) -> None:
        self._hint = self._best_by_worth() or hint
        self._session.changed()

    def _best_by_worth(self) -> Hint | None:
        """Return the best move by the values, which come from a longer search than a hint.

        So the hint and the values name the same move.
        """
        worth = self._worth
        if worth is None or worth.analysis.best is None:
            return None
        best = worth.analysis.best
        return Hint(best, worth.reasons[best], as_good(worth.analysis, best))

    def toggle(self, kind: str) -> None:
        """Show or hide ``values``, ``lines`` or ``threats``.

        For a game that is over, ``values`` opens its review.
        """
        session, game = self._session, self._session.game
        if kind == "values" and session.is_over and not session.is_looking_back:
            if session.latest.ply:
                self._review()
            else:
                session.show_message(lambda wording: wording.say("nothing-to-review"))
            return
        here = coordinate_of(game.shape, session.cursor)
        is_lineless = kind == "lines" and kind not in self.shown and game.lines_through(here) is None
        if is_lineless or (kind == "threats" and len(game.sides) == 1):
            session.show_message(lambda wording: wording.say("no-lines-here"))
            return
        self.shown ^= {kind}
        self.last_kind = kind
        if self.shown >= BOTH_IN_CELLS:
            self.shown -= BOTH_IN_CELLS - {kind}
        if "values" not in self.shown:
            self._slots["values"].drop()
        elif kind == "values":
            self.refresh()
            if self._worth is None and not game.is_over:
                self._find_values()
        session.show_message(None)

    def _find_values(self) -> None:
        self._ask("values", self._take_worth, tasks.evaluate_moves, VALUE_SECONDS)

    def _take_worth(self, worth: tasks.MoveEvaluation) -> None:
        self._worth = worth
        self._session.graph.keep(self._session.game, worth.analysis.value, worth.analysis.score)
        if self._hint is not None:
            self._hint = self._best_by_worth() or self._hint
        self._session.changed()

    def _fail(self, failure: TaskFailure) -> None:
        self.shown, self._hint_requests = self.shown - {"values"}, 0
        self._session.show_message(lambda wording: say_failure(wording.say, failure))

    def drop(self) -> None:
        """Drop all requests."""
        for slot in self._slots.values():
            slot.drop()


def say_failure(say: Translator, failure: TaskFailure) -> str:
    """Return the reason why a search gave no answer."""
    return say("thinking-gone") if failure.reason == "gone" else say("thinking-failed", detail=failure.detail)


# Answers in words


MAX_TENTHS = 999
"""The highest score that is shown, in tenths; higher ones are not more precise."""

PARTED = "   "
"""The gap between the parts of a search report."""

MAX_EXPECTED = 5
"""The maximum number of moves that are shown of the line that a search expects."""


def paragraphs(
    say: Translator, session: GameSession, answers: Answers, width: int, *, has_line_count: bool = False
) -> list[str]:
    """Return a paragraph for each kind of answer that is shown.

    The latest request comes first, since older answers give way if there is little room. *width* is that of
    the window. With *has_line_count* the number of lines is shown elsewhere.
    """
    texts: dict[str, list[str]] = {}
    if (hint := answers.hint_sentence(say)) is not None:
        texts["hint"] = [hint]
    if worth := answers.worth:
        texts["values"] = _about_values(say, session, worth)
    elif answers.is_searching:
        searched = "values" if "values" in answers.shown else "hint"
        texts.setdefault(searched, []).append(
            say_progress(say, session, answers.progress) or say("searching")
        )
    if (lines := answers.lines_here()) is not None:
        texts["lines"] = _about_lines(say, session, lines, width)[has_line_count:]
    if (threats := answers.threats_here()) is not None:
        texts["threats"] = _about_threats(say, session, threats)
    return [
        text for kind in sorted(texts, key=lambda kind: kind != answers.last_kind) for text in texts[kind]
    ]


def _about_values(say: Translator, session: GameSession, worth: tasks.MoveEvaluation) -> list[str]:
    if not worth.analysis.moves and worth.analysis.best is None:
        return [say_no_value(say, session.game)]
    texts = [say_value(say, session.game, worth.analysis)]
    ranks = {value.move: value.rank for value in worth.analysis.moves}
    here = [move for move in worth.reasons if first_index(session.game, move) == session.cursor]
    move = max(here, key=lambda move: ranks[move]) if here else worth.analysis.best
    if move is not None and move in worth.reasons:
        reason = say_reason(say, worth.reasons[move], session.names)
        texts.append(say("why-move", move=session.names.phrase(move), reason=reason))
    return texts


def _about_lines(say: Translator, session: GameSession, lines: LinesThrough, width: int) -> list[str]:
    """Return the number of lines and, in a wide sidebar, the meaning of their signs."""
    facts = {"open": lines.open_count, "side": session.game.turn, "cell": session.cell_name}
    if width < NARROW:
        return [say.plural("lines-in-short", lines.count, **facts)]
    # In games where marks fall, cells have no name of their own.
    text = say.plural("lines-through-here" if session.has_columns else "lines-through", lines.count, **facts)
    if width < WIDE_FROM:
        return [text]
    # The sign ":" comes first. Between words it would look like punctuation.
    return [text, f"{CLOSED} {say('sign-closed')} {OPEN} {say('sign-open')}"]


def _about_threats(say: Translator, session: GameSession, threats: tasks.ImmediateMoves) -> list[str]:
    names = session.names
    if threats.own is None or (threats.others is None and not threats.own):
        return [say("threats-unknown")]
    if threats.lose:
        return [
            say("threats-lose", moves=names.phrase(*threats.own)) if threats.own else say("no-row-completed")
        ]
    texts = []
    if threats.own:
        texts.append(say("threats-own", moves=names.phrase(*threats.own)))
    if threats.others:
        texts.append(say("threats-others", moves=names.phrase(*threats.others)))
    return texts or [say("no-threats")]


def say_thinking(say: Translator, session: GameSession, progress: object, width: int) -> str:
    """Return the depth, score and expected line of the search for a computer's move.

    If *width* columns are too few, moves are dropped from the end, then the other parts, the last first.
    """
    if not isinstance(progress, Progress):
        return ""
    if progress.stage in ("unproved", "late"):
        return say(f"thinking-{progress.stage}")
    if not progress.depth:
        return say("progress-nodes", nodes=progress.nodes)
    parts = [say("thinking-depth", depth=progress.depth)]
    if progress.score is not None:
        parts.append(f"{session.match.turn} {_say_score(say, progress.score, session.latest)}")
    line = progress.pv or (() if progress.best is None else (progress.best,))
    for count in range(min(len(line), MAX_EXPECTED), 0, -1):
        expected = session.names.line_phrase(line[:count])
        text = PARTED.join([*parts, say("thinking-expects", moves=expected)])
        if display_width(text) <= width:
            return text
    while len(parts) > 1 and display_width(PARTED.join(parts)) > width:
        parts.pop()
    return PARTED.join(parts)


def _say_score(say: Translator, score: int, game: Game) -> str:
    """Return the *score* of a search in words: with one decimal, or the moves to a proved end."""
    sign = "-" if score < 0 else "+"
    if abs(score) >= PROVED:
        return f"{sign}{own_moves(WIN - abs(score), game)}"
    whole, tenth = divmod(min(MAX_TENTHS, (abs(score) + 5) // 10), 10)
    return say("signed-decimal", sign=sign, whole=whole, tenth=tenth)


def say_progress(say: Translator, session: GameSession, progress: object) -> str:
    """Return the progress of a search and the line that it expects; empty if nothing is known."""
    if not isinstance(progress, Progress):
        return ""
    id_ = "progress-searching" if progress.depth else "progress-nodes"
    text = say(id_, nodes=progress.nodes, depth=progress.depth)
    line = progress.pv or (() if progress.best is None else (progress.best,))
    if not line:
        return text
    expected = session.names.line_phrase(line[:MAX_EXPECTED])
    return say.joined([say("expects", moves=expected), text])
