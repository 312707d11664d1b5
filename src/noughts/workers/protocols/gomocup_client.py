"""The manager's side of the Gomocup protocol: strict in its output, tolerant of its input.

No method waits longer than until a deadline, and only the form of answers is checked: the game decides if a
move is legal. Failures are values, see :class:`GomocupFailure`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic

from noughts.search.analysis import never
from noughts.workers.protocols.channel import STOP_SECONDS, Channel
from noughts.workers.protocols.gomocup import (
    DONE,
    Field,
    Kind,
    Point,
    Reply,
    Stone,
    board_lines,
    format_point,
    parse_points,
    parse_reply,
)
from noughts.workers.protocols.gomocup_game import GomocupSetting

OPTIONAL_S = 1.0
"""Seconds to wait for the answer to an optional command, which some engines ignore."""

GRACE_S = 0.5
"""Seconds in which ``OK`` may still come after a complaint."""

POLL_SECONDS = 0.02
"""Seconds between checks whether a move is wanted at once."""


class FailureReason(StrEnum):
    """The reasons of failures."""

    START_TIMEOUT = "start-timeout"
    """The engine did not answer ``START`` with ``OK`` in time."""
    GONE = "gone"
    """No more lines will come."""
    UNABLE = "unable"
    """The engine answers ``ERROR`` or ``UNKNOWN``."""
    TOO_SLOW = "too-slow"
    """No move came in time."""
    ILLEGAL_TEXT = "illegal-text"
    """The answer has the wrong form."""
    ASTRAY = "astray"
    """The engine does not reach the new position. A new process may."""


@dataclass(frozen=True, slots=True)
class GomocupFailure:
    """The reason why there is no answer, with the ``text`` that came instead."""

    reason: FailureReason
    text: str = ""


OnLine = Callable[[str], None]
"""A callback for the lines of an engine besides its answers."""


@dataclass(frozen=True, slots=True)
class Swap2:
    """An engine's answer in a swap2 opening: it takes the side of Black, or it places ``points``."""

    is_swap: bool = False
    points: tuple[Point, ...] = ()


SWAP2_COUNTS = {0: (3,), 3: (1, 2), 5: (1,)}
"""The allowed numbers of points in an answer, by the number of stones on the board."""


