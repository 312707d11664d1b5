"""Bad bots, and the outcome of a game with each: ``python -m tests.workers.programs.bad_bots``.

It plays all of them on both seats, and checks that they do not delay the moves of another game.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from noughts import Game, Limit, Player, new_game
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, run
from noughts.games.base import Move
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.programs.gomocup_driver import GomocupDriver
from noughts.workers.programs.program import MEBIBYTE, ProgramLimits, ProgramStart
from noughts.workers.programs.sandbox import Sandbox, find_sandbox

ENGINE = """
import os, signal, socket, sys, threading, time
def say(*words): print(*words, flush=True)
def free():
    cell = next(f"{x},{y}" for y in range(SIZE) for x in range(SIZE) if f"{x},{y}" not in taken)
    taken.add(cell)
    return cell
def forever():
    while True: time.sleep(1)
taken, SIZE, asked = set(), 5, 0
{first}
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART", "BOARD"): taken = set()
    if word == "TURN": taken.add(rest)
    if line[0].isdigit(): taken.add(line.rsplit(",", 1)[0])
    if word == "START":
        SIZE = int(rest)
        {start}
    elif word in ("BEGIN", "TURN", "DONE"):
        asked += 1
        {turn}
    elif word == "TAKEBACK": {back}
    elif word == "RESTART": {again}
    elif word == "ABOUT": {about}
    elif word == "END": {end}
"""

USUAL = {
    "first": "",
    "start": 'say("OK")',
    "turn": "say(free())",
    "back": 'taken.discard(rest); say("OK")',
    "again": 'say("OK")',
    "about": "say('name=\"Good\"')",
    "end": "break",
}

FLAG_SECONDS = 0.3
"""Seconds for the moves of bots that never move."""

LEFT_SECONDS = 2.0
"""Seconds after a game in which all processes of a program must end."""

MAX_GROWTH = 16 * MEBIBYTE
"""The maximum growth of our memory in bytes."""

MAX_DELAY = 0.05
"""The maximum delay of the moves of another game in seconds."""


TRIES = 5


@dataclass(frozen=True)
class Bad:
    """A bot that does something ``wrong``, and the expected fault (or ``plays``) with its description."""

    number: int
    wrong: str
    comes: str = "plays"
    told: str = ""
    seconds: float | None = None
    patience: float | None = None
    is_fenced_only: bool = False
    or_else: str = ""
    code: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.number}-{self.wrong.replace(' ', '-')}"


def bad(number: int, wrong: str, comes: str = "plays", received: str = "", **more: Any) -> Bad:
    """Return a bot with other code in the named places of the engine."""
    known = ("seconds", "patience", "is_fenced_only", "or_else")
    facts = {name: more.pop(name) for name in known if name in more}
    return Bad(number, wrong, comes, received, code=more, **facts)


SLOW: dict[str, Any] = {"seconds": FLAG_SECONDS}
UNSEEN = {**SLOW, "or_else": "too-slow"}
"""The outcomes in a sandbox, which holds closed pipes open, so that only a timeout shows them."""

CONNECT = """
def refused(act):
    try: act()
    except Exception: return True
everything = [
    refused(lambda: socket.create_connection(("127.0.0.1", 8000), 1)),
    refused(lambda: socket.create_connection(("192.0.2.1", 80), 1)),
    refused(lambda: open("/etc/passwd")),
    refused(lambda: os.listdir("/home")),
    refused(lambda: open("/usr/mine", "w")),
    refused(lambda: os.kill(HOST, 0)),
    "SECRET" not in os.environ,
]
if not all(everything): sys.exit(f"not refused: {everything}")
"""

EATERS = """
        for _ in range(6):
            if os.fork() == 0:
                taken = b"x" * (60 << 20)
                forever()
        forever()
"""

BOMB = """
while True:
    try: os.fork()
    except OSError: pass
