"""Openings: read in three notations, repeated in all symmetries of the board, or balanced by us."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from noughts import new_game
from noughts.arena.tournament.openings import (
    MOVES,
    OFFSET,
    POS,
    file_of,
    openings_of,
    parse_lines,
    parse_opening,
)
from noughts.arena.tournament.plan import BALANCED, LINES, VARIED, OpeningPlan, TournamentPlan
from noughts.errors import NotationError, UnsupportedRules
from noughts.search import balance
from noughts.search.balance import even_openings
from tests.arena.tournament.stand_ins import RANDOM, ROUND, RULE, begin, find_again, play_missing
from tests.databases import new_database


def test_lines_can_have_comments() -> None:
    assert parse_lines("\n# all\n h8 i9 # this\n\t\n1,2, 0,0\n") == ("h8 i9", "1,2, 0,0")


@pytest.mark.parametrize(
    ("game", "line", "notation", "cells"),
    [
        ("gomoku", "h8 i9", MOVES, [(7, 7), (6, 8)]),
        ("gomoku", "0,0, 1,-1", OFFSET, [(7, 7), (6, 8)]),
        ("gomoku", "0,0,1,-1", OFFSET, [(7, 7), (6, 8)]),
        ("20x20:5", "8,-3, 6,-4", OFFSET, [(7, 18), (6, 16)]),
        ("gomoku", "h8i7", POS, [(7, 7), (6, 8)]),
        ("gomoku", "a1 O15", POS, [(0, 0), (14, 14)]),
        ("connect4", "4 4", MOVES, [(5, 3), (4, 3)]),
    ],
)
def test_openings_are_read_in_each_notation(
    game: str, line: str, notation: str, cells: list[tuple[int, int]]
) -> None:
    assert list(parse_opening(new_game(game), line, notation)) == cells


@pytest.mark.parametrize(
    ("game", "line", "notation", "move"),
    [
        ("gomoku", "h8 h8", MOVES, "h8"),
        ("connect4", "4 4 4 4 4 4 4", MOVES, "4"),
        ("gomoku", "z99", MOVES, "z99"),
        ("gomoku", "0,0 1", OFFSET, "0,0 1"),
        ("gomoku", "8,0", OFFSET, "8,0"),
        ("gomoku", "h8-i9", POS, "h8-i9"),
        ("gomoku", "h8p1", POS, "p1"),
    ],
)
def test_invalid_lines_are_refused(game: str, line: str, notation: str, move: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_opening(new_game(game), line, notation)
    assert (caught.value.reason, caught.value.data["cause"].text) == ("bad-opening", move)


def test_opening_that_ends_the_game_is_refused() -> None:
    with pytest.raises(NotationError) as caught:
        parse_opening(new_game("tictactoe"), "1 2 4 3 7")
    assert caught.value.reason == "opening-over"


@pytest.mark.parametrize("game", ["connect4", "qubic", "reversi", "wild"])
def test_flat_notations_refuse_other_boards(game: str) -> None:
    with pytest.raises(UnsupportedRules):
        parse_opening(new_game(game), "0,0", OFFSET)


@pytest.fixture(autouse=True)
def _looks_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "NODES_TO_OPEN", 20)
    monkeypatch.setattr(balance, "MAX_TRIED", 4)


def openings(game: str, pairs: int = 4, **beginnings: object) -> list[list[str]]:
    plan = TournamentPlan("round-robin", (game,), (RULE, RANDOM), pairs, 5)
    how = replace(OpeningPlan(), **beginnings)  # type: ignore[arg-type]
    return [list(moves) for moves in openings_of(replace(plan, openings=how))[game]]


def test_openings_are_repeated_in_symmetries() -> None:
    """The middle and a corner have four symmetries, each of them once."""
    result = openings("tictactoe", kind=LINES, lines=("5 1",), symmetries=True)
    assert result[0] == ["5", "1"]
    assert sorted(result) == sorted(["5", corner] for corner in "1379")
    assert openings("connect4", kind=LINES, lines=("1 2", "4"), symmetries=True) == [
        *(["1", "2"], ["4"]),
        ["7", "6"],
    ]


@pytest.mark.parametrize("game", ["wild", "pentago"])
def test_symmetries_refuse_unsuitable_games(game: str) -> None:
    with pytest.raises(UnsupportedRules):
        openings(game, kind=BALANCED, plies=1, pairs=1, symmetries=True)


@pytest.mark.parametrize("game", ["tictactoe", "5x4:4,gravity"])
def test_balanced_openings_are_even_and_seeded(game: str) -> None:
    result = openings(game, kind=BALANCED, plies=3)
    assert result == openings(game, kind=BALANCED, plies=3)
    assert len({tuple(moves) for moves in result}) == len(result) >= 3
    assert all(len(moves) == 3 for moves in result)


def test_reordered_moves_are_the_same_opening() -> None:
    result = even_openings(new_game("tictactoe"), 20, 3, Random(1))
    assert len({(frozenset(moves[::2]), moves[1]) for moves in result}) == len(result) > 10


def test_balanced_openings_are_not_decided() -> None:
    """The first player in 2x2 with two in a row always wins."""
    assert even_openings(new_game("2x2:2"), 3, 1, Random(1)) == []
    assert even_openings(new_game("2x2:2"), 3, 3, Random(1)) == []
    with pytest.raises(NotationError):
        openings("2x2:2", kind=BALANCED, plies=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "gomoku", "reversi", "3x3x3:3", "vanishing"])
def test_varied_openings_differ_from_pair_to_pair(game: str) -> None:
    result = openings(game, pairs=12, kind=VARIED)
    assert result[:12] == openings(game, pairs=12, kind=VARIED)[:12]
    assert len({tuple(moves) for moves in result[:12]}) == 12
    for moves in result:
        parse_opening(new_game(game), " ".join(moves))


def test_varied_openings_are_repeated_in_symmetries() -> None:
    """In 2x2 the first player wins at once after two moves, so one move is left."""
    assert sorted(openings("2x2:2", pairs=9, kind=VARIED)) == [["1"], ["2"], ["3"], ["4"]]
    assert len({tuple(moves) for moves in openings("connect4", pairs=130, kind=VARIED)}) >= 130
    assert openings("1x1:1", kind=VARIED) == []


@pytest.mark.parametrize("game", ["gomoku", "gomoku-standard", "connect4"])
def test_measured_openings_are_used_for_four_moves(game: str) -> None:
    measured = parse_lines(file_of(game).read_text(encoding="utf-8"))
    assert len({*measured}) == len(measured) >= 20
    result = openings(game, pairs=5, kind=BALANCED, plies=4)
    assert len(result) == 5
    assert {" ".join(moves) for moves in result} <= {*measured}


def test_start_has_no_openings() -> None:
    assert openings("tictactoe") == []


def test_meetings_of_a_lap_share_an_opening(tmp_path: Path) -> None:
    plan = replace(ROUND, pairs=3, openings=OpeningPlan(LINES, ("5 1", "1 5")))
    with closing(new_database(tmp_path / "games.db")) as database:
        tournament = begin(plan, database)
        play_missing(tournament, most=4)
        result = find_again(plan, database)
        assert result.openings == tournament.openings == {"tictactoe": [["5", "1"], ["1", "5"]]}
        play_missing(result)
        begun = {
            number: [event.data["move"] for event in stored.events[:2]]
            for number, stored in result.tournaments.games(result.number)
        }
    assert [begun[number] for number in range(1, 19)] == [["5", "1"]] * 6 + [["1", "5"]] * 6 + [
        ["5", "1"]
    ] * 6
