"""The standings of a tournament, counted from its games.

Copies of earlier games are no evidence. Two games are copies if the same players in the same seats made the
same moves, and both games ended in the same way. The unit of evidence is a pair of games with exchanged
seats: the advantage of a seat cancels out.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from noughts.arena.digest import digest_of
from noughts.arena.events import MatchEnd
from noughts.arena.series import Result
from noughts.arena.stored_game import StoredGame, moves_of
from noughts.arena.tournament.elo import Meeting, Rating, rate
from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.scores import PAIRS, Interval, Results
from noughts.errors import DamagedStore


@dataclass(frozen=True, slots=True)
class GameResult:
    """The end of a game: the place of its winner among the players, or None, and the fault of the loser.

    ``course`` identifies its moves and its end. A game without a course is never taken for a copy.
    """

    winner: int | None
    fault: str | None = None
    course: str | None = None


def half_points(game: GameResult, place: int) -> int:
    """Return two for a win of the player at *place*, one for a draw."""
    return 1 if game.winner is None else 2 * (game.winner == place)


@dataclass
class Evidence:
    """The different games of one meeting in one game, from the point of view of the player at *place*.

    Pairs must be added in the order of their numbers. If only one game of a pair is new, it waits for another
    new game with exchanged seats from the same opening. The two are a pair then. *openings* is the number of
    different openings.
    """

    place: int
    openings: int = 1
    distinct: int = 0
    pairs: list[int] = field(default_factory=list)
    """The half points in each pair of different games."""
    singles: list[int] = field(default_factory=list)
    """The half points in different games of unfinished pairs."""
    _seen: set[tuple[int, GameResult]] = field(default_factory=set)
    _waiting: dict[tuple[int, int], deque[int]] = field(default_factory=lambda: defaultdict(deque))

    def add(self, lap: int, games: Sequence[GameResult | None]) -> None:
        """Add the two *games* of the pair of this *lap*. One that has not ended, or is lost, is None."""
        new = [self._points_if_new(leg, game) for leg, game in enumerate(games)]
        points = [one for one in new if one is not None]
        if None in games:
            self.singles += points
        elif len(points) == len(games):
            self.pairs.append(sum(points))
        elif points:
            self._join(lap % self.openings, new.index(points[0]), points[0])

    def _points_if_new(self, leg: int, game: GameResult | None) -> int | None:
        """Return the half points in *game*, or None if there is no game, or it is a copy."""
        if game is None or (leg, game) in self._seen:
            return None
        self.distinct += 1
        if game.course is not None:
            self._seen.add((leg, game))
        return half_points(game, self.place)

    def _join(self, opening: int, leg: int, points: int) -> None:
        """Pair a new game with one that waits in the other *leg*, or make the new game wait."""
        if others := self._waiting[opening, 1 - leg]:
            self.pairs.append(others.popleft() + points)
        else:
            self._waiting[opening, leg].append(points)


RESULTS = LOSSES, DRAWS, WINS = ("losses", "draws", "wins")

FAULTS = CRASHES, TIMEOUTS, ILLEGAL = ("crashes", "timeouts", "illegal")
"""The faults by which a game can be lost: its program failed, was late, or broke the rules."""

MAX_FAULTS = 3
"""The number of consecutive losses by faults after which a player is suspended, to save time."""

COURSE_LENGTH = 24
"""The number of hexadecimal digits that identify the course of a game."""

_BROKEN = ("illegal-move", "no-move", "flooded")
"""The reasons for forfeits that break the protocol."""


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """The standing of one player.

    ``counts`` has the numbers of ``wins``, ``draws`` and ``losses`` in all games, and of losses by fault.
    ``distinct`` is the number of different games. ``results`` are those of pairs of different games.
    ``rating`` is None if there is none. A player that ``is_suspended`` plays no more games: it has lost
    several consecutive games by faults.
    """

    name: str
    counts: Mapping[str, int]
    results: Results
    rating: Rating | None
    distinct: int = 0
    is_suspended: bool = False

    @property
    def played(self) -> int:
        """The number of games of the player."""
        return sum(self.counts[name] for name in RESULTS)

    @property
    def elo(self) -> Interval:
        """The Elo difference to all its opponents, taken together."""
        return self.results.elo()


@dataclass(frozen=True, slots=True)
class Decision:
    """The state of a sequential test, and its decision: ``elo0``, ``elo1``, or None."""

    log_ratio: float
    low: float
    high: float
    decided: str | None


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of all ``players``, the best first, and the state of the test.

    ``pairs`` are the pairs of different games of the first player of the plan. ``missing`` games are still to
    be played. ``distinct`` games of the played ones are different. ``broken`` has the number of matches of
    each game that ended because its package is faulty.
    """

    players: tuple[PlayerStanding, ...]
    pairs: Results
    decision: Decision | None
    missing: int
    distinct: int = 0
    broken: tuple[tuple[str, int], ...] = ()

    @property
    def played(self) -> int:
        """The number of all games."""
        return sum(player.played for player in self.players) // 2


