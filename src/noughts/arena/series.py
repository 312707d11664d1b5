"""Series: games between the same players, the assignment of marks, and the scoreboard.

The scoreboard is always computed from the results. A game that was left unfinished has no result and changes
nothing.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum

from noughts.arena.events import Event, MatchEnd
from noughts.errors import UnknownMark
from noughts.text import check_name, distinct_names, fold_name


class Begins(StrEnum):
    """The rule by which marks and the first move of the next game are assigned.

    ``chooser``: one player chooses a mark and moves first. The players choose in turn. ``alternate``: the
    first mark moves first, and the players have it in turn. ``loser``: the only loser of the last game moves
    first. After other games the players take turns. ``x``: the first player has the first mark and always
    moves first.
    """

    CHOOSER = "chooser"
    ALTERNATE = "alternate"
    LOSER = "loser"
    X = "x"


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: the players by mark at the end, the winner's mark (None: a draw), and why it ended.

    ``loser`` is the mark of the player that resigned or forfeited in a game without a winner. ``reason`` is
    the code of a computer's fault. ``is_swapped`` is True if an opening has exchanged the marks.
    """

    seats: Mapping[str, str]
    winner: str | None
    termination: str
    loser: str | None = None
    reason: str | None = None
    is_swapped: bool = False

    @property
    def is_counted(self) -> bool:
        """True if the game counts for the players. A faulty game and one that was called off do not."""
        return self.termination not in (MatchEnd.BROKEN, MatchEnd.ABORTED)

    @property
    def beginner(self) -> str:
        """The player with the first mark at the beginning."""
        return tuple(self.seats.values())[1 if self.is_swapped else 0]


def result_of(seats: Mapping[str, str], end: Event, *, is_swapped: bool = False) -> Result:
    """Return the result in *end*, the last event of a match. *seats* are the players at the end."""
    winner, termination = end.data["winner"], end.data["termination"]
    is_lost = winner is None and termination != MatchEnd.ABORTED
    return Result(
        seats,
        winner,
        termination,
        end.side if is_lost else None,
        end.data.get("reason"),
        is_swapped,
    )


@dataclass(frozen=True, slots=True)
class Score:
    """The wins, draws and losses of a player. ``points`` are 1 for a win and 1/2 for a draw."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    streak: int = 0
    """The number of games won in a row, up to the last game."""
    longest_streak: int = 0

    @property
    def points(self) -> float:
        """1 for each win, 1/2 for each draw."""
        return self.wins + self.draws / 2

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.wins + self.draws + self.losses

    def after(self, result: Result, mark: str) -> "Score":
        """Return the score after *result*, a game in which this player had *mark*."""
        if result.winner == mark:
            streak = self.streak + 1
            longest = max(streak, self.longest_streak)
            return Score(self.name, self.wins + 1, self.draws, self.losses, streak, longest)
        if result.winner is None and result.loser != mark:
            return Score(self.name, self.wins, self.draws + 1, self.losses, 0, self.longest_streak)
        return Score(self.name, self.wins, self.draws, self.losses + 1, 0, self.longest_streak)


def recount(results: Iterable[Result], counted: Iterable[Score] = ()) -> tuple[Score, ...]:
    """Return the scores of all players of *results*, added to the scores in *counted*.

    Spellings that people read as one name are one player. Its name is the spelling that came first.
    """
    scores = {fold_name(score.name): score for score in counted}
    for result in results:
        for mark, name in result.seats.items() if result.is_counted else ():
            key = fold_name(name)
            scores[key] = scores.get(key, Score(name)).after(result, mark)
    return tuple(scores.values())


@dataclass(slots=True)
class Series:
    """Games of one kind between named players.

    Equal names are distinguished by a visible number. An invalid name raises an error.

    >>> series = Series(("Luffy", "Sanji"), Begins.CHOOSER)
    >>> series.chooser, series.next_seats("O")
    ('Luffy', {'O': 'Luffy', 'X': 'Sanji'})
    """

    players: tuple[str, ...]
    begins: Begins = Begins.ALTERNATE
    marks: tuple[str, ...] = ("X", "O")
    results: list[Result] = field(default_factory=list)
    _counted: tuple[int, tuple[Score, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.players = distinct_names(tuple(check_name(name) for name in self.players))
        self.begins = Begins(self.begins)
        self._counted = 0, tuple(map(Score, self.players))

    @property
    def chooser(self) -> str:
        """The player to choose a mark for the next game, or to have the first mark in it."""
        return self.players[len(self.results) % len(self.players)]

    @property
    def needs_choice(self) -> bool:
        """True if the next game waits for :attr:`chooser` to choose a mark."""
        return self.begins is Begins.CHOOSER and len(self.players) > 1

    def next_seats(self, choice: str | None = None) -> dict[str, str]:
        """Return the players of the next game by mark, in turn order.

        *choice* is the mark the chooser takes.
        """
        if self.needs_choice and choice not in self.marks:
            raise UnknownMark(choice, self.marks)
        first = self._next_beginner()
        place = self.players.index(first)
        players = self.players[place:] + self.players[:place]
        marks = self.marks
        if self.needs_choice and choice is not None:
            marks = (choice, *(mark for mark in marks if mark != choice))
        return dict(zip(marks, players, strict=True))

    def _next_beginner(self) -> str:
        if self.begins is Begins.X:
            return self.players[0]
        if self.begins is not Begins.LOSER or not self.results:
            return self.chooser
        last = self.results[-1]
        beginner = last.beginner
        losers = [mark for mark in last.seats if last.winner not in (None, mark) or last.loser == mark]
        if len(losers) == 1:
            return last.seats[losers[0]]
        return self.players[(self.players.index(beginner) + 1) % len(self.players)]

    def scores(self) -> tuple[Score, ...]:
        """Return the scoreboard, in the order of the players."""
        count, scores = self._counted
        self._counted = len(self.results), recount(self.results[count:], scores)  # results only grow
        return self._counted[1]

    def add(self, result: Result) -> None:
        """Add the result of a finished game."""
        self.results.append(result)

    def copy(self) -> "Series":
        """Return an independent copy of this series."""
        copied = copy(self)
        copied.results = list(self.results)
        return copied


def between(results: Iterable[Result], one: str, two: str) -> list[Result]:
    """Return the results of the games in which both *one* and *two* played: their head to head."""
    pair = {fold_name(one), fold_name(two)}
    return [result for result in results if pair <= set(map(fold_name, result.seats.values()))]
