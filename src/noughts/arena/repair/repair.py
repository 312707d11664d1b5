"""Saving the intact part of a damaged file to a new one.

A game is intact if its digest matches. Only the game itself can produce it, so no game is saved that was not
played. Rows that SQLite cannot read are skipped one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from noughts.arena.digest import digest_events, first_digest
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.repair.damaged_file import (
    UNREADABLE,
    check_ours,
    describe_tables,
    is_damaged,
    is_described,
    readable,
    repair_names,
)
from noughts.arena.repair.people_rows import PEOPLE_TOURNAMENTS, intact_people_tournaments
from noughts.arena.repair.plain_rows import (
    LOGIN,
    PLAIN,
    WITH_GAMES,
    PlainTable,
    References,
    seated_people,
    without_gaps,
)
from noughts.arena.setup import TOURNAMENT
from noughts.arena.store.connections import Connection, Pool
from noughts.arena.store.database import Database, translated_errors
from noughts.arena.store.reshaping import reshape_names
from noughts.arena.store.revisions import FIRST_TABLES, bring_up_to_date
from noughts.arena.store.sqlite_file import copied, create, memory_pool
from noughts.arena.store.tables import (
    OLD_FORM,
    device_digest,
    event_row,
    game_row,
    identity_digest,
    identity_rows,
    is_intact,
    pairing_digest,
    rated_digest,
    series_digest,
    tournament_digest,
)
from noughts.arena.stored_game import PUBLIC, StoredGame
from noughts.errors import DamagedStore, FileRefused

Rows = list[dict[str, Any]]

_EVENTS = "SELECT * FROM events WHERE game_id = :id ORDER BY version"


@dataclass(frozen=True, slots=True)
class RepairReport:
    """The numbers of games and series that were saved, and the ids of lost games, series and tournaments.

    ``lost_pairings`` are the ids of saved games of tournaments without their places in the tournaments.
    ``lost_rows`` are the numbers of damaged rows in other tables, by table.
    """

    games: int
    series: int
    lost_games: tuple[int, ...] = ()
    lost_series: tuple[int, ...] = ()
    lost_tournaments: tuple[int, ...] = ()
    lost_pairings: tuple[int, ...] = ()
    lost_rows: tuple[tuple[str, int], ...] = ()


def repair(old: Path, new: Path) -> RepairReport:
    """Save the intact part of the file *old* to the file *new*, which is not created if nothing is intact.

    Numbers do not change. A game of a lost series is saved without a series. Nothing is written to *old*.
    Raises :class:`~noughts.errors.FileRefused` if *new* exists, or has no folder. Raises
    :class:`~noughts.errors.StoreError` if one of the files cannot be used: *old* is not a file, or it belongs
    to a newer version or another program.
    """
    if new.exists() or not new.parent.is_dir():
        raise FileRefused(str(new), "exists" if new.exists() else "not-there")
    with translated_errors(str(old)):
        intact = _find_intact(old)
    rows, lost_rows = _with_known(intact)
    is_empty = not (intact.games or intact.series or intact.tournaments or intact.people)
    if not is_empty or rows["people_tournaments"] or rows["rooms"]:
        with translated_errors(str(new)):
            create(new, lambda pool: _write(pool, str(new), intact, rows))
    paired = {row["game_id"] for row in intact.pairings}
    alone = [game.id for game in intact.games if game.setup.origin == TOURNAMENT and game.id not in paired]
    return RepairReport(
        len(intact.games),
        len(intact.series),
        tuple(sorted(intact.lost_games)),
        tuple(sorted(intact.lost_series)),
        tuple(sorted(intact.lost_tournaments)),
        tuple(alone),
        tuple(sorted(lost_rows.items())),
    )


@dataclass(slots=True)
class _Found:
    """The intact games, series, tournaments and pairings of a file, and the ids of lost ones.

    ``plain`` are the valid rows of other tables, and ``damaged`` counts their damaged rows.
    """

    games: list[StoredGame]
    series: dict[int, dict[str, Any]]
    tournaments: Rows
    pairings: Rows
    people: Rows
    devices: Rows
    rated: Rows
    lost_games: set[int]
    lost_series: set[int]
    lost_tournaments: set[int]
    plain: dict[str, Rows]
    damaged: Counter[str]

    @property
    def amount(self) -> tuple[int, ...]:
        """The numbers of intact rows, for comparison."""
        tournaments = len(self.tournaments), len(self.pairings)
        people = len(self.people), len(self.devices), len(self.rated)
        return len(self.games), len(self.series), *tournaments, *people

    def add(self, other: "_Found") -> None:
        """Add the lost ids, and the rows of other tables, that only *other* has found.

        Lost ids are meaningful only if a row of the same table is intact.
        """
        if other.games:
            self.lost_games |= other.lost_games - {game.id for game in self.games}
        if other.series:
            self.lost_series |= other.lost_series - {*self.series}
        if other.tournaments:
            self.lost_tournaments |= other.lost_tournaments - {row["id"] for row in self.tournaments}
        for tables in (*((table,) for table in PLAIN), PEOPLE_TOURNAMENTS):
            if len(other.plain[tables[0]]) > len(self.plain[tables[0]]):
                for table in tables:
                    self.plain[table], self.damaged[table] = other.plain[table], other.damaged[table]


def _find_intact(old: Path) -> _Found:
    """Find the intact rows of the file *old*. For a damaged file, also try without its schema."""
    saved = WITH_GAMES.union(PLAIN)
    with copied(old) as (copy, pool):
        damaged = Database(pool, str(old))
        with damaged.connect() as connection:
            check_ours(connection, str(old))
            has_damage = is_damaged(connection)
            repair_names(connection)
            # Intact files of old revisions lack tables.
            needed = saved if has_damage else FIRST_TABLES
            describe_tables(connection, copy, [one for one in needed if not is_described(connection, one)])
            first = _read_intact(damaged, connection)
    if not (has_damage or first.lost_games or first.lost_series or first.lost_tournaments or first.damaged):
        return first
    with copied(old, is_description_lost=True) as (copy, pool):
        damaged = Database(pool, str(old))
        with damaged.connect() as connection:
            describe_tables(connection, copy, saved)
            second = _read_intact(damaged, connection)
    better, other = (second, first) if second.amount > first.amount else (first, second)
    better.add(other)
    return better


def _read_intact(damaged: Database, connection: Connection) -> _Found:
    """Read the intact rows of the tables in the schema."""
    counts = Counter[str]()
    series, lost_series = _intact_series(damaged, connection)
    games, lost_games = _intact_games(damaged, connection)
    tournaments, lost_tournaments = _intact_tournaments(connection)
    pairings = _intact_pairings(connection, tournaments, games)
    lost_series |= {game.setup.series for game in games if game.setup.series is not None} - {*series}
    people, devices = _intact_people(connection, counts)
    lost = lost_games, lost_series, lost_tournaments
    rated = _intact_rated(connection, games, counts)
    plain = _valid_rows(connection, counts) | intact_people_tournaments(connection, counts)
    return _Found(games, series, tournaments, pairings, people, devices, rated, *lost, plain, counts)


def _valid_rows(connection: Connection, counts: Counter[str]) -> dict[str, Rows]:
    """Return the valid rows of the plain tables. Add the numbers of the others to *counts*."""
    with closing(memory_pool()) as pool:
        bring_up_to_date(pool, "")
        with pool.alone() as new:
            tables = {name: PlainTable.of(new, name) for name in PLAIN}
    valid: dict[str, Rows] = {name: [] for name in PLAIN}
    for name, table in tables.items():
        for row in readable(connection, name, "rowid"):
            if not table.is_valid(row):
                counts[name] += 1
            elif row.get("name") != LOGIN or name != "server_secrets":
                valid[name].append(row)
    return valid


def _with_known(intact: _Found) -> tuple[dict[str, Rows], Counter[str]]:
    """Return the plain rows with saved people and games, and the numbers of lost rows."""
    references = References(
        {row["number"] for row in intact.people},
        {row["number"] for row in intact.devices},
        {game.id for game in intact.games},
        intact.series.keys(),
        {row["id"] for row in intact.plain["people_tournaments"]},
    )
    lost, saved = Counter(intact.damaged), dict[str, Rows]()
    for table, rows in intact.plain.items():
        checked = [references.checked(table, row) for row in rows]
        saved[table] = [row for row in checked if row is not None]
        lost[table] += len(rows) - len(saved[table])
    saved["room_pauses"] = without_gaps(saved["room_pauses"])
    return saved, +lost


def _intact_series(damaged: Database, connection: Connection) -> tuple[dict[int, dict[str, Any]], set[int]]:
    """Return the intact rows of series by number, and the numbers of damaged ones."""
    intact, lost = dict[int, dict[str, Any]](), set[int]()
    for row in readable(connection, "series", "id"):
        try:
            intact[row["id"]] = dict(damaged.checked_series(row))
        except DamagedStore:
            lost.add(row["id"])
    return intact, lost


def _intact_games(damaged: Database, connection: Connection) -> tuple[list[StoredGame], set[int]]:
    """Return the intact games, and the numbers of lost ones."""
    intact, numbers = (
        list[StoredGame](),
        {row["game_id"] for row in readable(connection, "events", "game_id")},
    )
    for row in readable(connection, "games", "id"):
        numbers.add(row["id"])
        row = {
            "opening": None,
            "visibility": None,
            "link": None,
            "form": OLD_FORM,
            **row,
        }  # Rows of old versions lack the first columns.
        try:
            rows = [{**row, **dict(event)} for event in connection.rows(_EVENTS, id=row["id"])]
            intact.append(damaged.read_game(rows or [{**row, "version": None}]))
        except (DamagedStore, *UNREADABLE):
            continue
    # Games are never deleted: each number up to the newest had a game, even without an event. A number far
    # beyond the others comes from damage.
    newest = max((game.id for game in intact), default=0)
    for number in sorted(numbers):
        if newest < number <= newest + len(numbers):
            newest = number
    numbers.update(range(1, newest))
    return intact, numbers.difference(game.id for game in intact)


def _intact_tournaments(connection: Connection) -> tuple[Rows, set[int]]:
    """Return the intact rows of tournaments, and the numbers of lost ones."""
    rows = list(readable(connection, "tournaments", "id"))
    intact = [row for row in rows if is_intact(row, tournament_digest)]
    numbers = {row["id"] for row in rows}
    numbers.update(row["tournament_id"] for row in readable(connection, "tournament_games", "tournament_id"))
    return intact, numbers.difference(row["id"] for row in intact)


def _intact_pairings(
    connection: Connection, tournaments: Iterable[Mapping[str, Any]], games: Iterable[StoredGame]
) -> Rows:
    """Return the intact rows that link *games* to *tournaments*."""
    digests, pairings = {game.id: game.digest for game in games}, Rows()
    for tournament in tournaments:
        for row in readable(connection, "tournament_games", "number", f"tournament_id = {tournament['id']}"):
            digest = digests.get(row["game_id"])
            if digest is not None and row["digest"] == pairing_digest(row, digest):
                pairings.append(row)
    return pairings


def _intact_people(connection: Connection, damaged: Counter[str]) -> tuple[Rows, Rows]:
    """Return the intact rows of people with keys, and of their devices. Count the others."""
    people = _intact(connection, "identities", identity_digest, damaged)
    numbers = {row["number"] for row in people}
    devices = _intact(connection, "devices", device_digest, damaged)
    return people, [row for row in devices if row["identity"] in numbers]


def _intact_rated(connection: Connection, games: Iterable[StoredGame], damaged: Counter[str]) -> Rows:
    """Return the intact rows of rated games among *games*. Count the others."""
    digests = {game.id: game.digest for game in games}
    return _intact(connection, "rated_games", lambda row: rated_digest(row, digests[row["game_id"]]), damaged)


def _intact(connection: Connection, table: str, digest: Callable[[Any], str], damaged: Counter[str]) -> Rows:
    """Return the rows of *table* with the *digest* of their content. Count the others."""
    rows = [*readable(connection, table, "rowid")]
    intact = [row for row in rows if is_intact(row, digest)]
    damaged[table] += len(rows) - len(intact)
    return intact


def _write(pool: Pool, where: str, intact: _Found, others: Mapping[str, Rows]) -> None:
    """Fill the new database behind *pool* with the *intact* rows, and those of *others* by table."""
    bring_up_to_date(pool, where)
    counts = Counter(game.setup.series for game in intact.games)
    games = [game if game.setup.series in intact.series else _on_its_own(game) for game in intact.games]
    counted = [{**row, "games": counts[number]} for number, row in intact.series.items()]
    with pool.transaction(writes=True) as connection:
        connection.insert("series", *({**row, "digest": series_digest(row)} for row in counted))
        connection.insert("games", *map(_row_of, games))
        connection.insert("events", *(event_row(game.id, event) for game in games for event in game.events))
        # The seats say it, so no row of this table is read.
        rows = [row for game in games for row in identity_rows(game.id, game.setup)]
        connection.insert("game_identities", *rows)
        connection.insert("identities", *intact.people)
        connection.insert("devices", *intact.devices)
        # The digest of a game without its series has changed.
        digests = {game.id: game.digest for game in games}
        rated = [{**row, "digest": rated_digest(row, digests[row["game_id"]])} for row in intact.rated]
        connection.insert("rated_games", *rated)
        if rated:
            change = "UPDATE game_identities SET rated = TRUE WHERE game_id = :game_id"
            connection.change(change, *({"game_id": row["game_id"]} for row in rated))
        connection.insert("tournaments", *intact.tournaments)
        connection.insert("tournament_games", *intact.pairings)
        for table in (*PEOPLE_TOURNAMENTS, *PLAIN):
            connection.insert(table, *others[table], unless="ON CONFLICT DO NOTHING")
        known = {row["number"] for row in intact.people}
        seated = [(number, row["name"]) for row in others["rooms"] for number in seated_people(row) & known]
        connection.insert("room_people", *({"identity": number, "room": room} for number, room in seated))
        reshape_names(connection)  # The rows may be of an old revision.
    RatingStore(Database(pool, where)).rebuild()


def _row_of(game: StoredGame) -> dict[str, Any]:
    """Return the row of *game*, with its visibility if it could be read."""
    row, access = {"id": game.id, **game_row(game.setup), "digest": game.digest}, game.access
    return {**row, "link": access.link, **({"visibility": PUBLIC} if access.is_public else {})}


def _on_its_own(game: StoredGame) -> StoredGame:
    """Return *game* without its series."""
    setup = replace(game.setup, series=None)
    return replace(game, setup=setup, digest=digest_events(first_digest(game.id, setup), game.events))
