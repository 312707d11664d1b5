"""Limited searches: their answers are true and consistent."""

from itertools import islice
from random import Random

import pytest

from noughts import Game, new_game
from noughts.games.moves import Move
from noughts.games.notation import parse_position
from noughts.search.analysis import (
    Analysis,
    BudgetReachedError,
    Effort,
    Limit,
    LimitReachedError,
    MoveValue,
    no_report,
)
from noughts.search.analyst import Analyst, merge_analyses
from noughts.search.exact.move_values import FIRST_BUDGET, PositionValuation, Values
from noughts.search.explain.immediate import ImmediateTactics
from tests.search.oracle import Position, positions_of
from tests.weekly import weekly

LIMITS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 300)
THIRDS = [LIMITS[first::3] for first in range(3)]


def assert_consistent(found: Analysis, truth: dict[object, int]) -> None:
    """Check that *found* is true for moves with the values *truth*, and not less complete than it must be.

    Moves that *truth* lacks are at least as good as some other move.
    """
    analyse_with = {known.move: known.value for known in found.moves}
    assert all(value in (None, truth.get(move, value)) for move, value in analyse_with.items())
    assert found.value in (None, max(truth.values()))
    if found.value is not None:
        assert found.best is not None
        assert truth.get(found.best, found.value) == found.value
    if found.value == -1:
        assert set(analyse_with.values()) <= {-1}
    if found.best is not None and analyse_with:
        known = [value for value in analyse_with.values() if value is not None]
        assert analyse_with[found.best] in (None, max(known, default=None))


