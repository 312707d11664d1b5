"""Openings in real browsers: one is selected on the first page, and buttons choose the sides."""

import pytest

from tests.interfaces.web.visiting import Visitors, play, say, wait_for

pytestmark = pytest.mark.slow


def test_two_browsers_play_swap2(visitors: Visitors) -> None:
    ada = visitors.visit()
    ada.wait_for_selector(".pick")
    assert not ada.is_visible("#openings")
    ada.click("label.pick:has(input[value=gomoku])")
    ada.click("#options summary")
    ada.wait_for_selector("#openings:not([hidden])")
    ada.select_option("#opening", "swap2")
    ada.fill("#name", "Ada")
    ada.click("[data-key=with-friend]")
    ada.wait_for_url("**/r/*")
    ada.wait_for_selector(".bigcode")
    wei = visitors.visit(ada.url.removeprefix(visitors.address))
    wei.fill("#name", "Wei")
    wei.click("[data-key=sit]")
    wei.wait_for_selector("[role=grid]")
    for number, cell in enumerate((112, 0, 32), 1):
        wait_for(ada, "Your turn")
        play(ada, cell)
        wei.wait_for_function("count => document.querySelectorAll('.mark').length === count", arg=number)
    wait_for(wei, "Your turn")
    assert "Wei chooses" in say(wei, "#status p")
    assert ada.locator("[data-key=web-swap]").count() == 0
    wei.click("[data-key=web-put]")
    for cell in (50, 60):
        wait_for(wei, "Your turn")
        play(wei, cell)
    wait_for(ada, "Your turn")
    assert ada.locator("[data-key=web-put]").count() == 0
    ada.click("[data-key=web-swap]")
    wait_for(wei, "Your turn")
    assert "You play O" in say(wei, "#status p")
    assert wei.locator("[data-key=web-swap]").count() == 0


def test_hints_start_after_opening(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "5", opening="pie")
    page = visitors.visit(f"/r/{table.room}")
    visitors.seat_all(page, table)
    page.reload()
    page.wait_for_selector("[data-key=web-values]")
    assert page.locator("[data-key=web-hint]").count() == 0
    page.click("[data-key=web-swap]")
    page.wait_for_selector("[data-key=web-hint]")
