"""What a person asks of the program while playing, and what is said of it: hints, values, lines, threats."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from noughts.core.board import coordinate_of
from noughts.drawing.signs import CLOSED, OPEN
from noughts.drawing.view import first_index
from noughts.games.base import Game
from noughts.games.lit_lines import LinesThrough
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
"""On boards of so many dimensions threats are found in milliseconds, so that nobody else need be asked."""

BOTH_IN_CELLS = frozenset({"values", "lines"})
"""Of these only one is shown, as both are written into the same cells."""

VALUE_SECONDS = 5.0
"""How long the values of a position are looked for at most."""


class Answers:
    """The answers stand as long as the position that was asked about is the one looked at.

    Each kind is asked for with an *asked* of its own; *review* shows the review of a match.
    """

    def __init__(
        self, session: GameSession, new_slot: Callable[[], TaskSlot], review: Callable[[], None]
    ) -> None:
        self._session, self._review = session, review
        self._slots = {kind: new_slot() for kind in ("hint", "values", "threats")}
        self.shown: frozenset[str] = frozenset()
        """Which of ``values``, ``lines`` and ``threats`` are shown until the key is pressed again."""
        self.last_kind = ""
        """Which of these or ``hint`` was asked for last."""
        self._about: object = None
        self._results: dict[str, tuple[object, Any]] = {}
        """Lines and threats, with what they are about."""
        self._hint_requests = 0
        self._hint: Hint | None = None
        self._worth: tasks.MoveEvaluation | None = None

    @property
    def _position(self) -> object:
        session = self._session
        return session.match, session.match.version, session.game.ply

    # Answers, where they are about the position that is looked at

    @property
    def shown_hint(self) -> Hint | None:
        """The hint, once it was found and asked for a second time, so that the move may be shown."""
        return self._hint if self._hint_requests > 1 and self._about == self._position else None

    @property
    def worth(self) -> tasks.MoveEvaluation | None:
        """What the moves are worth, where that is to be shown and known."""
        is_shown = "values" in self.shown and self._about == self._position and not self._session.is_at_end
        return self._worth if is_shown else None

    @property
    def is_searching(self) -> bool:
        """Whether an answer is being looked for."""
        return any(slot.is_waiting for slot in self._slots.values())

    @property
    def progress(self) -> object:
        """How far the search for an answer has come."""
        return next((slot.progress for slot in self._slots.values() if slot.progress is not None), None)

    def lines_here(self) -> LinesThrough | None:
        """The lines through the cursor's cell, where they are to be shown."""
        game, cursor = self._session.game, self._session.cursor
        find = partial(game.lines_through, coordinate_of(game.shape, cursor))
        return self._find_once("lines", (self._position, cursor), find)

    def threats_here(self) -> tasks.ImmediateMoves | None:
        """The threats in the position, where they are to be shown."""
        game = self._session.game

        def find() -> tasks.ImmediateMoves | None:
            if len(game.shape) <= MAX_FAST_DIMENSIONS:
                return tasks.threats(game)
            self._ask("threats", self._take_threats, tasks.find_threats)
            return None

        return self._find_once("threats", self._position, find)

    def _find_once(self, kind: str, about: object, find: Callable[[], _Result]) -> _Result | None:
        """What *find* finds, asked once of each thing it is *about*; None where it is not to be shown."""
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
        """What the hint says so far."""
        if self._hint is None or self._about != self._position or not self._hint_requests:
            return None
        session = self._session
        return say_hint(say, session.game, session.names, self._hint, self._hint_requests - 1)

    # Asking

    def _ask(self, kind: str, take: Callable[[Any], None], task: Task, *arguments: object) -> None:
        """Ask for *task* in the position that is looked at."""
        game = self._session.game.copy()
        self._slots[kind].ask(task, game, *arguments, take=take, fail=self._fail)

    def look_again(self) -> None:
        """The position may have changed: what was asked about the one before is asked no more."""
        if self._about == self._position:
            return
        for kind in ("hint", "values", "threats"):
            self._slots[kind].drop()
        self._about, self._hint_requests, self._hint, self._worth = self._position, 0, None, None
        if "values" in self.shown and not self._session.is_at_end:
            self._find_values()

    def ask_for_hint(self) -> None:
        """Where to look; asked again, which move; asked again, why."""
        session = self._session
        if session.game.is_over or session.is_over:
            self._session.tell(lambda wording: wording.say("game-over"))
            return
        if session.game.ply < session.match.settled_from:
            session.tell(lambda wording: wording.say("no-hint-in-opening"))
            return
        self.look_again()
        self.last_kind = "hint"
        self._hint_requests += 1  # also while it is looked for: who asks twice is told twice as much
        if self._hint is None:
            self._hint = self._best_by_worth()
        if self._hint is None and not self._slots["hint"].is_waiting:
            self._ask("hint", self._take_hint, tasks.find_hint)
        self._session.tell(None)

    def _take_hint(self, hint: Hint) -> None:
        self._hint = self._best_by_worth() or hint
        self._session.changed()

    def _best_by_worth(self) -> Hint | None:
        """The best move by the values, which are searched for longer than hints: there is one best move."""
        worth = self._worth
        if worth is None or worth.analysis.best is None:
            return None
        best = worth.analysis.best
        return Hint(best, worth.reasons[best], as_good(worth.analysis, best))

    def switch(self, kind: str) -> None:
        """Show ``values`` (of a game that is over its review), ``lines`` or ``threats``, or no more."""
        session, game = self._session, self._session.game
        if kind == "values" and session.is_over and not session.is_looking_back:
            if session.latest.ply:
                self._review()
            else:
                session.tell(lambda wording: wording.say("nothing-to-review"))
            return
        here = coordinate_of(game.shape, session.cursor)
        is_lineless = kind == "lines" and kind not in self.shown and game.lines_through(here) is None
        if is_lineless or (kind == "threats" and len(game.sides) == 1):
            session.tell(lambda wording: wording.say("no-lines-here"))
            return
        self.shown ^= {kind}
        self.last_kind = kind
        if self.shown >= BOTH_IN_CELLS:
            self.shown -= BOTH_IN_CELLS - {kind}
        if "values" not in self.shown:
            self._slots["values"].drop()
        elif kind == "values":
            self.look_again()
            if self._worth is None and not game.is_over:
                self._find_values()
        session.tell(None)

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
        self._session.tell(lambda wording: say_failure(wording.say, failure))

    def drop(self) -> None:
        """Nobody waits for an answer any more."""
        for slot in self._slots.values():
            slot.drop()


