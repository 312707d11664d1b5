"""One game of a tournament, played from beginning to end in a worker.

Its input and output are plain values, so that a game can be played in another process or on another machine.
The receiver replays the game before it counts.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from random import Random
from time import monotonic_ns

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.commands import Adjudicate, Break, Command, Forfeit, MakeMove
from noughts.arena.events import Event, EventValues
from noughts.arena.match import Match
from noughts.arena.process_time import now_ms
from noughts.arena.runner import PlayerSeat, run
from noughts.arena.setup import TOURNAMENT, Setup
from noughts.arena.tournament.live_log import LiveLog
from noughts.arena.tournament.plan import Entrant, PlayLimits
from noughts.errors import GameBroken, NoughtsError, PlayerAtFault
from noughts.games.base import Game, Move
from noughts.games.catalogue import new_game
from noughts.games.contract import is_stop
from noughts.games.notation import parse_move
from noughts.players.base import Player, offer_seat
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.explain.dead_draw import is_dead_draw
from noughts.text import words_of
from noughts.workers.programs.bot_list import load_bots
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.seating import BOT, is_ours, new_player, seat_bot

MOVES_AHEAD = 20
"""The number of future moves among which the remaining time of a game is divided."""


PROGRAM_SECONDS, PROGRAM_PATIENCE = 5.0, 60.0
"""Seconds for a move of a program without a time limit, and seconds after which the program has lost."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A game to be played: the ``players`` in turn order, and the ``moves`` with which it begins.

    ``protocol`` is the protocol of the opening. ``seed`` decides all random choices. ``created`` is the time
    of its beginning, in milliseconds since 1970. ``log`` is the file for spectators, or None.
    """

    number: int
    game: str
    players: tuple[Entrant, Entrant]
    limits: PlayLimits
    seed: str
    created: int
    moves: tuple[str, ...] = ()
    protocol: str | None = None
    log: str | None = None

    @property
    def setup(self) -> Setup:
        """The setup under which the game is saved.

        It does not count for scores, since it belongs to a tournament.
        """
        sides = new_game(self.game).sides
        names = (player.name for player in self.players)
        who = {side: player.who for side, player in zip(sides, self.players, strict=True)}
        limits = self.limits
        clock = UNTIMED if limits.match_ms is None else Clock(None, limits.match_ms, limits.increment_ms)
        return Setup(
            self.game,
            dict(zip(sides, names, strict=True)),
            clock=clock,
            created=self.created,
            who=who,
            opening=self.protocol,
            origin=TOURNAMENT,
            is_counted=False,
        )


def clock_ms() -> int:
    """Return milliseconds on a clock that only goes forward."""
    return monotonic_ns() // 1_000_000


def play_game(
    task: Assignment, now: Callable[[], int] = clock_ms, wall: Callable[[], int] = now_ms
) -> list[EventValues]:
    """Play the game of *task* and return its events.

    Its time begins when both players have taken their seats.

    The log states, after the events, how far that time is behind the wall clock *wall*, for spectators.
    """
    match, judge = task.setup.replay(()), Adjudicator(task.limits.adjudicate_nodes, now)
    events: list[Event] = []

    with ExitStack() as leaving:
        log = leaving.enter_context(closing(LiveLog(task.log)))

        def keep(new: Sequence[Event]) -> None:
            events.extend(new)
            log.write(event.values for event in new)

        for text in task.moves:
            if match.outcome is None:  # the package of the game may be faulty
                move = parse_move(match.game, text)
                keep(match.apply(match.turn, MakeMove(move), task.created))
        players = [_seat_player(task, place, leaving) for place in range(2)]
        if match.outcome is None and (fault := _fault_of(players, task, match)) is not None:
            side, command = fault
            keep(match.apply(side, command, task.created))
        begun = now()

        def at() -> int:
            return task.created + now() - begun - judge.spent

        seats = {
            side: TimedSeat(player, task.limits, at, judge, is_program=not is_ours(entrant.who))
            for side, player, entrant in zip(match.game.sides, players, task.players, strict=True)
        }

        def apply(side: str, command: Command, instant: int) -> list[Event]:
            new = match.apply(side, command, instant)
            keep(new)
            log.write([wall() - at()])
            return new

        log.write([wall() - at()])
        run(match, seats, apply=apply, now=at)
    return [event.values for event in events]


def _seat_player(task: Assignment, place: int, leaving: ExitStack) -> Player:
    """Return the player at *place*. Its program ends when *leaving* is closed.

    If the player cannot be made, the returned one forfeits.
    """
    try:
        player = player_of(task.players[place], Random(f"{task.seed} {place}"))
    except BaseException as error:  # constructors of external packages may raise anything
        if is_stop(error):
            raise
        return AbsentPlayer(error)
    if isinstance(player, BotPlayer):
        player.idle_seconds = None  # it must not end while it waits for its opponent
    if (close := getattr(player, "close", None)) is not None:
        leaving.callback(close)
    return player


class AbsentPlayer(Player):
    """A stand-in for a player that could not be made because of *error*. It fails with this error."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def take_seat(self, game: Game) -> None:
        raise self._error

    def choose(self, game: Game, limit: Limit) -> Move:
        raise self._error


