"""Progress reports of searches, which must not change their results."""

from contextlib import suppress
from random import Random

import pytest

from noughts import new_game
from noughts.games.notation import parse_position
from noughts.search.analysis import Effort, Limit, LimitReachedError, Progress
from noughts.search.analyst import Analyst
from noughts.search.dfpn.search import AttackSearch
from noughts.search.engine.engine import Engine
from noughts.search.general.estimating import GeneralSearch
from noughts.search.numba_backend import python_machine
from tests.search.machines import rules_of

pytestmark = pytest.mark.slow


def test_engine_reports_its_principal_variation() -> None:
    reports: list[Progress] = []
    game = new_game("gomoku")
    game.play((7, 7))
    found = Engine(reports.append, python_machine()).search(game, Limit(nodes=1_500))
    assert len(reports) > 1
    assert all(progress.stage == "searching" and progress.best == progress.pv[0] for progress in reports)
    assert [progress.nodes for progress in reports] == sorted(progress.nodes for progress in reports)
    # The limit ends the last depth before it is complete, so its result can have the depth of the one before.
    depths = [progress.depth for progress in reports]
    assert depths == sorted(depths)
    assert len(set(depths)) >= len(depths) - 1
    assert reports[0].score is not None
    assert found == Engine(machine=python_machine()).search(game, Limit(nodes=1_500))


def test_general_search_reports_move_and_score() -> None:
    reports: list[Progress] = []
    game = new_game("ultimate")
    found = GeneralSearch(Random(1), reports.append).search(game, Limit(depth=3))
    assert [progress.depth for progress in reports] == [1, 2, 3]
    assert (reports[-1].best, reports[-1].score, reports[-1].nodes) == (found.best, found.score, found.nodes)
    assert found == GeneralSearch(Random(1)).search(game, Limit(depth=3))


@pytest.mark.parametrize(
    ("position", "best"),
    [
        ("XX./OO./... X", {(0, 2)}),  # wins at once
        ("XX./O../... O", {(0, 2)}),  # the one that does not lose
        (".../.../...", {(0, 0), (0, 1), (1, 1)}),  # all draw: the first known one of the equal moves
    ],
)
def test_analysis_reports_proved_best_move(position: str, best: set[tuple[int, int]]) -> None:
    reports: list[Progress] = []
    game = parse_position(new_game("3x3"), position)
    found = Analyst(reports.append, python_machine()).analyse(game)
    assert reports[-1].best in best
    assert all(progress.best in {None, reports[-1].best} for progress in reports)
    value = {known.move: (known.value, known.plies) for known in found.moves}
    assert value[reports[-1].best or ()] == (found.value, found.plies)
    assert found == Analyst(machine=python_machine()).analyse(game)


def test_early_progress_has_no_best_move() -> None:
    reports: list[Progress] = []
    game = parse_position(new_game("4x4:3"), "..../.X../..O./....")
    Analyst(reports.append, python_machine()).analyse(game, Limit(nodes=60))
    assert {progress.best for progress in reports} <= {None, *game.legal_moves()}
    assert all(progress.nodes <= 60 for progress in reports)


def test_solving_reports_question_and_table_size() -> None:
    reports: list[Progress] = []
    game = new_game("5x5:4,exact")
    found = Analyst(reports.append, python_machine()).solve(game, Limit(nodes=3_000))
    assert {progress.question.kind for progress in reports if progress.question} == {"stops", "wins"}
    assert {progress.question.side for progress in reports if progress.question} == {0, 1}
    assert all(progress.table_bytes > 0 for progress in reports)
    assert [progress.nodes for progress in reports] == sorted(progress.nodes for progress in reports)
    assert reports[-1].nodes == found.nodes == 3_000
    assert found == Analyst(machine=python_machine()).solve(game, Limit(nodes=3_000))


@pytest.mark.parametrize(
    ("spec", "nodes", "bounds"),
    [("5x4:4,gravity", 500, (False, False)), ("5x4:4,gravity", 2_000, (True, False)),
     ("5x5:4,exact", 3_000, (False, True)), ("4x4:4,gravity", 10_000, (False, False))],
)  # fmt: skip
def test_limited_solve_reports_bounds(spec: str, nodes: int, bounds: tuple[bool, bool]) -> None:
    """The search solves the last position, so it reports no bounds."""
    found = Analyst(machine=python_machine()).solve(new_game(spec), Limit(nodes=nodes))
    assert (found.cannot_win, found.cannot_lose) == bounds
    assert (found.value == 0) == (spec == "4x4:4,gravity")


def test_attack_reports_its_proof_numbers() -> None:
    """Proof numbers are the numbers of positions to win and to refute, for either side to move."""
    game = new_game("6x6:4")
    for moves, attacker in (([], 0), ([(0, 0)], 1), ([(0, 0)], 0)):
        position, reports = game.copy(), list[Progress]()
        for move in moves:
            position.play(move)
        search = AttackSearch.of(rules_of(position), python_machine())
        assert search is not None
        with suppress(LimitReachedError):
            search.finds_win(position, attacker, Effort(Limit(nodes=400), reports.append))
        questions = [progress.question for progress in reports if progress.question is not None]
        assert {(one.kind, one.side) for one in questions} == {("attacks", attacker)}
        numbers = [one.numbers for one in questions if one.numbers is not None]
        assert len(set(numbers)) > 1
        assert all(proof > 0 and disproof > 0 for proof, disproof in numbers[1:-1])
