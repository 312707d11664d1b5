"""The plan of a tournament as a value: its players, its games, their number, and their limits.

All its games have numbers, in the order in which they are handed out. Two that follow each other are a pair:
the same players, game and opening with exchanged seats. Each lap has one pair of every meeting in every game,
so that early results cover all players.
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
"""The formats: all players meet, the first meets all others, neighbours on a ladder meet, or two players meet
until a test decides.
"""

LADDER_STEPS = 2
"""The maximum distance between two players for a meeting on a ladder."""

START, BALANCED, VARIED, LINES = "start", "balanced", "varied", "lines"
"""The kinds of openings, besides protocols."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant: the ``name`` for tables, the player ``who``, and ``options`` for a bot."""

    name: str
    who: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """The limits of the players: ``nodes`` and ``turn_ms`` for a move, ``match_ms`` for all moves of a game.

    Each move adds ``increment_ms`` to the time left of the latter. Before each move ``adjudicate_nodes`` may
    be spent on a proof of the result, which then ends the game. With 0 there is no adjudication.
    """

    nodes: int | None = None
    turn_ms: int | None = None
    match_ms: int | None = None
    increment_ms: int = 0
    adjudicate_nodes: int = 0

    @property
    def is_timed(self) -> bool:
        """True if a time is limited."""
        return self.turn_ms is not None or self.match_ms is not None


@dataclass(frozen=True, slots=True)
class OpeningPlan:
    """The beginnings of games: the ``start``, a protocol, ``balanced`` or ``varied`` moves, or ``lines``.

    Each of ``lines`` has the moves of an opening, in that ``notation``. With ``symmetries`` the openings are
    repeated in all symmetries of the board. ``plies`` is the number of moves of balanced openings.
    """

    kind: str = START
    lines: tuple[str, ...] = ()
    notation: str = "moves"
    symmetries: bool = False
    plies: int = 0

    @property
    def protocol(self) -> str | None:
        """The protocol by which the players settle their sides, or None."""
        return self.kind if self.kind in OPENINGS else None


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A tournament of *format* between *players* in *games*, with *pairs* pairs for each meeting.

    The rating of the player ``anchor`` is 0, by default that of the first player.
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
        """Return the plan with these :meth:`facts`.

        Raises ``LookupError``, ``TypeError`` or ``ValueError`` for invalid facts.
        """
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
        """The meetings, as pairs of places among the players."""
        return _meetings(self.format, len(self.players))

    @property
    def count(self) -> int:
        """The maximum number of games, which are numbered from 1."""
        return 2 * self.pairs * len(self.games) * len(self.meetings)

    def game(self, number: int) -> "PlannedGame":
        """Return the game of this *number*."""
        pair, leg = divmod(number - 1, 2)
        lap, place = divmod(pair, len(self.games) * len(self.meetings))
        game, meeting = divmod(place, len(self.meetings))
        first, second = self.meetings[meeting]
        return PlannedGame(number, self.games[game], (second, first) if leg else (first, second), lap)

    def facts(self) -> dict[str, Any]:
        """Return all facts of this plan as JSON values."""
        return asdict(self)

    @property
    def name(self) -> str:
        """The identifier of this plan. The anchor and the spelling of games do not affect it."""
        facts = {**self.facts(), "games": [new_game(game).name for game in self.games]}
        del facts["anchor"]
        return digest_of(facts)


@lru_cache(maxsize=8)
def _meetings(format_: str, count: int) -> tuple[tuple[int, int], ...]:
    """Return the meetings of *count* players. They are cached, since each counted game needs them."""
    if format_ == GAUNTLET:
        return tuple((0, other) for other in range(1, count))
    steps = LADDER_STEPS if format_ == LADDER else count
    return tuple((one, other) for one, other in combinations(range(count), 2) if other - one <= steps)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game of a plan: its ``number``, the ``game``, and the places of its ``players`` in turn order."""

    number: int
    game: str
    players: tuple[int, int]
    lap: int
