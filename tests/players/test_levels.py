"""Tests of the levels: their strength, their limits, and their data."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts import KInARow, TicTacToe, new_game, play
from noughts.errors import GameOver, NotFound, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import parse_position
from noughts.players import levels
from noughts.players.base import Player, new_player
from noughts.players.levels import Abilities, LevelPlayer, abilities, family_of
from noughts.search.analysis import Analysis, Limit, MoveValue
from noughts.search.background_compile import PREPARING_S
from noughts.search.engine.engine import Engine
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.explain.immediate import wins as wins_now
from noughts.search.general.estimating import GeneralSearch
from tests.players.test_bots import all_ends
from tests.search.oracle import positions_of
from tests.strategies import play_at_random
from tests.weekly import each_week_all

FAMILIES = ("flat", "falling", "deep", "others")
GAMES = tuple(entry.name for entry in CATALOGUE if len(new_game(entry.name).sides) == 2)
FEW = Limit(nodes=30)


def level(number: int, seed: int = 1) -> LevelPlayer:
    return LevelPlayer(str(number), Random(seed))


# Data


def data_of(name: str) -> Any:
    return json.loads(files("noughts.players").joinpath(name).read_text(encoding="utf-8"))


def test_level_data_is_well_formed() -> None:
    result = data_of("levels.json")
    assert list(result) == ["families"]
    assert tuple(result["families"]) == FAMILIES
    for family, rows in result["families"].items():
        assert len(rows) == len(levels.LEVELS) == 10
        for number, row in zip(levels.LEVELS, rows, strict=True):
            able = abilities(number, family)
            assert asdict(able) == row
            assert 0 <= able.overlooks < 1
            assert 0 <= able.lapses < 1
            assert able.depth >= 1
            assert isinstance(able.nodes, int)


@pytest.mark.parametrize("family", FAMILIES)
def test_higher_level_is_never_weaker(family: str) -> None:
    """Each level has more resources and fewer weaknesses than the one before."""
    able = [abilities(number, family) for number in levels.LEVELS]
    for number, (weaker, stronger) in enumerate(pairwise(able), 1):
        assert (weaker.alert, weaker.nodes) <= (stronger.alert, stronger.nodes)
        if number != 3:  # the fourth is always alert, which is more than one step
            assert weaker.overlooks >= stronger.overlooks
        assert weaker.lapses >= stronger.lapses or not weaker.nodes
        assert weaker != stronger
    assert all(one.alert == 1 for one in able[3:])
    assert all(one.alert < 1 for one in able[:3])
    assert [bool(one.exact) for one in able] == [False] * 9 + [True]
    assert (able[-1].lapses, able[-1].overlooks) == (0, 0)


def test_measured_table_is_consistent() -> None:
    result = json.loads(Path("benchmarks/results/tournament.json").read_text(encoding="utf-8"))
    assert result["commands"]
    for row in result["matches"]:
        assert row["game"] in GAMES
        assert row["wins"] + row["draws"] + row["losses"] == row["games"]
        assert row["score"] == pytest.approx((row["wins"] + row["draws"] / 2) / row["games"], abs=1e-3)
    for row in result["blunders"]:
        assert row["game"] in GAMES
        assert isinstance(new_player(row["player"]), Player)


def test_family_of_games() -> None:
    assert {name: family_of(new_game(name)) for name in ("tictactoe", "torus", "score4", "4d", "wild")} == {
        "tictactoe": "flat",
        "torus": "flat",
        "score4": "falling",
        "4d": "deep",
        "wild": "others",
    }


# Names


@pytest.mark.parametrize("name", ["0", "11", "", "1.0", "١"])
def test_ten_levels_exist(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        LevelPlayer(name, Random(1))
    assert (caught.value.what, caught.value.name) == ("player", f"level:{name}")
    assert isinstance(new_player("level:10"), LevelPlayer)


# Seats


@pytest.mark.parametrize("number", [1, 10])
def test_levels_decline_puzzles(number: int) -> None:
    with pytest.raises(UnsupportedRules) as caught:
        level(number).take_seat(new_game("fifteen"))
    assert (caught.value.who, caught.value.reason, caught.value.instead) == ("level", "one-side", ("human",))


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 6, 10])
def test_levels_accept_all_other_games(number: int) -> None:
    for name in ("tictactoe", "three", "1000x1000:5", "400:3", "reversi", "vanishing"):
        level(number).take_seat(new_game(name))
    level(number).take_seat(parse_position(TicTacToe(), "XXX/OO./..."))


@pytest.mark.parametrize("number", [1, 4, 10])
def test_levels_refuse_finished_games(number: int) -> None:
    with pytest.raises(GameOver):
        level(number).choose(parse_position(TicTacToe(), "XXX/OO./..."), FEW)


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 5, 10])
@pytest.mark.parametrize("name", ["three", "300x300:5", "300x300:5,notakto", "20x21:420,wrap", "8x8x8:3"])
def test_levels_play_large_boards_by_rules(name: str, number: int) -> None:
    game = new_game(name)
    player = level(number)
    while game.outcome is None and game.ply < 7:
        before = (game.key(), game.moves)
        move = player.choose(game, Limit())
        assert (game.key(), game.moves) == before
        game.play(move)


# Tactics


def ends_of(name: str) -> Iterator[Game]:
    """Yield positions one and two plies before the end of random games."""
    for seed in range(3):
        game = new_game(name)
        chance = Random(seed)
        while game.outcome is None:
            near = sorted(game.legal_moves(), key=game.weight, reverse=True)
            game.play(chance.choice(near[: max(4, len(near) // 4)]))
        for _ in range(2):
            game.undo()
            yield game.copy()


def is_safe(game: Game, move: Move) -> bool:
    """Return True if *move* neither loses at once nor allows a reply that wins."""
    side = game.turn
    game.play(move)
    replies = [] if game.outcome else list(game.legal_moves())
    safe = game.winner in (None, side) and not any(wins_now(game, reply) for reply in replies)
    game.undo()
    return safe


@pytest.mark.slow
@pytest.mark.parametrize("name", each_week_all(GAMES, 3))
def test_level_4_wins_and_blocks_at_once(name: str) -> None:
    wins = stops = 0
    for game in ends_of(name):
        winning = [move for move in game.legal_moves() if wins_now(game, move)]
        safe = [] if winning else [move for move in game.legal_moves() if is_safe(game, move)]
        for number in range(4, 11):
            move = level(number).choose(game.copy(), FEW)
            if winning:
                wins += 1
                assert move in winning
            elif safe:
                stops += 1
                assert move in safe
            assert move in game.legal_moves()
    assert wins + stops >= 7


@pytest.mark.slow
def test_low_levels_miss_wins_and_blocks() -> None:
    win = parse_position(
        new_game("gomoku"), "/".join(["XXXX" + "." * 11, "OOOO" + "." * 11, *["." * 15] * 13])
    )
    stop = parse_position(
        new_game("gomoku"), "/".join(["XX.X.X" + "." * 9, "OOOO" + "." * 11, *["." * 15] * 13])
    )
    for game, right in ((win, (0, 4)), (stop, (1, 4))):
        result = [
            sum(level(number, seed).choose(game.copy(), FEW) == right for seed in range(20))
            for number in (1, 3, 4)
        ]
        assert result[0] < result[1] < result[2] == 20


def test_level_prepares_its_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float] = []
    monkeypatch.setattr(Engine, "prepare", lambda engine, wait_s=0.0: begun.append(wait_s))
    games = ("reversi", "64x64:5", "tictactoe", "gomoku")
    for name, level in (("gomoku", "1"), *((name, "10") for name in games)):
        LevelPlayer(level, Random(1)).prepare(new_game(name))
    assert begun == [PREPARING_S]


def test_levels_move_in_hopeless_positions() -> None:
    fork = parse_position(TicTacToe(), "X.X/.O./X.O")
    last = parse_position(new_game("misere"), "XOX/OX./OXO")
    for game in (fork, last):
        for number in range(1, 11):
            assert level(number).choose(game.copy(), FEW) in game.legal_moves()


@pytest.mark.parametrize("name", ["notakto", "3x3:3,gravity"])
def test_find_safe_agrees_with_replies(name: str) -> None:
    """Every fifth position is checked against all replies."""
    nothing_safe = 0
    for position in list(positions_of(name).values())[::5]:
        game = position.game.copy()
        order = list(game.legal_moves())
        Random(1).shuffle(order)
        result = ImmediateTactics(game).find_safe(order)[0]
        safe = [move for move in order if is_safe(game, move)]
        nothing_safe += bool(order) and not safe
        assert result in safe if safe else result is None
        assert game.key() == position.game.key()
    assert nothing_safe


def test_second_move_of_a_side_is_safe() -> None:
    from tests.search.test_general import Counting

    game = Counting()
    assert ImmediateTactics(game).find_safe(game.legal_moves()) == ((0, 0), [])


# Strength


@pytest.mark.slow
@pytest.mark.parametrize("side", ["X", "O"])
def test_level_10_never_loses_tic_tac_toe(side: str) -> None:
    """The other side tries all moves, from the first to the last."""
    player = level(10)
    player.take_seat(TicTacToe())
    limits = Quick(player, Limit(nodes=800))
    assert set(all_ends(limits, side, TicTacToe())) == {side, None}


class Quick(LevelPlayer):
    """The player with a smaller limit for each move."""

    def __init__(self, player: LevelPlayer, limit: Limit) -> None:
        self._player, self._limit = player, limit

    def choose(self, game: Game, limit: Limit) -> Move:
        return self._player.choose(game, self._limit)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("other", ["random", "rule", "level:8"])
def test_level_10_never_loses_4x4(other: str) -> None:
    for seed in range(4):
        winner = play(
            new_game("4x4"),
            players={"XO"[seed % 2]: level(10), "OX"[seed % 2]: new_player(other, Random(seed))},
            limit=Limit(nodes=300),
        )
        assert winner in ("XO"[seed % 2], None)


@pytest.mark.slow
def test_level_10_is_exact_on_small_boards() -> None:
    for name in ("misere", "notakto", "3x3:3,gravity"):
        player = level(10)
        for position in list(positions_of(name).values())[5::90]:
            if position.moves:
                move = player.choose(position.game.copy(), Limit(nodes=4_000))
                assert position.moves[move].value == position.worth.value
                if position.worth.value > 0:
                    assert position.moves[move].plies == position.worth.plies


# Limits


class Spy:
    """A spy that records the limits of searches."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.limits: list[Limit] = []
        for kind in (Engine, GeneralSearch):
            monkeypatch.setattr(kind, "search", self.search)

    def search(self, game: Game, limit: Limit) -> Analysis:
        self.limits.append(limit)
        return Analysis(None, None, game.legal_moves()[-1], 0)


