"""Follow-up play in columns, compared with a full search."""

from collections.abc import Iterator
from random import Random

import pytest

from noughts import new_game
from noughts.games.base import Game
from noughts.search.analysis import Effort
from noughts.search.exact.following import cannot_win, loses
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.table import NO_LIMIT
from tests.search.machines import MACHINES, machine_of, rules_of

BOARDS = {
    "3x3x3:3,gravity": 14,
    "3x4x2:3,gravity": 10,
    "4x2x4:4,gravity": 11,
    "2x4x4:4,gravity": 11,
    "4x4:3,gravity,wrap=x": 10,
    "4x5:4,gravity,wrap": 11,
}
"""Boards small enough for a full search, and the most empty cells in a position."""


def search_of(game: Game, machine: str = "python") -> ExactSearch:
    search = ExactSearch(rules_of(game), machine_of(machine))
    assert search._memory.follows
    search._columns = None  # The gravity search would answer instead.
    return search


def positions(spec: str, most_free: int, many: int) -> Iterator[Game]:
    """Yield positions of random marks in turn, with no line complete."""
    chance = Random(spec)
    while many:
        game = new_game(spec)
        size = len(game.cells)
        for _ in range(chance.randrange(size - most_free, size)):
            if not game.is_over:
                game.play(chance.choice(list(game.legal_moves())))
        if not game.is_over:
            many -= 1
            yield game


def value_by_trying(game: Game, known: dict[object, int]) -> int:
    """Return the value for the side to move, by the game's own moves."""
    key = game.key()
    if key not in known:
        best = -1
        for move in game.legal_moves():
            game.play(move)
            if game.outcome is not None:
                value = 0 if game.winner is None else 1
            else:
                value = -value_by_trying(game, known)
            game.undo()
            best = max(best, value)
            if best == 1:
                break
        known[key] = best
    return known[key]


@pytest.mark.slow
def test_following_proves_true_values() -> None:
    """Following proves some wins, draws and losses."""
    seen = set()
    for spec, most_free in BOARDS.items():
        known: dict[object, int] = {}
        search = search_of(new_game(spec))
        for game in positions(spec, most_free, 60):
            search.set_up(game)
            value = value_by_trying(game, known)
            cannot, lost = cannot_win(search._memory), loses(search._memory)
            assert not cannot or value <= 0, game.moves
            assert not lost or value == -1, game.moves
            seen.add((cannot, lost, value))
    assert {(True, False, 0), (True, False, -1), (True, True, -1), (False, False, 1)} <= seen


@pytest.mark.parametrize("spec", BOARDS)
def test_following_does_not_change_answers(spec: str) -> None:
    """Both machines make the same nodes. Without following, there are more."""
    known: dict[object, int] = {}
    searches = [search_of(new_game(spec), machine) for machine in (*MACHINES, "numba")]
    searches[-1]._memory.follows = 0
    for game in positions(spec, BOARDS[spec], 12):
        value = value_by_trying(game, known)
        for search in searches:
            search.set_up(game)
            search.effort = Effort()
            assert search.wins(search.side, NO_LIMIT) == (value == 1), game.moves
            assert search.wins(1 - search.side, NO_LIMIT) == (value == -1), game.moves
    plain, compiled, without = (search.nodes for search in searches)
    assert plain == compiled <= without


@pytest.mark.slow
def test_following_does_not_give_distances() -> None:
    """The other side wins by following, though perhaps not within the given number of plies."""
    late = 0
    for game in positions("2x4x4:4,gravity", 11, 200):
        search = search_of(game)
        search.set_up(game)
        if loses(search._memory):
            wins = [search.wins(1 - search.side, left) for left in range(2, search.empty + 1, 2)]
            assert wins == sorted(wins)
            assert wins[-1]
            late += wins.index(True) > 0
    assert late


def test_exact_lines_are_not_followed() -> None:
    """A mark that completes a line may make it too long."""
    game = new_game("4x4:3,gravity,exact")
    assert not ExactSearch(rules_of(game), machine_of("python"))._memory.follows


def test_following_saves_nodes_in_score4() -> None:
    """Changed nodes, with or without following, mean a changed search."""
    game, chance = new_game("score4"), Random(175)
    while len(game.moves) < 30:
        game.play(chance.choice(list(game.legal_moves())))
    nodes = []
    for follows in (1, 0):
        search = search_of(game, "numba")
        search._memory.follows = follows
        search.set_up(game)
        assert not search.wins(search.side, NO_LIMIT)
        assert search.wins(1 - search.side, NO_LIMIT)
        nodes.append(search.nodes)
    assert nodes == [8_804, 68_767]
