"""The benchmark of the server runs and finds all games stored."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SMALL = (
    *("--database", "sqlite", "--games", "4", "--clients", "2", "--rate", "20", "--seconds", "0.3"),
    *("--peak-seconds", "0.2", "--recovery", "0", "--stored", "2", "--attack-games", "2"),
    *("--attack-seconds", "0.5", "--connections", "3", "--people", "20", "--offers", "20"),
    *("--waiting", "20", "--watchers", "6", "--public-games", "3", "--moves", "20"),
)


def measure(folder: Path, parts: str) -> Any:
    """Return the results of the *parts* of the benchmark."""
    data = folder / "told.json"
    command = [sys.executable, "-m", "benchmarks.server", *SMALL, "--parts", parts, "--json", str(data)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return json.loads(data.read_text())


def test_server_benchmark_runs(tmp_path: Path) -> None:
    rows = measure(tmp_path, "peak,live,overload")["SQLite"]
    assert list(rows) == ["peak", "live", "overload", "audit"]
    assert rows["live"]["errors"] == rows["overload"]["errors"] == 0
    assert rows["live"]["seen p99, ms"] >= rows["live"]["seen p50, ms"] > 0
    assert rows["audit"]["acknowledged"] > 10
    assert rows["audit"]["acknowledged lost"] == rows["audit"]["carried out twice"] == 0


def test_benchmark_measures_lobby_wall_and_pairing(tmp_path: Path) -> None:
    measured = measure(tmp_path, "lobby,wall,pairing")
    lobby, wall = measured["lobby"]["lobby"], measured["wall"]["wall"]
    assert (lobby["people"], lobby["errors"]) == (20, 0)
    assert lobby["seen p99, ms"] >= lobby["seen p50, ms"] > 0
    assert (wall["boards"], wall["errors"], wall["acknowledged lost"]) == (3, 0, 0)
    assert wall["seen p99, ms"] >= wall["seen p50, ms"] > 0
    assert 0 < measured["pairing"]["pairing"]["pairs"] <= 10


@pytest.mark.weekly
def test_benchmark_measures_idle_and_attacked_servers(tmp_path: Path) -> None:
    measured = measure(tmp_path, "idle,attack")
    assert measured["nobody there"]["idle"]["stored games"] == 2
    attack = measured["attack"]["attack"]
    assert attack["errors"] == attack["acknowledged lost"] == 0
    assert attack["acknowledged p99, ms"] > 0
    assert attack["healthz p99, ms"] > 0
