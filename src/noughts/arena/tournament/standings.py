"""How a tournament stands: recounted from its games, whoever asks."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from noughts.arena.events import MatchEnd
from noughts.arena.store.store import StoredGame
from noughts.arena.tournament.plan import Plan
from noughts.arena.tournament.ratings import Meeting, Rating, rate
from noughts.arena.tournament.scores import PAIRS, Interval, Results
from noughts.errors import DamagedStore

RESULTS = LOSSES, DRAWS, WINS = ("losses", "draws", "wins")

FAULTS = CRASHES, TIMEOUTS, ILLEGAL = ("crashes", "timeouts", "illegal")
"""By what a game may be lost other than by being outplayed: its program failed, was late, broke the rules."""

MAX_FAULTS = 3
"""Who has lost so many games one after another by faults plays no more: those would take time for nothing."""

_BROKEN = ("illegal-move", "no-move", "flooded")
"""Why who forfeits has kept to no protocol."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a game ended: the place of its winner among the players, or None; by which fault of the loser."""

    winner: int | None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How one player stands.

    ``counts`` has how many ``wins``, ``draws`` and ``losses`` it has, and how many of these by each fault;
    ``results`` are those of its whole pairs, ``rating`` None where it has none. One that ``is_suspended``
    plays no more: it has lost several games one after another by faults.
    """

    name: str
    counts: Mapping[str, int]
    results: Results
    rating: Rating | None
    is_suspended: bool = False

    @property
    def elo(self) -> Interval:
        """By how many Elo points it is stronger than those it has met, taken together."""
        return self.results.elo()


@dataclass(frozen=True, slots=True)
class Decision:
    """How far a sequential test is, and what it has decided: ``elo0``, ``elo1``, or None."""

    log_ratio: float
    low: float
    high: float
    decided: str | None


@dataclass(frozen=True, slots=True)
class Standings:
    """How all ``players`` stand, the best first; the ``pairs`` of the first of the plan, and the test.

    ``missing`` says how many games are still to be played.
    """

    players: tuple[Standing, ...]
    pairs: Results
    decision: Decision | None
    missing: int


def finished(plan: Plan, number: int, stored: StoredGame) -> Finished:
    """How the game of this *number* in *plan* ended, which is *stored*.

    Raises :class:`~noughts.errors.DamagedStore` where it is another game, or has not ended.
    """
    planned, result = plan.game(number), stored.result
    places = {plan.players[place].name: place for place in planned.players}
    is_same = set(stored.players.values()) == set(places) and stored.setup.game == planned.game
    if result is None or not is_same:
        raise DamagedStore(f"game {stored.id}", "pairing-altered", number=number)
    if result.winner is None:
        return Finished(None)
    return Finished(places[stored.players[result.winner]], _fault(result.termination, result.reason))


def _fault(termination: str, reason: str | None) -> str | None:
    if termination == MatchEnd.TIME or reason == "too-slow":
        return TIMEOUTS
    if termination != MatchEnd.FORFEIT:
        return None
    return ILLEGAL if reason in _BROKEN else CRASHES


def check_played(stored: StoredGame) -> None:
    """Raise :class:`~noughts.errors.DamagedStore` unless *stored* has the moves of a game with that end."""
    outcome, result = stored.replay().outcome, stored.result
    if outcome is None or result is None or outcome.winner != result.winner:
        raise DamagedStore(f"game {stored.id}", "game-unreadable", game=stored.id)


@dataclass
class _Met:
    """What two players have played against each other, from the point of view of the first.

    ``left_out`` are games of theirs that nothing is known of.
    """

    games: int = 0
    left_out: int = 0
    points: float = 0.0
    pairs: list[int] = field(default_factory=lambda: [0] * PAIRS)


class Tally:
    """Counts the games of *plan* that have ended, each once, in whatever order they are added."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.games: dict[int, Finished] = {}
        self.left_out = set[int]()
        """The numbers of games that were played, and of which nothing is known any more."""
        self._won = [Counter(dict.fromkeys((*RESULTS, *FAULTS), 0)) for _ in plan.players]
        self._pairs = [[0] * PAIRS for _ in plan.players]
        self._met = {meeting: _Met() for meeting in plan.meetings}
        self.suspended = set[int]()
        self._tested, self._test_pairs = 0, [0] * PAIRS
        self.decided: str | None = None

    def add(self, number: int, game: Finished) -> None:
        """Count *game*, which has this *number* in the plan and was not counted before."""
        self.games[number] = game
        players = self.plan.game(number).players
        for place in players:
            half_points = _half_points(game, place)
            self._won[place][RESULTS[half_points]] += 1
            if not half_points and game.fault is not None:
                self._won[place][game.fault] += 1
                if self._faults_around(number, place) >= MAX_FAULTS:
                    self.suspended.add(place)
        first, second = sorted(players)
        met, half_points = self._met[first, second], _half_points(game, first)
        met.games, met.points = met.games + 1, met.points + half_points / 2
        if (other := self.games.get(number + 1 if number % 2 else number - 1)) is not None:
            half_points += _half_points(other, first)
            met.pairs[half_points] += 1
            self._pairs[first][half_points] += 1
            self._pairs[second][PAIRS - 1 - half_points] += 1
        self._go_on_testing()

    def leave_out(self, number: int) -> None:
        """Neither count the game of this *number*, nor miss it: what was kept of it is damaged."""
        self.left_out.add(number)
        first, second = sorted(self.plan.game(number).players)
        self._met[first, second].left_out += 1
        self._go_on_testing()

    def _faults_around(self, number: int, place: int) -> int:
        """How many games one after another, with that of *number*, the player at *place* lost by faults.

        They follow each other in the order in which they were handed out, whichever ended first.
        """
        count = 1
        for numbers in (range(number - 1, 0, -1), range(number + 1, self.plan.count + 1)):
            for other in numbers:
                if place not in self.plan.game(other).players:
                    continue
                game = self.games.get(other)
                if game is None or game.fault is None or game.winner == place or count == MAX_FAULTS:
                    break
                count += 1
        return count

    def _go_on_testing(self) -> None:
        """Test after each pair in the order in which they were handed out, up to one that has not ended.

        So it does not matter which games are quick. Pairs that are not whole any more are passed over.
        """
        test = self.plan.test
        while test is not None and self.decided is None:
            numbers = (self._tested + 1, self._tested + 2)
            if not all(number in self.games or number in self.left_out for number in numbers):
                return
            self._tested += 2
            pair = [self.games[number] for number in numbers if number in self.games]
            if len(pair) == len(numbers):
                self._test_pairs[sum(_half_points(game, 0) for game in pair)] += 1
                self.decided = test.decision(Results(tuple(self._test_pairs)))

    @property
    def decision(self) -> Decision | None:
        """How far the test of the plan is; None where there is none."""
        if (test := self.plan.test) is None:
            return None
        ratio = test.log_ratio(Results(tuple(self._test_pairs)))
        return Decision(ratio, *test.bounds, self.decided)

    def missing(self) -> Iterator[int]:
        """The numbers of the games that are still to be played, in the order in which they are handed out."""
        numbers = iter(range(1, self.plan.count + 1))
        while self.decided is None and (not self.suspended or self._count_missing()):
            number = next(filter(self._is_missing, numbers), None)
            if number is None:
                return
            yield number

    def _is_missing(self, number: int) -> bool:
        """Whether the game of this *number* is still to be played, unless the test has decided."""
        is_open = number not in self.games and number not in self.left_out
        return is_open and self.suspended.isdisjoint(self.plan.game(number).players)

    def _count_missing(self) -> int:
        """How many games are still to be played: those of all meetings of players who may play."""
        if self.decided is not None:
            return 0
        plan = self.plan
        open_ones = [pair for pair in plan.meetings if self.suspended.isdisjoint(pair)]
        played = sum(self._met[pair].games + self._met[pair].left_out for pair in open_ones)
        return 2 * plan.pairs * len(plan.games) * len(open_ones) - played

    def table(self) -> Standings:
        """How everybody stands."""
        names = [player.name for player in self.plan.players]
        meetings = [
            Meeting(names[one], names[two], met.games, met.points, Results(tuple(met.pairs)))
            for (one, two), met in self._met.items()
        ]
        ratings = rate(meetings, self.plan.anchor or names[0])
        standings = [
            Standing(name, won, Results(tuple(pairs)), ratings.get(name), place in self.suspended)
            for place, (name, won, pairs) in enumerate(zip(names, self._won, self._pairs, strict=True))
        ]
        best_first = sorted(standings, key=lambda standing: standing.results.score, reverse=True)
        return Standings(tuple(best_first), standings[0].results, self.decision, self._count_missing())


def _half_points(game: Finished, place: int) -> int:
    """Two for a win of the player at *place*, one for a draw."""
    return 1 if game.winner is None else 2 * (game.winner == place)
