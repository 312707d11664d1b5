"""Plans of small tournaments, and executors that play in this process."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from noughts.arena.digest import canonical_json
from noughts.arena.store.database import Database
from noughts.arena.tournament.plan import Entrant, TournamentPlan
from noughts.arena.tournament.play import play_game
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament, TournamentRunner

RULE, RANDOM, OTHER = Entrant("Rule", "rule"), Entrant("Random", "random"), Entrant("Other", "random")

ROUND = TournamentPlan("round-robin", ("tictactoe",), (RULE, RANDOM, OTHER), pairs=2, seed=7)
TWO = TournamentPlan("sprt", ("tictactoe",), (RULE, RANDOM), pairs=4, seed=7)


class Inline(Executor):
    """An executor that calls functions at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def begin(plan: TournamentPlan, database: Database) -> Tournament:
    """Save a tournament without games in *database*."""
    return Tournament.begin(plan, Tournaments(database), 1)


def find_again(plan: TournamentPlan, database: Database) -> Tournament:
    """Find the same tournament, as a program that resumes it does."""
    result = Tournament.find(plan, Tournaments(database))
    assert result is not None
    return result


def play_missing(
    tournament: Tournament, executor: Executor | None = None, at_once: int = 1, most: int | None = None
) -> list[int]:
    """Play the missing games, or at least *most* of them, and return their numbers in the order of saving."""
    saved: list[int] = []
    runner = TournamentRunner(tournament, executor or Inline(), at_once, lambda: 1_000, saved.extend)
    runner.run(lambda: most is not None and len(saved) >= most)
    return saved


def log_of(tournament: Tournament, number: int, events: int | None) -> str | None:
    """Return the log of a game after *events*, or nothing for None."""
    if events is None:
        return None
    received = play_game(tournament.assignment(number, 1), lambda: 0)[:events]
    return "".join(f"{canonical_json(event)}\n" for event in received)
