"""Players that are programs: good ones play every game, and bad ones fail alone with a reason."""

import gc
import os
import sys
import threading
from collections.abc import Sequence
from time import sleep
from typing import Any
from weakref import ref

import pytest

from noughts import Limit, Player, new_game, play
from noughts.arena.commands import Forfeit, Resign
from noughts.arena.events import Event
from noughts.arena.match import SETTLED, Match
from noughts.arena.runner import PlayerSeat
from noughts.errors import NotFound, NoughtsError, PlayerAtFault, PlayerFailed, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search import balance
from noughts.search.analysis import Progress
from noughts.workers.programs import bot_player, client
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.programs.noughts_driver import NoughtsDriver
from noughts.workers.programs.program import Program, ProgramLimits, ProgramStart

PATH = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def ours(name: str, seed: int = 1) -> BotPlayer:
    """Return a built-in player as a program."""
    start = ProgramStart((sys.executable, "-m", "noughts.bots", name, str(seed)), environ=PATH)
    return BotPlayer(name, start, greet_seconds=60)


SCRIPT = """
import sys
def say(text): print(text, flush=True)
REPLIES = {replies!r}
for line in sys.stdin:
    words = line.split()
    number = words[1] if len(words) > 1 else ""
    if words[0] == "quit": break
    for text in REPLIES.get(words[0], ["ok"]):
        exec(text[1:]) if text.startswith("!") else say(text.format(number=number))
"""

READY = {"noughts": ["hello", "id name=Ada version=2", "option threads int 1 64 1", "option", "ready 1"]}


def scripted(lines: int = 100_000, **replies: Sequence[str]) -> BotPlayer:
    """Return a program with scripted replies to each command, and a limit of *lines* for a game."""
    code = SCRIPT.format(replies={**READY, **replies})
    start = ProgramStart((sys.executable, "-S", "-c", code), ProgramLimits(lines=lines))
    return BotPlayer("scripted", start, greet_seconds=60)


def test_late_bot_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_player, "OVER_SECONDS", 3_600)
    monkeypatch.setattr(client, "STOP_SECONDS", 3_600)
    player = scripted(go=[])
    player.take_seat(new_game("tictactoe"))
    assert PlayerSeat(player, Limit(seconds=0.1)).decide(Match(new_game("tictactoe"))) == Forfeit(
        "too-slow", "more than 0.1 s"
    )
    closing = threading.Thread(target=player.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()


@pytest.mark.slow
def test_built_in_players_play_as_programs() -> None:
    game, same = new_game("tictactoe"), new_game("tictactoe")
    x, o = ours("level:3"), ours("random")
    assert play(game, x, o) in ("X", "O", None)
    x.close()
    o.close()
    assert play(same, ours("level:3"), ours("random")) == game.winner
    assert same.moves == game.moves


@pytest.mark.slow
def test_progress_of_a_search_is_reported() -> None:
    player, heard = ours("level:9"), list[Progress]()
    player.report_to(heard.append)
    game = new_game("gomoku")
    game.play((7, 7))
    assert player.choose(game, Limit(nodes=300)) in game.legal_moves()
    assert heard[0].nodes
    assert heard[0].best in game.legal_moves()


@pytest.mark.slow
def test_program_ends_with_its_player() -> None:
    player = scripted()
    driver = player.driver()
    assert isinstance(driver, NoughtsDriver)
    assert driver.client.facts == {"name": "Ada", "version": "2"}
    assert driver.client.options == {"threads": "int 1 64 1"}
    assert player.driver() is driver
    program = player._program
    assert program is not None
    del player, driver
    gc.collect()
    assert program._process.returncode == 0


def test_options_are_sent() -> None:
    def make(name: str, program: Program) -> NoughtsDriver:
        return NoughtsDriver(name, program, {"threads": "2", "book": "a b"})

    code = SCRIPT.format(replies=READY | {"set": ["!say('ok' if words[1:] else 'error syntax')"]})
    BotPlayer("optional", ProgramStart((sys.executable, "-S", "-c", code)), make, 60).driver()
    player = scripted(set=["error unknown option=threads"])
    player._make = make
    with pytest.raises(UnsupportedRules) as caught:
        player.driver()
    assert (caught.value.game, caught.value.reason) == ("threads", "bot-option")


CHOOSER = """
from noughts import Player
from noughts.bots import run
class Chooser(Player):
    def choose(self, game, limit): return game.legal_moves()[0]
    def choose_side(self, game, answers, limit): return "swap"
    def place_evenly(self, game, marks, limit): return game.legal_moves()[-marks]
run(Chooser())
"""


@pytest.mark.slow
def test_bot_answers_in_openings() -> None:
    player, game = (
        BotPlayer("own", ProgramStart((sys.executable, "-c", CHOOSER), environ=PATH)),
        new_game("gomoku"),
    )
    for left in (3, 2, 1):
        game.play(player.place_evenly(game, left, Limit()))
    assert [cell for _, cell in game.moves] == [12, 13, 14]
    assert player.choose_side(game, ("swap", "put"), Limit(nodes=100)) == "swap"
    staying = scripted(ask=["choose {number} stay 8"], go=["move {number} 9"])
    assert staying.choose_side(game, ("swap", "put"), Limit()) == "stay"
    assert staying.choose(game, Limit()) == (0, 7)
    assert staying.choose(game, Limit()) == (0, 8)
    putting = scripted(ask=["choose {number} put 1 2"])
    assert putting.choose_side(game, ("swap", "put"), Limit()) == "put"
    assert putting.place_evenly(game, 2, Limit()) == (0, 0)
    game.play((0, 0))
    assert putting.place_evenly(game, 1, Limit()) == (0, 1)
    silent = scripted(ask=["choose {number}"])
    assert silent.choose_side(one_mark(), ("swap",), Limit()) == ""


def one_mark() -> Game:
    game = new_game("gomoku")
    game.play((7, 7))
    return game


def test_bot_without_openings_gets_a_default_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "choose_side", lambda *_: "swap")
    monkeypatch.setattr(balance, "place_evenly", lambda *_: (3, 3))
    player, game = scripted(ask=["error unknown number={number}"]), new_game("gomoku")
    assert player.place_evenly(game, 1, Limit()) == (3, 3)
    assert player.place_evenly(game, 9, Limit()) == (3, 3)  # this is no known opening
    assert player.choose_side(one_mark(), ("swap",), Limit()) == "swap"


