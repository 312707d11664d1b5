"""CPU seconds and memory to check the certificates that noughts ships, by both programs.

    uv run --group dev python -m benchmarks.shipped --write    for the documents

Each check is a process of its own. Both programs are plain Python.
"""

import argparse
import lzma
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import ROOT, machine, save_results, table
from noughts.certificates.shipped import COMPRESSED, shipped_folder

CHECKS = {
    "noughts verify": ("-m", "noughts", "verify"),
    "second program": (str(ROOT / "examples" / "check_certificate.py"),),
}
"""The programs, by their names in the table."""


def check(program: str, file: Path) -> dict[str, float]:
    """Return the cost for *program* to accept *file*."""
    started = subprocess.Popen([sys.executable, *CHECKS[program], str(file)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    assert started.returncode == 0, (program, file)
    return {"seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1000}


def measure(archive: Path) -> dict[str, Any]:
    """Return the cost for the certificate in *archive*, and its length."""
    text = lzma.decompress(archive.read_bytes())
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate"
        file.write_bytes(text)
        checks = {program: check(program, file) for program in CHECKS}
    return {"lines": text.count(b"\n"), "bytes": len(text), "checks": checks}


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    rows = [
        [name, f"{found['lines']:,}", f"{found['bytes'] / 1000:,.0f}", *figures(found["checks"])]
        for name, found in measured["certificates"].items()
    ]
    certificates = [f"{program}, {unit}" for program in CHECKS for unit in ("s", "MB")]
    return {
        "machine": f"On one core of {measured['machine']}:\n",
        "checks": table(("", "lines", "kB", *certificates), rows),
    }


def figures(checks: dict[str, dict[str, float]]) -> list[str]:
    """Return the seconds and megabytes of each program."""
    return [f"{checks[program][unit]:.0f}" for program in CHECKS for unit in ("seconds", "megabytes")]


def main() -> None:
    """Check all certificates, and print or save the cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="write the figures into the documents")
    arguments = parser.parse_args()
    archives = sorted(shipped_folder().glob(f"*{COMPRESSED}"))
    costs = {archive.name.removesuffix(COMPRESSED): measure(archive) for archive in archives}
    measured = {"machine": machine(), "certificates": costs}
    if arguments.write:
        save_results("shipped", measured)
    for text in report(measured).values():
        print(text)


if __name__ == "__main__":
    main()
