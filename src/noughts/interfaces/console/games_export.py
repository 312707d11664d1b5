"""Export of saved games to a file: a table, or SGF.

Games are read and written one after another, so that a million of them need no more memory than one thousand.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.arena.events import MatchEnd
from noughts.arena.stored_game import moves_of, record_of
from noughts.errors import (
    DamagedStore,
    ExtraMissing,
    FileRefused,
    NotationError,
    NoughtsError,
    UnsupportedRules,
    system_reason,
)
from noughts.games.catalogue import game_names, new_game
from noughts.interfaces.console.tournament_export import harmless
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.records.files import atomic_writer, check_can_write
from noughts.records.sgf import format_sgf
from noughts.text import fold_name

if TYPE_CHECKING:
    from io import TextIOWrapper

    from noughts.arena.stored_game import StoredGame

Row = dict[str, Any]

CSV, JSONL, PARQUET, SGF = ENDINGS = (".csv", ".jsonl", ".parquet", ".sgf")

COLUMNS = {
    "id": "int64",
    "created": "timestamp",
    "origin": "string",
    "counted": "bool",
    "game": "string",
    "start": "string",
    "opening": "string",
    "sides": "string",
    "players": "string",
    "kinds": "string",
    "first": "string",
    "second": "string",
    "winner": "string",
    "winner_side": "string",
    "score": "double",
    "termination": "string",
    "plies": "int64",
    "seconds": "double",
    "moves": "string",
}
"""The columns in order, with their types in Parquet.

``docs/data.md`` explains them.
"""

SEPARATOR = " | "
"""The text between players, sides and kinds of one game."""

DAY = 24 * 60 * 60 * 1000

CHUNK = 5_000
"""The number of rows that are written to a Parquet file at a time."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The games that are exported.

    A condition that is None selects all games. ``game`` judges a name or spec.
    """

    game: Callable[[str], bool] | None = None
    player: str | None = None
    since: date | None = None
    until: date | None = None
    origin: str | None = None
    counted: bool | None = None
    termination: str | None = None

    def select(
        self, games: Iterable["StoredGame"], on_damage: Callable[[DamagedStore], object]
    ) -> Iterator["StoredGame"]:
        """Yield the selected ones of *games*.

        Damaged games are passed to *on_damage*.
        """
        for stored in games:
            try:
                is_selected = self.has(stored)
            except DamagedStore as damage:
                on_damage(damage)
            else:
                if is_selected:
                    yield stored

    def has(self, stored: "StoredGame") -> bool:
        """Return True if *stored* is selected. Raises DamagedStore if it can't be read."""
        setup, result = stored.setup, stored.result
        created = setup.created
        return (
            (self.game is None or self.game(setup.game))
            and (self.player is None or fold_name(self.player) in map(fold_name, setup.seats.values()))
            and (self.since is None or created >= _milliseconds(self.since))
            and (self.until is None or created < _milliseconds(self.until) + DAY)
            and (self.origin is None or self.origin == setup.origin)
            and (self.counted is None or self.counted == is_counted(stored))
            and (self.termination is None or (result is not None and result.termination == self.termination))
        )


def _milliseconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp()) * 1000


def is_counted(stored: "StoredGame") -> bool:
    """Return True if *stored* has a result that counts in the scores."""
    setup = stored.setup
    return stored.result is not None and setup.is_counted


def termination_codes() -> tuple[str, ...]:
    """Return the codes of how games end, by the rules of any game or otherwise."""
    codes = dict.fromkeys(("line", "full"))
    for name in game_names():
        with suppress(NoughtsError):  # A package that fails has no codes.
            codes |= dict.fromkeys(new_game(name).terminations)
    return (*codes, *MatchEnd)


