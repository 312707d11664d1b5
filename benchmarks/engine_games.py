"""Games between two programs of the Gomocup protocol, which stay alive from game to game.

Both games of a pair have the same opening, with exchanged seats. The processor time of both programs is
measured, so that a match states the load under which it was played.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count, islice
from math import isfinite
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic, sleep
from typing import Any

from noughts import Game, Limit, new_game
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, run
from noughts.arena.tournament.openings import OFFSET, parse_lines, parse_opening
from noughts.arena.tournament.scores import PAIRS, Results
from noughts.arena.tournament.sequential import Test
from noughts.errors import BadInput, PlayerAtFault
from noughts.games.base import Move
from noughts.games.moves import cells_of
from noughts.players.base import Player
from noughts.search.balance import even_openings
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.programs.gomocup_driver import GomocupDriver
from noughts.workers.programs.program import MEBIBYTE, Program, ProgramLimits, ProgramStart
from noughts.workers.protocols.gomocup import point_of

RULE_GAMES = {0: "gomoku", 1: "gomoku-standard", 4: "renju"}
"""The games that are played by a rule of the protocol."""

PUBLISHED = Path(__file__).parent / "gomocup_openings.txt"
"""The published openings, of games in which five or more win. They serve all rules."""

SIZE = 15
EVEN = Path(__file__).parent / "even_openings.txt"
"""The saved openings of :data:`SAVED_SEED`, which follow the published ones in matches of all versions."""

SAVED_SEED = 1
PLIES = 4
"""The number of moves of generated openings."""

PATIENCE = 60.0
"""The seconds of a move that only nodes limit."""

SETTLE_SECONDS, QUIET_SECONDS = 600.0, 2.0
"""The longest wait for a program to get ready, and the time without activity after which it is ready."""

START_SECONDS, MEMORY = 60.0, 1024 * MEBIBYTE
"""The limits of the start and of the memory of programs."""

PROCESSES = Path("/proc")


def command_of(text: str) -> list[str]:
    """Return the words of a command whose program is installed.

    Raises :class:`argparse.ArgumentTypeError` if there is no such program.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise argparse.ArgumentTypeError(f"{text!r}: no such program is installed")
    return [str(Path(program).absolute()), *words[1:]]  # The manager runs in another folder.


def openings_in(file: Path, rule: int) -> list[tuple[Move, ...]]:
    """Return the openings in *file* that fit on the board and obey *rule*.

    The points are counted from the middle, so openings of greater boards may be too wide.
    """
    game = new_game(RULE_GAMES[rule])
    found: list[tuple[Move, ...]] = []
    for line in parse_lines(file.read_text(encoding="utf-8")):
        with suppress(BadInput):
            found.append(parse_opening(game, line, OFFSET))
    return found


def offsets(opening: Sequence[Move]) -> str:
    """Return the *opening* as managers write it: columns and rows from the middle of the board."""
    middle = SIZE // 2
    points = (point_of(cell) for move in opening for cell in cells_of(move))
    return ", ".join(f"{x - middle},{y - middle}" for x, y in points)


def generated(rule: int, seed: int) -> Iterator[tuple[Move, ...]]:
    """Yield random openings that the search considers even, without end."""
    game = new_game(RULE_GAMES[rule])
    saved = openings_in(EVEN, rule) if seed == SAVED_SEED else []
    yield from saved
    for number in count(len(saved)):
        yield from even_openings(game, 1, PLIES, Random(f"{seed} {number} {game.name}"))


def match_openings(rule: int, seed: int, *, is_published: bool = True) -> Iterator[tuple[Move, ...]]:
    """Yield different openings: the published ones first, if wanted, and then generated ones."""
    game, known = new_game(RULE_GAMES[rule]), set[object]()
    for moves in _chained(rule, seed, is_published=is_published):
        if (key := _after(game, moves).key()) not in known:
            known.add(key)
            yield moves


def _chained(rule: int, seed: int, *, is_published: bool) -> Iterator[tuple[Move, ...]]:
    yield from openings_in(PUBLISHED, rule) if is_published else ()
    yield from generated(rule, seed)


def _after(game: Game, moves: Sequence[Move]) -> Game:
    game = game.copy()
    for move in moves:
        game.play(move)
    return game


