"""Plans: the games of a tournament and their order, and the content of plan files."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from noughts.arena.tournament import sequential
from noughts.arena.tournament.plan import Entrant, OpeningPlan, PlannedGame, PlayLimits, TournamentPlan
from noughts.arena.tournament.plan_file import MAX_BYTES, PlanFile, read_plan
from noughts.errors import (
    FileRefused,
    NameRefused,
    NotationError,
    NotFound,
    NoughtsError,
    UnsupportedRules,
)
from tests.arena.tournament.stand_ins import OTHER, RANDOM, ROUND, RULE

WRITTEN = """
[tournament]
format = "{format}"
games = ["tictactoe", "4x4:4"]
pairs = 3
seed = 5
concurrency = 2
openings = "pie"
{more}
[limits]
nodes = 1000
turn_ms = 50
match_ms = 6000
increment_ms = 10

[[players]]
who = "rule"

[[players]]
name = "Bot"
who = "bot:ada"
options = {{ level = 3, book = true, name = "x" }}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def all_games(plan: TournamentPlan) -> list[PlannedGame]:
    return list(map(plan.game, range(1, plan.count + 1)))


def test_laps_are_played_one_after_another() -> None:
    games = all_games(ROUND)
    assert [game.number for game in games] == list(range(1, 13))
    assert [game.players for game in games[:6]] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert games[6:] == [PlannedGame(game.number + 6, game.game, game.players, 1) for game in games[:6]]


def test_each_game_has_all_meetings() -> None:
    plan = TournamentPlan("gauntlet", ("tictactoe", "4x4:4"), (RULE, RANDOM, OTHER), pairs=1)
    assert [(game.game, game.players) for game in all_games(plan)] == [
        (game, players) for game in plan.games for players in [(0, 1), (1, 0), (0, 2), (2, 0)]
    ]
    assert plan.count == 8


def test_ladder_pairs_neighbours() -> None:
    players = tuple(replace(RULE, name=name) for name in "abcd")
    assert TournamentPlan("ladder", ("tictactoe",), players, 1).meetings == (
        (0, 1),
        (0, 2),
        (1, 2),
        (1, 3),
        (2, 3),
    )


def test_name_differs_between_plans() -> None:
    plans = [
        ROUND,
        replace(ROUND, pairs=3),
        replace(ROUND, seed=8),
        replace(ROUND, openings=OpeningPlan("pie")),
        replace(ROUND, limits=PlayLimits(nodes=5)),
        replace(ROUND, players=(RANDOM, RULE, OTHER)),
        replace(ROUND, test=sequential.Test(0, 5)),
    ]
    assert len({plan.name for plan in plans}) == len(plans)
    assert replace(ROUND).name == ROUND.name


@pytest.mark.parametrize(
    ("one", "other"), [("tictactoe", "3X3"), ("6x6:4", "6x6:4"), ("4x4,misere", "4x4:4,misere")]
)
def test_game_spelling_does_not_change_the_name(tmp_path: Path, one: str, other: str) -> None:
    plans = [
        read_plan(written(tmp_path, SMALL.replace("tictactoe", spelled).format("", ""))).plan
        for spelled in (one, other)
    ]
    assert plans[0] == plans[1]
    assert replace(plans[0], games=(one,)).name == replace(plans[1], games=(other,)).name


@pytest.mark.parametrize(
    "plan",
    [
        ROUND,
        replace(ROUND, test=sequential.Test(0, 5, 0.1), limits=PlayLimits(5, 6, 7, 8, 9)),
        replace(ROUND, openings=OpeningPlan("lines", ("5 1", "1"), "pos", symmetries=True)),
        replace(ROUND, players=(RULE, Entrant("Bot", "bot:ada", {"level": "3"}))),
        replace(ROUND, anchor="Random"),
    ],
)
def test_plan_round_trips_through_facts(plan: TournamentPlan) -> None:
    read = TournamentPlan.of(json.loads(json.dumps(plan.facts())))
    assert read == plan
    assert read.name == plan.name


