"""A room: a table with tokens and the presence of people, and the effects of each command.

A room does not wait, reads no clock, and writes nothing. The methods of :class:`Room` change it. The state to
save is in :attr:`Room.facts`, :attr:`Room.table` and :attr:`Room.new_events`. Clients see it as a
:class:`RoomView`.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from noughts.arena.commands import (
    Adjudicate,
    Choose,
    Command,
    Flag,
    Leave,
    LeaveSeat,
    MakeMove,
    Pause,
    Prepare,
    Put,
    Rematch,
    Resume,
    Return,
    SayPhrase,
    Share,
    TakeBack,
    WrittenMove,
    WrittenPut,
)
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.ratings.fairness import Unrated
from noughts.arena.rooms.conditional import checked_lines, followed
from noughts.arena.rooms.models import IDLE, IDLE_BY_DAYS, MAX_GAMES, Phase, RoomFacts, RoomSeat, RoomView
from noughts.arena.rooms.pauses import NO_PAUSES, Pauses
from noughts.arena.rooms.phrases import SaidPhrase, phrases_at
from noughts.arena.seat_names import seat_number
from noughts.arena.series import Score, Series
from noughts.arena.setup import ONLINE
from noughts.arena.stored_game import PUBLIC
from noughts.arena.table import HUMAN, Table, Terms
from noughts.errors import BadInput, CommandRefused, NotRated, SeatTaken
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_move, parse_moves
from noughts.text import check_name, distinct_names, look_alike


@dataclass(slots=True)
class Room:
    """A room, and the changes to it that are not saved yet.

    ``digest`` is the digest of the present game in the store, ``seal`` the digest of the room's row.
    ``ended`` is the number of the last counted game in the store. ``pauses`` are the jumps of the server's
    time, which count on the clock of no running game.
    """

    name: str
    version: int
    table: Table
    facts: RoomFacts
    ended: int = 0
    new_events: list[Event] = field(default_factory=list)
    digest: str = ""
    seal: str = ""
    pauses: Pauses = field(default=NO_PAUSES, repr=False)

    def draft(self) -> "Room":
        """Return a copy that can be changed without a change to this one."""
        return replace(self, table=self.table.draft(), new_events=[], seal="")

    # State

    @property
    def phase(self) -> Phase:
        """The phase of the room."""
        if self.facts.is_closed:
            return Phase.CLOSED
        if None in self.facts.seats:
            return Phase.WAITING
        if self.table.is_playing:
            return Phase.PLAYING
        return Phase.CHOOSING if self.table.is_choosing else Phase.OVER

    @property
    def names(self) -> tuple[str | None, ...]:
        """The names of the players by place, or None for a free seat."""
        return tuple(None if seat is None else seat.name for seat in self.facts.seats)

    @property
    def identities(self) -> frozenset[int]:
        """The numbers of the seated people with keys."""
        numbers = (seat_number(seat.name) for seat in self.facts.seats if seat is not None)
        return frozenset(number for number in numbers if number is not None)

    @property
    def awaited(self) -> frozenset[int]:
        """The places that have to decide: a move, an answer, a mark, or the next game."""
        return frozenset() if self.phase in (Phase.CLOSED, Phase.WAITING) else self.table.awaited

    @property
    def is_computer_awaited(self) -> bool:
        """True if a computer has to decide."""
        return any(self.table.terms.who[place] != HUMAN for place in self.awaited)

    @property
    def present(self) -> frozenset[int]:
        """The places of present players. Computers are always present."""
        seats = self.facts.seats
        return frozenset(
            place
            for place, seat in enumerate(seats)
            if seat is not None and (seat.holder is not None or self.table.terms.who[place] != HUMAN)
        )

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scoreboard by place, empty until all seats are taken."""
        return () if None in self.facts.seats else self.table.series.scores()

    def takes(self, code: str | None, at: int) -> bool:
        """Return True if *code* opens the room at the instant *at*."""
        return self.facts.code == code and self.expires is not None and at < self.expires

    def place_of(self, token: str) -> int | None:
        """Return the place that *token* proves, or None.

        Every seat is compared, so that the time reveals nothing.
        """
        digest, result = hash_token(token), None
        for place, seat in enumerate(self.facts.seats):
            if seat is not None and seat.token and hmac.compare_digest(seat.token, digest):
                result = place
        return result

    def view(self) -> RoomView:
        """Return the room as clients see it."""
        facts, table, phase = self.facts, self.table, self.phase
        terms, match = table.terms, table.match
        return RoomView(
            room=self.name,
            version=self.version,
            setup=terms,
            phase=phase,
            names=self.names,
            sides=table.sides,
            match=Match(terms.new_game(), terms.clock) if match is None else match.copy(),
            game_id=facts.game_id,
            series_id=table.series_number,
            results=tuple(table.series.results),
            scores=self.scores,
            wishes=table.wishes,
            present=self.present,
            awaited=self.awaited,
            chooser=table.chooser if phase is Phase.CHOOSING else None,
            code=None if facts.expires is None else facts.code,
            expires=self.expires,
            is_public=self.is_public,
            paused=self.paused,
            said=facts.said,
            lines=facts.lines,
            tokens=tuple(None if seat is None else seat.token for seat in facts.seats),
            phrases={place: phrases for place in table.sides if (phrases := self.phrases_of(place))},
        )

    @property
    def paused(self) -> int:
        """The time by which the server is ahead of the present match, or of an open room, in milliseconds."""
        return self.pauses.since(self.facts.begun_after)

    @property
    def expires(self) -> int | None:
        """The instant at which the code ends, or None without a code. No pause shortens its time."""
        return None if self.facts.expires is None else self.facts.expires + self.paused

    def phrases_of(self, place: int) -> tuple[str, ...]:
        """Return the phrases that the player at *place* may say now. Only people talk, and to people."""
        match, who = self.table.match, self.table.terms.who
        is_heard = who[place] == HUMAN and who.count(HUMAN) > 1
        if match is None or self.phase not in (Phase.PLAYING, Phase.OVER) or not is_heard:
            return ()
        said = {one.phrase for one in self.facts.said if one.place == place}
        return tuple(phrase for phrase in phrases_at(match) if phrase not in said)

    @property
    def is_public(self) -> bool:
        """True if all clients may see the present game once it has ended."""
        facts = self.facts
        is_shared = facts.game_id is not None and facts.shared == facts.game_id
        return is_shared or self.table.terms.visibility == PUBLIC

    @property
    def has_public_game(self) -> bool:
        """True if all clients may watch the running game. A game of people begins with its first move."""
        is_begun = self.facts.game_id is not None or HUMAN not in self.table.terms.who
        return is_begun and self.phase is Phase.PLAYING and self.table.terms.visibility == PUBLIC

    @property
    def flag_falls(self) -> int | None:
        """The instant at which time ends the game, or None if it cannot.

        The side to move loses on time, or a game without first moves is called off.
        """
        match = self.table.match
        if self.phase is not Phase.PLAYING or match is None:
            return None
        return None if match.time_ends is None else match.time_ends + self.paused

    @property
    def idle_from(self) -> int | None:
        """The instant from which the room counts as idle, or None if the clock ends the game first.

        Pauses of the server do not count as idle time.
        """
        if self.flag_falls is not None:
            return None
        idle = IDLE_BY_DAYS if self.table.terms.clock.is_by_days else IDLE
        return self.facts.touched + idle[self.phase] + self.pauses.since(self.facts.touched_after)

    def due(self) -> int:
        """Return the instant from which :meth:`settle` has something to do, or the room is removed."""
        instants = (self.expires, self.flag_falls, self.idle_from)
        return min(instant for instant in instants if instant is not None)

    def is_abandoned(self, at: int, since: int) -> bool:
        """Return True if the room is to be removed: no player is here, and nothing has happened for long.

        A running game that became idle before *since*, while no process served, is not removed: its players
        could not come back.
        """
        is_anybody_here = any(seat is not None and seat.holder is not None for seat in self.facts.seats)
        if is_anybody_here or self.idle_from is None or self.idle_from > at:
            return False
        return self.phase is not Phase.PLAYING or self.idle_from >= since

    # Changes

    def sit(self, place: int, name: str, token: str, holder: str | None, at: int, seed: int) -> None:
        """Give the free *place* to *name*. The first game begins when all seats are taken."""
        seats = list(self.facts.seats)
        others = tuple(seat.name for seat in seats if seat is not None)
        if name in others and seat_number(name) is not None:
            if self.table.terms.rated:
                raise NotRated(Unrated.SAME_PERSON)
            raise SeatTaken(self.name)  # a person with a key has one seat
        if self.table.terms.rated and self.table.terms.who[place] == HUMAN and seat_number(name) is None:
            raise NotRated(Unrated.NO_KEY)
        seats[place] = RoomSeat(distinct_names((*others, check_name(name)), look_alike)[-1], token, holder)
        self._change(at, seats=tuple(seats))
        self.table = seated(self.table.terms, self.names)
        if None not in seats:
            self._change(at, expires=None)  # the code stays for repeated requests
            self.begin_unless_choosing(at, seed)

    def begin_unless_choosing(self, at: int, seed: int) -> None:
        """Begin the next game, unless a person has to choose a mark for it."""
        if not self.table.needs_choice:
            self._begin(at, seed)

    def execute(self, place: int, command: Command, holder: str, at: int, seed: int) -> None:
        """Execute *command* of *place*. Raises a :class:`~noughts.errors.BadInput`."""
        if place not in self.present:  # a command shows that the player is present
            self.set_holder(place, holder, at)
        match command:
            case Rematch():
                self._request_rematch(place, command, at, seed)
            case Choose(mark):
                if self.phase is not Phase.CHOOSING or place != self.table.chooser:
                    raise CommandRefused(command, "nothing-to-choose")
                self._begin(at, seed, mark)
            case LeaveSeat():
                if self.phase in (Phase.PLAYING, Phase.CLOSED):
                    raise CommandRefused(command, "playing" if self.phase is Phase.PLAYING else "room-closed")
                self._change(at, is_closed=True, code=None, expires=None)
                self.table.wishes = frozenset()
            case Share():
                self._share(command)
            case SayPhrase(phrase):
                if phrase not in self.phrases_of(place):
                    raise CommandRefused(command, "no-such-phrase")
                said = (*self.facts.said, SaidPhrase(place, phrase, at))
                self._touch(at, said=said)  # a move of the other player at the same time stays valid
                return
            case Prepare():
                self._prepare(place, command)
                self._touch(at)  # as with phrases
                return
            case Pause() | Resume() if (
                place in self.table.sides and seat_number(self.names[place] or "") is not None
            ):
                raise CommandRefused(command, "pause-of-key")
            case TakeBack() if self.table.terms.is_unaided:
                raise CommandRefused(command, "rated" if self.table.terms.rated else "tournament")
            case Leave() | Return():
                raise CommandRefused(command, "unknown-command")  # :meth:`set_holder` changes presence
            case _:
                self._play(place, command, at)
        self._change(at)

    def pause(self, place: int, length: int, at: int) -> bool:
        """Pause the running game by days for the player at *place*, or end the pause if *length* is 0.

        Return False if the game is not one, or refuses it.
        """
        if self.phase is not Phase.PLAYING or not self.table.terms.clock.is_by_days:
            return False
        try:
            self._apply(self.table.sides[place], Pause(length) if length else Resume(), at)
        except CommandRefused:
            return False
        self._touch(at)
        return True

    def adjudicate(self, winner: int | None, at: int) -> bool:
        """End the running game with a win of the place *winner*, or None for a draw, as was ruled elsewhere.

        Return False if no game is running, or the game refuses it.
        """
        if self.phase is not Phase.PLAYING:
            return False
        sides = self.table.sides
        try:
            self._play(0, Adjudicate(None if winner is None else sides[winner]), at)
        except CommandRefused:
            return False
        self._change(at)
        return True

    def set_token(self, place: int, token: str, at: int) -> None:
        """Let the token with the hash *token* prove the seat at *place*, and the earlier token no more."""
        seat = self.facts.seats[place]
        if seat is None:
            raise AssertionError("the seat is free")
        seats = list(self.facts.seats)
        seats[place] = replace(seat, token=token)
        self._touch(at, seats=tuple(seats))

    def set_holder(self, place: int, holder: str | None, at: int) -> None:
        """Set the holder of the seat at *place*: the worker *holder*, or None for an absent player."""
        seat = self.facts.seats[place]
        if seat is None:
            raise AssertionError("the seat is free")
        seats = list(self.facts.seats)
        seats[place] = replace(seat, holder=holder)
        self._touch(at, seats=tuple(seats))
        side, match = self.table.sides.get(place), self.table.match
        if match is None or match.outcome is not None or side is None or not self._can_claim():
            return
        if (match.away_since(side) is None) == (holder is None):
            self._apply(side, Leave() if holder is None else Return(), at)

    def settle(self, at: int) -> bool:
        """Make the changes that are due at *at*: flags and expired codes. Return False if there were none.

        An idle room that stays counts as touched at *at*, so that it is not due for ever.
        """
        before = self.facts
        if self.expires is not None and self.expires <= at:
            self.facts = replace(self.facts, code=None, expires=None)
        if self.idle_from is not None and self.idle_from <= at:
            self._touch(at)
        match = self.table.match
        if match is not None and self.flag_falls is not None and self.flag_falls <= at:
            self._apply(match.turn, Flag(), at)
            self._change(at)
        return self.facts != before

    def _play(self, place: int, command: Command, at: int) -> None:
        sides, match = self.table.sides, self.table.match
        if place not in sides or match is None:
            raise CommandRefused(command, "not-begun")
        if match.outcome is None:  # a match that is over refuses any text
            match command:
                case WrittenMove(text):
                    command = MakeMove(parse_move(match.game, text))
                case WrittenPut(texts):
                    command = Put(parse_moves(match.game, texts))
        self._apply(sides[place], command, at)

    def _apply(self, side: str, command: Command, at: int) -> None:
        """Execute *command* of *side*, and the conditional moves that it leads to."""
        self._note(self.table.apply(side, command, at - self.paused))
        while (answer := self._prepared_move()) is not None:
            try:
                move = MakeMove(parse_move(answer[0], answer[2]))
                self._note(self.table.apply(answer[1], move, at - self.paused))
            except BadInput:  # the opponent's move stays valid
                self.facts = replace(self.facts, lines={})

    def _note(self, events: Sequence[Event]) -> None:
        """Note new events of the match. Conditional moves that do not fit them are removed."""
        self.new_events.extend(events)
        lines = self.facts.lines
        for event in events if lines else ():
            if event.kind is EventKind.MOVE:
                text = event.data["move"]
                rest = {place: followed(own, text) for place, own in lines.items()}
                lines = {place: own for place, own in rest.items() if own}
            elif event.kind in (EventKind.TAKEBACK, EventKind.CHOICE, EventKind.END):
                lines = {}
        self.facts = replace(self.facts, lines=lines)

    def _prepared_move(self) -> tuple[Game, str, str] | None:
        """Return the game, the side to move and its conditional move, or None without one."""
        match = self.table.match
        if not self.facts.lines or match is None or match.outcome is not None:
            return None
        places = {side: place for place, side in self.table.sides.items()}
        lines = self.facts.lines.get(places[match.turn])
        return None if lines is None else (match.game, match.turn, lines[0][0])

    def _prepare(self, place: int, command: Prepare) -> None:
        match, terms = self.table.match, self.table.terms
        if self.phase is not Phase.PLAYING or match is None:
            raise CommandRefused(command, "not-begun")
        if not terms.clock.is_by_days or set(terms.who) != {HUMAN} or len(terms.who) != 2:
            raise CommandRefused(command, "not-by-days")
        lines = checked_lines(match, self.table.sides[place], command.lines, command)
        others = {other: own for other, own in self.facts.lines.items() if other != place}
        self.facts = replace(self.facts, lines=others | ({place: lines} if lines else {}))

    def _share(self, command: Share) -> None:
        """Note the game to be made public. The write checks that it was played here."""
        game, match = self.facts.game_id if command.game is None else command.game, self.table.match
        if self.table.terms.is_in_tournament:
            raise CommandRefused(command, "tournament-is-private")
        if game is None:
            raise CommandRefused(command, "not-begun")
        if game == self.facts.game_id and (match is None or match.outcome is None):
            raise CommandRefused(command, "playing")
        self.facts = replace(self.facts, shared=game)

    def _request_rematch(self, place: int, command: Command, at: int, seed: int) -> None:
        if self.phase in (Phase.CLOSED, Phase.WAITING):
            raise CommandRefused(command, "room-closed" if self.phase is Phase.CLOSED else "not-begun")
        if self.phase is Phase.OVER and len(self.table.series.results) >= MAX_GAMES:
            raise CommandRefused(command, "series-over")
        if self.table.request_rematch(place, command):
            self.begin_unless_choosing(at, seed)

    def _begin(self, at: int, seed: int, choice: str | None = None) -> None:
        table = self.table
        table.seed = seed
        setup = table.begin(at, choice)
        table.setup = replace(setup, origin=ONLINE)
        self._change(at, game_id=None, lines={}, begun_after=self.pauses.last, said=())
        for place, seat in enumerate(self.facts.seats):
            if seat is not None and place not in self.present and self._can_claim():
                self._apply(table.sides[place], Leave(), at)

    def _can_claim(self) -> bool:
        """Return True if presence matters to the match: a computer claims nothing, and days leave time."""
        terms = self.table.terms
        return len(terms.who) == 2 and set(terms.who) == {HUMAN} and not terms.clock.is_by_days

    def _change(self, at: int, **facts: object) -> None:
        self._touch(at, acted=self.version + 1, **facts)

    def _touch(self, at: int, **facts: object) -> None:
        last = self.pauses.last
        self.facts = replace(self.facts, touched=at, touched_after=last, **facts)  # type: ignore[arg-type]


def hash_token(token: str) -> str:
    """Return the hash of *token*. Only the hash is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def seated(terms: Terms, names: Sequence[str | None]) -> Table:
    """Return the table of the players *names* before the first game; None is a free seat."""
    players = tuple("?" if name is None else name for name in names)
    return Table(terms, Series(players, terms.begins, new_game(terms.game).sides))