def finished(plan: TournamentPlan, number: int, stored: StoredGame) -> GameResult | None:
    """Return the end of *stored*, the game of this *number* in *plan*, or None if its package was faulty.

    Raises :class:`~noughts.errors.DamagedStore` if it is another game, or has not ended.
    """
    planned, result = plan.game(number), stored.result
    places = {plan.players[place].name: place for place in planned.players}
    is_same = set(stored.players.values()) == set(places) and stored.setup.game == planned.game
    if result is None or not is_same:
        raise DamagedStore(f"game {stored.id}", "pairing-altered", number=number)
    if not result.is_counted:
        return None
    course = _course(stored, result)
    if result.winner is None:
        return GameResult(None, course=course)
    return GameResult(
        places[stored.players[result.winner]], _fault(result.termination, result.reason), course
    )


def _course(stored: StoredGame, result: Result) -> str:
    """Return the identifier of the moves of *stored*, the answers in its opening, and its *result*."""
    moves = [text for text, _ in moves_of(stored)]
    answers = sorted(stored.answers().items())
    return digest_of([moves, answers, result.winner, result.termination, result.reason])[:COURSE_LENGTH]


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
class _MeetingCount:
    """The numbers of games that two players have played, and of those that are lost or broken."""

    games: int = 0
    skipped: int = 0


