"""The lobby in the browser: strangers meet, offers keep their places, and a search goes on during a game."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from noughts.arena.remote.client import Client
from noughts.arena.remote.own_key import KeyFile, KeyHolder
from tests.interfaces.harness import SAY
from tests.interfaces.web.test_browser_key import new_key
from tests.interfaces.web.visiting import Visitors, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

PHONE = (390, 844)
MAX_FIRST_VISIT = 90_000
BOARD = "[role=gridcell]"

COUNT_BYTES = """
  performance.getEntries()
    .filter(({ entryType }) => entryType === "navigation" || entryType === "resource")
    .reduce((sum, { transferSize }) => sum + transferSize, 0)
"""


def enter(
    visitors: Visitors, name: str, game: str, size: tuple[int, int] = PHONE, language: str = "en"
) -> "Page":
    """Return the first page for the player *name*, with a quick form for *game* alone."""
    page = visitors.begin(language, size, touch=size == PHONE)
    page.goto(visitors.address)
    stored = {"noughts-name": name, "noughts-quick": f"{game},5+3"}
    page.evaluate("stored => Object.entries(stored).forEach(one => localStorage.setItem(...one))", stored)
    page.reload()
    page.wait_for_selector("#lobby-counts:not(:empty)")
    return page


def find(page: "Page", *, with_computer: bool) -> None:
    """Offer a game to all."""
    page.set_checked("#lobby-computer", with_computer)
    page.click("#find")


def test_first_visit_is_light(visitors: Visitors) -> None:
    page = visitors.begin("en", PHONE, touch=True)
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.goto(visitors.address)
    page.wait_for_selector("#lobby-counts:not(:empty)")
    assert 20_000 < page.evaluate(COUNT_BYTES) <= MAX_FIRST_VISIT


EMPTY = """
  for (const id of ["own-offer", "offers"]) document.getElementById(id).hidden = true;
  for (const id of ["nobody", "tell-box"]) document.getElementById(id).hidden = false;
"""
CUT = """
  [...document.querySelectorAll(".offer-box, .ways button")]
    .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
    .map((one) => one.innerText)
