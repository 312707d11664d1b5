"""The cost of the full screen: time to the first screen, time to show a key, and growth of memory.

    uv run --group dev python -m benchmarks.full_screen first
    uv run --group dev python -m benchmarks.full_screen keys
    uv run --group dev python -m benchmarks.full_screen pty
    uv run --group dev python -m benchmarks.full_screen bytes
    uv run --group dev python -m benchmarks.full_screen memory --games 10000
    uv run --group dev python -m benchmarks.full_screen memory --games 10000 --through-gallery --write

``first`` starts real processes in a pseudo-terminal of 100x30 and waits for the first screen. ``keys``
measures the CPU time inside the process from a key to the new frame. ``pty`` measures from outside, from
writing the key to the last byte of the frame. It includes the wait of at most a sixtieth of a second that
Textual puts between frames. ``bytes`` counts the output after a key.

``memory`` lets two computers play in the game page, where a key starts each new game, and prints the memory
of the process. With ``--through-gallery`` each game starts in the gallery and returns to it, so that screens
come and go. With ``--traced``, which takes six times as long, it prints the lines whose memory has grown.
Nothing is saved in a store, so that all growth belongs to the application. In one series that is the list of
its results. Windows has no pseudo-terminals.
"""

import argparse
import asyncio
import gc
import os
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.stand_ins import MemoryStore, ThinkingHere
from textual._compositor import CompositorUpdate
from textual.events import Key
from textual.screen import Screen

from benchmarks.report import machine, save_results, saved_results, table
from noughts.arena.commands import MakeMove
from noughts.arena.local_table import LocalTable
from noughts.arena.match import Match
from noughts.arena.series import Series
from noughts.arena.store.store import Store
from noughts.interfaces.presenting.game_plan import GamePlan
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.presenting.settings import database_url
from noughts.interfaces.tui import app as app_module
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.launch import table_for
from noughts.interfaces.tui.widgets.base_app import AppServices

SIZE, SMALL = (100, 30), (60, 20)
"""The window of timed measurements, and the window in which many games are played."""

RUNS = 9
KEYS_EACH = 60
MOVES_MADE = 60
ROWS_BEFORE = 5
"""The number of the first rows of memory that are ignored in the slope, since caches fill up first."""

BOARDS = {"19x19": "19x19:5", "8x8x8": "8x8x8", "100x100": "100x100:5"}
QUIET_SECONDS = 0.08
"""The silence after which a frame is complete, in seconds.

Frames come every sixtieth of a second.
"""

ESCAPES = re.compile(
    r"\x1b(\[[0-9;?<>=$]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|P[^\x1b]*\x1b\\|[()][AB0]|[=>])"
)
"""Escape sequences, which a terminal executes instead of showing."""

