"""The Maker-Breaker search, compared with a full search."""

from collections.abc import Callable
from functools import cache
from itertools import count
from random import Random

import pytest

from noughts import new_game
from noughts.core.geometry import Geometry, coordinates
from noughts.core.lines import line_table
from noughts.games.base import Game
from noughts.search.analysis import BudgetReachedError, Effort, Limit, LimitReachedError
from noughts.search.maker_breaker import kernels
from noughts.search.maker_breaker import search as search_module
from noughts.search.maker_breaker.cover import holds_again
from noughts.search.maker_breaker.lines import has_fork
from noughts.search.maker_breaker.memory import MAKER
from noughts.search.maker_breaker.search import BlockingSearch
from noughts.search.maker_breaker.table import ENTRY, MAX_WORK, WORK
from tests.search.machines import MACHINES, machine_of, rules_of

MAX_EMPTY = 12
"""The most empty cells for a full search."""

BOARDS = (
    "3x3:3",
    "4x3:3",
    "4x4:4",
    "5x3:3",
    "4x4:3",
    "3x3:3,wrap",
    "4x4:4,wrap",
    "4x3:3,hex",
    "6x1:3",
    "3x3:2",
    "3x3x3:3",
    "4x4:4,exact",
)


def search_of(game: Game, machine: str = "python") -> BlockingSearch:
    search = BlockingSearch.of(rules_of(game), machine_of(machine))
    assert search is not None
    return search


def random_position(game: Game, chance: Random) -> Game:
    """Return a position of random marks in turn, with no line complete."""
    while True:
        played = game.copy()
        for _ in range(chance.randrange(len(game.cells) - 1)):
            if played.is_over:
                break
            played.play(chance.choice(list(played.legal_moves())))
        if not played.is_over:
            return played


@cache
def making(geometry: Geometry) -> Callable[[int, int, bool], bool]:
    """Return a function that decides by full search whether Maker completes a line, with a cache."""
    table = line_table(geometry)
    assert table is not None

    @cache
    def makes(mine: int, stopped: int, is_maker: bool) -> bool:
        if any(line & ~mine == 0 for line in table.masks):
            return True
        free = [cell for cell in range(table.size) if not (mine | stopped) >> cell & 1]
        if not free or not any(line & stopped == 0 for line in table.masks):
            return False
        if is_maker:
            return any(makes(mine | 1 << cell, stopped, False) for cell in free)
        return all(makes(mine, stopped | 1 << cell, True) for cell in free)

    return makes


def holds(game: Game, attacker: int) -> bool:
    """Return True if Breaker holds, by full search."""
    rules = rules_of(game)
    mark, other = rules.board_marks[attacker], rules.board_marks[1 - attacker]

    def bits(of: str) -> int:
        return sum(1 << cell for cell, here in enumerate(game.cells) if here == of)

    return not making(rules.geometry)(bits(mark), bits(other), game.turn == game.sides[attacker])


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_random_positions_match_full_search(name: str) -> None:
    """Both machines make the same nodes, and the reported reply holds."""
    chance, game = Random(name), new_game(name)
    searches = [search_of(game, machine) for machine in MACHINES]
    for _ in range(30):
        position, attacker = random_position(game, chance), chance.randrange(2)
        if position.cells.count(None) > MAX_EMPTY:
            continue
        found = [search.holds(position, attacker, Effort()) for search in searches]
        assert found == [holds(position, attacker)] * 2, position.cells
        assert len({(search.nodes, search.reply) for search in searches}) == 1
        if found[0] and (reply := searches[0].reply) >= 0:
            after = position.copy()
            after.play(coordinates(after.shape)[reply])
            assert after.is_over or holds(after, attacker), (position.cells, reply)


@cache
def usual_answers() -> tuple[list[Game], list[bool], int]:
    """Return some positions, the answer for each, and the nodes of all answers."""
    chance, game = Random(5), new_game("6x4:4")
    positions = [game, *(random_position(game, chance) for _ in range(15))]
    search = search_of(game)
    return positions, [search.holds(position, 0, Effort()) for position in positions], search.nodes


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        {"LIKELY_REPLIES": 0},
        {"NEARLY": 0},
        {"NEARLY": 40, "LIKELY_REPLIES": 2},
        {"has_fork": lambda m: 0},
        {"_is_dominated": lambda m, cell: 0},
    ],
)
def test_pruning_does_not_change_answers(part: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    positions, expected, nodes = usual_answers()
    for name, value in part.items():
        monkeypatch.setattr(kernels, name, value)
    other = search_of(positions[0])
    assert [other.holds(position, 0, Effort()) for position in positions] == expected
    assert other.nodes != nodes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "answer", "nodes"),
    [
        ("3x3:3", False, 4),
        ("4x4:4", True, 0),
        ("5x5:4", False, 52),
        ("6x6:5", True, 20),
        ("7x6:5", True, 159),
        ("3x3x3:3,exact", False, 5),
        ("4x4:4,wrap", True, 14),
    ],
)
def test_empty_boards_have_known_answers(name: str, answer: bool, nodes: int) -> None:
    """The exact number of nodes reveals any change of the search."""
    search = search_of(new_game(name))
    assert search.holds(new_game(name), 0, Effort()) == answer
    assert search.nodes == nodes


