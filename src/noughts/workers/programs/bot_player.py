"""A player that is an external program, started when it is needed, and queried over its pipes."""

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
"""Seconds in which a program must be ready."""

MOVE_SECONDS = 60.0
"""Seconds for a move without a time limit."""

IDLE_SECONDS = 300.0
"""Seconds after which an idle program is ended, since it may use the processor meanwhile."""

OVER_SECONDS = 60.0
"""Seconds by which a program may exceed its time before it is ended here. Callers are less patient."""


class BotPlayer(Player):
    """The player *name*: a program that is started by *start*, with a driver from *make*.

    It is started with the first question, and again after a failure, or after it was idle for
    ``idle_seconds`` (None: without limit). :meth:`close` ends it, and so does garbage collection of this
    player. Every failure is raised as :class:`~noughts.errors.PlayerAtFault`.
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
        """The moves of the game in the last question."""
        self._driver: Driver | None = None
        self._program: Program | None = None
        self._end: finalize[..., BotPlayer] | None = None
        self._asking = threading.RLock()
        self._idle: threading.Timer | None = None
        self._is_given_up = False

    def close(self) -> None:
        """End the program, which has a second to exit. The next question starts it again."""
        with self._asking:
            self._cancel_idle_timer()
            if self._end is not None:
                self._end()
            self._program = self._driver = self._end = None

    def give_up(self) -> None:
        """End the program. A thread may otherwise wait up to a minute more for its answer."""
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
        answer = self._ask(game, lambda driver: driver.choose_side(game, answers, limit, _patience(limit)))
        return super().choose_side(game, answers, limit) if answer is None else answer

    def place_evenly(self, game: Game, marks: int, limit: Limit) -> Move:
        move = self._ask(game, lambda driver: driver.place_evenly(game, marks, limit, _patience(limit)))
        return super().place_evenly(game, marks, limit) if move is None else move

    def driver(self) -> Driver:
        """Return the driver of the program, which is started if it is not running."""
        if self._driver is None:
            try:
                program = self._program = Program(self._start)
            except OSError as error:
                raise PlayerFailed(self.name, system_reason(error)) from error
            except UnshowableError as error:
                raise SandboxRefused(self.name, error.path, error.reason) from error
            if self._is_given_up:  # given up during the start
                program.end()
            driver = self._make(self.name, program)
            self._end = finalize(self, _end_program, program, driver)
            driver.begin(self._greet_seconds)
            self._driver = driver
        return self._driver

    def _ask(self, game: Game, ask: Callable[[Driver], Answer]) -> Answer:
        """Return the answer to a question about *game*. End the program if it fails or is given up.

        The output limits are for one game. A new game begins if *game* does not continue the game of the last
        question, as after a takeback.
        """
        before, self._moves = self._moves, game.moves
        is_continued = len(self._moves) > len(before) and self._moves[: len(before)] == before
        if self._program is not None and not is_continued:
            self._program.begin_game()
        with self._asking:
            self._is_given_up = False
            self._cancel_idle_timer()
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
                self._start_idle_timer()

    def _start_idle_timer(self) -> None:
        """Start the timer that ends an idle program."""
        if self._program is not None and self.idle_seconds is not None:
            self._idle = threading.Timer(self.idle_seconds, _end_if_idle, (ref(self),))
            self._idle.daemon = True
            self._idle.start()

    def _cancel_idle_timer(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = None

    def _kill(self) -> None:
        """End the program at once."""
        if self._program is not None and self._end is not None:
            self._end.detach()
            self._program.end()
        self._program = self._driver = self._end = None


def _end_if_idle(player: "ref[BotPlayer]") -> None:
    """End the program of *player* if it is still idle."""
    tired = player()
    if tired is not None and tired._asking.acquire(blocking=False):
        try:
            if tired._idle is threading.current_thread():
                tired.close()
        finally:
            tired._asking.release()


def _end_program(program: Program, driver: Driver) -> None:
    """End *program*, which has a second to exit."""
    program.end(driver.farewell)


def _patience(limit: Limit) -> float:
    """Return the seconds after which a program must have moved."""
    return MOVE_SECONDS if limit.seconds is None else limit.seconds + OVER_SECONDS
