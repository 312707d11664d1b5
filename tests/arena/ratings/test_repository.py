"""Ratings in the database: each game counts once, and a rebuild gives the same table."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import Accept, Command, MakeMove, OfferDraw, Resign
from noughts.arena.events import Event
from noughts.arena.ratings.glicko import DAY, NEW
from noughts.arena.ratings.models import UNRATED, Speed
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.setup import Setup
from noughts.arena.store.database import Database, open_database
from noughts.arena.stored_game import StoredGame
from noughts.errors import DamagedStore
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]  # fixtures

ADA, WEI, OLGA, BOT = 11, 2**52, 33, 44
LIVE = Clock(base=300_000)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    url = "sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with closing(open_database(url)) as made:
        for number, name in ((ADA, "Ada"), (WEI, "Wei"), (OLGA, None), (BOT, "Bot")):
            add_identity(made, number, name)
        yield made


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


def play(
    database: Database,
    one: int | str,
    two: int | str,
    winner: int | None,
    clock: Clock = LIVE,
) -> tuple[StoredGame, dict[str, int]]:
    """Store a game that *winner* (0 or 1) has won, or a draw, and return it with its people."""
    kinds = {"X": one, "O": two}
    setup = Setup(
        "gomoku",
        {side: str(player) for side, player in kinds.items()},
        clock=clock,
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
    return database.load(number), {side: kind for side, kind in kinds.items() if isinstance(kind, int)}


def count(database: Database, stored: StoredGame, people: dict[str, int], at: int = 0) -> bool:
    with database.writing() as connection:
        return RatingStore(database).count(connection, stored, people, at)


def test_game_is_counted_once(database: Database) -> None:
    stored, people = play(database, ADA, WEI, 0)
    assert count(database, stored, people, at=5)
    assert not count(database, stored, people, at=6)
    ratings = RatingStore(database).ratings_of((ADA, WEI, OLGA), "gomoku", Speed.LIVE)
    assert (ratings[ADA].wins, ratings[WEI].losses, ratings[OLGA]) == (1, 1, UNRATED)
    changes = RatingStore(database).changes_in(stored.id)
    assert changes[ADA] == (NEW, replace(ratings[ADA].rating, volatility=NEW.volatility))
    assert RatingStore(database).changes_in(99) == {}


def test_uncounted_games_change_nothing(database: Database) -> None:
    for two, clock in (
        (ADA, LIVE),  # against the own key
        ("human", LIVE),  # against a guest
        (WEI, Clock()),
    ):
        stored, people = play(database, ADA, two, 0, clock)
        assert not count(database, stored, people)
    running = database.load(database.add_game(Setup("gomoku", {"X": "Ada", "O": "Wei"}, clock=LIVE)))
    assert not count(database, running, {"X": ADA, "O": WEI})
    assert RatingStore(database).played() == []


def test_speeds_have_ratings_of_their_own(database: Database) -> None:
    for clock in (LIVE, Clock(per_move=3 * DAY)):
        assert count(database, *play(database, "level:4", ADA, 1, clock=clock))
    ratings = RatingStore(database).ratings_of_person(ADA)
    assert {speed: rating.wins for (_, speed), rating in ratings.items()} == {Speed.LIVE: 1, Speed.DAYS: 1}
    assert RatingStore(database).played() == [("gomoku", Speed.DAYS), ("gomoku", Speed.LIVE)]


def fill(database: Database, games: int) -> None:
    chance, players = Random("games"), list[int | str]((ADA, WEI, OLGA, BOT, "level:4"))
    for at in range(games):
        one, two = chance.sample(players, 2)
        stored, people = play(database, one, two, chance.choice((0, 1, None)))
        count(database, stored, people, at=at * DAY // 4 - at % 3)


def everything(database: Database) -> list[list[tuple[Any, ...]]]:
    with database.reading() as connection:
        tables = [connection.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in TABLES]
    return [[tuple(row[name] for name in row.keys()) for row in rows] for rows in tables]  # noqa: SIM118


TABLES = ("ratings", "rating_changes")


def test_rebuild_gives_the_same_tables(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(database, 20)
    before = everything(database)
    assert len(before[0]) == 4
    with database.writing() as connection:
        connection.change("DELETE FROM ratings WHERE identity = 11")
        connection.change("UPDATE rating_changes SET rating = 3000")
    for chunk in (2000, 3):
        monkeypatch.setattr("noughts.arena.ratings.rating_repository.CHUNK", chunk)
        assert RatingStore(database).rebuild().ratings == 4
        assert everything(database) == before


def test_forgotten_person_leaves_the_ratings_of_others(database: Database) -> None:
    fill(database, 12)
    store = RatingStore(database)
    wei = store.ratings_of_person(WEI)
    with database.writing() as connection:
        store.forget(connection, ADA)
        connection.change("DELETE FROM identities WHERE number = 11")
    for _ in range(2):
        assert store.ratings_of_person(ADA) == {}
        assert store.history(ADA) == []
        assert store.ratings_of_person(WEI) == wei
        store.rebuild()


def test_altered_game_counts_for_nothing(database: Database) -> None:
    stored, people = play(database, ADA, WEI, 0)
    count(database, stored, people)
    count(database, *play(database, ADA, WEI, 0))
    for change in (
        "UPDATE rated_games SET half_points = 0 WHERE number = 1",
        "UPDATE rated_games SET players = '[]' WHERE number = 1",
    ):
        with database.writing() as connection:
            connection.change(change)
        with pytest.raises(DamagedStore, match="altered"):
            RatingStore(database).rebuild()
        damage: list[DamagedStore] = []
        assert RatingStore(database).rebuild(damage.append).games == 1
        assert [error.data["game"] for error in damage] == [stored.id]


def test_best_are_people_with_sure_ratings(database: Database) -> None:
    for number in range(16):
        count(database, *play(database, ADA, "level:4", number % 2), at=number)
        count(database, *play(database, BOT, "level:4", number % 2), at=number)
    count(database, *play(database, WEI, "level:4", 0), at=20)
    store = RatingStore(database)
    assert [(one.identity, one.name) for one in store.best("gomoku", Speed.LIVE, 100)] == [(ADA, "Ada")]
    assert [one.identity for one in store.best("gomoku", Speed.LIVE, 100, are_bots=True)] == [BOT]
    assert store.best("gomoku", Speed.LIVE, 1000 * DAY) == []
    assert store.best("gomoku", Speed.DAYS, 100) == []


def test_history_is_seen_from_one_player(database: Database) -> None:
    first, people = play(database, ADA, WEI, 1)
    count(database, first, people, at=7)
    second, people = play(database, "level:4", ADA, None)
    count(database, second, people, at=9)
    new, old = RatingStore(database).history(ADA)
    assert (old.game_id, old.opponent, old.points, old.before, old.is_public) == (
        first.id,
        WEI,
        0,
        NEW,
        False,
    )
    assert (new.game_id, new.opponent, new.points, new.at) == (second.id, "level:4", 0.5, 9)
    assert new.before.value == old.after.value
    store = RatingStore(database)
    assert store.history(ADA, before=new.number, count=5) == [old]
    assert store.history(ADA, "gomoku", Speed.DAYS) == []
