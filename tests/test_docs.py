"""The documents are correct: every code block runs, every transcript has the shown output."""

import doctest
import functools
import html
import importlib.util
import os
import pickle
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from benchmarks import report

import noughts
from noughts.interfaces.cli.main import MODULES
from noughts.text import display_width

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_ORDER = ROOT / "docs" / "write-a-game.md"
"""A page whose blocks depend on each other: ``test_write_a_game`` runs them."""

LESSONS = ROOT / "docs" / "lessons"
"""Pages whose blocks depend on each other: ``test_lessons`` runs them."""

LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)|src(?:set)?=\"(?!\w+:)([^\"]+)\"")


def _blocks(language: str) -> list[object]:
    return [
        pytest.param(path, result[2], id=f"{path.name}:{text.count(chr(10), 0, result.start()) + 1}")
        for path in DOCUMENTS
        if path != IN_ORDER and path.parent != LESSONS
        for text in [path.read_text(encoding="utf-8")]
        for result in BLOCK.finditer(text)
        if result[1] == language
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "code"), _blocks("python"))
def test_python_block_runs(path: Path, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block with prompts also has the shown output."""
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {"__name__": "block"}
    if ">>>" in code:
        check_prompts(code, space, path)
    else:
        exec(compile(code, str(path), "exec"), space)


def check_prompts(code: str, space: dict[str, object], path: Path) -> None:
    """Type the input after the prompts of *code*, of the document *path*, and compare the output."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    text: list[str] = []
    test = doctest.DocTestParser().get_doctest(code, space, path.name, str(path), 0)
    runner.run(test, out=text.append, clear_globs=False)
    space.update(test.globs)
    assert runner.failures == 0, "".join(text)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the program that builds the site."""
    monkeypatch.setattr(sys, "path", [*sys.path])  # Sphinx finds its settings there.
    return module_of("make_site", monkeypatch)


@pytest.mark.slow
def test_site_builds_with_reference_of_public_names(site: Any, tmp_path: Path) -> None:
    """Sphinx builds it in one of the other languages without a warning. ``.ci/weekly`` builds all of them."""
    assert site.build(tmp_path, "ru") == 0
    reference = (tmp_path / "ru" / "reference.html").read_text("utf-8")
    missing = [name for name in noughts.__all__ if f'id="noughts.{name}"' not in reference]
    assert missing == ["NoughtsError"]
    assert 'id="noughts.errors.NoughtsError"' in reference
    read = tmp_path / "doctrees" / "ru"

    def first(page: str, kind: str) -> Any:
        stored = pickle.loads((read / f"{page}.doctree").read_bytes())
        return next(iter(stored.findall(lambda node: node.tagname == kind)))

    assert first("index", "toctree")["caption"] == "Уроки"
    written = [*ROOT.glob("docs/**/*.ru.md")]
    assert written
    for path in written:
        page = path.relative_to(ROOT / "docs").as_posix().removesuffix(".ru.md")
        assert path.read_text("utf-8").startswith(f"# {first(page, 'title').astext()}\n")
    shown = [
        page.parent / picture
        for page in (tmp_path / "ru").rglob("*.html")
        for picture in re.findall(r'(?:src|srcset)="([^":]+\.(?:svg|png))"', page.read_text("utf-8"))
    ]
    assert len(shown) > 30
    assert [picture for picture in shown if not picture.exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize(("path", "text"), _blocks("console"))
def test_console_block_prints_the_shown_output(path: Path, text: str, tmp_path: Path) -> None:
    """Each ``$ noughts ...`` prints the lines below it; a line of three dots stands for any lines."""
    check_transcript(text, sys.executable, tmp_path)


def check_transcript(text: str, python: str, folder: Path) -> None:
    """Type the commands of *text* in *folder* and compare their output."""
    environment = {**os.environ, "NOUGHTS_DB": str(folder / "games.db"), "PYTHONUTF8": "1", "LANG": "en"}
    environment["NOUGHTS_PLAIN"] = "1"  # The output does not depend on compiled code.
    for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        typed, _, line = command.rpartition(" | ")
        source = _typed(typed)
        arguments = shlex.split(line)
        assert arguments[0] == "noughts"
        run = subprocess.run(
            [python, "-m", "noughts", *arguments[1:]],
            input=source,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment,
            cwd=folder,
            check=False,
        )
        shown = run.stdout + run.stderr
        parts = re.split(r"^\.\.\.$\n?", expected.strip() + "\n", flags=re.MULTILINE)
        pattern = r"(?s:.*)".join(map(re.escape, parts))
        assert re.fullmatch(pattern, shown.strip() + "\n"), f"$ {command}\n{shown}"


def _typed(command: str) -> str:
    """Return the output of ``printf '...'`` before a pipe."""
    if not command:
        return ""
    program, text = shlex.split(command)
    assert program == "printf"
    return text.replace("\\n", "\n")


def test_relative_links_exist() -> None:
    """Pictures are included."""
    targets = [
        (path, one or two)
        for path in DOCUMENTS
        for one, two in LINK.findall(path.read_text(encoding="utf-8"))
    ]
    assert [(path.name, target) for path, target in targets if not (path.parent / target).exists()] == []


def test_link_anchors_are_headings() -> None:
    """The text after the # of a link is a heading of that page, as it is spelled in addresses."""
    links = [
        (path, path.parent / page if page else path, anchor)
        for path in DOCUMENTS
        for page, anchor in re.findall(r"\]\(([^):#]*\.md|)#([^)]+)\)", path.read_text(encoding="utf-8"))
    ]
    assert [(path.name, anchor) for path, page, anchor in links if anchor not in _anchors(page)] == []


@functools.cache
def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


FOR_DEVELOPERS = [
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs" / name for name in ("architecture.md", "levels.md")),
]


@pytest.mark.parametrize("path", FOR_DEVELOPERS, ids=lambda path: path.name)
def test_named_files_exist(path: Path) -> None:
    """A path that a document names exists in the repository; its first folders may be left out."""
    named = re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:py|json|po|perft))`", path.read_text(encoding="utf-8"))
    files = [
        f"/{file.relative_to(ROOT)}"
        for top in ("src", "tests", "benchmarks", "docs", "examples")
        for file in (ROOT / top).rglob("*.*")
    ]
    assert named
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in files)] == []


def test_named_commands_exist() -> None:
    """The word after ``noughts`` in a document is a command."""
    named = [
        (path.name, name)
        for path in DOCUMENTS
        for name in re.findall(r"[`$|] ?noughts ([a-z]+)\b", path.read_text(encoding="utf-8"))
    ]
    assert [(path, name) for path, name in named if name not in MODULES] == []


