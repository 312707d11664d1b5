"""The intact part of a damaged file is saved, and nothing else, whatever happened to the file."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import pytest

from noughts.arena.people.people import People
from noughts.arena.repair.plain_rows import NOT_SAVED
from noughts.arena.repair.repair import RepairReport, repair
from noughts.arena.seat_names import seat_name
from noughts.arena.series import Begins
from noughts.arena.setup import ONLINE, SeriesSetup, Setup
from noughts.arena.store.database import open_database
from noughts.arena.store.revisions import FIRST_TABLES, TABLES, VERSION_TABLE
from noughts.arena.stored_game import StoredGame
from noughts.errors import DamagedStore, FileRefused, NewerStore, StoreError
from tests.arena.people.signing import Signer, register, sign_in
from tests.arena.ratings.rated_games import count, play, tables_of
from tests.arena.test_migrations import SCHEMAS
from tests.databases import fill, moves, new_database, seats, url_of
from tests.weekly import weekly

GAMES = 60
PAGE = 4096
FILLINGS = (b"\0", b"\xff", b"\x0d")
MADE = (*sorted(FIRST_TABLES), VERSION_TABLE)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of many games, in a file of many pages."""
    path = tmp_path_factory.mktemp("repair") / "whole.db"
    with closing(new_database(path)) as store:
        fill(store, GAMES)
    return path


