"""Running games in real browsers: looking back, spectators, questions and absence."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from noughts.arena.commands import MakeMove, Resign, WrittenMove
from noughts.arena.rooms.rooms import Rooms
from noughts.arena.store.database import open_database
from noughts.arena.stored_game import PUBLIC
from noughts.arena.table import HUMAN, Terms
from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.http.limits import UNLIMITED
from noughts.interfaces.web.live.events import frame
from noughts.interfaces.web.network import listening_socket
from noughts.interfaces.web.service import ServerOptions
from noughts.interfaces.web.wall_models import WallChanges, WallState, WatchedChange, WatchedGame
from noughts.search.analysis import Progress
from noughts.workers.messages import OnMessage, PendingResult, Task, TaskFailure, TaskResult, TaskWorker
from tests.interfaces.harness import SAY
from tests.interfaces.web.conftest import wait_until_it_answers
from tests.interfaces.web.visiting import PHONE, Table, Visitors, begin, play, say, wait_for
from tests.stand_ins import ThinkingHere
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow

SEAT = "noughts-seat"

EN = SAY["en"]


def sit(visitors: Visitors, table: Table, place: int, language: str = "en", query: str = "") -> "Page":
    """Return the page of the player at *place* of *table*."""
    page = visitors.begin(language)
    add_seat(page, table, place)
    page.goto(f"{visitors.address}/r/{table.room}{query}")
    page.wait_for_selector("[role=grid]")
    return page


def add_seat(page: "Page", table: Table, place: int) -> None:
    """Give the browser of *page* the cookie of a seat."""
    path = f"/api/rooms/{table.room}"
    cookie = {"name": SEAT, "value": table.tokens[place], "domain": "127.0.0.1", "path": path}
    page.context.add_cookies([cookie])  # type: ignore[list-item]


def sit_here(visitors: Visitors, table: Table) -> "Page":
    """Return the page of a device that all players of *table* share."""
    page = visitors.visit("/static/manifest.webmanifest")
    tokens = [table.tokens[place] for place in sorted(table.tokens)]
    arguments = [f"noughts-here-{table.room}", json.dumps(tokens)]
    page.evaluate("([key, tokens]) => localStorage.setItem(key, tokens)", arguments)
    page.goto(f"{visitors.address}/r/{table.room}")
    page.wait_for_selector("[role=grid]")
    return page


def marks(page: "Page") -> int:
    """Return the number of marks on the board."""
    return page.locator("[role=gridcell] .mark").count()


def wait_for_marks(page: "Page", count: int) -> None:
    page.wait_for_function(
        "count => document.querySelectorAll('[role=gridcell] .mark').length === count", arg=count
    )


# Looking back


def test_earlier_position_is_read_only(visitors: Visitors) -> None:
    page = sit(visitors, table := visitors.table("tictactoe", "5 1 3 7"), 0)
    wait_for(page, "Your turn")
    page.click("[data-key=ply-1]")
    wait_for(page, "Move 1 of 4")
    assert page.url.endswith(f"/r/{table.room}?ply=1")
    assert page.get_attribute("[data-key=ply-1]", "aria-current") == "step"
    page.click('[data-index="5"]')
    wait_for(page, "An earlier position, to look at only.", "#status p")
    assert marks(page) == 1
    page.reload()
    wait_for(page, "Move 1 of 4")
    assert marks(page) == 1
    page.keyboard.press("ArrowLeft")
    wait_for(page, "Before the first move")
    assert marks(page) == 0
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")  # the board ignores the key
    wait_for(page, "Move 1 of 4")
    page.click("[data-key=web-past-live]")
    wait_for(page, "Your turn")
    assert page.url.endswith(f"/r/{table.room}")
    assert page.get_attribute(":focus", "role") == "gridcell"
    assert marks(page) == 4
    play(page, 5)


@pytest.mark.parametrize(
    ("language", "title", "turn", "ended"),
    [
        weekly(
            "en", "Move 1 of 3", "The game has gone on since: it is your turn.", "The game has ended since."
        ),
        (
            "ru",
            "Ход 1 из 3",
            "Партия тем временем продолжилась: ваш ход.",
            "Партия тем временем закончилась.",
        ),
        ("zh-Hans", "第 1 步，共 3 步", "对局已经继续：轮到你了。", "对局已经结束。"),
        weekly("zh-Hant", "第 1 步，共 3 步", "對局已經繼續：輪到你了。", "對局已經結束。"),
    ],
)
def test_news_appear_while_looking_back(
    visitors: Visitors, language: str, title: str, turn: str, ended: str
) -> None:
    page = sit(visitors, table := visitors.table("tictactoe", "5 1 3"), 0, language, "?ply=1")
    wait_for(page, title)
    table.command(type="move", move="7")
    wait_for(page, turn, "#status p")
    table.command(place=1, type="resign")
    wait_for(page, ended, "#status p")
    assert marks(page) == 1
    page.keyboard.press("End")
    wait_for_marks(page, 4)
    assert "ply" not in page.url


def test_takeback_ends_looking_back(visitors: Visitors) -> None:
    page = sit(visitors, table := visitors.table("tictactoe", "5 1 3"), 0, query="?ply=2")
    wait_for(page, "Move 2 of 3")
    table.command(place=1, type="offer-draw")
    wait_for(page, "Wei offers a draw.", "#status p")
    table.command(place=0, type="decline")
    table.command(place=0, type="take-back", plies=2)
    table.command(place=1, type="accept")
    wait_for(page, "Wei is to move")
    assert marks(page) == 1
    for nonsense in ("?ply=1", "?ply=99", "?ply=-1", "?ply=x"):
        page.goto(f"{visitors.address}/r/{table.room}{nonsense}")
        wait_for(page, "Wei is to move")


def test_looking_back_survives_lost_connection(visitors: Visitors) -> None:
    page = sit(visitors, table := visitors.table("tictactoe", "5 1 3"), 0, query="?ply=2")
    page.wait_for_selector('[data-index="0"] .mark')
    page.context.set_offline(True)
    wait_for(page, "Connection lost")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => !location.search.includes('ply=1')")
    assert marks(page) == 2
    # Meanwhile the shown moves are taken back, and other moves are played.
    table.command(place=0, type="take-back", plies=2)
    table.command(place=1, type="accept")
    for move in ("2", "3"):
        table.command(type="move", move=move)
    page.context.set_offline(False)
    page.wait_for_selector('[data-index="1"] .mark')
    wait_for(page, "Move 2 of 3")
    assert marks(page) == 2


@pytest.mark.parametrize(
    ("game", "moves", "ply", "count"), [("vanishing", "1 2 4 5 6 3 8", 6, 6), ("connect4", "4 4 3", 2, 2)]
)
def test_earlier_positions_follow_rules(
    visitors: Visitors, game: str, moves: str, ply: int, count: int
) -> None:
    table = visitors.table(game, moves)
    page = visitors.visit(f"/r/{table.room}?ply={ply}", size=PHONE)
    wait_for(page, f"Move {ply} of {len(moves.split())}")
    assert marks(page) == count
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


# A busy server


def test_busy_server_is_retried_then_reported(visitors: Visitors) -> None:
    page = sit(visitors, visitors.table("tictactoe"), 0)
    wait_for(page, "Your turn")
    query: list[str | None] = []
    busy = json.dumps({"error": {"code": "server-busy", "seconds": 0, "sentence": "Too much to do."}})

    def refuse(route: "Route") -> None:
        query.append(route.request.post_data)
        if len(query) in (3, 8):
            route.continue_()
        else:
            route.fulfill(
                status=503, body=busy, headers={"Retry-After": "0"}, content_type="application/json"
            )

    page.route("**/commands?*", refuse)
    play(page, 4)
    assert len(query) == 3
    assert len(set(query)) == 1
    page.click("[data-key=web-take-back-ask]")
    wait_for(page, "Too much to do.", "#status p")
    assert len(query) == 7
    page.click("[data-key=web-take-back-ask]")
    wait_for(page, "You have asked to take a move back.", "#status p")


# Visibility on a phone without scrolling


def is_in_sight(page: "Page", selector: str) -> bool:
    """Return True if the element at *selector* is in the window, and nothing covers it."""
    seen: bool = page.evaluate(
        """selector => {
          const one = document.querySelector(selector);
          const box = one.getBoundingClientRect();
          const over = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
          return box.top >= 0 && box.bottom <= innerHeight && one.contains(over);
        }""",
        selector,
    )
    return seen


def board_top(page: "Page") -> float:
    """Return the distance of the board from the top of the window."""
    top: float = page.evaluate("document.querySelector('svg.board').getBoundingClientRect().top")
    return top


@pytest.mark.parametrize("language", [weekly("en"), "ru"])
def test_phone_shows_questions_without_moving_board(visitors: Visitors, language: str) -> None:
    table = visitors.table("tictactoe", "5 1 3")
    lev, ada = (sit(visitors, table, place, language) for place in (1, 0))
    for page in (lev, ada):
        page.set_viewport_size({"width": PHONE[0], "height": 640})
    top = board_top(lev)
    said = lev.inner_text("#status p")
    for ask, refused in (("offer-draw", "web-draw-declined"), ("take-back", "web-back-declined")):
        table.command(place=0, type=ask)
        lev.wait_for_selector("[data-key=web-accept]")
        assert is_in_sight(lev, "[data-key=web-accept]")
        assert is_in_sight(lev, ".bar p")
        assert lev.inner_text("#status p") == lev.inner_text(".bar p")
        lev.click("[data-key=web-decline]")
        lev.wait_for_selector("[data-key=web-accept]", state="detached")
        wait_for(ada, SAY[language](refused), "#status p")
        assert board_top(ada) == board_top(lev) == top
        assert lev.inner_text("#status p") == said
        table.state = table.look()
    table.command(place=1, type="resign")
    lev.wait_for_selector("[data-key=web-rematch]")
    assert is_in_sight(lev, "[data-key=web-rematch]")
    assert SAY[language]("web-rematch-wanted", player="Ada") not in lev.inner_text("#status p")
    third = visitors.visit(f"/r/{table.room}", language)
    table.command(place=0, type="rematch")
    wait_for(lev, SAY[language]("web-rematch-wanted", player="Ada"), "#status p")
    wait_for(ada, SAY[language]("web-rematch-asked", player="Wei"), "#status p")
    assert board_top(ada) == board_top(lev) == top
    third.wait_for_selector(".presence >> nth=1")
    assert SAY[language]("web-rematch-wanted", player="Ada") not in third.inner_text("#status p")
    assert third.locator(".bar.ask").count() == 0


def test_forced_field_is_framed(
    visitors: Visitors,
) -> None:
    table = visitors.table("ultimate", "41")
    page = sit(visitors, table, 1)
    wait_for(page, "Play in the dashed field.", "#status p")
    frame, wash = "svg.board .frame.o-of", "svg.board .field.o-wash"
    assert page.locator(frame).count() == page.locator(wash).count() == 1
    assert "must play" in say(page, "#margin .key")

    def looks(index: int) -> Any:
        page.hover(f'[data-index="{index}"]', force=True)
        return page.evaluate(
            """index => {
              const cell = document.querySelector(`[role=gridcell][data-index="${index}"]`);
              return [getComputedStyle(cell).cursor, getComputedStyle(cell.querySelector(".hit")).fill];
            }""",
            index,
        )

    assert looks(0) == ["default", "rgba(0, 0, 0, 0)"]
    assert looks(30)[0] == "pointer"
    assert looks(30)[1] != "rgba(0, 0, 0, 0)"
    assert page.get_attribute('[data-index="30"]', "aria-label") == "d6, empty, may be played"
    assert page.get_attribute('[data-index="0"]', "aria-label") == "a9, empty"
    page.click('[data-index="0"]', force=True)
    wait_for(page, "Choose another cell.", "#status p")
    page.click('[data-index="30"]')
    wait_for_marks(page, 2)
    page.wait_for_selector('svg.board .field.x-wash[d^="M2 2h"]', state="attached")  # both players see it
    assert page.get_attribute('[data-index="0"]', "aria-label") == "a9, empty, may be played"


# Hints


def test_hints_on_shared_device_and_after_end(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "1 2 3")
    page = sit_here(visitors, table)
    page.set_default_timeout(60_000)
    wait_for(page, "Wei is to move")
    page.click("[data-key=web-hint]")
    page.wait_for_selector(".hintring")
    assert page.inner_text(".note")
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val")
    page.click("[data-key=ply-2]")
    page.wait_for_selector(".vwin")
    table.command(type="resign")
    friend = sit(visitors, table, 1)
    wait_for(friend, "You lost")
    assert friend.locator("[data-key=web-hint]").count() == 0
    friend.click("[data-key=ply-2]")
    wait_for(friend, "Move 2 of 3")
    assert friend.locator("button.primary:visible").count() == 1
    friend.click("[data-key=web-values]")
    friend.wait_for_selector(".vwin", timeout=60_000)


def test_no_hints_between_friends(visitors: Visitors) -> None:
    page = sit(visitors, visitors.table("tictactoe", "1 2 3 5"), 0)
    wait_for(page, "Your turn")
    page.click("[data-key=ply-2]")
    wait_for(page, "Move 2 of 4")
    assert page.locator("[data-key=web-lines]").count() == 1
    assert page.locator("[data-key=web-hint], [data-key=web-values]").count() == 0


def test_replay_gives_hints(visitors: Visitors) -> None:
    number = visitors.table("tictactoe", "5 1 3 2 7").state["game_id"]
    page = visitors.visit(f"/g/{number}?ply=4")
    page.set_default_timeout(60_000)
    page.click("[data-key=web-hint]")
    page.wait_for_selector(".hintring")
    page.click("[data-key=web-values]")
    page.wait_for_selector('[data-index="6"] .vwin')
    page.click("[data-key=web-one-back]")
    page.wait_for_selector(".val")
    page.keyboard.press("Home")
    wait_for(page, "0 of 5", ".ply")


# Shared devices


def test_shared_device_agrees_by_one_press(visitors: Visitors) -> None:
    page = sit_here(visitors, visitors.table("three", "13 14 15"))
    wait_for(page, "Ada is to move")
    page.click("[data-key=web-take-back]")
    wait_for_marks(page, 2)
    wait_for(page, "Lin is to move")
    page.click("[data-key=web-offer-draw]")
    page.click("[data-key=web-accept]")
    wait_for(page, "A draw")
    page.click("[data-key=web-rematch]")
    wait_for(page, "Game 2 of the series", "#margin")
    # On separate devices, the page shows the number of free seats.
    entry = visitors.post("/api/rooms", {"game": "three", "opponent": "friend", "name": "Ada"})
    visitors.seat(page, entry["room"], entry["token"])
    page.goto(f"{visitors.address}/r/{entry['room']}")
    wait_for(page, "Waiting for friends")
    assert "as soon as all seats are taken" in say(page, "#status p")
    visitors.post("/api/join", {"room": entry["room"], "name": "Lin"})
    wait_for(page, "Waiting for a friend")


def test_shared_device_names_loser(visitors: Visitors) -> None:
    page = sit_here(visitors, visitors.table("tictactoe", "1 4 2 5 3"))
    wait_for(page, "Ada wins")
    assert page.locator(".presence").all_inner_texts() == ["won", "lost"]


# A server in this process


class Near:
    """A server in this process with a clock that tests move."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.ahead = 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead

    def pass_time(self, page: "Page", seconds: int) -> None:
        """Let seconds pass on the server and on *page*."""
        self.ahead += seconds * 1000
        page.clock.fast_forward(seconds * 1000)


