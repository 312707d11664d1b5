"""The general search for games of two sides, compared with an exhaustive search."""

from collections.abc import Iterable, Sequence
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from noughts import KInARow, TicTacToe, new_game
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move, Outcome, Termination
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import parse_position
from noughts.games.pure import PureGame
from noughts.search.analysis import POLL, Analysis, Limit, Progress
from noughts.search.analyst import Analyst
from noughts.search.explain.reasons import explain
from noughts.search.general import alphabeta, estimating, static_evaluation
from noughts.search.general.estimating import GeneralSearch
from noughts.search.general.static_evaluation import MAX_SCORE, evaluation_of
from tests.search.oracle import positions_of
from tests.strategies import play_at_random

GAMES = tuple(entry.name for entry in CATALOGUE if len(new_game(entry.name).sides) == 2)


def search(game: Game, limit: Limit, seed: int = 1) -> Analysis:
    return GeneralSearch(Random(seed)).search(game, limit)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "every"),
    [
        *[("3x3:3", 60), ("misere", 150), ("notakto", 40), ("4x3:3,gravity", 900), ("3x3:3,wrap", 90)],
        *[("3x2:2,wild", 9), ("3x2:2,wild,misere", 9)],
    ],
)
def test_values_and_distances(name: str, every: int) -> None:
    for position in islice(positions_of(name).values(), 1, None, every):
        result = search(position.game, Limit(nodes=60_000))
        value, plies = position.worth
        assert result.value == value
        if position.moves:
            assert result.best is not None
            assert position.moves[result.best].value == value
            assert result.pv[0] == result.best
        if value and result.plies is not None:
            assert result.plies == plies
        assert (result.plies is None) == (value == 0) or position.moves


@pytest.mark.slow
@pytest.mark.parametrize("name", ["3x3:3", "misere", "3x2:2,wild,misere"])
def test_limited_search_claims_nothing_wrong(name: str) -> None:
    """Proved values are true at any node limit."""
    proved = 0
    for number, position in enumerate(islice(positions_of(name).values(), 3, None, 100)):
        if position.moves:
            for nodes in range(0, 300, 13):
                result = search(position.game, Limit(nodes=nodes + number % 13))
                assert result.best in position.moves
                assert result.nodes <= nodes + number % 13
                if result.value is not None:
                    proved += 1
                    assert result.value == position.worth.value
                    assert result.plies in (None, position.worth.plies)
                    assert position.moves[result.best].value == result.value
    assert proved > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_general_search_of_every_game(name: str) -> None:
    """The search is reproducible, returns a legal move and leaves the game unchanged."""
    for plies in (0, 9):
        game = new_game(name)
        play_at_random(game, plies, seed=3)
        if game.outcome is None:
            before = (game.key(), game.moves, game.turn, game.cells)
            limit = Limit(nodes=300)
            result = search(game, limit)
            assert result == search(game, limit)
            assert result.best in game.legal_moves()
            assert GeneralSearch(Random(2)).score_moves(game, limit).keys() == set(game.legal_moves())
            assert (game.key(), game.moves, game.turn, game.cells) == before
            for move in result.pv:
                game.play(move)


def test_general_search_opens_in_the_middle() -> None:
    for seed in range(3):
        assert GeneralSearch(Random(seed)).search(new_game("renju"), Limit(nodes=50)).best == (7, 7)


def test_move_scores_follow_values() -> None:
    for position in islice(positions_of("3x3:3").values(), 20, None, 130):
        scores = GeneralSearch(Random(1)).score_moves(position.game, Limit(nodes=50_000))
        assert list(scores) == list(position.game.legal_moves())
        for move, worth in position.moves.items():
            assert (scores[move] > 0) - (scores[move] < 0) == worth.value
            if worth.value > 0:
                assert scores[move] == alphabeta.WIN - worth.plies


@pytest.mark.slow
def test_repeating_games_find_wins_and_claim_no_draws() -> None:
    game = new_game("vanishing")
    for cell in [(0, 0), (1, 0), (0, 1), (2, 2)]:
        game.play(cell)
    result = search(game, Limit(nodes=2_000))
    assert (result.value, result.plies, result.best) == (1, 1, (0, 2))
    assert search(new_game("vanishing"), Limit(nodes=3_000)).value is None


def test_general_search_knows_ended_games() -> None:
    for text, value in (("XXX/OO./...", -1), ("XOX/XOO/OXX", 0)):
        game = parse_position(TicTacToe(), text)
        assert search(game, Limit()) == Analysis(value, 0 if value else None, None, 0)
        assert GeneralSearch(Random(1)).score_moves(game, Limit()) == {}


def test_general_search_refuses_three_sides() -> None:
    game = new_game("three")
    with pytest.raises(UnsupportedRules):
        search(game, Limit(nodes=10))


# Limits


