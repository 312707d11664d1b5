"""An address without HTTPS, as in a local network: browsers make no keys there, and all the rest works."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.chromium import PLAIN_HOST
from tests.interfaces.harness import SAY
from tests.interfaces.web.test_browser_lobby import BOARD, PHONE, enter, find
from tests.interfaces.web.visiting import Visitors, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


@pytest.fixture
def plain(chromium: "Browser", address: str) -> Iterator[Visitors]:
    """Yield visitors of the server under a name that is no secure context."""
    visiting = Visitors(chromium, f"http://{PLAIN_HOST}:{address.rpartition(':')[2]}")
    yield visiting
    visiting.leave()


def test_page_of_key_names_the_reason(plain: Visitors) -> None:
    page = plain.visit("/key", "ru", PHONE, touch=True)
    page.wait_for_selector("#key a.button")
    assert page.evaluate("[isSecureContext, crypto.subtle, navigator.serviceWorker]") == [False, None, None]
    assert page.inner_text("#key-about") == SAY["ru"]("web-identity-none-insecure")
    assert page.locator("#key input").count() == 0
    assert page.inner_text("body").count(SAY["ru"]("web-identity-without-about")) == 1
    page.goto(f"{plain.address}/games")
    page.wait_for_selector("#list:not([aria-busy])")
    assert page.locator("#calls input").count() == 0


def test_guests_meet_and_enter_a_tournament(plain: Visitors, address: str) -> None:
    una, veit = (enter(plain, name, "ultimate") for name in ("Una", "Veit"))
    find(una, with_computer=False)
    veit.locator("#offers li", has_text="Una").get_by_role("button").tap()
    for page in (una, veit):
        page.wait_for_url("**/r/**")
        page.wait_for_selector(BOARD)
    veit.tap("[data-key=web-abort]")
    wait_for(una, SAY["en"]("over-aborted"))
    veit.goto(plain.address)
    wait_for(veit, SAY["en"]("over-aborted"), "#seats")
    terms = {"title": "Class", "game": "tictactoe", "system": "swiss", "rounds": 1}
    organiser = Visitors(plain.browser, address)
    opened = organiser.post("/api/tournaments", {**terms, "clock": {"base": 180_000}, "computer": "random"})
    for page, name in ((una, "Una"), (veit, "Veit")):
        page.goto(f"{plain.address}/t/{opened['code']}")
        page.wait_for_selector("#name:enabled")
        page.fill("#name", name)
        page.tap("form[data-act=enter] button")
        page.wait_for_selector("#own-name", state="attached")
    start = f"/api/tournaments/{opened['code']}/commands"
    organiser.post(start, {"command": {"type": "start"}}, opened["token"])
    for page in (una, veit):
        page.tap("[data-act=seat]")
        page.wait_for_selector(BOARD)
