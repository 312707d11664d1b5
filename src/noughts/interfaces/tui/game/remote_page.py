"""The game screen of a room of a server: the same keys, while the other players are elsewhere."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from noughts.arena.commands import Abort, Claim, Command, SayPhrase, Share
from noughts.arena.remote.client import Client
from noughts.arena.remote.connection import RoomConnection
from noughts.arena.remote.remote_table import RemoteTable
from noughts.arena.rooms.models import Phase
from noughts.errors import NoughtsError
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.qr import qr_lines
from noughts.interfaces.presenting.remote_texts import (
    first_move_notice,
    heard_phrases,
    phrase_menu,
    room_notices,
    seat_address,
)
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.game.questions import BoardQuestion
from noughts.interfaces.tui.launch import check_size
from noughts.interfaces.tui.widgets.base_app import BaseApp
from noughts.interfaces.tui.widgets.keys import IN_ROOM, LINKING
from noughts.interfaces.tui.widgets.page import Page
from noughts.interfaces.tui.widgets.spans import Bit, Line, note_lines
from noughts.text import chop


class RemotePage(GamePage, keys=IN_ROOM):
    """The screen of the room of *table*, with the seat *token*, empty for a spectator.

    *clients* makes the clients of the connection.
    """

    def __init__(
        self, table: RemoteTable, program: BaseApp, token: str, clients: Callable[[], Client]
    ) -> None:
        check_size(table.present_match.game.shape)
        super().__init__(table, program)
        self._room, self._token, self._clients = table, token, clients
        self._shown: list[str] = []
        self._heard: set[tuple[int, str, int]] = set()

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()

        def ring() -> None:
            with suppress(RuntimeError):  # The program has ended.
                loop.call_soon_threadsafe(self.take_news)

        super().on_mount()
        self._show_phrases()
        self._room.connection = RoomConnection(self._clients, self._room.seen.room, self._token, ring)
        self._say_notices()
        self.redraw()

    def on_unmount(self) -> None:
        self._room.close()

    def take_news(self) -> None:
        """Show all that has happened in the room."""
        if not self.is_attached:
            return
        table, session = self._room, self.session
        match = table.match
        while happened := table.synchronise():
            if table.match is match:
                self.turns.take_news(happened)
        if table.match is not match:
            session.restart()
            self.turns.advance()
        if (error := table.take_error()) is not None:
            self.turns.refuse(error)
        self._say_notices()
        self._show_phrases()
        if table.needs_choice and session.question is None:
            self.turns.begin_next()
        session.changed()

    def _say_notices(self) -> None:
        """Show the state of the room: above the board, and after the end of a game as a message."""
        session, table = self.session, self._room
        notices = room_notices(self.say, table)
        news = [notice for notice in notices if notice not in self._shown]
        self._shown = notices
        is_due = table.first_move_left is not None

        def text(wording: Wording) -> str:
            say = wording.say
            return say.joined([*room_notices(say, table), *first_move_notice(say, table)])

        session.notice = text if (notices or is_due) and not session.is_over else None
        if news and session.is_over:
            session.message = text

    def _show_phrases(self) -> None:
        """Show the new phrases of the other players as a message."""
        new = [one for one in self._room.heard if one not in self._heard]
        self._heard.update(new)
        if new:
            self.session.message = lambda wording: wording.say.joined(
                [sentence for one, sentence in heard_phrases(wording.say, self._room).items() if one in new]
            )

    # Keys

    def action_say_phrase(self) -> None:
        """Let the person choose a phrase for the other players, or mute their phrases."""
        table = self._room

        def speaker(phrase: str) -> Callable[[], None]:
            return lambda: self._send(SayPhrase(phrase))

        answers = {key: (f"phrase-{phrase}", speaker(phrase)) for key, phrase in phrase_menu(table).items()}
        answers["m"] = ("phrases-unmute" if table.is_muted else "phrases-mute", self._mute)
        self.session.ask(BoardQuestion(lambda wording: wording.say("phrases-question"), answers))

    def _mute(self) -> None:
        table = self._room
        table.is_muted = not table.is_muted
        id_ = "room-muted" if table.is_muted else "room-unmuted"
        self.session.show_message(lambda wording: wording.say(id_))

    def action_claim(self) -> None:
        """Claim the win because the opponent has been away for long."""
        self._send(Claim())

    def action_resign(self) -> None:
        """Resign, or call the game off before the own first move, after a question."""
        session, side = self.session, self.session.hand
        if side is not None and session.trial is None and session.match.may_abort(side):
            self._ask_before("abort-question", lambda side: session.apply(side, Abort()))
        else:
            super().action_resign()

    def action_share(self) -> None:
        """Make the finished game public, after a question."""
        self._send(Share())

    def _send(self, command: Command) -> None:
        self.turns.carry_out(lambda: self._room.apply("", command, self.session.now()))
        self._say_notices()

    def action_seat_link(self) -> None:
        """Show the link that opens this seat on another device, and copy it."""
        link = seat_address(self._room, self._token).link
        self.app.copy_to_clipboard(link)
        self.app.push_screen(LinkPage("room-seat-link" if self._token else "room-link", link))

    def say_goodbye(self, *, by_choice: bool = True) -> list[str]:
        if not self._token or self._room.phase is Phase.CLOSED:
            return [self.say("left")]
        return [self.say("room-left", link=seat_address(self._room, "").link)]

    def _leave(self, why: NoughtsError | tuple[str, str] | None) -> None:
        self._room.close()
        super()._leave(why)


class LinkPage(Page[None], keys=LINKING):
    """The page of a *link*, with the sentence *id_* about it and a QR code."""

    def __init__(self, id_: str, link: str) -> None:
        super().__init__()
        self._sentence, self._link = id_, link

    def draw(self) -> None:
        width, height = self.size
        lines: list[Line] = [*note_lines([self.say(self._sentence)], width - 1), []]
        lines += [[Bit(line)] for line in chop(self._link, width - 1)]
        code = qr_lines(self._link, draws_dark=False) if self.app.has_unicode else []
        if len(lines) + len(code) < height and all(len(line) < width for line in code):
            lines += [[], *([Bit(line)] for line in code)]
        self.show_sheet(lines, ["close"])
