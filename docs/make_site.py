"""Write the site of these pages, in four languages, without a network.

    uv run --group dev python docs/make_site.py [FOLDER]

The default of FOLDER is ``docs/site``. A warning is an error: then the exit status is 1.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))

from conf import LANGUAGES  # noqa: E402

START = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>noughts</title>
<meta http-equiv="refresh" content="0; url=en/index.html"></head>
<body>{links}</body></html>
"""


def build(folder: Path, code: str) -> int:
    """Build the site of the language with Sphinx's *code* in *folder*. Return 0 on success."""
    ours, _ = LANGUAGES[code]
    options = ["-W", "--keep-going", "-q", "-E", "-b", "html", "-D", f"language={code}"]
    kept = ["-d", str(folder / "doctrees" / ours)]
    # Each language needs a process: in one, sentences of the first language would stay.
    return subprocess.call(  # noqa: S603 - ourselves
        [sys.executable, "-m", "sphinx", *options, *kept, str(DOCS), str(folder / ours)]
    )


def make(folder: Path) -> int:
    """Build all languages, and a page that links to them."""
    with ThreadPoolExecutor(os.cpu_count()) as builders:
        statuses = [*builders.map(lambda code: build(folder, code), LANGUAGES)]
    links = " · ".join(
        f'<a href="{ours}/index.html" lang="{ours}">{name}</a>' for ours, name in LANGUAGES.values()
    )
    (folder / "index.html").write_text(START.format(links=links), encoding="utf-8")
    return max(statuses)


if __name__ == "__main__":
    sys.exit(make(Path(sys.argv[1] if len(sys.argv) > 1 else DOCS / "site").absolute()))
