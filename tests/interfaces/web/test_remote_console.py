"""Rooms at the console: two people play, answer offers and come back, and a hostile server harms nobody."""

import io
import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from noughts.arena.clock import DAY, Clock
from noughts.arena.remote.client import Client
from noughts.arena.remote.connection import RoomConnection
from noughts.arena.remote.entering import DaysKeys, EnteredRoom, SavedSeat, SavedSeats
from noughts.arena.remote.own_key import KeyFile, KeyHolder
from noughts.arena.remote.remote_lobby import Limits, RemoteLobby, RemoteOffer
from noughts.arena.remote.remote_table import RemoteTable
from noughts.interfaces.cli.main import run as run_program
from noughts.interfaces.console.prompts import Conversation, UserQuit
from noughts.interfaces.console.remote import RemoteSession
from noughts.interfaces.console.remote_lobby import OFFER, LobbySession, clock_of, limits_of
from noughts.interfaces.console.terminal import Alarm, Terminal
from tests.interfaces.harness import EN, SAY
from tests.interfaces.web.remote_server import ThreadServer, wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    running = ThreadServer(f"sqlite:///{tmp_path_factory.mktemp('console')}/games.db")
    yield running
    running.stop()


class ConsolePlayer:
    """A person at a console in a thread, in the seat of *entry*."""

    def __init__(self, server: ThreadServer, entry: EnteredRoom, language: str = "en") -> None:
        ear, self._keys = os.pipe()
        self._source, self._target = os.fdopen(ear), io.StringIO()
        self._read, self.status = 0, -1
        table, alarm = RemoteTable(entry.state, server.origin), Alarm()
        table.connection = RoomConnection(
            lambda: Client(server.origin, language), entry.state.room, entry.token, alarm.ring
        )
        talk = Conversation(Terminal(self._source, self._target), SAY[language])
        session = RemoteSession(talk, table, entry.token, alarm)

        def play() -> None:
            self.status = session.play()
            table.close()
            alarm.close()

        self._thread = threading.Thread(target=play, daemon=True)
        self._thread.start()

    def type(self, line: str) -> None:
        os.write(self._keys, f"{line}\n".encode())

    def hears(self, text: str) -> None:
        """Wait until *text* is written after the last text that was waited for."""

        def is_there() -> bool:
            return text in self._target.getvalue()[self._read :]

        try:
            wait_until(is_there)
        except AssertionError:
            raise AssertionError(f"{text!r} not in {self._target.getvalue()[self._read :]!r}") from None
        self._read = self._target.getvalue().index(text, self._read) + len(text)

    def leave(self) -> str:
        """Quit, and return all that was written."""
        self.type("q")
        self._thread.join(20)
        os.close(self._keys)
        self._source.close()
        return self._target.getvalue()


def entries(server: ThreadServer, folder: Path, **asked: object) -> tuple[EnteredRoom, EnteredRoom, str]:
    answer = server.open(**asked)
    link = f"{server.origin}/r/{answer['room']}"
    ada = server.enter(f"{link}#seat={answer['token']}", SavedSeats(folder / "ada"))
    return ada, server.enter(answer["code"], SavedSeats(folder / "wei")), link


def test_two_consoles_play_in_two_languages(server: ThreadServer, tmp_path: Path) -> None:
    first, second, link = entries(server, tmp_path)
    ada, wei = ConsolePlayer(server, first), ConsolePlayer(server, second, "ru")
    ada.hears("Ada (X), your move")
    wei.hears("Ходит Ada (X)")
    wei.type("t")
    wei.hears("2 Удачи!")
    wei.type("2")
    ada.hears("Wei: Good luck!")
    ada.type("t")
    ada.hears("4 You too!")
    ada.type("0")
    ada.hears(EN("room-muted"))
    wei.type("1")
    wei.hears("не ваш ход")
    ada.type("5")
    wei.hears("ваш ход")
    wei.type("5")
    wei.hears("занята")
    wei.type("1")
    ada.hears("Wei (O) plays cell 1")
    ada.type("?")
    ada.hears(EN("refusal-game-goes-on"))
    wei.type("d")
    ada.hears("do you accept")
    ada.type("n")
    wei.hears("отклонено")
    ada.type("l")
    ada.hears(f"{link}#seat={first.token}")
    ada.type("2")
    wei.hears("ваш ход")
    wei.type("8")
    ada.hears("your move")
    wei.type("u")
    ada.hears("do you allow a take-back")
    ada.type("y")
    wei.hears("ваш ход")
    wei.type("r")
    wei.hears("Сдаться")
    wei.type("д")
    ada.hears("Wei resigns.")
    ada.hears("Another game?")
    ada.type("p")
    ada.type("y")
    wei.hears("Ещё партию")
    wei.type("h")
    wei.hears("В комнате")
    wei.type("д")
    wei.hears("Wei (X), ваш ход")
    assert f"noughts join {link}" in ada.leave()
    wei.hears("Не на связи: Ada")
    wei.leave()
    assert (ada.status, wei.status) == (0, 0)