@pytest.mark.parametrize(
    "limit", [Limit(nodes=0), Limit(seconds=0), Limit(stop=lambda: True), Limit(depth=1)]
)
def test_search_with_small_limits_returns_legal_move(limit: Limit) -> None:
    result = search(new_game("ultimate"), limit)
    assert result.best in new_game("ultimate").legal_moves()
    assert result.nodes <= 2 * 81


@pytest.mark.parametrize("nodes", [0, 1, 15, 16, 17, 200])
def test_search_respects_node_limit(nodes: int) -> None:
    made = []

    class Counted(TicTacToe, same_rules=True):
        def play(self, move: Iterable[Any]) -> None:
            made.append(move)
            super().play(move)

    game = Counted()
    result = search(game, Limit(nodes=nodes))
    assert result.nodes == nodes
    assert result.best in game.legal_moves()
    assert len(made) == nodes + len(result.pv)
    made.clear()
    GeneralSearch(Random(1)).score_moves(game, Limit(nodes=nodes))
    assert len(made) == nodes


def test_depth_zero_makes_no_move() -> None:
    result = search(new_game("ultimate"), Limit(depth=0))
    assert (result.nodes, result.value, result.plies) == (0, None, None)
    assert result.best in new_game("ultimate").legal_moves()


def test_general_search_polls_stop_signal() -> None:
    polls = []

    def stop() -> bool:
        polls.append(True)
        return len(polls) == 5

    assert search(new_game("reversi"), Limit(stop=stop)).nodes == 5 * POLL
    assert len(polls) == 5


def test_unlimited_search_stops_at_default_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimating, "DEFAULT_NODES", 200)
    assert search(new_game("5x5:4,misere"), Limit()).nodes == 200


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["30x30:5,wild", "60x60:5,wild"])
def test_random_games_check_stop_signal(spec: str) -> None:
    """On the second board, random games end early, before the next check is due."""
    game = new_game(spec)
    polls = count()
    result = GeneralSearch(Random(1)).search(game, Limit(stop=lambda: next(polls) > 2))
    assert next(polls) <= 6
    assert (result.value, game.ply) == (None, 0)
    assert result.nodes <= 2
    assert result.best in game.legal_moves()


def test_random_games_on_large_boards_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("40x40:5,wild")
    plies = count()
    monkeypatch.setattr(static_evaluation, "moves_of", lambda game: game.legal_moves()[next(plies) :])
    assert evaluation_of(game, Random(1))() in (-100, -50, 0, 50, 100)
    assert next(plies) <= 2 * (1 + static_evaluation.MAX_SEEN // 3_000)
    assert game.ply == 0


def test_depth_and_progress() -> None:
    reports: list[Progress] = []
    result = GeneralSearch(Random(1), reports.append).search(new_game("4x4:4,misere"), Limit(depth=3))
    assert [progress.depth for progress in reports] == [1, 2, 3]
    assert reports[-1].nodes == result.nodes
    assert len(result.pv) == 3
    assert result.value is None
    assert search(TicTacToe(), Limit(depth=5)).value is None


@pytest.mark.slow
def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabeta, "MAX_STORED", 50)
    assert search(TicTacToe(), Limit(nodes=100_000)).value == 0


# Two moves in a row


