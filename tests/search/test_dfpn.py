"""Winning attacks, compared with an exhaustive search."""

from itertools import count
from random import Random

import pytest

from noughts import new_game
from noughts.core.board import index_of
from noughts.core.geometry import coordinates
from noughts.core.lines import line_table
from noughts.core.symmetry import symmetries
from noughts.games.base import Game
from noughts.games.notation import parse_move, parse_position
from noughts.search.analysis import BudgetReachedError, Effort, Limit, LimitReachedError
from noughts.search.dfpn import kernels
from noughts.search.dfpn import memory as memory_module
from noughts.search.dfpn import search as search_module
from noughts.search.dfpn.search import FIRST_TABLE, AttackSearch
from noughts.search.dfpn.table import ENTRY
from noughts.search.exact import scheduler
from noughts.search.exact.move_values import Values
from noughts.search.exact.scheduler import ExactValuer
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT
from tests.search.machines import MACHINES, machine_of, rules_of
from tests.search.test_maker_breaker import random_position

BOARDS = ("4x4:3", "5x4:4", "5x5:4", "3x3x3:3", "4x4:3,wrap", "5x5:4,hex", "5x4:4,wrap", "7x2:3")


def search_of(game: Game, machine: str = "python") -> AttackSearch:
    rules = rules_of(game)
    board = line_table(rules.geometry)
    assert board is not None
    return AttackSearch(rules, board, machine_of(machine))


def wins(exact: ExactSearch, game: Game, attacker: int) -> bool:
    exact.set_up(game)
    return exact.wins(attacker, NO_LIMIT)


def finds_win(search: AttackSearch, game: Game, attacker: int, budget: int) -> bool:
    try:
        return search.finds_win(game, attacker, Effort(), budget)
    except BudgetReachedError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_attack_search_of_random_positions(name: str) -> None:
    """All wins found are true, and so are their moves, with the same nodes on both machines.

    Few wins are missed: those that need more than the small budget.
    """
    chance, game = Random(name), new_game(name)
    exact = ExactSearch(rules_of(game), machine_of("numba"))
    searches = [search_of(game, machine) for machine in MACHINES]
    there = missed = 0
    for _ in range(12):
        position, attacker = random_position(game, chance), chance.randrange(2)
        result = [finds_win(search, position, attacker, 300) for search in searches]
        expected = wins(exact, position, attacker)
        assert result[0] == result[1]
        assert len({(search.nodes, search.best) for search in searches}) == 1
        assert expected or not result[0], position.cells
        there, missed = there + expected, missed + (expected and not result[0])
        is_to_move = position.turn == position.sides[attacker]
        if result[0]:
            assert (searches[0].best >= 0) == is_to_move
        if result[0] and is_to_move:
            position.play(coordinates(position.shape)[searches[0].best])
            assert position.is_over or wins(exact, position, attacker), position.cells
    assert there > 1
    assert missed <= there // 4


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nodes"), [("6x5:4", 2334), ("4x4:3", 24), ("3x3x3:3", 148)])
def test_attack_search_finds_first_player_wins(name: str, nodes: int) -> None:
    game = new_game(name)
    search = search_of(game, "numba")
    assert search.finds_win(game, 0, Effort())
    assert search.nodes == nodes
    game.play(coordinates(game.shape)[search.best])
    assert wins(ExactSearch(rules_of(game)), game, 0)


