"""The pattern search: its classes of lines and points, its board, and its proofs."""

from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from itertools import count, pairwise, product
from random import Random
from typing import Any

import pytest
from benchmarks import pattern_bench

from noughts import new_game
from noughts.errors import NoughtsError
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.games.notation import parse_position, play_moves
from noughts.search.analysis import Limit, Progress
from noughts.search.engine.engine import Engine
from noughts.search.numba_backend import Machine, python_machine
from noughts.search.patterns.alpha_beta import LIKELY, PROVED, begin, run
from noughts.search.patterns.fours import find_sequence, find_static_result, find_winning_move
from noughts.search.patterns.line_classes import (
    BARRED,
    FIVE,
    FIVE_POINT,
    FOUR,
    FOUR_POINT,
    OPEN_FOUR,
    OPEN_THREE,
    OTHER,
    OWN,
    THREE,
    line_classes,
    line_classes_of_sides,
    reach_of,
)
from noughts.search.patterns.memory import PatternMemory
from noughts.search.patterns.position import evaluate
from noughts.search.patterns.search import CHUNK, PatternBoard, PatternSearch, has_patterns
from tests.search.machines import MACHINES, machine_of, rules_of

SPECS = ("7x7:4", "6x9:4,exact", "15x15:5", "9x8:5,exact", "10x10:6", "9x9:5,renju")


def is_row(window: tuple[int, ...], k: int, exact: bool) -> bool:
    """Return True if the mark in the middle of *window* is part of a winning row."""
    middle = len(window) // 2
    first = last = middle
    while first and window[first - 1] == OWN:
        first -= 1
    while last + 1 < len(window) and window[last + 1] == OWN:
        last += 1
    length = last - first + 1
    return length == k if exact else length >= k


@pytest.mark.slow
@pytest.mark.parametrize(("k", "exact"), [(4, False), (4, True), (5, False)])
def test_line_classes_count_winning_continuations(k: int, exact: bool) -> None:
    """The classes from FOUR up follow from their definition alone."""
    reach = reach_of(k, exact)
    classes = line_classes(k, exact, python_machine())
    for key, digits in enumerate(product((0, OWN, OTHER), repeat=2 * reach)):
        window = (*digits[:reach], OWN, *digits[reach:])
        wins = [
            place
            for place, cell in enumerate(window)
            if cell == 0 and abs(place - reach) < k
            if is_row((*window[:place], OWN, *window[place + 1 :]), k, exact)
        ]
        expected = (
            FIVE if is_row(window, k, exact) else OPEN_FOUR if len(wins) > 1 else FOUR if wins else None
        )
        if expected is None:
            assert classes[key] < FOUR
        else:
            assert classes[key] == expected


def key_of(window: str) -> int:
    """Return the key of a *window*, in which ``*`` is the middle."""
    return reduce(lambda key, cell: 3 * key + ".xo".index(cell), window.replace("*", ""), 0)


def test_open_three_needs_room() -> None:
    classes = line_classes(5, False, python_machine())
    assert classes[key_of("..xx*....")] == OPEN_THREE
    assert classes[key_of("o.xx*.o..")] < OPEN_THREE
    assert classes[key_of(".oxx*....")] < OPEN_THREE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("window", "line_class"),
    [
        ("..xxx*xx...", BARRED),  # six in a row
        ("..x.xx*.x..", BARRED),  # two fours
        ("...xxx*....", OPEN_FOUR),
        (".x.xxx*....", FOUR),  # six on the left
        ("...xxxx*...", FIVE),
        ("x.x.*x.....", THREE),  # six on the left
    ],
)
def test_line_classes_of_black_bar_illegal_lines(window: str, line_class: int) -> None:
    classes, _ = line_classes_of_sides(rules_of(new_game("renju")), python_machine())
    assert classes[key_of(window)] == line_class


def test_line_classes_of_white_ignore_far_cells() -> None:
    _, classes = line_classes_of_sides(rules_of(new_game("renju")), python_machine())
    inner = line_classes(5, False, python_machine())
    chance = Random(5)
    for _ in range(200):
        key, first, last = (chance.randrange(size) for size in (len(inner), 3, 3))
        assert classes[(first * len(inner) + key) * 3 + last] == inner[key]


