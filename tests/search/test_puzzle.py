"""Shortest solutions of puzzles, compared with breadth-first distances and between machines."""

from collections import deque
from functools import cache
from itertools import count
from random import Random
from typing import Any

import pytest

from noughts import new_game
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move, Outcome, Termination
from noughts.games.fifteen import SOLVED, Fifteen, Tiles
from noughts.games.pure import PureGame
from noughts.search.analysis import Analysis, Limit, MoveValue, Progress
from noughts.search.exact import sliding
from noughts.search.exact.puzzle import PuzzleSearch
from noughts.search.exact.sliding import least_slides, walking_distances
from tests.search.machines import MACHINES, machine_of

FAR = 11


@cache
def distances() -> dict[Tiles, int]:
    """Return the distance from the goal of all positions within ``FAR`` slides."""
    found = {SOLVED: 0}
    queue = deque([SOLVED])
    game = Fifteen()
    while queue:
        tiles = queue.popleft()
        if found[tiles] < FAR:
            for move in game.find_moves(tiles):
                after = game.after(tiles, move)
                if after not in found:
                    found[after] = found[tiles] + 1
                    queue.append(after)
    return found


def fifteen(tiles: Tiles) -> Fifteen:
    return Fifteen.from_state(tiles)


def some_positions(count: int, nearest: int = 1, farthest: int = FAR - 1) -> list[Tiles]:
    near = [tiles for tiles, distance in distances().items() if nearest <= distance <= farthest]
    return Random(1).sample(near, count)


