"""Copies of a file during writes: ``python -m tests.faults.torn --times 200``.

``power``: the file after a loss of power, with the last transaction written up to some sector. It contains
exactly the acknowledged changes, with that transaction or without it. ``hand``: a copy that is made piece by
piece, with the log beside it (``-wal``) or without. It opens, or is refused with a reason, and contains no
other games than were played. The games that ``repair`` saves of it were played, up to some move.
"""

import argparse
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from noughts.arena.events import Event
from noughts.arena.repair.repair import repair
from noughts.arena.setup import Setup
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database, open_database
from noughts.arena.stored_game import StoredGame
from noughts.errors import NotFound, NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from tests.databases import ending, moves, new_database, seats, url_of

SECTOR = 512
MAX_MOVES = 30
"""The maximum number of moves of a game."""

STEPS = 40
"""The maximum number of transactions between two copies."""

CHECKPOINTS = 0.02
"""The probability of a checkpoint after a transaction, in addition to those of SQLite."""

Files = tuple[bytes, bytes]
"""The content of the file and of its log."""

Games = dict[int, list[Event]]
"""The events of each game by its number."""

SAY = Translator("en")


@dataclass
class Seen:
    """The results of checking the copies."""

    opened: int = 0
    """The number of copies that were fully readable."""
    refused: int = 0
    damaged_games: int = 0
    """The number of games that were refused in files that opened."""
    missing: int = 0
    """The number of games that are missing before later ones, in files that opened."""
    saved: int = 0
    """The number of games that ``repair`` saved."""
    sentences: set[str] = field(default_factory=set)


class Writer:
    """Stores games, one transaction after another, in the file *path*."""

    def __init__(self, path: Path, chance: Random) -> None:
        self.path, self._chance = path, chance
        self._store = new_database(path)
        self.games: Games = {}
        """The acknowledged events of each game."""
        self._open: list[int] = []

    def write(self) -> None:
        """Make one transaction, which begins, continues or ends a game."""
        if not self._open or self._chance.random() < 0.1:
            number = self._store.add_game(Setup("tictactoe", seats(), created=len(self.games)))
            self.games[number] = []
            self._open.append(number)
            return
        number = self._chance.choice(self._open)
        events = self.games[number]
        new = moves(1, len(events) + 1)
        if len(events) > self._chance.randrange(MAX_MOVES):
            new = [ending(len(events) + 1, self._chance.choice(("X", "O", None)))]
            self._open.remove(number)
        self._store.append(number, new)
        events += new

    def write_some(self) -> None:
        """Make some transactions, sometimes with a checkpoint."""
        for _ in range(self._chance.randrange(STEPS)):
            self.write()
            if self._chance.random() < CHECKPOINTS:
                with self._store.reading() as connection:
                    _checkpoint(connection)

    def files(self) -> Files:
        """Return the present content of the file and of its log."""
        return self.path.read_bytes(), self.path.with_name(f"{self.path.name}-wal").read_bytes()

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def _checkpoint(connection: Connection) -> None:
    connection.rows("PRAGMA wal_checkpoint(PASSIVE)")


def lose_power(folder: Path, times: int, seed: object) -> str:
    """Write *times* transactions up to some sector, and return a report."""
    chance, partly = Random(f"power {seed}"), 0
    with closing(Writer(folder / "games.db", chance)) as writer:
        for number in range(times):
            writer.write_some()
            before, acknowledged = writer.files(), _copied(writer.games)
            writer.write()
            after = writer.files()
            if after[0] != before[0]:  # the log has been restarted
                continue
            torn, is_whole = _torn(before[1], after[1], chance)
            partly += not is_whole
            _check_torn(folder / f"{number}", (after[0], torn), acknowledged, writer.games, is_whole)
    return f"{partly} transactions cut short: all that was acknowledged before is there, and nothing else"


def _torn(before: bytes, after: bytes, chance: Random) -> tuple[bytes, bool]:
    """Return the log with some of the changed sectors, and True if all of them are written."""
    size = max(len(before), len(after))
    before, after = before.ljust(size, b"\0"), after.ljust(size, b"\0")
    sectors = range(0, size, SECTOR)
    changed = [at for at in sectors if before[at : at + SECTOR] != after[at : at + SECTOR]]
    written = chance.randrange(len(changed) + 1)
    # Either a prefix or any subset is written: a disk chooses its own order.
    saved = set(changed[:written] if chance.random() < 0.5 else chance.sample(changed, written))
    parts = [(after if at in saved else before)[at : at + SECTOR] for at in sectors]
    return b"".join(parts), written == len(changed)


