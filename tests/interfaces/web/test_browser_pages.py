"""Every page and state, light and dark, on a phone and on a desktop."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.resources import files
from itertools import islice
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from noughts.arena.store.database import open_database
from noughts.arena.tournament.broadcast import STALE_MS, RunningGames
from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament
from noughts.games.catalogue import BY_NAME
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.puzzles.shipped import puzzles_of
from tests.arena.ratings.rated_games import ADA, rate_people
from tests.arena.tournament.stand_ins import ROUND, log_of, play_missing
from tests.arena.tournament.stand_ins import begin as begin_tournament
from tests.databases import url_of
from tests.interfaces.web.conftest import serving
from tests.interfaces.web.overlaps import FEW, FIND, SETTLED, overlaps
from tests.interfaces.web.visiting import (
    DESK,
    PHONE,
    TIMEOUT_MS,
    Table,
    Visitors,
    begin,
    hold_first,
    paint,
    play,
    wait_for,
)
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow

BOARDS = ("gomoku", "qubic", "connect4", "4d", "ultimate", "reversi", "5x5", "11x11:5,hex")
"""Games with different kinds of boards."""


ALIKE = {"gomoku", "connect4", "4d", "reversi", "5x5", "invited", "no scores", "no game", "busy room"}
"""States that are like another one."""


class PageState(NamedTuple):
    """A page at *path*, ready once *selector* exists, with actions before and after opening it."""

    path: str
    selector: str
    before: Callable[["Page"], object] = lambda page: None
    after: Callable[["Page"], object] = lambda page: None


def answer(status: int, body: str) -> Callable[["Page"], None]:
    """Return an action that sets the server's response to all requests."""

    def intercept(page: "Page") -> None:
        kind = "application/json"
        page.route("**/api/**", lambda route: route.fulfill(status=status, body=body, content_type=kind))

    return intercept


BUSY = answer(429, '{"error": {"code": "too-often", "seconds": 3, "sentence": "429"}}')
NOBODY = answer(200, '{"games": [], "before": null, "players": []}')


NOTHING_TO_WATCH = answer(200, 'event: wall\ndata: {"featured": null, "games": [], "playing": 0}\n\n')


def lose_connection(page: "Page") -> None:
    page.context.set_offline(True)
    page.wait_for_selector(".holder.off")
    page.context.set_offline(False)


def branch_off(page: "Page") -> None:
    """Play a variation and show values."""
    page.click(".drop[data-index='2']")
    page.wait_for_selector(".line-moves [aria-current]:has-text('4')")
    page.click("[data-key=web-one-back]")
    page.click(".drop[data-index='6']")
    page.wait_for_selector(".tree .var")
    page.click("[data-key=web-values]")


def choose(*selectors: str) -> Callable[["Page"], None]:
    """Return an action that clicks on elements one after another."""

    def click(page: "Page") -> None:
        for selector in selectors:
            page.click(selector)

    return click


def describe_wrongly(page: "Page") -> None:
    page.fill("#own", "3x3:9")
    page.wait_for_selector("#own[aria-invalid]")


def at_home(*selectors: str) -> Callable[["Page"], None]:
    """Return an action that clicks on elements once the scripts of the first page run."""

    def click(page: "Page") -> None:
        page.wait_for_selector("#clock option", state="attached")
        choose(*selectors)(page)

    return click


def ask_for_code(page: "Page") -> None:
    page.wait_for_selector("#clock option", state="attached")
    page.click("#codes-show")
    page.fill("#code", "12")
    page.click("#join button")
    page.wait_for_selector("#code[aria-invalid]")


PUZZLE = puzzles_of("connect4", 3)[0].id


def show_solution(page: "Page") -> None:
    page.click("[data-key=web-puzzle-show]")
    page.wait_for_selector(".strike")


GAMES = TournamentPlan("round-robin", ("tictactoe", "gomoku", "qubic"), ROUND.players, pairs=1)


@contextmanager
def tournament_in(folder: Path, plan: TournamentPlan) -> Iterator[Tournament]:
    """Return the tournament of *plan* in the database of the server in *folder*, created if needed."""
    with closing(open_database(url_of(folder / "games.db"))) as database:
        yield Tournament.find(plan, Tournaments(database)) or begin_tournament(plan, database)


def tell_running(folder: Path, plan: TournamentPlan, events: dict[int, int | None]) -> None:
    """Report running games to the server: their numbers, and their numbers of events."""
    with tournament_in(folder, plan) as tournament:
        now = time_ns() // 1_000_000
        games = [(number, now, log_of(tournament, number, count)) for number, count in events.items()]
        # On a busy machine it takes long until the page reads the report, so its time is as late as possible.
        RunningGames(tournament.tournaments.database, tournament.number).write(games, now + STALE_MS)


def make_cup(visitors: Visitors, *, is_started: bool) -> tuple[str, str, str]:
    """Return the code of a tournament of three people, and the tokens of one and of the organiser."""
    terms = {"title": "Class 6b", "game": "connect4", "rounds": 3, "computer": "level:1"}
    opened = visitors.post("/api/tournaments", terms)
    path = f"/api/tournaments/{opened['code']}"
    for name in ("Ada", "Wei", "Olga"):
        token = visitors.post(f"{path}/entries", {"name": name})["token"]
    if is_started:
        visitors.post(f"{path}/commands", {"command": {"type": "start"}}, opened["token"])
    return opened["code"], token, opened["token"]