def test_every_command_is_documented() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS if path.suffix == ".md")
    assert [name for name in MODULES if f"noughts {name}" not in text] == []


def test_architecture_names_every_folder() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {path.parent for path in (ROOT / "src" / "noughts").rglob("*.py")}
    names = {path.relative_to(ROOT / "src" / "noughts").name for path in folders} - {""}
    assert len(names) > 20
    assert sorted(name for name in names if not re.search(rf"\b{name}\b", text)) == []


def test_documents_show_measured_figures() -> None:
    """Each block of figures follows from the stored results of its benchmark."""
    written = dict(report.documents())
    assert {path.name for path in written} == {
        "benchmarks.md",
        "certificates.md",
        "engine-strength.md",
        "levels.md",
        "ratings.md",
        "strategies.md",
        "study.md",
        "tournaments.md",
        "values.md",
    }
    for path, text in written.items():
        assert path.read_text(encoding="utf-8") == text
    measured = {path.stem for path in report.RESULTS.glob("*.json")}
    assert {name for text in written.values() for name, _, _ in report.BLOCK.findall(text)} == measured


def test_page_pictures_are_small_and_used() -> None:
    """Small pictures load quickly."""
    shown = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    pictures = sorted((ROOT / "docs" / "pictures" / "pages").glob("*.png"))
    assert pictures
    for picture in pictures:
        assert picture.stat().st_size < 150_000, picture
        assert f"pages/{picture.name}" in shown, picture


def test_readme_is_short() -> None:
    """Reference material belongs on the pages in ``docs``."""
    for path in ROOT.glob("README*.md"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 135


def module_of(maker: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import the program *maker* of the documents as a module."""
    spec = importlib.util.spec_from_file_location(maker, ROOT / "docs" / f"{maker}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, maker, module)  # Dataclasses look up their module.
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    ("maker", "folder"), [("make_games", "pictures"), ("make_screens", "pictures/screens")]
)
def test_generated_files_are_up_to_date(maker: str, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program makes exactly the pages and pictures in the repository."""
    module = module_of(maker, monkeypatch)
    with ThreadPoolExecutor(1) as elsewhere:  # In another thread no browser test has left a running loop.
        made = {**elsewhere.submit(module.pictures).result(), **module.pages()}
    assert [str(path) for path, text in made.items() if path.read_text(encoding="utf-8") != text] == []
    assert {path for path in made if path.suffix == ".svg"} == set((ROOT / "docs" / folder).glob("*.svg"))


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/pictures/screens/*.svg")), ids=lambda path: path.stem)
def test_screen_pictures_keep_columns(path: Path) -> None:
    """Each word of a picture is on the grid of columns and has the room of its width."""
    words = re.findall(
        r'<text x="([\d.]+)" y="[\d.]+" textLength="([\d.]+)"[^>]*>([^<]*)</text>', path.read_text("utf-8")
    )
    assert words
    for x, length, text in words:
        columns = display_width(html.unescape(text))
        assert float(length) == pytest.approx(columns * 9.6, abs=0.1)
        assert float(x) / 9.6 == pytest.approx(round(float(x) / 9.6), abs=0.01)
