"""Rated games for tests: people with keys, and short games between them."""

from typing import Any

from noughts.arena.clock import Clock
from noughts.arena.commands import Accept, Command, MakeMove, OfferDraw, Resign
from noughts.arena.events import Event
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.seat_names import seat_name
from noughts.arena.setup import LOCAL, ONLINE, Setup
from noughts.arena.store.database import Database
from noughts.arena.store.tables import identity_digest
from noughts.arena.stored_game import StoredGame

ADA, WEI, OLGA, BOT = 11, 2**49 - 1, 33, 44
LIVE = Clock(base=300_000)
REBUILT = ("ratings", "rating_changes")


def add_identity(database: Database, number: int, name: str | None) -> None:
    row = {
        "number": number,
        "key": f"key {number}",
        "name": name,
        "shape": name,
        "created": 0,
        "seen": 0,
        "is_bot": number == BOT,
        "digest": "",
    }
    with database.writing() as connection:
        connection.insert("identities", row)
        stored = connection.row("SELECT * FROM identities WHERE number = :number", number=number)
        assert stored is not None
        change = "UPDATE identities SET digest = :digest WHERE number = :number"
        connection.change(change, {"digest": identity_digest(stored), "number": number})


def play(
    database: Database,
    one: int | str,
    two: int | str,
    winner: int | None,
    clock: Clock = LIVE,
    origin: str = ONLINE,
) -> StoredGame:
    """Store a game that *winner* (0 or 1) has won, or a draw, and return it."""
    kinds = {"X": one, "O": two}
    setup = Setup(
        "gomoku",
        {side: seat_name(player) if isinstance(player, int) else player for side, player in kinds.items()},
        clock=clock,
        origin=origin,
        who={side: kind if isinstance(kind, str) else "human" for side, kind in kinds.items()},
    )
    match = setup.replay(())
    commands: list[tuple[str, Command]] = [("X", MakeMove((7, 7))), ("O", MakeMove((8, 8)))]
    commands += [("X", OfferDraw()), ("O", OfferDraw())] if winner is None else [("XO"[1 - winner], Resign())]
    events: list[Event] = []
    for side, command in commands:
        if isinstance(command, OfferDraw) and match.offer is not None:
            command = Accept()
        events += match.apply(side, command, 0)
    number = database.add_game(setup)
    database.append(number, events)
    return database.load(number)


def count(database: Database, stored: StoredGame, at: int = 0) -> bool:
    with database.writing() as connection:
        return RatingStore(database).count(connection, stored, at)


def tables_of(database: Database) -> list[list[tuple[Any, ...]]]:
    """Return the rows of the tables that a rebuild writes."""
    with database.reading() as connection:
        tables = [connection.rows(f"SELECT * FROM {name} ORDER BY 1, 2, 3") for name in REBUILT]
    return [[tuple(row[name] for name in row.keys()) for row in rows] for rows in tables]  # noqa: SIM118


def rate_people(database: Database, at: int) -> list[int]:
    """Add games of Ada against a computer, a bot, Olga and Wei, and return their numbers.

    Olga has no name any more. All games are public except the last one, against Wei.
    """
    for number, name in ((ADA, "Ada"), (WEI, "Wei"), (OLGA, None), (BOT, "Robot")):
        add_identity(database, number, name)
    games: list[tuple[int | str, int | str, int | None]] = []
    games += [(ADA, "level:4", number % 2) for number in range(20)]
    games += [(BOT, "level:4", number % 2) for number in range(20)]
    games += [(ADA, BOT, 0), (OLGA, ADA, None), (ADA, WEI, 0)]
    played = [play(database, *game, origin=LOCAL) for game in games]  # in no other list
    for stored in played:
        count(database, stored, at)
    with database.writing() as connection:
        public = [{"id": stored.id} for stored in played[:-1]]
        connection.change("UPDATE games SET visibility = 'public' WHERE id = :id", *public)
    return [stored.id for stored in played]
