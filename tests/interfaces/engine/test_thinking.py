"""The answers of the real search, and whole games under strict managers."""

from collections.abc import Sequence
from random import Random

import pytest

from noughts.games.base import Game, Move
from noughts.games.kinarow import KInARow
from noughts.games.openings import SWAP
from noughts.games.rules import Rules
from noughts.interfaces.engine import loop
from noughts.interfaces.engine.dialogue import MoveRequest
from noughts.interfaces.engine.loop import (
    COMPILED_BYTES,
    LOADING_S,
    EngineThinker,
    SearchPlayer,
    progress_line,
    quick_move,
)
from noughts.players.levels import LevelPlayer
from noughts.search import balance
from noughts.search.analysis import Limit, Progress, no_report
from noughts.search.background_compile import MachineSelector
from noughts.search.engine.engine import Engine
from noughts.search.patterns.search import fitted_memory
from noughts.workers.protocols.gomocup import Point, coordinate_of, format_point
from tests.interfaces.engine.managers import feeding
from tests.interfaces.engine.strict_games import EXACT, FREE, LIMITS, RENJU, Strict, rules_of
from tests.search.machines import machine_of
from tests.weekly import weekly


def played(rules: Rules, *points: Point) -> KInARow:
    game = KInARow(rules)
    for point in points:
        game.play(coordinate_of(point))
    return game


def think(game: KInARow, **facts: int | bool) -> tuple[Point, ...]:
    question = MoveRequest(game, None, **facts)  # type: ignore[arg-type]
    return EngineThinker().think(question, Limit(nodes=200), no_report)


@pytest.mark.slow
@pytest.mark.parametrize("memory", [0, COMPILED_BYTES - 1, COMPILED_BYTES])
@pytest.mark.parametrize("size", [15, 20])
def test_engine_plays_winning_move(size: int, memory: int) -> None:
    four = [(x, y) for x in range(3, 7) for y in (4, 9)]
    game = played(rules_of(size, size), *four)
    assert think(game, max_memory=memory)[0] in ((2, 4), (7, 4))


@pytest.mark.parametrize(
    "rule", [FREE, *(pytest.param(rule, marks=pytest.mark.slow) for rule in (EXACT, RENJU))]
)
def test_first_stone_is_the_middle(rule: int) -> None:
    assert think(KInARow(rules_of(15, 15, rule))) == ((7, 7),)


def test_thinker_player_depends_on_size_and_memory() -> None:
    """The best level finds exact values of small boards and of proved games, if memory suffices."""
    thinker = EngineThinker()
    for width, height, has_value in ((6, 6, True), (7, 7, True), (7, 6, False), (15, 15, False)):
        game = KInARow(rules_of(width, height))
        assert isinstance(thinker._player_for(game, has_room=False), SearchPlayer)
        player = thinker._player_for(game, has_room=True)
        assert isinstance(player, LevelPlayer) == has_value
        assert thinker._player_for(game, has_room=True) is player


def test_thinker_player_changes_late_in_the_game() -> None:
    thinker, game = EngineThinker(), KInARow(rules_of(7, 6))
    first = thinker._player_for(game, has_room=True)
    for row in range(6):
        game.play((row, 0))
    assert isinstance(first, SearchPlayer)
    assert isinstance(thinker._player_for(game, has_room=True), LevelPlayer)


def test_compiled_search_loads_with_enough_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float] = []
    monkeypatch.setattr(Engine, "prepare", lambda engine, wait_s=0.0: begun.append(wait_s))
    for rules in (rules_of(6, 6), rules_of(23, 23, RENJU)):
        for memory in (0, COMPILED_BYTES - 1, COMPILED_BYTES):
            EngineThinker().prepare([rules], memory)
    assert begun == [0.0, LOADING_S] * 2