def test_file_gives_a_plan(tmp_path: Path) -> None:
    read = read_plan(written(tmp_path, WRITTEN.format(format="round-robin", more="")))
    players = read.plan.players
    assert [(player.name, player.who) for player in players] == [("rule", "rule"), ("Bot", "bot:ada")]
    assert players[1].options == {"level": "3", "book": "true", "name": "x"}
    limits = PlayLimits(1000, 50, 6000, 10)
    expected = TournamentPlan("round-robin", ("tictactoe", "4x4"), players, 3, 5, limits, OpeningPlan("pie"))
    assert read == PlanFile(expected, 2)


def test_file_with_a_test_gives_a_plan(tmp_path: Path) -> None:
    more = "elo0 = -1\nelo1 = 4.5\nalpha = 0.1"
    read = read_plan(written(tmp_path, WRITTEN.format(format="sprt", more=more)))
    assert read.plan.test == sequential.Test(-1.0, 4.5, 0.1, 0.05)


SMALL = '[tournament]\ngames = ["tictactoe"]\n{}\n[[players]]\nwho = "rule"\n[[players]]\nwho = "random"\n{}'


def test_optional_keys_have_defaults(tmp_path: Path) -> None:
    read = read_plan(
        written(tmp_path, "\ufeff" + SMALL.format("", ""))
    )  # Windows editors begin files with this mark
    assert (read.plan.format, read.plan.pairs, read.plan.seed, read.at_once) == ("round-robin", 1, 0, 1)
    assert read.plan.limits == PlayLimits()


@pytest.mark.parametrize(
    ("top", "end", "reason"),
    [
        ('format = "swiss"', "", "not-one-of"),
        ("format = 1", "", "not-one-of"),
        ("pairs = 0", "", "not-whole"),
        ("pairs = 1.5", "", "not-whole"),
        ("pairs = true", "", "not-whole"),
        ("concurrency = 5000", "", "not-whole"),
        ("colour = 1", "", "unknown-key"),
        ("openings = 5", "", "not-text"),
        ('openings = "mine.txt"\nnotation = "polar"', "", "not-one-of"),
        ('openings = "balanced"\nsymmetries = 1', "", "not-one-of"),
        ('openings = "balanced"\nplies = 0', "", "not-whole"),
        ('openings = "balanced"\nnotation = "moves"', "", "means-nothing"),
        ('openings = "pie"\nsymmetries = false', "", "means-nothing"),
        ('openings = "mine.txt"\nplies = 4', "", "means-nothing"),
        ("plies = 4", "", "means-nothing"),
        ("elo1 = 5", "", "means-nothing"),
        ('format = "sprt"\nelo1 = -1', "", "not-number"),
        ('format = "sprt"\nalpha = 0.5', "", "not-number"),
        ("", "[limits]\nturn_ms = 0", "not-whole"),
        ("", "[limits]\nincrement_ms = 5", "means-nothing-without"),
        ("", "[limits]\nseconds = 5", "unknown-key"),
        ("", '[[players]]\nname = "x"', "not-text"),
        ("", '[[players]]\nname = 5\nwho = "rule"', "not-text"),
        ("", '[[players]]\nname = "x"\nwho = "rule"\noptions = 5', "no-table"),
        ("", '[[players]]\nname = "x"\nwho = "bot:x"\noptions = { a = [] }', "not-text"),
        ("", '[[players]]\nname = "x"\nwho = "bot:x"\noptions = { a = "1\\nEND" }', "not-text"),
        ("", '[[players]]\nname = "x"\nwho = "bot:x"\noptions = { "a\\t" = 1 }', "not-text"),
        ("", '[[players]]\nname = "x"\nwho = "rule"\noptions = { level = 5 }', "unknown-key"),
        ("", '[[players]]\nname = "x"\nwho = "rule"\nelo = 5', "unknown-key"),
        ('format = "sprt"', '[[players]]\nname = "x"\nwho = "rule"', "not-two"),
        ("[other]", "", "unknown-key"),
        ("=", "", "no-toml"),
    ],
)
def test_bad_file_is_refused(tmp_path: Path, top: str, end: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_plan(written(tmp_path, SMALL.format(top, end)))
    assert (caught.value.what, caught.value.reason) == ("tournament", reason)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", NotationError),
        ("players = 5\n[tournament]\ngames = ['tictactoe']", NotationError),
        ("[tournament]\ngames = 'tictactoe'", NotationError),
        ("[tournament]\ngames = [3]", NotationError),
        ("[tournament]\ngames = []", NotationError),
        ("[tournament]\ngames = ['tictactoe', '3x3:3']", NotationError),
        ("[tournament]\ngames = ['chess']", NotFound),
        ("[tournament]\ngames = ['three']", UnsupportedRules),
        ("[tournament]\ngames = ['fifteen']", UnsupportedRules),
        (SMALL.format("", "[[players]]\nwho = 'rule'"), NameRefused),
        (SMALL.format("", "[[players]]\nname = \"\\u202e\"\nwho = 'rule'"), NameRefused),
        (SMALL.replace("tictactoe", "reversi").format("openings = 'swap2'", ""), UnsupportedRules),
        ("#" * (MAX_BYTES + 1), FileRefused),
        (SMALL.format("openings = 'none.txt'", ""), FileRefused),
    ],
)
def test_unsuitable_values_are_refused(tmp_path: Path, text: str, error: type[NoughtsError]) -> None:
    with pytest.raises(error):
        read_plan(written(tmp_path, text))


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefused):
        read_plan(tmp_path / "no.toml")