def make_states(visitors: Visitors, folder: Path) -> dict[str, PageState]:
    """Return all pages in all their states, by name."""
    with tournament_in(folder, GAMES) as tournament:
        play_missing(tournament, most=3)

    with closing(open_database(url_of(folder / "games.db"))) as database:
        rate_people(database, time_ns() // 1_000_000)

    def play_games(_: "Page") -> None:
        tell_running(folder, GAMES, {7: 9, 13: 6, 4: None})

    waiting, choosing = (
        visitors.post("/api/rooms", {"game": game, "opponent": "friend", "name": "Ada", **more})
        for game, more in (("qubic", {}), ("tictactoe", {"begins": "chooser"}))
    )
    visitors.post("/api/join", {"room": choosing["room"], "name": "Wei"})
    watched = visitors.post("/api/rooms", {"game": "tictactoe", "computers": ["level:1", "level:2"]})
    over, closed = visitors.table("tictactoe", "5 1 3 2 7"), visitors.table("tictactoe", "5")
    closed.command(type="resign")
    closed.command(place=0, type="leave")
    playing, here, tiny = visitors.table("tictactoe", "5"), visitors.table("wild"), visitors.table("28x28:5")

    def sit(entry: Any) -> Callable[["Page"], object]:
        return lambda page: visitors.seat(page, entry["room"], entry["token"])

    def seat(table: Table) -> Callable[["Page"], object]:
        return lambda page: visitors.seat(page, table.room, table.tokens[1])

    def sit_first(table: Table) -> Callable[["Page"], object]:
        return lambda page: visitors.seat(page, table.room, table.tokens[0])

    def list_seat(table: Table) -> Callable[["Page"], object]:
        def store(page: "Page") -> None:
            visitors.seat(page, table.room, table.tokens[0])
            stored = json.dumps([{"room": table.room, "game": "gomoku"}])
            page.evaluate("seats => localStorage.setItem('noughts-seats', seats)", stored)

        return store

    cups = [make_cup(visitors, is_started=is_started) for is_started in (False, True)]
    by_days = visitors.table("gomoku", "h8", clock={"per_move": 259_200_000})
    add_line = choose(".conditional summary")
    prepared = {"type": "prepare", "lines": [["h9", "j10", "g9", "j9"]]}
    by_days.command(place=0, **prepared)
    states = {
        "home": PageState("/", ".pick", after=at_home(".pick:has([value=three]) b")),
        "home, options": PageState("/", ".pick", after=at_home("#options summary", "#languages summary")),
        "home, code": PageState("/", ".pick", after=ask_for_code),
        "build": PageState("/build", "#drawn .pic"),
        "build, a puzzle of rules": PageState("/build?game=15x15:5,renju", ".tick [aria-disabled]"),
        "build, wrongly": PageState("/build", "#drawn .pic", after=describe_wrongly),
        "waiting": PageState(f"/r/{waiting['room']}", ".bigcode", sit(waiting)),
        "invited": PageState(f"/r/{waiting['room']}", "#panel form"),
        "choosing": PageState(f"/r/{choosing['room']}", "[data-key=mark-X]", sit(choosing)),
        "your turn": PageState(f"/r/{playing.room}", "[role=grid]", seat(playing)),
        # Both sides use this device, since an absent opponent would later change the bar.
        "resigning": PageState(
            f"/r/{here.room}",
            "[role=grid]",
            lambda page: visitors.seat_all(page, here),
            choose("[data-key=web-resign]"),
        ),
        "aiming": PageState(
            f"/r/{tiny.room}",
            "[role=grid]",
            lambda page: visitors.seat_all(page, tiny),
            choose('[data-index="413"]', "[data-key=device] summary"),
        ),
        "offline": PageState(f"/r/{playing.room}", "[role=grid]", seat(playing), lose_connection),
        "which mark": PageState(
            f"/r/{here.room}",
            "[role=grid]",
            lambda page: visitors.seat_all(page, here),
            choose('[data-index="4"]'),
        ),
        "watched": PageState(f"/r/{watched['room']}", "[role=grid]"),
        "ended": PageState(f"/r/{over.room}", ".strike", seat(over)),
        "closed": PageState(f"/r/{closed.room}", "h1 span"),
        "replay": PageState(f"/g/{over.state['game_id']}?ply=3", ".steps"),
        "analysis": PageState("/analysis?game=connect4&moves=4,4,3", ".play-on", after=branch_off),
        "no position": PageState("/analysis?moves=1,1", "#panel a"),
        "history": PageState("/history", "tbody tr"),
        "scores": PageState("/scores", "tbody tr"),
        "ratings": PageState("/ratings", "tbody tr"),
        "strategy": PageState("/strategy?game=4x4:4", ".strategy img"),
        "no strategy": PageState("/strategy?game=connect4", ".empty"),
        "person": PageState(f"/person/{ADA}", ".graph"),
        "games": PageState("/games", ".by-days .days", list_seat(by_days)),
        "by days": PageState(f"/r/{by_days.room}", ".conditional li", sit_first(by_days), add_line),
        "report": PageState(f"/person/{ADA}/report", ".empty"),
        "puzzles": PageState("/puzzles", ".puzzle-rows"),
        "puzzle": PageState(f"/puzzle/{PUZZLE}", ".bar"),
        "puzzle, helped": PageState(f"/puzzle/{PUZZLE}", ".bar", after=choose("[data-key=web-hint]")),
        "puzzle, shown": PageState(f"/puzzle/{PUZZLE}", ".bar", after=show_solution),
        "no puzzle": PageState("/puzzle/99999", "#panel a"),
        "no history": PageState("/history", ".empty", NOBODY),
        "no scores": PageState("/scores", ".empty", NOBODY),
        "tournaments": PageState("/tournaments", "tbody tr"),
        "tournament": PageState(f"/tournament/{tournament.number}", ".live .here", play_games),
        "new class tournament": PageState("/t/new", "#odd-about"),
        "entered": PageState(f"/t/{cups[0][0]}#{cups[0][1]}", "#own-name"),
        "round": PageState(f"/t/{cups[1][0]}#{cups[1][1]}", ".seatcard", after=choose("[data-act=leave]")),
        "organiser": PageState(f"/t/{cups[1][0]}/organiser#{cups[1][2]}", "[data-act=pause]"),
        "wall": PageState("/tv", "#boards .pic"),
        "no wall": PageState("/tv", "[data-key=web-watch]", NOTHING_TO_WATCH),
        "watching": PageState(f"/tournament/{tournament.number}/7", "[role=grid]", play_games),
        "busy": PageState("/history", "[data-key=web-try-now]", BUSY),
        "busy room": PageState(f"/r/{over.room}", "#panel button", BUSY),
        "no room": PageState("/r/nobodyknows", "#panel a"),
        "no game": PageState("/g/999999", "#panel a"),
        "nothing": PageState("/nothing", ".plain"),
        "without network": PageState("/offline", "#margin .fact"),
        "without network, a game": PageState(
            "/offline", "#margin .fact", after=choose("[data-key=game-renju]", '[data-index="112"]')
        ),
    }
    for game in BOARDS:
        moves = BY_NAME[game].sample if game in BY_NAME else "f6 g6 g7"
        states[game] = PageState(f"/r/{visitors.table(game, moves).room}", "[role=grid]")
    return states


@pytest.fixture(scope="module")
def house(chromium: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any, Path]]:
    """Return the folder of a server with one example of everything."""
    folder = tmp_path_factory.mktemp("pages")
    with serving(folder) as address:
        visitors = Visitors(chromium, address)
        yield address, make_states(visitors, folder), folder


