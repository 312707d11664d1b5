"""The engine: its proofs are true, its results are reproducible, and it stops at limits."""

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any, cast

import pytest

from noughts import KInARow, new_game
from noughts.core.board import index_of
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.notation import parse_position, play_moves
from noughts.search.analysis import Analysis, Limit, Progress
from noughts.search.engine.deepening import CHUNK, Deepening
from noughts.search.engine.engine import Engine
from noughts.search.engine.incremental import memory_of
from noughts.search.engine.kernels import (
    INNER_SEQUENCE,
    LIKELY,
    MAX_STORED_DEPTH,
    MAX_WORTH,
    WIN,
    close_position,
    evaluate,
    is_decided,
    probe,
    run,
    store,
    stored_move,
)
from noughts.search.engine.memory import PLIES, EngineMemory
from noughts.search.engine.ordering import MAX_HISTORY, update_history
from noughts.search.general.proving import ProofSearch
from noughts.search.numba_backend import F, Machine, python_machine
from tests.search.machines import MACHINES, machine_of, rules_of

PLAIN = Engine(machine=python_machine())

SPECS = (
    *("4x4:3", "5x4:4", "3x3:3,wrap", "4x4:3,exact", "5x4:4,gravity", "4x4:3,gravity,exact", "3x3x3:3"),
    *("5x5:4", "3x3:3", "4x3:2", "3x2:1", "5x5:4,exact,wrap"),
)


def middle_game(spec: str, chance: Random, free: int) -> KInARow:
    """Return a random position that is not over and has at most *free* empty cells."""
    while True:
        game = new_game(spec)
        assert isinstance(game, KInARow)
        while game.outcome is None and (game.cells.count(None) > free or chance.random() < 0.5):
            game.play(chance.choice(game.legal_moves()))
        if game.outcome is None:
            return game


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_engine_proofs_are_true(spec: str) -> None:
    chance, proofs = Random(spec), ProofSearch(new_game(spec))
    for _ in range(15):
        game = middle_game(spec, chance, 10)
        result, (value, plies) = PLAIN.search(game, Limit(nodes=400)), proofs.value_of(game)
        assert result.value in (None, value)
        assert result.plies in (None, plies)
        assert result.best in game.legal_moves()
        if value == 1 and plies <= 3:
            assert result.value == 1


def wins(game: Game, engine: Engine) -> bool:
    """Return True if the side to move wins with the engine's moves against every reply."""
    result = engine.search(game, Limit(nodes=3000))
    if result.value != 1 or result.best is None:
        return False
    game = game.copy()
    game.play(result.best)
    if game.outcome is not None:
        return True
    for reply in game.legal_moves():
        game.play(reply)
        if game.outcome is not None or not wins(game, engine):
            return False
        game.undo()
    return True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "position"),
    [
        ("6x6:4", "....../....../..X.../...X../..OO../......"),
        ("6x6:4", "....../....../..XO../..X.../....O./......"),
        ("5x5:4", "...../.XX../...../..OO./....."),
        ("7x7:5", "......./..X..../..XOO../..XO.../..O.X../...O.../..X...."),
        ("6x6:4,exact", "....../..XO../..XO../....../....../......"),
    ],
)
def test_proved_wins_beat_every_reply(spec: str, position: str) -> None:
    game = parse_position(new_game(spec), position)
    if PLAIN.search(game, Limit(nodes=3000)).value == 1:
        assert wins(game, PLAIN)


