"""The lobby of a server: the open offers, an own offer, and the room that it leads to."""

import secrets
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlencode

from noughts.arena.clock import Clock
from noughts.arena.remote.client import Client, ServerEvent
from noughts.arena.remote.remote_state import MAX_PLAYERS, shown_name
from noughts.errors import AskedGuest, BadInput, NoughtsError, ServerFailed

MAX_LISTED = 150
"""The largest number of offers that are read."""

Limits = tuple[int | None, int | None]
"""The lowest and the highest rating of the opponent, of which each may be missing."""

WAIT_SECONDS = 2.0
"""The seconds before a lost stream is opened again. The server keeps offers for ten."""


@dataclass(frozen=True, slots=True)
class RemoteOffer:
    """An open offer of the player ``name``. ``title`` is that of the first game, the one that is taken.

    ``rating`` is the rating of the player in that game, or None. ``limits`` are those of the rating of the
    opponent. ``is_challenge`` is true if the offer is for this visitor alone. If ``is_bot``, the offer cannot
    be taken, but the bot can be challenged.
    """

    number: int
    name: str
    title: str
    games: tuple[str, ...]
    clocks: tuple[Clock, ...]
    is_rated: bool = False
    rating: int | None = None
    is_provisional: bool = False
    limits: Limits = (None, None)
    is_challenge: bool = False
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game in *room* to which an offer by days of the visitor has led: its title and the other players."""

    room: str
    title: str
    others: tuple[str, ...]
    is_turn: bool


@dataclass(frozen=True, slots=True)
class LastingOffer:
    """An open offer by days of the visitor. ``to`` is the only possible taker, or None."""

    number: int
    title: str
    expires: int
    to: str | None


@dataclass(frozen=True, slots=True)
class RemoteGame:
    """A public game that is being played in *room*: its title and the names of the players."""

    room: str
    title: str
    names: tuple[str, ...]
    is_rated: bool


class RemoteLobby:
    """The lobby for a visitor called *name*, with a secret key of its own.

    Offers by days are made under *days_key*, which the caller keeps, so they stay open after the visit.
    *clients* makes clients of the server. If *is_signed_in*, they have the session of a player, who also sees
    rated offers. *on_news* is called by a thread after each change. ``offers`` are numbered from 1 in the
    order in which they came. ``room`` is the room that an offer has led to.
    """

    def __init__(
        self,
        clients: Callable[[], Client],
        name: str,
        on_news: Callable[[], object],
        *,
        is_signed_in: bool = False,
        days_key: str = "",
    ) -> None:
        self.name, self.is_signed_in, self.key = name, is_signed_in, secrets.token_urlsafe(24)
        self.days_key = days_key or self.key
        self.games: list[OwnGame] = []
        """The games of :meth:`read_own`."""
        self.lasting: list[LastingOffer] = []
        """The open offers of :meth:`read_own`."""
        self.offers: dict[int, RemoteOffer] = {}
        self.challenge: tuple[int, str] | None = None
        """The number and the state of the last challenge of the visitor to another player."""
        self.room: str | None = None
        self.failure: NoughtsError | None = None
        """The error of the lost connection, or None."""
        self.is_listed = False
        """True if the list of offers has arrived."""
        self.ended: NoughtsError | None = None
        self._on_news, self._reader, self._sender = on_news, clients(), clients()
        self._heard: SimpleQueue[ServerEvent | NoughtsError | None] = SimpleQueue()
        self._places: dict[int, int] = {}
        self._asked: frozenset[int] = frozenset()
        self._made: dict[int, str] = {}  # Own offers and challenges that may be open, with their keys.
        self._has_lost_offer = False
        self._taken_room: str | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._read_on, name="noughts-lobby", daemon=True)
        self._thread.start()

    @property
    def origin(self) -> str:
        """The address of the server."""
        return self._reader.origin

    def close(self) -> None:
        """Leave the lobby. An own offer ends with it."""
        self._closed.set()
        self._reader.close()
        self._sender.drop()
        self._thread.join(1.0)

    def is_own(self, offer: RemoteOffer) -> bool:
        """Return True if the visitor made *offer*."""
        return offer.number in self._made

    # Requests

    def offer(
        self,
        game: str,
        clock: Clock,
        to: str = "",
        *,
        is_rated: bool = False,
        limits: Limits = (None, None),
    ) -> int | None:
        """Offer *game* to all, or to the player called *to*, instead of an earlier offer of that kind.

        *limits* are those of the opponent's rating.

        An offer by days lasts, unless *to* has no key. Return the instant of its end, or None if it needs
        this visit. Raises the errors of the client.
        """
        facts: dict[str, Any] = {"games": [game], "clocks": [_facts(clock)], "name": self.name}
        facts |= {"rated": is_rated, "lowest": limits[0], "highest": limits[1]}
        path, facts = ("/api/challenges", {**facts, "to": to}) if to else ("/api/offers", facts)
        if clock.is_by_days:
            with suppress(AskedGuest):
                answer = self._sender.ask(path, {**facts, "lasts": True}, self.days_key)
                self._note_made(answer, self.days_key)
                expires = answer.get("expires") if isinstance(answer, dict) else None
                return expires if type(expires) is int else 0
        self._note_made(self._sender.ask(path, facts, self.key), self.key)
        return None

    def _note_made(self, answer: Any, key: str) -> None:
        if isinstance(answer, dict) and type(answer.get("number")) is int:
            self._made[answer["number"]] = key

    def withdraw(self) -> None:
        """Withdraw the own offer and the own challenge. Raises the errors of the client.

        The numbers come from the answers too, since the stream may show an offer later than the answer. The
        server ignores the withdrawal of an ended offer.
        """
        for number, key in sorted(self._made.items()):
            self._sender.ask(f"/api/offers/{number}/withdraw", {}, key)
            del self._made[number]

    def decline(self, offer: RemoteOffer) -> None:
        """Decline the challenge *offer*. Raises the errors of the client."""
        self._sender.ask(f"/api/challenges/{offer.number}/decline", {"name": self.name}, self.key)

    def take(self, offer: RemoteOffer) -> str:
        """Take *offer* and return its room. Raises the errors of the client."""
        facts = {"name": self.name, "game": offer.games[0], "clock": _facts(offer.clocks[0])}
        answer = self._sender.ask(f"/api/offers/{offer.number}/join", facts, self.key)
        return _room(answer.get("room") if isinstance(answer, dict) else None, self._sender.origin)

    def read_own(self) -> None:
        """Read the open offers by days of the visitor, and the games to which they have led.

        Raises the errors of the client.
        """
        session, self._sender.session = self._sender.session, ""  # The key shows the seats of this user.
        try:
            answer = self._sender.ask("/api/rooms", None, self.days_key)
        finally:
            self._sender.session = session
        origin = self._sender.origin
        try:
            self.games = [
                OwnGame(
                    _room(game["room"], origin),
                    shown_name(game["title"]),
                    tuple(shown_name(name) for name in game["others"][:MAX_PLAYERS]),
                    game["is_your_turn"] is True,
                )
                for game in answer["rooms"][:MAX_LISTED]
                if game["phase"] != "over"
            ]
            self.lasting = [
                LastingOffer(
                    _number(offer["number"]),
                    shown_name(offer["games"][0]["title"]),
                    _number(offer["expires"]),
                    None if offer["to"] is None else shown_name(offer["to"]),
                )
                for offer in answer["offers"][:MAX_LISTED]
            ]
        except (TypeError, KeyError, ValueError, IndexError, AttributeError) as error:
            raise ServerFailed(origin, "not-ours") from error
        self._made.update({offer.number: self.days_key for offer in self.lasting})

    def key_of(self, room: str) -> str:
        """Return the key with which the visitor takes the seat in *room*."""
        return self.days_key if any(game.room == room for game in self.games) else self.key

    def public_games(self) -> list[RemoteGame]:
        """Return the public games on the wall of the server. Raises the errors of the client."""
        answer, origin = self._sender.ask("/api/tv"), self._sender.origin
        try:
            return [
                RemoteGame(
                    _room(game["room"], origin),
                    shown_name(game["game"]["title"]),
                    tuple(shown_name(player["name"]) for player in game["players"][:MAX_PLAYERS]),
                    game["rated"] is True,
                )
                for game in answer["games"][:MAX_LISTED]
            ]
        except (TypeError, KeyError, AttributeError) as error:
            raise ServerFailed(origin, "not-ours") from error

    # News

    def receive(self) -> list[int]:
        """Take in all news, and return the places of the new offers. :attr:`offers` has no gone ones."""
        before = set(self.offers)
        while not self._heard.empty():
            heard = self._heard.get()
            if isinstance(heard, NoughtsError):
                self.failure = heard
                if not (isinstance(heard, ServerFailed) and heard.may_pass):
                    self.ended = heard
            elif heard is not None:
                self.failure = None
                try:
                    self._take(heard)
                except (TypeError, KeyError, ValueError, IndexError, AttributeError, BadInput, ServerFailed):
                    self.ended = ServerFailed(self._reader.origin, "not-ours")
        if self._has_lost_offer:
            self._find_taken()
        self.room = self.room or self._taken_room
        return sorted(set(self.offers) - before)

    def _find_taken(self) -> None:
        """Find the room to which an own offer by days has led during this visit, if it was taken."""
        known = {game.room for game in self.games}
        with suppress(ServerFailed):  # The game is in the list later.
            self.read_own()
            self._taken_room = next((game.room for game in self.games if game.room not in known), None)
        self._has_lost_offer = False

    def _take(self, event: ServerEvent) -> None:
        data = event.data
        if event.name == "lobby":
            self.offers, self.is_listed = {}, True
            self._add(data["offers"])
        elif event.name == "changes":
            for gone in data["gone"]:
                self.offers.pop(self._places.get(gone["number"], 0), None)
                if self._made.pop(gone["number"], "") == self.days_key != self.key:
                    self._has_lost_offer = True
            self._add(data["new"])
        elif event.name == "own":
            self.room = None if data["room"] is None else _room(data["room"], self._reader.origin)
            mine = data["challenge"]
            self.challenge = None if mine is None else (_number(mine["number"]), str(mine["state"])[:20])
            for made in (data["offer"], mine):
                if made is not None:
                    self._made[_number(made["number"])] = self.key
            asked = frozenset(_number(value["number"]) for value in data["asked"])
            for ended in self._asked - asked:
                self.offers.pop(self._places.get(ended, 0), None)
            self._asked = asked
            self._add(data["asked"], are_challenges=True)

    def _add(self, offers: Iterable[Any], *, are_challenges: bool = False) -> None:
        for value in list(offers)[:MAX_LISTED]:
            games = tuple(str(game["name"])[:400] for game in value["games"][:10])
            rating = value["ratings"].get(games[0])
            offer = RemoteOffer(
                _number(value["number"]),
                shown_name(value["name"]),
                shown_name(value["games"][0]["title"]),
                games,
                tuple(_clock(clock) for clock in value["clocks"][:10]),
                value["rated"] is True,
                rating if type(rating) is int else None,
                games[0] in value.get("provisional", ()),  # Servers of earlier versions do not know it,
                (_rating(value.get("lowest")), _rating(value.get("highest"))),
                are_challenges,
                value.get("is_bot") is True,  # and have no bots.
            )
            is_open = self.is_signed_in or offer.is_bot or not offer.is_rated  # Guests play no rated games.
            if offer.clocks and is_open:
                place = self._places.setdefault(offer.number, len(self._places) + 1)
                self.offers[place] = offer

    def _read_on(self) -> None:
        path = f"/api/offers/events?{urlencode({'name': self.name})}"
        with self._reader as reader:
            while not self._closed.is_set():
                try:
                    for event in reader.events(path, self.key):
                        self._hear(event)
                except NoughtsError as error:
                    self._hear(error)
                    if not (isinstance(error, ServerFailed) and error.may_pass):
                        return
                self._closed.wait(WAIT_SECONDS)

    def _hear(self, heard: ServerEvent | NoughtsError) -> None:
        self._heard.put(heard)
        self._on_news()


def _number(value: object) -> int:
    if type(value) is not int or not 0 < value <= 2**53:
        raise ValueError("no number")
    return value


def _rating(value: object) -> int | None:
    if value is not None and (type(value) is not int or abs(value) > 2**53):
        raise ValueError("no rating")
    return value


def _room(value: object, origin: str) -> str:
    if not isinstance(value, str) or not value.replace("-", "").replace("_", "").isalnum() or len(value) > 64:
        raise ServerFailed(origin, "not-ours")
    return value


def _clock(value: Any) -> Clock:
    times = [value["per_move"], value["base"], value["increment"]]
    if any(time is not None and type(time) is not int for time in times):
        raise ValueError("no clock")
    return Clock(*times)


def _facts(clock: Clock) -> dict[str, int]:
    """Return the JSON of *clock*."""
    if clock.per_move is not None:
        return {"per_move": clock.per_move}
    return {"base": clock.base or 0, "increment": clock.increment}