@pytest.fixture
def guests(chromium: "Browser", house: tuple[str, Any, Path]) -> Iterator[Visitors]:
    visiting = Visitors(chromium, house[0])
    yield visiting
    visiting.leave()


def open_all(guests: Visitors, states: dict[str, PageState]) -> Iterator[tuple[str, "Page"]]:
    """Open the states one after another in English, each once its page is complete."""
    page = guests.visit("/nothing", size=PHONE)
    for name, state in states.items():
        state.before(page)
        page.goto(guests.address + state.path)
        page.wait_for_selector(state.selector)
        state.after(page)
        yield name, page
        page.unroute_all()
        page.context.clear_cookies()
        page.evaluate("localStorage.clear()")


PARTS = 4
"""The number of tests that share the pages, for several processors."""

PLAIN = ("no position", "no puzzle", "no game", "no room", "no history", "no scores")
"""Sentences whose pages are also tested in a fuller state."""

CONTEXTS = """async ([tag, ms]) => {
  const words = () => [document.title, document.querySelector("#list, #index")?.innerText ?? ""];
  const before = words();
  if (tag) document.querySelector(`#languages a[hreflang=${tag}]`).click();
  const isWritten = () => tag
    ? document.documentElement.lang === tag && words().every((text, part) => text !== before[part] || !text)
    : document.title !== "noughts";
  for (const end = performance.now() + ms; !isWritten(); ) {
    if (performance.now() > end) throw new Error(`${document.title} is not written in ${tag}`);
    await new Promise(requestAnimationFrame);
  }
  const { lang, scrollWidth } = document.documentElement, still = document.getAnimations().length === 0;
  return { lang, scrollWidth, still, title: document.title, text: document.body.innerText };
}"""
"""Chooses a language in the menu, if any, and returns the state of the complete page.

The title and a list come last, after the server's response.
"""


UNSEEN = """() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")];
  const isFixed = one => getComputedStyle(one).position === "fixed" && one.checkVisibility();
  const fixed = [...document.querySelectorAll(".bar, .play")].filter(isFixed);
  const isCovered = (one, { top, bottom }) => fixed.filter(over => !over.contains(one)).some(over => {
    const box = over.getBoundingClientRect();
    return bottom > box.top + 1 && top < box.bottom;
  });
  const isUnseen = one => {
    one.focus();
    const shown = one.matches(".pick input") ? one.nextElementSibling : one.querySelector(".hit") ?? one;
    const { outlineStyle, outlineWidth, stroke, strokeWidth } = getComputedStyle(shown);
    const width = outlineStyle === "none" ? (stroke === "none" ? "0" : strokeWidth) : outlineWidth;
    const isShown = document.activeElement === one && parseFloat(width) >= 3;
    return !isShown || isCovered(one, shown.getBoundingClientRect());
  };
  const seen = all.filter(one => one.checkVisibility() && !one.disabled);
  return seen.filter(isUnseen).map(one => one.outerHTML.slice(0, 100));
}"""
"""Returns elements that cannot be focused, do not show the focus, or are covered by fixed elements."""

SMALL = """() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, summary")];
  const isHidden = one => one.closest(".visually-hidden, .skip");
  const isLoose = one => !isHidden(one) && getComputedStyle(one).display !== "inline";
  const pressed = one => (one.matches("[type=checkbox], [type=radio]") ? one.closest("label, .tick") : one);
  const targets = all.filter(one => one.checkVisibility() && isLoose(one)).map(pressed);
  const isSmall = ({ width, height }) => width > 1 && Math.min(width, height) < 43.5;
  return targets.filter(one => isSmall(one.getBoundingClientRect())).map(one => one.outerHTML.slice(0, 100));
}"""
"""Returns elements that are too small for a finger, except cells and links in sentences."""


def violations(page: "Page", **options: Any) -> list[Any]:
    """Return the violations that axe finds on *page*."""
    paint(page)
    answer = page.evaluate(
        "options => axe.run(document, options)", {"resultTypes": ["violations"], "preload": False, **options}
    )
    assert options or len(answer["passes"]) > 15
    found = answer["violations"]
    return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found]


