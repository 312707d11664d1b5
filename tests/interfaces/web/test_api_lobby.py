"""The lobby over HTTP: offers, challenges, the stream of changes, and limits."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from noughts.arena.lobby.lobby import MAX_OWN, Lobby
from noughts.arena.people.moderation import CaseDecision
from noughts.arena.ratings.glicko import GlickoRating
from noughts.arena.ratings.models import PersonRating, Speed
from noughts.errors import StoreError
from noughts.interfaces.web.http.limits import UNLIMITED, Rate
from noughts.interfaces.web.http.replies import Model
from noughts.interfaces.web.live import lobby as live
from noughts.interfaces.web.live.lobby import LobbyStreams
from noughts.interfaces.web.lobby_models import LobbyChanges, LobbyState, OwnOffers
from tests.arena.lobby.seekers import offer, seeker
from tests.arena.people.signing import Signer
from tests.interfaces.web.harness import SECONDS, Guest, House, Json, Listener, served, settle
from tests.interfaces.web.test_api_identities import Browser

CLOCK = {"base": 180_000, "increment": 2_000}
MODELS: dict[str, type[Model]] = {"lobby": LobbyState, "changes": LobbyChanges, "own": OwnOffers}


class Visitor:
    """A visitor of the lobby: a key, a name and a listener."""

    def __init__(self, house: House, name: str, address: str = "192.0.2.1") -> None:
        self.house, self.name, self.guest = house, name, house.guest(address)
        self.key = f"{name:-<30}"
        self.proof = {"authorization": f"Bearer {self.key}"}

    async def post(self, path: str, **body: Any) -> Any:
        return await self.guest.post(path, body, headers=self.proof)

    async def offer(self, path: str = "/api/offers", **more: Any) -> Json:
        body: Json = {"games": ["gomoku"], "clocks": [CLOCK], "name": self.name, **more}
        answer = await self.post(path, **body)
        assert answer.status_code == 201, answer.text
        made: Json = answer.json()
        return made

    async def join(self, number: int, **more: Any) -> Any:
        return await self.post(f"/api/offers/{number}/join", name=self.name, **more)

    async def enter(self, room: str) -> Guest:
        await self.guest.enter("/api/join", {"room": room, "name": self.name, "key": self.key})
        return self.guest

    @asynccontextmanager
    async def here(self) -> AsyncIterator["Heard"]:
        """Keep a page of the lobby open."""
        path = "/api/offers/events"
        cookies = "; ".join(f"{name}={value}" for name, value in self.guest.client.cookies.items())
        headers = {**self.proof, "cookie": cookies}
        listener = self.house.listener(self.guest, headers, path, f"lang=en&name={self.name}")
        listener.start()
        try:
            heard = Heard(listener)
            heard.first = await heard.until("lobby")
            yield heard
        finally:
            await listener.stop()


async def with_key(house: House, name: str, number: int) -> Visitor:
    """Return a visitor with the claimed *name*."""
    made = Visitor(house, name)
    answer = await Browser(made.guest, Signer(20 + number)).register(name, Signer(40 + number))
    assert answer.status_code == 201, answer.text
    return made


class Heard:
    """The events of a listener, each checked against its model."""

    def __init__(self, listener: Listener) -> None:
        self.listener, self._read = listener, 0
        self.first: Json = {}

    async def until(self, event: str, fits: Callable[[Json], bool] = lambda _: True) -> Json:
        """Return the data of the next *event* that *fits* accepts."""
        async with asyncio.timeout(SECONDS):
            while True:
                while self._read == len(self.listener.texts):
                    await asyncio.sleep(0.01)
                text = self.listener.texts[self._read]
                self._read += 1
                name, _, data = text.partition("event: ")[2].partition("\ndata: ")
                if name in MODELS:
                    MODELS[name].model_validate_json(data, strict=True, extra="forbid")
                    value: Json = json.loads(data)
                    if name == event and fits(value):
                        return value


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SEND_SECONDS", "COUNT_SECONDS"):
        monkeypatch.setattr(live, name, 0.01)


@served()
async def test_offers_are_listed_streamed_and_withdrawn(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with ada.here() as ada_hears, wei.here() as wei_hears:
        assert ada_hears.first["offers"] == []
        made = await ada.offer(games=["gomoku", "connect4"])
        (new,) = (await wei_hears.until("changes", lambda data: data["new"]))["new"]
        assert new == made
        assert ([game["title"] for game in new["games"]], new["state"]) == (
            ["Gomoku", "Connect Four"],
            "open",
        )
        assert (await ada_hears.until("own", lambda data: data["offer"]))["offer"] == made
        listed = (await wei.guest.get("/api/offers")).json()
        assert (listed["offers"], listed["waiting"], listed["people"]) == ([made], 1, 2)
        other = await wei.post(f"/api/offers/{made['number']}/withdraw")
        assert other.json()["offer"] is None  # the offer of another visitor stays
        assert (await wei.guest.get("/api/offers")).json()["waiting"] == 1
        await ada.post(f"/api/offers/{made['number']}/withdraw")
        (gone,) = (await wei_hears.until("changes", lambda data: data["gone"]))["gone"]
        assert gone == {"number": made["number"], "state": "withdrawn"}


@served()
async def test_new_page_hears_of_its_own_offer_first(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with wei.here() as wei_hears:
        for name in ("SEND_SECONDS", "COUNT_SECONDS"):
            monkeypatch.setattr(live, name, 3600.0)
        await wei.offer()
        await wei_hears.until("own", lambda data: data["offer"])
        made = await ada.offer()
        async with ada.here() as ada_hears:
            assert (await ada_hears.until("own"))["offer"] == made


@served()
async def test_offers_of_others_are_written_past_the_task(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with ada.here(), wei.here() as hears:
        await ada.offer()
        assert (await hears.until("changes", lambda data: data["new"]))["waiting"] == 1
        assert hears.listener.wire.pushed > 0


@served()
async def test_silent_page_gets_a_comment(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Visitor(house, "Ada")
    async with ada.here() as hears:
        await hears.until("own")
        monkeypatch.setattr(live, "SILENCE_SECONDS", 0.0)
        pushed = hears.listener.wire.pushed
        await house.service.lobby_streams.tick()
        await settle(lambda: hears.listener.wire.pushed > pushed)
        assert hears.listener.texts[-1] == ": still here"


@served()
async def test_page_that_reads_slowly_misses_no_offer(house: House) -> None:
    ada, wei, eve, bob = (Visitor(house, name) for name in ("Ada", "Wei", "Eve", "Bob"))
    async with ada.here() as ada_hears, wei.here() as hears, eve.here(), bob.here():
        await hears.until("own")
        hears.listener.stop_reading()
        made = []
        for visitor in (ada, eve, bob):
            made.append(await visitor.offer())
            await ada_hears.until("changes", lambda data: data["waiting"] == len(made))
            await settle(lambda: hears.listener.waiting == 1)
        hears.listener.read_again()
        heard: list[int] = []
        while len(heard) < len(made):
            heard += [offer["number"] for offer in (await hears.until("changes"))["new"]]
        assert heard == [offer["number"] for offer in made]


@served()
async def test_first_page_hears_of_earlier_offers_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with ada.here() as hears:
        await hears.until("own")
    monkeypatch.setattr(live, "COUNT_SECONDS", 3600.0)
    made = await ada.offer()
    async with wei.here() as hears:
        assert hears.first["offers"] == [made]


@served()
async def test_closed_lobby_is_not_read(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    read, task, streams = 0, asyncio.current_task(), house.service.lobby_streams

    async def count() -> None:
        nonlocal read
        read += asyncio.current_task() is task  # The task of the service reads, too.
        raise StoreError("here", "closed")

    monkeypatch.setattr(streams, "read", count)
    for is_closed in (False, True):
        if is_closed:
            streams.close()
        await streams.refresh()
        assert read == 1


@served()
async def test_simultaneous_readers_share_a_read_that_begins_later(house: House) -> None:
    begun, gate = 0, asyncio.Event()

    async def run(read: Callable[[], Lobby]) -> Lobby:
        nonlocal begun
        begun += 1
        lobby = read()
        await gate.wait()
        return lobby

    lobby = house.service.lobby
    streams = LobbyStreams(lobby, run, house.service.run_in_background, is_alone=True)
    early = asyncio.create_task(streams.read())
    await settle(lambda: begun == 1)
    made = await house.service.run(lobby.publish, offer(seeker("Ada")))
    late = [asyncio.create_task(streams.read()) for _ in range(3)]
    await asyncio.sleep(0)
    late[0].cancel()
    gate.set()
    assert (await early).open_offers == []
    for read in await asyncio.gather(*late[1:]):
        assert read.open_offers == [made]
    assert begun == 2


@served()
async def test_offer_belongs_to_the_worker_of_its_page(house: House) -> None:
    ada, lobby = Visitor(house, "Ada"), house.service.lobby

    def owner() -> str:
        (waiting,) = lobby.read().open_offers
        return waiting.worker

    def give_away() -> None:
        (waiting,) = lobby.read().open_offers
        lobby._change(lambda draft, _: draft.hold(waiting.seeker.visitor, "another"))

    await ada.offer()
    give_away()
    async with ada.here():
        await settle(lambda: owner() == lobby.worker)
        give_away()
        await house.service.lobby_streams.tick()
        assert owner() == lobby.worker


@served()
async def test_join_leads_both_players_to_one_room(house: House) -> None:
    ada, wei, eve = (Visitor(house, name) for name in ("Ada", "Wei", "Eve"))
    async with ada.here() as hears:
        number = (await ada.offer())["number"]
        room = (await wei.join(number)).json()["room"]
        assert (await wei.join(number)).json()["room"] == room
        late = await eve.join(number)
        assert (late.status_code, late.json()["error"]["code"]) == (409, "offer-gone")
        assert (await hears.until("own", lambda data: data["room"]))["room"] == room
    guests = [await ada.enter(room), await wei.enter(room)]
    assert sorted(guest.state["players"][guest.place or 0]["name"] for guest in guests) == ["Ada", "Wei"]
    assert {guest.place for guest in guests} == {0, 1}
    assert (guests[0].state["phase"], guests[0].state["may_abort"]) == ("playing", True)
    assert guests[0].state["first_move_at"] == house.clock.instant + 30_000
    refused = await eve.guest.post("/api/join", {"room": room, "name": "Eve", "key": eve.key})
    assert refused.json()["error"]["code"] == "seat-taken"


@served()
async def test_game_belongs_to_the_players_with_keys(house: House) -> None:
    ada, wei = await with_key(house, "Ada", 1), Visitor(house, "Wei")
    made = await ada.offer()
    await ada.enter((await wei.join(made["number"])).json()["room"])
    players = {player["name"]: player["identity"] for player in ada.guest.state["players"]}
    assert players == {"Ada": made["identity"], "Wei": None}


@served()
async def test_guest_cannot_pass_as_a_key_or_as_staff(house: House) -> None:
    ada, bob = await with_key(house, "Ada", 1), Visitor(house, "Bob")
    number = (await ada.offer())["number"]
    body: Json = {"games": ["gomoku"], "clocks": [CLOCK]}
    for name in ("ADА", "Admin", "the moderator"):  # the last letter of the first one is Cyrillic
        for path, more in (("/api/offers", body), ("/api/challenges", {**body, "to": "Ada"})):
            refused = await bob.post(path, **more, name=name)
            assert (refused.status_code, refused.json()["error"]["code"]) == (422, "name-refused")
        refused = await bob.post(f"/api/offers/{number}/join", name=name)
        assert refused.status_code == 422
    assert (await bob.post("/api/offers", **body, name="Guest 3")).status_code == 201
    nameless, known = await with_key(house, "Zoe", 2), (await ada.offer())["identity"]
    zoe = house.service.people.find("Zoe")
    assert zoe is not None
    house.service.moderation.decide(None, zoe.number, CaseDecision.NEW_NAME)
    refused = await nameless.post("/api/offers", **body, name="Ada")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "name-refused")
    made = (await nameless.post("/api/offers", **body, name="Guest 4")).json()
    assert known is not None
    assert made["identity"] is None
    house.service.moderation.decide(None, zoe.number, CaseDecision.BAN)
    number = (await bob.post("/api/offers", **body, name="Bob")).json()["number"]
    answers = [
        await nameless.post("/api/offers", **body, name="Guest 4"),
        await nameless.post(f"/api/offers/{number}/join", name="Guest 4"),
    ]
    code = (await house.guest().post("/api/tournaments", {"game": "gomoku"})).json()["code"]
    answers.append(await nameless.post(f"/api/tournaments/{code}/entries", name="Guest 4"))
    for answer in answers:
        assert (answer.status_code, answer.json()["error"]["reason"]) == (403, "banned")


@served()
async def test_rated_offer_leads_to_a_rated_game(house: House) -> None:
    ada, wei, eve = await with_key(house, "Ada", 1), await with_key(house, "Wei", 2), Visitor(house, "Eve")
    async with ada.here(), wei.here() as hears:
        made = await ada.offer(rated=True)
        await wei.offer()
        await house.service.lobby_streams.tick()  # a casual offer does not fit
        assert made["rated"]
        assert (await eve.join(made["number"])).json()["error"]["reason"] == "rated-needs-key"
        assert (await hears.until("own"))["identity"] != made["identity"]
        await wei.offer(rated=True)
        await house.service.lobby_streams.tick()
        room = (await hears.until("own", lambda data: data["room"]))["room"]
    guest = await ada.enter(room)
    assert (guest.state["rated"], guest.state["opening"]["protocol"]) == (True, "pie")
    assert {player["rating"] for player in guest.state["players"]} == {1500}


@served()
async def test_offer_marks_provisional_ratings(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, now = await with_key(house, "Ada", 1), house.service.now()
    known = {
        ("gomoku", Speed.LIVE): PersonRating(GlickoRating(1500, 111), at=now),
        ("reversi", Speed.LIVE): PersonRating(GlickoRating(1600, 60), at=now),
        ("reversi", Speed.DAYS): PersonRating(GlickoRating(1700, 300), at=now),
    }
    monkeypatch.setattr(house.service.ratings, "ratings_of_person", lambda _: known)
    async with ada.here():
        made = await ada.offer(games=["gomoku", "reversi"])
        (listed,) = (await house.guest().get("/api/offers")).json()["offers"]
    for shown in (made, listed):
        assert (shown["ratings"], shown["provisional"]) == ({"gomoku": 1500, "reversi": 1600}, ["gomoku"])


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("offers", {"games": ["gomoku", "tictactoe"]}, "drawn-board"),
        ("offers", {"games": ["11x11:4"]}, "other-board"),
        ("challenges", {"to": "Guest"}, "rated-needs-key"),
    ],
)
@served()
async def test_unrated_games_are_refused_with_the_reason(
    house: House, path: str, body: Json, reason: str
) -> None:
    ada = await with_key(house, "Ada", 1)
    asked: Json = {"games": ["gomoku"], "clocks": [CLOCK], "name": "Ada", "rated": True, **body}
    answer = await ada.post(f"/api/{path}", **asked)
    assert (answer.status_code, answer.json()["error"]["reason"]) == (422, reason)
    assert answer.json()["error"]["sentence"]


@served()
async def test_waiting_players_are_paired(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with ada.here() as ada_hears, wei.here() as wei_hears:
        await ada.offer(games=["reversi", "gomoku"])
        await wei.offer(games=["gomoku"])
        await house.service.lobby_streams.tick()
        rooms = [
            (await one.until("own", lambda data: data["room"]))["room"] for one in (ada_hears, wei_hears)
        ]
    assert rooms[0] == rooms[1]
    guest = await ada.enter(rooms[0])
    assert guest.state["game"]["name"] == "gomoku"
    assert guest.state["clock"]["base"] == 180_000


@served()
async def test_give_back_returns_the_opponent_to_the_lobby(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with ada.here(), wei.here() as hears:
        await wei.offer()
        await ada.offer()
        await house.service.lobby_streams.tick()
        room = (await hears.until("own", lambda data: data["room"]))["room"]
        assert (await ada.post("/api/offers/back", room="no-such-room")).status_code == 404
        assert (await ada.post("/api/offers/back", room=room)).status_code == 200
        own = await hears.until("own", lambda data: data["offer"])
        assert (own["offer"]["name"], own["room"]) == ("Wei", None)
    guest = await wei.enter(room)
    assert guest.state["result"]["termination"] == "aborted"
    assert guest.state["result"]["sentences"] == ["The game was called off. It does not count."]
    assert '<meta property="og:title" content="Called off">' in (await guest.get(f"/r/{room}")).text


@served()
async def test_challenge_reaches_the_named_player_only(house: House) -> None:
    ada, wei, eve = (Visitor(house, name) for name in ("Ada", "Wei", "Eve"))
    async with ada.here() as ada_hears, wei.here() as wei_hears, eve.here() as eve_hears:
        number = (await ada.offer("/api/challenges", to=" wei "))["number"]
        (asked,) = (await wei_hears.until("own", lambda data: data["asked"]))["asked"]
        assert (asked["number"], asked["name"]) == (number, "Ada")
        assert asked["expires"] == house.clock.instant + 120_000
        assert (await eve_hears.until("own"))["asked"] == []
        assert (await eve.guest.get("/api/offers")).json()["waiting"] == 0
        assert (await eve.join(number)).status_code == 409
        await wei.post(f"/api/challenges/{number}/decline", name="Wei")
        await ada_hears.until("own", lambda data: (data["challenge"] or {}).get("state") == "declined")
        second = (await ada.offer("/api/challenges", to="Wei"))["number"]
        house.clock.instant += 120_000
        await house.service.lobby_streams.tick()
        await ada_hears.until("own", lambda data: (data["challenge"] or {}).get("state") == "expired")
        assert (await wei.join(second)).status_code == 409
        third = (await ada.offer("/api/challenges", to="Wei"))["number"]
        room = (await wei.join(third)).json()["room"]
        assert (await ada_hears.until("own", lambda data: data["room"]))["room"] == room


@served()
async def test_challenge_to_a_claimed_name_reaches_the_key(house: House) -> None:
    wei, ada = await with_key(house, "Wei", 1), Visitor(house, "Ada")
    thief = Visitor(house, "wei")
    async with wei.here() as wei_hears, thief.here() as thief_hears:
        number = (await ada.offer("/api/challenges", to=" WEI "))["number"]
        (asked,) = (await wei_hears.until("own", lambda data: data["asked"]))["asked"]
        assert asked["number"] == number
        declined = await thief.post(f"/api/challenges/{number}/decline", name="Wei")
        assert (declined.status_code, (await thief.join(number)).status_code) == (409, 422)
        assert (await thief.post(f"/api/offers/{number}/join", name="Bob")).status_code == 409
        await thief.offer(name="Bob")
        assert (await thief_hears.until("own", lambda data: data["offer"]))["asked"] == []
        assert (await wei.join(number)).status_code == 201


@served()
async def test_challenge_is_refused_by_the_wish_of_the_player(house: House) -> None:
    wei, ada, bob = [await with_key(house, name, number) for number, name in enumerate(("Wei", "Ada", "Bob"))]
    made = await ada.offer()
    room = (await wei.join(made["number"])).json()["room"]
    guests = [await visitor.enter(room) for visitor in (ada, wei)]
    await next(guest for guest in guests if guest.place == 0).do("move", move="h8")
    await ada.guest.do("resign")
    challenged: Json = {"games": ["gomoku"], "clocks": [CLOCK], "name": "Eve", "to": "wei"}
    for wish, askers in (("played", ("Ada",)), ("nobody", ()), ("everybody", ("Ada", "Bob", "Eve"))):
        await wei.guest.post("/api/identities/me/wishes", {"asked_by": wish})
        for visitor in (ada, bob, Visitor(house, "Eve")):
            answer = await visitor.post("/api/challenges", **challenged)
            assert answer.status_code == (201 if visitor.name in askers else 422), (wish, visitor.name)


@served()
async def test_offer_ends_after_its_page_is_closed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with wei.here() as hears:
        async with ada.here():
            await ada.offer()
        await house.service.lobby_streams.tick()
        async with ada.here():
            await house.service.lobby_streams.tick()
            assert (await wei.guest.get("/api/offers")).json()["waiting"] == 1
        monkeypatch.setattr(live, "GONE_SECONDS", 0.0)
        await house.service.lobby_streams.tick()
        await hears.until("changes", lambda data: data["gone"])
        assert (await wei.guest.get("/api/offers")).json()["waiting"] == 0


@served()
async def test_offer_by_days_opens_a_game_by_days(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei", "192.0.2.2")
    clocks = [{"per_move": 259_200_000}, {"base": 259_200_000, "increment": 86_400_000}]
    offer = await ada.offer(clocks=clocks)
    assert [clock["per_move"] for clock in offer["clocks"]] == [259_200_000, None]
    taken = await wei.join(offer["number"], game="gomoku", clock=clocks[1])
    guest = await wei.enter(taken.json()["room"])
    assert (guest.state["clock"]["base"], guest.state["claim_at"]) == (259_200_000, None)
    assert guest.state["first_move_at"] - guest.state["now"] == 259_200_000


@served()
async def test_taker_names_the_game_alone_and_agrees_to_watchers(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei", "192.0.2.2")
    offer = await ada.offer(games=["gomoku", "connect4"], visibility="public")
    other = await wei.join(offer["number"], game="qubic")
    assert other.json()["error"]["reason"] == "not-offered", other.text
    taken = await wei.join(offer["number"], game="connect4")
    guest = await wei.enter(taken.json()["room"])
    assert (guest.state["game"]["name"], guest.state["visibility"]) == ("connect4", "link")


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("offers", {"games": []}, 422, "invalid"),
        ("offers", {"games": ["gomoku"] * 11}, 422, "invalid"),
        ("offers", {"clocks": []}, 422, "invalid"),
        ("offers", {"clocks": [{"base": 43_200_000}]}, 422, "invalid"),
        ("offers", {"clocks": [{"per_move": 43_200_000}]}, 422, "invalid"),
        ("offers", {"lowest": -1}, 422, "invalid"),
        ("offers", {"visibility": "secret"}, 422, "invalid"),
        ("offers", {"name": ""}, 422, "name-refused"),
        ("offers", {"name": "rule"}, 422, "name-refused"),
        ("offers", {"name": "a\u202eb"}, 422, "name-refused"),
        ("offers", {"games": ["no such game"]}, 422, "not-found"),
        ("offers", {"games": ["fifteen"]}, 422, "offer-refused"),
        ("offers", {"games": ["1000x1000x1000"]}, 422, "shape-error"),
        ("offers", {"rated": True}, 422, "offer-refused"),
        ("challenges", {"to": ""}, 422, "name-refused"),
        ("challenges", {"to": "ADA"}, 422, "offer-refused"),
        ("challenges", {}, 422, "invalid"),
    ],
)
@served()
async def test_unusable_offers_are_refused(
    house: House, path: str, body: Json, status: int, code: str
) -> None:
    asked: Json = {"games": ["gomoku"], "clocks": [CLOCK], "name": "Ada", **body}
    answer = await Visitor(house, "Ada").post(f"/api/{path}", **asked)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
    assert answer.json()["error"]["sentence"]
    assert house.service.lobby.read().version == 0


@pytest.mark.parametrize("limits", [(1_400, 1_600), (1_600, 1_400), (1_600, None), (None, 1_400)])
@served()
async def test_limits_of_rating_come_in_either_order(
    house: House, limits: tuple[int | None, int | None]
) -> None:
    offer = await Visitor(house, "Ada").offer(lowest=limits[0], highest=limits[1])
    expected = limits if None in limits else (1_400, 1_600)
    assert (offer["lowest"], offer["highest"]) == expected


@served()
async def test_requests_need_a_key_and_an_offer_of_another(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    made = await ada.offer()
    for key in ("", "short", "x" * 65, "with spaces in the middle of it"):
        headers = {"authorization": f"Bearer {key}"} if key else {}
        answer = await ada.guest.post(f"/api/offers/{made['number']}/join", {"name": "Eve"}, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no-visitor")
    for visitor, number, game, reason in (
        (ada, made["number"], None, "own-offer"),
        (wei, made["number"], "reversi", "not-offered"),
        (wei, made["number"] + 5, None, "not-found"),
    ):
        more = {} if game is None else {"game": game, "clock": CLOCK}
        error = (await visitor.join(number, **more)).json()["error"]
        assert reason in (error.get("reason"), error["code"])
    assert (await wei.join(made["number"], game="gomoku", clock=CLOCK)).status_code == 201


@served(limits=replace(UNLIMITED, open_offers=2, offers=Rate(0.001, 4)))
async def test_offers_of_an_address_are_limited(house: House) -> None:
    one, two, three = (Visitor(house, name) for name in ("one", "two", "three"))
    await one.offer()
    await two.offer()
    await two.offer()  # it replaces the earlier one
    body = {"games": ["gomoku"], "clocks": [CLOCK], "name": "three"}
    for code in ("too-many-offers", "too-often"):
        refused = await three.post("/api/offers", **body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, code)
    other = Visitor(house, "other", "192.0.2.9")
    await other.offer()


@served(limits=replace(UNLIMITED, open_offers=MAX_OWN + 1))
async def test_withdrawn_offer_leaves_room_for_another(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    visitors = [Visitor(house, f"player-{number}") for number in range(MAX_OWN + 2)]
    with monkeypatch.context() as patch:
        patch.delattr(LobbyStreams, "read")  # one player has no more offers than are allowed
        numbers = [(await visitors[0].offer())["number"] for _ in range(2)]
    numbers += [(await visitor.offer())["number"] for visitor in visitors[1:-1]]
    body = {"games": ["gomoku"], "clocks": [CLOCK], "name": "late"}
    for status in (429, 201):
        assert (await visitors[-1].post("/api/offers", **body)).status_code == status
        await visitors[1].post(f"/api/offers/{numbers[2]}/withdraw")


@served(limits=replace(UNLIMITED, streams=1))
async def test_streams_of_an_address_are_limited(house: House) -> None:
    ada, wei = Visitor(house, "Ada"), Visitor(house, "Wei")
    async with ada.here():
        answer = await wei.guest.get("/api/offers/events", headers=wei.proof)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many-streams")
    async with wei.here():
        pass


@served()
async def test_list_holds_a_hundred_offers_and_moves_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_LISTED", 2)
    visitors = [Visitor(house, f"player-{number}") for number in range(3)]
    async with Visitor(house, "Ada").here() as hears:
        numbers = [(await visitor.offer())["number"] for visitor in visitors]
        await hears.until("changes", lambda data: data["waiting"] == 3)
        await visitors[0].post(f"/api/offers/{numbers[0]}/withdraw")
        data = await hears.until("changes", lambda data: data["gone"])
        assert [offer["number"] for offer in data["new"]] == [numbers[2]]
