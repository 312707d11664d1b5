"""Tests in which coverage is not measured, since others reach the same lines."""

import subprocess
import sys
from pathlib import Path

from tests.measured_elsewhere import Measured, place_of, read, shortened, spared, times
from tests.measuring import LIST, function_of

ROOT = Path(__file__).parent.parent

ONE, TWO = ("one.py", 1, 0), ("one.py", 2, 0)


def test_each_that_is_listed_is_there() -> None:
    names = LIST.read_text(encoding="utf-8").splitlines()
    assert names == sorted(set(names))
    for name in names:
        file, _, test = function_of(name).partition("::")
        assert test.split("::")[0] in (ROOT / file).read_text(encoding="utf-8"), name


def test_of_two_that_reach_the_same_the_dearer_one_is_spared() -> None:
    tests = {"a": Measured(1.0, {ONE}), "b": Measured(2.0, {ONE}), "c": Measured(3.0, {TWO})}
    assert spared(tests, set()) == ["b"]
    assert spared(tests, {TWO}) == ["c", "b"]
    assert spared({"a": Measured(0.001, {ONE})}, {ONE}) == []


def test_a_test_stands_for_all_its_cases() -> None:
    cases = [f"t.py::test_{name}[{case}]" for name in "ab" for case in range(2)]
    assert shortened(cases[:3], [*cases, "t.py::test_c"]) == ["t.py::test_a", "t.py::test_b[0]"]


def test_times_are_found_by_names(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    case = '<testcase classname="tests.core.test_a.TestB" name="runTest" time="0.5"/>'
    report.write_text(f"<testsuites><testsuite>{case}</testsuite></testsuites>")
    assert times(report)[place_of("tests/core/test_a.py::TestB::runTest")] == 0.5


def test_what_each_test_reaches_is_told_apart(tmp_path: Path) -> None:
    program, data = tmp_path / "program.py", tmp_path / "data"
    program.write_text("import sys\nif len(sys.argv) > 1:\n    print()\nprint()\n")
    for test, *arguments in (("t.py::test_a",), ("t.py::test_b", "more")):
        command = [
            "coverage",
            "run",
            "--branch",
            "-a",
            f"--data-file={data}",
            f"--context={test}",
            str(program),
        ]
        subprocess.run([sys.executable, "-m", *command, *arguments], cwd=tmp_path, check=True)
    tests, others = read(data, {"t.test_a": 0.5})
    assert others == set()
    assert tests["t.py::test_a"].seconds == 0.5
    what = {name: {(begin, end) for _, begin, end in test.reached} for name, test in tests.items()}
    assert what["t.py::test_a"] >= {(1, 0), (2, 0), (4, 0), (2, 4)}
    assert what["t.py::test_b"] >= {(1, 0), (2, 0), (3, 0), (4, 0), (2, 3)}
    assert (3, 0) not in what["t.py::test_a"]
