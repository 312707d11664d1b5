"""In which tests coverage is measured: measuring makes Python two to three times as slow.

Most cases of one test reach the same lines, and most tests reach lines that others do. A line that nothing
measured reaches is missed at the end of the run: to measure less can make the suite fail, but never pass.
"""

import os
from pathlib import Path

import coverage
import pytest

MEASURED_CASES = 3
"""In how many cases of a parametrised test coverage is measured; of whole screens and servers in one."""

MEASURED_EXAMPLES = 20
"""In how many examples of a test of properties it is."""

CASES_DIFFER = (
    *("arena", "batch", "certificates", "core", "drawing", "envs", "games", "records", "search"),
    *("workers/programs", "workers/protocols", "workers/test_transfer.py"),
    *(
        "contracts/test_games.py",
        "interfaces/engine",
        "interfaces/test_opening.py",
        "interfaces/test_bots_command.py",
        "players/test_base.py",
        "seed_bugs/test_library.py",
        "test_bots.py",
    ),
)
"""Where cases reach other lines each: there it is measured in all."""

CASES_ALIKE = tuple(
    f"search/test_{name}.py" for name in ("analyst", "cut_short", "engine", "exact", "proving", "retrograde")
)
"""Files of such folders in which they do not."""

MEASURED_ELSEWHERE = (
    *("arena/test_kill.py", "contracts/test_players.py", "games/test_against_model.py"),
    *("faults", "interfaces/test_kill.py", "interfaces/test_i18n.py", "interfaces/web/test_browser"),
    *(
        f"interfaces/tui/test_{name}.py"
        for name in (
            *("board", "bytes", "game_every", "game_random", "game_sizes", "snapshots"),
            *("terminal_capture", "trials_and_questions", "turns"),
        )
    ),
    *("puzzles/test_shipped.py", "search/test_places.py", "seed_bugs/test_full_screen.py"),
    *("test_docs.py", "test_lessons.py", "test_quixo.py", "test_write_a_game.py"),
)
"""Whole screens, browsers and long games, whose lines the tests of the rooms themselves reach."""

SLOW_FOLDERS = ("faults", "interfaces", "seed_bugs")
"""Where programs, servers, browsers and whole screens are started."""

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


def is_measured(item: pytest.Item, place: str, case: int) -> bool:
    """Whether coverage is measured in *item*, which stands at *place* below ``tests``: a case, from 1 on."""
    differs = place.startswith(CASES_DIFFER) and not place.startswith(CASES_ALIKE)
    return (
        (differs or case <= (1 if place.startswith(SLOW_FOLDERS) else MEASURED_CASES))
        and not place.startswith(MEASURED_ELSEWHERE)
        and item.get_closest_marker("many_cases") is None
        and not is_listed(item)
    )


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
