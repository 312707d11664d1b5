"""Players with keys over the API: what a browser does, and what a thief cannot do."""

from typing import Any

import pytest

from noughts.interfaces.web.http.limits import UNLIMITED, Rate, ServerLimits
from noughts.interfaces.web.http.replies import SESSION_COOKIE
from tests.arena.people.signing import Signer
from tests.interfaces.web.harness import ORIGIN, Guest, House, Json, served

WORDS, PHONE, LAPTOP, OTHER_WORDS, OTHER = map(Signer, range(1, 6))


class Browser:
    """A guest with the key of a device."""

    def __init__(self, guest: Guest, device: Signer) -> None:
        self.guest, self.device = guest, device

    async def nonce(self) -> str:
        return str((await self.guest.get("/api/identities/nonce")).json()["nonce"])

    async def signed(self, path: str, action: str, facts: tuple[str, ...] = (), **more: Any) -> Any:
        """Send a change that the device signs."""
        nonce = await self.nonce()
        signature = self.device.sign(action, nonce, *facts, origin=self.guest.origin)
        return await self.guest.post(path, {"nonce": nonce, "signature": signature, **more})

    async def with_words(
        self, path: str, action: str, words: Signer, first: tuple[str, ...] = (), **more: Any
    ) -> Any:
        """Send a change that the key of the words and the device sign."""
        nonce, label = await self.nonce(), "Test"
        facts = (*first, words.key, self.device.key, label)
        signers, origin = (self.device, words), self.guest.origin
        signatures = [signer.sign(action, nonce, *facts, origin=origin) for signer in signers]
        device = {"key": self.device.key, "label": label, "signature": signatures[0]}
        body = {"key": words.key, "device": device, "nonce": nonce, "signature": signatures[1], **more}
        return await self.guest.post(path, body)

    async def register(self, name: str = "Ada", words: Signer = WORDS) -> Any:
        return await self.with_words("/api/identities", "register", words, (name,), name=name)

    async def restore(self, words: Signer = WORDS) -> Any:
        return await self.with_words("/api/identities/devices", "restore", words)

    async def sign_in(self) -> Any:
        key = self.device.key
        return await self.signed("/api/identities/session", "sign-in", (key,), key=key)

    async def me(self) -> Json | None:
        me: Json | None = (await self.guest.get("/api/identities/me")).json()["identity"]
        return me


def browser(house: House, device: Signer = PHONE, address: str = "192.0.2.1") -> Browser:
    return Browser(house.guest(address), device)


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@served()
async def test_registered_player_has_a_session(house: House) -> None:
    phone = browser(house)
    assert await phone.me() is None
    answer = await phone.register()
    assert answer.status_code == 201
    cookie = answer.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=lax", "path=/", "max-age=2592000"))
    assert "secure" not in cookie  # the test server has no HTTPS
    me = await phone.me()
    assert me is not None
    assert (me["name"], me["words_checked"], me["asked_by"]) == ("Ada", None, "everybody")
    checked = await phone.guest.post("/api/identities/me/words/checked", {})
    assert checked.json()["identity"]["words_checked"] == house.clock()
    assert (await phone.guest.post("/api/identities/sign-out", {})).json() == {}
    assert await phone.me() is None
    assert (await phone.sign_in()).json()["identity"]["number"] == me["number"]


@served()
async def test_session_also_works_as_bearer_token(house: House) -> None:
    phone = browser(house)
    await phone.register()
    secret = phone.guest.client.cookies[SESSION_COOKIE]
    program = house.guest(authorization=f"Bearer {secret}")
    assert (await program.get("/api/identities/me")).json()["identity"]["name"] == "Ada"


@served()
async def test_name_check_gives_reasons(house: House) -> None:
    phone = browser(house)
    await phone.register()

    async def check(name: str) -> Json:
        result: Json = (await house.guest().get("/api/identities/names", params={"name": name})).json()
        return result

    assert (await check("Bea"))["is_free"]
    assert await check("АDА") == {
        "name": "АDА",
        "is_free": False,
        "sentence": "This name is not free. Choose another.",
    }
    for name, like in (("Cornputer 3", "Computer"), ("Adrnin", "admin"), ("perfecT", "perfect")):
        assert (await check(name))["sentence"] == f"Too like “{like}”. Choose another name."
    mine = (await phone.guest.get("/api/identities/names", params={"name": "ADA"})).json()
    assert mine["is_free"]
    refused = await browser(house, OTHER).register("ada", OTHER_WORDS)
    assert code_of(refused) == (422, "name-refused")