def test_levels_obey_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level uses its own nodes, or fewer if the limit is smaller. The last level uses the whole limit."""
    spy = Spy(monkeypatch)
    monkeypatch.setattr(levels, "EXACT_CELLS", 0)
    monkeypatch.setattr(LevelPlayer, "_by_chance", lambda self, chance: chance >= 1)  # no lapses
    own = [abilities(str(number), "flat").nodes for number in (9, 10)]
    limits = [Limit(), Limit(nodes=77), Limit(seconds=50.0), Limit(nodes=10**9, depth=3)]
    for number in (9, 10):
        for limit in limits:
            level(number).choose(new_game("gomoku"), limit)
    assert [limit.nodes for limit in spy.limits] == [own[0], 77, own[0], own[0], own[1], 77, None, 10**9]
    assert [limit.depth for limit in spy.limits] == [None, None, None, 3] * 2
    assert not any(limit.stop() for limit in spy.limits)
    level(10).choose(new_game("gomoku"), Limit(seconds=0.0))
    assert spy.limits[-1].stop()


def test_level_moves_without_search_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "search", lambda self, game, limit: Analysis(None, None, None, 0))
    assert level(10).choose(new_game("gomoku"), FEW) in new_game("gomoku").legal_moves()


def test_exact_values_get_share_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Limit] = []

    def analyse(game: Game, limit: Limit) -> Analysis:
        limits.append(limit)
        return Analysis(None, None, None, 0)

    player = level(10)
    monkeypatch.setattr(player._analyst, "analyse", analyse)
    Spy(monkeypatch)
    for game, limit in ((new_game("4x4"), Limit(seconds=8.0)), (new_game("3d"), Limit(nodes=9))):
        player.choose(game, limit)
    for name in ("gomoku", "ultimate", "5x5x4:4"):
        player.choose(new_game(name), FEW)
    assert [limit.seconds for limit in limits] == [8.0 * levels.EXACT_SHARE, None]
    assert [limit.nodes for limit in limits] == [abilities("10", "flat").exact, 4]


@pytest.mark.parametrize("compiled", [True, False])
def test_exact_values_get_most_time_in_columns(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fast search exact values get all nodes within the seconds. Limits in nodes are as elsewhere."""
    limits: list[Limit] = []

    def values(game: Game, limit: Limit) -> Analysis:
        limits.append(limit)
        return Analysis(None, None, None, 0)

    monkeypatch.setattr(levels, "can_compile", lambda: compiled)
    player, able = level(10), abilities("10", "falling")
    monkeypatch.setattr(player._analyst, "values", values)
    monkeypatch.setattr(player._analyst, "analyse", values)
    flat, solid = new_game("5x5:4,gravity"), new_game("3x3x3:3,gravity")
    for game in (flat, solid, new_game("5x5:4,gravity,exact")):
        player._best_by_value(game, able, Limit(seconds=8.0))
    player._best_by_value(flat, able, Limit(seconds=8.0, nodes=10**9))
    player._best_by_value(flat, able, Limit(nodes=9))
    few = 8.0 * levels.EXACT_SHARE
    most = 8.0 * levels.COLUMNS_SHARE if compiled else few
    assert [limit.seconds for limit in limits] == [most, most, few, few, None]
    assert [limit.nodes for limit in limits] == [
        *[None if compiled else able.exact] * 2,
        *[able.exact] * 2,
        4,
    ]
    assert not levels.has_fast_columns(new_game("score4"))  # only after most of it is played


