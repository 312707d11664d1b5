"""The loop of bots: every command is answered, and an error changes nothing."""

import gc
import subprocess
import sys
import threading
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts import Player, new_game, new_player
from noughts.bots import _standard_output, main, run
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Limit, Progress, Report


class First(Player):
    """A player of the first move; tests can replace its answers and raise errors."""

    def __init__(
        self, answer: Callable[[Game, Limit], Any] = lambda game, limit: game.legal_moves()[0]
    ) -> None:
        self.answer = answer
        self.limits: list[Limit] = []
        self.seats: list[str] = []

    def take_seat(self, game: Game) -> None:
        if game.name == "3x3:3,misere":
            raise UnsupportedRules("first", game.name, "too-large")
        self.seats.append(game.name)

    def choose(self, game: Game, limit: Limit) -> Move:
        self.limits.append(limit)
        move: Move = self.answer(game, limit)
        return move


class BotConversation:
    """A conversation: each line is sent after a number of answers."""

    def __init__(self, player: Player, *lines: str | tuple[str, int]) -> None:
        self.said: list[str] = []
        self.statuses: list[int] = []
        self._heard = threading.Condition()
        value = [line if isinstance(line, tuple) else (line, 1) for line in lines]
        run(player, name="Me", lines=self._lines(value), write=self._write, leave=self._leave)
        with self._heard:
            assert self._heard.wait_for(lambda: self.statuses, 60)

    def _leave(self, status: int) -> None:
        with self._heard:
            self.statuses.append(status)
            self._heard.notify_all()

    def _lines(self, given: list[tuple[str, int]]) -> Iterator[str]:
        wanted = 0
        for line, answers in (("noughts 1", 2), *given):
            yield line + "\r\n"
            wanted += answers
            with self._heard:
                assert self._heard.wait_for(lambda: len(self.said) >= wanted, 60), self.said  # noqa: B023

    def _write(self, text: str) -> None:
        with self._heard:
            self.said.append(text.rstrip("\n"))
            self._heard.notify_all()


def test_bot_plays_a_game() -> None:
    player = First()
    lines = ("game 7x6:4,gravity", "position start moves 4 4 3", "go 17 turn=1000 nodes=9", "over winner=X")
    conversation = BotConversation(player, *lines, ("", 0), ("quit", 0), ("ping never", 0))
    assert conversation.said == ["id name=Me", "ready 1", "ok", "ok", "move 17 1", "ok"]
    assert conversation.statuses == [0]
    assert player.limits[0] == Limit(1.0, 9)
    assert player.seats == ["7x6:4,gravity"]


def test_bot_exits_at_end_of_input() -> None:
    assert BotConversation(First()).statuses == [0]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("dance", "error unknown text=dance"),
        ("game nothing", "error unsupported text="),
        ("game 3x3:9", "error syntax text="),
        ("game {", "error syntax text="),
        ("game misere", "error unsupported reason=too-large text="),
        ("position start moves 5 5", "error illegal text="),
        ("position XX/", "error position text="),
        ("set threads 2", "error unknown option=threads"),
        ("set", "error unknown"),
        ("go", 'error syntax text="go NUMBER"'),
        ("go now", 'error syntax text="go NUMBER"'),
        ("go 1 ponder", "error unsupported number=1 text=ponder"),
        ("ask 1", "error unsupported number=1 text="),
        ("ask 1 gambit", "error unsupported number=1 text="),
        ("ask 1 pie", 'error position number=1 text="nothing is to be chosen here"'),
        ("ask 1 pie 5 5", "error illegal number=1 text="),
        ("noughts", 'error syntax text="noughts VERSION"'),
        ("noughts 0", 'error syntax text="noughts VERSION"'),
        ("x" * 4_000_001, 'error syntax text="the line is too long"'),
    ],
)
def test_bot_error_changes_nothing(line: str, answer: str) -> None:
    conversation = BotConversation(First(), "game gomoku", "position start moves 1 2", line, "ping a", "go 9")
    assert conversation.said[4].startswith(answer)
    assert conversation.said[5:] == ["pong a", "move 9 3"]


def test_bot_refuses_go_without_a_game() -> None:
    conversation = BotConversation(First(), "position start", "go 1", "ping")
    assert conversation.said[2:] == [
        'error position text="no game was set"',
        'error position number=1 text="no game goes on"',
        "pong",
    ]
    conversation = BotConversation(First(), "game tictactoe", "position start moves 1 4 2 5 3", "go 1")
    assert conversation.said[-1] == 'error position number=1 text="no game goes on"'


def test_bot_requires_greeting_first() -> None:
    reply: list[str] = []
    done = threading.Event()
    run(
        First(),
        lines=["game tictactoe\n", "noughts 2\n"],
        write=reply.append,
        leave=lambda status: done.set(),
    )
    assert done.wait(60)
    assert reply == ['error unknown text="begin with: noughts 1"\n', "id name=First\n", "ready 1\n"]


def test_bot_answers_ping_while_thinking() -> None:
    def until_stopped(game: Game, limit: Limit) -> Move:
        while not limit.stop():
            pass
        return game.legal_moves()[-1]

    lines = ("ping b", "position start moves 1", ("stop 4", 0), "stop 5")
    conversation = BotConversation(First(until_stopped), "game tictactoe", ("go 5", 0), *lines)
    assert conversation.said[2:] == ["ok", "pong b", "error busy number=5", "move 5 9"]


class Reporting(First):
    """A player that reports progress."""

    report: Report

    def report_to(self, report: Report) -> None:
        self.report = report

    def choose(self, game: Game, limit: Limit) -> Move:
        for nodes in (10, 20):
            self.report(Progress("searching", nodes, 2, (1, 1), score=5))
        self.report(Progress("unproved"))
        return (1, 1)


