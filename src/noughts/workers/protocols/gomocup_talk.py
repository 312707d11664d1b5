"""Talking to an engine of the Gomocup protocol: strict in what is said to it, loose in what is taken from it.

Nothing here waits longer than until a deadline, and nothing of an answer is judged but its form: whether a
move is legal says the game. What goes wrong is a value, a :class:`Trouble`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Protocol

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
from noughts.workers.protocols.gomocup_game import Setting

OPTIONAL_S = 1.0
"""Seconds to wait for the answer to a command that an engine need not know: some say nothing at all."""

MAX_UNREAD = 10_000
"""So many late lines are dropped before a question; who has more to say is not waited for."""


class Reason(StrEnum):
    """What went wrong."""

    START_TIMEOUT = "start-timeout"
    """It did not say ``OK`` to ``START`` in time."""
    GONE = "gone"
    """No more lines will come."""
    UNABLE = "unable"
    """It says that it cannot: ``ERROR`` or ``UNKNOWN``."""
    TOO_SLOW = "too-slow"
    """No move came in time."""
    ILLEGAL_TEXT = "illegal-text"
    """The answer has not the form that it must have."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no answer, with the ``text`` that was said instead. The engine is to be started anew."""

    reason: Reason
    text: str = ""


class Channel(Protocol):
    """Lines to a program and from it."""

    def send(self, line: str) -> None:
        """Send *line*, without waiting; to one that has gone nothing is sent."""

    def receive(self, deadline: float) -> str | None:
        """The next line until *deadline*, in seconds of the clock; None then, or at once if none can come."""


Hear = Callable[[str], None]
"""Is told what an engine says beside its answers."""


@dataclass(frozen=True, slots=True)
class Swap2:
    """What an engine answers in a swap2 opening: it takes the side of Black, or it places ``points``."""

    is_swap: bool = False
    points: tuple[Point, ...] = ()


SWAP2_COUNTS = {0: (3,), 3: (1, 2), 5: (1,)}
"""How many points may be answered where so many stones stand."""


