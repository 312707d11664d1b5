"""``noughts serve`` without a server: options, environment, and the printed addresses."""

import errno
import io
import ipaddress
import logging
import socket
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.store import sqlite_file
from noughts.install import install_commands
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web import network, serving
from noughts.interfaces.web.http import metrics
from noughts.interfaces.web.http.limits import Rate, ServerLimits
from noughts.interfaces.web.service import ServerOptions
from noughts.workers.programs import sandbox
from noughts.workers.programs.bot_list import Bot, save_bots
from tests.interfaces.harness import Program

PORT = 4242

LAN = ["192.0.2.7", "198.51.100.3"], ["fd00::7"]
"""The addresses of this machine in the network: those of IPv4, and those of IPv6."""


class Deaf:
    """A stand-in for a listening socket at the address of *host*, which gets no connections."""

    def __init__(self, host: str) -> None:
        self.address = {"": "0.0.0.0", "localhost": "127.0.0.1", "here": "127.0.1.1"}.get(host, host)

    def __enter__(self) -> "Deaf":
        return self

    def __exit__(self, *_: object) -> None: ...

    def getsockname(self) -> tuple[str, int]:
        return self.address, PORT


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[ServerOptions]:
    """Replace the server: it is ready at once and ends at once. Return its settings."""
    seen: list[ServerOptions] = []

    def serve(requests: ServerOptions, listener: Any, on_ready: Callable[[], None]) -> bool:
        seen.append(requests)
        on_ready()
        return True

    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.setattr(network, "listening_socket", lambda host, port: Deaf(host))
    monkeypatch.setattr(network, "addresses_in_network", lambda bound="": LAN[":" in bound])
    return seen


def test_options_come_before_the_environment(served: list[ServerOptions], tmp_path: Path) -> None:
    program = Program(tmp_path).under(
        NOUGHTS_DB="postgresql://db/games",
        NOUGHTS_WORKERS="3",
        NOUGHTS_THINKERS="2",
        NOUGHTS_PROXY="127.0.0.1 2001:db8::/32",
        NOUGHTS_ORIGIN="https://a.example https://b.example",
        NOUGHTS_LIMIT="streams=9 rooms=1.5/4",
        NOUGHTS_PORT="70000",
    )
    ran = program.run("serve", "--port", "0", "--workers", "1", "--lang", "en")
    say = Translator("en")
    notes = ("serve-open", "serve-stop")
    assert ran.status == 0
    assert [say("serve-starting"), *map(say, notes)] == [
        line for line in ran.errors.splitlines() if "--lan" not in line
    ]
    assert served == [
        ServerOptions(
            "postgresql://db/games",
            workers=1,
            thinkers=2,
            hosts=("127.0.0.1", "127.0.0.1"),
            origins=("https://a.example", "https://b.example"),
            proxies=("127.0.0.1/32", "::ffff:7f00:1/128", "2001:db8::/32"),
            limits=ServerLimits(streams=9, rooms=Rate(1.5, 4)),
        )
    ]
    assert program.run("serve").status == 2  # The port in the environment cannot be used.


@pytest.mark.usefixtures("served")
def test_serve_names_the_missing_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("noughts.interfaces.cli.serving.keys_are_available", lambda: False)
    *_, note, _ = Program(tmp_path).run("serve", "--lang", "en").errors.splitlines()
    assert note == Translator("en")("serve-without-meet", **install_commands("meet"))
    assert "[meet]" in note


HERE = [("serve-open", {}), ("serve-only-here", {"command": "noughts serve --lan"})]