def test_attack_search_switches_to_faster_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The node count shows that earlier results are kept."""
    game, looks = new_game("6x5:4"), count()
    search, faster = search_of(game), machine_of("numba")
    monkeypatch.setattr(
        search, "_select_machine", lambda stop=None: faster if next(looks) > 2 else search._machine
    )
    assert search.finds_win(game, 0, Effort())
    assert (search._machine, search.nodes) == (faster, 2334)


@pytest.mark.slow
@pytest.mark.parametrize("tries", [1, 3])
def test_attack_is_found_with_few_threat_tries(tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "TRIES", tries)
    monkeypatch.setattr(kernels, "PASS_TRIES", tries)
    game = new_game("3x3x3:3")
    search = search_of(game)
    assert search.finds_win(game, 0, Effort())
    game.play(coordinates(game.shape)[search.best])
    assert wins(ExactSearch(rules_of(game)), game, 0)


@pytest.mark.parametrize("name", ["3x3x3:3", pytest.param("5x4:4,wrap", marks=pytest.mark.slow)])
def test_win_is_known_in_each_image(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions with too many marks for canonical images are recognised, too."""
    monkeypatch.setattr(memory_module, "MAX_IMAGE_MARKS", 2)
    game = new_game(name)
    search = search_of(game)
    moves = []
    assert search.finds_win(game, 0, Effort())
    moves.append(search.best)
    game.play(coordinates(game.shape)[search.best])
    moves.append(0)
    game.play(coordinates(game.shape)[0])
    assert search.finds_win(game, 0, Effort())
    moves.append(search.best)
    nodes = search.nodes
    for image in symmetries(rules_of(game).geometry):
        game = new_game(name)
        for move in moves:
            game.play(coordinates(game.shape)[image[move]])
        assert search.finds_win(game, 0, Effort())
        assert (search.nodes, search.best) == (nodes, -1)


def test_attack_wins_qubic_position() -> None:
    game = new_game("qubic")
    for move in ("26", "32", "43", "36"):
        game.play(parse_move(game, move))
    search = search_of(game, "numba")
    assert search.finds_win(game, 0, Effort())
    assert (search.nodes, search.best) == (3360, 63)


@pytest.mark.parametrize(
    ("moves", "attacker", "best"),
    [
        (("b2", "a4", "c2"), 0, -1),  # X has two cells that complete a line; O is to move and loses
        (("b2", "a4", "c2", "d2"), 0, "a2"),  # X completes a line
        (("a1", "b2", "a4", "c2"), 1, -1),  # now O has two such cells
        (("d3", "b1", "a2", "b2"), 0, "b3"),  # X must stop b3 first, which makes two threats
    ],
)
def test_attack_search_makes_forced_moves(moves: tuple[str, ...], attacker: int, best: str | int) -> None:
    game = new_game("4x4:3")
    for move in moves:
        game.play(parse_move(game, move))
    search = search_of(game)
    assert search.finds_win(game, attacker, Effort())
    assert search.best == (best if isinstance(best, int) else index_of(game.shape, parse_move(game, best)))


def test_lines_with_equal_gaps_are_one_threat() -> None:
    """Diagonals of a torus may cross twice."""
    game = parse_position(new_game("4x4:4,wrap"), ".O.O/OX.X/..../OX.X X")
    assert search_of(game).finds_win(game, 0, Effort()) == wins(ExactSearch(rules_of(game)), game, 0)


@pytest.mark.parametrize("moves", [("b2", "a4", "c2"), ("b2", "a4", "c2", "d2")])
def test_attack_fails_when_other_side_is_quicker(moves: tuple[str, ...]) -> None:
    game = new_game("4x4:3")
    for move in moves:
        game.play(parse_move(game, move))
    assert not search_of(game).finds_win(game, 1, Effort())


def test_attack_search_limits() -> None:
    game = new_game("5x4:4,wrap")
    search = search_of(game)
    with pytest.raises(BudgetReachedError):
        search.finds_win(game, 0, Effort(), 100)
    assert search.nodes == 100
    with pytest.raises(LimitReachedError):
        search.finds_win(game, 0, Effort(Limit(nodes=50)))
    with pytest.raises(LimitReachedError):
        search.finds_win(game, 0, Effort(Limit(stop=lambda: True)))
    assert search.nodes == 150
    assert search.finds_win(game, 0, Effort())


@pytest.mark.slow
def test_growing_table_keeps_entries() -> None:
    game = new_game("5x4:4,wrap")
    search = search_of(game)
    assert search.finds_win(game, 0, Effort())
    before = entries_of(search)
    assert before
    search.nodes = FIRST_TABLE + 1
    search._enlarge_table()
    assert len(search.table) == 4 * FIRST_TABLE * ENTRY
    assert entries_of(search) == before


