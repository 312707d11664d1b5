"""Pages of tournaments: the list, how one stands as it goes on, and its games, looked back at like others."""

import re

import pytest

from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.routes import tournaments
from tests.arena.tournament.stand_ins import ROUND, TWO, begin, hold
from tests.interfaces.harness import SAY
from tests.interfaces.web.harness import House, served


@pytest.mark.parametrize("language", LANGUAGES)
@served
async def test_tournaments_are_listed_and_shown_as_they_go_on(house: House, language: str) -> None:
    guest, say = house.guest(), SAY[language]
    asked = {"accept-language": language}
    empty = (await guest.get("/tournaments", headers=asked)).text
    assert say("web-no-tournaments") in empty
    tournament = begin(ROUND, house.service.database)
    hold(tournament, most=4)
    listed = (await guest.get("/tournaments", headers=asked)).text
    assert f'<a href="/tournament/{tournament.number}">' in listed
    assert say("progress-tournament", done=4, count=12) in listed
    shown = (await guest.get(f"/tournament/{tournament.number}", headers=asked)).text
    assert say("progress-tournament", done=4, count=12) in shown
    assert say("column-wins") in shown
    assert not re.search(r">\s*web-[a-z-]+\s*<", shown)
    hold(tournament)
    shown = (await guest.get(f"/tournament/{tournament.number}", headers=asked)).text
    assert say("progress-tournament", done=12, count=12) in shown
    assert re.findall(r'href="/g/(\d+)"', shown) == [str(number) for number in range(12, 0, -1)]
    game = (await guest.get("/api/games/1", headers=asked)).json()
    assert [player["name"] for player in game["players"]] == ["Rule", "Random"]


@served
async def test_tournaments_that_are_not_there(house: House) -> None:
    guest = house.guest()
    for number in ("1", "0", "9999999999"):
        assert (await guest.get(f"/tournament/{number}")).status_code == 404
    assert (await guest.get("/tournament/one")).status_code == 404


@served
async def test_what_was_altered_is_told_and_hides_nothing_else(house: House) -> None:
    database, guest = house.service.database, house.guest()
    first, second = begin(ROUND, database), begin(TWO, database)
    hold(first)
    hold(second)
    with database.writing() as connection:
        connection.change("UPDATE tournaments SET created = 7 WHERE id = 1")
        connection.change("UPDATE tournament_games SET digest = '' WHERE tournament_id = 2 AND number = 3")
    listed = (await guest.get("/tournaments")).text
    assert "/tournament/2" in listed
    assert "/tournament/1" not in listed
    answer = await guest.get("/tournament/1")
    assert answer.status_code == 500
    assert 'role="alert"' in answer.text
    answer = await guest.get("/tournament/2")
    assert answer.status_code == 200
    assert SAY["en"].plural("web-damaged", 1) in answer.text


@served
async def test_of_few_tournaments_what_was_counted_is_remembered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments, "MAX_REMEMBERED", 1)
    database, guest = house.service.database, house.guest()
    for plan in (ROUND, TWO):
        hold(begin(plan, database))
    for number in (1, 2, 1, 2, 2):
        assert (await guest.get(f"/tournament/{number}")).status_code == 200
