"""An audit: the content of the database compared with the answers that people got."""

from collections import Counter, defaultdict
from contextlib import closing

from noughts.arena.events import EventKind
from noughts.arena.rooms.room import Room
from noughts.arena.rooms.room_repository import KnownRooms, RoomStore
from noughts.arena.store.database import Database, open_database
from noughts.arena.stored_game import StoredGame
from tests.faults.traffic import Asked, Traffic


def audit(url: str, traffic: Traffic) -> None:
    """Check that acknowledged commands exist once and in order, refused ones do not, and scores are right.

    An unanswered command may exist or not, but only once. No server may write during the audit.
    """
    with closing(open_database(url)) as store:
        by_series = defaultdict[int | None, list[StoredGame]](list)
        for stored in store.games():  # reading checks the digests
            by_series[stored.setup.series].append(stored)
            _check_game(stored)
        with store.reading() as connection:
            saved = RoomStore(store)
            names = connection.column("SELECT name FROM rooms")
            rooms = {name: saved.read(connection, name, KnownRooms()) for name in names}
            keys = defaultdict[str, dict[tuple[int, str], int]](dict)
            for row in connection.rows("SELECT * FROM room_keys"):
                keys[row["room"]][row["place"], row["key"]] = row["version"]
        for entered in traffic.entered:
            assert rooms[entered.room].place_of(entered.token) == entered.place, "a seat is kept"
        command = defaultdict[str, list[Asked]](list)
        for each in traffic.asked:
            command[each.room].append(each)
        for name, room in rooms.items():
            number = room.table.series_number
            games = [] if number is None else by_series[number]
            _check_commands(command[name], keys[name], games, room.version)
            _check_scores(room, games)


def check_file(store: Database) -> None:
    """Check that SQLite itself finds no damage in the file."""
    with store.reading() as connection:
        assert connection.column("PRAGMA integrity_check") == ["ok"]


def _check_game(stored: StoredGame) -> None:
    versions = [event.version for event in stored.events]
    assert versions == list(range(1, len(versions) + 1)), "versions have no gaps"
    outcome = stored.replay().outcome  # raises an error for illegal moves
    assert (outcome is None) == (stored.result is None), "a game that is over has its end"


def _check_commands(
    command: list[Asked], saved: dict[tuple[int, str], int], games: list[StoredGame], newest: int
) -> None:
    known = {(each.place, each.key): each for each in command}
    assert set(saved) <= set(known), "nothing that nobody asked for"
    assert len(set(saved.values())) == len(saved), "each command made a version of its own"
    assert all(0 < version <= newest for version in saved.values())
    for name, each in known.items():
        if each.is_refused:
            assert name not in saved, "what was refused was not done"
        elif each.version is not None:
            assert saved[name] == each.version, "what was acknowledged was done, once"
    in_order = [known[name].move for name, _ in sorted(saved.items(), key=lambda item: item[1])]
    played = [event.data["move"] for game in games for event in game.events if event.kind is EventKind.MOVE]
    assert played == [move for move in in_order if move is not None], "each move is an event, in its place"


def _check_scores(room: Room, games: list[StoredGame]) -> None:
    """Check that the score of the series equals a recount by the rules."""
    wins, draws, ended = Counter[str](), 0, 0
    for stored in games:
        outcome = stored.replay().outcome
        if outcome is not None:
            ended += 1
            draws += outcome.winner is None
            wins.update([stored.setup.seats[outcome.winner]] if outcome.winner else [])
    assert len(room.table.series.results) == ended
    if None in room.facts.seats:
        return
    for score in room.scores:
        assert (score.wins, score.draws) == (wins[score.name], draws)
        assert score.wins + score.draws + score.losses == ended
