"""Tests of progress reports, which do not change the moves of players."""

from random import Random

import pytest

from noughts import new_game
from noughts.players.base import new_player
from noughts.search.analysis import Limit, Progress


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "name"), [("9x9:5", "level:10"), ("ultimate", "level:9")])
def test_searching_level_reports_best_move(spec: str, name: str) -> None:
    reports: list[Progress] = []
    game = new_game(spec)
    game.play(game.legal_moves()[40])
    silent, telling = new_player(name, Random(4)), new_player(name, Random(4))
    telling.report_to(reports.append)
    limit = Limit(nodes=1_500)
    move = telling.choose(game.copy(), limit)
    assert move == silent.choose(game.copy(), limit)
    assert reports
    assert reports[-1].best in game.legal_moves()


@pytest.mark.slow
def test_level_reports_only_to_newest_receiver() -> None:
    first: list[Progress] = []
    second: list[Progress] = []
    player = new_player("level:10", Random(4))
    player.report_to(first.append)
    player.report_to(second.append)
    game = new_game("9x9:5")
    game.play((4, 4))
    player.choose(game, Limit(nodes=1_500))
    assert not first
    assert second


def test_overlooked_moves_are_not_reported() -> None:
    reports: list[Progress] = []
    player = new_player("level:1", Random(4))
    player.report_to(reports.append)
    player.choose(new_game("5x5:4"), Limit())
    assert not reports


def test_perfect_reports_its_search() -> None:
    reports: list[Progress] = []
    player = new_player("perfect", Random(4))
    player.report_to(reports.append)
    player.choose(new_game("3x3"), Limit())
    assert {progress.stage for progress in reports} == {"searching"}
    assert not any(progress.best for progress in reports)


@pytest.mark.parametrize("name", ["random", "rule"])
def test_other_players_need_not_report(name: str) -> None:
    reports: list[Progress] = []
    player = new_player(name, Random(4))
    player.report_to(reports.append)
    player.choose(new_game("3x3"), Limit())
    assert not reports
