"""Seats of players with keys: every display looks the name up, and no stored game has it."""

import pytest

from noughts.arena.people.moderation import CaseDecision
from noughts.arena.rooms.room_repository import MAX_OWN, RoomBatch
from noughts.errors import StoreError
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.http.replies import SESSION_COOKIE
from tests.arena.people.signing import Signer
from tests.interfaces.web.harness import Guest, House, Json, Listener, served, settle
from tests.interfaces.web.test_api_identities import LAPTOP, PHONE, WORDS, Browser, browser

FORMER = {"en": "Former player", "ru": "Бывший игрок", "zh-Hans": "已离开的玩家", "zh-Hant": "已離開的玩家"}


async def seated(house: House) -> tuple[Browser, Guest, int]:
    """Return a player with a key in a public room, a guest there, and the number of the player."""
    ada, wei = browser(house), house.guest("192.0.2.9")
    number = (await ada.register()).json()["identity"]["number"]
    room = {"game": "tictactoe", "opponent": "friend", "name": "ignored", "visibility": "public"}
    await ada.guest.enter("/api/rooms", room)
    await wei.enter("/api/join", {"code": ada.guest.code, "name": "Wei"})
    await ada.guest.look()
    return ada, wei, number


async def play(ada: Browser, wei: Guest) -> int:
    """Play a game that Ada wins, and return its number."""
    for number, move in enumerate("14253"):
        await (ada.guest, wei)[number % 2].do("move", move=move)
    return int(ada.guest.state["game_id"])


def names_in(state: Json) -> list[tuple[str, int | None]]:
    return [(player["name"], player["identity"]) for player in state["players"]]


@served()
async def test_room_shows_the_present_name(house: House) -> None:
    ada, wei, number = await seated(house)
    assert names_in(ada.guest.state) == [("Ada", number), ("Wei", None)]
    await ada.signed("/api/identities/me/name", "rename", ("Adah",), name="Adah")
    assert names_in(await wei.look()) == [("Adah", number), ("Wei", None)]
    assert wei.state["series"]["scores"][0]["name"] == "Adah"
    brief = (await wei.get(f"/api/rooms/{wei.room}/brief", headers=wei.proof)).json()
    assert brief["others"] == ["Adah"]


@served()
async def test_forgotten_player_changes_no_stored_game(house: House) -> None:
    ada, wei, number = await seated(house)
    game = await play(ada, wei)
    with house.service.database.reading() as connection:
        query = "SELECT * FROM games JOIN events ON game_id = games.id ORDER BY version"
        before = [dict(row) for row in connection.rows(query)]
    assert "Ada" not in str(before)
    assert house.service.people.games_of(number) == [game]
    found = (await wei.get("/api/games", params={"player": "ADA"})).json()["games"]
    assert [names_in(one) for one in found] == [[("Ada", number), ("Wei", None)]]
    assert "Ada" in (await wei.get(f"/api/games/{game}/record")).text
    house.clock.instant += 10_000
    gone = await ada.signed("/api/identities/me/forget", "forget", ("Ada",), name="Ada")
    assert gone.status_code == 200
    with house.service.database.reading() as connection:
        assert [dict(row) for row in connection.rows(query)] == before
    for language in LANGUAGES:
        former = FORMER[language]
        replay = (await wei.get(f"/api/games/{game}", params={"lang": language})).json()
        assert names_in(replay) == [(former, number), ("Wei", None)]
        state = (await wei.get(f"/api/rooms/{wei.room}", params={"lang": language}, headers=wei.proof)).json()
        assert names_in(state) == [(former, number), ("Wei", None)]
        assert former in " ".join(state["result"]["sentences"])
    assert "Ada" not in (await wei.get(f"/api/games/{game}/record")).text
    assert (await wei.get("/api/games", params={"player": "Ada"})).json()["games"] == []


CLAIMED = {
    "en": "“АDА” belongs to a player with a key. If that is you, sign in with the key."
    " Otherwise choose another name.",
    "ru": "Имя «АDА» принадлежит игроку с ключом. Если это вы, войдите с этим ключом."
    " Если нет, выберите другое имя.",
    "zh-Hans": "名字“АDА”属于一位有密钥的玩家。如果是你本人，请用密钥登录；否则请换一个名字。",
    "zh-Hant": "名字「АDА」屬於一位有金鑰的玩家。如果是你本人，請用金鑰登入；否則請換一個名字。",
}


