"""Run a tournament: hand out its games to workers, and save each game as soon as it ends.

If this program or a worker ends, only the games in progress are lost. A resumed tournament plays the missing
games. While the database cannot be written, finished games wait.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from noughts.arena.events import Event, EventValues
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament.broadcast import NullBroadcast
from noughts.arena.tournament.openings import openings_of
from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.play import Assignment, clock_ms, play_game
from noughts.arena.tournament.repository import EndedGame, Openings, StoredTournament, Tournaments
from noughts.arena.tournament.standings import GameTally, check_played, finished
from noughts.errors import DamagedStore, StoreError, WorkersFailed
from noughts.text import words_of

MAX_TRIES = 10
"""The maximum number of attempts at a game if its workers fail."""

LOOK_SECONDS = 0.2
"""Seconds between checks for a request to stop, and between attempts to save waiting games."""

SAVE_MS = 60_000
"""Milliseconds for which saving is tried again if the database refuses finished games."""


@dataclass
class Tournament:
    """A tournament that is stored as *number* in *tournaments*, and its finished games.

    ``ids`` are the numbers of its games in the store, by their numbers in the plan. ``damaged`` has the
    errors of unreadable games. These are not counted, and not played again.
    """

    plan: TournamentPlan
    openings: Openings
    tournaments: Tournaments
    number: int

    @classmethod
    def begin(cls, plan: TournamentPlan, tournaments: Tournaments, created: int) -> "Tournament":
        """Save and return a new tournament. *created* is in milliseconds since 1970.

        Raises :class:`~noughts.errors.NotationError` if the openings of the plan do not exist.
        """
        begun = tournaments.begin(plan.name, plan.facts(), openings_of(plan), created)
        return cls._of_stored(plan, begun, tournaments)

    @classmethod
    def find(cls, plan: TournamentPlan, tournaments: Tournaments) -> "Tournament | None":
        """Return the tournament that was begun with the same plan, or None.

        Raises :class:`~noughts.errors.DamagedStore` if it is damaged.
        """
        stored = tournaments.find(plan.name)
        return None if stored is None else cls._of_stored(plan, stored, tournaments)

    @classmethod
    def _of_stored(
        cls, plan: TournamentPlan, stored: StoredTournament, tournaments: Tournaments
    ) -> "Tournament":
        spelled = replace(plan, games=stored.plan.games)  # saved games have the earlier spelling
        return cls(spelled, stored.openings, tournaments, stored.number)

    def __post_init__(self) -> None:
        counts = {game: len(lines) for game, lines in self.openings.items()}
        self.tally = GameTally(self.plan, counts)
        self.ids, self.damaged = dict[int, int](), dict[int, DamagedStore]()
        self.catch_up()

    def catch_up(self) -> None:
        """Count the games that have been saved since the last count."""
        known = self.ids.keys() | self.damaged.keys()
        for number, stored in self.tournaments.games(self.number, without=known, on_damage=self._note_damage):
            self._count(number, stored)

    @contextmanager
    def claimed(self) -> Iterator[bool]:
        """Reserve the tournament for this program. Yield False if another program plays it.

        Raises :class:`~noughts.errors.StoreError`.
        """
        with self.tournaments.database.claim(f"tournament-{self.number}") as is_ours:
            if is_ours:
                self.catch_up()  # with the games that another program has saved
            yield is_ours

    def assignment(self, number: int, created: int) -> Assignment:
        """Return the assignment for the game of this *number*."""
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

    def save(self, ended: Iterable[EndedGame]) -> list[int]:
        """Save games that have *ended*, count them, and return their numbers.

        If another program has saved one of them, its version is counted. Raises
        :class:`~noughts.errors.StoreError` if nothing can be saved.
        """
        games = {game.number: game for game in ended}
        saved = self.tournaments.save(self.number, games.values())
        for number, id_ in saved.items():
            self._count(number, StoredGame(id_, games[number].setup, games[number].events))
        if others := games.keys() - saved.keys():
            for number, stored in self.tournaments.games(self.number, others, on_damage=self._note_damage):
                self._count(number, stored)
        return list(games)

    def _count(self, number: int, stored: StoredGame) -> None:
        if number in self.ids:  # it was counted before the database failed at another game
            return
        try:
            ended = finished(self.plan, number, stored)
        except DamagedStore as damage:
            self._note_damage(number, damage)
            return
        self.ids[number] = stored.id
        if ended is None:
            self.tally.skip(number, is_broken=True)
        else:
            self.tally.add(number, ended)

    def _note_damage(self, number: int, damage: DamagedStore) -> None:
        if number not in self.damaged and number in range(1, self.plan.count + 1):
            self.tally.skip(number)
        self.damaged[number] = damage


class TournamentRunner:
    """Plays the missing games of a *tournament* with *executor*, *at_once* games at the same time.

    *now_ms* returns the milliseconds since 1970. *on_games* is called with the numbers of saved games.
    *clock* returns milliseconds, and only goes forward. *broadcast* shows the running games to spectators.
    """

    def __init__(
        self,
        tournament: Tournament,
        executor: Executor,
        at_once: int,
        now_ms: Callable[[], int],
        on_games: Callable[[Sequence[int]], None] = lambda numbers: None,
        clock: Callable[[], int] = clock_ms,
        broadcast: NullBroadcast | None = None,
    ) -> None:
        self._tournament, self._executor, self._at_once = tournament, executor, at_once
        self._now_ms, self._on_games, self._clock = now_ms, on_games, clock
        self._broadcast = broadcast or NullBroadcast()
        self._waiting = tournament.tally.missing()
        self._again: list[int] = []
        self._failures = Counter[int]()
        self._failed: BaseException | None = None
        """The error of the game that is not tried any more."""
        self._playing: dict[Future[list[EventValues]], Assignment] = {}
        self._ended: list[EndedGame] = []
        """The finished games that are not saved yet."""
        self._refused_since: int | None = None
        """The time at which the database first refused the ended games."""

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the games that are being played."""
        return tuple(task.number for task in self._playing.values())

    def run(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Play until no game is missing, or *stop* returns True.

        Raises :class:`~noughts.errors.WorkersFailed` if a game fails repeatedly. Raises
        :class:`~noughts.errors.StoreError` if a game cannot be saved for ``SAVE_MS``, or at the end.
        """
        try:
            while not stop() and (self._submit_games() or self._ended):
                # If no game is running, an ended one waits to be saved. An empty future makes the loop sleep.
                done, _ = wait(self._playing or {Future()}, LOOK_SECONDS, FIRST_COMPLETED)
                self._collect(done)
                self._try_to_save()
                if not self._ended:  # a locked database must first take the ended games
                    self._broadcast.update()
            self._collect([future for future in self._playing if future.done()])
            self._save()
        finally:
            for future in self._playing:
                future.cancel()
        if self._failed is not None:
            raise WorkersFailed(words_of(self._failed))

    def _submit_games(self) -> bool:
        """Hand out games up to the limit. Return True if any are running."""
        if self._tournament.tally.decided is not None or self._failed is not None:
            return False
        while len(self._playing) < self._at_once:
            number = self._again.pop() if self._again else next(self._waiting, None)
            if number is None:
                break
            task = self._broadcast.begin(self._tournament.assignment(number, self._now_ms()))
            self._playing[self._executor.submit(play_game, task)] = task
        return bool(self._playing)

    def _collect(self, done: Iterable[Future[list[EventValues]]]) -> None:
        """Collect the games of the *done* futures, and queue the games of failed workers again."""
        for future in done:
            task = self._playing.pop(future)
            self._broadcast.end(task)
            error = _error_of(future)
            if error is None:
                try:
                    self._ended.append(ended_game(task, future.result()))
                    continue
                except Exception as wrong:  # a worker of another version may return anything
                    error = wrong
            self._failures[task.number] += 1
            self._again.append(task.number)
            if self._failures[task.number] == MAX_TRIES:
                self._failed = error

    def _try_to_save(self) -> None:
        """Save the ended games, now or later.

        Raise the error if the database has refused them for too long.
        """
        try:
            self._save()
        except DamagedStore:
            raise
        except StoreError:
            now = self._clock()
            self._refused_since = now if self._refused_since is None else self._refused_since
            if now - self._refused_since >= SAVE_MS:
                raise

    def _save(self) -> None:
        """Save the ended games."""
        if self._ended:
            numbers = self._tournament.save(self._ended)
            self._ended, self._refused_since = [], None
            self._on_games(numbers)


def ended_game(task: Assignment, events: Sequence[EventValues]) -> EndedGame:
    """Return the game of *task* from the result of its worker.

    Raises any error if the result is not a finished game.
    """
    game = EndedGame(task.number, task.setup, tuple(Event.of(*values) for values in events))
    check_played(StoredGame(0, game.setup, game.events))
    return game


def _error_of(future: Future[Any]) -> BaseException | None:
    """Return the error of *future*, which is done, or None. Some executors cancel their calls."""
    try:
        return future.exception()
    except CancelledError as error:
        return error
