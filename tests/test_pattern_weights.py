"""Fitting the weights of the pattern search: games, fits and matches."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from benchmarks.pattern_games import Board, first_weights, play_game, play_games
from benchmarks.pattern_weights import main

from noughts.search.numba_backend import PLAIN


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """Games in Python would take minutes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(PLAIN, raising=False)
        yield


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    weights = json.dumps(asdict(first_weights()))
    file.write_text(play_games("freestyle", weights, range(12), 100), encoding="utf-8")
    return file


@pytest.mark.slow
def test_interrupted_play_continues_with_new_games(games: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    lines = games.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")
    main(["play", str(file), "--games", "10", "--nodes", "100", "--workers", "1"])
    seeds = [json.loads(line)["seed"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(seeds) == len(set(seeds)) >= 10


@pytest.mark.slow
def test_fitted_weights_play_a_match(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, mean = (str(tmp_path / name) for name in ("one.json", "two.json", "mean.json"))
    main(["fit", one, str(games), "--seed", "1"])
    main(["fit", two, str(games), "--seed", "2", "--weights", one, "--only", "value"])
    fitted, values = (json.loads(Path(name).read_text(encoding="utf-8")) for name in (one, two))
    assert [fitted[name] == values[name] for name in ("mover", "own", "other")] == [False, True, True]
    main(["mean", mean, one, two])
    weights = json.loads(Path(mean).read_text(encoding="utf-8"))
    assert [len(weights[name]) for name in weights] == [3876] * 4 + [1024]
    assert any(weights["mover"])
    main(["match", mean, "first", "--games", "4", "--nodes", "50"])
    assert "4 games: " in capsys.readouterr().err


@pytest.mark.slow
def test_games_depend_on_their_seed_alone() -> None:
    board, weights = Board("freestyle", first_weights()), first_weights()
    for seed in range(2):
        assert play_game(board, seed, 100) == play_game(Board("freestyle", weights), seed, 100)
