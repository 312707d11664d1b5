"""Tasks in a worker: the same results as in this process, and a prompt end."""

import threading
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest

from noughts import Player, TicTacToe, new_game
from noughts.arena.commands import Forfeit, MakeMove
from noughts.arena.match import SETTLED
from noughts.errors import NotFound, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.notation import parse_position, play_moves
from noughts.interfaces.presenting import hints
from noughts.interfaces.presenting import tasks as thinking
from noughts.interfaces.presenting.game_plan import seat_player
from noughts.interfaces.presenting.tasks import (
    ImmediateMoves,
    MoveEvaluation,
    choose,
    evaluate_moves,
    find_hint,
    find_threats,
    is_proved_win,
    review_game,
    take_seat,
    threats,
)
from noughts.players import base
from noughts.search.analysis import UNKNOWN, Limit, Progress
from noughts.search.analyst import Analyst
from noughts.search.explain.reasons import explain
from noughts.search.explain.review import review
from noughts.search.numba_backend import python_machine
from noughts.workers.messages import TaskContext, TaskResult, TaskWorker
from noughts.workers.supervisor import ProcessWorker
from tests.stand_ins import ThinkingHere

LONG = 60.0


def desk(told: list[Progress] | None = None, *, is_stopped: bool = False) -> TaskContext:
    tell = (lambda progress: None) if told is None else told.append
    return TaskContext({}, tell, lambda: is_stopped, apart=0.0)


class Odd(Player):
    """A player of an external package, defined by each test."""

    def choose(self, game: Game, limit: Limit) -> Move:
        raise NotImplementedError


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> type[Odd]:
    class Seated(Odd):
        pass

    monkeypatch.setitem(base._registry, "odd", (lambda argument, chance: Seated(), ()))
    return Seated


# Computers


def test_worker_plays_like_local_computer() -> None:
    for who in ("random", "level:2"):
        bots: dict[str, Player] = {}
        here, there, at = new_game("4x4"), new_game("4x4"), desk()
        seat_player(who, here, bots, 7)
        for _ in range(8):
            here.play(bots[who].choose(here.copy(), Limit()))
            command = choose(at, who, there, 7, LONG, LONG)
            assert isinstance(command, MakeMove)
            there.play(command.move)
        assert here.moves == there.moves


def test_computer_moves_without_a_seed() -> None:
    assert isinstance(choose(desk(), "random", TicTacToe(), None, LONG, LONG), MakeMove)


