"""The responses and events of the wall of live boards as models."""

from typing import Any

from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.seat_names import seat_number
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.http.replies import Model
from noughts.interfaces.web.models import (
    BoardChange,
    Cells,
    ClockMessage,
    GameMessage,
    GamePlayer,
    PositionMessage,
    ResultMessage,
    position_facts,
    rating_facts,
    shown_names,
)


class WatchedPlayer(GamePlayer):
    """A player of a game on the wall."""

    rating: int | None
    """The rating in a rated game, or null."""
    is_provisional: bool
    """Whether the rating may still move a lot."""


class WatchedFacts(Model):
    """The facts about a game on the wall that change with moves."""

    room: str
    """The name of the room, as in its address."""
    version: int
    """The version of the room, a number that grows with every change."""
    clock: ClockMessage | None
    """The clock, or null if there is none."""
    result: ResultMessage | None
    """The result of the game, or null while it goes on."""
    spectators: int
    """The number of spectators."""
    delay: int
    """The number of moves by which the game is shown late, or 0."""

    @classmethod
    def watched(cls, view: RoomView, say: Translator, at: int, spectators: int) -> dict[str, Any]:
        """Return the fields of the room of *view* at the instant *at*."""
        return {
            "room": view.room,
            "version": view.version,
            "clock": ClockMessage.of(view, at),
            "result": ResultMessage.of(view, say),
            "spectators": spectators,
            "delay": view.delay,
        }


class WatchedGame(PositionMessage, WatchedFacts):
    """A public game on the wall, with its position."""

    link: str
    """The path of the room's page."""
    game_id: int | None
    """The number of the game in the history, or null before its first move."""
    game: GameMessage
    """The game."""
    players: list[WatchedPlayer]
    """The players, in the order of turns."""
    rated: bool
    """Whether the game changes ratings."""

    @classmethod
    def of_room(cls, view: RoomView, say: Translator, at: int, spectators: int) -> "WatchedGame":
        """Return the game in the room of *view* at the instant *at*."""
        game, called = view.match.game, shown_names(view, say)
        return cls(
            **{**position_facts(game), "turn": turn_of(view)},
            **WatchedFacts.watched(view, say, at, spectators),
            link=f"/r/{view.room}",
            game_id=view.game_id,
            game=GameMessage.of(game, say),
            players=[
                WatchedPlayer(
                    side=side,
                    name=called[place] or "",
                    identity=seat_number(view.names[place] or ""),
                    kind=view.setup.who[place],
                    **{name: rating_facts(view, place)[name] for name in ("rating", "is_provisional")},
                )
                for place, side in view.sides.items()
            ],
            rated=view.setup.rated,
        )


class WatchedChange(BoardChange, WatchedFacts):
    """The changes of a game on the wall since the last event."""

    ply: int
    """The number of moves made."""
    turn: str | None
    """The side to move, or null if no side is."""
    lines: list[list[int]]
    """The lines that decided the game, as indexes of cells."""

    @classmethod
    def since(
        cls, before: Cells, view: RoomView, say: Translator, at: int, spectators: int
    ) -> "WatchedChange":
        """Return the changes since the cells were *before*."""
        game = view.match.game
        return cls(
            **BoardChange.facts(before, game),
            **WatchedFacts.watched(view, say, at, spectators),
            ply=game.ply,
            turn=turn_of(view),
            lines=position_facts(game)["lines"],
        )


class WallState(Model):
    """The wall of live boards."""

    featured: str | None
    """The room of the featured game, or null if no public game is being played."""
    games: list[WatchedGame]
    """The games on the wall: the featured one, then the small ones by place."""
    playing: int
    """The number of public games that are being played."""


class WallChanges(Model):
    """The changes of the wall since the last event."""

    featured: str | None
    """The room of the featured game, or null if no public game is being played."""
    order: list[str]
    """The rooms on the wall by place. Other games have left it."""
    new: list[WatchedGame]
    """The games that are new on the wall, or have new players."""
    changed: list[WatchedChange]
    """The changes of the other games."""
    playing: int
    """The number of public games that are being played."""


def turn_of(view: RoomView) -> str | None:
    """Return the side that is to move in the room of *view*, or None if no game is being played."""
    return view.match.turn if view.phase is Phase.PLAYING else None