def read(page: "Page", name: str, language: str = "") -> str:
    """Return the words of *page*, after checks of its width, its layout and its language.

    The default language is that of the page, which is English.
    """
    from playwright.sync_api import Error

    try:
        facts = page.evaluate(CONTEXTS, [language, TIMEOUT_MS])
    except Error as error:  # Pages that the server writes are loaded again in the language.
        if "context was destroyed" not in str(error):
            raise
        page.wait_for_function("tag => document.documentElement.lang === tag", arg=language)
        facts = page.evaluate(CONTEXTS, ["", TIMEOUT_MS])
    assert facts["scrollWidth"] == PHONE[0], (name, language)
    assert facts["lang"] == (language or "en"), name
    assert facts["still"], name
    text: str = facts["text"]
    assert not re.search(r"\b(web|people)-[a-z]", text), (name, language)
    assert "{" not in text, (name, language)
    assert facts["title"].endswith("noughts"), (name, language)
    return text


WITHOUT_FAST = "import sys; sys.modules['numba'] = None; from noughts.interfaces.cli import main; main()"
"""The program without the extra that compiles searches."""


def test_weaker_level_has_warning(chromium: "Browser", tmp_path: Path) -> None:
    with serving(tmp_path, ("-c", WITHOUT_FAST)) as address:
        visitors = Visitors(chromium, address)
        page = visitors.visit("/", size=PHONE)
        page.click("#options summary")
        caution = page.locator("#caution")
        page.select_option("#level", "level:10")
        assert caution.inner_text() == ""  # the first game is too small for a warning
        page.click(".pick:has([value=gomoku]) b")
        page.wait_for_selector("#caution:not(:empty)")
        assert caution.inner_text().startswith("Level 10")
        assert ".[fast]" in caution.inner_text()
        page.click(".pick:has([value=reversi]) b")  # its searches are never compiled
        page.wait_for_selector("#caution:empty", state="attached")
        page.goto(address + "/build?game=6x6:4")
        page.click("#options summary")
        page.select_option("#level", "level:10")
        page.wait_for_selector("#caution:not(:empty)")
        page.select_option("#level", "level:9")
        assert caution.inner_text() == ""
        page.select_option("#level", "level:10")
        read(page, "build", "ru")
        wait_for(page, "Уровень 10", "#caution")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
        visitors.leave()


GAPS = """() => {
  const places = [...document.querySelectorAll(".shelf .cap b")].map((name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    return [name.textContent, range.getBoundingClientRect()];
  });
  const pairs = places.slice(1).map(([, next], index) => [...places[index], next]);
  const wrong = pairs.filter(([, one, next]) => next.left > one.left && next.left - one.right < 4);
  return wrong.map(([name]) => name);
}"""
"""Returns the names of games that touch the name beside them."""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_names_of_games_keep_a_distance(visitors: Visitors, language: str) -> None:
    page = visitors.visit("/", language, (320, 568))
    page.wait_for_selector(".shelf .cap b")
    for width in (320, 340, 375):
        page.set_viewport_size({"width": width, "height": 568})
        assert page.evaluate(GAPS) == []


WRONG = """<h1 style="margin:0">Hello there</h1><p style="margin-top:-20px">Other words here</p>
<button style="width:30px;overflow:hidden;white-space:nowrap;padding:0">Longword</button>
<div style="width:500px">wide</div><p style="margin-left:-30px">left</p>
<svg viewBox="0 0 100 100" width="100">
<path class="strike" d="M0 50H100V60H0Z"/><text class="coord" x="40" y="58" font-size="8">a</text></svg>"""


def test_unreadable_words_are_detected(chromium: "Browser") -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    page.set_content(WRONG)
    wrong = {"cut: Longword", "Hello there / Other words here", "under a stroke: a", "off the page: left"}
    found = overlaps(page)
    assert set(found[1440]) == wrong
    assert set(found[320]) - wrong == {"the page is 508 wide in a window of 320"}
    page.close()


@pytest.mark.parametrize("is_weekly", [False, pytest.param(True, marks=pytest.mark.weekly)])
@pytest.mark.parametrize("part", range(PARTS))
def test_pages_pass_checks_in_every_state(
    part: int, is_weekly: bool, guests: Visitors, house: tuple[str, Any, Path]
) -> None:
    """Roles and colours are tested in English, and widths in Russian, which has the longest words.

    States that share their template with another one, and boards like another one, are tested weekly.
    Half of the states are tested in dark colours on a desktop, the others in light colours on a phone. The
    light colours of all states, all widths and all languages are tested weekly.
    """
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    states = {name: state for name, state in house[1].items() if is_weekly or name not in ALIKE}
    for at, (name, page) in enumerate(open_all(guests, dict(islice(states.items(), part, None, PARTS)))):
        text = read(page, name)
        page.keyboard.press("Tab")
        assert page.evaluate(UNSEEN) == [], name
        assert page.evaluate(SMALL) == [], name
        page.evaluate(axe)  # not as a script element, which the content policy forbids
        is_dark = at % 2 == 0 and name not in PLAIN
        if is_weekly or not is_dark:
            assert violations(page, runOnly=["color-contrast"]) == [], name
        if is_dark:
            page.emulate_media(color_scheme="dark")
            page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
            assert violations(page) == [], name
            page.emulate_media(color_scheme="light")
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert read(page, name, "ru") != text, name
        assert overlaps(page, FEW) == {}, name


@pytest.mark.weekly
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_words_fit_every_page(language: str, guests: Visitors, house: tuple[str, Any, Path]) -> None:
    for name, page in open_all(guests, house[1]):
        read(page, name, language)
        assert overlaps(page) == {}, name


def test_language_change_keeps_page(guests: Visitors) -> None:
    page = guests.visit()
    page.goto(guests.address + "/build")
    page.wait_for_selector("#drawn .pic")
    page.fill("#own", "6x5:4,players=3")
    page.click("#options summary")
    page.wait_for_selector("#name3")
    page.fill("#name", "Ada")
    page.fill("#name3", "Lin")
    page.click("#languages summary")
    page.click("#languages a[hreflang=ru]")
    page.wait_for_function("() => document.title === 'Своя доска, noughts'")
    page.wait_for_function("() => document.getElementById('rules').textContent.startsWith('Доска 6×5')")
    assert page.get_attribute("html", "lang") == "ru"
    assert [page.input_value(f"#{id_}") for id_ in ("own", "name", "name3")] == [
        "6x5:4,players=3",
        "Ada",
        "Lin",
    ]
    page.fill("#own", "6x5:9")
    page.wait_for_function("() => /[а-я]/.test(document.getElementById('spec-error').textContent)")
    page.reload(wait_until="commit")
    assert page.get_attribute("html", "lang") == "ru"  # the server sends it so


