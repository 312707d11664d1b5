"""The board of a room at a server as a widget: a seat in a notebook, or the place of a spectator."""

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from noughts.arena.commands import (
    Accept,
    Command,
    Decline,
    MakeMove,
    OfferDraw,
    Rematch,
    Resign,
    TakeBack,
)
from noughts.arena.process_time import now_ms
from noughts.arena.remote.address import DEFAULT_SERVER, parse_address
from noughts.arena.remote.client import Client
from noughts.arena.remote.connection import RoomConnection
from noughts.arena.remote.entering import enter, saved_seats
from noughts.arena.remote.own_key import sign_in
from noughts.arena.remote.remote_table import RemoteTable
from noughts.arena.rooms.models import Phase
from noughts.games.base import Game
from noughts.games.notation import parse_move
from noughts.interfaces.presenting.i18n import Translator, choose_language
from noughts.interfaces.presenting.players import person_name
from noughts.interfaces.presenting.remote_texts import name_at, room_notices, seat_address
from noughts.notebook.widget import GameWidget

ANSWER_SECONDS = 5.0
"""The longest wait for the answer of the server to a command."""

WORDS = {
    "undo": "web-take-back",
    "again": "web-rematch",
    "draw": "web-offer-draw",
    "resign": "web-resign",
    "accept": "web-accept",
    "decline": "web-decline",
}
"""The message of each button, by its action."""


class RemoteBoard(GameWidget):
    """The board of the room at *where*: a code, or the link of a room or a seat.

    It takes a free seat as *name*, or the seat that this computer holds there already. It watches if *watch*
    is true or no seat is free. *server* is the address for a code, by default that of the environment. In a
    notebook the board follows the room by itself. In a program call :meth:`update` or :meth:`wait`.

    Raises the errors of the address, the server and the name.
    """

    def __init__(
        self,
        where: str,
        name: str | None = None,
        *,
        server: str | None = None,
        watch: bool = False,
        dark: bool = False,
        lang: str | None = None,
    ) -> None:
        say = Translator(choose_language(lang, os.environ))
        address = parse_address(where, server or os.environ.get("NOUGHTS_SERVER") or DEFAULT_SERVER)
        called = person_name(name or say("default-name"))

        def clients() -> Client:
            return Client(address.origin, say.language)

        with clients() as client:
            if not watch:
                sign_in(client)
            entered = enter(client, address, called, saved_seats(), watches=watch)
        self.table = RemoteTable(entered.state, address.origin)
        self._token = entered.token
        self._news = threading.Event()
        super().__init__(say, dark=dark)
        self._notify = self._notifier()
        self.table.connection = RoomConnection(clients, entered.state.room, entered.token, self._on_news)
        self.update()

    @property
    def game(self) -> Game:
        """The game in the room. Moves are made by :meth:`play` only."""
        return self.table.present_match.game

    @property
    def link(self) -> str:
        """The link by which this seat can be taken in a browser or a terminal. It is secret."""
        return seat_address(self.table, self._token).link

    @property
    def is_own_turn(self) -> bool:
        """True if a move of this seat is awaited."""
        return self.table.is_playing and self.game.turn in self.table.own_sides

    def play(self, text: str) -> None:
        """Send the move in *text*, and wait for the answer of the server for some seconds.

        Raises :class:`~noughts.errors.NotationError`, the error with which the rules or the server refuse the
        move, and :class:`~noughts.errors.CommandRefused` if it is not this seat's turn.
        """
        self.update()
        self.send(MakeMove(parse_move(self.game, text)))

    def send(self, command: Command) -> None:
        """Send *command*, such as a resignation, and wait for the answer as :meth:`play` does."""
        self.table.apply(self.game.turn, command, now_ms())
        until = monotonic() + ANSWER_SECONDS
        while self.table.is_sending and self.table.ended is None and monotonic() < until:
            self._wait_for_news(until - monotonic())
        error = self.table.take_error()
        self.update()
        if error is not None:
            raise error

    def wait(self, seconds: float = 60.0) -> bool:
        """Wait until this seat is to move or the game is over, for at most *seconds*. Return False if not."""
        until = monotonic() + seconds
        while not self.is_own_turn and self.table.phase in (Phase.WAITING, Phase.PLAYING):
            if monotonic() >= until or self.table.ended is not None:
                return False
            self._wait_for_news(until - monotonic())
        return True

    def update(self) -> None:
        """Take in the news of the room, and show them."""
        self._news.clear()
        while self.table.synchronise():
            pass
        self._show(self.game, self._status(), may_move=self.is_own_turn and not self.table.is_sending)
        self.words = {name: self._say(WORDS[name]) for name in self._actions()}

    def leave(self) -> None:
        """Close the connection. The seat stays this computer's, so the same call opens it again."""
        self.table.close()

    # News

    def _notifier(self) -> Callable[[], object]:
        """Return a function that lets the notebook update the board, or does nothing in a program."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return lambda: None
        return lambda: loop.call_soon_threadsafe(self.update)

    def _on_news(self) -> None:
        self._news.set()
        with suppress(RuntimeError):  # The notebook has ended.
            self._notify()

    def _wait_for_news(self, seconds: float) -> None:
        self._news.wait(max(0.0, seconds))
        self.update()

    # The page

    def _actions(self) -> list[str]:
        """Return the actions of the buttons that make sense now."""
        table = self.table
        if table.seen.you is None or table.ended is not None:
            return []
        if table.phase is Phase.OVER:
            return [] if table.is_wished else ["again"]
        if not table.is_playing:
            return []
        offer = table.present_match.offer
        if offer is not None:
            return [] if table.own_sides[0] in offer.agreed else ["accept", "decline"]
        may_undo = any(side in table.own_sides for side in self.game.movers)
        return [*(["undo"] if may_undo else []), "draw", "resign"]

    def _act(self, action: str) -> None:
        match = self.table.present_match
        commands: dict[str, Callable[[], Command]] = {
            "undo": lambda: TakeBack(match.last_decision(self.table.own_sides)[0]),
            "again": Rematch,
            "draw": OfferDraw,
            "resign": Resign,
            "accept": Accept,
            "decline": Decline,
        }
        self.send(commands[action]())

    def _status(self) -> str:
        say, table = self._say, self.table
        sentences = room_notices(say, table)
        outcome, offer = table.present_match.outcome, table.present_match.offer
        places = {side: seat for seat, side in table.sides.items()}
        if outcome is not None:
            winner = outcome.winner
            result = say("wins", winner=name_at(say, table, places[winner])) if winner else say("nobody-wins")
            return say.joined([say("game-over"), result, *sentences])
        if table.is_playing:
            if offer is not None and offer.side not in table.own_sides:
                player = name_at(say, table, places[offer.side])
                is_draw = offer.what == "draw"
                asked = say("draw-offered", player=player) if is_draw else ""
                sentences.insert(0, asked or say.plural("web-asks-back", offer.plies, player=player))
            sentences.insert(0, say("is-to-move", player=name_at(say, table, places[self.game.turn])))
        return say.joined(sentences)
