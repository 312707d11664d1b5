"""The command ``identity`` against a real server, and rated games and challenges from the terminal."""

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.people.words import words_of
from noughts.arena.remote.address import RoomAddress
from noughts.arena.remote.client import Client
from noughts.arena.remote.entering import SavedSeat, SavedSeats, enter
from noughts.arena.remote.own_key import KeyFile, KeyHolder, OwnKey
from noughts.arena.remote.remote_lobby import RemoteLobby
from noughts.errors import DamagedFile, ServerFailed
from noughts.interfaces.cli import identities
from noughts.interfaces.cli.main import run as run_program
from noughts.interfaces.presenting.i18n import LANGUAGES
from tests.interfaces.harness import EN, SAY
from tests.interfaces.web.remote_server import ThreadServer, wait_until

WORDS_EN, WORDS_OTHER = bytes(range(16)), bytes(range(16, 32))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    running = ThreadServer(f"sqlite:///{tmp_path_factory.mktemp('identity')}/games.db")
    yield running
    running.stop()


class Shell:
    """A terminal with a key file of its own, whose commands go to *server*."""

    def __init__(
        self, server: ThreadServer, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, language: str
    ) -> None:
        self.server, self.file, self._patch, self._capsys = server, file, monkeypatch, capsys
        self.language, self.errors = language, ""

    def run(self, *arguments: str, typed: str = "", status: int = 0) -> str:
        """Run ``noughts identity``, check the exit status and return the output."""
        ear, keys = os.pipe()
        os.write(keys, typed.encode())
        os.close(keys)
        with os.fdopen(ear) as source:
            self._patch.setattr("sys.stdin", source)
            options = ["--server", self.server.origin, "--key", str(self.file)]
            assert run_program(["identity", *arguments, *options], SAY[self.language]) == status
        shown = self._capsys.readouterr()
        self.errors = shown.err
        return str(shown.out)

    @property
    def key(self) -> OwnKey:
        key = KeyFile(self.file).read()
        assert key is not None
        return key

    def secrets(self) -> list[str]:
        """Return the secrets in the file."""
        facts = json.loads(self.file.read_text())
        return [facts["device"], *(one["session"] for one in facts["servers"].values())]