class Counting(PureGame[int]):
    """A game of the sides X, X, O, O, X, ...: each takes 1 or 2 of seven counters, and the last one wins."""

    NAME = "counting"
    SHAPE = (1, 2)
    __slots__ = ()

    def first_state(self) -> int:
        return 700

    def find_moves(self, state: int) -> Sequence[Move]:
        return [(0, 0), (0, 1)][: state // 100]

    def after(self, state: int, move: Move) -> int:
        return state - 100 * (int(move[1]) + 1) + 1

    def find_outcome(self, state: int) -> Outcome | None:
        return Outcome(self.sides[(state - 1) % 4 // 2], (), Termination.COUNT) if state < 100 else None

    def side_of(self, state: int) -> int:
        return state % 4 // 2

    def cells_of(self, state: int) -> tuple[str | None, ...]:
        return (None, None)

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> int:
        return 700


def test_double_turns_have_exact_values() -> None:
    def exact(game: Game) -> int:  # for X
        if game.outcome is not None:
            return 1 if game.winner == "X" else -1
        values: list[int] = []
        for move in game.legal_moves():
            game.play(move)
            values.append(exact(game))
            game.undo()
        return max(values) if game.turn == "X" else min(values)

    game = Counting()
    values: set[int | None] = set()
    for move in [None, (0, 0), (0, 1), (0, 0)]:
        if move is not None:
            game.play(move)
        result = search(game, Limit())
        values.add(result.value)
        assert result.value == exact(game.copy()) * (1 if game.turn == "X" else -1)
    assert values == {1, -1}


def test_double_turn_move_values_are_for_the_mover() -> None:
    def exact(game: Game) -> int:  # for X
        if game.outcome is not None:
            return 1 if game.winner == "X" else -1
        after = [exact(following(game, move)) for move in game.legal_moves()]
        return max(after) if game.turn == "X" else min(after)

    def following(game: Game, move: Move) -> Game:
        after = game.copy()
        after.play(move)
        return after

    waiting: list[Game] = [Counting()]
    while waiting:
        game = waiting.pop()
        sign = 1 if game.turn == "X" else -1
        result = Analyst().analyse(game)
        truth = {move: sign * exact(following(game, move)) for move in game.legal_moves()}
        assert {known.move: known.value for known in result.moves} == truth
        assert result.best is not None
        assert truth[result.best] == result.value == sign * exact(game)
        assert result.pv[0] == result.best
        assert explain(game, result, Analyst().analyse).keys() == truth.keys()
        waiting += [after for move in truth if not (after := following(game, move)).is_over]


class Stuck(Counting):
    """A game of counters in which no side can move when three counters are left."""

    NAME = "stuck"
    __slots__ = ()

    def find_moves(self, state: int) -> Sequence[Move]:
        return [] if state // 100 == 3 else super().find_moves(state)


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: Analyst().solve(game),
        lambda game: Analyst().analyse(game),
        lambda game: GeneralSearch(Random(1)).search(game, Limit(nodes=100)),
        lambda game: GeneralSearch(Random(1)).score_moves(game, Limit(nodes=100)),
        lambda game: evaluation_of(game, Random(1))(),
    ],
)
@pytest.mark.parametrize("moves", [[(0, 1), (0, 1)], [(0, 1), (0, 0)]])  # there, or one move before
def test_position_without_moves_is_refused(ask: Any, moves: list[Move]) -> None:
    game = Stuck()
    for move in moves:
        game.play(move)
    with pytest.raises(UnsupportedRules) as refused:
        ask(game)
    assert refused.value.reason == "no-moves"


def test_analyst_answers_after_a_refusal() -> None:
    analyst, game, whole = Analyst(), Stuck(), Counting()
    with pytest.raises(UnsupportedRules):
        analyst.solve(game)
    assert game.ply == 0
    for move in [(0, 0), (0, 1), (0, 1)]:
        game.play(move)
        whole.play(move)
    assert analyst.solve(game) == Analyst().solve(whole)


# Static evaluations


class TestRough:
    def test_lines_count_against_misere_player(self) -> None:
        misere = parse_position(new_game("4x4:4,misere"), "OOO./X.../..X./.X..")
        plain = parse_position(new_game("4x4:4"), "OOO./X.../..X./.X..")
        scores = [evaluation_of(game, Random(1))() for game in (misere, plain)]
        assert scores[0] == -scores[1] > 0

    def test_lines_of_vanishing_marks_are_counted(self) -> None:
        game = KInARow(shape=(5, 5), k=3, vanish=4)
        for cell in [(0, 0), (4, 4), (0, 1)]:
            game.play(cell)
        assert evaluation_of(game, Random(1))() < 0
        game.play((4, 0))
        assert evaluation_of(game, Random(1))() > 0

    def test_reversi_likes_corners(self) -> None:
        empty = ["." * 8] * 8
        own, other = ("/".join([mark + "." * 6 + "O", *empty[1:3], "...XO...", *empty[4:]]) for mark in "X.")
        scores = [
            parse_position(new_game("reversi"), f"{text} X").static_evaluation() for text in (own, other)
        ]
        assert scores[0] > scores[1]  # type: ignore[operator]

    def test_ultimate_likes_fields(self) -> None:
        game = new_game("ultimate")
        assert game.static_evaluation() == 10
        rows = ["XXX......", *["." * 9] * 7, "......OO."]
        before = parse_position(game, "/".join(rows) + " O -").static_evaluation()
        assert before is not None
        assert before < -20

    def test_unknown_games_are_played_out(self) -> None:
        assert TicTacToe().static_evaluation() is None
        nearly = parse_position(new_game("notakto"), "X.X/.../... X")
        scores = {evaluation_of(nearly, Random(seed))() for seed in range(20)}
        assert scores <= {-100, 0, 100}
        assert len(scores) > 1
        assert nearly.ply == 0

    def test_long_random_games_end_as_draws(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The board is too large to count its lines."""
        monkeypatch.setattr(static_evaluation, "MAX_LENGTH", 0.01)
        game = KInARow(shape=(70, 70), k=5, vanish=60)
        assert evaluation_of(game, Random(1))() == 0

    def test_scores_have_a_bound(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = new_game("ultimate")
        monkeypatch.setattr(type(game), "static_evaluation", lambda self: 10**9)
        assert evaluation_of(game, Random(1))() == MAX_SCORE
