"""Fill the disk during play: ``python -m tests.faults.disk --levels 100`` (as root, on a small tmpfs too).

Without space for another move, moves are refused and never acknowledged, and saved games can be read. With
space again, play continues, and all acknowledged moves exist.
"""

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from typing import Protocol

from tests.databases import new_file, url_of
from tests.faults.audit import audit
from tests.faults.servers import CEILING, SeparateServer, separate_server
from tests.faults.traffic import Player, Traffic, traffic

MAX_LEFT = 12_288
"""The maximum number of bytes left on a full disk: some moves find space, then none does."""

PLAYED = 10
"""The number of commands that are acknowledged between two full disks."""


class Space(Protocol):
    """The free space of a disk."""

    def fill(self, server: SeparateServer, path: Path, left: int) -> None:
        """Leave *left* bytes."""

    def free(self, server: SeparateServer) -> None:
        """Restore the original free space."""


class LimitedFiles:
    """A limit of the process that stops all files at the size of the write-ahead log."""

    def fill(self, server: SeparateServer, path: Path, left: int) -> None:
        log = path.with_name(f"{path.name}-wal")
        self._limit(server, log.stat().st_size + left)

    def free(self, server: SeparateServer) -> None:
        self._limit(server, resource.RLIM_INFINITY)

    @staticmethod
    def _limit(server: SeparateServer, size: int) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class SmallDisk:
    """A small file system that is mostly full."""

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def fill(self, server: SeparateServer, path: Path, left: int) -> None:
        free = os.statvfs(path.parent)
        with self._ballast.open("ab") as ballast:
            ballast.write(bytes(max(0, free.f_bavail * free.f_frsize - left)))

    def free(self, server: SeparateServer) -> None:
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk() -> Iterator[Path]:
    """Mount a file system of four MiB in memory."""
    with tempfile.TemporaryDirectory(prefix="noughts-disk-") as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


async def fill_again_and_again(folder: Path, logs: Path, space: Space, levels: int, seed: object) -> str:
    """Play while the disk is filled *levels* times, and return a report."""
    chance, path, slowest = Random(f"levels {seed}"), new_file(folder / "games.db"), 0.0
    with separate_server(url_of(path), logs / "log") as server:
        server.start()
        await server.answering()
        async with traffic(server.address, seed=seed) as people:
            await people.seat(2)
            for _ in range(levels):
                await people.acknowledge(PLAYED)
                space.fill(server, path, chance.randrange(MAX_LEFT))
                await _until_refused(people)
                acknowledged = people.acknowledged
                for player in people.players:
                    await _check_reading(player)
                space.free(server)
                slowest = max(slowest, await people.settle())
                await people.ask_again()
                people.goes_on.set()
                assert people.acknowledged > acknowledged, "play goes on"
            await people.settle()
            people.check()
            assert (await server.stop())[0] == 0
            audit(url_of(path), people)
            return (
                f"{levels} levels, {people.acknowledged} commands acknowledged, {people.refused} refused;"
                f" all agree {slowest:.2f} s after there is room at most"
            )


async def _until_refused(people: Traffic) -> None:
    """Wait until all players are refused."""
    refused = people.refused
    async with asyncio.timeout(CEILING):
        while people.refused < refused + 2 * len(people.players):
            people.check()
            await asyncio.sleep(0.005)


async def _check_reading(player: Player) -> None:
    answer = await player.client.get(player.path, headers=player.proof)
    assert answer.status_code == 200, "what is there can be read"


def main() -> int:
    """Run the full proof, or a given number of levels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, default=100)
    levels = parser.parse_args().levels
    with tempfile.TemporaryDirectory(prefix="noughts-logs-") as logs:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="noughts-disk-") as folder:
            received = asyncio.run(fill_again_and_again(Path(folder), Path(logs), LimitedFiles(), levels, 0))
        print(f"files that cannot grow: {received}; {time.monotonic() - began:.0f} s", flush=True)
        if os.geteuid() == 0:
            disk: AbstractContextManager[Path] = small_disk()
            with disk as mounted:
                began = time.monotonic()
                received = asyncio.run(
                    fill_again_and_again(mounted, Path(logs), SmallDisk(mounted), levels, 1)
                )
            print(f"a full disk: {received}; {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
