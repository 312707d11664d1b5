"""A table at a server: the seat of one person in a room, or the place of a spectator.

The server decides everything. Commands are checked here first, so that most mistakes are explained at once,
and then sent. What happens in the room arrives as states. The differences between them become the events of a
match, so interfaces show remote games in the same way as local ones.
"""

import re
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import product
from math import prod
from time import time
from typing import Any

from noughts.arena.clock import UNTIMED
from noughts.arena.commands import (
    Choose,
    Claim,
    Command,
    LeaveSeat,
    MakeMove,
    Put,
    Rematch,
    SayPhrase,
    Share,
    TakeBack,
)
from noughts.arena.events import Event, EventKind, MatchEnd
from noughts.arena.match import Match, swapped_sides
from noughts.arena.remote.connection import CommandAnswered, ConnectionChange, Ended, RoomConnection
from noughts.arena.remote.remote_state import MAX_CELLS, RemoteState
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.phrases import PHRASES
from noughts.arena.series import Begins, Score, Series
from noughts.arena.setup import ONLINE, Setup
from noughts.arena.table import HUMAN, Table, Terms
from noughts.errors import CommandRefused, NoughtsError, ServerFailed
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move, parse_position
from noughts.games.openings import Answer, Opening
from noughts.records.record import Record


class Synchronise(Command):
    """Carry out the next events that have happened in the room."""


