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

LEAST_COVERED = {
    **dict.fromkeys(("core", "games", "records", "certificates", "drawing", "search"), 98),
    **dict.fromkeys(("players", "workers", "arena", "puzzles", "batch", "envs"), 98),
    "interfaces": 95,
}
"""Percent of lines and branches that each package of ``noughts`` has covered."""


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: tests that wait for servers and screens leave theirs to others."""
    return 1 + (os.cpu_count() or 1)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a whole and otherwise successful run that leaves more uncovered than it may."""
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
    for name, least in LEAST_COVERED.items():
        report = io.StringIO()
        include = [f"*/noughts/{name}/*"]
        reached = measured.report(include=include, show_missing=True, skip_covered=True, file=report)
        if reached < least:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            print(f"\n{name}: {reached:.1f} % covered, {least} % needed\n{report.getvalue()}")
