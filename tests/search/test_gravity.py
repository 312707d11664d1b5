"""The gravity search, compared with a full search and with a slower exact search."""

from functools import cache
from itertools import count
from random import Random

import pytest

from noughts import new_game
from noughts.games.base import Game
from noughts.search.analysis import BudgetReachedError, Effort, Limit, LimitReachedError
from noughts.search.exact.move_values import Values
from noughts.search.exact.scheduler import ExactValuer
from noughts.search.exact.search import ExactSearch
from noughts.search.gravity import kernels, table
from noughts.search.gravity import search as search_module
from noughts.search.gravity.lines import find_completing, find_lowest, follow
from noughts.search.gravity.memory import NUMBER_BITS, RUNNING
from noughts.search.gravity.search import GravitySearch
from tests.search.machines import MACHINES, machine_of, rules_of
from tests.weekly import each_week_all

NO_LIMIT = 4094

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
"""Boards small enough for a full search."""

BOARDS = {
    "4x4:4": 12,
    "5x4:4": 13,
    "4x5:4": 13,
    "5x5:4": 15,
    "6x5:4": 17,
    "5x5:3": 15,
    "6x5:5": 17,
    **dict(zip(("3x3x3:3", "4x2x4:4", "8x8:6"), (27, 13, 13), strict=True)),
}
"""Larger boards, and the number of empty cells."""

SCORE4 = {
    "577ab1cf29e9cfa0bd5549852c78e1aed4d7ed": (-1, 22),
    "c2ab9be82b14771f44b28963ea666c3fae258a": (-1, 22),
    "95e9cc9018694aa20e48c4acadf30b12564f3f": (0, 0),
    "5e73ba3484ea2ae15b44833197b5696880dcbfa1": (-1, 16),
    "ac7385d6704017dd511204c29c854e656e174b0b": (0, 0),
    "ca5de61562487ea1b0e742d5f07b0a6a1f580338": (1, 9),
    "c3bdf27a46931079e26ef06e30de9415779b0b218b": (1, 13),
}
"""Positions of score4, as the columns of the marks in order, with values and distances."""


def search_of(game: Game, machine: str = "python") -> GravitySearch:
    search = GravitySearch.of(rules_of(game), machine_of(machine))
    assert search is not None
    return search


def exact_of(game: Game, machine: str, *, columns: bool = True) -> ExactValuer:
    search = ExactSearch(rules_of(game), machine_of(machine))
    assert search._columns is not None
    if not columns:
        search._columns = None
    return ExactValuer(search)


def random_position(spec: str, chance: Random, most_free: int = 99) -> Game:
    """Return a position of random marks in turn, with no line complete."""
    while True:
        game = new_game(f"{spec},gravity")
        cells = len(game.cells)
        for _ in range(chance.randrange(max(0, cells - most_free), cells)):
            if not game.is_over:
                game.play(chance.choice(list(game.legal_moves())))
        if not game.is_over:
            return game


def score4_position(columns: str) -> Game:
    """Return the position of score4 after marks in these columns, four to a row."""
    game = new_game("score4")
    for column in columns:
        game.play(next(move for move in game.legal_moves() if move[1:] == divmod(int(column, 16), 4)))
    return game


@cache
def worth_by_trying(spec: str) -> dict[object, tuple[int, int]]:
    """Return the value of each position and the plies to the end, 0 for a draw, by the game's own moves."""
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


@pytest.mark.slow
@pytest.mark.parametrize("spec", each_week_all(TINY, 2))
def test_tiny_boards_match_full_search(spec: str) -> None:
    """Random questions are asked in random order on both machines, with the same nodes."""
    chance = Random(spec)
    worths = worth_by_trying(spec)
    searches = [search_of(new_game(f"{spec},gravity"), machine) for machine in MACHINES]
    for _ in range(20):
        game = random_position(spec, chance)
        value, plies = worths[game.key()]
        questions = [(attacks, left) for attacks in (True, False) for left in (*range(1, 9), NO_LIMIT)]
        for attacks, left in chance.sample(questions, 6):
            found = []
            for search in searches:
                assert search.set_position(game)
                found.append((search.wins(attacks, left, Effort()), search.best, search.nodes))
            assert found[0] == found[1]
            assert found[0][0] == (value == (1 if attacks else -1) and plies <= left), (game.moves, left)


@pytest.mark.slow
@pytest.mark.parametrize("spec", each_week_all(BOARDS, 2))
def test_gravity_search_matches_slower_search(spec: str) -> None:
    chance, game = Random(spec), new_game(f"{spec},gravity")
    plain, compiled = (exact_of(game, machine) for machine in MACHINES)
    slower = exact_of(game, "numba", columns=False)
    for _ in range(25):
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
        ("4x4:4", (0, 0), 1_580),
        ("5x4:4", (0, 0), 9_494),
        ("5x5:4", (0, 0), 66_920),
        ("6x5:4", (0, 0), 521_965),
        ("8x3:4", (0, 0), 223_232),
        ("5x5:3", (1, 9), 148),
        ("3x3x3:3", (1, 9), 277),
    ],
)
def test_compiled_gravity_search_solves_empty_boards(spec: str, value: tuple[int, int], nodes: int) -> None:
    """The values of four in a row are from John Tromp's table. Changed nodes mean a changed search."""
    valuer = exact_of(new_game(f"{spec},gravity"), "numba")
    assert valuer.value_of(new_game(f"{spec},gravity")) == value
    assert valuer.search.nodes == nodes