@pytest.fixture
def shells(
    server: ThreadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.setattr(identities, "FOLLOW_SECONDS", 0.01)
    return lambda name, language="en": Shell(server, tmp_path / name, monkeypatch, capsys, language)


def test_terminal_claims_a_name(shells: Any, server: ThreadServer) -> None:
    shell = shells("ada.json")
    assert shell.run() == EN("identity-none") + "\n"
    claimed = shell.run("claim", "Ada Roe")
    assert "You are Ada Roe, player " in claimed
    assert shell.file.stat().st_mode & 0o777 == 0o600
    number = shell.key.players[server.origin].number
    assert EN("identity-line", name="Ada Roe", number=str(number), server=server.origin) in shell.run()
    assert json.loads(shell.run("--json")) == {
        "file": str(shell.file),
        "players": [{"server": server.origin, "number": number, "name": "Ada Roe", "is_bot": False}],
        "words_unchecked": True,
    }
    everything = claimed + shell.run() + shell.run("--json") + shell.run("words") + repr(shell.key)
    assert not [secret for secret in shell.secrets() if secret in everything]


def test_taken_name_leaves_no_key(shells: Any) -> None:
    shells("first.json").run("claim", "Taken")
    second = shells("second.json")
    second.run("claim", "Taken", status=2)
    assert EN("name-taken") in second.errors
    assert not second.file.exists()


@pytest.mark.parametrize(
    "language", [pytest.param(one, marks=pytest.mark.slow) if one != "ru" else one for one in LANGUAGES]
)
def test_words_move_the_player_to_another_terminal(shells: Any, language: str) -> None:
    name = f"Mover {'abcd'[list(LANGUAGES).index(language)]}"
    old, new = shells("old.json", language), shells("new.json", language)
    old.run("claim", name)
    words = words_of(old.key.entropy, language)
    shown = old.run("words")
    assert all(f"{place:4}  {word}\n" in shown for place, word in enumerate(words, 1))
    assert old.key.entropy is not None
    (asked,) = re.findall(r"\d+", shown.splitlines()[-2])  # the words were not typed, so they stay
    assert 1 <= int(asked) <= 12
    new.run("restore", typed=" ".join(words) + "\n")
    assert new.key.players == {
        server: known for server, known in new.key.players.items() if known.name == name
    }
    assert (new.key.entropy, new.key.seed == old.key.seed) == (None, False)
    assert SAY[language]("identity-no-words") in new.run("words", status=2) + new.errors


def test_words_are_deleted_after_the_check(shells: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = shells("check.json")
    shell.run("claim", "Checker")
    words = words_of(shell.key.entropy, "en")
    monkeypatch.setattr(random.SystemRandom, "sample", lambda *_: [8, 2])
    assert EN("web-identity-different", number=3) in shell.run("words", typed="wrong\n\n")
    assert shell.key.entropy is not None
    shown = shell.run("words", typed=f"{words[2].upper()}\n{words[8]}\n")
    assert EN("identity-words-done") in shown
    assert shell.key.entropy is None
    assert '"words_unchecked": false' in shell.run("--json")
    # A name at a further server needs the words again.
    assert shell.run("claim", "Checker", typed="one two\n" + " ".join(words) + "\n").count("12 words") == 3


@pytest.mark.parametrize("is_approved", [True, False])
def test_six_digits_add_a_terminal(
    shells: Any, server: ThreadServer, monkeypatch: pytest.MonkeyPatch, *, is_approved: bool
) -> None:
    old, new = shells("phone.json"), shells("laptop.json")
    name = f"Digits {'ab'[is_approved]}"
    old.run("claim", name)
    ask = KeyHolder.ask_to_be_added

    def ask_and_answer(asking: KeyHolder) -> tuple[OwnKey, str, str]:
        asked = ask(asking)
        code, action = asked[1], "add-device" if is_approved else "refuse-device"
        with Client(server.origin) as client:
            holder = KeyHolder(client, KeyFile(old.file))
            assert holder.enter() is not None
            key = client.ask(f"/api/identities/me/requests/{code}")["key"]
            body = {"key": key, "is_approved": is_approved, **holder._signed(old.key, action, code, key)}
            client.ask(f"/api/identities/me/requests/{code}/answer", body)
        return asked

    monkeypatch.setattr(KeyHolder, "ask_to_be_added", ask_and_answer)
    shown = new.run("add", status=0 if is_approved else 1)
    assert (EN("web-identity-refused") in shown) is not is_approved
    assert new.file.exists() is is_approved
    if is_approved:
        assert new.key.players[server.origin].name == name


def test_session_is_renewed_with_the_key(shells: Any, server: ThreadServer) -> None:
    shell = shells("session.json")
    shell.run("claim", "Renewed")
    file = KeyFile(shell.file)
    before = shell.key.players[server.origin].session
    with Client(server.origin) as client:
        assert KeyHolder(client, file).enter() == shell.key.players[server.origin]
        client.ask("/api/identities/sign-out", {})
    with Client(server.origin) as client:
        player = KeyHolder(client, file).enter()
    assert player is not None
    assert player == shell.key.players[server.origin]
    assert player.session != before
    with Client("http://127.0.0.1:9") as client:
        assert KeyHolder(client, file).enter() is None


def test_sign_out_and_forget(shells: Any) -> None:
    shell, other = shells("leaving.json"), shells("other.json")
    shell.run("claim", "Leaver")
    words = " ".join(words_of(shell.key.entropy, "ru"))
    shell.run("sign-out", typed="n\n")
    assert shell.file.exists()
    shell.run("sign-out", typed="y\n")
    assert not shell.file.exists()
    shell.run("sign-out", status=2)
    assert EN("identity-no-player", server=shell.server.origin) in shell.errors
    other.run("restore", typed=words + "\n")
    other.run("forget", "Somebody", status=2)
    assert other.file.exists()
    assert EN("identity-forgotten", name="Leaver", server=shell.server.origin) in other.run(
        "forget", "Leaver"
    )
    assert not other.file.exists()
    other.run("restore", typed=words + "\n", status=2)
    assert EN("identity-words-unknown") in other.errors


def test_player_becomes_a_bot(shells: Any) -> None:
    shell = shells("becoming.json")
    shell.run("claim", "Turner")
    shell.run("bot", status=2)
    shell.run("bot", "Another", status=2)
    assert EN("identity-other-name") in shell.errors
    assert EN("identity-is-bot", name="Turner", server=shell.server.origin) in shell.run("bot", "Turner")
    assert json.loads(shell.run("--json"))["players"][0]["is_bot"] is True


def test_identity_command_names_missing_parts(shells: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = shells("none.json")
    shell.run("claim", status=2)
    shell.run("words", "Ada", status=2)
    shell.run("words", status=2)
    assert shell.errors == EN("identity-none") + "\n"
    shell.run("restore", status=1)  # the input ends
    shell.file.write_text('{"device": "short"}')
    with pytest.raises(DamagedFile):
        KeyFile(shell.file).read()
    shell.run(status=1)
    assert EN("file-damaged-key", name=str(shell.file)) in shell.errors
    monkeypatch.setattr(identities, "keys_are_available", lambda: False)
    shell.run(status=2)
    assert "meet" in shell.errors


def test_lost_registration_keeps_the_key(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "key.json")

    class Lossy(Client):
        def ask(self, path: str, body: Any = None, token: str = "") -> Any:
            if body is None:
                return {"nonce": "n"}
            raise ServerFailed(self.origin, "unreachable")

    for _ in range(2):
        with pytest.raises(ServerFailed):
            KeyHolder(Lossy("http://127.0.0.1:9"), file).register("Ada", WORDS_EN)
        known = file.read()
        assert known is not None
        assert (known.entropy, known.players) == (WORDS_EN, {})


def test_terminals_play_a_rated_game(server: ThreadServer, tmp_path: Path) -> None:
    lobbies = []
    for name, entropy in (("Rater", WORDS_EN), ("Rated", WORDS_OTHER)):
        file, client = KeyFile(tmp_path / f"{name}.json"), Client(server.origin)
        session = KeyHolder(client, file, "Test").register(name, entropy).session

        def clients(session: str = session) -> Client:
            return Client(server.origin, session=session)

        lobbies.append((RemoteLobby(clients, name, lambda: None, is_signed_in=True), clients, name))
        client.drop()
    (first, *_), (second, *_) = lobbies
    guest = RemoteLobby(lambda: Client(server.origin), "Guest", lambda: None)
    clock = Clock(base=300_000, increment=3_000)
    first.offer("gomoku", clock, is_rated=True)

    def challenge() -> Any:
        second.receive()
        return next((one for one in second.offers.values() if one.is_challenge), None)

    first.offer("gomoku", clock, "Rated", is_rated=True)
    wait_until(challenge)
    second.decline(challenge())
    wait_until(lambda: first.receive() is not None and first.challenge and first.challenge[1] == "declined")
    wait_until(lambda: second.receive() is not None and challenge() is None)
    wait_until(lambda: guest.receive() is not None and guest.is_listed)
    assert not guest.offers
    (offer,) = second.offers.values()
    assert (offer.is_rated, offer.name, offer.rating) == (True, "Rater", None)
    room = second.take(offer)
    names = []
    for lobby, clients, name in lobbies:
        seats = SavedSeats(tmp_path / name)
        seats.save(SavedSeat(server.origin, room, name, lobby.key))
        with clients() as client:
            entered = enter(client, RoomAddress(server.origin, room=room), name, seats, watches=False)
        names = [player.name for player in entered.state.players]
        assert entered.state.you is not None
        lobby.close()
    guest.close()
    assert sorted(map(str, names)) == ["Rated", "Rater"]
    state = server.ask(f"/api/rooms/{room}")
    assert state["rated"] is True
