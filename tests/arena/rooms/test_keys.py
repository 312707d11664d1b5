"""Entering again under the same key: the same seat, in any worker, also after a restart."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import LeaveSeat, Resign
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.database import open_database
from noughts.errors import CommandRefused, NameRefused, NotFound, SeatTaken
from tests.arena.rooms.tables import TIMED, Table, Time, table
from tests.postgres import postgres, postgres_url

pytestmark = pytest.mark.slow

__all__ = ["postgres", "postgres_url"]  # fixtures

ONE, TWO = "one-" * 8, "two-" * 8


@pytest.fixture(params=["sqlite", "postgresql"])
def here(request: pytest.FixtureRequest) -> Iterator[Table]:
    url = "sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with table(url) as made:
        yield made


def test_key_finds_its_seat_after_a_restart(tmp_path: Path) -> None:
    where = f"sqlite:///{tmp_path / 'games.db'}"
    with table(where) as here:
        setup = here.setup()
        first = here.rooms.open(setup, "Ada", 0, key=ONE)
        assert here.rooms.open(setup, "Ada", 0, key=ONE) == first
        second = here.rooms.join("Wei", code=first.code, key=TWO)
        version = here.rooms.look(first.room).version
        with pytest.raises(NotFound):  # the code is used
            here.rooms.join("Eve", code=first.code, key=ONE)
        assert here.rooms.look(first.room).code is None
    database = open_database(where)
    again = Rooms(database, now=Time(2_000_000))
    assert again.join("Wei", code=first.code, key=TWO) == second
    assert again.join("Wei", room=first.room, key=TWO) == second
    assert again.open(setup, "Ada", 0, key=ONE) == replace(first, code=None)
    assert again.look(first.room).version == version
    assert [again.place_of(first.room, entry.token) for entry in (first, second)] == [0, 1]
    again.close()
    database.close()
    saved = (tmp_path / "games.db").read_bytes()
    assert not any(secret.encode() in saved for secret in (ONE, TWO, first.token, second.token))


def test_key_is_refused_for_another_request(here: Table) -> None:
    first = here.rooms.open(here.setup(), "Ada", 0, key=ONE)
    for setup, name, place in (
        (here.setup("4x4"), "Ada", 0),
        (here.setup(clock=Clock(per_move=5_000)), "Ada", 0),
        (here.setup(), "Zoe", 0),
        (here.setup(), "Ada", 1),
        (here.setup(who=("human", "rule")), "Ada", 0),
    ):
        with pytest.raises(CommandRefused) as refused:
            here.rooms.open(setup, name, place, key=ONE)
        assert refused.value.reason == "key-used"
    assert here.heard == [(first.room, 1)]
    here.rooms.join("Wei", room=first.room, key=TWO)
    with pytest.raises(SeatTaken):
        here.rooms.join("Zoe", room=first.room, key=TWO)
    other = here.rooms.open(here.setup(), "Ada", 0, key=ONE + "1")
    assert other.room != first.room
    assert here.rooms.join("Wei", room=other.room, key=TWO).token != first.token


def test_key_opens_a_computer_room_once(here: Table) -> None:
    setup = here.setup(who=("rule", "random"))
    first = here.rooms.open(setup, "", None, key=ONE)
    assert here.rooms.open(setup, "", None, key=ONE) == first
    assert here.heard == [(first.room, 1)]


def test_key_returns_its_seat_after_the_end(here: Table) -> None:
    first = here.rooms.open(here.setup(), "Ada", 0)
    second = here.rooms.join("Wei", code=first.code, key=TWO)
    here.do(first.room, 0, Resign())
    assert here.rooms.join("Wei", code=first.code, key=TWO) == second
    here.do(first.room, 0, LeaveSeat())
    assert here.rooms.join("Wei", room=first.room, key=TWO) == second
    with pytest.raises(NotFound):  # the code is gone with the game
        here.rooms.join("Wei", code=first.code, key=TWO)


def test_simultaneous_requests_get_one_seat(here: Table) -> None:
    setup = here.setup()
    with ThreadPoolExecutor(8) as pool:
        opened = set(pool.map(lambda _: here.rooms.open(setup, "Ada", 0, key=ONE), range(40)))
        (first,) = opened
        joined = set(pool.map(lambda _: here.rooms.join("Wei", code=first.code, key=TWO), range(40)))
    assert len(joined) == 1
    assert here.heard == [(first.room, 1), (first.room, 2)]


# Rooms in which all seats are taken


def test_open_full_begins_the_game_at_once(here: Table) -> None:
    first, second = here.open_full(here.setup(clock=TIMED), ["Ada", " Ada "])
    assert (first.room, first.place, first.code, second.place) == (second.room, 0, None, 1)
    view = here.rooms.look(first.room)
    assert (view.phase, view.version, view.names) == (Phase.PLAYING, 1, ("Ada", "Ada (2)"))
    assert (view.code, view.expires, view.present) == (None, None, frozenset({0, 1}))
    assert [here.rooms.place_of(first.room, entry.token) for entry in (first, second)] == [0, 1]
    assert here.play(first.room, "1", "4", "2", "5", "3").results[0].winner == "X"


def test_open_full_marks_silent_players_as_away(here: Table) -> None:
    first, _ = here.open_full(here.setup(), ["Ada", "Wei"])
    here.time.pass_by(30_000)
    assert sorted(here.rooms.heartbeats.take_silent(30_000)) == [(first.room, 0), (first.room, 1)]


def test_open_full_seats_computers(here: Table) -> None:
    terms = here.setup(who=("rule", "human"))
    (entry,) = here.open_full(terms, [None, "Ada"])
    view = here.rooms.look(entry.room)
    assert (entry.place, view.names, view.turn) == (1, ("rule", "Ada"), 0)
    assert here.rooms.place_of(entry.room, "") is None
    assert here.open_full(here.setup(who=("rule", "random")), [None, None]) == ()


def test_open_full_refuses_other_numbers_of_people() -> None:
    with table() as here:
        refused: list[list[str | None]] = [[], ["Ada"], ["Ada", None], [None, None], ["Ada", "Wei", "Zoe"]]
        for names in refused:
            with pytest.raises(NotFound):
                here.open_full(here.setup(), names)
        with pytest.raises(NameRefused):
            here.open_full(here.setup(), ["Ada", ""])
        assert here.rooms.store.count() == 0