@pytest.mark.parametrize(
    ("host", "shown", "notes"),
    [
        ("127.0.0.1", "127.0.0.1", HERE),
        ("localhost", "127.0.0.1", HERE),
        ("here", "127.0.1.1", HERE),
        ("::1", "[::1]", HERE),
        ("192.0.2.7", "192.0.2.7", [("serve-open-in-network", {})]),
        ("0.0.0.0", "127.0.0.1", [("serve-open", {}), ("serve-in-network", {"address": "192.0.2.7"})]),
        ("", "127.0.0.1", [("serve-open", {}), ("serve-in-network", {"address": "192.0.2.7"})]),
        ("::", "[::1]", [("serve-open", {}), ("serve-in-network", {"address": "[fd00::7]"})]),
    ],
)
def test_serve_prints_only_address_to_output(
    host: str,
    shown: str,
    notes: list[tuple[str, dict[str, str]]],
    served: list[ServerOptions],
    tmp_path: Path,
) -> None:
    """The notes about opening and stopping the server fit each kind of address."""
    ran, say = Program(tmp_path).run("serve", "--host", host, "--lang", "ru"), Translator("ru")
    assert ran.lines == [f"http://{shown}:{PORT}/"]
    addressed = [
        (id_, {name: f"http://{text}:{PORT}/" if name == "address" else text for name, text in facts.items()})
        for id_, facts in notes
    ]
    expected = [say("serve-starting"), *(say(id_, **facts) for id_, facts in addressed), say("serve-stop")]
    assert ran.errors.splitlines() == expected
    shared = [facts["address"].rstrip("/") for _, facts in addressed if "address" in facts]
    assert [each.network for each in served] == (shared or [""])


