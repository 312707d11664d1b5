"""The runner asks the players for their commands until the match ends. :func:`play` is its short form."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from noughts.arena.commands import Accept, Break, Command, Decline, Forfeit, MakeMove, Put, Resign, Swap
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.errors import BadInput, GameBroken, GameOver, NotFound, PlayerAtFault, UnknownMark
from noughts.games.base import Game, Move, Outcome, check_game
from noughts.games.contract import is_guarded, is_stop
from noughts.games.openings import STAY, SWAP, OpeningState
from noughts.players.base import Player, check_player, offer_seat
from noughts.search.analysis import Limit
from noughts.search.explain.dead_draw import is_dead_draw
from noughts.text import safe_text

UNLIMITED = Limit()

TOLERANCE = 1.05
GRACE_SECONDS = 0.05
"""A player may exceed its seconds by 5 % and 50 ms before it forfeits."""

STOP_AT = 0.9
"""The fraction of its seconds after which ``limit.stop`` becomes true for a player."""

MAX_DETAIL = 200
"""The maximum length of the detail of a forfeit, in characters."""


class Seat(Protocol):
    """The source of the commands of one player, whichever side it has at the moment."""

    def decide(self, match: Match) -> Command:
        """Return the next command of this seat, which has the side to decide."""

    def answer(self, match: Match, side: str) -> Command:
        """Accept or decline the offer of another side. *side* is the present side of this seat."""

    def refuse(self, command: Command, error: Exception) -> None:
        """Note that *command* was refused with *error*. :meth:`decide` is called again."""


class PlayerSeat:
    """A :class:`~noughts.players.base.Player` in a seat.

    A player that raises an error, returns no legal move, or exceeds its seconds forfeits the game. The runner
    then continues: no player can stop a series. ``limit.stop`` asks a late player to return. A player that
    may ignore it belongs in a process, as bots and external players do. With *patience*, in seconds, a player
    forfeits only after that time. *on_late* is called if it has exceeded the seconds of *limit*.
    """

    def __init__(
        self,
        player: Player,
        limit: Limit = UNLIMITED,
        patience: float | None = None,
        on_late: Callable[[], None] = lambda: None,
    ) -> None:
        self.player, self.limit, self._on_late = player, limit, on_late
        self._patience = limit.seconds if patience is None else patience

    def decide(self, match: Match) -> Command:
        return self.decide_in(match.game, match.standing)

    def decide_in(self, game: Game, standing: OpeningState) -> Command:
        """Return the next command in *game*. *standing* is the state of its opening."""
        player = self.player
        if standing.answers:
            answer = self._ask(lambda game, limit: player.choose_side(game, standing.answers, limit), game)
            if isinstance(answer, Command):
                return answer
            word = answer if isinstance(answer, str) else ""
            if word in standing.answers:
                return Swap() if word == SWAP else Put()
            if word != STAY:
                return _forfeit_for(answer)
        if standing.placing:
            answer = self._ask(lambda game, limit: player.place_evenly(game, standing.placing, limit), game)
        else:
            answer = self._ask(player.choose, game)
        if isinstance(answer, Command):
            return answer
        move = _legal_move(game, answer)
        return _forfeit_for(answer) if move is None else MakeMove(move)

    def _ask(self, question: Callable[[Game, Limit], object], game: Game) -> object:
        """Return the player's answer, or the command that replaces it if there is none."""
        answer = _ask_player(question, game.copy(), self.limit, self._patience or 0, self._on_late)
        if answer.cancelled():
            with suppress(Exception):  # the player forfeits even if `give_up` raises an error
                self.player.give_up()
            return Forfeit("too-slow", f"more than {self._patience} s")
        error = answer.exception()
        if isinstance(error, PlayerAtFault):
            return Resign() if error.fault == "resigned" else Forfeit(error.fault, error.reason)
        if isinstance(error, GameBroken) and is_guarded(game):
            return Break(error.package, error.words)
        if error is not None:
            return Forfeit("raised", f"{type(error).__name__}: {_short_text(str, error)}")
        return answer.result()

    def answer(self, match: Match, side: str) -> Command:
        return Accept() if agrees(match) else Decline()

    def refuse(self, command: Command, error: Exception) -> None:
        raise AssertionError("a legal move was refused") from error


def agrees(match: Match) -> bool:
    """Return True if a computer agrees to the offer: to a takeback, and to a draw if no side can win."""
    return match.offer is not None and (match.offer.what == "takeback" or is_dead_draw(match.game))


def _forfeit_for(answer: object) -> Forfeit:
    """Return the forfeit for an *answer* that is not allowed."""
    return Forfeit("no-move" if answer is None else "illegal-move", _short_text(ascii, answer))


