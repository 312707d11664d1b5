"""A driver that detects the protocol of a program."""

from collections.abc import Mapping, Sequence
from time import monotonic

from noughts.errors import PlayerAtFault, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Limit, Report
from noughts.workers.programs.client import next_line
from noughts.workers.programs.driver import Driver
from noughts.workers.programs.gomocup_driver import GomocupDriver
from noughts.workers.programs.noughts_driver import NoughtsDriver
from noughts.workers.protocols import noughts_protocol
from noughts.workers.protocols.channel import Channel
from noughts.workers.protocols.gomocup import Kind, parse_reply
from noughts.workers.protocols.gomocup_game import setting_of

SILENT_SECONDS = 1.0
"""Seconds without an answer after which a program may be one of Gomocup: some ignore unknown commands."""


class AutoDriver:
    """Greets with ``noughts 1``. If the program does not know that, the protocol of Gomocup is used.

    A silent program is slow to start, or does not answer. If Gomocup can express the game, the driver sends
    it in that form, and the answer decides. A program of ``noughts 1`` then answers the greeting late, and
    refuses the game.
    """

    def __init__(
        self, name: str, program: Channel, options: Mapping[str, str] | None = None, memory: int = 0
    ) -> None:
        self._name, self._channel = name, program
        self._noughts = NoughtsDriver(name, program, options)
        self._gomocup = GomocupDriver(name, program, options, memory)
        self._detected: Driver | None = None
        self._start_s = SILENT_SECONDS

    @property
    def farewell(self) -> str:
        return (self._detected or self._noughts).farewell

    def begin(self, seconds: float) -> None:
        self._start_s = seconds
        self._gomocup.begin(seconds)
        self._channel.send(noughts_protocol.GREETING)
        self._detect(min(seconds, SILENT_SECONDS))

    def seat(self, game: Game) -> None:
        self._driver(game).seat(game)

    def choose(self, game: Game, limit: Limit, seconds: float, report: Report) -> Move:
        return self._driver(game).choose(game, limit, seconds, report)

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit, seconds: float) -> str | None:
        return self._driver(game).choose_side(game, answers, limit, seconds)

    def place_evenly(self, game: Game, marks: int, limit: Limit, seconds: float) -> Move | None:
        return self._driver(game).place_evenly(game, marks, limit, seconds)

    def _driver(self, game: Game) -> Driver:
        """Return the driver for the program. If the program was silent, detect it by *game*."""
        if self._detected is None:
            setting = setting_of(game)
            if setting is not None:
                self._channel.send(setting.start)
            self._detect(self._start_s)
            if self._detected is self._noughts and setting is not None:
                self._noughts.client.settle()
            elif self._detected is None and setting is None:
                raise UnsupportedRules(self._name, game.name, "bot-declines", text="")
            elif self._detected is None:
                raise PlayerAtFault(self._name, "too-slow", f"not ready after {self._start_s} s")
        assert self._detected is not None  # noqa: S101 - anything else was raised
        return self._detected

    def _detect(self, seconds: float) -> None:
        """Detect the protocol from the program's answers within *seconds*."""
        deadline = monotonic() + seconds
        while self._detected is None and (text := next_line(self._name, self._channel, deadline)) is not None:
            if noughts_protocol.is_greeting(text):
                self._noughts.go_on(self._start_s, text)
                self._detected = self._noughts
            elif parse_reply(text).kind in (Kind.OK, Kind.ERROR, Kind.UNKNOWN):
                self._detected = self._gomocup
