"""The released package: built as a wheel, installed alone, used for a game."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent

GAME = """
import sys
from noughts import Player, TicTacToe, play
class Patient(Player):
    def choose(self, game, limit):
        return min(game.legal_moves())
print(play(TicTacToe(), x=Patient(), o=Patient()))
from noughts.interfaces.presenting.i18n import Translator
print(Translator("ru")("hint", move="5"))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    run = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_plays_without_dependencies(wheel: Path, tmp_path: Path) -> None:
    """The library plays a game in several languages without any dependency."""
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    (site,) = (tmp_path / "env").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    run = subprocess.run(
        [python, "-I", "-X", "utf8", "-W", "error", "-c", GAME],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    assert run.stdout.split("\n")[:2] == ["X", "Подсказка: 5."], run.stderr


def test_wheel_contains_only_the_package(wheel: Path) -> None:
    """The wheel has compiled catalogues, the type marker and migrations, and no other package."""
    names = zipfile.ZipFile(wheel).namelist()
    for language in ("en", "ru", "zh_Hans", "zh_Hant"):
        assert f"noughts/locales/{language}/LC_MESSAGES/noughts.mo" in names
    assert "noughts/py.typed" in names
    assert "noughts/arena/store/migrations/0001.sql" in names
    assert "noughts/players/weights/3x3-3.weights" in names
    assert {name.split("/")[0] for name in names} == {"noughts", names[-1].split("/")[0]}
