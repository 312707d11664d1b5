"""The command ``noughts engine`` as managers start it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.interfaces.cli.engine import CHUNK
from noughts.interfaces.cli.main import main
from noughts.interfaces.engine.loop import EngineLoop
from tests.interfaces.engine.managers import PATIENCE, answered
from tests.interfaces.harness import COMMAND, DONE, Program

DIALOGUE = """START 15\r
INFO timeout_turn 1000\r
INFO max_node 200\r
BEGIN\r
TURN 6,6\r
WOBBLE\r
"""


def run(tmp_path: Path, typed: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [COMMAND, "engine"],
        input=typed,
        env=Program(tmp_path).variables(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("end", ["", "END\r\n"])
def test_engine_answers_dialogue_from_a_file(end: str, tmp_path: Path) -> None:
    ran = run(tmp_path, DIALOGUE + end)
    assert (ran.returncode, ran.stderr) == (DONE, "")
    ok, first, second, unknown = answered(ran.stdout.splitlines())
    assert (ok, first, unknown) == ("OK", "7,7", "UNKNOWN WOBBLE")
    assert second not in ("7,7", "6,6")


def start(tmp_path: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [COMMAND, "engine"],
        env=Program(tmp_path).variables(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow
def test_engine_exits_while_thinking(tmp_path: Path) -> None:
    """The test includes a manager that no longer reads."""
    for farewell in (b"END\n", None):
        with start(tmp_path) as engine:
            assert engine.stdin is not None
            assert engine.stdout is not None
            assert engine.stderr is not None
            engine.stdin.write(b"START 20\nINFO timeout_turn 3600000\nTURN 9,9\n")
            engine.stdin.flush()
            assert engine.stdout.readline() == b"OK\n"
            assert engine.stdout.readline().startswith(b"MESSAGE depth 1 ")
            if farewell is None:
                engine.stdout.close()
                engine.stdin.close()
            else:
                engine.stdin.write(farewell)
                engine.stdin.flush()
            assert engine.wait(PATIENCE) == DONE
            assert engine.stderr.read() == b""


@pytest.mark.slow
def test_engine_speaks_noughts_protocol_on_request(tmp_path: Path) -> None:
    """Every game of the catalogue works, and a line that is too long is refused, not cut."""
    with start(tmp_path) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for text, answers in (
            (b"\r\n noughts 1\n", [b"id name=noughts", b"ready 1"]),
            (b"game 4x4:3,gravity\n", [b"ok"]),
            (b"position start moves 2 2 3\n", [b"ok"]),
            (b"go 7 nodes=100\n", [b"move 7 1"]),
            (b"\xf0\x9f\x98\x80" * 4_000_001 + b"\n", [b'error syntax text="the line is too long"']),
            (b"ping again", []),
        ):
            engine.stdin.write(text)
            engine.stdin.flush()
            for answer in answers:
                line = engine.stdout.readline()
                while line.startswith(b"info "):
                    line = engine.stdout.readline()
                assert line.rstrip() == answer
        engine.stdin.close()
        assert engine.stdout.readline().rstrip() == b"pong again"
        assert engine.wait(PATIENCE) == DONE


class LeftAtOnce(Exception):
    """The exit of the program with this status."""


@pytest.fixture(autouse=True)
def _leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the immediate exit of the program, so that the tests continue."""

    def leave(status: int) -> None:
        raise LeftAtOnce(status)

    monkeypatch.setattr(os, "_exit", leave)


def test_engine_command_runs_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dialogue"
    file.write_text("START 4\n")
    with file.open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(LeftAtOnce, match="0"):
            main(["engine"])
    assert capsys.readouterr().out == "ERROR boards of 5 to 40 are supported, not 4\n"


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (b"noughts 1\nwobble\nping a", ["noughts 1", "wobble", "ping a"]),
        (b"\r\n  noughts 2", ["  noughts 2"]),
        (b"\n \nSTART 4\nWOBBLE", None),
        (b"noughtsy 1\n", None),
        (b" " * (CHUNK + 1) + b"noughts", None),
        (b"", None),
    ],
)
def test_first_line_selects_the_protocol(
    answer: bytes, lines: list[str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line may arrive in pieces, and none of the input is lost."""
    heard: list[str] = []
    monkeypatch.setattr("noughts.bots.run", lambda player, name, lines: heard.extend(lines))
    monkeypatch.setattr(
        EngineLoop, "run", lambda loop: heard.append(b"".join(iter(loop._read, b"")).decode())
    )
    rest = [piece for piece in (answer[:1], answer[1:5], answer[5:12], answer[12:]) if piece]
    monkeypatch.setattr(os, "read", lambda file, most: rest.pop(0) if rest else b"")
    with (tmp_path / "none").open("w") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(LeftAtOnce, match="0"):
            main(["engine"])
    assert heard == ([answer.decode()] if lines is None else lines)


@pytest.mark.parametrize("fault", [KeyboardInterrupt, BrokenPipeError])
def test_engine_exits_quietly_when_manager_ends(
    fault: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(loop: EngineLoop) -> None:
        raise fault

    monkeypatch.setattr(EngineLoop, "run", interrupt)
    with (tmp_path / "none").open("w") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(LeftAtOnce, match="0"):
            main(["engine"])


def test_engine_exits_without_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as left:
        main(["engine"])
    assert left.value.code == DONE
