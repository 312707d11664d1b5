"""A table: who sits where, the series they play, the present game, and who wishes for the next one.

Nothing here keeps, waits, or reads a clock: a :class:`~noughts.arena.local_table.LocalTable` is a table with
a store, and a :class:`~noughts.arena.rooms.room.Room` has one with tokens and people who come and go.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import Command
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.series import Begins, Series, result_of
from noughts.arena.setup import Setup
from noughts.arena.stored_game import BY_LINK
from noughts.errors import CommandRefused
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import parse_position

HUMAN = "human"
"""What is said of a player who is a person."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played at a table, and how.

    ``game`` is a catalogue name or spec; ``who`` says of each seat, in the order of the first game's marks,
    whether a ``human`` or which bot sits there; after ``claim_after`` milliseconds the win can be claimed
    against who is away (0: never); ``created`` is in milliseconds since 1970. ``opening`` is the name of the
    protocol by which sides are settled, None for none; it is opened by who has the first mark. ``start`` is
    the position from which each game begins, None for the usual one: with it games do not count.
    ``visibility`` says who may see the games on a server: everybody (``public``), or people who have their
    ``link``.
    """

    game: str
    who: tuple[str, ...]
    begins: Begins = Begins.ALTERNATE
    clock: Clock = UNTIMED
    claim_after: int = 60_000
    created: int = 0
    opening: str | None = None
    start: str | None = None
    visibility: str = BY_LINK

    def new_game(self, marks: tuple[str, ...] = (), seed: int = 0) -> Game:
        """A game of this kind before its first move; *seed* decides how it starts, where chance does."""
        game = new_game(self.game, seed=seed, marks=marks)
        return game if self.start is None else parse_position(game, self.start)


@dataclass
class Table:
    """Games of one kind between the same players. Seats are numbered from 0, in the order of the players.

    ``setup`` and ``match`` are those of the present game, None before the first; ``series_number`` is that of
    the series in a store. *seed* decides how the games start, where chance does; each has a start of its own.

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
        """A copy that can be changed without a change to this one."""
        match = None if self.match is None else self.match.copy()
        return replace(self, series=self.series.copy(), match=match)

    # Who has what

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
        """Whether a ``human`` or which bot has each side in the present game."""
        return {side: self.terms.who[seat] for seat, side in self.sides.items()}

    # What is asked of whom

    @property
    def is_playing(self) -> bool:
        """Whether a game was begun that has not ended."""
        return self.match is not None and self.match.outcome is None

    @property
    def is_choosing(self) -> bool:
        """Whether the next game waits for nothing but a mark to be chosen."""
        return not self.is_playing and (self.match is None or len(self.wishes) == len(self.terms.who))

    @property
    def chooser(self) -> int:
        """The seat whose turn it is to choose a mark."""
        return self.series.players.index(self.series.chooser)

    @property
    def needs_choice(self) -> bool:
        """Whether a person has to choose a mark for the next game; computers take the first."""
        return self.series.needs_choice and self.terms.who[self.chooser] == HUMAN

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that are asked for something: a move, an answer, a choice, the next game."""
        if self.is_choosing:
            return frozenset((self.chooser,))
        if self.match is None or not self.is_playing:
            return frozenset(range(len(self.terms.who))) - self.wishes if self.wishes else frozenset()
        offer = self.match.offer
        asked = set() if offer is None else set(self.match.game.sides) - offer.agreed
        asked.add(self.match.turn)
        return frozenset(seat for seat, side in self.sides.items() if side in asked)

    # What changes it

    def request_rematch(self, seat: int, asked: Command) -> bool:
        """*seat* wishes for the next game; whether everybody does now."""
        if self.is_playing or self.is_choosing:
            raise CommandRefused(asked, "playing" if self.is_playing else "not-begun")
        if seat in self.wishes:
            raise CommandRefused(asked, "wished-already")
        self.wishes |= {seat}
        return len(self.wishes) == len(self.terms.who)

    def begin(self, at: int, choice: str | None = None) -> Setup:
        """Set the next game up; *choice* is the mark that a chooser takes who is a person.

        Raises :class:`~noughts.errors.UnknownMark` where it is needed and is none; then nothing has changed.
        """
        if self.series.needs_choice and not self.needs_choice:
            choice = self.series.marks[0]
        seats, terms = self.series.next_seats(choice), self.terms
        game = terms.new_game(tuple(seats), self.seed + len(self.series.results))
        who = {mark: terms.who[self.series.players.index(name)] for mark, name in seats.items()}
        setup = Setup(name_of(game), seats, game.start, terms.clock, None, at, who, terms.opening)
        setup = replace(setup, is_counted=terms.start is None)
        match = setup.replay((), claim_after=terms.claim_after or None)
        self.setup, self.match = replace(setup, series=self._number_series(at)), match
        self.wishes = frozenset()
        return self.setup

    def _number_series(self, at: int) -> int | None:
        """The number of the series of a game that begins at the instant *at*."""
        return self.series_number

    def apply(self, side: str, command: Command, at: int) -> list[Event]:
        """Carry *command* of *side* out in the match and return what happened; a result counts.

        Raises what the match refuses it with; then nothing has changed.
        """
        if self.match is None:
            raise CommandRefused(command, "not-begun")
        events = self.match.apply(side, command, at)
        self._save(events)
        self._count(events[-1])
        return events

    def apply_event(self, event: Event) -> None:
        """Make *event* of the present game, which is saved already, happen here too; a result counts."""
        if self.match is not None:
            self.match.apply_event(event)
            self._count(event)

    def _save(self, events: Sequence[Event]) -> None:
        """Save *events*, which have just happened in the match, if there is a store."""

    def _count(self, last: Event) -> None:
        if self.match is not None and last.kind is EventKind.END:
            is_swapped = self.match.standing.is_swapped
            self.series.add(result_of(self.names, last, is_swapped=is_swapped))