@pytest.mark.slow
def test_walking_distance_is_a_lower_bound() -> None:
    walks, steps, numbers = walking_distances()
    assert len(walks) == len(numbers) == len(steps) // 8 == 24_964
    assert max(walks) == 35
    assert [tiles for tiles in distances() if not least_slides(tiles)] == [SOLVED]
    for tiles in some_positions(300, farthest=FAR):
        least, distance = least_slides(tiles), distances()[tiles]
        assert least <= distance
        assert (distance - least) % 2 == 0
        taxi = sum(
            abs(at // 4 - (tile - 1) // 4) + abs(at % 4 - (tile - 1) % 4)
            for at, tile in enumerate(tiles)
            if tile
        )
        assert taxi <= least


@pytest.mark.parametrize("name", MACHINES)
def test_near_fifteen_positions_are_solved(name: str) -> None:
    search = PuzzleSearch(machine=machine_of(name))
    for tiles in [*some_positions(60), *some_positions(6, 1, 2)]:
        game = fifteen(tiles)
        found = search.analyse(game)
        assert (found.value, found.plies) == (1, distances()[tiles])
        for value in found.moves:
            assert value == MoveValue(value.move, 1, distances()[game.after(tiles, value.move)] + 1)
        assert [value.move for value in found.moves] == game.legal_moves()
        assert_solves(found, game)
        assert (game.state, game.moves) == (tiles, ())


def assert_solves(found: Analysis, game: Game) -> None:
    game = game.copy()
    for move in found.pv:
        assert game.outcome is None
        game.play(move)
    assert game.outcome is not None
    assert (found.best, found.plies) == (found.pv[0], len(found.pv))


def turned(text: str) -> Fifteen:
    """Return a position of a published list, rotated so that the goal has the gap last."""
    tiles = [0] * 16
    for at, tile in enumerate(map(int, text.split())):
        tiles[15 - at] = 16 - tile if tile else 0
    return fifteen(tuple(tiles))


@pytest.mark.parametrize("name", MACHINES)
def test_korf_position_takes_45_slides(name: str) -> None:
    """Position 12 of Korf's hundred takes 45 slides. Both machines make the same nodes."""
    game = turned("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15")
    found = PuzzleSearch(machine=machine_of(name)).solve(game)
    assert (found.value, found.plies, found.nodes) == (1, 45, 33_661)
    assert_solves(found, game)


def test_puzzle_search_respects_limits() -> None:
    game = fifteen(some_positions(1, FAR - 1)[0])
    found = PuzzleSearch().analyse(game)
    assert PuzzleSearch().analyse(game, Limit(nodes=found.nodes)) == found
    for limit in (Limit(nodes=1), Limit(depth=FAR - 3), Limit(stop=lambda: True)):
        cut = PuzzleSearch().analyse(game, limit)
        assert (cut.value, cut.plies, cut.best, cut.pv) == (None, None, None, ())
        assert cut.moves == tuple(MoveValue(move) for move in game.legal_moves())
    assert PuzzleSearch().analyse(game, Limit(depth=FAR - 1)) == found


@pytest.mark.slow
def test_limited_puzzle_analysis_keeps_solution() -> None:
    game = turned("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15")
    alone = PuzzleSearch().solve(game)
    found = PuzzleSearch().analyse(game, Limit(nodes=alone.nodes))
    assert (found.value, found.plies, found.pv) == (1, alone.plies, alone.pv)
    assert None in {value.value for value in found.moves}


def test_pauses_do_not_change_results(monkeypatch: pytest.MonkeyPatch) -> None:
    game = fifteen(some_positions(1, FAR - 1)[0])
    found = PuzzleSearch().analyse(game)
    reports: list[Progress] = []
    monkeypatch.setattr(sliding, "CHUNK", 3)
    assert PuzzleSearch(reports.append).analyse(game) == found
    assert len(reports) > 4
    assert reports[-1].depth == FAR - 1


def test_puzzle_search_switches_to_compiled_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, machine, looks = fifteen(some_positions(1, FAR - 1)[0]), machine_of("numba"), count()
    found = PuzzleSearch().analyse(game)
    monkeypatch.setattr(sliding, "CHUNK", 3)
    search = PuzzleSearch()
    monkeypatch.setattr(
        search, "_select_machine", lambda stop=None: machine if next(looks) > 2 else machine_of("python")
    )
    assert search.analyse(game) == found
    assert next(looks) > 4


# Other puzzles


class Jumps(PureGame[int]):
    """A puzzle: a stone on a row of cells jumps one to the right or three to the left, to the last cell.

    Two cells are holes: a jump there ends the game.
    """

    NAME = "jumps"
    SHAPE = (12,)
    SIDES = ("X",)
    HOLES = (5, 8)
    BY = (1, 2, -3)

    def first_state(self) -> int:
        return 0

    def find_moves(self, state: int) -> list[Move]:
        return sorted((state + by,) for by in self.BY if 0 <= state + by < 12)

    def after(self, state: int, move: Move) -> int:
        return int(move[0])

    def find_outcome(self, state: int) -> Outcome | None:
        if state in self.HOLES:
            return Outcome(None, (), "hole")
        return Outcome("X", (), Termination.SOLVED) if state == 11 else None

    def cells_of(self, state: int) -> tuple[str | None, ...]:
        return tuple("X" if cell == state else None for cell in range(12))

    def side_of(self, state: int) -> int:
        return 0

    def read_state(self, cells: Any, side: str | None, extra: str | None) -> int:
        return list(cells).index("X")


class Stuck(Jumps):
    """The puzzle of jumps without a way over the holes."""

    HOLES = (5, 6)


def jumps_left(game: Jumps, state: int) -> int | None:
    """Return the fewest jumps from *state* to the end, by breadth-first search."""
    found = {state: 0}
    for here in (queue := [state]):
        if here == 11:
            return found[here]
        if here not in game.HOLES:
            for move in game.find_moves(here):
                if (after := game.after(here, move)) not in found:
                    found[after] = found[here] + 1
                    queue.append(after)
    return None


@pytest.mark.parametrize("kind", [Jumps, Stuck])
def test_any_puzzle_is_solved(kind: type[Jumps]) -> None:
    for state in set(range(11)) - set(kind.HOLES):
        game = kind.from_state(state)
        best, found = jumps_left(game, state), PuzzleSearch().analyse(game)
        assert (found.value, found.plies) == (0 if best is None else 1, best)
        for move in found.moves:
            left = jumps_left(game, game.after(state, move.move))
            assert (move.value, move.plies) == ((0, None) if left is None else (1, left + 1))
        if best is None:
            assert (found.best, found.pv) == (game.legal_moves()[0], ())
        else:
            assert_solves(found, game)
            assert PuzzleSearch().solve(game).pv == found.pv
        assert (game.state, game.moves) == (state, ())


def test_limits_hold_for_any_puzzle() -> None:
    assert PuzzleSearch().solve(Jumps(), Limit(nodes=20)).value is None
    assert PuzzleSearch().solve(Jumps(), Limit(depth=5)).value is None
    assert PuzzleSearch().solve(Jumps(), Limit(depth=6)).plies == 6


def test_finished_puzzles_are_analysed() -> None:
    assert PuzzleSearch().solve(fifteen(SOLVED)) == Analysis(1, 0, None, 0)
    assert PuzzleSearch().solve(Jumps.from_state(5)) == Analysis(0, None, None, 0)


def test_puzzle_search_refuses_two_sides() -> None:
    with pytest.raises(UnsupportedRules):
        PuzzleSearch().solve(new_game("tictactoe"))
