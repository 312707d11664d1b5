"""The client against servers that answer badly: nothing is followed, executed or read without end."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from noughts.arena.remote import client as client_module
from noughts.arena.remote.address import parse_address
from noughts.arena.remote.client import Client, StaleAnswer
from noughts.arena.remote.remote_state import RemoteState, shown_name
from noughts.errors import NotationError, NotFound, NoughtsError, SeatTaken, ServerFailed


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """Yield the origin of a server that gives *answers*, one for each connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            for data in answers:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(data)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(10)


def response(status: int, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def refusal(status: int, code: str, **facts: object) -> bytes:
    return response(status, json.dumps({"error": {"code": code, **facts}, "state": 7}).encode())


@pytest.mark.parametrize(
    ("answer", "reason", "words"),
    [
        (
            response(301, b"", "Location: http://evil.example/\x1b[2J"),
            "moved",
            "http://evil.example/\\x1b[2J",
        ),
        (response(200, b"<html>"), "not-ours", ""),
        (response(200, b"[" * 100_000), "not-ours", ""),
        (response(404, b"{}"), "not-ours", ""),
        (response(404, b"<html>"), "not-ours", ""),
        (response(429, b"slow down", "Retry-After: 7"), "busy", ""),
        (response(503, b"", "Retry-After: " + "9" * 50), "busy", ""),
        (refusal(403, "not-your-seat", sentence="\u2068No\u2069\x1b]0;x\x07"), "refused", "No\\x1b]0;x\\x07"),
        (refusal(422, "invalid", sentence="x" * 10_000), "refused", "x" * 300),
        (b"SSH-2.0-hello\r\n", "unreachable", ""),
        (b"", "unreachable", ""),
        (response(200, b"{}")[:-1], "unreachable", ""),
    ],
)
def test_client_explains_bad_answers(answer: bytes, reason: str, words: str) -> None:
    with answering(answer) as origin, Client(origin) as client, pytest.raises(ServerFailed) as error:
        client.ask("/api/rooms/abc")
    assert (error.value.reason, error.value.words) == (reason, words)
    assert error.value.may_pass == (reason in ("unreachable", "busy"))


def test_client_raises_errors_of_the_api() -> None:
    for answer, kind in (
        (refusal(404, "not-found", what="room"), NotFound),
        (refusal(409, "seat-taken"), SeatTaken),
        (refusal(409, "stale"), StaleAnswer),
    ):
        with answering(answer) as origin, Client(origin) as client, pytest.raises(kind):
            client.ask("/api/join", {"code": "ABCDEF"})


def test_client_reads_no_endless_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_ANSWER", 1_000)
    stream = response(200, b"data: " + b"x" * 2_000, "Content-Type: text/event-stream")
    answer = response(200, b'"' + b"x" * 2_000)
    with (
        answering(answer) as origin,
        Client(origin) as client,
        pytest.raises(ServerFailed, match="too large"),
    ):
        client.ask("/")
    with (
        answering(stream) as origin,
        Client(origin) as client,
        pytest.raises(ServerFailed, match="too large"),
    ):
        list(client.events("/"))


def test_client_reads_events_and_refuses_pages() -> None:
    body = b': hello\n\nevent: state\nid: 7\ndata: {"a":\ndata: 1}\n\nevent: late\ndata: 2\n\ndata: cut'
    stream = response(200, body, "Content-Type: text/event-stream; charset=utf-8")
    with answering(stream, response(200, b"{}")) as origin, Client(origin) as client:
        events = [(event.name, event.data, event.number) for event in client.events("/", "token", "3")]
        with pytest.raises(ServerFailed, match="not ours"):
            list(client.events("/"))
    assert events == [("state", {"a": 1}, "7"), ("late", 2, "")]


def test_closed_client_sends_nothing() -> None:
    with answering() as origin:
        client = Client(origin)
        client.close()
        with pytest.raises(ServerFailed):
            client.ask("/")
        client.drop()


@pytest.mark.parametrize(
    "text",
    ["", "abc", "ftp://x/r/abcdefghij", "http://", "http://x/r/short", "http://a@x/r/abcdefghij", "http://x:y/AB",
     "http://x/r/abcdefghij#seat=1", "x y", "http://x/\x1b", "x" * 3_000, "http://x/r/abcdefghij/more"],
)  # fmt: skip
def test_address_refuses_other_texts(text: str) -> None:
    with pytest.raises(NotationError):
        parse_address(text)


def test_state_refuses_anything_else() -> None:
    values: list[object] = [None, [], {}, {"game": {}}, {"players": [1]}, {"game": {"name": 3}}, 7]
    for value in values:
        with pytest.raises(ValueError, match=r"\w"):
            RemoteState.of(value)


def test_names_control_no_terminal() -> None:
    assert shown_name("\x1b]52;c;x\x07Ada\u202e") == "\\x1b]52;c;x\\x07Ada\\u202e"
    assert shown_name("w" * 10_000).endswith("…")
    assert [shown_name(text) for text in ("", " ", "\u200b" * 3, 5)] == [
        "?",
        "?",
        "\\u200b\\u200b\\u200b",
        "?",
    ]
    assert issubclass(ServerFailed, NoughtsError)
