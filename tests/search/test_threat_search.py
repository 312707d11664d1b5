"""Wins by threats alone, against exact searches."""

from random import Random

import pytest

from noughts import new_game
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.notation import parse_position
from noughts.search.analysis import UNKNOWN, Limit
from noughts.search.analyst import Analyst
from noughts.search.explain.threat_search import ThreatSearch
from noughts.search.numba_backend import python_machine

ENDLESS = Limit()


def position(rows: dict[int, str], side: str) -> Game:
    """Return a renju position with the given *rows*, numbered from the top; all other rows are empty."""
    board = "/".join(rows.get(row, "").ljust(15, ".") for row in range(15))
    return parse_position(new_game("renju"), f"{board} {side}")


def late(spec: str, number: int, left: int) -> Game | None:
    """Return a random position with *left* open cells; None if the game ended before."""
    chance, game = Random(f"{spec} {number}"), new_game(spec)
    while game.outcome is None and game.cells.count(None) > left:
        game.play(chance.choice(game.legal_moves()))
    return None if game.is_over else game


@pytest.mark.parametrize("spec", ["3x3:3", "4x4:3", "4x4:4", "5x5:4,exact", "4x4:4,wrap", "5x5:5,renju"])
def test_threat_search_matches_exact_search(spec: str) -> None:
    analyst, values = Analyst(machine=python_machine()), set()
    for number in range(60):
        game = late(spec, number, number % 6 + 1)
        if game is None:
            continue
        analysis, key = ThreatSearch(game).solve(ENDLESS), game.key()
        assert game.key() == key
        known = analyst.solve(game)
        is_lost = known.value == -1 and known.plies in (2, 4)
        assert (ThreatSearch(game).find_stop(2, (), ENDLESS) is None) == is_lost
        values.add(analysis.value)
        if analysis.value is None:
            assert not (known.value == 1 and known.plies in (1, 3))
            continue
        assert (analysis.value, analysis.plies) == (known.value, known.plies)
        assert len(analysis.pv) == analysis.plies
        for move in analysis.pv:
            game.play(move)
        assert game.is_over
    assert 1 in values


def test_threat_with_forbidden_stop_wins() -> None:
    """The only cell that stops the four in the column makes a row of six."""
    rows = {3: "....X", 5: "....O", 6: "....O", 7: "....O", 8: "..XX.XXX"}
    game = position({**rows, 12: "O.O.O", 13: "X"}, "O")
    analysis = ThreatSearch(game).solve(ENDLESS)
    assert (analysis.value, analysis.plies, analysis.best) == (1, 3, (4, 4))
    game.play((4, 4))
    assert ThreatSearch(game).threats == [(8, 4)]
    assert (8, 4) not in game.legal_moves()
    assert ThreatSearch(game).solve(ENDLESS).plies == 2


def test_forbidden_move_is_no_threat() -> None:
    """Two rows of four at once are forbidden, and the rest does not win."""
    rows = {3: "......O", 4: "......X", 5: "......X", 6: "......X", 7: "..OXXX"}
    game = position({**rows, 10: "O.O.O.O"}, "X")
    assert (7, 6) not in game.legal_moves()
    assert ThreatSearch(game).solve(ENDLESS) == UNKNOWN


def test_row_of_six_is_no_black_threat() -> None:
    game = position({4: "..XX.XXX", 12: "O.O.O.O"}, "O")
    assert ThreatSearch(game).threats == []


def test_threat_search_stops_at_limit() -> None:
    game = parse_position(new_game("5x5:4"), "O.O../.XX../...../...X./O.... X")
    assert ThreatSearch(game).solve(Limit(nodes=0)) == UNKNOWN
    assert ThreatSearch(game).solve(ENDLESS).plies == 3


def test_threat_search_of_ended_game_is_unknown() -> None:
    assert ThreatSearch(parse_position(new_game("3x3"), "XXX/OO./...")).solve(ENDLESS) == UNKNOWN


@pytest.mark.parametrize("spec", ["connect4", "misere", "vanishing", "reversi", "three", "30x30x30:3"])
def test_threat_search_refuses_other_games(spec: str) -> None:
    game = new_game(spec)
    assert not ThreatSearch.supports(game)
    with pytest.raises(UnsupportedRules):
        ThreatSearch(game)


def test_forbidden_point_stops_nothing() -> None:
    """The point completes six black marks in a row."""
    game = position({7: "....XXX.XX", 12: "O.O.O", 14: "O..O"}, "X")
    stop = ThreatSearch(game).find_stop(1, ((7, 7),), ENDLESS)
    assert stop not in (None, (7, 7))
