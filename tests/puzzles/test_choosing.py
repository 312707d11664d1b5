"""Tests of the choice of puzzles by number, game, grade and day."""

import json
from datetime import date, timedelta

import pytest

from noughts.errors import NotFound
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.shipped import (
    all_puzzles,
    daily,
    find_puzzle,
    games_with_puzzles,
    next_after,
    puzzles_of,
)


def test_find_puzzle_by_number() -> None:
    assert find_puzzle(1).id == 1
    for number in (0, len(all_puzzles()) + 1):
        with pytest.raises(NotFound) as refused:
            find_puzzle(number)
        assert refused.value.what == "puzzle"


def test_puzzles_of_game_and_grade() -> None:
    by_spec = puzzles_of("7X6:4,gravity")
    assert by_spec == puzzles_of("connect4")
    assert {puzzle.grade for puzzle in puzzles_of(grade=1)} == {1}
    assert puzzles_of() == all_puzzles()
    assert games_with_puzzles()["connect4"] == len(by_spec)


@pytest.mark.parametrize(
    ("game", "grade", "missing"),
    [("fifteen", None, "puzzles"), ("chess", None, "game"), ("connect4", 9, "grade")],
)
def test_missing_puzzle_is_not_found(game: str, grade: int | None, missing: str) -> None:
    with pytest.raises(NotFound) as refused:
        puzzles_of(game, grade)
    assert refused.value.what == missing


def test_daily_puzzle_changes_every_day() -> None:
    days = [date(2026, 11, 23) + timedelta(number) for number in range(60)]
    chosen = [daily(day).id for day in days]
    assert chosen == [daily(day).id for day in days]
    assert len(set(chosen)) > 20
    assert daily(days[0], puzzles_of("connect4")).game == "connect4"


@pytest.mark.slow
def test_additional_puzzle_changes_few_days() -> None:
    days = [date(2026, 1, 1) + timedelta(number) for number in range(200)]
    before = [daily(day, all_puzzles()[:-1]) for day in days]
    changed = [day for day, one in zip(days, before, strict=True) if daily(day) != one]
    assert all(daily(day) == all_puzzles()[-1] for day in changed)
    assert len(changed) < 10


def test_next_puzzle_is_easiest_unsolved() -> None:
    few = [Puzzle(number, "", "", "win", grade, "") for number, grade in ((1, 3), (2, 1), (3, 2))]
    assert next_after(None, few).id == 2
    assert next_after(None, few, frozenset({2})).id == 3
    assert next_after(few[0], few).id == 2
    assert next_after(few[1], few, frozenset({3})).id == 1
    assert next_after(few[0], few, frozenset({1, 2, 3})).id == 2
    assert next_after(few[1], few[1:2]).id == 2


def test_puzzle_is_stored_as_one_line() -> None:
    assert Puzzle(**json.loads(all_puzzles()[0].as_line())) == all_puzzles()[0]
