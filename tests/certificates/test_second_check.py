"""The example that checks certificates by their description alone comes to the same answers."""

import importlib.util
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from noughts.certificates import proved
from noughts.certificates.text import DoesNotHold
from tests.amounts import often
from tests.certificates.test_certificates import WORTH
from tests.certificates.writing import body, certificate, checked, sealed

EXAMPLE = Path(__file__).parents[2] / "examples" / "check_certificate.py"
MOST_LINES = 300


@pytest.fixture(scope="module")
def second() -> ModuleType:
    """The example, as a module."""
    spec = importlib.util.spec_from_file_location("check_certificate", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def accepts(second: ModuleType, text: str, tmp_path: Path) -> bool:
    """Whether the example exits with 0; it exits with 1 otherwise."""
    file = tmp_path / "certificate"
    file.write_bytes(text.encode())
    limit = sys.getrecursionlimit()
    try:
        status = second.main(str(file))
    finally:
        sys.setrecursionlimit(limit)
    assert status in (0, 1)
    return bool(status == 0)


def test_it_stands_alone_and_is_short() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert "import noughts" not in text
    assert "from noughts" not in text


@pytest.mark.parametrize("name", WORTH)
def test_both_accept_what_was_written(second: ModuleType, name: str, tmp_path: Path) -> None:
    assert accepts(second, certificate(name, WORTH[name]), tmp_path)


def test_they_agree_about_what_was_changed(second: ModuleType, tmp_path: Path) -> None:
    chance, accepted = Random(7), 0
    for name in ("3x3:3", "4x3:3", "3x3:3,wild", "4x4:4", "5x4:4"):
        lines = body(certificate(name, WORTH.get(name, "draw")))
        words = sorted({word for line in lines[2:] for word in line.split()})
        for _ in range(often(80)):
            changed = [line.split() for line in lines]
            at = chance.randrange(len(changed))
            match chance.randrange(4):
                case 0:
                    del changed[at]
                case 1:
                    changed.insert(at, changed[chance.randrange(len(changed))])
                case _:
                    changed[at] = [chance.choice((word, chance.choice(words))) for word in changed[at]]
            text = sealed([" ".join(line) for line in changed])
            verdict = checked(text)
            assert accepts(second, text, tmp_path) == verdict.holds, (text, verdict)
            accepted += verdict.holds
    assert 0 < accepted < often(100)


def test_what_is_damaged_and_what_is_missing(
    second: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = certificate("4x3:3", "first")
    for damaged in (text[:-1] + "0", text[:200], "", "\n", text + "more\n"):
        assert not accepts(second, damaged, tmp_path)
        assert capsys.readouterr().out == "The file is damaged.\n"
        assert checked(damaged).fault == "damaged"
    (tmp_path / "bytes").write_bytes(bytes(range(256)) * 10)
    assert second.main(str(tmp_path / "bytes")) == 1
    assert second.main(str(tmp_path / "nothing")) == 2
    assert second.main() == 2


def test_a_position_far_back_may_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is further back than the window nobody refers to."""
    monkeypatch.setattr(proved, "WINDOW", 3)
    known = proved.Proved([])
    for name in ("first", "second", "third", "fourth"):
        known.add(name)
    with pytest.raises(DoesNotHold):
        known.check(["1", "0"], lambda map_: "first")
    known.check(["2", "0"], lambda map_: "second")