def _ask_player(
    question: Callable[[Game, Limit], object],
    game: Game,
    limit: Limit,
    patience: float,
    on_late: Callable[[], None],
) -> Future[object]:
    """Ask a player one question. With a limit in seconds, ask in a separate thread.

    Call *on_late* if the player exceeds its limit, and cancel the question after *patience*, in seconds. The
    thread of a cancelled question runs until the player returns: nothing can end it from outside.
    """
    answer: Future[object] = Future()
    is_nearly_over = threading.Event()

    def run(limit: Limit) -> None:
        with suppress(InvalidStateError):  # the question may have been cancelled
            try:
                answer.set_result(question(game, limit))
            except BaseException as error:
                answer.set_exception(error)
                if is_stop(error):
                    raise

    if limit.seconds is None:
        run(limit)
        return answer
    timed_limit = replace(limit, stop=lambda: is_nearly_over.is_set() or limit.stop())
    threading.Thread(target=run, args=(timed_limit,), daemon=True).start()
    wait((answer,), limit.seconds * STOP_AT)
    is_nearly_over.set()
    over, end = (seconds * TOLERANCE + GRACE_SECONDS for seconds in (limit.seconds, patience))
    wait((answer,), max(0.0, min(over, end) - limit.seconds * STOP_AT))
    if end > over and not answer.done():
        on_late()
        wait((answer,), end - over)
    answer.cancel()
    return answer


def _legal_move(game: Game, answer: object) -> Move | None:
    """Return the legal move that equals *answer*, or None if there is none. A player may return anything."""
    legal = game.legal_moves()
    try:
        return legal[legal.index(answer)]
    except BaseException as error:
        if is_stop(error):
            raise
        return None


def _short_text(show: Callable[[object], str], value: object) -> str:
    """Return *value* as a short text that can be stored and printed. *value* may be anything."""
    try:
        return safe_text(show(value)[:MAX_DETAIL])
    except BaseException as error:
        if is_stop(error):
            raise
        return f"<{type(value).__name__}>"


def run(
    match: Match,
    seats: Mapping[str, Seat],
    *,
    apply: Callable[[str, Command, int], Sequence[Event]] | None = None,
    now: Callable[[], int] = lambda: 0,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Outcome | None:
    """Play *match* to its end, and ask the seats for their commands.

    *seats* are by the sides of the start.

    *apply* executes a command, by default in the match alone. The *apply* of a table with a store also saves
    the events. Then *on_event* is called with each event. *now* returns the time in milliseconds. A seat
    leaves by raising an error: only refusals are caught here.
    """
    apply = apply or match.apply

    def spread(events: Sequence[Event]) -> None:
        for event in events:
            on_event(event)

    while match.outcome is None:
        side = match.turn
        seat = match.by_side(seats)[side]
        try:
            command = seat.decide(match)
        except GameBroken as fault:
            command = Break(fault.package, fault.words)
        try:
            events = apply(side, command, now())
        except NotFound:  # the game has been deleted from the store
            raise
        except BadInput as error:
            seat.refuse(command, error)
            continue
        spread(events)
        for side in match.game.sides:
            if match.offer is not None and side not in match.offer.agreed:
                answer = match.by_side(seats)[side].answer(match, side)
                spread(apply(side, answer, now()))
    return match.outcome


def play(
    game: Game,
    x: Player | None = None,
    o: Player | None = None,
    z: Player | None = None,
    *,
    players: Mapping[str, Player] | None = None,
    limit: Limit = UNLIMITED,
    on_event: Callable[[Event], None] = lambda event: None,
) -> str | None:
    """Let players play *game* to its end and return the winner's mark, None for a draw.

    *x*, *o*, *z* have the marks of those names. *players* seats by any mark. Nothing is printed. *on_event*
    is called with each event. Raises :class:`~noughts.errors.UnknownMark` if a side has no player, and
    :class:`~noughts.errors.GameOver` if *game* has ended already. If a player declines its seat, its error is
    raised (:class:`~noughts.errors.UnsupportedRules`). If a player breaks down when it takes its seat,
    :class:`~noughts.errors.PlayerFailed` is raised. ``TypeError`` is raised if *game* is not a game, or if a
    player is only the name of a player.

    >>> from noughts import Player, TicTacToe
    >>> class Patient(Player):
    ...     def choose(self, game, limit):
    ...         return min(game.legal_moves())
    >>> play(TicTacToe(), x=Patient(), o=Patient())
    'X'
    """
    check_game(game)
    named = {"X": x, "O": o, "Z": z, **(players or {})}
    seated = {mark: player for mark, player in named.items() if player is not None}
    for mark in (*game.sides, *seated):
        if mark not in seated or mark not in game.sides:
            raise UnknownMark(mark, game.sides)
    if game.outcome is not None:
        raise GameOver
    for player in seated.values():
        check_player(player)
    for player in seated.values():
        offer_seat(player, type(player).__name__, game)
    match = Match(game)
    run(match, {mark: PlayerSeat(player, limit) for mark, player in seated.items()}, on_event=on_event)
    return match.outcome.winner if match.outcome is not None else None
