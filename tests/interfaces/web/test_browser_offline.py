"""A browser without a network shows the stored page, and notices when the network is back."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from noughts.records.record import parse_record
from tests.interfaces.web.visiting import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

READY = "async () => (await navigator.serviceWorker.ready).active.state"
STORED = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(caches_.map((one) => one.keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname);
}"""


def test_page_opens_without_a_network(visitors: Visitors) -> None:
    page = visitors.begin("en", stores=True)
    page.goto(visitors.address)
    page.evaluate(READY)
    page.context.set_offline(True)
    page.goto(f"{visitors.address}/history")
    page.wait_for_selector("#network:has-text('There is no network.')")
    page.context.set_offline(False)
    page.wait_for_selector("#network:has-text('The network is back.')")
    stored = page.evaluate(STORED)
    assert "/offline" in stored
    assert [path for path in stored if not path.startswith(("/static/", "/i18n/", "/offline"))] == []
    page.click("[data-key=offline-open]")
    page.wait_for_selector("#history, .history, main table, main form")
    assert page.locator("#network").count() == 0


def stored_game(page: "Page") -> Any:
    """Return the game that the browser of *page* stores."""
    return json.loads(page.evaluate("localStorage.getItem('noughts-offline')"))


def play_free_cell(page: "Page") -> None:
    """Mark the first free cell of a board of 3x3, and wait for the reply or the end."""
    free = next(number for number in range(1, 10) if str(number) not in stored_game(page)["moves"])
    page.click(f'[role=gridcell][data-index="{free - 1}"]')
    page.wait_for_selector("#status:has-text('Your turn'), [data-key=web-rematch]")


def test_offline_game_survives_reload_and_ends(visitors: Visitors) -> None:
    page = visitors.begin("en", stores=True)
    page.goto(visitors.address)
    page.evaluate(READY)
    page.context.set_offline(True)
    page.reload()
    page.click("[data-key=game-tictactoe]")
    play_free_cell(page)
    before = stored_game(page)
    assert (before["game"], len(before["moves"])) == ("tictactoe", 2)
    page.reload()
    page.wait_for_selector("#status:has-text('Your turn')")
    assert stored_game(page) == before
    assert page.locator(".moves li").count() == 2
    page.click("[data-key=web-choose-game]")
    page.click("[data-key=web-past-live]")
    while not page.is_visible("[data-key=web-rematch]"):
        play_free_cell(page)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.click("[data-key=offline-copy]")
    record = parse_record(page.evaluate("copied"))
    assert record.moves == tuple(stored_game(page)["moves"])
    assert record.termination in ("line", "full")
    assert record.players == {"X": "Player", "O": "Computer"}