def test_players_are_stored_by_name_and_game(odd: type[Odd], monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[Player] = []

    def choose_first(self: Odd, game: Game, limit: Limit) -> Move:
        met.append(self)
        move: Move = game.legal_moves()[0]
        return move

    monkeypatch.setattr(odd, "choose", choose_first)
    at = desk()
    for seed, name in [(1, "3x3"), (2, "3x3"), (1, "4x4"), (1, "3x3"), (2, "3x3"), (1, "4x4")]:
        choose(at, "odd", new_game(name), seed, LONG, LONG)
    assert met[:3] == met[3:]
    assert len(set(met)) == 3


def test_only_recent_players_are_stored(odd: type[Odd], monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[Player] = []

    def choose_first(self: Odd, game: Game, limit: Limit) -> Move:
        met.append(self)
        return (0, 0)

    monkeypatch.setattr(odd, "choose", choose_first)
    at = desk()
    for seed in [*range(thinking.MAX_SEATED), 0, 100, 0, 1]:
        choose(at, "odd", TicTacToe(), seed, LONG, LONG)
    assert met[-2] is met[0]
    assert met[-1] is not met[1]


@pytest.mark.parametrize(
    ("answer", "reason"), [((9, 9), "illegal-move"), (None, "no-move"), (ValueError("lost"), "raised")]
)
def test_faulty_computer_forfeits_and_is_dropped(
    odd: type[Odd], monkeypatch: pytest.MonkeyPatch, answer: Any, reason: str
) -> None:
    met: list[Player] = []

    def choose_badly(self: Odd, game: Game, limit: Limit) -> Any:
        met.append(self)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(odd, "choose", choose_badly)
    at = desk()
    for _ in range(2):
        command = choose(at, "odd", TicTacToe(), 1, LONG, LONG)
        assert isinstance(command, Forfeit)
        assert command.reason == reason
    assert met[0] is not met[1]


def test_late_computer_forfeits(odd: type[Odd], monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()

    def sleep(self: Odd, game: Game, limit: Limit) -> Move:
        while not goes_on.is_set():  # The sleep has steps, so that it can be interrupted.
            goes_on.wait(0.001)
        return (0, 0)

    monkeypatch.setattr(odd, "choose", sleep)
    reports: list[Progress] = []
    command = choose(TaskContext({}, reports.append, lambda: False), "odd", TicTacToe(), 1, 0.01, 0.02)
    goes_on.set()
    assert reports == [Progress("late")]
    assert isinstance(command, Forfeit)
    assert command.reason == "too-slow"


def test_hurried_computer_is_notified(odd: type[Odd], monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bool] = []

    def listen(self: Odd, game: Game, limit: Limit) -> Move:
        heard.append(limit.stop())
        return (1, 1)

    monkeypatch.setattr(odd, "choose", listen)
    assert choose(desk(is_stopped=True), "odd", TicTacToe(), 1, LONG, LONG) == MakeMove((1, 1))
    choose(desk(), "odd", TicTacToe(), 1, LONG, LONG)
    assert heard == [True, False]


@pytest.mark.slow
def test_take_seat_accepts_or_declines(odd: type[Odd], monkeypatch: pytest.MonkeyPatch) -> None:
    at = desk()
    assert take_seat(at, "rule", TicTacToe(), 1) is None
    assert isinstance(take_seat(at, "perfect", new_game("gomoku"), 1), UnsupportedRules)
    assert isinstance(take_seat(at, "nobody", TicTacToe(), 1), NotFound)
    seen: list[Game] = []
    monkeypatch.setattr(odd, "take_seat", lambda self, game: seen.append(game))
    monkeypatch.setattr(odd, "choose", lambda self, game, limit: (0, 2))
    take_seat(at, "odd", TicTacToe(), 1)
    choose(at, "odd", TicTacToe(), 1, LONG, LONG)
    assert len(seen) == 1


def test_programs_are_stored_by_seat(odd: type[Odd], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "is_ours", lambda who: False)
    met: list[Player] = []

    def choose_badly(self: Odd, game: Game, limit: Limit) -> Move | None:
        met.append(self)
        return None if len(met) == 3 else (0, 0)

    monkeypatch.setattr(odd, "choose", choose_badly)
    at = desk()
    assert take_seat(at, "odd", TicTacToe(), 1) is None
    assert not at.memory["players"]
    for seat in ("Ada", "Bo", "Ada", "Ada", "Bo"):
        choose(at, "odd", TicTacToe(), 1, LONG, LONG, SETTLED, seat)
    assert len(set(map(id, met))) == 3
    assert met[0] is met[2] is not met[3]
    assert met[1] is met[4]


@pytest.mark.slow
def test_level_reports_depth_and_best_move() -> None:
    reports: list[Progress] = []
    game = new_game("5x5:4")
    game.play((2, 2))
    command = choose(desk(reports), "level:8", game, 3, LONG, LONG)
    assert isinstance(command, MakeMove)
    expected = [progress for progress in reports if progress.pv]
    assert expected
    assert all(progress.best == progress.pv[0] for progress in expected)
    assert expected[-1].best == command.move
    assert expected[-1].depth > 1


# Values


def test_evaluate_moves_matches_the_analyst() -> None:
    reports: list[Progress] = []
    game = TicTacToe()
    play_moves(game, ["1", "5", "2"])
    before = game.copy()
    worth = evaluate_moves(desk(reports), game, LONG)
    analyst = Analyst(machine=python_machine())
    wanted = analyst.analyse(game)
    assert worth.analysis.moves == wanted.moves
    assert worth.reasons == explain(game, wanted, analyst.analyse)
    assert set(worth.reasons) == set(game.legal_moves())
    assert game.moves == before.moves
    assert reports
    assert reports[-1].stage == "searching"


def test_best_move_is_reported_early() -> None:
    reports: list[Progress] = []
    game = parse_position(new_game("4x4"), "XXX./OOO./..../....")
    evaluate_moves(desk(reports), game, LONG)
    assert reports[-1].best == (0, 3)
    assert [progress.best for progress in reports] == [(0, 3)] * len(reports)


def test_evaluate_moves_of_unsupported_game_is_unknown() -> None:
    nothing = MoveEvaluation(UNKNOWN, {})
    assert evaluate_moves(desk(), new_game("three"), LONG) == nothing
    assert evaluate_moves(desk(), new_game("70x70:5"), LONG) == nothing


def test_finished_game_has_value_without_reasons() -> None:
    ended = parse_position(TicTacToe(), "XXX/OO./...")
    worth = evaluate_moves(desk(), ended, LONG)
    assert (worth.analysis.value, worth.reasons) == (-1, {})


def test_stopped_evaluation_has_trial_reasons() -> None:
    game = new_game("gomoku")
    game.play((7, 7))
    worth = evaluate_moves(desk(is_stopped=True), game, 3600.0)
    assert worth.analysis.value is None
    assert set(worth.reasons) == set(game.legal_moves())


@pytest.mark.slow
def test_analyst_is_stored_for_one_game() -> None:
    at, game = desk(), TicTacToe()
    first = evaluate_moves(at, game, LONG).analysis.nodes
    again = evaluate_moves(at, game, LONG).analysis.nodes
    assert again < first
    evaluate_moves(at, new_game("3x3:3,misere"), LONG)
    assert evaluate_moves(at, game, LONG).analysis.nodes == first


def test_hint_task_matches_console_hint() -> None:
    game = TicTacToe()
    play_moves(game, ["1", "5", "2"])
    assert find_hint(desk(), game) == hints.find_hint(game, Analyst(machine=python_machine()))
    assert find_hint(desk(), game).move == (0, 2)
    assert find_hint(desk(), new_game("70x70:5")).reason.code == "unknown"


# Reviews


def played() -> Game:
    game = TicTacToe()
    play_moves(game, ["1", "2", "5", "3", "9"])
    return game


@pytest.mark.slow
def test_review_task_reports_progress() -> None:
    reports: list[Progress] = []
    result = review_game(desk(reports), played(), 0, LONG)
    assert result == review(played(), Analyst(machine=python_machine()).analyse)
    assert [(progress.stage, progress.done, progress.of) for progress in reports] == [
        ("reviewing", done, 6) for done in range(1, 7)
    ]


def test_stopped_review_task_skips_search() -> None:
    game = new_game("gomoku")
    play_moves(game, ["113", "114", "128"])
    result = review_game(desk(is_stopped=True), game, 0, 3600.0)
    assert [move.before for move in result.moves] == [None] * 3


def test_review_task_refuses_huge_boards() -> None:
    with pytest.raises(UnsupportedRules):
        review_game(desk(), new_game("70x70:5"), 0, LONG)


# Threats


def test_threats_of_misere_are_losing_moves() -> None:
    game = parse_position(new_game("misere"), "XX./OO./...")
    assert threats(game) == ImmediateMoves(((0, 2),), (), lose=True)


def test_threats_list_moves_of_both_sides() -> None:
    game = parse_position(TicTacToe(), "XX./OO./...")
    assert threats(game) == ImmediateMoves(((0, 2),), ((1, 2),))
    assert find_threats(desk(), game) == threats(game)


def test_threats_of_three_sides_join_opponents() -> None:
    game = parse_position(new_game("6x4:3,players=3"), "XX..../OO..../ZZ..../......")
    assert threats(game) == ImmediateMoves(((0, 2),), ((1, 2), (2, 2)))


# Processes


def ask(thinker: TaskWorker, *question: Any) -> Any:
    reports: SimpleQueue[Any] = SimpleQueue()
    thinker.ask(*question, on_message=reports.put)
    while isinstance(message := reports.get(timeout=LONG), Progress):
        pass
    assert isinstance(message, TaskResult), message
    return message.value


@pytest.mark.slow
def test_tasks_work_in_another_process() -> None:
    thinker, here = ProcessWorker(), ThinkingHere()
    try:
        for name in ("3x3", "vanishing", "wild", "three", "ultimate", "fifteen", "reversi"):
            game = new_game(name, seed=1)
            chance = Random(1)
            for _ in range(4):
                game.play(chance.choice(list(game.legal_moves())))
            assert ask(thinker, find_threats, game) == threats(game)
        game = played()
        game.undo()
        questions: list[tuple[Any, ...]] = [
            (take_seat, "level:3", game, 5),
            (choose, "level:3", game, 5, LONG, LONG),
            (evaluate_moves, game, LONG),
            (find_hint, game),
            (review_game, game, 0, LONG),
        ]
        for question in questions:
            assert ask(thinker, *question) == ask(here, *question)
        declined = ask(thinker, take_seat, "perfect", new_game("gomoku"), 5)
        assert isinstance(declined, UnsupportedRules)
        assert declined.reason == "not-solved"
    finally:
        thinker.close()


@pytest.mark.slow
def test_missing_computer_returns_its_error() -> None:
    declined = choose(desk(), "perfect", new_game("gomoku"), 1, LONG, LONG)
    assert isinstance(declined, UnsupportedRules)
    missing = choose(desk(), "nobody", TicTacToe(), 1, LONG, LONG)
    assert isinstance(missing, NotFound)


@pytest.mark.parametrize(
    ("name", "moves", "side", "is_win"),
    [
        ("tictactoe", "1 4 2 5", "X", True),  # X moves and wins at 3
        ("tictactoe", "1 4 2 5", "O", False),
        ("tictactoe", "1 4 2 5 9", "O", True),  # O moves and wins at 6
        ("tictactoe", "1 4 2 5 9", "X", False),
        ("tictactoe", "5", "X", False),  # a draw
        ("gomoku", "h8", "X", False),  # unknown to a small search
        ("tictactoe", "1 4 2 5 3", "X", False),  # over
    ],
)
def test_only_a_proved_win_counts_as_thrown_away(
    name: str, moves: str, side: str, is_win: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "PROOF", Limit(nodes=300))
    game = new_game(name)
    play_moves(game, moves.split())
    assert is_proved_win(desk(), game, side) is is_win