def test_spectator_and_room_that_closes(server: ThreadServer, tmp_path: Path) -> None:
    first, _, link = entries(server, tmp_path)
    ada = ConsolePlayer(server, first)
    watcher = ConsolePlayer(server, server.enter(link, SavedSeats(tmp_path / "eve"), watches=True))
    watcher.hears(EN("web-watching"))
    ada.hears("your move")
    ada.type("r")
    ada.hears(EN("room-abort"))
    ada.type("y")
    watcher.hears("The game was called off")
    assert server.ask(f"/api/rooms/{first.state.room}")["result"]["termination"] == "aborted"
    watcher.hears("Waiting")
    ada.hears("Another game?")
    ada.type("x")
    watcher.hears(EN("refused-room-closed"))
    wait_until(lambda: (ada.status, watcher.status) == (0, 0))
    ada.leave()
    watcher.leave()


def test_chooser_chooses_mark_at_console(server: ThreadServer, tmp_path: Path) -> None:
    first, second, _ = entries(server, tmp_path, begins="chooser")
    ada, wei = ConsolePlayer(server, first), ConsolePlayer(server, second)
    wei.hears("Ada chooses a mark")
    ada.hears("choose your mark")
    ada.type("o")
    ada.hears("Ada (O), your move")
    wei.hears("Ada (O) is to move")
    ada.leave()
    wei.leave()


class LobbyVisitor(ConsolePlayer):
    """A person in the lobby, at a console in a thread."""

    def __init__(self, server: ThreadServer, name: str, days_key: str = "") -> None:
        ear, self._keys = os.pipe()
        self._source, self._target = os.fdopen(ear), io.StringIO()
        self._read, self.room = 0, ""
        alarm = Alarm()
        lobby = RemoteLobby(lambda: Client(server.origin), name, alarm.ring, days_key=days_key)
        talk = Conversation(Terminal(self._source, self._target), EN)

        def visit() -> None:
            session = LobbySession(talk, lobby, alarm)
            with suppress(UserQuit):
                self.room = session.choose()
            self.watches = session.watches
            self.key = lobby.key_of(self.room)
            lobby.close()
            alarm.close()

        self._thread = threading.Thread(target=visit, daemon=True)
        self._thread.start()

    def number_of(self, offer: str) -> str:
        """Wait for *offer* in the list, and return its number."""
        self.hears(offer)
        return str(re.findall(rf"(\d+)  {re.escape(offer)}", self._target.getvalue())[-1])


def test_two_strangers_meet_in_the_lobby(server: ThreadServer, tmp_path: Path) -> None:
    ada, wei = LobbyVisitor(server, "Ada"), LobbyVisitor(server, "Wei")
    ada.hears(EN("lobby-title", server=server.origin))
    ada.hears(EN("lobby-empty"))
    ada.type("o nothing")
    ada.hears("nothing")
    ada.type("o gomoku 10 + 5")
    ada.hears(EN("lobby-offered", game="Gomoku", clock="10 + 5"))
    wei.hears("1  Ada: Gomoku, 10 + 5")
    wei.type("7")
    wei.hears(EN("lobby-gone"))
    wei.type("1")
    wait_until(lambda: ada.room and ada.room == wei.room)
    seats = SavedSeats(tmp_path / "seats")
    for visitor, name in ((ada, "Ada"), (wei, "Wei")):
        seats.save(SavedSeat(server.origin, visitor.room, name, visitor.key))
        entered = server.enter(f"{server.origin}/r/{visitor.room}", seats, name)
        assert entered.state.players[entered.state.you or 0].name == name
        assert entered.state.phase == "playing"
        seats.drop(SavedSeat(server.origin, visitor.room, name, visitor.key))
        visitor.leave()