def test_custom_board_is_built_step_by_step(guests: Visitors) -> None:
    page = guests.visit("/build", size=PHONE)
    page.wait_for_selector("#drawn .pic")
    page.click("[data-key=width-web-more-of]")
    wait_for(page, "8×6, 4 in a row", "#title")
    assert page.input_value("#own") == "8x6:4,gravity"
    page.click("label[for=tick-wrap-x]")
    page.wait_for_selector("#tick-wrap-x:checked")
    assert page.input_value("#own") == "8x6:4,gravity,wrap=x"
    assert page.get_attribute("#drawn .pencil.dashed", "d") == "M0 0V600M800 0V600"
    assert "cannot be combined with: Marks fall" in page.inner_text("#tick-hex-about")
    page.click("#tick-hex", force=True)  # dashed, so a click has no effect
    assert page.get_attribute("#tick-hex", "aria-disabled") == "true"
    page.focus("#tick-gravity")
    page.keyboard.press("Space")
    page.wait_for_selector("#tick-gravity:not(:checked)")
    assert page.evaluate("document.activeElement.id") == "tick-gravity"
    page.fill("#own", "3x3:9")
    page.wait_for_selector("#own[aria-invalid]")
    assert page.locator("#drawn .pic").count() == 1  # the last valid board
    assert page.is_disabled("[data-key=with-friend]")
    page.fill("#own", "4x4:3,misere")
    page.wait_for_selector("#own:not([aria-invalid])")
    assert page.inner_text("#estimates") == ""
    page.click("[data-key=with-computer]")
    page.wait_for_url("**/r/*")
    wait_for(page, "Your turn")
    assert page.locator("[role=gridcell]").count() == 16


LOOK = "document.dispatchEvent(new Event('visibilitychange'))"
"""Makes a tournament page update immediately."""


def test_running_tournament_games_can_be_watched(guests: Visitors, house: tuple[str, Any, Path]) -> None:
    """Changes are applied in place. The reader of a running game stays there."""
    plan, folder = replace(GAMES, seed=1), house[2]

    def tell(events: dict[int, int | None]) -> None:
        tell_running(folder, plan, events)
        page.evaluate(LOOK)

    def end_one() -> None:
        with tournament_in(folder, plan) as tournament:
            play_missing(tournament, most=1)
        page.evaluate(LOOK)

    page = guests.begin()
    tell_running(folder, plan, {1: 2, 2: 1})
    with tournament_in(folder, plan) as tournament:
        page.goto(f"{guests.address}/tournament/{tournament.number}")
    page.focus("[data-key=running-1] a")
    page.evaluate("document.activeElement.isKnown = true")
    tell({1: 4, 2: 1})
    page.wait_for_selector("[data-key=running-1] small:has-text('Move 5')")
    assert page.evaluate("document.activeElement.isKnown")
    end_one()
    page.wait_for_selector("[data-key=running-1] small:has-text('The game is over')")
    tell({3: 1, 2: 1})
    page.wait_for_selector("[data-key=running-3] + [data-key=running-2]")
    assert page.evaluate("document.activeElement.matches('tr[data-key=game-1] a')")
    page.click("[data-key=running-2] a")
    page.wait_for_selector("[role=grid]")
    tell({2: 3})
    page.wait_for_selector(".moves li:nth-child(3)")
    page.click("[data-key=web-start]")
    tell({2: 4})
    page.wait_for_selector(".moves li:nth-child(4)")
    assert page.inner_text(".ply") == "0 of 4"
    tell({})
    page.wait_for_selector(".player.turn", state="detached")
    end_one()
    page.wait_for_selector("[data-key=ended]")
    page.keyboard.press("End")
    page.wait_for_url("**/g/*")


def test_first_game_takes_two_taps(
    guests: Visitors,
) -> None:
    page = guests.visit(size=(390, 844))
    page.click("[data-key=with-computer]")  # the first tap
    page.wait_for_url("**/r/*")
    wait_for(page, "Your turn")
    page.click('[role=gridcell][data-index="4"]')  # the second
    page.wait_for_selector('[role=gridcell][data-index="4"] .mark')
    wait_for(page, "Your turn")
    room = page.url.rsplit("/", 1)[1]
    page.add_init_script(SHIFTS)
    page.goto(guests.address)
    page.wait_for_selector(f"[data-key=room-{room}]")
    wait_for(page, "Your turn", "#seats")
    wait_for(page, "Your turn in 1 game", "#alert")
    assert page.locator("#seats li").count() == 1
    assert page.evaluate("moved") <= 0.02
    bottoms = "[...document.querySelectorAll('.pick')].map(one => one.getBoundingClientRect().bottom)"
    assert sum(bottom < 712 for bottom in page.evaluate(bottoms)) >= 6
    page.evaluate("localStorage.setItem('noughts-seats', JSON.stringify([{ room: 'gone', game: 'x' }]))")
    page.reload()
    page.wait_for_function("() => localStorage.getItem('noughts-seats') === '[]'")
    page.wait_for_selector("#running-games", state="hidden")
    page.evaluate("localStorage.setItem('noughts-seats', 'nonsense')")
    page.reload()
    page.wait_for_selector("#clock option", state="attached")
    assert page.is_hidden("#running-games")


