"""One game of a tournament: its players, their time, their faults."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest

from noughts.arena.commands import Adjudicate, MakeMove
from noughts.arena.events import Event
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament import play
from noughts.arena.tournament.plan import Entrant, PlayLimits, TournamentPlan
from noughts.arena.tournament.play import (
    AbsentPlayer,
    Adjudicator,
    Assignment,
    TimedSeat,
    clock_ms,
    play_game,
    player_of,
)
from noughts.arena.tournament.standings import (
    CRASHES,
    ILLEGAL,
    TIMEOUTS,
    GameResult,
    check_played,
    finished,
)
from noughts.errors import NotFound
from noughts.games.base import Game, Move
from noughts.players.base import Player
from noughts.players.bots import RandomPlayer
from noughts.search.analysis import Limit
from noughts.workers.programs.bot_list import Bot, save_bots
from noughts.workers.seating import new_player
from tests.arena.tournament.stand_ins import RANDOM, RULE

BOT = """
import sys
game = ""
for line in sys.stdin:
    word, *rest = line.split()
    if word == "noughts": print("ready 1", flush=True)
    elif word == "set": option = rest; print("ok", flush=True)
    elif word == "go" and option == ["act", "crash"]: sys.exit(3)
    elif word == "go" and option == ["act", "wrong"]: print("move", rest[0], "99", flush=True)
    elif word == "go" and option == ["act", "sleep"]: import time; time.sleep(60)
    elif word == "game" and option == ["act", "gone"]: sys.exit(3)
    elif word == "game" and option == ["act", "decline"]: print("error unsupported", flush=True)
    else: print("ok", flush=True)
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that follows its option."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    save_bots({"ada": Bot("ada", (sys.executable, str(path)), trust=True, options={"act": "play"})})


UNLIMITED = PlayLimits()

NOBODY = Adjudicator(0, lambda: 0)
"""An adjudicator that ends no game."""


def assigned(
    *players: Entrant,
    limits: PlayLimits = UNLIMITED,
    game: str = "tictactoe",
    moves: tuple[str, ...] = (),
    protocol: str | None = None,
) -> Assignment:
    first, second = players
    return Assignment(1, game, (first, second), limits, "seed", 5_000, moves, protocol)


def ended(assignment: Assignment, ticks: Iterator[int] | None = None) -> tuple[StoredGame, GameResult]:
    """Return the played game and its counted result, without the identifier of its course."""
    received = play_game(assignment) if ticks is None else play_game(assignment, lambda: next(ticks))
    stored = StoredGame(1, assignment.setup, tuple(Event.of(*values) for values in received))
    check_played(stored)
    plan = TournamentPlan("round-robin", (assignment.game,), assignment.players, 1)
    counted = finished(plan, 1, stored)
    assert counted is not None
    return stored, replace(counted, course=None)


def test_game_is_played_to_its_end() -> None:
    stored, result = ended(assigned(RULE, RANDOM, moves=("1", "9")))
    assert [event.data["move"] for event in stored.events[:2]] == ["1", "9"]
    assert stored.setup.seats == {"X": "Rule", "O": "Random"}
    assert not stored.setup.is_counted
    assert result == GameResult(0)
    assert clock_ms() <= clock_ms()


def test_game_can_end_in_a_draw() -> None:
    assert ended(assigned(RULE, Entrant("Again", "rule")))[1] == GameResult(None)


def test_players_can_exchange_sides_in_an_opening() -> None:
    stored, result = ended(assigned(RULE, RANDOM, protocol="pie", game="4x4:4"))
    assert stored.setup.opening == "pie"
    assert result.winner in (0, 1, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "fault"),
    [("crash", CRASHES), ("gone", CRASHES), ("decline", CRASHES), ("wrong", ILLEGAL)],
)
def test_faults_of_bots_are_classified(bots: None, act: str, fault: str) -> None:
    bot = Entrant("Ada", "bot:ada", {"act": act})
    result = ended(assigned(bot, RULE, moves=("5", "1")))[1]
    assert result == GameResult(1, fault)


def test_slow_bot_loses_on_time(bots: None) -> None:
    bot = Entrant("Ada", "bot:ada", {"act": "sleep"})
    result = ended(assigned(RULE, bot, limits=PlayLimits(turn_ms=50)))[1]
    assert result == GameResult(0, TIMEOUTS)


def test_player_without_time_loses() -> None:
    """Each reading of the clock takes a second here."""
    limits = PlayLimits(match_ms=10_000)
    result = ended(assigned(RULE, RANDOM, limits=limits, game="gomoku"), ticks=count(step=1_000))[1]
    assert result.winner is not None
    assert result.fault == TIMEOUTS


@pytest.mark.parametrize(
    ("moves", "winner"), [(("1", "2"), "X"), (("1", "5", "2"), None), (("5", "2", "1"), "X"), ((), None)]
)
def test_proved_end_is_adjudicated(moves: tuple[str, ...], winner: str | None) -> None:
    stored, result = ended(assigned(RULE, RANDOM, limits=PlayLimits(adjudicate_nodes=10_000), moves=moves))
    assert len(stored.events) == len(moves) + 1
    assert stored.events[-1].data == {"winner": winner, "termination": "adjudication"}
    assert result == GameResult({"X": 0, "O": 1, None: None}[winner])


