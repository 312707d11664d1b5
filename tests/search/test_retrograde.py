"""Vanishing games, compared with value iteration and with full play."""

from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import pytest

from noughts import KInARow, new_game
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move, Termination
from noughts.games.notation import parse_position
from noughts.search.analysis import POLL, REPORTED, Analysis, Effort, Limit, Progress
from noughts.search.exact import enumeration
from noughts.search.exact.canonical import canonical_key
from noughts.search.exact.enumeration import Enumeration, count_roughly
from noughts.search.exact.retrograde import Retrograde

SMALL = (
    *("3x2:2,vanish=2", "3x2:2,vanish=2,misere", "5:2,vanish=2", "5:2,vanish=2,misere"),
    *("4x2:2,vanish=3,misere,wrap", "5:2,vanish=2,exact", "6:2,vanish=2"),
)

Worth = tuple[int, int | None]
"""A value and the plies."""

Position = tuple[Game, dict[Move, Worth]]
"""A position, and the value of each move for the side that makes it."""


@cache
def positions_of(name: str, drawn: frozenset[object] = frozenset()) -> dict[object, Position]:
    """Return every unfinished position, by value iteration that starts with draws.

    Positions whose keys are *drawn* end the game.
    """
    start = new_game(name)
    games: dict[object, Game] = {start.key(): start}
    after: dict[object, dict[Move, object]] = {}
    moves: dict[object, dict[Move, Worth]] = {}
    for game in (queue := [start]):
        after[game.key()] = {}
        moves[game.key()] = {}
        for move in game.legal_moves():
            child = game.at(game.cells, game.turn, game.extra or None)
            child.play(move)
            if child.outcome is not None:
                moves[game.key()][move] = (1 if child.winner == game.turn else -1, 1)
            else:
                after[game.key()][move] = child.key()
                if child.key() not in games:
                    games[child.key()] = child
                    queue.append(child)
    worths: dict[object, Worth] = {}
    while True:
        for key, children in after.items():
            moves[key].update(
                (move, later(worths.get(child, (0, None)) if child not in drawn else (0, None)))
                for move, child in children.items()
            )
        now = {key: max(values.values(), key=goodness) for key, values in moves.items()}
        if now == worths:
            return {key: (games[key], moves[key]) for key in games}
        worths = now


def later(worth: Worth) -> Worth:
    value, plies = worth
    return -value, None if plies is None else plies + 1


def goodness(worth: Worth) -> tuple[int, int]:
    value, plies = worth
    return value, -value * (plies or 0)


def assert_right(found: Analysis, moves: dict[Move, Worth]) -> None:
    assert {move.move: (move.value, move.plies) for move in found.moves} == moves
    best = max(moves.values(), key=goodness)
    assert (found.value, found.plies) == best
    assert found.best is not None
    assert moves[found.best] == best
    assert found.pv[0] == found.best
    assert len(found.pv) == (found.plies or 1)


@pytest.mark.parametrize("name", SMALL)
def test_every_position_has_its_value(name: str) -> None:
    """The order of the positions must not matter, since results are stored."""
    positions = list(positions_of(name).values())
    for order in (positions, positions[::-1]):
        retrograde = Retrograde(new_game(name))
        for game, moves in order:
            before = (game.key(), game.moves)
            found = retrograde.analyse(game)
            assert_right(found, moves)
            assert (game.key(), game.moves) == before


@pytest.mark.slow
def test_larger_game_positions_have_their_values() -> None:
    name = "7:2,vanish=2"
    retrograde = Retrograde(new_game(name))
    for game, moves in islice(positions_of(name).values(), 0, None, 31):
        assert_right(retrograde.solve(game), moves)


def follow(game: Game, line: tuple[Move, ...]) -> Game:
    game = game.copy()
    for move in line:
        game.play(move)
    return game


@pytest.mark.slow
def test_side_openings_win_vanishing_3x3() -> None:
    """Side openings win in 13 plies; the centre and the corners draw. Symmetric positions are listed once."""
    game = new_game("vanishing")
    found = Retrograde(game).analyse(game)
    assert (found.value, found.plies, found.nodes) == (1, 13, 27_765)
    assert follow(game, found.pv).winner == "X"
    for move in found.moves:
        is_side = sum(move.move) % 2 == 1
        assert (move.value, move.plies) == ((1, 13) if is_side else (0, None))


def test_side_order_does_not_matter() -> None:
    game = KInARow(shape=(2, 3), k=2, vanish=2, marks=("O", "X"))
    found = Retrograde(game).analyse(game)
    assert (found.value, found.plies) == (1, 3)
    assert follow(game, found.pv).winner == "O"


@pytest.mark.slow
def test_symmetric_positions_are_listed_once() -> None:
    game = new_game("7:3,vanish=3")
    whole, folded = Enumeration(type(game).key), Enumeration(canonical_key(game))
    for one in (whole, folded):
        one.extend(game, Effort())
    assert (len(whole), len(folded)) == (10_436, 3_539)


# Games with a past


def wander(name: str, plies: int, seed: int) -> Game:
    """Return a game after *plies* random moves, which do not end it if possible."""
    game, chance = new_game(name), Random(seed)
    while game.outcome is None and game.ply < plies:
        moves = list(game.legal_moves())
        chance.shuffle(moves)
        for move in moves:
            game.play(move)
            if game.outcome is None:
                break
            game.undo()
        else:
            game.play(moves[0])
    return game


def came_up(game: Game) -> Counter[object]:
    game = game.copy()
    keys = Counter([game.key()])
    while game.ply:
        game.undo()
        keys[game.key()] += 1
    return keys