def test_slow_room_is_announced(guests: Visitors) -> None:
    page = guests.visit(size=PHONE)
    held: list[Any] = []
    page.route("**/api/rooms?**", lambda route: held.append(route))
    page.clock.install()
    page.click("[data-key=with-friend]")
    page.clock.run_for(5000)
    wait_for(page, "One moment", "#form-error.fact")
    page.route("**/r/*", lambda route: route.abort("aborted"))  # this page stays until the room opens
    with page.expect_request("**/r/*"):
        held.pop().continue_()
    page.click("[data-key=with-friend]")
    page.wait_for_timeout(100)
    assert not held


def test_running_game_is_listed_before_finished_ones(guests: Visitors) -> None:
    page = guests.visit(size=PHONE)
    tables = [guests.table("tictactoe") for _ in range(6)]
    for table in tables[1:]:
        table.command(type="resign")
    seats = [{"room": table.room, "game": "tictactoe"} for table in tables[::-1]]
    page.evaluate("seats => localStorage.setItem('noughts-seats', JSON.stringify(seats))", seats)
    page.reload()
    first, last = tables[0].room, tables[1].room
    page.wait_for_selector(f"#seats > li:first-child [data-key=room-{first}]")
    assert page.locator("#seats a").count() == 4
    assert page.locator(f"[data-key=room-{last}]").count() == 0
    page.click("[data-key=all-rooms]")
    page.wait_for_selector(f"#seats > li:last-child [data-key=room-{last}]")
    guests.seat(page, last, tables[1].tokens[0])
    page.click(f"[data-key=room-{last}]")  # the last used room is listed first
    page.wait_for_selector("[role=gridcell]")
    kept = "JSON.parse(localStorage.getItem('noughts-seats')).map(({ room }) => room)"
    assert page.evaluate(kept)[0] == last
    assert page.evaluate("document.cookie") == "noughts-seats=2.5"


def test_enter_plays_last_typed_board(visitors: Visitors) -> None:
    page = visitors.visit("/build")
    page.wait_for_selector("#drawn .pic")
    page.fill("#own", "banana")
    page.press("#own", "Enter")
    page.wait_for_selector("#own[aria-invalid]")
    held = hold_first(page, "**/api/build*")
    with page.expect_request("**/api/build*"):
        page.fill("#own", "5x5x5:4")
    page.press("#own", "Enter")
    held[0].continue_()
    page.wait_for_url("**/r/*")
    room = page.url.rpartition("/")[2].partition("?")[0]
    assert Table(visitors, room, {}, None).look()["game"]["name"] == "5x5x5:4"