SPECIAL = {"right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "pagedown": "\x1b[6~"}
NAMES = {"!": "exclamation_mark", "[": "left_square_bracket", "]": "right_square_bracket"}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table of keys: *before* is pressed once, then *keys* in turn, each measured."""

    told: str
    keys: tuple[str, ...]
    before: tuple[str, ...] = ()


ROWS = (
    Row("cursor", ("right", "right", "j", "left", "left", "k")),
    Row("mark placed, taken back", ("enter", "u", "y")),
    Row("lines on, off", ("t", "t")),
    Row("cursor, lines on", ("right", "right", "j", "left", "left", "k"), ("t",)),
    Row("threats on, off", ("!", "!"), ("t",)),
    Row("one move back, forward", ("[", "]")),
)


def say_times(name: str, seconds: list[float]) -> list[float]:
    """Print a row with best, median and worst in milliseconds, and return them."""
    times = [1000 * one for one in (min(seconds), statistics.median(seconds), max(seconds))]
    print(f"{name:<38} {times[0]:8.1f} {times[1]:8.1f} {times[2]:8.1f}")
    return times


def heading(title: str, unit: str) -> None:
    print(f"{title:<38} {'best':>8} {'median':>8} {'worst':>8}  ({unit})")


# Positions


def with_moves(store: Store, spec: str, moves: int = MOVES_MADE) -> LocalTable:
    """Return a game of two people on the board *spec* after random *moves*, without a winner."""
    chance = Random(4)
    people = ("Ada", "Wei")
    sitting = LocalTable(store, spec, Series(people), dict.fromkeys(people, "human"))
    sitting.begin(at=0)
    for ply in range(moves):
        if sitting.match is None:
            raise AssertionError("a game was begun")
        game = sitting.match.game
        options = list(game.legal_moves())
        while True:
            move = chance.choice(options)
            trial = game.copy()
            trial.play(move)
            if not trial.is_over:
                break
        sitting.apply(game.turn, MakeMove(move), at=ply + 1)
    return sitting


# Measurements inside the process


class PaintedApp(NoughtsApp):
    """The application without a terminal, which still renders each frame for one."""

    CSS_PATH = str(Path(app_module.__file__).with_name("style.tcss"))
    written = 0

    def _display(self, screen: Screen[object], renderable: object) -> None:
        if isinstance(renderable, CompositorUpdate) and not self._batch_count:
            self.written += len(renderable.render_segments(self.console))


@asynccontextmanager
async def opened(plan: GamePlan | None = None, size: tuple[int, int] = SIZE) -> AsyncIterator[PaintedApp]:
    """Open the application in a window, with searches in the same thread and without saving."""
    around = AppServices(MemoryStore, ThinkingHere(), now=lambda: 0, preferences=Preferences())
    app = PaintedApp(Translator("en"), around, plan)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app


async def worked_off(app: NoughtsApp) -> None:
    """Wait until all messages are handled, and paint the changes without waiting for a timer."""
    while app.input_queue.count and app.is_running:
        await asyncio.sleep(0)
    for _ in range(3):
        waited = []
        for pump in [app, *app.screen.walk_children(with_self=True)]:
            reached = asyncio.Event()
            if pump.call_later(reached.set):
                waited.append((pump, reached))
        for pump, reached in waited:
            while pump.is_running and not reached.is_set():
                await asyncio.sleep(0)
    app.screen._on_timer_update()


async def press(app: NoughtsApp, key: str) -> float:
    """Press a key. Return the CPU seconds until the new frame is ready."""
    name = NAMES.get(key, key)
    start = time.process_time()
    app.post_message(Key(name, key if len(key) == 1 else None))
    await worked_off(app)
    return time.process_time() - start


async def measure_keys() -> dict[str, list[float]]:
    """Print and return the time that the process works on keys."""
    measured = {}
    heading("key until the frame is ready", f"ms of CPU, {KEYS_EACH} keys each")
    for board, spec in BOARDS.items():
        for row in ROWS:
            sitting = with_moves(MemoryStore(), spec)
            async with opened() as app:
                app.push_screen(GamePage(sitting, app))
                await worked_off(app)
                for key in (*row.before, *row.keys):
                    await press(app, key)
                gc.collect()
                times = [await press(app, row.keys[at % len(row.keys)]) for at in range(KEYS_EACH)]
            name = f"{board}, {row.told}"
            measured[name] = say_times(name, times)
    return measured


# Through a pseudo-terminal


class Terminal:
    """A program in a pseudo-terminal of 100x30, and its output."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        import fcntl
        import struct
        import termios

        self.start = time.perf_counter()
        self._own, other = os.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            env=environment,
            start_new_session=True,
        )
        os.close(other)
        self.got = b""

    def read(self, seconds: float) -> bool:
        """Read the output that arrives within *seconds*. Return False if there is none."""
        if not select.select([self._own], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self._own, 65_536)
        except OSError:  # The program has ended.
            return False
        self.got += more
        return bool(more)

    def text(self) -> str:
        """Return the output since the last key, without escape sequences."""
        return ESCAPES.sub("", self.got.decode("utf-8", "replace"))

    def until(self, text: str, seconds: float = 30.0) -> float:
        """Return the seconds from the start until *text* is on the screen."""
        while text not in self.text():
            if time.perf_counter() - self.start > seconds or not self.read(seconds):
                raise TimeoutError(f"{text!r} never came; there is: {self.text()[-500:]!r}")
        return time.perf_counter() - self.start

    def key(self, key: str) -> float:
        """Type *key*. Return the seconds until the last byte of its output."""
        while self.read(QUIET_SECONDS):
            pass
        self.got, last = b"", None
        start = time.perf_counter()
        os.write(self._own, SPECIAL.get(key, key).encode())
        while self.read(1.0 if last is None else QUIET_SECONDS):
            last = time.perf_counter()
        if last is None:
            raise TimeoutError(f"nothing came of the key {key!r}")
        return last - start

    def close(self) -> None:
        """Stop the program."""
        self._process.kill()
        self._process.wait()
        os.close(self._own)


@contextmanager
def surroundings() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield an environment with a temporary folder for games and preferences."""
    with tempfile.TemporaryDirectory() as folder:
        facts = {"NOUGHTS_DB": f"{folder}/games.db", "XDG_CONFIG_HOME": folder, "NOUGHTS_LANG": "en"}
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        environment = {**os.environ, **facts, **terminal}
        environment.pop("NO_COLOR", None)
        yield folder, environment


def process_time(code: str, environment: dict[str, str]) -> float:
    """Return the seconds of one process that runs *code*."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return time.perf_counter() - start


def first_time(arguments: list[str], text: str, environment: dict[str, str]) -> float:
    """Return the seconds of one process until *text* is on its screen."""
    terminal = Terminal(["-m", "noughts", *arguments], environment)
    try:
        return terminal.until(text)
    finally:
        terminal.close()


def measure_first() -> dict[str, list[float]]:
    """Print and return the time until the first screen."""
    with surroundings() as (_, environment):
        seats = ["play", "tictactoe", "--x", "human", "--o", "rule"]
        measured: dict[str, Callable[[], float]] = {
            "python -c pass": lambda: process_time("pass", environment),
            "import textual.app": lambda: process_time("import textual.app", environment),
            "noughts": lambda: first_time([], "Enter play", environment),
            "noughts play tictactoe ...": lambda: first_time(seats, "Enter place", environment),
        }
        times: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(RUNS + 1):
            for name, measure in measured.items():
                times[name].append(measure())
    heading("process", f"ms, {RUNS} runs after one to warm up")
    return {name: say_times(name, seconds) for name, (_, *seconds) in times.items()}


def measure_pty() -> dict[str, list[float]]:
    """Print and return the time until a key is shown."""
    from noughts.arena.store.database import open_database

    measured = {}
    heading("key until the terminal is quiet", f"ms, {KEYS_EACH} keys each")
    for board, spec in BOARDS.items():
        for row in ROWS:
            with surroundings() as (folder, environment):
                store = open_database(database_url(f"{folder}/games.db", {}))
                with_moves(store, spec)
                store.close()
                terminal = Terminal(["-m", "noughts"], environment)
                try:
                    terminal.until("Enter play")
                    for key in ("c", *row.before, *row.keys):
                        terminal.key(key)
                    times = [terminal.key(row.keys[at % len(row.keys)]) for at in range(KEYS_EACH)]
                finally:
                    terminal.close()
            name = f"{board}, {row.told}"
            measured[name] = say_times(name, times)
    return measured


def measure_bytes() -> dict[str, list[int]]:
    """Print the output of keys in bytes."""
    people = ["--x", "human", "--o", "human"]
    rows: list[tuple[str, list[str], str, tuple[str, ...]]] = [
        ("the gallery, an arrow key", [], "Enter play", ("right", "right", "left")),
        ("tictactoe, an arrow key", ["play", "tictactoe", *people], "Enter place", ("right", "left")),
        ("tictactoe, a move", ["play", "tictactoe", *people], "Enter place", ("5", "1", "9")),
        ("gomoku, an arrow key", ["play", "gomoku", *people], "Enter place", ("right", "left")),
        ("gomoku, to a cell and a move", ["play", "gomoku", *people], "Enter place", ("right", "enter")),
    ]
    measured: dict[str, list[int]] = {}
    print(f"{'a key at 100x30 in true colour':<38} {'bytes of each key':>26}")
    for told, arguments, ready, keys in rows:
        with surroundings() as (_, environment):
            terminal = Terminal(["-m", "noughts", *arguments], environment)
            try:
                terminal.until(ready)
                counts = measured[told] = []
                for key in keys:
                    terminal.key(key)
                    counts.append(len(terminal.got))
            finally:
                terminal.close()
        print(f"{told:<38} {' '.join(map(str, counts)):>26}")
    return measured


# Memory


def resident() -> int:
    """Return the memory of the process in bytes, or its maximum if the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


async def until(is_so: Callable[[], bool]) -> None:
    """Run the application until a condition holds."""
    end = time.monotonic() + 60
    while not is_so():
        await asyncio.sleep(0)
        if time.monotonic() > end:
            raise TimeoutError("the application has come to a standstill")


def page_of(app: NoughtsApp) -> GamePage | None:
    return app.screen if isinstance(app.screen, GamePage) and app.screen.is_mounted else None


def ended(app: NoughtsApp) -> Match | None:
    """Return the match on the screen if it has ended."""
    page = page_of(app)
    match = None if page is None else page.session.table.match
    return None if match is None or match.outcome is None else match


async def next_game(app: NoughtsApp, plan: GamePlan, *, through_gallery: bool) -> None:
    """Play one more game to its end."""
    page, last = page_of(app), ended(app)
    if not through_gallery:
        app.post_message(Key("n", "n"))
    else:
        if page is not None:
            app.post_message(Key("q", "q"))
            await until(lambda: app.screen is not page)
        app.push_screen(GamePage(table_for(plan, app.services.store, keeps_all=False), app))
    await until(lambda: ended(app) not in (None, last))


async def measure_memory(games: int, *, through_gallery: bool, traced: bool) -> list[list[int]]:
    """Print and return the memory of the process after every tenth of the games, and print the slope."""
    names = ["random:1", "random:2"]
    plan = GamePlan("tictactoe", ["random", "random"], names, series=True, seed=4)
    step = max(1, games // 10)
    print(f"{'games':>8} {'resident KiB':>14} {'traced KiB':>12} {'objects':>10} {'ms a game':>10}")
    rows: list[tuple[int, int, int]] = []
    first = None
    async with opened(None if through_gallery else plan, SMALL) as app:
        if not through_gallery:
            await until(lambda: ended(app) is not None)
        if traced:
            tracemalloc.start()
        start = time.perf_counter()
        for number in range(1, games + 1):
            await next_game(app, plan, through_gallery=through_gallery)
            if number % step == 0:
                took = (time.perf_counter() - start) / step
                await worked_off(app)
                gc.collect()
                held = tracemalloc.get_traced_memory()[0] if traced else 0
                rows.append((number, resident(), held))
                told = f"{number:8} {rows[-1][1] / 1024:14.0f} {held / 1024:12.0f}"
                print(f"{told} {len(gc.get_objects()):10} {took * 1000:10.1f}", flush=True)
                if traced and len(rows) == ROWS_BEFORE:
                    first = tracemalloc.take_snapshot()
                start = time.perf_counter()
        last = tracemalloc.take_snapshot() if traced else None
    before, after = rows[ROWS_BEFORE - 1], rows[-1]
    played = after[0] - before[0]
    print(f"slope of resident memory in the second half: {(after[1] - before[1]) / played:.0f} bytes a game")
    if first is not None and last is not None:
        print(f"slope of what Python holds there: {(after[2] - before[2]) / played:.0f} bytes a game, from")
        for found in last.compare_to(first, "lineno")[:8]:
            frame = found.traceback[0]
            place = "/".join(frame.filename.split("/")[-3:])
            print(f"  {found.size_diff / played:7.1f} bytes a game  {place}:{frame.lineno}")
    return [[number, held] for number, held, _ in rows]


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    texts = {}
    if "machine" in measured:
        texts["machine"] = f"On {measured['machine']}, milliseconds:\n"
    if "first" in measured:
        first = {f"`{name}`": times for name, times in measured["first"].items()}
        rows = [[name, f"{best:.0f}", f"{middle:.0f}"] for name, (best, middle, _) in first.items()]
        texts["first"] = table(["process", "best", "median"], rows)
    if "keys" in measured and "pty" in measured:
        texts["keys"] = _keys_table(measured["keys"], measured["pty"])
    if "bytes" in measured:
        rows = [[told, f"{max(counts):,}"] for told, counts in measured["bytes"].items()]
        texts["bytes"] = table(["at 100x30, in true colour", "bytes at most"], rows)
    if "memory" in measured:
        games, held = zip(*measured["memory"], strict=True)
        slope = (held[-1] - held[ROWS_BEFORE - 1]) / (games[-1] - games[ROWS_BEFORE - 1])
        sizes = ["resident, KiB", *(f"{size / 1024:,.0f}" for size in held)]
        grown = table(["games", *(f"{count:,}" for count in games)], [sizes])
        texts["memory"] = f"{grown}\nThe slope of the second half is {slope:.0f} bytes a game.\n"
    return texts


def _keys_table(inside: dict[str, list[float]], outside: dict[str, list[float]]) -> str:
    """Return a table of times by kind of key and board: the median inside, and the best from outside."""
    rows = []
    for row in ROWS:
        names = [f"{board}, {row.told}" for board in BOARDS]
        rows.append([row.told, *(f"{inside[name][1]:.0f} / {outside[name][0]:.0f}" for name in names)])
    return table(["CPU / pseudo-terminal, ms", *BOARDS], rows)


def main() -> None:
    """Run the measurement of the command line."""
    parser = argparse.ArgumentParser(description="what the full screen costs")
    parser.add_argument("what", choices=("first", "keys", "pty", "bytes", "memory"))
    parser.add_argument("--games", type=int, default=10_000, help="at least 10")
    parser.add_argument(
        "--through-gallery", action="store_true", help="start each game in the gallery, and return to it"
    )
    parser.add_argument("--traced", action="store_true", help="print the lines whose memory has grown")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    given = parser.parse_args()
    measured: Any
    match given.what:
        case "first":
            measured = measure_first()
        case "keys":
            measured = asyncio.run(measure_keys())
        case "pty":
            measured = measure_pty()
        case "bytes":
            measured = measure_bytes()
        case _:
            measured = asyncio.run(
                measure_memory(given.games, through_gallery=given.through_gallery, traced=given.traced)
            )
    if given.write:
        save_results(
            "full_screen", {**saved_results("full_screen"), "machine": machine(), given.what: measured}
        )


if __name__ == "__main__":
    main()
