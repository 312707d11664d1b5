"""Tables at a real server: two seats see the same games, also after a restart of the server."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts.arena.commands import (
    Abort,
    Accept,
    Claim,
    Decline,
    MakeMove,
    OfferDraw,
    Put,
    Resign,
    Share,
    Swap,
    TakeBack,
)
from noughts.arena.remote.address import RoomAddress
from noughts.arena.remote.client import Client
from noughts.arena.remote.entering import SavedSeats
from noughts.arena.remote.remote_state import RemoteState
from noughts.arena.remote.remote_table import RemoteTable
from noughts.arena.rooms.models import Phase
from noughts.errors import CommandRefused, NotFound, NoughtsError, OccupiedCell, OutOfTurn, ServerFailed
from noughts.games.notation import parse_move
from tests.interfaces.web.remote_server import Player, ThreadServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    running = ThreadServer(f"sqlite:///{tmp_path_factory.mktemp('remote')}/games.db")
    yield running
    running.stop()


@pytest.fixture
def seats(tmp_path: Path) -> SavedSeats:
    return SavedSeats(tmp_path / "seats")


def pair(server: ThreadServer, seats: SavedSeats, **asked: Any) -> tuple[Player, Player]:
    """Return two players in a new room, whose game has begun."""
    answer = server.open(**asked)
    ada = Player.of(server, answer)
    entry = server.enter(answer["code"], seats)
    wei = Player(server.origin, entry.state, entry.token)
    for player in (ada, wei):
        player.until(lambda table: table.is_playing)
    return ada, wei


def play(player: Player, text: str) -> None:
    table = player.table
    player.until(lambda table: table.present_match.turn in table.own_sides)
    player.send(MakeMove(parse_move(table.present_match.game, text)))


def test_two_tables_follow_a_whole_game(server: ThreadServer, seats: SavedSeats) -> None:
    ada, wei = pair(server, seats, clock={"base": 60_000, "increment": 1_000})
    assert ada.table.names == wei.table.names == {"X": "Ada", "O": "Wei"}
    with pytest.raises(OutOfTurn):
        wei.table.apply("O", MakeMove((0, 0)), 0)
    play(ada, "5")
    wei.until(lambda table: table.seen.moves)
    with pytest.raises(OccupiedCell):
        wei.table.apply("O", MakeMove((1, 1)), 0)
    play(wei, "1")
    ada.send(OfferDraw())
    assert wei.kinds(lambda table: table.seen.offer) == ["offer"]
    wei.send(Decline())
    assert "decline" in ada.kinds(lambda table: not table.seen.offer)
    play(ada, "2")
    play(wei, "8")
    wei.send(TakeBack(1))
    assert ada.kinds(lambda table: table.seen.offer)[-1] == "offer"
    ada.send(Accept())
    assert "takeback" in wei.kinds(lambda table: len(table.seen.moves) == 3)
    assert 0 < (wei.table.time_left("O", wei.table._now()) or 0) <= 62_000
    wei.send(Resign())
    assert ada.kinds(lambda table: table.seen.is_over)[-1] == "end"
    assert [score.points for score in ada.table.scores] == [1, 0]
    assert ada.table.present_match.outcome == wei.table.present_match.outcome
    ada.send(Share())
    assert ada.table.seen.is_public
    ada.table.begin(0)
    wei.until(lambda table: table.seen.wishes)
    wei.table.begin(0)
    for player in (ada, wei):
        player.until(lambda table: table.is_playing and table.games_played == 1)
        assert player.table.names == {"X": "Wei", "O": "Ada"}
        player.table.close()


def has_version(version: int, table: RemoteTable) -> bool:
    return table.seen.version >= version


def test_called_off_game_ends_and_next_one_begins(server: ThreadServer, seats: SavedSeats) -> None:
    ada, wei = pair(server, seats)
    play(ada, "5")
    wei.until(lambda table: table.seen.moves)
    assert [event.kind for event in wei.send(Abort())] == ["end"]
    assert ada.kinds(lambda table: table.phase is Phase.OVER)[-1] == "end"
    for player in (ada, wei):
        player.table.begin(0)
    for player in (ada, wei):
        player.until(lambda table: table.is_playing and not table.present_match.game.ply)
        assert player.table.present_match.end is None
        player.table.close()


@pytest.mark.parametrize("opening", ["pie", "swap2"])
def test_openings_lead_to_equal_matches(server: ThreadServer, seats: SavedSeats, opening: str) -> None:
    chance = Random(5)
    ada, wei = pair(server, seats, game="gomoku", opening=opening)
    for number in range(12):
        mover = next(one for one in (ada, wei) if one.table.present_match.turn in one.table.own_sides)
        match = mover.table.present_match
        if match.standing.answers:
            mover.send(Put() if "put" in match.standing.answers else Swap())
        else:
            mover.send(MakeMove(chance.choice(match.game.legal_moves())))
        for player in (ada, wei):
            player.until(partial(has_version, mover.table.seen.version))
        assert ada.table.names == wei.table.names, number
        assert ada.table.present_match.standing == wei.table.present_match.standing
    late = Player(server.origin, server.enter(room_of(server, ada), seats, watches=True).state)
    assert late.table.names == ada.table.names
    assert late.table.present_match.game.cells == ada.table.present_match.game.cells
    with pytest.raises(CommandRefused):
        late.table.apply("X", Resign(), 0)
    for player in (ada, wei, late):
        player.table.close()


def room_of(server: ThreadServer, player: Player) -> str:
    return RoomAddress(server.origin, room=player.table.seen.room).link


def test_seat_is_saved_and_third_visitor_watches(
    server: ThreadServer, seats: SavedSeats, tmp_path: Path
) -> None:
    ada, wei = pair(server, seats)
    link = room_of(server, ada)
    again = server.enter(link, seats)
    assert (again.token, again.state.you) == (wei.token, 1)
    assert server.enter(f"{link}#seat={ada.token}", seats).state.you == 0
    other = SavedSeats(tmp_path / "other")
    assert server.enter(link, other, "Eve").state.you is None
    with pytest.raises(NotFound):
        server.enter("AAAAAA", other)
    with pytest.raises(ServerFailed) as wrong:
        server.enter(f"{link}#seat={'x' * 32}", other)
    assert wrong.value.status == 403
    assert list((tmp_path / "other").iterdir()) == []
    for player in (ada, wei):
        player.table.close()


def test_seat_moves_to_a_further_device(server: ThreadServer) -> None:
    answer = server.open()
    path = f"/api/rooms/{answer['room']}/seat"
    with Client(server.origin) as client:
        moved = client.ask(path, {}, answer["token"])
        assert (moved["token"], moved["place"], moved["state"]["you"]) == (answer["token"], 0, 0)
        for token, status in (("", 401), ("x" * 32, 403)):
            with pytest.raises(ServerFailed) as refused:
                client.ask(path, {}, token)
            assert refused.value.status == status


@pytest.mark.parametrize(
    "change",
    [
        {"moves": [{"move": "5", "side": "X"}, {"move": "5", "side": "O"}]},
        {"moves": [{"move": "zzz", "side": "X"}]},
        {"offer": {"side": "Q", "what": "draw", "plies": 0}},
        {"result": {"winner": "Q", "termination": "line", "reason": None}},
        {"start": "nothing"},
        {"protocol": "nothing"},
        {"opening": {"placing": 5, "answers": [], "is_swapped": True}, "protocol": "pie"},
        {"game": {"name": "tictactoe", "sides": ["X"]}},
        {"game": {"name": "99999x99999:5", "sides": ["X", "O"]}},
        {"game": {"name": "no-such-game", "sides": ["X", "O"]}},
        {"players": []},
    ],
)
def test_hostile_state_is_no_traceback(server: ThreadServer, change: dict[str, Any]) -> None:
    answer = server.open()
    honest = {**answer["state"], "phase": "playing", "code": None}
    places = zip(honest["players"], "XO", strict=True)
    honest["players"] = [{**player, "name": "\x1b[31m\u202eAda", "side": side} for player, side in places]
    table = RemoteTable(RemoteState.of(honest), server.origin)
    assert "\x1b" not in "".join(table.names.values())
    changed = {**honest, "version": 99, **change}
    with pytest.raises((NoughtsError, ValueError)):
        RemoteTable(RemoteState.of(changed), server.origin)
    if change.keys() <= {"moves", "offer", "result"}:  # The others are read when a game begins.
        table._states.append(RemoteState.of(changed))
        while table.ended is None and table.synchronise():
            pass
        assert table.ended is not None


def test_move_of_lost_connection_is_played_once(tmp_path: Path, seats: SavedSeats) -> None:
    server = ThreadServer(f"sqlite:///{tmp_path}/games.db")
    ada, wei = pair(server, seats)
    play(ada, "5")
    wei.until(lambda table: table.seen.moves)
    server.stop()
    wei.until(lambda table: not table.is_online)
    wei.table.apply("O", MakeMove((0, 0)), 0)
    with pytest.raises(CommandRefused):
        wei.table.apply("O", MakeMove((0, 1)), 0)
    assert wei.table.sending is not None
    server.start()
    wei.until(lambda table: table.sending is None and table.is_online)
    ada.until(lambda table: len(table.seen.moves) == 2)
    assert wei.table.take_error() is None
    assert [text for text, _ in ada.table.seen.moves] == ["5", "1"]
    wei.table.close()
    assert "away" in ada.kinds(lambda table: table.absent)
    assert not ada.table.can_claim
    ada.send(Claim())
    assert isinstance(ada.table.take_error(), ServerFailed)
    ada.table.close()
    server.stop()


def test_computer_answers_and_help_is_fair(server: ThreadServer) -> None:
    ada = Player.of(server, server.open(opponent="random"))
    assert ada.table.may_be_helped
    play(ada, "1")
    ada.until(lambda table: len(table.seen.moves) == 2)
    assert ada.table.who_of == {"X": "human", "O": "random"}
    ada.table.close()
    friend = Player.of(server, server.open())
    assert friend.table.phase is Phase.WAITING
    with pytest.raises(CommandRefused):
        friend.table.apply("X", MakeMove((0, 0)), 0)
    friend.table.close()
