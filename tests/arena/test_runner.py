"""The runner: whatever a player does, the game has a defined end and the next one begins."""

import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any
from unittest.mock import ANY

import pytest

from noughts import Player, TicTacToe, new_game, play
from noughts.arena import runner
from noughts.arena.clock import Clock
from noughts.arena.commands import Accept, Command, Decline, Flag, MakeMove, OfferDraw, Resign, TakeBack
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, Seat, run
from noughts.errors import (
    GameOver,
    NotFound,
    UnknownMark,
    UnsupportedRules,
)
from noughts.games.base import PASS, Game, Move
from noughts.games.notation import parse_position
from noughts.players.base import new_player
from noughts.search.analysis import Limit
from tests.strategies import play_at_random

LONG = 60
"""Seconds in which an immediate answer comes, however busy the machine is."""


class Answers(Player):
    """A player that answers with the result of a function."""

    def __init__(self, answer: Callable[[Game], Any]) -> None:
        self.answer = answer
        self.asked = 0

    def choose(self, game: Game, limit: Limit) -> Move:
        self.asked += 1
        move: Move = self.answer(game)
        return move


def patient() -> Answers:
    return Answers(lambda game: min(game.legal_moves()))


def ended(player: Player, limit: Limit = Limit(), game: Game | None = None) -> dict[str, Any]:  # noqa: B008
    """Return the end of a game with *player* as X, and check that it is not asked again after a failure."""
    events: list[Event] = []
    winner = play(game or TicTacToe(), x=player, o=patient(), limit=limit, on_event=events.append)
    assert winner == events[-1].data["winner"]
    return dict(events[-1].data)


def raising(error: BaseException) -> Answers:
    def answer(game: Game) -> Move:
        raise error

    return Answers(answer)


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Strange:
    """A value that is equal to everything, and cannot be shown."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise SystemExit


class Vague:
    def __eq__(self, other: object) -> bool:
        raise GeneratorExit("both and neither")

    __hash__ = None  # type: ignore[assignment]


# Players that break the contract


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        (None, "no-move", "None"),
        ((3, 3), "illegal-move", "(3, 3)"),
        ((), "illegal-move", "()"),
        (PASS, "illegal-move", "PASS"),
        (5, "illegal-move", "5"),
        ("5", "illegal-move", "'5'"),
        ("\x1b[31m\ud800", "illegal-move", "'\\x1b[31m\\ud800'"),
        ([0, 0], "illegal-move", "[0, 0]"),
        ((0, 0, 0), "illegal-move", "(0, 0, 0)"),
        ("x" * 1_000, "illegal-move", "'" + "x" * 199),
        (Vague(), "illegal-move", None),
        (float("nan"), "illegal-move", "nan"),
    ],
)
def test_invalid_answer_forfeits(answer: Any, reason: str, detail: str | None) -> None:
    """A1-11, A1-12: the player is asked only once, no error is raised, and the reason is stored."""
    player = Answers(lambda game: answer)
    end = ended(player)
    assert player.asked == 1
    assert (end["winner"], end["termination"], end["reason"]) == ("O", "forfeit", reason)
    assert detail is None or end["detail"] == detail


def test_occupied_cell_forfeits() -> None:
    player = Answers(lambda game: (0, 0))
    end = ended(player)
    assert player.asked == 2
    assert (end["winner"], end["reason"], end["detail"]) == ("O", "illegal-move", "(0, 0)")


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (ZeroDivisionError("one by none"), "ZeroDivisionError: one by none"),
        (GameOver(), "GameOver: the game is over"),
        (SystemExit(3), "SystemExit: 3"),
        (GeneratorExit(), "GeneratorExit: "),
        (RuntimeError("a\nb\x1b[31m\ud800"), "RuntimeError: a\\x0ab\\x1b[31m\\ud800"),
        (RuntimeError("x" * 1_000), "RuntimeError: " + "x" * 200),
        (Unprintable(), "Unprintable: <Unprintable>"),
    ],
)
@pytest.mark.parametrize("limit", [Limit(), Limit(seconds=LONG)])
def test_exception_forfeits_the_game(error: BaseException, detail: str, limit: Limit) -> None:
    player = raising(error)
    end = ended(player, limit)
    assert player.asked == 1
    assert (end["winner"], end["termination"]) == ("O", "forfeit")
    assert (end["reason"], end["detail"]) == ("raised", detail)


def test_keyboard_interrupt_leaves_the_runner() -> None:
    with pytest.raises(KeyboardInterrupt):
        ended(raising(KeyboardInterrupt()))
    assert ended(raising(KeyboardInterrupt()), Limit(seconds=LONG))["reason"] == "raised"


def test_equal_value_counts_as_the_move() -> None:
    """The match gets one of the game's own moves from any value that a player returns."""
    game = TicTacToe()
    assert play(game, x=Answers(lambda game: ANY), o=Answers(lambda game: Strange())) == "X"
    assert game.moves[0] == (0, 0)
    assert {type(move) for move in game.moves} == {tuple}
    game = TicTacToe()
    play(game, x=Answers(lambda game: (1.0, True) if game.ply == 0 else None), o=patient())
    assert [type(part) for part in game.moves[0]] == [int, int]


