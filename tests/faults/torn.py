"""Copies of a file in which games are being stored: ``python -m tests.faults.torn --times 200``.

``power``: the file as a loss of power leaves it, the last transaction written down to some sector: exactly
what was acknowledged is there, with that transaction or without it. ``hand``: a copy that somebody makes
meanwhile, piece by piece, with the log beside it (``-wal``) or without: it opens, or is refused in words, and
no game in it is another than was played; what ``repair`` saves of it are games that were played, as far as
they had come.
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
from noughts.arena.setup import Setup
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database, open_database
from noughts.arena.store.repair import repair
from noughts.arena.stored_game import StoredGame
from noughts.errors import NotFound, NoughtsError
from noughts.interfaces.presenting.i18n import Translator
from tests.databases import ending, moves, new_database, seats, url_of

SECTOR = 512
MAX_TYPES_BYTES = 30
"""So many moves a game has at most."""

STEPS = 40
"""Up to so many transactions are made between two copies."""

CHECKPOINTS = 0.02
"""How often the log is written into the file after a transaction, besides when SQLite does it."""

Files = tuple[bytes, bytes]
"""The file and its log."""

Games = dict[int, list[Event]]
"""The events of each game by its number."""

SAY = Translator("en")


@dataclass
class Seen:
    """What came of the copies."""

    opened: int = 0
    """All that they had could be read."""
    refused: int = 0
    damaged_games: int = 0
    """Games that were refused in files that opened."""
    missing: int = 0
    """Games that are not there though later ones are, in files that opened."""
    saved: int = 0
    """Games that were saved by ``repair``."""
    sentences: set[str] = field(default_factory=set)


class Writer:
    """Stores games, one transaction after another, in the file *path*."""

    def __init__(self, path: Path, chance: Random) -> None:
        self.path, self._chance = path, chance
        self._store = new_database(path)
        self.games: Games = {}
        """What was acknowledged."""
        self._open: list[int] = []

    def write(self) -> None:
        """One transaction: a game begins, goes on, or ends."""
        if not self._open or self._chance.random() < 0.1:
            number = self._store.add_game(Setup("tictactoe", seats(), created=len(self.games)))
            self.games[number] = []
            self._open.append(number)
            return
        number = self._chance.choice(self._open)
        events = self.games[number]
        new = moves(1, len(events) + 1)
        if len(events) > self._chance.randrange(MAX_TYPES_BYTES):
            new = [ending(len(events) + 1, self._chance.choice(("X", "O", None)))]
            self._open.remove(number)
        self._store.append(number, new)
        events += new

    def write_some(self) -> None:
        """Some transactions; sometimes the log is written into the file."""
        for _ in range(self._chance.randrange(STEPS)):
            self.write()
            if self._chance.random() < CHECKPOINTS:
                with self._store.reading() as connection:
                    _checkpoint(connection)

    def files(self) -> Files:
        """What stands in the file and in its log now."""
        return self.path.read_bytes(), self.path.with_name(f"{self.path.name}-wal").read_bytes()

    def close(self) -> None:
        """End it."""
        self._store.close()


def _checkpoint(connection: Connection) -> None:
    connection.rows("PRAGMA wal_checkpoint(PASSIVE)")


def lose_power(folder: Path, times: int, seed: object) -> str:
    """Write *times* transactions down to some sector; what was seen."""
    chance, partly = Random(f"power {seed}"), 0
    with closing(Writer(folder / "games.db", chance)) as writer:
        for number in range(times):
            writer.write_some()
            before, acknowledged = writer.files(), _copied(writer.games)
            writer.write()
            after = writer.files()
            if after[0] != before[0]:  # the log was begun anew
                continue
            torn, is_whole = _torn(before[1], after[1], chance)
            partly += not is_whole
            _check_torn(folder / f"{number}", (after[0], torn), acknowledged, writer.games, is_whole)
    return f"{partly} transactions cut short: all that was acknowledged before is there, and nothing else"


def _torn(before: bytes, after: bytes, chance: Random) -> tuple[bytes, bool]:
    """The log with some of the sectors that have changed, and whether all of them are written."""
    size = max(len(before), len(after))
    before, after = before.ljust(size, b"\0"), after.ljust(size, b"\0")
    sectors = range(0, size, SECTOR)
    changed = [at for at in sectors if before[at : at + SECTOR] != after[at : at + SECTOR]]
    written = chance.randrange(len(changed) + 1)
    # Down to one, or any of them: a disk writes in what order it likes.
    kept = set(changed[:written] if chance.random() < 0.5 else chance.sample(changed, written))
    parts = [(after if at in kept else before)[at : at + SECTOR] for at in sectors]
    return b"".join(parts), written == len(changed)


def _check_torn(
    folder: Path,
    files: Files,
    acknowledged: dict[int, list[Event]],
    after: dict[int, list[Event]],
    is_whole: bool,
) -> None:
    with closing(open_database(url_of(_laid(folder, files)))) as store:
        found = {stored.id: list(stored.events) for stored in store.games()}
    assert found == after if is_whole else found in (acknowledged, after)


def copy_by_hand(folder: Path, times: int, seed: object) -> str:
    """Make *times* copies while games are stored, half of them without the log; what was seen."""
    chance, seen = Random(f"hand {seed}"), Seen()
    with closing(Writer(folder / "games.db", chance)) as writer:
        for number in range(times):
            writer.write_some()
            path = _laid(folder / f"{number}", _copied_meanwhile(writer, chance, has_log=number % 2 == 0))
            _check_copy(path, writer.games, seen)
    assert all(seen.sentences), "who is refused hears why"
    return (
        f"{times} copies: {seen.opened} whole, {seen.refused} refused; {seen.damaged_games} games refused and"
        f" {seen.missing} not there in the others, {seen.saved} games saved, none another than was played"
    )


def _copied_meanwhile(writer: Writer, chance: Random, *, has_log: bool) -> Files:
    """The file and its log, copied in pieces between which games are stored."""
    data = writer.files()[0]
    middle = chance.randrange(len(data) + 1)
    start = data[:middle]
    writer.write_some()
    data = start + writer.files()[0][middle:]
    writer.write_some()
    log = writer.files()[1] if has_log else b""
    return data, log[: chance.randrange(len(log) + 1)] if chance.random() < 0.5 else log


def _check_copy(path: Path, played: Games, seen: Seen) -> None:
    """What can be read of the copy was played, all else is refused in words; so it is of what is saved."""
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
    """Read game by game."""
    found, damaged = list[int](), 0
    for number in played:
        try:
            _check_games([store.load(number)], played)
            found.append(number)
        except NotFound:  # it was stored later
            continue
        except NoughtsError as error:
            damaged += 1
            seen.sentences.add(SAY.error(error))
    missing = max(found, default=0) - len(found) - damaged
    seen.opened += not (damaged or missing > 0)
    seen.damaged_games += damaged
    seen.missing += max(0, missing)


def _check_games(games: list[StoredGame], played: Games) -> int:
    """Each of *games* is one that was played, as far as it had come then; how many there are."""
    for stored in games:
        assert list(stored.events) == played[stored.id][: len(stored.events)], stored.id
    return len(games)


def _copied(games: Games) -> Games:
    return {number: list(events) for number, events in games.items()}


def _laid(folder: Path, files: Files) -> Path:
    """The file in a new *folder*, with its log if it has one."""
    folder.mkdir()
    path = folder / "games.db"
    path.write_bytes(files[0])
    if files[1]:
        path.with_name("games.db-wal").write_bytes(files[1])
    return path


def main() -> int:
    """The full proof, or as many copies as are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="how many copies of each kind")
    asked = parser.parse_args()
    for name, tear in (("power", lose_power), ("hand", copy_by_hand)):
        with tempfile.TemporaryDirectory(prefix="noughts-torn-") as folder:
            began = time.monotonic()
            told = tear(Path(folder), asked.times, 0)
            print(f"{name}: {told}; {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
