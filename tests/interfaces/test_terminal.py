"""The terminal of the console: input, output and capabilities."""

import io
import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.interfaces.console.terminal import MAX_LINE, InputEndedError, Terminal


class Screen(io.StringIO):
    """A stream that claims to be a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_terminal_reads_lines_without_ends() -> None:
    target = io.StringIO()
    terminal = Terminal(io.StringIO("5\n\r\n 7 \r\nlast"), target)
    assert [terminal.read("?") for _ in range(4)] == ["5", "", " 7 ", "last"]
    with pytest.raises(InputEndedError):
        terminal.read("?")
    assert target.getvalue() == "?\n" * 5


@pytest.mark.parametrize("length", [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, 3 * MAX_LINE, 3 * MAX_LINE - 1])
def test_terminal_discards_rest_of_long_line(length: int) -> None:
    terminal = Terminal(io.StringIO("x" * length + "\nnext\n"), io.StringIO())
    assert terminal.read("?") == "x" * min(length, MAX_LINE)
    assert terminal.read("?") == "next"


def test_terminal_width_has_a_default_in_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Terminal(io.StringIO(), io.StringIO()).width == 79
    monkeypatch.setenv("COLUMNS", "33")
    assert Terminal(io.StringIO(), io.StringIO()).width == 33
    monkeypatch.delenv("COLUMNS")
    with monkeypatch.context() as patched:  # pytest asks for the size of its own terminal.
        patched.setattr("os.get_terminal_size", {7: os.terminal_size((50, 20))}.__getitem__)
        patched.setattr(Screen, "fileno", lambda _: 7)
        assert Terminal(io.StringIO(), Screen()).width == 50


@pytest.mark.parametrize(
    ("encoding", "term", "expected"),
    [("utf-8", "xterm", True), ("UTF8", "xterm", True), ("utf-8", "linux", False), ("utf-8", "dumb", False),
     ("ascii", "xterm", False), ("koi8-r", "xterm", False), ("utf-8", "", True)],
)  # fmt: skip
def test_has_unicode_depends_on_encoding_and_term(
    encoding: str, term: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    assert Terminal(io.StringIO(), io.TextIOWrapper(io.BytesIO(), encoding=encoding)).has_unicode is expected


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, True),
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
    ],
)
def test_has_colour_depends_on_environment(
    environ: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert Terminal(Screen(), Screen()).has_colour is expected
    assert not Terminal(io.StringIO(), io.StringIO()).has_colour


def test_stream_without_encoding_has_no_unicode() -> None:
    assert Terminal(io.StringIO(), io.StringIO()).has_unicode is False


def test_terminal_survives_bad_encodings() -> None:
    raw = io.BytesIO()
    terminal = Terminal(
        io.TextIOWrapper(io.BytesIO(b"\xff5\n"), encoding="utf-8"), io.TextIOWrapper(raw, encoding="ascii")
    )
    assert terminal.read("Ход?") == "\udcff5"
    assert raw.getvalue() == b"\\u0425\\u043e\\u0434?\n"


def test_terminal_works_without_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stdout", None)
    terminal = Terminal()
    terminal.write("to nobody")
    with pytest.raises(InputEndedError):
        terminal.read("?")


def test_prompt_and_answer_share_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[str] = []

    def answer(prompt: str) -> str:
        requests.append(prompt)
        if len(requests) == 2:
            raise EOFError
        return "5"

    monkeypatch.setattr("builtins.input", answer)
    target = Screen()
    terminal = Terminal(Screen(), target)
    assert terminal.is_interactive
    assert terminal.read("Your move:") == "5"
    with pytest.raises(InputEndedError):
        terminal.read("Your move:")
    assert requests == ["Your move: "] * 2
    assert target.getvalue() == "\n"  # The next output starts on a line of its own.


@pytest.fixture
def keyboard() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """Return the writing end of a pipe, and its reading end as a terminal."""
    read, write = os.pipe()

    class Keyboard(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    with Keyboard(os.fdopen(read, "rb")) as source:
        yield write, source
        os.close(write)


@pytest.mark.skipif(sys.platform == "win32", reason="no waiting for a pipe there")
def test_enter_skips_a_pause(keyboard: tuple[int, io.TextIOWrapper], monkeypatch: pytest.MonkeyPatch) -> None:
    write, source = keyboard
    waited: list[float | None] = []
    waits = select.select

    def watch(*arguments: object) -> object:
        waited.append(arguments[-1])  # type: ignore[arg-type]
        return waits(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(select, "select", watch)
    terminal = Terminal(source, Screen())
    os.write(write, b"\n")
    terminal.pause(1000.0)  # Enter was pressed, so that the pause is short.
    terminal.pause(0.0)  # That Enter belonged to the pause, so that nothing is left to read.
    assert waited == [1000.0, 0.0]
    os.write(write, b"5\n")
    assert source.readline() == "5\n"


def test_pipe_has_no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(select, "select", lambda *arguments: pytest.fail("it waited"))
    Terminal(io.StringIO(), io.StringIO()).pause(1000.0)


def test_pause_sleeps_without_select(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    Terminal(Screen(), Screen()).pause(0.8)
    assert slept == [0.8]


def test_file_output_is_not_interactive(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="utf-8") as file:
        terminal = Terminal(Screen(), file)
        assert not terminal.is_interactive
        assert terminal.width == 79
