"""Games of tournaments that are being played: small boards of all of them, and everything of one of them."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from noughts.arena.match import Match
from noughts.arena.store.store import StoredGame
from noughts.arena.tournament.holding import Tournament
from noughts.arena.tournament.running import STALE_MS, Running, RunningGames
from noughts.drawing.svg import MAX_CELLS
from noughts.drawing.view import view_of
from noughts.errors import NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.models import GameMessage, MoveMessage, boards_of
from noughts.interfaces.web.routes.lists import players_of
from noughts.interfaces.web.tiles import draw_tile

SOON_MS = 5_000
"""A game that began longer ago than so many milliseconds, and of which nothing is seen, is not seen."""


@dataclass
class Watched:
    """A *running* game of a tournament, as *stored* until now, and its *match*: None where it is not seen.

    One that *has_ended* is shown until it is told what is played in its place.
    """

    running: Running
    stored: StoredGame
    match: Match | None
    has_ended: bool = False

    @classmethod
    def of(cls, held: Tournament, running: Running) -> "Watched":
        """What is seen of the game that is *running* in the tournament that is *held*."""
        setup = held.assignment(running.number, running.created).setup
        stored = StoredGame(0, setup)
        if running.sheet is None:
            return cls(running, stored, None)
        try:
            stored = StoredGame(0, setup, running.events())
            return cls(running, stored, stored.replay())
        except (NoughtsError, ValueError, TypeError, RecursionError):  # it counts for nothing
            return cls(running, StoredGame(0, setup), None)

    @cached_property
    def picture(self) -> str:
        """Its board as a small SVG; empty where it is not seen, or too large."""
        if self.match is None or len(self.match.game.cells) > MAX_CELLS:
            return ""
        return draw_tile(self.match.game, f"running-{self.running.number}", shows_last=True)

    @cached_property
    def moves(self) -> dict[str, Any]:
        """Its moves, the board after each, and the lines that have decided it."""
        assert self.match is not None  # noqa: S101 - who asks has seen it
        game = self.match.game
        lines = [list(line) for line in view_of(game, labels=False).lines]
        return {
            "moves": [move.model_dump() for move in MoveMessage.all(game)],
            "boards": [board.model_dump() for board in boards_of(game)],
            "lines": lines,
        }

    def as_card(self, tournament: int, say: Translator, now: int) -> dict[str, Any]:
        """What the page of the *tournament* shows of it at the instant *now*."""
        return {
            "number": self.running.number,
            "link": f"/tournament/{tournament}/{self.running.number}",
            "title": title_of(say, self.stored.setup.game),
            "picture": self.picture,
            "players": self._players(self.stored.players),
            "turn": self._turn_told(say, self.stored.players),
            "about": self._about("web-running-move", say, now),
        }

    def as_json(self, say: Translator, now: int) -> dict[str, Any]:
        """All that its own page shows of it at the instant *now*, with the names it has when it has ended."""
        names = {player.side: player.name for player in players_of(self.stored, say)}
        known = {
            "title": title_of(say, self.stored.setup.game),
            "players": self._players(names),
            "about": self._about("web-running-about", say, now),
        }
        if self.match is None or not self.picture:
            return {**known, "heading": known["title"], "game": None}
        turn, left = self._turn, self._left(now)
        running = None if self.running.behind is None else self.match.running
        return {
            **known,
            **self.moves,
            "game": GameMessage.of(self.match.game, say).model_dump(),
            "heading": self._turn_told(say, names) or known["title"],
            "turn": turn,
            "clock": None if left is None else {"left": left, "running": running},
        }

    @property
    def _turn(self) -> str | None:
        """The side that is to move; None where the game is over, or not seen."""
        return None if self.match is None or self._is_over else self.match.turn

    @property
    def _is_over(self) -> bool:
        return self.has_ended or (self.match is not None and self.match.outcome is not None)

    def _players(self, names: Mapping[str, str]) -> list[dict[str, Any]]:
        kinds, turn = self.stored.kinds, self._turn
        return [
            {"side": side, "name": name, "kind": kinds.get(side), "is_to_move": side == turn}
            for side, name in names.items()
        ]

    def _turn_told(self, say: Translator, names: Mapping[str, str]) -> str:
        """Whose turn it is, in a sentence; empty where nobody's is, or the game is not seen."""
        turn = self._turn
        return "" if turn is None else say("is-to-move", player=names[turn])

    def _about(self, id_: str, say: Translator, now: int) -> str:
        """How far it is, as the sentence called *id_* tells it; where it is not seen, why."""
        if self._is_over:
            return say("web-over")
        if self.match is not None:
            return say(id_, number=self.match.game.ply + 1)
        return say("web-running-soon" if now - self.running.created < SOON_MS else "web-running-unseen")

    def _left(self, now: int) -> dict[str, int | None] | None:
        """How many milliseconds each side has; None where nobody's time is counted.

        Whoever plays may have another clock: none of the sides has thought for longer than it was told.
        """
        if self.match is None or not self.match.clock.is_timed:
            return None
        behind = self.running.behind
        at = min(max(now, self.running.at), self.running.at + STALE_MS) - (behind or 0)
        if behind is None:  # the players are taking their seats
            at = self.match.turn_began
        return {side: self.match.time_left(side, at) for side in self.match.game.sides}


class Watching:
    """The games of the tournament that is *held* which are being played, as they were seen last."""

    def __init__(self, held: Tournament) -> None:
        self._held = held
        self._games = RunningGames(held.tournaments.database, held.number)
        self._seen: dict[int, Watched] = {}

    def games(self, now: int) -> list[Watched]:
        """What is being played at the instant *now*, in the order in which it is shown.

        Games that are not known here, as their package is not, are left out.
        """
        looked = dict[int, Watched]()
        for game in self._games.read(now):
            if 0 < game.number <= self._held.plan.count:
                with suppress(NoughtsError):
                    looked[game.number] = self._look(game)
        self._seen = looked
        for number, seen in self._seen.items():
            seen.has_ended = number in self._held.ids
        return list(self._seen.values())

    def _look(self, game: Running) -> Watched:
        """What is seen of *game*: where nothing has happened since, it is not drawn again."""
        before = self._seen.get(game.number)
        if before is None or (before.running.created, before.running.sheet) != (game.created, game.sheet):
            return Watched.of(self._held, game)
        before.running = game
        return before