@contextmanager
def serving(thinkers: Callable[[], list[TaskWorker]]) -> Iterator[Near]:
    """Yield a server in another thread. Absence counts immediately, and computers play without a pause."""
    how = ServerOptions(
        "sqlite://", limits=UNLIMITED, away_seconds=0.0, remember_seconds=0.0, pace_seconds=0.0
    )
    with closing(listening_socket("127.0.0.1", 0)) as listener:
        near = Near(f"http://127.0.0.1:{listener.getsockname()[1]}")
        app = make_app(how, now=near.now, thinkers=thinkers)
        # The Date header would have the time of this machine.
        config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", date_header=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            wait_until_it_answers(near.address + "/")
            yield near
        finally:
            server.should_exit = True
            thread.join(20)


@pytest.fixture(scope="module")
def near() -> Iterator[Near]:
    with serving(lambda: [ThinkingHere()]) as near:
        yield near


@pytest.fixture
def guests(chromium: "Browser", near: Near) -> Iterator[Visitors]:
    """Yield visitors of the server in this process."""
    visiting = Visitors(chromium, near.address)
    yield visiting
    visiting.leave()


@contextmanager
def looking_on(page: "Page") -> Iterator[None]:
    """Wait until the server sends events to *page*. A page that closes earlier does not count."""
    with page.expect_response(lambda answer: "/events" in answer.url):
        yield