def test_console_names_the_time_for_the_first_move(server: ThreadServer, tmp_path: Path) -> None:
    due = EN("web-first-move-days", time="|").partition("|")[0]
    consoles = [ConsolePlayer(server, seat) for seat in server.meet(tmp_path, "tictactoe")]
    for console in consoles:
        console.hears(due)
    for console in consoles:
        console.type("5")  # one of them is refused, since it is not the turn
    for console in consoles:
        console.hears("plays cell 5")
        console.hears(due)  # for the other player
        console.leave()


def test_visitor_can_withdraw_and_leave_the_lobby(server: ThreadServer) -> None:
    ada, wei = LobbyVisitor(server, "Ada"), LobbyVisitor(server, "Wei")
    ada.type("o connect4")
    wei.hears("Ada: Connect Four, 5 + 3")
    for command in ("u", "resign"):  # commands of a game
        ada.type(command)
        ada.hears(EN("command-not-in-lobby", command=command[0]))
    ada.type("x")
    wait_until(lambda: not server.ask("/api/offers")["offers"])
    ada.leave()
    wei.leave()
    assert (ada.room, wei.room) == ("", "")


def test_offer_by_days_survives_its_visit(server: ThreadServer, tmp_path: Path) -> None:
    days, seats = DaysKeys(tmp_path / "data" / "days.json"), SavedSeats(tmp_path / "seats")
    key = days.key_of(server.origin)
    assert DaysKeys(tmp_path / "data" / "days.json").key_of(server.origin) == key
    assert (tmp_path / "data" / "days.json").stat().st_mode & 0o777 == 0o600
    ada = LobbyVisitor(server, "Ada", key)
    ada.type("g")
    ada.hears(EN("lobby-own-none"))
    ada.type("o tictactoe 3d")
    ada.hears("also after you leave")
    ada.type("o gomoku 1d @Nobody")  # a name without a key
    ada.hears(EN("lobby-ask-sent", player="Nobody"))
    ada.leave()
    wait_until(lambda: [one["lasts"] for one in server.ask("/api/offers")["offers"]] == [True])
    wei = LobbyVisitor(server, "Wei")
    wei.type(wei.number_of("Ada: Tic-tac-toe"))
    wait_until(lambda: wei.room)
    ada = LobbyVisitor(server, "Ada", key)
    ada.hears("g  1  Tic-tac-toe with Wei, ")
    ada.type("g 2")
    ada.hears(EN("lobby-no-own-game"))
    ada.type("g 1")
    wait_until(lambda: ada.room == wei.room)
    seats.save(SavedSeat(server.origin, ada.room, "Ada", ada.key))
    entered = server.enter(f"{server.origin}/r/{ada.room}", seats, "Ada")
    assert entered.state.players[entered.state.you or 0].name == "Ada"
    for visitor in (ada, wei):
        visitor.leave()


def test_offer_by_days_that_is_taken_opens_the_game(server: ThreadServer) -> None:
    ada, wei = LobbyVisitor(server, "Ada", "d" * 30), LobbyVisitor(server, "Wei")
    ada.type("o gomoku 3d")
    number = wei.number_of("Ada: Gomoku, 3 days")
    ada.type("o connect4 3d")
    wei.hears("Ada: Connect Four, 3 days")
    ada.type("g")
    ada.hears("Your offer by days: Connect Four")
    wei.type(number)
    wait_until(lambda: ada.room and ada.room == wei.room)
    assert ada.key == "d" * 30
    for visitor in (ada, wei):
        visitor.leave()
    again = LobbyVisitor(server, "Ada", "d" * 30)
    again.hears("Your offer by days: Connect Four")
    again.type("x")
    wait_until(lambda: not server.ask("/api/offers")["offers"])
    again.leave()


