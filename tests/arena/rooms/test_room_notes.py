"""Notes for people with keys who are away: turns, ends, reminders, challenges and tournaments."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from noughts.arena.clock import DAY, Clock
from noughts.arena.commands import Resign, WrittenMove
from noughts.arena.lobby.offers import CHALLENGE_MS
from noughts.arena.lobby.shared_lobby import SharedLobby
from noughts.arena.people.inbox import MAX_CHALLENGES, MAX_NOTES, Inbox, InboxChanges, InboxNote, NoteKind
from noughts.arena.people.people import People
from noughts.arena.rooms import notices
from noughts.arena.rooms.reminders import Reminders
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.rooms.waiting import SOON_MS
from noughts.arena.seat_names import seat_name
from tests.arena.lobby.seekers import offer, seeker
from tests.arena.people.signing import Signer, register
from tests.arena.rooms.tables import Table, table
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]

BY_DAYS = Clock(per_move=3 * DAY)


class Away:
    """A room with two absent people with keys."""

    def __init__(self, here: Table, **terms: Any) -> None:
        people = People(here.database, now=here.time)
        self.here, self.inbox = here, Inbox(here.database)
        self.numbers = [
            register(people, name, Signer(2 * place + 1), Signer(2 * place + 2)).identity.number
            for place, name in enumerate(("Ada", "Wei"))
        ]
        names = [seat_name(number) for number in self.numbers]
        self.room = here.open_full(here.setup(**terms), names)[0].room
        self.leave()

    def leave(self) -> None:
        for place in (0, 1):
            self.here.rooms.set_presence(self.room, place, here=False)

    def play(self, place: int, move: str) -> None:
        self.here.do(self.room, place, WrittenMove(move))
        self.leave()

    def notes(self, place: int) -> list[InboxNote]:
        return self.inbox.notes(self.numbers[place])


@pytest.fixture
def here() -> Iterator[Table]:
    with table() as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(notices, "WAIT", 0.1)
    url = "sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with table(url) as made:
        yield made


def test_absent_player_gets_one_note_for_each_turn(anywhere: Table) -> None:
    away = Away(anywhere)
    heard: list[InboxNote] = []
    anywhere.rooms.listen_to_notes(heard.extend)
    away.play(0, "5")
    (note,) = away.notes(1)
    assert (note.kind, note.subject, note.facts["move"]) == (NoteKind.TURN, away.room, "5")
    assert note.facts["others"] == [seat_name(away.numbers[0])]
    assert heard == [note]
    away.play(1, "1")
    assert away.notes(1) == []
    away.play(0, "2")
    assert [note.facts["move"] for note in away.notes(1)] == ["2"]


def test_present_player_gets_no_note(here: Table) -> None:
    away = Away(here)
    here.rooms.set_presence(away.room, 1, here=True)
    here.do(away.room, 0, WrittenMove("5"))
    assert away.notes(1) == []


def test_absent_player_learns_the_result(here: Table) -> None:
    away = Away(here)
    away.play(0, "5")
    here.do(away.room, 1, Resign())
    (note,) = away.notes(0)
    assert (note.kind, note.facts["points"]) == (NoteKind.ENDED, 1)
    assert note.facts["number"] == here.rooms.look(away.room).game_id
    assert away.notes(1) == []


def test_reminder_is_written_once_for_each_turn(here: Table) -> None:
    away = Away(here, clock=BY_DAYS)
    away.play(0, "5")
    away.play(1, "1")
    here.time.pass_by(3 * DAY - SOON_MS + 1)
    for _ in range(2):  # a restarted server looks again
        Reminders(here.rooms, here.time).tick()
    notes = away.notes(0)
    assert [note.kind for note in notes] == [NoteKind.REMINDER, NoteKind.TURN]
    assert notes[0].facts["ends"] - here.time.at == SOON_MS - 1
    away.inbox.mark_read(away.numbers[0], here.time.at)
    Reminders(here.rooms, here.time).tick()
    assert away.inbox.count_new(away.numbers[0]) == 0
    away.play(0, "2")
    assert away.notes(0) == []


def test_live_games_have_no_reminders(here: Table) -> None:
    away = Away(here, clock=Clock(base=3 * 60 * 60 * 1000))
    away.play(0, "5")
    away.play(1, "1")
    here.time.pass_by(60_000)
    Reminders(here.rooms, here.time).tick()
    assert [note.kind for note in away.notes(0)] == [NoteKind.TURN]


def test_challenge_stays_in_the_inbox_until_it_is_answered(here: Table) -> None:
    away = Away(here)
    lobby = SharedLobby(here.rooms, here.database, now=here.time)
    asked = offer(seeker("Bob"), recipient="ada", recipient_identity=away.numbers[0])
    heard: list[InboxNote] = []
    here.rooms.listen_to_notes(heard.extend)
    number = lobby.publish(asked).number
    assert [note.facts["is_gone"] for note in away.notes(0)] == [False]
    away.inbox.mark_read(away.numbers[0], here.time.at)
    here.time.pass_by(CHALLENGE_MS + 1)
    lobby.pair()
    assert [(note.subject, note.facts["is_gone"]) for note in away.notes(0)] == [(str(number), True)]
    assert away.notes(0)[0].is_read
    assert [note.subject for note in heard] == [str(number)]
    again = lobby.publish(asked).number
    lobby.decline(again, replace(seeker("Ada"), identity=away.numbers[0]))
    assert [note.subject for note in away.notes(0)] == [str(number)]


def test_inbox_holds_the_newest_notes_only(here: Table) -> None:
    away = Away(here)
    for at in range(MAX_NOTES + 2):
        changes = InboxChanges()
        changes.add(InboxNote(away.numbers[0], NoteKind.ENDED, str(at), at, {"number": at}))
        changes.add(InboxNote(999, NoteKind.ENDED, str(at), at, {}))
        with here.database.writing() as connection:
            changes.write(connection)
    assert [note.at for note in away.notes(0)] == list(range(MAX_NOTES + 1, 1, -1))
    assert away.inbox.notes(999) == []


def test_challenges_push_no_other_note_out(here: Table) -> None:
    away = Away(here)
    for at in range(MAX_NOTES + 2):
        changes = InboxChanges()
        kind = NoteKind.CHALLENGE if at else NoteKind.ENDED
        changes.add(InboxNote(away.numbers[0], kind, str(at), at, {}))
        with here.database.writing() as connection:
            changes.write(connection)
    notes = away.notes(0)
    assert len(notes) == MAX_CHALLENGES + 1
    assert notes[-1].kind is NoteKind.ENDED


def test_two_workers_write_one_note(anywhere: Table) -> None:
    away = Away(anywhere, clock=BY_DAYS)
    other = Rooms(anywhere.database, now=anywhere.time)
    other.expiry.tick()
    away.play(0, "5")
    away.play(1, "1")
    anywhere.time.pass_by(3 * DAY - SOON_MS + 1)
    for rooms in (anywhere.rooms, other):
        rooms.expiry.tick()
        Reminders(rooms, anywhere.time).tick()
    other.close()
    assert [note.kind for note in away.notes(0)] == [NoteKind.REMINDER, NoteKind.TURN]