class RemoteTable(Table):
    """The table of a room. *state* is the first state, *origin* the address of the server.

    Raises the errors of an unknown game, and :class:`~noughts.errors.ServerFailed` for an impossible state.

    ``seen`` is the newest state. ``error`` is the error of the last command that the server refused, until
    :meth:`take_error`. ``ended`` is the error with which the room ended, or None. All methods are for one
    thread. *now* returns the time in milliseconds.
    """

    def __init__(
        self, state: RemoteState, origin: str, now: Callable[[], int] = lambda: int(time() * 1000)
    ) -> None:
        self.origin, self._now = origin, now
        self.seen, self._heard_at = state, now()
        self.connection: RoomConnection | None = None
        self.is_online = True
        self.ended: NoughtsError | None = None
        self.sending: Command | None = None
        """The command that the server has not answered yet."""
        self.is_muted = False
        """True if the phrases of the other players are not shown."""
        self._error: NoughtsError | None = None
        self._states: deque[RemoteState] = deque()
        self._events: Iterator[Event] = iter(())
        self._held: Event | None = None
        self._texts: list[str] = []
        self._answers: dict[int, str] = {}
        self._key: tuple[int, bool] = (0, False)
        try:
            self._open(state)
            for event in self._events_until(state):
                self._take(event)
        except NoughtsError:
            raise
        except (ValueError, KeyError, IndexError) as error:
            raise ServerFailed(origin, "not-ours") from error

    # The state of the room

    @property
    def phase(self) -> Phase:
        """The phase of the room."""
        return self.seen.phase

    @property
    def is_playing(self) -> bool:
        return self.phase is Phase.PLAYING and self.present_match.outcome is None

    @property
    def present_match(self) -> Match:
        """The match that is shown: the present one, or one that has not begun."""
        if self.match is None:
            raise AssertionError("a room always has a match")
        return self.match

    @property
    def needs_choice(self) -> bool:
        return self.phase is Phase.CHOOSING and self.seen.chooser == self.seen.you is not None

    @property
    def chooser(self) -> int:
        return self.seen.chooser or 0

    @property
    def own_sides(self) -> tuple[str, ...]:
        return tuple(side for seat, side in self.sides.items() if seat == self.seen.you)

    @property
    def computed_sides(self) -> tuple[str, ...]:
        return ()  # The server plays for its computers.

    @property
    def scores(self) -> tuple[Score, ...]:
        counts = self.seen.scores
        if len(counts) != len(self.series.players):
            return ()
        return tuple(Score(name, *count) for name, count in zip(self.series.players, counts, strict=True))

    @property
    def games_played(self) -> int:
        return self.seen.number - (self.phase in (Phase.WAITING, Phase.CHOOSING, Phase.PLAYING))

    @property
    def is_series(self) -> bool:
        """True if another game was played or is wanted in the room."""
        return self.games_played + self.is_playing > 1

    @property
    def is_sending(self) -> bool:
        return self.sending is not None

    @property
    def may_be_helped(self) -> bool:
        """True if hints and values are fair: the game is over, or only for practice against computers."""
        others = [who for seat, who in enumerate(self.terms.who) if seat != self.seen.you]
        is_alone = self.seen.you is not None and HUMAN not in others
        return not self.is_playing or (is_alone and not self.seen.is_unaided)

    @property
    def can_claim(self) -> bool:
        """True if the win can be claimed now, since the opponent has been away for long."""
        at = self.seen.claim_at
        return self.is_playing and self.seen.you is not None and at is not None and at <= self.server_time()

    @property
    def first_move_left(self) -> int | None:
        """The milliseconds until the game is called off without a first move, or None."""
        at = self.seen.first_move_at
        return None if at is None or not self.is_playing else max(0, at - self.server_time())

    @property
    def is_wished(self) -> bool:
        """True if this seat has asked for another game."""
        return self.seen.you in self.seen.wishes

    @property
    def absent(self) -> tuple[str, ...]:
        """The names of the absent other players."""
        players = zip(self.series.players, self.seen.players, strict=True)
        return tuple(
            name
            for seat, (name, player) in enumerate(players)
            if not player.here and player.name is not None and seat != self.seen.you
        )

    @property
    def record(self) -> Record:
        """The record of the present game."""
        match = self.present_match
        return Record.of(match.game, self.names, ended=match.outcome)

    @property
    def heard(self) -> tuple[tuple[int, str, int], ...]:
        """The phrases of the other players in the present game: the place, the phrase and the instant."""
        if self.is_muted:
            return ()
        return tuple(one for one in self.seen.said if one[0] != self.seen.you and one[1] in PHRASES)

    def server_time(self) -> int:
        """Return the time of the server now."""
        return self.instant(self._now())

    def instant(self, at: int) -> int:
        """Return the time of the server at the instant *at* of this machine."""
        return at - self._heard_at + self.seen.now

    def time_left(self, side: str, at: int) -> int | None:
        clock = self.seen.clock
        if clock is None:
            return None
        left = clock.left.get(side, 0)
        if side != clock.running or self.present_match.outcome is not None:
            return left
        return max(0, left - max(0, self.instant(at) - clock.at))

    # Commands

    def apply(self, side: str, command: Command, at: int) -> list[Event]:
        """Check *command* and send it; the events follow when the server has executed it.

        :class:`Synchronise` returns the next events of the room. Raises the error with which the match would
        refuse the command.
        """
        if isinstance(command, Synchronise):
            return self.synchronise()
        if self.seen.you is None:
            raise CommandRefused(command, "no-seat")
        if isinstance(command, Rematch | Choose | LeaveSeat | Share | Claim | SayPhrase):
            pass
        elif self.phase in (Phase.WAITING, Phase.CHOOSING):
            raise CommandRefused(command, "not-begun")
        else:
            # A person may resign or make an offer at any time.
            self.present_match.copy().apply(self.own_sides[0], command, at)
        self._send(command)
        return []

    def _send(self, command: Command) -> None:
        if self.ended is not None:
            raise self.ended
        if self.sending is not None:
            raise CommandRefused(command, "sending")
        if self.connection is not None:
            self.sending = command
            self.connection.send(self._json_of(command), self.seen)

    def _json_of(self, command: Command) -> dict[str, Any]:
        match command:
            case MakeMove(move=move):
                return {"type": "move", "move": format_move(self.present_match.game, move)}
            case Put(moves=moves):
                game, texts = self.present_match.game.copy(), []
                for move in moves:
                    texts.append(format_move(game, move))
                    game.play(move)
                return {"type": "put", "moves": texts}
            case TakeBack(plies=plies):
                return {"type": "take-back", "plies": plies}
            case Choose(mark=mark):
                return {"type": "choose", "mark": mark}
            case Share():
                return {"type": "share", "game": self.seen.game_id}
            case LeaveSeat():
                return {"type": "leave"}
            case SayPhrase(phrase=phrase):
                return {"type": "say", "phrase": phrase}
        return {"type": re.sub("(?<=[a-z])(?=[A-Z])", "-", type(command).__name__).lower()}

    def begin(self, at: int, choice: str | None = None) -> Setup:
        """Ask for the next game, or choose the mark *choice* for it.

        The present game stays until the next one begins.
        """
        self.apply("", Rematch() if choice is None else Choose(choice), at)
        if self.setup is None:
            raise AssertionError("a room always has a match")
        return self.setup

    def take_error(self) -> NoughtsError | None:
        """Return the error of the last refused command once."""
        error, self._error = self._error, None
        return error

    def close(self) -> None:
        """End the connection."""
        if self.connection is not None:
            self.connection.close()

    # News

    def receive(self) -> bool:
        """Take in the news of the connection. Return True if something has changed that a person sees."""
        is_seen = False
        while self.connection is not None and not self.connection.heard.empty():
            match self.connection.heard.get():
                case RemoteState() as state:
                    last = self._states[-1] if self._states else self.seen
                    if state.version >= last.version:
                        self._states.append(state)
                        is_seen = is_seen or not state.looks_like(last)
                case ConnectionChange(is_online=is_online):
                    self.is_online, is_seen = is_online, True
                case CommandAnswered(error=error):
                    self.sending, self._error, is_seen = None, error or self._error, True
                case Ended(error=error):
                    self.ended, self.sending, is_seen = error, None, True
        return is_seen

    def synchronise(self) -> list[Event]:
        """Carry out the next events of the room and return them; an empty list if there are none.

        A new game begins without an event. Then ``match`` is another one.
        """
        self.receive()
        try:
            while (event := self._next_event()) is None:
                if not self._states:
                    return []
                state = self._states.popleft()
                self.seen, self._heard_at = state, self._now()
                is_next = self.present_match.end is not None and state.phase is Phase.PLAYING
                if is_next or self._key_of(state) != self._key:
                    self._open(state)
                self._events = self._events_until(state)
            happened = [event]
            self._take(event)
            if event.kind is EventKind.MOVE:
                self._held = self._next_event()
                if self._held is not None and self._held.kind is EventKind.END:
                    happened.append(self._held)
                    self._take(self._held)
                    self._held = None
        except (NoughtsError, ValueError, KeyError, IndexError) as error:
            self.ended = error if isinstance(error, ServerFailed) else ServerFailed(self.origin, "not-ours")
            self._events, self._held = iter(()), None
            self._states.clear()
            return []
        return happened

    def _next_event(self) -> Event | None:
        event, self._held = self._held, None
        return next(self._events, None) if event is None else event

    def _take(self, event: Event) -> None:
        """Carry out *event* in the match."""
        match, data = self.present_match, event.data
        match.apply_event(event)
        match event.kind:
            case EventKind.MOVE:
                self._texts.append(data["move"])
            case EventKind.CHOICE:
                self._answers[match.game.ply] = data["choice"]
            case EventKind.TAKEBACK:
                del self._texts[data["ply"] - self._first_ply :]
                self._answers = {ply: of for ply, of in self._answers.items() if ply < data["ply"]}

    # From a state to a match

    def _key_of(self, state: RemoteState) -> tuple[int, bool]:
        """Return the number of the game that *state* shows, and whether it has begun."""
        number = state.number - (state.phase is Phase.CHOOSING)
        return number, any(player.side is not None for player in state.players)

    def _open(self, state: RemoteState) -> None:
        """Set the table for the game of *state*, before its first move."""
        self._key, self._texts, self._answers = self._key_of(state), [], {}
        cells = re.match("[0-9]{1,9}(x[0-9]{1,9})*", state.game)
        if cells is not None and prod(map(int, cells[0].split("x"))) > MAX_CELLS:
            raise ServerFailed(self.origin, "too-large")
        game = new_game(state.game, marks=state.sides)
        game = game if state.start is None else parse_position(game, state.start)
        if len(state.players) != len(game.sides) or not {player.side for player in state.players} <= {
            None,
            *game.sides,
        }:
            raise ServerFailed(self.origin, "not-ours")
        clock = UNTIMED if state.clock is None else state.clock.terms
        kinds = tuple(player.kind for player in state.players)
        self.terms = Terms(
            state.game, kinds, Begins.ALTERNATE, clock, opening=state.protocol, start=state.start
        )
        # Two computers of one kind have equal names. The series makes them distinct.
        self.series = Series(tuple(player.name or "?" for player in state.players), marks=game.sides)
        places = {player.side: place for place, player in enumerate(state.players)}
        by_side = {side: places.get(side, place) for place, side in enumerate(game.sides)}
        if state.opening is not None and state.opening[2]:
            by_side = swapped_sides(by_side)
        self.setup = Setup(
            state.game,
            {side: self.series.players[place] for side, place in by_side.items()},
            start=state.start,
            created=state.now,
            who={side: kinds[place] for side, place in by_side.items()},
            opening=state.protocol,
            origin=ONLINE,
        )
        self.match = Match(game, UNTIMED, opening=self.setup.protocol, start=state.now)
        self._first_ply = game.ply
        self.wishes, self.series_number, self.seed = frozenset(), None, 0

    def _events_until(self, state: RemoteState) -> Generator[Event]:
        """Yield the events that lead from the match to *state*. Each is carried out before the next one."""
        texts = [text for text, _ in state.moves]
        answers = self._answers_in(state)
        kept = next(
            (place for place, (old, new) in enumerate(zip(self._texts, texts, strict=False)) if old != new),
            min(len(self._texts), len(texts)),
        )
        undone = [ply for ply, answer in self._answers.items() if answers.get(ply) != answer]
        kept = min([kept, *(ply - self._first_ply for ply in undone)])
        if kept < len(self._texts) or undone:
            yield self._event(EventKind.TAKEBACK, None, ply=self._first_ply + kept)
        yield from self._choice(answers)
        for text in texts[kept:]:
            yield self._event(EventKind.MOVE, self.present_match.turn, move=text)
            yield from self._choice(answers)
        yield from self._offer(state)
        if state.phase is Phase.PLAYING:
            yield from self._presence(state)
        result, match = state.result, self.present_match
        if result is not None and match.end is None:
            winner = result["winner"]
            if winner not in (None, *match.game.sides):
                raise ServerFailed(self.origin, "not-ours")
            others = [side for side in match.game.sides if side != winner]
            loser = others[0] if winner is not None and len(others) == 1 else None
            facts = {"winner": winner, "termination": result["termination"]}
            if result["termination"] == MatchEnd.FORFEIT:
                facts["reason"] = result["reason"]
            yield self._event(EventKind.END, None if match.game.outcome else loser, **facts)

    def _choice(self, answers: Mapping[int, str]) -> Iterator[Event]:
        """Yield the choice in the opening at this ply, if *answers* have a new one."""
        match = self.present_match
        ply = match.game.ply
        if ply in answers and ply not in self._answers:
            yield self._event(EventKind.CHOICE, match.turn, choice=answers[ply])

    def _offer(self, state: RemoteState) -> Iterator[Event]:
        match = self.present_match
        known = None if match.offer is None else (match.offer.side, match.offer.what, match.offer.plies)
        if known == state.offer:
            return
        if state.offer is not None:
            side, what, plies = state.offer
            if side not in match.game.sides:
                raise ServerFailed(self.origin, "not-ours")
            yield self._event(EventKind.OFFER, side, what=what, plies=plies)
        elif known is not None and state.result is None:
            yield self._event(EventKind.DECLINE, None, what=known[1])

    def _presence(self, state: RemoteState) -> Iterator[Event]:
        for player in state.players:
            if player.side is not None and player.kind == HUMAN:
                was_here = self.present_match.away_since(player.side) is None
                if was_here is not player.here:
                    yield self._event(EventKind.BACK if player.here else EventKind.AWAY, player.side)

    def _event(self, kind: EventKind, side: str | None, **data: Any) -> Event:
        return Event(self.present_match.version + 1, self.seen.now, kind, side, data)

    def _answers_in(self, state: RemoteState) -> dict[int, str]:
        """Return the choices in the opening that lead to *state*, preferably those that are known already."""
        opening = self.present_match.opening
        if opening is None or state.opening is None:
            return {}
        ply = self._first_ply + len(state.moves)
        for answers in (
            {at: of for at, of in self._answers.items() if at <= ply},
            *_possible_answers(opening),
        ):
            standing = opening.state_at(ply, answers)
            if (standing.placing, standing.answers, standing.is_swapped) == state.opening:
                return answers
        raise ServerFailed(self.origin, "not-ours")


def _possible_answers(opening: Opening) -> Iterator[dict[int, str]]:
    """Yield all ways to answer the questions of *opening*.

    >>> from noughts.games.openings import SWAP2
    >>> list(_possible_answers(SWAP2))
    [{}, {5: 'swap'}, {3: 'swap'}, {3: 'swap', 5: 'swap'}, {3: 'put'}, {3: 'put', 5: 'swap'}]
    """
    ends, end = list[int](), 0
    for step in opening.steps:
        end += step.marks
        ends.append(end)
    choices: list[tuple[Answer | None, ...]] = [(None, *step.answers) for step in opening.steps]
    for chosen in product(*choices):
        yield {ply: answer for ply, answer in zip(ends, chosen, strict=True) if answer is not None}