def test_absent_player_loses_on_claim(guests: Visitors, near: Near) -> None:
    table = guests.table("tictactoe", "5")
    wei = guests.begin()
    add_seat(wei, table, 1)
    with looking_on(wei):
        wei.goto(f"{guests.address}/r/{table.room}")
    ada = guests.begin()
    ada.clock.install(time=near.now() / 1000)  # other tests may have moved the clock
    add_seat(ada, table, 0)
    ada.goto(f"{guests.address}/r/{table.room}")
    wait_for(ada, "Wei is to move")
    wait_for(ada, "here", ".player:last-child")
    wei.goto("about:blank")
    wait_for(ada, "Wei is away")
    wait_for(ada, "away", ".player:last-child")
    assert ada.locator("[data-key=web-claim]").count() == 0
    near.pass_time(ada, 31)
    ada.wait_for_selector(".strip i.f >> nth=5", state="attached")
    with looking_on(wei):
        wei.go_back()
    wait_for(ada, "Wei is to move")
    assert ada.locator(".strip").count() == 0
    wei.goto("about:blank")
    wait_for(ada, "Wei is away")
    near.pass_time(ada, 61)
    wait_for(ada, "You may claim the win", ".claim")
    ada.set_viewport_size({"width": PHONE[0], "height": 640})
    assert is_in_sight(ada, "[data-key=web-claim]")
    ada.click("[data-key=web-claim]")
    wait_for(ada, "You won")
    wei.go_back()
    wait_for(wei, "You lost")