"""

BOTS = [
    bad(2, "exits at once", "crashed", "exit status 0", first="sys.exit(0)"),
    bad(3, "dies by a signal", "crashed", "killed by SIGSEGV", turn="os.kill(os.getpid(), signal.SIGSEGV)"),
    bad(4, "raises", "crashed", "exit status 1; Traceback", turn='raise ValueError("\\x1b[2J")'),
    bad(5, "never answers START", "too-slow", start="pass", **SLOW),
    bad(6, "cannot play that", "declines", "too large", start='say("ERROR too large")'),
    bad(7, "greets", start='say("MESSAGE hi"); say("a banner"); say(" ok - ready ")'),
    bad(8, "sleeps for ever", "too-slow", turn="forever()", **SLOW),
    bad(9, "is busy for ever", "too-slow", turn="while True: pass", **SLOW),
    bad(10, "does not leave", first="signal.signal(signal.SIGTERM, signal.SIG_IGN)", end="forever()"),
    bad(11, "is late", turn="time.sleep(FLAG); say(free())", seconds=0.01, patience=60.0),
    bad(
        12, "is late for its flag", turn="SIZE == 5 and time.sleep(9); say(free())", comes="too-slow", **SLOW
    ),
    bad(13, "moves out of turn", turn='say(free()); threading.Timer(0.01, say, ["4,4"]).start()'),
    bad(14, "moves twice", turn='say(free() + "\\n4,4")'),
    bad(15, "takes a taken cell", "illegal-move", "(2, 2)", turn='say("2,2")'),
    bad(16, "leaves the board", "illegal-move", "99999999999999999999,0", turn=f'say("{"9" * 20},0")'),
    bad(17, "says no move", "too-slow", turn='say("7,7,7\\nh8\\n7;7\\n\\nNaN,1")', **SLOW),
    bad(18, "floods a line", "flooded", turn='[sys.stdout.write("x" * 65536) for _ in range(16384)]'),
    bad(19, "floods lines", "flooded", turn='[sys.stdout.write("MESSAGE x\\n" * 999) for _ in range(99999)]'),
    bad(20, "floods stderr and reads nothing", "flooded", first='while True: sys.stderr.write("x" * 9999)'),
    bad(21, "closes its output", "crashed", turn="os.close(1); forever()", **UNSEEN),
    bad(22, "closes its input", "crashed", first="os.close(0); forever()", **UNSEEN),
    bad(23, "writes no text", turn='os.write(1, b"MESSAGE \\xff\\0\\x1b[2J\\xe2\\x80\\xae\\n"); say(free())'),
    bad(24, "takes all memory", "crashed", "MemoryError", turn="bytearray(8 << 30)"),
    bad(25, "has children", "too-slow", turn="[os.fork() or forever() for _ in range(9)]; forever()", **SLOW),
    bad(
        26,
        "has a child that hides",
        "too-slow",
        turn="os.fork() or (os.setsid(), os.fork(), forever()); forever()",
        **SLOW,
    ),
    bad(
        27,
        "fills the disk",
        "crashed",
        "large",
        first="signal.signal(signal.SIGXFSZ, signal.SIG_IGN)",
        turn='open("big", "wb").write(bytes(64 << 20))',
    ),
    bad(28, "looks around", first=CONNECT, is_fenced_only=True),
    bad(29, "has many names", about='say("name=" + "x" * 10_000_000)'),
    bad(30, "crashes on a rematch", back="sys.exit(1)", again="sys.exit(1)"),
    bad(31, "has children that take all memory", "too-much-memory", "256 MB", turn=EATERS),
    bad(32, "forks for ever", "too-slow", first=BOMB, or_else="too-many-processes", **SLOW),
]


LATE_ONCE = 12
"""The number of the bot that is late on the board of one game alone."""

OUT_OF_TURN = (13, 14)
"""The numbers of the bots that write more than their move, before the next question."""


class First(Player):
    """Takes the middle, then the last free cell, after waiting for extra lines of *other*."""

    def __init__(self, other: BotPlayer | None) -> None:
        self._other = other

    def choose(self, game: Game, limit: Limit) -> Move:
        if self._other is not None and game.ply:
            _await_words(self._other)
        return (2, 2) if (2, 2) in game.legal_moves() else game.legal_moves()[-1]


def _await_words(player: BotPlayer) -> None:
    while player._program is None or not player._program._waiting:
        sleep(0.001)


@dataclass
class Outcome:
    """The outcome of two games: the events, the growth of memory, and the remaining processes."""

    events: list[Event]
    moves: tuple[Move, ...]
    another: list[Event]
    grown: int
    left: list[int]


def fence() -> Sandbox | None:
    """Return the sandbox, if there is one."""
    result = find_sandbox()
    return None if isinstance(result, str) else result


def player_of(bot: Bad, token: str) -> BotPlayer:
    """Return a player for *bot* with *token* in the command lines of all its processes."""
    code = ENGINE
    for place, text in {**USUAL, **bot.code}.items():
        code = code.replace("{" + place + "}", text)
    code = code.replace("FLAG", str(FLAG_SECONDS / 10)).replace("HOST", str(os.getpid()))
    limits = ProgramLimits(memory=256 * MEBIBYTE, file=MEBIBYTE)
    start = ProgramStart((sys.executable, "-S", "-c", code, token), limits, fence())
    return BotPlayer(f"bot:{bot.number}", start, partial(GomocupDriver), 60)


def play_with(bot: Bad, seat: str) -> Outcome:
    """Play a game with *bot* on this *seat*, and another in which it may do better."""
    token = uuid4().hex
    player = player_of(bot, token)
    another: list[Event] = []
    with grown() as memory:
        events, moves = one_game(player, bot, seat)
        if bot.comes == "plays" or bot.number == LATE_ONCE:
            if bot.number in OUT_OF_TURN:  # its last move may have won
                _await_words(player)
            size = 6 if bot.number == LATE_ONCE else 5
            another, _ = one_game(player, replace(bot, seconds=None), seat, size)
        player.close()
    return Outcome(events, moves, another, memory[0], left_of(token))


def one_game(player: BotPlayer, bot: Bad, seat: str, size: int = 5) -> tuple[list[Event], tuple[Move, ...]]:
    match, events = Match(new_game(f"{size}x{size}:5")), list[Event]()
    own = PlayerSeat(player, Limit(seconds=bot.seconds), bot.patience)
    first = First(player if bot.number in OUT_OF_TURN else None)
    seats = {side: own if side == seat else PlayerSeat(first) for side in match.game.sides}
    run(match, seats, on_event=events.append)
    return events, match.game.moves


@contextmanager
def grown() -> Iterator[list[int]]:
    """Return an upper bound in bytes for the growth of this process meanwhile."""
    result = [0]
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak to the present size
    before = _kilobytes("VmRSS")
    yield result
    result[0] = (_kilobytes("VmHWM") - before) * 1024


def _kilobytes(name: str) -> int:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))


def left_of(token: str) -> list[int]:
    """Return the processes with *token* in their command lines that are left after a while."""
    end = monotonic() + LEFT_SECONDS
    while (result := _processes(token.encode())) and monotonic() < end:
        sleep(0.02)
    return result


def _processes(token: bytes) -> list[int]:
    result = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if token in path.read_bytes():
                result.append(int(path.parent.name))
    return result


# Delays of other games: measurements that no fast test may judge


def slowest_beside(act: Callable[[], object]) -> float:
    """Return the longest time of a move of another game during *act*."""
    player, slowest, is_over = player_of(bad(0, "plays"), uuid4().hex), [0.0], threading.Event()
    game = new_game("5x5:5")
    player.choose(game, Limit())

    def play_on() -> None:
        while not is_over.is_set():
            began = monotonic()
            player.choose(game, Limit())
            slowest[0] = max(slowest[0], monotonic() - began)

    thread = threading.Thread(target=play_on)
    thread.start()
    act()
    is_over.set()
    thread.join()
    player.close()
    return slowest[0]


def main() -> int:
    usual = slowest_beside(lambda: sleep(5))
    print(f"alone: {usual * 1000:.1f} ms", flush=True)
    status = 0
    for bot in BOTS:
        for seat in "XO":
            if not bot.is_fenced_only or fence():
                late = inf
                for _ in range(TRIES):  # other load may delay it too
                    late = min(late, slowest_beside(partial(play_with, bot, seat)) - usual)
                    if late <= MAX_DELAY:
                        break
                print(f"{bot.name} {seat}: {late * 1000:+.1f} ms", flush=True)
                status |= late > MAX_DELAY
    return status


if __name__ == "__main__":
    sys.exit(main())