def player_of(entrant: Entrant, chance: Random | None = None) -> Player:
    """Return the player of *entrant*.

    Raises the errors of :func:`~noughts.workers.seating.new_player`.
    """
    name = entrant.who.removeprefix(BOT)
    if entrant.options and name != entrant.who and (bot := load_bots().get(name)) is not None:
        return seat_bot(replace(bot, options={**bot.options, **entrant.options}))
    return new_player(entrant.who, chance)


def _fault_of(players: Sequence[Player], task: Assignment, match: Match) -> tuple[str, Command] | None:
    """Return the side that forfeits before its first move, with the command, or None if both are ready."""
    for side, player, entrant in zip(match.game.sides, players, task.players, strict=True):
        try:
            offer_seat(player, entrant.who, match.game)
            if task.limits.is_timed:
                player.prepare(match.game.copy())
        except GameBroken as fault:
            return side, Break(fault.package, fault.words)
        except PlayerAtFault as error:
            return side, Forfeit(error.fault, error.reason)
        except NoughtsError as error:
            return side, Forfeit("raised", words_of(error))
    return None


class Adjudicator:
    """Ends games with a proved result, with up to *nodes* nodes for each position.

    With 0 there is no adjudication.

    It does not use installed proofs, so that a game ends in the same way on every machine. ``spent`` is the
    milliseconds that it has taken, which count on no player's clock.
    """

    def __init__(self, nodes: int, now: Callable[[], int]) -> None:
        self._nodes, self._now, self.spent = nodes, now, 0
        self._analyst = Analyst()
        self._analyst.search_alone()

    def verdict(self, match: Match) -> Command | None:
        """Return the command that ends *match* with its proved result, or None. The opening must be over."""
        if not self._nodes or not match.standing.is_over:
            return None
        begun = self._now()
        command = self._verdict(match.game)
        self.spent += self._now() - begun
        return command

    def _verdict(self, game: Game) -> Command | None:
        if is_dead_draw(game):
            return Adjudicate(None)
        value = self._analyst.solve(game.copy(), Limit(nodes=self._nodes)).value
        if value is None:
            return None
        other = next(side for side in game.sides if side != game.turn)
        return Adjudicate({1: game.turn, 0: None, -1: other}[value])


class TimedSeat(PlayerSeat):
    """A player under the limits of a tournament. It moves only if *judge* has no verdict.

    For each move it may use a share of the time of the game that leaves enough for the others. It loses when
    no time is left. A program (*is_program*) without a time limit has a default limit, so that it cannot
    hang.
    """

    def __init__(
        self,
        player: Player,
        limits: PlayLimits,
        now: Callable[[], int],
        judge: Adjudicator,
        *,
        is_program: bool = False,
    ) -> None:
        super().__init__(player, Limit(nodes=limits.nodes))
        self._limits, self._now, self._judge, self._is_program = limits, now, judge, is_program

    def decide(self, match: Match) -> Command:
        if (verdict := self._judge.verdict(match)) is not None:
            return verdict
        seconds, patience = self._seconds(match.time_left(match.turn, self._now()))
        self.limit, self._patience = Limit(seconds, self._limits.nodes), patience
        return super().decide(match)

    def _seconds(self, left: int | None) -> tuple[float | None, float | None]:
        """Return the seconds for a move, and the seconds after which the game is lost.

        *left* is the game's time.
        """
        turn = self._limits.turn_ms
        if left is None:
            usual = (PROGRAM_SECONDS, PROGRAM_PATIENCE) if self._is_program else (None, None)
            return usual if turn is None else (turn / 1000, turn / 1000)
        share = min(left, left // MOVES_AHEAD + self._limits.increment_ms)
        most = left if turn is None else min(left, turn)
        return min(share, most) / 1000, most / 1000
