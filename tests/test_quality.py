"""Lint, format, types, layers, and forbidden texts in the repository: part of every test run."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

from tests.mutation import read_mutants
from tests.test_docs import module_of

ROOT = Path(__file__).parent.parent

CHECKS = {
    "lint": ["-m", "ruff", "check", "--no-cache", "."],
    "format": ["-m", "ruff", "format", "--no-cache", "--check", "."],
    "types": ["-m", "mypy"],
    "layers": [
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    ],
    "lint of scripts": ["-m", "deno", "lint"],
    "format of scripts": ["-m", "deno", "fmt", "--check"],
    "types of scripts": ["-m", "deno", "check", "--no-remote", "--no-npm", "src"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_external_checker_reports_nothing(name: str, tmp_path: Path) -> None:
    """The tool reports no fault."""
    command = [sys.executable, *CHECKS[name]]
    here_only = {"DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    run = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **here_only}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_script_types_match_the_api_description(monkeypatch: pytest.MonkeyPatch) -> None:
    """The output of ``docs/make_types.py`` equals the files in the repository."""
    types = module_of("make_types", monkeypatch).types()
    assert [str(path) for path, text in types.items() if path.read_text(encoding="utf-8") != text] == []


def test_modules_have_no_import_cycle() -> None:
    """Imports for types alone count too."""
    graph = grimp.build_graph("noughts", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while plain := [module for module, imported in imports.items() if not imported & imports.keys()]:
        for module in plain:
            del imports[module]
    assert sorted(imports) == []


def _trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_public_class_names_are_unique() -> None:
    """A name stands for one thing in the whole package."""
    names = Counter(
        node.name
        for _, tree in _trees("src")
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []


RELATIVE = re.compile(
    r"(what|whatever|who|whoever|whom|whose|which|where|wherever|how)\b(?!.*\?)", re.IGNORECASE
)
"""A text that begins with a relative pronoun and is no question."""


@pytest.mark.slow
def test_docstrings_and_comments_begin_with_a_subject() -> None:
    """A reader should not have to guess what a relative clause without an antecedent stands for."""
    found = []
    for path, tree in _trees("src", "tests", "benchmarks", "docs", "examples"):
        strings = [
            (node.lineno, node.value.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node.value.value, str)
        ]
        lines = path.read_text(encoding="utf-8").splitlines()
        comments = [
            (number, line.strip()[2:])
            for number, line in enumerate(lines, 1)
            if line.strip().startswith("# ") and not lines[number - 2].strip().startswith("#")
        ]
        found += [
            f"{path.relative_to(ROOT)}:{number}"
            for number, text in (*strings, *comments)
            if RELATIVE.match(text.strip())
        ]
    assert found == []


@pytest.mark.slow
def test_test_names_state_a_behaviour() -> None:
    """Names are short facts: at most one in twenty has more than seven words after ``test_``."""
    names = [
        node.name
        for _, tree in _trees("tests")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]
    vague = re.compile(r"_(what|who|whom|whose|told|tells|so_many)(_|$)")
    assert [name for name in names if vague.search(name)] == []
    long = [name for name in names if len(name.split("_")) > 8]
    assert len(long) <= len(names) / 20


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.slow
def test_files_name_no_registry_or_machine() -> None:
    """No tracked file names a package registry or a home folder."""
    # The words are split, so that this file does not contain them.
    words = [
        "py" + r"pi\.org",
        "python" + "hosted",
        "registry" + r"\.npmjs",
        "deb" + r"\.debian\.org",
        "/" + "root/",
        "/" + "work/",
    ]
    forbidden = re.compile("|".join(words))
    named = [
        f"{path.relative_to(ROOT)}: {result[0]}"
        for path in _tracked()
        if (result := forbidden.search(path.read_text(encoding="utf-8", errors="replace")))
    ]
    assert named == []


def test_files_fetch_no_external_program() -> None:
    """Benchmarks use installed programs, and documents link to their projects."""
    fetching = re.compile("git" + r" clone|c" + r"make\b|urlretrieve|urlopen\(.http", re.IGNORECASE)
    files = [
        file for file in _tracked() if file.suffix in (".py", ".sh", ".md", ".toml") or ".ci" in file.parts
    ]
    result = [
        file.relative_to(ROOT)
        for file in files
        if "benchmarks" in str(file.relative_to(ROOT)) or ".ci" in file.parts or "faults" in file.parts
        if fetching.search(file.read_text(encoding="utf-8"))
    ]
    assert result == []


@pytest.mark.slow
def test_files_have_no_merge_markers() -> None:
    """A file must not contain both sides of a conflict."""
    marker = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in _tracked()}
    assert [str(path.relative_to(ROOT)) for path, text in texts.items() if marker.search(text)] == []


def test_mutants_match_the_code() -> None:
    """Reading the list fails if a mutant does not fit the code or names no test."""
    assert read_mutants()


def test_repository_has_no_lock_file() -> None:
    """Versions are pinned in pyproject.toml; a lock file would record registries."""
    assert not [path for path in _tracked() if path.name in ("uv.lock", "poetry.lock", "pylock.toml")]