def test_number_of_spectators_is_shown(guests: Visitors) -> None:
    table = guests.table("tictactoe", "5")
    wei = sit(guests, table, 1)
    third, fourth = (guests.visit(f"/r/{table.room}") for _ in range(2))
    wait_for(wei, "2 spectators.", "#margin")
    third.close()
    wait_for(wei, "1 spectator.", "#margin")
    wait_for(fourth, "1 spectator.", "#margin")
    play(wei, 0)
    assert "1 spectator." in wei.inner_text("#margin")
    fourth.close()
    wei.wait_for_function("() => !document.querySelector('#margin').innerText.includes('spectator')")


def test_expired_clock_ends_game(guests: Visitors, near: Near) -> None:
    clock = {"base": 60_000, "increment": 0}
    entry = guests.post(
        "/api/rooms", {"game": "tictactoe", "opponent": "friend", "name": "Ada", "clock": clock}
    )
    other = guests.post("/api/join", {"room": entry["room"], "name": "Wei"})
    table = Table(guests, entry["room"], {0: entry["token"], 1: other["token"]}, other["state"])
    for move in "12":
        table.command(type="move", move=move)
    page = sit(guests, table, 0)
    wait_for(page, "Your turn")
    assert say(page, ".player [data-clock=O]") == "1:00"
    wait_for(page, "0:5", ".player [data-clock=X]")
    page.set_viewport_size({"width": PHONE[0], "height": 640})
    wait_for(page, "0:5", ".seats [data-clock=X]")
    assert is_in_sight(page, ".seats [data-clock=O]")
    assert page.locator(".clock.low").count() == 0
    near.ahead += 43_000
    table.state = table.look()
    table.command(1, type="offer-draw")
    wait_for(page, "0:1", ".seats [data-clock=X].low")
    near.ahead += 9_000
    table.command(1, type="decline")
    page.wait_for_function("() => parseInt(document.querySelector('#timer').textContent) < 10")  # not 10
    wait_for(page, ".", ".seats [data-clock=X].low")  # tenths
    near.ahead += 61_000
    wait_for(page, "You lost")
    assert say(page, ".player [data-clock=X]") == "0:00"
    assert say(page, ".player [data-clock=O]") == "1:00"


