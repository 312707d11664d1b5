"""The command ``bots``: external programs are added, checked, removed, and play."""

import json
import sys
from pathlib import Path

import pytest

from noughts.interfaces.cli import bots
from noughts.workers import seating
from noughts.workers.programs import bot_player, sandbox
from tests.interfaces.harness import DONE, EN, NO, UNUSABLE, Program

BOT = """
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "noughts": print("ready 1", flush=True)
    elif word == "game" and rest[0] != "{game}": print("error unsupported", flush=True)
    elif word == "set" and rest != ["level", "3"]: print("error unknown", flush=True)
    elif word == "go": print("move", rest[0], "{move}", flush=True)
    elif word == "quit": break
    else: print("ok", flush=True)
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    return written(tmp_path)


def written(folder: Path, game: str = "tictactoe", move: str = "5") -> Path:
    (folder / "bot").mkdir(exist_ok=True)
    path = folder / "bot" / f"{game}-{move}.py"
    path.write_text(BOT.format(game=game, move=move))
    return path


def add(program: Program, name: str, path: Path, *options: str) -> None:
    ran = program.run("bots", "add", name, "--trust", *options, "--", sys.executable, str(path))
    assert (ran.status, ran.errors) == (DONE, "")
    assert f"bot:{name}" in ran.output


def test_bots_command_manages_a_bot(program: Program, bot: Path) -> None:
    assert "noughts bots add" in program.run("bots").output
    add(program, "ada", bot, "--option", "level=3", "--protocol", "noughts", "--memory", "600")
    answer = json.loads(program.run("bots", "--json").output)["bots"]
    assert answer == [
        {
            "name": "ada",
            "command": [sys.executable, str(bot)],
            "protocol": "noughts",
            "trust": True,
            "options": {"level": "3"},
            "memory_mb": 600,
        }
    ]
    assert str(bot) in program.run("bots").output
    assert "600 MB" in program.run("bots").output
    assert program.run("bots", "check", "ada").status == DONE
    tried = json.loads(program.run("bots", "check", "ada", "--json").output)
    assert tried == {"name": "ada", "works": True, "game": "tictactoe", "move": "5"}
    assert "bot:ada" in program.run("players").output
    played = program.run("play", "--x", "bot:ada", "--o", "rule", "--plain")
    assert played.status == DONE
    assert program.run("bots", "remove", "ada").status == DONE
    assert json.loads(program.run("bots", "--json").output) == {"bots": []}


def test_misbehaving_bot_loses(program: Program, bot: Path) -> None:
    add(program, "stubborn", bot, "--option", "level=3")
    played = program.run("play", "--x", "bot:stubborn", "--o", "bot:stubborn", "--plain")
    assert played.status == DONE
    assert "illegal" in played.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "move", "fault"),
    [((), "99", "illegal-move"), ((), "z", "illegal-move"), (("--option", "level=9"), "5", None)],
)
def test_check_reports_failing_bot(
    program: Program, tmp_path: Path, options: tuple[str, ...], move: str, fault: str | None
) -> None:
    add(program, "bad", written(tmp_path, move=move), *options)
    ran = program.run("bots", "check", "bad")
    assert (ran.status, ran.errors.count("\n")) == (NO, 1)
    ran = program.run("bots", "check", "bad", "--json")
    answer = json.loads(ran.output)
    assert (ran.status, answer["works"], answer["fault"]) == (NO, False, fault)


def test_check_reports_slow_bot(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_player, "OVER_SECONDS", 0.0)
    monkeypatch.setattr(bots, "TRIAL_SECONDS", 0.01)
    path = tmp_path / "slow.py"
    silent = BOT.replace('"go"', '"go": pass\n    elif word == "never"')
    path.write_text(silent.format(game="tictactoe", move=""))
    add(program, "slow", path)
    ran = program.run("bots", "check", "slow")
    answer = EN("bot-too-slow", who="bot:slow", detail="more than 0.01 s")
    assert (ran.status, ran.errors.strip()) == (NO, answer)


def test_check_reports_useless_bot(program: Program, tmp_path: Path) -> None:
    add(program, "odd", written(tmp_path, game="go"))
    assert program.run("bots", "check", "odd").status == NO
    add(program, "illegal", written(tmp_path, game="connect4", move="a6"))
    ran = program.run("bots", "check", "illegal")
    assert (ran.status, ran.errors.strip()) == (NO, EN("bot-illegal-move", who="bot:illegal", move=1))


@pytest.mark.parametrize(
    "arguments",
    [
        ["add"],
        ["add", "x"],
        ["add", "x y", "--", sys.executable],
        ["add", "x", "--", "/nowhere/at/all"],
        ["add", "x", "--", "/"],
        ["add", "x", "--", sys.executable, "\x1b"],
        ["add", "x", "--option", "level", "--", sys.executable],
        ["add", "x", "--protocol", "uci", "--", sys.executable],
        ["add", "x", "--memory", "much", "--", sys.executable],
        ["check", "nobody"],
        ["check"],
        ["check", "x", "y"],
        ["remove", "nobody"],
        ["dance"],
    ],
)
def test_bots_command_refuses_bad_arguments(program: Program, arguments: list[str]) -> None:
    ran = program.run("bots", *arguments)
    assert (ran.status, ran.output, ran.errors.count("\n")) == (UNUSABLE, "", 1)


def test_bot_name_is_unique(program: Program, bot: Path) -> None:
    add(program, "ada", bot, "--memory", "0")
    assert EN("bot-memory-all") in program.run("bots").output
    assert program.run("bots", "add", "ada", "--", sys.executable).status == UNUSABLE


def test_untrusted_bot_needs_a_sandbox(program: Program, bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: "bwrap: barred")
    ran = program.run("bots", "add", "ada", "--", sys.executable, str(bot))
    assert ran.status == UNUSABLE
    assert "bwrap: barred" in ran.errors
    assert "bot:ada" not in seating.player_names()
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: sandbox.Sandbox("bwrap"))
    assert program.run("bots", "add", "ada", "--", sys.executable, str(bot)).status == DONE
    stored = json.loads(program.run("bots", "--json").output)["bots"]
    assert [(bot["name"], bot["trust"]) for bot in stored] == [("ada", False)]


def test_bot_naming_hidden_path_is_refused(
    program: Program, bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: sandbox.Sandbox("bwrap"))
    link = bot.parent / "book"
    ran = program.run("bots", "add", "ada", "--", sys.executable, str(bot), "/opt/..")
    answer = EN("sandbox-refused-folder", name="bot:ada", path="/")
    assert (ran.status, ran.errors.strip()) == (UNUSABLE, answer)
    link.touch()
    assert program.run("bots", "add", "ada", "--", sys.executable, str(bot), str(link)).status == DONE
    link.unlink()
    link.symlink_to("/etc/passwd")
    answer = EN("sandbox-refused-link", name="bot:ada", path=link)
    for options in ((), ("--json",)):
        ran = program.run("bots", "check", "ada", *options)
        assert (ran.status, ran.output, ran.errors.strip()) == (UNUSABLE, "", answer)


def test_tool_in_path_may_be_a_link(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: sandbox.Sandbox("bwrap"))
    tool, link = tmp_path / "tools/x/tool", tmp_path / "bin/tool"
    for folder in (tool.parent, link.parent, tmp_path / "books/deep"):
        folder.mkdir(parents=True)
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    link.symlink_to(tool)
    monkeypatch.setenv("PATH", str(link.parent))
    monkeypatch.chdir(tmp_path)
    answer = EN("sandbox-refused-link", name="bot:ada", path=link)
    assert program.run("bots", "add", "ada", "--", str(link)).errors.strip() == answer
    assert program.run("bots", "add", "ada", "--", "tool", "books", "books/deep", "no/book").status == DONE
    stored = json.loads(program.run("bots", "--json").output)["bots"]
    assert stored[0]["command"] == [str(tool), "books", str(tmp_path / "books/deep"), "no/book"]


def test_check_reports_bot_with_too_many_processes(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "eater.py"
    eater = "import os, time\nfor _ in range(6):\n    os.fork() or (b'x' * (30 << 20), time.sleep(99))\n"
    path.write_text(eater.replace("b'x' *", "bytearray(b'x') *") + "time.sleep(99)\n")
    add(program, "eater", path, "--memory", "100")
    ran = program.run("bots", "check", "eater")
    answer = EN("fault-too-much-memory", name="bot:eater", reason="100 MB")
    assert (ran.status, ran.errors.strip()) == (NO, answer)
