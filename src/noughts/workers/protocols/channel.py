"""Lines to a program and from it, as all protocols need them, and why none come any more."""

from dataclasses import dataclass
from typing import Literal, Protocol

STOP_SECONDS = 10.0
"""How long a program has for its move once it was told that it is wanted now."""

FaultReason = Literal["crashed", "flooded", "too-slow", "cannot-run", "too-much-memory", "too-many-processes"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a program cannot go on.

    ``crashed``: it ended, or closed a pipe; ``flooded``: it wrote too much; ``too-slow``: it does not read
    what it is sent; ``cannot-run``: the system could not start it. ``too-much-memory`` and
    ``too-many-processes`` are about it and all its processes together. ``detail`` is for its author.
    """

    reason: FaultReason
    detail: str = ""


class Channel(Protocol):
    """Lines to a program and from it, as :class:`~noughts.workers.programs.program.Program` has them."""

    def send(self, line: str) -> None:
        """Send *line*, without waiting; to one that has gone nothing is sent."""

    def receive(self, deadline: float) -> str | None:
        """The next line until *deadline*, in seconds of the clock; None then, or at once if none can come."""

    def drop(self) -> list[str]:
        """Throw away what has come."""

    @property
    def fault(self) -> Fault | None:
        """Why nothing will come any more."""
