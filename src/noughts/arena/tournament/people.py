"""Tournaments of people as state machines: entries, rounds, results and corrections.

A tournament waits for nothing, reads no clock and writes nothing. Commands go in with their times, and events
come out. The events hold the whole state. A command that does not fit is refused and changes nothing. Points
are half points: 2 for a win and 1 for a draw.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count
from random import Random
from typing import Any

from noughts.arena.clock import Clock
from noughts.arena.stored_game import BY_LINK
from noughts.arena.tournament.knockout import bracket
from noughts.arena.tournament.matching import Matching
from noughts.arena.tournament.swiss import (
    NO_BLOCKS,
    NOBODY,
    Blocks,
    SwissPlayer,
    moves_first,
    pair_swiss,
)
from noughts.errors import BadInput, CommandRefused, NameRefused, NotFound

MAX_ENTRIES = 500
"""The largest number of players."""

MAX_TITLE = 60
"""The longest title in characters."""

MAX_ROUNDS = 15
"""The largest number of rounds of a Swiss tournament."""

BREAK_MS = 20_000
"""The time from the last result of a round to the next round, in which results can be corrected."""

COMPUTER_AFTER_MS = 20_000
"""The waiting time in an arena after which the computer plays a player without a free opponent."""

WIN, DRAW, LOSS = (2, 0), (1, 1), (0, 2)
"""The half points of the first and the second player."""

RESULTS = (WIN, DRAW, LOSS)

MAX_REPLAYS = 1
"""The number of further games after a draw in a knockout. Then the better seed goes on."""


class PairingSystem(StrEnum):
    """The kinds of tournaments."""

    SWISS = "swiss"
    ARENA = "arena"
    KNOCKOUT = "knockout"


class PeoplePhase(StrEnum):
    """The phase of a tournament of people."""

    OPEN = "open"
    PLAYING = "playing"
    OVER = "over"


def clean_title(text: str, untitled: str) -> str:
    """Return *text* as a title with single blanks, or *untitled* for an empty one.

    Raises :class:`~noughts.errors.NameRefused` for control or invisible characters, which could turn the
    text around or leave nothing to press, and :class:`~noughts.errors.BadInput` for a long title.

    >>> clean_title(" Class  6b ", "Tournament"), clean_title(" ", "Tournament")
    ('Class 6b', 'Tournament')
    """
    title = " ".join(text.split()) or untitled
    if not title.isprintable():
        raise NameRefused(title, "invisible")
    if len(title) > MAX_TITLE:
        raise BadInput(f"unusable title: {title[:20]!r}")
    return title


@dataclass(frozen=True, slots=True)
class PeopleTerms:
    """The facts about a tournament that are chosen when it is opened.

    ``rounds`` counts for a Swiss tournament, ``minutes`` for an arena. ``computer`` is the name of the
    computer that plays an odd player. If it is empty, the player has a free point, or waits in an arena. A
    knockout has free passes instead. ``starts`` is the planned start in
    milliseconds since 1970, or None if the organiser starts it. ``seed`` decides the seeds of a knockout.
    ``visibility`` is ``public`` if the tournament is in the list of tournaments, else ``link``.
    """

    title: str
    game: str
    clock: Clock
    system: PairingSystem = PairingSystem.SWISS
    rounds: int = 5
    minutes: int = 30
    opening: str | None = None
    computer: str = ""
    starts: int | None = None
    created: int = 0
    seed: int = 0
    visibility: str = BY_LINK


class EntryState(StrEnum):
    """The state of a player: in play, at rest until the player comes back, or removed."""

    IN = "in"
    RESTING = "resting"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """A player in a tournament of people.

    ``since`` is the number of rounds before the entry. ``free_since`` is the instant of the entry, of the
    last result, or of the end of a rest.
    """

    number: int
    state: EntryState = EntryState.IN
    since: int = 0
    free_since: int = 0


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """Two opponents, the one with the first move first. :data:`NOBODY` is a computer.

    Without a ``room`` the player has a free point. ``points`` are the half points of both, or None until the
    game has ended. ``game`` and ``series`` are the numbers of the stored game and its series, None before the
    first move. ``at`` is the instant of the pairing.
    """

    number: int
    round: int
    table: int
    players: tuple[int, int]
    room: str
    at: int
    points: tuple[int, int] | None = None
    game: int | None = None
    series: int | None = None
    is_corrected: bool = False

    @property
    def has_begun(self) -> bool:
        """True from the first move on."""
        return self.game is not None

    @property
    def is_between_people(self) -> bool:
        """True if two people play."""
        return NOBODY not in self.players

    @property
    def is_open(self) -> bool:
        """True until the result is known."""
        return self.points is None

    def opponent_of(self, entry: int) -> int:
        """Return the number of the opponent of *entry*."""
        first, second = self.players
        return second if entry == first else first

    def points_of(self, entry: int) -> int:
        """Return the half points of *entry*, 0 until the result is known."""
        return 0 if self.points is None else self.points[self.players.index(entry)]


@dataclass(frozen=True, slots=True)
class PeopleEvent:
    """Something that happened in a tournament of people: its version, instant, kind and data."""

    version: int
    at: int
    kind: str
    data: Mapping[str, Any]

    @property
    def values(self) -> list[Any]:
        """The event as a list that JSON can hold."""
        return [self.version, self.at, self.kind, dict(self.data)]


@dataclass(slots=True)
class PeopleTournament:
    """A tournament of people: its entries and pairings by number, and its state.

    ``rounds`` is the number of rounds that are paired. ``version`` counts the events. ``started`` and
    ``ended`` are instants, None until they are known. ``quiet_since`` is the instant of the last result.
    ``running_since`` is the instant of the start, or of the end of the last pause.
    """

    terms: PeopleTerms
    phase: PeoplePhase = PeoplePhase.OPEN
    is_paused: bool = False
    is_open_to_all: bool = True
    entries: dict[int, TournamentEntry] = field(default_factory=dict)
    pairings: dict[int, RoundPairing] = field(default_factory=dict)
    rounds: int = 0
    version: int = 0
    started: int | None = None
    ended: int | None = None
    quiet_since: int = 0
    running_since: int = 0
    last_number: int = 0
    """The number of the last pairing, also of one that was withdrawn."""

    @classmethod
    def replay(cls, terms: PeopleTerms, events: Iterable[PeopleEvent]) -> "PeopleTournament":
        """Return the tournament after *events*."""
        tournament = cls(terms)
        for event in events:
            tournament.apply_event(event)
        return tournament

    def copy(self) -> "PeopleTournament":
        """Return an independent copy."""
        return replace(self, entries=dict(self.entries), pairings=dict(self.pairings))

    # State

    @property
    def active(self) -> list[int]:
        """The numbers of the players in the next round."""
        return [entry.number for entry in self.entries.values() if entry.state is EntryState.IN]

    @property
    def open_pairings(self) -> list[RoundPairing]:
        """The pairings without a result, except in an arena that has ended."""
        return [pairing for pairing in self.pairings.values() if pairing.is_open]

    @property
    def has_result(self) -> bool:
        """True if a game has ended. A free point or a free pass is no game."""
        return any(pairing.room and not pairing.is_open for pairing in self.pairings.values())

    @property
    def ends(self) -> int | None:
        """The instant at which a running arena ends, or None."""
        if self.terms.system is not PairingSystem.ARENA or self.started is None:
            return None
        return self.started + self.terms.minutes * 60_000

    @property
    def count(self) -> int:
        """The number of rounds that are planned, or 0 in an arena."""
        match self.terms.system:
            case PairingSystem.SWISS:
                return self.terms.rounds
            case PairingSystem.KNOCKOUT:
                players = 2 * len(self.tables(1)) or max(2, len(self.active))
                return (players - 1).bit_length()
        return 0

    @property
    def last_round_of_entry(self) -> int:
        """The number of the round after which the link opens no more entries."""
        return (self.count + 1) // 2 if self.terms.system is PairingSystem.SWISS else 0

    def round(self, number: int) -> list[RoundPairing]:
        """Return the pairings of a round, in the order of tables."""
        return [pairing for pairing in self.pairings.values() if pairing.round == number]

    def of(self, entry: int) -> list[RoundPairing]:
        """Return the pairings of *entry*, oldest first."""
        return [pairing for pairing in self.pairings.values() if entry in pairing.players]

    def admits(self, at: int, *, by_organiser: bool = False) -> bool:
        """Return True if a player may enter at the instant *at*: by the link, or added by the organiser."""
        if self.phase is PeoplePhase.OVER or len(self.entries) >= MAX_ENTRIES:
            return False
        if not (by_organiser or self.is_open_to_all):
            return False
        if self.phase is PeoplePhase.OPEN:
            return True
        match self.terms.system:
            case PairingSystem.SWISS:
                return self.rounds < (self.count if by_organiser else self.last_round_of_entry)
            case PairingSystem.ARENA:
                part = 1 if by_organiser else 2
                return at < (self.started or 0) + self.terms.minutes * 60_000 // part
        return False

    def can_pair_again(self, pairing: RoundPairing) -> bool:
        """Return True if a correction of *pairing* gives the next round new pairs."""
        if self.terms.system is PairingSystem.ARENA or pairing.round != self.rounds - 1:
            return False
        later = [other for other in self.round(self.rounds) if other.room]
        return all(other.is_open and not other.has_begun for other in later)

    # Commands

    def enter(self, at: int, *, by_organiser: bool = False) -> list[PeopleEvent]:
        """Add a player with the next number."""
        if not self.admits(at, by_organiser=by_organiser):
            is_full = len(self.entries) >= MAX_ENTRIES
            raise CommandRefused("enter", "tournament-full" if is_full else "entry-closed")
        return [self._emit(at, "entered", entry=len(self.entries) + 1)]

    def rest(self, entry: int, at: int) -> list[PeopleEvent]:
        """Give *entry* no further games until the player comes back. A running game continues."""
        self._check_running()
        is_in = self._entry(entry).state is EntryState.IN
        return [self._emit(at, "rested", entry=entry)] if is_in else []

    def come_back(self, entry: int, at: int) -> list[PeopleEvent]:
        """Let *entry* take part again after a rest."""
        self._check_running()
        is_resting = self._entry(entry).state is EntryState.RESTING
        return [self._emit(at, "returned", entry=entry)] if is_resting else []

    def remove(self, entry: int, at: int) -> list[PeopleEvent]:
        """Remove *entry* for good. The opponent wins a running game, and earlier results stay."""
        self._check_running()
        if self._entry(entry).state is EntryState.REMOVED:
            return []
        events = [self._emit(at, "removed", entry=entry)]
        for pairing in self.of(entry):
            if pairing.is_open:
                points = LOSS if pairing.players[0] == entry else WIN
                events += self.record(pairing.number, points, at)
        return events

    def start(self, at: int) -> list[PeopleEvent]:
        """Start the tournament, or the next round at once."""
        if self.phase is PeoplePhase.PLAYING:
            if self.open_pairings and self.terms.system is not PairingSystem.ARENA:
                raise CommandRefused("start", "round-goes-on")
            return [*self.resume(at), self._emit(at, "hurried")]
        if self.phase is PeoplePhase.OVER:
            raise CommandRefused("start", "tournament-over")
        if len(self.active) < 2:
            raise CommandRefused("start", "too-few-players")
        return [self._emit(at, "started")]

    def pause(self, at: int) -> list[PeopleEvent]:
        """Begin no more games. Running games continue."""
        self._check_running()
        return [] if self.is_paused else [self._emit(at, "paused")]

    def resume(self, at: int) -> list[PeopleEvent]:
        """Begin games again after a pause."""
        self._check_running()
        return [self._emit(at, "resumed")] if self.is_paused else []

    def open_to_all(self, at: int, *, is_open: bool) -> list[PeopleEvent]:
        """Let players enter by the link, or only through the organiser."""
        self._check_running()
        return [] if self.is_open_to_all == is_open else [self._emit(at, "opened" if is_open else "closed")]

    def retitle(self, title: str, at: int) -> list[PeopleEvent]:
        """Give the tournament another *title*, in any phase."""
        return [] if title == self.terms.title else [self._emit(at, "retitled", title=title)]

    def unlist(self, at: int) -> list[PeopleEvent]:
        """Take the tournament out of the list of tournaments, in any phase. Its link stays."""
        return [] if self.terms.visibility == BY_LINK else [self._emit(at, "unlisted")]

    def end(self, at: int) -> list[PeopleEvent]:
        """End the tournament. Games without a result do not count."""
        return [] if self.phase is PeoplePhase.OVER else [self._emit(at, "ended")]

    def note_first_move(self, pairing: int, game: int, series: int, at: int) -> list[PeopleEvent]:
        """Note that the *game* of *pairing* has its first move, and is stored under that number."""
        known = self.pairings.get(pairing)
        if known is None or known.has_begun or self.phase is not PeoplePhase.PLAYING:
            return []
        return [self._emit(at, "begun", pairing=pairing, game=game, series=series)]

    def rename(self, entry: int, at: int, *, by_organiser: bool = False) -> list[PeopleEvent]:
        """Note that *entry* has another name. Players may change theirs until the start."""
        self._check_running()
        self._entry(entry)
        if not by_organiser and self.phase is not PeoplePhase.OPEN:
            raise CommandRefused("rename", "tournament-begun")
        return [self._emit(at, "renamed", entry=entry)]

    def record(self, pairing: int, points: tuple[int, int], at: int) -> list[PeopleEvent]:
        """Count the result of a game. A pairing that has a result, or is withdrawn, keeps its state."""
        known = self.pairings.get(pairing)
        if known is None or not known.is_open or self.phase is not PeoplePhase.PLAYING:
            return []
        return [self._emit(at, "result", pairing=pairing, points=list(points))]

    def correct(self, pairing: int, points: tuple[int, int], at: int) -> list[PeopleEvent]:
        """Set the result of *pairing*, and withdraw the next round if it has no move yet.

        The further game of a knockout after a draw is withdrawn, too, unless it has a move.
        """
        known = self.pairings.get(pairing)
        if known is None or not known.room or self.phase is PeoplePhase.OPEN:
            raise NotFound("pairing", pairing)
        if points not in RESULTS:
            raise CommandRefused("correct", "no-such-result")
        if known.points == points:
            return []
        events = []
        if self.can_pair_again(known):
            events.append(self._emit(at, "withdrawn", round=self.rounds))
        events.append(self._emit(at, "corrected", pairing=pairing, points=list(points)))
        if self.terms.system is PairingSystem.KNOCKOUT and points != DRAW:
            replays = self.tables(known.round)[known.table][1:]
            needless = [replay for replay in replays if replay.is_open and not replay.has_begun]
            events += [self._emit(at, "called-off", pairing=replay.number) for replay in needless]
        return events

    def tick(
        self, at: int, open_room: Callable[[int, int], str], blocks: Blocks = NO_BLOCKS
    ) -> list[PeopleEvent]:
        """Do what is due at the instant *at*: start, pair, or end.

        *open_room* opens a room for two players and returns its name. Player 0 is a computer. Players of
        *blocks* never meet.
        """
        events: list[PeopleEvent] = []
        starts = self.terms.starts
        is_time = starts is not None and starts <= at
        if self.phase is PeoplePhase.OPEN and is_time and len(self.active) > 1:
            events += self.start(at)
        if self.phase is not PeoplePhase.PLAYING:
            return events
        if self._is_finished(at):
            return [*events, *self.end(at)]
        if not self.is_paused:
            pairs = self._next_pairs(at, blocks)
            if pairs:
                events.append(self._pair(pairs, at, open_room))
        return events

    # Pairing

    def _is_finished(self, at: int) -> bool:
        if self.ends is not None:
            return at >= self.ends
        if self.open_pairings or not self.rounds:
            return False
        if self.terms.system is PairingSystem.SWISS:
            return self.rounds >= self.count
        return len(self.survivors()) == 1 and not self._replays()

    def _next_pairs(self, at: int, blocks: Blocks) -> list[tuple[int, int, int]]:
        """Return the tables and players of the games that begin now."""
        if self.terms.system is PairingSystem.ARENA:
            return self._pairs_of_arena(at, blocks)
        if self.terms.system is PairingSystem.KNOCKOUT and (replays := self._replays()):
            return replays
        if self.open_pairings or (self.rounds and at < self.quiet_since + BREAK_MS):
            return []
        if self.terms.system is PairingSystem.KNOCKOUT:
            return self._pairs_of_knockout(blocks)
        if len(self.active) < 2:
            return []
        pairs = pair_swiss([self._swiss_player(number) for number in self._in_order()], blocks)
        return [(table, first, second) for table, (first, second) in enumerate(pairs, 1)]

    def _in_order(self) -> list[int]:
        """Return the active players in the order of points, then of entry."""
        points = self.points()
        return sorted(self.active, key=lambda number: (-points[number], number))

    def points(self) -> dict[int, int]:
        """Return the half points of each player, without the bonus of an arena.

        A free point of a Swiss tournament counts, but a free pass of a knockout does not.
        """
        points = dict.fromkeys(self.entries, 0)
        is_knockout = self.terms.system is PairingSystem.KNOCKOUT
        for pairing in self.pairings.values():
            for entry in pairing.players:
                if entry != NOBODY and (pairing.room or not is_knockout):
                    points[entry] += pairing.points_of(entry)
        return points

    def _swiss_player(self, number: int) -> SwissPlayer:
        own = self.of(number)
        games = [pairing for pairing in own if pairing.is_between_people]
        return SwissPlayer(
            number,
            sum(pairing.points_of(number) for pairing in own),
            tuple(pairing.opponent_of(number) for pairing in games),
            tuple(pairing.players[0] == number for pairing in games),
            len(games) < len(own),
        )

    def _pairs_of_arena(self, at: int, blocks: Blocks) -> list[tuple[int, int, int]]:
        """Pair the free players, best first, with neighbours in the table.

        Nobody meets the last opponent again, unless one of both has waited long. If nobody is left whom a
        player may meet after a long wait, the computer plays.
        """
        playing = {entry for pairing in self.open_pairings for entry in pairing.players}
        active = self._in_order()
        free = [entry for entry in active if entry not in playing]
        patient = {entry for entry in free if at - self._free_since(entry) >= COMPUTER_AFTER_MS}
        last = {entry: own[-1].opponent_of(entry) for entry in free if (own := self.of(entry))}
        is_choice = len(active) > 2

        def just_met(one: int, two: int) -> bool:
            return is_choice and (last.get(one) == two or last.get(two) == one)

        def may_meet(one: int, two: int) -> bool:
            if (one, two) in blocks or (two, one) in blocks:
                return False
            return not just_met(one, two) or bool(patient & {one, two})

        matching, left = Matching(free, may_meet), []
        pairs: list[tuple[int, int]] = []
        while free:
            one = free.pop(0)
            nearest = sorted(free, key=lambda other: just_met(one, other))
            two = next((other for other in nearest if matching.settle(one, other)), None)
            if two is None:
                matching.drop(one)
                left.append(one)
            else:
                free.remove(two)
                pairs.append((one, two))
        taken = {pairing.table for pairing in self.open_pairings}
        numbers = (number for number in count(1) if number not in taken)
        tables = []
        # The pairs end first, so that no number is lost.
        for (one, two), table in zip(pairs, numbers, strict=False):
            players = self._swiss_player(one), self._swiss_player(two)
            tables.append((table, one, two) if moves_first(*players, table) else (table, two, one))
        alone = [entry for entry in left if entry in patient and self.terms.computer]
        return tables + [(table, entry, NOBODY) for entry, table in zip(alone, numbers, strict=False)]

    def _free_since(self, entry: int) -> int:
        """Return the instant from which on *entry* has waited for a game."""
        return max(self.entries[entry].free_since, self.running_since)

    def seeds(self) -> list[int]:
        """Return the players of a knockout in the order of their seeds, which are drawn by lot."""
        if self.rounds:
            numbers = sorted({entry for pairing in self.round(1) for entry in pairing.players} - {NOBODY})
        else:
            numbers = sorted(self.active)
        Random(self.terms.seed).shuffle(numbers)
        return numbers

    def winner_of(self, games: Sequence[RoundPairing]) -> int | None:
        """Return the winner of the *games* at one table of a knockout, or None until it is known.

        If the draw of the first game was corrected, the further game decides nothing.
        """
        decided = (game for game in games if game.points not in (None, DRAW))
        last = next(decided, games[-1])
        if not last.room:
            return last.players[0]
        if last.points is None:
            return None
        if last.points == DRAW:
            if len(games) <= MAX_REPLAYS:
                return None
            seeds = self.seeds()
            return min(last.players, key=seeds.index)
        return last.players[0 if last.points[0] else 1]

    def tables(self, number: int) -> dict[int, list[RoundPairing]]:
        """Return the games at each table of a round of a knockout."""
        tables: dict[int, list[RoundPairing]] = {}
        for pairing in self.round(number):
            tables.setdefault(pairing.table, []).append(pairing)
        return tables

    def survivors(self) -> list[int]:
        """Return the winners of the present round of a knockout, in the order of tables."""
        winners = (self.winner_of(games) for games in self.tables(self.rounds).values())
        return [winner for winner in winners if winner is not None]

    def _replays(self) -> list[tuple[int, int, int]]:
        """Return the tables of a knockout at which a drawn game is played again, with the sides exchanged."""
        return [
            (table, games[-1].players[1], games[-1].players[0])
            for table, games in self.tables(self.rounds).items()
            if games[-1].points is not None and self.winner_of(games) is None
        ]

    def _pairs_of_knockout(self, blocks: Blocks) -> list[tuple[int, int, int]]:
        """Return the next round.

        A player that is not in play any more, or has blocked the opponent, gives the opponent a free pass.
        """
        if not self.rounds:
            tables = bracket(self.seeds())
        else:
            left = self.survivors()
            tables = list(zip(left[::2], left[1::2], strict=True))
        pairs = []
        for table, (one, two) in enumerate(tables, 1):
            if two == NOBODY or self.entries[two].state is not EntryState.IN or (two, one) in blocks:
                pairs.append((table, one, NOBODY))
            elif self.entries[one].state is not EntryState.IN or (one, two) in blocks:
                pairs.append((table, two, NOBODY))
            else:
                players = self._swiss_player(one), self._swiss_player(two)
                pairs.append((table, one, two) if moves_first(*players, table) else (table, two, one))
        return pairs

    def _pair(
        self, pairs: Sequence[tuple[int, int, int]], at: int, open_room: Callable[[int, int], str]
    ) -> PeopleEvent:
        is_arena = self.terms.system is PairingSystem.ARENA  # it has one round
        is_replay = self.terms.system is PairingSystem.KNOCKOUT and bool(self._replays())
        number_of_round = max(1, self.rounds) if is_arena or is_replay else self.rounds + 1
        rows = []
        for number, (table, first, second) in enumerate(pairs, self.last_number + 1):
            has_room = second != NOBODY or self._has_computer
            players = [first, second]
            if second == NOBODY and has_room and not self._moves_first_against_computer(first):
                players.reverse()
            rows.append([number, table, *players, open_room(*players) if has_room else ""])
        return self._emit(at, "paired", round=number_of_round, pairs=rows)

    @property
    def _has_computer(self) -> bool:
        return bool(self.terms.computer) and self.terms.system is not PairingSystem.KNOCKOUT

    def _moves_first_against_computer(self, entry: int) -> bool:
        return self._swiss_player(entry).claim >= 0

    # Events

    def _check_running(self) -> None:
        if self.phase is PeoplePhase.OVER:
            raise CommandRefused("change", "tournament-over")

    def _entry(self, number: int) -> TournamentEntry:
        if number not in self.entries:
            raise NotFound("entry", number)
        return self.entries[number]

    def _emit(self, at: int, kind: str, **data: Any) -> PeopleEvent:
        event = PeopleEvent(self.version + 1, at, kind, data)
        self.apply_event(event)
        return event

    def apply_event(self, event: PeopleEvent) -> None:
        """Apply *event*, which has happened. Raises ``KeyError`` for an unknown kind."""
        at, data = event.at, event.data
        match event.kind:
            case "entered":
                number = data["entry"]
                self.entries[number] = TournamentEntry(number, since=self.rounds, free_since=at)
            case "rested" | "returned" | "removed" as kind:
                states = {"rested": EntryState.RESTING, "returned": EntryState.IN}
                number = data["entry"]
                state = states.get(kind, EntryState.REMOVED)
                self.entries[number] = replace(self.entries[number], state=state)
                if kind == "returned":
                    self._note_free(number, at)
            case "paired":
                self._note_pairs(event)
            case "withdrawn":
                for pairing in self.round(data["round"]):
                    del self.pairings[pairing.number]
                self.rounds = data["round"] - 1
            case "called-off":
                del self.pairings[data["pairing"]]
            case "begun" | "result" | "corrected":
                self._note_pairing(event)
            case "retitled":
                self.terms = replace(self.terms, title=data["title"])
            case "unlisted":
                self.terms = replace(self.terms, visibility=BY_LINK)
            case _:
                self._note_phase(event.kind, at)
        self.version = event.version

    def _note_pairs(self, event: PeopleEvent) -> None:
        self.rounds = max(self.rounds, event.data["round"])
        for number, table, first, second, room in event.data["pairs"]:
            points = None if room else WIN
            players = (first, second)
            self.pairings[number] = RoundPairing(
                number, event.data["round"], table, players, room, event.at, points
            )
            self.last_number = number
        self.quiet_since = event.at

    def _note_pairing(self, event: PeopleEvent) -> None:
        known = self.pairings[event.data["pairing"]]
        if event.kind == "begun":
            changed = replace(known, game=event.data["game"], series=event.data["series"])
        else:
            first, second = event.data["points"]
            is_corrected = event.kind == "corrected"
            changed = replace(known, points=(first, second), is_corrected=is_corrected)
            self.quiet_since = event.at
            for entry in known.players if known.is_open else ():
                self._note_free(entry, event.at)
        self.pairings[known.number] = changed

    def _note_free(self, entry: int, at: int) -> None:
        if entry != NOBODY:
            self.entries[entry] = replace(self.entries[entry], free_since=at)

    def _note_phase(self, kind: str, at: int) -> None:
        match kind:
            case "started":
                self.phase, self.started = PeoplePhase.PLAYING, at
                self.running_since = at
            case "hurried":
                self.quiet_since = at - BREAK_MS
            case "paused" | "resumed":
                self.is_paused = kind == "paused"
                self.running_since = at
            case "opened" | "closed":
                self.is_open_to_all = kind == "opened"
            case "ended":
                self.phase, self.ended = PeoplePhase.OVER, at
            case "renamed":
                pass  # names are stored beside the events
            case _:
                raise KeyError(kind)
