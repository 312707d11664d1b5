"""The tactical problems: they are legal, their answers are proved, and games give new ones."""

import json
from argparse import Namespace
from pathlib import Path

import pytest
from benchmarks import tactics

from noughts.games.kinarow import KInARow
from noughts.games.notation import parse_move
from noughts.search.numba_backend import PLAIN, best_machine

PROBLEMS = tactics.read_problems()


def test_problems_have_one_legal_answer() -> None:
    assert len(PROBLEMS) == 200
    assert len({(problem.game, frozenset(problem.moves.split())) for problem in PROBLEMS}) == len(PROBLEMS)
    assert {problem.kind for problem in PROBLEMS} == set(tactics.KINDS)
    for problem in PROBLEMS:
        game = problem.position()
        assert game.outcome is None
        assert parse_move(game, problem.answer) in game.legal_moves()


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> tactics.Prover:
    monkeypatch.delenv(PLAIN, raising=False)
    if best_machine().name == "python":
        pytest.skip("numba is not installed")
    return tactics.Prover("gomoku")


def first_of(kind: str) -> tactics.Problem:
    return next(problem for problem in PROBLEMS if (problem.game, problem.kind) == ("gomoku", kind))


@pytest.mark.slow
def test_moves_beside_the_defence_lose(prover: tactics.Prover) -> None:
    game = first_of("defend").position()
    answer = parse_move(game, first_of("defend").answer)
    for move in game.legal_moves():
        value = prover.value_after(game, move, tactics.LOSS_NODES[-1])
        assert (value == 1) == (move != answer)


@pytest.mark.slow
def test_winning_answer_is_proved(prover: tactics.Prover) -> None:
    game = first_of("win").position()
    answer = parse_move(game, first_of("win").answer)
    assert not prover.has_sequence(game)
    assert prover.value_after(game, answer, tactics.WIN_NODES[-1]) == -1


@pytest.mark.slow
def test_interrupted_search_for_problems_continues(
    prover: tactics.Prover, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The second run starts after the game of the last problem."""
    problem = first_of("defend")
    game = problem.position()
    assert isinstance(game, KInARow)
    cells = [prover.board.cells[row * game.shape[1] + column] for row, column in game.moves]
    saved = {"opening": 0, "moves": [*cells, cells[0], cells[0]], "scores": [29_990]}
    games, found = tmp_path / "games.jsonl", tmp_path / "problems.jsonl"
    monkeypatch.setattr(tactics, "PROBLEMS", found)
    monkeypatch.setattr(tactics, "KINDS", ("defend",))
    options = Namespace(game="gomoku", games=[games], count=2)
    for count in (1, 2):
        games.write_text((json.dumps(saved) + "\n") * count, encoding="utf-8")
        tactics.find(options)
        problems = tactics.read_problems()
        assert [one.source for one in problems] == list(range(count))
        assert {(one.kind, one.moves, one.answer) for one in problems} == {
            ("defend", problem.moves, problem.answer)
        }


def test_report_shows_rates() -> None:
    rows = [["gomoku", "win", 50, 5, 10, 25, 40]]
    assert (
        "| gomoku | win | 50 | 5 (10 %) | 10 (20 %) | 25 (50 %) | 40 (80 %) |"
        in (tactics.report({"rows": rows})["solved"])
    )
    assert tactics.report({}) == {}
