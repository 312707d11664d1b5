"""The lobby in the database: several workers, restarts, damage, and the rooms of the players."""

import sqlite3
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from noughts.arena.commands import WrittenMove
from noughts.arena.events import MatchEnd
from noughts.arena.lobby import lobby as lobby_module
from noughts.arena.lobby import shared_lobby
from noughts.arena.lobby.lobby import REMEMBERED_MS, Lobby
from noughts.arena.lobby.offers import LobbyOffer, OfferState, Seeker
from noughts.arena.lobby.shared_lobby import CLEAN_MS, FIRST_MOVE_MS, NEWS, PAIRS_AT_ONCE, SharedLobby
from noughts.arena.people.guests import GuestNames
from noughts.arena.rooms import notices
from noughts.arena.rooms.keys import token_of_visitor
from noughts.arena.rooms.models import Phase
from noughts.arena.rooms.room import hash_token
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.store.connections import Connection
from noughts.errors import CommandRefused, NotFound, OfferGone, OfferRefused
from tests.arena.lobby.seekers import offer
from tests.arena.rooms.tables import Table, table
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]


def _visitor(name: str) -> Seeker:
    return Seeker(hash_token(token_of_visitor(_key(name))), name)


def _key(name: str) -> str:
    return f"{name:-<30}"


def _offer(name: str, **more: Any) -> LobbyOffer:
    return offer(_visitor(name), **more)


def _lobby(here: Table) -> SharedLobby:
    return SharedLobby(here.rooms, here.database, now=here.time)


@pytest.fixture
def here() -> Iterator[Table]:
    with table() as made:
        yield made