class GomocupTalk:
    """The conversation with an engine through *channel*.

    *start_again* ends the program and starts it anew, for engines that know no ``RESTART``; None where that
    cannot be done. *now* is the clock of deadlines.

    After a :class:`Trouble` the engine may be thinking still or be gone: only :meth:`begin` may follow.
    """

    def __init__(
        self,
        channel: Channel,
        start_again: Callable[[], Channel] | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._channel, self._start_again, self._now = channel, start_again, now
        self._setting: Setting | None = None
        self._info: dict[str, str] = {}
        self._known: tuple[Stone, ...] = ()
        self._start_s = OPTIONAL_S

    def begin(self, setting: Setting, info: Mapping[str, object], seconds: float) -> Trouble | None:
        """Have it start an empty board within so many *seconds*, and tell it *info*, what ``INFO`` says."""
        self._setting, self._start_s = setting, seconds
        self._info = {"rule": str(int(setting.rule)), **{key: str(value) for key, value in info.items()}}
        return self._start()

    def move(
        self, stones: Sequence[Stone], deadline: float, info: Mapping[str, object], hear: Hear
    ) -> Point | Trouble:
        """Its move where *stones* stand, in the order of play, as it sees them: the last one is not its own.

        *info* is told before. *hear* gets all that it says meanwhile.
        """
        stones = tuple(stones)
        self._drop()
        if (trouble := self._go_to(stones)) is not None:
            return trouble
        self._inform(info)
        if not stones:
            self._channel.send("BEGIN")
        elif self._known == stones[:-1] and stones[-1][2] == Field.OTHER:
            self._channel.send(f"TURN {format_point(stones[-1][:2])}")
        else:
            self._send(board_lines(stones))
        found = self._await_move(deadline, hear)
        if not isinstance(found, Trouble):
            self._known = (*stones, (*found, Field.OWN))
        return found

    def swap2(self, points: Sequence[Point], deadline: float, hear: Hear) -> Swap2 | Trouble:
        """What it answers in a swap2 opening where *points* were placed by turns: none, three or five."""
        self._drop()
        self._send(("SWAP2BOARD", *map(format_point, points), DONE))
        said = ""
        while (line := self._channel.receive(deadline)) is not None:
            reply = parse_reply(line)
            if reply.kind in (Kind.ERROR, Kind.UNKNOWN):
                return Trouble(Reason.UNABLE, line)
            if line.strip().upper() == "SWAP" and points:
                return Swap2(is_swap=True)
            if placed := parse_points(line):
                if len(placed) in SWAP2_COUNTS[len(points)]:
                    return Swap2(points=placed)
                return Trouble(Reason.ILLEGAL_TEXT, line)
            said = line if reply.kind is Kind.OTHER else said
            hear(line)
        return self._silence(deadline, Reason.TOO_SLOW, said)

    def about(self, seconds: float = OPTIONAL_S) -> str:
        """What it says of itself; nothing where it says nothing."""
        self._drop()
        self._channel.send("ABOUT")
        deadline = self._now() + seconds
        while (line := self._channel.receive(deadline)) is not None:
            kind = parse_reply(line).kind
            if kind is Kind.OTHER:
                return line
            if kind in (Kind.ERROR, Kind.UNKNOWN):
                break
        return ""

    def stop(self) -> None:
        """Ask for its move now; only some engines know how to."""
        self._channel.send("YXSTOP")

    # From one position to another

    def _start(self) -> Trouble | None:
        assert self._setting is not None  # noqa: S101 - nothing else comes first
        self._drop()
        self._channel.send(self._setting.start)
        trouble = self._await_ok(self._now() + self._start_s, Reason.START_TIMEOUT)
        self._known = ()
        if trouble is None:
            self._inform(self._info)
        return trouble

    def _go_to(self, stones: tuple[Stone, ...]) -> Trouble | None:
        """Bring it to a position from which *stones* can be told."""
        if self._takes_back(stones):
            return None
        return self._restart() if stones[: len(self._known)] != self._known else None

    def _takes_back(self, stones: tuple[Stone, ...]) -> bool:
        """Take stones back until those are left that stand in *stones*, all but the last; whether it did.

        Where none would be left a new board is quicker.
        """
        common = stones[:-1]
        if not common or self._known[: len(common)] != common or len(self._known) == len(common):
            return False
        while len(self._known) > len(common):
            self._channel.send(f"TAKEBACK {format_point(self._known[-1][:2])}")
            if self._await_ok(self._now() + OPTIONAL_S, Reason.TOO_SLOW) is not None:
                return False
            self._known = self._known[:-1]
        return True

    def _restart(self) -> Trouble | None:
        """An empty board of the same size: by ``RESTART``, else by a new process."""
        self._channel.send("RESTART")
        if self._await_ok(self._now() + self._start_s, Reason.START_TIMEOUT) is None:
            self._known = ()
            return None
        if self._start_again is None:
            return self._start()
        self._channel.send("END")
        self._channel = self._start_again()
        return self._start()

    # Lines

    def _send(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._channel.send(line)

    def _inform(self, info: Mapping[str, object]) -> None:
        self._send([f"INFO {key} {value}" for key, value in info.items()])

    def _drop(self) -> None:
        """Drop what it has said when nothing was asked."""
        for _ in range(MAX_UNREAD):
            if self._channel.receive(self._now()) is None:
                break

    def _await_ok(self, deadline: float, late: Reason) -> Trouble | None:
        said = ""
        while (line := self._channel.receive(deadline)) is not None:
            kind = parse_reply(line).kind
            if kind is Kind.OK:
                return None
            if kind in (Kind.ERROR, Kind.UNKNOWN):
                return Trouble(Reason.UNABLE, line)
            said = line
        return self._silence(deadline, late, said)

    def _await_move(self, deadline: float, hear: Hear) -> Point | Trouble:
        """The first move that it says. A complaint may be of something else, and does not end its turn."""
        complaint = said = ""
        while (line := self._channel.receive(deadline)) is not None:
            reply = parse_reply(line)
            if reply.kind is Kind.MOVE and reply.point is not None:
                return reply.point
            if reply.kind is Kind.SUGGESTION and reply.point is not None:
                return self._accept(reply, deadline)
            if reply.kind in (Kind.ERROR, Kind.UNKNOWN):
                complaint = line
            elif reply.kind is Kind.OTHER:
                said = line
            hear(line)
        if complaint:
            return self._silence(deadline, Reason.UNABLE, complaint)
        return self._silence(deadline, Reason.TOO_SLOW, said)

    def _accept(self, suggestion: Reply, deadline: float) -> Point:
        """The move that it makes when it is told to play what it suggests; else what it suggested."""
        assert suggestion.point is not None  # noqa: S101 - the caller looked
        self._channel.send(f"PLAY {format_point(suggestion.point)}")
        deadline = min(deadline, self._now() + OPTIONAL_S)
        while (line := self._channel.receive(deadline)) is not None:
            if (point := parse_reply(line).point) is not None:
                return point
        return suggestion.point

    def _silence(self, deadline: float, late: Reason, said: str) -> Trouble:
        """Why no line came: before *deadline* that is because none can come any more."""
        return Trouble(late if self._now() >= deadline else Reason.GONE, said)