@pytest.mark.parametrize(
    "spec",
    [
        *("connect4", "qubic", "score4", "torus", "7x9:4", "8x7:4,exact"),
        *(pytest.param(spec, marks=pytest.mark.slow) for spec in ("gomoku", "gomoku-standard", "22x6:6")),
    ],
)
def test_machines_give_same_nodes_and_moves(spec: str) -> None:
    game = new_game(spec)
    chance = Random(spec)
    for _ in range(4):
        game.play(chance.choice(game.legal_moves()))
    engines, limit = [Engine(machine=machine_of(name)) for name in MACHINES], Limit(nodes=800)
    result = [engine.search(game, limit) for engine in (*engines, engines[-1])]
    assert result[0] == result[1] == result[2]
    assert result[0].nodes <= 800


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["gomoku", "connect4", "9x9:5,exact,wrap"])
def test_search_leaves_the_game_unchanged(spec: str) -> None:
    game = new_game(spec)
    game.play(game.legal_moves()[0])
    before = (game.key(), game.moves, game.outcome, game.turn)
    result = PLAIN.search(game, Limit(nodes=300))
    assert (game.key(), game.moves, game.outcome, game.turn) == before
    for move in result.pv:
        game.play(move)
    assert result.pv[0] == result.best


@pytest.mark.parametrize("spec", ["gomoku", "connect4", "5x5:4", "qubic", "7x7:4,exact,wrap"])
def test_search_respects_node_limit(spec: str) -> None:
    game = middle_game(spec, Random(spec), 200)
    for nodes in (0, 1, 2, 3, 5, 17, 100, 333):
        result = PLAIN.search(game, Limit(nodes=nodes))
        assert result.nodes <= nodes
        assert result.best in game.legal_moves()


