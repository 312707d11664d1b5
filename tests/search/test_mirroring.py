"""Mirroring, compared with a full search."""

import pytest

from noughts import Limit, new_game
from noughts.core.board import coordinate_of
from noughts.games.base import Game
from noughts.search.analyst import solve
from noughts.search.exact.mirroring import Mirrored, Mirroring
from noughts.search.exact.strong import StrongSolution
from tests.certificates.writing import certificate, checked


class Everything:
    """All positions of a game, each compared with the result of mirroring."""

    def __init__(self, game: Game) -> None:
        assert game.rules is not None
        mirroring = Mirroring.of(game.rules)
        assert mirroring is not None
        self.game, self.mirroring, self.solution = game, mirroring, StrongSolution(game.rules)
        self.seen: set[object] = set()
        self.holds = self.wins = 0

    def value(self, side: int) -> int:
        """Return the value of the position for that side."""
        value, _ = self.solution.worth(self.game)
        return value if self.game.turn == self.game.sides[side] else -value

    def compare(self) -> None:
        game = self.game
        if game.outcome is not None or game.key() in self.seen:
            return
        self.seen.add(game.key())
        found = self.mirroring.find(game)
        if found is not None:
            value = self.value(found.side)
            assert value >= found.wins, (game.cells, found)
            self.holds, self.wins = self.holds + 1, self.wins + found.wins
            if found.cell >= 0:
                game.play(coordinate_of(game.shape, found.cell))
                assert game.winner is None
                assert game.outcome is not None or self.value(found.side) >= found.wins
                game.undo()
        for move in list(game.legal_moves()):
            game.play(move)
            self.compare()
            game.undo()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "holds", "wins"),
    [
        ("3x3:3,misere", 302, 20),
        ("5x2:2,misere", 97, 97),
        ("3x3:3,misere,hex", 302, 20),
        ("6x1:2,misere", 43, 6),
        ("5x1:5,misere", 26, 0),
        ("3x3:3,misere,wrap", 242, 242),
        ("3x2x2:2,misere", 61, 61),
    ],
)
def test_mirroring_proves_true_results(spec: str, holds: int, wins: int) -> None:
    everything = Everything(new_game(spec))
    everything.compare()
    assert (everything.holds, everything.wins) == (holds, wins)


@pytest.mark.parametrize(
    "spec", ["3x3:3", "3x3:2,misere", "5x1:2,misere", "3x3:3,misere,wild", "7x6:4,gravity"]
)
def test_mirroring_declines_other_rules(spec: str) -> None:
    """Lines go through the middle but not through opposite cells, or completing one does not lose."""
    rules = new_game(spec).rules
    assert rules is not None
    assert Mirroring.of(rules) is None


@pytest.mark.slow
def test_first_player_wins_misere_cube() -> None:
    found = solve(new_game("3x3x3:3,misere"), Limit(nodes=2_000))
    assert (found.value, found.plies, found.best) == (1, None, (1, 1, 1))


def test_mirroring_proves_hold_within_node_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = new_game("3x3:3,misere,wrap")
    assert game.rules is not None
    mirroring = Mirroring.of(game.rules)
    assert mirroring is not None
    assert mirroring.find(game) == Mirrored(0, 4, wins=True)
    monkeypatch.setattr("noughts.search.exact.mirroring.MAX_NODES", 1)
    assert mirroring.find(game) == Mirrored(0, 4, wins=False)


def test_mirroring_is_certified_as_play() -> None:
    assert checked(certificate("3x3:3,misere,wrap", "first")).holds


def test_mirroring_needs_partners_of_lines_that_are_lines() -> None:
    first_row, last_row, first_column = 0b111, 0b111 << 6, 0b1001001
    assert Mirroring(9, (first_row, last_row)).is_sound
    assert not Mirroring(9, (first_row, last_row, first_column)).is_sound