def _check_torn(
    folder: Path,
    files: Files,
    acknowledged: dict[int, list[Event]],
    after: dict[int, list[Event]],
    is_whole: bool,
) -> None:
    with closing(open_database(url_of(_write_copy(folder, files)))) as store:
        result = {stored.id: list(stored.events) for stored in store.games()}
    assert result == after if is_whole else result in (acknowledged, after)


def copy_by_hand(folder: Path, times: int, seed: object) -> str:
    """Make *times* copies during writes, half of them without the log, and return a report."""
    chance, seen = Random(f"hand {seed}"), Seen()
    with closing(Writer(folder / "games.db", chance)) as writer:
        for number in range(times):
            writer.write_some()
            path = _write_copy(
                folder / f"{number}", _copied_meanwhile(writer, chance, has_log=number % 2 == 0)
            )
            _check_copy(path, writer.games, seen)
    assert all(seen.sentences), "who is refused hears why"
    return (
        f"{times} copies: {seen.opened} whole, {seen.refused} refused; {seen.damaged_games} games refused and"
        f" {seen.missing} not there in the others, {seen.saved} games saved, none another than was played"
    )


def _copied_meanwhile(writer: Writer, chance: Random, *, has_log: bool) -> Files:
    """Return the file and its log, copied in pieces with writes between them."""
    data = writer.files()[0]
    middle = chance.randrange(len(data) + 1)
    start = data[:middle]
    writer.write_some()
    data = start + writer.files()[0][middle:]
    writer.write_some()
    log = writer.files()[1] if has_log else b""
    return data, log[: chance.randrange(len(log) + 1)] if chance.random() < 0.5 else log


def _check_copy(path: Path, played: Games, seen: Seen) -> None:
    """Check that readable games of the copy were played and all others are refused, also after a repair."""
    saved = path.with_name("saved.db")
    try:
        if repair(path, saved).games:
            with closing(open_database(url_of(saved))) as store:
                seen.saved += _check_games(list(store.games()), played)
    except NoughtsError as error:
        seen.sentences.add(SAY.error(error))
    try:
        with closing(open_database(url_of(path))) as store:
            _check_each(store, played, seen)
    except NoughtsError as error:
        seen.refused += 1
        seen.sentences.add(SAY.error(error))


def _check_each(store: Database, played: Games, seen: Seen) -> None:
    """Check the copy game by game."""
    result, damaged = list[int](), 0
    for number in played:
        try:
            _check_games([store.load(number)], played)
            result.append(number)
        except NotFound:  # it was stored later
            continue
        except NoughtsError as error:
            damaged += 1
            seen.sentences.add(SAY.error(error))
    missing = max(result, default=0) - len(result) - damaged
    seen.opened += not (damaged or missing > 0)
    seen.damaged_games += damaged
    seen.missing += max(0, missing)


def _check_games(games: list[StoredGame], played: Games) -> int:
    """Check that each of *games* was played, up to its last move then, and return their number."""
    for stored in games:
        assert list(stored.events) == played[stored.id][: len(stored.events)], stored.id
    return len(games)


def _copied(games: Games) -> Games:
    return {number: list(events) for number, events in games.items()}


def _write_copy(folder: Path, files: Files) -> Path:
    """Write the file to a new *folder*, with its log if it has one."""
    folder.mkdir()
    path = folder / "games.db"
    path.write_bytes(files[0])
    if files[1]:
        path.with_name("games.db-wal").write_bytes(files[1])
    return path


def main() -> int:
    """Run the full proof, or a given number of copies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="how many copies of each kind")
    options = parser.parse_args()
    for name, tear in (("power", lose_power), ("hand", copy_by_hand)):
        with tempfile.TemporaryDirectory(prefix="noughts-torn-") as folder:
            began = time.monotonic()
            received = tear(Path(folder), options.times, 0)
            print(f"{name}: {received}; {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
