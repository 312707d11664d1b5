"""Visitors of the pages, each with a separate browser."""

import json
import urllib.request
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route

PHONE, DESK = (320, 700), (1280, 860)

TIMEOUT_MS = 120_000
"""The time limit of a page in milliseconds.

On a busy machine a large board takes half a minute: another process of the server prepares it.
"""

NETWORK = "Failed to load resource"
"""The message of Chromium about an error response, which is no fault of the page."""


TRANSPARENT = """{
  const transparent = new CSSStyleSheet();
  transparent.replaceSync(
    ":root { opacity: 0 } .page::before, .sheet { background-image: none !important }"
  );
  document.adoptedStyleSheets.push(transparent);
}"""
"""Makes pages transparent without a change of the layout: painting takes a tenth of the time.

It also hides the paper squares, over which axe cannot measure contrast.
"""

BLOCKED = "Service Worker registration blocked"
"""The message of Playwright about a page that registers a service worker in a browser without one."""

IGNORED = "The Cross-Origin-Opener-Policy header has been ignored"
"""The message of Chromium about an address without HTTPS."""

Kind = tuple[str, tuple[int, int], bool, bool, bool]
"""The properties of a browser: language, window, colour scheme, touch input, and service workers."""


class Visitors:
    """Visitors of the pages at *address*, who note errors.

    Starting a browser takes a second, so a closed one is emptied and used again.
    """

    free: ClassVar[dict[Kind, list["BrowserContext"]]] = {}

    def __init__(self, browser: "Browser", address: str) -> None:
        self.browser, self.address = browser, address
        self._borrowed: list[tuple[Kind, BrowserContext]] = []
        self.wrong: list[str] = []
        self.is_cut_off = False

    def visit(
        self,
        path: str = "/",
        language: str = "en",
        size: tuple[int, int] = DESK,
        *,
        dark: bool = False,
        touch: bool = False,
    ) -> "Page":
        """Return the page at *path* in a new browser."""
        page = self.begin(language, size, dark=dark, touch=touch)
        page.goto(self.address + path)
        return page

    def begin(
        self,
        language: str = "en",
        size: tuple[int, int] = DESK,
        *,
        dark: bool = False,
        touch: bool = False,
        stores: bool = False,
    ) -> "Page":
        """Return a blank page in a new browser. It *stores* pages by a service worker if that is wanted."""
        kind = (language, size, dark, touch, stores)
        context = self.free[kind].pop() if self.free.get(kind) else self._begin(kind)
        self._borrowed.append((kind, context))
        page = context.pages[0] if context.pages else context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: self.wrong.append(dialog.message))
        page.on("request", self._check)
        return page

    def _begin(self, kind: Kind) -> "BrowserContext":
        language, (width, height), dark, touch, stores = kind
        context = self.browser.new_context(
            locale=language,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=touch,
            is_mobile=touch,
            service_workers="allow" if stores else "block",
        )
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(TRANSPARENT)
        return context

    def _empty(self, context: "BrowserContext") -> None:
        """Remove all data of the last visitor from *context*, and leave a blank page."""
        before, page = context.pages, context.new_page()
        for one in before:
            one.close()
        context.set_offline(False)
        context.clear_cookies()
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
        session.detach()

    def seat(self, page: "Page", room: str, token: str) -> None:
        """Give the browser of *page* a seat, as if it had joined the room."""
        cookie = {"name": "noughts-seat", "value": token, "url": f"{self.address}/api/rooms/{room}"}
        page.context.add_cookies([cookie])  # type: ignore[list-item]

    def seat_all(self, page: "Page", table: "Table") -> None:
        """Give the browser of *page* all seats of *table*."""
        page.evaluate(
            "([room, tokens]) => localStorage.setItem(`noughts-here-${room}`, JSON.stringify(tokens))",
            [table.room, [table.tokens[place] for place in sorted(table.tokens)]],
        )

    def _hear(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning") and not message.text.startswith((NETWORK, BLOCKED, IGNORED)):
            self.wrong.append(message.text)

    def _check(self, request: "Request") -> None:
        url = urlsplit(request.url)
        if url.scheme not in ("data", "blob") and f"{url.scheme}://{url.netloc}" != self.address:
            self.wrong.append(request.url)

    def leave(self) -> None:
        """Close all browsers, and check that there were no errors."""
        for kind, context in self._borrowed:
            if kind[-1]:  # a service worker may outlive its registration
                context.close()
                continue
            self._empty(context)
            self.free.setdefault(kind, []).append(context)
        assert self.wrong == []

    # Requests that are quicker than a hand

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        """Return the server's response to *body*."""
        headers = {"content-type": "application/json", "accept-language": "en"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def table(
        self,
        game: str,
        moves: str = "",
        names: tuple[str, ...] = ("Ada", "Wei", "Lin"),
        **more: Any,
    ) -> "Table":
        """Return a room in which *moves* were played by the sides in turn."""
        body = {"game": game, "opponent": "friend", "name": names[0], "visibility": "public", **more}
        entry = self.post("/api/rooms", body)
        table = Table(self, entry["room"], {entry["place"]: entry["token"]}, entry["state"])
        for name in names[1 : len(entry["state"]["players"])]:
            other = self.post("/api/join", {"room": table.room, "name": name})
            table.tokens[other["place"]] = other["token"]
            table.state = other["state"]
        for move in moves.split():
            table.command(type="move", move=move)
        return table


class Table:
    """A room with the tokens of all its seats."""

    def __init__(self, visitors: Visitors, room: str, tokens: dict[int, str], state: Any) -> None:
        self.visitors, self.room, self.tokens, self.state = visitors, room, tokens, state

    @property
    def place_to_move(self) -> int | None:
        """The seat of the player to move, or None."""
        players = self.state["players"]
        return next((one["place"] for one in players if one["side"] == self.state["turn"]), None)

    def command(self, place: int | None = None, **command: Any) -> Any:
        """Send a command for the seat *place*, by default that of the player to move."""
        if place is None:
            place = self.place_to_move
        assert place is not None, "nobody is to move"
        version = self.state["version"]
        body = {"version": version, "key": f"key-{version}-{place}", "command": command}
        self.state = self.visitors.post(f"/api/rooms/{self.room}/commands", body, self.tokens[place])["state"]
        return self.state

    def look(self) -> Any:
        """Return the present state of the room."""
        with urllib.request.urlopen(f"{self.visitors.address}/api/rooms/{self.room}", timeout=20) as answer:
            return json.load(answer)


def paint(page: "Page") -> None:
    """Make *page* visible, for pictures and for the contrast of colours."""
    page.evaluate("document.documentElement.style.opacity = 1")


def say(page: "Page", selector: str = "#status h1") -> str:
    """Return the text of the element at *selector*."""
    return page.inner_text(selector).strip()


def begin(page: "Page", way: str = "friend", **options: str) -> None:
    """Start a game on the first page. *options* are the values of its fields and lists."""
    page.wait_for_selector("#level option", state="attached")
    page.wait_for_selector("#clock option", state="attached")
    if options or not page.is_visible(f"[data-key=with-{way}]"):
        page.click("#options summary")
    for id_, value in options.items():
        field = page.locator(f"#{id_}")
        field.select_option(value) if field.evaluate("one => one.matches('select')") else field.fill(value)
    page.click(f"[data-key=with-{way}]")
    page.wait_for_url("**/r/*")


def play(page: "Page", *cells: int) -> None:
    """Click on the cells with the given indexes, each once the board shows the last mark."""
    for cell in cells:
        at = f'[role=gridcell][data-index="{cell}"]'
        page.click(at)
        page.wait_for_selector(f"{at} .mark")


def wait_for(page: "Page", text: str, selector: str = "#status h1") -> None:
    """Wait until the element at *selector* contains *text*."""
    page.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.innerText.includes(text)",
        arg=[selector, text],
    )


def hold_first(page: "Page", pattern: str) -> "list[Route]":
    """Hold the first request for *pattern* until the test releases it."""
    held: list[Route] = []
    page.route(pattern, lambda route: route.continue_() if held else held.append(route))
    return held
