"""A process that sends a server as much costly work as possible from one address.

    python -m benchmarks.attackers PORT SECONDS CONNECTIONS

Each connection sends the next request as soon as the last is answered, and never the same board twice in a
row. At the end it prints the number of answers with each status, as JSON. ``server.py`` starts it.
"""

import asyncio
import json
import re
import sys
from collections import Counter
from itertools import count
from random import Random
from time import monotonic

ADDRESS = "127.0.0.2"
"""The source address of the requests: an address of this machine that no player has."""

PATIENCE = 60.0

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


def costly(chance: Random, number: int) -> tuple[str, str, str]:
    """Return a costly request: method, path and body. Its board depends on *chance* and *number*."""
    wide = chance.randint(60, 100)
    high = 10_000 // wide - number % 7
    spec = chance.choice(
        [f"{wide}x{high}:5", f"{wide}x{high}:6,wrap", "3x3x3x3x3x3x3x3", "25x50:5,wild,players=8"]
    )
    requested = {"game": spec, "moves": [str(n) for n in range(1, 3)] if "wild" not in spec else []}
    return chance.choice(
        [
            ("POST", "/api/explore", json.dumps(requested)),
            ("POST", "/api/explore", json.dumps(requested)),
            ("POST", "/api/explore/lines/50", json.dumps(requested)),
            ("POST", "/api/rooms", json.dumps({**requested, "name": "Eve"})),
            ("GET", f"/api/board?game={spec}", ""),
            ("GET", f"/api/build?game={spec}", ""),
            ("GET", f"/qr.svg?link=http://a/r/{number}", ""),
            ("GET", "/openapi.json", ""),
            ("GET", "/", ""),
        ]
    )


async def attack(port: int, end: float, numbers: "count[int]", answers: Counter[str]) -> None:
    """Send requests over one connection after the other until *end*."""
    chance = Random(next(numbers))
    while monotonic() < end:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0))
        except OSError:
            answers["not connected"] += 1
            await asyncio.sleep(0.1)
            continue
        try:
            while monotonic() < end:
                method, path, body = costly(chance, next(numbers))
                writer.write(
                    f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
                    f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
                )
                async with asyncio.timeout(PATIENCE):
                    head = await reader.readuntil(b"\r\n\r\n")
                    length = _LENGTH.search(head)
                    await reader.readexactly(int(length[1]) if length else 0)
                answers[head[9:12].decode()] += 1
        except (OSError, EOFError, TimeoutError) as error:
            answers[type(error).__name__] += 1
        finally:
            writer.close()


async def attack_all(port: int, seconds: float, connections: int) -> Counter[str]:
    """Send requests over *connections* connections at once. Return the number of answers by status."""
    answers, numbers, end = Counter[str](), count(1), monotonic() + seconds
    await asyncio.gather(*(attack(port, end, numbers, answers) for _ in range(connections)))
    return answers


if __name__ == "__main__":
    told = asyncio.run(attack_all(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
    print(json.dumps(told))
