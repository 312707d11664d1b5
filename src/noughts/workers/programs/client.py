"""Talking to a program by the protocol ``noughts 1``: one question at a time, each until a deadline."""

from collections.abc import Callable
from time import monotonic

from noughts.errors import NotFound, NoughtsError, PlayerAtFault, UnsupportedRules
from noughts.text import safe_text
from noughts.workers.protocols import noughts_protocol
from noughts.workers.protocols.channel import STOP_SECONDS, Channel
from noughts.workers.protocols.noughts_protocol import ProtocolLine, parse_line

REPLY_SECONDS = 30.0
"""How long a program may take to answer what needs no thought; to look at a game may take it seconds."""

POLL_SECONDS = 0.02
"""Seconds between checks whether an answer is still wanted."""

MAX_TOLD = 400
"""How much is kept of what a program says of itself, in characters."""

SETTLED = "settled"
"""What comes back when it has answered all that was sent before."""

FORFEITS = ("raised", "no-move", "illegal-move")
"""What an engine may say that its player did."""


class ProgramClient:
    """The conversation with the program of the player *name* through *channel*."""

    def __init__(self, name: str, channel: Channel) -> None:
        self._name, self._channel = name, channel
        self.cans: list[ProtocolLine] = []
        self.facts: dict[str, str] = {}
        """What it says of itself: name, version, author."""
        self.options: dict[str, str] = {}
        """Its options by their names, as it describes them."""

    def greet(self, seconds: float, begun: str | None = None) -> None:
        """Hear who it is and what it can; *begun* is the first line of it, where it was greeted already.

        Raises what :meth:`command` raises.
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
                    self.facts = {key: safe_text(value)[:MAX_TOLD] for key, value in line.keys.items()}
                case "option" if line.words:
                    self.options[line.words[0]] = safe_text(" ".join(line.words[1:]))[:MAX_TOLD]
                case "can":
                    self.cans.append(line)
                case "error":
                    raise self._failure(line)
            line = self._next(deadline)
        raise PlayerAtFault(self._name, "too-slow", f"not ready after {seconds} s")

    def command(self, text: str, game: str) -> None:
        """Have it do what *text* says, about *game*.

        Raises :class:`~noughts.errors.UnsupportedRules` where it does not play that, and
        :class:`~noughts.errors.PlayerFailed` where it fails.
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
        """Drop what it may still answer to what was sent before."""
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
        hear: Callable[[ProtocolLine], None] = lambda line: None,
    ) -> ProtocolLine:
        """Its *answer* to the numbered question *text*, within so many *seconds*; *hear* gets what it tells.

        Once *stop* is true it is told to come to its end, for which it has :data:`STOP_SECONDS`. Raises what
        :meth:`command` raises.
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
                    hear(line)
        late = (
            f"no move {STOP_SECONDS} s after it was told to stop" if is_stopped else f"more than {seconds} s"
        )
        raise PlayerAtFault(self._name, "too-slow", late)

    def _next(self, deadline: float) -> ProtocolLine | None:
        """The next line until *deadline*. Raises where none will come any more."""
        text = next_line(self._name, self._channel, deadline)
        return None if text is None else parse_line(text)

    def _failure(self, line: ProtocolLine, game: str = "") -> NoughtsError:
        """What an ``error`` comes to, which is about *game*."""
        if line.words[:1] in (("unsupported",), ("unknown",)):
            return UnsupportedRules(self._name, game, "bot-declines", text=_told(line))
        reason = line.keys.get("reason", "")
        if reason == "not-found":
            return NotFound("player", self._name)
        return PlayerAtFault(self._name, reason if reason in FORFEITS else "raised", _told(line))


def next_line(name: str, channel: Channel, deadline: float) -> str | None:
    """The next line until *deadline*. Raises where none will come any more of the player *name*."""
    text = channel.receive(deadline)
    if text is None and (fault := channel.fault) is not None:
        raise PlayerAtFault(name, fault.reason, fault.detail)
    return text


def _told(line: ProtocolLine) -> str:
    return safe_text(line.keys.get("text") or line.rest)[:MAX_TOLD]
