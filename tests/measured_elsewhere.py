"""Find the slow tests of the interfaces that reach no line that other tests do not reach.

Their coverage is not measured. ``measured_elsewhere.txt`` lists them. To make the list again, for example if
a changed test no longer reaches a line that a listed one does, run

    NOUGHTS_BY_TEST=1 uv run --group dev pytest --junitxml=report.xml
    uv run --group dev python -m tests.measured_elsewhere report.xml
"""

import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import coverage

from tests.measuring import LIST, function_of

DEAR_SECONDS = 0.1
"""Tests that take less are measured all the same: the list would become long, and it saves little."""

BY_CHANCE = ("tests/arena/", "tests/workers/")
"""Where threads and processes meet, some lines are reached at times: there all tests are measured."""

ARCS = "select context, fromno, tono from arc join context on context.id = context_id where file_id = ?"

Reached = set[tuple[str, int, int]]
"""What counts of the lines and branches that a test reaches: a file, and a line or the ends of a branch."""


class Measured(NamedTuple):
    """How long a test takes, and what it reaches."""

    seconds: float
    reached: Reached


def spared(tests: Mapping[str, Measured], others: Reached) -> list[str]:
    """The names of *tests* that are not needed: what they reach tests that are left do, or *others*."""
    count = Counter(what for test in tests.values() for what in test.reached)
    count.update(others)
    found = []
    for name, test in sorted(tests.items(), key=lambda item: (-item[1].seconds, item[0])):
        is_dear = test.seconds >= DEAR_SECONDS and not name.startswith(BY_CHANCE)
        if is_dear and all(count[what] > 1 for what in test.reached):
            found.append(name)
            count.subtract(test.reached)
    return found


def shortened(found: Collection[str], tests: Collection[str]) -> list[str]:
    """The names that were *found* of those of all *tests*, in order; a test alone where all its cases are."""
    cases, many = Counter(map(function_of, tests)), Counter(map(function_of, found))
    whole = {test for test, count in many.items() if count == cases[test]}
    return sorted({function_of(name) if function_of(name) in whole else name for name in found})


def read(file: Path, seconds: Mapping[str, float]) -> tuple[dict[str, Measured], Reached]:
    """The tests of which the data in *file* tells, and what is reached outside: as they are loaded."""
    measured = coverage.Coverage(data_file=str(file))
    measured.load()
    reached = defaultdict[str, Reached](set)
    with sqlite3.connect(file) as database:
        for number, path in database.execute("select id, path from file").fetchall():
            _, statements, _, _, _ = measured.analysis2(path)
            lines, branching = set(statements), measured.branch_stats(path)
            for test, begin, end in database.execute(ARCS, (number,)):
                reached[test].update((path, line, 0) for line in (begin, end) if line in lines)
                if begin in branching or begin not in lines:
                    reached[test].add((path, begin, end))
    others = reached.pop("", set())
    return {test: Measured(seconds.get(place_of(test), 0.0), what) for test, what in reached.items()}, others


def place_of(test: str) -> str:
    """What the report calls a *test*."""
    file, _, name = test.partition("::")
    return f"{file.removesuffix('.py').replace('/', '.')}.{name.replace('::', '.')}"


def times(report: Path) -> dict[str, float]:
    """How long each test took, by what the *report* calls it."""
    cases = ElementTree.parse(report).iter("testcase")
    return {f"{case.get('classname')}.{case.get('name')}": float(case.get("time", 0)) for case in cases}


def main(report: str) -> None:
    """Write the list."""
    tests, others = read(Path(".coverage"), times(Path(report)))
    found = [name for name in spared(tests, others) if name.startswith("tests/interfaces/")]
    LIST.write_text("".join(f"{name}\n" for name in shortened(found, tests)), encoding="utf-8")
    saved = sum(tests[name].seconds for name in found)
    print(f"{len(found)} of {len(tests)} tests that are measured can be spared: {saved:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
