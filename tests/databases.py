"""Database files for tests: created once and copied, since creation takes longer than most tests."""

import functools
import tempfile
from pathlib import Path

from noughts.arena.events import Event, EventKind
from noughts.arena.series import Begins
from noughts.arena.setup import SeriesSetup, Setup
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.store import Store

NAMES = ("Ada", "O'Neil \"; DROP TABLE games; --", "井字棋 玩家", "🙂👍🏽", "Жанна", "a\\b%_{}\n\x00")


@functools.cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        open_database(url_of(path)).close()
        return path.read_bytes()


def url_of(path: Path) -> str:
    """Return the URL of the database in the file *path*."""
    return f"sqlite:///{path}"


def new_file(path: Path) -> Path:
    """Create a database without games in the file *path*."""
    path.write_bytes(_empty())
    return path


def new_database(path: Path) -> Database:
    """Open a new store without games in the file *path*."""
    return open_database(url_of(new_file(path)))


def moves(count: int, first: int = 1) -> list[Event]:
    """Return events of *count* moves, the first with the version *first*."""
    return [
        Event(version, 10 * version, EventKind.MOVE, "OX"[version % 2], {"move": str(version)})
        for version in range(first, first + count)
    ]


def ending(version: int, winner: str | None) -> Event:
    """Return the event that ends a game."""
    data = {"winner": winner, "termination": "full" if winner is None else "line"}
    return Event(version, 10 * version, EventKind.END, None, data)


def seats(x: str = "Ada", o: str = "Wei") -> dict[str, str]:
    """Return the players of X and O."""
    return {"X": x, "O": o}


def fill(store: Store, games: int = 12) -> None:
    """Add two series and games of different lengths, finished and unfinished, to *store*."""
    first = store.add_series(SeriesSetup("tictactoe", NAMES[:2], Begins.CHOOSER, 1))
    store.end_series(first)
    second = store.add_series(SeriesSetup("4x4", NAMES[2:4], Begins.LOSER, 2))
    for number in range(games):
        series = (first, second, None)[number % 3]
        game = store.add_game(
            Setup("tictactoe", seats(NAMES[number % 6], "Wei"), series=series, created=number)
        )
        store.append(game, moves(number % 8))
        if number % 2:
            store.append(game, [ending(number % 8 + 1, ("X", "O", None)[number % 3])])
