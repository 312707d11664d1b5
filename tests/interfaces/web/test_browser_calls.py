"""A browser that signs its subscription for the server, also when the push service has replaced it."""

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests.interfaces.web.remote_server import wait_until
from tests.interfaces.web.test_browser_key import new_key
from tests.interfaces.web.test_push import AUTH, POINT, _base64
from tests.interfaces.web.visiting import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

NUMBERS = count(1)
READY = "async () => (await navigator.serviceWorker.ready).active.state"
STAND_IN = """
  const made = (name) => ({
    endpoint: `https://push.example.com/${name}`,
    toJSON: () => ({ keys: { p256dh: KEY, auth: AUTH } }),
    unsubscribe: async () => { subscription = null; },
  });
  let subscription = null;
  let count = 0;
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }) => {
      if (applicationServerKey.length !== 87) throw new Error("no key");
      if (subscription) throw new Error("another key");
      return subscription = made(++count);
    },
  };
"""
IN_WORKER = """async (given) => {
  %s
  Object.defineProperty(registration, "pushManager", { value: pushManager, configurable: true });
  Object.defineProperty(Notification, "permission", { value: "granted", configurable: true });
  const event = new Event("pushsubscriptionchange");
  let work;
  event.waitUntil = (promise) => work = promise;
  event.newSubscription = given && made(given);
  dispatchEvent(event);
  await work;
}"""
IN_PAGE = """() => {
  %s
  Object.defineProperty(ServiceWorkerRegistration.prototype, "pushManager", { get: () => pushManager });
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  window.loseSubscription = () => { subscription = made("lost"); };
}"""
PARTS = STAND_IN.replace("KEY", f"'{_base64(POINT)}'").replace("AUTH }", f"'{_base64(AUTH)}' }}")


def endpoint_of(page: "Page") -> Any:
    """Return the address that the server has for the device of *page*."""
    return page.evaluate("async () => (await (await fetch('/api/push')).json()).endpoint")


@pytest.fixture
def page(visitors: Visitors) -> "Page":
    """A page of a player with a key, in a browser with the service worker."""
    page = visitors.begin("en", stores=True)
    page.goto(f"{visitors.address}/key")
    new_key(page, f"Cyra {next(NUMBERS)}")
    page.evaluate(READY)
    return page


def test_replaced_subscription_reaches_the_server(page: "Page") -> None:
    (worker,) = page.context.service_workers
    assert endpoint_of(page) is None
    worker.evaluate(IN_WORKER % PARTS, "second")
    assert endpoint_of(page) == "https://push.example.com/second"
    worker.evaluate(IN_WORKER % PARTS, None)  # the browser has none, so the worker subscribes
    assert endpoint_of(page) == "https://push.example.com/1"


def test_box_shows_the_subscription_of_the_server(page: "Page", visitors: Visitors) -> None:
    page.add_init_script(f"({IN_PAGE % PARTS})()")
    page.goto(f"{visitors.address}/games")
    box = "[data-key=calls]"
    page.wait_for_selector(f"{box}:not(:checked)")
    page.evaluate("loseSubscription()")  # the server does not know it
    page.check(box)
    wait_until(lambda: endpoint_of(page) == "https://push.example.com/1")
    page.uncheck(box)
    wait_until(lambda: endpoint_of(page) is None)
    page.wait_for_selector(f"{box}:not(:checked)")
