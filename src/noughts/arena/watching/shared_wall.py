"""The wall of live boards in the database: all workers show the same boards.

Any worker with readers checks the wall every two seconds. The choice is a row, which is locked while it
changes. Only the rooms on the wall are read again and again. Of the others, the version is known from a
query, and shows that somebody has moved.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from noughts.arena.digest import canonical_json
from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.rooms.room_repository import RoomBatch
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database
from noughts.arena.stored_game import PUBLIC
from noughts.arena.table import HUMAN
from noughts.arena.watching.wall import PublicGame, Wall, next_wall
from noughts.errors import NoughtsError
from noughts.games.catalogue import name_of

NEWS = "wall"
"""The name under which workers hear of changes of the wall. No room has so short a name."""

MAX_PUBLIC = 1_000
"""The largest number of public games that are considered."""

MAX_CELLS = 1_000
"""The largest number of cells of a board on the wall."""

MAX_NEW = 50
"""The largest number of rooms that one check reads for the first time."""

_READ = "SELECT version, rooms FROM walls WHERE number = :number"
_LOCK = _READ + " FOR UPDATE"
_WRITE = "ON CONFLICT (number) DO UPDATE SET version = excluded.version, rooms = excluded.rooms"


@dataclass(frozen=True, eq=False, slots=True)
class ShownWall:
    """The wall at one moment, with the rooms on it, and the number of games that it can show."""

    wall: Wall = field(default_factory=Wall)
    views: Mapping[str, RoomView] = field(default_factory=dict)
    playing: int = 0


class SharedWall:
    """The wall of the *database* of *rooms*.

    *rating* returns the mean rating of the players of a rated game, or 0. *now* returns the milliseconds
    since 1970. *show* and *number* choose the games and the row of the wall: 1 for all games. The methods are
    for one thread at a time.
    """

    def __init__(
        self,
        rooms: Rooms,
        database: Database,
        *,
        rating: Callable[[RoomView], int],
        now: Callable[[], int],
        show: str = "",
        number: int = 1,
    ) -> None:
        self._show, self._number = show, number
        self._rooms, self._database, self._rating, self._now = rooms, database, rating, now
        self._games: dict[str, PublicGame] = {}
        self._versions: dict[str, int] = {}

    def read(self) -> ShownWall:
        """Check the public games, change the wall if it is due, and return it."""
        at = self._now()
        with self._database.reading() as connection:
            running = self._rooms.store.with_public_games(connection, MAX_PUBLIC)
            _, wall = _stored(connection, self._number)
        views = self._look_at(running, wall, at)
        games = {room: game for room, game in self._games.items() if game.is_among(self._show)}
        chosen = next_wall(wall, games, at)
        if chosen != wall:
            wall = self._rooms.transact(NEWS, lambda batch: _change(batch, self._number, wall, chosen))
        for room in wall:
            if room not in views and (view := self.view(room, running.get(room, 0))) is not None:
                views[room] = view
        shown = Wall(
            wall.featured if wall.featured in views else None,
            tuple(room for room in wall.small if room in views),
        )
        playing = sum(room in running for room in games) if self._show else len(running)
        return ShownWall(shown, {room: views[room] for room in shown}, playing)

    def view(self, room: str, version: int) -> RoomView | None:
        """Return the public *room* at *version* or a newer one, or None if it may not be watched."""
        view = self._rooms.known(room, version)
        with suppress(NoughtsError):  # it was removed, or it is damaged
            view = view or self._rooms.look(room)
        if view is None or view.setup.visibility != PUBLIC:
            return None
        if view.game_id is None and HUMAN in view.setup.who:  # computers move first when they are watched
            return None
        return view if len(view.match.game.cells) <= MAX_CELLS else None

    def _look_at(self, running: Mapping[str, int], wall: Wall, at: int) -> dict[str, RoomView]:
        """Bring the facts about the public games up to date. Return the rooms that were read for it."""
        views: dict[str, RoomView] = {}
        for room in (*running, *wall):
            is_known = room in self._games
            if room in {*wall} or (not is_known and len(views) < MAX_NEW + len({*wall})):
                view = self.view(room, running.get(room, 0))
                if view is not None:
                    views[room] = view
                    self._games[room] = self._facts(view)
                else:
                    self._games.pop(room, None)
            elif is_known and self._versions.get(room) != running[room]:
                self._games[room] = replace(self._games[room], moved=at)
        self._games = {room: game for room, game in self._games.items() if room in running or room in views}
        self._versions = dict(running)
        return views

    def _facts(self, view: RoomView) -> PublicGame:
        known, match = self._games.get(view.room), view.match
        end = None if match.end is None or view.phase is Phase.PLAYING else match.end.at + view.paused
        return PublicGame(
            room=view.room,
            people=sum(who == HUMAN for who in view.setup.who),
            moved=match.turn_began + view.paused,
            is_rated=view.setup.rated,
            rating=self._rating(view) if known is None else known.rating,
            ended=end,
            game=name_of(match.game),
        )


def _stored(connection: Connection, number: int, *, to_change: bool = False) -> tuple[int, Wall]:
    """Return the version of the stored wall, and the wall."""
    row = connection.row(_LOCK if to_change else _READ, number=number)
    if row is None:
        return 0, Wall()
    featured, *small = json.loads(row["rooms"])
    return row["version"], Wall(featured, tuple(small))


def _change(batch: RoomBatch, number: int, before: Wall, chosen: Wall) -> Wall:
    """Store the *chosen* wall unless another worker has changed it since *before*. Return the stored wall."""
    version, stored = _stored(batch.connection, number, to_change=True)
    if stored != before:
        return stored
    row = {
        "number": number,
        "version": version + 1,
        "rooms": canonical_json([chosen.featured, *chosen.small]),
    }
    batch.connection.insert("walls", row, unless=_WRITE)
    batch.other_news[NEWS] = version + 1
    return chosen
