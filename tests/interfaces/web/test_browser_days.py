"""Games by days in the browser: an offer, prepared moves, the list of games, and the pause."""

import pytest

from tests.interfaces.web.test_browser_lobby import BOARD, enter, find
from tests.interfaces.web.visiting import DESK, Visitors

pytestmark = pytest.mark.slow


def test_game_by_days_goes_on_without_its_players(visitors: Visitors) -> None:
    """One player prepares an answer and leaves. The other one plays the expected move and sees the answer."""
    ada, wei = (enter(visitors, name, "tictactoe", DESK) for name in ("Ada", "Wei"))
    for chip in ("5+3", "3d"):
        ada.locator(f".chip:has(input[value='{chip}'])").click()
    find(ada, with_computer=True)  # no game against a computer fills three days
    wei.locator("#offers li", has_text="3 days a move").get_by_role("button").click()
    for page in (ada, wei):
        page.wait_for_url("**/r/**")
        page.wait_for_selector(BOARD)
        page.wait_for_selector("#status:has-text('You play')")
    first, second = (ada, wei) if "Your turn" in ada.locator("#status").inner_text() else (wei, ada)
    first.locator(BOARD).nth(0).click()
    first.locator(".conditional summary").click()
    first.locator(BOARD).nth(4).click()
    assert first.input_value("[data-key=new-line]") == "b2"
    first.fill("[data-key=new-line]", "b2 a1")
    first.press("[data-key=new-line]", "Enter")
    first.wait_for_selector(".conditional li:has-text('a1')")
    first.goto(f"{visitors.address}/games")
    first.wait_for_selector(".by-days li:has-text('1 line of moves ready')")
    assert first.locator("#list h2").all_inner_texts() == ["Their turn"]
    second.wait_for_selector("#status:has-text('Your turn')")
    assert second.locator(".conditional").count() == 0
    second.locator(BOARD).nth(4).click()
    second.wait_for_selector(".moves .t:has-text('a1')")
    assert [mark.inner_text() for mark in second.locator(".moves .t").all()] == ["a3", "b2", "a1"]
    second.goto(f"{visitors.address}/games")
    second.wait_for_selector("#games-title:has-text('Your turn in 1 game')")
    assert second.locator(".days i.left").count() == 3
    second.click("#pause-form button")
    second.wait_for_selector(".by-days li:has-text('Paused until')")
    second.click("#pause-end")
    second.wait_for_selector(".by-days li:has-text('left')")
