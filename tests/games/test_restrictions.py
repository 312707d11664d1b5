"""Tests of restrictions: a rule that forbids cells is one class and one row, here for corners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pytest

from noughts import KInARow, Limit, analyse
from noughts.errors import ForbiddenMove
from noughts.games.restrictions import RESTRICTIONS
from noughts.games.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class CornerRules(Rules):
    """Rules with an additional option."""

    no_corner: bool = False


@dataclass
class NoCorner:
    """A restriction that forbids the corners to the first move."""

    corners: frozenset[int]
    marks: int

    @classmethod
    def of(cls, rules: Rules, cells: Sequence[str | None], mover: int) -> Self:
        rows, columns = rules.shape
        corners = frozenset((0, columns - 1, (rows - 1) * columns, rows * columns - 1))
        return cls(corners, len(cells) - cells.count(None))

    def forbidden(self) -> Mapping[int, str]:
        return {} if self.marks else dict.fromkeys(self.corners, "corner")

    def put(self, index: int) -> None:
        self.marks += 1

    def lift(self, index: int) -> None:
        self.marks -= 1

    def copy(self) -> Self:
        return type(self)(self.corners, self.marks)


@pytest.fixture(autouse=True)
def _has_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RESTRICTIONS, "no_corner", NoCorner.of)


@pytest.mark.parametrize("facts", [{}, {"place": 2}, {"wild": True}, {"gravity": True}, {"notakto": True}])
def test_first_move_may_not_be_in_a_corner(facts: dict[str, Any]) -> None:
    game, plain = (KInARow(CornerRules(shape=(3, 3), no_corner=switch, **facts)) for switch in (True, False))
    corners = {(0, 0), (0, 2), (2, 0), (2, 2)}
    expected = [move for move in plain.legal_moves() if (move[0] if "wild" in facts else move) not in corners]
    assert list(game.legal_moves()) == expected
    with pytest.raises(ForbiddenMove) as refused:
        game.play(((2, 0), "X") if "wild" in facts else (2, 0))
    assert (refused.value.reason, game.ply) == ("corner", 0)
    assert {code for codes in game.annotations().cells.values() for code in codes} == {"no:corner"}
    first = game.legal_moves()[0]
    twin = game.copy()
    twin.play(first)
    plain.play(first)
    assert list(twin.legal_moves()) == list(plain.legal_moves())
    twin.undo()
    assert twin.legal_moves() == game.legal_moves()


def test_search_tries_only_the_allowed_moves() -> None:
    closed = KInARow(CornerRules(shape=(2, 2), k=2, no_corner=True))
    assert (closed.legal_moves(), closed.outcome and closed.outcome.termination) == ([], "full")
    result = analyse(KInARow(CornerRules(shape=(3, 3), no_corner=True)), Limit(nodes=50_000))
    assert (result.value, len(result.moves)) == (0, 5)
