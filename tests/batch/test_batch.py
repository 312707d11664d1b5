"""Batches: each game behaves like a single game."""

import copy
import pickle
import sys
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import Batch, KInARow, Placement, TicTacToe, new_game
from noughts.batch import falling, layout
from noughts.batch.boards import HANDLED, MAX_NEIGHBOURS, lines_of, masks_of
from noughts.errors import ExtraMissing, IllegalActions, NotFound, UnsupportedRules
from noughts.games.base import Game
from noughts.games.moves import cells_of, choices_of
from noughts.games.rules import Rules
from tests.batch.random_games import first_difference, replayed
from tests.search.machines import MACHINES, machine_of
from tests.strategies import rules

SPECS = (
    *("3x3", "7x6:4,gravity", "4x4x4", "5x5:4,players=3", "4x4:4,wrap", "3x3:3,vanish=3", "15x15:5"),
    *(
        "3x3:3,wrap",
        "3x3:3,misere",
        "3x3:3,wild",
        "3x3:3,notakto",
        "6x6:5,exact",
        "5x4:4,wrap=x,exact",
        "6x6:4,hex",
    ),
    *("4x4:3,gravity,wild,players=3", "4x4x4:4,gravity", "5x4:3,vanish=3,players=3", "2x2x2x2:2", "9:3"),
    *("5x5:3,misere,vanish=4", "1x5:2,gravity", "4x4:1", "3x5:4,hex,misere", "7x7:4,gravity,misere", "5x3:2"),
    "9x6:4,gravity",
)
"""One spec of each kind of rules, and some combinations."""


def batch_on(machine: str, spec: str | Rules, n: int, seed: int = 1) -> Batch:
    """Return a batch whose kernels run as Python, or compiled."""
    batch = Batch(spec, n, seed)
    batch._calls.machine = machine_of(machine)
    return batch


