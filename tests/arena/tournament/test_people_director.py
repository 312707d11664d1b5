"""Tournaments of people in a database: rooms, results, restarts, kills, and the deletion of names."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import Resign, WrittenMove
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.room import hash_token
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.database import open_database
from noughts.arena.tournament.people import (
    BREAK_MS,
    COMPUTER_AFTER_MS,
    DRAW,
    LOSS,
    WIN,
    PairingSystem,
    PeoplePhase,
    PeopleTerms,
    RoundPairing,
)
from noughts.arena.tournament.people_director import PeopleEntry, PeopleTournaments, points_of
from noughts.arena.tournament.people_repository import KEPT_MS, StoredPeople
from noughts.arena.tournament.people_standings import table_of
from noughts.errors import CommandRefused, DamagedStore, NameRefused, NotFound, StoreError
from tests.arena.rooms.tables import Time
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]  # fixtures

TERMS = PeopleTerms("Class 6b", "tictactoe", Clock(base=60_000), rounds=3)
NAMES = ("Ada", "Wei", "Bob", "Olga", "Mira")
KEY = "k" * 22


class Hall:
    """A database with rooms and tournaments, and a clock."""

    def __init__(self, url: str = "sqlite://", time: Time | None = None, seed: int = 0) -> None:
        self.time, self.database = time or Time(), open_database(url)
        chance = Random(seed).randbytes
        self.rooms = Rooms(self.database, now=self.time, chance=chance)
        self.computers: list[str] = []
        more = {"now": self.time, "chance": chance, "on_computer": self.computers.append}
        self.people = PeopleTournaments(self.database, self.rooms, **more)  # type: ignore[arg-type]
        self.keys = count()

    def close(self) -> None:
        self.people.close()
        self.rooms.close()
        self.database.close()

    def begin(self, *names: str, **terms: object) -> tuple[str, dict[str, PeopleEntry]]:
        facts = {"created": self.time.at, **terms}
        code = self.people.open(replace(TERMS, **facts)).code  # type: ignore[arg-type]
        entries = {name: self.people.enter(code, name) for name in names}
        self.people.do(code, lambda tournament, at: tournament.start(at))
        return code, entries

    def command(self, room: str, place: int, command: object) -> None:
        version = self.rooms.look(room).version
        key = f"key-{os.getpid()}-{next(self.keys)}"
        self.rooms.submit(room, place, command, version=version, key=key).result()  # type: ignore[arg-type]

    def finish(self, pairing: RoundPairing, loser: int = 1) -> None:
        """Play a move in the game of *pairing*, and let *loser* resign."""
        if self.rooms.look(pairing.room).turn == 0:
            self.command(pairing.room, 0, WrittenMove("5"))
        self.command(pairing.room, loser, Resign())

    def play_round(self, code: str) -> StoredPeople:
        self.people.tick()  # as a server does first: results may be waiting
        for pairing in self.people.look(code).tournament.open_pairings:
            self.finish(pairing)
        self.people.tick()
        self.time.pass_by(BREAK_MS)
        self.people.tick()
        return self.people.look(code)


@contextmanager
def hall(url: str = "sqlite://", **more: object) -> Iterator[Hall]:
    with closing(Hall(url, **more)) as made:  # type: ignore[arg-type]
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def here(request: pytest.FixtureRequest) -> Iterator[Hall]:
    url = "sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with hall(url) as made:
        yield made


def test_tournament_is_played_in_rooms(here: Hall) -> None:
    code, entries = here.begin(*NAMES[:4])
    stored = here.people.look(code)
    for pairing in stored.tournament.open_pairings:
        view = here.rooms.look(pairing.room)
        assert view.names == tuple(stored.people[entry].name for entry in pairing.players)
        assert view.phase is Phase.PLAYING
        for place, entry in enumerate(pairing.players):
            token = next(one.token for one in entries.values() if one.number == entry)
            assert here.rooms.place_of(pairing.room, token) == place
    for _ in range(3):
        stored = here.play_round(code)
    assert stored.tournament.phase is PeoplePhase.OVER
    assert [row.points for row in table_of(stored.tournament)] == sorted(
        (row.points for row in table_of(stored.tournament)), reverse=True
    )
    assert sum(stored.tournament.points().values()) == 12
    assert all(pairing.game and pairing.series for pairing in stored.tournament.pairings.values())
    assert here.people.store.running() == {}


def test_first_result_of_a_room_counts_once(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.finish(pairing, loser=0)
    for _ in range(3):
        here.people.tick()
    tournament = here.people.look(code).tournament
    assert tournament.pairings[1].points == LOSS
    assert [event.kind for event in here.people.look(code).log].count("result") == 1


def test_result_survives_a_failed_tick(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _ = here.begin(*NAMES[:2])
    here.people.tick()
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.finish(pairing, loser=0)

    def fail(*_: object) -> None:
        raise StoreError("games.db", "the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(here.rooms, "transact", fail)
        with pytest.raises(StoreError):
            here.people.tick()
    here.people.tick()
    assert here.people.look(code).tournament.pairings[1].points == LOSS


def test_game_without_a_first_move_is_lost_on_time(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.time.pass_by(119_999)
    here.rooms.expiry.tick()
    here.people.tick()
    assert here.people.look(code).tournament.open_pairings
    here.time.pass_by(1)
    here.rooms.expiry.tick()
    here.people.tick()
    assert here.people.look(code).tournament.pairings[pairing.number].points == LOSS


def test_clock_runs_from_the_first_move(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.time.pass_by(70_000)
    match = here.rooms.look(pairing.room).match
    assert (match.time_left("X", here.time.at), match.time_left("O", here.time.at)) == (50_000, 60_000)
    assert not match.may_abort("X")
    here.command(pairing.room, 0, WrittenMove("5"))
    here.time.pass_by(10_000)
    match = here.rooms.look(pairing.room).match
    assert (match.time_left("X", here.time.at), match.time_left("O", here.time.at)) == (50_000, 50_000)


def test_computer_plays_the_odd_player(here: Hall) -> None:
    code = here.people.open(replace(TERMS, computer="random", starts=here.time.at)).code
    for name in NAMES[:3]:
        here.people.enter(code, name)
    here.people.tick()
    assert [here.rooms.look(room).names.count("random") for room in here.computers] == [1]


def test_computer_plays_waiting_players_of_an_arena(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:3], system=PairingSystem.ARENA, computer="random")
    here.time.pass_by(COMPUTER_AFTER_MS - 1)
    here.people.tick()
    assert here.computers == []
    here.time.pass_by(1)
    here.people.tick()
    assert [here.rooms.look(room).names.count("random") for room in here.computers] == [1]
    here.people.tick()
    assert len(here.people.look(code).tournament.open_pairings) == 2


def test_entry_under_one_key_is_one_entry(here: Hall) -> None:
    code = here.people.open(TERMS, key=KEY).code
    assert here.people.open(TERMS, key=KEY).code == code
    first = here.people.enter(code, "Ada", key=KEY)
    assert here.people.enter(code, "Ada", key=KEY) == first
    second = here.people.enter(code, " ada ")
    assert second.number == 2
    assert [person.name for person in here.people.look(code).people.values()] == ["Ada", "ada (2)"]
    with pytest.raises(NameRefused):
        here.people.enter(code, "")
    with pytest.raises(NotFound):
        here.people.enter("AAAAAA", "Ada")
    with pytest.raises(NotFound):
        here.people.look("AAAAAA")


def test_entry_can_change_its_name_until_the_start(here: Hall) -> None:
    code = here.people.open(TERMS).code
    for name in NAMES[:2]:
        here.people.enter(code, name)
    assert here.people.rename(code, 1, "Ada").version == 2
    here.people.rename(code, 1, "Wei")
    assert here.people.look(code).people[1].name == "Wei (2)"
    here.people.do(code, lambda tournament, at: tournament.start(at))
    with pytest.raises(CommandRefused, match="tournament begun"):
        here.people.rename(code, 1, "Zoe")
    assert here.people.rename(code, 1, "Zoe", by_organiser=True).people[1].name == "Zoe"
    before = here.people.look(code).people[1].token
    assert here.people.replace_secret(code, 1).number == 1
    assert here.people.look(code).people[1].token != before


def test_new_secret_opens_the_entry_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    with hall(url) as before:
        code, entries = before.begin(*NAMES[:2])
        fresh = before.people.replace_secret(code, 1)
    with hall(url, seed=1) as after:
        stored = after.people.look(code)
        assert stored.entry_of(hash_token(fresh.token)) == 1
        assert stored.entry_of(hash_token(entries[NAMES[0]].token)) is None


def test_changes_are_announced(here: Hall) -> None:
    heard: list[tuple[str, int]] = []
    end = here.people.listen(lambda code, version: heard.append((code, version)))
    code, _ = here.begin(*NAMES[:2])
    end()
    here.people.rename(code, 1, "Zoe", by_organiser=True)
    assert heard[-1][0] == code
    assert [version for _, version in heard] == [1, 2, 4]


def test_change_by_another_program_is_seen_after_the_end(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:2])
    before = here.people.do(code, lambda tournament, at: tournament.end(at)).version
    heard: list[tuple[str, int]] = []
    here.people.listen(lambda code, version: heard.append((code, version)))

    def work(draft: StoredPeople) -> None:
        draft.events += draft.tournament.retitle("Kind cup", here.time.at)

    with here.database.writing() as connection:
        here.people.store.change(connection, code, work)
    for _ in range(2):
        here.people.tick()
    assert heard == [(code, before + 1)]
    assert here.people.newest(code) is None
    here.people.look(code)
    newest = here.people.newest(code)
    assert newest is not None
    assert newest.tournament.terms.title == "Kind cup"


def test_names_are_deleted_after_30_days(here: Hall) -> None:
    code, entries = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.finish(pairing)
    here.people.tick()
    game = here.people.look(code).tournament.pairings[1].game or 0
    assert set(here.database.load(game).setup.seats.values()) == {"Ada", "Wei"}
    here.time.pass_by(KEPT_MS)
    here.people.tick()
    stored = here.people.look(code)
    assert [(person.name, person.token) for person in stored.people.values()] == [("", ""), ("", "")]
    assert stored.forget is None
    assert stored.tournament.phase is PeoplePhase.OVER
    renamed = here.database.load(game)
    assert set(renamed.setup.seats.values()) == {"Player 1", "Player 2"}
    assert here.database.load_series(renamed.setup.series or 0).players == ("Player 1", "Player 2")
    assert here.rooms.store.count() == 0
    with here.database.reading() as connection:
        rows = connection.rows("SELECT name FROM people_entries")
    assert {row["name"] for row in rows} == {""}
    here.people.tick()
    assert here.rooms.place_of(pairing.room, entries["Ada"].token) is None


def test_earlier_names_are_deleted_too(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.finish(pairing)
    here.people.tick()
    game = here.people.look(code).tournament.pairings[1].game or 0
    here.people.rename(code, pairing.players[0], "Zoe", by_organiser=True)
    here.people.rename(code, pairing.players[1], "Ada", by_organiser=True)
    here.time.pass_by(KEPT_MS)
    here.people.tick()
    renamed = here.database.load(game).setup
    numbered = tuple(f"Player {number}" for number in pairing.players)
    assert set(renamed.seats.values()) == set(numbered)
    assert here.database.load_series(renamed.series or 0).players == numbered


def test_withdrawn_round_leaves_no_name(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:4])
    here.play_round(code)
    before = here.people.look(code).tournament
    begun, other = before.round(2)
    here.command(begun.room, 0, WrittenMove("5"))  # The tournament has not heard of the move yet.
    series = here.rooms.look(begun.room).series_id or 0
    here.people.do(code, lambda tournament, at: tournament.correct(before.round(1)[0].number, DRAW, at))
    assert here.people.look(code).tournament.rounds == 1
    here.time.pass_by(120_000)  # A game without moves would be lost on time now, and stored with the names.
    here.rooms.expiry.tick()
    for pairing in (begun, other):
        with pytest.raises(NotFound):
            here.rooms.look(pairing.room)
    with here.database.reading() as connection:
        assert len(connection.rows("SELECT id FROM games")) == 3
    players = here.database.load_series(series).players
    assert players == tuple(f"Player {entry}" for entry in begun.players)


def test_move_before_the_end_leaves_no_name(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    write, series = here.rooms._write, list[int]()

    def play_first(room: str, work: Any) -> Any:
        if not series:
            here.command(pairing.room, 0, WrittenMove("5"))
            series.append(here.rooms.look(pairing.room).series_id or 0)
        return write(room, work)

    monkeypatch.setattr(here.rooms, "_write", play_first)
    here.people.do(code, lambda tournament, at: tournament.end(at))
    with pytest.raises(NotFound):
        here.rooms.look(pairing.room)
    players = here.database.load_series(series[0]).players
    assert players == tuple(f"Player {entry}" for entry in pairing.players)


@pytest.mark.parametrize("is_due", [False, True], ids=["end", "deletion"])
def test_kill_after_the_commit_leaves_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_due: bool
) -> None:
    url, time = f"sqlite:///{tmp_path / 'games.db'}", Time()
    with hall(url, time=time) as before:
        code, _ = before.begin(*NAMES[:2])
        (pairing,) = before.people.look(code).tournament.open_pairings
        if is_due:
            before.command(pairing.room, 0, WrittenMove("5"))  # The tournament never hears of this move.
            time.pass_by(KEPT_MS)
        write = before.rooms._write

        def stop(room: str, work: Any) -> None:
            write(room, work)
            raise SystemExit

        monkeypatch.setattr(before.rooms, "_write", stop)
        end = partial(before.people.do, code, lambda tournament, at: tournament.end(at))
        with pytest.raises(SystemExit):
            (partial(before.people._forget, code) if is_due else end)()
    with hall(url, time=time, seed=1) as after:
        time.pass_by(120_000)
        after.rooms.expiry.tick()
        time.pass_by(KEPT_MS)
        after.people.tick()
        with after.database.reading() as connection:
            texts = connection.column("SELECT seats FROM games UNION ALL SELECT players FROM series")
            texts += connection.column("SELECT facts FROM rooms")
    assert not [text for text in texts if "Ada" in text]


@pytest.mark.parametrize("removed", [0, 1])
def test_removed_player_loses_the_running_game(here: Hall, removed: int) -> None:
    code, pairing = running_game(here)
    here.people.do(code, lambda tournament, at: tournament.remove(pairing.players[removed], at))
    view = here.rooms.look(pairing.room)
    assert view.phase is Phase.OVER
    assert points_of(view.results[0], view.names) == (WIN if removed else LOSS)
    assert here.people.look(code).tournament.pairings[pairing.number].points == (WIN if removed else LOSS)


@pytest.mark.parametrize("points", [WIN, DRAW, LOSS])
def test_corrected_result_ends_the_running_game(here: Hall, points: tuple[int, int]) -> None:
    code, pairing = running_game(here)
    here.people.do(code, lambda tournament, at: tournament.correct(pairing.number, points, at))
    view = here.rooms.look(pairing.room)
    assert view.phase is Phase.OVER
    assert points_of(view.results[0], view.names) == points
    here.people.tick()
    stored = here.people.look(code)
    assert stored.tournament.pairings[pairing.number].points == points
    assert [event.kind for event in stored.log if event.kind in ("result", "corrected")] == ["corrected"]


def running_game(here: Hall) -> tuple[str, RoundPairing]:
    """Begin a tournament of two players with two moves, and return its code and the pairing."""
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.command(pairing.room, 0, WrittenMove("5"))
    here.command(pairing.room, 1, WrittenMove("1"))
    here.people.tick()
    return code, pairing


def test_damaged_needless_room_does_not_stop_a_tournament(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    here.rooms._known.forget(pairing.room)
    with here.database.writing() as connection:
        connection.change("UPDATE rooms SET digest = 'no' WHERE name = :name", {"name": pairing.room})
    ended = here.people.do(code, lambda tournament, at: tournament.end(at))
    assert ended.tournament.phase is PeoplePhase.OVER


@pytest.mark.parametrize("act", ["end", "remove", "correct"])
def test_decided_pairing_leaves_no_name(here: Hall, act: str) -> None:
    code, _ = here.begin(*NAMES[:2])
    (pairing,) = here.people.look(code).tournament.open_pairings
    facts = {"end": (), "remove": (pairing.players[0],), "correct": (pairing.number, DRAW)}[act]
    here.people.do(code, lambda tournament, at: getattr(tournament, act)(*facts, at))
    here.time.pass_by(120_000)
    here.rooms.expiry.tick()
    here.time.pass_by(KEPT_MS)
    here.people.tick()
    with here.database.reading() as connection:
        assert not [row for row in connection.rows("SELECT seats FROM games") if "Ada" in row["seats"]]


def test_damaged_tournament_does_not_stop_others(here: Hall) -> None:
    good, _ = here.begin(*NAMES[:2])
    bad, _ = here.begin(*NAMES[:2])
    with here.database.writing() as connection:
        connection.change("UPDATE people_tournaments SET terms = '{}' WHERE code = :code", {"code": bad})
    faults: list[str] = []
    on_fault = lambda code, _: faults.append(code)  # noqa: E731
    fresh = PeopleTournaments(here.database, here.rooms, now=here.time, on_fault=on_fault)
    with pytest.raises(DamagedStore):
        fresh.look(bad)
    (pairing,) = here.people.look(good).tournament.open_pairings
    here.finish(pairing)
    fresh.tick()
    fresh.tick()
    assert faults == [bad]
    assert fresh.look(good).tournament.pairings[1].points == WIN
    with here.database.writing() as connection:
        connection.change("UPDATE people_entries SET name = 'Eve' WHERE number = 1")
    with pytest.raises(DamagedStore):
        PeopleTournaments(here.database, here.rooms, now=here.time).look(good)
    fresh.close()


def test_fault_in_a_tournament_is_reported_once(here: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    bad, _ = here.begin(*NAMES[:2])
    good, _ = here.begin(*NAMES[:2])
    here.people.tick()
    faults: list[tuple[str, str]] = []
    monkeypatch.setattr(here.people, "_on_fault", lambda code, error: faults.append((code, repr(error))))
    for code in (bad, good):
        (pairing,) = here.people.look(code).tournament.open_pairings
        here.finish(pairing)
    with monkeypatch.context() as patched:
        change = here.people._change

        def fail(code: str, work: Any) -> Any:
            if code == bad:
                raise KeyError("pairing")
            return change(code, work)

        patched.setattr(here.people, "_change", fail)
        for _ in range(3):
            here.people.tick()
        assert here.people.look(good).tournament.pairings[1].points == WIN
        assert not here.people.look(bad).tournament.has_result
    here.people.tick()
    assert here.people.look(bad).tournament.pairings[1].points == WIN
    assert faults == [(bad, "KeyError('pairing')")]


def test_damaged_room_does_not_stop_other_tables(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:4])
    bad, good = here.people.look(code).tournament.open_pairings
    here.rooms._known.forget(bad.room)
    with here.database.writing() as connection:
        connection.change("UPDATE rooms SET digest = 'no' WHERE name = :name", {"name": bad.room})
    here.finish(good)
    here.people.tick()
    assert here.people.look(code).tournament.pairings[good.number].points == WIN


def test_two_workers_pair_a_round_once(here: Hall) -> None:
    code, _ = here.begin(*NAMES[:4])
    other = PeopleTournaments(here.database, here.rooms, now=here.time)
    for pairing in here.people.look(code).tournament.open_pairings:
        here.finish(pairing)
    here.people.tick()
    other.tick()
    here.time.pass_by(BREAK_MS)
    here.people.tick()
    other.tick()
    assert other.look(code) == here.people.look(code)
    assert len(other.look(code).tournament.round(2)) == 2
    other.close()


def test_restart_continues_each_tournament(tmp_path: Path) -> None:
    url, time = f"sqlite:///{tmp_path / 'games.db'}", Time()
    with hall(url, time=time) as before:
        code, _ = before.begin(*NAMES)
        stored = before.people.look(code)
        for pairing in stored.tournament.open_pairings[:1]:
            before.finish(pairing)
    with hall(url, time=time, seed=1) as after:
        again = after.people.look(code)
        assert again.tournament == stored.tournament
        after.people.tick()
        assert after.people.look(code).tournament.pairings[1].points == WIN
        for _ in range(3):
            again = after.play_round(code)
        assert again.tournament.phase is PeoplePhase.OVER
        assert sum(again.tournament.points().values()) == 2 * len(again.tournament.pairings)
