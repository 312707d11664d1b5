"""Settings of the whole run: the required coverage, and the cache of compiled code."""

import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

# Hundreds of programs are started. Without a bytecode cache each would compile its imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

MIN_COVERAGE = 98
"""The required coverage of ``noughts`` by fast tests, in percent of lines and branches."""

COVERED_FOLDERS = ("", "core/", "games/", "records/", "search/", "arena/")
"""The folders of the package with this coverage, the whole package first."""

stopped = pytest.StashKey[list[coverage.Coverage]]()
"""Measurements that are interrupted."""


def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are processors: many tests wait for servers, screens and browsers."""
    return 1 + (os.cpu_count() or 1)


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Pause measuring at the first test module of a whole run: the doctests have imported the package."""
    if is_whole(collector.config) and collector.nodeid.startswith("tests"):
        stop_measuring(collector.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Measure coverage in fast tests only: measuring makes Python two to three times as slow."""
    if item.get_closest_marker("slow"):
        stop_measuring(item.config)
    else:
        continue_measuring(item.config)


def is_whole(config: pytest.Config) -> bool:
    """Return True if the tests of all files run."""
    return config.args == config.getini("testpaths") and not config.option.keyword


def stop_measuring(config: pytest.Config) -> None:
    """Stop all measurements: in a worker of pytest-xdist, pytest-cov has started two."""
    while (current := coverage.Coverage.current()) is not None:
        current.stop()
        config.stash.setdefault(stopped, []).append(current)


def continue_measuring(config: pytest.Config) -> None:
    """Continue the measurements that were stopped."""
    measurements = config.stash.get(stopped, [])
    while measurements:
        measurements.pop().start()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> Iterator[None]:
    """Fail a complete and successful run if the coverage is too low."""
    config = session.config
    continue_measuring(config)  # pytest-cov expects a running measurement.
    yield
    has_fast_tests = config.option.markexpr in ("", "not slow")
    is_measured = config.pluginmanager.hasplugin("_cov") and not config.option.no_cov
    is_judged = is_whole(config) and has_fast_tests and is_measured and not hasattr(config, "workerinput")
    if not (is_judged and exitstatus == pytest.ExitCode.OK):
        return
    measured = coverage.Coverage(data_file=str(Path(config.rootpath) / ".coverage"))
    measured.load()
    for part, reached in percentages(measured).items():
        if reached < MIN_COVERAGE:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            report = io.StringIO()
            measured.report(include=[f"*/noughts/{part}*"], show_missing=True, skip_covered=True, file=report)
            print(f"\n{report.getvalue()}")  # The reason of the failure follows this long table.
            print(f"tests reach {reached:.2f} % of noughts/{part}, {MIN_COVERAGE} % needed")


def percentages(measured: coverage.Coverage) -> dict[str, float]:
    """Return the coverage of each folder from one analysis, which takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(file))
        files = json.loads(file.read_text(encoding="utf-8"))["files"]
    reached = {}
    for part in COVERED_FOLDERS:
        sums = [data["summary"] for name, data in files.items() if f"/noughts/{part}" in name]
        covered = sum(one["covered_lines"] + one["covered_branches"] for one in sums)
        reached[part] = 100 * covered / sum(one["num_statements"] + one["num_branches"] for one in sums)
    return reached
