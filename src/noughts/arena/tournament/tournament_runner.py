"""Run a tournament: hand out its games, which are played elsewhere, and save each as soon as it ends.

If the program that runs it ends, or one that plays, only the games in progress are lost. A resumed tournament
plays the missing games. While the database cannot be written, finished games wait.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from noughts.arena.events import Event, EventValues
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament.broadcast import Unwatched
from noughts.arena.tournament.openings import openings_of
from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.play import Assignment, clock_ms, play_game
from noughts.arena.tournament.repository import EndedGame, Openings, StoredTournament, Tournaments
from noughts.arena.tournament.standings import GameTally, check_played, finished
from noughts.errors import DamagedStore, StoreError, WorkersFailed
from noughts.text import words_of

MAX_TRIES = 10
"""So often a game is played at most whose worker fails."""

LOOK_SECONDS = 0.2
"""Seconds between checks whether it is to stop, and between attempts to keep what could not be kept."""

KEEP_MS = 60_000
"""Milliseconds for which it is tried to keep games that have ended, where the database refuses them."""


@dataclass
class Tournament:
    """A tournament that is kept as *number* among *tournaments*, and what has been played of it.

    ``ids`` are the numbers of its games in the store, by their numbers in the plan; ``damaged`` says of those
    that cannot be read why. These are not counted, and not played again.
    """

    plan: TournamentPlan
    openings: Openings
    tournaments: Tournaments
    number: int

    @classmethod
    def begin(cls, plan: TournamentPlan, tournaments: Tournaments, created: int) -> "Tournament":
        """A new tournament, which is kept; *created* is when, in milliseconds since 1970.

        Raises :class:`~noughts.errors.NotationError` where there are no openings as it wants them.
        """
        begun = tournaments.begin(plan.name, plan.facts(), openings_of(plan), created)
        return cls._of_stored(plan, begun, tournaments)

    @classmethod
    def find(cls, plan: TournamentPlan, tournaments: Tournaments) -> "Tournament | None":
        """The tournament that was begun with the same plan, None where none was.

        Raises :class:`~noughts.errors.DamagedStore` for one that cannot be believed.
        """
        found = tournaments.find(plan.name)
        return None if found is None else cls._of_stored(plan, found, tournaments)

    @classmethod
    def _of_stored(
        cls, plan: TournamentPlan, kept: StoredTournament, tournaments: Tournaments
    ) -> "Tournament":
        spelled = replace(plan, games=kept.plan.games)  # games are kept as they were spelled then
        return cls(spelled, kept.openings, tournaments, kept.number)

    def __post_init__(self) -> None:
        counts = {game: len(lines) for game, lines in self.openings.items()}
        self.tally = GameTally(self.plan, counts)
        self.ids, self.damaged = dict[int, int](), dict[int, DamagedStore]()
        self.catch_up()

    def catch_up(self) -> None:
        """Count what has been kept since it was counted last."""
        known = self.ids.keys() | self.damaged.keys()
        for number, stored in self.tournaments.games(self.number, without=known, on_damage=self._leave_out):
            self._count(number, stored)

    @contextmanager
    def claimed(self) -> Iterator[bool]:
        """Claim the tournament until the end: nobody else plays the same games. Whether nobody did before.

        Raises :class:`~noughts.errors.StoreError`.
        """
        with self.tournaments.database.claim(f"tournament-{self.number}") as is_ours:
            if is_ours:
                self.catch_up()  # with what another one has kept until now
            yield is_ours

    def assignment(self, number: int, created: int) -> Assignment:
        """What whoever plays the game of this *number* is told."""
        plan, planned = self.plan, self.plan.game(number)
        openings = self.openings.get(planned.game, ())
        moves = openings[planned.lap % len(openings)] if openings else ()
        first, second = (plan.players[place] for place in planned.players)
        return Assignment(
            number,
            planned.game,
            (first, second),
            plan.limits,
            f"{plan.seed} {number}",
            created,
            tuple(moves),
            plan.openings.protocol,
        )

    def keep(self, ended: Iterable[EndedGame]) -> list[int]:
        """Keep games that have *ended*, count them, and return their numbers.

        What another program has kept meanwhile is counted as that one has it. Raises
        :class:`~noughts.errors.StoreError` where nothing can be kept.
        """
        games = {game.number: game for game in ended}
        kept = self.tournaments.keep(self.number, games.values())
        for number, id_ in kept.items():
            self._count(number, StoredGame(id_, games[number].setup, games[number].events))
        if others := games.keys() - kept.keys():
            for number, stored in self.tournaments.games(self.number, others, on_damage=self._leave_out):
                self._count(number, stored)
        return list(games)

    def _count(self, number: int, stored: StoredGame) -> None:
        if number in self.ids:  # it was kept and counted, and then the database failed at another
            return
        try:
            ended = finished(self.plan, number, stored)
        except DamagedStore as damage:
            self._leave_out(number, damage)
            return
        self.ids[number] = stored.id
        if ended is None:
            self.tally.leave_out(number, is_broken=True)
        else:
            self.tally.add(number, ended)

    def _leave_out(self, number: int, damage: DamagedStore) -> None:
        if number not in self.damaged and number in range(1, self.plan.count + 1):
            self.tally.leave_out(number)
        self.damaged[number] = damage


class TournamentRunner:
    """Plays what is missing of a *tournament*: so many games *at_once*, by those behind *executor*.

    *now_ms* tells the milliseconds since 1970, *on_games* hears of the numbers of games that were kept;
    *clock* tells milliseconds, and only goes forward. *broadcast* tells who watches what is being played.
    """

    def __init__(
        self,
        tournament: Tournament,
        executor: Executor,
        at_once: int,
        now_ms: Callable[[], int],
        on_games: Callable[[Sequence[int]], None] = lambda numbers: None,
        clock: Callable[[], int] = clock_ms,
        broadcast: Unwatched | None = None,
    ) -> None:
        self._tournament, self._executor, self._at_once = tournament, executor, at_once
        self._now_ms, self._on_games, self._clock = now_ms, on_games, clock
        self._broadcast = broadcast or Unwatched()
        self._waiting = tournament.tally.missing()
        self._again: list[int] = []
        self._failures = Counter[int]()
        self._failed: BaseException | None = None
        """How the game failed that is not tried any more."""
        self._playing: dict[Future[list[EventValues]], Assignment] = {}
        self._ended: list[EndedGame] = []
        """The games that have ended and are not kept yet."""
        self._refused_since: int | None = None
        """When the database first refused them."""

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the games that are being played."""
        return tuple(task.number for task in self._playing.values())

    def run(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Play until nothing is missing, or *stop* says so.

        Raises :class:`~noughts.errors.WorkersFailed` where a game fails again and again, and
        :class:`~noughts.errors.StoreError` where one cannot be kept: after ``KEEP_MS``, or at the end.
        """
        try:
            while not stop() and (self._hand_out() or self._ended):
                # Where nothing is played any more a game waits to be kept, and nobody else is waited for.
                done, _ = wait(self._playing or {Future()}, LOOK_SECONDS, FIRST_COMPLETED)
                self._take_in(done)
                self._try_to_keep()
                if not self._ended:  # else the database is locked: first it has to take these
                    self._broadcast.tell()
            self._take_in([future for future in self._playing if future.done()])
            self._keep()
        finally:
            for future in self._playing:
                future.cancel()
        if self._failed is not None:
            raise WorkersFailed(words_of(self._failed))

    def _hand_out(self) -> bool:
        """Have as many games played as there may be at once; whether any is."""
        if self._tournament.tally.decided is not None or self._failed is not None:
            return False
        while len(self._playing) < self._at_once:
            number = self._again.pop() if self._again else next(self._waiting, None)
            if number is None:
                break
            task = self._broadcast.begin(self._tournament.assignment(number, self._now_ms()))
            self._playing[self._executor.submit(play_game, task)] = task
        return bool(self._playing)

    def _take_in(self, done: Iterable[Future[list[EventValues]]]) -> None:
        """Take the games that have ended, and have those played again whose worker failed."""
        for future in done:
            task = self._playing.pop(future)
            self._broadcast.end(task)
            error = _error_of(future)
            if error is None:
                try:
                    self._ended.append(ended_game(task, future.result()))
                    continue
                except Exception as wrong:  # one of another version may tell anything
                    error = wrong
            self._failures[task.number] += 1
            self._again.append(task.number)
            if self._failures[task.number] == MAX_TRIES:
                self._failed = error

    def _try_to_keep(self) -> None:
        """Keep what has ended, now or later; what the database has refused for too long is given up."""
        try:
            self._keep()
        except DamagedStore:
            raise
        except StoreError:
            now = self._clock()
            self._refused_since = now if self._refused_since is None else self._refused_since
            if now - self._refused_since >= KEEP_MS:
                raise

    def _keep(self) -> None:
        """Keep what has ended."""
        if self._ended:
            numbers = self._tournament.keep(self._ended)
            self._ended, self._refused_since = [], None
            self._on_games(numbers)


def ended_game(task: Assignment, told: Sequence[EventValues]) -> EndedGame:
    """The game of *task* as a worker has *told* it; raises anything for what is no game that has ended."""
    game = EndedGame(task.number, task.setup, tuple(Event.of(*values) for values in told))
    check_played(StoredGame(0, game.setup, game.events))
    return game


def _error_of(future: Future[Any]) -> BaseException | None:
    """Why nothing came of *future*, which is over: some executors give up what they were told to do."""
    try:
        return future.exception()
    except CancelledError as error:
        return error