@pytest.mark.parametrize(
    "said", ["choose {number} put 1", "choose {number} put x y z", "choose {number} swap 1 2 3"]
)
def test_illegal_placement_is_a_fault(said: str) -> None:
    with pytest.raises(PlayerAtFault) as caught:
        scripted(ask=[said]).place_evenly(new_game("gomoku"), 3, Limit())
    assert caught.value.fault == "illegal-move"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replies", "fault", "reason"),
    [
        ({"go": ["!sys.exit('\\x1b[1mno')"]}, "crashed", r"exit status 1; \x1b[1mno"),
        (
            {"go": ["move {number} 1"] * 2, "position": [], "game": ["hm", "ok"]},
            "too-slow",
            "no answer to position",
        ),
        ({"go": ["!sys.stdout.write('x' * 17_000_000)"]}, "flooded", "more than"),
        ({"go": ["move {number}"]}, "illegal-move", ""),
        ({"go": ["move {number} z9"]}, "illegal-move", "z9"),
        ({"go": ["move {number} 99999999999999999999"]}, "illegal-move", "99999999999999999999"),
        ({"go": ["error internal number={number} reason=no-move text=None"]}, "no-move", "None"),
        ({"go": ["error internal reason=made-up text=x"]}, "raised", "x"),
        ({"game": ["error syntax what"]}, "raised", "syntax what"),
        (
            {"go": ["info {number} depth=1", "move 0 5", "hm {number}", "error busy number=0"]},
            "too-slow",
            "more than 0.5 s",
        ),
    ],
)
def test_failures_are_player_faults(
    replies: Any, fault: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_player, "MOVE_SECONDS", 60 if fault != "too-slow" else 0.5)
    monkeypatch.setattr(client, "REPLY_SECONDS", 60 if fault != "too-slow" else 0.5)
    player = scripted(**replies)
    with pytest.raises(PlayerAtFault) as caught:
        player.choose(new_game("tictactoe"), Limit())
    assert (caught.value.fault, reason in caught.value.reason) == (fault, True)
    assert player._driver is None
    seat = PlayerSeat(player)
    assert seat.decide_in(new_game("tictactoe"), SETTLED) == Forfeit(fault, caught.value.reason)


TALKATIVE = ["info {number} depth=1"] * 30 + ["move {number} 9"]


def test_output_limit_is_for_one_game() -> None:
    """110 lines are enough for three questions, in any number of games and after takebacks."""
    player, game = scripted(110, go=TALKATIVE), new_game("tictactoe")
    for _ in range(3):
        while game.ply < 4:
            assert player.choose(game, Limit()) == (2, 2)
            for _ in range(2):
                game.play(game.legal_moves()[0])
        for _ in range(3):
            game.undo()
        assert player.choose(game, Limit()) == (2, 2)
        game = new_game("tictactoe")
    program = player._program
    for _ in range(5):  # games that end before the next question
        assert player.choose(new_game("tictactoe"), Limit()) == (2, 2)
    assert player._program is program


