"""Holding a tournament: its games are handed out, played elsewhere, and kept as soon as they end.

Whatever ends the program that holds it, or any that plays, costs the games that were being played, and no
others: who goes on plays what is missing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass

from noughts.arena.store.store import StoredGame
from noughts.arena.tournament.kept import Ended, Openings, Tournaments
from noughts.arena.tournament.openings import openings_of
from noughts.arena.tournament.plan import Plan
from noughts.arena.tournament.play import Assignment, ToldEvent, hear, play_game
from noughts.arena.tournament.standings import Tally, check_played, finished
from noughts.errors import WorkersFailed
from noughts.text import words_of

MAX_TRIES = 10
"""So often a game is played at most whose worker fails."""

LOOK_SECONDS = 0.2
"""Seconds between checks whether it is to stop."""


@dataclass
class Tournament:
    """A tournament that is kept as *number* among *tournaments*, and what has been played of it.

    ``ids`` are the numbers of its games in the store, by their numbers in the plan.
    """

    plan: Plan
    openings: Openings
    tournaments: Tournaments
    number: int

    @classmethod
    def begin(cls, plan: Plan, tournaments: Tournaments, created: int) -> "Tournament":
        """A new tournament, which is kept; *created* is when, in milliseconds since 1970.

        Raises :class:`~noughts.errors.NotationError` where there are no openings as it wants them.
        """
        openings = openings_of(plan)
        return cls(plan, openings, tournaments, tournaments.begin(plan.name, plan.facts(), openings, created))

    @classmethod
    def find(cls, plan: Plan, tournaments: Tournaments) -> "Tournament | None":
        """The tournament that was begun with the same plan, None where none was.

        Raises :class:`~noughts.errors.DamagedStore` for one that cannot be believed.
        """
        found = tournaments.find(plan.name)
        return None if found is None else cls(plan, found.openings, tournaments, found.number)

    def __post_init__(self) -> None:
        self.tally, self.ids = Tally(self.plan), dict[int, int]()
        self.catch_up()

    def catch_up(self) -> None:
        """Count what has been kept since it was counted last."""
        for number, stored in self.tournaments.games(self.number, without=set(self.ids)):
            self._count(number, stored)

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

    def keep(self, played: Iterable[tuple[Assignment, Sequence[ToldEvent]]]) -> list[int]:
        """Keep games that have ended, count them, and return their numbers.

        What another program has kept meanwhile is counted as that one has it. Raises
        :class:`~noughts.errors.DamagedStore` for what is no game that has ended, and
        :class:`~noughts.errors.StoreError` where nothing can be kept.
        """
        games = {task.number: Ended(task.number, task.setup, tuple(map(hear, told))) for task, told in played}
        for game in games.values():
            check_played(StoredGame(0, game.setup, game.events))
        kept = self.tournaments.keep(self.number, games.values())
        for number, id_ in kept.items():
            self._count(number, StoredGame(id_, games[number].setup, games[number].events))
        if others := games.keys() - kept.keys():
            for number, stored in self.tournaments.games(self.number, others):
                self._count(number, stored)
        return list(games)

    def _count(self, number: int, stored: StoredGame) -> None:
        self.tally.add(number, finished(self.plan, number, stored))
        self.ids[number] = stored.id


class Holder:
    """Plays what is missing of a *tournament*: so many games *at_once*, by those behind *executor*.

    *now_ms* tells the milliseconds since 1970, *on_games* hears of the numbers of games that were kept.
    """

    def __init__(
        self,
        tournament: Tournament,
        executor: Executor,
        at_once: int,
        now_ms: Callable[[], int],
        on_games: Callable[[Sequence[int]], None] = lambda numbers: None,
    ) -> None:
        self._tournament, self._executor, self._at_once = tournament, executor, at_once
        self._now_ms, self._on_games = now_ms, on_games
        self._waiting = tournament.tally.missing()
        self._again: list[int] = []
        self._failures = Counter[int]()
        self._playing: dict[Future[list[ToldEvent]], Assignment] = {}

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the games that are being played."""
        return tuple(task.number for task in self._playing.values())

    def hold(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Play until nothing is missing, or *stop* says so.

        Raises :class:`~noughts.errors.WorkersFailed` where a game fails again and again, and
        :class:`~noughts.errors.StoreError` where one cannot be kept.
        """
        try:
            while not stop() and self._hand_out():
                done, _ = wait(self._playing, LOOK_SECONDS, FIRST_COMPLETED)
                self._take_in(done)
        finally:
            for future in self._playing:
                future.cancel()

    def _hand_out(self) -> bool:
        """Have as many games played as there may be at once; whether any is."""
        if self._tournament.tally.decided is not None:
            return False
        while len(self._playing) < self._at_once:
            number = self._again.pop() if self._again else next(self._waiting, None)
            if number is None:
                break
            task = self._tournament.assignment(number, self._now_ms())
            self._playing[self._executor.submit(play_game, task)] = task
        return bool(self._playing)

    def _take_in(self, done: Iterable[Future[list[ToldEvent]]]) -> None:
        """Keep the games that have ended, and have those played again whose worker failed."""
        played, failed = [], None
        for future in done:
            task = self._playing.pop(future)
            if (error := future.exception()) is None:
                played.append((task, future.result()))
                continue
            self._failures[task.number] += 1
            self._again.append(task.number)
            if self._failures[task.number] == MAX_TRIES:
                failed = error
        if played:
            self._on_games(self._tournament.keep(played))
        if failed is not None:
            raise WorkersFailed(words_of(failed))