@pytest.mark.slow
@pytest.mark.parametrize("columns", each_week_all(SCORE4, 2))
def test_score4_positions_have_known_values(columns: str) -> None:
    """All 64 bits are in use. The slower search finds the same values."""
    game, nodes = score4_position(columns), set()
    for machine in MACHINES:
        valuer = exact_of(game, machine)
        assert valuer.value_of(game) == SCORE4[columns]
        assert valuer.best_of(game, *SCORE4[columns]) in game.legal_moves()
        nodes.add(valuer.search.nodes)
    assert len(nodes) == 1
    assert exact_of(game, "numba", columns=False).value_of(game) == SCORE4[columns]


def test_the_last_mark_draws() -> None:
    game = new_game("4x1:2,gravity")
    for column in range(3):
        game.play((0, column))
    search = search_of(game)
    search.set_position(game)
    assert [search.wins(attacks, NO_LIMIT, Effort()) for attacks in (True, False)] == [False, False]


def test_connect_four_matches_slower_search() -> None:
    game = new_game("connect4")
    for column in (3, 3, 3, 3, 3, 1, 1, 3, 1, 1, 1, 1, 4, 4):
        game.play(next(move for move in game.legal_moves() if move[1] == column))
    found = [exact_of(game, "numba", columns=columns).value_of(game) for columns in (True, False)]
    assert found[0] == found[1]


