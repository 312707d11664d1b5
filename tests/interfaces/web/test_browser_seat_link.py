"""The link of a seat opens it in a further browser, and the browser gives the link away again."""

import pytest

from tests.interfaces.web.visiting import Visitors, say

pytestmark = pytest.mark.slow


def test_link_of_seat_opens_it_in_another_browser(visitors: Visitors) -> None:
    opened = visitors.post("/api/rooms", {"game": "tictactoe", "name": "Ada"})
    visitors.post("/api/join", {"room": opened["room"], "name": "Wei"})
    page = visitors.visit(f"/r/{opened['room']}#seat={opened['token']}")
    page.get_by_text("Another device").click()
    assert "Your turn" in say(page)
    assert "#" not in page.url
    page.evaluate(
        "navigator.clipboard.writeText = (text) => { document.title = text; return Promise.resolve(); }"
    )
    page.get_by_role("button", name="Copy the link of your seat").click()
    page.get_by_text("Copied").wait_for()
    assert page.title().endswith(f"/r/{opened['room']}#seat={opened['token']}")
