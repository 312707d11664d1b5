"""The benchmark of the server runs and finds all games stored."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SMALL = (
    *("--database", "sqlite", "--parts", "peak,live,overload,idle,attack,lobby,pairing", "--games", "4"),
    *("--clients", "2", "--people", "20", "--offers", "8", "--waiting", "20"),
    *("--rate", "20", "--seconds", "0.3", "--peak-seconds", "0.2", "--recovery", "0", "--stored", "2"),
    *("--attack-games", "2", "--attack-seconds", "0.5", "--connections", "3"),
)


def test_server_benchmark_runs(tmp_path: Path) -> None:
    data = tmp_path / "told.json"
    command = [sys.executable, "-m", "benchmarks.server", *SMALL, "--json", str(data)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    measured = json.loads(data.read_text())
    rows = measured["SQLite"]
    assert list(rows) == ["peak", "live", "overload", "audit"]
    assert rows["live"]["errors"] == rows["overload"]["errors"] == 0
    assert rows["live"]["seen p99, ms"] >= rows["live"]["seen p50, ms"] > 0
    assert rows["audit"]["acknowledged"] > 10
    assert rows["audit"]["acknowledged lost"] == rows["audit"]["carried out twice"] == 0
    assert measured["nobody there"]["idle"]["stored games"] == 2
    lobby, pairing = measured["lobby"]["lobby"], measured["pairing"]["pairing"]
    assert lobby["errors"] == 0
    assert lobby["seen p99, ms"] > 0
    assert pairing["pairs"] > 5
    attack = measured["attack"]["attack"]
    assert attack["errors"] == attack["acknowledged lost"] == 0
    assert attack["acknowledged p99, ms"] > 0
    assert attack["healthz p99, ms"] > 0
