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
