"""Tests of known results: each game of the catalogue, and other boards."""

import io

import pytest
from benchmarks.solve import ROWS

from noughts import new_game
from noughts.certificates.verify import verify
from noughts.games import known_results
from noughts.games.catalogue import CATALOGUE
from noughts.games.entry import Entry
from noughts.games.known_results import KnownResult, known_result
from noughts.proofs.writer.certify import certify
from noughts.search.analysis import Limit

PROVED = [entry.name for entry in CATALOGUE if entry.proof == "certificate" and entry.name != "qubic"]
"""The games whose certificates are written quickly. That of Qubic is shipped."""


def test_known_result_has_value_and_source() -> None:
    for entry in CATALOGUE:
        known = known_result(new_game(entry.name))
        assert (known.value, known.source) == (entry.value, entry.source)
        assert (known.basis == "open") == (known.value is None)
        assert (known.basis == "proved") == bool(known.proof)
        assert known.source or known.proof or known.value is None
    assert known_result(new_game("gomoku")) == KnownResult("first", "published", "Allis and others 1996")
    assert known_result(new_game("connect4")) == KnownResult("first", "proved", "Allen, Allis 1988", "search")
    assert known_result(new_game("qubic")) == KnownResult("first", "proved", "Patashnik 1980", "certificate")


def test_known_result_of_spec_equals_named_game() -> None:
    assert known_result(new_game("3x3x3:3")) == known_result(new_game("3d"))
    assert (
        known_result(new_game("4x8:4"))
        == known_result(new_game("8x4:4"))
        == KnownResult("draw", "proved", "Uiterwijk and van den Herik 2000", "certificate")
    )


def test_value_without_proof_comes_from_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of another package may have such a value."""
    monkeypatch.setattr(known_results, "find_entry", lambda name: Entry("tictactoe", value="draw"))
    assert known_result(new_game("tictactoe")) == KnownResult("draw", "proved", "", "search")


def test_known_result_of_boards_outside_catalogue() -> None:
    assert known_result(new_game("7x7:5")) == KnownResult(
        "draw", "proved", "Hsu and others 2020", "certificate"
    )
    assert known_result(new_game("7x6:5")) == KnownResult("draw", "proved", "", "certificate")
    assert known_result(new_game("8x8:5")).basis == "published"
    assert known_result(new_game("12x20:8")) == KnownResult("draw", "published", "Zetters 1980")
    for spec in ("12x20:8,wrap", "9x9x9:8", "12x20:7"):
        assert (known_result(new_game(spec)).value, known_result(new_game(spec)).basis) == (None, "argument")
    for spec in ("12x20:8,misere", "12x20:8,exact", "12x20:8,gravity", "5x5:4,players=3"):
        assert known_result(new_game(spec)) == KnownResult()


def test_catalogue_has_certified_games() -> None:
    assert set(PROVED) == {"tictactoe", "4x4", "5x5", "3d", "4d", "torus", "misere", "wild", "notakto"}


def test_certified_boards_match_benchmark() -> None:
    assert known_results.CERTIFIED.keys() <= {row.spec for row in ROWS.values() if row.is_proved}
    assert known_result(new_game("3x3x3:3,misere")) == KnownResult("first", "proved", "", "certificate")


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_certified_value_agrees_with_its_certificate(name: str) -> None:
    game, stream = new_game(name), io.StringIO()
    value = known_result(game).value
    assert value is not None
    certify(game, value, stream, Limit(nodes=100_000))
    verdict = verify(io.BytesIO(stream.getvalue().encode()))
    assert (verdict.holds, verdict.value) == (True, value)
