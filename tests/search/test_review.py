"""Reviews of whole games against exact values."""

from collections.abc import Callable
from functools import partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import TicTacToe, new_game
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import BY_NAME
from noughts.games.notation import parse_position, play_moves
from noughts.search.analysis import Analysis, Limit, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.explain.reasons import Explainer, MoveReason, explain
from noughts.search.explain.review import MAX_DRAWN_LINE, MAX_LINE, Review, ReviewedMove, review
from noughts.search.numba_backend import python_machine
from tests.search.oracle import Worth, goodness, positions_of
from tests.search.test_reasons import as_plies, exact_analysis
from tests.strategies import play_at_random
from tests.weekly import each_week_all

NOTHING = Analysis(None, None, None, 0)


def exactly(name: str) -> Callable[[Game], Analysis]:
    return lambda game: exact_analysis(positions_of(name)[game.key()])


def played(name: str, *numbers: int) -> Game:
    """Return a game with the moves of the given cells or columns, numbered from 1."""
    game = new_game(name)
    for number in numbers:
        game.play(game.notation.parse(str(number), game))
    return game


def assert_right(game: Game, name: str) -> Review:
    """Check each fact of the review against exact values."""
    before = (game.key(), game.moves)
    result = review(game, exactly(name))
    assert (game.key(), game.moves) == before
    position = new_game(name)
    first = position.turn
    values = []
    for move, entry in zip(game.moves, result.moves, strict=True):
        known = positions_of(name)[position.key()]
        worth, best = known.moves[move], known.worth
        sign = 1 if position.turn == first else -1
        values.append(sign * best.value)
        reasons = explain(position, exact_analysis(known), exactly(name))
        assert (entry.ply, entry.side, entry.move) == (position.ply + 1, position.turn, move)
        assert (entry.before, entry.after) == (best.value, worth.value)
        assert entry.changed is (worth.value < best.value)
        assert (entry.plies, entry.best_plies) == (as_plies(worth), as_plies(best))
        assert entry.best is not None
        assert is_as_good(known.moves[entry.best], best)
        assert (entry.best == move) is is_as_good(worth, best)
        assert entry.reason == reasons[move]
        assert entry.better == (None if entry.best == move else reasons[entry.best])
        assert entry.is_at_stake is any(other.value < best.value for other in known.moves.values())
        assert entry.missed is (not entry.changed and best.value == 1 and goodness(worth) < goodness(best))
        assert_line(position, entry, name)
        position.play(move)
    end = positions_of(name)[position.key()].worth.value
    assert result.values == (*values, end if position.turn == first else -end)
    assert result.turning_points == tuple(move for move in result.moves if move.changed)
    assert result.first == first
    return result


def assert_line(position: Game, entry: ReviewedMove, name: str) -> None:
    """Check that a better line keeps its value move by move, and ends at the end or at its maximum length."""
    assert bool(entry.line) is (entry.changed or entry.missed)
    if entry.line:
        assert entry.line[0] == entry.best
        game, value = position.copy(), entry.before
        for move in entry.line:
            worth = positions_of(name)[game.key()].worth
            assert worth.value == (value if game.turn == entry.side else -(value or 0))
            game.play(move)
        assert game.is_over or len(entry.line) == (MAX_LINE if value else MAX_DRAWN_LINE)


def is_as_good(one: Worth, other: Worth) -> bool:
    return one.value == other.value and (one.value == 0 or goodness(one) == goodness(other))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "misere", "notakto", "4x3:3,gravity", "3x2:2,wild,misere"])
def test_reviews_of_random_games(name: str) -> None:
    turned = 0
    for seed in range(12):
        game = new_game(name)
        play_at_random(game, 2 + 2 * seed, seed)
        turned += len(assert_right(game, name).turning_points)
    assert turned > 3


@pytest.mark.slow
def test_review_finds_known_blunders() -> None:
    """O starts beside the corner, which loses; X throws away the win, and then the draw."""
    result = assert_right(played("tictactoe", 1, 2, 5, 9, 3, 7, 4, 8), "tictactoe")
    assert result.values == (0, 0, 1, 1, 1, 0, 0, -1, -1)
    lost, given_away, lost_too = result.turning_points
    assert (lost.ply, lost.side, lost.before, lost.after, lost.plies) == (2, "O", 0, -1, 6)
    assert lost.reason == MoveReason("lets-win", {"reply": (1, 0), "plies": 6, "result": "draw"})
    assert (lost.best, lost.better) == ((1, 1), MoveReason("only-move", {"result": "draw", "others": "loss"}))
    assert (given_away.ply, given_away.side, given_away.before, given_away.after) == (5, "X", 1, 0)
    assert given_away.reason == MoveReason("gives-up-win", {"best": (1, 0), "plies": 3})
    assert given_away.better == MoveReason("double-threat", {"threats": ((1, 2), (2, 0))})
    assert (lost_too.ply, lost_too.side, lost_too.best) == (7, "X", (2, 1))
    assert lost_too.reason == MoveReason("lets-win", {"reply": (2, 1), "plies": 2, "result": "draw"})