def state_of(memory: PatternMemory) -> dict[str, Any]:
    """Return the position in *memory*, without the order of its marks. Windows of marks are not kept."""
    empty = [int(cell) for cell in memory.cells if not memory.board[cell]]
    both = [side * memory.size + cell for side in (0, 1) for cell in empty]
    return {
        "key": memory.key,
        "free": memory.free,
        "board": list(memory.board),
        "neighbours": list(memory.neighbours),
        "counts": list(memory.counts),
        "sums": [*memory.sums],
        "windows": [memory.windows[4 * cell + direction] for cell in empty for direction in range(4)],
        "shapes": [memory.shapes[i] for i in both],
        "points": [memory.point[i] for i in both],
    }


def check_board(spec: str, machine: Machine, rounds: int, changes: int) -> None:
    """Compare a board with a new one after each of some *rounds* of random *changes*."""
    chance, rules = Random(spec), rules_of(new_game(spec))
    board = PatternBoard(rules, 2, machine)
    free = list(board.cells)
    for _ in range(rounds):
        bias = chance.choice((0.3, 0.45, 0.6))
        for _ in range(changes):
            if board.marks and (not free or chance.random() < bias):
                free.append(board.marks[-1][0])
                board.remove()
            else:
                place = chance.randrange(len(free))
                free[place], free[-1] = free[-1], free[place]
                board.place(free.pop(), chance.randrange(2))
        other = PatternBoard(rules, 2, machine)
        for mark in chance.sample(board.marks, len(board.marks)):
            other.place(*mark)
        assert state_of(board.memory) == state_of(other.memory)
    while board.marks:
        board.remove()
    assert state_of(board.memory) == state_of(PatternBoard(rules, 2, machine).memory)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("machine", MACHINES)
def test_board_equals_new_one_after_undos(machine: str, spec: str) -> None:
    check_board(spec, machine_of(machine), 8, 60)