@pytest.mark.slow
def test_only_level_10_uses_certificates() -> None:
    game = new_game("qubic")
    for number, is_certain in ((10, True), (9, False)):
        best, _ = level(number)._best_by_value(game, abilities("10", "deep"), Limit(nodes=2))
        assert (len(best) < len(game.legal_moves())) is is_certain


def test_partial_analysis_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a limit stopped the analysis, losing moves are avoided, and a proved win or draw is played."""
    cells = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    known: list[tuple[int | None, list[tuple[int | None, int | None]], set[Move]]] = [
        (None, [(-1, 5), (None, None), (0, None), (-1, 7), (None, None)], {cells[1], cells[2], cells[4]}),
        (1, [(None, None), (1, None), (1, 9), (1, 5), (0, None)], {cells[3]}),
        (1, [(None, None), (1, None), (None, None), (1, None), (0, None)], {cells[1], cells[3]}),
        (0, [(0, None), (None, None), (0, None), (-1, 3), (-1, 3)], {cells[0], cells[2]}),
        (-1, [(-1, 3), (-1, 9), (-1, 9), (-1, None), (-1, 3)], {cells[3]}),
        (None, [(-1, 3)] * 5, set(cells)),
    ]
    able = abilities("10", "flat")
    for value, moves, expected in known:
        values = tuple(MoveValue(cell, *known) for cell, known in zip(cells, moves, strict=True))
        result = Analysis(value, None, None, 7, moves=values)
        player = level(10)
        monkeypatch.setattr(player._analyst, "analyse", lambda game, limit, result=result: result)
        best, nodes = player._best_by_value(new_game("4x4"), able, Limit())
        assert nodes == 7
        if expected == set(cells):
            assert set(best) == set(new_game("4x4").legal_moves())
        else:
            assert set(best) == expected


def test_only_move_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch)
    assert level(10).choose(parse_position(TicTacToe(), "XXO/OOX/XO."), Limit()) == (2, 2)
    assert not spy.limits


def test_level_lapses_and_overlooks_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lapse is a move without search. Overlooked moves come last."""
    spy = Spy(monkeypatch)
    able = Abilities(alert=1, depth=1, overlooks=0, nodes=50, lapses=1, exact=0)
    monkeypatch.setattr(levels, "abilities", lambda number, family: able)
    assert level(6).choose(new_game("4x4"), Limit()) in {
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (0, 0),
        (3, 3),
        (0, 3),
        (3, 0),
    }
    assert not spy.limits
    able = Abilities(alert=1, depth=1, overlooks=1, nodes=0, lapses=0, exact=0)
    moves = {level(6, seed).choose(new_game("4x4"), Limit()) for seed in range(40)}
    assert len(moves) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gomoku", "connect4", "ultimate"])
