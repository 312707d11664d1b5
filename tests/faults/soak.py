"""Half of the usual load for a long time: ``python -m tests.faults.soak --minutes 240``.

Measured are the memory of the server and the files that it has open, every minute, and how fast the memory
grows once the first quarter is over; no command may fail, and the books are checked at the end.
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
from tests.faults.servers import own
from tests.faults.spectators import memory_of

GAMES, RATE = 500, 150.0
"""So many games, at which so many commands are given in a second."""

KINDS = ["tictactoe", "connect4", "gomoku"]
MINUTE = 60.0


async def soak(folder: Path, minutes: int, seconds: float = MINUTE, games: int = GAMES) -> str:
    """Play for so many *minutes*, or shorter ones; what was seen."""
    url = url_of(new_file(folder / "games.db"))
    memory, files = list[float](), list[int]()
    with own(url, folder / "log") as server:
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
    """The full length, or as many minutes as are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=240)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="noughts-soak-") as folder:
        print(asyncio.run(soak(Path(folder), asked.minutes)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
