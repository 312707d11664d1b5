"""Repair saves the valid rows of each table, and invents none."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.clock import DAY, Clock
from noughts.arena.commands import WrittenMove
from noughts.arena.lobby.offers import Seeker
from noughts.arena.lobby.shared_lobby import SharedLobby
from noughts.arena.people.inbox import InboxChanges, InboxNote, NoteKind
from noughts.arena.people.moderation import CaseDecision, Moderation, ReportReason
from noughts.arena.people.people import People
from noughts.arena.people.subscriptions import Subscriptions
from noughts.arena.repair.plain_rows import NOT_SAVED, PLAIN, WITH_GAMES
from noughts.arena.repair.repair import repair
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.player_pauses import PlayerPauses
from noughts.arena.rooms.room import hash_token
from noughts.arena.store.database import open_database
from noughts.arena.store.revisions import TABLES, VERSION_TABLE
from noughts.arena.store.tables import pairing_digest, tournament_digest
from tests.arena.lobby.seekers import offer
from tests.arena.people.signing import Signer, register, sign_in
from tests.arena.ratings.rated_games import count, play
from tests.arena.rooms.tables import Time
from tests.arena.tournament.test_people_director import Hall
from tests.databases import new_file, url_of
from tests.weekly import weekly

NOW = 1_700_000_000_000
PAGE = 4096
WRITTEN_AGAIN = ("game_identities", "room_people", "ratings", "rating_changes")
ENDPOINT = "https://push.example.com/send/1"
KEY, AUTH = "B" + "A" * 86, "A" * 22


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with rows in each table that is saved or written again."""
    path = new_file(tmp_path_factory.mktemp("served") / "served.db")
    with closing(Hall(url_of(path), Time(NOW))) as hall:
        database, time = hall.database, hall.time
        people = People(database, now=time)
        numbers = []
        for place, name in enumerate(("Ada", "Bea", "Cyd", "Dan"), 1):
            numbers.append(register(people, name, Signer(place), Signer(10 + place)).identity.number)
        ada, bea, cyd, dan = numbers
        session = people.session(sign_in(people, Signer(11)).secret)
        assert session is not None
        for other in (bea, cyd):
            people.block(session, other)
        stored = play(database, ada, bea, 0)
        assert count(database, stored, NOW)
        moderation = Moderation(database, people, now=time)
        moderation.report(ada, bea, ReportReason.LEAVING, stored.id, "192.0.2.1")
        moderation.report(dan, cyd, ReportReason.NAME, None, "192.0.2.2")
        moderation.decide(None, bea, CaseDecision.BAN, "Again", ends=NOW + DAY)
        moderation.decide(dan, cyd, CaseDecision.NEW_NAME)
        subscriptions = Subscriptions(database, time)
        subscriptions.add(session, ENDPOINT, KEY, AUTH, "en")
        subscriptions.vapid_secret(lambda: "ab" * 32)
        lobby = SharedLobby(hall.rooms, database, now=time, chance=lambda _: 0)
        owner, taker = Seeker(hash_token("one"), "Ada", ada), Seeker(hash_token("two"), "Dan", dan)
        facts: dict[str, Any] = {"clocks": (Clock(per_move=3 * DAY),), "lasts": True}
        taken, _ = (lobby.publish(offer(owner, games=(game,), **facts)) for game in ("tictactoe", "gomoku"))
        room = lobby.accept(taken.number, taker)
        hall.command(room, 0, WrittenMove("5"))
        PlayerPauses(hall.rooms, database, now=time).begin(ada, DAY)
        code, _ = hall.begin("Eve", "Wei", "Olga")
        hall.play_round(code)
        with database.writing() as connection:
            notes = InboxChanges()
            for number in (ada, dan):
                notes.add(InboxNote(number, NoteKind.TURN, room, NOW, {"room": room}))
            notes.write(connection)
            row = {"game_id": stored.id, "identity": bea, "at": NOW, "kind": "left"}
            connection.insert("conduct", row)
            connection.insert("room_pauses", *({"number": at, "milliseconds": 50 * at} for at in (1, 2, 3)))
            plan: dict[str, Any] = {"id": 1, "created": 1, "name": "a" * 64, "plan": "{}", "openings": "{}"}
            connection.insert("tournaments", {**plan, "digest": tournament_digest(plan)})
            place_of_game = {"tournament_id": 1, "number": 1, "game_id": stored.id}
            digest = pairing_digest(place_of_game, stored.digest)
            connection.insert("tournament_games", {**place_of_game, "digest": digest})
    return path