@pytest.mark.parametrize(("name", "nodes"), [("8x6:5", 3_427), ("7x7:5", 3_963)])
def test_compiled_search_holds_large_boards(name: str, nodes: int) -> None:
    """The draw on 7,7,5 agrees with Hsu, Ko, Chen, Wei, Hsueh and Wu (2020)."""
    search = search_of(new_game(name), "numba")
    assert search.holds(new_game(name), 0, Effort())
    assert search.nodes == nodes


@pytest.mark.parametrize(("name", "cells", "is_fork"), [("7x1:4", (2, 3), 1), ("6x1:5", (0, 2, 4, 5), 0)])
def test_fork_wins_for_maker(name: str, cells: tuple[int, ...], is_fork: int) -> None:
    """Maker wins with two lines that share one cell. Two that lack the same cells are easily stopped."""
    search = search_of(new_game(name))
    for cell in cells:
        search.kernels.move(search.memory, MAKER, cell)
    assert has_fork(search.memory) == is_fork
    assert search.decide(MAKER, len(cells), Effort()) != is_fork


def test_holds_again_refuses_heavy_positions() -> None:
    search = search_of(new_game("3x3x3:3"))
    memory = search.memory
    memory.proofs[0], memory.proofs[1] = 13, 0
    assert not holds_again(memory, 0, 0)


def test_blocking_search_declines_other_games() -> None:
    """In these rules stopping lines does not prevent a loss, or the board has too many lines."""
    for name in ("connect4", "misere", "wild", "notakto", "three", "15x15:5", "12x12:11"):
        assert BlockingSearch.of(rules_of(new_game(name))) is None, name


@pytest.mark.slow
def test_budget_ends_search_and_keeps_results() -> None:
    game = new_game("7x6:5")
    search = search_of(game)
    with pytest.raises(BudgetReachedError):
        search.holds(game, 0, Effort(), 50)
    assert search.nodes == 50
    with pytest.raises(LimitReachedError):
        search.holds(game, 0, Effort(Limit(nodes=40)))
    assert search.nodes == 90
    assert search.holds(game, 0, Effort())
    assert search.nodes < 90 + 159
    stopped = Effort(Limit(stop=lambda: True))
    assert search.holds(game, 0, Effort(Limit(nodes=0)))  # Stored results take no nodes.
    with pytest.raises(LimitReachedError):
        search_of(game).holds(game, 0, stopped)


@pytest.mark.slow
def test_answer_respects_the_stop_signal() -> None:
    game = new_game("7x6:5")
    search = search_of(game)
    assert search.holds(game, 0, Effort())
    search.set_up(game, 0)
    search.kernels.list_left(search.memory, 0)
    with pytest.raises(LimitReachedError):
        search.answer(0, 0, Effort(Limit(stop=lambda: True)))


def test_stored_work_counts_nodes_across_chunks() -> None:
    """Otherwise the work might be negative, and costly entries would be replaced first."""
    search = search_of(new_game("5x5:4"))
    search._chunk = 7
    assert not search.holds(new_game("5x5:4"), 0, Effort())
    about = [search.table[entry + 2] for entry in range(0, len(search.table), ENTRY)]
    works = sorted(entry >> WORK & MAX_WORK for entry in about if entry)
    assert all(entry >= 0 for entry in about)
    assert works[-1] == search.nodes


def test_table_survives_growth_and_machine_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "FIRST_TABLE", 16)
    game = new_game("5x5:4")
    search, looks, faster = search_of(game), count(), machine_of("numba")
    monkeypatch.setattr(
        search, "_select_machine", lambda stop=None: faster if next(looks) > 2 else machine_of("python")
    )
    assert not search.holds(game, 0, Effort())
    assert search._machine is faster
    assert len(search.table) > 16 * ENTRY
    nodes = search.nodes
    assert not search.holds(game, 0, Effort())
    assert search.nodes == nodes


@pytest.mark.slow
def test_news_are_shared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The receiving search enlarges its table and stores them like its own results."""
    game, later = new_game("6x4:4"), new_game("6x4:4")
    later.play((0, 0))
    first = search_of(game)
    assert first.holds(game, 0, Effort())
    news = first.news()
    assert first.news() == news[:0]
    monkeypatch.setattr(search_module, "FIRST_TABLE", 16)
    second = search_of(game)
    second.learn(news)
    assert len(second.table) > len(news) > 16 * ENTRY
    assert second.holds(game, 0, Effort(), 0)
    monkeypatch.setattr(search_module, "NEWS_PART", len(first.table))
    assert first.holds(later, 1, Effort())
    more = first.news()
    assert len(more) > 0
    assert {*news[::ENTRY]}.isdisjoint(more[::ENTRY])
    second.learn(news)
    assert second.holds(game, 0, Effort(), 0)
    assert sum(1 for about in second.table[2::ENTRY] if about) == len(news) // ENTRY


def test_full_table_keeps_the_chunk_size() -> None:
    search = BlockingSearch.of(rules_of(new_game("4x4:4")), machine_of("numba"))
    assert search is not None
    usual = search._nodes_at_once()
    search.max_entries = 0
    assert search._nodes_at_once() >= usual > 0