@pytest.mark.parametrize("looks", [0, 1, 5, 40])
def test_engine_restarts_when_compiled_machine_is_ready(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result and the node count are as if the machine had been ready from the start."""
    machine, polls, reports = machine_of("numba"), count(), list[Progress]()
    engine, game, limit = Engine(reports.append), middle_game("gomoku", Random(3), 215), Limit(nodes=2000)
    monkeypatch.setattr(
        engine, "_select_machine", lambda stop=None: machine if next(polls) >= looks else python_machine()
    )
    assert engine.search(game, limit) == Engine(machine=machine).search(game, limit)
    assert reports[-1].nodes <= 2000


@pytest.mark.slow
def test_large_boards_check_stop_signal_more_often() -> None:
    max_allowed = {}
    for side in (5, 19, 38, 60):
        game = new_game(f"{side}x{side}:5")
        assert isinstance(game, KInARow)
        memory, machine = memory_of(game, rules_of(game), python_machine(), 1024), Running()
        Deepening(memory, 0, machine, Limit(nodes=200)).search()
        max_allowed[side] = max(machine.allowed)
    assert max_allowed == {5: CHUNK, 19: CHUNK, 38: 6, 60: 2}


class Running(Machine):
    """A machine that records the number of moves allowed between two checks."""

    def __init__(self) -> None:
        self.allowed: list[int] = []

    def function(self, kernel: F) -> F:
        def noted(memory: EngineMemory, max_nodes: int) -> Any:
            self.allowed.append(max_nodes - memory.count)
            return kernel(memory, max_nodes)

        return cast(F, noted) if kernel is run else kernel


@pytest.mark.parametrize("spec", ["gomoku", "connect4"])
@pytest.mark.parametrize("max_polls", [0, 1, 7])
def test_engine_checks_stop_signal_often(spec: str, max_polls: int) -> None:
    polls = count()
    result = PLAIN.search(new_game(spec), Limit(stop=lambda: next(polls) >= max_polls))
    assert result.best is not None
    assert result.nodes <= max_polls * (CHUNK + 2 * INNER_SEQUENCE)


@pytest.mark.slow
def test_engine_opens_in_the_middle() -> None:
    for spec in ("gomoku", "19x19:5", "7x7:5", "5x5x5:5"):
        game = new_game(spec)
        assert PLAIN.search(game, Limit(nodes=1)).best == tuple(side // 2 for side in game.shape)
    assert PLAIN.search(new_game("connect4"), Limit(nodes=100)).best == (5, 3)


def test_engine_avoids_cells_below_wins() -> None:
    game = new_game("connect4")
    play_moves(game, ["2", "1", "3", "1", "4", "1", "7", "7", "2", "3", "3", "4"])
    for nodes in (1, 10, 1000):
        best = PLAIN.search(game, Limit(nodes=nodes)).best
        assert best is not None
        game.play(best)
        assert not [reply for reply in game.legal_moves() if ends(game, reply)]
        game.undo()


def ends(game: Game, move: tuple[int, ...]) -> bool:
    game.play(move)
    won = game.winner is not None
    game.undo()
    return won


def test_engine_sees_that_every_move_loses() -> None:
    """One column is left, and a mark on its first cell lets the other side win above it."""
    game = parse_position(new_game("3x3:3,gravity"), "X.X/O.X/OXO O")
    result = PLAIN.search(game, Limit(nodes=10))
    assert (result.value, result.plies) == (-1, 2)


def test_engine_search_of_ended_games() -> None:
    game = new_game("3x3:3")
    play_moves(game, ["1", "4", "2", "5", "3"])
    assert PLAIN.search(game) == Analysis(-1, 0, None, 0)
    draw = parse_position(new_game("3x3:3"), "XOX/XOO/OXX")
    assert PLAIN.search(draw) == Analysis(0, None, None, 0)


@pytest.mark.parametrize("spec", ["misere", "wild", "notakto", "vanishing", "three", "reversi", "70x70:5"])
def test_engine_refuses_unsupported_games(spec: str) -> None:
    game = new_game(spec)
    assert not Engine.supports(game)
    with pytest.raises(UnsupportedRules):
        PLAIN.search(game)


def test_evaluation_is_symmetric_for_sides() -> None:
    """Exchanging all marks and the sides leaves the evaluation unchanged."""
    chance = Random(1)
    exchange = {"X": "O", "O": "X", None: None}
    for spec in ("9x9:5", "4x4x4:4", "7x6:4,gravity", "6x6:4,exact"):
        game = middle_game(spec, chance, 60)
        if len(game.moves) % 2:
            game.undo()
        other = game.at([exchange[mark] for mark in game.cells], "X")
        mine, theirs = (memory_of(one, rules_of(one), python_machine(), 2) for one in (game, other))
        assert evaluate(mine, 0) == evaluate(theirs, 1)
        assert evaluate(mine, 0) + evaluate(mine, 1) == evaluate(theirs, 0) + evaluate(theirs, 1)


@pytest.mark.slow
def test_engine_reports_progress() -> None:
    reports: list[Progress] = []
    game = new_game("gomoku")
    Engine(reports.append, python_machine()).search(game, Limit(nodes=1500))
    *depths, last = [progress.depth for progress in reports]  # The last one is of the stopped search.
    assert [*depths, last] == [*range(1, len(reports)), len(depths)]
    assert reports[-1].best in game.legal_moves()
    assert index_of(game.shape, (7, 7)) == 112


def test_engine_respects_depth_limit() -> None:
    reports: list[Progress] = []
    Engine(reports.append, python_machine()).search(new_game("connect4"), replace(Limit(), depth=2))
    assert reports[-1].depth == 2


@pytest.mark.parametrize(
    ("spec", "position", "value"),
    [
        ("7x7:4", "..XOO../......./...X.../...O.../......./.X...../....... X", 1),
        ("7x7:4", "....X../......./......./..X..../O..O.../..X..../....... O", -1),
        ("5x5:4", "...../.X.../..X../...../....O O", -1),
        pytest.param(
            "7x7:4", "......./X....../......./......./.X...../......./.O..... O", None, marks=pytest.mark.slow
        ),
        (
            "9x9:5",
            "........./.O......./.X......./.OXXXXO../.O.XOX.../....O...X/........./O......../......... O",
            None,
        ),
    ],
)
def test_engine_decides_by_threats_alone(spec: str, position: str, value: int | None) -> None:
    """The expected values are those of the exact search."""
    game = parse_position(new_game(spec), position)
    result = PLAIN.search(game, Limit(nodes=3000))
    assert result.value == value
    assert result.plies is None
    assert result.best in game.legal_moves()
    assert result.score is not None
    assert result.value is None or (result.score > 0) == (result.value > 0)


def test_forced_win_has_score() -> None:
    game = parse_position(new_game("6x6:4"), "....../.XX.../.X..../..O.O./....../...O..")
    assert PLAIN.search(game, Limit(nodes=300)).score == 29_997


def test_history_scores_rise_and_are_capped() -> None:
    game = new_game("5x5:4")
    assert isinstance(game, KInARow)
    memory = memory_of(game, rules_of(game), python_machine(), 2)
    memory.depth[0] = 20
    for _ in range(3):
        update_history(memory, 0, 0, 7)
    update_history(memory, 0, 0, 8)
    update_history(memory, 0, 0, 8)
    assert memory.history[8] > memory.history[7] > memory.history[9] == 0
    assert memory.history[8] <= MAX_HISTORY
    assert memory.killers[:2] == [9, 8]


def test_full_stack_ends_the_search() -> None:
    game = new_game("15x15:5")
    assert isinstance(game, KInARow)
    memory = memory_of(game, rules_of(game), python_machine(), 2)
    memory.attacker = -1
    assert not is_decided(memory, PLIES - 2, 0)
    assert is_decided(memory, PLIES - 1, 0)
    assert memory.value == evaluate(memory, 0) != 0
    memory.attacker = 0
    assert is_decided(memory, PLIES - 1, 0)
    assert memory.value == 0


@pytest.mark.parametrize(
    ("depth", "best"),
    [(0, -LIKELY), (1, -7), (127, 0), (128, 123), (255, MAX_WORTH), (256, -LIKELY), (4096, 0)],
)
def test_table_stores_any_depth(depth: int, best: int) -> None:
    game = new_game("5x5:4")
    assert isinstance(game, KInARow)
    memory = memory_of(game, rules_of(game), python_machine(), 2)
    memory.attacker = -1
    memory.low[0], memory.high[0], memory.start[0] = -WIN, WIN, -WIN
    memory.best[0], memory.answer[0], memory.depth[0] = best, 12, depth
    store(memory, 0)
    assert probe(memory, 0)
    assert (memory.value, stored_move(memory)) == (best, 12)
    memory.depth[0] = depth + 1
    assert probe(memory, 0) == (depth >= MAX_STORED_DEPTH >= PLIES)


@pytest.mark.parametrize(
    ("stored_in", "settled_in", "open_in"),
    [
        ((-10, 20), [(-10, 20), (-10, 30), (29, 30)], [(-10, 40), (29, 31), (30, 40)]),  # 30 or more
        ((40, 50), [(40, 50), (30, 31), (30, 50)], [(29, 50), (20, 30), (29, 30)]),  # 30 or less
        ((20, 40), [(20, 40), (0, 10), (50, 60)], []),  # 30
    ],
)
def test_stored_bound_settles_only_outside_window(
    stored_in: tuple[int, int], settled_in: list[tuple[int, int]], open_in: list[tuple[int, int]]
) -> None:
    game = new_game("5x5:4")
    memory = memory_of(game, rules_of(game), python_machine(), 2)
    memory.attacker, memory.best[0], memory.answer[0] = -1, 30, 12
    memory.start[0], memory.high[0] = stored_in
    store(memory, 0)
    for window in settled_in + open_in:
        memory.low[0], memory.high[0] = window
        assert probe(memory, 0) == (window in settled_in)


def test_loss_needs_all_moves_tried() -> None:
    game = new_game("5x5:4")
    assert isinstance(game, KInARow)
    memory = memory_of(game, rules_of(game), python_machine(), 2)
    for sure, value in ((1, 4 - WIN), (0, -LIKELY)):
        memory.sure[0], memory.best[0] = sure, 4 - WIN
        close_position(memory, 0)
        assert memory.value == value
