"""Match: the single source of truth about a game being played.

A match is a state machine that never waits. Commands go in with their times. Events come out, each with a
version number that only grows. The events hold the whole state: :meth:`Match.replay` makes the same match
from them. A command that does not fit is refused and changes nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any, TypeVar

from noughts.arena.clock import DAY, UNTIMED, Clock
from noughts.arena.commands import (
    Abort,
    Accept,
    Adjudicate,
    Break,
    Claim,
    Command,
    Decline,
    Flag,
    Forfeit,
    Leave,
    MakeMove,
    OfferDraw,
    Pause,
    Put,
    Resign,
    Resume,
    Return,
    Swap,
    TakeBack,
)
from noughts.arena.events import Event, EventKind, MatchEnd, Offer
from noughts.errors import CommandRefused, GameBroken, GameOver, NotationError, OutOfTurn
from noughts.games.base import Game, Outcome
from noughts.games.contract import check_move, check_position, is_guarded
from noughts.games.notation import format_move, parse_move
from noughts.games.openings import PUT, SWAP, Opening, OpeningState

Seated = TypeVar("Seated")

SETTLED = OpeningState(0, (), is_swapped=False)
"""The state of the opening of a match without one."""

MAX_PAUSE, PAUSE_EVERY = 14 * DAY, 365 * DAY
"""The longest pause in a game by days, and the time between the begins of two pauses of a player."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Match:
    """One game being played under a clock.

    ``standing`` is the state of the opening. A match without an opening has a settled one. ``start`` is the
    time at which the match began, and ``turn_began`` the time at which the present turn began. ``end`` is the
    event that ended the match. After *first_move* milliseconds without the first decision of a side, the
    match is called off. With *clock_after*, clocks run from the first decision on, or after that number of
    milliseconds without one, and the match cannot be called off.

    >>> from noughts import TicTacToe
    >>> match = Match(TicTacToe())
    >>> [event.kind.value for event in match.apply("X", MakeMove((1, 1)), at=0)]
    ['move']
    >>> match.apply("O", Resign(), at=10)[-1].data["winner"]
    'X'
    """

    def __init__(
        self,
        game: Game,
        clock: Clock = UNTIMED,
        *,
        opening: Opening | None = None,
        claim_after: int | None = None,
        first_move: int | None = None,
        clock_after: int | None = None,
        start: int = 0,
    ) -> None:
        if opening is not None:
            opening.check(game)
        if is_guarded(game):
            check_position(game)
        self.game, self.clock, self.opening, self.claim_after = game, clock, opening, claim_after
        self.first_move, self.clock_after = first_move, clock_after
        self.version = 0
        self.offer: Offer | None = None
        self._ended: Outcome | None = None
        self.end: Event | None = None
        self._first_ply = game.ply
        self.start = self._latest = self.turn_began = start
        self._left: dict[str, int | None] = dict.fromkeys(game.sides, clock.start)
        self._away: dict[str, int] = {}
        self._pauses: dict[str, tuple[int, int]] = {}
        """The begin and the end of the last pause of each side."""
        self._stop = (start, start)
        """The last time in which no clock ran because of pauses."""
        self._begun: frozenset[str | None] = frozenset()
        self._increments: list[tuple[int, str]] = []
        """The ply and the side of each increment that was not taken back."""
        self._owed = dict.fromkeys(game.sides, 0)
        """The part of undone increments that a side had used up. It is withheld from its next increments."""
        self._answers: dict[int, str] = {}
        self._unproved: frozenset[int] = frozenset()
        self.standing = self._opening_state(game.ply)

    @classmethod
    def replay(cls, game: Game, events: Iterable[Event], clock: Clock = UNTIMED, **settings: Any) -> "Match":
        """Return the match after *events*. *game* is the game before the first of them."""
        match = cls(game, clock, **settings)
        for event in events:
            match.apply_event(event)
        if match.version and is_guarded(game):
            check_position(game)
        return match

    def copy(self) -> "Match":
        """Return an independent copy of this match."""
        copied = copy(self)
        copied.game, copied._left, copied._away = self.game.copy(), dict(self._left), dict(self._away)
        copied._pauses = dict(self._pauses)
        copied._answers, copied._owed = dict(self._answers), dict(self._owed)
        copied._increments = list(self._increments)
        return copied

    def earlier(self, plies: int) -> "Match":
        """Return a copy of this match without its last *plies* moves, or at its start if it has fewer.

        Its clocks have the present times, and no offer is open. It is meant for display, not for play.
        """
        copied = self.copy()
        for _ in range(min(plies, self.game.ply - self._first_ply)):
            copied.game.undo()
        copied._answers = {ply: answer for ply, answer in self._answers.items() if ply <= copied.game.ply}
        copied.offer = None
        copied._settle_sides()
        return copied

    @property
    def turn(self) -> str:
        """The side to decide: to move, or in an opening to place marks for both."""
        return self.game.sides[0] if self.standing.placing else self.game.turn

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules or by an event such as a resignation, or None during the match."""
        return self.game.outcome or self._ended

    @property
    def is_unproved(self) -> bool:
        """True if the player of the last move could not prove it, although the player proves its moves."""
        return self.game.ply in self._unproved

    # The opening

    def by_side(self, seats: Mapping[str, Seated]) -> dict[str, Seated]:
        """Return *seats* with the present sides as keys. In *seats* the keys are the sides of the start."""
        return swapped_sides(seats) if self.standing.is_swapped else dict(seats)

    @property
    def settled_from(self) -> int:
        """The number of moves after which the sides were settled, or 0 without an opening."""
        return 0 if self.opening is None else self.opening.settled_from(self.game.ply, self._answers)

    def last_decision(self, sides: Collection[str]) -> tuple[int, str]:
        """Return the number of plies since the last decision of *sides*, and the side of that player now.

        Taking back that number of plies lets the player decide again. If there was no such decision, the
        number is one more than there are plies, which :meth:`apply` refuses.
        """
        position, plies, swapped = self.game.copy(), 0, self.standing.is_swapped
        while True:
            for standing in self._opening_states_at(position.ply, is_now=not plies):
                side = self.game.sides[0] if standing.placing else position.turn
                if standing.is_swapped != swapped:
                    side = next(other for other in self.game.sides if other != side)
                if side in sides:
                    return plies, side
            plies += 1
            if not position.ply:
                return plies, self.turn
            position.undo()

    def _opening_states_at(self, ply: int, *, is_now: bool) -> list[OpeningState]:
        """Return the states of the opening at each decision at *ply*, latest first."""
        moved = [] if is_now else [self._opening_state(ply)]
        if ply not in self._answers:
            return moved
        before = {at: answer for at, answer in self._answers.items() if at < ply}
        return [*moved, self._opening_state(ply, before)]

    def _opening_state(self, ply: int, answers: Mapping[int, str] | None = None) -> OpeningState:
        if self.opening is None:
            return SETTLED
        known = self._answers if answers is None else answers
        return self.opening.state_at(ply, {at: answer for at, answer in known.items() if at <= ply})

    @property
    def running(self) -> str | None:
        """The side with the running clock, or None if no clock runs.

        No clock runs before each side has decided something, so each side's first move takes no time. With
        ``clock_after``, clocks run from the first decision on. A move that is taken back was still made.
        """
        needed = len(self.game.sides) if self.clock_after is None else 1
        is_running = self.clock.is_timed and self.outcome is None and len(self._begun) >= needed
        return self.turn if is_running else None

    @property
    def clock_starts(self) -> int | None:
        """The instant from which the clock runs without a first decision, or None if it runs or does not."""
        is_waiting = self.clock.is_timed and self.outcome is None and not self._begun
        return self.start + self.clock_after if is_waiting and self.clock_after is not None else None

    @property
    def flag_falls(self) -> int | None:
        """The instant at which the side to move loses on time, or None if it cannot.

        A game without moves is not lost on time. If all moves were taken back, the clock runs down to zero
        and the flag falls with the next move.
        """
        if self.clock_starts is not None:
            return self.clock_starts + (self._left[self.turn] or 0)
        if self.running is None or (self.game.ply == self._first_ply and self.clock_after is None):
            return None
        return self._instant_after(self._left[self.running] or 0)

    @property
    def first_move_ends(self) -> int | None:
        """The instant at which the match is called off without a decision, or None if it cannot be.

        This applies until each side has decided something.
        """
        if self.first_move is None or self.outcome is not None or len(self._begun) == len(self.game.sides):
            return None
        return self._instant_after(self.first_move)

    @property
    def time_ends(self) -> int | None:
        """The instant at which time ends the match, by a loss or without a result, or None if it cannot."""
        return self.first_move_ends if self.flag_falls is None else self.flag_falls

    def may_abort(self, side: str) -> bool:
        """Return True if *side* may call the match off: it has decided nothing yet."""
        is_possible = self.outcome is None and len(self.game.sides) > 1 and self.clock_after is None
        return is_possible and side not in self._begun

    def time_left(self, side: str, at: int) -> int | None:
        """Return the milliseconds that *side* has left at the instant *at*, or None without a clock.

        The time is never below 0.
        """
        left = self._left[side]
        if left is None or side not in (self.running, self.turn if self.clock_starts is not None else None):
            return left
        if self.clock_starts is not None:
            return max(0, left - max(0, at - self.clock_starts))
        return max(0, left - max(0, at - self.turn_began - self._stopped_until(at)))

    def paused_until(self, at: int) -> int | None:
        """Return the end of the pause that stops the clocks at the instant *at*, or None without one."""
        return self._stop[1] if self._stop[0] <= at < self._stop[1] else None

    def is_pausing(self, side: str, at: int) -> bool:
        """Return True if the last pause of *side* goes on at the instant *at*."""
        return side in self._pauses and at < self._pauses[side][1]

    def _stopped_until(self, at: int) -> int:
        """Return the milliseconds of the present turn in which pauses stopped the clocks until *at*."""
        return max(0, min(at, self._stop[1]) - max(self._stop[0], self.turn_began))

    def _instant_after(self, time: int) -> int:
        """Return the instant at which *time* of the present turn has passed on its clock."""
        instant, begin = self.turn_began + time, max(self._stop[0], self.turn_began)
        return instant + max(0, self._stop[1] - begin) if instant > begin else instant

    def away_since(self, side: str) -> int | None:
        """Return the instant at which *side* left, or None if it is present."""
        return self._away.get(side)

    def apply(self, side: str, command: Command, at: int) -> list[Event]:
        """Execute *command* of *side* and return the events.

        Raises a :class:`~noughts.errors.MoveRefused`, :class:`~noughts.errors.CoordinateError` or
        :class:`~noughts.errors.NotationError`. Nothing changes then. If the time has run out, the match ends
        instead of a move or any other command that could still change its result. A clock that was set back
        gives no time back: *at* counts as no earlier than the last event.
        """
        if not isinstance(command, Command):
            raise CommandRefused(command, "unknown-command")
        at = max(at, self._latest)
        if side not in self.game.sides:
            raise CommandRefused(command, "unknown-side")
        if self.outcome is not None:
            raise GameOver(command)
        if not isinstance(command, Decline | Leave | Return | Forfeit | Break):
            if self.flag_falls is not None and self.flag_falls <= at:
                return self._end(at, self.turn, MatchEnd.TIME)
            if self.first_move_ends is not None and self.first_move_ends <= at:
                return self._abort(at, self.turn)
        match command:
            case MakeMove():
                return self._move(side, command, at)
            case Swap() | Put():
                return self._choose(side, command, at)
            case Resign():
                return self._end(at, side, MatchEnd.RESIGNATION)
            case Abort():
                if not self.may_abort(side):
                    raise CommandRefused(command, "begun")
                return self._abort(at, side)
            case Forfeit():
                why = {"reason": command.reason, "detail": command.detail}
                return self._end(at, side, MatchEnd.FORFEIT, why)
            case Adjudicate() if command.winner in (None, *self.game.sides):
                ended = {"winner": command.winner, "termination": str(MatchEnd.ADJUDICATION)}
                return [self._emit(at, EventKind.END, None, ended)]
            case Break():
                return self._break(at, command.package, command.detail)
            case OfferDraw() | TakeBack():
                return self._propose(side, command, at)
            case Accept() | Decline():
                return self._answer(side, command, at)
            case Claim():
                return self._claim(side, command, at)
            case Flag():
                raise CommandRefused(command, "time-left")
            case Leave() | Return():
                return self._presence(side, command, at)
            case Pause() | Resume():
                return self._pause(side, command, at)
        raise CommandRefused(command, "unknown-command")

    # Commands

    def _move(self, side: str, command: MakeMove, at: int) -> list[Event]:
        game, move = self.game, command.move
        if side != self.turn:
            raise OutOfTurn(side, self.turn)
        text = None
        if is_guarded(game):
            try:
                move = check_move(game, move)
            except GameBroken as fault:
                return self._break(at, fault.package, fault.words)
            text = format_move(game, move)  # This may raise an error of the package, before any change.
        mover, left = game.turn, self.time_left(side, at)
        game.play(move)
        if left is not None:
            is_turn_over = self._is_turn_over(mover)
            left = self.clock.after_move(left, is_turn_over=is_turn_over, owed=self._owed[side])
        data: dict[str, Any] = {"move": text or format_move(game, game.moves[-1])}
        if left is not None:
            data["left"] = left
        if command.is_unproved:
            data["unproved"] = True
        events = [self._emit(at, EventKind.MOVE, side, data, mover)]
        if game.outcome is not None:
            ended = {"winner": game.outcome.winner, "termination": str(game.outcome.termination)}
            events.append(self._emit(at, EventKind.END, None, ended))
        elif left == 0:
            events += self._end(at, side, MatchEnd.TIME)
        return events

    def _is_turn_over(self, mover: str) -> bool:
        """Return True if the move that *mover* has just made on the board ends the turn.

        In an opening the marks for both sides are one turn of the player. In a game for one player each move
        is a turn.
        """
        return self.standing.placing <= 1 and (mover != self.game.turn or len(self.game.sides) == 1)

    def _choose(self, side: str, command: Swap | Put, at: int) -> list[Event]:
        choice = SWAP if isinstance(command, Swap) else PUT
        if choice not in self.standing.answers:
            raise CommandRefused(command, "no-such-choice")
        if side != self.turn:
            raise OutOfTurn(side, self.turn)
        data: dict[str, Any] = {"choice": choice}
        if isinstance(command, Put):
            self._check_put(command)
        elif (left := self.time_left(side, at)) is not None:
            data["left"] = self.clock.after_move(left, owed=self._owed[side])
        events = [self._emit(at, EventKind.CHOICE, side, data)]
        for move in command.moves if isinstance(command, Put) else ():
            if self.outcome is not None:
                break
            events += self._move(self.turn, MakeMove(move), at)
        return events

    def _check_put(self, command: Put) -> None:
        """Raise the error with which the game refuses a move of *command*, or an error for too many moves."""
        trial = self.copy()
        trial._emit(self._latest, EventKind.CHOICE, self.turn, {"choice": PUT})
        for move in command.moves:
            if not trial.standing.placing:
                raise CommandRefused(command, "too-many-to-put")
            trial._move(trial.turn, MakeMove(move), self._latest)

    def _end(self, at: int, loser: str, why: MatchEnd, more: Mapping[str, Any] = NOTHING) -> list[Event]:
        others = [side for side in self.game.sides if side != loser]
        winner = others[0] if len(others) == 1 else None
        return [self._emit(at, EventKind.END, loser, {"winner": winner, "termination": str(why), **more})]

    def _abort(self, at: int, side: str) -> list[Event]:
        return [self._emit(at, EventKind.END, side, {"winner": None, "termination": str(MatchEnd.ABORTED)})]

    def _break(self, at: int, package: str, detail: str) -> list[Event]:
        ended = {"winner": None, "termination": str(MatchEnd.BROKEN), "package": package, "detail": detail}
        return [self._emit(at, EventKind.END, None, ended)]

    def _propose(self, side: str, command: OfferDraw | TakeBack, at: int) -> list[Event]:
        kind, plies = "draw", 0
        if isinstance(command, TakeBack):
            count = self.last_decision((side,))[0] if command.plies is None else command.plies
            if not self._can_take_back(count):
                raise CommandRefused(command, "nothing-to-take-back")
            kind, plies = "takeback", count
        elif len(self.game.sides) == 1:
            raise CommandRefused(command, "nobody-to-ask")
        if self.offer is not None and (self.offer.what, self.offer.plies) == (kind, plies):
            raise CommandRefused(command, "offered-already")
        events = [self._emit(at, EventKind.OFFER, side, {"what": kind, "plies": plies})]
        return events + self._carry_out(at)

    def _can_take_back(self, plies: object) -> bool:
        least = 0 if self.game.ply in self._answers else 1
        return type(plies) is int and least <= plies <= self.game.ply - self._first_ply

    def _answer(self, side: str, command: Accept | Decline, at: int) -> list[Event]:
        if self.offer is None or (isinstance(command, Accept) and side in self.offer.agreed):
            raise CommandRefused(command, "nothing-offered")
        kind = EventKind.ACCEPT if isinstance(command, Accept) else EventKind.DECLINE
        events = [self._emit(at, kind, side, {"what": self.offer.what})]
        return events + self._carry_out(at)

    def _carry_out(self, at: int) -> list[Event]:
        """Execute the offer if all sides have agreed to it."""
        offer = self.offer
        if offer is None or len(offer.agreed) < len(self.game.sides):
            return []
        if offer.what == "takeback":
            ply = self.game.ply - offer.plies
            return [self._emit(at, EventKind.TAKEBACK, offer.side, {"ply": ply})]
        return [self._emit(at, EventKind.END, None, {"winner": None, "termination": str(MatchEnd.AGREEMENT)})]

    def _claim(self, side: str, command: Claim, at: int) -> list[Event]:
        others = [other for other in self.game.sides if other != side]
        if self.claim_after is None or len(others) != 1:
            raise CommandRefused(command, "no-claims")
        since = self._away.get(others[0])
        if since is None:
            raise CommandRefused(command, "not-away")
        if at - since < self.claim_after:
            raise CommandRefused(command, "too-early")
        return self._end(at, others[0], MatchEnd.ABANDONMENT)

    def _presence(self, side: str, command: Leave | Return, at: int) -> list[Event]:
        leaves = isinstance(command, Leave)
        if leaves == (side in self._away):
            raise CommandRefused(command, "away-already" if leaves else "not-away")
        return [self._emit(at, EventKind.AWAY if leaves else EventKind.BACK, side)]

    def _pause(self, side: str, command: Pause | Resume, at: int) -> list[Event]:
        begun, until = self._pauses.get(side, (None, at))
        if not self.clock.is_by_days:
            raise CommandRefused(command, "not-by-days")
        if isinstance(command, Resume):
            if until <= at:
                raise CommandRefused(command, "not-paused")
            return [self._emit(at, EventKind.RESUME, side)]
        if not 0 < command.length <= MAX_PAUSE:
            raise CommandRefused(command, "pause-too-long")
        if begun is not None and at - begun < PAUSE_EVERY:
            raise CommandRefused(command, "paused-already")
        return [self._emit(at, EventKind.PAUSE, side, {"until": at + command.length})]

    # Events

    def _emit(
        self, at: int, kind: EventKind, side: str | None, data: Mapping[str, Any] = NOTHING, mover: str = ""
    ) -> Event:
        event = Event(self.version + 1, at, kind, side, data)
        self._note(event, mover)
        return event

    def apply_event(self, event: Event) -> None:
        """Apply *event*, which has happened in another copy of this match.

        Raises :class:`~noughts.errors.NotationError`, and the error with which the game refuses a move.
        """
        if event.version != self.version + 1:
            raise NotationError("record", event.version, "version-gap", after=self.version)
        mover = self.game.turn
        if event.kind is EventKind.MOVE:
            if event.side != self.turn:
                raise NotationError("record", event.data["move"], "wrong-side", side=event.side)
            self.game.play(parse_move(self.game, event.data["move"]))
        self._note(event, mover)

    def _note(self, event: Event, mover: str) -> None:
        """Make all changes of *event*, except the move on the board, which *mover* has made already."""
        side, data = event.side, event.data
        match event.kind:
            case EventKind.MOVE:
                self._note_move(event, mover)
            case EventKind.CHOICE:
                self._note_choice(event)
            case EventKind.OFFER:
                self.offer = Offer(side or "", data["what"], data["plies"], frozenset((side or "",)))
            case EventKind.ACCEPT if self.offer is not None:
                agreed = self.offer.agreed | {side or ""}
                self.offer = Offer(self.offer.side, self.offer.what, self.offer.plies, agreed)
            case EventKind.TAKEBACK:
                if self.clock.base is not None:  # the time that has been used is not given back
                    self._left[self.turn] = self.time_left(self.turn, event.at)
                    self._take_increments_back(data["ply"])
                while self.game.ply > data["ply"]:
                    self.game.undo()
                for ply in [ply for ply in self._answers if ply >= data["ply"]]:
                    del self._answers[ply]
                self._unproved = frozenset(ply for ply in self._unproved if ply <= data["ply"])
                self._settle_sides()
                self.offer, self.turn_began = None, event.at
            case EventKind.AWAY:
                self._away[side or ""] = event.at
            case EventKind.BACK:
                self._away.pop(side or "", None)
            case EventKind.PAUSE | EventKind.RESUME:
                self._note_pause(side or "", event)
            case EventKind.END:
                self._left[self.turn] = self.time_left(self.turn, event.at)  # its clock stops now
                if side is not None and data["termination"] == MatchEnd.TIME:
                    self._left[side] = 0  # in games of earlier versions a first move took time too
                self.offer = None
                self._ended, self.end = Outcome(data["winner"], (), data["termination"]), event
            case _:
                self.offer = None
        self.version, self._latest = event.version, max(self._latest, event.at)

    def _note_move(self, event: Event, mover: str) -> None:
        if event.side is not None and "left" in event.data:
            self._left[event.side] = event.data["left"]
            if self._is_turn_over(mover):
                self._note_increment(self.game.ply - 1, event.side)
        self._begun |= {event.side}
        if event.data.get("unproved"):
            self._unproved |= {self.game.ply}
        if self.offer is not None and (self.offer.what == "takeback" or self.offer.side != event.side):
            self.offer = None  # a draw offer is open until the other side moves
        self.turn_began = event.at
        self.standing = self._opening_state(self.game.ply)

    def _note_pause(self, side: str, event: Event) -> None:
        """Note the begin or the end of a pause. The clocks are stopped while any side pauses."""
        if event.kind is EventKind.PAUSE:
            if self._stop[1] <= event.at:  # the earlier stop moves the begin of the turn
                self.turn_began += self._stopped_until(event.at)
                self._stop = event.at, event.at
            self._pauses[side] = event.at, event.data["until"]
        else:
            self._pauses[side] = self._pauses[side][0], event.at
        self._stop = self._stop[0], max(event.at, *(until for _, until in self._pauses.values()))

    def _note_choice(self, event: Event) -> None:
        choice = event.data["choice"]
        if choice not in self.standing.answers or event.side != self.turn:
            raise NotationError("record", choice, "wrong-choice", side=event.side)
        if "left" in event.data:
            self._left[self.turn] = event.data["left"]
            self._note_increment(self.game.ply, self.turn)
        had_begun = len(self._begun) == len(self.game.sides)
        self._begun |= {event.side}
        if choice == SWAP or not had_begun:  # it is the opponent's turn now, or this decision took no time
            self.turn_began = event.at
        self._answers[self.game.ply], self.offer = choice, None
        self._settle_sides()

    def _note_increment(self, ply: int, side: str) -> None:
        if self.clock.increment:
            self._increments.append((ply, side))
            self._owed[side] = max(0, self._owed[side] - self.clock.increment)

    def _take_increments_back(self, ply: int) -> None:
        """Take back the increments of the turns from *ply* on, but leave no side less than one of them.

        The rest is owed, so that no player loses on time because of a takeback.
        """
        increment = self.clock.increment
        for _, side in [one for one in self._increments if one[0] >= ply]:
            left = self._left[side] or 0
            taken = max(0, min(increment, left - increment))
            self._left[side] = left - taken
            self._owed[side] += increment - taken
        self._increments = [one for one in self._increments if one[0] < ply]

    def _settle_sides(self) -> None:
        """Update the state of the opening.

        If it exchanges the sides, exchange all facts about the players.
        """
        was_swapped, self.standing = self.standing.is_swapped, self._opening_state(self.game.ply)
        if was_swapped != self.standing.is_swapped:
            self._left, self._owed = swapped_sides(self._left), swapped_sides(self._owed)
            one, two = self.game.sides
            self._increments = [(ply, two if side == one else one) for ply, side in self._increments]
            self._pauses = {two if side == one else one: pause for side, pause in self._pauses.items()}
            self._away = {two if side == one else one: since for side, since in self._away.items()}


def swapped_sides(seats: Mapping[str, Seated]) -> dict[str, Seated]:
    """Return *seats* with the values of its two sides exchanged. The order of the sides is unchanged.

    >>> swapped_sides({"X": "Ada", "O": "Wei"})
    {'X': 'Wei', 'O': 'Ada'}
    """
    return dict(zip(seats, reversed(tuple(seats.values())), strict=True))