@pytest.mark.weekly
@pytest.mark.parametrize("rule", ["", ",exact", ",renju"])
@pytest.mark.parametrize("k", [4, 5, 6])
@pytest.mark.parametrize("shape", ["{k}x{k}", "{k}x22", "22x{k}", "15x15", "9x12", "22x22"])
def test_board_equals_new_one_after_million_undos(shape: str, k: int, rule: str) -> None:
    spec = f"{shape.format(k=k)}:{k}{rule}"
    with suppress(NoughtsError):  # Renju has rows of five alone.
        if has_patterns(new_game(spec)):
            check_board(spec, machine_of("numba"), 500, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_five_points_are_winning_moves(spec: str) -> None:
    """They agree with the rules of the game."""
    chance = Random(spec)
    for _ in range(6):
        game = new_game(spec)
        assert isinstance(game, KInARow)
        for _ in range(len(game.cells) // 2):
            if game.outcome is None:
                game.play(chance.choice(game.legal_moves()))
        if game.outcome is not None:
            continue
        board = PatternBoard(rules_of(new_game(spec)), 2, python_machine())
        board.set_up(game)
        side = game.sides.index(game.turn)
        for move in game.legal_moves():
            game.play(move)
            wins = game.outcome is not None and game.outcome.winner is not None
            game.undo()
            cell = board.cells[move[0] * game.shape[1] + move[1]]
            assert (board.memory.point[side * board.memory.size + cell] == FIVE_POINT) == wins


def test_board_is_reused_for_another_position() -> None:
    rules, machine = rules_of(new_game("gomoku")), python_machine()
    board, game = PatternBoard(rules, 2, machine), new_game("gomoku")
    for move in ((7, 7), (7, 8), (8, 8)):
        game.play(move)
        board.set_up(game)
    for _ in range(2):
        game.undo()
    game.play((0, 0))
    board.set_up(game)
    other = PatternBoard(rules, 2, machine)
    other.set_up(game)
    assert state_of(board.memory) == state_of(other.memory)


@pytest.mark.slow
def test_bench_signature_is_equal_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_bench, "POSITIONS", len(pattern_bench.RULES))
    results = [pattern_bench.bench(machine_of(name), 300) for name in MACHINES]
    assert results[0][:2] == results[1][:2]
    assert results[0].nodes > 1000


def stopping_after(polls: int) -> Callable[[], bool]:
    """Return a stop signal that is set after a number of *polls*."""
    numbers = count()
    return lambda: next(numbers) > polls


@pytest.mark.slow
def test_engine_forgets_the_last_game() -> None:
    """The next game gets the same board. A new table for each game once filled the memory."""
    engine, game = Engine(machine=python_machine()), new_game("gomoku")
    for move in ((7, 7), (7, 8), (8, 8), (6, 6)):
        game.play(move)
    engine.search(game, Limit(stop=stopping_after(60)))
    before, other = engine._board, new_game("gomoku")
    for move in ((7, 7), (8, 7)):
        other.play(move)
    again = engine.search(other, Limit(stop=stopping_after(20)))
    assert again == Engine(machine=python_machine()).search(other, Limit(stop=stopping_after(20)))
    assert engine._board is before


@pytest.mark.slow
def test_engine_keeps_its_table_between_moves() -> None:
    """A search with a limit of depth uses none."""
    engine, game = Engine(machine=python_machine()), new_game("gomoku")
    for move in ((7, 7), (7, 8), (8, 8)):
        game.play(move)
        engine.search(game, Limit(stop=stopping_after(60)))
    again = engine.search(game, Limit(stop=stopping_after(20)))
    fresh = Engine(machine=python_machine()).search(game, Limit(stop=stopping_after(20)))
    assert len(again.pv) > len(fresh.pv)
    assert engine.search(game, Limit(depth=3)) == Engine(machine=python_machine()).search(
        game, Limit(depth=3)
    )


def test_long_sequence_search_polls_the_stop_signal() -> None:
    """Blocked threes allow many fours, none of which wins."""
    rows = ["OXXX...OXXX...OXXX..", *["." * 20] * 4] * 4
    game = parse_position(new_game("20x20:5"), "/".join(rows) + " X uneven")
    board = PatternBoard(rules_of(game), 2, python_machine())
    board.set_up(game)
    counts = [0]
    is_stopped = stopping_after(100)

    def stop() -> bool:
        counts.append(board.memory.sequence_count)
        return is_stopped()

    PatternSearch(board, 0, Limit(stop=stop)).search()
    assert counts[-1] > 1000
    assert max(later - earlier for earlier, later in pairwise(counts)) <= CHUNK
    assert board.memory.free == game.cells.count(None)


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [1, 700])
def test_stopped_search_reports_its_result(nodes: int) -> None:
    reports: list[Progress] = []
    game = new_game("gomoku")
    game.play((7, 7))
    analysis = Engine(reports.append, python_machine()).search(game, Limit(nodes=nodes))
    assert (reports[-1].best, reports[-1].score, reports[-1].nodes) == (
        analysis.best,
        analysis.score,
        analysis.nodes,
    )


def test_loss_to_near_moves_alone_is_not_proved() -> None:
    """X has two pairs of open threes to make, and O can only stop one. Far moves of O are not tried."""
    game = parse_position(
        new_game("gomoku"),
        "/".join(
            [
                "...............",
                "..........X...O",
                "O.........X....",
                "...............",
                ".......XX......",
                "...............",
                "...............",
                "..............O",
                "O..............",
                "....X..........",
                "....X..........",
                "...............",
                ".XX............",
                "...............",
                "O......O......O",
            ]
        )
        + " O",
    )
    analysis = Engine(machine=python_machine()).search(game, Limit(depth=1))
    assert analysis.value is None
    assert analysis.score is not None
    assert -PROVED <= analysis.score < -LIKELY


