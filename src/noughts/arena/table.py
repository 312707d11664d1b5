"""A table: the players, their series, the present game, and the requests for the next game.

A table saves nothing, does not wait, and reads no clock. A :class:`~noughts.arena.local_table.LocalTable` is
a table with a store. A :class:`~noughts.arena.rooms.room.Room` has a table, tokens, and the presence of
people.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.arena.clock import DAY, UNTIMED, Clock
from noughts.arena.commands import Command
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.series import Begins, Score, Series, result_of
from noughts.arena.setup import Setup
from noughts.arena.stored_game import BY_LINK
from noughts.errors import CommandRefused
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import parse_position

HUMAN = "human"
"""The kind of a human player."""

CLAIM_AFTER = 60_000
"""Milliseconds after which a player can claim the win against an absent opponent."""

DAYS_FOR_FIRST_MOVE = 3 * DAY
"""The time for the first move of each side in a game by days, after which the game is called off."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The game that is played at a table, and its conditions.

    ``game`` is a catalogue name or spec. ``who`` has the kind of the player of each seat, in the order of the
    first game's marks: ``human`` or the name of a bot. After ``claim_after`` milliseconds a player can claim
    the win against an absent opponent (0: never). ``created`` is in milliseconds since 1970. ``opening`` is
    the name of the protocol that settles the sides, or None. The player with the first mark opens it.
    ``start`` is the position from which each game begins, or None for the usual one. Games from a chosen
    position do not count. ``visibility`` decides which clients of a server may see the games: all clients
    (``public``), or those with a ``link``. After ``first_move`` milliseconds without the first decision of a
    side a game is called off (0: never). Games count only if ``is_counted`` is True. The games of people with
    keys change their ratings if they are ``rated``: see
    :func:`noughts.arena.ratings.fairness.unrated_reason`. Clocks run
    ``clock_after`` milliseconds after the beginning of a game even without a move (0: only after moves).
    """

    game: str
    who: tuple[str, ...]
    begins: Begins = Begins.ALTERNATE
    clock: Clock = UNTIMED
    claim_after: int = CLAIM_AFTER
    created: int = 0
    opening: str | None = None
    start: str | None = None
    visibility: str = BY_LINK
    first_move: int = 0
    is_counted: bool = True
    rated: bool = False
    clock_after: int = 0

    @property
    def is_unaided(self) -> bool:
        """True if no player may use hints and values or take moves back: in rated and tournament games."""
        return self.rated or self.is_in_tournament

    @property
    def is_in_tournament(self) -> bool:
        """True for a game of a tournament of people, whose clocks start without a move."""
        return self.clock_after > 0

    @property
    def match_settings(self) -> dict[str, int | None]:
        """The arguments for a :class:`~noughts.arena.match.Match` at this table."""
        return {
            "claim_after": self.claim_after or None,
            "first_move": self.first_move or None,
            "clock_after": self.clock_after or None,
        }

    def at_their_speed(self) -> "Terms":
        """Return these terms for players that may be absent, if the clock is by days.

        Then no player can claim a win, and a game without first moves is called off after three days.

        >>> Terms("gomoku", ("human", "human"), clock=Clock(per_move=DAY)).at_their_speed().claim_after
        0
        """
        if not self.clock.is_by_days:
            return self
        return replace(self, claim_after=0, first_move=DAYS_FOR_FIRST_MOVE)

    def new_game(self, marks: tuple[str, ...] = (), seed: int = 0) -> Game:
        """Return a game of this kind before its first move. *seed* decides a random start."""
        game = new_game(self.game, seed=seed, marks=marks)
        return game if self.start is None else parse_position(game, self.start)


@dataclass
class Table:
    """Games of one kind between the same players. Seats are numbered from 0, in the order of the players.

    ``setup`` and ``match`` belong to the present game. They are None before the first game. ``series_number``
    is the number of the series in a store. *seed* decides random starts. Each game has its own start.

    >>> from noughts.arena.commands import Resign
    >>> table = Table(Terms("tictactoe", ("human", "rule")), Series(("Ada", "Wei")))
    >>> table.begin(at=0).seats, table.who_of["O"]
    ({'X': 'Ada', 'O': 'Wei'}, 'rule')
    >>> table.apply("O", Resign(), at=10)[-1].data["winner"], table.series.scores()[0].wins
    ('X', 1)
    """

    terms: Terms
    series: Series
    setup: Setup | None = None
    match: Match | None = None
    wishes: frozenset[int] = frozenset()
    series_number: int | None = None
    seed: int = 0

    def draft(self) -> "Table":
        """Return a copy that can be changed without a change to this one."""
        match = None if self.match is None else self.match.copy()
        return replace(self, series=self.series.copy(), match=match)

    # Names and sides

    @property
    def names(self) -> dict[str, str]:
        """The players of the present game by side, in turn order."""
        return {} if self.setup is None or self.match is None else self.match.by_side(self.setup.seats)

    @property
    def sides(self) -> dict[int, str]:
        """The side of each seat in the present game, in turn order."""
        return {self.series.players.index(name): side for side, name in self.names.items()}

    @property
    def who_of(self) -> dict[str, str]:
        """The kind of the player of each side in the present game: ``human`` or the name of a bot."""
        return {side: self.terms.who[seat] for seat, side in self.sides.items()}

    @property
    def own_sides(self) -> tuple[str, ...]:
        """The sides of the people at this table."""
        return tuple(side for side, who in self.who_of.items() if who == HUMAN)

    @property
    def computed_sides(self) -> tuple[str, ...]:
        """The sides of the computers that decide at this table."""
        return tuple(side for side, who in self.who_of.items() if who != HUMAN)

    # Facts to show

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores of the series, by seat."""
        return self.series.scores()

    @property
    def games_played(self) -> int:
        """The number of finished games of the series."""
        return len(self.series.results)

    @property
    def is_sending(self) -> bool:
        """True if a command was sent to a server that has not answered yet."""
        return False

    @property
    def may_be_helped(self) -> bool:
        """True if hints and values of the present position are fair to all players."""
        return True

    def time_left(self, side: str, at: int) -> int | None:
        """Return the milliseconds on the clock of *side* at the instant *at*, or None without a clock."""
        return None if self.match is None else self.match.time_left(side, at)

    # Pending decisions

    @property
    def is_playing(self) -> bool:
        """True if a game has begun and has not ended."""
        return self.match is not None and self.match.outcome is None

    @property
    def is_choosing(self) -> bool:
        """True if the next game waits only for the choice of a mark."""
        return not self.is_playing and (self.match is None or len(self.wishes) == len(self.terms.who))

    @property
    def chooser(self) -> int:
        """The seat that chooses the next mark."""
        return self.series.players.index(self.series.chooser)

    @property
    def needs_choice(self) -> bool:
        """True if a person has to choose a mark for the next game. Computers take the first mark."""
        return self.series.needs_choice and self.terms.who[self.chooser] == HUMAN

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that have to decide: a move, an answer, a mark, or the next game."""
        if self.is_choosing:
            return frozenset((self.chooser,))
        if self.match is None or not self.is_playing:
            return frozenset(range(len(self.terms.who))) - self.wishes if self.wishes else frozenset()
        offer = self.match.offer
        sides = set() if offer is None else set(self.match.game.sides) - offer.agreed
        sides.add(self.match.turn)
        return frozenset(seat for seat, side in self.sides.items() if side in sides)

    # Changes

    def request_rematch(self, seat: int, command: Command) -> bool:
        """Note that *seat* wants the next game. Return True if all seats want it now."""
        if self.is_playing or self.is_choosing:
            raise CommandRefused(command, "playing" if self.is_playing else "not-begun")
        if seat in self.wishes:
            raise CommandRefused(command, "wished-already")
        self.wishes |= {seat}
        return len(self.wishes) == len(self.terms.who)

    def begin(self, at: int, choice: str | None = None) -> Setup:
        """Set up the next game. *choice* is the mark that a human chooser takes.

        Raises :class:`~noughts.errors.UnknownMark` if a mark is needed and *choice* is none. Nothing changes
        then.
        """
        if self.series.needs_choice and not self.needs_choice:
            choice = self.series.marks[0]
        seats, terms = self.series.next_seats(choice), self.terms
        game = terms.new_game(tuple(seats), self.seed + len(self.series.results))
        who = {mark: terms.who[self.series.players.index(name)] for mark, name in seats.items()}
        setup = Setup(name_of(game), seats, game.start, terms.clock, None, at, who, terms.opening)
        setup = replace(setup, is_counted=terms.is_counted and terms.start is None)
        match = setup.replay((), **terms.match_settings)
        self.setup, self.match = replace(setup, series=self._number_series(at)), match
        self.wishes = frozenset()
        return self.setup

    def _number_series(self, at: int) -> int | None:
        """Return the number of the series for a game that begins at the instant *at*."""
        return self.series_number

    def apply(self, side: str, command: Command, at: int) -> list[Event]:
        """Execute *command* of *side* in the match, return the events, and count a result.

        If the match refuses the command, its error is raised and nothing changes.
        """
        if self.match is None:
            raise CommandRefused(command, "not-begun")
        events = self.match.apply(side, command, at)
        self._save(events)
        self._count(events[-1])
        return events

    def apply_event(self, event: Event) -> None:
        """Apply *event* of the present game, which is saved already, and count a result."""
        if self.match is not None:
            self.match.apply_event(event)
            self._count(event)

    def _save(self, events: Sequence[Event]) -> None:
        """Save *events*, which have just happened in the match, if there is a store."""

    def _count(self, last: Event) -> None:
        if self.match is not None and last.kind is EventKind.END:
            is_swapped = self.match.standing.is_swapped
            self.series.add(result_of(self.names, last, is_swapped=is_swapped))