def test_api_description_fits_phone(guests: Visitors) -> None:
    page = guests.visit("/api", size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert page.locator("dd code", has_text="no-such-ply").count() > 0
    assert "`" not in page.inner_text("body")
    page.click("#codes-show")
    page.wait_for_selector("#code:focus")


def test_history_filter_is_in_address(visitors: Visitors) -> None:
    visitors.table("tictactoe", "1 4 2 5 3", names=("Filtered", "Wei"))
    visitors.table("4x4", "1 5 2 6 3 7 4", names=("Filtered", "Wei"))
    page = visitors.visit("/history?player=FILTERED")
    rows = page.locator("tbody tr")
    page.wait_for_selector("tbody tr")
    assert (rows.count(), page.input_value("#player")) == (2, "FILTERED")
    page.select_option("#game", "4x4")
    page.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    assert page.url.endswith("/history?game=4x4&player=FILTERED")
    page.select_option("#result", "draw")
    wait_for(page, "No games match.", "#list")
    page.select_option("#result", "X")
    page.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    page.select_option("#days", "7")
    page.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    assert page.url.endswith("/history?game=4x4&player=FILTERED&result=X&days=7")
    page.select_option("#game", "gomoku")
    wait_for(page, "No games match.", "#list")
    page.go_back()
    page.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    assert page.input_value("#game") == "4x4"
    page.fill("#player", "nobody at all")
    page.keyboard.press("Enter")
    wait_for(page, "No games match.", "#list")
    page.click("#languages summary")
    page.click("a[hreflang=ru]")
    wait_for(page, "Таких партий нет.", "#list")
    assert page.get_attribute("#player", "placeholder") == "Любой"
    assert page.inner_text("#game option[value=gomoku]") == "Гомоку"
    page.click("#list a")
    page.wait_for_selector("tbody tr")
    assert page.url.endswith("/history")


def test_scoreboard_rows_align_on_phone(visitors: Visitors) -> None:
    visitors.table("tictactoe", "1 4 2 5 3", names=("Alike", "Alike too"))
    page = visitors.visit("/scores", size=PHONE)
    page.wait_for_selector("tbody tr")
    below = """rows => rows.map(row => {
      const [name, wins] = ["th", "td.num"].map(one => row.querySelector(one).getBoundingClientRect());
      return wins.top >= name.bottom;
    })"""
    assert set(page.eval_on_selector_all("tbody tr", below)) == {True}


def test_phone_menu_has_history_and_scores(guests: Visitors) -> None:
    page = guests.visit(size=PHONE)
    menu = page.get_by_text("Menu", exact=True)
    assert page.inner_text("#languages summary").strip() == "Menu"
    for name, path in (("History", "/history"), ("Scores", "/scores")):
        menu.click()
        page.get_by_role("link", name=name).click()
        page.wait_for_url(f"**{path}")
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    wait_for(page, "English", "#languages summary")
    assert page.locator("nav").get_by_role("link", name="History").is_visible()


def test_watched_game_has_chosen_computers(guests: Visitors) -> None:
    page = guests.visit()
    page.wait_for_selector("#watched-1 option", state="attached")
    assert page.locator("#watched select").count() == 2
    page.click(".pick:has([value=three]) b")
    assert page.locator("#watched select").count() == 3
    begin(page, "watch", **{f"watched-{seat}": "random" for seat in range(3)})
    page.wait_for_selector(".mark.z")
    assert page.locator(".player").count() == 3
    assert page.locator("#margin button").count() == 0


def test_game_for_one_is_played_alone(guests: Visitors) -> None:
    page = guests.visit()
    page.wait_for_selector(".pick")
    page.click(".pick:has([value=fifteen]) b")
    assert page.locator("#ways button:visible").count() == 1
    page.click("#options summary")
    assert page.is_visible("#name")
    assert page.is_hidden("#clock")
    page.click("[data-key=with-alone]")
    page.wait_for_selector("[role=grid]")
    assert page.locator(".player").count() == 1


def test_chosen_terms_apply_to_game(guests: Visitors) -> None:
    page = guests.visit()
    begin(page, "computer", level="random", place="1", clock="3+2", begins="x", name="Ada")
    page.wait_for_selector(".player .clock")
    wait_for(page, "Ada", ".player:nth-child(2)")
    assert page.locator(".player:nth-child(2) .glyph.o").count() == 1
    page.goto(guests.address)
    page.wait_for_selector("#clock option", state="attached")
    assert page.input_value("#name") == "Ada"
    assert page.input_value("#level") == "random"


def test_page_can_be_installed(guests: Visitors) -> None:
    page = guests.visit("/nothing")
    data = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert data["errors"] == []
    sizes = page.evaluate(
        """async address => {
          const manifest = await (await fetch(address)).json();
          const links = [...document.querySelectorAll("link[rel$=icon]")].map(link => link.href);
          const pictures = [...manifest.icons.map(icon => icon.src), ...links].map(async source => {
            const image = new Image();
            image.src = source;
            await image.decode();
            return [image.src.split("/").at(-1), image.naturalWidth, image.naturalHeight];
          });
          return [manifest.display, manifest.start_url, await Promise.all(pictures)];
        }""",
        data["url"],
    )
    assert sizes[:2] == ["standalone", "/"]
    for name, side in (("icon-192", 192), ("icon-512", 512), ("icon-maskable-512", 512), ("icon-180", 180)):
        assert [f"{name}.png", side, side] in sizes[2]
    for scheme, color in (("light", "#fafaf6"), ("dark", "#13161d")):
        assert page.get_attribute(f"meta[name=theme-color][media*={scheme}]", "content") == color


SHIFTS = """window.moved = 0;
new PerformanceObserver(list => { for (const entry of list.getEntries()) moved += entry.value; })
  .observe({ type: "layout-shift", buffered: true });"""
"""Counts the shifts of visible elements."""

TWICE = """() => {
  const words = [...document.querySelectorAll("body *")].filter(one => !one.closest("svg"));
  const styles = words.map(one => getComputedStyle(one));
  const sizes = styles.map(({ fontSize, lineHeight }) => [fontSize, lineHeight].map(parseFloat));
  words.forEach((one, number) => {
    const [letters, line] = sizes[number];
    one.style.fontSize = `${2 * letters}px`;
    if (line) one.style.lineHeight = `${2 * line}px`;
  });
}"""
"""Doubles the size of all letters, as browsers can."""

OTHERWISE = ("home", "build", "resigning", "ended", "replay", "analysis", "puzzle", "history", "scores")
"""States that are tested with slow data, large letters and forced colours."""


@pytest.mark.parametrize(("width", "height"), [(320, 700), weekly(768, 1024)])
def test_late_responses_move_nothing(guests: Visitors, width: int, height: int) -> None:
    page = guests.begin(size=(width, height))
    page.add_init_script(SHIFTS)

    def late(route: "Route") -> None:
        page.wait_for_timeout(200)
        route.continue_()

    page.route("**/api/**", late)
    three = guests.table("three", BY_NAME["three"].sample)  # players in two rows
    for path, selector in ((f"/r/{three.room}", "[role=grid]"), ("/history", "tbody tr")):
        page.goto(guests.address + path)
        page.wait_for_selector(selector)
        page.evaluate(SETTLED)
        assert page.evaluate("moved") <= 0.05, path
    page.unroute_all()


def test_slow_page_is_stable_with_large_letters(guests: Visitors, house: tuple[str, Any, Path]) -> None:
    page = guests.begin("ru", (390, 844))
    session = page.context.new_cdp_session(page)
    page.add_init_script(SHIFTS)
    slow = {"offline": False, "latency": 30, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", slow)
    for name in OTHERWISE:
        state = house[1][name]
        state.before(page)
        page.goto(guests.address + state.path)
        page.wait_for_selector(state.selector)
        page.wait_for_load_state("networkidle") if state.path in ("/history", "/scores") else None
        assert page.evaluate("moved") <= (0.02 if name == "home" else 0.05), name
        page.evaluate(TWICE)
        assert page.evaluate(FIND) == [], name


COLOURS = """() => {
  const ground = getComputedStyle(document.body);
  const few = [ground.color, ground.backgroundColor, "none", "rgba(0, 0, 0, 0)"];
  const kinds = ["svg :is(path, circle, text, use)", ".primary, [aria-pressed=true], [aria-current]"];
  const seen = kind => [...document.querySelectorAll(kind)].filter(one => one.checkVisibility());
  const [shapes, marked] = kinds.map(seen);
  const wrong = shapes.filter(one => {
    const { fill, stroke } = getComputedStyle(one);
    return ![fill, stroke].every(colour => few.includes(colour));
  });
  const unseen = marked.filter(one => {
    const { color, backgroundColor, outlineStyle } = getComputedStyle(one);
    return one.matches(".primary") ? color === backgroundColor : outlineStyle === "none";
  });
  return [...wrong, ...unseen].map(one => one.outerHTML.slice(0, 100));
}"""
"""Returns drawings with fixed colours in forced-colours mode, and elements without contrast."""


def test_forced_colours_apply_to_drawings(guests: Visitors, house: tuple[str, Any, Path]) -> None:
    page = guests.begin(size=PHONE)
    page.emulate_media(forced_colors="active")
    for name in (*OTHERWISE, "ultimate", "reversi", "qubic"):
        state = house[1][name]
        state.before(page)
        page.goto(guests.address + state.path)
        page.wait_for_selector(state.selector)
        state.after(page)
        if name == "replay":
            page.click("[data-key=web-review]")
            page.wait_for_selector(".turning-point")
        assert page.evaluate(COLOURS) == [], name
    page.emulate_media(forced_colors="none")


def test_pages_are_readable_without_scripts(chromium: "Browser", house: tuple[str, Any, Path]) -> None:
    context = chromium.new_context(java_script_enabled=False, locale="ru")
    page = context.new_page()
    page.goto(house[0])
    assert "JavaScript" in page.inner_text(".noscript")
    assert page.locator(".pick .pic").count() > 20
    page.click("nav a[href='/history']")
    assert page.locator("tbody tr").count() > 1
    page.select_option("#game", "tictactoe")
    page.fill("#player", "ada")
    page.click(".filters button")
    assert page.url.endswith("/history?game=tictactoe&player=ada&result=&days=")
    assert page.inner_text("tbody tr:first-child a") == "Крестики-нолики"
    for query in ("?before=1", "?before=x&game=gomoku&player=nobody"):
        page.goto(f"{house[0]}/history{query}&result=?&days=no")
        assert (page.locator("tbody tr").count(), page.locator(".empty").count()) == (0, 1)
    context.close()


def test_touch_cells_are_large_enough(guests: Visitors) -> None:
    page = guests.begin(size=PHONE)
    for game in ("tictactoe", "wild", "three", "connect4", "5x5", "fifteen", "pentago"):
        page.goto(f"{guests.address}/r/{guests.table(game).room}")
        page.wait_for_selector("[role=gridcell]")
        box = page.locator("[role=gridcell] .hit").first.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, game


def test_large_board_fits_window(guests: Visitors) -> None:
    page = guests.visit(f"/r/{guests.table('19x19:5', '361').room}", size=DESK)
    wait_for(page, "19×19: 5 in a row.", "#status p")
    for width in (DESK[0], *PHONE[:1]):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_function("() => document.querySelector('svg.board').clientWidth <= innerWidth")
        box = page.locator('[data-index="360"] .hit').bounding_box()
        assert box is not None
        assert box["x"] > 0
        assert box["x"] + box["width"] <= width
        assert page.locator(".board .here").count() == 1


@pytest.mark.parametrize("game", [weekly("100x100:5"), "30x2:4,gravity"])
def test_large_board_labels_fit_phone(visitors: Visitors, game: str) -> None:
    page = visitors.visit(f"/r/{visitors.table(game).room}", size=PHONE)
    page.wait_for_selector("[role=gridcell]")
    assert page.evaluate(FIND) == []
    assert page.get_by_text("100" if game == "100x100:5" else "30", exact=True).count() == 1


def test_board_shows_layer_of_position(guests: Visitors) -> None:
    page = guests.visit(f"/r/{guests.table('10x10x10:5', '1').room}", size=PHONE)
    wait_for(page, "1", ".tabs [aria-pressed=true]")
    page.click("[data-key=plane-2]")
    page.wait_for_selector('[data-index="200"]')
    assert page.locator("[role=gridcell]").count() == 100
    page.focus('[role=gridcell][data-index="209"]')
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('[data-index="300"]:focus')
    assert page.get_attribute(":focus", "aria-label") == "4a10, empty"
    page.click("[data-key=web-lines]")
    page.wait_for_selector(".aim", state="attached")
    assert "lines go through cell 4a10" in page.inner_text(".note")


def test_layer_does_not_change_during_own_turn(visitors: Visitors) -> None:
    table = visitors.table("10x10x10:5,players=3")
    page = visitors.begin(size=PHONE)
    visitors.seat(page, table.room, table.tokens[0])
    page.goto(f"{visitors.address}/r/{table.room}")
    play(page, 5)
    wait_for(page, "Wei")
    table.state = table.look()
    table.command(type="move", move="301")  # the last of three players is to move
    wait_for(page, "Lin")
    table.command(type="move", move="302")
    page.wait_for_selector("[role=gridcell].free")
    assert page.get_attribute(".tabs [aria-pressed=true]", "data-key") == "plane-0"
    answered = page.get_by_role("button", name="Layer 4, last move")
    assert answered.locator(".here").count() == 1
    answered.click()
    page.wait_for_selector('[role=gridcell][data-index="300"] .mark')
    page.click("[data-key=ply-1]")
    page.wait_for_selector("[data-key=plane-0][aria-pressed=true]")
    page.click("[data-key=web-past-live]")  # following the game again shows the last move
    page.wait_for_selector("[data-key=plane-3][aria-pressed=true]")


def test_four_dimensions_form_square_of_planes(guests: Visitors) -> None:
    page = guests.visit(f"/r/{guests.table('4x4x4x4:4', '1').room}", size=PHONE)
    page.wait_for_selector("[data-key=plane-15]")
    lefts, tops = page.evaluate(
        """() => ["left", "top"].map(side =>
          [...document.querySelectorAll(".tabs button")].map(tab => tab.getBoundingClientRect()[side]))"""
    )
    assert [len(set(lefts)), len(set(tops))] == [4, 4]
    assert lefts == lefts[:4] * 4


def test_five_dimensions_have_three_tabs_on_phone(guests: Visitors) -> None:
    page = guests.visit(f"/r/{guests.table('3x3x3x3x3:3', '1').room}", size=PHONE)
    page.wait_for_selector(".tabs button >> nth=2")
    assert page.locator(".tabs button").count() == 3
    assert page.inner_text(".tabs [aria-pressed=true]").strip() == "1"
    assert page.locator("[role=gridcell]").count() == 81
    page.click("[data-key=plane-18]")
    page.wait_for_selector('[data-index="162"]')
    assert page.get_attribute('[data-index="162"]', "aria-label") == "3.1.1a3, empty"