def test_unproved_game_continues() -> None:
    stored, _ = ended(assigned(RULE, RANDOM, limits=PlayLimits(adjudicate_nodes=1), game="connect4"))
    assert len(stored.events) > 2


def test_dead_draw_is_adjudicated() -> None:
    """Each line of the board has marks of both sides."""
    moves = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0))
    judge = Adjudicator(1, lambda: 0)
    match = assigned(RULE, RANDOM).setup.replay(())
    for move in moves:
        match.apply(match.turn, MakeMove(move), 0)
    assert judge.verdict(match) == Adjudicate(None)


def test_adjudication_counts_on_no_clock() -> None:
    """Each reading of the clock takes a second here, and the adjudicator reads it twice."""
    ticks = count(step=1_000)
    judge = Adjudicator(5, lambda: next(ticks))
    judge.verdict(assigned(RULE, RANDOM, game="4x4:4").setup.replay(()))
    assert judge.spent == 1_000


def test_opening_is_not_adjudicated() -> None:
    match = assigned(RULE, RANDOM, protocol="pie").setup.replay(())
    assert Adjudicator(10_000, lambda: 0).verdict(match) is None


@pytest.mark.parametrize("error", [ValueError("no"), GeneratorExit(), NotFound("player", "bot:ada", ())])
def test_player_that_cannot_be_made_loses(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """The package of the player does not load, or its bot was removed during the tournament."""

    def made(who: str, chance: Random | None = None) -> Player:
        if who == "random":
            raise error
        return new_player(who, chance)

    monkeypatch.setattr(play, "new_player", made)
    stored, result = ended(assigned(RULE, RANDOM))
    assert result == GameResult(0, CRASHES)
    assert stored.events[-1].data["reason"] == "raised"
    with pytest.raises(type(error)):
        AbsentPlayer(error).choose(stored.setup.new_game(), Limit())


def test_unknown_player_is_not_found() -> None:
    with pytest.raises(NotFound):
        player_of(Entrant("Nobody", "bot:nobody", {"level": "3"}))


def test_time_begins_after_both_are_seated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow start of a program once cost the first player its time."""
    time, prepared = [0], list[Game]()

    class Slow(RandomPlayer):
        def take_seat(self, game: Game) -> None:
            time[0] += 5_000

        def prepare(self, game: Game) -> None:
            time[0] += 5_000
            prepared.append(game)

    monkeypatch.setattr(play, "new_player", lambda who, chance: Slow(chance))
    for limits, count_ in ((PlayLimits(match_ms=1_000), 2), (PlayLimits(turn_ms=1_000), 4), (UNLIMITED, 4)):
        received = play_game(assigned(RULE, RANDOM, limits=limits), lambda: time[0])
        assert {at for _, at, *_ in received} == {5_000}
        assert len(prepared) == count_


def test_players_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Closing(RandomPlayer):
        def close(self) -> None:
            closed.append("closed")

    monkeypatch.setattr(play, "new_player", lambda who, chance: Closing(chance))
    ended(assigned(RULE, RANDOM))
    assert closed == ["closed"] * 2


class Curious(Player):
    """A player that records the limits of its questions."""

    def __init__(self) -> None:
        self.limits: list[Limit] = []

    def choose(self, game: Game, limit: Limit) -> Move:
        self.limits.append(limit)
        return game.legal_moves()[0]


@pytest.mark.parametrize(
    ("limits", "left", "seconds", "patience"),
    [
        (PlayLimits(turn_ms=500), None, 0.5, 0.5),
        (PlayLimits(match_ms=60_000), 20_000, 1.0, 20.0),
        (PlayLimits(match_ms=60_000, increment_ms=500), 20_000, 1.5, 20.0),
        (PlayLimits(match_ms=60_000, increment_ms=5_000), 1_000, 1.0, 1.0),
        (PlayLimits(turn_ms=300, match_ms=60_000), 20_000, 0.3, 0.3),
    ],
)
def test_time_for_a_move_is_shared(
    limits: PlayLimits, left: int | None, seconds: float | None, patience: float | None
) -> None:
    for is_program in (False, True):
        seat = TimedSeat(Curious(), limits, lambda: 0, NOBODY, is_program=is_program)
        assert seat._seconds(left) == (seconds, patience)


@pytest.mark.parametrize("limits", [PlayLimits(), PlayLimits(nodes=7)])
def test_programs_have_a_default_time(limits: PlayLimits) -> None:
    ours, program = (
        TimedSeat(Curious(), limits, lambda: 0, NOBODY, is_program=is_program) for is_program in (False, True)
    )
    assert ours._seconds(None) == (None, None)
    assert program._seconds(None) == (5, 60)


def test_players_get_their_limits() -> None:
    player = Curious()
    setup = assigned(RULE, RANDOM, limits=PlayLimits(nodes=7, match_ms=20_000)).setup
    seat = TimedSeat(player, PlayLimits(nodes=7, match_ms=20_000), lambda: 5_000, NOBODY)
    seat.decide(setup.replay(()))
    assert (player.limits[0].nodes, player.limits[0].seconds) == (7, 1.0)


def test_seed_decides_random_choices() -> None:
    received = play_game(assigned(RANDOM, Entrant("Other", "random")), lambda: 0)
    assert received == play_game(assigned(RANDOM, Entrant("Other", "random")), lambda: 0)
    assert isinstance(player_of(RANDOM, Random(1)), RandomPlayer)
