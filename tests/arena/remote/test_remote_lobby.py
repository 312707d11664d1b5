"""The lobby of a server that answers with anything, and that comes and goes."""

from collections import deque
from collections.abc import Iterator
from typing import Any, Self, cast

import pytest

from noughts.arena.clock import Clock
from noughts.arena.remote.client import Client, ServerEvent
from noughts.arena.remote.remote_lobby import RemoteLobby, RemoteOffer
from noughts.errors import NoughtsError, ServerFailed

OFFER = {
    "number": 7,
    "name": "Wei",
    "games": [{"name": "gomoku", "title": "Gomoku"}],
    "clocks": [{"per_move": 10_000, "base": None, "increment": 0}],
    "ratings": {},
    "rated": False,
}
OWN: dict[str, Any] = {"offer": None, "room": None, "challenge": None, "asked": []}


class Script:
    """A client whose requests get prepared answers, and whose stream has prepared events."""

    origin = "http://server"

    def __init__(self, *events: ServerEvent | NoughtsError, answer: Any = None) -> None:
        self._events, self._answer = deque(events), answer
        self.asked: list[tuple[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def events(self, path: str, token: str) -> Iterator[ServerEvent]:
        while self._events:
            event = self._events.popleft()
            if isinstance(event, NoughtsError):
                raise event
            yield event
        raise ServerFailed(self.origin, "refused", "gone", 403)

    def ask(self, path: str, body: Any = None, token: str = "") -> Any:
        self.asked.append((path, body))
        return self._answer

    def close(self) -> None: ...

    drop = close


def lobby_of(*events: ServerEvent | NoughtsError, answer: Any = None) -> tuple[RemoteLobby, Script]:
    """Return a lobby that has heard *events*, and its client."""
    script = Script(*events, answer=answer)
    made = RemoteLobby(lambda: cast("Client", script), "Ada", lambda: None)
    made._thread.join()
    return made, script


def event(name: str, **data: Any) -> ServerEvent:
    return ServerEvent(name, data, "")


@pytest.mark.parametrize(
    "news",
    [
        event("lobby", offers=[{**OFFER, "number": True}]),
        event("lobby", offers=[{**OFFER, "games": []}]),
        event("lobby", offers=[{**OFFER, "clocks": [{"per_move": "1", "base": None, "increment": 0}]}]),
        event("changes", new=None, gone=[]),
        event("own", **{**OWN, "room": "../../etc"}),
    ],
)
def test_strange_news_end_the_lobby(news: ServerEvent) -> None:
    lobby, _ = lobby_of(news)
    lobby.receive()
    assert isinstance(lobby.ended, ServerFailed)
    assert lobby.offers == {}


def test_lost_connection_keeps_the_offers() -> None:
    lobby, _ = lobby_of(event("lobby", offers=[OFFER]), event("own", **OWN))
    assert lobby.receive() == [1]
    lobby._hear(ServerFailed(lobby.origin, "unreachable"))
    lobby.receive()
    assert lobby.failure is not None
    assert list(lobby.offers) == [1]
    lobby._hear(event("changes", new=[], gone=[{"number": 7}]))
    lobby.receive()
    assert lobby.failure is None
    assert lobby.offers == {}


@pytest.mark.parametrize("answer", [None, {"room": 5}, {"room": "a/b"}, {"games": [5]}])
def test_strange_answers_are_reported(answer: Any) -> None:
    lobby, script = lobby_of(answer=answer)
    offer = RemoteOffer(7, "Wei", "Gomoku", ("gomoku",), (Clock(per_move=10_000),), False, None, False)
    with pytest.raises(ServerFailed, match="server"):
        lobby.take(offer)
    assert script.asked[-1][1]["clock"] == {"per_move": 10_000}
    with pytest.raises(ServerFailed, match="server"):
        lobby.public_games()


def test_offers_and_challenges_are_withdrawn() -> None:
    lobby, script = lobby_of(answer={"number": 3})
    lobby.offer("gomoku", Clock(base=60_000))
    lobby._hear(event("own", **{**OWN, "offer": {"number": 3}, "challenge": {"number": 4, "state": "open"}}))
    lobby.receive()
    lobby.withdraw()
    lobby.offer("gomoku", Clock(base=60_000), to="Wei")
    paths = [path for path, _ in script.asked]
    ended = ["/api/offers/3/withdraw", "/api/offers/4/withdraw"]
    assert paths == ["/api/offers", *ended, "/api/challenges"]


def test_late_event_does_not_hide_a_new_offer() -> None:
    lobby, script = lobby_of(answer={"number": 3})
    lobby.offer("gomoku", Clock(base=60_000))
    lobby._hear(event("own", **OWN))  # The server sent it before the offer.
    lobby.receive()
    lobby.withdraw()
    lobby.withdraw()
    assert [path for path, _ in script.asked] == ["/api/offers", "/api/offers/3/withdraw"]
