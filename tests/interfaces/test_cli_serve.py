"""``noughts serve`` without a server: its options, the environment, where it says it can be opened."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.arena.store import sqlite_file
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.web import serving
from noughts.interfaces.web.http.limits import Limits, Rate
from noughts.interfaces.web.service import Serving
from noughts.workers.programs import sandbox
from noughts.workers.programs.bot_list import Bot, save_bots
from tests.interfaces.harness import Program

PORT = 4242


class Deaf:
    """A socket that nobody can come to."""

    def __enter__(self) -> "Deaf":
        return self

    def __exit__(self, *_: object) -> None: ...

    def getsockname(self) -> tuple[str, int]:
        return "", PORT


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Serving]:
    """How would have been served: everything is ready at once and over at once."""
    seen: list[Serving] = []

    def serve(asked: Serving, listener: Any, on_ready: Callable[[], None]) -> bool:
        seen.append(asked)
        on_ready()
        return True

    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.setattr(serving, "listening_socket", lambda host, port: Deaf())
    monkeypatch.setattr(serving, "address_in_network", lambda: "192.0.2.7")
    return seen


def test_options_come_before_the_environment(served: list[Serving], tmp_path: Path) -> None:
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
    assert (ran.status, ran.errors) == (0, "")
    assert served == [
        Serving(
            "postgresql://db/games",
            workers=1,
            thinkers=2,
            hosts=("127.0.0.1", ""),
            origins=("https://a.example", "https://b.example"),
            proxies=("127.0.0.1/32", "::ffff:7f00:1/128", "2001:db8::/32"),
            limits=Limits(streams=9, rooms=Rate(1.5, 4)),
        )
    ]
    assert program.run("serve").status == 2  # the port of the environment cannot be used


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("localhost", "localhost")]
)
def test_it_says_where_it_can_be_opened(
    host: str, shown: str, language: str, served: list[Serving], tmp_path: Path
) -> None:
    ran = Program(tmp_path).run("serve", "--host", host, "--lang", language)
    hint = Translator(language)("serve-in-network", address=f"http://192.0.2.7:{PORT}/")
    assert ran.lines == [f"http://{shown}:{PORT}/"] + [hint] * (host != "localhost")


def test_no_network_no_hint(served: list[Serving], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(serving, "address_in_network", lambda: None)
    assert Program(tmp_path).run("serve", "--host", "0.0.0.0").lines == [f"http://127.0.0.1:{PORT}/"]


def test_workers_that_never_were_ready_are_a_failure(
    served: list[Serving], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serving, "serve", lambda *_: False)
    ran = Program(tmp_path).run("serve")
    assert (ran.status, ran.output) == (1, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_port_that_is_for_the_superuser(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(host: str, port: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(serving, "listening_socket", refuse)
    ran = Program(tmp_path).run("serve", "--port", "80", "--lang", language)
    assert (ran.status, ran.output) == (2, "")
    assert ran.errors.strip() == Translator(language)("serve-port-forbidden", port="80")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_database_that_another_program_holds(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = Program(tmp_path)
    monkeypatch.setattr(sqlite_file.file_pool, "__defaults__", (0.0,))
    monkeypatch.setattr("noughts.arena.store.database.open_database.__defaults__", (0.0,))
    with closing(sqlite3.connect(program.database, isolation_level=None)) as other:
        other.execute("begin exclusive")
        ran = program.run("serve", "--port", "0", "--lang", language)
    assert (ran.status, ran.output) == (2, "")
    assert Translator(language)("store-reason-locked") in ran.errors


def test_the_address_in_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    class Asking:
        def __init__(self, *_: object) -> None: ...

        def __enter__(self) -> "Asking":
            return self

        def __exit__(self, *_: object) -> None: ...

        def connect(self, where: object) -> None:
            if own is None:
                raise OSError(errno.ENETUNREACH, "no network")

        def getsockname(self) -> tuple[str | None, int]:
            return own, 1

    made = SimpleNamespace(socket=Asking, AF_INET=0, SOCK_DGRAM=0)
    monkeypatch.setattr(serving, "socket", made)
    for own, told in ((None, None), ("127.0.0.1", None), ("192.168.1.5", "192.168.1.5")):  # noqa: B007
        assert serving.address_in_network() == told


def test_bots_are_offered_that_are_there_and_can_be_run(
    served: list[Serving], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    save_bots({name: Bot(name, ("/bin/cat",), trust=name != "fenced") for name in ("ada", "bo", "fenced")})
    program = Program(tmp_path)
    assert program.run("serve", "--bot", "bo", "--bot", "ada").status == 0
    assert program.under(NOUGHTS_BOT="ada bo").run("serve").status == 0
    assert [asked.bots for asked in served] == [("bo", "ada"), ("ada", "bo")]
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: "bwrap: barred")
    for name, told in (("nobody", "ada, bo, fenced"), ("fenced", "bwrap: barred")):
        ran = program.run("serve", "--bot", name)
        assert (ran.status, ran.errors.count("\n"), told in ran.errors) == (2, 1, True)
    assert len(served) == 2
