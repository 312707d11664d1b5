"""What holds for the whole run: how much must be covered, and that what is compiled is kept."""

import io
import os
import sys
from pathlib import Path

import coverage
import pytest

# Hundreds of programs are started: each would compile all that it imports where a machine keeps no bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

LEAST = 98
"""Percent of the lines and branches of ``noughts`` that tests reach, at least."""

REACHED_BY_FAST_TESTS = ("core", "games", "records", "search", "arena")
"""Packages of which the tests without the mark ``slow`` alone reach as much."""


def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are processors: many tests wait for servers, screens and browsers."""
    return 1 + (os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Name the kind of the test in the data of coverage."""
    kind = "slow" if item.get_closest_marker("slow") else "fast"
    current = None if "NOUGHTS_BY_TEST" in os.environ else coverage.Coverage.current()
    if current is not None and item.config.stash.get(measured_kind, None) != kind:
        current.switch_context(kind)
        item.config.stash[measured_kind] = kind


measured_kind = pytest.StashKey[str]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a whole and otherwise successful run if tests reach too little."""
    config = session.config
    option = config.option
    is_whole = config.args == config.getini("testpaths") and not (option.keyword or option.markexpr)
    is_measured = (
        config.pluginmanager.hasplugin("_cov") and not option.no_cov and not hasattr(config, "workerinput")
    )
    if not (is_whole and is_measured and exitstatus == pytest.ExitCode.OK):
        return
    measured = coverage.Coverage(data_file=str(Path(config.rootpath) / ".coverage"))
    measured.load()
    parts: dict[str, list[str] | None] = {"*/noughts/*": None}
    parts |= {f"*/noughts/{name}/*": ["^$", "^fast$"] for name in REACHED_BY_FAST_TESTS}
    for part, contexts in parts.items():
        report = io.StringIO()
        reached = measured.report(
            include=[part], contexts=contexts, show_missing=True, skip_covered=True, file=report
        )
        if reached < LEAST:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            by = "all" if contexts is None else "fast"
            print(f"\n{by} tests reach {reached:.1f} % of {part}, {LEAST} % are needed\n{report.getvalue()}")
