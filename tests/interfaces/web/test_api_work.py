"""Requests whose size callers choose: costs, budgets, and threads apart from moves."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.arena.stored_game import StoredGame
from noughts.errors import NotFound, NoughtsError, ShapeError
from noughts.games import catalogue
from noughts.games.catalogue import new_game
from noughts.games.rules import Rules
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web import costs
from noughts.interfaces.web.api import analysis, games
from noughts.interfaces.web.costs import name_to_play, size_of, size_of_stored, size_to_play
from noughts.interfaces.web.http import middleware
from noughts.interfaces.web.http.limits import UNLIMITED, Buckets, Rate, ServerLimits
from noughts.interfaces.web.http.metrics import Metrics
from noughts.interfaces.web.http.replies import ApiError
from noughts.interfaces.web.live import work
from noughts.workers.messages import TaskFailure, TaskResult
from noughts.workers.transfer import call_packed, pack_call
from tests.interfaces.web.harness import Guest, House, running, served, settle
from tests.interfaces.web.test_api_computers import Slow
from tests.interfaces.web.test_api_limits import SLOWLY, problem
from tests.interfaces.web.test_api_listing import finish
from tests.running import run

HUGE = "40x40:5"
LINK = "/qr.svg?link=http://test/r/AAAA"
SPENT = replace(UNLIMITED, work=Rate(SLOWLY, 1_000))


class Held(Slow):
    """A worker that works when the test says so."""

    @property
    def waiting(self) -> list[Any]:
        return [body for body in self.asked if not body[3].is_over]

    def work_on(self) -> None:
        """Answer the waiting requests."""
        for task, arguments, _, thought in self.waiting:
            thought.deliver(TaskResult(task(None, *arguments)))


@asynccontextmanager
async def holding(**limits: Any) -> AsyncIterator[tuple[House, Held]]:
    held = Held()
    async with running(thinkers=lambda: [held], limits=replace(UNLIMITED, **limits)) as house:
        yield house, held


def test_exiting_call_keeps_event_loop() -> None:
    async def test() -> None:
        with ThreadPoolExecutor(1) as threads, pytest.raises(RuntimeError, match="SystemExit"):
            await work.call_in(threads, lambda: sys.exit(3))

    run(test())


# Costs


@pytest.mark.parametrize(
    ("small", "large"),
    [("3x3", "9x9"), ("9x9:5", "9x9:5,wild"), ("9x9:5,wild", "9x9:5,wild,players=8"), ("81:3", "3x3x3x3:3")],
)
def test_cost_grows_with_size(small: str, large: str) -> None:
    one, two = (size_to_play(name, 10_000) for name in (small, large))
    assert one.exploration_cost(0) < two.exploration_cost(0)
    assert one.options_cost < two.options_cost or "wild" in large
    assert one.exploration_cost(0) < one.exploration_cost(5) < one.exploration_cost(5, is_placed=True)
    for data in ("position_cost", "lines_cost", "state_cost", "resend_cost", "replay_cost"):
        assert getattr(one, data)(1) < getattr(one, data)(9)


def test_cost_needs_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "game_of", None)
    monkeypatch.setattr(costs, "new_game", None)
    assert size_to_play("99x99:7,misere", 10_000).drawing_cost > 100
    assert name_to_play(" 99X99:7, misere", 10_000) == "99x99:7,misere"
    for spec, limit in (("101x100", 10_000), ("100x100:5,wild", 5_000), ("40x40:4,wild,players=8", 1_250)):
        with pytest.raises(ShapeError) as refused:
            size_to_play(spec, 10_000)
        assert (refused.value.reason, refused.value.limit) == ("too-many-cells", limit)
    with pytest.raises(NotFound):
        size_to_play("nothing", 10_000)


def test_catalogue_size_matches_game() -> None:
    for name in ("gomoku", "reversi", "wild"):
        assert size_to_play(name, 9) == size_of(new_game(name))
        assert name_to_play(name, 9) == name
    assert size_of_stored("no such game").cells == 0


@served
async def test_build_offers_only_allowed_boards(house: House) -> None:
    guest = house.guest()
    data = (await guest.get("/api/build", params={"game": "100x100:5"})).json()
    wild = next(switch for switch in data["switches"] if switch["name"] == "wild")
    assert (wild["spec"], "5000" in wild["about"]) == (None, True)
    data = (await guest.get("/api/build", params={"game": "50x50:5,wild,players=4"})).json()
    assert next(step for step in data["steps"] if step["name"] == "players")["more"] is None


# Budgets


async def large_room(house: House) -> tuple[Guest, Guest]:
    return await house.pair(game="40x40:5")


@pytest.mark.slow
@served(limits=SPENT)
async def test_costly_requests_need_budget(house: House) -> None:
    number = (await finish(house)).state["game_id"]
    one, _ = await large_room(house)
    guest, body = house.guest("198.51.100.7"), {"game": "9x9:5"}
    house.service.work._budgets.owe(guest.address, 2_000)
    answers = [
        await guest.post("/api/explore", body),
        await guest.post("/api/explore/lines/4", body),
        await guest.post("/api/analyse", body),
        await guest.post("/api/analyse", {"game": number}),
        await guest.post("/api/rooms", {**body, "opponent": "friend", "name": "Ada"}),
        await guest.post("/api/join", {"room": one.room, "name": "Eve"}),
        *[await guest.get(path, params=body) for path in ("/api/board", "/api/build", "/api/rules")],
        *[await guest.get(f"/api/rooms/{one.room}{path}") for path in ("", "/plies/0", "/lines/0")],
        *[await guest.get(f"/api/games/{number}{path}") for path in ("", "/picture", "/record", "/review")],
        *[await guest.get(f"/api/{path}") for path in ("catalogue", "puzzles", "games")],
        *[await guest.get(path) for path in (LINK, "/", "/history", "/api", "/openapi.json", "/metrics")],
    ]
    assert [problem(answer) for answer in answers] == [(429, "too-often")] * len(answers)
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in answers)
    assert len({(await guest.post(f"/api/explore?lang={one}", body)).text for one in LANGUAGES}) == 4
    assert (await guest.get("/healthz")).status_code == 200
    assert (await house.guest("198.51.100.8").post("/api/explore", body)).status_code == 200


@served(limits=SPENT)
async def test_moves_in_large_rooms_are_charged(house: House) -> None:
    one, two = await large_room(house)
    await one.do("move", move="1")
    small = await house.open()
    house.service.work._budgets.owe(two.address, 2_000)
    house.service.work._budgets.owe(small.address, 2_000)
    assert problem(await two.ask("move", move="2", version=one.state["version"])) == (429, "too-often")
    assert (await small.ask("leave")).status_code == 200  # small boards are free
    house.service.work._budgets.owe(two.address, -2_000)
    assert (await two.ask("move", move="2", version=one.state["version"])).status_code == 200


@served(limits=SPENT)
async def test_streams_of_large_rooms_wait_for_budget(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    _, two = await large_room(house)
    budgets, waits = house.service.work._budgets, []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        budgets.owe(two.address, -2_000)

    budgets.owe(two.address, 2_000)
    monkeypatch.setattr(work, "asyncio", SimpleNamespace(sleep=sleep))
    await house.service.afford_state(new_game("40x40:5"), two.address)
    monkeypatch.undo()
    assert waits
    assert waits[0] > 0
    async with two.listening() as listener:
        assert (await listener.next())["ply"] == 0


@served(limits=replace(UNLIMITED, work=Rate(SLOWLY, 60)))
async def test_cached_response_is_charged_once(house: House) -> None:
    guest = house.guest()
    first = await guest.get("/api/board", params={"game": "40x40:5"})
    assert (await guest.get("/api/board", params={"game": "40x41:5"})).status_code == 429
    again = await guest.get("/api/board", params={"game": " 40X40:5"})
    assert (again.status_code, again.text) == (200, first.text)


def test_buckets_allow_debts_and_large_costs() -> None:
    buckets = Buckets(Rate(1, 10), lambda: 0.0)
    buckets.take("a", 50)
    with pytest.raises(ApiError) as refused:
        buckets.take("a", 4)
    assert refused.value.data["seconds"] == 4
    buckets.owe("a", 99)
    with pytest.raises(ApiError) as refused:
        buckets.take("a", 0)
    assert refused.value.data["seconds"] == 10
    Buckets(None).owe("a", 1)


def test_requests_of_address_start_in_turn() -> None:
    begun: list[str] = []

    async def app(scope: Any, _: Any, __: Any) -> None:
        begun.append(scope["client"][0])

    async def go() -> None:
        gate = middleware.SecurityMiddleware(app, UNLIMITED, Metrics(), ("test",), ())
        facts = {"type": "http", "method": "GET", "path": "/static/a", "headers": [], "query_string": b""}
        addresses = [*["192.0.2.1"] * 5, "192.0.2.2"]
        scopes: list[Any] = [{**facts, "client": (address, 1)} for address in addresses]
        await asyncio.gather(*(gate(scope, None, None) for scope in scopes))  # type: ignore[arg-type]

    run(go())
    assert begun.index("192.0.2.2") < 2


def test_floods_of_errors_are_delayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "HOLD_SECONDS", 0.0)
    monkeypatch.setattr(middleware, "REFUSAL_RATE", Rate(SLOWLY, 1))
    gate = middleware.SecurityMiddleware(lambda *_: None, ServerLimits(), Metrics(), (), ())  # type: ignore[arg-type]
    with pytest.raises(StopIteration):  # without delay
        gate._delay_error("a").send(None)
    second = gate._delay_error("a")
    assert second.send(None) is None  # it waits
    second.close()


@served(limits=ServerLimits(requests=Rate(SLOWLY, 1)))
async def test_files_have_own_rate_limit(house: House) -> None:
    guest = house.guest()
    answers = [await guest.get(path) for path in ("/api/players", "/api/players", "/static/style.css", "/")]
    assert [answer.status_code for answer in answers] == [200, 429, 200, 429]


# Separate threads


@pytest.mark.slow
def test_moves_continue_while_long_work_hangs() -> None:
    async def go() -> None:
        async with holding() as (house, held):
            flood = house.guest("198.51.100.7")
            body = {"game": HUGE}
            asking = [
                asyncio.ensure_future(flood.post("/api/explore", body)),
                asyncio.ensure_future(flood.get("/api/board", params=body)),
            ]
            await settle(lambda: len(held.waiting) == 1)  # one after the other
            one, two = await house.pair()
            for number, move in enumerate(["5", "1", "4", "2", "6"]):
                await (one, two)[number % 2].do("move", move=move)
            assert one.state["phase"] == "over"
            assert (await flood.get("/healthz")).status_code == 200
            assert (await one.post("/api/explore", {"game": "3x3"})).status_code == 200  # short work
            held.work_on()
            await settle(lambda: len(held.waiting) == 1)
            held.work_on()
            data = [await answer for answer in asking]
            assert [len(data[0].json()["legal"]), len(data[1].json()["centres"])] == [1_600, 1_600]

    run(go())


@served
async def test_moves_continue_while_short_work_hangs(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on, threads = threading.Event(), []

    def explored(*_: object) -> None:
        threads.append(threading.current_thread().name)
        may_go_on.wait(20)
        raise NotFound("game", "stuck")

    monkeypatch.setattr(analysis, "explored", explored)
    one, two = await house.pair()
    flood = house.guest("198.51.100.7")
    asking = [asyncio.ensure_future(flood.post("/api/explore", {"game": f"{n}x3"})) for n in range(3, 9)]
    await settle(lambda: len(threads) == 1)
    for number, move in enumerate(["5", "1", "4", "2", "6"]):
        await (one, two)[number % 2].do("move", move=move)
    assert one.state["phase"] == "over"
    may_go_on.set()
    assert {(await answer).status_code for answer in asking} == {422}
    assert {name.rpartition("_")[0] for name in threads} == {"noughts-work"}


@pytest.mark.slow
def test_waiting_responses_of_address_are_limited() -> None:
    async def go() -> None:
        async with holding(waiting=2) as (house, held):
            flood, other = house.guest("198.51.100.7"), house.guest("198.51.100.8")
            asking = [
                asyncio.ensure_future(flood.post("/api/explore", {"game": f"40x{size}:5"}))
                for size in (41, 42)
            ]
            await settle(lambda: house.service.work._waiting.total() == 2)
            assert problem(await flood.post("/api/explore", {"game": "40x43:5"})) == (429, "too-often")
            asking.append(asyncio.ensure_future(other.post("/api/explore", {"game": HUGE})))
            await settle(lambda: house.service.work._waiting.total() == 3)
            held.work_on()
            await settle(lambda: len(held.waiting) == 1)
            assert held.waiting[0][1][0] == HUGE  # the turn of the other address
            asking[1].cancel()
            await settle(lambda: house.service.work._waiting.total() == 1)
            held.work_on()
            assert (await asking[2]).status_code == 200
            await settle(lambda: not house.service.work._waiting)
            assert len(held.asked) == 2  # no work for the disconnected client

    run(go())


def test_address_has_share_of_requests_in_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with holding(requests=Rate(100, 100)) as (house, held):
            monkeypatch.setattr(middleware, "MAX_UNDER_WAY", 2)
            asking = asyncio.ensure_future(house.guest().post("/api/explore", {"game": HUGE}))
            await settle(lambda: len(held.waiting) == 1)
            assert problem(await house.guest().post("/api/explore", {"game": "3x3"})) == (429, "too-often")
            other = await house.guest("198.51.100.8").post("/api/explore", {"game": "3x3"})
            assert other.status_code == 200
            held.work_on()
            assert (await asking).status_code == 200

    run(go())


def test_waiting_responses_of_server_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with holding() as (house, held):
            monkeypatch.setattr(work, "MAX_WAITING", 1)
            asking = asyncio.ensure_future(house.guest().post("/api/explore", {"game": HUGE}))
            await settle(lambda: len(held.waiting) == 1)
            refused = await house.guest("198.51.100.8").post("/api/explore", {"game": "9x9"})
            assert problem(refused) == (503, "server-busy")
            held.waiting[0][3].deliver(TaskFailure("gone"))
            assert problem(await asking) == (503, "server-busy")

    run(go())


def test_board_is_made_once_for_two_addresses() -> None:
    async def go() -> None:
        async with holding() as (house, held):
            asking = [
                asyncio.ensure_future(house.guest(f"198.51.100.{n}").post("/api/explore", {"game": HUGE}))
                for n in (1, 2)
            ]
            await settle(lambda: house.service.work._waiting.total() == 2)
            held.work_on()
            assert [(await answer).status_code for answer in asking] == [200, 200]
            assert len(held.asked) == 1

    run(go())


@served
async def test_finished_games_can_be_written_in_process(house: House) -> None:
    one = await finish(house)
    number = one.state["game_id"]
    stored = games.FinishedGameKey(house.service.database.load(number))
    assert isinstance(stored.game, StoredGame)
    answer = await one.get(f"/api/games/{number}")
    data, link = answer.text, answer.json()["link"]
    picture = (await one.get(f"/api/games/{number}/picture")).text
    assert call_packed(pack_call(games.game_text, stored, None, "en", link), None) == data
    assert call_packed(pack_call(games.picture_text, stored, "en", False), None) == picture
    error = call_packed(pack_call(analysis.explored_text, "3x3", None, ("99",), "en", ()), None)
    assert isinstance(error, NoughtsError)
    assert isinstance(new_game("3x3").rules, Rules)


@served()
async def test_nothing_starts_while_the_server_closes(house: House) -> None:
    started = False

    async def work() -> None:
        nonlocal started
        started = True

    await house.service.close()
    house.service.run_in_background(work())
    await asyncio.sleep(0)
    assert not started
