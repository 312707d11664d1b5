"""Offers of games by days stay open without a page, and lead to one game while their owners are away."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.clock import DAY
from noughts.arena.lobby.lobby import MAX_ASKED, MAX_LASTING
from noughts.arena.lobby.offers import CHALLENGE_MS, LASTING_MS, LobbyOffer, OfferState, Seeker
from noughts.arena.lobby.shared_lobby import SharedLobby, pack_offer, read_offer
from noughts.arena.people.identities import SignedIn
from noughts.arena.people.inbox import Inbox, InboxNote, NoteKind
from noughts.arena.people.people import People
from noughts.arena.rooms import notices
from noughts.arena.rooms.keys import token_of_visitor
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.room import hash_token
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.seat_names import seat_name
from noughts.errors import OfferGone, OfferRefused
from tests.arena.lobby.seekers import BY_DAYS, QUICK, offer
from tests.arena.people.signing import Signer, register
from tests.arena.rooms.tables import Table, table
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]


def _guest(name: str) -> Seeker:
    return Seeker(hash_token(token_of_visitor(f"{name:-<30}")), name)


def _lasting(who: Seeker | str, **more: Any) -> LobbyOffer:
    player = _guest(who) if isinstance(who, str) else who
    return offer(player, clocks=(BY_DAYS,), lasts=True, **more)


class Club:
    """A lobby, and a person with a key who has gone away."""

    def __init__(self, here: Table) -> None:
        self.here, self.lobby = here, SharedLobby(here.rooms, here.database, now=here.time)
        self.people, self.inbox = People(here.database, now=here.time), Inbox(here.database)
        self.device = Signer(2)
        session = register(self.people, "Ada", Signer(1), self.device)
        self.signed = SignedIn(session.identity, session.device)
        self.ada = replace(_guest("Ada"), identity=session.identity.number)

    def numbers(self) -> list[int]:
        return [one.number for one in self.lobby.read().open_offers]


@pytest.fixture
def club() -> Iterator[Club]:
    with table() as here:
        yield Club(here)


def test_lasting_offer_outlives_page_worker_and_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    with table(url) as first:
        lobby = Club(first).lobby
        published = lobby.publish(_lasting("Olga"))
        lobby.leave({published.seeker.visitor: lobby.worker})
        assert lobby.read().open_offers == [published]
    with table(url, seed=1) as second:
        second.time.pass_by(LASTING_MS - 1)
        lobby = SharedLobby(second.rooms, second.database, now=second.time)
        lobby.pair()
        assert lobby.read().open_offers == [published]
        room = lobby.accept(published.number, _guest("Wei"))
        assert second.rooms.of_visitor(published.seeker.visitor) == [room]
        assert second.rooms.join("Olga", room=room, key=f"{'Olga':-<30}").token == token_of_visitor(
            f"{'Olga':-<30}"
        )


def test_owner_is_away_and_reads_of_the_game(club: Club) -> None:
    heard: list[InboxNote] = []
    club.here.rooms.listen_to_notes(heard.extend)
    room = club.lobby.accept(club.lobby.publish(_lasting(club.ada)).number, _guest("Wei"))
    view = club.here.rooms.look(room)
    place = view.names.index(seat_name(club.ada.identity or 0))
    assert view.present == {1 - place}
    (note,) = club.inbox.notes(club.ada.identity or 0)
    assert (note.kind, note.subject, note.facts["others"]) == (NoteKind.BEGAN, room, ["Wei"])
    assert note.facts["is_turn"] == (view.turn == place)
    assert heard == [note]
    assert {name for name, _ in club.here.heard} >= {seat_name(club.ada.identity or 0), club.ada.visitor}
    club.here.play(room, "h8")
    if view.turn != place:
        notes = club.inbox.notes(club.ada.identity or 0)
        assert {one.kind for one in notes} == {NoteKind.BEGAN, NoteKind.TURN}
        club.here.play(room, "h9")
    assert NoteKind.BEGAN not in {one.kind for one in club.inbox.notes(club.ada.identity or 0)}
    club.here.rooms.transact(room, lambda batch: batch.remove(batch.read(room)))
    assert club.here.rooms.of_visitor(club.ada.visitor) == []


def test_pairing_joins_two_absent_players(club: Club) -> None:
    for name in ("Olga", "Wei"):
        club.lobby.publish(_lasting(name))
    assert club.lobby.pair() == 1
    rooms = {name: club.here.rooms.of_visitor(_guest(name).visitor) for name in ("Olga", "Wei")}
    assert rooms["Olga"] == rooms["Wei"] != []
    assert club.here.rooms.look(rooms["Olga"][0]).present == frozenset()


def test_game_by_days_ends_no_search_and_no_other_offer(club: Club) -> None:
    lobby = club.lobby
    live = [
        lobby.publish(offer(_guest(name), games=(game,))).number
        for name, game in (("Wei", "connect4"), ("Olga", "reversi"))
    ]
    first, second = (lobby.publish(_lasting("Olga", games=(game,))).number for game in ("gomoku", "reversi"))
    lobby.accept(first, _guest("Wei"))
    assert club.numbers() == [*live, second]
    lobby.accept(live[1], _guest("Wei"))
    assert club.numbers() == [second]
    assert lobby.publish(_lasting("Olga")).number > second  # a live game prevents no game by days


def test_player_has_a_limited_number_of_lasting_offers(club: Club) -> None:
    other = replace(club.ada, visitor="another browser")
    for number in range(MAX_LASTING):
        club.lobby.publish(_lasting(club.ada, lowest=number))
    with pytest.raises(OfferRefused, match="lasting"):
        club.lobby.publish(_lasting(other))
    again = club.lobby.publish(_lasting(other, lowest=0))
    assert again.number == club.numbers()[0]
    club.lobby.withdraw(again.number, other)
    assert len(club.numbers()) == MAX_LASTING - 1
    club.lobby.publish(_lasting(other))


def test_offer_with_a_live_clock_needs_its_page(club: Club) -> None:
    with pytest.raises(OfferRefused, match="days"):
        club.lobby.publish(replace(_lasting("Olga"), clocks=(BY_DAYS, QUICK)))


def test_lasting_offer_expires(club: Club) -> None:
    published = club.lobby.publish(_lasting("Olga"))
    club.here.time.pass_by(LASTING_MS)
    assert published.expires == club.here.time.at
    club.lobby.pair()
    assert club.numbers() == []
    with pytest.raises(OfferGone):
        club.lobby.accept(published.number, _guest("Wei"))


def test_challenge_by_days_waits_for_a_key_only(club: Club) -> None:
    asked = _lasting("Wei", recipient="ada", recipient_identity=club.ada.identity)
    number = club.lobby.publish(asked).number
    club.here.time.pass_by(CHALLENGE_MS + DAY)
    club.lobby.pair()
    assert club.numbers() == [number]
    room = club.lobby.accept(number, club.ada)
    assert club.here.rooms.of_visitor(_guest("Wei").visitor) == [room]
    with pytest.raises(OfferRefused):
        club.lobby.publish(_lasting("Wei", recipient="bob"))


def _claim(club: Club) -> None:
    register(club.people, "Wei", Signer(3), Signer(4))


def _forget(club: Club) -> None:
    club.people.forget(club.signed, "Ada", club.device.proof(club.people, "forget", "Ada"))


def _ban(club: Club) -> None:
    ban = {"identity": club.ada.identity, "scope": "all", "since": 0, "ends": None}
    with club.here.database.writing() as connection:
        connection.insert("bans", ban)


@pytest.mark.parametrize(("owner", "change"), [("guest", _claim), ("key", _forget), ("key", _ban)])
@pytest.mark.parametrize("is_paired", [True, False])
def test_absent_owner_loses_an_offer_with_the_right_to_it(
    club: Club, owner: str, change: Callable[[Club], None], is_paired: bool
) -> None:
    player = _guest("Wei") if owner == "guest" else club.ada
    number = club.lobby.publish(_lasting(player)).number
    change(club)
    if is_paired:
        club.lobby.publish(_lasting("Olga"))
        assert club.lobby.pair() == 0
    else:
        with pytest.raises(OfferGone):
            club.lobby.accept(number, _guest("Olga"))
    assert club.here.rooms.store.count() == 0


def test_offer_of_a_renamed_player_has_the_new_name(club: Club) -> None:
    number = club.lobby.publish(_lasting(club.ada)).number
    club.here.time.pass_by(40 * DAY)
    with club.here.database.writing() as connection:
        club.people.set_name(connection, club.ada.identity or 0, "Ida")
    club.here.time.pass_by(-40 * DAY)
    club.lobby.pair()
    (left,) = club.lobby.read().open_offers
    assert (left.number, left.seeker.name) == (number, "Ida")


def test_challenges_to_one_player_are_limited(club: Club) -> None:
    to: dict[str, Any] = {"recipient": "ada", "recipient_identity": club.ada.identity}
    first = club.lobby.publish(_lasting("Eve", **to))
    for number in range(1, MAX_ASKED):
        club.lobby.publish(offer(_guest(f"Eve{number}"), **to))
    for again in (_lasting("Wei", **to), offer(_guest("Wei"), **to)):
        with pytest.raises(OfferRefused, match="not asked"):
            club.lobby.publish(again)
    club.lobby.publish(offer(_guest("Eve1"), games=("connect4",), **to))  # in place of the earlier one
    club.lobby.publish(_lasting("Wei"))
    club.lobby.withdraw(first.number, _guest("Eve"))
    assert club.lobby.publish(_lasting("Wei", **to)).is_open


def test_aborted_game_opens_no_lasting_offer_again(club: Club) -> None:
    published = club.lobby.publish(_lasting("Olga"))
    room = club.lobby.accept(published.number, _guest("Wei"))
    club.lobby.give_back(room, _guest("Wei").visitor)
    assert club.here.rooms.look(room).phase is Phase.OVER
    assert club.lobby.read().open_offers == []
    assert club.lobby.publish(_lasting("Olga")).number != published.number


def test_damaged_lasting_offer_has_ended() -> None:
    published = replace(_lasting("Olga"), number=3, changed=3)
    assert read_offer(pack_offer(published)) == published
    damaged = read_offer(pack_offer(published) | {"lasting": 4})
    assert (damaged.state, damaged.key) == (OfferState.WITHDRAWN, (published.seeker.visitor, False, 4))


@pytest.mark.slow
def test_two_workers_open_one_room(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "WAIT", 0.1)
    with table(postgres_url) as here:
        other = Rooms(here.database, now=here.time)
        lobbies = [SharedLobby(rooms, here.database, now=here.time) for rooms in (here.rooms, other)]
        number = lobbies[0].publish(_lasting("Olga")).number

        def take(place: int) -> str | None:
            try:
                return lobbies[place % 2].accept(number, _guest(f"player {place}"))
            except OfferGone:
                return None

        with ThreadPoolExecutor(8) as pool:
            rooms = [room for room in pool.map(take, range(8)) if room is not None]
        assert rooms == here.rooms.of_visitor(_guest("Olga").visitor)
        assert here.rooms.store.count() == 1
        other.close()
