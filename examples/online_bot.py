"""A bot that plays on a server under its own name, with any program for the protocol ``noughts 1``.

    noughts identity claim Robo --bot --key bot.json --server https://noughts.example
    python online_bot.py https://noughts.example --key bot.json --games gomoku,connect4 --player level:4

Each game has a process of its own: ``python -m noughts.bots PLAYER``, which is :func:`noughts.bots.run` with
a computer of noughts, or the command after ``--``. docs/bots.md describes the protocol, docs/write-a-bot.md
the server. After a lost connection or a restart of the server, the bot connects again and plays all its
games on. Needs the extra ``meet``.
"""

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from noughts.arena.remote.client import Client, ServerEvent, StaleAnswer
from noughts.arena.remote.own_key import KeyFile, KeyHolder
from noughts.errors import NoughtsError, ServerFailed

State = dict[str, Any]

CLOCKS = [{"base": base * 1000, "increment": more * 1000} for base, more in ((180, 2), (300, 3), (600, 0))]
"""The clocks of the quick games in the lobby."""

SECONDS = 3.0
"""The longest time for one move, in seconds."""

TIME_PART = 20
"""The part of the remaining time that a move may take."""

AGAIN_SECONDS = 1.0
"""The seconds between two attempts to reach the server."""


UNKNOWN_SESSION = 401
"""The status of a session that has ended. The key makes a new one."""


