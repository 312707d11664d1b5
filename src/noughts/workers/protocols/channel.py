"""The channel of lines to and from a program, which all protocols use, and its faults."""

from dataclasses import dataclass
from typing import Literal, Protocol

STOP_SECONDS = 10.0
"""Seconds in which a program must move after it was told to stop thinking."""

FaultReason = Literal["crashed", "flooded", "too-slow", "cannot-run", "too-much-memory", "too-many-processes"]


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why a program cannot continue.

    ``crashed``: it ended, or closed a pipe. ``flooded``: it wrote too much. ``too-slow``: it does not read
    its input. ``cannot-run``: the system could not start it. ``too-much-memory`` and ``too-many-processes``
    are about the program and all its processes together. ``detail`` is for its author.
    """

    reason: FaultReason
    detail: str = ""


class Channel(Protocol):
    """Lines to a program and from it. :class:`~noughts.workers.programs.program.Program` is one."""

    def send(self, line: str) -> None:
        """Send *line* without waiting. Nothing is sent to a program that has ended."""

    def receive(self, deadline: float) -> str | None:
        """Return the next line, or None at *deadline*, in seconds of the clock.

        None is returned at once if no more lines can come.
        """

    def drop(self) -> list[str]:
        """Discard and return the lines that have come."""

    @property
    def fault(self) -> Fault | None:
        """The reason why no more lines will come, or None."""
