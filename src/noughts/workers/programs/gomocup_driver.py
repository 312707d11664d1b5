"""The driver of engines of the Gomocup protocol, for the games that it can express."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from noughts.errors import NoughtsError, PlayerAtFault, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.notation import format_move
from noughts.games.openings import PUT, STAY, SWAP, SWAP2
from noughts.search.analysis import Limit, Progress, Report
from noughts.text import safe_text
from noughts.workers.programs.driver import AnnouncedMoves, NeedsNewProcessError
from noughts.workers.protocols.channel import Channel
from noughts.workers.protocols.gomocup import NO_LIMIT, Point, coordinate_of, format_point
from noughts.workers.protocols.gomocup_client import FailureReason, GomocupClient, GomocupFailure, Swap2
from noughts.workers.protocols.gomocup_game import GomocupSetting, setting_of, stones_of
from noughts.workers.protocols.gomocup_info import USUAL_TURN_MS
from noughts.workers.protocols.gomocup_progress import ProgressParser

TIME_SHARE = 0.9
"""The fraction of the time that an engine is given. The caller wants the move then, and few engines react to
a stop.
"""

SWAP2_SECONDS = 5.0
"""Additional seconds for an engine's answer in an opening. Some never answer."""

MEMORY_SHARE = 2 / 3
"""The fraction of the memory limit that an engine is given, since the limit counts more than it allocates."""

MAX_TEXT_LENGTH = 400
"""The maximum length of an engine's text in an error, in characters."""

FAULTS = {
    FailureReason.START_TIMEOUT: "too-slow",
    FailureReason.TOO_SLOW: "too-slow",
    FailureReason.ILLEGAL_TEXT: "illegal-move",
}
"""The codes of faults for failures. All others are ``raised``."""


