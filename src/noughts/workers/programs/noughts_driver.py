"""The driver of programs with the protocol ``noughts 1``, which can express any game."""

from collections.abc import Mapping, Sequence
from itertools import count

from noughts.errors import NoughtsError, PlayerAtFault, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.notation import parse_move
from noughts.games.openings import PUT
from noughts.search.analysis import Limit, Report
from noughts.text import safe_text
from noughts.workers.programs.client import ProgramClient
from noughts.workers.programs.driver import AnnouncedMoves
from noughts.workers.protocols import noughts_protocol
from noughts.workers.protocols.channel import Channel
from noughts.workers.protocols.noughts_protocol import ProtocolLine


class NoughtsDriver:
    """A driver for ``noughts 1``. The *options* of the program are set at the beginning."""

    farewell = "quit"

    def __init__(self, name: str, program: Channel, options: Mapping[str, str] | None = None) -> None:
        self._name, self._options = name, dict(options or {})
        self.client = ProgramClient(name, program)
        self._numbers = count(1)
        self._seated: tuple[str, tuple[str, ...]] | None = None
        self._announced = AnnouncedMoves()

    def begin(self, seconds: float) -> None:
        self.go_on(seconds, None)

    def go_on(self, seconds: float, begun: str | None) -> None:
        """Begin with a program that answered the greeting with *begun* (None: it was not greeted yet)."""
        self.client.greet(seconds, begun)
        for name, value in self._options.items():
            try:
                self.client.command(noughts_protocol.format_line("set", name, value), name)
            except UnsupportedRules as refused:
                raise UnsupportedRules(self._name, name, "bot-option", **refused.data) from None

    def seat(self, game: Game) -> None:
        line = noughts_protocol.format_game(game)
        if not noughts_protocol.can_play(self.client.cans, game):
            raise UnsupportedRules(self._name, game.name, "bot-declines", text="")
        self.client.command(line, game.name)
        self._seated = (game.name, game.sides)

    def choose(self, game: Game, limit: Limit, seconds: float, report: Report) -> Move:
        if (announced := self._announced.take(game)) is not None:
            return announced
        self._send_position(game)
        text = noughts_protocol.format_go(next(self._numbers), limit)
        answer = self.client.ask(
            text, "move", limit.stop, seconds, lambda line: report(noughts_protocol.parse_info(line, game))
        )
        return self._move(game, answer.words[1:2])

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit, seconds: float) -> str | None:
        answer = self._ask(game, limit, seconds, answers=answers)
        if answer is None:
            return None
        self._announced.store(game, answer.words[2:])
        return answer.words[1] if len(answer.words) > 1 else ""

    def place_evenly(self, game: Game, marks: int, limit: Limit, seconds: float) -> Move | None:
        if (announced := self._announced.take(game)) is not None:
            return announced
        answer = self._ask(game, limit, seconds, placing=marks)
        if answer is None:
            return None
        if answer.words[1:2] != (PUT,) or len(answer.words) != marks + 2:
            raise PlayerAtFault(self._name, "illegal-move", safe_text(answer.rest))
        self._announced.store(game, answer.words[2:])
        announced = self._announced.take(game)
        return self._move(game, answer.words[2:3]) if announced is None else announced

    def _ask(
        self, game: Game, limit: Limit, seconds: float, answers: Sequence[str] = (), placing: int = 0
    ) -> ProtocolLine | None:
        """Ask a question in an opening. Return None if the opening is unknown here or to the program."""
        text = noughts_protocol.format_ask(next(self._numbers), game, limit, answers, placing)
        if text is None:
            return None
        self._send_position(game)
        try:
            return self.client.ask(text, "choose", limit.stop, seconds)
        except UnsupportedRules:
            return None

    def _send_position(self, game: Game) -> None:
        """Send the position of *game*, and before it the game if it is another one."""
        if self._seated != (game.name, game.sides):
            self.seat(game)
        self.client.command(noughts_protocol.format_position(game), game.name)

    def _move(self, game: Game, words: Sequence[str]) -> Move:
        """Return the move in the answer, whether it is legal or not."""
        text = words[0] if words else ""
        if text == "resign":
            raise PlayerAtFault(self._name, "resigned", "")
        try:
            return parse_move(game, text)
        except NoughtsError:
            raise PlayerAtFault(self._name, "illegal-move", safe_text(text)) from None