@dataclass(eq=False)
class Contestant(Player):
    """A running program: its ``name``, its ``command``, its limit of a move, and the time that it used.

    If it ``is_clocked``, a move may take so many seconds by the wall clock. Otherwise the program counts
    processor time or nodes by itself. All its moves of a game may take ``match_seconds`` of processor time.
    If ``debug_is_fault``, a DEBUG line loses the game: ``noughts engine`` writes one when a search fails,
    and plays a quick move.
    """

    name: str
    command: Sequence[str]
    seconds: float | None = None
    nodes: int | None = None
    is_clocked: bool = False
    match_seconds: float | None = None
    debug_is_fault: bool = False
    cpu_seconds: float = 0.0
    moves: int = 0
    player: BotPlayer = field(init=False)
    _session: int = field(init=False, default=0)
    _is_settled: bool = field(init=False, default=False)
    _used_before: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        limits = ProgramLimits(memory=MEMORY, cpu_seconds=0)
        start = ProgramStart(tuple(self.command), limits)
        self.player = BotPlayer(self.name, start, self._driver, START_SECONDS)
        self.player.idle_seconds = None  # It must not end while it waits for its opponent.

    def _driver(self, name: str, program: Program) -> GomocupDriver:
        self._session = program.pid
        return _MatchDriver(self, program)

    def begin_game(self) -> None:
        """Begin a game: its time counts from now."""
        self._used_before = self.used()

    @property
    def left_ms(self) -> int:
        """The milliseconds that are left for the game. They are negative after it is lost on time."""
        assert self.match_seconds is not None
        return round(1000 * (self.match_seconds - self.used() + self._used_before))

    @property
    def limit(self) -> Limit:
        """The limit of one move."""
        return Limit(seconds=PATIENCE if self.seconds is None else self.seconds, nodes=self.nodes)

    def choose(self, game: Game, limit: Limit) -> Move:
        """Return the move of the program under its own limit. Raise its fault if the game is lost on time."""
        move = self.player.choose(game, self.limit)
        if self.match_seconds is not None and self.left_ms < 0:
            raise PlayerAtFault(self.name, "too-slow", f"{-self.left_ms} ms over the time of the game")
        return move

    def seat(self, tolerance: float) -> PlayerSeat:
        """Return the seat of the program, whose moves may be late by *tolerance* seconds."""
        if not self.is_clocked or self.seconds is None:
            return PlayerSeat(self)
        return PlayerSeat(self.player, self.limit, self.seconds + tolerance)

    def settle(self, rule: int) -> None:
        """Start the program for *rule*, and once wait until it is ready to play at full speed.

        ``noughts engine`` compiles in another process and loads the result afterwards, while it searches in
        Python.
        """
        if self._is_settled:
            return
        self._is_settled = True
        self.player.take_seat(new_game(RULE_GAMES[rule]))
        end, quiet_since, before = monotonic() + SETTLE_SECONDS, monotonic(), self.used()
        while monotonic() < end and monotonic() - quiet_since < QUIET_SECONDS:
            sleep(QUIET_SECONDS / 10)
            used = self.used()
            if has_child(self._session) or used > before:
                quiet_since, before = monotonic(), used

    def used(self) -> float:
        """Return the processor seconds of the program, which is started if it is not running."""
        self.player.driver()
        return session_seconds(self._session)


class _MatchDriver(GomocupDriver):
    """A driver that tells the program of *contestant* the time left for the game, and finds its failures."""

    def __init__(self, contestant: Contestant, program: Program) -> None:
        super().__init__(contestant.name, program, memory=MEMORY)
        self._contestant = contestant

    def hear(self, line: str) -> None:
        if self._contestant.debug_is_fault and line.startswith("DEBUG"):
            raise PlayerAtFault(self._contestant.name, "raised", line)

    def limits(self, limit: Limit) -> dict[str, int]:
        if self._contestant.match_seconds is None:
            return super().limits(limit)
        match_ms = round(1000 * self._contestant.match_seconds)
        return {**super().limits(limit), "timeout_match": match_ms, "time_left": self._contestant.left_ms}


def session_seconds(session: int) -> float:
    """Return the processor seconds of all processes in *session*, and of their ended children."""
    ticks = sum(sum(numbers[11:15]) for numbers in _processes() if numbers[3] == session)
    return ticks / os.sysconf("SC_CLK_TCK")


def has_child(pid: int) -> bool:
    """Return True if the process *pid* has a running child."""
    return any(numbers[1] == pid for numbers in _processes())


