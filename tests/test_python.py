"""Other Python processes find the same modules and treat the environment alike."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from noughts.python import python_command


@pytest.mark.parametrize("is_deaf", [False, True])
def test_python_command_finds_the_same_modules(
    is_deaf: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, f"o'ne{os.pathsep}\udcff", "here"])
    monkeypatch.setattr(sys, "flags", SimpleNamespace(ignore_environment=is_deaf))
    code = "import random; print(ascii(sys.path), sys.flags.ignore_environment, *sys.argv)"
    answer = subprocess.run(python_command(code, "x"), capture_output=True, check=True).stdout
    path = [os.path.abspath(place) for place in sys.path]
    assert answer.decode().rstrip() == f"{path!a} {int(is_deaf)} -c x"