def test_watched_computers_play(guests: Visitors) -> None:
    page = guests.visit()
    begin(page, "watch", **{"watched-0": "rule", "watched-1": "random"})
    page.wait_for_selector(".seats .player >> nth=1")
    page.wait_for_selector("[data-key=web-replay]")
    assert page.locator("#margin > :not(.share) button").count() == 0
    assert marks(page) >= 5
    assert page.locator("[data-key=web-save-picture], [data-key=web-save-record]").count() == 2
    page.keyboard.press("Home")
    wait_for(page, "Before the first move")
    page.click("#margin a[href='/']")
    page.wait_for_selector(".pick")


class Failing:
    """A worker whose computers take seats, make one late unproved move, and then fail."""

    def __init__(self) -> None:
        self.late: list[PendingResult] = []

    def move(self) -> None:
        """Make the overdue move."""
        thought = self.late.pop()
        thought.deliver(Progress("unproved"))
        thought.deliver(TaskResult(MakeMove((0, 0))))

    def ask(self, task: Task, *arguments: Any, on_message: OnMessage, patience: float = inf) -> PendingResult:
        thought = PendingResult(on_message)
        if task.__name__ == "take_seat":
            thought.deliver(TaskResult(None))
        elif arguments[1].ply == 1:
            self.late.append(thought)
            thought.deliver(Progress("late"))
        else:
            thought.deliver(TaskFailure("too-slow", "secret words"))
        return thought

    def close(self) -> None:
        """Do nothing."""


