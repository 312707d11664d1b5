"""Sharing in the browser: the strip of a finished game, and its replay in a sandboxed frame."""

import pytest

from tests.interfaces.web.visiting import Visitors

pytestmark = pytest.mark.slow

FRAME = """address => {
  const frame = document.createElement("iframe");
  Object.assign(frame, {src: address, sandbox: "allow-scripts", width: 480, height: 640});
  document.body.replaceChildren(frame);
}"""
"""A script that shows an address in a frame without an origin, as sites that embed unknown pages do."""


def test_strip_has_the_code_of_a_replay_that_runs_in_a_frame(visitors: Visitors) -> None:
    game = visitors.table("tictactoe", "1 4 2 5 3").state["game_id"]
    page = visitors.visit(f"/g/{game}?ply=2")
    code = page.input_value("#embed-code")
    assert code.startswith('<iframe src="http://')
    assert f"/embed/g/{game}?ply=2" in code
    assert (
        page.get_attribute("[data-key=share-picture]", "href") == f"/api/games/{game}/card.png?ply=2&lang=en"
    )
    assert page.locator("[data-key=share-animation]").count() == 1
    page.route("**/another-page", lambda route: route.fulfill(body="<body>", content_type="text/html"))
    page.goto(code.split('"')[1].partition("/embed")[0] + "/another-page")
    page.evaluate(FRAME, code.split('"')[1])
    frame = page.frame_locator("iframe")
    frame.locator(".ply", has_text="2 of 5").wait_for(timeout=15_000)
    frame.locator("[data-key=web-end]").click()
    frame.locator(".ply", has_text="5 of 5").wait_for(timeout=15_000)
    assert frame.locator("[role=gridcell] .mark").count() == 5
    assert "Ada wins" in frame.locator("#status").inner_text()


def test_page_of_an_ended_room_has_the_strip(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "1 4 2 5")
    page = visitors.visit(f"/r/{table.room}", size=(390, 844), touch=True)
    page.wait_for_selector("[role=grid]")
    assert page.locator("#embed-code").count() == 0
    game = table.command(type="move", move="3")["game_id"]
    page.wait_for_selector("#embed-code")
    code = page.input_value("#embed-code")
    assert f'/embed/g/{game}" width="480"' in code
    assert 'title="Ada wins: Tic-tac-toe"' in code
    assert page.get_attribute("[data-key=share-picture]", "href") == f"/api/games/{game}/card.png?lang=en"
    assert page.locator("[data-key=share-animation]").count() == 1
    page.click("[data-key=ply-2]")
    page.wait_for_function("() => document.querySelector('#embed-code').value.includes('?ply=2')")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_running_game_is_followed_in_a_frame(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "1 4 2")
    page = visitors.begin()
    page.route("**/another-page", lambda route: route.fulfill(body="<body>", content_type="text/html"))
    page.goto(f"{visitors.address}/another-page")
    page.evaluate(FRAME, f"{visitors.address}/embed/r/{table.room}")
    frame = page.frame_locator("iframe")
    frame.locator(".ply", has_text="3 of 3").wait_for()
    table.command(type="move", move="5")
    frame.locator(".ply", has_text="4 of 4").wait_for()
    frame.locator("[data-key=web-one-back]").click()
    table.command(type="move", move="3")
    frame.locator(".ply", has_text="3 of 5").wait_for()  # the reader looks back
    frame.locator("#status", has_text="Ada wins").wait_for()
    frame.locator("[data-key=web-end]").click()
    assert frame.locator("[role=gridcell] .mark").count() == 5


def test_position_and_running_game_are_shown_in_frames(visitors: Visitors) -> None:
    room = visitors.table("tictactoe", "1 4").room
    page = visitors.begin()
    page.route("**/another-page", lambda route: route.fulfill(body="<body>", content_type="text/html"))
    page.goto(f"{visitors.address}/another-page")
    for path, title, marks in (
        ("/analysis?game=connect4&moves=4,4,3", "O is to move", 3),
        (f"/r/{room}", "Ada is to move", 2),
    ):
        page.evaluate(FRAME, f"{visitors.address}/embed{path}")
        frame = page.frame_locator("iframe")
        frame.locator(".ply", has_text=f"{marks} of {marks}").wait_for(timeout=15_000)
        assert frame.locator("[role=gridcell] .mark").count() == marks
        assert title in frame.locator("#status").inner_text()
        frame.locator("[data-key=web-start]").click()
        frame.locator(".ply", has_text=f"0 of {marks}").wait_for(timeout=15_000)
        assert frame.locator("[role=gridcell] .mark").count() == 0