@served()
async def test_guest_cannot_choose_a_claimed_name(house: House) -> None:
    await browser(house).register()
    wei, eve, organiser = (house.guest(f"192.0.2.{number}") for number in (2, 3, 4))
    await wei.enter("/api/rooms", {"game": "tictactoe", "opponent": "friend", "name": "Wei"})
    cup = {"title": "Cup", "game": "tictactoe", "clock": {"base": 60_000}, "rounds": 3}
    path = f"/api/tournaments/{(await organiser.post('/api/tournaments', cup)).json()['code']}"
    entry = (await eve.post(f"{path}/entries", {"name": "Eve"})).json()
    offer = {"games": ["gomoku"], "clocks": [{"base": 180_000, "increment": 2_000}]}
    visitors = [{"authorization": f"Bearer {letter * 30}"} for letter in "ew"]
    made = await wei.post("/api/offers", {**offer, "name": "Wei"}, headers=visitors[1])
    chosen: list[tuple[Guest, str, Json]] = [
        (eve, "/api/rooms", {"game": "tictactoe", "opponent": "friend"}),
        (eve, "/api/rooms", {"game": "tictactoe", "opponent": "level:1"}),
        (eve, "/api/join", {"code": wei.code}),
        (eve, "/api/join", {"room": wei.room}),
        (eve, f"{path}/entries", {}),
        (eve, f"{path}/entries/{entry['number']}", {}),
        (organiser, f"{path}/late", {}),
        (eve, "/api/offers", offer),
        (eve, "/api/challenges", {**offer, "to": "Wei"}),
        (eve, f"/api/offers/{made.json()['number']}/join", {}),
    ]
    for guest, where, body in chosen:
        headers = visitors[0] if where.startswith(("/api/offers", "/api/challenges")) else {}
        refused = await guest.post(where, {**body, "name": "АDА"}, headers=headers)
        assert (refused.status_code, refused.json()["error"].get("sentence")) == (422, CLAIMED["en"]), where
    for language, sentence in CLAIMED.items():
        refused = await eve.post(f"/api/join?lang={language}", {"room": wei.room, "name": "АDА"})
        assert refused.json()["error"]["sentence"] == sentence
    assert names_in(await wei.look()) == [("Wei", None), (None, None)]


@served(remember_seconds=0.0)
async def test_earlier_guest_has_a_number_beside_the_owner(house: House) -> None:
    eve, ada = house.guest("192.0.2.9"), browser(house)
    room = {"game": "tictactoe", "opponent": "friend", "name": "АDА", "visibility": "public"}
    await eve.enter("/api/rooms", room)
    number = (await ada.register()).json()["identity"]["number"]
    await ada.guest.enter("/api/join", {"code": eve.code, "name": ""})
    shown = [("АDА (2)", None), ("Ada", number)]
    assert names_in(await eve.look()) == shown
    for step, move in enumerate("14253"):
        await (eve, ada.guest)[step % 2].do("move", move=move)
    game = eve.state["game_id"]
    for guest in (ada.guest, eve):
        await guest.do("rematch")
    assert (eve.state["phase"], names_in(eve.state)) == ("playing", shown)
    assert names_in((await eve.get(f"/api/games/{game}")).json()) == shown
    scores = (await eve.get("/api/scores")).json()["players"]
    assert {score["name"] for score in scores} == {"Ada", "АDА"}


@pytest.mark.parametrize("name", ["key:281474976710656", " key:7 "])
@served()
async def test_guest_cannot_have_the_text_of_a_seat(house: House, name: str) -> None:
    answer = await house.guest().post("/api/rooms", {"game": "tictactoe", "name": name})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "name-refused")


@served()
async def test_player_is_a_guest_at_a_second_seat(house: House) -> None:
    ada = browser(house)
    number = (await ada.register()).json()["identity"]["number"]
    await ada.guest.enter("/api/rooms", {"game": "tictactoe", "opponent": "friend", "name": ""})
    code = ada.guest.code
    await ada.guest.enter("/api/join", {"code": code, "name": "Ada", "key": "k" * 22})
    assert names_in(ada.guest.state) == [("Ada", number), ("Ada (2)", None)]


@served()
async def test_repeated_request_gives_a_player_the_same_seat(house: House) -> None:
    ada = browser(house)
    await ada.register()
    asked = {"game": "tictactoe", "opponent": "friend", "name": "", "key": "k" * 22}
    await ada.guest.enter("/api/rooms", asked)
    token = ada.guest.token
    await ada.signed("/api/identities/me/name", "rename", ("Adah",), name="Adah")
    await ada.guest.enter("/api/rooms", asked)
    assert ada.guest.token == token


@served()
async def test_two_people_with_keys_play(house: House) -> None:
    ada, bea = browser(house, PHONE), browser(house, Signer(30), "192.0.2.2")
    one = (await ada.register("Ada", WORDS)).json()["identity"]["number"]
    two = (await bea.register("Bea", Signer(31))).json()["identity"]["number"]
    await ada.guest.enter("/api/rooms", {"game": "tictactoe", "opponent": "friend", "name": ""})
    await bea.guest.enter("/api/join", {"code": ada.guest.code, "name": ""})
    assert names_in(bea.guest.state) == [("Ada", one), ("Bea", two)]


