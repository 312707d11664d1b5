"""The benchmark that decides between two engines: openings, counted pairs, and a match of two programs."""

import json
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from benchmarks import engine_games
from benchmarks.engine_games import (
    Contestant,
    EngineMatch,
    PlayedPair,
    Table,
    counting_cpu,
    elo_text,
    match_openings,
    offsets,
    openings_in,
    play_match,
    score_text,
    version_of,
)
from benchmarks.strength import main, text_of

from noughts import Limit, new_game
from noughts.arena.tournament import sequential
from noughts.arena.tournament.scores import Results
from noughts.errors import PlayerAtFault
from noughts.games.base import Move
from noughts.workers.programs.gomocup_driver import GomocupDriver
from tests.workers.programs.bad_bots import ENGINE, USUAL

SETTING = {"new": ["a"], "old": ["b"], "sprt": [0, 10]}


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs of tests are ready at once."""
    monkeypatch.setattr(engine_games, "QUIET_SECONDS", 0.1)


def published(rule: int) -> list[tuple[Move, ...]]:
    return openings_in(engine_games.PUBLISHED, rule)


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


def tables(folder: Path, **code: str) -> Callable[[], Table]:
    """Return a function that makes two contestants. *code* is that of the second one."""
    commands = program(folder, "one"), program(folder, "other", **code)
    return lambda: (Contestant("one", commands[0], nodes=100), Contestant("other", commands[1], nodes=100))


def test_published_openings_fit_on_board() -> None:
    found = published(0)
    assert len(found) == 40  # all 36 of boards of 15x15, and 4 of 20x20
    assert offsets(found[2]) == "0,0, 0,-1, 2,-2, 1,-1, 0,-3"


def test_even_openings_follow_published_ones() -> None:
    found = list(islice(match_openings(0, 1), 120))
    assert found[:40] == published(0)
    assert len(set(found)) == 120
    assert {len(moves) for moves in found[40:]} == {4}
    assert next(match_openings(0, 1, is_published=False)) == found[40]


@pytest.mark.slow
def test_other_seed_draws_other_openings() -> None:
    drawn = list(islice(match_openings(1, 2, is_published=False), 2))
    assert drawn == list(islice(match_openings(1, 2, is_published=False), 2))
    assert not set(drawn) & set(islice(match_openings(1, 1), 60))


def test_match_counts_pairs_in_order() -> None:
    match = EngineMatch(SETTING, sequential.Test(0, 10))
    for number, points in enumerate([(1, 1), (1, 0.5), (0, 1), (0.5, 0), (0, 0)]):
        if number != 1:
            match.add(pair(number, *points))
    assert match.results.counts == (0, 0, 0, 0, 1)
    match.add(pair(1, 1, 0.5))
    assert match.results == Results((1, 1, 1, 1, 1))
    assert match.summary()["cpu_ms"] == [50, 100]


def test_match_decides_by_sequential_test() -> None:
    match = EngineMatch(SETTING, sequential.Test(0, 10))
    for number in range(400):
        match.add(pair(number, 1, number % 2 / 2))
    assert match.decision == "elo1"
    assert text_of(match.summary()).endswith("accepted")


def test_interrupted_match_keeps_its_pairs(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    match = EngineMatch(SETTING, file=file)
    match.add(pair(0, 1, 0.5))
    assert EngineMatch(SETTING, file=file).pairs == match.pairs
    with pytest.raises(ValueError, match="another match"):
        EngineMatch({**SETTING, "old": ["c"]}, file=file)


@pytest.mark.slow
def test_programs_stay_alive_between_games(tmp_path: Path) -> None:
    started = tmp_path / "started.txt"
    first = f"open({str(started)!r}, 'a').write('x')"
    match = EngineMatch(SETTING, file=tmp_path / "match.jsonl")
    play_match(match, tables(tmp_path, first=first), 0, published(0)[:2])
    assert started.read_text(encoding="utf-8") == "x"
    assert [pair.opening for pair in match.counted] == [offsets(moves) for moves in published(0)[:2]]
    assert all(pair.points in ((1, 0), (0, 1)) for pair in match.counted)  # equal programs
    assert match.summary()["faults"] == {}


def test_finished_match_starts_no_program(tmp_path: Path) -> None:
    match = EngineMatch(SETTING)
    match.add(pair(0, 1, 1))
    play_match(
        match, lambda: (Contestant("one", ["none"]), Contestant("other", ["none"])), 0, published(0)[:1]
    )
    assert match.results.games == 2


@pytest.mark.parametrize(("is_fault", "faults"), [(False, {}), (True, {"other: raised": 2})])
def test_failed_search_of_our_engine_is_a_fault(
    tmp_path: Path, faults: dict[str, int], *, is_fault: bool
) -> None:
    one, other = tables(tmp_path, turn="say('DEBUG MemoryError'); say(free())")()
    other.debug_is_fault = is_fault
    match = EngineMatch(SETTING)
    play_match(match, lambda: (one, other), 0, published(0)[:1])
    assert match.summary()["faults"] == faults


def test_fault_is_counted_for_its_program(tmp_path: Path) -> None:
    match = EngineMatch(SETTING)
    play_match(match, tables(tmp_path, turn="say('0,99')"), 0, published(0)[:1], jobs=2)
    assert match.pairs[0].points == (1, 1)
    assert match.summary()["faults"] == {"other: illegal-move": 2}


def test_score_and_elo_state_their_intervals() -> None:
    counts = (2, 3, 10, 3, 2)
    assert (score_text(counts), elo_text(counts)) == ("0.500 ± 0.115", "+0 [-81, +81]")
    assert elo_text((0, 0, 0, 0, 5)) == "+∞ [+166, +∞]"


def test_version_is_commit_of_checkout(tmp_path: Path) -> None:
    assert version_of([str(tmp_path / "program")]) == ""
    version = version_of([str(Path(__file__).parent / "program")])
    assert not version or len(version.rstrip("+")) == 8


def test_command_prints_state_of_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.jsonl"
    command = [f"--new={sys.executable}", f"--old={sys.executable}", f"--file={file}", "--cpu", "--pairs=0"]
    monkeypatch.setattr(sys, "argv", ["strength", *command, "--seconds=0.2"])
    main()
    shown, text = capsys.readouterr().out.splitlines()
    assert json.loads(shown)["clock"] == json.loads(file.read_text(encoding="utf-8"))["clock"] == "cpu"
    assert text.startswith("0 games")
    assert text.endswith("SPRT [0, 10] +0.00 open")


def test_only_clocked_program_can_be_late() -> None:
    clocked = Contestant("one", ["none"], seconds=0.2, is_clocked=True)
    assert clocked.seat(3).limit == Limit(seconds=0.2)
    counting = Contestant("other", ["none"], seconds=0.2)
    assert counting.seat(3).limit == Limit()
    assert counting.limit == clocked.limit


def test_time_of_match_is_sent_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used = 1.0
    monkeypatch.setattr(engine_games, "session_seconds", lambda session: used)
    one = Contestant("one", program(tmp_path, "one"), seconds=2, match_seconds=3)
    one.begin_game()
    used = 1.5
    driver = one.player.driver()
    assert isinstance(driver, GomocupDriver)
    told = {"timeout_turn": 1800, "time_left": 2500, "timeout_match": 3000}
    assert driver.limits(one.limit) == told
    game = new_game("gomoku")
    assert one.choose(game, Limit()) == (0, 0)
    used = 4.25
    with pytest.raises(PlayerAtFault, match="250 ms over"):
        one.choose(game, Limit())
    one.player.close()


def test_cpu_clock_runs_engine_of_checkout() -> None:
    command = counting_cpu(["/checkout/bin/noughts", "engine"])
    assert command[:2] == ["/checkout/bin/python", "-P"]
    assert Path(command[2]).is_file()
    assert command[3:] == ["engine"]
