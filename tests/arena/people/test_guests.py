"""Names of guests: they look like those of no player with a key, and those who sat before keep theirs."""

import contextlib
from collections.abc import Iterator

import pytest

from noughts.arena.people.guests import check_guest, lost_names
from noughts.arena.people.people import People
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.seat_names import seat_name
from noughts.arena.store.database import Database, open_database
from noughts.arena.table import HUMAN, Terms
from noughts.errors import NameRefused
from tests.arena.people.signing import Signer, register

FRIENDS = Terms("tictactoe", (HUMAN, HUMAN))


@pytest.fixture
def database() -> Iterator[Database]:
    with contextlib.closing(open_database("sqlite://")) as store:
        yield store


@pytest.fixture
def rooms(database: Database) -> Iterator[Rooms]:
    with contextlib.closing(Rooms(database, now=lambda: 1_000_000)) as made:
        yield made


def claim(database: Database, name: str = "Bernd") -> int:
    """Let a key claim *name*, and return its number."""
    people = People(database, now=lambda: 1_000_000)
    return register(people, name, Signer(1), Signer(2)).identity.number


def reason_of(database: Database, name: str, owner: int | None = None) -> str | None:
    with database.reading() as connection:
        try:
            check_guest(connection, name, owner)
        except NameRefused as refused:
            return refused.reason
    return None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Bernd", "claimed"),
        ("bEMD", "claimed"),
        ("Ｂｅｒｎｄ", "claimed"),
        ("B e r n d !", "claimed"),
        ("Bernd 2", None),
        ("Berndt", None),
        ("Wei", None),
        ("⚫⚪", None),
        ("Guest", None),
        ("Admin", "reserved"),
        ("Guest админ", "reserved"),
        ("Rude", "taken"),
    ],
)
def test_guest_looks_like_no_other_player(database: Database, name: str, reason: str | None) -> None:
    claim(database)
    with database.writing() as connection:
        connection.insert("taken_names", {"shape": "rude", "at": 1})
    assert reason_of(database, name) == reason


def test_owner_of_a_name_is_no_stranger(database: Database) -> None:
    number = claim(database)
    assert reason_of(database, "Bernd", number) is None
    assert reason_of(database, "Bernd", number + 1) == "claimed"
    assert reason_of(database, seat_name(number)) is None


def test_owner_keeps_a_name_that_looks_like_another(database: Database) -> None:
    """Names that were claimed before a change of the shapes may have one shape."""
    number, other = claim(database), 2**48
    with database.writing() as connection:
        row = {"number": other, "key": "x" * 43, "name": "Вernd", "folded_name": "вernd", "shape": "bemd"}
        row |= {"created": 1, "renamed": 1, "seen": 1, "asked_by": "everybody", "is_bot": False, "digest": ""}
        connection.insert("identities", row)
        connection.insert("taken_names", {"shape": "bemd", "at": 1})
    assert reason_of(database, "bernd", number) is None
    assert reason_of(database, "Вernd", number) == "claimed"
    assert reason_of(database, "Bernd", other) == "claimed"


def test_both_shapes_of_a_claimed_name_are_held(database: Database) -> None:
    people, number = People(database, now=lambda: 1_000_000), claim(database, "Eνa")  # a Greek letter
    for name in ("Eva", "Ena", "ΕΝΑ"):
        assert reason_of(database, name) == "claimed"
        with pytest.raises(NameRefused):
            people.check_name(name)
    assert people.check_name("Eva", number) == "Eva"


def test_lost_names_are_found_together(database: Database) -> None:
    claim(database)
    with database.reading() as connection:
        assert lost_names(connection, ["Wei", "bernd", "Bemd", "key:482190"]) == {"bernd", "Bemd"}
        assert lost_names(connection, []) == set()


def test_claimed_name_opens_and_joins_no_room(database: Database, rooms: Rooms) -> None:
    entry = rooms.open(FRIENDS, "Wei", 0)
    claim(database)
    with pytest.raises(NameRefused, match="claimed"):
        rooms.open(FRIENDS, "bernd", 0)
    for where in ({"room": entry.room}, {"code": entry.code}):
        with pytest.raises(NameRefused, match="claimed"):
            rooms.join("bernd", **where)
    assert rooms.look(entry.room).names == ("Wei", None)


def test_later_claim_takes_no_seat(database: Database, rooms: Rooms) -> None:
    opened = rooms.open(FRIENDS, "Bernd", 0, key="o" * 22)
    joined = rooms.join("Bemd", code=opened.code, key="j" * 22)
    claim(database)
    assert rooms.open(FRIENDS, "Bernd", 0, key="o" * 22).token == opened.token
    assert rooms.join("Bemd", room=opened.room, key="j" * 22).token == joined.token
