"""Games by days in the browser: an offer, prepared moves, the list of games, and the pause."""

from typing import TYPE_CHECKING

import pytest

from tests.interfaces.web.test_browser_lobby import BOARD, enter, find
from tests.interfaces.web.visiting import DESK, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


# Tests share a server, where offers of other tests may still be open. So each test has a name of its own.


def offer_by_days(page: "Page", game: str) -> None:
    """Offer *game* with three days a move."""
    for chip in ("5+3", "3d"):
        page.locator(f".chip:has(input[value='{chip}'])").click()
    find(page, with_computer=True)  # no game against a computer fills three days
    page.wait_for_selector("#quick-done:not(:empty)")
    assert page.locator("#own-offer li").count() == 1
    assert game in page.locator("#own-offer li").inner_text()


def test_game_by_days_goes_on_without_its_players(visitors: Visitors) -> None:
    """Lena offers a game and leaves, and Wei takes it. One prepares an answer, and the other sees it."""
    ada, wei = (enter(visitors, name, "tictactoe", DESK) for name in ("Lena", "Wei"))
    offer_by_days(ada, "Tic-tac-toe")
    ada.goto("about:blank")
    row = wei.locator("#offers li", has_text="Lena")
    row.get_by_role("button").click()
    wei.wait_for_url("**/r/**")
    ada.goto(f"{visitors.address}/games")
    ada.wait_for_selector(".by-days li:has-text('Wei') .frame .pic")
    ada.locator(".by-days li a").click()
    for page in (ada, wei):
        page.wait_for_selector(BOARD)
        page.wait_for_selector("#status:has-text('You play')")
    first, second = (ada, wei) if "Your turn" in ada.locator("#status").inner_text() else (wei, ada)
    first.locator(BOARD).nth(0).click()
    first.locator(".conditional summary").click()
    first.locator(BOARD).nth(4).click()
    assert first.input_value("[data-key=new-line]") == "b2"
    first.press("[data-key=new-line]", "Enter")
    first.wait_for_selector(".conditional .error-text:has-text('answer')")
    first.fill("[data-key=new-line]", "b2 a1")
    first.press("[data-key=new-line]", "Enter")
    first.wait_for_selector(".conditional li:has-text('a1')")
    first.fill("[data-key=new-line]", "b2 a1 c3 c1")
    first.press("[data-key=new-line]", "Enter")
    first.wait_for_selector(".conditional li:has-text('c1')")  # in place of the shorter line
    assert first.input_value("[data-key=new-line]") == ""
    assert first.locator(".conditional li").count() == 1
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


def test_prepared_moves_start_after_opening(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", opening="pie", clock={"per_move": 86_400_000})
    page = visitors.begin("en")
    visitors.seat(page, table.room, table.tokens[1])
    page.goto(f"{visitors.address}/r/{table.room}")
    page.wait_for_selector("#status:has-text('then Wei chooses')")
    assert page.locator(".conditional").count() == 0
    table.command(0, type="move", move="5")
    table.command(1, type="swap")
    page.wait_for_selector("#status:has-text('You play X')")
    page.wait_for_selector(".conditional")


def test_list_of_games_shows_a_move_at_once(visitors: Visitors) -> None:
    ada, wei = (enter(visitors, name, "tictactoe") for name in ("Kira", "Wei"))
    offer_by_days(ada, "Tic-tac-toe")
    ada.goto(f"{visitors.address}/games")
    ada.wait_for_selector(".own-offers li")
    wei.locator("#offers li", has_text="Kira").get_by_role("button").tap()
    wei.wait_for_selector(BOARD)
    row = ada.locator(".by-days li")
    row.wait_for()  # the new game appears without a reload
    assert ada.locator(".own-offers").count() == 0
    wei.wait_for_selector("#status:has-text('You play')")
    if "Your turn" not in wei.locator("#status").inner_text():
        row.get_by_role("link").tap()
        ada.wait_for_selector(BOARD)
        ada.locator(BOARD).nth(0).tap()
        ada.wait_for_selector(".moves .t")
        ada.goto(f"{visitors.address}/games")
        wei.wait_for_selector("#status:has-text('Your turn')")
        row.wait_for()
    before = row.locator(".pic use").count()
    wei.locator(BOARD).nth(4).tap()
    ada.wait_for_function(
        "before => document.querySelectorAll('.by-days .pic use').length > before", arg=before
    )
    ada.wait_for_selector("#games-title:has-text('Your turn in 1 game')")


def test_own_offer_by_days_is_withdrawn_later(visitors: Visitors) -> None:
    ada, wei = (enter(visitors, name, "reversi") for name in ("Ines", "Wei"))
    offer_by_days(ada, "Reversi")
    wei.wait_for_selector("#offers li:has-text('Ines')")
    ada.reload()
    ada.wait_for_selector("#own-offer li")
    assert ada.locator("#offers li", has_text="Ines").count() == 0
    ada.goto(f"{visitors.address}/games")
    ada.locator(".own-offers button").tap()
    ada.wait_for_selector(".own-offers", state="detached")
    wei.wait_for_selector("#offers li.gone:has-text('Ines')")


def test_phrase_hides_no_due_move_and_leaves_with_mute(visitors: Visitors) -> None:
    ada, wei = (enter(visitors, name, "connect4") for name in ("Jonas", "Wei of the long river"))
    offer_by_days(ada, "Connect Four")
    wei.locator("#offers li", has_text="Jonas").get_by_role("button").tap()
    wei.wait_for_selector(BOARD)
    ada.goto(f"{visitors.address}/games")
    ada.locator(".by-days li a").tap()
    ada.wait_for_selector(BOARD)
    name = ada.locator("#players .called", has_text="Wei")
    assert name.evaluate(
        "name => name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight"
    )
    wei.tap("[data-key=web-say]")
    wei.tap("[data-key=phrase-hello]")
    ada.wait_for_selector("#status:has-text('Hello')")
    assert "first move is due" in ada.locator("#status").inner_text()
    ada.tap("[data-key=web-mute]")
    ada.wait_for_selector("#status:not(:has-text('Hello'))")
    assert "first move is due" in ada.locator("#status").inner_text()