def test_level_seed_repeats_the_game(name: str) -> None:
    def game(seed: int) -> tuple[Move, ...]:
        played = new_game(name)
        players = {side: level(7, seed + number) for number, side in enumerate(played.sides)}
        while played.outcome is None and played.ply < 12:
            played.play(players[played.turn].choose(played.copy(), Limit(nodes=40)))
        return played.moves

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_levels_move_under_any_rules() -> None:
    for number, spec in enumerate(
        ["4x3:3,wrap", "4x4:3,exact", "3x3x2:2,gravity", "5x5:4,misere", "4x4:3,wild"]
    ):
        game = new_game(spec)
        assert isinstance(game, KInARow)
        play_at_random(game, number, seed=number)
        if game.outcome is None:
            assert level(9).choose(game.copy(), FEW) in game.legal_moves()


@pytest.mark.parametrize("player", ["rule", "level:4", "level:10"])
@pytest.mark.parametrize(
    ("game", "position", "allowed"),
    [
        # With two marks left, they fill a line. With one left, it stops a line that two marks would fill.
        ("8x8:5,place=2", "XXX...../......../OOO...../......../....O...", {3, 4}),
        ("8x8:5,place=2", "X......X/......../.OOO..../......../......../.....O../......../X......X", {20}),
        # Four in a row win.
        ("5x5:4,avoid=3", "OO.O./...../XX..X", {2}),
        ("5x5:4,avoid=3", "OO.../..O../XX.X.", {12}),
    ],
)
def test_players_plan_the_whole_turn(player: str, game: str, position: str, allowed: set[int]) -> None:
    rows, width = position.split("/"), int(game[0])
    text = "/".join([*rows, *["." * width] * (width - len(rows))])
    standing = parse_position(new_game(game), text)
    assert standing.turn == "X"
    row, column = new_player(player, Random(1)).choose(standing, Limit(nodes=300))
    assert row * width + column in allowed


def test_players_avoid_own_losing_lines() -> None:
    for seed in range(3):
        game = new_game("squava")
        players = {"X": new_player("level:4", Random(seed)), "O": new_player("rule")}
        while game.outcome is None:
            side, others = game.turn, ImmediateTactics(game.copy()).plies_to_loss
            holds_out = [move for move in game.legal_moves() if others(move) != 1]
            game.play(players[side].choose(game.copy(), Limit(nodes=100)))
            assert not holds_out or game.winner in (None, side)