def test_unproved_move_and_forfeit_are_explained(chromium: "Browser") -> None:
    failing = Failing()
    with serving(lambda: [failing]) as near:
        visiting = Visitors(chromium, near.address)
        request = {"game": "tictactoe", "opponent": "rule", "name": "Ada"}
        entry = visiting.post("/api/rooms", request)
        table = Table(visiting, entry["room"], {0: entry["token"]}, entry["state"])
        page = sit(visiting, table, 0)
        play(page, 4)
        wait_for(page, "You play X. Its move is overdue: it must move now or lose.", "#status p")
        failing.move()
        wait_for(page, "You play X. No proven move: it plays like level 10.", "#status p")
        play(page, 8)
        wait_for(page, "You won")
        for language, text in FORFEITS.items():
            page.goto(f"{near.address}/r/{table.room}?lang={language}")
            wait_for(page, text, "#status p")
            assert "secret" not in page.inner_text("body")
        visiting.leave()


FORFEITS = {"en": "took too long", "ru": "слишком долго", "zh-Hans": "用时过长", "zh-Hant": "用時過長"}


def test_press_survives_update(guests: Visitors) -> None:
    """An update during a press does not rebuild the bar, which would remove the button."""
    table = guests.table("tictactoe")
    wei = sit(guests, table, 1)
    wei.wait_for_selector("[data-key=web-resign]")
    # At once: the bar is rebuilt when the players become present.
    button = wei.evaluate("document.querySelector('[data-key=web-resign]').getBoundingClientRect().toJSON()")
    wei.mouse.move(button["x"] + button["width"] / 2, button["y"] + button["height"] / 2)
    wei.mouse.down()
    third = guests.visit(f"/r/{table.room}")
    wait_for(third, "1 spectator.", "#margin")
    wei.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert "1 spectator." not in wei.inner_text("#margin")
    wei.mouse.up()
    wei.wait_for_selector("[data-key=web-resign-yes]")
    wait_for(wei, "1 spectator.", "#margin")


def test_early_touch_is_dropped_after_unseen_move(
    visitors: Visitors,
) -> None:
    table = visitors.table("tictactoe")
    page = visitors.visit(f"/r/{table.room}")
    visitors.seat(page, table.room, table.tokens[0])
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    held: list[Any] = []
    page.route("**/commands*", lambda route: held.append((route, route.fetch())), times=2)
    page.click('[data-index="4"]')
    page.click('[data-index="0"]')  # too early: O has not moved yet
    while not held:  # the move has not reached the server
        page.wait_for_timeout(10)
    table.state = table.look()
    table.command(type="move", move="9")
    page.wait_for_selector('[data-index="8"] .mark')
    route, answer = held.pop()
    route.fulfill(response=answer)
    page.click('[data-index="2"]')
    page.wait_for_selector('[data-index="2"] .mark')
    table.state = table.look()
    table.command(type="move", move="8")
    page.wait_for_selector('[data-index="7"] .mark')
    page.click('[data-index="1"]')  # O's reply was seen, unlike the one before
    route, answer = held.pop()
    route.fulfill(response=answer)
    page.wait_for_selector('[data-index="1"] .mark')
    assert page.locator("svg.board .mark").count() == table.look()["ply"] == 5


