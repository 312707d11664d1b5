"""Values of families of boards in the documents, and refused certificates."""

from pathlib import Path
from typing import Any

import pytest
from benchmarks import values
from benchmarks.values import RefusedError

BOARD = "3x3:3,misere"


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the verdicts of both programs on a certificate of :data:`BOARD`, which tests may change."""
    answers = {"holds": True, "value": "draw", "second": "0"}

    def run(command: str, *arguments: str) -> dict[str, Any]:
        if command == "verify":
            return answers
        Path(arguments[-1]).write_text("one line\n", encoding="utf-8")
        return {"value": "draw", "plies": 9, "certificate": arguments[-1]}

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(values, "run", run)
    monkeypatch.setattr(values, "SECOND", tmp_path / "second.py")
    return answers


def sweep(checked: dict[str, Any]) -> list[dict[str, Any]]:
    values.SECOND.write_text(f"print('the second'); raise SystemExit({checked['second']})", encoding="utf-8")
    return list(values.sweep({}, [BOARD], 5))


def test_sweep_reports_values_that_both_checkers_accept(checked: dict[str, Any]) -> None:
    (boards,) = sweep(checked)
    assert boards == {BOARD: {"limit": 5, "value": "draw", "plies": 9, "lines": 1, "bytes": 9}}
    texts = values.report({"machine": "some", "boards": boards})
    assert texts["count"].startswith("Of 1 boards, 1 have a value with a proof that both programs accepted")
    assert "Not reached" not in texts["misere"]


@pytest.mark.parametrize("answer", [{"holds": False}, {"value": "first"}, {"second": "1"}], ids=str)
def test_refused_certificate_stops_the_sweep(
    checked: dict[str, Any], answer: dict[str, Any], tmp_path: Path
) -> None:
    """The report was "Not reached", as after a lack of time, and the board was never tried again."""
    checked |= answer
    with pytest.raises(RefusedError, match=r"3x3:3,misere, draw: .*second\.py b'the second"):
        sweep(checked)
    assert (tmp_path / "refused-3x3-3,misere.txt").read_text(encoding="utf-8") == "one line\n"
