"""Bans and blocks at the lobby and in rooms, and resignations, over a clock that a test moves."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from noughts.arena.commands import Rematch, Resign, WrittenMove
from noughts.arena.lobby.offers import Seeker
from noughts.arena.lobby.shared_lobby import FIRST_MOVE_MS, SharedLobby
from noughts.arena.people.conduct import FIRST_BAN_MS, Conduct
from noughts.arena.people.moderation import BAN_MS, CaseDecision, Moderation
from noughts.arena.people.people import People
from noughts.arena.rooms.keys import token_of_visitor
from noughts.arena.rooms.models import RoomEntry, RoomView
from noughts.arena.rooms.room import hash_token
from noughts.arena.seat_names import seat_name
from noughts.arena.table import Terms
from noughts.errors import BadInput, CommandRefused, KeyRefused, NotFound, OfferGone
from tests.arena.lobby.seekers import QUICK, offer
from tests.arena.people.signing import Signer, register
from tests.arena.rooms.tables import PEOPLE, Table, table


@dataclass
class Club:
    """Two players with keys, the lobby and the rooms, and the moderation."""

    here: Table
    people: People
    moderation: Moderation
    lobby: SharedLobby
    ada: Seeker
    bob: Seeker

    def meet(self, **more: Any) -> RoomView:
        """Let Bob take an offer of Ada, who moves first."""
        made = self.lobby.publish(offer(self.ada, **more))
        return self.here.rooms.look(self.lobby.accept(made.number, self.bob))

    def stall(self) -> None:
        """Let Ada make no first move in a game of the lobby."""
        self.meet()
        self.here.time.pass_by(FIRST_MOVE_MS)
        self.here.rooms.expiry.tick()
        self.here.rooms.expiry.join()


@pytest.fixture
def club() -> Iterator[Club]:
    with table() as here:
        people = People(here.database, now=here.time)
        moderation = Moderation(here.database, people, now=here.time)
        lobby = SharedLobby(here.rooms, here.database, now=here.time, chance=lambda _: 0)
        seekers = []
        for place, name in enumerate(("Ada", "Bob"), 1):
            number = register(people, name, Signer(place), Signer(10 + place)).identity.number
            seekers.append(Seeker(hash_token(token_of_visitor(f"{name:-<30}")), name, number))
        yield Club(here, people, moderation, lobby, *seekers)


def refused(action: Any) -> str:
    with pytest.raises(KeyRefused) as error:
        action()
    return error.value.reason


def test_third_game_without_a_first_move_bans_from_the_lobby(club: Club) -> None:
    for _ in range(2):
        club.stall()
    club.stall()
    assert [kind for _, _, kind in club.moderation.conduct(club.ada.identity or 0)] == [
        Conduct.NO_FIRST_MOVE
    ] * 3
    assert [kind for _, _, kind in club.moderation.conduct(club.bob.identity or 0)] == [Conduct.GOOD] * 3
    assert refused(lambda: club.lobby.publish(offer(club.ada))) == "banned-until"
    made = club.lobby.publish(offer(club.bob))
    assert refused(lambda: club.lobby.accept(made.number, club.ada)) == "banned-until"
    club.here.time.pass_by(FIRST_BAN_MS)
    assert club.lobby.accept(made.number, club.ada)


def test_ban_ends_open_offers(club: Club) -> None:
    for seeker in (club.ada, club.bob):
        club.lobby.publish(offer(seeker))
    club.moderation.decide(None, club.ada.identity or 0, CaseDecision.BAN)
    assert club.lobby.pair() == 0
    assert [one.seeker.name for one in club.lobby.read().open_offers] == ["Bob"]


def test_banned_key_without_a_name_is_no_guest(club: Club) -> None:
    number, guest = club.ada.identity or 0, Seeker(club.ada.visitor, "Eve")
    made = club.lobby.publish(offer(club.bob))
    club.moderation.decide(None, number, CaseDecision.BAN)
    assert refused(lambda: club.lobby.publish(offer(guest), number)) == "banned"
    assert refused(lambda: club.lobby.accept(made.number, guest, person=number)) == "banned"


def test_ban_stops_no_running_game_but_a_rematch(club: Club) -> None:
    room = club.meet().room
    club.moderation.decide(None, club.ada.identity or 0, CaseDecision.BAN)
    for place, text in ((0, "h8"), (1, "i9")):
        club.here.do(room, place, WrittenMove(text))
    club.here.do(room, 1, Resign())
    assert refused(lambda: club.here.do(room, 0, Rematch())) == "banned"
    club.moderation.decide(None, club.ada.identity or 0, CaseDecision.UNBAN)
    club.here.do(room, 0, Rematch())


def test_ban_from_rated_games_allows_casual_ones(club: Club) -> None:
    club.moderation.decide(None, club.ada.identity or 0, CaseDecision.NO_RATED)
    assert club.meet().phase
    rated = Terms("gomoku", PEOPLE, clock=QUICK, opening="pie", rated=True)
    name = seat_name(club.ada.identity or 0)
    assert refused(lambda: club.here.rooms.open(rated, name, 0)) == "banned-until"
    entry = club.here.rooms.open(rated, seat_name(club.bob.identity or 0), 0)

    def join() -> RoomEntry:
        return club.here.rooms.join(seat_name(club.ada.identity or 0), room=entry.room)

    assert refused(join) == "banned-until"
    club.here.time.pass_by(BAN_MS)
    assert join().place == 1


def test_blocked_player_is_met_nowhere(club: Club) -> None:
    ada, bob = club.ada.identity or 0, club.bob.identity or 0
    room = club.meet().room
    for place, text in ((0, "h8"), (1, "i9")):
        club.here.do(room, place, WrittenMove(text))
    challenge = offer(club.bob, recipient="ada", recipient_identity=ada)
    club.lobby.publish(challenge)
    with club.here.database.writing() as connection:
        connection.insert("blocks", {"identity": ada, "blocked": bob, "created": 0})
    club.lobby.part(ada, bob)
    assert club.lobby.read().open_challenges == []
    made = club.lobby.publish(offer(club.ada))
    with pytest.raises(OfferGone):
        club.lobby.accept(made.number, club.bob)
    club.lobby.publish(offer(club.bob))
    assert club.lobby.pair() == 0
    for mine, other in ((ada, bob), (bob, ada)):
        entry = club.here.rooms.open(Terms("tictactoe", PEOPLE), seat_name(mine), 0)
        with pytest.raises(NotFound):
            club.here.rooms.join(seat_name(other), code=entry.code)
    club.here.do(room, 1, Resign())  # the running game goes on
    with pytest.raises(CommandRefused):
        club.here.do(room, 1, Rematch())
    asked = club.people.get(ada)
    assert asked is not None
    assert not club.people.may_ask(bob, asked)


def test_resignation_counts_once_it_was_examined(club: Club) -> None:
    room = club.meet().room
    for place, text in ((0, "h8"), (1, "i9")):
        club.here.do(room, place, WrittenMove(text))
    club.here.do(room, 0, Resign())
    ((game, number),) = club.moderation.resignations(5)
    assert number == club.ada.identity
    club.moderation.note_resignation(game, number, is_win_thrown_away=True)
    club.moderation.note_resignation(game, number, is_win_thrown_away=False)  # a second worker is too late
    assert [kind for _, _, kind in club.moderation.conduct(number)] == [Conduct.SANDBAGGED]
    assert club.moderation.resignations(5) == []


def test_third_resignation_in_a_win_bans(club: Club) -> None:
    number = club.ada.identity or 0
    for _ in range(3):
        room = club.meet().room
        for place, text in ((0, "h8"), (1, "i9")):
            club.here.do(room, place, WrittenMove(text))
        club.here.do(room, 0, Resign())
    for game, _ in club.moderation.resignations(5):
        club.moderation.note_resignation(game, number, is_win_thrown_away=True)
    (ban,) = club.moderation.bans(number)
    assert ban.action is None


def test_decision_needs_a_known_player_and_a_plain_note(club: Club) -> None:
    with pytest.raises(NotFound):
        club.moderation.decide(None, 7, CaseDecision.WARN)
    for note in ("a\nb", "x" * 201):
        with pytest.raises(KeyRefused) as refused:
            club.moderation.decide(None, club.ada.identity or 0, CaseDecision.WARN, note)
        assert (refused.value.reason, refused.value.data) == ("note", {"limit": 200})
    assert club.moderation.log() == []


def test_operator_renames_and_deletes_a_player(club: Club) -> None:
    number = club.ada.identity or 0
    club.moderation.decide(None, number, CaseDecision.RENAME, facts={"name": "Zoe"})
    assert club.people.names([number]) == {number: "Zoe"}
    with pytest.raises(BadInput):
        club.moderation.decide(None, number, CaseDecision.RENAME, facts={"name": "bob"})
    club.moderation.decide(None, number, CaseDecision.FORGET, "asked by letter")
    assert club.people.get(number) is None
    assert [(one.decision, one.note) for one in club.moderation.log(subject=number)] == [
        (CaseDecision.FORGET, ""),
        (CaseDecision.RENAME, ""),
    ]


@pytest.mark.parametrize("is_rated", [False, True])
def test_forgotten_player_gets_no_row_from_a_running_game(club: Club, is_rated: bool) -> None:
    view = club.meet(is_rated=is_rated)
    number = club.ada.identity or 0
    club.here.play(view.room, "1", "2")
    place = view.place_of(number) or 0
    club.moderation.decide(None, number, CaseDecision.FORGET)
    club.here.do(view.room, place, Resign())
    with club.here.database.reading() as connection:
        for table in ("conduct", "ratings", "rating_changes", "bans"):
            query = f"SELECT COUNT(*) AS count FROM {table} WHERE identity = :number"
            assert connection.column(query, number=number) == [0]
        assert connection.column("SELECT COUNT(*) AS count FROM conduct") == [1]


def test_rated_offer_of_a_banned_player_ends(club: Club) -> None:
    club.moderation.decide(None, club.ada.identity or 0, CaseDecision.NO_RATED)
    club.lobby.publish(offer(club.ada))
    club.lobby.publish(replace(offer(club.bob), is_rated=True))
    assert club.lobby.pair() == 0
    assert len(club.lobby.read().open_offers) == 2
    club.moderation.decide(None, club.bob.identity or 0, CaseDecision.NO_RATED)
    club.lobby.pair()
    assert [one.seeker.name for one in club.lobby.read().open_offers] == ["Ada"]
