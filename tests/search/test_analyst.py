"""The analyst: values of positions and of moves for every kind of game, exact or honestly unknown."""

import threading
from itertools import islice

import pytest

from noughts import Game, new_game
from noughts.errors import UnsupportedRules
from noughts.games.catalogue import BY_NAME
from noughts.search.analysis import Analysis, Limit, Progress
from noughts.search.analyst import Analyst
from noughts.search.values import goodness
from tests.search.oracle import Position, positions_of

SMALL = (
    *(
        "tictactoe",
        "misere",
        "notakto",
        "wild",
        "3x3:3,gravity",
        "3x3:2,exact",
        "4x2:3,wrap",
        "3x2:2,wild,misere",
    ),
    *("4x3:3,gravity", "2x2x2:2", "3x3:3,gravity,misere", "7:3,exact"),
)


def assert_right(found: Analysis, position: Position) -> None:
    value, plies = position.worth
    assert (found.value, found.plies) == (value, plies if value else None), position.game
    assert found.is_proved
    moves = {move: (value, plies if value else None) for move, (value, plies) in position.moves.items()}
    assert {known.move: (known.value, known.plies) for known in found.moves} == moves
    assert [known.move for known in found.moves] == list(position.game.legal_moves())
    assert found.best is not None
    assert goodness(position.moves[found.best]) == goodness(position.worth)
    assert found.pv[0] == found.best


def follow(game: Game, found: Analysis) -> None:
    """Play the principal variation: a won or lost one leads to the end, in as many plies as were told."""
    game = game.copy()
    side = game.turn
    for move in found.pv:
        game.play(move)
    if found.value:
        assert len(found.pv) == found.plies
        assert (game.winner == side) == (found.value > 0)
        assert game.winner is not None


@pytest.mark.parametrize("name", SMALL)
def test_every_value_is_what_the_oracle_says(name: str) -> None:
    positions = [position for position in positions_of(name).values() if position.moves]
    analyst = Analyst()
    for position in islice(positions, 0, None, max(1, len(positions) // 40)):
        before = position.game.key(), position.game.moves
        found = analyst.analyse(position.game)
        assert_right(found, position)
        follow(position.game, found)
        solved = Analyst().solve(position.game)
        assert (solved.value, solved.plies, solved.moves) == (found.value, found.plies, ())
        assert solved.best is not None
        assert goodness(position.moves[solved.best]) == goodness(position.worth)
        follow(position.game, solved)
        assert (position.game.key(), position.game.moves) == before


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_game_has_an_answer_or_a_reason(name: str) -> None:
    game = new_game(name, seed=1)
    if len(game.sides) > 2:
        with pytest.raises(UnsupportedRules):
            Analyst().analyse(game)
        return
    found = Analyst().analyse(game, Limit(nodes=300))
    assert [known.move for known in found.moves] == list(game.legal_moves())
    assert found.value in (None, 0, 1)
    assert found == Analyst().analyse(game, Limit(nodes=300))
    assert game.ply == 0


def test_a_game_that_has_ended() -> None:
    game = new_game("3x3:2")
    for move in [(0, 0), (2, 2), (0, 1)]:
        game.play(move)
    assert Analyst().analyse(game) == Analyst().solve(game) == Analysis(-1, 0, None, 0)
    full = new_game("2x1:2")
    full.play((0, 0))
    full.play((0, 1))
    assert Analyst().solve(full).value == 0


def test_what_a_limit_cuts_short_is_unknown_and_what_is_known_is_told() -> None:
    game = new_game("4x4:4,wrap")
    for cell in range(8):
        game.play((cell // 4, (cell + cell // 4) % 4))
    whole = {known.move: known for known in Analyst().analyse(game).moves}
    told = set()
    for nodes in (0, 10, 30, 100):
        found = Analyst().analyse(game, Limit(nodes=nodes))
        assert found.nodes <= nodes
        told.add(sum(known.value is not None for known in found.moves))
        assert all(known in (whole[known.move], type(known)(known.move)) for known in found.moves)
    assert len(told) > 1


def test_it_is_stopped_from_another_thread() -> None:
    wanted = threading.Event()
    game = new_game("gomoku")
    reached = threading.Event()

    def stop() -> bool:
        reached.set()
        return wanted.is_set()

    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(Analyst().solve(game, Limit(stop=stop))))
    thread.start()
    assert reached.wait(60)
    wanted.set()
    thread.join(60)
    assert answers[0].value is None


def test_seconds_are_measured_by_who_starts_the_limit() -> None:
    times = iter([10.0, 10.5, 11.0])
    limit = Limit(seconds=1).started(lambda: next(times))
    assert limit.seconds is None
    assert [limit.stop(), limit.stop()] == [False, True]
    assert Limit(seconds=9, stop=lambda: True).started(lambda: 0.0).stop()


def test_progress_is_reported() -> None:
    reports: list[Progress] = []
    Analyst(reports.append).analyse(new_game("tictactoe"))
    assert {report.stage for report in reports} == {"searching"}
    assert [report.nodes for report in reports] == sorted(report.nodes for report in reports)
