"""Games between two programs of the Gomocup protocol, which stay alive from game to game.

Both games of a pair have the same opening, with exchanged seats. The processor time of both programs is
measured, so that a match states the load under which it was played.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic, sleep

from noughts import Game, Limit, new_game
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, run
from noughts.arena.tournament.openings import OFFSET, parse_lines, parse_opening
from noughts.errors import BadInput
from noughts.games.base import Move
from noughts.games.moves import cells_of
from noughts.search.balance import even_openings
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.programs.gomocup_driver import GomocupDriver
from noughts.workers.programs.program import MEBIBYTE, Program, ProgramLimits, ProgramStart
from noughts.workers.protocols.gomocup import point_of

RULE_GAMES = {0: "gomoku", 1: "gomoku-standard", 4: "renju"}
"""The games that are played by a rule of the protocol."""

PUBLISHED = {0: "freestyle", 1: "standard", 4: "renju"}
"""The files with the published openings of a rule."""

SIZE = 15
PLIES = 4
"""The number of moves of generated openings."""

PATIENCE = 60.0
"""The seconds of a move that only nodes limit."""

SETTLE_SECONDS, QUIET_SECONDS = 600.0, 2.0
"""The longest wait for a program to get ready, and the time without activity after which it is ready."""

START_SECONDS, MEMORY = 60.0, 1024 * MEBIBYTE
"""The limits of the start and of the memory of programs."""

PROCESSES = Path("/proc")


def published(rule: int) -> list[tuple[Move, ...]]:
    """Return the openings of Gomocup for *rule* that fit on its board.

    The points are counted from the middle, so openings of other boards may be too wide.
    """
    game = new_game(RULE_GAMES[rule])
    file = Path(__file__).parent / "gomocup" / f"{PUBLISHED[rule]}.txt"
    found: list[tuple[Move, ...]] = []
    for line in parse_lines(file.read_text(encoding="utf-8")) if file.exists() else ():
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
    for number in count():
        yield from even_openings(game, 1, PLIES, Random(f"{seed} {number} {game.name}"))


def match_openings(rule: int, seed: int, *, is_published: bool = True) -> Iterator[tuple[Move, ...]]:
    """Yield different openings: the published ones first, if wanted, and then generated ones."""
    game, known = new_game(RULE_GAMES[rule]), set[object]()
    for moves in _chained(rule, seed, is_published=is_published):
        if (key := _after(game, moves).key()) not in known:
            known.add(key)
            yield moves


def _chained(rule: int, seed: int, *, is_published: bool) -> Iterator[tuple[Move, ...]]:
    yield from published(rule) if is_published else ()
    yield from generated(rule, seed)


def _after(game: Game, moves: Sequence[Move]) -> Game:
    game = game.copy()
    for move in moves:
        game.play(move)
    return game


@dataclass
class Contestant:
    """A running program: its ``name``, its ``command``, its limit of a move, and the time that it used."""

    name: str
    command: tuple[str, ...]
    seconds: float | None = None
    nodes: int | None = None
    cpu_seconds: float = 0.0
    moves: int = 0
    player: BotPlayer = field(init=False)
    _session: int = field(init=False, default=0)
    _is_settled: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        limits = ProgramLimits(memory=MEMORY, cpu_seconds=0)
        self.player = BotPlayer(self.name, ProgramStart(self.command, limits), self._driver, START_SECONDS)
        self.player.idle_seconds = None  # It must not end while it waits for its opponent.

    def _driver(self, name: str, program: Program) -> GomocupDriver:
        self._session = program.pid
        return GomocupDriver(name, program, memory=MEMORY)

    @property
    def limit(self) -> Limit:
        """The limit of one move."""
        return Limit(seconds=self.patience, nodes=self.nodes)

    @property
    def patience(self) -> float:
        """The seconds of one move."""
        return PATIENCE if self.seconds is None else self.seconds

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


def play_pair(
    rule: int, opening: Sequence[Move], first: Contestant, second: Contestant, tolerance: float
) -> list[PlayedGame]:
    """Play both games of an *opening*. The points are those of the contestant *first*."""
    one = play_game(rule, opening, (first, second), tolerance)
    other = play_game(rule, opening, (second, first), tolerance)
    return [one, PlayedGame(1 - other.points, other.moves, other.fault)]


def play_game(
    rule: int, opening: Sequence[Move], seats: tuple[Contestant, Contestant], tolerance: float
) -> PlayedGame:
    """Play a game and return it with the points of the first of *seats*.

    A move may be late by *tolerance* seconds. The used time and the moves are added to both contestants.
    """
    game, events = _after(new_game(RULE_GAMES[rule]), opening), list[Event]()
    by_side = dict(zip(game.sides, seats, strict=True))
    asked = {
        side: PlayerSeat(one.player, one.limit, one.patience + tolerance) for side, one in by_side.items()
    }
    for one in seats:
        one.settle(rule)
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