class Engine:
    """A program that speaks ``noughts 1``, at one game."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)  # noqa: S603 - the user's
        self._number = 0
        self._ask("noughts 1", "ready")

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.kill()
        self._process.wait()

    def decide(self, state: State, seconds: float) -> dict[str, Any]:
        """Return the command for the room in *state*, in which it is the turn of the bot."""
        self._ask(f"game {state['game']['name']}", "ok")
        moves = [made["move"] for made in state["moves"]]
        self._ask(
            " ".join(["position", state["start"] or "start", *(["moves"] if moves else []), *moves]), "ok"
        )
        self._number += 1
        turn, opening = f"turn={max(1, round(1000 * seconds))}", state["opening"]
        if opening is None or opening["place"] is None:
            (move,) = self._ask(f"go {self._number} {turn}", "move")[1:]
            return {"type": "move", "move": move}
        choice, *marks = self._ask(f"ask {self._number} {opening['protocol']} {turn}", "choose")[1:]
        if choice == "swap":
            return {"type": "swap"}
        if choice == "put" and "put" in opening["answers"]:
            return {"type": "put", "moves": marks}
        return {"type": "move", "move": marks[0]}

    def _ask(self, line: str, wanted: str) -> list[str]:
        """Send *line* and return the words after *wanted* in the answer."""
        source, target = self._process.stdout, self._process.stdin
        if source is None or target is None:
            raise AssertionError("both are pipes")
        target.write(line + "\n")
        target.flush()
        for answer in source:
            word, *words = answer.split()
            if word == wanted:
                return words
            if word == "error":
                break
        raise RuntimeError(f"the program does not play on after: {line}")


class Game:
    """A game in a room. A thread decides, so that several games go on at once."""

    def __init__(self, room: str, clients: Callable[[], Client], command: Sequence[str]) -> None:
        self._room, self._clients, self._command = room, clients, command
        self._states: SimpleQueue[State | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._play, name=f"game {room}")
        self._thread.start()

    def take(self, state: State | None) -> None:
        """Note the newest state, or None to stop."""
        self._states.put(state)

    def join(self) -> None:
        """Wait for the end."""
        self._thread.join()

    def _play(self) -> None:
        version = -1
        with self._clients() as client, Engine(self._command) as engine:
            while (state := self._newest()) is not None:
                if (
                    state["version"] <= version
                ):  # The stream begins with known states after a lost connection.
                    continue
                version = state["version"]
                command = self._decide(engine, state)
                if command is not None and not self._send(client, state, command):
                    version = -1  # The next stream begins with this state, perhaps.

    def _newest(self) -> State | None:
        """Wait for a state and return the newest one."""
        state = self._states.get()
        while state is not None and not self._states.empty():
            state = self._states.get()
        return state

    def _decide(self, engine: Engine, state: State) -> dict[str, Any] | None:
        """Return the command for *state*, or None if the bot has to wait."""
        if state["result"] is not None:
            return None if state["phase"] == "closed" else {"type": "leave"}
        mine = state["players"][state["you"]]["side"]
        if state["offer"] is not None and state["offer"]["side"] != mine:
            return {"type": "decline"}
        if not state["legal"]:
            return None
        left = None if state["clock"] is None else state["clock"]["left"].get(mine)
        try:
            return engine.decide(state, SECONDS if left is None else min(SECONDS, left / 1000 / TIME_PART))
        except (OSError, RuntimeError, ValueError) as error:
            print(f"{self._room}: {error}", file=sys.stderr)
            return {"type": "resign"}

    def _send(self, client: Client, state: State, command: dict[str, Any]) -> bool:
        """Send *command* for *state* until the server has answered. Return False if other news came first.

        A repeated request has the same key, so the command is carried out once.
        """
        body = {"version": state["version"], "key": f"v{state['version']}", "command": command}
        while self._states.empty():
            wait = AGAIN_SECONDS
            try:
                client.ask(f"/api/rooms/{self._room}/commands", body, client.session)
            except StaleAnswer:
                return True  # A newer state is on its way.
            except ServerFailed as error:
                wait = max(wait, error.seconds)
                if not error.may_pass:
                    print(f"{self._room}: {error}", file=sys.stderr)
                    return True
            else:
                return True
            time.sleep(wait)
        return False


class Bot:
    """A bot at *server* with the key in *file*. *offer* are its games and terms, *command* is its program."""

    def __init__(
        self, server: str, file: Path, offer: dict[str, Any], command: Sequence[str], most: int = 4
    ) -> None:
        self._server, self._file, self._offer, self._command, self._most = server, file, offer, command, most
        self._session = ""
        self._games: dict[str, Game] = {}
        self._reader: Client | None = None
        self._stop = threading.Event()

    def run(self) -> None:
        """Play until :meth:`stop`."""
        while not self._stop.is_set():
            try:
                self._play()
            except ServerFailed as error:
                if not error.may_pass and error.status != UNKNOWN_SESSION:
                    raise
            self._stop.wait(AGAIN_SECONDS)
        for game in self._games.values():
            game.take(None)
        for game in self._games.values():
            game.join()

    def stop(self) -> None:
        """End the bot. Its games stay, and wait for it on the server."""
        self._stop.set()
        self.disconnect()

    def disconnect(self) -> None:
        """Cut the connection. Any thread may call this."""
        if self._reader is not None:
            self._reader.close()

    def _client(self) -> Client:
        return Client(self._server, session=self._session)

    def _play(self) -> None:
        """Sign in, declare the games, and follow the stream until it ends."""
        with self._client() as client:
            if (player := KeyHolder(client, KeyFile(self._file)).enter()) is None:
                raise SystemExit(f"{self._file} has no player at {self._server}")
            self._session = client.session
            self._reader = self._client()
            client.ask("/api/offers", {"name": player.name, **self._offer}, self._session)
            playing = "&".join(f"room={room}" for room in self._games)  # They may have been closed meanwhile.
            for event in self._reader.events(f"/api/bots/events?{playing}", self._session):
                self._take(client, event)

    def _take(self, client: Client, event: ServerEvent) -> None:
        if event.name == "own":
            for challenge in event.data["asked"]:
                self._answer(client, challenge)
        elif event.name == "state":
            room = event.data["room"]
            if event.data["phase"] != "closed":
                self._game(room).take(event.data)
            else:
                self._forget(room)
        elif event.name == "gone":
            self._forget(event.data["room"])

    def _game(self, room: str) -> Game:
        if room not in self._games:
            self._games[room] = Game(room, self._client, self._command)
        return self._games[room]

    def _forget(self, room: str) -> None:
        """End the game in *room*, which is closed."""
        if room in self._games:
            self._games.pop(room).take(None)

    def _answer(self, client: Client, challenge: dict[str, Any]) -> None:
        """Accept a challenge, or decline it if enough games are being played."""
        number, body = (
            challenge["number"],
            {"name": challenge["name"]},
        )  # The server knows the name of the bot.
        try:
            if len(self._games) >= self._most:
                client.ask(f"/api/challenges/{number}/decline", body, self._session)
            else:
                self._game(client.ask(f"/api/offers/{number}/join", body, self._session)["room"])
        except ServerFailed as error:
            if error.may_pass:
                raise
            print(error, file=sys.stderr)  # The challenge is gone, for example.


def command_of(player: str) -> list[str]:
    """Return the command that runs *player*, a computer of noughts, as a program."""
    return [sys.executable, "-m", "noughts.bots", player]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, and play until Ctrl-C."""
    parser = argparse.ArgumentParser(description="Play on a server with a key.")
    parser.add_argument("server")
    parser.add_argument("--key", type=Path, default=Path("key.json"), help="the file of the key")
    parser.add_argument("--games", default="gomoku", help="the games, with commas between them")
    parser.add_argument("--player", default="level:4", help="a computer of noughts")
    parser.add_argument("--rated", action="store_true", help="play rated games too")
    parser.add_argument("--strength", type=int, help="the rating that you expect")
    parser.add_argument("--most", type=int, default=4, help="the largest number of games at once")
    parser.add_argument("command", nargs="*", help="another program for the protocol noughts 1, after --")
    chosen = parser.parse_args(arguments)
    offer = {
        "games": chosen.games.split(","),
        "clocks": CLOCKS,
        "rated": chosen.rated,
        "strength": chosen.strength,
    }
    command = chosen.command or command_of(chosen.player)
    bot = Bot(chosen.server, chosen.key, offer, command, chosen.most)
    try:
        bot.run()
    except KeyboardInterrupt:
        bot.stop()
    except NoughtsError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