def truth_of(position: Position) -> dict[object, int]:
    return {move: worth.value for move, worth in position.moves.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["tictactoe", "misere", "notakto", "3x2:2,wild", "4x3:3,gravity", "3x3:3,wrap", "3x3:3,wild"]
)
def test_small_limits_give_consistent_answers(name: str) -> None:
    positions = [position for position in positions_of(name).values() if position.moves]
    seen = set()
    for number, position in enumerate(islice(positions, 0, None, max(1, len(positions) // 15))):
        for nodes in THIRDS[number // 3 % 3]:
            limit = Limit(nodes=nodes + number % 3)
            found = Analyst().analyse(position.game, limit)
            assert_consistent(found, truth_of(position))
            assert_consistent(Analyst().solve(position.game, limit), truth_of(position))
            seen.add(found.value)
    assert None in seen
    assert len(seen) > 1


def middle_game(name: str, seed: int) -> Game:
    """Return a position of *name* a few plies before the end."""
    game, chance = new_game(name), Random(seed)
    while game.outcome is None:
        game.play(chance.choice(list(game.legal_moves())))
    for _ in range(4):
        game.undo()
    return game


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vanishing", "reversi", "ultimate", "connect4", "4x4:4,wild,misere"])
@pytest.mark.parametrize("seed", [0, weekly(1), weekly(2)])
def test_small_limits_are_consistent_in_larger_games(name: str, seed: int) -> None:
    game = middle_game(name, seed)
    whole = Analyst().analyse(game, Limit(nodes=100_000))
    assert whole.value is not None
    truth: dict[object, int] = {known.move: known.value for known in whole.moves if known.value is not None}
    analyst = Analyst()  # The analyst keeps its results from smaller limits.
    for nodes in LIMITS:
        assert_consistent(analyst.analyse(game, Limit(nodes=nodes)), truth)
    for nodes in THIRDS[seed]:
        assert_consistent(Analyst().analyse(game, Limit(nodes=nodes)), truth)


def test_merge_adds_proved_values_to_moves() -> None:
    one, two = (0, 0), (1, 1)
    exact = Analysis(None, None, None, 10, moves=(MoveValue(one), MoveValue(two, -1, 4)))
    lost = merge_analyses(exact, Analysis(-1, None, one, 5, (one,)))
    assert [(known.value, known.plies) for known in lost.moves] == [(-1, None), (-1, 4)]
    drawn = merge_analyses(exact, Analysis(0, None, one, 5, (one,)))
    assert (drawn.value, drawn.best) == (0, one)
    assert [known.value for known in drawn.moves] == [0, -1]


class ShortOfAMove:
    """A valuer that finds the value of a position on the second try, but no best move.

    It may also know the value of the first move for the other side.
    """

    effort = Effort()

    def __init__(self, worth: tuple[int, int], first: tuple[int, int] | None = None) -> None:
        self._worth, self._first, self._questions = worth, first, 0

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        if not game.ply:
            self._questions += 1
            if budget is None or self._questions % 2 == 0:
                return self._worth
        elif game.moves == ((0, 0),) and self._first is not None:
            return self._first
        raise BudgetReachedError

    def best_of(self, game: Game, value: int, plies: int) -> tuple[int, ...]:
        raise LimitReachedError


def test_value_needs_a_move_that_keeps_it() -> None:
    game = new_game("tictactoe")
    for worth, first in (((0, 0), None), ((1, 5), None), ((0, 0), (1, 8)), ((1, 5), (1, 8))):
        assert Values(ShortOfAMove(worth)).solve(game) == Analysis(None, None, None, 0)
        found = Values(ShortOfAMove(worth, first)).analyse(game)
        assert (found.value, found.best) == (None, None)


def test_won_position_reports_a_slower_win() -> None:
    found = Values(ShortOfAMove((1, 5), (-1, 8))).analyse(new_game("tictactoe"))
    assert (found.value, found.plies, found.best, found.pv) == (1, None, (0, 0), ())
    assert {(known.value, known.plies) for known in found.moves} == {(1, 9), (None, None)}


@pytest.mark.parametrize(("first", "best"), [(None, (1, 1)), ((1, 3), (0, 0))])
def test_lost_position_reports_any_move(first: tuple[int, int] | None, best: tuple[int, int]) -> None:
    assert Values(ShortOfAMove((-1, 6))).solve(new_game("tictactoe")).best == (1, 1)
    lost = Values(ShortOfAMove((-1, 6), first)).analyse(new_game("tictactoe"))
    assert (lost.value, lost.plies, lost.best, lost.pv) == (-1, 6, best, ())
    assert {known.value for known in lost.moves} == {-1}


class ShortOfDistances:
    """A valuer of tic-tac-toe that knows values of the position and of first moves, but no distances."""

    effort = Effort()

    def __init__(
        self, here: int | None, best: Move | None = None, moves: dict[Move, int] | None = None
    ) -> None:
        self._here, self._best, self._moves = here, best, moves or {}

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        enough = budget is None or budget > FIRST_BUDGET
        error = LimitReachedError() if enough and (game.ply or budget is None) else BudgetReachedError()
        error.value = self._moves.get(game.moves[0]) if game.ply else self._here
        error.best = None if game.ply else self._best
        raise error

    def best_of(self, game: Game, value: int, plies: int) -> tuple[int, ...]:
        raise AssertionError("nothing is known")


def test_values_are_reported_without_distances() -> None:
    game = new_game("tictactoe")
    for each_move in (False, True):

        def analyse_with(valuer: ShortOfDistances, each_move: bool = each_move) -> Analysis:
            values = Values(valuer)
            return values.analyse(game) if each_move else values.solve(game)

        won, lost = analyse_with(ShortOfDistances(1, (2, 2))), analyse_with(ShortOfDistances(-1))
        assert (won.value, won.plies, won.best, won.pv) == (1, None, (2, 2), ())
        assert (lost.value, lost.plies, lost.best, lost.pv) == (-1, None, (1, 1), ())
        assert analyse_with(ShortOfDistances(1)).value is None  # No move is known to win.
    values = {known.move: known.value for known in won.moves}
    assert {value for move, value in values.items() if move != (2, 2)} == {None}
    assert values[2, 2] == 1


def test_move_values_decide_the_position() -> None:
    game = new_game("tictactoe")
    lose = dict.fromkeys(game.legal_moves(), 1)
    one_wins = Values(ShortOfDistances(None, moves={(0, 1): -1})).analyse(game)
    assert (one_wins.value, one_wins.plies, one_wins.best) == (1, None, (0, 1))
    all_lose = Values(ShortOfDistances(None, moves=lose)).analyse(game)
    assert (all_lose.value, all_lose.best) == (-1, (1, 1))
    assert {known.value for known in all_lose.moves} == {-1}
    del lose[0, 1]  # The symmetric images are removed too.
    assert Values(ShortOfDistances(None, moves=lose)).analyse(game).value is None


@pytest.mark.slow
def test_values_before_a_limit_are_true() -> None:
    """Values without distances occur if the question about any win is answered first."""
    seen: set[tuple[str, int | None, bool]] = set()
    chance = Random(2)
    for _ in range(12):
        game = new_game("6x5:4,gravity")
        while game.ply < 14 and game.outcome is None:
            game.play(chance.choice(list(game.legal_moves())))
        if game.outcome is not None:
            continue
        whole = Analyst().analyse(game)
        truth: dict[object, int] = {
            known.move: known.value for known in whole.moves if known.value is not None
        }
        for nodes in (100, 400, 1600, 6400, 25600):
            found = Analyst().analyse(game, Limit(nodes=nodes))
            assert_consistent(found, truth)
            seen.add(("position", found.value, found.plies is None))
            seen.update(("move", known.value, known.plies is None) for known in found.moves)
    assert ("move", 1, True) in seen
    assert ("move", -1, True) in seen
    assert ("position", 1, True) in seen


class BudgetValuer:
    """A valuer of 2x2, in which the first side wins with its second mark. It needs budgets of *enough*.

    For the empty board it needs a budget of *first*.
    """

    effort = Effort()

    def __init__(self, first: int, enough: int) -> None:
        self.first, self.enough = first, enough

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        needed = self.enough if game.ply else self.first
        if budget is not None and budget < needed:
            raise BudgetReachedError
        return (-1, 2) if game.ply % 2 else (1, 3)

    def best_of(self, game: Game, value: int, plies: int) -> Move:
        return game.legal_moves()[0]


@pytest.mark.parametrize(("first", "enough"), [(10**9, 0), (0, 10 * FIRST_BUDGET)])
def test_moves_are_valued_before_or_after_position(first: int, enough: int) -> None:
    question = PositionValuation(BudgetValuer(first, enough), new_game("2x2:2"), no_report)
    found = question.answer(each_move=True)
    assert (found.value, found.plies, found.best) == (1, 3, (0, 0))
    assert [(known.value, known.plies) for known in found.moves] == [(1, 3)] * 4


LOST = [
    ("6x3:3,misere,hex", [(1, 4), (2, 1), (0, 1), (2, 4), (0, 2), (1, 1), (1, 3), (0, 3), (2, 3), (0, 5)]),
    ("4x3:3", [(1, 1), (0, 0)]),
    ("3x3:3,notakto", [(1, 1)]),
    ("3x3x3:3", [(1, 1, 1)]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "moves"), LOST)
def test_best_is_the_longest_known_defence(spec: str, moves: list[Move]) -> None:
    """With any number of nodes, no best move loses sooner than another known move."""
    game = new_game(spec)
    for move in moves:
        game.play(move)
    analyst = Analyst()
    for nodes in (100, 1000, 300, 30, 2000):
        for each in (analyst, Analyst()):
            for found in (each.analyse(game, Limit(nodes=nodes)), each.solve(game, Limit(nodes=nodes))):
                if found.value != -1 or found.best is None:
                    continue
                soonest = {move: ImmediateTactics(game).plies_to_loss(move) for move in game.legal_moves()}
                assert soonest[found.best] is None or None not in soonest.values()
                assert not found.moves or found.ranked[0].move == found.best
                assert not found.pv or found.pv[0] == found.best


@pytest.mark.parametrize(
    ("spec", "position", "bad", "value"),
    [("4x4:3,misere", "XX../..../.O../...O X", (0, 2), None), ("2x2:2,misere", "X./.O X", (0, 1), -1)],
)
def test_best_move_avoids_an_immediate_loss(
    spec: str, position: str, bad: Move, value: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The estimate may even prefer a losing move. If all moves lose at once, the value is a loss."""
    game = parse_position(new_game(spec), position)
    nothing = Analysis(None, None, None, 0, (), tuple(map(MoveValue, game.legal_moves())))
    monkeypatch.setattr(Analyst, "search", lambda *_: Analysis(None, None, bad, 1, (bad,), score=5))
    monkeypatch.setattr(Values, "analyse", lambda *_: nothing)
    found = Analyst().analyse(game, Limit(nodes=2))
    assert (found.value, found.plies) == (value, None if value is None else 1)
    assert (found.best != bad) == (value is None)
    assert next(one for one in found.moves if one.move == bad) == MoveValue(bad, -1, 1)
    assert found.ranked[0].move == found.best