def test_full_table_searches_positions_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("5x4:4,wrap")
    usual = search_of(game)
    assert usual.finds_win(game, 0, Effort())
    monkeypatch.setattr(search_module, "FIRST_TABLE", 16)
    search = search_of(game)
    search.max_entries = 16
    assert search.finds_win(game, 0, Effort())
    assert len(search.table) == 16 * ENTRY
    assert search.nodes > usual.nodes


def entries_of(search: AttackSearch) -> list[list[int]]:
    """Return the entries of the table of *search*, sorted."""
    table = search.table
    entries = [list(table[at : at + ENTRY]) for at in range(0, len(table), ENTRY)]
    return sorted(entry for entry in entries if any(entry))


def test_attack_search_tries_other_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wins are kept from one round to the next, and failures are forgotten."""
    monkeypatch.setattr(search_module, "FIRST_ROUND", 150)
    game = new_game("5x4:4,wrap")
    search = search_of(game)
    assert search.finds_win(game, 0, Effort())
    assert search.memory.width != search_module.WIDTHS[0]
    other = search_of(game)
    other.load_table(search.table, search.nodes)
    assert other.finds_win(game, 0, Effort())
    assert other.nodes == search.nodes  # since the win is stored


@pytest.mark.parametrize("machine", MACHINES)
def test_attack_search_learns_wins(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wins that took most work are learnt, so nothing has to be searched again."""
    game = new_game("6x5:4")
    search, other = search_of(game, machine), search_of(game, machine)
    search.use_seed(3)
    assert search.finds_win(game, 0, Effort())
    wins = search.wins()
    monkeypatch.setattr(search_module, "MAX_WINS", 5)
    top_wins = search.wins()
    works = [sorted(number >> 10 for number in entries[ENTRY - 1 :: ENTRY]) for entries in (wins, top_wins)]
    assert 0 < len(works[1]) <= 5 < len(works[0])
    assert works[0][-len(works[1]) :] == works[1]
    assert works[0][0] >= search_module.MIN_WORK
    assert len(search.wins(all_of_them=True)) > len(wins)
    monkeypatch.setattr(search_module, "SPARE", 2 * FIRST_TABLE)
    other.learn(top_wins)
    assert len(other.table) > FIRST_TABLE * ENTRY
    assert other.finds_win(game, 0, Effort())
    assert (other.nodes, other.best) == (0, search.best)


def test_failed_attack_has_no_best_move() -> None:
    game = new_game("4x4:4")
    search = search_of(game)
    assert not search.finds_win(game, 0, Effort())
    assert not search.finds_win(game, 1, Effort())
    assert search.best == -1


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("qubic", True),
        ("6x6:4", True),
        ("7x7:5", False),
        ("15x15:5", False),
        ("misere", False),
        ("2x2", False),
    ],
)
def test_attack_search_supports_boards(name: str, *, looks: bool) -> None:
    assert (AttackSearch.of(rules_of(new_game(name))) is not None) == looks


@pytest.mark.slow
@pytest.mark.parametrize(("name", "budget"), [("3x3x3:3", 50), ("5x4:4,wrap", 200)])
def test_win_by_attack_has_no_distance(name: str, budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the side to move and the other side."""
    monkeypatch.setattr(scheduler, "ATTACK_AFTER", 0)
    monkeypatch.setattr(scheduler, "FAR_ENOUGH", 0)
    monkeypatch.setattr(scheduler, "FIRST_BUDGET", budget)
    game = new_game(name)
    result = Values(ExactValuer(ExactSearch(rules_of(game)))).solve(game)
    assert (result.value, result.plies) == (1, None)
    assert result.best is not None
    game.play(result.best)
    result = Values(ExactValuer(ExactSearch(rules_of(game)))).solve(game)
    assert (result.value, result.plies) == (-1, None)


def test_refuted_attack_leaves_exact_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """X has two cells that complete a wrapped row, so O, to move, has no attack."""
    monkeypatch.setattr(scheduler, "ATTACK_AFTER", 0)
    game = new_game("5x4:4,wrap")
    for move in ("a1", "a3", "b1", "c3", "c1"):
        game.play(parse_move(game, move))
    result = Values(ExactValuer(ExactSearch(rules_of(game)))).solve(game)
    assert (result.value, result.plies) == (-1, 2)