@served()
async def test_stolen_cookie_changes_nothing(house: House) -> None:
    phone = browser(house)
    await phone.register()
    thief = browser(house, OTHER, "198.51.100.7")
    thief.guest.client.cookies.set(SESSION_COOKIE, phone.guest.client.cookies[SESSION_COOKIE])
    assert await thief.me() is not None
    key = OTHER_WORDS.key
    attempts = [
        await thief.signed("/api/identities/me/name", "rename", ("Eve",), name="Eve"),
        await thief.signed("/api/identities/me/export", "export"),
        await thief.signed("/api/identities/me/forget", "forget", ("Ada",), name="Ada"),
        await thief.signed(
            "/api/identities/me/words", "new-words", (key,), key=key, words_signature="A" * 86
        ),
        await thief.signed("/api/identities/me/devices/remove", "remove-devices", ("7",), devices=[7]),
    ]
    assert {code_of(answer) for answer in attempts} == {(403, "key-refused")}
    me = await phone.me()
    assert me is not None
    assert me["name"] == "Ada"


@served()
async def test_unknown_and_wrong_keys_get_equal_answers(house: House) -> None:
    await browser(house).register()
    unknown = await browser(house, OTHER).sign_in()
    nonce = await browser(house).nonce()
    signature = OTHER.sign("sign-in", nonce, PHONE.key, origin=ORIGIN)
    body = {"key": PHONE.key, "nonce": nonce, "signature": signature}
    forged = await house.guest().post("/api/identities/session", body)
    assert (unknown.status_code, unknown.content) == (forged.status_code, forged.content)
    assert code_of(forged) == (403, "key-refused")
    assert "set-cookie" not in forged.headers


@served()
async def test_guest_has_no_routes_of_players(house: House) -> None:
    guest = house.guest()
    for path in ("devices", "blocks", "requests/123456"):
        assert code_of(await guest.get(f"/api/identities/me/{path}")) == (401, "no-key")
    body = {"nonce": "x", "signature": "A" * 86}
    assert code_of(await guest.post("/api/identities/me/export", body)) == (401, "no-key")
    assert code_of(await guest.post("/api/identities/me/block", {"identity": 5})) == (401, "no-key")


@served()
async def test_second_device_needs_approval(house: House) -> None:
    phone, laptop = browser(house), browser(house, LAPTOP, "192.0.2.2")
    await phone.register()
    asked = await laptop.signed(
        "/api/identities/requests",
        "ask-to-be-added",
        (LAPTOP.key, "Firefox"),
        key=LAPTOP.key,
        label="Firefox",
    )
    waiting = asked.json()
    follow = {"secret": waiting["secret"]}

    async def state() -> Any:
        return await laptop.guest.post("/api/identities/requests/state", follow)

    assert (await state()).json() == {"state": "waiting"}
    assert code_of(await laptop.sign_in()) == (403, "key-refused")
    path = f"/api/identities/me/requests/{waiting['code']}"
    shown = (await phone.guest.get(path)).json()
    assert shown == {"label": "Firefox", "key": LAPTOP.key}
    facts = (waiting["code"], LAPTOP.key)
    answer = await phone.signed(f"{path}/answer", "add-device", facts, key=LAPTOP.key, is_approved=True)
    assert answer.json() == {}
    assert (await state()).json() == {"state": "added"}
    assert (await laptop.sign_in()).status_code == 201
    devices = (await phone.guest.get("/api/identities/me/devices")).json()["devices"]
    assert {device["label"] for device in devices} == {"Test", "Firefox"}
    other = next(device["number"] for device in devices if device["label"] == "Firefox")
    await phone.signed("/api/identities/me/devices/remove", "remove-devices", (str(other),), devices=[other])
    assert await laptop.me() is None
    house.clock.instant += 2 * 60 * 1000
    assert code_of(await state()) == (403, "key-refused")


