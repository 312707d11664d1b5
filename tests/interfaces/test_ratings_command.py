"""The command ``ratings`` lists the best players of each game, and rebuilds their ratings."""

import json
from contextlib import closing

from noughts.arena.store.database import open_database
from tests.arena.ratings.rated_games import ADA, BOT, WEI, add_identity, count, play
from tests.databases import url_of
from tests.interfaces.harness import EN, Program


def test_ratings_are_listed_by_game(program: Program) -> None:
    assert program.run("ratings").lines == [EN("no-ratings")]
    with closing(open_database(url_of(program.database))) as database:
        for number, name in ((ADA, "Ada"), (WEI, None), (BOT, "Bot")):
            add_identity(database, number, name)
            for lost in range(16):
                count(database, play(database, number, "level:4", lost % 2), at=lost)
        with database.writing() as connection:
            connection.change("UPDATE ratings SET at = 4000000000000, deviation = 80")
    heading, columns, _, first, *_ = program.run("ratings", "--game", "gomoku").lines
    assert heading == "Gomoku, live"
    assert columns.split() == ["Place", "Player", "Rating", "±", "Games", "Wins", "Draws", "Losses"]
    assert first.split()[0] == "1"
    assert EN("former-player") in program.run("ratings").output
    (bots,) = json.loads(program.run("ratings", "--bots", "--json").output)["ratings"]
    assert (bots["speed"], [one["name"] for one in bots["players"]]) == ("live", ["Bot"])
    assert program.run("ratings", "--speed", "days").lines == [EN("no-ratings")]
    assert program.run("ratings", "--game", "connect4").lines == [EN("no-ratings")]


def test_ratings_can_be_rebuilt(program: Program) -> None:
    with closing(open_database(url_of(program.database))) as database:
        add_identity(database, ADA, "Ada")
        for _ in range(2):
            count(database, play(database, ADA, "level:4", 0))
    assert program.run("ratings", "rebuild").lines == [EN.plural("ratings-rebuilt", 2)]
    assert json.loads(program.run("ratings", "rebuild", "--json").output) == {"games": 2, "ratings": 1}
    with closing(open_database(url_of(program.database))) as database, database.writing() as connection:
        connection.change("UPDATE rated_games SET half_points = 1 WHERE number = 1")
    ran = program.run("ratings", "rebuild")
    assert (ran.status, ran.lines) == (1, [EN.plural("ratings-rebuilt", 1)])
    assert EN("repair-offered") in ran.errors
