"""Ratings over the API and on pages: lists of the best, one player, and no private game anywhere."""

import re
from itertools import pairwise
from typing import Any

import pytest

from noughts.arena.ratings.glicko import DAY
from noughts.interfaces.web.api.rating_models import RatingPoint
from noughts.interfaces.web.pages.ratings import DAY_WIDTH, NARROW, WIDE, _picture, _spark
from tests.arena.ratings.rated_games import ADA, OLGA, WEI, rate_people
from tests.interfaces.harness import EN
from tests.interfaces.web.harness import House, served


def fill(house: House) -> list[int]:
    """Add people and their games of yesterday."""
    return rate_people(house.service.database, house.service.now() - DAY)


async def text_of(house: House, path: str) -> str:
    answer = await house.guest().get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


@served
async def test_lists_have_people_or_bots_with_sure_ratings(house: House) -> None:
    fill(house)
    (people,) = (await house.guest().get("/api/ratings")).json()["lists"]
    assert (people["game"], people["title"], people["speed"]) == ("gomoku", "Gomoku", "live")
    (ada,) = people["players"]
    assert (ada["identity"], ada["name"], ada["games"], ada["is_provisional"]) == (ADA, "Ada", 23, False)
    (bots,) = (await house.guest().get("/api/ratings?bots=true&game=gomoku")).json()["lists"]
    assert [one["name"] for one in bots["players"]] == ["Robot"]
    assert (await house.guest().get("/api/ratings?speed=days")).json() == {"lists": []}


@served
async def test_private_game_changes_the_rating_and_is_shown_nowhere(house: House) -> None:
    *_, last, private = fill(house)
    answer: dict[str, Any] = (await house.guest().get(f"/api/ratings/{ADA}")).json()
    (rating,) = answer["ratings"]
    assert (rating["games"], len(rating["last"]), len(answer["history"])) == (23, 15, 23)
    assert answer["games"][0]["id"] == last
    players = [(one["name"], one["identity"]) for one in answer["games"][0]["players"]]
    assert players == [("Former player", OLGA), ("Ada", ADA)]
    assert private not in [one["id"] for one in answer["games"]]
    assert WEI not in [one["identity"] for one in answer["opponents"]]
    assert "Wei" not in await text_of(house, f"/person/{ADA}")
    wei = (await house.guest().get(f"/api/ratings/{WEI}")).json()
    assert wei["games"] == []


@served
async def test_games_of_a_player_can_be_filtered(house: House) -> None:
    fill(house)

    async def found(query: str) -> list[Any]:
        answer = (await house.guest().get(f"/api/ratings/{ADA}?{query}")).json()
        return [*(len(answer[name]) for name in ("games", "opponents")), answer["before"] is not None]

    assert await found("") == [20, 3, True]
    assert await found("against=people") == [2, 3, False]
    assert await found("against=computers&result=won") == [10, 3, False]
    assert await found("result=draw&speed=live&game=gomoku&days=7") == [1, 3, False]
    assert await found("speed=days") == [0, 3, False]
    first = (await house.guest().get(f"/api/ratings/{ADA}")).json()
    assert await found(f"before={first['before']}") == [2, 3, False]


@served
async def test_unknown_player_is_not_found(house: House) -> None:
    for path in ("/api/ratings/77", "/person/77", "/person/x", f"/person/{10**30}"):
        assert (await house.guest().get(path)).status_code == 404


@served
async def test_pages_show_ratings_in_each_language(house: House) -> None:
    assert "no sure ratings" in (await text_of(house, "/ratings")).lower()
    fill(house)
    page = await text_of(house, "/ratings?game=gomoku&speed=live")
    assert f'href="/person/{ADA}"' in page
    assert "Robot" not in page
    assert "Robot" in await text_of(house, "/ratings?players=bots")
    for language, heading in (("en", "Results by opponent"), ("ru", "Результаты по соперникам")):
        page = await text_of(house, f"/person/{ADA}?lang={language}")
        assert heading in page
        assert "<svg" in page
        choices = re.findall(
            r'<option value="([^"]*)"', page.partition('name="against"')[2].partition("</select>")[0]
        )
        assert choices == ["", "people", "computers"]
    assert "?</span>" in await text_of(house, f"/person/{WEI}")  # a provisional rating


def test_small_line_rises_with_the_rating() -> None:
    assert _spark([1500, 1600]) == "M2.0 20.0L108.0 2.0"
    assert _spark([]) == ""


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9, 30, 101])
def test_days_below_a_graph_do_not_overlap(count: int) -> None:
    history = [
        RatingPoint(at=1_700_000_000_000 + place, rating=1500 + place, deviation=60) for place in range(count)
    ]
    for picture in (_picture(EN, history, width, range(1400, 1701, 100)) for width in (WIDE, NARROW)):
        starts = {"start": 0.0, "middle": 0.5, "end": 1.0}
        days: Any = picture["days"]
        left = [int(x) - DAY_WIDTH * starts[anchor] for x, _, anchor in days]
        assert all(one + DAY_WIDTH <= two for one, two in pairwise(left))
        assert len(left) >= 2
