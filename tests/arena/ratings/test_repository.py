"""Ratings in the database: each game counts once, and a rebuild gives the same table."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from random import Random

import pytest

from noughts.arena.clock import Clock
from noughts.arena.people.people import FORGOTTEN
from noughts.arena.ratings.glicko import DAY, NEW
from noughts.arena.ratings.models import UNRATED, Speed
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.setup import Setup
from noughts.arena.store.database import Database, open_database
from noughts.errors import DamagedStore
from tests.arena.ratings.rated_games import ADA, BOT, LIVE, OLGA, WEI, add_identity, count, play, tables_of
from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url"]  # fixtures


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    url = "sqlite://" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with closing(open_database(url)) as made:
        for number, name in ((ADA, "Ada"), (WEI, "Wei"), (OLGA, None), (BOT, "Bot")):
            add_identity(made, number, name)
        yield made


def test_game_is_counted_once(database: Database) -> None:
    stored = play(database, ADA, WEI, 0)
    assert count(database, stored, at=5)
    assert not count(database, stored, at=6)
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
        stored = play(database, ADA, two, 0, clock)
        assert not count(database, stored)
    running = database.load(database.add_game(Setup("gomoku", {"X": "key:1", "O": "key:2"}, clock=LIVE)))
    assert not count(database, running)
    assert RatingStore(database).played() == []


def test_speeds_have_ratings_of_their_own(database: Database) -> None:
    for clock in (LIVE, Clock(per_move=3 * DAY)):
        assert count(database, play(database, "level:4", ADA, 1, clock=clock))
    ratings = RatingStore(database).ratings_of_person(ADA)
    assert {speed: rating.wins for (_, speed), rating in ratings.items()} == {Speed.LIVE: 1, Speed.DAYS: 1}
    assert RatingStore(database).played() == [("gomoku", Speed.DAYS), ("gomoku", Speed.LIVE)]


def fill(database: Database, games: int) -> None:
    chance, players = Random("games"), list[int | str]((ADA, WEI, OLGA, BOT, "level:4"))
    for at in range(games):
        one, two = chance.sample(players, 2)
        stored = play(database, one, two, chance.choice((0, 1, None)))
        count(database, stored, at=at * DAY // 4 - at % 3)


def test_rebuild_gives_the_same_tables(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(database, 20)
    before = tables_of(database)
    assert len(before[0]) == 4
    with database.writing() as connection:
        connection.change("DELETE FROM ratings WHERE identity = 11")
        connection.change("UPDATE rating_changes SET rating = 3000")
    for chunk in (2000, 3):
        monkeypatch.setattr("noughts.arena.ratings.rating_repository.CHUNK", chunk)
        assert RatingStore(database).rebuild().ratings == 4
        assert tables_of(database) == before


def test_forgotten_person_leaves_the_ratings_of_others(database: Database) -> None:
    fill(database, 12)
    store = RatingStore(database)
    wei = store.ratings_of_person(WEI)
    with database.writing() as connection:
        for table, column in FORGOTTEN:
            connection.change(f"DELETE FROM {table} WHERE {column} = 11")
        connection.change("DELETE FROM identities WHERE number = 11")
    for _ in range(2):
        assert store.ratings_of_person(ADA) == {}
        assert store.history(ADA) == []
        assert store.ratings_of_person(WEI) == wei
        store.rebuild()


def test_altered_game_counts_for_nothing(database: Database) -> None:
    stored = play(database, ADA, WEI, 0)
    count(database, stored)
    count(database, play(database, ADA, WEI, 0))
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
        count(database, play(database, ADA, "level:4", number % 2), at=number)
        count(database, play(database, BOT, "level:4", number % 2), at=number)
    count(database, play(database, WEI, "level:4", 0), at=20)
    store = RatingStore(database)
    assert [(one.identity, one.name) for one in store.best("gomoku", Speed.LIVE, 100)] == [(ADA, "Ada")]
    assert [one.identity for one in store.best("gomoku", Speed.LIVE, 100, are_bots=True)] == [BOT]
    assert store.best("gomoku", Speed.LIVE, 1000 * DAY) == []
    assert store.best("gomoku", Speed.DAYS, 100) == []


def test_history_is_seen_from_one_player(database: Database) -> None:
    first = play(database, ADA, WEI, 1)
    count(database, first, at=7)
    second = play(database, "level:4", ADA, None)
    count(database, second, at=9)
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