def rows_of(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of each table in *path* that a repair has to save or to write again."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [*sorted(TABLES - NOT_SAVED.keys()), *WRITTEN_AGAIN]
        rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    rows["server_secrets"] = [row for row in rows["server_secrets"] if row[0] != "login"]
    return {table: sorted(found, key=repr) for table, found in rows.items()}


@pytest.fixture
def damaged(served: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    path = tmp_path / "damaged.db"
    path.write_bytes(served.read_bytes())
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_each_table_is_saved_or_has_a_reason(served: Path) -> None:
    with closing(sqlite3.connect(served)) as connection:
        found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    tables = {name for (name,) in found} - {VERSION_TABLE}
    assert {*PLAIN} | WITH_GAMES | NOT_SAVED.keys() == tables
    assert all(reason.endswith(".") for reason in NOT_SAVED.values())
    assert [table for table, rows in rows_of(served).items() if not rows] == []  # each needs a row here


@pytest.mark.parametrize("statement", ["SELECT 1", "VACUUM"])
@pytest.mark.parametrize("lost", [0, PAGE])
def test_all_tables_are_saved_whole(damaged: Path, tmp_path: Path, lost: int, statement: str) -> None:
    """The first page describes the tables. Without it they are found by their rows."""
    before, new = rows_of(damaged), tmp_path / "new.db"
    change(damaged, statement)
    damaged.write_bytes(bytes(lost) + damaged.read_bytes()[lost:])
    assert repair(damaged, new).lost_rows == ()
    assert rows_of(new) == before


@pytest.mark.parametrize("table", ["blocks", "player_pauses", "bans", "inbox", "rooms", "taken_names"])
def test_empty_table_gets_no_rows_of_another(damaged: Path, tmp_path: Path, table: str) -> None:
    change(damaged, f"DELETE FROM {table}", "VACUUM")
    before, new = rows_of(damaged), tmp_path / "new.db"
    damaged.write_bytes(bytes(PAGE) + damaged.read_bytes()[PAGE:])
    assert repair(damaged, new).lost_rows == ()
    found = rows_of(new)
    if table == "rooms":
        before["room_people"] = []
    assert found == before


@pytest.mark.parametrize(
    ("table", "altered"),
    [
        ("blocks", "blocked = blocked + 1"),
        ("bans", "scope = 'everything'"),
        ("bans", "ends = 'never'"),
        ("bans", "identity = identity + 1"),
        ("conduct", "kind = 'lefty'"),
        ("conduct", "game_id = 7000"),
        ("devices", "label = 'Another'"),
        ("identities", "asked_by = 'nobody'"),
        ("inbox", "facts = '{'"),
        ("inbox", "facts = '[]'"),
        ("inbox", "is_read = 7"),
        ("operator_actions", "decision = 'pardon'"),
        ("operator_actions", "note = CAST(x'ff' AS TEXT)"),
        ("people_entries", "name = 'Eve'"),
        ("people_tournaments", "terms = '{}'"),
        ("player_pauses", "ends = 0"),
        ("push_subscriptions", "endpoint = endpoint || '2'"),
        ("push_subscriptions", "device = 5"),
        ("rated_games", "half_points = 1"),
        ("reports", "reason = 'hate'"),
        ("rooms", "facts = replace(facts, 'human', 'rule')"),
        ("server_secrets", "secret = 'none'"),
    ],
)
def test_damaged_rows_are_counted_and_not_saved(
    damaged: Path, tmp_path: Path, table: str, altered: str
) -> None:
    before, new = rows_of(damaged), tmp_path / "new.db"
    change(damaged, f"UPDATE {table} SET {altered}")
    assert dict(repair(damaged, new).lost_rows)[table] > 0
    found, added = rows_of(new), list[Any]()
    for name, rows in found.items():
        added += [(name, row) for row in rows if row not in before[name]]
    if table == "people_entries":  # without names, as after thirty days
        assert {row[2] for _, row in added} == {""}
    elif table == "rated_games":
        assert {name for name, _ in added} == {"game_identities"}
    else:
        assert added == []


def test_report_stays_without_its_lost_game(damaged: Path, tmp_path: Path) -> None:
    change(damaged, "UPDATE games SET created = 9 WHERE id IN (SELECT game_id FROM reports)")
    result = repair(damaged, tmp_path / "new.db")
    assert len(result.lost_games) == 1
    reports = rows_of(tmp_path / "new.db")["reports"]
    assert [row[5] for row in reports] == [None, None]
    assert dict(result.lost_rows) == {"conduct": 1, "rated_games": 1}


def test_report_of_a_title_needs_its_tournament(damaged: Path, tmp_path: Path) -> None:
    with closing(open_database(url_of(damaged))) as database:
        people = People(database, now=lambda: NOW)
        (first, *_) = people.newest(9)
        moderation = Moderation(database, people, now=lambda: NOW)
        for tournament in (1, 2):  # there is only the first one
            moderation.report_title(first.number, tournament, "192.0.2.1")
    result = repair(damaged, tmp_path / "new.db")
    assert dict(result.lost_rows) == {"reports": 1}
    titles = [row for row in rows_of(tmp_path / "new.db")["reports"] if "tournament" in row]
    assert [row[3] for row in titles] == [1]


def test_lost_pause_keeps_the_numbers_of_others(damaged: Path, tmp_path: Path) -> None:
    change(
        damaged,
        "UPDATE room_pauses SET milliseconds = 'x' WHERE number = 2",
        "INSERT INTO room_pauses VALUES (900000, 5)",
    )
    repair(damaged, tmp_path / "new.db")
    assert rows_of(tmp_path / "new.db")["room_pauses"] == [(1, 50), (2, 0), (3, 150)]


def test_game_by_days_and_tournament_go_on_after_a_repair(damaged: Path, tmp_path: Path) -> None:
    damaged.write_bytes(bytes(PAGE) + damaged.read_bytes()[PAGE:])
    repair(damaged, tmp_path / "new.db")
    with closing(Hall(url_of(tmp_path / "new.db"), Time(NOW), seed=1)) as hall:
        people = People(hall.database, now=hall.time)
        ada = sign_in(people, Signer(11)).identity.number
        (view,) = hall.rooms.of_identity(ada)
        assert (view.phase, view.turn) == (Phase.PLAYING, 1)
        hall.command(view.room, 1, WrittenMove("1"))
        assert hall.rooms.look(view.room).turn == 0
        (code,) = hall.people.store.running()
        assert [one.name for one in hall.people.look(code).people.values()] == ["Eve", "Wei", "Olga"]
        assert hall.play_round(code).tournament.rounds > 1


def test_people_without_games_are_saved(tmp_path: Path) -> None:
    old, new = new_file(tmp_path / "old.db"), tmp_path / "new.db"
    with closing(open_database(url_of(old))) as database:
        people = People(database, now=lambda: NOW)
        number = register(people, "Ada", Signer(1), Signer(2)).identity.number
    assert repair(old, new).games == 0
    with closing(open_database(url_of(new))) as database:
        assert People(database, now=lambda: NOW).names([number]) == {number: "Ada"}


def test_room_without_moves_is_saved(tmp_path: Path) -> None:
    old, new = new_file(tmp_path / "old.db"), tmp_path / "new.db"
    with closing(Hall(url_of(old), Time(NOW))) as hall:
        lobby = SharedLobby(hall.rooms, hall.database, now=hall.time, chance=lambda _: 0)
        made = lobby.publish(offer(Seeker(hash_token("one"), "Ada"), games=("tictactoe",)))
        room = lobby.accept(made.number, Seeker(hash_token("two"), "Wei"))
    assert repair(old, new).games == 0
    with closing(Hall(url_of(new), Time(NOW))) as hall:
        hall.command(room, 0, WrittenMove("5"))
        assert hall.rooms.look(room).match.game.ply == 1


@pytest.mark.slow
@pytest.mark.parametrize("first", [3, *(weekly(first) for first in (0, 1, 2, 4, 5, 6, 7))])
def test_lost_pages_give_no_other_rows(served: Path, tmp_path: Path, first: int) -> None:
    """Every eighth page is lost, each in a file of its own. The weekly run tries all pages."""
    content, before = served.read_bytes(), rows_of(served)
    computed = {"ratings", "rating_changes", "room_pauses"}  # they depend on rows that are lost
    for start in range(first * PAGE, len(content), 8 * PAGE):
        old, new = tmp_path / f"{start}.db", tmp_path / f"{start}-new.db"
        old.write_bytes(content[:start] + b"\xff" * PAGE + content[start + PAGE :])
        repair(old, new)
        for table, rows in rows_of(new).items() if new.exists() else ():
            added = [row for row in rows if row not in before[table] and table not in computed]
            if table == "reports":
                added = [row for row in added if row[5] is not None]
            if table in ("games", "series", "people_entries", "game_identities"):
                added = []  # without their series, games, names or ratings
            assert added == [], (start, table)