@pytest.mark.parametrize("machine", ["python", "numba"])
def test_prepared_thinker_makes_no_tables(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = machine_of(machine)
    monkeypatch.setattr(MachineSelector, "__call__", lambda ready, stop=None: ready._machine or chosen)
    thinker, rules = EngineThinker(), [rules_of(9, 11, rule) for rule in (FREE, EXACT, RENJU)]
    thinker.prepare(rules, 0)
    before = fitted_memory.cache_info().misses
    for rule in rules:
        thinker.think(MoveRequest(played(rule, (4, 5)), None), Limit(nodes=2), no_report)
    assert fitted_memory.cache_info().misses == before


@pytest.mark.slow
def test_thinker_answers_swap2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "NODES_TO_CHOOSE", 50)
    rules = rules_of(15, 15, EXACT)
    requests = MoveRequest(KInARow(rules), None, is_swap2=True)
    three = EngineThinker().think(requests, Limit(seconds=0).started(), no_report)
    assert len(set(three)) == 3
    winning = played(rules, (7, 7), (0, 0), (8, 7), (0, 14), (9, 7))
    assert think(winning, is_swap2=True) == ()
    hopeless = played(rules, (0, 0), (7, 7), (14, 14))
    assert len(think(hopeless, is_swap2=True)) == 1


def test_swap2_choice_takes_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One part is for all three stones. The rest is for the search of a move."""
    limits: list[Limit] = []

    def place(game: Game, marks: int, limit: Limit) -> Move:
        limits.append(limit)
        return game.legal_moves()[0]

    def choose(game: Game, answers: Sequence[str], limit: Limit) -> str:
        limits.append(limit)
        return SWAP

    monkeypatch.setattr(loop, "place_evenly", place)
    monkeypatch.setattr(loop, "choose_side", choose)
    rules = rules_of(15, 15, EXACT)
    EngineThinker().think(MoveRequest(KInARow(rules), None, is_swap2=True), Limit(seconds=3600), no_report)
    assert len({limit.stop for limit in limits}) == 1
    EngineThinker().think(
        MoveRequest(played(rules, (7, 7), (0, 0), (8, 7)), None, is_swap2=True), Limit(nodes=5), no_report
    )
    assert [limit.seconds for limit in limits] == [1800, 1800, 1800, None]


def test_progress_line_shows_depth_and_variation() -> None:
    best = (3, 10)
    assert progress_line(Progress("searching", 7, 2, best, (best, (0, 1)), -5), best) == (
        "MESSAGE depth 2 nodes 7 score -5 pv 10,3 1,0"
    )
    assert progress_line(Progress("searching", 7, 2, best), best) == "MESSAGE depth 2 nodes 7 pv 10,3"


# Whole games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "height", "rule"),
    [
        (15, 15, FREE),
        weekly(15, 15, EXACT),
        weekly(15, 15, RENJU),
        weekly(20, 20, FREE),
        (5, 5, FREE),
        (9, 6, EXACT),
        (7, 7, RENJU),
    ],
)
def test_engine_plays_whole_games_under_strict_manager(width: int, height: int, rule: int) -> None:
    with feeding() as manager:
        for number in range(2):
            chance = Random(f"{width} {height} {rule} {number}")
            strict = Strict(manager, KInARow(rules_of(width, height, rule)), chance)
            strict.start(rule)
            manager.send("INFO max_node 60")
            strict.play(engine_first=number % 2 == 1)
        assert manager.close() == []


@pytest.mark.slow
def test_engine_plays_whole_games_at_tiny_limits() -> None:
    with feeding() as manager:
        for number, (width, height, rule) in enumerate(((11, 6, FREE), (22, 5, RENJU), (7, 13, EXACT))):
            strict = Strict(manager, KInARow(rules_of(width, height, rule)), Random(number))
            strict.start(rule)
            manager.send("INFO timeout_turn 1")
            strict.play(engine_first=number % 2 == 1, limits=LIMITS)
        assert manager.close() == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 4, 5, 6, 15, 19, 20])
def test_engine_plays_standard_sizes(size: int) -> None:
    """The engine plays from size 5 and refuses smaller boards."""
    with feeding() as manager:
        manager.send(f"START {size}", "INFO max_node 20", "INFO timeout_turn 0")
        answer = manager.answer()
        assert answer is not None
        if size < 5:
            assert answer.startswith("ERROR boards of 5 to 40")
        else:
            assert answer == "OK"
            strict = Strict(manager, KInARow(rules_of(size, size)), Random(size))
            strict.expect_move("BEGIN")
            strict.expect_move(f"TURN {format_point(strict.make_move())}")
        assert manager.close() == []


@pytest.mark.parametrize(("size", "middle"), [(5, (2, 2)), (15, (7, 7)), (20, (9, 9))])
def test_quick_move_is_near_the_middle(size: int, middle: tuple[int, int]) -> None:
    assert quick_move(KInARow(rules_of(size, size))) == middle
