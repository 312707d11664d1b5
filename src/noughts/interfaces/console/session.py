"""A session at the console: one game or a series, from the first question to the last scoreboard."""

import time
from collections.abc import Callable, Sequence

from noughts.arena.match import Event, Match
from noughts.arena.runner import Seat, run
from noughts.arena.series import Begins, Result, Seating, Series, recount
from noughts.arena.store import (
    MemoryStore,
    SeriesSetup,
    Setup,
    Store,
    StoredGame,
    all_results,
    result_of,
    resume_series,
)
from noughts.errors import UnknownMark
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.interfaces.console.hints import HintLadder
from noughts.interfaces.console.narrator import HUMAN, Narrator
from noughts.interfaces.console.plan import Options, Plan, make_plan, seat_player
from noughts.interfaces.console.seats import ComputerSeat, HumanSeat
from noughts.interfaces.console.tables import scoreboard
from noughts.interfaces.console.talk import Left, Talk
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.i18n import Translator

DONE, INPUT_ENDED = 0, 1
"""Exit statuses."""

DEFAULT_GAMES = 10
"""How many games two computers play in a series, unless told."""


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Session:
    """Plays at the console and keeps what is played in a store."""

    def __init__(self, talk: Talk, open_store: Callable[[], Store]) -> None:
        self.talk, self.say = talk, talk.say
        self._open_store = open_store
        self._store: Store | None = None
        self._match: Match | None = None
        self._is_kept = False
        self._number: int | None = None
        self._standing: Series | None = None
        talk.commands["s"] = self._show_scores

    @property
    def store(self) -> Store:
        """The store, opened when first needed."""
        if self._store is None:
            self._store = self._open_store()
        return self._store

    def play(self, options: Options) -> int:
        """Play what *options* and the answers to questions ask for; return the exit status."""
        try:
            self._play(options)
        except Left as left:
            return self._leave(input_ended=left.input_ended)
        except KeyboardInterrupt:
            self.talk.write()
            return self._leave(input_ended=False)
        finally:
            if self._store is not None:
                self._store.close()
        return DONE

    def _play(self, options: Options) -> None:
        if HUMAN in options.who.values() or not {"X", "O"} <= set(options.who):
            _ = self.store  # a database that cannot be used is said to before anything is asked
        may_resume = self.talk.terminal.is_interactive and not options.who and options.game is None
        if may_resume and self._resume(options):
            return
        plan = make_plan(options, self.talk)
        if not plan.has_people and not options.keep:
            if self._store is not None:
                self._store.close()
            self._store = MemoryStore()
        self._is_kept = plan.has_people or options.keep
        series = Series(tuple(plan.names), plan.begins, _marks(plan))
        who = dict(zip(series.players, plan.who, strict=True))
        setup = SeriesSetup(plan.game, series.players, plan.begins, now())
        number = self.store.add_series(setup) if plan.series and self._is_kept else None
        count = options.games or (DEFAULT_GAMES if plan.series and not plan.has_people else None)
        self._play_games(plan, series, who, number, count)

    def _play_games(
        self, plan: Plan, series: Series, who: dict[str, str], number: int | None, count: int | None
    ) -> None:
        """Play games until the series ends; without a series, one."""
        self._number = number
        self._standing = series if plan.series else None
        if plan.series:
            self._show_scoreboard(series)
        while count is None or len(series.results) < count:
            seating = self._next_seating(series, who)
            if seating is None:
                break
            game = _new_game(plan, seating)
            setup = Setup(
                name_of(game), seating.seats, game.start, series=number, created=now(), who=_who(seating, who)
            )
            result = self._play_one(plan, Match(game, start=setup.created), setup, None)
            series.results.append(result)
            if not plan.series:
                return
            self._show_scoreboard(series, seating)
            plan.seed += 1
        self._end_series(series, number)

    def _end_series(self, series: Series, number: int | None) -> None:
        if number is not None:
            self.store.end_series(number)
        self._show_scoreboard(series, title="final-scores")
        self._standing = None

    def _next_seating(self, series: Series, who: dict[str, str]) -> Seating | None:
        """Who has which mark in the next game, None when the chooser ends the series."""
        choice = None
        if series.needs_choice:
            choice = series.marks[0]
            if who[series.chooser] == HUMAN:
                choice = self._ask_mark(series)
                if choice is None:
                    return None
        seating = series.next_seating(choice)
        if len(seating.seats) > 1:
            mark, name = next(iter(seating.seats.items()))
            self.talk.tell("begins", name=name, mark=mark)
        return seating

    def _ask_mark(self, series: Series) -> str | None:
        """Ask the chooser for a mark, by number or as it is; None to end the series."""
        marks = series.marks
        end = str(len(marks) + 1)
        menu = [f"{number} {mark}" for number, mark in enumerate(marks, 1)]
        prompt = self.say("ask-mark", name=series.chooser, menu=menu, end=end)

        def read(text: str) -> str:
            word = text.strip().upper()
            if word == end:
                return ""
            by_number = {str(number): mark for number, mark in enumerate(marks, 1)}
            mark = by_number.get(word, word)
            if mark not in marks:
                raise UnknownMark(text.strip(), (*by_number, *marks, end))
            return mark

        return self.talk.ask(prompt, read) or None

    def _play_one(self, plan: Plan, match: Match, setup: Setup, number: int | None) -> Result:
        """Play *match* to its end; *number* is that of a kept game that goes on."""
        names, who = dict(setup.seats), dict(setup.who)
        narrator = Narrator(self.talk, match, names, who, plan.first)
        hints = HintLadder(self.talk, narrator)
        seats: dict[str, Seat] = {
            mark: HumanSeat(mark, self.talk, narrator, hints, self._show_scores)
            if who[mark] == HUMAN
            else ComputerSeat(mark, plan.bots[who[mark]], self.talk)
            for mark in match.game.sides
        }
        kept = number
        last: Event | None = None

        def keep(events: Sequence[Event]) -> None:
            nonlocal kept, last
            if kept is None:
                kept = self.store.add_game(setup)
            self.store.append(kept, events)
            last = events[-1]

        self._match = match
        narrator.board()
        run(match, seats, now=now, keep=keep, tell=narrator.event)
        self._match = None
        if last is None:
            raise AssertionError("a match that ran to its end has a last event")
        return result_of(setup.seats, last)

    # Going on with what was interrupted

    def _resume(self, options: Options) -> bool:
        """Offer the newest interrupted game or series; whether it was played."""
        stored = self._newest_of_people()
        if stored is None:
            return False
        setup, found = stored.setup, self.store.open_series()
        is_open = found is not None and found[0] == setup.series
        facts = {"game": setup.game, "names": list(setup.seats.values())}
        if stored.result is None:
            question = self.say("ask-resume", ply=stored.replay().game.ply, **facts)
        elif is_open:
            question = self.say("ask-resume-series", **facts)
        else:
            return False
        if not self.talk.ask_yes_no(question):
            if is_open and setup.series is not None:
                self.store.end_series(setup.series)
            return False
        self._go_on(stored, options)
        return True

    def _newest_of_people(self) -> StoredGame | None:
        """The newest kept game in which somebody typed."""
        newest = None
        for stored in self.store.games():
            if HUMAN in stored.setup.who.values():
                newest = stored
        return newest

    def _go_on(self, stored: StoredGame, options: Options) -> None:
        setup, number = stored.setup, stored.setup.series
        match = stored.replay()
        plan = _resumed_plan(setup, options, match.game)
        if number is not None:
            series = resume_series(self.store, number)
        else:
            series = Series(tuple(setup.seats.values()), marks=tuple(setup.seats))
        who = {name: setup.who[mark] for mark, name in setup.seats.items()}
        self._is_kept, self._standing = True, series if number is not None else None
        self._number = number
        if stored.result is None:
            if number is not None:
                self._show_scoreboard(series)
            series.results.append(self._play_one(plan, match, setup, stored.id))
        if number is not None:
            self._play_games(plan, series, who, number, None)

    # Leaving and scores

    def _leave(self, *, input_ended: bool) -> int:
        match, series = self._match, self._standing
        is_untouched = match is None or match.version == 0
        in_mid_game = match is not None and not (is_untouched and series is not None and series.results)
        if in_mid_game and not is_untouched:
            self.talk.tell("left-kept" if self._is_kept else "left-in-game")
        else:
            self.talk.tell("left")
        if series is not None:
            self._show_scoreboard(series, title="final-scores")
            if is_untouched and self._number is not None:
                self.store.end_series(self._number)  # left between two games, not in mid-game
        return INPUT_ENDED if input_ended and in_mid_game else DONE

    def _show_scores(self) -> None:
        if self._standing is not None:
            self._show_scoreboard(self._standing)
            return
        scores = recount(all_results(self.store))
        lines = scoreboard(self.say, scores, self.talk.terminal.width)
        self.talk.write("\n".join(lines) if scores else self.say("no-scores"))

    def _show_scoreboard(
        self, series: Series, seating: Seating | None = None, title: str = "scoreboard"
    ) -> None:
        marks = None
        if seating is not None:
            mark_of = {name: mark for mark, name in seating.seats.items()}
            marks = [mark_of[name] for name in series.players]
        lines = scoreboard(self.say, series.scores(), self.talk.terminal.width, marks)
        self.talk.write("\n".join(["", self.say(title), *lines, ""]))


def _marks(plan: Plan) -> tuple[str, ...]:
    return new_game(plan.game).sides


def _new_game(plan: Plan, seating: Seating) -> Game:
    return new_game(plan.game, seed=plan.seed, marks=seating.marks)


def _who(seating: Seating, who: dict[str, str]) -> dict[str, str]:
    return {mark: who[name] for mark, name in seating.seats.items()}


def _resumed_plan(setup: Setup, options: Options, game: Game) -> Plan:
    """The plan that a kept game was played by; its computers are seated anew."""
    who = [setup.who[mark] for mark in game.sides]
    plan = Plan(setup.game, who, list(setup.seats.values()), setup.series is not None, Begins.ALTERNATE)
    plan.first = options.first
    for name in who:
        seat_player(name, game, plan.bots, options.seed)
    return plan


def start(options: Options, say: Translator, open_store: Callable[[], Store]) -> int:
    """Play at the console; return the exit status."""
    return Session(Talk(Terminal(), say), open_store).play(options)
