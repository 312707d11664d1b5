"""The analyst: values of positions and moves for every kind of game, exact or unknown."""

import threading
from itertools import count, islice
from random import Random

import pytest

from noughts import Game, KInARow, new_game
from noughts.errors import UnsupportedRules
from noughts.games.catalogue import BY_NAME
from noughts.games.notation import play_moves
from noughts.search.analysis import (
    UNKNOWN,
    Analysis,
    BudgetReachedError,
    Effort,
    Limit,
    LimitReachedError,
    MoveValue,
    Progress,
)
from noughts.search.analyst import Analyst, cannot_lose, merge_analyses
from noughts.search.exact.move_values import Values, goodness
from noughts.search.exact.scheduler import ExactValuer
from noughts.search.exact.search import ExactSearch
from tests.search.machines import machine_of
from tests.search.oracle import Position, positions_of

SMALL = (
    *(
        "tictactoe",
        "misere",
        "notakto",
        "wild",
        "3x3:3,gravity",
        "3x3:2,exact",
        "4x2:3,wrap",
        "3x2:2,wild,misere",
    ),
    *("4x3:3,gravity", "2x2x2:2", "3x3:3,gravity,misere", "7:3,exact"),
)


def assert_right(found: Analysis, position: Position) -> None:
    value, plies = position.worth
    assert (found.value, found.plies) == (value, plies if value else None), position.game
    assert found.is_proved
    moves = {move: (value, plies if value else None) for move, (value, plies) in position.moves.items()}
    assert {known.move: (known.value, known.plies) for known in found.moves} == moves
    assert [known.move for known in found.moves] == list(position.game.legal_moves())
    assert found.best is not None
    assert goodness(position.moves[found.best]) == goodness(position.worth)
    assert found.pv[0] == found.best


