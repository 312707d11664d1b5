"""What a person asks of the program while playing: hints, values, lines, threats, a review, files."""

from typing import TYPE_CHECKING

from noughts.arena.match import Match
from noughts.core.board import coordinate_of
from noughts.errors import NoughtsError, system_reason
from noughts.games.lit_lines import LinesThrough
from noughts.games.notation import format_move, format_position
from noughts.interfaces.presenting.hints import Hint, say_hint
from noughts.interfaces.presenting.i18n import Reason, Translator
from noughts.interfaces.presenting.reviewing import review_limit
from noughts.interfaces.presenting.tasks import (
    Threats,
    Worth,
    find_hint,
    find_threats,
    find_worth,
    look_back,
    threats,
)
from noughts.interfaces.tui.game.analysis_text import say_failure
from noughts.interfaces.tui.game.saving import save_game
from noughts.interfaces.tui.game.sidebar import names_of
from noughts.interfaces.tui.kit.tasks import Asked, Told
from noughts.search.insight.review import Review
from noughts.workers.messages import Failure

if TYPE_CHECKING:
    from noughts.interfaces.tui.game.game_page import GamePage

FEW_DIMENSIONS = 4
"""On boards of so many dimensions threats are found in milliseconds, so that nobody else need be asked."""

VALUE_SECONDS = 5.0
"""How long the values of a position are looked for at most."""


