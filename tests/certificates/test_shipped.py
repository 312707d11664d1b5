"""The certificates that come with noughts. All of their lines are checked each week."""

import hashlib
import lzma
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from noughts import new_game
from noughts.certificates import shipped
from noughts.certificates.index import Index, name_of_index, write_index
from noughts.certificates.shipped import open_shipped, shipped_folder
from noughts.certificates.text import REPORTED
from noughts.errors import DamagedFileWarning
from tests.certificates.writing import second_program

QUBIC = "4x4x4:4"
ALL = [(QUBIC, "first"), ("7x7:5", "draw")]
each = pytest.mark.parametrize(("spec", "value"), ALL)

as_far = pytest.mark.parametrize("most", [2 * REPORTED, pytest.param(10**9, marks=pytest.mark.weekly)])
"""The number of lines that are checked."""


def text(spec: str) -> bytes:
    """Return the certificate for *spec*, decompressed."""
    stream = open_shipped(spec)
    assert stream is not None
    with stream:
        return stream.read()


@each
def test_shipped_certificate_matches_its_index(spec: str, value: str) -> None:
    whole = text(spec)
    digest = hashlib.sha256(whole[: whole.rindex(b"sha256")]).hexdigest()
    assert whole.endswith(f"\nend\nsha256 {digest}\n".encode())
    index = Index.of(new_game(spec), shipped_folder())
    assert index is not None
    assert (index.value, index.digest) == (value, digest)


class EnoughError(Exception):
    """Enough lines were checked for the time."""


@pytest.mark.slow
@each
@as_far
def test_shipped_certificate_is_valid(spec: str, value: str, most: int, tmp_path: Path) -> None:
    """Only a part is checked if time is short."""

    def report(number: int) -> None:
        if number >= most:
            raise EnoughError

    stream, name = open_shipped(spec), name_of_index(spec)
    assert stream is not None
    with stream, suppress(EnoughError):
        verdict = write_index(stream, tmp_path, report)
        assert (verdict.holds, verdict.game, verdict.value) == (True, spec, value)
        assert (tmp_path / name).read_bytes() == (shipped_folder() / name).read_bytes()
        return
    assert text(spec).count(b"\n") > most


@pytest.mark.slow
@each
@as_far
def test_example_accepts_shipped_certificates(spec: str, value: str, most: int) -> None:
    """Half of the lines are checked, since it takes longer; each week all of them."""
    rows = [line.split(" ") for line in text(spec).decode("ascii").splitlines()]
    check, some = second_program().check, rows[: most // 2]
    if len(some) < len(rows):
        with pytest.raises(StopIteration):  # No step was refused before the end of the lines.
            check(iter(some))
    else:
        assert check(iter(rows)) == value


def test_damaged_shipped_certificate_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "shipped_folder", lambda: tmp_path)
    cut = lzma.compress(b"noughts certificate 1")
    for data in (b"", b"no archive", cut[:-1], cut):
        shipped.file_of(QUBIC).write_bytes(data)
        with pytest.warns(DamagedFileWarning, match="part"):
            assert open_shipped(QUBIC) is None


def test_open_shipped_returns_none_without_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_shipped("6x6:4") is None
    monkeypatch.setitem(sys.modules, "lzma", None)
    assert open_shipped(QUBIC) is None  # If Python cannot decompress it, the game is proved again.