class GomocupDriver:
    """A driver for the protocol of Gomocup.

    *options* are sent by ``INFO``, as is the limit of *memory* bytes.
    """

    farewell = "END"

    def __init__(
        self,
        name: str,
        program: Channel,
        options: Mapping[str, str] | None = None,
        memory: int = 0,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._name, self._channel, self._now = name, program, now
        self._client = GomocupClient(program, now)
        self._info = {"timeout_match": 0, "max_memory": int(memory * MEMORY_SHARE), **(options or {})}
        self._start_s = SWAP2_SECONDS
        self._setting: GomocupSetting | None = None
        self._announced = AnnouncedMoves()
        self._is_used = self._is_deaf = False

    def begin(self, seconds: float) -> None:
        """Note the *seconds* for the first game. The protocol allows no question before that."""
        self._start_s = seconds

    def seat(self, game: Game) -> None:
        setting = setting_of(game)
        if setting is None:
            raise UnsupportedRules(self._name, game.name, "bot-declines", text="")
        self._setting = None
        failure = self._client.begin(setting, self._info, self._start_s)
        if failure is None:
            self._setting = setting
        elif self._is_used:  # some complain while they still think about the last game, or exit after it
            raise NeedsNewProcessError
        elif failure.reason is FailureReason.UNABLE:
            raise UnsupportedRules(self._name, game.name, "bot-declines", text=_error_text(failure))
        else:
            raise self._fault(failure)

    def choose(self, game: Game, limit: Limit, seconds: float, report: Report) -> Move:
        if (announced := self._announced.take(game)) is not None:
            return announced
        end = self._now() + seconds
        if self._setting is None or self._setting != setting_of(game):
            self.seat(game)
        assert self._setting is not None  # noqa: S101 - it was seated
        parser = ProgressParser(self._setting)

        def hear(line: str) -> None:
            self.hear(line)
            if (progress := parser.read(line)) is not None:
                report(_sound(game, progress))

        answer = self._client.move(stones_of(game), end, self.limits(limit), hear, limit.stop)
        if isinstance(answer, GomocupFailure):
            if answer.reason is FailureReason.ASTRAY:
                raise NeedsNewProcessError
            raise self._fault(answer)
        self._is_used = True
        return self._move(answer)

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit, seconds: float) -> str | None:
        standing = SWAP2.state_at(game.ply, dict.fromkeys(range(game.ply), PUT))
        if standing.answers != tuple(answers):
            return None
        answer = self._swap2(game, limit, seconds)
        if answer is None:
            return None
        return SWAP if answer.is_swap else PUT if len(answer.points) > 1 else STAY

    def place_evenly(self, game: Game, marks: int, limit: Limit, seconds: float) -> Move | None:
        announced = self._announced.take(game)
        if announced is None and not game.ply and marks == SWAP2.steps[0].marks:
            self._swap2(game, limit, seconds)
            announced = self._announced.take(game)
        return announced

    def hear(self, line: str) -> None:
        """Handle a *line* of the engine before its move. Subclasses can raise a fault."""

    def limits(self, limit: Limit) -> dict[str, int]:
        """Return the values of *limit* for ``INFO`` before a move."""
        seconds, nodes, depth = limit.seconds, limit.nodes, limit.depth
        turn = USUAL_TURN_MS if seconds is None else int(seconds * 1000 * TIME_SHARE)
        values = {"timeout_turn": turn, "time_left": NO_LIMIT, "max_node": nodes, "max_depth": depth}
        return {key: value for key, value in values.items() if value is not None}

    def _swap2(self, game: Game, limit: Limit, seconds: float) -> Swap2 | None:
        """Return the engine's answer, or None if it does not support openings.

        Store the marks that it places.
        """
        if self._is_deaf or setting_of(game) is None:
            return None
        self.seat(game)
        info = self.limits(limit)
        end = self._now() + min(seconds, info["timeout_turn"] / 1000 + SWAP2_SECONDS)
        points = [(x, y) for x, y, _ in stones_of(game)]
        answer = self._client.swap2(points, end, info, lambda line: None)
        if isinstance(answer, GomocupFailure):
            if answer.reason is FailureReason.UNABLE or (
                answer.reason is FailureReason.TOO_SLOW and not answer.text
            ):
                self._is_deaf = True
                self.seat(game)  # a late answer must not be taken for a move
                return None
            raise self._fault(answer)
        self._is_used = True
        self._keep(game, answer.points)
        return answer

    def _keep(self, game: Game, points: Sequence[Point]) -> None:
        """Store the marks that the engine places. Raise its fault if one is illegal."""
        position, texts = game.copy(), []
        for point in points:
            move = self._move(point)
            try:
                texts.append(format_move(position, move))
                position.play(move)
            except NoughtsError:
                raise PlayerAtFault(self._name, "illegal-move", format_point(point)) from None
        self._announced.store(game, texts)

    def _move(self, point: Point) -> Move:
        """Return the move to *point*, which must be on the board. The game checks if it is legal."""
        setting = self._setting
        assert setting is not None  # noqa: S101 - it was seated
        if not (0 <= point[0] < setting.width and 0 <= point[1] < setting.height):
            raise PlayerAtFault(self._name, "illegal-move", format_point(point))
        return coordinate_of(point)

    def _fault(self, failure: GomocupFailure) -> PlayerAtFault:
        """Return the exception for *failure*."""
        fault = self._channel.fault
        if failure.reason is FailureReason.GONE and fault is not None:
            return PlayerAtFault(self._name, fault.reason, fault.detail)
        text = _error_text(failure) or failure.reason.value.replace("-", " ")
        return PlayerAtFault(self._name, FAULTS.get(failure.reason, "raised"), text)


def _error_text(failure: GomocupFailure) -> str:
    return safe_text(failure.text)[:MAX_TEXT_LENGTH]


def _sound(game: Game, progress: Progress) -> Progress:
    """Return *progress* with its line of play up to the first move that is illegal in *game*."""
    position, pv = game.copy(), list[Move]()
    for move in progress.pv:
        try:
            position.play(move)
        except NoughtsError:
            break
        pv.append(move)
    return replace(progress, best=pv[0] if pv else None, pv=tuple(pv))
