"""The manager's side of the protocol ``noughts 1``: one question at a time, each with a deadline."""

from collections.abc import Callable
from time import monotonic

from noughts.errors import NotFound, NoughtsError, PlayerAtFault, UnsupportedRules
from noughts.text import safe_text
from noughts.workers.protocols import noughts_protocol
from noughts.workers.protocols.channel import STOP_SECONDS, Channel
from noughts.workers.protocols.noughts_protocol import ProtocolLine, parse_line

REPLY_SECONDS = 30.0
"""Seconds for an answer that needs no search. Examining a game may take seconds."""

POLL_SECONDS = 0.02
"""Seconds between checks whether an answer is still wanted."""

MAX_TEXT_LENGTH = 400
"""The maximum length of texts of a program that are stored, in characters."""

SETTLED = "settled"
"""The word of a ping. Its return shows that the program has answered all earlier lines."""

FORFEITS = ("raised", "no-move", "illegal-move")
"""The faults that an engine may report about its player."""


class ProgramClient:
    """The conversation with the program of the player *name* through *channel*."""

    def __init__(self, name: str, channel: Channel) -> None:
        self._name, self._channel = name, channel
        self.cans: list[ProtocolLine] = []
        self.facts: dict[str, str] = {}
        """The program's description of itself: name, version, author."""
        self.options: dict[str, str] = {}
        """The program's descriptions of its options, by name."""

    def greet(self, seconds: float, begun: str | None = None) -> None:
        """Greet the program and read its description. *begun* is its first line if it was greeted already.

        Raises the same errors as :meth:`command`.
        """
        if begun is None:
            self._channel.send(noughts_protocol.GREETING)
        deadline = monotonic() + seconds
        line = self._next(deadline) if begun is None else parse_line(begun)
        while line is not None:
            match line.word:
                case "ready":
                    return
                case "id":
                    self.facts = {key: safe_text(value)[:MAX_TEXT_LENGTH] for key, value in line.keys.items()}
                case "option" if line.words:
                    self.options[line.words[0]] = safe_text(" ".join(line.words[1:]))[:MAX_TEXT_LENGTH]
                case "can":
                    self.cans.append(line)
                case "error":
                    raise self._failure(line)
            line = self._next(deadline)
        raise PlayerAtFault(self._name, "too-slow", f"not ready after {seconds} s")

    def command(self, text: str, game: str) -> None:
        """Send the command *text* about *game*, and wait for ``ok``.

        Raises :class:`~noughts.errors.UnsupportedRules` if the program does not support the game, and
        :class:`~noughts.errors.PlayerFailed` if it fails.
        """
        self._channel.drop()
        self._channel.send(text)
        deadline = monotonic() + REPLY_SECONDS
        while (line := self._next(deadline)) is not None:
            if line.word == "ok":
                return
            if line.word == "error":
                raise self._failure(line, game)
        raise PlayerAtFault(self._name, "too-slow", f"no answer to {text.split()[0]} after {REPLY_SECONDS} s")

    def settle(self) -> None:
        """Discard late answers to earlier lines."""
        self._channel.send(f"ping {SETTLED}")
        deadline = monotonic() + REPLY_SECONDS
        while (line := self._next(deadline)) is not None and (line.word, *line.words) != ("pong", SETTLED):
            pass

    def ask(
        self,
        text: str,
        answer: str,
        stop: Callable[[], bool],
        seconds: float,
        on_info: Callable[[ProtocolLine], None] = lambda line: None,
    ) -> ProtocolLine:
        """Return the *answer* line to the numbered question *text*. *on_info* gets ``info`` lines.

        The program has *seconds*. When *stop* returns True, the program is told to stop thinking, and has
        :data:`STOP_SECONDS`. Raises the same errors as :meth:`command`.
        """
        number = text.split()[1]
        self._channel.drop()
        self._channel.send(text)
        end, is_stopped = monotonic() + seconds, False
        while (now := monotonic()) < end:
            if not is_stopped and stop():
                is_stopped, end = True, min(end, now + STOP_SECONDS)
                self._channel.send(f"stop {number}")
            line = self._next(min(end, now + POLL_SECONDS))
            if line is None:
                continue
            if line.word == "error" and line.keys.get("number", number) == number:
                raise self._failure(line)
            if line.words[:1] == (number,):
                if line.word == answer:
                    return line
                if line.word == "info":
                    on_info(line)
        late = (
            f"no move {STOP_SECONDS} s after it was told to stop" if is_stopped else f"more than {seconds} s"
        )
        raise PlayerAtFault(self._name, "too-slow", late)

    def _next(self, deadline: float) -> ProtocolLine | None:
        """Return the next line, or None at *deadline*.

        Raise the fault of the program if no more will come.
        """
        text = next_line(self._name, self._channel, deadline)
        return None if text is None else parse_line(text)

    def _failure(self, line: ProtocolLine, game: str = "") -> NoughtsError:
        """Return the exception for an ``error`` line about *game*."""
        if line.words[:1] in (("unsupported",), ("unknown",)):
            return UnsupportedRules(self._name, game, "bot-declines", text=_error_text(line))
        reason = line.keys.get("reason", "")
        if reason == "not-found":
            return NotFound("player", self._name)
        return PlayerAtFault(self._name, reason if reason in FORFEITS else "raised", _error_text(line))


def next_line(name: str, channel: Channel, deadline: float) -> str | None:
    """Return the next line, or None at *deadline*.

    Raises the fault of the player *name* if no more lines will come.
    """
    text = channel.receive(deadline)
    if text is None and (fault := channel.fault) is not None:
        raise PlayerAtFault(name, fault.reason, fault.detail)
    return text


def _error_text(line: ProtocolLine) -> str:
    return safe_text(line.keys.get("text") or line.rest)[:MAX_TEXT_LENGTH]