@pytest.mark.parametrize(
    ("spec", "is_handled"),
    [
        ("gomoku", True),
        ("gomoku-standard", True),
        ("8x6:4", True),
        ("22x22:6", True),
        ("23x23:5", False),
        ("9x9:6,exact", False),
        ("renju", True),
        ("25x25:5,renju", False),
        ("15x15:5,wrap", False),
        ("15x15:5,hex", False),
        ("connect4", False),
        ("qubic", False),
        ("9x9:3", False),
        ("15x4:5", False),
        ("wild", False),
        ("19x19:6,place=2", False),
        ("three", False),
        ("reversi", False),
    ],
)
def test_games_with_patterns(spec: str, is_handled: bool) -> None:
    assert has_patterns(new_game(spec)) == is_handled


def board_of(spec: str, moves: str) -> tuple[PatternBoard, int]:
    """Return a board after *moves* and the side to move."""
    game = new_game(spec)
    play_moves(game, moves.split())
    board = PatternBoard(rules_of(new_game(spec)), 2, python_machine())
    board.set_up(game)
    return board, game.sides.index(game.turn)


@pytest.mark.parametrize(
    ("moves", "plies"),
    [
        ("h8 a1 i8 a3 j8 a5 k8 a7", 1),  # four in a row
        ("h8 a1 i8 a3 j8 a5", 3),  # an open three
        ("h8 h1 i8 h2 j8 h3 a15 h4", 0),  # the other side must be stopped first
        ("h8 a1 i8 a8 k10 o1 k11 o15", 5),  # two open threes at k8
    ],
)
def test_static_wins_are_found(moves: str, plies: int) -> None:
    board, side = board_of("gomoku", moves)
    assert find_static_result(board.memory, side) == plies


RENJU = "e8 a1 f8 d8 g8 h12 h9 e5 h10 f6 h11 g7 d4"
"""White to move. The cell h8 makes two fours of Black, and five of White after i9."""


@pytest.mark.parametrize(
    ("moves", "static", "plies"),
    [
        (f"{RENJU} i9", -2, 0),  # Black may not play on h8.
        (RENJU, 0, 3),
        ("h8 a1 i8 a3 j8 a5", 3, 3),  # an open three of Black
        ("h8 a1 i8 a8 k10 o1 k11 o15", 0, 0),  # Two open threes are forbidden.
        ("e8 d8 f8 a1 g8 a15 h9 o1 h10 o15", 0, 5),  # a four and an open three of Black
        ("a1 h8 a3 i8 a8 k10 o1 k11 o15", 5, 5),  # two open threes of White
        ("h8 a1 i8 a3 j8 a5 k8", -2, 0),
    ],
)
def test_wins_in_renju_respect_forbidden_cells(moves: str, static: int, plies: int) -> None:
    board, side = board_of("renju", moves)
    assert find_static_result(board.memory, side) == static
    assert find_sequence(board.memory, side, 500, 20) == plies
    assert board.memory.marks == len(board.marks)


@pytest.mark.parametrize(
    ("moves", "value", "plies"), [(f"{RENJU} i9", -1, 2), (RENJU, 1, None), (f"{RENJU} o15", None, None)]
)
def test_search_in_renju_plays_legal_moves(moves: str, value: int | None, plies: int | None) -> None:
    game = new_game("renju")
    play_moves(game, moves.split())
    analysis = Engine(machine=python_machine()).search(game, Limit(nodes=1000))
    assert (analysis.value, analysis.plies) == (value, plies)
    assert analysis.best in game.legal_moves()
    for move in analysis.pv:
        game.play(move)


def check_win(game: Game, board: PatternBoard, plies: int) -> None:
    """Check by the rules that the point classes win within *plies* for the side to move."""
    board.set_up(game)
    side = game.sides.index(game.turn)
    found = find_static_result(board.memory, side)
    assert 0 < found <= plies
    game.play(divmod(board.cells.index(find_winning_move(board.memory, side, found)), game.shape[1]))
    if found == 1:
        assert game.outcome is not None
        assert game.outcome.winner == game.sides[side]
    else:
        check_loss(game, board, found - 1)
    game.undo()