def test_openings_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("# mine\n5 1\n\n1 5 9 # corners\n")
    read = read_plan(written(tmp_path, SMALL.format('openings = "mine.txt"\nsymmetries = true', "")))
    assert read.plan.openings == OpeningPlan("lines", ("5 1", "1 5 9"), "moves", symmetries=True)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"# none", "no-openings"), (b"1 1", "bad-opening"), (b"1 2 4 3 7", "opening-over")],
)
def test_empty_openings_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "mine.txt").write_bytes(content)
    with pytest.raises(NotationError) as caught:
        read_plan(written(tmp_path, SMALL.format('openings = "mine.txt"', "")))
    assert caught.value.reason == reason


@pytest.mark.parametrize(("content", "reason"), [(b"\xff", "no-text"), (b"#" * (MAX_BYTES + 1), "too-long")])
def test_binary_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "mine.txt").write_bytes(content)
    with pytest.raises(FileRefused) as caught:
        read_plan(written(tmp_path, SMALL.format('openings = "mine.txt"', "")))
    assert caught.value.reason == reason


def test_openings_vary_by_default(tmp_path: Path) -> None:
    read = read_plan(written(tmp_path, SMALL.format("", "")))
    assert read.plan == read_plan(written(tmp_path, SMALL.format('openings = "varied"', ""))).plan
    assert read.plan.openings == OpeningPlan("varied")
    start = read_plan(written(tmp_path, SMALL.format('openings = "start"', "")))
    assert (read.earlier, start.earlier) == (start.plan, None)


def test_file_can_set_openings_and_anchor(tmp_path: Path) -> None:
    text = SMALL.format('openings = "balanced"\nplies = 3\nanchor = "random"', "")
    read = read_plan(written(tmp_path, text))
    assert read.plan.openings == OpeningPlan("balanced", plies=3)
    assert read.plan.anchor == "random"
    assert replace(read.plan, anchor=None).name == read.plan.name
    with pytest.raises(NotFound):
        read_plan(written(tmp_path, text.replace('"random"', '"nobody"', 1)))


def test_pipe_as_openings_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("pipe", "not-a-file"), (".", "is-a-folder")):
        with pytest.raises(FileRefused) as caught:
            read_plan(written(tmp_path, SMALL.format(f'openings = "{name}"', "")))
        assert caught.value.reason == reason


def test_impossible_file_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileRefused):
        read_plan(written(tmp_path, SMALL.format('openings = "a\\u0000b"', "")))