def action_of(game: Game, move: Any) -> int:
    """Return the number of *move*, computed independently."""
    rules = game.rules
    assert rules is not None
    cell = game.board.index(cells_of(move)[0])
    column = cell % (len(game.cells) // rules.shape[0]) if rules.gravity else cell
    return column * len(rules.marks) + rules.marks.index(choices_of(move)[0]) if rules.wild else column


def number_of(game: Game) -> int:
    """Return the winner as a batch encodes it."""
    if game.outcome is None:
        return layout.ONGOING
    return -1 if game.winner is None else game.sides.index(game.winner)


def assert_same(batch: Batch, games: list[Game]) -> None:
    """Check that everything the batch shows agrees with the games."""
    legal = np.zeros((batch.n, batch.actions), bool)
    for number, game in enumerate(games):
        for move in game.legal_moves():
            legal[number, action_of(game, move)] = True
    assert (batch.legal == legal).all()
    marks = {None: -1} | {mark: slot for slot, mark in enumerate(batch.rules.board_marks)}
    assert batch.cells.tolist() == [[marks[mark] for mark in game.cells] for game in games]
    assert batch.turn.tolist() == [game.sides.index(game.turn) for game in games]
    assert batch.ply.tolist() == [game.ply for game in games]
    assert batch.winner.tolist() == [number_of(game) for game in games]


def chosen(games: list[Game], chance: Random) -> tuple[list[int], list[Any]]:
    """Return a random move of each game, sometimes none, as actions and as moves."""
    moves = [
        chance.choice(game.legal_moves()) if game.outcome is None and chance.random() < 0.9 else None
        for game in games
    ]
    actions = [-1 if move is None else action_of(game, move) for game, move in zip(games, moves, strict=True)]
    return actions, moves


def play_both(batch: Batch, games: list[Game], seed: int, plies: int = 40) -> None:
    """Play the same random moves in the batch and in the games."""
    chance = Random(seed)
    assert_same(batch, games)
    for _ in range(plies):
        actions, moves = chosen(games, chance)
        rewards, ended = batch.step(actions, restart=False)
        for number, (game, move) in enumerate(zip(games, moves, strict=True)):
            if move is not None:
                game.play(move)
            won = game.winner is not None and move is not None
            share = -1 / (len(game.sides) - 1) if won else 0
            paid = [1 if won and side == game.winner else share for side in game.sides]
            assert rewards[number].tolist() == pytest.approx(paid)
        assert ended.tolist() == [game.outcome is not None for game in games]
        assert_same(batch, games)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_batch_plays_like_single_games(spec: str) -> None:
    play_both(Batch(spec, 6), [new_game(spec) for _ in range(6)], seed=3)


@pytest.mark.slow
@given(rules(), st.integers(0, 2**32))
@example(Rules(shape=(3, 3), k=1, exact=True), 0)
@example(Rules(shape=(2, 3), k=6, wrap=True), 0)
@example(Rules(shape=(3, 3), k=3, wrap=True, exact=True), 0)
def test_batch_plays_random_rules(facts: Rules, seed: int) -> None:
    if not facts.facts <= HANDLED:
        with pytest.raises(UnsupportedRules):
            Batch(facts, 3)
        return
    play_both(Batch(facts, 3), [KInARow(facts) for _ in range(3)], seed, plies=25)
    if not facts.vanish:  # Such games may be very long.
        assert first_difference(facts, seed, 2) is None


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_playouts_match_replayed_games(spec: str) -> None:
    assert first_difference(spec, 5, 12) is None


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_compiled_batch_matches_plain_batch(spec: str) -> None:
    """The seeds are equal. Games in progress and several threads are included."""
    plain, compiled = (batch_on(machine, spec, 40, seed=9) for machine in MACHINES)
    chance = Random(1)
    for _ in range(9):
        actions = [chance.choice(np.flatnonzero(row).tolist() or [-1]) for row in plain.legal]
        results = [batch.step(actions) for batch in (plain, compiled)]
        assert all((one == other).all() for one, other in zip(*results, strict=True))
        assert (plain.cells == compiled.cells).all()
        for one, other in zip(plain.playouts(), compiled.playouts(threads=3), strict=True):
            assert (one == other).all()
        assert (plain.legal == compiled.legal).all()
        assert (plain.observations == compiled.observations).all()


@pytest.mark.slow
@pytest.mark.parametrize("spec", [spec for spec in SPECS if Batch(spec, 1)._calls.quick])
def test_quick_kernels_match_general_kernel(spec: str) -> None:
    """Both kernels make the same random games, here in very many games."""
    small_way, large_way = (batch_on("numba", spec, 20_000, seed=2) for _ in range(2))
    large_way._calls.quick = None
    for one, other in zip(small_way.playouts(), large_way.playouts(), strict=True):
        assert (one == other).all()
    assert (small_way._games.chance == large_way._games.chance).all()


@pytest.mark.parametrize("spec", ["1x62:2,gravity", "2x30:4,gravity"])
def test_falling_kernel_shifts_fit_a_word(spec: str) -> None:
    """In compiled code a shift by 64 would do nothing, and any marks would be a line."""
    masks = masks_of(Batch(spec, 1).rules)
    assert masks is not None
    assert max(masks[: falling.BOTTOMS]) < 64
    assert first_difference(spec, 5, 2) is None


def test_quick_kernels_take_small_boards() -> None:
    rules = {spec: Batch(spec, 1).rules for spec in SPECS}
    assert [spec for spec in SPECS if lines_of(rules[spec]) is not None] == [
        *("3x3", "3x3:3,wrap", "3x3:3,misere", "9:3", "3x5:4,hex,misere", "5x3:2"),
    ]
    assert [spec for spec in SPECS if masks_of(rules[spec]) is not None] == [
        *("7x6:4,gravity", "1x5:2,gravity", "7x7:4,gravity,misere", "9x6:4,gravity"),
    ]
    assert masks_of(Rules(shape=(7, 9), k=4, gravity=True)) is None  # too many bits
    assert lines_of(Rules(shape=(4, 4), k=4)) is None
    masks = masks_of(Rules(shape=(4, 3), k=3, gravity=True))
    assert masks is not None
    assert len(masks) == falling.BITS + 12


def test_lines_of_marks_sets_with_lines() -> None:
    three, exact = lines_of(Rules(shape=(5,), k=3)), lines_of(Rules(shape=(5,), k=3, exact=True))
    assert three is not None
    assert exact is not None
    assert np.flatnonzero(three).tolist() == [
        0b111,
        0b1110,
        0b1111,
        0b10111,
        0b11100,
        0b11101,
        0b11110,
        0b11111,
    ]
    assert np.flatnonzero(exact).tolist() == [0b111, 0b1110, 0b10111, 0b11100, 0b11101]


def test_playouts_start_from_current_positions() -> None:
    """Playouts leave the games unchanged."""
    for spec in ("3x3", "7x6:4,gravity", "3x3:3,vanish=3", "5x5:4,players=3"):
        games = []
        for seed in range(8):
            games.append(game := new_game(spec))
            chance = Random(seed)
            while game.outcome is None and game.ply < 2 * seed:
                game.play(chance.choice(game.legal_moves()))
        batch = Batch.of(games, seed=4)
        states = batch._games.chance.tolist()
        winners, plies = batch.playouts()
        assert_same(batch, games)
        for number, game in enumerate(games):
            assert (winners[number], plies[number]) == replayed(game.copy(), states[number])[:2]


def test_playouts_continue_the_random_state() -> None:
    batch = Batch("3x3", 50, seed=11)
    twin, other = batch.copy(), Batch("3x3", 50, seed=12)
    first = batch.playouts()[0]
    assert (twin.playouts()[0] == first).all()
    assert (batch.playouts()[0] != first).any()
    assert (other.playouts()[0] != first).any()
    assert (Batch("3x3", 50)._games.chance != Batch("3x3", 50)._games.chance).any()


AGAIN = (copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch)))