class Asking:
    """The answers stand as long as the position that was asked about is the one looked at."""

    def __init__(self, page: "GamePage") -> None:
        self._page = page
        thinker = page.program.around.thinker
        self._asked = {kind: Asked(page, thinker) for kind in ("hint", "worth", "threats", "review")}
        self.has_lines = self.has_threats = self.has_values = False
        """What is shown over the board until the key is pressed again."""
        self.asked_last = ""
        """Which of ``hint``, ``worth``, ``lines`` and ``threats`` was asked for last."""
        self._about: object = None
        self._lines: tuple[object, LinesThrough | None] | None = None
        self._threats: tuple[object, Threats | None] | None = None
        self._given = 0
        self._hint: Hint | None = None
        self._worth: Worth | None = None
        self._reviewed: Match | None = None
        """The match that is reviewed, or was last."""

    @property
    def _position(self) -> object:
        playing = self._page.playing
        return playing.match, playing.match.version, playing.game.ply

    # Answers, where they are about the position that is looked at

    @property
    def shown_hint(self) -> Hint | None:
        """The hint, once it was found and asked for a second time, so that the move may be shown."""
        return self._hint if self._given > 1 and self._about == self._position else None

    @property
    def worth(self) -> Worth | None:
        """What the moves are worth, where that is to be shown and known."""
        is_shown = self.has_values and self._about == self._position and not self._page.playing.is_at_end
        return self._worth if is_shown else None

    @property
    def is_searching(self) -> bool:
        """Whether an answer is being looked for."""
        return any(asked.is_waiting for asked in self._asked.values())

    @property
    def progress(self) -> object:
        """How far the search for an answer has come."""
        return next((asked.progress for asked in self._asked.values() if asked.progress is not None), None)

    def lines_here(self) -> LinesThrough | None:
        """The lines through the cursor's cell, where they are to be shown."""
        playing = self._page.playing
        if not self.has_lines or playing.is_at_end:
            return None
        here = (self._position, playing.cursor)
        if self._lines is None or self._lines[0] != here:
            game = playing.game
            self._lines = here, game.lines_through(coordinate_of(game.shape, playing.cursor))
        return self._lines[1]

    def threats_here(self) -> Threats | None:
        """The threats in the position, where they are to be shown."""
        playing, game = self._page.playing, self._page.playing.game
        if not self.has_threats or playing.is_at_end:
            return None
        if self._threats is None or self._threats[0] != self._position:
            self._threats = self._position, None
            if len(game.shape) <= FEW_DIMENSIONS:
                self._threats = self._position, threats(game)
            else:
                self._asked["threats"].ask(
                    find_threats, game.copy(), take=self._take_threats, fail=self._fail
                )
        return self._threats[1]

    def _take_threats(self, found: Threats) -> None:
        self._threats = self._position, found
        self._page.redraw()

    def hint_sentence(self, say: Translator) -> str | None:
        """What the hint says so far."""
        if self._hint is None or self._about != self._position or not self._given:
            return None
        playing = self._page.playing
        return say_hint(say, playing.game, playing.names, self._hint, self._given - 1)

    # Asking

    def look_again(self) -> None:
        """The position may have changed: what was asked about the one before is asked no more."""
        if self._reviewed is not self._page.playing.match:
            self._asked["review"].drop()
        if self._about == self._position:
            return
        for kind in ("hint", "worth", "threats"):
            self._asked[kind].drop()
        self._about, self._given, self._hint, self._worth = self._position, 0, None, None
        if self.has_values and not self._page.playing.is_at_end:
            self._find_values()

    def put_away(self) -> None:
        """Show nothing over the board any more: another game begins."""
        self.has_lines = self.has_threats = self.has_values = False

    def ask_for_hint(self) -> None:
        """Where to look; asked again, which move; asked again, why."""
        playing = self._page.playing
        if playing.game.is_over or playing.is_over:
            self._page.tell(lambda say: say("game-over"))
            return
        self.look_again()
        self.asked_last = "hint"
        self._given += 1  # also while it is looked for: who asks twice is told twice as much
        if self._hint is None:
            self._hint = self._best_by_worth()
        if self._hint is None and not self._asked["hint"].is_waiting:
            self._asked["hint"].ask(find_hint, playing.game.copy(), take=self._take_hint, fail=self._fail)
        self._page.tell(None)

    def _take_hint(self, hint: Hint) -> None:
        self._hint = self._best_by_worth() or hint
        self._page.redraw()

    def _best_by_worth(self) -> Hint | None:
        """The best move by the values, which are searched for longer than hints: there is one best move."""
        worth = self._worth
        if worth is None or worth.analysis.best is None:
            return None
        return Hint(worth.analysis.best, worth.reasons[worth.analysis.best])

    def switch_values(self) -> None:
        """Show what every move is worth, or no more; of a game that is over, a review."""
        page = self._page
        if page.playing.is_over and not page.playing.is_looking_back:
            self._review()
            return
        self.has_values, self.asked_last = not self.has_values, "worth"
        if self.has_values:
            self.has_lines = False  # both would be written into the same cells
            self.look_again()
            if self._worth is None and not page.playing.game.is_over:
                self._find_values()
        else:
            self._asked["worth"].drop()
        page.tell(None)

    def _find_values(self) -> None:
        game = self._page.playing.game.copy()
        self._asked["worth"].ask(find_worth, game, VALUE_SECONDS, take=self._take_worth, fail=self._fail)

    def _take_worth(self, worth: Worth) -> None:
        self._worth = worth
        if self._hint is not None:
            self._hint = self._best_by_worth() or self._hint
        self._page.redraw()

    def _fail(self, failure: Failure) -> None:
        self.has_values, self._given = False, 0
        self._page.tell(lambda say: say_failure(say, failure))

    def switch_lines(self) -> None:
        """Show the lines through the cursor's cell, or no more."""
        playing = self._page.playing
        here = coordinate_of(playing.game.shape, playing.cursor)
        if not self.has_lines and playing.game.lines_through(here) is None:
            self._page.tell(lambda say: say("no-lines-here"))
            return
        self.has_lines, self.asked_last = not self.has_lines, "lines"
        if self.has_lines and self.has_values:
            self.has_values = False
            self._asked["worth"].drop()
        self._page.tell(None)

    def switch_threats(self) -> None:
        """Show where a line is one move from done, or no more."""
        if len(self._page.playing.latest.sides) == 1:
            self._page.tell(lambda say: say("no-lines-here"))
            return
        self.has_threats, self.asked_last = not self.has_threats, "threats"
        self._page.tell(None)

    # The review

    def _review(self) -> None:
        self._reviewed = self._page.playing.match
        game = self._reviewed.game.copy()
        if not game.ply:
            self._page.tell(lambda say: say("nothing-to-review"))
            return
        asked = self._asked["review"]
        if not asked.is_waiting:
            asked.ask(look_back, game, review_limit(game), take=self._take_review, fail=self._fail)
            self._page.tell(None)

    def _take_review(self, review: Review) -> None:
        self._page.show_review(review)

    # Files and the clipboard

    def save(self) -> None:
        """Save the picture of the position and the record of the game."""
        page = self._page
        try:
            files = save_game(page.playing, names_of(page.say, page.playing))
        except OSError as error:
            reason = Reason(system_reason(error))
            page.tell(lambda say: say("not-saved", reason=reason))
        except NoughtsError as error:
            refusal = error
            page.tell(lambda say: say("not-saved", reason=say.error(refusal).rstrip(".。")))
        else:
            names, folder = [path.name for path in files], str(files[0].parent)
            page.tell(lambda say: say("saved", files=names, folder=folder))

    def copy(self) -> None:
        """Copy the moves of the game, as ``noughts analyse --moves`` reads them.

        Of a game with a start of its own it is the position, as ``--position`` reads it.
        """
        page = self._page
        game = page.playing.game
        if game.start is None:
            text = " ".join(format_move(game, move) for move in game.moves)
        else:
            text = format_position(game)
        page.app.copy_to_clipboard(text)
        page.tell(lambda say: say("copied", moves=text) if text else say("nothing-to-copy"))

    def hear(self, told: Told) -> bool:
        """Take in what the thinker said of the last question; whether it was news of progress."""
        return any(asked.hear(told) for asked in self._asked.values())

    def drop(self) -> None:
        """Nobody waits for an answer any more."""
        for asked in self._asked.values():
            asked.drop()
