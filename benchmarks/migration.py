"""The time to migrate 1,000,000 games of five moves from revision 0005 of the database.

    python -m benchmarks.migration [--games N] [--postgres URL of an empty database]

A file is checked before it is opened, as always. The second time is that of a current database. Half of the
games are local, a quarter were played in rooms, and a quarter in tournaments.
"""

import argparse
import tempfile
import time
from contextlib import closing
from pathlib import Path

from noughts.arena.store.connections import Connection
from noughts.arena.store.database import open_database
from noughts.arena.store.revisions import upgrade
from noughts.arena.store.sqlite_file import file_pool

REVISION = "0005"
PEOPLE = '{"O":"human","X":"human"'
WHO = f"""CASE i % 4 WHEN 0 THEN '{PEOPLE},"online":"online"}}'
    WHEN 1 THEN '{PEOPLE},"tournament":"tournament","uncounted":"uncounted"}}' ELSE '{PEOPLE}}}' END"""
NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {games}) "
FILL = (
    "INSERT INTO games (id, created, game, seats, clock, who, digest)"
    """ SELECT i, 1764417600000 + i, 'tictactoe', '[["X","Ada"],["O","Wei"]]',"""
    """ '{"base":null,"increment":0,"per_move":null}',"""
    f" {WHO}, '{64 * 'd'}' FROM n",
    "INSERT INTO events SELECT i, m, 1764417600000 + 1000 * m, 'move', 'X', '{\"move\":\"5\"}'"
    " FROM n, (SELECT 1 AS m UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5) AS moves",
)


def fill(connection: Connection, games: int) -> None:
    """Create *games* games in an empty database with SQL of an earlier version."""
    upgrade(connection, "0000", REVISION)
    for statement in FILL:  # The driver of PostgreSQL is used directly, since the text has colons.
        connection.driver.execute(NUMBERS.format(games=games) + statement)


def seconds_to_open(url: str) -> float:
    """Return the time to open the database at *url*, in seconds."""
    began = time.perf_counter()
    with closing(open_database(url)):
        return time.perf_counter() - began


def main() -> None:
    """Print the time of the first opening and of the next one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--postgres", metavar="URL")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        url = options.postgres or f"sqlite:///{path}"
        if options.postgres:
            from noughts.arena.store.postgres import server_pool

            pool = server_pool({"conninfo": url})
        else:
            path.touch()
            pool = file_pool(path)
        with closing(pool), pool.transaction(writes=True) as connection:
            fill(connection, options.games)
        first, again = seconds_to_open(url), seconds_to_open(url)
        print(f"{options.games} games: {first:.1f} s to migrate and open, {again:.1f} s to open again")


if __name__ == "__main__":
    main()
