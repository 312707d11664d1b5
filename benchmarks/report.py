"""Figures in documents: benchmark results are saved as JSON and written into the documents.

    python -m benchmarks.report                     write the saved figures into the documents

A benchmark with ``--write`` saves its results in ``benchmarks/results/NAME.json``. Its function ``report``
turns them into Markdown: one text for each block between the comments ``<!-- figures: NAME BLOCK -->`` and
``<!-- end -->``. A test compares documents and results.
"""

import importlib
import json
import platform
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

RESULTS = ROOT / "benchmarks" / "results"

BLOCK = re.compile(r"<!-- figures: (\w+) ([\w-]+) -->\n(.*?)<!-- end -->\n", re.DOTALL)
"""A block of figures: the benchmark, the name of the block, and its text."""


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> str:
    """Return a table in Markdown, whose first *texts* columns are no numbers."""
    marks = [*["---"] * texts, *["---:"] * (len(columns) - texts)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (columns, marks, *rows))


def machine() -> str:
    """Return the processor and the Python of the measurement."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = models[0] if models else platform.machine()
    return f"{processor}, {platform.python_implementation()} {platform.python_version()}"


def saved_results(name: str) -> Any:
    """Return the saved results of the benchmark *name*, empty if there are none."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def save_results(name: str, measured: Any) -> None:
    """Save *measured* of the benchmark *name*, and write it into the documents."""
    RESULTS.mkdir(exist_ok=True)
    path, written = RESULTS / f"{name}.json", RESULTS / f".{name}.json"
    written.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    written.replace(path)  # An interruption during the write loses no saved result.
    for document, text in documents():
        document.write_text(text, encoding="utf-8")


def documents() -> Iterator[tuple[Path, str]]:
    """Yield each document with figures and its current text.

    Blocks without results stay.
    """
    known: dict[str, dict[str, str]] = {}

    def written(block: re.Match[str]) -> str:
        name, part, before = block.groups()
        if name not in known:
            known[name] = importlib.import_module(f"benchmarks.{name}").report(saved_results(name))
        return f"<!-- figures: {name} {part} -->\n{known[name].get(part, before)}<!-- end -->\n"

    for document in sorted((ROOT / "docs").glob("*.md")):
        text = document.read_text(encoding="utf-8")
        if BLOCK.search(text):
            yield document, BLOCK.sub(written, text)


if __name__ == "__main__":
    for document, text in documents():
        document.write_text(text, encoding="utf-8")