def test_lobby_lists_public_games_to_watch(server: ThreadServer) -> None:
    visitor = LobbyVisitor(server, "Eve")
    visitor.hears(EN("lobby-title", server=server.origin))
    visitor.type("w")
    visitor.hears(EN("lobby-no-games"))
    opened = server.ask("/api/rooms", {"game": "gomoku", "name": "Ada", "visibility": "public"})
    joined = server.ask("/api/join", {"code": opened["code"], "name": "Wei"})
    move = {"type": "move", "move": "h8"}
    command = {"version": joined["state"]["version"], "key": "first", "command": move}
    with Client(server.origin) as client:
        client.ask(f"/api/rooms/{opened['room']}/commands", command, opened["token"])
    visitor.type("w 1")
    visitor.hears(EN("lobby-no-such-game"))
    wait_until(lambda: server.ask("/api/tv")["games"])
    visitor.type("w")
    visitor.hears("w  1  Gomoku: Ada – Wei")
    visitor.type("w 1")
    wait_until(lambda: visitor.room == opened["room"])
    assert visitor.watches
    visitor.leave()


def test_lobby_says_if_the_server_is_away(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    away = "http://127.0.0.1:1"
    assert run_program(["lobby", "--server", away], EN) == 2
    heard = capsys.readouterr()
    assert heard.err == EN("server-unreachable", address=away) + "\n"
    assert EN("lobby-empty") not in heard.out
    server = ThreadServer(f"sqlite:///{tmp_path}/games.db")
    visitor = LobbyVisitor(server, "Ada")
    visitor.hears(EN("lobby-empty"))
    server.stop()
    visitor.hears(server.origin)
    visitor.leave()


def test_join_command_explains_every_failure(
    server: ThreadServer, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Client(server.origin) as client:
        KeyHolder(client, KeyFile(tmp_path / "key.json")).register("Mira", bytes(range(16)))
    claimed = EN("name-claimed", name="MIRA")
    code = server.open()["code"]
    expected = {
        (code, "--server", server.origin, "--name", "MIRA"): EN("server-refused", words=claimed),
        ("here",): EN("address-refused", text="here"),
        ("http://127.0.0.1:1/r/abcdefghijkl",): EN("server-unreachable", address="http://127.0.0.1:1"),
        ("ABCDEF", "--server", server.origin): EN("no-such-code", name="ABCDEF"),
        (f"{server.origin}/r/abcdefghijkl",): EN("no-such-room"),
        ("ABCDEF", "--name", "random"): EN("name-computer", name="random"),
    }
    for arguments, sentence in expected.items():
        assert run_program(["join", *arguments], EN) == 2
        assert capsys.readouterr().err == sentence + "\n"


def test_join_and_lobby_commands_play_in_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    server = ThreadServer(f"sqlite:///{tmp_path}/games.db")

    def run_typing(typed: str, *arguments: str) -> str:
        ear, keys = os.pipe()
        os.write(keys, typed.encode())
        os.close(keys)
        with os.fdopen(ear) as source:
            monkeypatch.setattr("sys.stdin", source)
            assert run_program([*arguments, "--name", "Zoe"], EN) == 0
        return capsys.readouterr().out

    answer = server.open(opponent="random")
    link = f"{server.origin}/r/{answer['room']}#seat={answer['token']}"
    shown = run_typing("5\nm\ns\nq\n", "join", link)
    assert "Ada (X) plays cell 5." in shown
    assert f"noughts join {server.origin}/r/{answer['room']}" in shown
    assert EN("web-watching") in run_typing("q\n", "join", link.partition("#")[0], "--watch")
    assert EN("lobby-title", server=server.origin) in run_typing("q\n", "lobby", "--server", server.origin)
    server.stop()


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("o gomoku", Clock(base=300_000, increment=3_000)),
        ("o gomoku 10+0", Clock(base=600_000)),
        ("o gomoku 3d", Clock(per_move=3 * DAY)),
        ("o gomoku 3d + 1d", Clock(base=3 * DAY, increment=DAY)),
    ],
)
def test_typed_offer_names_its_clock(text: str, clock: Clock) -> None:
    typed = OFFER.fullmatch(text)
    assert typed is not None
    assert clock_of(*typed.groups()[1:5]) == clock