is_decided = threading.Event()
"""Set when players that never answer by themselves may return."""


def sleepy(game: Game) -> Move:
    is_decided.wait(LONG)
    return min(game.legal_moves())


def late(game: Game) -> Move:
    time.sleep(0.1)
    return min(game.legal_moves())


def test_late_player_forfeits_after_the_patience() -> None:
    match = Match(TicTacToe())
    seat = PlayerSeat(Answers(late), Limit(seconds=0.01), patience=LONG)
    assert seat.decide(match) == MakeMove((0, 0))


def busy(game: Game) -> Move:
    while not is_decided.is_set():
        pass
    return min(game.legal_moves())


@pytest.mark.slow
@pytest.mark.parametrize("answer", [busy, sleepy])
def test_silent_player_forfeits(answer: Callable[[Game], Move], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "GRACE_SECONDS", 0.0)
    player = Answers(answer)
    is_decided.clear()
    end = ended(player, Limit(seconds=0.2))
    is_decided.set()
    assert (end["winner"], end["termination"]) == ("O", "forfeit")
    assert (end["reason"], end["detail"]) == ("too-slow", "more than 0.2 s")
    assert ended(patient(), Limit(seconds=LONG))["termination"] == "line"  # the next game is played


def test_player_in_time_does_not_forfeit() -> None:
    assert ended(patient(), Limit(seconds=LONG)) == {"winner": "X", "termination": "line"}


def test_player_gets_a_copy_of_the_game() -> None:
    def cheat(game: Game) -> Move:
        move = min(game.legal_moves())
        play_at_random(game, 9, seed=1)
        return move

    game = TicTacToe()
    assert play(game, x=Answers(cheat), o=Answers(cheat)) == "X"
    assert game.moves == tuple(divmod(cell, 3) for cell in range(7))


def test_forfeit_does_not_stop_the_next_game() -> None:
    """No player can stop a series of games."""
    failures = [raising(MemoryError()), Answers(lambda game: None), Answers(lambda game: Vague()), patient()]
    winners = [play(TicTacToe(), x=player, o=patient()) for player in failures]
    assert winners == ["O", "O", "O", "X"]


def test_limit_stop_becomes_true_near_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "GRACE_SECONDS", LONG)  # however busy the machine
    heard = []

    class Waiting(Player):
        def choose(self, game: Game, limit: Limit) -> Move:
            while limit.seconds is not None and not limit.stop():
                time.sleep(0.001)
            heard.append(limit.stop())
            return min(game.legal_moves())

    assert play(TicTacToe(), x=Waiting(), o=patient(), limit=Limit(seconds=0.02)) == "X"
    assert play(TicTacToe(), x=Waiting(), o=patient(), limit=Limit(seconds=60, stop=lambda: True)) == "X"
    assert all(heard)
    assert play(TicTacToe(), x=Waiting(), o=patient()) == "X"
    assert not heard[-1]


# play


def test_play_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """A1-04: the library prints nothing, and calls only the given callback."""
    received: list[Event] = []
    assert play(TicTacToe(), x=patient(), o=patient(), on_event=received.append) == "X"
    assert capsys.readouterr() == ("", "")
    assert [event.version for event in received] == list(range(1, 9))
    assert received[-1].kind is EventKind.END


@pytest.mark.slow
def test_play_returns_none_for_a_draw() -> None:
    assert play(TicTacToe(), x=new_player("perfect", Random(1)), o=new_player("perfect", Random(2))) is None


@pytest.mark.parametrize("position", ["XXX/OO./...", "XOX/XOO/OXX"])
def test_play_refuses_a_finished_game(position: str) -> None:
    """A1-13."""
    player = patient()
    with pytest.raises(GameOver):
        play(parse_position(TicTacToe(), position), x=player, o=player)
    assert player.asked == 0


def test_play_needs_a_player_for_each_mark() -> None:
    for marks in ("", "X", "O", "XOZ", "XQ"):
        with pytest.raises(UnknownMark) as caught:
            play(TicTacToe(), players=dict.fromkeys(marks, patient()))
        assert caught.value.allowed == ("X", "O")
    with pytest.raises(UnknownMark):
        play(TicTacToe(), patient(), z=patient())


@pytest.mark.parametrize("who", ["rule", Player])
def test_play_refuses_a_player_name(who: Any) -> None:
    with pytest.raises(TypeError, match="no Player; new_player makes one of a name"):
        play(TicTacToe(), x=new_player("random"), o=who)