@pytest.fixture(autouse=True)
def _few_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the number of unreadable rows that are tried to little more than there are."""
    monkeypatch.setattr("noughts.arena.repair.damaged_file.MAX_SKIPPED", 20 * GAMES)


def games_of(path: Path) -> dict[int, StoredGame]:
    """Return the games in an intact file."""
    with closing(open_database(url_of(path))) as store:
        return {game.id: game for game in store.games()}


def saved_rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each saved table in an intact file."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            table: connection.execute(f"SELECT * FROM {table}").fetchall()
            for table in sorted(TABLES - NOT_SAVED.keys())
        }


def counts(report: RepairReport) -> RepairReport:
    """Return *report* without lost rows: some rows of the dumps name people who do not exist."""
    return replace(report, lost_rows=())


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_intact_rows_are_saved_unchanged(whole: Path, tmp_path: Path) -> None:
    content, new = whole.read_bytes(), tmp_path / "new.db"
    assert repair(whole, new) == RepairReport(GAMES, 2, (), ())
    assert games_of(new) == games_of(whole)
    with closing(open_database(url_of(new))) as saved, closing(open_database(url_of(whole))) as store:
        assert saved.all_open_series() == store.all_open_series() == [2]
        assert [list(saved.games(series)) for series in (1, 2)] == [list(store.games(n)) for n in (1, 2)]
        assert saved.add_game(Setup("tictactoe", seats())) == GAMES + 1
    assert whole.read_bytes() == content


def test_altered_rows_are_skipped(whole: Path, tmp_path: Path) -> None:
    damaged, new = tmp_path / "damaged.db", tmp_path / "new.db"
    damaged.write_bytes(whole.read_bytes())
    change(
        damaged,
        "UPDATE games SET created = 9 WHERE id = 4",
        "UPDATE events SET data = '[' WHERE game_id = 5 AND version = 1",
        "DELETE FROM games WHERE id = 8",
        "DELETE FROM games WHERE id = 9",
        "DELETE FROM events WHERE game_id = 9",
        "UPDATE series SET game = 'gomoku' WHERE id = 1",
    )
    lost = (4, 5, 8, 9)
    assert repair(damaged, new) == RepairReport(GAMES - 4, 1, lost, (1,))
    before, after = games_of(whole), games_of(new)
    assert sorted({*before} - {*after}) == list(lost)
    for number, game in after.items():
        assert game.events == before[number].events
        assert game.setup.series == (
            None if before[number].setup.series == 1 else before[number].setup.series
        )
    with closing(open_database(url_of(new))) as store:
        assert len(list(store.games(2))) == sum(game.setup.series == 2 for game in after.values())


@pytest.mark.slow
@pytest.mark.parametrize(("first", "every"), [(0, 2), *(weekly(first, 1) for first in range(len(FILLINGS)))])
def test_overwritten_pages_give_no_false_games(whole: Path, tmp_path: Path, first: int, every: int) -> None:
    """Every second page gets one filling after another. The weekly run tries all combinations."""
    content, before, counts = whole.read_bytes(), games_of(whole), list[int]()
    damaged = tmp_path / "damaged.db"
    for number, start in enumerate(range(0, len(content), every * PAGE), first):
        filling = FILLINGS[number % len(FILLINGS)]
        damaged.write_bytes(content[:start] + filling * PAGE + content[start + PAGE :])
        new = tmp_path / f"{start}.db"
        result = repair(damaged, new)
        assert new.exists() == bool(result.games or result.series)
        after = games_of(new) if new.exists() else {}
        assert len(after) == result.games
        for number, game in after.items():
            assert (game.events, game.setup.seats) == (before[number].events, before[number].setup.seats)
        counts.append(len(after))
    assert counts[0] == GAMES  # the first page, with the schema, is the same in each file
    assert sorted(counts)[len(counts) // 2] > GAMES // 2


def test_lost_games_without_events_are_reported(whole: Path, tmp_path: Path) -> None:
    """Lost games are reported even if no later game is intact.

    Numbers that only damage can produce do not count.
    """
    damaged, last, far = tmp_path / "damaged.db", GAMES - 9, 10**15
    damaged.write_bytes(whole.read_bytes())
    change(
        damaged,
        f"DELETE FROM games WHERE id > {last}",
        f"UPDATE events SET game_id = {far} WHERE game_id = {GAMES - 1} AND version = 1",
    )
    lost = repair(damaged, tmp_path / "new.db").lost_games
    assert lost == (*range(last + 1, GAMES + 1), far)


def test_endless_table_is_abandoned(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged, new = tmp_path / "damaged.db", tmp_path / "new.db"
    damaged.write_bytes(whole.read_bytes())
    change(damaged, "UPDATE events SET game_id = 'x' WHERE game_id = 7")
    monkeypatch.setattr("noughts.arena.repair.damaged_file.MAX_SKIPPED", 50)
    assert repair(damaged, new) == RepairReport(GAMES - 1, 2, (7,), ())


def test_rows_in_the_log_are_saved(tmp_path: Path) -> None:
    path, new = tmp_path / "games.db", tmp_path / "new.db"
    with closing(new_database(path)) as store:
        store.append(store.add_game(Setup("tictactoe", seats())), moves(3))
        assert repair(path, new).games == 1
        assert games_of(new) == {1: store.load(1)}


@pytest.mark.slow
@pytest.mark.parametrize("dump", SCHEMAS, ids=lambda dump: dump.stem)
def test_earlier_versions_are_saved(dump: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    assert counts(repair(old, new)) == RepairReport(12, 2, (), ())
    games = games_of(old)  # this also migrates the file
    assert games_of(new) == games
    assert counts(repair(old, tmp_path / "migrated.db")) == RepairReport(12, 2)
    old.write_bytes(bytes(PAGE) + old.read_bytes()[PAGE:])
    assert counts(repair(old, tmp_path / "without-first-page.db")) == RepairReport(12, 2)
    assert saved_rows(tmp_path / "without-first-page.db") == saved_rows(tmp_path / "migrated.db")


def test_file_without_intact_rows_creates_nothing(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    old.write_bytes(b"no database at all" * 400)
    assert repair(old, new) == RepairReport(0, 0, (), ())
    assert list(tmp_path.iterdir()) == [old]


def test_series_without_games_are_saved(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with closing(new_database(old)) as store:
        store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.LOSER, 1))
    assert repair(old, new) == RepairReport(0, 1, (), ())


def test_repair_refuses_missing_and_existing_files(whole: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken.db"
    taken.write_text("mine")
    with pytest.raises(FileRefused):
        repair(whole, taken)
    assert taken.read_text() == "mine"
    with pytest.raises(StoreError, match=r"not-there\.db"):
        repair(tmp_path / "not-there.db", tmp_path / "new.db")
    with pytest.raises(FileRefused, match="not there"):
        repair(whole, tmp_path / "folder" / "new.db")
    assert list(tmp_path.iterdir()) == [taken]


@pytest.mark.parametrize(
    ("statements", "kind", "reason"),
    [
        (["UPDATE noughts_version SET version_num = '9999'"], NewerStore, "9999"),
        ([f"ALTER TABLE {table} RENAME TO {table}_of_mine" for table in MADE], StoreError, "another-program"),
    ],
)
def test_newer_and_foreign_files_are_refused(
    whole: Path, tmp_path: Path, statements: list[str], kind: type[StoreError], reason: str
) -> None:
    other = tmp_path / "other.db"
    other.write_bytes(whole.read_bytes())
    change(other, *statements)
    with pytest.raises(StoreError) as refused:
        repair(other, tmp_path / "new.db")
    assert (type(refused.value), refused.value.where) == (kind, str(other))
    assert reason in refused.value.reason
    assert list(tmp_path.iterdir()) == [other]


@pytest.mark.parametrize(
    ("statements", "saved"),
    [
        ("DROP TABLE noughts_version", RepairReport(GAMES, 2, (), ())),
        ("DROP TABLE series", RepairReport(GAMES, 0, (), (1, 2))),
        ("DROP TABLE noughts_version; DROP TABLE series", RepairReport(GAMES, 0, (), (1, 2))),
        ("ALTER TABLE games DROP COLUMN opening", RepairReport(GAMES, 2, (), ())),
        ("ALTER TABLE games DROP COLUMN who", RepairReport(0, 2, tuple(range(1, GAMES + 1)), ())),
        ("ALTER TABLE series DROP COLUMN begins", RepairReport(GAMES, 0, (), (1, 2))),
    ],
)
def test_missing_schema_parts_are_tolerated(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statements: str, saved: RepairReport
) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(whole.read_bytes())
    change(damaged, *statements.split(";"))
    monkeypatch.setattr("noughts.arena.repair.damaged_file.MAX_SKIPPED", 50)
    assert repair(damaged, tmp_path / "new.db") == saved


def test_write_error_names_the_new_file(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("noughts.arena.repair.repair.create", refuse)
    with pytest.raises(StoreError) as refused:
        repair(whole, tmp_path / "new.db")
    assert (refused.value.where, refused.value.reason) == (str(tmp_path / "new.db"), "no-room")


@pytest.mark.slow
def test_truncated_file_keeps_its_remaining_games(whole: Path, tmp_path: Path) -> None:
    content, damaged = whole.read_bytes(), tmp_path / "damaged.db"
    saved = []
    for size in (50, 100, len(content) // 3, len(content) - 3 * PAGE // 2, len(content) - 1):
        damaged.write_bytes(content[:size])
        saved.append(repair(damaged, tmp_path / f"{size}.db").games)
    assert saved == sorted(saved)
    assert saved[1] == 0 < saved[3] < GAMES
    assert saved[4] >= GAMES - 1


@pytest.mark.parametrize("is_vacuumed", [pytest.param(False, marks=pytest.mark.slow), True])
def test_damaged_first_page_loses_nothing(whole: Path, tmp_path: Path, is_vacuumed: bool) -> None:
    """The first page holds the schema. A vacuum moves the tables to other pages."""
    damaged, new, before = tmp_path / "damaged.db", tmp_path / "new.db", games_of(whole)
    damaged.write_bytes(whole.read_bytes())
    if is_vacuumed:
        change(damaged, "VACUUM")
    content = damaged.read_bytes()
    junk = bytes(range(1, 101)) + content[100:108] + bytes(range(256)) * 15  # its first cells look sound
    for start, filling in (
        *((0, bytes(PAGE)), (0, b"\5" * PAGE), (0, junk)),
        *((start, bytes(PAGE - start)) for start in (108, 200, 512, 1024)),
        *((2560, bytes(512)), (512, b"\xff" * 512), (3584, b"\xff" * 512)),
    ):
        damaged.write_bytes(content[:start] + filling + content[start + len(filling) :])
        assert repair(damaged, new) == RepairReport(GAMES, 2), (start, filling[:1])
        assert games_of(new) == before
        new.unlink()


def test_log_of_a_lost_page_is_used(whole: Path, tmp_path: Path) -> None:
    path, damaged, new = tmp_path / "games.db", tmp_path / "damaged.db", tmp_path / "new.db"
    path.write_bytes(whole.read_bytes())
    with closing(open_database(url_of(path))) as store:
        game = store.load(3)  # it has not ended
        store.append(game.id, moves(1, len(game.events) + 1))
        after, log = store.load(game.id), path.with_name("games.db-wal").read_bytes()
        assert 1 not in {int.from_bytes(log[at : at + 4]) for at in range(32, len(log), PAGE + 24)}
        damaged.write_bytes(bytes(PAGE) + path.read_bytes()[PAGE:])
    for beside, expected in ((b"", game), (bytes(PAGE + 56), game), (log, after)):
        damaged.with_name("damaged.db-wal").write_bytes(beside)
        assert repair(damaged, new) == RepairReport(GAMES, 2)
        assert games_of(new)[game.id] == expected
        new.unlink()


def test_damaged_header_is_restored(whole: Path, tmp_path: Path) -> None:
    damaged, new = tmp_path / "damaged.db", tmp_path / "new.db"
    damaged.write_bytes(bytes(40) + whole.read_bytes()[40:])
    assert repair(damaged, new) == RepairReport(GAMES, 2, (), ())
    assert games_of(new) == games_of(whole)


@pytest.mark.parametrize("words", [b"CREATE TABLE a \xc2 b", b"CREATE TABLE (("])
def test_undescribed_table_hides_no_other(words: bytes, whole: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    content = whole.read_bytes()
    start = content.index(b"CREATE TABLE room_workers")
    damaged.write_bytes(content[:start] + words + content[start + len(words) :])
    with pytest.raises(DamagedStore):
        open_database(url_of(damaged))
    assert repair(damaged, tmp_path / "new.db") == RepairReport(GAMES, 2, (), ())
    start = content.index(b"CREATE TABLE games")
    damaged.write_bytes(content[:start] + words + content[start + len(words) :])
    assert repair(damaged, tmp_path / "another.db").games == GAMES


def test_foreign_first_page_reports_no_losses(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as connection, connection:
        for table in "abcdefghijklmnop":
            connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, x, y, z, w, v)")
            connection.execute(f"INSERT INTO {table} VALUES (1, 2, 3, 4, 5, 6)")
    foreign.write_bytes(bytes(PAGE) + foreign.read_bytes()[PAGE:])
    assert repair(foreign, tmp_path / "new.db") == RepairReport(0, 0)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_damaged_table_name_hides_nothing(whole: Path, tmp_path: Path, place: int) -> None:
    """The name of a table is in its description three times, side by side."""
    damaged, content = tmp_path / "damaged.db", bytearray(whole.read_bytes())
    for number, table in enumerate((b"games", b"events", b"noughts_version")):
        start = content.index(b"table" + table + table)
        places = (start + 5, start + 5 + len(table), content.index(b"CREATE TABLE " + table, start) + 13)
        content[places[(place + number) % 3]] ^= 4
    damaged.write_bytes(content)
    assert repair(damaged, tmp_path / "new.db") == RepairReport(GAMES, 2, (), ())


def test_damaged_schema_is_not_a_foreign_one(whole: Path, tmp_path: Path) -> None:
    content = whole.read_bytes()
    for number, (old, new) in enumerate(((b"table", b"tablf"), (b"CREATE TABLE", b"CREATE TUBLE"))):
        damaged = tmp_path / f"{number}.db"
        damaged.write_bytes(content[:PAGE].replace(old, new) + content[PAGE:])
        repair(damaged, tmp_path / f"new-{number}.db")


def test_people_with_keys_are_saved_with_their_games(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with closing(new_database(old)) as store:
        people = People(store, now=lambda: 1_000_000_000_000)
        ada = register(people, "Ada", Signer(1), Signer(2)).identity.number
        bea = register(people, "Bea", Signer(3), Signer(4)).identity.number
        setup = Setup("tictactoe", {"X": seat_name(ada), "O": seat_name(bea)}, origin=ONLINE)
        store.append(store.add_game(setup), moves(3))
    change(old, f"UPDATE identities SET name = 'Eve' WHERE number = {bea}")
    assert repair(old, new).games == 1
    with closing(open_database(url_of(new))) as store:
        people = People(store, now=lambda: 1_000_000_000_000)
        assert people.names([ada, bea]) == {ada: "Ada"}
        assert people.games_of(bea) == [1]
        assert sign_in(people, Signer(2)).identity.number == ada
        assert store.load(1).players == {"X": "Ada", "O": "Former player"}


def test_ratings_are_computed_again(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with closing(new_database(old)) as store:
        people = People(store, now=lambda: 1_000_000_000_000)
        ada, bea = (register(people, name, Signer(at), Signer(at + 1)).identity.number for name, at in PEOPLE)
        for winner in (0, 1, None):
            assert count(store, play(store, ada, bea, winner))
        before = tables_of(store)
    change(old, "UPDATE rated_games SET at = 5 WHERE number = 3", "DELETE FROM ratings")
    assert repair(old, new).games == 3
    with closing(open_database(url_of(new))) as store:
        assert tables_of(store)[1] == before[1][:4]
        with store.reading() as connection:
            assert connection.column("SELECT DISTINCT game_id FROM game_identities WHERE rated") == [1, 2]


PEOPLE = (("Ada", 1), ("Bea", 3))