@pytest.mark.parametrize("again", AGAIN)
def test_copies_keep_long_games(again: Any) -> None:
    """If marks vanish, a game may have more moves than cells."""
    batch, chance = Batch("3x3:3,vanish=3", 20, seed=5), Random(5)

    def some() -> list[int]:
        return [chance.choice(np.flatnonzero(legal)) for legal in batch.legal]

    for _ in range(40):
        batch.step(some())
    assert batch._games.moves.shape[1] > 9
    twin = again(batch)
    for _ in range(3):
        actions = some()
        for one, other in zip(twin.step(actions), batch.step(actions), strict=True):
            assert (one == other).all()
        assert (twin.cells == batch.cells).all()
    assert [twin.game(number).moves for number in range(20)] == [
        batch.game(number).moves for number in range(20)
    ]


@pytest.mark.parametrize("again", AGAIN)
def test_copies_are_equal_and_independent(again: Any) -> None:
    """One game of the batch started from a position."""
    start = new_game("3x3").at(["X", "X", None, "O", *[None] * 5], "O")
    batch = Batch.of([start, new_game("3x3")], seed=5)
    batch.step([2, 4])
    twin = again(batch)
    assert (repr(twin), twin.rules) == (repr(batch), batch.rules)
    assert [twin.game(number).key() for number in range(2)] == [
        batch.game(number).key() for number in range(2)
    ]
    for one, other in zip(twin.playouts(), batch.playouts(), strict=True):
        assert (one == other).all()
    twin.step([8, 8])
    assert (batch.ply.tolist(), twin.ply.tolist()) == ([1, 1], [2, 2])
    assert twin.game(0).cells[8] == "X"


@pytest.mark.parametrize("threads", [0, -1, True, 1.5])
def test_playouts_refuse_invalid_thread_counts(threads: Any) -> None:
    with pytest.raises(ValueError, match="threads is a number from 1"):
        Batch("3x3", 2).playouts(threads)


@pytest.mark.parametrize("threads", [2, 7, 100])
def test_threads_do_not_change_playouts(threads: int) -> None:
    one, many = (Batch("4x4:3,gravity,wild,players=3", 10, seed=3) for _ in range(2))
    for alone, together in zip(one.playouts(), many.playouts(threads), strict=True):
        assert (alone == together).all()


