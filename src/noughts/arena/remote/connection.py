"""The connection of one seat to its room: a thread that reads the states, and one that sends the commands."""

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from noughts.arena.remote.client import Client, ServerEvent, StaleAnswer
from noughts.arena.remote.remote_state import RemoteState
from noughts.errors import NoughtsError, ServerFailed, StaleRoom

FIRST_WAIT, LONGEST_WAIT = 0.5, 10.0
"""The seconds before the first attempt to connect again, and the longest wait between two attempts."""

CLOSING_SECONDS = 1.0
"""The longest wait for the end of a thread."""

MAX_STALE = 5
"""The number of times that a command is sent again because the room has changed meanwhile."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A command as JSON, the state for which it was given, and the key under which it is executed once."""

    command: Mapping[str, Any]
    state: RemoteState
    key: str


@dataclass(frozen=True, slots=True)
class ConnectionChange:
    """The connection was lost or is back."""

    is_online: bool


@dataclass(frozen=True, slots=True)
class CommandAnswered:
    """The present command was executed, or refused with ``error``."""

    error: NoughtsError | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The room cannot be followed any more."""

    error: NoughtsError


Heard = RemoteState | ConnectionChange | CommandAnswered | Ended


class RoomConnection:
    """The connection to *room* with the seat *token*, empty for a spectator.

    *clients* makes the clients of the two threads. After each addition to ``heard`` one of the threads calls
    *on_news*. A command is sent until the server has answered, also over a lost connection.
    """

    def __init__(
        self, clients: Callable[[], Client], room: str, token: str, on_news: Callable[[], object]
    ) -> None:
        self.heard: SimpleQueue[Heard] = SimpleQueue()
        self._room, self._token, self._on_news = room, token, on_news
        self._reader, self._sender = clients(), clients()
        self._commands: SimpleQueue[Sent | None] = SimpleQueue()
        self._closed = threading.Event()
        self._again = threading.Event()
        self._is_online = True
        self._last = ""
        self._threads = [
            threading.Thread(target=work, name=f"noughts-{name}", daemon=True)
            for name, work in (("reader", self._read_on), ("sender", self._send_on))
        ]
        for thread in self._threads:
            thread.start()

    def send(self, command: Mapping[str, Any], state: RemoteState) -> None:
        """Send *command*, which was given for *state*."""
        self._commands.put(Sent(command, state, secrets.token_urlsafe(16)))

    def close(self) -> None:
        """End both threads."""
        self._closed.set()
        self._commands.put(None)
        self._again.set()
        self._reader.close()
        self._sender.close()
        for thread in self._threads:
            thread.join(CLOSING_SECONDS)

    # The reader

    def _read_on(self) -> None:
        with self._reader:
            self._follow()

    def _follow(self) -> None:
        wait = FIRST_WAIT
        while not self._closed.is_set():
            seconds = 0
            try:
                for event in self._reader.events(f"/api/rooms/{self._room}/events", self._token, self._last):
                    wait = FIRST_WAIT
                    self._take(event)
            except NoughtsError as error:
                if not _may_pass(error):
                    self._add(Ended(error))
                    return
                seconds = error.seconds if isinstance(error, ServerFailed) else 0
                if not seconds:
                    self._note_online(is_online=False)
            self._closed.wait(max(wait, seconds))
            wait = min(LONGEST_WAIT, 2 * wait)

    def _take(self, event: ServerEvent) -> None:
        if event.name == "state":
            self._add(self._state(event.data))
            self._last = event.number
        self._note_online(is_online=True)

    def _state(self, value: object) -> RemoteState:
        try:
            return RemoteState.of(value)
        except ValueError:
            raise ServerFailed(self._reader.origin, "not-ours") from None

    def _note_online(self, *, is_online: bool) -> None:
        if is_online is not self._is_online:
            self._is_online = is_online
            self._add(ConnectionChange(is_online))
        if is_online:
            self._again.set()

    # The sender

    def _send_on(self) -> None:
        with self._sender:
            while (sent := self._commands.get()) is not None and not self._closed.is_set():
                try:
                    self._deliver(sent)
                except NoughtsError as error:
                    self._add(CommandAnswered(error))
                else:
                    self._add(CommandAnswered())

    def _deliver(self, sent: Sent) -> None:
        """Send a command until the server has executed or refused it."""
        version, wait, changes = sent.state.version, FIRST_WAIT, 0
        while True:
            body = {"version": version, "key": sent.key, "command": sent.command}
            self._again.clear()
            try:
                answer = self._sender.ask(f"/api/rooms/{self._room}/commands", body, self._token)
            except StaleAnswer as stale:
                state, changes = self._state(stale.state), changes + 1
                self._add(state)
                if not _still_fits(sent, state) or changes > MAX_STALE:
                    raise StaleRoom(state) from None
                version = state.version
            except NoughtsError as error:
                if not _may_pass(error):
                    raise
                seconds = error.seconds if isinstance(error, ServerFailed) else 0
                if seconds:
                    self._closed.wait(seconds)
                else:
                    self._note_online(is_online=False)
                    self._again.wait(wait)  # The reader may be connected again earlier.
                wait = min(LONGEST_WAIT, 2 * wait)
                if self._closed.is_set():
                    raise
            else:
                self._add(self._state(answer.get("state") if isinstance(answer, dict) else None))
                return

    def _add(self, heard: Heard) -> None:
        self.heard.put(heard)
        self._on_news()


def _may_pass(error: NoughtsError) -> bool:
    """Return True if the same request may succeed later."""
    return isinstance(error, ServerFailed) and error.may_pass


def _still_fits(sent: Sent, state: RemoteState) -> bool:
    """Return True if a command that was given for an earlier state still means the same in *state*.

    A move and a take-back fit if no other move was made. An answer fits if the same offer is open too.
    """
    kind, before = sent.command["type"], sent.state
    if state.number != before.number:
        return False
    is_same_position = (len(state.moves), state.turn) == (len(before.moves), before.turn)
    if kind in ("move", "swap", "put", "take-back"):
        return is_same_position
    return kind not in ("accept", "decline") or (is_same_position and state.offer == before.offer)
