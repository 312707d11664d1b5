"""Entering a room of a server, and the saved seats: a seat stays the player's until the room ends."""

import hashlib
import json
import os
import secrets
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from noughts.arena.remote.address import RoomAddress
from noughts.arena.remote.client import Client
from noughts.arena.remote.remote_state import RemoteState
from noughts.errors import FileRefused, NotFound, SeatTaken, ServerFailed, system_reason
from noughts.records.files import open_to_read, write_atomically
from noughts.records.folders import data_folder

MAX_SEATS = 100
"""The maximum number of saved seats. The oldest are dropped."""

MAX_BYTES = 10_000
"""The largest file of a seat, in bytes."""

DAYS_FILE = "days.json"
"""The file of the secret keys for offers by days, among the data of the user."""

SEATS_FOLDER = "seats"
"""The folder of the saved seats, among the data of the user."""

FORBIDDEN = 403
"""The status of a token that proves no seat any more."""


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """A seat that was requested for ``name`` at ``origin`` under the secret ``key``.

    ``place`` is the text by which the room was entered: its name or its code. ``room`` and ``token`` are
    empty until the server has answered.
    """

    origin: str
    place: str
    name: str
    key: str
    room: str = ""
    token: str = ""

    def opens(self, address: RoomAddress) -> bool:
        """Return True if this is a seat in the room at *address*."""
        return self.origin == address.origin and (address.room or address.code) in (self.place, self.room)


@dataclass(frozen=True, slots=True)
class EnteredRoom:
    """A room that was entered: its first state, and the token of the seat, empty for a spectator."""

    state: RemoteState
    token: str = ""


class SavedSeats:
    """The seats in *folder*, which only its owner can read: one file each. Damaged files are skipped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, address: RoomAddress) -> SavedSeat | None:
        """Return the newest seat in the room at *address*."""
        for file in self._files():
            seat = _read(file)
            if seat is not None and seat.opens(address):
                return seat
        return None

    def save(self, seat: SavedSeat) -> None:
        """Save *seat* instead of an earlier one under its key.

        Raises :class:`~noughts.errors.FileRefused`.
        """
        file = self._file(seat)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(file, json.dumps(asdict(seat)) + "\n")
            file.chmod(0o600)
        except OSError as error:
            raise FileRefused(os.fspath(file), system_reason(error)) from error
        for old in self._files()[MAX_SEATS:]:
            old.unlink(missing_ok=True)

    def drop(self, seat: SavedSeat) -> None:
        """Forget *seat*."""
        with suppress(OSError):
            self._file(seat).unlink()

    def _file(self, seat: SavedSeat) -> Path:
        return self._folder / f"{hashlib.sha256(seat.key.encode()).hexdigest()[:20]}.json"

    def _files(self) -> list[Path]:
        """Return all files, the newest first."""
        with suppress(OSError):
            return sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        return []


class DaysKeys:
    """The secret keys under which this user offers games by days, one for each server, in *file*.

    Only its owner can read the file. A damaged one is replaced, since it opens nothing any more.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def key_of(self, origin: str) -> str:
        """Return the key for the server at *origin*, which is made if there is none.

        Raises :class:`~noughts.errors.FileRefused`.
        """
        keys = self._read()
        if origin not in keys:
            keys[origin] = secrets.token_urlsafe(24)
            try:
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_atomically(self._file, json.dumps(keys) + "\n")
                self._file.chmod(0o600)
            except OSError as error:
                raise FileRefused(os.fspath(self._file), system_reason(error)) from error
        return keys[origin]

    def _read(self) -> dict[str, str]:
        with suppress(OSError, ValueError, RecursionError), open_to_read(self._file) as stream:
            keys = json.loads(stream.read(MAX_BYTES))
            if isinstance(keys, dict) and all(isinstance(key, str) for key in keys.values()):
                return keys
        return {}


def days_keys() -> DaysKeys:
    """Return the keys of the user of this computer."""
    return DaysKeys(data_folder(os.environ, sys.platform) / DAYS_FILE)


def saved_seats() -> SavedSeats:
    """Return the seats of the user of this computer."""
    return SavedSeats(data_folder(os.environ, sys.platform) / SEATS_FOLDER)


def _read(file: Path) -> SavedSeat | None:
    with suppress(OSError, ValueError, RecursionError, TypeError), open_to_read(file) as stream:
        seat = SavedSeat(**json.loads(stream.read(MAX_BYTES)))
        if all(isinstance(value, str) for value in asdict(seat).values()):
            return seat
    return None


def enter(
    client: Client, address: RoomAddress, name: str, seats: SavedSeats, *, watches: bool
) -> EnteredRoom:
    """Enter the room at *address* as *name*, or look at it if *watches* is true or no seat is free.

    A saved seat and the seat of a link are taken again. Raises the errors of the client and of *seats*.
    """
    if watches and not address.token:
        return EnteredRoom(look(client, address))
    saved = seats.find(address)
    token = address.token or (saved.token if saved is not None else "")
    room = address.room or (saved.room if saved is not None else "")
    if token:
        try:
            entry = EnteredRoom(state_of(client, client.ask(f"/api/rooms/{room}", token=token)), token)
        except ServerFailed as error:
            if error.status != FORBIDDEN or address.token:
                raise
        else:
            if saved is None:
                seats.save(SavedSeat(address.origin, room, name, secrets.token_urlsafe(16), room, token))
            return entry
    if saved is None or token:  # A request whose answer was lost is repeated under its key.
        saved = SavedSeat(address.origin, address.room or address.code, name, secrets.token_urlsafe(16))
    seats.save(saved)
    return _join(client, address, saved, seats)


def _join(client: Client, address: RoomAddress, seat: SavedSeat, seats: SavedSeats) -> EnteredRoom:
    place = {"room": address.room} if address.room else {"code": address.code}
    try:
        answer = client.ask("/api/join", {**place, "name": seat.name, "key": seat.key})
    except SeatTaken:
        seats.drop(seat)
        return EnteredRoom(look(client, address))
    except NotFound as error:
        seats.drop(seat)
        raise NotFound(error.what, address.code) from None
    except ServerFailed as error:
        if not error.may_pass:
            seats.drop(seat)
        raise
    state = state_of(client, answer.get("state") if isinstance(answer, dict) else None)
    token = answer["token"]
    if not isinstance(token, str) or not token.isascii() or not token.isprintable() or len(token) > 200:
        raise ServerFailed(client.origin, "not-ours")
    seats.save(replace(seat, room=state.room, token=token))
    return EnteredRoom(state, token)


def look(client: Client, address: RoomAddress) -> RemoteState:
    """Return the state of the room at *address*, without a seat."""
    path = f"/api/rooms/{address.room}" if address.room else f"/api/join/{address.code}"
    return state_of(client, client.ask(path))


def state_of(client: Client, value: object) -> RemoteState:
    """Return the state in the JSON *value*, which *client* got from its server."""
    try:
        return RemoteState.of(value)
    except ValueError:
        raise ServerFailed(client.origin, "not-ours") from None