"""


@pytest.mark.parametrize("language", SAY)
def test_empty_lobby_fits_small_phones(visitors: Visitors, language: str) -> None:
    page = visitors.visit("/", language, (320, 568), touch=True)
    page.wait_for_selector("#lobby-counts:not(:empty)")
    page.evaluate(EMPTY)  # offers of other tests may be open
    for width, height in ((320, 568), (375, 667)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == []


def test_strangers_meet_in_three_taps(visitors: Visitors) -> None:
    """Ada takes one tap to offer a game, and Wei one to join. The third one is the first move."""
    ada, wei = enter(visitors, "Ada", "qubic"), enter(visitors, "Wei", "qubic", language="ru")
    find(ada, with_computer=False)
    ada.wait_for_selector("#own-offer:not([hidden])")
    row = wei.locator("#offers li", has_text="Ada")
    row.get_by_role("button").tap()
    for page in (ada, wei):
        page.wait_for_url("**/r/**")
        page.wait_for_selector(BOARD)
    assert ada.url == wei.url
    assert {name for name in ("Ada", "Wei") if name in ada.locator("#players").inner_text()} == {"Ada", "Wei"}
    assert SAY["en"]("web-private-game") in ada.inner_text("#margin")
    wei.wait_for_selector("[data-key=web-abort]")
    wei.tap("[data-key=web-abort]")
    ada.wait_for_selector("#status:has-text('does not count')")
    assert ada.locator("#embed-code, .publish").count() == 0  # an empty game is nothing to share


def test_guest_joins_no_room_under_a_claimed_name(visitors: Visitors) -> None:
    new_key(visitors.visit("/key", size=PHONE, touch=True), "Oswald")
    room = visitors.post("/api/rooms", {"game": "tictactoe", "name": "Wei"})["room"]
    guest = visitors.visit(f"/r/{room}", size=PHONE, touch=True)
    guest.fill("#name", "oswa1d")
    guest.tap("[data-key=sit]")
    guest.wait_for_selector("text=“oswa1d” belongs to a player with a key")
    guest.fill("#name", "Olga")
    guest.tap("[data-key=sit]")
    guest.wait_for_selector("#players:has-text('Olga')")
    guest.wait_for_selector(BOARD)


def test_rated_games_are_offered_to_keys_only(visitors: Visitors) -> None:
    """Ida has a key and offers a rated game. A guest cannot offer one, and reads why joining fails."""
    ida = visitors.visit("/key", size=PHONE, touch=True)
    new_key(ida, "Ida")
    ida.goto(visitors.address)
    # Her offer stays for ten seconds, so it must not fit one of the next test.
    ida.evaluate("localStorage.setItem('noughts-quick', 'gomoku,5+3')")
    ida.reload()
    ida.wait_for_selector("#lobby-rating:not([hidden])")
    ida.select_option("#lobby-rated", "yes")
    find(ida, with_computer=False)
    ida.wait_for_selector("#own-offer:has-text('Rated.')")
    guest = enter(visitors, "Guest 3", "gomoku")
    row = guest.locator("#offers li", has_text="Ida")
    assert "Rated." in row.inner_text()
    assert guest.locator("#lobby-rating").is_hidden()
    row.get_by_role("button").tap()
    guest.wait_for_selector("#quick-error:has-text('Only players with a key')")


def due_of_mover(*pages: "Page") -> str:
    """Return the sentences for the player to move in the new game of two *pages*."""
    for page in pages:
        page.wait_for_url("**/r/**")
        page.wait_for_selector("#status:has-text('You play')")
    (mover,) = (page for page in pages if "Your turn" in page.inner_text("#status h1"))
    return mover.inner_text("#status p")


def test_nothing_hides_that_the_first_move_is_due(visitors: Visitors) -> None:
    """The signs on the board and the opening of a rated game have sentences of their own."""
    pages = [enter(visitors, name, "reversi") for name in ("Mia", "Nils")]
    for page in pages:
        find(page, with_computer=False)
    text = due_of_mover(*pages)
    assert SAY["en"]("web-signs-turns", side="X") in text
    assert "first move is due" in text
    pages = [visitors.visit("/key") for _ in range(2)]
    for page, name in zip(pages, ("Mona", "Nora"), strict=True):
        new_key(page, name)
        page.goto(visitors.address)
        page.evaluate("localStorage.setItem('noughts-quick', 'qubic,5+3')")
        page.reload()
        page.wait_for_selector("#lobby-rating:not([hidden])")
        page.select_option("#lobby-rated", "yes")
        find(page, with_computer=False)
    text = due_of_mover(*pages)
    assert "places 1 more mark" in text
    assert "first move is due" in text


def test_range_of_ratings_keeps_others_out(visitors: Visitors) -> None:
    """A range that was typed in reverse is meant in the right order."""
    kim = visitors.visit("/key")
    new_key(kim, "Kim")
    kim.goto(visitors.address)
    kim.wait_for_selector("#lobby-range:not([hidden])")
    kim.fill("#lobby-lowest", "1600")
    kim.fill("#lobby-highest", "1400")
    find(kim, with_computer=False)
    kim.wait_for_selector("#own-offer:has-text('rating 1400 to 1600')")
    guest = enter(visitors, "Guest 4", "gomoku")
    assert guest.locator("#lobby-range").is_hidden()
    row = guest.locator("#offers li", has_text="Kim")
    assert "rating 1400 to 1600" in row.inner_text()
    row.get_by_role("button").tap()
    guest.wait_for_selector("#quick-error:has-text('outside the range')")
    kim.click("[data-key=own-close]")


def test_provisional_rating_has_a_mark(visitors: Visitors) -> None:
    page = visitors.visit("/", size=PHONE)
    offer = {
        "identity": 1,
        "is_bot": False,
        "strength": None,
        "ratings": {"gomoku": 1500, "reversi": 1600},
        "provisional": ["gomoku"],
        "clocks": [{"base": 300_000, "increment": 0, "per_move": None}],
        "rated": True,
        "lowest": None,
        "highest": None,
        "visibility": "link",
        "state": "open",
        "since": 0,
        "expires": None,
        "to": None,
        "lasts": False,
    }
    offers = [
        {**offer, "number": number, "name": name, "games": [{"name": name, "title": name}]}
        for number, name in enumerate(("gomoku", "reversi"), 1)
    ]
    state = json.dumps({"offers": offers, "waiting": 2, "people": 2})
    body = f"event: lobby\ndata: {state}\n\n"
    page.route(
        "**/api/offers/events?*", lambda route: route.fulfill(body=body, content_type="text/event-stream")
    )
    page.reload()
    page.wait_for_selector("#offers .row-text:has-text('gomoku 1500?')", timeout=20_000)
    page.wait_for_selector("#offers .row-text:has-text('reversi 1600')", timeout=20_000)
    assert "1600?" not in page.inner_text("#offers")
    page.unroute_all()


def test_taken_offer_keeps_its_place(visitors: Visitors) -> None:
    watcher = enter(visitors, "Olga", "reversi", (1280, 860))
    owners = [enter(visitors, name, "ultimate", (1280, 860)) for name in ("First", "Second")]
    for owner, name in zip(owners, ("First", "Second"), strict=True):
        find(owner, with_computer=False)
        watcher.wait_for_selector(f"#offers li:has-text('{name}')")
    watcher.hover("#offers li:has-text('Second')")  # no row leaves the list meanwhile
    owners[0].click("[data-key=own-close]")
    gone = watcher.locator("#offers li.gone", has_text="First")
    gone.wait_for()
    assert gone.locator("button").count() == 0
    names = watcher.locator("#offers li b").all_inner_texts()
    assert names.index("First") < names.index("Second")
    watcher.mouse.move(0, 0)
    gone.wait_for(state="detached")


def test_offer_shows_all_its_terms_on_a_phone(visitors: Visitors) -> None:
    ada, wei = enter(visitors, "Pia", "gomoku"), enter(visitors, "Wei", "gomoku", language="ru")
    for chip in ("connect4", "ultimate", "3+2"):
        ada.locator(f".chip:has(input[value='{chip}'])").tap()
    find(ada, with_computer=False)
    terms = wei.locator("#offers li:has-text('Pia') .row-text small")
    terms.wait_for()
    assert "3 + 2" in terms.inner_text()
    assert terms.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert terms.evaluate("one => getComputedStyle(one).whiteSpace") == "normal"
    ada.tap("[data-key=own-close]")


def test_stranger_types_a_name_and_takes_the_ticked_clock(visitors: Visitors) -> None:
    zoe = visitors.visit("/", size=PHONE, touch=True)
    wait_for(zoe, "You play as Player.", "#plays-as")
    zoe.tap("[data-key=change-name]")
    zoe.keyboard.type("Zoe")
    zoe.tap("#options summary")
    wait_for(zoe, "You play as Zoe.", "#plays-as")
    zoe.reload()
    wait_for(zoe, "You play as Zoe.", "#plays-as")
    find(zoe, with_computer=False)  # both of the first clocks are ticked
    ada = enter(visitors, "Ada", "gomoku")  # with the second clock alone
    ada.locator("#offers li", has_text="Zoe").get_by_role("button").tap()
    ada.wait_for_url("**/r/**")
    ada.wait_for_selector("#players:has-text('Zoe')")
    assert "5:00" in ada.locator("#players").inner_text()


def test_person_joins_while_a_computer_game_runs(visitors: Visitors) -> None:
    ada, wei = (enter(visitors, name, "connect4", (1280, 860)) for name in ("Ada", "Wei"))
    find(ada, with_computer=True)
    ada.wait_for_url("**/r/**")
    ada.wait_for_selector("#search:not([hidden]) [data-key=lobby-stop]")
    ada.wait_for_selector(BOARD)
    practice = ada.url
    wei.locator("#offers li", has_text="Ada").get_by_role("button").click()
    ada.wait_for_selector("#search[role=alert] [data-key=lobby-not-now]")
    assert "Wei" in ada.locator("#search").inner_text()
    ada.keyboard.press("n")
    ada.wait_for_selector("#search[hidden]", state="attached")
    assert ada.url == practice
    wei.wait_for_url("**/r/**")
    wei.wait_for_selector("#status:has-text('does not count')")


def test_named_player_is_asked(visitors: Visitors) -> None:
    ada, bob = enter(visitors, "Ada", "gomoku", (1280, 860)), enter(visitors, "Bob 7", "gomoku", (1280, 860))
    ada.click("#ask-one summary")
    ada.fill("#ask-name", "bob 7")
    ada.click("#ask-send")
    bob.wait_for_selector("#asked:not([hidden])")
    assert "Ada" in bob.locator("#asked").inner_text()
    bob.click("[data-key=asked-no]")
    ada.wait_for_selector("#ask-status:has-text('said no')")
    bob.wait_for_selector("#asked[hidden]", state="attached")
    ada.click("#ask-send")
    bob.click("[data-key=asked-yes]")
    for page in (ada, bob):
        page.wait_for_url("**/r/**")
    assert ada.url == bob.url


def test_bot_in_the_list_is_asked_and_accepts(visitors: Visitors, tmp_path: Path) -> None:
    ada = enter(visitors, "Ada", "ultimate")
    with Client(visitors.address) as client, Client(visitors.address) as follower:
        KeyHolder(client, KeyFile(tmp_path / "bot.json"), "Test").register("Robo", bytes(16), is_bot=True)
        clocks = [{"base": 300_000, "increment": 3_000}]
        offer = {"name": "Robo", "games": ["qubic", "ultimate"], "clocks": clocks, "strength": 1_700}
        client.ask("/api/offers", offer, client.session)
        row = ada.locator("#offers li", has_text="Robo")
        row.wait_for()
        assert "Bot, about" in row.inner_text()
        assert row.get_by_role("button").inner_text() == "Ask"
        row.get_by_role("button").tap()
        for event in follower.events("/api/bots/events", client.session):
            if asked := event.data.get("asked"):
                assert [game["name"] for game in asked[0]["games"]] == ["ultimate"]  # the ticked game
                client.ask(f"/api/offers/{asked[0]['number']}/join", {"name": "Robo"}, client.session)
                break
    ada.wait_for_url("**/r/**")
    ada.wait_for_selector(BOARD)
    assert "Robo" in ada.locator("#players").inner_text()


def test_tournament_game_is_no_practice(visitors: Visitors) -> None:
    terms = {
        "title": "Class",
        "game": "tictactoe",
        "system": "swiss",
        "rounds": 3,
        "clock": {"base": 180_000},
    }
    opened = visitors.post("/api/tournaments", {**terms, "computer": "random"})
    path = f"/api/tournaments/{opened['code']}"
    for name in ("Ada", "Wei"):
        token = visitors.post(f"{path}/entries", {"name": name})["token"]
    visitors.post(f"{path}/commands", {"command": {"type": "start"}}, opened["token"])
    room = visitors.post(f"{path}/seat", {}, token)["room"]
    page = visitors.begin()
    visitors.seat(page, room, token)
    page.goto(f"{visitors.address}/r/{room}")
    page.wait_for_selector("[data-key=web-resign]")
    assert SAY["en"]("lobby-practice") not in page.inner_text("#status")
    page.click("[data-key=web-resign]")
    page.click("[data-key=web-resign-yes]")
    wait_for(page, SAY["en"]("web-you-lost"))
    assert page.is_visible("[data-key=web-replay]")
    assert not page.is_visible("[data-key=web-rematch]")
