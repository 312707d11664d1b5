"""Preset phrases in rooms: their moments, their limits, and their storage beside the record."""

import json
from collections.abc import Iterator

import pytest

from noughts.arena.commands import Rematch, Resign, SayPhrase, WrittenMove
from noughts.arena.rooms.phrases import END, START, SaidPhrase
from noughts.arena.rooms.room_repository import KnownRooms
from noughts.errors import CommandRefused
from tests.arena.rooms.tables import Table, table


@pytest.fixture
def here() -> Iterator[Table]:
    with table() as made:
        yield made


def test_each_phrase_is_said_once(here: Table) -> None:
    room = here.pair()[0].room
    for phrase in START:
        assert phrase in here.rooms.look(room).phrases[0]
        here.do(room, 0, SayPhrase(phrase))
    assert here.rooms.look(room).phrases == {1: START}
    with pytest.raises(CommandRefused):
        here.do(room, 0, SayPhrase("hello"))


def test_middle_of_a_game_has_no_phrases(here: Table) -> None:
    room = here.pair()[0].room
    here.do(room, 1, SayPhrase("hello"))
    view = here.play(room, "1", "2", "3", "4", "5")
    assert view.phrases == {}
    assert [said.phrase for said in view.said] == ["hello"]
    with pytest.raises(CommandRefused):
        here.do(room, 1, SayPhrase("good-luck"))


def test_phrases_of_the_end_need_the_end(here: Table) -> None:
    room = here.pair()[0].room
    with pytest.raises(CommandRefused):
        here.do(room, 0, SayPhrase("good-game"))
    here.do(room, 0, Resign())
    for phrase in END:
        here.do(room, 1, SayPhrase(phrase))
    assert here.rooms.look(room).phrases == {0: END}
    for place in (0, 1):
        here.do(room, place, Rematch())
    view = here.rooms.look(room)
    assert (view.said, view.phrases[1]) == ((), START)


def test_computers_hear_no_phrases(here: Table) -> None:
    room = here.rooms.open(here.setup(who=("human", "rule")), "Ada", 0).room
    assert here.rooms.look(room).phrases == {}


def test_move_stays_valid_after_a_phrase(here: Table) -> None:
    room = here.pair()[0].room
    seen = here.rooms.look(room).version
    here.do(room, 1, SayPhrase("hello"))
    assert here.do(room, 0, WrittenMove("5"), version=seen).view.match.game.ply == 1


def test_phrases_are_stored_beside_the_record(here: Table) -> None:
    room = here.pair()[0].room
    here.play(room, "5")
    before = here.database.load(here.rooms.look(room).game_id or 0)
    here.do(room, 1, SayPhrase("have-fun"))
    with here.database.reading() as connection:
        read = here.rooms.store.read(connection, room, KnownRooms())
        (facts,) = connection.column("SELECT facts FROM rooms")
    assert read.facts.said == (SaidPhrase(1, "have-fun", here.time.at),)
    assert here.database.load(here.rooms.look(room).game_id or 0) == before
    assert json.loads(facts)["said"] == [[1, "have-fun", here.time.at]]