def row_of(stored: "StoredGame") -> Row:
    """Return the row of *stored*, in the order of :data:`COLUMNS`. Raises DamagedStore if it is damaged."""
    setup, result, players = stored.setup, stored.result, stored.players
    moves = [text for text, _ in moves_of(stored)]
    names = list(players.values())
    scores: dict[str | None, float | None] = {
        None: None if result is None or result.loser is not None else 0.5
    }
    scores |= {side: 1.0 if side == next(iter(players)) else 0.0 for side in players}
    winner = None if result is None else result.winner
    created = datetime.fromtimestamp(setup.created / 1000, UTC) if setup.created else None
    values = (
        *(stored.id, created, setup.origin, is_counted(stored), setup.game, setup.start, setup.opening),
        *(SEPARATOR.join(players), SEPARATOR.join(names)),
        SEPARATOR.join(stored.kinds.get(side, "") for side in players),
        *(names[0], names[1] if len(names) > 1 else None),
        *(None if winner is None else players[winner], winner, scores[winner]),
        None if result is None else result.termination,
        len(moves),
        max(0, stored.events[-1].at - setup.created) / 1000 if stored.events and created else None,
        " ".join(moves),
    )
    return dict(zip(COLUMNS, values, strict=True))


def check_can_export_all(say: Translator, path: Path) -> None:
    """Check that *path* can be written: its ending, its folder, and the library that it needs."""
    if path.suffix.lower() not in ENDINGS:
        raise ReadableError(say("usage-export-tournament", choices=list(ENDINGS)))
    if path.suffix.lower() == PARQUET:
        _parquet()
    try:
        check_can_write(path)
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None


def export_all(
    say: Translator, games: Iterable["StoredGame"], path: Path, on_damage: Callable[[DamagedStore], object]
) -> int:
    """Write *games* to *path* in the format of its ending. Return the number of games.

    Damaged games are passed to *on_damage* and left out. Raises FileRefused, and ReadableError for a game
    that SGF can't express. The file is then unchanged.
    """
    ending, count = path.suffix.lower(), 0

    def each(convert: Callable[["StoredGame"], Any]) -> Iterator[Any]:
        nonlocal count
        for stored in games:
            try:
                converted = convert(stored)
            except DamagedStore as damage:
                on_damage(damage)
            except NotationError:  # The events do not belong to a game.
                on_damage(DamagedStore(f"game {stored.id}", "game-unreadable", game=stored.id))
            except UnsupportedRules:
                raise ReadableError(say("export-no-sgf", game=stored.setup.game, ending=JSONL)) from None
            else:
                count += 1
                yield converted

    try:
        with atomic_writer(path) as stream:
            if ending == SGF:
                stream.writelines(each(lambda stored: format_sgf(record_of(stored))))
            elif ending == PARQUET:
                _write_parquet(stream, each(row_of))
            elif ending == CSV:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(COLUMNS)
                writer.writerows(map(_cells, each(row_of)))
            else:
                stream.writelines(json.dumps(_plain(row), allow_nan=False) + "\n" for row in each(row_of))
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None
    return count


def _plain(row: Row) -> Row:
    created = row["created"]
    return {**row, "created": None if created is None else created.isoformat(timespec="milliseconds")}


def _cells(row: Row) -> list[Any]:
    return [harmless(value) if isinstance(value, str) else value for value in _plain(row).values()]


def _parquet() -> tuple[Any, Any]:
    """Return the modules that write Parquet. Raises ExtraMissing."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ExtraMissing(PARQUET, "data") from None
    return pyarrow, parquet


def _write_parquet(stream: "TextIOWrapper", rows: Iterator[Row]) -> None:
    arrow, parquet = _parquet()
    kinds = {"timestamp": arrow.timestamp("ms", tz="UTC"), "bool": arrow.bool_(), "double": arrow.float64()}
    kinds |= {"int64": arrow.int64(), "string": arrow.string()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    with parquet.ParquetWriter(stream.buffer, schema) as writer:
        while chunk := list(islice(rows, CHUNK)):
            writer.write_table(arrow.Table.from_pylist(chunk, schema=schema))
