"""A room of a server at the console: playing, watching, and the next game."""

import os
import sys
from collections.abc import Callable
from functools import partial

from noughts.arena.commands import (
    Abort,
    Choose,
    Claim,
    Command,
    LeaveSeat,
    Resign,
    SayPhrase,
    Share,
    TakeBack,
)
from noughts.arena.match import Match
from noughts.arena.process_time import now_ms
from noughts.arena.remote.remote_table import RemoteTable, Synchronise
from noughts.arena.rooms.models import Phase
from noughts.arena.runner import Seat, run
from noughts.errors import BadInput, NotFound, NoughtsError, ServerFailed
from noughts.interfaces.console.prompts import Conversation, Narrator, UserQuit
from noughts.interfaces.console.seats import HintLadder, HumanSeat
from noughts.interfaces.console.tables import scoreboard
from noughts.interfaces.console.terminal import Alarm
from noughts.interfaces.presenting.i18n import ReadableError
from noughts.interfaces.presenting.qr import qr_picture
from noughts.interfaces.presenting.remote_texts import (
    first_move_notice,
    heard_phrases,
    name_at,
    phrase_menu,
    room_notices,
    seat_address,
)
from noughts.interfaces.presenting.titles import title_of

DONE, NO = 0, 1


class NewsArrived(Exception):
    """Something has happened in the room while a line was awaited."""


class RoomEnded(Exception):
    """The room has ended, or shows another game."""


class RemoteSeat(HumanSeat):
    """A person in a room, or a spectator. While others decide, commands can be typed too."""

    def __init__(self, session: "RemoteSession", narrator: Narrator) -> None:
        super().__init__(session.talk, narrator, HintLadder(session.talk, narrator), session.show_scores)
        self._session, self._table = session, session.table

    def decide(self, match: Match) -> Command:
        session, table = self._session, self._table
        session.report()
        if table.ended is not None or table.match is not match or table.phase is Phase.CLOSED:
            raise RoomEnded
        if table.sending is not None:
            session.wait()
            return Synchronise()
        own, offer = table.own_sides, match.offer
        try:
            if own and offer is not None and own[0] not in offer.agreed:
                id_ = "accept-draw" if offer.what == "draw" else "room-accept-take-back"
                return self.ask_to_agree(id_, match, own[0])
            if match.turn in own:
                return super().decide(match)
            return self._await(match)
        except NewsArrived:
            return Synchronise()

    def answer(self, match: Match, side: str) -> Command:
        return Synchronise()

    def _await(self, match: Match) -> Command:
        """Wait for another player. The person may type a command meanwhile."""
        say, player = self._talk.say, self._narrator.wording.player(match.turn)

        def read(text: str) -> Command:
            if text.strip():
                raise ReadableError(say("room-not-your-turn"))
            return Synchronise()

        return self._talk.ask(say("room-wait", player=player), read, commands=self._commands(match))

    def _commands(self, match: Match) -> dict[str, Callable[[], Command | None]]:
        shown = {**self._session.shows(), **self._shows(match)}
        show_game_help = shown["h"]

        def show_help() -> None:
            show_game_help()
            self._talk.write_message("room-help")

        shown["h"] = show_help
        if not self._table.may_be_helped:
            shown["?"] = partial(self._talk.write_message, "refusal-game-goes-on")
        if not self._table.own_sides:
            return {**shown}
        asked = super()._commands(match)
        return {**asked, **shown, "w": lambda: Claim(), "r": lambda: self._resign(match)}

    def _resign(self, match: Match) -> Command | None:
        """Return the command that gives the game up, or calls it off before the own first move."""
        may_abort = match.may_abort(self._table.own_sides[0])
        id_, command = ("room-abort", Abort()) if may_abort else ("room-resign", Resign())
        return command if self._talk.ask_yes_no(self._talk.say(id_), default=False) else None

    def _take_back(self, match: Match) -> Command:
        return TakeBack(match.last_decision(self._table.own_sides)[0])