def reading_streams(house: House, player: Browser, room: str) -> list[Listener]:
    """Return started streams of *player* by the session: of the *room*, the games and the lobby."""
    secret = player.guest.client.cookies[SESSION_COOKIE]
    by_session = {"authorization": f"Bearer {secret}"}
    paths = (f"/api/rooms/{room}/events", "/api/rooms/events", "/api/offers/events")
    streams = [house.listener(player.guest, by_session, path, "") for path in paths[:2]]
    lobby = {"authorization": "Bearer " + "k" * 22, "cookie": f"{SESSION_COOKIE}={secret}"}
    streams.append(house.listener(player.guest, lobby, paths[2], ""))
    for stream in streams:
        stream.start()
    return streams


@served()
async def test_removed_device_loses_streams_and_seats(house: House) -> None:
    lost, wei, number = await seated(house)  # the lost device has a cookie and a token of its seat
    other = browser(house, LAPTOP, "192.0.2.5")
    own = (await other.restore()).json()["device"]
    other.guest.room = lost.guest.room
    streams = reading_streams(house, lost, wei.room)
    async with lost.guest.listening() as by_token, wei.listening() as opponent:
        await by_token.next()
        await opponent.next()
        await settle(lambda: all(stream.texts for stream in streams))
        devices = (await other.guest.get("/api/identities/me/devices")).json()["devices"]
        gone = next(one["number"] for one in devices if one["number"] != own)
        path = "/api/identities/me/devices/remove"
        answer = await other.signed(path, "remove-devices", (str(gone),), devices=[gone])
        assert answer.status_code == 200
        await settle(lambda: all(stream.is_over.is_set() for stream in (*streams, by_token)))
        assert not opponent.is_over.is_set()
    answer = await wei.get(f"/api/rooms/{wei.room}", headers=lost.guest.proof)
    assert answer.json()["error"]["code"] == "not-your-seat"
    await other.guest.look()
    other.guest.place = 0
    assert names_in(await other.guest.do("move", move="5")) == [("Ada", number), ("Wei", None)]


@served()
async def test_device_is_removed_with_its_tokens_or_not_at_all(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, wei, number = await seated(house)
    with house.service.database.writing() as connection:  # more rooms than are listed
        rows = ({"identity": number, "room": f"!{room}"} for room in range(MAX_OWN))
        connection.insert("room_people", *rows)
    other = browser(house, LAPTOP, "192.0.2.5")
    own = (await other.restore()).json()["device"]
    devices = (await other.guest.get("/api/identities/me/devices")).json()["devices"]
    gone = next(one["number"] for one in devices if one["number"] != own)
    path, facts = "/api/identities/me/devices/remove", ("remove-devices", (str(gone),))

    def fail(*_: object) -> None:
        raise StoreError("games.db", "the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(RoomBatch, "save", fail)
        assert (await other.signed(path, *facts, devices=[gone])).status_code == 503
    left = (await other.guest.get("/api/identities/me/devices")).json()["devices"]
    assert {one["number"] for one in left} == {one["number"] for one in devices}
    assert (await other.signed(path, *facts, devices=[gone])).status_code == 200
    answer = await wei.get(f"/api/rooms/{wei.room}", headers=lost.guest.proof)
    assert answer.json()["error"]["code"] == "not-your-seat"


@pytest.mark.parametrize("way", ["page", "command line", "page with a full disk"])
@served()
async def test_forgotten_player_loses_streams_and_seats(
    house: House, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    ada, wei, number = await seated(house)
    streams = reading_streams(house, ada, wei.room)

    def fail(*_: object) -> None:
        raise StoreError("games.db", "the disk is full")

    async with ada.guest.listening() as by_token, wei.listening() as opponent:
        await by_token.next()
        await opponent.next()
        await settle(lambda: all(stream.texts for stream in streams))
        if way == "command line":
            await house.service.run(house.service.moderation.decide, None, number, CaseDecision.FORGET)
            await house.service.end_forgotten()
        else:
            with monkeypatch.context() as patched:
                if way != "page":
                    patched.setattr(RoomBatch, "save", fail)
                gone = await ada.signed("/api/identities/me/forget", "forget", ("Ada",), name="Ada")
            assert gone.status_code == 200
            if way != "page":
                await house.service.end_forgotten()
        await settle(lambda: all(stream.is_over.is_set() for stream in (*streams, by_token)))
        assert not opponent.is_over.is_set()
    answer = await wei.get(f"/api/rooms/{wei.room}", headers=ada.guest.proof)
    assert answer.json()["error"]["code"] == "not-your-seat"
    with house.service.database.reading() as connection:
        assert connection.rows("SELECT room FROM room_people") == []


@served()
async def test_lasting_offer_of_a_forgotten_player_ends(house: House) -> None:
    ada = browser(house)
    number = (await ada.register()).json()["identity"]["number"]
    offer = {"games": ["gomoku"], "clocks": [{"per_move": 259_200_000}], "name": "Ada", "lasts": True}
    made = await ada.guest.post("/api/offers", offer, headers={"authorization": "Bearer " + "k" * 22})
    assert made.status_code == 201, made.text
    assert len(house.service.lobby.read().open_offers) == 1
    await house.service.run(house.service.moderation.decide, None, number, CaseDecision.FORGET)
    await house.service.end_forgotten()
    assert house.service.lobby.read().open_offers == []
