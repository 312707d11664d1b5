"""Boards of a room in a notebook: a seat that moves from elsewhere, offers, and updates without a call."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from noughts.arena.commands import MakeMove, OfferDraw
from noughts.arena.remote.entering import SavedSeats
from noughts.arena.rooms.models import Phase
from noughts.errors import NotFound, OutOfTurn
from noughts.notebook import RemoteBoard
from tests.interfaces.harness import EN
from tests.interfaces.web.remote_server import Player, ThreadServer
from tests.running import run


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    running = ThreadServer(f"sqlite:///{tmp_path_factory.mktemp('notebook')}/games.db")
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def _own_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("NOUGHTS_LANG", "en")


@pytest.fixture
def ada(server: ThreadServer) -> Iterator[Player]:
    player = Player.of(server, server.open())
    yield player
    player.table.close()


@contextmanager
def board_beside(ada: Player, server: ThreadServer, *, watch: bool = False) -> Iterator[RemoteBoard]:
    board = RemoteBoard(ada.table.seen.code or "", "Wei", server=server.origin, watch=watch)
    try:
        yield board
    finally:
        board.leave()


def test_seat_moves_from_a_notebook_to_another_place(
    server: ThreadServer, ada: Player, tmp_path: Path
) -> None:
    with board_beside(ada, server) as board:
        ada.until(lambda table: table.is_playing)
        assert board.status == EN("is-to-move", player="Ada")
        with pytest.raises(OutOfTurn):
            board.play("1")
        ada.send(MakeMove((1, 1)))
        assert board.wait(20)
        board._handle_custom_msg({"do": "play", "text": "1"}, [])
        assert (board.game.ply, board.moves) == (2, {})
        ada.until(lambda table: len(table.seen.moves) == 2)
        again = server.enter(board.link, SavedSeats(tmp_path / "elsewhere"))
        assert again.state.you == 1
        assert [text for text, _ in again.state.moves] == ["5", "1"]


def test_buttons_answer_an_offer_and_ask_for_a_rematch(server: ThreadServer, ada: Player) -> None:
    with board_beside(ada, server) as board:
        ada.until(lambda table: table.is_playing)
        ada.send(MakeMove((1, 1)))
        ada.send(OfferDraw())
        while "accept" not in board.words:
            board._wait_for_news(1)
        assert board.status.endswith(EN("draw-offered", player="Ada"))
        board._handle_custom_msg({"do": "decline"}, [])
        board._handle_custom_msg({"do": "resign"}, [])
        assert board.status == f"{EN('game-over')} {EN('wins', winner='Ada')}"
        assert list(board.words) == ["again"]
        board._handle_custom_msg({"do": "again"}, [])
        assert board.table.is_wished


def test_watched_board_takes_no_move(server: ThreadServer, ada: Player) -> None:
    with board_beside(ada, server, watch=True) as board:
        assert board.table.phase is Phase.WAITING
        assert (board.moves, board.words) == ({}, {})


def test_board_follows_the_room_in_a_notebook(server: ThreadServer, ada: Player) -> None:
    async def cell() -> int:
        with board_beside(ada, server) as board:
            await asyncio.to_thread(ada.until, lambda table: table.is_playing)
            await asyncio.to_thread(ada.send, MakeMove((1, 1)))
            async with asyncio.timeout(20):
                while not board.moves:
                    await asyncio.sleep(0.01)
            return board.game.ply

    assert run(cell()) == 1


def test_unknown_code_gives_no_board(server: ThreadServer) -> None:
    with pytest.raises(NotFound):
        RemoteBoard("AAAAAA", server=server.origin)