@served()
async def test_words_bring_the_player_back(house: House) -> None:
    await browser(house).register()
    laptop = browser(house, LAPTOP)
    assert (await laptop.restore()).json()["identity"]["name"] == "Ada"
    key = OTHER_WORDS.key
    nonce = await laptop.nonce()
    body = {
        "key": key,
        "nonce": nonce,
        "words_signature": OTHER_WORDS.sign("new-words", nonce, key, origin=ORIGIN),
        "signature": LAPTOP.sign("new-words", nonce, key, origin=ORIGIN),
    }
    assert (await laptop.guest.post("/api/identities/me/words", body)).status_code == 200
    assert code_of(await browser(house, OTHER).restore()) == (403, "key-refused")
    assert (await browser(house, OTHER).restore(OTHER_WORDS)).status_code == 201


@served()
async def test_player_can_rename_block_export_and_leave(house: House) -> None:
    phone, other = browser(house), browser(house, OTHER, "192.0.2.2")
    await phone.register()
    bea = (await other.register("Bea", OTHER_WORDS)).json()["identity"]["number"]
    renamed = await phone.signed("/api/identities/me/name", "rename", ("Adah",), name="Adah")
    assert renamed.json()["identity"]["can_rename_at"] == house.clock() + 30 * 86_400_000
    assert code_of(await phone.signed("/api/identities/me/name", "rename", ("Ad",), name="Ad")) == (
        403,
        "key-refused",
    )
    await phone.guest.post("/api/identities/me/wishes", {"asked_by": "nobody"})
    await phone.guest.post("/api/identities/me/block", {"identity": bea})
    blocked = (await phone.guest.get("/api/identities/me/blocks")).json()["blocked"]
    assert [(row["number"], row["name"]) for row in blocked] == [(bea, "Bea")]
    data = (await phone.signed("/api/identities/me/export", "export")).json()
    assert (data["identity"]["name"], data["blocks"][0]["identity"]) == ("Adah", bea)
    assert phone.guest.client.cookies[SESSION_COOKIE] not in str(data)
    gone = await phone.signed("/api/identities/me/forget", "forget", ("Adah",), name="Adah")
    assert gone.status_code == 200
    assert SESSION_COOKIE not in phone.guest.client.cookies
    assert code_of(await phone.sign_in()) == (403, "key-refused")


SLOWLY = 0.0001
TIGHT = ServerLimits(
    identities=Rate(SLOWLY, 2), signatures=Rate(SLOWLY, 5), names=Rate(SLOWLY, 3), requests=None
)


@pytest.mark.slow
@served(limits=TIGHT)
async def test_floods_of_names_keys_and_signatures_are_limited(house: House) -> None:
    flood = browser(house, OTHER, "198.51.100.7")
    names = [await flood.guest.get("/api/identities/names", params={"name": f"n{i}"}) for i in range(5)]
    assert [answer.status_code for answer in names] == [200] * 3 + [429] * 2
    made = [
        await browser(house, Signer(90 + i), "198.51.100.7").register(f"Name {i}", Signer(80 + i))
        for i in range(3)
    ]
    assert [answer.status_code for answer in made] == [201] * 2 + [429]
    tried = [await flood.sign_in() for _ in range(5)]
    assert [answer.status_code for answer in tried] == [403] * 3 + [429] * 2
    assert (await browser(house).register()).status_code == 201


@served()
async def test_server_without_libraries_names_the_extra(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.interfaces.web.api.identities.keys_are_available", lambda: False)
    answer = await house.guest().get("/api/identities/nonce")
    assert code_of(answer) == (501, "extra-missing")
    assert "[meet]" in answer.json()["error"]["sentence"]
    await house.pair()  # guests play as before


@served()
async def test_page_of_key_knows_if_libraries_are_missing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = '<div id="key" data-off>'
    assert off not in (await house.guest().get("/key")).text
    monkeypatch.setattr("noughts.interfaces.web.pages.pages.keys_are_available", lambda: False)
    assert off in (await house.guest().get("/key")).text


def test_limits_can_be_lifted() -> None:
    assert UNLIMITED.signatures is None
