"""A cache of the results of games, stored beside the games. It changes no answer.

A row has a seal over the result and the digest that the game had when it was counted. The row is valid as
long as the game has that digest. Without a valid row the game is read again. So the digest in the row of a
game is trusted. If a game was altered but not its digest, its old result counts, and the damage is reported
when the game itself is read. The table is created on the first write. It is not part of the schema: any
version of the program works without it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from hashlib import sha256

from noughts.arena.digest import canonical_json
from noughts.arena.series import Result
from noughts.arena.store.connections import Connection

FORM = 1
"""The version of the text of a result. Rows of other versions are ignored."""

_MAKE = (
    "CREATE TABLE IF NOT EXISTS results"
    " (game_id INTEGER NOT NULL, result TEXT NOT NULL, seal VARCHAR(64) NOT NULL, PRIMARY KEY (game_id))"
)
_REPLACE = "ON CONFLICT (game_id) DO UPDATE SET result = excluded.result, seal = excluded.seal"


def read_results(connection: Connection, digests: Mapping[int, str]) -> dict[int, Result | None]:
    """Return the cached results of the games with *digests*; None is the result of an unfinished game."""
    return {
        row["game_id"]: _read(row["result"])
        for row in connection.rows("SELECT game_id, result, seal FROM results")
        if row["seal"] == _seal(row["game_id"], digests.get(row["game_id"]), row["result"])
    }


def write_results(connection: Connection, counted: Iterable[tuple[int, str, Result | None]]) -> None:
    """Store *counted*: the number of each game, its digest and its result."""
    connection.change(_MAKE)
    texts = [(number, digest, _text(result)) for number, digest, result in counted]
    rows = [{"game_id": n, "result": text, "seal": _seal(n, digest, text)} for n, digest, text in texts]
    connection.insert("results", *rows, unless=_REPLACE)


def _seal(number: int, digest: str | None, text: str) -> str:
    return sha256(f"{FORM} {number} {digest} {text}".encode("utf-8", "replace")).hexdigest()


def _text(result: Result | None) -> str:
    return canonical_json(result and {**asdict(result), "seats": list(result.seats.items())})


def _read(text: str) -> Result | None:
    facts = json.loads(text)
    return facts and Result(**{**facts, "seats": dict(facts["seats"])})
