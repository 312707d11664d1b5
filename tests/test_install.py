"""Documents, messages and metadata agree on the address and the version of the project."""

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import noughts
from noughts.errors import ExtraMissing
from noughts.install import GIT_ADDRESS, install_commands

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def test_documents_use_one_git_address() -> None:
    others = {
        f"{page.relative_to(ROOT)}: {address}"
        for page in PAGES
        for address in re.findall(r"git\+([^\s\"`]+)", page.read_text(encoding="utf-8"))
        if address != GIT_ADDRESS
    }
    assert others == set()


def test_documents_install_from_clone_or_git_only() -> None:
    """No package index has noughts, so ``pip install noughts`` would install nothing or something else."""
    commands = {
        f"{page.relative_to(ROOT)}: {line}"
        for page in PAGES
        for line in re.findall(
            r"pip install[^\n`]*(?<!/)\bnoughts\b[^\n`]*", page.read_text(encoding="utf-8")
        )
        if "git+" not in line and "pip install -q uv &&" not in line
    }
    assert commands == set()


def test_metadata_and_citation_agree_with_package() -> None:
    assert metadata("noughts")["Version"] == noughts.__version__
    assert metadata("noughts").get_all("Project-URL") == [f"Repository, {GIT_ADDRESS}"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {noughts.__version__}\n" in citation
    assert f"\nrepository-code: {GIT_ADDRESS}\n" in citation


def test_install_page_lists_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert set(re.findall(r"(?m)^\| `(\w+)` \|", page)) == set(project["optional-dependencies"])


def test_missing_extra_error_shows_both_commands() -> None:
    message = str(ExtraMissing("numpy", "study"))
    assert all(command in message for command in install_commands("study").values())
