"""The lobby of a server at the console: open offers, an own offer, and the wait for an opponent."""

import re
from contextlib import suppress

from noughts.arena.clock import DAY, Clock
from noughts.arena.remote.remote_lobby import Limits, RemoteGame, RemoteLobby, RemoteOffer
from noughts.errors import BadInput, NoughtsError, ServerFailed, UnknownMark
from noughts.games.catalogue import canonical_name, new_game
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.console.terminal import Alarm
from noughts.interfaces.presenting.clock_texts import clock_by_days
from noughts.interfaces.presenting.titles import title_of

MINUTE = 60_000

DEFAULT_CLOCK = "5+3"

OFFER = re.compile(
    r"o\s+(\S+)(?:\s+(\d{1,3})\s*\+\s*(\d{1,3})|\s+(\d{1,2})d(?:\s*\+\s*(\d)d)?)?(\s+r)?"
    r"(?:\s+(?=-?\d)(\d{1,4})?-(\d{1,4})?)?(?:\s+@\s*(\S.*))?",
    re.IGNORECASE,
)
"""An offer as it is typed: a game with minutes and seconds for each move, or with days: `3d` or `3d+1d`.

After that, ``r`` means a rated game, ``1500-1800``, ``1500-`` or ``-1800`` limits the rating of the opponent,
and ``@NAME`` asks one player.
"""

WATCHED = re.compile(r"w(?:\s*(\d{1,3}))?", re.IGNORECASE)
"""The list of public games, or the number of a game to watch."""

GAMES = re.compile(r"g(?:\s*(\d{1,3}))?", re.IGNORECASE)
"""The list of own games by days, or the number of a game to play on."""

DECLINED = re.compile(r"-\s*(\d{1,6})")

ENDS = {"declined": "lobby-declined", "expired": "lobby-expired"}
"""The messages about the end of an own challenge, by its state."""


LINES = {
    (False, False): "lobby-line",
    (False, True): "lobby-line-rated",
    (True, False): "lobby-line-asks",
    (True, True): "lobby-line-asks-rated",
}
"""The messages about an offer: if it is a challenge, and if it is rated."""


LIMITS = {
    (True, True): "lobby-terms-between",
    (True, False): "lobby-terms-above",
    (False, True): "lobby-terms-below",
}
"""The messages about the rating of the opponent: if there is a lowest, and a highest one."""


class NewsOfLobby(Exception):
    """An offer has led to a game, or the lobby has ended."""


