"""Results of games as they were counted before, kept beside the games: a cache, which changes no answer.

A row is sealed together with the digest that its game had when it was read and counted. It is believed as
long as the game has that digest; otherwise, and where there is no row, the game is read again. So what is
trusted is the digest in the row of a game: where somebody has altered the game but not its digest, its
result counts as it was, and the damage is named when the game itself is read. The table is made when it is
first written to, and is no part of the schema: any version of the program does without it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from hashlib import sha256

from noughts.arena.digest import canonical_json
from noughts.arena.series import Result
from noughts.arena.store.connections import Connection

FORM = 1
"""The form of the text of a result; another one is not known here."""

_MAKE = (
    "CREATE TABLE IF NOT EXISTS results"
    " (game_id INTEGER NOT NULL, result TEXT NOT NULL, seal VARCHAR(64) NOT NULL, PRIMARY KEY (game_id))"
)
_REPLACE = "ON CONFLICT (game_id) DO UPDATE SET result = excluded.result, seal = excluded.seal"


def read_results(connection: Connection, digests: Mapping[int, str]) -> dict[int, Result | None]:
    """Of the games with *digests* those that were counted before; None for one that had not ended."""
    return {
        row["game_id"]: _read(row["result"])
        for row in connection.rows("SELECT game_id, result, seal FROM results")
        if row["seal"] == _seal(row["game_id"], digests.get(row["game_id"]), row["result"])
    }


def write_results(connection: Connection, counted: Iterable[tuple[int, str, Result | None]]) -> None:
    """Keep what was *counted*: the number of each game, its digest and its result."""
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