def follow(game: Game, found: Analysis) -> None:
    """Play the principal variation; if it decides the game, it must take the reported plies."""
    game = game.copy()
    side = game.turn
    for move in found.pv:
        game.play(move)
    if found.value:
        assert len(found.pv) == found.plies
        assert (game.winner == side) == (found.value > 0)
        assert game.winner is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_values_match_the_oracle(name: str) -> None:
    positions = [position for position in positions_of(name).values() if position.moves]
    analyst = Analyst()
    for position in islice(positions, 0, None, max(1, len(positions) // 20)):
        before = position.game.key(), position.game.moves
        found = analyst.analyse(position.game)
        assert_right(found, position)
        follow(position.game, found)
        solved = Analyst().solve(position.game)
        assert (solved.value, solved.plies, solved.moves) == (found.value, found.plies, ())
        assert solved.best is not None
        assert goodness(position.moves[solved.best]) == goodness(position.worth)
        follow(position.game, solved)
        assert (position.game.key(), position.game.moves) == before


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_game_is_analysed_or_refused(name: str) -> None:
    game = new_game(name, seed=1)
    if len(game.sides) > 2:
        with pytest.raises(UnsupportedRules):
            Analyst().analyse(game)
        return
    found = Analyst().analyse(game, Limit(nodes=300))
    assert [known.move for known in found.moves] == list(game.legal_moves())
    assert found.value in (None, 0, 1)
    assert found == Analyst().analyse(game, Limit(nodes=300))
    assert game.ply == 0


def test_finished_game_is_analysed() -> None:
    game = new_game("3x3:2")
    for move in [(0, 0), (2, 2), (0, 1)]:
        game.play(move)
    assert Analyst().analyse(game) == Analyst().solve(game) == Analysis(-1, 0, None, 0)
    full = new_game("2x1:2")
    full.play((0, 0))
    full.play((0, 1))
    assert Analyst().solve(full).value == 0


def test_limited_analysis_has_only_true_values() -> None:
    game = new_game("4x4:4,wrap")
    for cell in range(8):
        game.play((cell // 4, (cell + cell // 4) % 4))
    whole = {known.move: known for known in Analyst().analyse(game).moves}
    counts = set()
    for nodes in (0, 10, 30, 100):
        found = Analyst().analyse(game, Limit(nodes=nodes))
        assert found.nodes <= nodes
        counts.add(sum(known.value is not None for known in found.moves))
        assert all(known in (whole[known.move], type(known)(known.move)) for known in found.moves)
    assert len(counts) > 1


def test_other_thread_can_stop_analysis() -> None:
    wanted = threading.Event()
    game = new_game("gomoku")
    reached = threading.Event()

    def stop() -> bool:
        reached.set()
        return wanted.is_set()

    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(Analyst().solve(game, Limit(stop=stop))))
    thread.start()
    assert reached.wait(60)
    wanted.set()
    thread.join(60)
    assert answers[0].value is None


def test_started_limit_uses_given_clock() -> None:
    times = iter([10.0, 10.5, 11.0])
    limit = Limit(seconds=1).started(lambda: next(times))
    assert limit.seconds == 1
    assert [limit.stop(), limit.stop()] == [False, True]
    assert Limit(seconds=9, stop=lambda: True).started(lambda: 0.0).stop()


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("3x3:3,exact", 10_000),
        *(pytest.param("4x4:4,gravity,exact", nodes, marks=pytest.mark.slow) for nodes in (10_000, None)),
    ],
)
def test_long_search_switches_to_faster_machine(
    name: str, nodes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results are kept, so the compiled search continues where Python stopped."""
    faster = machine_of("numba")
    game = new_game(name)
    rules = game.rules if isinstance(game, KInARow) else None
    assert rules is not None
    search, looks = ExactSearch(rules, machine_of("python")), count()
    monkeypatch.setattr(
        search, "_select_machine", lambda stop=None: faster if next(looks) > 2 else machine_of("python")
    )
    found = Values(ExactValuer(search)).solve(game, Limit(nodes=nodes))
    assert (found.value, search._machine) == (0, faster)
    assert found == Values(ExactValuer(ExactSearch(rules, machine_of("python")))).solve(
        game, Limit(nodes=nodes)
    )


def test_analyst_reports_progress() -> None:
    reports: list[Progress] = []
    Analyst(reports.append).analyse(new_game("tictactoe"))
    assert {report.stage for report in reports} == {"searching"}
    assert [report.nodes for report in reports] == sorted(report.nodes for report in reports)


def won_by_threats() -> Game:
    """Return a game in which X has an open three of five on a large board.

    The exact half of a small limit does not find the win.
    """
    game = new_game("gomoku")
    for move in [(7, 7), (0, 0), (7, 8), (0, 14), (7, 9), (14, 0)]:
        game.play(move)
    return game


def test_unsolved_position_has_move_and_score() -> None:
    game = new_game("7x7:4,gravity")
    found = Analyst().analyse(game, Limit(nodes=2000))
    assert (found.value, found.plies) == (None, None)
    assert found.best in game.legal_moves()
    assert found.score is not None
    assert found.nodes <= 2000
    assert found == Analyst().analyse(game, Limit(nodes=2000))


@pytest.mark.slow
def test_values_returns_no_scores() -> None:
    game = new_game("4x3:3")
    assert Analyst().values(game) == Analyst().analyse(game)
    few = Analyst().values(new_game("7x7:4,gravity"), Limit(nodes=2000))
    assert (few.value, few.best, few.score) == (None, None, None)
    assert len(few.moves) == 7
    assert 1900 < few.nodes <= 2000
    assert Analyst().values(new_game("30x30:5")) == UNKNOWN


@pytest.mark.slow
def test_threats_prove_win_without_distance() -> None:
    game = won_by_threats()
    found = Analyst().analyse(game, Limit(nodes=400))
    assert found.value == 1
    values = {known.move: known.value for known in found.moves}
    assert found.best is not None
    assert values[found.best] == 1
    assert found.best in [(7, 5), (7, 6), (7, 10), (7, 11)]


@pytest.mark.slow
def test_games_without_engine_get_a_score() -> None:
    for name in ("reversi", "4x4:4,wild"):
        game = new_game(name)
        found = Analyst().analyse(game, Limit(nodes=600))
        assert found.best in game.legal_moves()
        assert found.value is None
        assert found.score is not None


def test_known_loss_is_not_best_move() -> None:
    lost, open_to_doubt = (0, 0), (1, 1)
    exact = Analysis(None, None, None, 10, moves=(MoveValue(lost, -1, 4), MoveValue(open_to_doubt)))
    found = merge_analyses(exact, Analysis(None, None, lost, 5, (lost, open_to_doubt), score=3))
    assert (found.best, found.pv, found.nodes, found.score) == (open_to_doubt, (), 15, 3)
    kept = merge_analyses(exact, Analysis(None, None, open_to_doubt, 5, (open_to_doubt, lost), score=3))
    assert (kept.best, kept.pv) == (open_to_doubt, (open_to_doubt, lost))


def test_one_winning_move_proves_a_win() -> None:
    game = new_game("4x4:3,gravity")
    values = Values(ShortOfNodes())
    found = values.analyse(game)
    assert (found.value, found.plies, found.best) == (1, None, (3, 1))


class ShortOfNodes:
    """A valuer that knows the value of the second move and then has no nodes left."""

    effort = Effort()

    def value_of(self, game: Game, budget: int | None = None) -> tuple[int, int]:
        if game.moves == ((3, 1),):
            self.effort.nodes = self.effort.max_nodes = 10
            return -1, 8
        if self.effort.is_over():
            raise LimitReachedError
        raise BudgetReachedError

    def best_of(self, game: Game, value: int, plies: int) -> tuple[int, ...]:
        raise LimitReachedError


@pytest.mark.slow
def test_best_move_keeps_the_value() -> None:
    """Results for later positions may decide the value before a best move is known."""
    game = new_game("wild")
    for nodes in (200, 500, 1000, 1500, 2000):
        analyst = Analyst()
        after = game.copy()
        after.play(game.legal_moves()[-2])
        analyst.analyse(after, Limit(nodes=1500))
        found = analyst.analyse(game, Limit(nodes=nodes))
        worth = {known.move: known.value for known in found.moves}
        if found.value is not None and found.best is not None:
            assert worth[found.best] in (found.value, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "is_certain"),
    [
        *[(name, True) for name in ("gomoku", "5x5x5:5", "12x12:5,wrap", "11x11:5,hex", "30x30:5")],
        *[(name, False) for name in ("gomoku-standard", "connect4", "renju", "9x9:4,misere", "9x9:4,wild")],
        *[(name, False) for name in ("9x9:4,notakto", "9x9:4,vanish=9", "reversi", "pentago", "score4")],
    ],
)
def test_strategy_stealing_protects_first_player(name: str, is_certain: bool) -> None:
    game, limit = new_game(name), Limit(nodes=10)
    assert [Analyst().solve(game, limit).cannot_lose, Analyst().analyse(game, limit).cannot_lose] == [
        is_certain
    ] * 2
    game.play(game.legal_moves()[0])
    assert not Analyst().analyse(game, limit).cannot_lose


@pytest.mark.slow
def test_safe_move_is_returned_without_value() -> None:
    """The safe move stops all lines of the other side. It is not known if it could win."""
    game = new_game("7x7:5")
    play_moves(game, ["16", "25", "21", "24", "7", "19", "32"])
    found = Analyst().solve(game, Limit(nodes=3000))
    assert (found.value, found.cannot_lose, found.cannot_win) == (None, True, False)
    assert found.best == (4, 1)
    game.play((4, 1))
    assert Analyst().solve(game, Limit(nodes=1500)).value in (0, -1)


def test_solved_game_needs_no_strategy_stealing() -> None:
    game = new_game("tictactoe")
    assert cannot_lose(game)
    assert not Analyst().solve(game).cannot_lose


def test_exhausted_search_has_no_variation() -> None:
    game = new_game("4x4:3,gravity")
    valuer = ShortOfNodes()
    assert Values(valuer).solve(game).pv == ()
    game.play((3, 1))
    assert Values(valuer).solve(game) == Analysis(-1, 8, (2, 1), 10)


def worth_of(game: Game) -> tuple[int, int]:
    """Return the value for the side to move and the plies to the end, by full search."""
    if game.outcome is not None:
        return (0 if game.winner is None else 1 if game.winner == game.turn else -1), 0
    best = (-2, 0)
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        value, plies = worth_of(after)
        best = max(best, goodness((-value, plies + 1 if value else 0)))
    return best[0], abs(best[1])


@pytest.mark.slow
def test_reversi_endings_are_exact() -> None:
    found = 0
    for seed in range(6):
        chance = Random(seed)
        game = new_game("reversi")
        while game.outcome is None:
            game.play(chance.choice(list(game.legal_moves())))
        for _ in range(4):
            game.undo()
        analysis = Analyst().analyse(game)
        assert (analysis.value, analysis.plies or 0) == worth_of(game)
        assert analysis.best is not None
        solved = Analyst().solve(game)
        assert (solved.value, solved.plies) == (analysis.value, analysis.plies)
        found += bool(analysis.value)
    assert found


def test_limit_refuses_negative_values() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        Limit(seconds=-1)
    with pytest.raises(ValueError, match="0 or more"):
        Limit(nodes=-1)
    with pytest.raises(ValueError, match="0 or more"):
        Limit(depth=-1)
    with pytest.raises(ValueError, match="0 or more"):
        Limit(seconds=float("nan"))  # A search limited by NaN would never end.


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "reversi", "1x300:200,gravity"])
def test_depth_limit_is_respected(name: str) -> None:
    game = new_game(name)
    near = Analyst().analyse(game, Limit(depth=2, nodes=5000))
    assert near.plies is None or near.plies <= 2
    assert near.best in game.legal_moves()
    won = new_game("3x3:3")
    for move in [(0, 0), (1, 0), (0, 1), (1, 1)]:
        won.play(move)
    assert Analyst().analyse(won, Limit(depth=1)).plies == 1
    won.undo()
    assert Analyst().solve(won, Limit(depth=2)).value is None
    assert Analyst().solve(won, Limit(depth=6)).value is not None


@pytest.mark.slow
def test_unsolvable_game_ends_without_value() -> None:
    game = new_game("1x600:300,gravity")
    found = Analyst().analyse(game)
    assert found.value is None
    assert Analyst().solve(game).value is None


@pytest.mark.slow
def test_large_board_has_a_best_move() -> None:
    found = Analyst().analyse(new_game("25x25:5"), Limit(nodes=200))
    assert found.best is not None
    assert len(found.moves) == 625
    assert Analyst().solve(new_game("25x25:5")) == Analysis(None, None, None, 0, cannot_lose=True)


def test_limited_best_move_keeps_the_value() -> None:
    for name in ("tictactoe", "notakto", "misere", "wild"):
        positions = list(positions_of(name if name != "wild" else "3x2:2,wild").values())
        for position in positions[:: len(positions) // 12]:
            if position.moves:
                for nodes in (1, 3, 10, 30, 100):
                    found = Analyst().analyse(position.game, Limit(nodes=nodes))
                    if found.value is not None and found.best is not None:
                        assert position.moves[found.best].value == found.value == position.worth.value


class Returning(KInARow):
    """A game with its own rules of vanishing marks, in which the effect of repetitions is unknown."""

    __slots__ = ()


@pytest.mark.slow
def test_unknown_repetitions_leave_values_open() -> None:
    analyst, truth = Analyst(), Analyst()
    proved = 0
    for seed in range(4):
        chance = Random(seed)
        game, known = Returning(shape=(3, 3), k=3, vanish=3), new_game("vanishing")
        for _ in range(8):
            move = chance.choice(list(game.legal_moves()))
            game.play(move)
            known.play(move)
            if game.outcome is not None:
                break
            assert analyst.solve(game).value is None
            found, right = analyst.analyse(game, Limit(nodes=400)), truth.analyse(known)
            values = {worth.move: worth.value for worth in right.moves}
            assert found.value in (None, right.value)
            assert all(worth.value in (None, values[worth.move]) for worth in found.moves)
            proved += found.value is not None
    assert proved