def say_failure(say: Translator, failure: TaskFailure) -> str:
    """Why a search has given no answer."""
    return say("thinking-gone") if failure.reason == "gone" else say("thinking-failed", detail=failure.detail)


# What is said of it


MAX_TENTHS = 999
"""Scores that are greater are no better known."""

PARTED = "   "
"""Between what is told of a search."""

MAX_EXPECTED = 5
"""How many moves are told of the line that a search expects."""


def paragraphs(
    say: Translator, session: GameSession, answers: Answers, width: int, *, has_line_count: bool = False
) -> list[str]:
    """A paragraph for each thing that is shown over the board until its key is pressed again.

    What was asked last comes first: where there is little room, older answers give way. *width* is that of
    the window. With *has_line_count* it is told elsewhere how many lines there are.
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
    """How many lines there are and, in a wide sidebar, what their signs mean."""
    facts = {"open": lines.open_count, "side": session.game.turn, "cell": session.called_cell}
    if width < NARROW:
        return [say.plural("lines-in-short", lines.count, **facts)]
    # Where marks fall, cells have no name of their own.
    text = say.plural("lines-through-here" if session.has_columns else "lines-through", lines.count, **facts)
    if width < WIDE_FROM:
        return [text]
    # The colon comes first, so that it does not look like one between words.
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
    """How deep the search for a computer's move is, what it makes of it, and the line it expects.

    In *width* columns: moves are left out from the end, then what comes last.
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
    """A score of a search as people read it: hundredths with one decimal, of a proved end the own moves."""
    sign = "-" if score < 0 else "+"
    if abs(score) >= PROVED:
        return f"{sign}{own_moves(WIN - abs(score), game)}"
    whole, tenth = divmod(min(MAX_TENTHS, (abs(score) + 5) // 10), 10)
    return say("signed-decimal", sign=sign, whole=whole, tenth=tenth)


def say_progress(say: Translator, session: GameSession, progress: object) -> str:
    """How far a search has come and what it expects; empty where there is nothing to tell."""
    if not isinstance(progress, Progress):
        return ""
    id_ = "progress-searching" if progress.depth else "progress-nodes"
    text = say(id_, nodes=progress.nodes, depth=progress.depth)
    line = progress.pv or (() if progress.best is None else (progress.best,))
    if not line:
        return text
    expected = session.names.line_phrase(line[:MAX_EXPECTED])
    return say.joined([say("expects", moves=expected), text])
