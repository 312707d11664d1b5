"""What a tournament is to be, as a value: who plays what, how often, and under which limits.

All its games have numbers, in the order in which they are handed out. Two that follow each other are a
pair: the same players, game and opening with exchanged seats. Each lap has one pair of every meeting in
every game, so that what is known early is known of all.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any

from noughts.arena.digest import digest_of
from noughts.arena.tournament.sequential import Test
from noughts.games.catalogue import new_game
from noughts.games.openings import OPENINGS

ROUND_ROBIN, GAUNTLET, LADDER, SPRT = FORMATS = ("round-robin", "gauntlet", "ladder", "sprt")
"""Everybody meets everybody; the first meets everybody; everybody meets who stands near; two meet until that
decides a test.
"""

LADDER_STEPS = 2
"""On a ladder players meet who stand at most so many places from each other."""

START, BALANCED, VARIED, LINES = "start", "balanced", "varied", "lines"
"""Where games begin, if not by a protocol."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part: a ``name`` for tables, ``who`` plays, with ``options`` where it is a bot."""

    name: str
    who: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """What the players may use: ``nodes`` and ``turn_ms`` for a move, ``match_ms`` for all moves of a game.

    Each move adds ``increment_ms`` to what is left of the latter. Before each move ``adjudicate_nodes`` may
    be spent on proving how the game ends, which then ends so; none where that is 0.
    """

    nodes: int | None = None
    turn_ms: int | None = None
    match_ms: int | None = None
    increment_ms: int = 0
    adjudicate_nodes: int = 0

    @property
    def is_timed(self) -> bool:
        """Whether any time is counted."""
        return self.turn_ms is not None or self.match_ms is not None


@dataclass(frozen=True, slots=True)
class OpeningPlan:
    """The beginnings of games: the ``start``, a protocol, ``balanced`` or ``varied`` moves, or ``lines``.

    ``lines`` have the moves of an opening each, in that ``notation``. With ``symmetries`` they come again in
    all images of the board; ``plies`` is how many moves balanced ones have.
    """

    kind: str = START
    lines: tuple[str, ...] = ()
    notation: str = "moves"
    symmetries: bool = False
    plies: int = 0

    @property
    def protocol(self) -> str | None:
        """The protocol by which the players settle their sides; None where there is none."""
        return self.kind if self.kind in OPENINGS else None


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A tournament of *format* between *players* in *games*; with *pairs* pairs of games for each meeting.

    The rating of the player called ``anchor`` is 0; without one that of the first is.
    """

    format: str
    games: tuple[str, ...]
    players: tuple[Entrant, ...]
    pairs: int
    seed: int = 0
    limits: PlayLimits = PlayLimits()
    openings: OpeningPlan = OpeningPlan()
    test: Test | None = None
    anchor: str | None = None

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "TournamentPlan":
        """The plan that :meth:`facts` tells of; LookupError, TypeError or ValueError for what is none."""
        test, openings = facts["test"], facts["openings"]
        return cls(
            facts["format"],
            tuple(facts["games"]),
            tuple(Entrant(**player) for player in facts["players"]),
            facts["pairs"],
            facts["seed"],
            PlayLimits(**facts["limits"]),
            OpeningPlan(**{**openings, "lines": tuple(openings["lines"])}),
            None if test is None else Test(**test),
            facts.get("anchor"),
        )

    @property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        """Who meets whom, by their places among the players."""
        return _meetings(self.format, len(self.players))

    @property
    def count(self) -> int:
        """How many games there are at most; they are numbered from 1."""
        return 2 * self.pairs * len(self.games) * len(self.meetings)

    def game(self, number: int) -> "PlannedGame":
        """The game of this *number*."""
        pair, leg = divmod(number - 1, 2)
        lap, place = divmod(pair, len(self.games) * len(self.meetings))
        game, meeting = divmod(place, len(self.meetings))
        first, second = self.meetings[meeting]
        return PlannedGame(number, self.games[game], (second, first) if leg else (first, second), lap)

    def facts(self) -> dict[str, Any]:
        """All that there is to know of this plan, as values of JSON."""
        return asdict(self)

    @property
    def name(self) -> str:
        """What tells this plan from all others; whose rating is 0, and how games are spelled, does not."""
        facts = {**self.facts(), "games": [new_game(game).name for game in self.games]}
        del facts["anchor"]
        return digest_of(facts)


@lru_cache(maxsize=8)
def _meetings(format_: str, count: int) -> tuple[tuple[int, int], ...]:
    """Who of so many players meets whom: remembered, for each game that is counted asks for it."""
    if format_ == GAUNTLET:
        return tuple((0, other) for other in range(1, count))
    steps = LADDER_STEPS if format_ == LADDER else count
    return tuple((one, other) for one, other in combinations(range(count), 2) if other - one <= steps)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game of a plan: its ``number``, the ``game``, its ``players`` by their places, in turn order."""

    number: int
    game: str
    players: tuple[int, int]
    lap: int
