"""Rooms in the full screen: moves, offers, the link of the seat, a rematch, and fair help."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from noughts.arena.commands import Accept, OfferDraw, Resign, SayPhrase
from noughts.arena.process_time import now_ms
from noughts.arena.remote.client import Client
from noughts.arena.remote.entering import EnteredRoom, SavedSeats
from noughts.arena.remote.remote_table import RemoteTable
from noughts.interfaces.tui.app import FirstPage, NoughtsApp
from noughts.interfaces.tui.game.remote_page import RemotePage
from tests.interfaces.harness import SAY
from tests.interfaces.tui.screens import open_app, press, seen, settle
from tests.interfaces.tui.table import board_of
from tests.interfaces.web.remote_server import SECONDS, Player, ThreadServer
from tests.interfaces.web.test_remote_table import play
from tests.running import run

SAYS = SAY["en"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    running = ThreadServer(f"sqlite:///{tmp_path_factory.mktemp('screen')}/games.db")
    yield running
    running.stop()


def page_for(server: ThreadServer, entered: EnteredRoom) -> FirstPage:
    table = RemoteTable(entered.state, server.origin)
    return lambda app: RemotePage(table, app, entered.token, lambda: Client(server.origin))


async def until(app: NoughtsApp, holds: Callable[[], object]) -> None:
    """Let the application work until *holds* is true."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, seen(app)
        await asyncio.sleep(0.02)
        await settle(app)


async def until_seen(app: NoughtsApp, text: str) -> None:
    await until(app, lambda: text in seen(app))


async def ask(player: Player, work: Callable[[], object]) -> None:
    """Let *player* do something in a thread, so that the application goes on."""
    await asyncio.to_thread(work)


def test_game_against_a_person_in_full_screen(server: ThreadServer, tmp_path: Path) -> None:
    answer = server.open(clock={"base": 600_000, "increment": 0})
    ada = Player.of(server, answer)
    entered = server.enter(answer["code"], SavedSeats(tmp_path / "wei"))

    async def test() -> None:
        async with open_app((100, 30), first_page=page_for(server, entered), now=now_ms) as (app, _):
            await until_seen(app, SAYS("is-to-move", player="Ada"))
            await press(app, "5")
            assert SAYS("room-not-your-turn") in seen(app)
            await press(app, "e")
            await press(app, "1")
            await ask(ada, lambda: ada.until(lambda table: table.seen.said))
            await ask(ada, lambda: ada.send(SayPhrase("good-luck")))
            await until_seen(app, SAYS("room-said", player="Ada", phrase=SAYS("phrase-good-luck")))
            await press(app, "e")
            await press(app, "m")
            assert SAYS("room-muted") in seen(app)
            await press(app, "question_mark")
            assert SAYS("refusal-game-goes-on") in seen(app)
            await press(app, "5")
            assert SAYS("room-not-your-turn") in seen(app)
            await ask(ada, lambda: play(ada, "5"))
            await until(app, lambda: board_of(app) == "....X....")
            assert SAYS("room-not-your-turn") not in seen(app)
            await press(app, "1")
            await until(app, lambda: board_of(app) == "O...X....")
            await ask(ada, lambda: ada.send(OfferDraw()))
            await until_seen(app, SAYS("accept-draw-question", player="Wei (O)"))
            await press(app, "n")
            await ask(ada, lambda: ada.until(lambda table: not table.seen.offer and not table.sending))
            await until(app, lambda: SAYS("accept-draw-question", player="Wei (O)") not in seen(app))
            await ask(ada, lambda: play(ada, "2"))
            await until(app, lambda: board_of(app) == "OX..X....")
            await press(app, "u")
            await ask(ada, lambda: ada.until(lambda table: table.seen.offer))
            await ask(ada, lambda: ada.send(Accept()))
            await until(app, lambda: board_of(app) == "....X....")
            await press(app, "c")
            assert entered.token in "".join(seen(app).split())
            await press(app, "escape")
            await press(app, "w")
            await until_seen(app, SAYS("refused-not-away"))
            await ask(ada, lambda: ada.send(Resign()))
            await until_seen(app, SAYS("wins", winner="Wei").rstrip("."))
            await press(app, "n")
            await until_seen(app, SAYS("web-rematch-asked", player="Ada"))
            await ask(ada, lambda: ada.table.begin(0))
            await until_seen(app, SAYS("your-turn"))
            assert board_of(app) == "." * 9
            await ask(ada, ada.table.close)
            await until_seen(app, SAYS("room-away", names=["Ada"]))
            await press(app, "q")
        assert app.farewell == [SAYS("room-left", link=f"{server.origin}/r/{answer['room']}")]

    run(test())


def test_screen_names_the_time_for_the_first_move(server: ThreadServer, tmp_path: Path) -> None:
    due = SAYS("web-first-move-days", time="|").partition("|")[0]
    ada, wei = server.meet(tmp_path, "tictactoe")
    other = Player(server.origin, wei.state, wei.token)

    async def test() -> None:
        async with open_app((100, 30), first_page=page_for(server, ada), now=now_ms) as (app, _):
            await until_seen(app, due)
            for _ in range(2):
                if other.table.seen.turn == other.table.seen.players[wei.state.you or 0].side:
                    await ask(other, lambda: play(other, "5"))
                else:
                    await press(app, "1")
                    await ask(other, lambda: other.until(lambda table: table.seen.moves))
            await until(app, lambda: due not in seen(app))

    run(test())
    other.table.close()


def test_room_ends_and_spectator_sees_it(server: ThreadServer, tmp_path: Path) -> None:
    answer = server.open()
    link = f"{server.origin}/r/{answer['room']}"
    entered = server.enter(link, SavedSeats(tmp_path / "eve"), watches=True)

    async def test() -> None:
        async with open_app((100, 30), first_page=page_for(server, entered), now=now_ms) as (app, _):
            await until_seen(app, SAYS("room-waiting"))
            await press(app, "5")
            assert board_of(app) == "." * 9
            await press(app, "q")
        assert app.farewell == [SAYS("left")]

    run(test())