def test_outdated_state_keeps_legal_moves(visitors: Visitors) -> None:
    """A requested state may arrive after a newer move."""
    table = visitors.table("tictactoe")
    page = sit_here(visitors, table)
    held: list[Any] = []

    def answer(route: "Route") -> None:
        if held:
            route.continue_()
            return
        held.append(route)
        table.command(type="move", move="1")  # the state in flight is outdated
        held.append(route.fetch())

    page.route(f"**/api/rooms/{table.room}?*", answer)
    table.command(type="move", move="5")
    page.wait_for_selector('[role=gridcell][data-index="0"] .mark')
    route, late = held
    route.fulfill(response=late)
    page.wait_for_timeout(200)
    play(page, 8)
    assert marks(page) == 3


def test_wall_draws_the_changes_of_its_games(visitors: Visitors) -> None:
    with closing(open_database("sqlite://")) as database:
        rooms = Rooms(database, now=lambda: 1_000)
        room = rooms.open(Terms("tictactoe", (HUMAN, HUMAN), visibility=PUBLIC), "Ada", 0, key="k" * 22).room
        rooms.join("Wei", room=room)
        views = []
        for place, command in enumerate((WrittenMove("5"), WrittenMove("1"), Resign())):
            version = rooms.look(room).version
            reply = rooms.submit(room, place % 2, command, version=version, key=str(place)).result()
            views.append(reply.view)
        rooms.close()
    everything = WallState(featured=room, games=[WatchedGame.of_room(views[0], EN, 0, 17)], playing=1)
    events = [("wall", everything.to_json())]
    for before, after in pairwise(views):
        change = WatchedChange.since(before.match.game.cells, after, EN, 0, 17)
        changes = WallChanges(featured=room, order=[room], new=[], changed=[change], playing=1)
        events.append(("changes", changes.to_json()))
    events.append(("changes", WallChanges(featured=None, order=[], new=[], changed=[], playing=0).to_json()))
    page = visitors.visit("/static/manifest.webmanifest")
    sent: list[tuple[str, str]] = []
    page.route("**/api/tv/events*", lambda route: route.fulfill(body=body(sent)))
    seen = []
    headings = ("Wei is to move", "Ada is to move", "Wei wins", EN("web-tv-none"))
    for event, heading in zip(events, headings, strict=True):
        sent.append(event)
        page.goto(f"{visitors.address}/tv")
        wait_for(page, heading)
        seen.append((page.locator("#board .mark").count(), "17 spectators" in page.inner_text("#status")))
    assert seen[:3] == [(1, True), (2, True), (2, True)]
    assert not page.is_visible("#board")


def body(events: list[tuple[str, str]]) -> str:
    """Return the text of a stream with *events*, each a name and its data."""
    return "".join(frame(name, data) for name, data in events)


def test_player_moves_ahead_after_opening(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "5", opening="pie")
    ada = sit(visitors, table, 0)
    table.command(1, type="swap")
    play(ada, 8)
    ada.wait_for_function("() => document.querySelectorAll('.moves ol li').length === 2")
    ada.click('[role=gridcell][data-index="0"]')
    wait_for(ada, EN("web-ahead", cell="a3"), "#status p")
    table.state = table.look()
    table.command(1, type="move", move="2")
    ada.wait_for_function("() => document.querySelectorAll('.moves ol li').length === 4")
    assert [move["move"] for move in table.look()["moves"]] == ["5", "9", "2", "1"]


