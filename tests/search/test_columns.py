"""Exact answers where marks fall in columns, against a search that tries everything and the slower one."""

from functools import cache
from itertools import count
from random import Random

import pytest

from noughts import new_game
from noughts.games.base import Game
from noughts.search.analysis import BudgetReachedError, Effort, Limit, LimitReachedError
from noughts.search.columns import kernels, table
from noughts.search.columns import layout as at
from noughts.search.columns import search as search_module
from noughts.search.columns.lines import find_completing, follow
from noughts.search.columns.search import ColumnsSearch
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.valuing import ExactValuer
from tests.amounts import often
from tests.search.machines import MACHINES, machine_of, rules_of

MANY = 4094

TINY = (
    "3x3:3",
    "4x3:3",
    "3x4:3",
    "4x4:3",
    "5x3:2",
    "3x5:4",
    "6x2:3",
    "2x6:2",
    "4x4:4",
    "5x3:3",
    "1x5:3",
    "5x1:3",
)
"""Boards on which everything may be tried."""

BOARDS = {"4x4:4": 12, "5x4:4": 13, "4x5:4": 13, "5x5:4": 15, "6x5:4": 17, "5x5:3": 15, "6x5:5": 17}
"""Larger ones, and how many cells are left free."""


def search_of(game: Game, machine: str = "python") -> ColumnsSearch:
    search = ColumnsSearch.of(rules_of(game), machine_of(machine))
    assert search is not None
    return search


def exact_of(game: Game, machine: str, *, columns: bool = True) -> ExactValuer:
    search = ExactSearch(rules_of(game), machine_of(machine))
    assert search._columns is not None
    if not columns:
        search._columns = None
    return ExactValuer(search)


def random_position(spec: str, chance: Random, most_free: int = 99) -> Game:
    """Some marks of both sides in turn, with no line complete."""
    while True:
        game = new_game(f"{spec},gravity")
        cells = len(game.cells)
        for _ in range(chance.randrange(max(0, cells - most_free), cells)):
            if not game.is_over:
                game.play(chance.choice(list(game.legal_moves())))
        if not game.is_over:
            return game


@cache
def worth_by_trying(spec: str) -> dict[object, tuple[int, int]]:
    """The value of each position and the plies to the end, 0 for a draw, by the game's own moves."""
    found: dict[object, tuple[int, int]] = {}

    def look(game: Game) -> tuple[int, int]:
        if game.outcome is not None:
            return (0 if game.winner is None else -1), 0
        key = game.key()
        if key not in found:
            worths = []
            for move in game.legal_moves():
                game.play(move)
                value, plies = look(game)
                game.undo()
                worths.append((-value, plies + 1))
            value, plies = max(worths, key=lambda worth: (worth[0], -worth[0] * worth[1]))
            found[key] = value, plies if value else 0
        return found[key]

    look(new_game(f"{spec},gravity"))
    return found


@pytest.mark.many_cases
@pytest.mark.parametrize("spec", TINY)
def test_tiny_boards_agree_with_trying_everything(spec: str) -> None:
    """Every question about random positions, in random order, on both machines, with the same nodes."""
    chance = Random(spec)
    worths = worth_by_trying(spec)
    searches = [search_of(new_game(f"{spec},gravity"), machine) for machine in MACHINES]
    for _ in range(often(40)):
        game = random_position(spec, chance)
        value, plies = worths[game.key()]
        questions = [(attacks, left) for attacks in (True, False) for left in (*range(1, 9), MANY)]
        for attacks, left in chance.sample(questions, 6):
            found = []
            for search in searches:
                assert search.take(game)
                found.append((search.wins(attacks, left, Effort()), search.best, search.nodes))
            assert found[0] == found[1]
            assert found[0][0] == (value == (1 if attacks else -1) and plies <= left), (game.moves, left)


@pytest.mark.many_cases
@pytest.mark.parametrize("spec", BOARDS)
def test_values_distances_and_moves_are_those_of_the_slower_search(spec: str) -> None:
    chance, game = Random(spec), new_game(f"{spec},gravity")
    plain, compiled = (exact_of(game, machine) for machine in MACHINES)
    slower = exact_of(game, "numba", columns=False)
    for _ in range(often(25)):
        position = random_position(spec, chance, BOARDS[spec])
        found = plain.value_of(position)
        assert compiled.value_of(position) == found == slower.value_of(position), position.moves
        best = plain.best_of(position, *found)
        assert compiled.best_of(position, *found) == best
        after = position.copy()
        after.play(best)
        if after.outcome is None:
            worth = slower.value_of(after)
            assert worth == (-found[0], found[1] - 1 if found[0] else 0), position.moves
        else:
            assert found == ((0, 0) if after.winner is None else (1, 1))
    assert compiled.search.nodes == plain.search.nodes


