"""Export of all games to a file for other programs."""

import csv
import json
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pyarrow import parquet

from noughts.arena.events import Event, EventKind
from noughts.arena.setup import ONLINE, TOURNAMENT, Setup
from noughts.arena.store.database import open_database
from noughts.interfaces.console.games_export import COLUMNS
from noughts.records.sgf import parse_sgf
from tests.databases import url_of
from tests.interfaces.harness import DONE, EN, NO, UNUSABLE, Program

DAY = 86_400_000
ENDINGS = ("csv", "jsonl", "parquet", "sgf")


def save(program: Program, setup: Setup, *moves: str, end: Mapping[str, object] | None = None) -> None:
    """Save a game in the database of *program*."""
    store = open_database(url_of(program.folder / "games.db"))
    number = store.add_game(setup)
    events = [
        Event(version, setup.created + version * 500, EventKind.MOVE, "XO"[(version + 1) % 2], {"move": move})
        for version, move in enumerate(moves, 1)
    ]
    if end is not None:
        at = setup.created + len(moves) * 500
        events.append(Event(len(events) + 1, at, EventKind.END, None, end))
    store.append(number, events)
    store.close()


@pytest.fixture
def full(program: Program) -> Program:
    """Return a program with four games, played on four days."""
    program.environment["NOUGHTS_DB"] = str(program.folder / "games.db")
    line = {"winner": "X", "termination": "line"}
    ada = {"X": "=Ada", "O": "Wei"}
    save(program, Setup("3x3:3", ada, created=DAY, who={"X": "human", "O": "human"}), *"14253", end=line)
    save(program, Setup("gomoku", {"X": "Wei", "O": "=Ada"}, created=2 * DAY))
    resigned = {"winner": "X", "termination": "resignation"}
    of_tournament = Setup("tictactoe", {"X": "A", "O": "B"}, created=3 * DAY, who={"X": "rule", "O": "rule"})
    save(program, replace(of_tournament, origin=TOURNAMENT, is_counted=False), end=resigned)
    draw = {"winner": None, "termination": "agreement"}
    save(program, Setup("tictactoe", ada, created=4 * DAY, origin=ONLINE), "5", end=draw)
    return program