def test_player_moves_ahead_and_says_phrases(visitors: Visitors) -> None:
    table = visitors.table("tictactoe")
    ada = sit(visitors, table, 0)

    def ready(cell: int, name: str) -> None:
        ada.click(f'[role=gridcell][data-index="{cell}"]')
        wait_for(ada, EN("web-ahead", cell=name), "#status p")

    def wei(**command: str) -> None:
        table.state = table.look()
        table.command(1, **command)

    play(ada, 4)
    ready(0, "a3")
    ada.keyboard.press("Escape")
    wei(type="move", move="2")
    wait_for(ada, EN("your-turn"))
    assert len(table.look()["moves"]) == 2
    play(ada, 2)
    ready(0, "a3")
    ready(6, "a1")
    wei(type="move", move="8")
    ada.wait_for_function("() => document.querySelectorAll('.moves ol li').length === 5")
    assert [move["move"] for move in table.look()["moves"]] == ["5", "2", "3", "8", "7"]
    wei(type="say", phrase="good-game")
    said = EN("room-said", player="Wei", phrase=EN("phrase-good-game"))
    wait_for(ada, said, "#status p")
    ada.click("[data-key=web-say]")
    ada.click("[data-key=phrase-thanks]")
    wait_for(ada, EN("phrase-thanks"), ".said li:nth-child(2)")
    assert [one["phrase"] for one in table.look()["said"]] == ["good-game", "thanks"]
    ada.reload()
    wait_for(ada, said, ".said li")
    ada.click("[data-key=web-mute]")
    wait_for(ada, EN("web-muted", player="Wei"), ".said .fact")
    assert ada.locator(".said li").count() == 1


# The wall


TICK_EARLY = """
  new MutationObserver((_, observer) => {
    const chip = document.querySelector("#show [value=qubic]");
    if (chip) { chip.checked = true; observer.disconnect(); }
  }).observe(document, { childList: true, subtree: true });
"""


def test_next_game_of_the_wall_takes_the_large_board(visitors: Visitors) -> None:
    """The small boards are the other games, and the last game is followed by the first one."""
    for _ in range(2):
        visitors.table("ultimate", "41")
    page = visitors.visit("/tv", size=(390, 844), touch=True)
    page.tap("#show .chip:has([value=ultimate])")
    wait_for(page, "Ultimate", "#status p")
    page.wait_for_selector("[data-key=web-tv-next]")
    links = [one.get_attribute("href") for one in page.locator("#panel a, #boards a").all()]
    page.focus("[data-key=web-tv-next]")
    for large in (*links[1:], links[0]):
        page.keyboard.press("Enter")
        wait_for_large(page, large)
        small = {one.get_attribute("href") for one in page.locator("#boards a").all()}
        assert small == {*links} - {large}
        assert page.is_visible("#why") == (large == links[0])
    assert page.evaluate("document.activeElement.dataset.key") == "web-tv-next"


def test_wall_without_games_keeps_no_place_for_players(visitors: Visitors) -> None:
    """The server may have games of other tests, so the test itself sends the empty wall."""
    page = visitors.begin(size=(390, 844), touch=True)
    empty = 'event: wall\ndata: {"featured": null, "games": [], "playing": 0}\n\n'
    stream = {"body": f"retry: 60000\n\n{empty}", "content_type": "text/event-stream"}
    page.route("**/api/tv/events**", lambda route: route.fulfill(**stream))
    page.goto(f"{visitors.address}/tv")
    page.wait_for_selector("#seats", state="hidden")
    assert page.is_visible("#status h1")


def wait_for_large(page: "Page", link: str | None) -> None:
    """Wait until the large board of the wall shows the game at *link*."""
    page.wait_for_function(
        "link => document.querySelector('#panel a').getAttribute('href') === link", arg=link
    )


def test_wall_keeps_a_choice_made_while_it_was_loading(visitors: Visitors) -> None:
    page = visitors.begin(size=(390, 844), touch=True)
    page.add_init_script(TICK_EARLY)
    with page.expect_request(lambda request: "show=qubic" in request.url, timeout=20_000):
        page.goto(f"{visitors.address}/tv")


def test_wall_shows_the_chosen_game_after_a_reload(visitors: Visitors) -> None:
    visitors.table("qubic", "1a1")
    page = visitors.visit("/tv", size=(390, 844), touch=True)
    page.tap("#show .chip:has([value=qubic])")
    wait_for(page, "Qubic", "#status p")
    page.reload()
    wait_for(page, "Qubic", "#status p")
    assert page.is_checked("#show [value=qubic]")
    page.tap("#show .chip:has([value=reversi])")
    page.wait_for_function("() => !document.querySelector('#status p').innerText.includes('Qubic')")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
