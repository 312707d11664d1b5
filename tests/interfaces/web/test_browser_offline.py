"""A browser without a network shows the stored page, and notices when the network is back."""

import pytest

from tests.interfaces.web.visiting import Visitors

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