def test_finished_batch_games_restart() -> None:
    batch = Batch("3x3", 2)
    for actions in ([0, 0], [3, 4], [1, 1], [4, 8]):
        batch.step(actions)
    rewards, ended = batch.step([2, 3])
    assert rewards.tolist() == [[1, -1], [0, 0]]
    assert rewards.dtype == np.float32
    assert ended.tolist() == [True, False]
    assert (batch.ply.tolist(), batch.winner.tolist(), batch.turn.tolist()) == ([0, 5], [-2, -2], [0, 1])
    assert batch.cells.tolist() == [[-1] * 9, [0, 0, -1, 0, 1, -1, -1, -1, 1]]
    batch.restart([False, True])
    assert batch.ply.tolist() == [0, 0]
    batch.step([4, -1])
    batch.restart()
    assert_same(batch, [TicTacToe(), TicTacToe()])


@pytest.mark.parametrize("which", [[True], [0, 1], np.array([1, 0], np.int8)])
def test_restart_accepts_only_bools(which: Any) -> None:
    """Numbers of games are refused: [0, 1] would restart the second of two games and not the first."""
    batch = Batch("3x3", 2)
    batch.step([4, 4])
    with pytest.raises(ValueError, match="restart needs 2 bools"):
        batch.restart(which)
    assert batch.ply.tolist() == [1, 1]


def test_illegal_action_changes_nothing() -> None:
    batch = Batch("7x6:4,gravity", 6)
    for _ in range(6):
        batch.step([3, 2, 1, 0, -1, -1])
    before = batch.copy()
    with pytest.raises(IllegalActions) as refused:
        batch.step([3, 0, 1, 7, -2, 4])
    assert (refused.value.games, refused.value.actions) == ((0, 2, 3, 4), (3, 1, 7, -2))
    assert str(refused.value) == (
        "no legal action: 3 in game 0, 1 in game 2, 7 in game 3 and 1 more; nothing was changed"
    )
    for name in ("cells", "turn", "ply", "winner", "legal"):
        assert (getattr(batch, name) == getattr(before, name)).all()


def test_finished_game_allows_no_action() -> None:
    batch = Batch.of([new_game("2x2:2")])
    for action in (0, 1, 2):
        batch.step([action], restart=False)
    assert not batch.legal.any()
    with pytest.raises(IllegalActions, match="no legal action: 3 in game 0; nothing"):
        batch.step([3])
    rewards, ended = batch.step([-1], restart=False)
    assert (rewards.tolist(), ended.tolist()) == ([[0, 0]], [True])
    winners, plies = batch.playouts()
    assert (winners.tolist(), plies.tolist()) == ([0], [3])


@pytest.mark.parametrize("spec", ["3x3", "5x4:3,gravity", "4x4:3"])
def test_playouts_keep_finished_games(spec: str) -> None:
    game = new_game(spec)
    while game.outcome is None:
        game.play(game.legal_moves()[-1])
    batch = Batch.of([game, new_game(spec)], seed=1)
    states = batch._games.chance.tolist()
    winners, plies = batch.playouts()
    assert (winners[0], plies[0]) == (number_of(game), game.ply)
    assert batch._games.chance[0] == states[0] != states[1] != batch._games.chance[1]


@pytest.mark.parametrize("actions", [[1], [[1, 2]], [0.0, 1.0], ["a", "b"], 1, None, [True, False]])
def test_step_refuses_invalid_actions(actions: Any) -> None:
    with pytest.raises(ValueError, match="step needs 2 whole numbers"):
        Batch("3x3", 2).step(actions)


def test_step_refuses_masked_actions() -> None:
    """The number under the mask would be played."""
    batch = Batch("3x3", 2)
    with pytest.raises(ValueError, match="no action is masked; -1 leaves a game as it is"):
        batch.step(np.ma.array([4, 4], mask=[True, False]))
    batch.step(np.ma.array([4, 4]))
    assert batch.ply.tolist() == [1, 1]


def test_mark_order_is_part_of_rules() -> None:
    """The message names the marks, since the specs are equal."""
    begun_by_o = TicTacToe(marks=("O", "X"))
    with pytest.raises(ValueError, match="have the same rules, not 3x3:3 of X, O and 3x3:3 of O, X"):
        Batch.of([TicTacToe(), begun_by_o])
    with pytest.raises(ValueError, match="games of this batch are 3x3:3 of X, O, not 3x3:3 of O, X"):
        Batch("3x3", 2).put(0, begun_by_o)