def test_play_accepts_players_by_mark() -> None:
    game = new_game("three")
    assert play(game, patient(), patient(), patient()) in ("X", "O", "Z")
    game = new_game("5x5:4,players=4")
    assert play(game, players=dict.fromkeys("XOZY", patient())) in ("X", "O", "Z", "Y", None)
    game = TicTacToe(marks=("O", "X"))
    assert play(game, x=patient(), o=patient()) == "O"
    assert play(new_game("fifteen"), x=Answers(lambda game: None)) is None


def test_declining_player_is_not_asked() -> None:
    player = patient()
    with pytest.raises(UnsupportedRules):
        play(new_game("three"), x=player, o=new_player("perfect"), z=player)
    assert player.asked == 0


# run: seats that do more than move


class Scripted:
    """A seat with prepared commands that stores its refusals."""

    def __init__(self, commands: Sequence[Command], answer: type[Command] = Decline) -> None:
        self.commands = list(commands)
        self.reply = answer
        self.refused: list[Exception] = []

    def decide(self, match: Match) -> Command:
        return self.commands.pop(0)

    def answer(self, match: Match, side: str) -> Command:
        return self.reply()

    def refuse(self, command: Command, error: Exception) -> None:
        self.refused.append(error)


def cells(*numbers: int) -> list[Command]:
    return [MakeMove(divmod(number - 1, 3)) for number in numbers]


def test_refused_command_is_decided_again() -> None:
    """A1-03: the turn does not change without a move."""
    x = Scripted([*cells(1, 1), Command(), Flag(), Resign()])
    o = Scripted(cells(5))
    received: list[Event] = []
    outcome = run(Match(TicTacToe()), {"X": x, "O": o}, on_event=received.append)
    refused = [type(error).__name__ for error in x.refused]
    assert refused == ["OccupiedCell", "CommandRefused", "CommandRefused"]
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == ("O", "resignation")
    assert [event.kind.value for event in received] == ["move", "move", "end"]


@pytest.mark.parametrize(("answer", "termination"), [(Accept, "agreement"), (Decline, "resignation")])
def test_people_can_agree_on_a_draw(answer: type[Command], termination: str) -> None:
    outcome = run(
        Match(TicTacToe()),
        {"X": Scripted([OfferDraw(), Resign()]), "O": Scripted([], answer)},
    )
    assert outcome is not None
    assert outcome.termination == termination


def test_computer_agrees_to_a_dead_draw() -> None:
    game = parse_position(TicTacToe(), "XOX/XOO/O.X")
    received: list[Event] = []
    seats: dict[str, Seat] = {
        "X": Scripted([OfferDraw(), *cells(8)]),
        "O": PlayerSeat(patient()),
    }
    run(Match(game), seats, on_event=received.append)
    assert [event.kind.value for event in received] == ["offer", "accept", "end"]


def test_computer_grants_takebacks_but_no_early_draw() -> None:
    x = Scripted([OfferDraw(), *cells(5), TakeBack(2), *cells(1), Resign()])
    computer = PlayerSeat(patient())
    received: list[Event] = []
    run(Match(TicTacToe()), {"X": x, "O": computer}, on_event=received.append)
    assert [event.kind.value for event in received] == [
        *("offer", "decline", "move", "move", "offer", "accept", "takeback", "move", "move", "end"),
    ]
    assert received[6].data == {"ply": 0}


def test_refused_legal_move_is_an_internal_error() -> None:
    with pytest.raises(AssertionError):
        PlayerSeat(patient()).refuse(MakeMove((0, 0)), ValueError())


def test_runner_reads_the_clock_for_every_command() -> None:
    times = iter([100, 200, 1_300])
    x, o = Scripted(cells(5, 1)), Scripted(cells(9))
    outcome = run(Match(TicTacToe(), Clock(per_move=1_000)), {"X": x, "O": o}, now=lambda: next(times))
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == ("O", "time")


def test_finished_match_asks_no_seat() -> None:
    """A1-13."""
    match = Match(parse_position(TicTacToe(), "XXX/OO./..."))
    outcome = run(match, {})
    assert outcome is not None
    assert outcome.winner == "X"


def test_events_are_saved_before_they_are_announced() -> None:
    match, saved = Match(TicTacToe()), list[Event]()

    def apply(side: str, command: Command, at: int) -> list[Event]:
        events = match.apply(side, command, at)
        saved.extend(events)
        return events

    def tell(event: Event) -> None:
        assert event in saved

    run(
        match,
        {"X": PlayerSeat(patient()), "O": PlayerSeat(patient())},
        apply=apply,
        on_event=tell,
    )
    assert [event.version for event in saved] == list(range(1, 9))


@pytest.mark.parametrize("broken", ["apply", "on_event"])
def test_later_error_is_not_a_refusal(broken: str) -> None:
    """An error of the store or of the screen is not a fault of the player, even if it is a ValueError."""

    def fail(*anything: object) -> None:
        raise NotFound("record", 5)

    x = Scripted(cells(5))
    with pytest.raises(NotFound):
        run(Match(TicTacToe()), {"X": x, "O": x}, **{broken: fail})  # type: ignore[arg-type]
    assert x.refused == []