def test_player_of_a_new_game_gets_no_second_one(here: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby, ada = _lobby(here), _visitor("Ada")
    for name in ("Ada", "Olga"):
        made = lobby.publish(_offer(name, games=("gomoku" if name == "Ada" else "reversi",)))
    (first,) = (one for one in lobby.read().open_offers if one.seeker == ada)
    room = lobby.accept(first.number, _visitor("Wei"))  # the page of Ada has not heard of it
    for act in (lambda: lobby.accept(made.number, ada), lambda: lobby.publish(_offer("Ada"))):
        with pytest.raises(OfferRefused, match="already playing"):
            act()
    view = here.rooms.look(room)
    here.play(room, *("a1", "b2")[: 1 + view.names.index("Ada")])
    monkeypatch.delattr(RoomBatch, "look")  # the move is in memory
    assert lobby.accept(made.number, ada) != room


def test_pair_opens_a_room_for_both_keys(here: Table) -> None:
    lobby = _lobby(here)
    for name in ("Ada", "Wei"):
        lobby.publish(_offer(name))
    assert lobby.pair() == 1
    assert (lobby.pair(), lobby.read().open_offers) == (0, [])
    (room,) = {lobby.read().room_of(_visitor(name).visitor, 0) for name in ("Ada", "Wei")}
    assert room is not None
    view = here.rooms.look(room)
    assert (view.phase, view.setup.game, set(view.names)) == (Phase.PLAYING, "gomoku", {"Ada", "Wei"})
    for name in ("Ada", "Wei"):
        entry = here.rooms.join(name, room=room, key=_key(name))
        assert entry.token == token_of_visitor(_key(name))
        assert view.names[entry.place or 0] == name
    assert (NEWS, lobby.read().version) in here.heard


def test_pair_seats_a_player_by_the_key(here: Table) -> None:
    lobby = _lobby(here)
    ada = replace(_visitor("Ada"), identity=482_190)
    lobby.publish(offer(ada))
    room = lobby.accept(lobby.publish(_offer("Wei")).number, ada)
    view = here.rooms.look(room)
    assert set(view.names) == {"key:482190", "Wei"}
    entry = here.rooms.join("key:482190", room=room, key=_key("Ada"))
    assert view.names[entry.place or 0] == "key:482190"


def test_accept_opens_one_room_however_often(here: Table) -> None:
    lobby = _lobby(here)
    lobby.publish(_offer("Wei"))
    number = lobby.publish(_offer("Ada")).number
    with ThreadPoolExecutor(8) as pool:
        rooms = set(pool.map(lambda _: lobby.accept(number, _visitor("Wei")), range(16)))
    assert len(rooms) == 1
    assert lobby.read().open_offers == []
    with pytest.raises(OfferGone):
        lobby.accept(number, _visitor("Olga"))
    assert here.rooms.store.count() == 1


def test_one_of_two_players_gets_an_offer(here: Table) -> None:
    lobby, names = _lobby(here), [f"player {number}" for number in range(8)]
    number = lobby.publish(_offer("Ada")).number

    def take(name: str) -> str | None:
        try:
            return lobby.accept(number, _visitor(name))
        except OfferGone:
            return None

    with ThreadPoolExecutor(8) as pool:
        assert sorted(map(bool, pool.map(take, names))) == [False] * 7 + [True]


def test_simultaneous_changes_share_a_transaction(here: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby, begun, gate, steps = _lobby(here), Event(), Event(), list[str]()
    jobs, newest = here.rooms._writer._jobs, lobby._newest
    number = lobby.publish(_offer("Ada")).number
    here.heard.clear()

    def note(connection: Connection) -> Lobby:
        steps.append("lobby")
        return newest(connection)

    def check(connection: Connection, names: Collection[str]) -> GuestNames:
        steps.append(" ".join(sorted(names)))
        return GuestNames(connection, names)

    def refused(draft: Lobby, _: RoomBatch) -> None:
        draft.publish(_offer("Eve"))
        raise OfferGone

    def wait(_: RoomBatch) -> None:
        begun.set()
        gate.wait()

    monkeypatch.setattr(lobby, "_newest", note)
    monkeypatch.setattr(shared_lobby, "GuestNames", check)
    with ThreadPoolExecutor(8) as pool:
        pool.submit(here.rooms.transact, "", wait)
        begun.wait()
        made = [pool.submit(lobby.publish, _offer(name)) for name in ("Wei", "Olga")]
        taken = [pool.submit(lobby.accept, number, _visitor("Jun")) for _ in range(2)]
        lost = pool.submit(lobby._change, refused)
        pool.submit(here.rooms.transact, "zz", lambda _: steps.append("room"))
        while jobs.qsize() < 6:
            time.sleep(0.001)
        gate.set()
        with pytest.raises(OfferGone):
            lost.result()
        rooms = {future.result() for future in taken}
        offers = sorted((future.result() for future in made), key=lambda offer: offer.number)
    assert (len(rooms), steps) == (1, ["room", "Jun Jun Olga Wei", "lobby"])
    assert lobby.read().open_offers == offers
    assert [version for name, version in here.heard if name == NEWS] == [lobby.read().version]


def test_pair_opens_all_rooms_in_several_transactions(here: Table) -> None:
    lobby, count = _lobby(here), 2 * PAIRS_AT_ONCE + 3
    for number in range(2 * count):
        lobby.publish(_offer(f"player {number}"))
    assert lobby.pair() == count
    assert (here.rooms.store.count(), lobby.read().open_offers) == (count, [])


def test_game_without_first_moves_is_called_off(here: Table) -> None:
    lobby = _lobby(here)
    room = lobby.accept(lobby.publish(_offer("Ada")).number, _visitor("Wei"))
    here.time.pass_by(FIRST_MOVE_MS - 1)
    here.rooms.expiry.tick()
    here.play(room, "h8")
    here.time.pass_by(FIRST_MOVE_MS - 1)
    here.rooms.expiry.tick()
    assert here.rooms.look(room).phase is Phase.PLAYING
    here.time.pass_by(1)
    here.rooms.expiry.tick()
    view = here.rooms.look(room)
    assert view.match.outcome is not None
    assert (view.match.outcome.termination, view.match.outcome.winner) == (MatchEnd.ABORTED, None)
    assert (view.scores[0].games, view.results[0].is_counted) == (0, False)


def test_blocked_players_are_not_paired(here: Table) -> None:
    lobby = _lobby(here)
    person = {"created": 0, "seen": 0, "digest": ""}
    with here.database.writing() as connection:
        rows = [{"number": number, "key": str(number), **person} for number in (1, 2)]
        connection.insert("identities", *rows)
        connection.insert("blocks", {"identity": 2, "blocked": 1, "created": 0})
    ada, wei = (replace(_visitor(name), identity=number) for number, name in ((1, "Ada"), (2, "Wei")))
    number = lobby.publish(offer(ada)).number
    with pytest.raises(OfferGone):
        lobby.accept(number, wei)
    lobby.publish(offer(wei))
    assert lobby.pair() == 0
    lobby.publish(_offer("Olga"))
    assert lobby.pair() == 1
    assert [left.seeker.name for left in lobby.read().open_offers] == ["Wei"]


def test_give_back_lets_the_opponent_wait_as_before(here: Table) -> None:
    lobby = _lobby(here)
    lobby.publish(_offer("Olga"))
    here.time.pass_by(5_000)
    lobby.publish(_offer("Ada"))
    lobby.pair()
    room = lobby.read().room_of(_visitor("Ada").visitor, 0) or ""
    for stranger in ("Wei", "nobody"):
        with pytest.raises(NotFound):
            lobby.give_back(room, _visitor(stranger).visitor)
    lobby.give_back(room, _visitor("Ada").visitor)
    (waiting,) = lobby.read().open_offers
    assert (waiting.seeker.name, here.time.at - waiting.since) == ("Olga", 5_000)
    assert here.rooms.look(room).phase is Phase.OVER
    lobby.publish(_offer("Ada"))
    lobby.publish(_offer("Wei"))
    assert lobby.pair() == 1
    assert [left.seeker.name for left in lobby.read().open_offers] == ["Ada"]


def test_give_back_is_refused_after_the_own_first_move(here: Table) -> None:
    lobby = _lobby(here)
    room = lobby.accept(lobby.publish(_offer("Ada")).number, _visitor("Wei"))
    view = here.rooms.look(room)
    here.do(room, view.turn or 0, WrittenMove("h8"))
    with pytest.raises(CommandRefused):
        lobby.give_back(room, _visitor(view.names[view.turn or 0] or "").visitor)
    assert here.rooms.look(room).phase is Phase.PLAYING


def test_offers_outlive_a_restart_until_their_page_is_gone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    with table(url) as first:
        before = _lobby(first).publish(_offer("Ada"))
    with table(url, seed=1) as second:
        lobby = _lobby(second)
        assert [kept.number for kept in lobby.read().open_offers] == [before.number]
        assert before.worker not in lobby.living_workers() == {lobby.worker}
        lobby.hold([_visitor("Ada").visitor])
        lobby.leave({_visitor("Ada").visitor: before.worker})
        assert lobby.read().open_offers != []
        lobby.leave({_visitor("Ada").visitor: lobby.worker})
        assert lobby.read().open_offers == []


def test_ended_offers_are_removed_from_the_database(here: Table) -> None:
    lobby = _lobby(here)
    for name in ("Ada", "Wei", "Olga"):
        lobby.withdraw(lobby.publish(_offer(name)).number, _visitor(name))
    here.time.pass_by(REMEMBERED_MS + 1)
    newest = lobby.publish(_offer("Jun"))
    with here.database.reading() as connection:
        assert connection.column("SELECT changed FROM offers") == [newest.changed]
    assert list(lobby.read().offers.values()) == [newest]


def test_ended_offers_leave_room_for_new_ones(here: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_module, "MAX_OFFERS", 2)
    lobby = _lobby(here)
    made = [lobby.publish(_offer("Ada"))]
    for name in ("Wei", "Olga", "Jun"):
        lobby.withdraw(lobby.publish(_offer(name)).number, _visitor(name))
        here.time.pass_by(1)
    here.time.pass_by(CLEAN_MS)
    made.append(lobby.publish(_offer("Lin")))
    with pytest.raises(OfferRefused, match="full"):
        lobby.publish(_offer("Eve"))
    assert lobby.read().open_offers == made
    for lobby_now in (lobby, _lobby(here)):
        assert {one.seeker.name for one in lobby_now.read().offers.values()} == {"Ada", "Jun", "Lin"}
    with here.database.reading() as connection:
        assert connection.column("SELECT COUNT(*) AS count FROM offers") == [3]


def test_damaged_offer_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with table(f"sqlite:///{path}") as here:
        lobby = _lobby(here)
        number = lobby.publish(_offer("Ada")).number
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE offers SET facts = replace(facts, 'Ada', 'Eve')")
        connection.commit()
    with table(f"sqlite:///{path}") as here:
        lobby = _lobby(here)
        (found,) = lobby.read().offers.values()
        assert (found.state, found.number) == (OfferState.WITHDRAWN, 0)
        with pytest.raises(NotFound):
            lobby.accept(number + 1, _visitor("Wei"))


@pytest.mark.slow
def test_workers_share_one_lobby(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "WAIT", 0.1)
    with table(postgres_url) as one, table(postgres_url, seed=1) as two:
        lobbies = [_lobby(one), _lobby(two)]
        made = [lobbies[number % 2].publish(_offer(f"player {number}")) for number in range(40)]
        assert [offer.number for offer in lobbies[1].read().open_offers] == [each.number for each in made]
        assert lobbies[0].living_workers() == {lobby.worker for lobby in lobbies}
        with ThreadPoolExecutor(8) as pool:
            pairs = sum(pool.map(lambda number: lobbies[number % 2].pair(), range(8)))
        assert pairs == 20
        rooms = {lobby.read().room_of(each.seeker.visitor, 0) for each in made for lobby in lobbies}
        assert len(rooms) == 20
        seats = [name for room in rooms for name in two.rooms.look(room or "").names]
        assert sorted(map(str, seats)) == sorted(each.seeker.name for each in made)