@pytest.mark.parametrize("clock", ["", " 5+3", " 3d+1d"])
def test_typed_offer_names_rating_and_player(clock: str) -> None:
    rated, challenge, both = (
        OFFER.fullmatch(f"o gomoku{clock}{more}") for more in (" r", " @Ada B", " r @Ada")
    )
    assert rated is not None
    assert challenge is not None
    assert both is not None
    assert (bool(rated[6]), rated[9]) == (True, None)
    assert (bool(challenge[6]), challenge[9]) == (False, "Ada B")
    assert (bool(both[6]), both[9]) == (True, "Ada")


@pytest.mark.parametrize("head", ["o gomoku", "o gomoku 5+3 r", "o 7x6:4,gravity 3d+1d"])
@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("1500-1800", (1500, 1800)),
        ("1800-1500", (1800, 1500)),
        ("1500-", (1500, None)),
        ("-900", (None, 900)),
        ("0-4000 @Ada", (0, 4000)),
    ],
)
def test_typed_offer_names_limits_of_rating(head: str, text: str, limits: Limits) -> None:
    typed = OFFER.fullmatch(f"{head} {text}")
    assert typed is not None
    assert limits_of(typed[7], typed[8]) == limits
    for wrong in ("-", "1500-1800-1900", "15000-"):
        assert OFFER.fullmatch(f"{head} {wrong}") is None


def test_range_of_ratings_is_offered_and_shown(server: ThreadServer) -> None:
    ada, wei = LobbyVisitor(server, "Ada"), LobbyVisitor(server, "Wei")
    ada.hears(EN("lobby-empty"))
    ada.type("?")
    ada.hears(EN("lobby-help"))
    ada.type("o gomoku 9000-")
    ada.hears("4000")
    for text, shown in (
        ("1800-1500", "rating 1500 to 1800"),
        ("0-", "rating from 0"),
        ("-900", "rating up to 900"),
    ):
        ada.type(f"o gomoku {text}")
        number = wei.number_of(f"Ada: Gomoku, 5 + 3, {shown}")
    wei.type(number)
    wei.hears("outside the range")
    for visitor in (ada, wei):
        visitor.leave()


def test_only_own_offer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    alarm, target = Alarm(), io.StringIO()
    lobby = RemoteLobby(lambda: Client("http://127.0.0.1:1"), "Ada", alarm.ring)
    session = LobbySession(Conversation(Terminal(io.StringIO(), target), EN), lobby, alarm)
    monkeypatch.setattr(lobby, "is_own", lambda offer: offer.name == "Ada")
    own = RemoteOffer(1, "Ada", "Gomoku", ("gomoku",), (Clock(base=300_000, increment=3_000),))
    lobby.offers[1] = own
    session._answer("")
    assert EN("lobby-only-own", game="Gomoku", clock="5 + 3") in target.getvalue()
    lobby.offers[2] = replace(own, number=2, name="Wei")
    session._answer("")
    assert target.getvalue().count("Ada") == 0
    assert "   2  Wei: Gomoku, 5 + 3" in target.getvalue()
    lobby.close()
    alarm.close()


def test_provisional_rating_has_a_mark() -> None:
    alarm = Alarm()
    lobby = RemoteLobby(lambda: Client("http://127.0.0.1:1"), "Wei", alarm.ring)
    session = LobbySession(Conversation(Terminal(io.StringIO(), io.StringIO()), EN), lobby, alarm)
    offer = RemoteOffer(1, "Ada", "Gomoku", ("gomoku",), (Clock(base=300_000),), rating=1500)
    assert session.line(offer) == "Ada (1500): Gomoku, 5 + 0"
    assert session.line(replace(offer, is_provisional=True)) == "Ada (1500?): Gomoku, 5 + 0"
    lobby.close()
    alarm.close()


def test_offers_are_broken_between_words_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conversation, "width", 30)
    alarm, shown = Alarm(), io.StringIO()
    lobby = RemoteLobby(lambda: Client("http://127.0.0.1:1"), "Wei", alarm.ring)
    lobby.close()
    session = LobbySession(Conversation(Terminal(io.StringIO(), shown), EN), lobby, alarm)
    clock = Clock(base=300_000, increment=3_000)
    lobby.offers = {
        3: RemoteOffer(7, "Ada of the long name", "Order and Chaos", ("order-and-chaos",), (clock,))
    }
    session._show([3])
    assert shown.getvalue() == "   3  Ada of the long name:\n      Order and Chaos, 5 + 3\n"
    alarm.close()
