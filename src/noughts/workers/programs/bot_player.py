"""A player that is a program: it is started when it is needed, and asked over its pipes."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar
from weakref import finalize, ref

from noughts.errors import PlayerFailed, SandboxRefused, UnsupportedRules, system_reason
from noughts.games.base import Game, Move
from noughts.players.base import Player
from noughts.search.analysis import Limit, Report, no_report
from noughts.workers.programs.driver import Driver, MakeDriver, NeedsNewProcessError
from noughts.workers.programs.noughts_driver import NoughtsDriver
from noughts.workers.programs.program import Program, ProgramStart
from noughts.workers.programs.sandbox_contents import UnshowableError

Answer = TypeVar("Answer")

GREET_SECONDS = 10.0
"""How long a program has until it says that it is ready."""

MOVE_SECONDS = 60.0
"""How long it may take for a move where no seconds are told: nobody waits for ever."""

IDLE_SECONDS = 300.0
"""A program that is not asked anything for so long is ended: it may be busy while nobody waits for it."""

OVER_SECONDS = 60.0
"""By how much it may overrun its seconds before it is ended here; whoever seats it is less patient."""


class BotPlayer(Player):
    """The player *name*, a program that is started as *start* says, and spoken to by what *make* makes.

    It is started with the first question, and anew when it has failed, or was ended because it had nothing to
    do for ``idle_seconds``, never if that is None. :meth:`close` ends it, and so does the end of this player.
    Whatever it does comes out as :class:`~noughts.errors.PlayerAtFault`.
    """

    def __init__(
        self,
        name: str,
        start: ProgramStart,
        make: MakeDriver = NoughtsDriver,
        greet_seconds: float = GREET_SECONDS,
    ) -> None:
        self.name = name
        self._start, self._make, self._greet_seconds = start, make, greet_seconds
        self.idle_seconds: float | None = IDLE_SECONDS
        self._report: Report = no_report
        self._moves: tuple[Move, ...] = ()
        """The moves of the game about which it was asked last."""
        self._driver: Driver | None = None
        self._program: Program | None = None
        self._end: finalize[..., BotPlayer] | None = None
        self._asking = threading.RLock()
        self._idle: threading.Timer | None = None
        self._is_given_up = False

    def close(self) -> None:
        """End the program, which has a second to leave; it is started again if it is asked anything."""
        with self._asking:
            self._wake()
            if self._end is not None:
                self._end()
            self._program = self._driver = self._end = None

    def give_up(self) -> None:
        """End the program, for which the thread that asks it may wait for a minute more."""
        self._is_given_up = True
        if (program := self._program) is not None:
            program.end()

    def report_to(self, report: Report) -> None:
        self._report = report

    def take_seat(self, game: Game) -> None:
        self._ask(game, lambda driver: driver.seat(game))

    def choose(self, game: Game, limit: Limit) -> Move:
        return self._ask(game, lambda driver: driver.choose(game, limit, _patience(limit), self._report))

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit) -> str:
        asked = self._ask(game, lambda driver: driver.choose_side(game, answers, limit, _patience(limit)))
        return super().choose_side(game, answers, limit) if asked is None else asked

    def place_evenly(self, game: Game, marks: int, limit: Limit) -> Move:
        asked = self._ask(game, lambda driver: driver.place_evenly(game, marks, limit, _patience(limit)))
        return super().place_evenly(game, marks, limit) if asked is None else asked

    def driver(self) -> Driver:
        """The driver of the program, which is started if it does not run."""
        if self._driver is None:
            try:
                program = self._program = Program(self._start)
            except OSError as error:
                raise PlayerFailed(self.name, system_reason(error)) from error
            except UnshowableError as error:
                raise SandboxRefused(self.name, error.path, error.reason) from error
            if self._is_given_up:  # while the program was being started
                program.end()
            driver = self._make(self.name, program)
            self._end = finalize(self, _dismiss, program, driver)
            driver.begin(self._greet_seconds)
            self._driver = driver
        return self._driver

    def _ask(self, game: Game, ask: Callable[[Driver], Answer]) -> Answer:
        """What comes of a question about *game*. Who fails, or is not waited for any more, is ended.

        What it may write is for one game: another one begins, or moves were taken back, where this one does
        not go on from the last question.
        """
        before, self._moves = self._moves, game.moves
        goes_on = len(self._moves) > len(before) and self._moves[: len(before)] == before
        if self._program is not None and not goes_on:
            self._program.begin_game()
        with self._asking:
            self._is_given_up = False
            self._wake()
            try:
                try:
                    return ask(self.driver())
                except NeedsNewProcessError:
                    self._kill()
                    return ask(self.driver())
            except UnsupportedRules:
                raise
            except BaseException:
                self._kill()
                raise
            finally:
                self._rest()

    def _rest(self) -> None:
        """End the program after a while in which nothing is asked."""
        if self._program is not None and self.idle_seconds is not None:
            self._idle = threading.Timer(self.idle_seconds, _tire, (ref(self),))
            self._idle.daemon = True
            self._idle.start()

    def _wake(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = None

    def _kill(self) -> None:
        """End the program at once."""
        if self._program is not None and self._end is not None:
            self._end.detach()
            self._program.end()
        self._program = self._driver = self._end = None


def _tire(player: "ref[BotPlayer]") -> None:
    """End the program of *player*, if there still is one that has nothing to do."""
    tired = player()
    if tired is not None and tired._asking.acquire(blocking=False):
        try:
            if tired._idle is threading.current_thread():
                tired.close()
        finally:
            tired._asking.release()


def _dismiss(program: Program, driver: Driver) -> None:
    """End *program*, which has a second to leave."""
    program.end(driver.farewell)


def _patience(limit: Limit) -> float:
    """How many seconds a program has for a move."""
    return MOVE_SECONDS if limit.seconds is None else limit.seconds + OVER_SECONDS
