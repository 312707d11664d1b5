"""A session at the console: one game or a series, from the first question to the last scoreboard."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.arena.clock import UNTIMED
from noughts.arena.local_table import (
    LocalTable,
    can_resume,
    is_barely_started,
    is_series_open,
    newest_human_game,
)
from noughts.arena.process_time import now_ms
from noughts.arena.runner import Seat, run
from noughts.arena.series import Series, recount
from noughts.arena.setup import Setup
from noughts.arena.store.store import Store
from noughts.arena.stored_game import StoredGame
from noughts.core.lines import MAX_ENUMERATED
from noughts.errors import NoughtsError, StoreError, UnknownGame
from noughts.interfaces.console.prompts import Conversation, Narrator, UserQuit
from noughts.interfaces.console.seats import ComputerSeat, HintLadder, HumanSeat
from noughts.interfaces.console.setup_questions import make_plan
from noughts.interfaces.console.tables import scoreboard
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.game_plan import (
    HUMAN,
    GamePlan,
    PlayOptions,
    adjourn,
    open_table,
    resumed_plan,
)
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.presenting.titles import title_of

if TYPE_CHECKING:
    from noughts.arena.match import Match
    from noughts.search.explain.review import Review

    LookBack = Callable[[Match], Iterator[Review]]

DONE, NO = 0, 1
"""Exit statuses: done; input ended during a game, or a game was not saved correctly."""

DEFAULT_GAMES = 10
"""The default number of games in a series of computers."""


class Session:
    """A session of games at the console, which are saved in a store.

    *review* reviews a game.
    """

    def __init__(
        self,
        talk: Conversation,
        open_store: Callable[[], Store],
        review: "LookBack | None" = None,
    ) -> None:
        self.talk, self.say = talk, talk.say
        self._open_store, self._review = open_store, review
        self._store: Store | None = None
        self._table: LocalTable | None = None
        self._status = DONE
        self._leaving = ExitStack()
        talk.commands["s"] = self._show_scores

    @property
    def store(self) -> Store:
        """The store, opened when first needed."""
        if self._store is None:
            self._store = self._open_store()
            self._leaving.callback(self._store.close)
        return self._store

    def play(self, options: PlayOptions) -> int:
        """Play the games that *options* and answers request. Return the exit status."""
        try:
            self._play(options)
        except UserQuit as left:
            return self._leave(input_ended=left.input_ended)
        except KeyboardInterrupt:
            self.talk.write()
            return self._leave(input_ended=False)
        finally:
            self._leaving.close()
        return self._status

    def _play(self, options: PlayOptions) -> None:
        if HUMAN in options.who.values() or not {"X", "O"} <= set(options.who):
            _ = self.store  # Errors of the database are reported before the first question.
        may_resume = self.talk.terminal.is_interactive and not options.who and options.game is None
        if may_resume and self._resume(options):
            return
        plan = make_plan(options, self.talk)
        self._leaving.callback(plan.close)
        table = open_table(plan, self.store if plan.has_people or options.keep else None)
        count = options.games or (DEFAULT_GAMES if plan.series and not plan.has_people else None)
        self._play_games(plan, table, count)

    def _play_games(self, plan: GamePlan, table: LocalTable, count: int | None) -> None:
        """Play games until the series ends, or one game if there is no series."""
        self._table, series = table, table.series
        if table.is_series:
            self._show_scoreboard(table)
        while count is None or len(series.results) < count:
            setup = self._begin(table)
            if setup is None:
                break
            self._play_one(plan, table)
            if not table.is_series:
                return
            self._show_scoreboard(table, table.names)
        table.end()
        self._show_scoreboard(table, title="final-scores")
        self._table = None

    def _begin(self, table: LocalTable) -> Setup | None:
        """Start the next game. Return its setup, or None if the chooser ends the series."""
        choice = None
        if table.needs_choice:
            choice = self._ask_mark(table.series)
            if choice is None:
                return None
        setup = table.begin(now_ms(), choice)
        if not setup.is_counted and table.store is not None:
            self.talk.write_message("web-play-on-about")
        if len(setup.seats) > 1 and table.match is not None:
            mark = table.match.turn
            name = player_called(self.say, setup.seats[mark], setup.who[mark])
            self.talk.write_message("begins", name=name, mark=mark)
        return setup

    def _ask_mark(self, series: Series) -> str | None:
        """Prompt the chooser for a mark or its number. Return None to end the series."""
        numbers = {str(number): mark for number, mark in enumerate(series.marks, 1)}
        end = str(len(numbers) + 1)
        menu = [f"{number} {mark}" for number, mark in numbers.items()]
        prompt = self.say("ask-mark", name=series.chooser, menu=menu, end=end)
        choices = {**numbers, **{mark: mark for mark in series.marks}, end: ""}
        return self.talk.ask_choice(prompt, choices) or None

    def _play_one(self, plan: GamePlan, table: LocalTable) -> None:
        """Play the current game to its end."""
        match, setup = table.match, table.setup
        if match is None or setup is None:
            raise AssertionError("no game was begun")
        kinds = setup.who
        narrator = Narrator(self.talk, match, setup.seats, kinds, plan.first)
        hints = HintLadder(self.talk, narrator)
        seats: dict[str, Seat] = {
            mark: HumanSeat(self.talk, narrator, hints, self._show_scores)
            if kinds[mark] == HUMAN
            else ComputerSeat(plan.computer_on(setup.seats[mark], kinds[mark]), self.talk)
            for mark in match.game.sides
        }
        narrator.board()
        table.when_refused = self._ask_after_failure
        run(match, seats, apply=table.apply, now=now_ms, on_event=narrator.event)
        try:
            table.read_back()
        except NoughtsError as error:
            self._print_error(error)
            self._status = NO
        if HUMAN in kinds.values():
            self._offer_review(plan, table)

    def _offer_review(self, plan: GamePlan, table: LocalTable) -> None:
        """Offer a player at a terminal a review of the last game."""
        match = table.match
        if match is None or self._review is None or not self.talk.terminal.is_interactive:
            return
        game = match.game
        can_be_reviewed = game.ply > 0 and len(game.cells) <= MAX_ENUMERATED
        if can_be_reviewed and self.talk.ask_yes_no(self.say("ask-review"), default=False):
            from noughts.interfaces.console.replay import ask_where_to_play_on, position_after, print_review
            from noughts.interfaces.presenting.review_texts import RunningReview

            kinds = table.who_of
            names = {side: player_called(self.say, name, kinds[side]) for side, name in table.names.items()}
            review_text = print_review(self.talk, RunningReview(game, self._review(match), names))
            people = [side for side, kind in kinds.items() if kind == HUMAN]
            if (ply := ask_where_to_play_on(self.talk, review_text, people)) is not None:
                self._play_on(plan, table, position_after(game, ply))

    def _play_on(self, plan: GamePlan, table: LocalTable, position: str) -> None:
        """Continue the game at *table* from *position*, between the same players."""
        names, kinds = table.names, table.who_of
        again = replace(
            plan, who=list(kinds.values()), names=list(names.values()), series=False, opening=None
        )
        again = replace(again, clock=UNTIMED, start=position)
        self._play_games(again, open_table(again, table.store), None)
        self._table = table

    def _ask_after_failure(self, error: NoughtsError, played: StoredGame) -> None:
        """Report that a move cannot be saved, until the player tries again or saves the game to a file.

        Quitting loses the move.
        """
        from noughts.interfaces.console.replay import write_game

        def read(text: str) -> str:
            if name := text.strip():
                write_game(played, Path(name), self.say)
                self.talk.write_message("game-saved", name=name)
            return name

        self._print_error(error)
        self.talk.ask(self.say("ask-refused"), read, is_name=True)

    # Interrupted games

    def _resume(self, options: PlayOptions) -> bool:
        """Offer the newest interrupted game or series. Return True if it was played."""
        stored = newest_human_game(self.store)
        if stored is None or not can_resume(self.store, stored):
            return False
        setup = stored.setup
        names = [
            player_called(self.say, name, setup.who.get(mark, HUMAN)) for mark, name in setup.seats.items()
        ]
        facts = {"game": title_of(self.say, setup.game), "names": names}
        try:
            ply = stored.replay().game.ply
        except UnknownGame as missing:  # The player can choose another game.
            self.talk.sentence(self.say.error(missing))
            return False
        if is_barely_started(self.store, stored):
            return False  # Too little would be lost.
        if stored.result is None:
            question = self.say("ask-resume", ply=ply, **facts)
        else:
            question = self.say("ask-resume-series", **facts)
        if not self.talk.ask_yes_no(question):
            if setup.series is not None and is_series_open(self.store, stored):
                self.store.end_series(setup.series)
            return False
        plan = resumed_plan(setup, options)
        self._leaving.callback(plan.close)
        table = self._table = LocalTable.resume(self.store, stored, now_ms())
        if table.is_playing:
            if table.is_series:
                self._show_scoreboard(table)
            self._play_one(plan, table)
        if table.is_series:
            self._play_games(plan, table, None)
        return True

    # Quitting and scores

    def _leave(self, *, input_ended: bool) -> int:
        table = self._table
        match = table.match if table is not None and table.is_playing else None
        series = table.series if table is not None and table.is_series else None
        is_untouched = match is None or match.version == 0
        in_mid_game = match is not None and not (is_untouched and series is not None and series.results)
        status = NO if input_ended and in_mid_game else self._status
        if table is not None and in_mid_game and not is_untouched:
            sentences, is_adjourned = adjourn(table, now_ms(), self.say)
            status = status if is_adjourned else NO
            for sentence in sentences:
                self.talk.sentence(sentence)
        else:
            self.talk.write_message("left")
        if table is not None and series is not None:
            self._show_scoreboard(table, title="final-scores")
            if is_untouched:
                table.end()  # The player left between two games, not during one.
        return status

    def _print_error(self, error: Exception) -> None:
        self.talk.sentence(self.say.error(error))

    def _show_scores(self) -> None:
        if self._table is not None and self._table.is_series:
            self._show_scoreboard(self._table)
            return
        try:
            scores = recount(self.store.results(self._print_error))
        except StoreError as error:
            self._print_error(error)
            return
        lines = scoreboard(self.say, scores, self.talk.terminal.width)
        self.talk.write("\n".join(lines) if scores else self.say("no-scores"))

    def _show_scoreboard(
        self, table: LocalTable, names: Mapping[str, str] | None = None, title: str = "scoreboard"
    ) -> None:
        """Show the score of a series.

        *names* are the players of the last game by mark.
        """
        series = table.series
        mark_of = {name: mark for mark, name in (names or {}).items()}
        marks = [mark_of[name] for name in series.players] if mark_of else None
        shown = [
            replace(score, name=player_called(self.say, score.name, kind))
            for score, kind in zip(series.scores(), table.terms.who, strict=True)
        ]
        lines = scoreboard(self.say, shown, self.talk.terminal.width, marks)
        self.talk.write("\n".join(["", self.say(title), *lines, ""]))


def start(
    options: PlayOptions,
    say: Translator,
    open_store: Callable[[], Store],
    review: "LookBack",
) -> int:
    """Play at the console. Return the exit status."""
    return Session(Conversation(Terminal(), say), open_store, review).play(options)
