"""The tests in which coverage is measured: it makes Python two to three times as slow.

The fast tests are measured. Of the slow ones those of the interfaces are, each in its first case, unless the
list ``measured_elsewhere.txt`` names them. If no measured test reaches a line, the run fails: measuring less
can make the suite fail, but never pass.
"""

import os
from pathlib import Path

import coverage
import pytest

MEASURED_ELSEWHERE = (
    *(
        "test_console_machine.py",
        "test_kill.py",
        "test_i18n.py",
        "web/test_api_schema.py",
        "web/test_browser",
    ),
    *(
        f"tui/test_{name}.py"
        for name in (
            *("board", "bytes", "game_every", "game_random", "game_sizes", "snapshots"),
            *("terminal_capture", "trials_and_questions", "turns"),
        )
    ),
)
"""Whole screens, browsers and long games, whose lines the tests of the rooms themselves reach."""

LIST = Path(__file__).with_name("measured_elsewhere.txt")

BY_TEST = bool(os.environ.get("NOUGHTS_BY_TEST"))
"""Whether what each test reaches is told apart: see ``tests/measured_elsewhere.py``."""

LISTED = frozenset(() if BY_TEST else LIST.read_text(encoding="utf-8").splitlines())
"""Tests, and cases of tests, that reach nothing that others do not."""


def function_of(test: str) -> str:
    """The name of a test without that of its case."""
    return test.partition("[")[0]


def is_listed(item: pytest.Item) -> bool:
    """Whether what *item* reaches is measured in other tests."""
    return not LISTED.isdisjoint((item.nodeid, function_of(item.nodeid)))


def is_measured(item: pytest.Item, case: int) -> bool:
    """Return True if coverage is measured in *item*, the test's *case*, counted from 1."""
    if item.get_closest_marker("slow") is None:
        return True
    _, folder, *place = item.path.relative_to(item.config.rootpath).parts
    is_elsewhere = "/".join(place).startswith(MEASURED_ELSEWHERE) or is_listed(item)
    return folder == "interfaces" and case == 1 and not is_elsewhere


class Measuring:
    """Coverage, as long as it is measured."""

    def __init__(self) -> None:
        self._stopped: list[coverage.Coverage] = []

    def stop(self) -> None:
        """Measure no more. What pytest-cov has for it fails with ``--no-cov``."""
        # In a worker of xdist pytest-cov has begun twice: where one stops, the one before it goes on.
        while (current := coverage.Coverage.current()) is not None:
            current.stop()
            self._stopped.append(current)

    def go_on(self, test: str = "") -> None:
        """Measure again, in *test*."""
        while self._stopped:
            self._stopped.pop().start()
        if BY_TEST and (current := coverage.Coverage.current()):
            current.switch_context(test)


measuring = Measuring()
"""It goes on in tests that are measured, and at the end, where pytest-cov finds it as it was."""
