"""A player that is a program: it is started when it is needed, and asked over its pipes."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Protocol, TypeVar
from weakref import finalize

from noughts.errors import NoughtsError, PlayerAtFault, PlayerFailed, UnsupportedRules, system_reason
from noughts.games.base import Game, Move
from noughts.games.notation import parse_move
from noughts.games.openings import PUT
from noughts.players.base import Player
from noughts.search.analysis import Limit, Report, no_report
from noughts.text import safe_text
from noughts.workers.programs.program import Program, Start
from noughts.workers.programs.talk import Talk
from noughts.workers.protocols import wide
from noughts.workers.protocols.wide import Line

Answer = TypeVar("Answer")

GREET_SECONDS = 10.0
"""How long a program has until it says that it is ready."""

MOVE_SECONDS = 60.0
"""How long it may take for a move where no seconds are told: nobody waits for ever."""

OVER_SECONDS = 60.0
"""By how much it may overrun its seconds before it is ended here; whoever seats it is less patient."""


class Driver(Protocol):
    """What speaks to one program by one protocol. All raise :class:`~noughts.errors.PlayerFailed`."""

    farewell: str
    """The line that tells the program to leave."""

    def begin(self, seconds: float) -> None:
        """Find out that it is there, within so many *seconds*."""

    def seat(self, game: Game) -> None:
        """Tell it the game; one that declines raises :class:`~noughts.errors.UnsupportedRules`."""

    def choose(self, game: Game, limit: Limit, seconds: float, report: Report) -> Move:
        """Its move, after so many *seconds* at most."""

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit, seconds: float) -> str | None:
        """What it answers in an opening; None where it cannot be asked."""

    def place_evenly(self, game: Game, marks: int, limit: Limit, seconds: float) -> Move | None:
        """Where it places the first of so many *marks*; None where it cannot be asked."""


MakeDriver = Callable[[str, Program], Driver]
"""Makes the driver of the program of the player of this name."""


class WideDriver:
    """Speaks ``noughts 1``; the *options* of the program are set when it begins."""

    farewell = "quit"

    def __init__(self, name: str, program: Program, options: Mapping[str, str] | None = None) -> None:
        self._name, self._options = name, dict(options or {})
        self.talk = Talk(name, program)
        self._numbers = count(1)
        self._seated: tuple[str, tuple[str, ...]] | None = None
        self._said: list[tuple[Game, Move]] = []
        """Moves that came with an answer in an opening, each with the game in which it is to be made."""

    def begin(self, seconds: float) -> None:
        self.talk.greet(seconds)
        for name, value in self._options.items():
            self.talk.command(wide.format_line("set", name, value), name)

    def seat(self, game: Game) -> None:
        line = wide.format_game(game)
        if not wide.can_play(self.talk.cans, game):
            raise UnsupportedRules(self._name, game.name, "bot-declines", text="")
        self.talk.command(line, game.name)
        self._seated = (game.name, game.sides)

    def choose(self, game: Game, limit: Limit, seconds: float, report: Report) -> Move:
        if (said := self._said_for(game)) is not None:
            return said
        self._stand(game)
        text = wide.format_go(next(self._numbers), limit)
        told = self.talk.ask(
            text, "move", limit.stop, seconds, lambda line: report(wide.parse_info(line, game))
        )
        return self._move(game, told.words[1:2])

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit, seconds: float) -> str | None:
        told = self._ask(game, limit, seconds, answers=answers)
        if told is None:
            return None
        self._keep(game, told.words[2:])
        return told.words[1] if len(told.words) > 1 else ""

    def place_evenly(self, game: Game, marks: int, limit: Limit, seconds: float) -> Move | None:
        if (said := self._said_for(game)) is not None:
            return said
        told = self._ask(game, limit, seconds, placing=marks)
        if told is None:
            return None
        if told.words[1:2] != (PUT,) or len(told.words) != marks + 2:
            raise PlayerAtFault(self._name, "illegal-move", safe_text(told.rest))
        self._keep(game, told.words[2:])
        said = self._said_for(game)
        return self._move(game, told.words[2:3]) if said is None else said

    def _ask(
        self, game: Game, limit: Limit, seconds: float, answers: Sequence[str] = (), placing: int = 0
    ) -> Line | None:
        """Ask in an opening; None where the opening has no name, or the program knows nothing of it."""
        text = wide.format_ask(next(self._numbers), game, limit, answers, placing)
        if text is None:
            return None
        self._stand(game)
        try:
            return self.talk.ask(text, "choose", limit.stop, seconds)
        except UnsupportedRules:
            return None

    def _stand(self, game: Game) -> None:
        """Tell it how *game* stands, and which one it is if that was another."""
        if self._seated != (game.name, game.sides):
            self.seat(game)
        self.talk.command(wide.format_position(game), game.name)

    def _move(self, game: Game, words: Sequence[str]) -> Move:
        """The move that it says; any move of the notation is one, whether it is legal or not."""
        text = words[0] if words else ""
        if text == "resign":
            raise PlayerAtFault(self._name, "resigned", "")
        try:
            return parse_move(game, text)
        except NoughtsError:
            raise PlayerAtFault(self._name, "illegal-move", safe_text(text)) from None

    def _keep(self, game: Game, words: Sequence[str]) -> None:
        """Keep the moves that came with an answer, as far as they are legal, for when they are asked for."""
        self._said, game = [], game.copy()
        for text in words:
            try:
                move = parse_move(game, text)
                self._said.append((game.copy(), move))
                game.play(move)
            except NoughtsError:
                return

    def _said_for(self, game: Game) -> Move | None:
        """The move that was said for this very position."""
        if self._said and (self._said[0][0].key(), self._said[0][0].moves) == (game.key(), game.moves):
            return self._said.pop(0)[1]
        self._said = []
        return None


class BotPlayer(Player):
    """The player *name*, a program that is started as *start* says, and spoken to by what *make* makes.

    It is started with the first question, and anew when it has failed. :meth:`close` ends it, and so does
    the end of this player. Whatever it does comes out as :class:`~noughts.errors.PlayerAtFault`.
    """

    def __init__(
        self, name: str, start: Start, make: MakeDriver = WideDriver, greet_seconds: float = GREET_SECONDS
    ) -> None:
        self.name = name
        self._start, self._make, self._greet_seconds = start, make, greet_seconds
        self._report: Report = no_report
        self._moves: tuple[Move, ...] = ()
        """The moves of the game about which it was asked last."""
        self._driver: Driver | None = None
        self._program: Program | None = None
        self._end: finalize[..., BotPlayer] | None = None

    def close(self) -> None:
        """End the program, which has a second to leave; it is started again if it is asked anything."""
        if self._end is not None:
            self._end()
        self._program = self._driver = self._end = None

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
            driver = self._make(self.name, program)
            self._end = finalize(self, program.end, driver.farewell)
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
        try:
            return ask(self.driver())
        except UnsupportedRules:
            raise
        except BaseException:
            self._kill()
            raise

    def _kill(self) -> None:
        """End the program at once."""
        if self._program is not None and self._end is not None:
            self._end.detach()
            self._program.end()
        self._program = self._driver = self._end = None


def _patience(limit: Limit) -> float:
    """How many seconds a program has for a move."""
    return MOVE_SECONDS if limit.seconds is None else limit.seconds + OVER_SECONDS
