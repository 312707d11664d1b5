"""The benchmark that decides between two engines: openings, counted pairs, and a match of two programs."""

import argparse
import json
import sys
from itertools import islice
from pathlib import Path

import pytest
from benchmarks import engine_games
from benchmarks.engine_games import match_openings, offsets, published
from benchmarks.strength import PlayedPair, StrengthMatch, play_match, text_of

from noughts.arena.tournament import sequential
from noughts.arena.tournament.scores import Results
from tests.workers.programs.bad_bots import ENGINE, USUAL

SETTING = {"new": ["a"], "old": ["b"], "sprt": [0, 10]}


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs of tests are ready at once."""
    monkeypatch.setattr(engine_games, "QUIET_SECONDS", 0.1)


def pair(number: int, *points: float) -> PlayedPair:
    one, other = points
    return PlayedPair(number, "0,0", (one, other), (0.5, 1.0), (10, 10))


def program(folder: Path, name: str, **code: str) -> list[str]:
    """Return the command of a program that takes the first free cell, with other *code* in some places."""
    text = ENGINE
    for place, lines in {**USUAL, **code}.items():
        text = text.replace(f"{{{place}}}", lines)
    file = folder / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    return [sys.executable, "-I", "-S", str(file)]


def options(**changes: object) -> argparse.Namespace:
    usual = {
        "rule": 0,
        "nodes": 100,
        "seconds": None,
        "seed": 1,
        "openings": "gomocup",
        "pairs": 2,
        "jobs": 2,
    }
    return argparse.Namespace(**{**usual, **changes})


def test_published_openings_fit_on_board() -> None:
    found = published(0)
    assert len(found) == 40  # all 36 of boards of 15x15, and 4 of 20x20
    assert offsets(found[2]) == "0,0, 0,-1, 2,-2, 1,-1, 0,-3"


def test_generated_openings_follow_published_ones() -> None:
    found = list(islice(match_openings(0, 1), 42))
    assert found[:40] == published(0)
    assert len(set(found)) == 42
    assert len(found[41]) == 4
    assert next(match_openings(0, 1, is_published=False)) == found[40]


def test_match_counts_pairs_in_order() -> None:
    match = StrengthMatch(SETTING, sequential.Test(0, 10), None)
    for number, points in enumerate([(1, 1), (1, 0.5), (0, 1), (0.5, 0), (0, 0)]):
        if number != 1:
            match.add(pair(number, *points))
    assert match.results.counts == (0, 0, 0, 0, 1)
    match.add(pair(1, 1, 0.5))
    assert match.results == Results((1, 1, 1, 1, 1))
    assert match.summary()["cpu_ms"] == [50, 100]


def test_match_decides_by_sequential_test() -> None:
    match = StrengthMatch(SETTING, sequential.Test(0, 10), None)
    for number in range(400):
        match.add(pair(number, 1, number % 2 / 2))
    assert match.decision == "elo1"
    assert text_of(match.summary()).endswith("accepted")


def test_interrupted_match_keeps_its_pairs(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    match = StrengthMatch(SETTING, None, file)
    match.add(pair(0, 1, 0.5))
    assert StrengthMatch(SETTING, None, file).pairs == match.pairs
    with pytest.raises(ValueError, match="another match"):
        StrengthMatch({**SETTING, "old": ["c"]}, None, file)


def test_programs_stay_alive_between_games(tmp_path: Path) -> None:
    commands = program(tmp_path, "one"), program(tmp_path, "other")
    match = StrengthMatch(SETTING, None, tmp_path / "match.jsonl")
    play_match(match, commands, options())
    lines = (tmp_path / "match.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert sorted(json.loads(line)["opening"] for line in lines[1:]) == sorted(map(offsets, published(0)[:2]))
    again = StrengthMatch(SETTING, None, tmp_path / "match.jsonl")
    play_match(again, [["no-such-program"]] * 2, options())  # no pair is missing
    assert again.summary()["games"] == 4
    assert again.results == match.results


def test_fault_ends_match(tmp_path: Path) -> None:
    commands = program(tmp_path, "good"), program(tmp_path, "bad", turn="say('0,99')")
    match = StrengthMatch(SETTING, None, None)
    with pytest.raises(RuntimeError, match="old: illegal-move"):
        play_match(match, commands, options(jobs=1))