def play_on(game: Game) -> dict[Move, Worth]:
    """Return the value of each move, by playing on in every way until the game ends."""
    side, moves = game.turn, {}
    for move in game.legal_moves():
        game.play(move)
        if game.outcome is None:
            moves[move] = later(max(play_on(game).values(), key=goodness))
        elif game.winner is None:
            moves[move] = (0, None)
        else:
            moves[move] = (1 if game.winner == side else -1, 1)
        game.undo()
    return moves


@pytest.mark.parametrize("name", ["5:2,vanish=2", "5:2,vanish=2,misere"])
@pytest.mark.parametrize("plies", [0, 4, 9, 14, 16])
def test_repetitions_match_full_play(name: str, plies: int) -> None:
    retrograde = Retrograde(new_game(name))
    for seed in range(3):
        game = wander(name, plies, seed)
        if game.outcome is None:
            assert_right(retrograde.analyse(game), play_on(game))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seeds", "count"),
    [([23], 3), ([12, 22, 23, 38], 8)],
)
def test_positions_seen_twice_draw(seeds: list[int], count: int) -> None:
    """In some games that changes the value of a move, in others it does not."""
    name = "6:2,vanish=2"
    retrograde = Retrograde(new_game(name))
    changed = same = 0
    for seed in seeds:  # in these games it does
        game = wander(name, 60, seed)
        if game.outcome is not None:
            game.undo()
        for _ in range(min(count, game.ply)):
            drawn = frozenset(key for key, times in came_up(game).items() if times == 2)
            moves = positions_of(name, drawn)[game.key()][1]
            for _ in range(2):  # The second time the list of positions exists already.
                assert_right(retrograde.analyse(game), moves)
            is_same = moves == positions_of(name)[game.key()][1]
            same, changed = same + is_same, changed + (not is_same)
            game.undo()
    assert changed > 0
    assert len(seeds) == 1 or same > changed > 3


# Limits


def test_next_question_resumes_after_limit() -> None:
    game = new_game("4x2:2,vanish=3,misere,wrap")
    whole = Retrograde(game).analyse(game)
    retrograde = Retrograde(game)
    parts = [retrograde.analyse(game, Limit(nodes=60)) for _ in range(3)]
    assert parts[0] == parts[1] == Analysis(None, None, None, 60, (), parts[0].moves)
    assert {(move.value, move.plies) for move in parts[0].moves} == {(None, None)}
    assert [move.move for move in parts[0].moves] == game.legal_moves()
    assert parts[2].nodes == whole.nodes - 120
    assert (parts[2].value, parts[2].moves) == (whole.value, whole.moves)
    assert retrograde.analyse(game).nodes == 0


def test_immediate_win_needs_no_list() -> None:
    game = parse_position(new_game("3x3:3,vanish=3"), "XX./OO./... X 1,2;4,5")
    found = Retrograde(game).analyse(game, Limit(nodes=0))
    assert (found.value, found.plies, found.best, found.pv) == (1, 1, (0, 2), ((0, 2),))
    assert [move.value for move in found.moves] == [1, None, None, None, None]


def test_retrograde_stops_and_reports() -> None:
    reports: list[Progress] = []
    game = new_game("vanishing")
    found = Retrograde(game, reports.append).analyse(game, Limit(stop=lambda: len(reports) == 2))
    assert (found.value, found.nodes) == (None, 2 * REPORTED)
    assert reports == [Progress("searching", REPORTED), Progress("searching", 2 * REPORTED)]
    assert (
        Retrograde(new_game("vanishing")).analyse(new_game("vanishing"), Limit(stop=lambda: True)).nodes
        == POLL
    )


def test_too_many_positions_stay_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MAX_POSITIONS", 40)
    game = new_game("5:2,vanish=2")
    retrograde = Retrograde(game)
    assert retrograde.analyse(game).value is None
    assert retrograde.analyse(game).nodes < 3
    monkeypatch.setattr(enumeration, "MAX_POSITIONS", 400)
    assert retrograde.analyse(game).value == 1


@pytest.mark.parametrize("name", ["4x4:3,vanish=4", "9x9:3,vanish=3"])
def test_oversized_game_is_not_listed(name: str) -> None:
    assert Retrograde(new_game(name)).analyse(new_game(name)).nodes == 0


def test_retrograde_values_finished_games() -> None:
    game = new_game("5:2,vanish=2")
    for cell in (0, 3, 1):
        game.play((cell,))
    assert Retrograde(game).analyse(game) == Analysis(-1, 0, None, 0)
    lost = new_game("5:2,vanish=2,misere")
    for cell in (0, 3, 1):
        lost.play((cell,))
    assert Retrograde(lost).analyse(lost) == Analysis(1, 0, None, 0)
    games = [wander("5:2,vanish=2", 60, seed) for seed in range(60)]
    drawn = next(game for game in games if game.outcome and game.winner is None)
    assert drawn.outcome is not None
    assert drawn.outcome.termination == Termination.REPETITION
    assert Retrograde(drawn).analyse(drawn) == Analysis(0, None, None, 0)


def test_retrograde_needs_two_sides() -> None:
    for name in ("fifteen", "5x5:3,players=3,vanish=3"):
        with pytest.raises(UnsupportedRules):
            Retrograde(new_game(name))


def test_large_boards_use_plain_keys() -> None:
    game = new_game("9x9:3,vanish=3")
    assert canonical_key(game)(game) == game.key()


def test_other_games_have_no_rough_count() -> None:
    assert count_roughly(new_game("tictactoe")) == 0