class GameTally:
    """Counts the finished games of *plan*, in any order.

    *openings* are the numbers of openings of the games that have any.
    """

    def __init__(self, plan: TournamentPlan, openings: Mapping[str, int] | None = None) -> None:
        self.plan = plan
        self._openings = openings or {}
        self.games: dict[int, GameResult] = {}
        self.skipped = set[int]()
        """The numbers of games that were played, but are damaged or broken."""
        self.broken = Counter[str]()
        """For each game, the number of matches that ended because its package is faulty."""
        self._won = [Counter(dict.fromkeys((*RESULTS, *FAULTS), 0)) for _ in plan.players]
        self._met = {meeting: _MeetingCount() for meeting in plan.meetings}
        self._begun = defaultdict[_Field, set[int]](set)
        """The numbers of the pairs with a finished game."""
        self._evidence: dict[_Field, Evidence] = {}
        """A cache of the evidence of each meeting in each game. A new game removes its entry."""
        self.suspended = set[int]()
        self._tested, self._test_evidence = 0, dict[_Field, Evidence]()
        self.course = list[float]()
        """The logarithm of the likelihood ratio after each pair in the test."""
        self.decided: str | None = None

    def add(self, number: int, game: GameResult) -> None:
        """Count *game*, which has this *number* in the plan and was not counted before."""
        self.games[number] = game
        planned = self.plan.game(number)
        for place in planned.players:
            points = half_points(game, place)
            self._won[place][RESULTS[points]] += 1
            if not points and game.fault is not None:
                self._won[place][game.fault] += 1
                if self._faults_around(number, place) >= MAX_FAULTS:
                    self.suspended.add(place)
        first, second = sorted(planned.players)
        self._met[first, second].games += 1
        field = first, second, planned.game
        self._begun[field].add((number - 1) // 2)
        self._evidence.pop(field, None)
        self._continue_test()

    def skip(self, number: int, *, is_broken: bool = False) -> None:
        """Skip the game of this *number*, which counts as played: it is damaged, or its package is faulty."""
        self.skipped.add(number)
        self.broken.update([self.plan.game(number).game] * is_broken)
        first, second = sorted(self.plan.game(number).players)
        self._met[first, second].skipped += 1
        self._continue_test()

    def _faults_around(self, number: int, place: int) -> int:
        """Return the length of the series of losses by faults of the player at *place* around *number*.

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

    def _continue_test(self) -> None:
        """Test after each pair in the order in which they were handed out, up to an unfinished one.

        So it does not matter which games are quick. Incomplete pairs of damaged games are skipped.
        """
        test = self.plan.test
        while test is not None and self.decided is None:
            numbers = (self._tested + 1, self._tested + 2)
            if not all(number in self.games or number in self.skipped for number in numbers):
                return
            self._tested += 2
            field = self._field(self._tested // 2 - 1)
            evidence = self._test_evidence.setdefault(field, self._no_evidence(field))
            known = len(evidence.pairs)
            self._add_pair(evidence, self._tested // 2 - 1)
            if len(evidence.pairs) > known:
                self.course.append(test.log_ratio(_results(self._test_evidence.values())))
                self.decided = test.decision_at(self.course[-1])

    def _field(self, pair: int) -> "_Field":
        """Return the two players of this *pair*, and their game."""
        planned = self.plan.game(2 * pair + 1)
        first, second = sorted(planned.players)
        return first, second, planned.game

    def _no_evidence(self, field: "_Field") -> Evidence:
        first, _, game = field
        return Evidence(first, max(1, self._openings.get(game, 1)))

    def _add_pair(self, evidence: Evidence, pair: int) -> None:
        numbers = 2 * pair + 1, 2 * pair + 2
        evidence.add(self.plan.game(numbers[0]).lap, [self.games.get(number) for number in numbers])

    def _all_evidence(self) -> dict["_Field", Evidence]:
        """Return the evidence of each meeting in each game. Only changed evidence is computed again."""
        for met in self._begun.keys() - self._evidence.keys():
            evidence = self._evidence[met] = self._no_evidence(met)
            for pair in sorted(self._begun[met]):
                self._add_pair(evidence, pair)
        return self._evidence

    @property
    def decision(self) -> Decision | None:
        """The state of the test of the plan, or None without a test."""
        if (test := self.plan.test) is None:
            return None
        ratio = test.log_ratio(_results(self._test_evidence.values()))
        return Decision(ratio, *test.bounds, self.decided)

    def missing(self) -> Iterator[int]:
        """Yield the numbers of the missing games, in the order in which they are handed out."""
        numbers = iter(range(1, self.plan.count + 1))
        while self.decided is None and (not self.suspended or self._count_missing()):
            number = next(filter(self._is_missing, numbers), None)
            if number is None:
                return
            yield number

    def _is_missing(self, number: int) -> bool:
        """Return True if the game of this *number* is still to be played, unless the test has decided."""
        is_open = number not in self.games and number not in self.skipped
        return is_open and self.suspended.isdisjoint(self.plan.game(number).players)

    def _count_missing(self) -> int:
        """Return the number of missing games between players that are not suspended."""
        if self.decided is not None:
            return 0
        plan = self.plan
        open_ones = [pair for pair in plan.meetings if self.suspended.isdisjoint(pair)]
        played = sum(self._met[pair].games + self._met[pair].skipped for pair in open_ones)
        return 2 * plan.pairs * len(plan.games) * len(open_ones) - played

    def table(self) -> Standings:
        """Return the present standings."""
        names = [player.name for player in self.plan.players]
        evidence = self._all_evidence()
        of_meeting = defaultdict[tuple[int, int], list[Evidence]](list)
        of_player = [Counter[int]() for _ in names]
        distinct = Counter[int]()
        for (first, second, _), of_field in evidence.items():
            of_meeting[first, second].append(of_field)
            of_player[first].update(of_field.pairs)
            of_player[second].update(PAIRS - 1 - points for points in of_field.pairs)
            distinct.update({first: of_field.distinct, second: of_field.distinct})
        ratings = rate(
            (_meeting(names[one], names[two], of_field) for (one, two), of_field in of_meeting.items()),
            self.plan.anchor or names[0],
        )
        out = self.suspended
        standings = [
            PlayerStanding(name, won, _counted(pairs), ratings.get(name), distinct[place], place in out)
            for place, (name, won, pairs) in enumerate(zip(names, self._won, of_player, strict=True))
        ]
        best_first = sorted(standings, key=lambda standing: standing.results.score, reverse=True)
        return Standings(
            tuple(best_first),
            standings[0].results,
            self.decision,
            self._count_missing(),
            sum(of_field.distinct for of_field in evidence.values()),
            tuple(self.broken.items()),
        )


_Field = tuple[int, int, str]
"""The places of two opponents, in order, and the game that they play."""


def _meeting(first: str, second: str, evidence: Sequence[Evidence]) -> Meeting:
    """Return the meeting of two players from the *evidence* of their different games."""
    pairs = _results(evidence)
    singles = [points for of_game in evidence for points in of_game.singles]
    games = pairs.games + len(singles)
    return Meeting(first, second, games, pairs.score * pairs.games + sum(singles) / 2, pairs)


def _results(evidence: Iterable[Evidence]) -> Results:
    return _counted(Counter(points for of_field in evidence for points in of_field.pairs))


def _counted(pairs: Mapping[int, int]) -> Results:
    return Results(tuple(pairs.get(points, 0) for points in range(PAIRS)))