def test_export_all_formats_have_same_rows(full: Program) -> None:
    for ending in ENDINGS:
        ran = full.run("export", "--all", f"all.{ending}")
        assert (ran.status, ran.errors) == (DONE, "")
    rows = [json.loads(line) for line in (full.folder / "all.jsonl").read_text().splitlines()]
    assert [list(row) for row in rows] == [list(COLUMNS)] * 4
    first, open_game, of_tournament, drawn = rows
    assert (first["moves"], first["plies"], first["seconds"], first["score"]) == ("1 4 2 5 3", 5, 2.5, 1.0)
    assert (first["winner"], first["winner_side"], first["counted"]) == ("=Ada", "X", True)
    assert (open_game["termination"], open_game["score"], open_game["moves"]) == (None, None, "")
    assert (of_tournament["origin"], of_tournament["counted"]) == ("tournament", False)
    assert (drawn["origin"], drawn["score"], drawn["winner"]) == ("online", 0.5, None)
    with (full.folder / "all.csv").open(newline="") as stream:
        cells = list(csv.DictReader(stream))
    assert [row["moves"] for row in cells] == [row["moves"] for row in rows]
    assert (cells[0]["first"], cells[0]["players"]) == ("'=Ada", "'=Ada | Wei")
    assert {row["created"][19:] for row in cells} == {".000+00:00"}  # Each time has one format.
    table = parquet.read_table(full.folder / "all.parquet")
    assert table.column_names == list(COLUMNS)
    for row, plain in zip(table.to_pylist(), rows, strict=True):
        assert row["created"] == datetime.fromisoformat(plain["created"]).astimezone(UTC)
        assert {**row, "created": plain["created"]} == plain
    games = [f"({text}" for text in (full.folder / "all.sgf").read_text().split("(") if text]
    assert [len(parse_sgf(game).moves) for game in games] == [5, 0, 0, 1]


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (("--game", "tictactoe"), [1, 3, 4]),
        (("--player", "=ADA"), [1, 2, 4]),
        (("--since", "1970-01-03"), [2, 3, 4]),
        (("--since", "1970-01-03", "--until", "1970-01-04"), [2, 3]),
        (("--origin", "tournament"), [3]),
        (("--origin", "local"), [1, 2]),
        (("--counted",), [1, 4]),
        (("--uncounted", "--game", "3x3:3"), [3]),
        (("--termination", "line"), [1]),
        (("--player", "nobody"), []),
        (("--until", "9999-12-31"), [1, 2, 3, 4]),
    ],
)
def test_export_all_takes_filters(full: Program, options: tuple[str, ...], numbers: list[int]) -> None:
    assert full.run("export", "--all", "some.jsonl", *options).status == DONE
    lines = (full.folder / "some.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == numbers


def test_export_all_leaves_damaged_games_out(full: Program) -> None:
    save(full, Setup("tictactoe", {"X": "A", "O": "B"}), "1", end={"winner": "Z", "termination": "line"})
    save(full, Setup("tictactoe", {"X": "A", "O": "B"}), end={"winner": "O", "termination": "line"})
    ran = full.run("export", "--all", "all.csv", "--termination", "line", "--player", "=Ada")
    assert (ran.status, len(ran.errors.splitlines())) == (NO, 2)
    assert len((full.folder / "all.csv").read_text().splitlines()) == 2
    assert full.run("export", "--all", "all.sgf").status == NO
    assert full.run("export", "--all", "all.csv").status == NO
    assert len((full.folder / "all.csv").read_text().splitlines()) == 6


def test_export_all_reports_deleted_games(full: Program) -> None:
    with closing(sqlite3.connect(full.folder / "games.db")) as database, database:
        database.execute("DELETE FROM games WHERE id = 1")
    ran = full.run("export", "--all", "all.csv")
    assert (ran.status, len(ran.errors.splitlines())) == (NO, 2)


def test_export_all_suggests_termination(full: Program) -> None:
    ran = full.run("export", "--all", "all.csv", "--termination", "resignatoin")
    assert ran.status == UNUSABLE
    assert ran.errors.strip().endswith(EN("did-you-mean", nearest="resignation"))


def test_export_all_without_database_writes_headings(program: Program) -> None:
    assert program.run("export", "--all", "all.csv").status == DONE
    assert (program.folder / "all.csv").read_text() == ",".join(COLUMNS) + "\n"


def test_export_all_refuses_unwritable_files(full: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    save(full, Setup("qubic", {"X": "A", "O": "B"}))
    for arguments in (("a.txt",), ("none/a.csv",), ("a.csv", "b.csv"), ("a.sgf",), ("a.csv", "--since", "x")):
        ran = full.run("export", "--all", *arguments)
        assert (ran.status, ran.output) == (UNUSABLE, ""), arguments
    assert full.run("export", "1", "a.json", "--game", "gomoku").status == UNUSABLE
    assert full.run("export", "1").status == UNUSABLE
    assert (
        full.run("export", "--all").errors
        == EN("usage-missing", what="FILE", command="noughts export") + "\n"
    )
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = full.run("export", "--all", "a.parquet")
    assert ran.status == UNUSABLE
    assert 'pip install ".[data]"' in ran.errors
    assert [file.suffix for file in full.folder.iterdir() if file.stem == "a"] == []


def test_unknown_player_gets_a_suggestion(full: Program) -> None:
    suggestion = EN("did-you-mean", nearest="=Ada")
    for arguments in (("history",), ("export", "--all", "none.csv")):
        assert suggestion in full.run(*arguments, "--player", "=Adda").output
        assert suggestion not in full.run(*arguments, "--player", "=ada", "--game", "renju").output