class GomocupClient:
    """The conversation with an engine through *channel*. *now* is the clock of deadlines.

    After a :class:`GomocupFailure` the engine may still be thinking, or be gone. Then only :meth:`begin` may
    be called.
    """

    def __init__(self, channel: Channel, now: Callable[[], float] = monotonic) -> None:
        self._channel, self._now = channel, now
        self._known: tuple[Stone, ...] = ()
        self._start_s = OPTIONAL_S
        self._stop: Callable[[], bool] = never
        self._end = 0.0

    def begin(
        self, setting: GomocupSetting, info: Mapping[str, object], seconds: float
    ) -> GomocupFailure | None:
        """Start an empty board within *seconds*, and send *info*, the values for ``INFO``."""
        self._channel.drop()
        self._channel.send(setting.start)
        self._known, self._start_s = (), seconds
        failure = self._await_ok(self._now() + seconds, FailureReason.START_TIMEOUT)
        if failure is None:
            self._inform({"rule": int(setting.rule), **info})
        return failure

    def move(
        self,
        stones: Sequence[Stone],
        deadline: float,
        info: Mapping[str, object],
        on_line: OnLine,
        stop: Callable[[], bool] = never,
    ) -> Point | GomocupFailure:
        """Return the engine's move after *stones*.

        The stones are in the order of play, from the engine's point of view. The last is the opponent's.
        *info* is sent before. *on_line* gets all other lines. As soon as *stop* returns True, the engine has
        :data:`STOP_SECONDS` for its move. Only some engines react to that.
        """
        stones = tuple(stones)
        self._channel.drop()
        if not self._prepare(stones):
            return GomocupFailure(FailureReason.ASTRAY)
        self._inform(info)
        self._stop, self._end = stop, deadline
        if not stones:
            self._channel.send("BEGIN")
        elif self._known == stones[:-1] and stones[-1][2] == Field.OTHER:
            self._channel.send(f"TURN {format_point(stones[-1][:2])}")
        else:
            self._send(board_lines(stones))
        answer = self._await_move(on_line)
        self._stop = never
        if not isinstance(answer, GomocupFailure):
            self._known = (*stones, (*answer, Field.OWN))
        return answer

    def swap2(
        self, points: Sequence[Point], deadline: float, info: Mapping[str, object], on_line: OnLine
    ) -> Swap2 | GomocupFailure:
        """Return the engine's answer in a swap2 opening after *points*: none, three or five, placed in turns.

        The engine's board must be empty, as after :meth:`begin`. The other arguments are as in :meth:`move`.
        """
        self._channel.drop()
        self._inform(info)
        self._send(("SWAP2BOARD", *map(format_point, points), DONE))
        other = ""
        while (line := self._channel.receive(deadline)) is not None:
            reply = parse_reply(line)
            if reply.kind in (Kind.ERROR, Kind.UNKNOWN):
                return GomocupFailure(FailureReason.UNABLE, line)
            if line.strip().upper() == "SWAP" and points:
                return Swap2(is_swap=True)
            if placed := parse_points(line):
                if len(placed) in SWAP2_COUNTS[len(points)]:
                    return Swap2(points=placed)
                return GomocupFailure(FailureReason.ILLEGAL_TEXT, line)
            other = line if reply.kind is Kind.OTHER else other
            on_line(line)
        return self._silence(FailureReason.TOO_SLOW, other)

    # Positions

    def _prepare(self, stones: tuple[Stone, ...]) -> bool:
        """Prepare the engine for *stones*, if necessary on a new board. Return False if it fails."""
        if self._take_back(stones) or stones[: len(self._known)] == self._known:
            return True
        self._channel.send("RESTART")
        if self._await_ok(self._now() + self._start_s, FailureReason.START_TIMEOUT) is not None:
            return False
        self._known = ()
        return True

    def _take_back(self, stones: tuple[Stone, ...]) -> bool:
        """Take stones back until all but the last of *stones* are left. Return False if that is not possible.

        If none would be left, a new board is faster.
        """
        common = stones[:-1]
        if not common or self._known[: len(common)] != common or len(self._known) == len(common):
            return False
        while len(self._known) > len(common):
            self._channel.send(f"TAKEBACK {format_point(self._known[-1][:2])}")
            if self._await_ok(self._now() + OPTIONAL_S, FailureReason.TOO_SLOW) is not None:
                return False
            self._known = self._known[:-1]
        return True

    # Lines

    def _send(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._channel.send(line)

    def _inform(self, info: Mapping[str, object]) -> None:
        self._send([f"INFO {key} {value}" for key, value in info.items()])

    def _await_ok(self, deadline: float, late: FailureReason) -> GomocupFailure | None:
        """Wait for ``OK`` and return None, or a failure.

        ``OK`` may follow a complaint about an earlier line.
        """
        complaint = other = ""
        while (line := self._channel.receive(deadline)) is not None:
            kind = parse_reply(line).kind
            if kind is Kind.OK:
                return None
            if kind in (Kind.ERROR, Kind.UNKNOWN):
                complaint = line
                deadline = min(deadline, self._now() + GRACE_S)
            other = line
        if complaint:
            return GomocupFailure(FailureReason.UNABLE, complaint)
        return self._silence(late, other)

    def _await_move(self, on_line: OnLine) -> Point | GomocupFailure:
        """Return the engine's first move.

        A complaint may be about another line, and does not end its turn.
        """
        complaint = other = ""
        while (line := self._next_in_turn()) is not None:
            reply = parse_reply(line)
            if reply.kind is Kind.MOVE and reply.point is not None:
                return reply.point
            if reply.kind is Kind.SUGGESTION and reply.point is not None:
                return self._accept(reply)
            if reply.kind in (Kind.ERROR, Kind.UNKNOWN):
                complaint = line
            elif reply.kind is Kind.OTHER:
                other = line
            on_line(line)
        if complaint:
            return self._silence(FailureReason.UNABLE, complaint)
        return self._silence(FailureReason.TOO_SLOW, other)

    def _accept(self, suggestion: Reply) -> Point:
        """Tell the engine to play its *suggestion*, and return its move, by default the suggested one."""
        assert suggestion.point is not None  # noqa: S101 - the caller looked
        self._channel.send(f"PLAY {format_point(suggestion.point)}")
        deadline = min(self._end, self._now() + OPTIONAL_S)
        while (line := self._channel.receive(deadline)) is not None:
            if (point := parse_reply(line).point) is not None:
                return point
        return suggestion.point

    def _next_in_turn(self) -> str | None:
        """Return the next line until the end of the turn.

        Send the stop command once the move is wanted at once.
        """
        while self._stop is not never:
            until = min(self._end, self._now() + POLL_SECONDS)
            line = self._channel.receive(until)
            if line is not None or until >= self._end or self._channel.fault:
                return line
            if self._stop():
                self._stop, self._end = never, min(self._end, self._now() + STOP_SECONDS)
                self._channel.send("YXSTOP")
        return self._channel.receive(self._end)

    def _silence(self, late: FailureReason, text: str) -> GomocupFailure:
        """Return the failure for a line that did not come."""
        return GomocupFailure(late if self._channel.fault is None else FailureReason.GONE, text)
