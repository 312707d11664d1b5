"""Shared parts of the tests of rooms: a controlled clock, repeatable chance, and short moves."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from noughts.arena.clock import Clock
from noughts.arena.commands import Command, WrittenMove
from noughts.arena.rooms.models import CommandReply, RoomEntry, RoomView
from noughts.arena.rooms.notices import Notices
from noughts.arena.rooms.room import hash_token
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.sqlite_file import BUSY_SECONDS
from noughts.arena.table import Terms

PEOPLE = ("human", "human")
BEGIN_SECONDS = 10.0


@dataclass
class Time:
    """The time of the rooms, which a test sets."""

    at: int = 1_000_000

    def __call__(self) -> int:
        return self.at

    def pass_by(self, milliseconds: int) -> None:
        self.at += milliseconds


@dataclass
class Table:
    """Rooms over one database, and the changes that they published."""

    database: Database
    time: Time = field(default_factory=Time)
    seed: int = 0
    heard: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.database, now=self.time, chance=Random(self.seed).randbytes)
        if isinstance(notices := self.rooms._notices, Notices):
            notices.has_begun.wait(BEGIN_SECONDS)  # before that, changes may be published twice
        self.rooms.listen(lambda room, version: self.heard.append((room, version)))
        self._keys = count()

    def setup(self, game: str = "tictactoe", **more: Any) -> Terms:
        return Terms(game, more.pop("who", PEOPLE), **more)

    def pair(self, setup: Terms | None = None) -> tuple[RoomEntry, RoomEntry]:
        """Open a room with Ada and Wei."""
        first = self.rooms.open(setup or self.setup(), "Ada", 0)
        return first, self.rooms.join("Wei", code=first.code)

    def open_full(self, terms: Terms, names: Sequence[str | None]) -> tuple[RoomEntry, ...]:
        """Open a room in which all seats are taken, and return the entry of each person."""
        tokens = [f"token {place}" for place in range(len(names))]
        hashes = [hash_token(token) for token in tokens]
        room = self.rooms.transact("", lambda batch: self.rooms.open_within(batch, terms, names, hashes))
        people = [place for place, name in enumerate(names) if name is not None]
        return tuple(RoomEntry(room, place, tokens[place], None) for place in people)

    def do(self, room: str, place: int, command: Command, **more: Any) -> CommandReply:
        """Execute a command at the present version, under a new key."""
        asking = {
            "version": self.rooms.look(room).version,
            "key": f"key {self.seed} {next(self._keys)}",
            **more,
        }
        return self.rooms.submit(room, place, command, **asking).result()

    def play(self, room: str, *moves: str) -> RoomView:
        """Play moves from the places to move."""
        for text in moves:
            view = self.rooms.look(room)
            assert view.turn is not None
            self.do(room, view.turn, WrittenMove(text))
        return self.rooms.look(room)


@contextmanager
def table(url: str = "sqlite://", busy_seconds: float = BUSY_SECONDS, **more: Any) -> Iterator[Table]:
    """Rooms over the database at *url*, closed at the end."""
    database = open_database(url, busy_seconds)
    made = Table(database, **more)
    try:
        yield made
    finally:
        made.rooms.close()
        database.close()


TIMED = Clock(base=60_000, increment=1_000)