def test_bot_reports_search_progress() -> None:
    conversation = BotConversation(Reporting(), "game tictactoe", ("go 5", 2))
    info, move = conversation.said[3:]
    assert info.startswith("info 5 depth=2 nodes=10 ms=")
    assert info.endswith(" raw=5 pv=5")
    assert move == "move 5 5"


class Unspeakable:
    """An object that can be neither compared nor printed."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (None, "reason=no-move text=None"),
        ((9, 9), 'reason=illegal-move text="(9, 9)"'),
        (Unspeakable(), "reason=illegal-move text=<Unspeakable>"),
        (KeyError("x"), "reason=raised text=\"KeyError: 'x'\""),
        (SystemExit(3), 'reason=raised text="SystemExit: 3"'),
        (CancelledError(), "reason=raised text=CancelledError"),
    ],
)
def test_bot_reports_faults_of_the_player(answer: object, reply: str) -> None:
    def act(game: Game, limit: Limit) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    assert (
        BotConversation(First(act), "game tictactoe", "go 1").said[-1] == f"error internal number=1 {reply}"
    )


class Choosing(First):
    """A player with fixed answers in openings."""

    def __init__(self, side: object) -> None:
        super().__init__()
        self.side = side

    def choose_side(self, game: Game, answers: Any, limit: Limit) -> Any:
        return self.side

    def place_evenly(self, game: Game, marks: int, limit: Limit) -> Move:
        return game.legal_moves()[-marks]


@pytest.mark.parametrize(
    ("side", "moves", "question", "reply"),
    [
        ("stay", "1 2 3", "ask 2 swap2 1 2 3", "choose 2 stay 4"),
        ("swap", "1 2 3", "ask 2 swap2 1 2 3", "choose 2 swap"),
        ("put", "1 2 3", "ask 2 swap2 1 2 3", "choose 2 put 224 225"),
        ("swap", "", "ask 2 swap2 1 2 3", "choose 2 swap"),
        ("stay", "7 8 9", "ask 2 swap2 1 2 3", "choose 2 stay 4"),
        ("put", "1", "ask 2 pie 1", "error internal number=2 reason=illegal-move text='put'"),
        (None, "1", "ask 2 pie 1", "error internal number=2 reason=illegal-move text=None"),
        ("swap", "", "ask 2 swap2", "choose 2 put 223 224 225"),
        ("swap", "", "ask 2 pie", "choose 2 put 225"),
    ],
)
def test_bot_answers_opening_questions(side: object, moves: str, question: str, reply: str) -> None:
    conversation = BotConversation(Choosing(side), "game gomoku", f"position start moves {moves}", question)
    assert conversation.said[-1] == reply


def test_bot_survives_broken_pipe() -> None:
    done = threading.Event()

    def broken(text: str) -> None:
        raise BrokenPipeError

    def lines() -> Iterator[str]:
        yield "noughts 1\n"
        raise ValueError("I/O operation on closed file")

    run(First(), lines=lines(), write=broken, leave=lambda status: done.set())
    assert done.wait(60)


def test_ctrl_c_stops_bot_without_traceback() -> None:
    class Interrupted(Player):
        def choose(self, game: Game, limit: object = None) -> Move:
            raise KeyboardInterrupt

    answers: list[str] = []
    lines = ["noughts 1", "game tictactoe", "go 1"]
    run(Interrupted(), lines=lines, write=answers.append, leave=lambda status: None)
    assert len(answers) > 0


BOT = """
import os, sys
from noughts import Player
from noughts.bots import run
class Loud(Player):
    def choose(self, game, limit):
        print("printed")
        os.write(1, b"written\\n")
        return game.legal_moves()[0]
run(Loud())
"""


def spoken(command: list[str], text: str) -> "subprocess.CompletedProcess[str]":
    process = subprocess.Popen(
        command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text)
    process.stdin.flush()
    out = ""
    while not out.endswith("move 1 1\n") and (line := process.stdout.readline()):
        out += line
    rest, errors = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out + rest, errors)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_standard_output_carries_only_the_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, errors = (tmp_path / name for name in ("out", "errors"))
    with out.open("w") as stdout, errors.open("w") as stderr:
        monkeypatch.setattr(sys, "stdout", stdout)
        monkeypatch.setattr(sys, "stderr", stderr)
        write = _standard_output()
        print("printed", flush=True)
        write("said\n")
        del write
        gc.collect()  # The end of the program would close it otherwise.
    assert (out.read_text(), errors.read_text()) == ("said\n", "printed\n")


def test_player_output_goes_to_standard_error(tmp_path: Path) -> None:
    done = spoken([sys.executable, "-c", BOT], "noughts 1\ngame tictactoe\ngo 1\n")
    assert done.stdout.splitlines() == ["id name=Loud", "ready 1", "ok", "move 1 1"]
    assert done.stderr.splitlines() == ["printed", "written"]
    assert done.returncode == 0


def test_main_runs_player_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    reply: list[str] = []
    monkeypatch.setattr("noughts.bots._standard_output", lambda: reply.append)
    monkeypatch.setattr("noughts.bots.run", lambda player, **settings: ran.append((player, settings["name"])))
    main(["random", "5"])
    main(["rule"])
    assert [name for _, name in ran] == ["random", "rule"]
    game = new_game("gomoku")
    assert ran[0][0].choose(game, Limit()) == new_player("random", Random(5)).choose(game, Limit())
    with pytest.raises(SystemExit):
        main(["nobody"])
    assert reply[0].startswith("error internal reason=not-found text=")