@pytest.mark.parametrize(
    ("spec", "value", "nodes"),
    [
        ("4x4:4", (0, 0), 5_699),
        ("5x4:4", (0, 0), 19_050),
        ("5x5:4", (0, 0), 235_577),
        ("6x5:4", (0, 0), 994_620),
        ("8x3:4", (0, 0), 494_689),
        ("5x5:3", (1, 9), 155),
    ],
)
def test_empty_boards_compiled(spec: str, value: tuple[int, int], nodes: int) -> None:
    """Values of four in a row: John Tromp's table. The nodes are a signature of the search."""
    valuer = exact_of(new_game(f"{spec},gravity"), "numba")
    assert valuer.value_of(new_game(f"{spec},gravity")) == value
    assert valuer.search.nodes == nodes


def test_connect_four_played_on() -> None:
    game = new_game("connect4")
    for column in (3, 3, 3, 3, 3, 1, 1, 3, 1, 1, 1, 1, 4, 4):
        game.play(next(move for move in game.legal_moves() if move[1] == column))
    found = [exact_of(game, "numba", columns=columns).value_of(game) for columns in (True, False)]
    assert found[0] == found[1]


def test_following_bounds_the_worth() -> None:
    """Whatever it answers is true, and it does answer both that one cannot win and that one loses."""
    seen = set()
    for spec in ("4x4:3", "4x4:4", "5x3:3", "4x3:3", "3x5:4"):
        chance, worths = Random(spec), worth_by_trying(spec)
        search = search_of(new_game(f"{spec},gravity"))
        for _ in range(often(300)):
            game = random_position(spec, chance)
            assert search.take(game)
            memory, own, taken = search._memory, search._own, search._taken
            threats = find_completing(memory, own ^ taken, taken)
            most = follow(memory, own, taken, threats)
            wins_now = find_completing(memory, own, taken) & (taken + memory[at.BOTTOM])
            if most != at.RUNNING and not wins_now:
                assert worths[game.key()][0] <= most, game.moves
                seen.add((most, worths[game.key()][0]))
    assert {(0, 0), (-1, -1), (0, -1)} <= seen