def test_flood_within_a_game_is_a_fault() -> None:
    player, game = scripted(110, go=TALKATIVE), new_game("tictactoe")
    for _ in range(3):
        player.choose(game, Limit())
        game.play(game.legal_moves()[0])
    with pytest.raises(PlayerAtFault) as caught:
        player.choose(game, Limit())
    assert caught.value.fault == "flooded"


def test_bot_can_resign() -> None:
    player = scripted(go=["move {number} resign"])
    assert PlayerSeat(player).decide_in(new_game("tictactoe"), SETTLED) == Resign()


def test_failed_bot_plays_the_next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    code = SCRIPT.replace("for line in sys.stdin:", "LINES = ''\nfor line in sys.stdin:\n    LINES += line")
    replies = READY | {"go": ["!say(f'move {number} 1') if 'moves' not in LINES else sys.exit(3)"]}
    player = BotPlayer(
        "moody", ProgramStart((sys.executable, "-S", "-c", code.format(replies=replies))), greet_seconds=60
    )

    class Last(Player):
        def choose(self, game: Game, limit: Limit) -> Move:
            return game.legal_moves()[-1]

    for _ in range(2):
        events: list[Event] = []
        assert play(new_game("tictactoe"), player, Last(), on_event=events.append) == "O"
        assert events[-1].data["reason"] == "crashed"


def test_stopped_search_returns_its_move() -> None:
    player = scripted(go=[], stop=["move {number} 5"])
    stops = iter([False, True, True])
    assert player.choose(new_game("tictactoe"), Limit(seconds=1, stop=lambda: next(stops, True))) == (1, 1)


@pytest.mark.parametrize("patience", [0.2, 60])
def test_ignored_stop_is_a_fault(patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn of the program ends a while after the stop, or when its time is over, whichever is first."""
    monkeypatch.setattr(client, "STOP_SECONDS", 60.2 - patience)
    monkeypatch.setattr(bot_player, "MOVE_SECONDS", patience)
    with pytest.raises(PlayerAtFault, match="s after it was told to stop") as caught:
        scripted(go=[], stop=["hm"]).choose(new_game("tictactoe"), Limit(stop=lambda: True))
    assert caught.value.fault == "too-slow"


@pytest.mark.slow
def test_idle_program_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_player, "IDLE_SECONDS", 0.01)
    player, game = scripted(go=["move {number} 5"]), new_game("tictactoe")
    player.idle_seconds = None
    assert player.choose(game, Limit()) == (1, 1)
    assert player._idle is None
    player.idle_seconds = bot_player.IDLE_SECONDS
    for _ in range(2):
        assert player.choose(game, Limit()) == (1, 1)
        while player._program is not None:
            sleep(0.01)
    with player._asking:
        player.choose(game, Limit())
        idle = player._idle
        assert idle is not None
        idle.join()  # the player is busy
    assert player._program is not None
    bot_player._end_if_idle(ref(player))  # this thread is not its timer
    assert player._program is not None
    player.close()
    bot_player._end_if_idle(ref(scripted()))


@pytest.mark.slow
def test_declining_bot_is_not_a_failure() -> None:
    game = new_game("tictactoe")
    for player in (
        scripted(game=["error unsupported option=x"]),
        scripted(noughts=["can game=reversi", "ready 1"]),
    ):
        with pytest.raises(UnsupportedRules) as caught:
            player.take_seat(game)
        assert caught.value.reason == "bot-declines"
        assert player._driver is not None
    with pytest.raises(UnsupportedRules):
        ours("perfect").take_seat(new_game("three"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replies", "error"),
    [
        (["error internal reason=not-found"], NotFound),
        (["error unsupported text=old"], UnsupportedRules),
        (["error internal reason=failed text=x"], PlayerAtFault),
        (["!sys.exit()"], PlayerAtFault),
    ],
)
def test_missing_program_is_named(replies: list[str], error: type[NoughtsError]) -> None:
    with pytest.raises(error):
        scripted(noughts=replies).take_seat(new_game("tictactoe"))
    with pytest.raises(NotFound):
        ours("nobody").take_seat(new_game("tictactoe"))


def test_unready_program_is_at_fault() -> None:
    player = scripted(noughts=["id"])
    player._greet_seconds = 0.1
    with pytest.raises(PlayerAtFault, match="not ready"):
        player.take_seat(new_game("tictactoe"))


def test_failed_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(start: ProgramStart) -> Program:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(bot_player, "Program", refuse)
    player = scripted()
    with pytest.raises(PlayerFailed, match="temporarily"):
        player.take_seat(new_game("tictactoe"))
    player.close()