def test_serve_gives_no_hint_without_network(
    served: list[ServerOptions], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(network, "addresses_in_network", lambda bound="": [])
    ran, say = Program(tmp_path).run("serve", "--host", "0.0.0.0", "--lang", "en"), Translator("en")
    assert ran.lines == [f"http://127.0.0.1:{PORT}/"]
    assert ran.errors.splitlines() == [say(f"serve-{note}") for note in ("starting", "open", "stop")]


def test_serve_fails_if_workers_fail(
    served: list[ServerOptions], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serving, "serve", lambda *_: False)
    ran = Program(tmp_path).run("serve")
    assert (ran.status, ran.output) == (1, "")


def test_serve_refuses_privileged_port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(host: str, port: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(network, "listening_socket", refuse)
    ran = Program(tmp_path).run("serve", "--port", "80", "--lang", "ru")
    assert (ran.status, ran.output) == (2, "")
    assert ran.errors.strip() == Translator("ru")("serve-port-forbidden", port="80")


def test_serve_refuses_locked_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = Program(tmp_path)
    monkeypatch.setattr(sqlite_file.file_pool, "__defaults__", (0.0,))
    monkeypatch.setattr("noughts.arena.store.database.open_database.__defaults__", (0.0,))
    with closing(sqlite3.connect(program.database, isolation_level=None)) as other:
        other.execute("begin exclusive")
        ran = program.run("serve", "--port", "0", "--lang", "ru")
    assert (ran.status, ran.output) == (2, "")
    assert Translator("ru")("store-reason-locked") in ran.errors


@pytest.mark.parametrize(
    ("own", "bound", "result"),
    [
        ((), "", []),
        (("127.0.0.1", "::1", "169.254.3.4", "fe80::1%eth0", "0.0.0.0"), "", []),
        (("192.168.1.5", "10.0.0.7", "fd00::2", "192.168.1.5"), "", ["192.168.1.5", "10.0.0.7"]),
        (("::1", "fd00::2"), "", ["fd00::2"]),
        (("192.168.1.5", "fd00::2"), "::", ["fd00::2"]),
        (("::1", "fd00::2"), "0.0.0.0", []),
    ],
)
def test_addresses_in_network_are_reachable(
    own: tuple[str, ...], bound: str, result: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[bool] = []

    def addresses_of_name() -> list[str]:
        looked_up.append(True)
        return ["127.0.1.1"]

    monkeypatch.setattr(network, "_own_addresses", lambda: iter(own))
    monkeypatch.setattr(network, "_addresses_of_name", addresses_of_name)
    assert network.addresses_in_network(bound) == result
    assert bool(looked_up) == (not any(map(network._is_reachable, own)))  # The lookup may take seconds.


def test_own_addresses_are_found_without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loopback interface has an address in every network namespace."""
    assert "127.0.0.1" in network._addresses_of_interfaces()
    assert all(map(ipaddress.ip_address, network.addresses_in_network()))
    monkeypatch.setattr(sys, "platform", "sunos")
    monkeypatch.setattr(socket, "gethostname", lambda: "localhost")
    assert {"127.0.0.1", "::1"}.intersection(network._own_addresses())


def test_lan_serves_the_network(served: list[ServerOptions], tmp_path: Path) -> None:
    ran = Program(tmp_path).run("serve", "--lan", "--lang", "ru")
    assert (ran.status, ran.lines) == (0, [f"http://192.0.2.7:{PORT}/"])
    (serving_,) = served
    assert serving_.hosts == ("192.0.2.7", "198.51.100.3")
    assert serving_.origins == (serving_.network,) == (f"http://192.0.2.7:{PORT}",)
    say = Translator("ru")
    assert ran.errors.splitlines() == [
        say(id_) for id_ in ("serve-starting", "serve-open-in-network", "serve-stop")
    ]


@pytest.mark.usefixtures("served")
def test_lan_shows_a_picture_on_a_terminal(tmp_path: Path) -> None:
    program = Program(tmp_path).under(LANG="C.UTF-8", TERM="xterm")
    ran = program.run("serve", "--lan", is_terminal=True)
    assert ran.lines == [f"http://192.0.2.7:{PORT}/"]
    coloured = ran.errors.splitlines()[1:-2]
    plain = program.under(NO_COLOR="1").run("serve", "--lan", is_terminal=True).errors.splitlines()[1:-2]
    assert len(coloured) == len(plain) <= 20
    assert all("\x1b[" in line for line in coloured)
    assert {len(line) for line in plain} == {29}
    assert "\x1b" not in "".join(plain)


@pytest.mark.usefixtures("served")
def test_lan_needs_network_and_no_host(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, say = Program(tmp_path), Translator("en")
    ran = program.run("serve", "--lan", "--host", "127.0.0.1", "--lang", "en")
    assert (ran.status, ran.output, ran.errors.strip()) == (2, "", say("serve-lan-or-host"))
    assert program.under(NOUGHTS_HOST="::", NOUGHTS_LAN="1").run("serve").status == 2
    monkeypatch.setattr(network, "addresses_in_network", list)
    ran = program.run("serve", "--lan", "--lang", "en")
    assert (ran.status, ran.output, ran.errors.strip()) == (2, "", say("serve-no-network"))


@pytest.mark.parametrize("is_terminal", [True, False])
def test_requests_are_logged_only_if_wanted(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    facts = {
        "method": "GET",
        "route": "/",
        "room": None,
        "status": 200,
        "milliseconds": 1.5,
        "address": "::1",
    }
    names = ("noughts", "uvicorn", "uvicorn.error")
    stored = [(log := logging.getLogger(name), log.handlers, log.level, log.propagate) for name in names]
    try:
        for wanted in (False, True):
            metrics.set_up_log(requests=wanted)
            metrics.LOG.info("request", extra={"facts": facts})
        metrics.LOG.warning("odd", extra={"facts": {"what": "it"}})
        try:
            raise ValueError("broken")
        except ValueError:
            metrics.LOG.exception("failed")
    finally:
        for log, handlers, level, propagate in stored:
            log.handlers, log.propagate = handlers, propagate
            log.setLevel(level)
    lines = stream.getvalue().splitlines()
    assert sum("GET" in line for line in lines) == 1
    assert lines[0].endswith("GET / 200 1.5 ms ::1" if is_terminal else '"address": "::1"}')
    assert ("WARNING odd what=it" in lines[1]) == is_terminal
    assert "ValueError: broken" in lines[-1]


def test_serve_offers_usable_bots(
    served: list[ServerOptions], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    save_bots({name: Bot(name, ("/bin/cat",), trust=name != "fenced") for name in ("ada", "bo", "fenced")})
    program = Program(tmp_path)
    assert program.run("serve", "--bot", "bo", "--bot", "ada").status == 0
    assert program.under(NOUGHTS_BOT="ada bo").run("serve").status == 0
    assert [requests.bots for requests in served] == [("bo", "ada"), ("ada", "bo")]
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: "bwrap: barred")
    for name, text in (("nobody", "ada, bo, fenced"), ("fenced", "bwrap: barred")):
        ran = program.run("serve", "--bot", name)
        assert (ran.status, ran.errors.count("\n"), text in ran.errors) == (2, 1, True)
    save_bots({})
    assert Translator("en")("no-bots") in program.run("serve", "--bot", "ada", "--lang", "en").errors
    assert len(served) == 2
