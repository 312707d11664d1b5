"""Take files or memory from the server during play: ``python -m tests.faults.scarce --times 20``.

Strangers connect until the server can open no more files, or has no memory for their requests. Players can
continue or are refused, and no acknowledged move is lost. When there is enough again, strangers are accepted,
and all clients agree. A process without any memory may end, in Python itself or in its libraries. Then it is
started again.
"""

import argparse
import asyncio
import resource
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import httpx

from tests.databases import new_file, url_of
from tests.faults.audit import audit
from tests.faults.servers import CEILING, SeparateServer, separate_server
from tests.faults.spectators import memory_of
from tests.faults.traffic import traffic

PLAYED = 10
"""The number of commands that are acknowledged between two shortages."""

WANT_SECONDS = 2.0
"""The duration of a shortage in seconds."""

SPARE_FILES = 8
SPARE_MEMORY = 4 << 20
"""The memory in bytes that the server may use in addition to its present use."""

STRANGERS = 200
"""The number of strangers that hold connections and wait for files."""

LARGE, AT_ONCE = "100x100:5", 16
"""A board that needs much memory, and the number of strangers with one at the same time."""


@contextmanager
def _limited(server: SeparateServer, what: int, most: int) -> Iterator[None]:
    """Limit a resource of the server meanwhile."""
    before = resource.prlimit(server.process.pid, what)
    resource.prlimit(server.process.pid, what, (most, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(server.process.pid, what, before)


@asynccontextmanager
async def few_files(server: SeparateServer, answers: Counter[int]) -> AsyncIterator[None]:
    """Let strangers hold more connections than the server can open files for."""
    used = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
    strangers = list[socket.socket]()
    with _limited(server, resource.RLIMIT_NOFILE, used + SPARE_FILES):
        try:
            for _ in range(STRANGERS):
                strangers.append(socket.create_connection(("127.0.0.1", server.port)))
            yield
        finally:
            for stranger in strangers:
                stranger.close()


@asynccontextmanager
async def little_memory(server: SeparateServer, answers: Counter[int]) -> AsyncIterator[None]:
    """Let strangers open large boards, for which the server has no memory."""
    used = int(memory_of(server.process.pid, "VmData") * (1 << 20))
    with _limited(server, resource.RLIMIT_DATA, used + SPARE_MEMORY):
        async with httpx.AsyncClient(base_url=server.address, timeout=CEILING, verify=False) as client:
            strangers = [asyncio.create_task(_open_large(client, answers)) for _ in range(AT_ONCE)]
            try:
                yield
            finally:
                for stranger in strangers:
                    stranger.cancel()
                await asyncio.gather(*strangers, return_exceptions=True)


async def _open_large(client: httpx.AsyncClient, answers: Counter[int]) -> None:
    while True:
        with suppress(httpx.TransportError):
            command = {"game": LARGE, "opponent": "friend", "name": "Lin"}
            answer = await client.post("/api/rooms", json=command)
            answers[answer.status_code] += 1


KINDS: dict[str, Callable[[SeparateServer, Counter[int]], AbstractAsyncContextManager[None]]] = {
    "files": few_files,
    "memory": little_memory,
}


async def run_short(folder: Path, kind: str, times: int) -> str:
    """Make *kind* short for the server, *times* times, and return a report."""
    path, slowest, meanwhile, ended = new_file(folder / "games.db"), 0.0, 0, 0
    answers = Counter[int]()  # to strangers
    with separate_server(url_of(path), folder / "log") as server:
        server.start()
        await server.answering()
        async with traffic(server.address, seed=kind) as people:
            await people.seat(2)
            for _ in range(times):
                await people.acknowledge(PLAYED)
                before = people.acknowledged
                async with KINDS[kind](server, answers):
                    await asyncio.sleep(WANT_SECONDS)
                meanwhile += people.acknowledged - before
                if server.process.poll() is not None:
                    ended += 1
                    server.start()
                    await server.answering()
                slowest = max(slowest, await people.settle())
                await people.ask_again()
                await people.enter(2)
                people.goes_on.set()
            await people.settle()
            people.check()
            assert (await server.stop())[0] == 0
            audit(url_of(path), people)
            return (
                f"{times} times: {people.acknowledged} commands acknowledged, {meanwhile} of them meanwhile,"
                f" {people.refused} and {answers[503]} of strangers refused,"
                f" {answers[500]} not answered as they should be; the server ended {ended} times;"
                f" all agree {slowest:.2f} s after it at most"
            )


def main() -> int:
    """Run the full proof, or a given number of shortages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS))
    options = parser.parse_args()
    for kind in options.kinds:
        with tempfile.TemporaryDirectory(prefix="noughts-scarce-") as folder:
            began = time.monotonic()
            received = asyncio.run(run_short(Path(folder), kind, options.times))
            print(f"{kind}: {received}; {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