class RemoteSession:
    """The games in the room of *table*. *token* proves the seat. *alarm* is rung after all news."""

    def __init__(
        self, talk: Conversation, table: RemoteTable, token: str, alarm: Alarm, first: int = 1
    ) -> None:
        self.talk, self.say, self.table = talk, talk.say, table
        self._token, self._alarm, self._first = token, alarm, first
        self._reported: list[str] = []
        self._due: int | None = None
        self._heard: set[tuple[int, str, int]] = set()
        talk.read_line = self._read
        talk.commands |= {**self.shows(), "s": self.show_scores}

    def play(self) -> int:
        """Play until the person leaves or the room ends. Return the exit status."""
        table = self.table
        try:
            self._introduce()
            while table.ended is None and table.phase is not Phase.CLOSED:
                if table.is_playing:
                    self._play_one()
                else:
                    self._between()
        except (UserQuit, KeyboardInterrupt) as left:
            return self._leave(input_ended=isinstance(left, UserQuit) and left.input_ended)
        self.report()
        return DONE if table.ended is None else NO

    def _introduce(self) -> None:
        table, say = self.table, self.say
        self.talk.write_message("room-title", game=title_of(say, table.terms.game), server=table.origin)
        if table.seen.you is None:
            self.talk.write_message("web-watching")
            if table.seen.delay:
                self.talk.sentence(say.plural("web-delay", table.seen.delay))
        elif table.seen.players[table.seen.you].name is not None:
            self.talk.write_message("room-you", name=name_at(say, table, table.seen.you))

    def _play_one(self) -> None:
        """Play the present game to its end, as far as it is known here."""
        match, setup = self.table.present_match, self.table.setup
        if setup is None:
            raise AssertionError("a game that is played has been set up")
        narrator = Narrator(self.talk, match, setup.seats, setup.who, self._first)
        seat: Seat = RemoteSeat(self, narrator)
        narrator.board()
        try:
            run(
                match,
                dict.fromkeys(match.game.sides, seat),
                apply=self.table.apply,
                now=now_ms,
                on_event=narrator.event,
            )
        except (RoomEnded, ServerFailed, NotFound):
            return
        if len(self.table.scores) > 1 and self.table.games_played > 1:
            self.show_scores()

    def _between(self) -> None:
        """Wait for players, a choice, or the next game, and ask the person for decisions."""
        table = self.table
        table.synchronise()
        self.report()
        if table.is_playing or table.ended is not None or table.phase is Phase.CLOSED:
            return
        if table.sending is not None:
            self.wait()
            return
        try:
            if table.needs_choice:
                menu = {mark.lower(): mark for mark in table.series.marks}
                name = name_at(self.say, table, table.chooser)
                prompt = self.say("room-choose-mark", name=name, marks=list(table.series.marks))
                self._send(Choose(self.talk.ask_choice(prompt, menu)))
            elif table.phase is Phase.OVER and table.seen.you is not None and not table.is_wished:
                if not self.talk.ask_yes_no(self.say("room-again"), self._after_game()):
                    raise UserQuit
                self._finish_sending()
                table.begin(now_ms())
            else:
                self.talk.ask(self.say("room-waits"), str, commands=self._after_game())
        except NewsArrived:
            pass
        except BadInput as error:
            self.talk.sentence(self.say.error(error))

    def _after_game(self) -> dict[str, Callable[[], None]]:
        shown = self.shows()
        if self.table.phase is Phase.OVER and self.table.seen.you is not None:
            shown["p"] = lambda: self._send(Share())
            shown["x"] = lambda: self._send(LeaveSeat())
        return shown

    def _finish_sending(self) -> None:
        """Wait until the server has answered the last command."""
        while self.table.sending is not None:
            self.wait()

    def _send(self, command: Command) -> None:
        self._finish_sending()
        try:
            self.table.apply("", command, now_ms())
        except NoughtsError as error:
            self.talk.sentence(self.say.error(error))

    # News

    def report(self) -> None:
        """Write the refusal of the last command, and the sentences about the room that are new."""
        error = self.table.take_error()
        if error is not None:
            self.talk.sentence(self.say.error(error))
        for one, sentence in heard_phrases(self.say, self.table).items():
            if one not in self._heard:
                self._heard.add(one)
                self.talk.sentence(sentence)
        notices = room_notices(self.say, self.table)
        for notice in notices:
            if notice not in self._reported:
                self.talk.sentence(notice)
        due = self.table.seen.first_move_at
        if due not in (None, self._due):  # the time alone is no news
            for sentence in first_move_notice(self.say, self.table):
                self.talk.sentence(sentence)
        self._due = due
        if self.table.is_online and self.say("room-offline") in self._reported:
            self.talk.write_message("room-online")
        self._reported = notices

    def wait(self) -> None:
        """Wait for news."""
        while not self.table.receive():
            self.talk.terminal.wait(self._alarm)

    def _read(self, prompt: str) -> str:
        line = self.talk.terminal.read_unless(prompt, self._alarm, self.table.receive)
        if line is None:
            raise NewsArrived
        return line

    # Commands

    def shows(self) -> dict[str, Callable[[], None]]:
        """Return the commands that show something in each state of the room."""
        return {"l": self._show_link, "h": self._show_help, "t": self._say_phrase}

    def _say_phrase(self) -> None:
        """Let the person choose a phrase for the other players, or mute their phrases."""
        table, say = self.table, self.say
        menu = phrase_menu(table)
        for key, phrase in menu.items():
            self.talk.write(f"  {key} {say(f'phrase-{phrase}')}")
        choices = {**menu, "0": "mute", "-": "cancel"}
        id_ = "room-phrases-muted" if table.is_muted else "room-phrases"
        chosen = self.talk.ask_choice(say(id_), choices, "cancel")
        if chosen == "mute":
            table.is_muted = not table.is_muted
            self.talk.write_message("room-muted" if table.is_muted else "room-unmuted")
        elif chosen != "cancel":
            self._send(SayPhrase(chosen))

    def _show_help(self) -> None:
        self.talk.sentence(self.say.messages(self.table.present_match.game.rule_text))
        self.talk.write_message("room-help")

    def _show_link(self) -> None:
        address = seat_address(self.table, self._token)
        self.talk.write_message("room-seat-link" if self._token else "room-link")
        self.talk.write(address.link)
        if picture := qr_picture(address.link, sys.stdout, os.environ):
            self.talk.write(picture)

    def show_scores(self) -> None:
        """Show the score of the games in the room."""
        if not self.table.scores:
            self.talk.write_message("no-scores")
            return
        lines = scoreboard(self.say, self.table.scores, self.talk.terminal.width)
        self.talk.write("\n".join(["", *lines, ""]))

    def _leave(self, *, input_ended: bool) -> int:
        table = self.table
        if self._token and table.phase is not Phase.CLOSED:
            self.talk.write_message("room-left", link=seat_address(table, "").link)
        else:
            self.talk.write_message("left")
        return NO if input_ended and table.is_playing and self._token else DONE
