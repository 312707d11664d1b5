"""The page of draws by pairs, and its pictures."""

import re

import pytest

from noughts.interfaces.web.live.work import WorkScheduler
from tests.interfaces.harness import EN
from tests.interfaces.web.harness import House, served


@served
async def test_strategy_page_shows_each_case(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = house.guest()
    text = (await guest.get("/strategy?game=4x4:4")).text
    pictures = re.findall('<img src="([^"]*)" width="[0-9]+" height="[0-9]+" alt="([^"]*)"', text)
    assert EN.plural("strategy-cases", 3, game="4x4", first="X", second="O") in text
    assert [len(pairs.split(", ")) for _, pairs in pictures] == [7, 7, 7]
    monkeypatch.delattr(WorkScheduler, "_make")  # the pictures are those of the page, and need no search
    for address, _ in pictures:
        for theme in ("", "&theme=dark"):
            answer = await guest.get(address.replace("&amp;", "&") + theme)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
            assert answer.text.startswith("<svg")


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ("tictactoe", 200, EN("strategy-none", game="tictactoe")),
        ("connect4", 422, EN("unsupported-no-line-game", game="connect4")),
        ("100x100:5", 422, EN("unsupported-no-line-game", game="100x100:5")),
        ("<b>", 422, "&lt;b&gt;"),
    ],
)
@served
async def test_strategy_page_names_the_reason(house: House, query: str, status: int, sentence: str) -> None:
    answer = await house.guest().get("/strategy", params={"game": query})
    assert answer.status_code == status
    assert sentence in answer.text
    assert "<b>" not in answer.text


@pytest.mark.parametrize("query", ["game=4x4:4&board=3", "game=4x4:4&board=x", "game=tictactoe"])
@served
async def test_missing_board_of_a_strategy_is_not_found(house: House, query: str) -> None:
    assert (await house.guest().get(f"/strategy.svg?{query}")).status_code == 404
