"""Check that the tests notice faults: ``python -m tests.mutation``.

A mutant of ``mutants.toml`` is one change to a copy of the package, or of the examples, with tests of which
one must fail. First all tests run and pass with the unchanged copy. ``--only`` tries some mutants by their
numbers.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

from tests.certificates.writing import VARIABLE

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "noughts"
EXAMPLES = TESTS.parent / "examples"
MAX_SECONDS = 1_200
"""The limit of processor time in seconds. A mutant whose tests exceed it counts as noticed."""


@dataclass(frozen=True)
class Mutant:
    """A change: the file has ``instead`` in place of ``text``, and one of ``tests`` should notice it."""

    file: str
    text: str
    instead: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.text} -> {self.instead}"

    def write(self, package: Path) -> None:
        _rewrite(self._under(package), self._right().replace(self.text, self.instead))

    def take_back(self, package: Path) -> None:
        _rewrite(self._under(package), self._right())

    def fits(self) -> bool:
        """Return True if the file has the text exactly once, and the tests exist."""
        are_there = all((TESTS.parent / each).exists() for each in self.tests)
        return are_there and self._under(SOURCE).is_file() and self._right().count(self.text) == 1

    def _under(self, package: Path) -> Path:
        """Return the file in the copy *package*, or in the examples beside it, or the original."""
        if not self.file.startswith(f"{EXAMPLES.name}/"):
            return package / self.file
        return (TESTS.parent if package == SOURCE else package.parent) / self.file

    def _right(self) -> str:
        return self._under(SOURCE).read_text(encoding="utf-8")


def read_mutants() -> list[Mutant]:
    """Return all mutants of the list. Raises ``ValueError`` if one does not fit the code."""
    answer = tomllib.loads((TESTS / "mutants.toml").read_text(encoding="utf-8"))["mutants"]
    mutants = [Mutant(one["file"], one["text"], one["instead"], tuple(one["tests"])) for one in answer]
    if wrong := [str(mutant) for mutant in mutants if not mutant.fits()]:
        raise ValueError("these do not fit the program any more:\n" + "\n".join(wrong))
    return mutants


def _rewrite(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    # The copy may have the same length and time as the original.
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


def first_failure(package: Path, tests: Iterable[str]) -> str | None:
    """Return the first of *tests* that fails with the copy of the package in *package*."""
    command = [sys.executable, "-m", "pytest", "-n0", "--no-cov", "-x", "-q", "-pno:cacheprovider", *tests]
    run = subprocess.run(
        command,
        cwd=TESTS.parent,
        env={**os.environ, "PYTHONPATH": str(package.parent), VARIABLE: str(package.parent / EXAMPLES.name)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS)),
    )
    if run.returncode < 0:
        return "they do not come to an end"
    if run.returncode == 0:
        return None
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
    return failed[0] if failed else run.stdout + run.stderr


def noticed_by(mutant: Mutant, package: Path) -> str | None:
    """Return the test that fails with the mutant."""
    mutant.write(package)
    try:
        return first_failure(package, mutant.tests)
    finally:
        mutant.take_back(package)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants and print the tests that notice them. Return 1 if any mutant is unnoticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, nargs="+", help="numbers of mutants, from 1")
    only = parser.parse_args(arguments).only
    mutants = list(enumerate(read_mutants(), 1))
    chosen = [(number, mutant) for number, mutant in mutants if only is None or number in only]
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "noughts"
        for copied, place in ((SOURCE, package), (EXAMPLES, package.parent / EXAMPLES.name)):
            shutil.copytree(copied, place, ignore=shutil.ignore_patterns("__pycache__"))
        tests = sorted({each for _, mutant in chosen for each in mutant.tests})
        if failed := first_failure(package, tests):
            print(f"Without any mutant: {failed}")
            return 1
        survivors = 0
        for number, mutant in chosen:
            failed = noticed_by(mutant, package)
            survivors += failed is None
            print(f"{number} {failed or 'SURVIVES'} ({mutant})", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants were noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
