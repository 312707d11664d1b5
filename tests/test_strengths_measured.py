"""Strengths of players: benchmark results become one table, which the program shows."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks import levels, mcts_levels


def rated(elo: float) -> dict[str, Any]:
    return {"elo": elo, "error": 50.0, "games": 20}


def test_players_off_the_ladder_come_last() -> None:
    """Players off the ladder once had no columns, and the benchmark failed after ten minutes."""
    games = {"connect4": {"bot:ada": rated(900), "level:1": rated(-700), "rule": rated(0)}}
    text = levels.report({"machine": "some", "games": games})["all"]
    assert text.splitlines()[0] == "| game | level:1 | rule | bot:ada |"
    assert text.splitlines()[2] == "| connect4 | -700 ± 50 | +0 ± 50 | +900 ± 50 |"


def test_gauntlets_add_players_off_the_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: dict[str, Any] = {
        "levels": {"connect4": {"rule": rated(0), "level:1": rated(-700)}},
        "learned": {
            "connect4": {"players": {"learned": rated(280), "level:1": rated(-9)}},
            "3x3": {"players": {"learned": rated(20), "rule": rated(0)}},
        },
        "mcts_levels": {"3x3": {"players": {"mcts:1000": rated(10), "rule": rated(0), "learned": rated(-9)}}},
    }
    monkeypatch.setattr(levels, "saved_results", lambda name: {"games": measured.get(name, {})})
    monkeypatch.setattr(levels, "strengths", SimpleNamespace(__file__=str(tmp_path / "strengths.py")))
    levels.keep_strengths()
    answer = json.loads((tmp_path / "strengths.json").read_text(encoding="utf-8"))
    elo = {game: {who: one[0] for who, one in players.items()} for game, players in answer.items()}
    assert elo == {
        "connect4": {"rule": 0, "level:1": -700, "learned": 280},
        "3x3": {"learned": 20, "rule": 0, "mcts:1000": 10},
    }


def test_gauntlet_report_lists_opponents() -> None:
    result = {
        "machine": "some",
        "games": {
            "3x3": {
                "players": {"mcts:1000": rated(12)},
                "met": {"rule": {"won": 1, "drawn": 2, "lost": 1}},
            },
            "5x5": {"players": {}, "met": {}},
        },
    }
    blocks = mcts_levels.report(result)
    assert blocks["match"].splitlines()[-1] == "| 3x3 | rule | 1 | 2 | 1 | 0.50 |"
    assert blocks["elo"] == "Elo: 3x3 +12 ± 50; 5x5 unknown.\n"