def check_loss(game: Game, board: PatternBoard, plies: int) -> None:
    """Check by the rules that the side to move loses within *plies*."""
    assert game.outcome is None
    for move in game.legal_moves():
        game.play(move)
        assert game.outcome is None
        check_win(game, board, plies - 1)
        game.undo()


@pytest.mark.slow
@pytest.mark.parametrize("positions", [20, pytest.param(1_000, marks=pytest.mark.weekly)])
@pytest.mark.parametrize("spec", ["9x9:5", "9x9:5,exact", "9x9:5,renju"])
def test_static_results_agree_with_rules(spec: str, positions: int) -> None:
    chance, seen = Random(f"{spec} {positions}"), set()
    board = PatternBoard(rules_of(new_game(spec)), 2, python_machine())
    for _ in range(positions):
        game = new_game(spec)
        length = chance.randrange(12, 24)
        while game.outcome is None and game.ply < length:
            near = [(row, column) for row, column in game.legal_moves() if 1 < row < 7 and 1 < column < 7]
            game.play(chance.choice(near or game.legal_moves()))
        if game.outcome is None:
            board.set_up(game)
            result = find_static_result(board.memory, game.sides.index(game.turn))
            seen.add(result)
            if result > 0:
                check_win(game, board, result)
            elif result < 0:
                check_loss(game, board, -result)
    assert {3, -2} < seen


def test_two_fives_of_opponent_lose() -> None:
    board, side = board_of("gomoku", "h8 a1 i8 a3 j8 a5 k8")
    assert find_static_result(board.memory, side) == -2


def test_sequence_of_fours_wins() -> None:
    """A four forces the reply, and a cell of its line makes two fours at once."""
    board, side = board_of("gomoku", "h8 g8 i8 k11 j8 a1 k9 a2 k10 a3 i9 o15 l6 m5")
    assert find_static_result(board.memory, side) == 0
    assert find_sequence(board.memory, side, 500, 20) == 5
    assert board.memory.point[side * board.memory.size + board.memory.sequence_move] >= FOUR_POINT
    assert board.memory.marks == len(board.marks)  # The moves of the sequence are removed again.


@pytest.mark.parametrize(("low", "high", "is_searched"), [(-1, 0, False), (-1, 1, True), (400, 401, False)])
def test_leaf_searches_fours_only_near_the_window(low: int, high: int, is_searched: bool) -> None:
    """The window is relative to the estimate, and a sequence of fours wins."""
    board, side = board_of("gomoku", "h8 g8 i8 k11 j8 a1 k9 a2 k10 a3 i9 o15 l6 m5")
    memory, estimate = board.memory, evaluate(board.memory, side)
    memory.max_nodes = memory.count + 500
    begin(memory, side, 0, estimate + low, estimate + high)
    assert run(memory, memory.max_nodes) == 1
    assert (memory.sequence_count > 0) == is_searched
    assert (memory.value > PROVED) == is_searched


def test_engine_reports_line_of_fours() -> None:
    """Each four of the line is stopped by the reply alone."""
    reports: list[Progress] = []
    game = new_game("gomoku")
    play_moves(game, ["h8", "g8", "i8", "k11", "j8", "a1", "k9", "a2", "k10", "a3", "i9", "o15", "l6", "m5"])
    analysis = Engine(reports.append, python_machine()).search(game, Limit(nodes=1000))
    (progress,) = reports
    assert (progress.score, progress.pv) == (analysis.score, analysis.pv)
    assert progress.depth == 5
    four, reply, _ = analysis.pv
    game.play(four)
    passed = game.with_turn(game.sides[0])
    assert passed is not None
    passed.play(reply)
    assert passed.winner == game.sides[0]
    game.play(reply)
    assert Engine(machine=python_machine()).search(game, Limit(nodes=1)).plies == 3


def test_evaluation_depends_on_the_side_to_move() -> None:
    board, side = board_of("gomoku", "h8 a1 i8 a3")
    assert evaluate(board.memory, side) > -evaluate(board.memory, 1 - side)
