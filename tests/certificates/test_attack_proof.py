"""Certificates of attacks."""

import io
from functools import cache
from typing import Any

import pytest
from benchmarks.qubic import choices

from noughts import new_game
from noughts.certificates.by_lines import LinesPosition
from noughts.certificates.text import Writer
from noughts.proofs.writer import attack, written_positions
from noughts.proofs.writer.certify import certify
from noughts.proofs.writer.strategy import Strategy
from noughts.proofs.writer.written_positions import WrittenPositions
from noughts.search.analysis import Limit, LimitReachedError
from noughts.search.dfpn.search import AttackSearch
from noughts.search.exact.search import ExactSearch
from noughts.search.numba_backend import python_machine
from tests.certificates.writing import checked
from tests.search.machines import rules_of

pytestmark = pytest.mark.slow


def written(name: str, exact: ExactSearch | None = None, limit: Limit | None = None) -> str:
    stream = io.StringIO()
    certify(new_game(name), "first", stream, limit or Limit(), machine=python_machine(), exact=exact)
    return stream.getvalue()


@cache
def usual(name: str) -> str:
    """Return the certificate that is written by default."""
    return written(name)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", ["4x4:3", "3x3x3:3", "6x6:4", "5x4:4,wrap"])
def test_attack_certificates_hold(name: str) -> None:
    verdict = checked(written(name))
    assert (verdict.holds, verdict.value) == (True, "first")


@pytest.mark.parametrize(("tries", "more"), [(1, attack.MAX_TRIES), (0, 0)])
def test_few_threat_tries_give_longer_proofs(tries: int, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = usual("3x3x3:3")
    monkeypatch.setattr(Strategy, "plan", lambda self: None)
    monkeypatch.setattr(attack, "TRIES", tries)
    monkeypatch.setattr(attack, "MAX_TRIES", more)
    certificate = written("3x3x3:3")
    assert checked(certificate).holds
    assert certificate.count("\n") > expected.count("\n")


@pytest.mark.usefixtures("compiled")
def test_replies_may_need_quiet_moves() -> None:
    """Replies may also need moves that lead to positions proved already."""
    assert checked(written("7x5:4")).holds


@pytest.mark.usefixtures("compiled")
def test_known_win_is_not_searched_again() -> None:
    exact = ExactSearch(rules_of(new_game("6x6:4")), python_machine())
    first = written("6x6:4", exact)
    assert exact.attacking is not None
    nodes = exact.attacking.nodes
    assert nodes > 0
    assert written("6x6:4", exact) == first
    assert exact.attacking.nodes == nodes


@pytest.mark.parametrize("is_planned", [True, False])
def test_proof_writing_stops_at_limit(is_planned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit stops the choice of moves as well as the writing."""
    exact = ExactSearch(rules_of(new_game("5x4:4,wrap")), python_machine())
    written("5x4:4,wrap", exact)
    if is_planned:
        monkeypatch.setattr(Strategy, "plan", lambda self: None)
    with pytest.raises(LimitReachedError):
        written("5x4:4,wrap", exact, Limit(stop=lambda: True))


def test_all_moves_are_tried_when_likely_ones_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    find = AttackSearch.finds_win
    calls: list[bool] = []

    def fails(search: AttackSearch, *args: Any, tries_all: bool = False) -> bool:
        calls.append(tries_all)
        search.best = -1
        return (tries_all or len(calls) == 1) and find(search, *args, tries_all=tries_all)

    monkeypatch.setattr(Strategy, "plan", lambda self: None)
    monkeypatch.setattr(AttackSearch, "finds_win", fails)
    assert checked(written("5x4:4,wrap")).holds
    assert calls[:3] == [False, False, True]


def test_missing_win_raises_limit_error(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [True, False, False]
    monkeypatch.setattr(Strategy, "plan", lambda self: None)
    monkeypatch.setattr(AttackSearch, "finds_win", lambda *args, **more: answers.pop(0))
    with pytest.raises(LimitReachedError):
        written("5x4:4,wrap")


@pytest.mark.usefixtures("compiled")
def test_patience_gives_fewer_quiet_moves() -> None:
    exact = ExactSearch(rules_of(new_game("6x6:4")), python_machine())
    counts = []
    for patience in (1, 4):
        stream = io.StringIO()
        certify(new_game("6x6:4"), "first", stream, exact=exact, patience=patience)
        assert checked(stream.getvalue()).holds
        counts.append(choices(stream.getvalue().encode()))
    assert counts[1] < counts[0]


def test_old_positions_are_proved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = usual("5x4:4,wrap")
    monkeypatch.setattr(written_positions, "WINDOW", 1)
    certificate = written("5x4:4,wrap")
    assert checked(certificate).holds
    assert certificate.count("\n=") < expected.count("\n=")


def test_proved_position_is_found_by_its_map() -> None:
    """The map reverses a row of four cells."""
    turned = (3, 2, 1, 0)
    writer = Writer(io.StringIO())
    one, image = LinesPosition((0b0011,), (0b0110,), 0b1111), LinesPosition((0b1100,), (0b0110,), 0b1111)
    places = WrittenPositions(writer, ((0, 1, 2, 3), turned))
    places.add(one)
    assert places.find(one) == (1, 0)
    assert places.find(image) == (1, 1)
    without = WrittenPositions(writer, ((0, 1, 2, 3),))
    without.add(one)
    assert without.find(image) is None
