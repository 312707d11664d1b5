"""Detection of the protocol of programs, and Gomocup engines in their own processes."""

import os
import sys
from functools import partial

import pytest

from noughts import Limit, new_game, play
from noughts.errors import PlayerAtFault, UnsupportedRules
from noughts.workers.programs import auto_driver
from noughts.workers.programs.auto_driver import AutoDriver
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.programs.driver import MakeDriver
from noughts.workers.programs.gomocup_driver import GomocupDriver
from noughts.workers.programs.program import MEBIBYTE, ProgramLimits, ProgramStart

SCRIPT = """
import sys, time
def say(*words): print(*words, flush=True)
stones = set()
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    numbers = rest.split()
    if word in ("END", "quit"): break
    {more}
"""

GOMOCUP = """
    if word == "noughts": {unknown}
    elif word in ("START", "BOARD"): stones = set()
    elif line[0].isdigit(): stones.add(line.rsplit(",", 1)[0])
    elif word == "TURN": stones.add(rest)
    elif word in ("RESTART", "TAKEBACK"): say("UNKNOWN")
    if word == "START": say("OK")
    if word in ("BEGIN", "TURN", "DONE"):
        move = next(text for x in range(15) if (text := f"{{x}},0") not in stones)
        stones.add(move)
        say(move)
"""

WIDE = """
    if word == "noughts": {hello}
    elif word == "ping": say("pong", rest)
    elif word == "go": say("move", numbers[0], "225")
    elif word in ("game", "position"): say("ok")
    else: say("error unknown")
"""


def program(more: str, make: MakeDriver = AutoDriver, seconds: float = 60) -> BotPlayer:
    code = SCRIPT.format(more=more)
    return BotPlayer("bot:x", ProgramStart((sys.executable, "-S", "-c", code)), make, seconds)


def gomocup(unknown: str = "say('UNKNOWN noughts')", make: MakeDriver = AutoDriver) -> BotPlayer:
    return program(GOMOCUP.format(unknown=unknown), make)


def wide(hello: str) -> BotPlayer:
    return program(WIDE.format(hello=hello))


def farewell(player: BotPlayer) -> str:
    return player.driver().farewell


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto_driver, "SILENT_SECONDS", 0.05)


@pytest.mark.parametrize(
    "unknown",
    [
        "say('UNKNOWN noughts')",
        "say('hello'); say('error what is that')",
        "say('ERROR noughts'); time.sleep(0.05); say('ERROR 1')",
    ],
)
def test_unknown_greeting_selects_gomocup(unknown: str) -> None:
    player = gomocup(unknown)
    assert player.choose(new_game("gomoku"), Limit()) == (0, 0)
    assert farewell(player) == "END"
    with pytest.raises(UnsupportedRules):
        player.take_seat(new_game("tictactoe"))
    assert (
        player.place_evenly(new_game("tictactoe"), 1, Limit(nodes=9)) in new_game("tictactoe").legal_moves()
    )


@pytest.mark.slow
def test_greeting_selects_the_noughts_protocol() -> None:
    player = wide("say('id name=Ada'); say('ready 1')")
    player.take_seat(new_game("tictactoe"))
    assert farewell(player) == "quit"
    assert player.choose(new_game("gomoku"), Limit()) == (14, 14)
    assert player.choose_side(new_game("15x15:5"), ("swap",), Limit(nodes=9)) in ("swap", "stay")
    with pytest.raises(UnsupportedRules):
        wide("say('error unsupported text=old')").driver()


@pytest.mark.usefixtures("_impatient")
def test_silent_program_is_detected_by_a_game() -> None:
    player = gomocup("pass")
    assert farewell(player) == "quit"
    assert player.choose(new_game("gomoku"), Limit()) == (0, 0)
    assert farewell(player) == "END"


@pytest.mark.usefixtures("_impatient")
def test_slow_greeting_is_recognised() -> None:
    """The late answers to the greeting must not be taken for answers to the next question."""
    player = wide("time.sleep(0.2); say('ready 1')")
    assert player.choose(new_game("gomoku"), Limit()) == (14, 14)
    assert farewell(player) == "quit"
    player = wide("time.sleep(0.2); say('ready 1')")
    player.take_seat(new_game("tictactoe"))


@pytest.mark.usefixtures("_impatient")
def test_silent_program_is_at_fault() -> None:
    player = program("pass", seconds=0.05)
    with pytest.raises(UnsupportedRules):
        player.take_seat(new_game("tictactoe"))
    with pytest.raises(PlayerAtFault, match="not ready") as caught:
        player.take_seat(new_game("gomoku"))
    assert caught.value.fault == "too-slow"
    with pytest.raises(PlayerAtFault) as caught:
        program("sys.exit(3)").take_seat(new_game("gomoku"))
    assert caught.value.fault == "crashed"


@pytest.mark.slow
def test_program_without_restart_gets_a_new_process() -> None:
    player, game = gomocup(make=GomocupDriver), new_game("gomoku")
    player.take_seat(game)
    first = player._program
    for column in (5, 6):
        game.play(player.choose(game, Limit()))
        game.play((7, column))
    for _ in range(4):
        game.undo()
    game.play((0, 0))
    assert player._program is first
    assert player.choose(game, Limit()) == (0, 1)
    assert player._program is not first


@pytest.mark.slow
def test_own_engine_is_detected() -> None:
    """The engine works with both protocols, and within the memory limit of bots."""
    limits = ProgramLimits(memory=512 * MEBIBYTE)
    environ = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    start = ProgramStart((sys.executable, "-m", "noughts", "engine"), limits, environ=environ)
    make = partial(GomocupDriver, memory=512 * MEBIBYTE, options={"max_depth": "1"})
    sitting = BotPlayer("bot:gomocup", start, make, 60)
    other = gomocup(make=GomocupDriver)
    assert play(new_game("7x7:5"), sitting, other, limit=Limit(nodes=200)) == "X"