class LobbySession:
    """A visit to *lobby*. *alarm* is rung after each change."""

    def __init__(self, talk: Conversation, lobby: RemoteLobby, alarm: Alarm) -> None:
        self.talk, self.say, self.lobby, self._alarm = talk, talk.say, lobby, alarm
        self._new: list[int] = []
        self._challenge = lobby.challenge
        self._end: str | None = None
        self._is_lost = self._is_lost_now = False
        self._games: list[RemoteGame] = []
        self.watches = False
        """True if the chosen room is that of a game to watch."""
        talk.read_line = self._read
        talk.not_now = "command-not-in-lobby"
        talk.commands |= {"x": self._withdraw, "h": self._show_help, "?": self._show_help}

    def choose(self) -> str:
        """Return the room of the game that was found. Raises the error with which the lobby ended."""
        self.talk.write_message("lobby-title", server=self.lobby.origin)
        if self.lobby.is_signed_in:
            self.talk.write_message("lobby-signed-in", name=self.lobby.name)
        self.talk.write_message("lobby-help")
        lobby = self.lobby
        while not lobby.is_listed:
            self.talk.terminal.wait(self._alarm)
            lobby.receive()
            if (failure := lobby.ended or lobby.failure) is not None:
                raise failure
        self._show_all()
        with suppress(ServerFailed):  # Servers of earlier versions have no such list.
            lobby.read_own()
            self._show_own()
        while self.lobby.room is None:
            if self.lobby.ended is not None:
                raise self.lobby.ended
            try:
                if (room := self.talk.ask(self.say("lobby-prompt"), self._answer)) is not None:
                    return room
            except NewsOfLobby:
                continue
            except NoughtsError as error:
                self.talk.sentence(self.say.error(error))
        return self.lobby.room

    def _show_help(self) -> None:
        self.talk.write_message("lobby-help")

    def _answer(self, text: str) -> str | None:
        """Carry out what was typed. Return the room of a game that begins."""
        word = text.strip()
        if not word:
            self._show_all()
        elif typed := OFFER.fullmatch(word):
            game, *clock, rated, lowest, highest, player = typed.groups()
            new_game(canonical_name(game))
            limits = limits_of(lowest, highest)
            self._offer(canonical_name(game), clock_of(*clock), player or "", limits, is_rated=bool(rated))
        elif own := GAMES.fullmatch(word):
            return self._play_on(own[1])
        elif watched := WATCHED.fullmatch(word):
            return self._watch(watched[1])
        elif (declined := DECLINED.fullmatch(word)) and int(declined[1]) in self.lobby.offers:
            self.lobby.decline(self.lobby.offers[int(declined[1])])
        elif word.isdecimal() and int(word) in self.lobby.offers:
            return self._take(self.lobby.offers[int(word)])
        elif word.isdecimal():
            self.talk.write_message("lobby-gone")
        else:
            raise UnknownMark(word, ("1", f"o gomoku {DEFAULT_CLOCK}", "-1", "x", "q"))
        return None

    def _take(self, offer: RemoteOffer) -> str | None:
        """Take *offer* and return the room, or challenge the bot that made it."""
        if not offer.is_bot:
            return self.lobby.take(offer)
        self.lobby.offer(offer.games[0], offer.clocks[0], offer.name)
        self.talk.write_message("lobby-ask-sent", player=offer.name)
        return None

    def _offer(self, game: str, clock: Clock, player: str, limits: Limits, *, is_rated: bool) -> None:
        ends = self.lobby.offer(game, clock, player, is_rated=is_rated, limits=limits)
        facts = {"game": title_of(self.say, game), "clock": self._time(clock)}
        if ends is not None:
            day = self.say.day(ends)
            if player:
                self.talk.write_message("lobby-ask-sent-days", player=player, day=day)
            else:
                self.talk.write_message("lobby-offered-days", **facts, day=day)
        elif player:
            self.talk.write_message("lobby-ask-sent", player=player)
        else:
            self.talk.write_message("lobby-offered", **facts)

    def _play_on(self, number: str | None) -> str | None:
        """List the own games and offers by days, or return the room of the listed game with *number*."""
        games = self.lobby.games
        if number is not None and 0 < int(number) <= len(games):
            return games[int(number) - 1].room
        if number is not None:
            self.talk.write_message("lobby-no-own-game")
            return None
        self.lobby.read_own()
        if not self._show_own():
            self.talk.write_message("lobby-own-none")
        return None

    def _show_own(self) -> bool:
        """List the own games and offers by days. Return False if there are none."""
        for place, game in enumerate(self.lobby.games, 1):
            id_ = "lobby-own-turn" if game.is_turn else "lobby-own-game"
            line = self.say(id_, game=game.title, players=self.say.listed(game.others))
            self.talk.item(f"g {place:2}  ", line)
        for offer in self.lobby.lasting:
            day = self.say.day(offer.expires)
            if offer.to is None:
                self.talk.write_message("lobby-own-offer", game=offer.title, day=day)
            else:
                self.talk.write_message("lobby-own-question", game=offer.title, player=offer.to, day=day)
        return bool(self.lobby.games or self.lobby.lasting)

    def _watch(self, number: str | None) -> str | None:
        """List the public games, or return the room of the listed game with *number*."""
        if number is None:
            self._games = self.lobby.public_games()
            if not self._games:
                self.talk.write_message("lobby-no-games")
            for place, game in enumerate(self._games, 1):
                title = self.say("lobby-game-rated", game=game.title) if game.is_rated else game.title
                self.talk.item(f"w {place:2}  ", f"{title}: {' – '.join(game.names)}")
            return None
        if not 0 < int(number) <= len(self._games):
            self.talk.write_message("lobby-no-such-game")
            return None
        self.watches = True
        return self._games[int(number) - 1].room

    def _withdraw(self) -> None:
        try:
            self.lobby.withdraw()
        except BadInput as error:
            self.talk.sentence(self.say.error(error))

    def _show_all(self) -> None:
        """List the offers, or say that there are none, only own ones, or no connection."""
        offers = self.lobby.offers
        if self.lobby.failure is not None:
            self.talk.sentence(self.say.error(self.lobby.failure))
            return
        own = [offer for offer in offers.values() if self.lobby.is_own(offer)]
        if not offers:
            self.talk.write_message("lobby-empty")
        elif len(own) == len(offers):
            clock = self._time(own[-1].clocks[0])
            self.talk.write_message("lobby-only-own", game=own[-1].title, clock=clock)
        self._show(sorted(offers))

    def _show(self, places: list[int]) -> None:
        for place in places:
            if self.lobby.is_own(self.lobby.offers[place]):
                continue
            self.talk.item(f"{place:4}  ", self.line(self.lobby.offers[place]))

    def _time(self, clock: Clock) -> str:
        """Return *clock* in a few words."""
        if clock.per_move is not None and not clock.is_by_days:
            return self.say("lobby-per-move", seconds=clock.per_move // 1000)
        return clock_by_days(clock, self.say) or f"{(clock.base or 0) / MINUTE:g} + {clock.increment // 1000}"

    def line(self, offer: RemoteOffer) -> str:
        """Return *offer* in words."""
        time, name = self._time(offer.clocks[0]), offer.name
        if offer.rating is not None:
            rating = f"{offer.rating}?" if offer.is_provisional else str(offer.rating)
            name = self.say("lobby-rating", name=name, rating=rating)
        if offer.is_bot:
            return self.say("lobby-line-bot", name=name, game=offer.title, clock=time)
        line = self.say(LINES[offer.is_challenge, offer.is_rated], name=name, game=offer.title, clock=time)
        lowest, highest = offer.limits
        if (id_ := LIMITS.get((lowest is not None, highest is not None))) is None:
            return line
        return self.say(id_, terms=line, lowest=str(lowest), highest=str(highest))

    def _read(self, prompt: str) -> str:
        while (line := self.talk.terminal.read_unless(prompt, self._alarm, self._has_news)) is None:
            if self.lobby.room is not None or self.lobby.ended is not None:
                raise NewsOfLobby
            if self._end is not None:
                self.talk.write_message(self._end)
            self._show(self._new)
            if self._is_lost_now:
                self._show_all()
        return line

    def _has_news(self) -> bool:
        self._new = self.lobby.receive()
        before, self._challenge = self._challenge, self.lobby.challenge
        is_changed = self._challenge is not None and self._challenge != before
        self._end = ENDS.get(self._challenge[1]) if self._challenge is not None and is_changed else None
        was_lost, self._is_lost = self._is_lost, self.lobby.failure is not None
        self._is_lost_now = self._is_lost and not was_lost
        is_over = self.lobby.room is not None or self.lobby.ended is not None
        return bool(self._new) or self._end is not None or self._is_lost_now or is_over


def clock_of(minutes: str | None, seconds: str | None, days: str | None, more: str | None) -> Clock:
    """Return the clock of a typed offer. Without numbers it is the default one."""
    if days is None:
        return Clock(base=int(minutes or 5) * MINUTE or None, increment=int(seconds or 3) * 1000)
    if more is None:
        return Clock(per_move=int(days) * DAY)
    return Clock(base=int(days) * DAY, increment=int(more) * DAY)


def limits_of(lowest: str | None, highest: str | None) -> Limits:
    """Return the limits of a rating as they were typed. The server accepts either order."""
    return None if lowest is None else int(lowest), None if highest is None else int(highest)
