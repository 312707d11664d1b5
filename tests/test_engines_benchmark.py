"""The command line of the benchmark against Gomocup engines."""

import argparse
import json
import sys

import pytest
from benchmarks import engines
from benchmarks.engine_games import EngineMatch, PlayedPair
from benchmarks.engines import RATED, engine_of, main, report


def test_engine_option_is_name_and_installed_program() -> None:
    name, command = engine_of("other=sh -c 'exit 3'")
    assert (name, command[1:]) == ("other", ["-c", "exit 3"])
    for text in ("sh", "=sh", "other=", "other='", "other=no-such-program-is-here", "noughts=sh"):
        with pytest.raises(argparse.ArgumentTypeError):
            engine_of(text)


def row(engine: str, pairs: list[int], **changes: object) -> dict[str, object]:
    """Return a saved match of version 1234abcd against *engine*."""
    usual = {
        "engine": engine,
        "manager": "noughts",
        "version": "1234abcd",
        "rule": 0,
        "seconds": 0.2,
        "clock": "cpu",
        "nodes": None,
        "its_nodes": None,
        "its_seconds": None,
        "openings": "gomocup",
        "pairs": pairs,
        "games": 2 * sum(pairs),
        "cpu_ms": [150.0, 160.5],
        "load": [1.0, 2.5],
        "faults": {f"{engine}: too-slow": 1},
    }
    return {**usual, **changes}


def test_report_states_limits_time_and_load() -> None:
    text = report({"machine": "A computer", "matches": [row("other", [0, 0, 10, 0, 0], its_nodes=1000)]})
    line = text["matches"].splitlines()[-1]
    assert "| 0.2 s CPU / 1,000 nodes | gomocup | 20 | 0.500" in line
    assert line.endswith("| 150 / 160.5 | 1 to 2.5 | 0 | 1 |")
    assert "ladder" not in text  # no engine has a known rating


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ([], "0.2 s"),
        (["--cpu", "--its-seconds=0.4"], "0.2 s CPU / 0.4 s CPU"),
        (["--nodes=5000"], "5,000 nodes"),
        (["--seconds=1", "--its-nodes=5000"], "1 s / 5,000 nodes"),
    ],
)
def test_command_states_both_limits(
    arguments: list[str], limits: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(match: EngineMatch, *_: object, **__: object) -> None:
        match.add(PlayedPair(0, "0,0", (1, 0), (0.5, 1.0), (10, 10)))

    monkeypatch.setattr(engines, "play_match", play)
    command = ["engines", f"--engine=other={sys.executable}", "--games=2", "--json", *arguments]
    monkeypatch.setattr(sys, "argv", command)
    main()
    match = json.loads(capsys.readouterr().out)
    assert f"| {limits} | gomocup | 2 |" in report({"machine": "", "matches": [match]})["matches"]


def test_ladder_rates_all_engines_on_one_scale() -> None:
    matches = [
        row(RATED, [0, 0, 0, 10, 10], cpu_ms=[150.0, 50.0]),
        row(RATED, [2, 3, 10, 3, 2], its_seconds=0.4),
        row("stronger", [4, 3, 10, 1, 2], its_nodes=1000),
        row("stronger", [0, 0, 0, 0, 10], rule=1),
        row("slower", [0, 0, 0, 0, 10], seconds=9.0),
    ]
    lines = report({"machine": "A computer", "matches": matches})["ladder"].splitlines()
    ratings = {line.split(" | ")[0].strip("| "): line.split(" | ")[2:] for line in lines[2:]}
    assert next(iter(ratings)) == "stronger, 1,000 nodes"
    assert len(ratings) == 4  # No chain of matches connects the last engine.
    assert list(ratings)[3] == f"{RATED}, 0.2 s CPU"  # It used less of its time.
    assert ratings["noughts 1234abcd, 0.2 s CPU"] == ["1853", "80 |"]
    assert ratings[f"{RATED}, 0.4 s CPU"] == ["1853", "fixed |"]
