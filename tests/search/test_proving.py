"""Proofs by play and undo alone, compared with an exhaustive search and with published values."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from random import Random

import pytest

from noughts import Game, KInARow, TicTacToe, new_game
from noughts.core.geometry import Geometry
from noughts.core.symmetry import symmetries
from noughts.errors import UnsupportedRules
from noughts.games.notation import format_position, parse_position
from noughts.search.analysis import (
    POLL,
    Analysis,
    BudgetReachedError,
    DepthReachedError,
    Limit,
    LimitReachedError,
)
from noughts.search.exact.canonical import canonical_key
from noughts.search.exact.move_values import Values
from noughts.search.general import alphabeta, proving
from noughts.search.general.proving import ProofSearch
from tests.canonical import canonical
from tests.search.oracle import Position, positions_of
from tests.strategies import play_at_random

SMALL_GAMES = (
    *("3x2:2,exact", "7:2,exact,wrap", "3x2:2,wild,misere", "2x2x2:2", "2x2x2:2,gravity", "3x3:1"),
    *("3x3:2,place=2", "8:3,place=3", "3x3:3,avoid=2", "4x2:2,place=2,misere"),
)
GAMES = (
    *("3x2:2,wild", "5x2:2,misere", "8:3", "3x3:2,wrap,exact", "3x3:2", "3x3:3,gravity", "misere", "notakto"),
    *("3x3:3,place=2", "4x3:3,place=2,gravity", "4x3:3,place=2,avoid=2"),
    *("3x4:3,gravity,misere", "4x3:3,gravity", "3x3:3", "3x3:3,wrap"),
)
EVERY_POSITION = [
    *((name, 1) for name in SMALL_GAMES),
    *((name, 7) for name in GAMES),
]


class Solver:
    """A solver of positions in turn, with one table."""

    def __init__(self, game: Game) -> None:
        self.search = ProofSearch(game)

    def solve(self, game: Game, limit: Limit = Limit()) -> Analysis:  # noqa: B008
        return Values(self.search).solve(game, limit)


def as_analysis(value: int, plies: int) -> tuple[int, int | None]:
    return (value, plies if value else None)


def assert_right(solver: Solver, positions: Iterable[Position]) -> None:
    for position in positions:
        if not position.moves:
            assert solver.search.value_of(position.game) == (position.worth.value, 0)
            continue
        before = (position.game.key(), position.game.moves)
        result = solver.solve(position.game)
        assert (result.value, result.plies) == as_analysis(*position.worth), before
        assert (position.game.key(), position.game.moves) == before
        assert result.best is not None
        best = position.moves[result.best]
        assert as_analysis(*best) == as_analysis(*position.worth), before


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), EVERY_POSITION)
def test_proof_search_of_every_position(name: str, every: int) -> None:
    """The order of the positions must not matter, although results are stored."""
    positions = list(islice(positions_of(name).values(), 0, None, every))
    assert_right(Solver(new_game(name)), positions)
    assert_right(Solver(new_game(name)), reversed(positions))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "every"),
    [("wild", 31), ("4x2:2,exact", 3), pytest.param("4x3:3,wrap", 397, marks=pytest.mark.weekly)],
)
def test_some_positions_of_larger_games(name: str, every: int) -> None:
    search = ProofSearch(new_game(name))
    for position in islice(positions_of(name).values(), 0, None, every):
        assert as_analysis(*search.value_of(position.game)) == as_analysis(*position.worth)


@pytest.mark.slow
def test_fresh_solver_gives_same_values() -> None:
    for position in islice(positions_of("3x3:3").values(), 0, None, 17):
        result = ProofSearch(position.game).value_of(position.game)
        assert as_analysis(*result) == as_analysis(*position.worth)


# Published values


def test_tictactoe_position_count() -> None:
    positions = positions_of("3x3:3").values()
    assert len(positions) == 5_478
    plies = Counter(position.game.ply for position in positions)
    assert [plies[ply] for ply in range(10)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]


@pytest.mark.slow
def test_published_values_by_ply() -> None:
    """The values of all tic-tac-toe positions match OEIS A317573 and A317574."""
    solver = Solver(TicTacToe())
    group = symmetries(Geometry((3, 3), 3))
    raw: Counter[tuple[int, str | None]] = Counter()
    classes: dict[tuple[int, str | None], set[object]] = {}
    for position in positions_of("3x3:3").values():
        value, _ = solver.search.value_of(position.game)
        winner = {1: position.game.turn, 0: None, -1: "XO".replace(position.game.turn, "")}[value]
        raw[position.game.ply, winner] += 1
        cells = [cell or "." for cell in position.game.cells]
        classes.setdefault((position.game.ply, winner), set()).add(canonical(cells, group))
    by_ply = [tuple(len(classes.get((ply, winner), ())) for winner in ("X", None, "O")) for ply in range(10)]
    assert by_ply == [
        *((0, 1, 0), (0, 3, 0), (7, 5, 0), (9, 21, 8), (85, 18, 5)),
        *((67, 35, 72), (139, 27, 38), (70, 27, 56), (23, 11, 23), (12, 3, 0)),
    ]
    assert [tuple(raw[ply, winner] for winner in ("X", None, "O")) for ply in range(2, 10)] == [
        *((48, 24, 0), (64, 138, 50), (584, 136, 36), (456, 264, 540)),
        *((1056, 200, 264), (524, 200, 416), (142, 80, 168), (62, 16, 0)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "value", "plies"),
    [
        ("3d", 1, 7),
        ("4x3:3", 1, 7),
        ("5x5:3", 1, 5),
        ("misere", 0, None),
        ("notakto", 1, None),
        ("wild", 1, None),
        pytest.param("4x4", 0, None, marks=pytest.mark.weekly),
    ],
)
def test_proof_search_values_of_games(game: str, value: int, plies: int | None) -> None:
    result = Solver(new_game(game)).solve(new_game(game))
    assert result.value == value
    assert plies is None or result.plies == plies


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 3), (3, 4), (4, 2), (2, 5), (5, 2)])
@pytest.mark.parametrize("k", [2, 3])
def test_second_side_never_wins_helpful_games(shape: tuple[int, ...], k: int) -> None:
    game = KInARow(shape=shape, k=k)
    assert game.rules.extra_mark_never_hurts
    assert Solver(game).solve(game).value in (0, 1)


# Limits


@pytest.mark.slow
def test_node_limit_is_deterministic() -> None:
    game = new_game("4x4")
    answers = {Solver(game).solve(game, Limit(nodes=5_000)) for _ in range(3)}
    assert answers == {Analysis(None, None, None, 5_000)}
    assert game.ply == 0
    free = Solver(TicTacToe()).solve(TicTacToe())
    assert Solver(TicTacToe()).solve(TicTacToe(), Limit(nodes=free.nodes)) == free
    assert Solver(TicTacToe()).solve(TicTacToe(), Limit(nodes=free.nodes // 2)).value is None


def test_zero_limits_give_no_value() -> None:
    assert Solver(TicTacToe()).solve(TicTacToe(), Limit(nodes=0)).value is None
    assert Solver(TicTacToe()).solve(TicTacToe(), Limit(depth=0)).value is None


def test_limit_applies_to_one_question() -> None:
    solver = Solver(TicTacToe())
    assert solver.solve(TicTacToe(), Limit(nodes=10)).value is None
    assert solver.solve(TicTacToe()).value == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["3x3:3", "misere"])
def test_depth_limit_finds_ends_within_it(name: str) -> None:
    open_positions = (position for position in positions_of(name).values() if position.moves)
    for position in islice(open_positions, 40, None, 41):
        value, plies = position.worth
        for depth in (1, 2, 3, 5):
            result = Solver(position.game).solve(position.game, Limit(depth=depth))
            if value and plies <= depth:
                assert (result.value, result.plies) == (value, plies)
            elif result.value is not None:
                assert (result.value, result.plies) == as_analysis(value, plies)
    assert Solver(TicTacToe()).solve(TicTacToe(), Limit(depth=8)).value is None
    assert Solver(TicTacToe()).solve(TicTacToe(), Limit(depth=9)).value == 0


def test_proof_search_stops_on_signal() -> None:
    polls: list[None] = []

    def stop() -> bool:
        polls.append(None)
        return len(polls) >= 3

    game = new_game("4x4")
    solver = Solver(game)
    play_at_random(game, 2, seed=1)
    before = format_position(game)
    assert solver.solve(game, Limit(stop=stop)).value is None
    assert 0 < solver.search.effort.nodes <= 3 * POLL
    assert format_position(game) == before


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabeta, "MAX_STORED", 50)
    assert Solver(TicTacToe()).solve(TicTacToe()).value == 0


# Unsupported games, and ended games


@pytest.mark.parametrize(
    ("game", "reason"),
    [("three", "not-two-sides"), ("fifteen", "not-two-sides"), ("vanishing", "positions-repeat")],
)
def test_proof_search_refuses_games(game: str, reason: str) -> None:
    with pytest.raises(UnsupportedRules) as caught:
        Solver(new_game(game)).solve(new_game(game))
    assert (caught.value.who, caught.value.reason) == ("solver", reason)


def test_proof_search_of_ended_games() -> None:
    lost = parse_position(TicTacToe(), "XXX/OO./...")
    assert ProofSearch(lost).value_of(lost) == (-1, 0)
    drawn = parse_position(TicTacToe(), "XOX/XOO/OXX")
    assert ProofSearch(drawn).value_of(drawn) == (0, 0)
    misere = parse_position(new_game("misere"), "XXX/OO./...")
    assert ProofSearch(misere).value_of(misere) == (1, 0)


# Symmetric positions


def turned(game: Game, permutation: tuple[int, ...]) -> Game:
    cells: list[str | None] = [None] * len(game.cells)
    for source, target in enumerate(permutation):
        cells[target] = game.cells[source]
    return game.at(cells, game.turn)


@pytest.mark.parametrize(
    "name", ["3x3:3", "4x4:4", "torus", "connect4", "3d", "notakto", "wild", "5x3:3,exact", "7x7:4", "qubic"]
)
def test_images_share_a_canonical_key(name: str) -> None:
    game = new_game(name)
    assert isinstance(game, KInARow)
    key = canonical_key(game)
    group = symmetries(game.rules.geometry, game.rules.gravity)
    for seed in range(3):
        position = game.copy()
        play_at_random(position, 1 + 2 * seed, seed)
        while position.outcome is not None:
            position.undo()
        for permutation in Random(seed).sample(group, min(len(group), 8)):
            assert key(turned(position, permutation)) == key(position)


def test_canonical_keys_count_position_classes() -> None:
    positions = positions_of("3x3:3").values()
    key = canonical_key(TicTacToe())
    assert len({key(position.game) for position in positions}) == 765


@pytest.mark.parametrize("name", ["ultimate", "9x9:5", "reversi", "12x1x1:3,gravity"])
def test_other_games_keep_their_own_key(name: str) -> None:
    game = new_game(name)
    assert canonical_key(game)(game) == game.key()


def test_budget_and_limit_raise_different_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    result = ProofSearch(new_game("4x4"))
    with pytest.raises(BudgetReachedError):
        result.value_of(new_game("4x4"), 100)
    result.effort.max_nodes = result.effort.nodes + 50
    with pytest.raises(LimitReachedError) as caught:
        result.value_of(new_game("4x4"), 100)
    assert type(caught.value) is LimitReachedError
    monkeypatch.setattr(proving, "MAX_DEPTH", 4)
    with pytest.raises(DepthReachedError):
        ProofSearch(TicTacToe()).value_of(TicTacToe())


def test_best_of_answers_for_earlier_position() -> None:
    search = ProofSearch(TicTacToe())
    won, lost = parse_position(TicTacToe(), "XX./OO./... X"), parse_position(TicTacToe(), "XX./O../... O")
    assert [search.value_of(won), search.value_of(lost)] == [(1, 1), (-1, 4)]
    assert search.best_of(won, 1, 1) == (0, 2)