@pytest.mark.slow
def test_follow_bounds_the_value() -> None:
    """The results of ``follow`` are true. Some positions cannot be won, and some are lost."""
    seen = set()
    for spec in ("4x4:3", "4x4:4", "5x3:3", "4x3:3", "3x5:4"):
        chance, worths = Random(spec), worth_by_trying(spec)
        search = search_of(new_game(f"{spec},gravity"))
        for _ in range(150):
            game = random_position(spec, chance)
            assert search.set_position(game)
            memory, own, taken = search._memory, search._own, search._taken
            threats = find_completing(memory, own ^ taken, taken)
            most = follow(memory, own, taken, threats)
            wins_now = find_completing(memory, own, taken) & find_lowest(memory, taken)
            if most != RUNNING and not wins_now:
                assert worths[game.key()][0] <= most, game.moves
                seen.add((most, worths[game.key()][0]))
    assert {(0, 0), (-1, -1), (0, -1)} <= seen


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        {"follow": lambda m, own, taken, threats: RUNNING},
        {"_bound": lambda m, other, taken, threats, wanted, plies: RUNNING},
        {"find": lambda m, t, bucket: 0},
        {"insert_ranked": lambda moves, first, _, count, *move: _last_first(moves, first, count, move[1])},
    ],
)
def test_pruning_does_not_change_answers(part: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(7)
    positions = [random_position("5x4:4", chance, 13) for _ in range(30)]
    usual = exact_of(new_game("5x4:4,gravity"), "python")
    expected = [usual.value_of(position) for position in positions]
    for name, value in part.items():
        monkeypatch.setattr(kernels, name, value)
    other = exact_of(new_game("5x4:4,gravity"), "python")
    assert [other.value_of(position) for position in positions] == expected
    assert other.search.nodes != usual.search.nodes


def _last_first(moves: list[int], first: int, count: int, move: int) -> int:
    moves[first + 1 : first + 1 + count] = moves[first : first + count]
    moves[first] = move
    return count + 1


@pytest.mark.parametrize(("name", "bits"), [("connect4", 49), ("score4", 80)])
def test_table_keeps_distinct_keys_and_costly_entries(name: str, bits: int) -> None:
    search = search_of(new_game(name))
    memory, chance, step = search._memory, Random(3), 1 + search._memory.is_wide
    keys = {chance.randrange(1 << bits) for _ in range(2000)}
    keys |= {key ^ 1 << bits - 1 for key in list(keys)[:1000]}
    few = machine_of("python").zeros(table.WAYS * step << 8)
    memory.shift = 8

    def bucket_of(key: int) -> int:
        if memory.is_wide:
            return table._bucket_of_two(memory, key & table.LOW, key >> NUMBER_BITS)
        return table._bucket_of_one(memory, key)

    for key in keys:
        bucket = bucket_of(key)
        word, tag = memory.key, memory.tag
        table.store(memory, few, bucket, word, tag, -(key % 43), key % 41, 1 << key % 47)
    more = machine_of("python").zeros(table.WAYS * step << 10)

    def stored(entries: list[int]) -> dict[int, tuple[int, int]]:
        found = {}
        for key in keys:
            about = table.find(memory, entries, bucket_of(key))
            if about:
                found[key] = ((about & 127) - table.BIAS, (about >> 7 & 127) - table.BIAS)
        return found

    before = stored(few)
    assert len(before) > 1000
    assert all(bounds == (-(key % 43), key % 41) for key, bounds in before.items())
    assert sum(key % 47 for key in before) / len(before) > 30
    table.enlarge(memory, more, few)
    assert memory.shift == 10
    after = stored(more)  # Entries of four buckets share one bucket, so some are lost.
    assert after.items() <= before.items()
    assert len(after) > 1000


def test_gravity_search_declines_other_games() -> None:
    """The games have other rules, more than 64 cells, or too many columns for an entry."""
    for name in (
        *("gomoku", "4x4:4", "9x8:4,gravity", "41x1:5,gravity", "3x3:1,gravity"),
        *("4x4:4,gravity,misere", "4x4:3,gravity,exact", "4x4:4,gravity,wrap", "4x3:3,wild,gravity"),
        "4x3:3,notakto,gravity",
    ):
        assert GravitySearch.of(rules_of(new_game(name))) is None, name


def test_set_position_refuses_positions_out_of_turn() -> None:
    game = new_game("connect4")
    search = search_of(game)
    assert search.set_position(game)
    game.play(game.legal_moves()[0])
    assert search.set_position(game)

    class OneTooMany:
        turn, cells = "O", (*game.cells[:-1], "O")

    assert not search.set_position(OneTooMany())  # type: ignore[arg-type]


def test_budget_ends_search_and_keeps_results() -> None:
    game = new_game("5x4:4,gravity")
    whole = search_of(game)
    whole.set_position(game)
    assert not whole.wins(True, NO_LIMIT, Effort())
    search = search_of(game)
    search.set_position(game)
    with pytest.raises(BudgetReachedError):
        search.wins(True, NO_LIMIT, Effort(), 50)
    assert search.nodes == 50
    with pytest.raises(LimitReachedError):
        search.wins(True, NO_LIMIT, Effort(Limit(nodes=40)))
    assert search.nodes == 90
    assert not search.wins(True, NO_LIMIT, Effort())
    assert search.nodes < 90 + whole.nodes
    assert not search.wins(True, NO_LIMIT, Effort(Limit(nodes=0)))  # Stored results take no nodes.
    with pytest.raises(LimitReachedError):
        search.wins(False, NO_LIMIT, Effort(Limit(stop=lambda: True)))


@pytest.mark.parametrize("columns", [None, "95e9cc9018694aa20e48c4acadf30b12564f3f"])
def test_table_survives_growth_and_machine_change(
    columns: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "FIRST_TABLE", 16)
    monkeypatch.setattr(search_module, "NODES_PER_ENTRY", 2)
    game = new_game("4x5:4,gravity") if columns is None else score4_position(columns)
    search, looks, faster = search_of(game), count(), machine_of("numba")
    monkeypatch.setattr(search_module, "CHUNK", 100)
    monkeypatch.setattr(
        search, "_select_machine", lambda stop=None: faster if next(looks) > 2 else machine_of("python")
    )
    search.set_position(game)
    assert not search.wins(True, NO_LIMIT, Effort())
    assert search._machine is faster
    assert len(search.table) > 16 * search._bucket
    nodes = search.nodes
    assert not search.wins(True, NO_LIMIT, Effort())
    assert search.nodes == nodes


def test_entries_after_table_growth_are_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entries include the positions of the current path. Each entry has marks placed in turn."""
    monkeypatch.setattr(search_module, "FIRST_TABLE", 16)
    monkeypatch.setattr(search_module, "NODES_PER_ENTRY", 2)
    monkeypatch.setattr(search_module, "CHUNK", 20)
    search = search_of(new_game("5x4:4,gravity"))
    search.set_position(new_game("5x4:4,gravity"))
    assert not search.wins(True, NO_LIMIT, Effort())
    shift, entries = int(search._memory.shift), 0
    for place, about in enumerate(map(int, search.table)):
        if about:
            tag = about >> table.DATA_BITS
            key = tag << shift | (place // table.WAYS - table._turn(tag)) & ((1 << shift) - 1)
            columns = [sum((key >> x + 5 * y & 1) << y for y in range(5)) for x in range(5)]
            heights = [column.bit_length() - 1 for column in columns]
            own = [column - (1 << height) for column, height in zip(columns, heights, strict=True)]
            assert max(heights) <= 4
            assert sum(map(int.bit_count, own)) == sum(heights) // 2
            entries += 1
    assert entries > 100


def test_move_values_come_before_distances() -> None:
    """A small part of the nodes gives all values, but no distance."""
    game = new_game("6x5:4,gravity")
    for column in (0, 0, 0, 2, 1, 5, 5, 2):
        game.play(next(move for move in game.legal_moves() if move[1] == column))
    limits = Limit(nodes=15_000), Limit()
    some, all_ = (Values(exact_of(game, "numba")).analyse(game, limit) for limit in limits)
    assert [(worth.value, worth.plies) for worth in some.moves] == [(-1, None)] * 6
    assert [worth.plies for worth in all_.moves] == [20, 20, 20, 20, 20, 18]
    assert all_.nodes > 40_000
