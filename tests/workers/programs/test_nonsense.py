"""Programs and managers that send nonsense: the result is a move or a known error, and nothing else.

These tests run a tenth of the cases of ``.ci/weekly``.
"""

import threading
from collections import deque
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Limit, Player, new_game
from noughts.bots import run
from noughts.errors import NotFound, PlayerAtFault, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Progress
from noughts.workers.programs.driver import Driver, NeedsNewProcessError
from noughts.workers.programs.gomocup_driver import GomocupDriver
from noughts.workers.programs.noughts_driver import NoughtsDriver
from noughts.workers.protocols.channel import Fault
from noughts.workers.protocols.noughts_protocol import parse_line
from tests.workers.protocols.engines import Clock, FakeEngine
from tests.workers.protocols.test_gomocup import mutated

pytestmark = pytest.mark.slow

GAMES = [new_game(name) for name in ("gomoku", "connect4", "wild", "reversi", "qubic")]


class Short:
    """A channel with a limited number of lines, after which the program has ended."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = deque(lines)

    def send(self, line: str) -> None:
        assert line.isprintable()

    def receive(self, deadline: float) -> str | None:
        return self._lines.popleft() if self._lines else None

    def drop(self) -> list[str]:
        return []

    @property
    def fault(self) -> Fault | None:
        return None if self._lines else Fault("crashed", "exit status 0")


def ask(driver: Driver, game: Game) -> None:
    """Ask every question. The result must be a move, an answer or a known error."""

    def hear(progress: Progress) -> None:
        position = game.copy()
        for move in progress.pv:
            position.play(move)

    questions = (
        lambda: driver.begin(60),
        lambda: driver.seat(game),
        lambda: driver.place_evenly(game, 3, Limit(), 60),
        lambda: driver.choose_side(game, ("swap", "put"), Limit(), 60),
        lambda: driver.choose(game, Limit(nodes=5), 60, hear),
        lambda: driver.choose(game, Limit(), 60, hear),
    )
    received: list[str] = []
    for question in questions:
        try:
            question()
        except (PlayerAtFault, UnsupportedRules, NotFound) as error:
            received.append(str(error))
        except NeedsNewProcessError:
            break
    assert all(map(str.isprintable, received))


SAID = (
    *("ready 1", "ok", "ok", "ok", "pong settled", "id name=x version=2", "option threads int 1 64 1"),
    *("can kinarow dims=1..2 cells=400", "can game=reversi", 'error unsupported text="no"', "error busy"),
    *("info 1 depth=6 nodes=51 ms=2 score=+312 pv=4,3,5", "info 1 value=win pv=h8,i9", "move 1 5"),
    *("move 1 h8", "move 1 resign", "choose 1 swap", "choose 1 put 1 2 3", "choose 2 stay 7", "move 3 X5"),
)


def test_noughts_driver_survives_nonsense() -> None:
    chance = Random(11)
    for number in range(500):
        game = chance.choice(GAMES).copy()
        lines = [chance.choice(SAID) for _ in range(20)]
        lines = [mutated(line, chance) if chance.randrange(2) else line for line in lines]
        ask(NoughtsDriver("bot:x", Short(lines), {"level": "3"} if number % 2 else None), game)


@given(st.lists(st.one_of(st.sampled_from(SAID), st.text(max_size=30)), max_size=20), st.sampled_from(GAMES))
def test_noughts_driver_survives_any_line(lines: list[str], game: Game) -> None:
    ask(NoughtsDriver("bot:x", Short(lines)), game.copy())


REPLIES = (
    "OK",
    "OK",
    "7,7",
    "0,0",
    "8,8",
    "7,7 8,8 9,9",
    "SWAP",
    "MESSAGE depth 3 pv 7,7 7,8",
    "ERROR no",
    "UNKNOWN",
)


def test_gomocup_driver_survives_nonsense() -> None:
    chance = Random(13)

    def answer(line: str) -> list[str | float]:
        received = [chance.choice(REPLIES) for _ in range(chance.randrange(4))]
        return [mutated(line, chance) if chance.randrange(2) else line for line in received]

    for _ in range(500):
        clock = Clock()
        ask(GomocupDriver("bot:x", FakeEngine(answer, clock), now=clock), chance.choice(GAMES).copy())


COMMANDS = (
    *("noughts 1", "set threads 2", "game gomoku", "game 7x6:4,gravity", 'game {"shape": [6, 7], "k": 4}'),
    *("position start", "position start moves 4 4 3", "position ../.X/OX X moves 3", "go 1 nodes=5"),
    *(
        "go 2 left=1,2 turn=0 inc=3",
        "stop 1",
        "ask 3 swap2 8 9 24",
        "ask 4 pie 3",
        "over winner=X reason=line",
    ),
    *("ping a7", "hit 3", "go 5 ponder", "game reversi", "game 4x4:4,wild"),
)

ANSWERS = frozenset(("id", "ready", "ok", "error", "move", "info", "choose", "pong"))


class Last(Player):
    def choose(self, game: Game, limit: Limit) -> Move:
        return game.legal_moves()[-1]

    def choose_side(self, game: Game, answers: object, limit: Limit) -> str:
        return "put"

    def place_evenly(self, game: Game, marks: int, limit: Limit) -> Move:
        return game.legal_moves()[0]


def test_engine_survives_nonsense_of_managers() -> None:
    """However much nonsense comes while the player is busy, the last question is answered."""
    chance, words, answered = Random(17), list[str](), threading.Event()
    asked = ("game gomoku", "position start", "ask 3 swap2 8 9 24", "go 1 nodes=5")

    def lines() -> Iterator[str]:
        yield "noughts 1"
        for number in range(10_000):
            line = chance.choice(COMMANDS)
            line = mutated(line, chance) if number % 2 else line
            if not line.lstrip().startswith("quit"):
                yield line
        before = len(words)
        while not {"choose", "move"} <= {parse_line(line).word for line in words[before:]}:
            for line in asked:
                answered.clear()
                yield line
                answered.wait()
        yield "ping last"

    def write(line: str) -> None:
        words.append(line)
        answered.set()

    run(Last(), lines=lines(), write=write, leave=lambda status: None)
    parsed = [parse_line(line) for line in words]
    assert {line.word for line in parsed} <= ANSWERS
    assert {"move", "choose", "pong", "error", "ok"} <= {line.word for line in parsed}
    assert any(line.words == ("last",) for line in parsed)
    assert all(line.count("\n") == 1 for line in words)