def _processes() -> Iterator[list[int]]:
    """Yield the numbers in ``/proc/PID/stat`` of each process, from its state, which is 0."""
    for stat in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            _, _, rest = stat.read_bytes().rpartition(b")")
            yield [0, *map(int, rest.split()[1:])]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game: the points of the first contestant, the moves, and the fault of the loser, if any."""

    points: float
    moves: tuple[Move, ...]
    fault: str | None


def play_game(
    rule: int, opening: Sequence[Move], seats: tuple[Contestant, Contestant], tolerance: float
) -> PlayedGame:
    """Play a game and return it with the points of the first of *seats*.

    A move may be late by *tolerance* seconds. The used time and the moves are added to both contestants.
    """
    game, events = _after(new_game(RULE_GAMES[rule]), opening), list[Event]()
    by_side = dict(zip(game.sides, seats, strict=True))
    asked = {side: one.seat(tolerance) for side, one in by_side.items()}
    for one in seats:
        one.settle(rule)
        one.begin_game()
    before = [one.used() for one in seats]
    match = Match(game)
    outcome = run(match, asked, on_event=events.append)
    for one, used in zip(seats, before, strict=True):
        one.cpu_seconds += max(one.used() - used, 0.0)
    for ply in range(len(opening), len(match.game.moves)):
        seats[ply % 2].moves += 1
    winner = None if outcome is None else outcome.winner
    points = 0.5 if winner is None else float(winner == game.sides[0])
    reason = events[-1].data.get("reason") if events else None
    loser = by_side[events[-1].side].name if reason and events[-1].side else ""
    return PlayedGame(points, match.game.moves, f"{loser}: {reason}" if reason else None)


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """A finished pair: its number, its opening, the points of the first contestant, and what it took.

    ``cpu`` has the processor seconds of the first and of the second contestant, ``moves`` the numbers of
    their moves. ``faults`` name the losers of games that did not end on the board.
    """

    number: int
    opening: str
    points: tuple[float, float]
    cpu: tuple[float, float]
    moves: tuple[int, int]
    faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, line: str) -> "PlayedPair":
        """Return the pair in a *line* of a file."""
        values = json.loads(line)
        lists = {key: tuple(values[key]) for key in ("points", "cpu", "moves", "faults")}
        return cls(values["number"], values["opening"], **lists)


Table = tuple[Contestant, Contestant]
"""The two contestants of a match, in their own processes."""


def play_pair(number: int, opening: Sequence[Move], rule: int, table: Table, tolerance: float) -> PlayedPair:
    """Play both games of an *opening*, the first contestant with either side."""
    first, second = table
    before = [(one.cpu_seconds, one.moves) for one in table]
    one = play_game(rule, opening, (first, second), tolerance)
    other = play_game(rule, opening, (second, first), tolerance)
    cpu = [round(one.cpu_seconds - old, 2) for one, (old, _) in zip(table, before, strict=True)]
    moves = [one.moves - old for one, (_, old) in zip(table, before, strict=True)]
    return PlayedPair(
        number,
        offsets(opening),
        (one.points, 1 - other.points),
        (cpu[0], cpu[1]),
        (moves[0], moves[1]),
        tuple(game.fault for game in (one, other) if game.fault),
    )


class EngineMatch:
    """A match with a *setting*, whose finished pairs are saved in *file*, if it is given.

    It ends as soon as *test*, if it is given, decides. Raises ``ValueError`` if *file* has another match.
    """

    def __init__(
        self, setting: Mapping[str, Any], test: Test | None = None, file: Path | None = None
    ) -> None:
        self.setting, self.test, self._file = setting, test, file
        self.pairs: dict[int, PlayedPair] = {}
        if file is not None and file.exists():
            first, *lines = file.read_text(encoding="utf-8").splitlines()
            if json.loads(first) != setting:
                raise ValueError(f"{file} has another match: {first}")
            self.pairs = {pair.number: pair for pair in map(PlayedPair.of, lines)}
        elif file is not None:
            file.write_text(json.dumps(setting) + "\n", encoding="utf-8")

    def add(self, pair: PlayedPair) -> None:
        """Count and save a finished pair."""
        self.pairs[pair.number] = pair
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(pair)) + "\n")

    @property
    def counted(self) -> list[PlayedPair]:
        """The pairs before the first unfinished one.

        Quick games must not have an advantage, so a later pair does not count yet.
        """
        found: list[PlayedPair] = []
        while (pair := self.pairs.get(len(found))) is not None:
            found.append(pair)
        return found

    @property
    def results(self) -> Results:
        """The results of the counted pairs."""
        counts = Counter(round(2 * sum(pair.points)) for pair in self.counted)
        return Results(tuple(counts[half_points] for half_points in range(PAIRS)))

    @property
    def decision(self) -> str | None:
        """The decision of the test, ``elo0`` or ``elo1``, or None while it is open."""
        return None if self.test is None else self.test.decision(self.results)

    def summary(self) -> dict[str, Any]:
        """Return the setting and the result as JSON values."""
        results, pairs = self.results, self.counted
        cpu = [
            1000 * sum(pair.cpu[side] for pair in pairs) / max(1, sum(pair.moves[side] for pair in pairs))
            for side in range(2)
        ]
        return {
            **self.setting,
            "pairs": [round(count) for count in results.counts],
            "cpu_ms": [round(ms, 1) for ms in cpu],
            "faults": dict(Counter(fault for pair in pairs for fault in pair.faults)),
            "log_ratio": None if self.test is None else round(self.test.log_ratio(results), 2),
            "decision": self.decision,
        }


def play_match(
    match: EngineMatch,
    make: Callable[[], Table],
    rule: int,
    openings: Iterable[Sequence[Move]],
    *,
    jobs: int = 1,
    tolerance: float = 3,
    on_pair: Callable[[PlayedPair], None] = lambda pair: None,
) -> None:
    """Play the missing pairs of *match* from *openings*, *jobs* at once, until its test decides.

    *make* makes the contestants of each job. They play all its games in the same processes. *on_pair* is
    called after each pair. If it raises an error, the match ends.
    """
    made, tables = [make() for _ in range(jobs)], SimpleQueue[Table]()
    for table in made:
        tables.put(table)

    def play(number: int, opening: Sequence[Move]) -> PlayedPair:
        table = tables.get()
        try:
            return play_pair(number, opening, rule, table, tolerance)
        finally:
            tables.put(table)

    missing = ((number, moves) for number, moves in enumerate(openings) if number not in match.pairs)
    waiting: set[Future[PlayedPair]] = set()
    try:
        with ThreadPoolExecutor(jobs) as executor:
            while match.decision is None:
                waiting |= {executor.submit(play, *task) for task in islice(missing, jobs - len(waiting))}
                if not waiting:
                    break
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    match.add(future.result())
                    on_pair(future.result())
    finally:
        for table in made:
            for one in table:
                one.player.close()


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of all engine matches to *parser*."""
    parser.add_argument(
        "--rule", type=int, choices=RULE_GAMES, default=0, help="0 free, 1 exact, 4 renju (0)"
    )
    parser.add_argument("--cpu", action="store_true", help="both engines count processor time")
    parser.add_argument("--openings", choices=("gomocup", "random"), default="gomocup")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generated openings (1)")
    parser.add_argument("--jobs", type=int, default=1, help="games at once (1)")
    parser.add_argument("--file", type=Path, help="file with the finished pairs of one match, to continue it")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")


