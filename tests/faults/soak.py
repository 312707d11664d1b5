"""Run half of the usual load for a long time: ``python -m tests.faults.soak --minutes 240``.

It measures the memory and the open files of the server every minute, and the growth of memory after the first
quarter. No command may fail, and the database is audited at the end.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import linear_regression

from benchmarks.server import audit
from benchmarks.visitors import Crowd

from tests.databases import new_file, url_of
from tests.faults.servers import separate_server
from tests.faults.spectators import memory_of

GAMES, RATE = 500, 150.0
"""The number of games, and of commands in a second."""

KINDS = ["tictactoe", "connect4", "gomoku"]
MINUTE = 60.0


async def soak(folder: Path, minutes: int, seconds: float = MINUTE, games: int = GAMES) -> str:
    """Play for *minutes*, possibly shorter ones, and return a report."""
    url = url_of(new_file(folder / "games.db"))
    memory, files = list[float](), list[int]()
    with separate_server(url, folder / "log") as server:
        server.start()
        await server.answering()
        crowd = Crowd("127.0.0.1", server.port)
        await crowd.open(KINDS, games)
        await crowd.listen()
        for _ in range(minutes):
            await crowd.connect(crowd.games)
            tally = await crowd.offer(RATE, seconds)
            assert not tally.troubles, tally.troubles
            memory.append(memory_of(server.process.pid, "VmRSS"))
            files.append(len(list(Path(f"/proc/{server.process.pid}/fd").iterdir())))
        crowd.leave()
        assert (await server.stop())[0] == 0
    books = audit(url, crowd)
    assert books["acknowledged lost"] == books["carried out twice"] == 0
    first = minutes // 4
    growth = linear_regression(range(first, minutes), memory[first:]).slope
    return (
        f"{minutes} minutes, {books['acknowledged']} commands: {memory[first]:.0f} MiB after a quarter of it,"
        f" {memory[-1]:.0f} at the end, {60 * growth:.1f} MiB more an hour; files {files[first]}, {files[-1]}"
    )


def main() -> int:
    """Run the full length, or a given number of minutes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=240)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="noughts-soak-") as folder:
        print(asyncio.run(soak(Path(folder), options.minutes)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