def test_review_finds_missed_block() -> None:
    result = assert_right(played("tictactoe", 5, 1, 2, 3, 8), "tictactoe")
    assert [move.ply for move in result.turning_points] == [4]
    missed = result.turning_points[0]
    assert (missed.side, missed.plies, missed.best) == ("O", 2, (2, 1))
    assert missed.better == MoveReason("must-block", {"threats": ((2, 1),), "result": "draw"})
    assert result.values == (0, 0, 0, 0, 1, 1)


def test_better_line_ends_with_its_proof() -> None:
    """Without values of positions that were not played, better lines end after their first move."""
    game = played("tictactoe", 1, 2, 5, 9, 3, 7, 4, 8)
    came_up = {played("tictactoe", *(1, 2, 5, 9, 3, 7, 4, 8)[:plies]).key() for plies in range(9)}
    exact = exactly("tictactoe")
    whole = review(game, exact)
    cut = review(game, lambda position: exact(position) if position.key() in came_up else NOTHING)
    assert [len(move.line) for move in whole.turning_points] == [8, 3, 3]
    assert [move.line for move in cut.turning_points] == [((1, 1),), ((1, 0),), ((2, 1),)]


def test_move_values_carry_to_next_position() -> None:
    """Such values occur at the end of a book: the position after its last move is not searched to the end."""
    moves, last = (13, 1, 7, 25), played("5x5:4", 13, 1)
    move = played("5x5:4", 13, 1, 7).moves[-1]
    analysis = Analysis(1, 21, move, 0, (move,), (MoveValue(move, 1, 21),))

    def ask(game: Game) -> Analysis:
        return analysis if game.key() == last.key() else NOTHING

    assert review(played("5x5:4", *moves[:3]), ask).values == (None, None, 1, 1)
    result = review(played("5x5:4", *moves), ask)
    assert result.values == (None, None, 1, 1, 1)
    assert [(move.before, move.after) for move in result.moves[2:]] == [(1, 1), (-1, -1)]


def test_review_of_unfinished_games() -> None:
    assert assert_right(played("tictactoe", 5, 2), "tictactoe").values == (0, 0, 1)
    assert review(TicTacToe(), exactly("tictactoe")) == Review("X", (), (0,), (None,))


def test_review_reports_progress() -> None:
    reports: list[Review] = []
    result = review(played("tictactoe", 5, 1, 2), exactly("tictactoe"), reports.append)
    assert [one.waiting for one in reports] == [3, 2, 1, 0]
    assert [one.moves for one in reports] == [result.moves[waiting:] for waiting in (3, 2, 1, 0)]
    assert [one.values for one in reports[:2]] == [(None, None, None, 0), (None, None, 0, 0)]
    assert reports[-1] == result


def test_slower_win_is_a_missed_win() -> None:
    """X could have won at once with 7, but wins two moves later."""
    result = assert_right(played("tictactoe", 1, 2, 4, 3, 5, 7, 9), "tictactoe")
    assert [move.ply for move in result.missed_wins] == [5]
    missed = result.missed_wins[0]
    assert (missed.best, missed.best_plies, missed.plies, missed.line) == ((2, 0), 1, 3, ((2, 0),))
    assert missed.changed is False


def test_accuracy_counts_moves_at_stake() -> None:
    """O had only one move that mattered, the first, and it lost; X kept all values."""
    result = review(played("tictactoe", 1, 2, 5, 9, 7), exactly("tictactoe"))
    assert result.accuracy("O") == 0
    assert result.accuracy("X") == 1
    result = review(played("tictactoe", 1, 2, 5, 9, 3, 7, 4, 8), exactly("tictactoe"))
    assert result.accuracy("X") == 1 / 3
    assert review(TicTacToe(), exactly("tictactoe")).accuracy("X") is None


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), plies=st.integers(0, 9))
def test_value_changes_are_turning_points(seed: int, plies: int) -> None:
    game = new_game("tictactoe")
    play_at_random(game, plies, seed)
    result = review(game, exactly("tictactoe"))
    changes = [ply for ply in range(1, game.ply + 1) if result.values[ply] != result.values[ply - 1]]
    assert changes == [move.ply for move in result.turning_points]


