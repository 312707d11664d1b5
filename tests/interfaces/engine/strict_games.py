"""Whole games of an engine under a strict manager, which checks every line.

    python -m tests.interfaces.engine.strict_games --games 1000 --ms 30
    python -m tests.interfaces.engine.strict_games --games 1000 --ms 30 --cpu --tolerance 0

This starts ``noughts engine`` and plays games on boards of many sizes by all rules, with wrong lines between
the moves. In each fourth game the limits change. It counts late moves of the others, and ends with status 1
after a fault. With ``--cpu`` the load of the machine makes no move late.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from time import clock_gettime, monotonic, sleep
from typing import IO, NamedTuple, Protocol

from benchmarks.engine_games import counting_cpu

from noughts.errors import NoughtsError
from noughts.games.kinarow import KInARow
from noughts.games.rules import Rules
from noughts.python import python_command
from noughts.workers.protocols.gomocup import Point, coordinate_of, format_point, parse_point, point_of
from tests.interfaces.engine.managers import answered

FREE, EXACT, RENJU = 0, 1, 4

LIMITS = (
    ("timeout_turn 0",),
    ("timeout_turn 1", "timeout_match 200", "max_memory 0"),
    ("time_left 0",),
    ("time_left -50", "timeout_turn 2"),
    ("time_left 3", "timeout_turn 5000"),
    ("time_left 2147483647", "timeout_turn 3", "max_memory 1000"),
    ("max_node 1", "max_memory 83886080"),
    ("max_depth 1", "max_node 60", "timeout_turn 5"),
    ("max_depth 0", "max_node 0", "timeout_turn 1"),
)
"""Values of ``INFO`` that leave hardly any time, nodes or memory."""

NONSENSE = (
    *(["TURN"], ["TURN 99,99"], ["TURN -1,0"], ["TURN a,b"], ["TURN 1;1"], ["TURN 1,1,1"], ["TURN 1.5,2"]),
    *(["PLAY 99,0"], ["PLAY"], ["TAKEBACK 99,99"], ["TAKEBACK"], ["START 4"], ["START"], ["START 1e1"]),
    *(["RECTSTART 5"], ["RECTSTART 3,99"], ["DONE"], ["WOBBLE"], ["1,1"], ["\x07\x1b[2J"], ["\u0422URN 1,1"]),
    *(["BOARD", "1,1,1", "1,1,2", "DONE"], ["BOARD", "1,1", "0,0,7", "DONE"], ["BOARD", "TURN 99,99"]),
    *(["YXBOARD", "99,99,1", "DONE"], ["SWAP2BOARD", "1,1", "DONE"], ["BOARD", "1,1,1", "START 1"]),
)
"""Lines that must be answered by one line with ERROR or UNKNOWN, and change nothing."""


def rules_of(width: int, height: int, rule: int = FREE) -> Rules:
    return Rules(shape=(height, width), k=5, exact=rule == EXACT, renju=rule == RENJU)


class Lines(Protocol):
    """The lines to and from an engine."""

    def send(self, *lines: str) -> None:
        """Send *lines* in one piece."""

    def answer(self) -> str | None:
        """Return the next line; None after the end."""


def ignore() -> None:
    """Ignore a move."""


class Strict:
    """A manager that makes moves by the rules and checks every line of the engine.

    *is_skilled* opponents complete and stop lines. *on_move* is called after each move of the engine.
    """

    def __init__(
        self,
        lines: Lines,
        game: KInARow,
        chance: Random,
        *,
        is_skilled: bool = False,
        on_move: Callable[[], None] = ignore,
    ) -> None:
        self._lines, self._chance, self.game = lines, chance, game
        self._is_skilled, self._on_move = is_skilled, on_move
        self._played: list[tuple[Point, int]] = []

    def lines_until_answer(self) -> str:
        """Return the next answer after any messages."""
        lines: list[str] = []
        while not lines or lines[-1].startswith("MESSAGE"):
            line = self._lines.answer()
            assert line is not None, "the engine has exited"
            lines.append(line)
        assert answered(lines) == lines[-1:]
        return lines[-1]

    def expect_ok(self, *lines: str) -> None:
        self._lines.send(*lines)
        answer = self.lines_until_answer()
        assert answer == "OK", (lines, answer)

    def expect_move(self, *lines: str) -> None:
        """Send *lines*, and play the one move that must follow."""
        self._lines.send(*lines)
        line = self.lines_until_answer()
        self._on_move()
        point = parse_point(line)
        assert point is not None, (lines, line)
        assert line == format_point(point)
        self.game.play(coordinate_of(point))
        self._played.append((point, 1))

    def expect_refusal(self, *lines: str) -> None:
        """Send wrong *lines*, which must have one answer."""
        self._lines.send(*lines)
        answer = self.lines_until_answer()
        assert answer.startswith(("ERROR ", "UNKNOWN ")), (lines, answer)

    def make_move(self) -> Point:
        """Play a move of the manager."""
        cell = self._skilled_move() if self._is_skilled else self._chance.choice(self.game.legal_moves())
        self.game.play(cell)
        point = point_of(cell)
        self._played.append((point, 2))
        return point

    def _skilled_move(self) -> tuple[int, ...]:
        """Return a move that wins, or stops a win, or is near another mark."""
        legal = self.game.legal_moves()
        for mark in (self.game.turn, *self.game.sides):
            if (game := self.game.with_turn(mark)) is None:
                continue
            for move in legal:
                with suppress(NoughtsError):  # Renju forbids some to Black alone.
                    game.play(move)
                    is_won = game.winner == mark
                    game.undo()
                    if is_won:
                        return move
        middle = tuple(side // 2 for side in self.game.shape)
        row, column = self._chance.choice(self.game.moves or [middle])
        near = [move for move in legal if max(abs(move[0] - row), abs(move[1] - column)) <= 2]
        return self._chance.choice(near or legal)

    def board(self) -> Iterator[str]:
        yield "BOARD"
        for (x, y), owner in self._played:
            yield f"{x},{y},{owner}"
        yield "DONE"

    def take_back(self) -> None:
        """Take back the last move of each side."""
        for _ in range(2):
            (x, y), _ = self._played.pop()
            self.game.undo()
            self.expect_ok(f"TAKEBACK {x},{y}")

    def send_nonsense(self) -> None:
        """Send wrong lines, some of which name a stone on the board."""
        (x, y), _ = self._chance.choice(self._played)
        for lines in self._chance.sample([*NONSENSE, [f"TURN {x},{y}"], [f"PLAY {x},{y}"]], 4):
            self.expect_refusal(*lines)

    def change_rule(self) -> None:
        """Continue by another rule, unless a move of the game so far was forbidden or decisive by it."""
        rule = self._chance.choice((FREE, EXACT, RENJU))
        height, width = self.game.shape
        game = KInARow(rules_of(width, height, rule))
        with suppress(NoughtsError):
            for move in self.game.moves:
                game.play(move)
            if game.outcome is None:
                self.game = game
                self._lines.send(f"INFO rule {rule}")

    def start(self, rule: int) -> None:
        """Start a game by *rule*, on the empty board of the game."""
        height, width = self.game.shape
        self.expect_ok(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        self._lines.send(f"INFO rule {rule}", "INFO game_type 1")

    def play(self, *, engine_first: bool, limits: tuple[tuple[str, ...], ...] = ()) -> None:
        """Play to the end. *limits* are given now and then."""
        if engine_first:
            self.expect_move("BEGIN")
        while self.game.outcome is None:
            if self._played:
                kind = self._chance.randrange(24)
                if kind < 3:
                    self.send_nonsense()
                elif kind < 6:
                    self.change_rule()
                elif kind < 12 and limits:
                    self._lines.send(*(f"INFO {text}" for text in self._chance.choice(limits)))
            point = self.make_move()
            if self.game.outcome is None:
                self.request_move(point)

    def request_move(self, point: Point) -> None:
        """Request the answer to the move on *point*, in one of several ways."""
        kind = self._chance.randrange(9)
        if kind == 0:
            self.expect_move(*self.board())
        elif kind == 1:
            self.expect_ok("RESTART")
            self.expect_move(*self.board())
        elif kind == 2 and self.game.ply > 2:
            self._lines.send("INFO time_left 100000", "YXSHOWFORBID")
            assert self.lines_until_answer().startswith("FORBID ")
            self.expect_move(f"TURN {format_point(point)}")
            if self.game.outcome is None:
                self.take_back()
                self.expect_move(f"TURN {format_point(self.make_move())}")
        elif kind == 3:
            self.expect_move(f"turn {format_point(point)}", "INFO wobble 3", "YXSTOP")
        else:
            self.expect_move(f"TURN {format_point(point)}")


# Games of a process


SCHEDULED = 2
"""The kind of clock of a process, in its number on Linux, that counts in nanoseconds."""


PREPARING = ("START", "RECTSTART", "INFO rule")
"""The beginnings of lines that let the engine prepare in the background."""

QUIET_S = 0.2
"""The seconds without processor time after which it is prepared."""


class EngineProcess:
    """A process of ``noughts engine``, whose errors are written to *errors*.

    If it *counts_cpu*, its clock is its processor time. Then the next line waits until it is prepared, since
    the time of the preparation would count.
    """

    def __init__(self, errors: IO[bytes], *, counts_cpu: bool = False) -> None:
        command = python_command("from noughts.interfaces.cli.main import main; main(['engine'])")
        if counts_cpu:
            command = counting_cpu([sys.executable, "engine"])
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8"
        )
        self.begin_s = self.begin_cpu_s = 0.0
        self._counts_cpu, self._is_preparing = counts_cpu, False

    def send(self, *lines: str) -> None:
        assert self._process.stdin is not None
        if self._counts_cpu and self._is_preparing:
            self._wait_until_prepared()
        self._is_preparing = any(line.startswith(PREPARING) for line in lines)
        self.begin_s, self.begin_cpu_s = monotonic(), self.cpu_s()
        self._process.stdin.write("".join(line + "\n" for line in lines))
        self._process.stdin.flush()

    def answer(self) -> str | None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return line.removesuffix("\n") if line else None

    def cpu_s(self) -> float:
        """Return the processor time of its threads, including ended ones, in seconds."""
        return clock_gettime(~self._process.pid << 3 | SCHEDULED)

    def _wait_until_prepared(self) -> None:
        before = -1.0
        while (spent := self.cpu_s()) > before:
            before = spent
            sleep(QUIET_S)

    def end(self) -> int:
        """Send ``END`` and return the status."""
        with suppress(OSError):
            self.send("END")
        try:
            return self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


class Late(NamedTuple):
    """The times that a move of *game* took beyond its limit: by the clock, and of the processor."""

    wall_ms: float
    cpu_ms: float
    game: str


def play_games(options: argparse.Namespace) -> bool:
    """Play the games, print the figures, and return True if there was a fault."""
    lates: list[Late] = []
    faults: list[str] = []
    with tempfile.TemporaryFile() as errors:
        process = None
        for number in range(options.games):
            chance = Random(f"{options.seed} {number}")
            if number % 25 == 0 and process is not None:
                if (status := process.end()) != 0:
                    faults.append(f"game {number}: status {status}")
                process = None
            process = process or EngineProcess(errors, counts_cpu=options.cpu)
            width = height = chance.choice((15, 15, 15, 20, 5, 7, 9, 13, 19, 22, 30))
            if chance.random() < 0.2:
                height = chance.randint(5, 22)
            rule = chance.choice((FREE, FREE, EXACT, RENJU))
            name = f"game {number} ({width}x{height}, rule {rule})"
            engine = process

            def note(name: str = name, engine: EngineProcess = engine) -> None:
                wall, cpu = monotonic() - engine.begin_s, engine.cpu_s() - engine.begin_cpu_s
                lates.append(Late(1000 * wall - options.ms, 1000 * cpu - options.ms, name))

            has_tiny_limits = number % 4 == 3

            strict = Strict(
                process,
                KInARow(rules_of(width, height, rule)),
                chance,
                is_skilled=True,
                on_move=ignore if has_tiny_limits else note,
            )
            try:
                process.send(
                    *(f"INFO timeout_turn {options.ms}", "INFO timeout_match 0", "INFO time_left 2147483647"),
                    *("INFO max_memory 0", "INFO max_node 0", "INFO max_depth 0"),
                )
                strict.start(rule)
                strict.play(engine_first=number % 2 == 0, limits=LIMITS if has_tiny_limits else ())
            except (AssertionError, NoughtsError, OSError) as error:
                faults.append(f"{name}: {error!r}")
                process.end()
                process = None
        if process is not None and (status := process.end()) != 0:
            faults.append(f"the end: status {status}")
        errors.seek(0)
        faults += errors.read().decode(errors="replace").splitlines()[-20:]
    print(f"{options.games} games, {len(lates)} moves of {options.ms} ms")
    for kind, times in (
        ("wall", sorted(late.wall_ms for late in lates)),
        ("processor", sorted(late.cpu_ms for late in lates)),
    ):
        many = sum(ms > options.tolerance for ms in times)
        p50, p99, most = (times[int((len(times) - 1) * part)] for part in (0.5, 0.99, 1))
        print(
            f"{kind} time beyond the limit: {many} moves by more than {options.tolerance} ms; "
            f"median {p50:.0f} ms, 99 % {p99:.0f} ms, most {most:.0f} ms"
        )
    for late in sorted(lates, key=lambda late: -late.cpu_ms)[:8]:
        print(f"  {late.game}: wall {late.wall_ms:.0f} ms, processor {late.cpu_ms:.0f} ms")
    print("\n".join(faults) if faults else "no fault")
    return bool(faults)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="number of games (1000)")
    parser.add_argument("--ms", type=int, default=30, help="milliseconds a move (30)")
    parser.add_argument("--tolerance", type=int, default=100, help="milliseconds until a move is late (100)")
    parser.add_argument("--cpu", action="store_true", help="the engine counts processor time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (1)")
    sys.exit(play_games(parser.parse_args()))


if __name__ == "__main__":
    main()
