"""Data files of noughts are used only if they are unchanged."""

from dataclasses import replace
from pathlib import Path

import pytest

from noughts import own_files
from noughts.arena.tournament.openings import openings_of
from noughts.arena.tournament.plan import BALANCED, OpeningPlan
from noughts.errors import DamagedFile, DamagedFileWarning
from noughts.own_files import CHECKSUMS, read_own_file
from noughts.players import learned
from noughts.players.learned import shipped_network
from noughts.players.strengths import _measured, strengths
from tests.arena.tournament.stand_ins import ROUND

ROOT = Path(own_files.__file__).parent
NAMES = [line.partition("  ")[2] for line in (ROOT / CHECKSUMS).read_text().splitlines()]


def test_every_data_file_has_a_checksum() -> None:
    data = {
        str(file.relative_to(ROOT).as_posix())
        for pattern in ("*.json*", "measured/*.txt")
        for file in ROOT.rglob(pattern)
        if "locales" not in file.parts
    }
    assert {name for name in data if not name.startswith("interfaces/")} == set(NAMES)
    for name in NAMES:
        assert read_own_file(name) == (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with copies of the data files, from which they are read."""
    for name in (CHECKSUMS, *NAMES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(own_files, "files", lambda package: tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_read_own_file_refuses_each_change(name: str, copies: Path) -> None:
    data = (copies / name).read_bytes()
    (copies / name).write_bytes(data.replace(b"\n", b"\r\n"))
    assert read_own_file(name) == data.decode()
    for at in (0, len(data) // 3, len(data) - 1):
        (copies / name).write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(DamagedFile, match="part"):
            read_own_file(name)
    (copies / name).write_bytes(data)
    (copies / CHECKSUMS).write_bytes((copies / CHECKSUMS).read_bytes().replace(b"a", b"b"))
    with pytest.raises(DamagedFile):
        read_own_file(name)


def test_damaged_strengths_are_unknown(copies: Path) -> None:
    (copies / "players" / "strengths.json").write_bytes(b"{}")
    _measured.cache_clear()
    with pytest.warns(DamagedFileWarning, match="part"):
        assert strengths("connect4") == {}
    _measured.cache_clear()


@pytest.mark.slow
def test_damaged_measured_openings_are_not_played(copies: Path) -> None:
    plan = replace(ROUND, games=("connect4",), openings=OpeningPlan(BALANCED, plies=4))
    measured = openings_of(plan)
    file = copies / "arena" / "tournament" / "measured" / "connect4.txt"
    file.write_bytes(file.read_bytes().replace(b"4", b"1"))
    with pytest.warns(DamagedFileWarning, match="part"):
        assert openings_of(plan) != measured


def test_damaged_shipped_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "files", lambda package: tmp_path)
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "3x3-3.weights").write_bytes(b"noughts weights 2\n")
    learned._read_shipped.cache_clear()
    with pytest.raises(DamagedFile, match="part"):
        shipped_network("3x3:3")