@pytest.mark.parametrize("late", [3, 4, 5, 7, 8])
def test_unproved_values_are_no_turning_points(late: int) -> None:
    """Values near the end are carried back as far as they decide earlier positions."""
    exact = exactly("tictactoe")
    game = played("tictactoe", 1, 2, 5, 9, 7, 3, 4)
    result = review(game, lambda position: exact(position) if position.ply > late else NOTHING)
    assert result.values == (None, None, 1, 1, 1, 1, 1, 1)  # every other reply to ply 3 loses at once
    assert [move.before for move in result.moves] == [None, None, 1, -1, 1, -1, 1]
    assert [move.after for move in result.moves] == [None, -1, 1, -1, 1, -1, 1]
    longest = (2, 2) if late == 3 else None  # every other move loses, but its distance is unknown
    assert [move.best for move in result.moves[:4]] == [None, None, (1, 1), longest]
    assert result.turning_points == ()
    assert result.moves[0].reason == MoveReason("development", {"open_lines": 3, "own": 0})


@pytest.mark.slow
def test_derived_distances_are_of_best_play() -> None:
    """A slow win that was the only known one was once reported as the quickest."""
    proved = 0
    for name, seed, nodes in product(("tictactoe", "misere"), range(4), (20, 60)):
        game, analyst = new_game(name), Analyst(machine=python_machine())
        play_at_random(game, 9, seed)
        result = review(game, partial(analyst.analyse, limit=Limit(nodes=nodes)))
        position = new_game(name)
        for move in result.moves:
            exact = positions_of(name)[position.key()]
            assert move.plies in (None, as_plies(exact.moves[move.move]))
            if move.best is not None:
                assert move.best_plies in (None, as_plies(exact.moves[move.best]))
                assert move.before == 1 or is_as_good(exact.moves[move.best], exact.worth)
                proved += move.best_plies is not None
            position.play(move.move)
    assert proved > 10


def test_move_to_a_won_position_wins() -> None:
    """The value is known even if the search did not find it before the move."""
    game = played("3x3:3", 1, 2, 5)
    exact = exactly("tictactoe")
    result = review(game, lambda position: exact(position) if position.ply == 3 else NOTHING)
    assert result.values == (None, None, 1, 1)
    last = result.moves[2]
    assert (last.before, last.after, last.plies, last.best, last.best_plies) == (1, 1, 5, (1, 1), 5)


@pytest.mark.slow
def test_review_without_move_values() -> None:
    """A search may return only the values of positions."""
    exact = exactly("misere")

    def solve(game: Game) -> Analysis:
        known = exact(game)
        return Analysis(known.value, known.plies, known.best, 0)

    for seed in range(6):
        game = new_game("misere")
        play_at_random(game, 20, seed)
        full, short = review(game, exact), review(game, solve)
        assert full.values == short.values
        assert [move.changed for move in full.moves] == [move.changed for move in short.moves]
        assert [move.plies for move in full.moves] == [move.plies for move in short.moves]


def test_review_scores_are_for_first_side() -> None:
    game = played("gomoku", 113, 114, 128)
    result = review(game, lambda position: Analysis(None, None, None, 0, score=10 * position.ply + 1))
    assert result.scores == (1, -11, 21, -31)
    assert result.values == (None,) * 4


def test_unsupported_game_is_analysed_once() -> None:
    plies = []

    def analyse(game: Game) -> Analysis:
        plies.append(game.ply)
        raise UnsupportedRules("analyse", game.name, "positions-repeat")

    result = review(played("vanishing", 1, 4, 9, 5, 2, 6), analyse)
    assert plies == [5]
    assert result.values == (None, None, None, None, None, -1, -1)
    assert [move.reason.code for move in result.moves[-2:]] == ["lets-win", "wins-now"]
    (careless,) = result.turning_points  # it loses at once, but taking the cell that both need would not
    assert (careless.ply, careless.before, careless.after) == (5, None, -1)
    assert (careless.best, careless.better) == ((1, 2), MoveReason("must-block", {"threats": ((1, 2),)}))
    assert (careless.line, result.accuracy("X"), result.accuracy("O")) == (((1, 2),), 0, 1)


def test_proved_draw_beats_unknown_moves() -> None:
    game = played("misere", 1, 5, 2, 9)
    draw = MoveValue((1, 0), 0)
    for known, better in (((), (2, 0)), ((draw,), (1, 0))):
        explainer = Explainer(game, Analysis(None, None, (2, 0), 0, moves=known), None)
        assert explainer.has_pitfall
        assert explainer.safer_than((0, 2)) == better  # cell 3 would complete a row, which loses
        assert explainer.safer_than((2, 0)) is None