@pytest.mark.parametrize("n", [0, -1, 1 << 31, True, 2.0, "5"])
def test_batch_refuses_invalid_sizes(n: Any) -> None:
    with pytest.raises(ValueError, match="a batch has 1 to"):
        Batch("3x3", n)


def test_batch_accepts_numpy_numbers() -> None:
    batch, plain = Batch("3x3", np.int32(20), seed=np.uint8(7)), Batch("3x3", 20, seed=7)
    assert (type(batch.n), len(batch)) == (int, 20)
    for one, other in zip(batch.playouts(np.int64(2)), plain.playouts(), strict=True):
        assert (one == other).all()
    with pytest.raises(TypeError):
        Batch("3x3", 2, seed=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("games", [[TicTacToe()], TicTacToe(), None])
def test_constructor_refuses_games(games: Any) -> None:
    with pytest.raises(TypeError, match=r"no name, spec or Rules; Batch\.of makes a batch of games"):
        Batch(games, 1)


@pytest.mark.parametrize("kind", ["i1", "u1", "i8", "u4", "u8"])
def test_step_accepts_all_integer_types(kind: str) -> None:
    batch, most = Batch("3x3", 2), np.iinfo(kind).max
    batch.step(np.array([0, 8], kind))
    with pytest.raises(IllegalActions) as refused:
        batch.step(np.array([most, 1], kind))
    assert (refused.value.games, refused.value.actions) == ((0,), (most,))
    assert batch.ply.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["renju", "reversi", "pentago", "fifteen", "order-and-chaos", "ultimate"])
def test_batch_refuses_other_games(name: str) -> None:
    with pytest.raises(UnsupportedRules) as refused:
        Batch(name, 2)
    assert (refused.value.who, refused.value.reason) == ("batch", "unknown-rules")
    with pytest.raises(UnsupportedRules):
        Batch.of([new_game(name)])