@pytest.mark.measured_elsewhere
@pytest.mark.parametrize(
    "part",
    [
        {"follow": lambda m, own, taken, threats: at.RUNNING},
        {"find": lambda t, bucket, tag: 0},
        {"insert": lambda m, moves, scores, count, most, move, score: _last_first(m, moves, count, move)},
    ],
)
def test_no_way_of_cutting_changes_an_answer(
    part: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(7)
    positions = [random_position("5x4:4", chance, 13) for _ in range(often(30))]
    usual = exact_of(new_game("5x4:4,gravity"), "python")
    expected = [usual.value_of(position) for position in positions]
    for name, value in part.items():
        monkeypatch.setattr(kernels, name, value)
    other = exact_of(new_game("5x4:4,gravity"), "python")
    assert [other.value_of(position) for position in positions] == expected
    assert other.search.nodes != usual.search.nodes


def _last_first(m: list[int], moves: int, count: int, move: int) -> int:
    m[moves + 1 : moves + 1 + count] = m[moves : moves + count]
    m[moves] = move
    return count + 1


def test_the_table_tells_keys_apart_and_keeps_what_took_most() -> None:
    search = search_of(new_game("connect4"))
    memory, chance = search._memory, Random(3)
    keys = {chance.randrange(1 << 49) for _ in range(3000)}
    few = machine_of("python").zeros(table.WAYS << 8)
    memory[at.SHIFT] = 8
    for key in keys:
        bucket = table.find_bucket(memory, key)
        table.store(few, bucket, memory[at.TAG], -(key % 43), key % 41, 1 << key % 47)
    more = machine_of("python").zeros(table.WAYS << 10)

    def kept(entries: list[int]) -> dict[int, tuple[int, int]]:
        found = {}
        for key in keys:
            bucket = table.find_bucket(memory, key)
            about = table.find(entries, bucket, memory[at.TAG])
            if about:
                found[key] = ((about & 127) - table.BIAS, (about >> 7 & 127) - table.BIAS)
        return found

    before = kept(few)
    assert len(before) > 1000
    assert all(bounds == (-(key % 43), key % 41) for key, bounds in before.items())
    assert sum(key % 47 for key in before) / len(before) > 30
    table.enlarge(memory, more, few)
    assert memory[at.SHIFT] == 10
    after = kept(more)  # four entries of a bucket may go where four others went
    assert after.items() <= before.items()
    assert len(after) > 1000


def test_what_is_not_asked() -> None:
    """Other rules, boards of three dimensions, and those whose columns do not fit a number."""
    for name in (
        *("gomoku", "4x4:4", "score4", "8x7:4,gravity", "1x20:5,gravity", "3x3:1,gravity"),
        *("4x4:4,gravity,misere", "4x4:3,gravity,exact", "4x4:4,gravity,wrap", "4x3:3,wild,gravity"),
        *("4x3:3,notakto,gravity", "5:3,gravity"),
    ):
        assert ColumnsSearch.of(rules_of(new_game(name))) is None, name


def test_positions_in_which_sides_have_not_moved_in_turn_are_refused() -> None:
    game = new_game("connect4")
    search = search_of(game)
    assert search.take(game)
    game.play(game.legal_moves()[0])
    assert search.take(game)

    class OneTooMany:
        turn, cells = "O", (*game.cells[:-1], "O")

    assert not search.take(OneTooMany())  # type: ignore[arg-type]


def test_a_budget_ends_and_what_was_found_is_kept() -> None:
    game = new_game("5x4:4,gravity")
    whole = search_of(game)
    whole.take(game)
    assert not whole.wins(True, MANY, Effort())
    search = search_of(game)
    search.take(game)
    with pytest.raises(BudgetReachedError):
        search.wins(True, MANY, Effort(), 50)
    assert search.nodes == 50
    with pytest.raises(LimitReachedError):
        search.wins(True, MANY, Effort(Limit(nodes=40)))
    assert search.nodes == 90
    assert not search.wins(True, MANY, Effort())
    assert search.nodes < 90 + whole.nodes
    assert not search.wins(True, MANY, Effort(Limit(nodes=0)))  # what is remembered takes none
    with pytest.raises(LimitReachedError):
        search.wins(False, MANY, Effort(Limit(stop=lambda: True)))


def test_the_table_grows_and_changes_its_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "FIRST_TABLE", 16)
    game = new_game("4x5:4,gravity")
    search, looks, faster = search_of(game), count(), machine_of("numba")
    monkeypatch.setattr(search_module, "CHUNK", 100)
    monkeypatch.setattr(
        search, "_ready", lambda stop=None: faster if next(looks) > 2 else machine_of("python")
    )
    search.take(game)
    assert not search.wins(True, MANY, Effort())
    assert search._machine is faster
    assert len(search.table) > 16 * table.WAYS
    nodes = search.nodes
    assert not search.wins(True, MANY, Effort())
    assert search.nodes == nodes


def test_what_is_stored_after_the_table_has_grown_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of the positions that were being searched then: each entry is of marks placed in turn."""
    monkeypatch.setattr(search_module, "FIRST_TABLE", 16)
    monkeypatch.setattr(search_module, "CHUNK", 20)
    search = search_of(new_game("5x4:4,gravity"))
    search.take(new_game("5x4:4,gravity"))
    assert not search.wins(True, MANY, Effort())
    shift, entries = int(search._memory[at.SHIFT]), 0
    for place, about in enumerate(map(int, search.table)):
        if about:
            tag = about >> table.DATA_BITS
            key = tag << shift | (place // table.WAYS - table._turn(tag)) & ((1 << shift) - 1)
            columns = [key >> 5 * x & 31 for x in range(5)]
            heights = [(column + 1).bit_length() - 1 for column in columns]
            own = [column + 1 - (1 << height) for column, height in zip(columns, heights, strict=True)]
            assert max(heights) <= 4
            assert sum(map(int.bit_count, own)) == sum(heights) // 2
            entries += 1
    assert entries > 100