def test_three_sides_are_reviewed_without_values() -> None:
    def analyse(game: Game) -> Analysis:
        raise AssertionError

    game = played("5x5:3,players=3", 1, 6, 11, 2, 7, 12, 3)
    assert game.winner == "X"
    result = review(game, analyse)
    assert result.values == result.scores == (None,) * 8
    for move in result.moves:
        assert (move.before, move.after, move.best, move.plies, move.changed) == (
            None,
            None,
            None,
            None,
            False,
        )
        assert (move.changed, move.better) == (False, None)
    assert result.moves[-1].reason.code == "wins-now"


def test_puzzle_review_is_for_its_player() -> None:
    game = parse_position(new_game("fifteen"), "1,2,3,4/5,6,7,8/9,10,11,12/13,14,.,15")
    plies = {(2, 2): 3, (3, 1): 3, (3, 3): 1}
    game.play((2, 2))
    game.play((3, 2))
    game.play((3, 3))

    def analyse(position: Game) -> Analysis:
        if position.ply == 1:
            return Analysis(1, 2, (3, 2), 0)
        values = [MoveValue(move, 1, plies[move]) for move in position.legal_moves()]
        return Analysis(1, 1, (3, 3), 0, moves=tuple(values))

    result = review(game, analyse)
    assert result.values == (1, 1, 1, 1)
    assert [move.reason.code for move in result.moves] == ["detour", "on-the-way", "wins-now"]
    assert result.moves[0].better == MoveReason("wins-now", {"cells": ()})
    assert [(move.plies, move.best_plies) for move in result.moves] == [(3, 1), (2, 2), (1, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("name", each_week_all(BY_NAME, 2))
def test_every_game_has_a_review(name: str) -> None:
    game = new_game(name)
    play_at_random(game, 8, 3)
    before = (game.key(), game.moves)
    result = review(game, lambda position: NOTHING)
    assert (game.key(), game.moves) == before
    assert tuple(move.move for move in result.moves) == game.moves
    assert len(result.values) == len(result.scores) == game.ply + 1
    for move in result.turning_points:  # immediate effects are known even here
        assert move.better is not None
        if move.before is None:  # the move loses at once, and the better one does not
            after = game.copy()
            while after.ply >= move.ply:
                after.undo()
            assert move.best is not None
            after.play(move.best)
            assert after.winner in (None, move.side)
            assert ImmediateTactics(after).find_win() is None
        else:
            assert move.better.code in ("wins-now", "double-threat", "must-block", "only-move")


def test_review_with_the_analyst() -> None:
    analyst = Analyst(machine=python_machine())
    game = played("4x4:3,gravity", 2, 2, 3, 3, 1)
    result = review(game, analyst.analyse)
    assert result.values == (1,) * 6
    plies = [(move.plies, move.best_plies) for move in result.moves]
    assert plies == [(9, 9), (4, 8), (3, 3), (2, 2), (1, 1)]
    codes = [move.reason.code for move in result.moves]
    assert codes == ["forces-win", "lost-anyway", "double-threat", "lost-anyway", "wins-now"]
    assert result.moves[1].better == MoveReason("longest-defence", {"plies": 8})
    limited = review(game, lambda position: analyst.analyse(position, Limit(nodes=0)))
    for known, exact in zip(limited.values, result.values, strict=True):
        assert known in (None, exact)


@pytest.mark.parametrize("settled_from", [1, 2, 6, 7])
def test_opening_moves_have_no_values(settled_from: int) -> None:
    """A winning or losing mark may be swapped, and the player who does not swap could have done so."""
    game = played("tictactoe", 1, 2, 5, 9, 3, 4)
    whole = review(game, exactly("tictactoe"))
    partial_review = review(game, exactly("tictactoe"), settled_from=settled_from)
    assert len(whole.turning_points) >= 2
    unknown = (None,) * settled_from
    assert partial_review.values == (*unknown, *whole.values[settled_from:])[: len(whole.values)]
    assert partial_review.moves[settled_from:] == whole.moves[settled_from:]
    for move, same in zip(partial_review.moves[:settled_from], whole.moves, strict=False):
        assert (move.ply, move.side, move.move) == (same.ply, same.side, same.move)
        assert (move.reason, move.before, move.after) == (MoveReason("opening"), None, None)
        assert (move.changed, move.missed, move.is_at_stake, move.line) == (False, False, False, ())


def test_counted_win_is_never_too_slow() -> None:
    """After 57 the game ends one move later than after 39, and X wins too."""
    position = "XXXXXXXX/OXXXXXXX/XOXXOXXX/XXOXXXOX/XOXOXX.X/XOOXOOXX/.OXXXXXX/.O.X.O.X X"
    game = parse_position(new_game("reversi"), position)
    play_moves(game, ["57"])
    move = review(game, Analyst().analyse).moves[0]
    assert (move.before, move.after, move.plies, move.best_plies) == (1, 1, 7, 6)
    assert (move.is_counted, move.missed, move.line) == (True, False, ())