@pytest.mark.slow
def test_batch_refuses_unusable_arguments() -> None:
    with pytest.raises(NotFound):
        Batch("chess", 2)
    with pytest.raises(UnsupportedRules) as refused:
        Batch("^".join(("10", "6")), 1)
    assert (refused.value.reason, refused.value.data) == ("too-large", {"cells": MAX_NEIGHBOURS // 364})
    with pytest.raises(ValueError, match="a batch needs a game"):
        Batch.of([])
    with pytest.raises(ValueError, match="not 3x3:3 of X, O and 4x4:4 of X, O"):
        Batch.of([new_game("3x3"), new_game("4x4")])
    with pytest.raises(TypeError, match="no Game"):
        Batch.of(["3x3"])  # type: ignore[list-item]

    class Particular(KInARow):
        pass

    with pytest.raises(UnsupportedRules):
        Batch.of([Particular(shape=(3, 3))])
    with pytest.raises(UnsupportedRules):
        Batch("3x3", 1).put(0, Particular(shape=(3, 3)))


def test_batch_without_numpy_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(
        ExtraMissing, match=r'Batch needs the extra study: pip install "\.\[study\]" in a clone'
    ):
        Batch("3x3", 1)


def test_batch_views_are_read_only() -> None:
    batch = Batch("3x3", 2)
    cells = batch.cells
    for name in ("cells", "turn", "winner"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[0] = 0
    batch.step([4, 4])
    assert cells[0, 4] == 0  # The view shows the present state.


def test_batch_reports_size_and_memory() -> None:
    batch = Batch(Rules(shape=(3, 4), k=3, marks=("O", "X")), 5)
    assert (len(batch), batch.actions, repr(batch)) == (5, 12, "<Batch 4x3:3, 5 games>")
    assert batch.game(0).turn == "O"
    # As in docs/study.md: a byte a cell, four a move, and 23 more.
    assert batch.nbytes == 5 * (13 + 1 + 1 + 4 + 4 + 4 + 8 + 4 * 12)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_batch_returns_its_games(spec: str) -> None:
    games = []
    for seed in range(6):
        games.append(game := new_game(spec))
        chance = Random(seed)
        while game.outcome is None and game.ply < 3 * seed:
            game.play(chance.choice(game.legal_moves()))
    batch = Batch.of(games)
    assert_same(batch, games)
    for number, game in enumerate(games):
        out = batch.game(number)
        assert (out.moves, out.cells, out.outcome, out.key()) == (
            *(game.moves, game.cells, game.outcome, game.key()),
        )
    assert batch.game(-1).moves == games[-1].moves
    for number in (6, -7):
        with pytest.raises(IndexError, match="among 6"):
            batch.game(number)
    play_both(batch, games, seed=1, plies=15)


POSITIONS = (
    ("3x3:3,vanish=3", "X..O.XX.O", None, "6,1,7;9,4"),
    ("3x3:3,vanish=3", "XOXO.OX..", "X", "3,1,7;2,6,4"),
    ("3x3:3,vanish=3", "XO.OX.X.O", "O", "1,5,7;2,4,9"),
    ("3x3:3,vanish=3", "X...O....", None, None),
    ("5x5:4", "X...O.....X..............", None, None),
    ("3x3:3,wild", "XOX......", None, None),
    ("7x6:4,gravity", "." * 35 + "XO.....", None, None),
    ("3x3:3,notakto", "XX.......", None, None),
)


@pytest.mark.parametrize(("spec", "board", "side", "extra"), POSITIONS)
def test_batch_keeps_start_positions(spec: str, board: str, side: str | None, extra: str | None) -> None:
    cells = [None if mark == "." else mark for mark in board]
    start = new_game(spec).at(cells, side, extra)
    games = [start.copy() for _ in range(5)]
    for seed, game in enumerate(games):
        while game.outcome is None and game.ply < seed:
            game.play(Random(seed).choice(game.legal_moves()))
    batch = Batch.of(games, seed=3)
    states = batch._games.chance.tolist()
    winners, plies = batch.playouts()
    for number, game in enumerate(games):
        assert batch.game(number).moves == game.moves
        assert batch.game(number).key() == game.key()
        assert (winners[number], plies[number]) == replayed(game.copy(), states[number])[:2]
    twin = batch.copy()
    play_both(batch, games, seed=2, plies=12)
    twin.restart()
    assert twin.game(0).cells == new_game(spec).cells
    assert batch.game(0).moves == games[0].moves


def test_restart_uses_the_empty_board() -> None:
    start = new_game("3x3").at(["X", "X", None, "O", "O", *[None] * 4])
    batch = Batch.of([start, start.copy()])
    batch.step([2, 8])
    assert (batch.ply.tolist(), batch.winner.tolist()) == ([0, 1], [-2, -2])
    assert batch.game(0).cells == new_game("3x3").cells
    assert batch.game(1).moves == ((2, 2),)
    assert batch.game(1).cells.count("X") == 3


def test_third_repetition_draws_in_batch() -> None:
    """Marks vanish here, and the arrays of moves grow meanwhile."""
    batch, game = Batch("3x3:3,vanish=3", 2), new_game("3x3:3,vanish=3")
    around = [0, 2, 1, 3, 5, 4, 7, 8] * 4
    for cell in around:
        if game.outcome is None:
            game.play(game.board.coordinate(cell))
            batch.step([cell, -1], restart=False)
            assert batch.winner.tolist() == [number_of(game), layout.ONGOING]
    assert game.outcome is not None
    assert game.outcome.termination == "repetition"
    assert batch.game(0).outcome == game.outcome


def test_observations_show_own_marks_first() -> None:
    batch = Batch("2x3:2,players=3", 1)
    batch.step([0])
    batch.step([3])
    own, first, second = batch.observations[0]
    assert batch.observations.shape == (1, 3, 3, 2)
    assert not own.any()
    assert np.argwhere(first).tolist() == [[0, 0]]
    assert np.argwhere(second).tolist() == [[1, 1]]


def test_shared_marks_have_a_plane_each() -> None:
    wild = Batch("3x3:3,wild", 1)
    wild.step([3])  # O on the second cell
    assert np.argwhere(wild.observations[0]).tolist() == [[1, 0, 1]]
    notakto = Batch("3x3:3,notakto", 1)
    notakto.step([8])
    assert np.argwhere(notakto.observations[0]).tolist() == [[0, 2, 2]]
    assert wild.game(0).moves == (Placement((0, 1), "O"),)


def test_planes_show_age_of_vanishing_marks() -> None:
    batch = Batch("3x3:3,vanish=3", 2)
    for cell in (0, 4, 1, 3):
        batch.step([cell, -1])
    # The first mark leaves after two more have been placed, the other one later.
    assert np.argwhere(batch.observations[0]).tolist() == [
        *([1, 0, 0], [2, 0, 1]),
        *([4, 1, 1], [5, 1, 0]),
    ]
    assert not batch.observations[1].any()
    for cell in (8, 7, 6):
        batch.step([cell, -1])
    assert np.argwhere(batch.observations[0, :3]).tolist() == [[0, 1, 1], [1, 1, 0], [2, 2, 1]]
    assert np.argwhere(batch.observations[0, 3:]).tolist() == [[0, 0, 1], [1, 2, 2], [2, 2, 0]]


def out_of_turn() -> KInARow:
    """Return a game in which X has moved twice and is to move again."""
    game: KInARow = TicTacToe()
    for cell in ((0, 0), (0, 1)):
        game.play(cell)
        turned = game.with_turn("X")
        assert turned is not None
        game = turned
    return game


def test_batch_refuses_games_out_of_turn() -> None:
    with pytest.raises(ValueError, match="in turn"):
        Batch.of([out_of_turn()])


def test_put_replaces_game_or_changes_nothing() -> None:
    start = new_game("3x3").at(["X", "X", None, "O", *[None] * 5], "O")
    batch = Batch.of([start, new_game("3x3")], seed=1)
    batch.step([4, 4])
    for refused, words in (
        (out_of_turn(), "in turn"),
        (new_game("4x4"), "are 3x3:3 of X, O, not 4x4:4 of X, O"),
    ):
        with pytest.raises(ValueError, match=words):
            batch.put(0, refused)
    assert (batch.game(0).cells[4], batch.ply.tolist()) == ("O", [1, 1])
    batch.put(0, TicTacToe())
    batch.put(-1, start)
    assert (batch.game(0).cells, batch.game(1).cells) == (TicTacToe().cells, start.cells)
    with pytest.raises(IndexError, match="no game 2 among 2"):
        batch.put(2, start)


@pytest.mark.parametrize("again", AGAIN)
def test_playouts_find_early_wins_out_of_turn(again: Any) -> None:
    batch = Batch("3x3", 300, seed=1)
    for number in range(300):
        batch.set_position(number, out_of_turn())
    assert again(batch).playouts()[1].min() == batch.playouts()[1].min() == 1


def test_playouts_find_early_wins_on_large_boards() -> None:
    game: KInARow | None = new_game("15x2:2")  # type: ignore[assignment]
    assert game is not None
    game.play((0, 0))
    game = game.with_turn("X")
    assert game is not None
    batch = Batch("15x2:2", 100, seed=1)
    for number in range(100):
        batch.set_position(number, game)
    assert batch.playouts()[1].min() == 1


@pytest.mark.parametrize("spec", ["3x3", "5x5:4,players=3", "3x3:3,vanish=3", "3x3:3,wild"])
def test_observed_by_matches_view_of_mover(spec: str) -> None:
    batch = Batch(spec, 3)
    for action in (0, 4, 1):
        batch.step([action * (2 if "wild" in spec else 1)] * 3)
    seen, count = batch.observations, batch.rules.players
    for later in range(count):
        sides = (batch.turn + later) % count
        shown = batch.observed_by(sides)
        if "wild" in spec:
            assert (shown == seen).all()
            continue
        blocks = np.split(shown, count, axis=1)
        assert (np.concatenate(blocks[-later:] + blocks[:-later], axis=1) == seen).all() or not later
        assert later or (shown == seen).all()