def chosen_openings(options: argparse.Namespace, pairs: int) -> Iterator[tuple[Move, ...]]:
    """Return the openings of so many *pairs* that the *options* ask for."""
    is_published = options.openings == "gomocup"
    return islice(match_openings(options.rule, options.seed, is_published=is_published), pairs)


def limit_text(seconds: float | None, nodes: int | None, clock: str, match: float | None = None) -> str:
    """Return the limit of a move, in seconds of the *clock* unless there are *nodes*.

    *match* is the limit of a game in seconds.
    """
    if nodes is not None:
        return f"{nodes:,} nodes"
    text = f"{seconds:g} s" + (" CPU" if clock == "cpu" else "")
    return text if match is None else f"{text}, {match:g} s a game"


def score_text(counts: Sequence[float]) -> str:
    """Return the score of the *counts* of pairs with half of its 95 % interval."""
    results = Results(tuple(counts))
    score = results.interval()
    return f"{results.score:.3f} ± {(score.high - score.low) / 2:.3f}"


def elo_text(counts: Sequence[float]) -> str:
    """Return the difference in Elo points for the *counts* of pairs, with its 95 % interval."""
    elo = Results(tuple(counts)).elo()
    middle, low, high = (_signed(number) for number in (elo.middle, elo.low, elo.high))
    return f"{middle} [{low}, {high}]"


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if isfinite(elo) else "-∞" if elo < 0 else "+∞"


def counting_cpu(command: Sequence[str]) -> list[str]:
    """Return the command that runs *command*, the engine of a checkout, with processor time as its clock."""
    python = Path(command[0]).parent / "python"
    return [str(python), "-P", str(Path(__file__).parent / "cpu_clock.py"), *command[1:]]


def version_of(command: Sequence[str]) -> str:
    """Return the commit of the checkout that has the program of *command*, with ``+`` if it was changed.

    Return an empty text if it is in no checkout.
    """
    folder = Path(command[0]).parent
    git = ["git", "-C", str(folder)]
    found = subprocess.run(
        [*git, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        return ""
    changed = subprocess.run(
        [*git, "status", "--porcelain", "--untracked-files=no", ":/src"],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() + ("+" if changed.stdout else "")
