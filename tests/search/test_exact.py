"""The exact search of k in a row: both machines are compared with each other and with slower searches."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from noughts import KInARow, Rules, new_game
from noughts.errors import RulesError
from noughts.games.base import Game
from noughts.search.analysis import Effort, LimitReachedError
from noughts.search.exact import memory as memory_module
from noughts.search.exact import scheduler
from noughts.search.exact import search as search_module
from noughts.search.exact.scheduler import ExactValuer
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT
from noughts.search.general.proving import ProofSearch
from tests.search.bigint import BigIntOracle
from tests.search.machines import MACHINES, machine_of, rules_of
from tests.weekly import each_week_all

KINDS = (
    "3x3:3",
    "3x3:2",
    "4x3:3",
    "3x4:3",
    "3x3:3,misere",
    "notakto",
    "wild",
    "3x3:3,wild,misere",
    "3x3:3,exact",
    "4x4:3,exact",
    "4x3:2,exact",
    "4x4:3,gravity",
    "3x3:3,gravity,misere",
    "4x3:3,wrap",
    "4x3:3,gravity,wrap",
    "4x3:3,wrap=x",
    "3x4:3,wrap=x,exact",
    "4x3:3,gravity,wrap=x",
    "4x4:3,hex",
    "3x4:2,hex,exact",
    "3x3:3,hex,misere",
    "2x2x3:2,wrap=z,exact",
    "4x3:3,exact,gravity",
    "3x3:1",
    "2x2x2:2",
    "4x3:3,notakto,gravity",
    "4x3:3,wild,gravity",
    "3x3x3:3",
    "6:3",
    "8:3,exact",
    "7:3,wrap,exact",
    "4x4:4",
    "1x1:1",
    "3x2:3",
    "2x2x3:3",
    "3x3x2:3,gravity",
    "4x4:4,wrap",
    "2x2:1,misere",
)


def positions(name: str, count: int, most_free: int = 11) -> list[Game]:
    """Return positions of *name* after random play, with at most *most_free* empty cells."""
    chance = Random(name)
    found: list[Game] = []
    while len(found) < count:
        game = new_game(name)
        free = len(game.cells)
        for _ in range(chance.randint(max(0, free - most_free), free)):
            if game.outcome is None:
                game.play(chance.choice(list(game.legal_moves())))
        if game.outcome is None or free == 1:
            found.append(game)
    return found


def valuer_of(game: Game, machine: str) -> ExactValuer:
    assert isinstance(game, KInARow)
    return ExactValuer(ExactSearch(game.rules, machine_of(machine)))


@pytest.mark.slow
@pytest.mark.parametrize("name", each_week_all(KINDS, 2))
def test_exact_search_matches_proof_search(name: str) -> None:
    plain, compiled = (valuer_of(new_game(name), machine) for machine in MACHINES)
    proofs = ProofSearch(new_game(name))
    for game in positions(name, 8):
        if game.outcome is not None:
            continue
        found = plain.value_of(game)
        assert found == proofs.value_of(game)
        assert compiled.value_of(game) == found
        best = plain.best_of(game, *found)
        assert compiled.best_of(game, *found) == best
        after = game.copy()
        after.play(best)
        if after.outcome is None:
            assert proofs.value_of(after) == (-found[0], found[1] - 1 if found[0] else 0)
        else:
            value = 0 if after.winner is None else 1 if after.winner == game.turn else -1
            assert (value, value and 1) == found
    assert compiled.search.nodes == plain.search.nodes


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "expected", "nodes"),
    [
        ("5x4:4", (0, 0), 0),
        ("4x4", (0, 0), 0),
        ("4x3:3", (1, 7), 59),
        ("3d", (1, 7), 245),
        ("torus", (0, 0), 0),
        ("4x4:3,gravity", (1, 9), 149),
        ("misere", (0, 0), 421),
        ("notakto", (1, 6), 193),
    ],
)
def test_small_boards_have_known_values(
    machine: str, name: str, expected: tuple[int, int], nodes: int
) -> None:
    """Changed nodes mean a changed search. There are none if all lines are found to be stopped."""
    game = new_game(name)
    valuer = valuer_of(game, machine)
    assert (valuer.value_of(game), valuer.search.nodes) == (expected, nodes)


@pytest.mark.parametrize(
    ("name", "expected", "nodes"),
    [
        ("6x6:5", (0, 0), 0),
        ("6x5:4", (1, 11), 22_533),
        ("5x5:4", (0, 0), 30_766),
        ("5x4:4,gravity", (0, 0), 9_494),
    ],
)
def test_compiled_search_solves_larger_boards(name: str, expected: tuple[int, int], nodes: int) -> None:
    game = new_game(name)
    valuer = valuer_of(game, "numba")
    assert (valuer.value_of(game), valuer.search.nodes) == (expected, nodes)


def test_boards_of_several_words_are_solved() -> None:
    """Boards of 64 or more cells take two words of a compiled int."""
    game = new_game("9x8:4")
    for move in [(3, 3), (0, 0), (3, 4), (7, 8)]:
        game.play(move)
    found = [valuer_of(game, machine).value_of(game) for machine in MACHINES]
    assert found == [(1, 3), (1, 3)]


def test_budget_ends_question_and_keeps_results() -> None:
    game = new_game("4x4:4,gravity")
    valuer = valuer_of(game, "python")
    with pytest.raises(LimitReachedError):
        valuer.value_of(game, 500)
    assert 500 <= valuer.search.nodes <= 1000
    valuer.effort.max_nodes = valuer.search.nodes + 300
    with pytest.raises(LimitReachedError):
        valuer.value_of(game)
    assert valuer.search.nodes == valuer.effort.nodes == valuer.effort.max_nodes
    valuer.effort = Effort()
    assert valuer.value_of(game) == (0, 0)


def test_stored_win_comes_by_last_cell() -> None:
    search = ExactSearch(rules_of(new_game("4x3:3")), machine_of("python"))
    search.set_up(new_game("4x3:3"))
    search.store_answer(0, NO_LIMIT, answer=True, work=1)
    assert [search.recall(0, left) for left in (NO_LIMIT, 12, 11)] == [True, True, None]


def test_late_wins_do_not_depend_on_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [new_game(name) for name in ("4x3:3,gravity", "5x4:3,gravity", "3x3x3:3,gravity")]
    expected = [valuer_of(game, "python").value_of(game) for game in games]
    monkeypatch.setattr(scheduler, "FIRST_BUDGET", 1)
    assert [valuer_of(game, "python").value_of(game) for game in games] == expected
    assert all(value == 1 for value, _ in expected)


def test_stop_signal_ends_exact_search() -> None:
    game = new_game("5x5:4")
    valuer = valuer_of(game, "python")
    answers = iter([False, False, False])
    valuer.effort.stop = lambda: next(answers, True)
    with pytest.raises(LimitReachedError):
        valuer.value_of(game)
    valuer.effort = Effort()
    assert valuer.value_of(new_game("5x5:4").at(["X"] * 3 + [None] * 3 + ["O"] * 3 + [None] * 16)) == (1, 1)


def test_best_of_finds_a_drawing_move() -> None:
    game = new_game("4x4:4,gravity")
    valuer = valuer_of(game, "python")
    game.play(valuer.best_of(game, 0, 0))
    assert valuer.value_of(game) == (0, 0)


def test_growing_table_keeps_its_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "FIRST_TABLE", 256)
    game = new_game("4x4:4,gravity,exact")
    valuer = valuer_of(game, "python")
    assert valuer.value_of(game) == (0, 0)
    assert len(valuer.search._table) > 256 * valuer.search._entry
    nodes = valuer.search.nodes
    assert valuer.value_of(game) == (0, 0)
    assert valuer.search.nodes == nodes


@pytest.mark.parametrize("name", ["7x6:5", "connect4"])
def test_inner_searches_use_the_same_machine(name: str) -> None:
    """Inner searches check for ready kernels themselves, unless a machine is given."""
    rules = rules_of(new_game(name))
    for machine in (None, machine_of("python")):
        search = ExactSearch(rules, machine)
        inner = search.blocking or search._columns
        assert inner is not None
        assert inner._select_machine._machine is search._select_machine._machine is machine


def test_exact_search_declines_other_games() -> None:
    supported = [
        name
        for name in ("tictactoe", "gomoku", "wild", "vanishing", "three", "ultimate", "fifteen", "21x21:5")
        if ExactSearch.supports(new_game(name))
    ]
    assert supported == ["tictactoe", "gomoku", "wild"]
    with pytest.raises(AssertionError):
        ExactSearch(Rules(shape=(5000,), k=5), machine_of("python"))


def test_long_lines_are_searched_without_potentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "MAX_POTENTIAL_K", 2)
    without = valuer_of(new_game("tictactoe"), "python")
    assert without.value_of(new_game("tictactoe")) == (0, 0)
    monkeypatch.undo()
    usual = valuer_of(new_game("tictactoe"), "python")
    usual.value_of(new_game("tictactoe"))
    assert usual.search.nodes < without.search.nodes


def specs(shape: str) -> Iterator[str]:
    """Yield the specs of all valid combinations of options."""
    for options in product(
        ("", ",gravity"),
        ("", ",exact"),
        ("", ",wrap", ",wrap=x", ",wrap=y", ",hex"),
        ("", ",misere", ",wild", ",notakto"),
    ):
        name = shape + "".join(options)
        with suppress(RulesError):
            new_game(name)
            yield name


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", ["3x3:3", "3x3:2", "4x2:2", "6:3", "2x2x2:2", "3x2x1:2", "2x2x1x2:2", "3x2:1"]
)
def test_exact_search_matches_bigint_oracle(shape: str) -> None:
    for name in specs(shape):
        compare_with_big_ints(name)


def compare_with_big_ints(name: str) -> None:
    """Compare the values of three random positions near the end."""
    game = new_game(name)
    assert isinstance(game, KInARow)
    valuer = valuer_of(game, "python")
    oracle = BigIntOracle(game.rules)
    chance = Random(name)
    for _ in range(3):
        game = new_game(name)
        for _ in range(max(0, len(game.cells) - 6) + chance.randrange(4)):
            if game.outcome is None:
                game.play(chance.choice(game.legal_moves()))
        if game.outcome is None:
            first, second = (
                sum(1 << cell for cell, found in enumerate(game.cells) if found == mark)
                for mark in ("X", "O")
            )
            assert valuer.value_of(game) == oracle.worth(game.sides.index(game.turn), first, second), (
                game.cells
            )


BLOCKED = (
    *("8:3", "9:3", "8:3,wrap", "10:4", "5x2:3", "2x6:3", "12x1:3", "4x3:3", "5x3:3", "7x3:4", "4x4:4"),
    *(
        "4x4:4,wrap",
        "4x4:4,wrap=x",
        "4x4:3,hex",
        "5x4:4,hex",
        "5x3:3,wrap=y",
        "4x4:3",
        "5x4:4",
        "6x3:4",
        "5x5:4",
        "3x3x2:3",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", BLOCKED)
def test_stored_positions_keep_blocking_marks(name: str) -> None:
    """One search evaluates many positions and all moves from them, so the table must suit them all."""
    game = new_game(name)
    assert isinstance(game, KInARow)
    valuer = valuer_of(game, "python")
    oracle = BigIntOracle(game.rules)
    for position in positions(name, 12, most_free=8):
        for move in [None, *position.legal_moves()]:
            after = position.copy()
            if move is not None:
                after.play(move)
            if after.outcome is None:
                first, second = (
                    sum(1 << cell for cell, found in enumerate(after.cells) if found == mark)
                    for mark in ("X", "O")
                )
                assert valuer.value_of(after) == oracle.worth(after.sides.index(after.turn), first, second)


def test_search_skips_slow_symmetries(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = valuer_of(new_game("4x3:3"), "python")
    monkeypatch.setattr(memory_module, "MAX_IMAGE_LINES", 5)
    without = valuer_of(new_game("4x3:3"), "python")
    assert usual.value_of(new_game("4x3:3")) == without.value_of(new_game("4x3:3")) == (1, 7)
    assert usual.search.nodes < without.search.nodes


def test_lost_side_still_stops_a_threat() -> None:
    game = new_game("6x6:4")
    for move in [(2, 1), (0, 0), (2, 2), (5, 5), (2, 3)]:
        game.play(move)
    valuer = valuer_of(game, "python")
    worth = valuer.value_of(game)
    assert worth == (-1, 2)
    assert valuer.best_of(game, *worth) in [(2, 0), (2, 4)]
